//! Names in the place of ids: what is hashed so is the same in every program that means the same.

use std::hash::{Hash, Hasher};

use netrep_ir::{ClauseId, Mapper, Program};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The name of something, which may be missing.
pub(super) fn called<T: AsRef<str> + ?Sized>(name: Option<&T>) -> &str {
    // total: programs with errors are compared too. There every unknown name has become the same id, so it also reads the same.
    name.map_or("", AsRef::as_ref)
}

/// A fingerprint of a value.
pub(crate) fn hash<T: Hash>(value: &T) -> u64 {
    let mut hasher = Xxh3::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Puts a hash of the name in place of each id, so that a declaration elsewhere changes nothing.
pub(super) struct Names<'p> {
    program: &'p Program,
    /// By kind and id the hashes of names, once they were asked for.
    known: [Vec<Option<u16>>; KINDS],
}

impl<'p> Names<'p> {
    pub(super) fn of(program: &'p Program) -> Names<'p> {
        Names { program, known: Default::default() }
    }

    fn short(&mut self, kind: usize, at: usize, name: Option<&str>) -> u16 {
        let known = &mut self.known[kind];
        if let Some(Some(short)) = known.get(at) {
            return *short;
        }
        let found = short(name);
        // What has no name has no place among those that do.
        if name.is_some() {
            known.resize(known.len().max(at + 1), None);
            known[at] = Some(found);
        }
        found
    }
}

fn short(name: Option<&str>) -> u16 {
    // "any" and the labels of a scenario have no name in the program; the words of the phrase are hashed with it.
    let wide = xxh3_64(called(name).as_bytes());
    (wide % 65_521) as u16
}

/// So many kinds of id there are.
const KINDS: usize = 19;

macro_rules! named {
    ($($kind:literal $method:ident $id:ident $table:ident $program:ident $item:ident => $name:expr),* $(,)?) => {
        impl Mapper for Names<'_> {$(
            fn $method(&mut self, id: netrep_ir::$id) -> netrep_ir::$id {
                let $program = self.program;
                let name = $program.$table.get(id.index()).map(|$item| $name);
                netrep_ir::$id(self.short($kind, id.index(), name))
            }
        )*}
    };
}

fn label(program: &Program, clause: ClauseId) -> &str {
    &program.clauses[clause.index()].label
}

named! {
    0 class ClassId classes own x => x.name.as_str(),
    1 list ListId lists own x => x.name.as_str(),
    2 entry EntryId entries own x => x.name.as_str(),
    3 attr AttrId attrs own x => x.name.as_str(),
    4 verb VerbId verbs own x => if x.moment.is_some() { x.name.as_str() } else { called(x.forms.first()) },
    5 role RoleId roles own x => x.name.as_str(),
    6 place PlaceId places own x => x.name.as_str(),
    7 proc ProcId procs own x => x.name.as_str(),
    8 step StepId steps own x => x.name.as_str(),
    9 clause ClauseId clauses own x => x.label.as_str(),
    10 block BlockId blocks own x => x.label.as_str(),
    11 name NameId names own x => x.as_str(),
    12 site SiteId sites own x => x.text.as_str(),
    13 action ActionId actions own x => label(own, x.clause),
    14 modifier ModifierId modifiers own x => label(own, x.clause),
    15 trigger TriggerId triggers own x => label(own, x.clause),
    16 norm NormId norms own x => label(own, x.clause),
    17 spare SpareId spares own x => label(own, x.clause),
    18 allowance AllowanceId allowances own x => label(own, x.clause),
}
