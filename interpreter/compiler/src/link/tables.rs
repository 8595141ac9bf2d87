//! From names to dense ids, and from an item's local ids to the program's.

use std::sync::Arc;

use netrep_ir::{
    ActionId, AllowanceId, AttrId, BlockId, ClassId, ClauseId, Cond, EntryId, ListId, Map, Mapper, ModifierId, NameId,
    NormId, PlaceId, ProcId, Program, RoleId, Sel, SiteId, SpareId, TriggerId, VerbId, order,
};
use rustc_hash::FxHashMap;

/// A table from names to dense ids.
pub(crate) type Table = FxHashMap<Arc<str>, u16>;

/// The tables of names.
#[derive(Default)]
pub(crate) struct Tables {
    pub classes: Table,
    pub lists: Table,
    pub entries: Table,
    pub attrs: Table,
    pub verbs: Table,
    pub roles: Table,
    pub places: Table,
    pub procs: Table,
    pub names: Table,
    pub steps: FxHashMap<(u16, Arc<str>), u16>,
}

/// The number of a name among those of its kind.
fn nth(index: usize) -> u16 {
    netrep_ir::limits::in_16_bits(index)
}

pub(super) fn add(table: &mut Table, name: &Arc<str>) -> (u16, bool) {
    let next = nth(table.len());
    match table.entry(name.clone()) {
        std::collections::hash_map::Entry::Occupied(o) => (*o.get(), false),
        std::collections::hash_map::Entry::Vacant(v) => (*v.insert(next), true),
    }
}

impl Tables {
    /// The tables of a linked program, for phrases that are not part of it.
    pub(crate) fn of(p: &Program) -> Tables {
        fn table<'a>(names: impl Iterator<Item = &'a str>) -> Table {
            let mut t = Table::default();
            for (i, n) in names.enumerate() {
                // The first declaration of a name holds.
                t.entry(Arc::from(n)).or_insert(nth(i));
            }
            t
        }
        let mut roles = table(p.roles.iter().map(|x| x.name.as_str()));
        if let Some(role) = p.services.against {
            roles.insert(Arc::from(crate::lower::AGAINST), role.0);
        }
        Tables {
            classes: table(p.classes.iter().map(|x| x.name.as_str())),
            lists: table(p.lists.iter().map(|x| x.name.as_str())),
            entries: table(p.entries.iter().map(|x| x.name.as_str())),
            attrs: table(p.attrs.iter().map(|x| x.name.as_str())),
            verbs: table(p.verbs.iter().map(|x| x.name.as_str())),
            roles,
            places: table(p.places.iter().map(|x| x.name.as_str())),
            procs: table(p.procs.iter().map(|x| x.name.as_str())),
            names: table(p.names.iter().map(String::as_str)),
            steps: FxHashMap::default(),
        }
    }
}

/// Gives a tree that was lowered on its own the ids of a program, of which these are the tables. `more`: further names
/// with their ids. `Err` holds a name that the program does not know, and what it should be.
pub(crate) fn relocate<T: Map>(
    program: &Program,
    tables: &Tables,
    symbols: &crate::lower::Symbols,
    more: &[(Arc<str>, NameId)],
    tree: &mut T,
) -> Result<(), (Arc<str>, &'static str)> {
    let mut unknown = Vec::new();
    let mut m = Relocation::new(tables, program, symbols, &mut unknown);
    for (id, name) in m.names.iter_mut().zip(&symbols.names) {
        if let Some((_, own)) = more.iter().rev().find(|(own, _)| own == name) {
            *id = own.0;
        }
    }
    unknown.retain(|(name, _)| !more.iter().any(|(own, _)| own == name));
    if let Some(first) = unknown.into_iter().next() {
        return Err(first);
    }
    tree.map_ids(&mut m, 0);
    Ok(())
}

/// From an item's local ids to the program's.
pub(super) struct Relocation<'a> {
    pub classes: Vec<u16>,
    pub lists: Vec<u16>,
    pub entries: Vec<u16>,
    pub attrs: Vec<u16>,
    pub verbs: Vec<u16>,
    pub roles: Vec<u16>,
    pub places: Vec<u16>,
    pub procs: Vec<u16>,
    pub names: Vec<u16>,
    /// Per local kind of declaration: it is the use of an ability.
    pub abilities: Vec<bool>,
    pub clause: usize,
    pub block: usize,
    pub modifier: usize,
    pub trigger: usize,
    pub norm: usize,
    pub spare: usize,
    pub allowance: usize,
    pub site: usize,
    pub tables: &'a Tables,
}

macro_rules! relocate {
    ($($method:ident $id:ident $table:ident),* $(,)?) => {$(
        fn $method(&mut self, id: $id) -> $id {
            // total: `u16::MAX` stands for "any"; unknown names were reported when the tables were made
            $id(self.$table.get(id.index()).copied().unwrap_or(u16::MAX))
        }
    )*};
}

macro_rules! offset {
    ($($method:ident $id:ident $base:ident),* $(,)?) => {$(
        fn $method(&mut self, id: $id) -> $id {
            $id::from_index(self.$base + id.index())
        }
    )*};
}

impl Mapper for Relocation<'_> {
    relocate! {
        class ClassId classes, list ListId lists, entry EntryId entries, attr AttrId attrs, verb VerbId verbs,
        role RoleId roles, place PlaceId places, proc ProcId procs, name NameId names,
    }
    offset! {
        clause ClauseId clause, block BlockId block, modifier ModifierId modifier, trigger TriggerId trigger,
        norm NormId norm, spare SpareId spare, allowance AllowanceId allowance, site SiteId site,
    }
    fn sels(&mut self, parts: &mut Vec<Sel>) {
        order::sels(parts);
    }
    fn conds(&mut self, parts: &mut Vec<Cond>) {
        order::conds(parts);
    }
    fn action(&mut self, id: ActionId) -> ActionId {
        // Which kind of declaration it is; [`super::Linker::finish`] finds the kind itself.
        ActionId(u16::from(self.abilities[id.index()]))
    }
}

impl<'a> Relocation<'a> {
    /// Resolves an item's symbols; the first clause's place serves for names that are unknown.
    pub(super) fn new(
        tables: &'a Tables,
        program: &Program,
        s: &crate::lower::Symbols,
        unknown: &mut Vec<(Arc<str>, &'static str)>,
    ) -> Self {
        let mut map = |names: &[Arc<str>], table: &Table, what: &'static str| -> Vec<u16> {
            names
                .iter()
                .map(|n| {
                    table.get(n).copied().unwrap_or_else(|| {
                        unknown.push((n.clone(), what));
                        u16::MAX
                    })
                })
                .collect()
        };
        Relocation {
            classes: map(&s.classes, &tables.classes, "class"),
            lists: map(&s.lists, &tables.lists, "list"),
            entries: map(&s.entries, &tables.entries, "term"),
            attrs: map(&s.attrs, &tables.attrs, "attribute"),
            verbs: map(&s.verbs, &tables.verbs, "verb"),
            roles: map(&s.roles, &tables.roles, "role"),
            places: map(&s.places, &tables.places, "place"),
            procs: map(&s.procs, &tables.procs, "procedure"),
            names: map(&s.names, &tables.names, "name"),
            abilities: s.actions.iter().map(|a| **a == *crate::lower::ABILITY).collect(),
            clause: program.clauses.len(),
            block: program.blocks.len(),
            modifier: program.modifiers.len(),
            trigger: program.triggers.len(),
            norm: program.norms.len(),
            spare: program.spares.len(),
            allowance: program.allowances.len(),
            site: program.sites.len(),
            tables,
        }
    }
}
