//! Linking: the lowered items become one program with dense ids.
//!
//! Ids follow the order of the items by what they are called ([`Order`]), never files or places in them, and are given
//! outside salsa: a new card shifts every id behind it, and nothing needs to be compiled again for that.
//! A name that no item declares is an error of the item that uses it; the item's clauses are then left out.

use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_diagnostics::{Code, nearest};
use netrep_ir::identity::Renamed;
use netrep_ir::{
    ActionDecl, AttrDecl, AttrId, BlockId, ClassDecl, ClauseId, EntryDecl, EntryId, ListDecl, ListId, Map, Mapper,
    Place, PlaceDecl, ProcDecl, ProcId, Program, RoleDecl, Source, StepDecl, StepId, ValueKind,
};

use crate::finding::Diagnostic;
use crate::lower::LowTerm;
use tables::{Relocation, add};

mod cache;
mod circles;
mod deeds;
mod finish;
mod fits;
mod following;
mod functioning;
mod item;
mod lent;
mod limits;
mod moments;
mod named;
mod names;
mod parts;
mod places;
mod raised;
mod roles;
mod services;
mod tables;
mod taken;
mod verified;
mod verify;
mod whole;

pub(crate) use cache::{LinkCache, Linked};
pub(crate) use fits::Fitting;
pub(crate) use item::LinkItem;
pub(crate) use named::Order;
pub(crate) use tables::{Tables, relocate};
pub(crate) use verified::{Verified, are_alike};
pub(crate) use verify::{Whole, verify};

/// Linking under way.
#[derive(Default)]
struct Linker {
    program: Program,
    tables: Tables,
    diags: Vec<Diagnostic>,
    /// Which items are part of the program.
    placed: Vec<bool>,
    /// The texts of broken items.
    lost: Vec<Arc<str>>,
    /// The facts that are printed on things of some class.
    figures: BTreeSet<AttrId>,
    /// The abilities that things have of others, and where it is said.
    lents: Vec<(lent::Lent, Place)>,
}

/// Links the items of a profile. Diagnostics are about the whole (unknown names, missing steps, circular
/// modifiers); those of single items were given when they were read and lowered.
pub(crate) fn link(items: &[LinkItem]) -> (Program, Vec<Diagnostic>) {
    let mut l = Linker::default();
    l.program.former = renamed(items);
    l.declare(items);
    l.check_roles(items);
    l.described_twice(items);
    l.declared_twice(items);
    l.place_items(items);
    l.finish(items);
    l.lend();
    l.close_aliases();
    l.say_names();
    l.check_names(items);
    l.check_called(items);
    l.take_over();
    l.diags.extend(circles::circles(items));
    l.whole_services(items);
    let tables = std::mem::take(&mut l.tables);
    l.check_services(items, &tables);
    l.tables = tables;
    l.check_ids(items);
    l.diags.sort();
    (l.program, l.diags)
}

/// The words that the items rename.
fn renamed(items: &[LinkItem]) -> Vec<(String, String)> {
    items.iter().flat_map(|i| i.lowered.former.iter().cloned()).collect()
}

impl Linker {
    fn error(
        &mut self,
        at: &LinkItem,
        span: netrep_grammar::tree::Span,
        code: Code,
        message: String,
        help: Option<String>,
    ) {
        self.diags.push(Diagnostic { help, ..Diagnostic::new(code, at.places.place(span), message) });
    }

    /// Gives ids to everything that is declared.
    fn declare(&mut self, items: &[LinkItem]) {
        let mut further: Vec<(&Arc<str>, &Arc<str>)> = Vec::new();
        for i in items {
            self.lost.extend(i.lost.clone());
            for t in &i.lowered.terms {
                match t {
                    LowTerm::Class(n) => {
                        if add(&mut self.tables.classes, n).1 {
                            self.program.classes.push(ClassDecl { name: n.to_string() });
                        }
                    }
                    LowTerm::List(n, entries) => {
                        let (list, new) = add(&mut self.tables.lists, n);
                        if !new {
                            continue;
                        }
                        let mut ids = Vec::new();
                        for e in entries {
                            let (id, new) = add(&mut self.tables.entries, e);
                            if new {
                                self.program.entries.push(EntryDecl { name: e.to_string(), list: ListId(list) });
                            }
                            ids.push(EntryId(id));
                        }
                        self.program.lists.push(ListDecl { name: n.to_string(), entries: ids });
                    }
                    LowTerm::Entries(list, entries) => further.extend(entries.iter().map(|entry| (list, entry))),
                    LowTerm::Role(n, number) => {
                        if add(&mut self.tables.roles, n).1 {
                            self.program.roles.push(RoleDecl { name: n.to_string(), number: *number });
                        }
                    }
                    LowTerm::Place { name, owned, ordered, secrecy } => {
                        if add(&mut self.tables.places, name).1 {
                            self.program.places.push(PlaceDecl {
                                name: name.to_string(),
                                owned: *owned,
                                ordered: *ordered,
                                secrecy: *secrecy,
                            });
                        }
                    }
                    LowTerm::Verb(n, decl) => {
                        if add(&mut self.tables.verbs, n).1 {
                            self.program.verbs.push((**decl).clone());
                        }
                    }
                    LowTerm::Attribute { name, .. } => {
                        if add(&mut self.tables.attrs, name).1 {
                            self.program.attrs.push(AttrDecl {
                                name: name.to_string(),
                                kind: ValueKind::Number,
                                source: Source::Stored { default: 0 },
                                dynamic: false,
                                names: false,
                                classes: Vec::new(),
                                anew: None,
                            });
                        }
                    }
                }
            }
            for p in &i.lowered.procs {
                add(&mut self.tables.procs, &p.name);
            }
            self.declare_moments(i);
        }
        self.declare_names(items);
        self.extend_lists(further);
        for against in items.iter().flat_map(|i| &i.lowered.services).filter(|service| service.serves == "against") {
            if let Some(role) = self.tables.roles.get(against.words.join(" ").as_str()).copied() {
                self.tables.roles.insert(Arc::from(""), role);
            }
        }
        for i in items {
            for s in &i.lowered.steps {
                if let Some(p) = self.tables.procs.get(&s.proc) {
                    let next = StepId::from_index(self.tables.steps.len()).0;
                    self.tables.steps.entry((*p, s.name.clone())).or_insert(next);
                }
            }
        }
    }

    /// Adds the entries with which other items extend lists: behind those of the list itself, by the alphabet, so that
    /// it does not matter in which file and in which order they are declared. One that was renamed keeps its place.
    fn extend_lists(&mut self, mut further: Vec<(&Arc<str>, &Arc<str>)>) {
        let renamed = Renamed::new(&self.program.former);
        further.sort_by_cached_key(|(list, entry)| (Arc::clone(list), renamed.former(entry).into_owned()));
        for (list, entry) in further {
            // A list that is not declared is told where it is extended.
            let Some(list) = self.tables.lists.get(list).copied() else { continue };
            let (id, new) = add(&mut self.tables.entries, entry);
            if new && let Some(decl) = self.program.lists.get_mut(usize::from(list)) {
                self.program.entries.push(EntryDecl { name: entry.to_string(), list: ListId(list) });
                decl.entries.push(EntryId(id));
            }
        }
    }

    fn place_items(&mut self, items: &[LinkItem]) {
        let tables = std::mem::take(&mut self.tables);
        // A step without a name is one that no item has described yet.
        self.program.steps =
            vec![
                StepDecl { name: String::new(), proc: ProcId(0), body: BlockId(0), clause: ClauseId(0) };
                tables.steps.len()
            ];
        let mut procs: Vec<Option<ProcDecl>> = vec![None; tables.procs.len()];
        let mut needs = Vec::new();
        for i in items {
            let mut unknown = Vec::new();
            let mut m = Relocation::new(&tables, &self.program, &i.lowered.symbols, &mut unknown);
            self.placed.push(unknown.is_empty());
            if !unknown.is_empty() {
                for (name, what) in unknown {
                    self.unknown(i, &name, what, &tables);
                }
                continue;
            }
            self.item(i, &mut m);
            let low = &*i.lowered;
            for t in &low.terms {
                self.term(t, &mut m);
            }
            for p in &low.procs {
                self.procedure(i, p, &mut m, &mut procs);
            }
            for s in &low.steps {
                self.step(low, s, &mut m);
            }
            for a in &low.actions {
                if let Some(decl) = &a.decl {
                    let mut decl: ActionDecl = decl.clone();
                    decl.verb = m.verb(decl.verb);
                    decl.clause = m.clause(decl.clause);
                    decl.from.map_ids(&mut m, 0);
                    decl.by.map_ids(&mut m, 0);
                    decl.declare.map_ids(&mut m, 0);
                    decl.resolve = m.block(decl.resolve);
                    decl.negate.map_ids(&mut m, 0);
                    self.program.actions.push(decl);
                }
                let mut r = a.requirements.clone();
                r.map_ids(&mut m, 0);
                needs.push((tables.verbs.get(&a.name).copied(), r));
            }
            self.services(i, &mut m, &tables);
        }
        for a in &mut self.program.actions {
            let of_kind = needs.iter().filter(|(verb, _)| *verb == Some(a.verb.0));
            a.requirements.extend(of_kind.flat_map(|(_, r)| r.iter().cloned()));
        }
        for p in procs {
            // total: the item of a procedure that is missing here was refused, and with it the program
            self.program.procs.push(p.unwrap_or(ProcDecl {
                name: String::new(),
                clause: ClauseId(0),
                parameters: Vec::new(),
                prologue: None,
                steps: Vec::new(),
                fixed: true,
                guard: None,
                slots: 0,
            }));
        }
        self.describe_moments(items, &tables);
        // A procedure's slots must hold what its steps need.
        for i in items {
            for s in &i.lowered.steps {
                if let Some(p) = tables.procs.get(&s.proc)
                    && let Some(decl) = self.program.procs.get_mut(usize::from(*p))
                {
                    decl.slots = decl.slots.max(s.slots);
                }
            }
        }
        self.tables = tables;
    }

    fn unknown(&mut self, i: &LinkItem, name: &str, what: &str, tables: &Tables) {
        // What the vocabulary knows and no item makes is declared by an item that is broken.
        if what != "name" && !self.lost.is_empty() {
            return;
        }
        let span = places::quoted(&i.item.tree.clauses, name).unwrap_or(i.item.tree.head_span);
        let help = (what == "name").then(|| {
            let near = nearest(name, tables.names.keys().map(|k| &**k));
            match near.first() {
                _ if tables.entries.contains_key(name) => {
                    format!("`{name}` is a term of a list: write it without quotes")
                }
                Some(n) => format!("did you mean \"{n}\"?"),
                None => format!("declare the card, or say that one will be called so: `names \"{name}\".`"),
            }
        });
        self.error(i, span, Code::UnknownName, format!("no {what} is called `{name}`"), help);
    }
}
