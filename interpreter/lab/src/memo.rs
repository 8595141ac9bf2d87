//! Outcomes that are still valid: a run need not be repeated while nothing that it read has changed.
//!
//! A run remembers the clauses that it consulted, and the indexes that it looked up (so that a clause that appears
//! under one of them counts as a change), each with a fingerprint of its meaning in the program of the run.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hasher;

use netrep_compiler::Profile;
use netrep_engine::{Game, ThingId};
use netrep_ir::{AttrId, ClauseId, Cond, Map, Mapper, Printed, Program, VerbId};
use xxhash_rust::xxh3::Xxh3;

use crate::report::Consulted;

/// Something that a run read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Read {
    /// A clause, by its label.
    Clause(String),
    /// The triggers and replacements of a verb.
    Triggers(String),
    /// The norms about a verb.
    Norms(String),
    /// The modifiers and the definition of an attribute.
    Attribute(String),
    /// All actions.
    Actions,
    /// What is printed on a card, by its id.
    Card(String),
    /// What always counts: services, kinds of declaration, invariants.
    Ground,
}

/// The fingerprints of a program.
#[derive(Clone, Debug, Default)]
pub struct Prints {
    by_read: BTreeMap<Read, u64>,
    by_clause: Vec<u64>,
}

impl Prints {
    /// The fingerprints of everything that runs of a program can read.
    pub fn of(program: &Program) -> Prints {
        let mut prints = Prints { by_clause: vec![0; program.clauses.len()], ..Prints::default() };
        let names = &mut Names { program };
        macro_rules! clauses {
            ($($table:ident),*) => {$(
                for part in &program.$table {
                    let mut part = part.clone();
                    let clause = part.clause;
                    part.map_ids(names, 0);
                    prints.clause(clause, &part);
                }
            )*};
        }
        clauses!(blocks, allowances, triggers, modifiers, norms);
        for verb in &program.verbs {
            let mut conds: Vec<Cond> = verb.needs.iter().chain(&verb.leaves).map(|(cond, _)| cond.clone()).collect();
            conds.map_ids(names, 0);
            prints.clause(verb.clause, &(&verb.forms, verb.roles.len(), verb.needs.len(), conds));
        }
        for procedure in &program.procs {
            let steps: Vec<&str> =
                procedure.steps.iter().filter_map(|s| program.steps.get(s.index())).map(|s| s.name.as_str()).collect();
            let mut guard = procedure.guard.as_ref().map(|(cond, ..)| cond.clone());
            guard.map_ids(names, 0);
            prints.clause(procedure.clause, &(&procedure.name, steps, procedure.fixed, guard));
        }
        for (i, clause) in program.clauses.iter().enumerate() {
            let own = prints.by_clause.get(i).copied().unwrap_or_default();
            prints.add(Read::Clause(clause.label.clone()), hash(&(own, &clause.text)));
        }
        for trigger in &program.triggers {
            prints.index(program, trigger.clause, Read::Triggers(verb(program, trigger.pattern.verb)));
        }
        for norm in &program.norms {
            prints.index(program, norm.clause, Read::Norms(verb(program, norm.pattern.verb)));
        }
        for modifier in &program.modifiers {
            prints.index(program, modifier.clause, Read::Attribute(attribute(program, modifier.attr)));
        }
        for attr in &program.attrs {
            let mut source = attr.source.clone();
            match &mut source {
                netrep_ir::Source::Number(n) => n.map_ids(names, 1),
                netrep_ir::Source::Things(s) | netrep_ir::Source::Flag(s) => s.map_ids(names, 1),
                netrep_ir::Source::Stored { .. } => {}
            }
            prints.add(Read::Attribute(attr.name.clone()), hash(&source));
        }
        for allowance in &program.allowances {
            prints.index(program, allowance.clause, Read::Actions);
        }
        for card in &program.cards {
            for (attr, printed) in &card.figures {
                prints.add(
                    Read::Card(card.id.clone()),
                    hash(&(attribute(program, *attr), printed_names(program, printed))),
                );
            }
        }
        prints.ground(program);
        prints
    }

    fn ground(&mut self, program: &Program) {
        let names = &mut Names { program };
        let mut services = program.services.clone();
        services.functioning.map_ids(names, 0);
        services.orderer.map_ids(names, 0);
        services.stages.map_ids(names, 0);
        let revealed = services.revealed.and_then(|a| program.attrs.get(a.index())).map(|a| a.name.as_str());
        self.add(Read::Ground, hash(&(services.functioning, services.orderer, services.stages, revealed)));
        for action in &program.actions {
            let mut needs = action.requirements.clone();
            needs.map_ids(names, 0);
            self.add(Read::Ground, hash(&needs));
        }
        for invariant in &program.invariants {
            let mut cond = invariant.cond.clone();
            cond.map_ids(names, 0);
            self.add(Read::Ground, hash(&cond));
        }
    }

    fn clause<T: serde::Serialize>(&mut self, clause: ClauseId, part: &T) {
        if let Some(print) = self.by_clause.get_mut(clause.index()) {
            *print = hash(&(*print, part));
        }
    }

    fn add(&mut self, read: Read, print: u64) {
        let held = self.by_read.entry(read).or_default();
        *held = hash(&(*held, print));
    }

    fn index(&mut self, program: &Program, clause: ClauseId, read: Read) {
        let print = self.by_clause.get(clause.index()).copied().unwrap_or_default();
        let label = program.clauses.get(clause.index()).map_or("", |c| c.label.as_str());
        self.add(read, hash(&(label, print)));
    }

    /// What a game has read, with the fingerprints.
    pub fn consulted(&self, game: &Game, clauses: &[ClauseId]) -> Consulted {
        let program = game.program();
        let log = game.consulted();
        let label = |c: &ClauseId| program.clauses.get(c.index()).map(|c| Read::Clause(c.label.clone()));
        let mut reads: Vec<Read> = clauses.iter().filter_map(label).collect();
        reads.extend(log.triggers.iter().map(|v| Read::Triggers(verb(program, *v))));
        reads.extend(log.norms.iter().map(|v| Read::Norms(verb(program, *v))));
        reads.extend(log.modifiers.iter().chain(&log.attrs).map(|a| Read::Attribute(attribute(program, *a))));
        let cards = (0..game.things()).filter_map(|t| game.card_of(ThingId::from_index(t)));
        reads.extend(cards.filter_map(|id| program.cards.get(id.index())).map(|card| Read::Card(card.id.clone())));
        reads.extend([Read::Actions, Read::Ground]);
        reads.sort();
        reads.dedup();
        let prints = reads.into_iter().map(|read| {
            let print = self.get(&read);
            (read, print)
        });
        Consulted { clauses: clauses.to_vec(), prints: prints.collect() }
    }

    fn get(&self, read: &Read) -> u64 {
        self.by_read.get(read).copied().unwrap_or_default()
    }

    /// True if everything that a run read is still the same.
    pub fn hold(&self, consulted: &Consulted) -> bool {
        !consulted.prints.is_empty() && consulted.prints.iter().all(|(read, print)| self.get(read) == *print)
    }
}

fn verb(program: &Program, id: VerbId) -> String {
    program.verbs.get(id.index()).map(|v| v.forms.first().cloned().unwrap_or_default()).unwrap_or_default()
}

fn attribute(program: &Program, id: AttrId) -> String {
    program.attrs.get(id.index()).map(|a| a.name.clone()).unwrap_or_default()
}

/// What is printed, without ids.
fn printed_names(program: &Program, printed: &Printed) -> Vec<(String, i32)> {
    let entry = |id: &netrep_ir::EntryId| program.entries.get(id.index()).map(|e| e.name.clone()).unwrap_or_default();
    let name = |id: &netrep_ir::NameId| program.names.get(id.index()).cloned().unwrap_or_default();
    match printed {
        Printed::Number(n) => vec![(String::new(), *n)],
        Printed::Entries(ids) => ids.iter().map(|id| (entry(id), 0)).collect(),
        Printed::Numbers(pairs) => pairs.iter().map(|(id, n)| (entry(id), *n)).collect(),
        Printed::Names(ids) => ids.iter().map(|id| (name(id), 0)).collect(),
    }
}

fn hash<T: serde::Serialize>(value: &T) -> u64 {
    let mut hasher = Xxh3::new();
    // A value that cannot be written counts as one that always changes, which is safe.
    hasher.write(&serde_json::to_vec(value).unwrap_or_default());
    hasher.finish()
}

/// Puts a hash of the name in place of each id, so that a declaration elsewhere changes nothing.
struct Names<'p> {
    program: &'p Program,
}

fn short(name: Option<&str>) -> usize {
    let wide = xxhash_rust::xxh3::xxh3_64(name.unwrap_or_default().as_bytes());
    usize::try_from(wide % 65_521).unwrap_or_default()
}

macro_rules! named {
    ($($method:ident $id:ident $table:ident $item:ident => $name:expr),* $(,)?) => {
        impl Mapper for Names<'_> {$(
            fn $method(&mut self, id: netrep_ir::$id) -> netrep_ir::$id {
                netrep_ir::$id::from_index(short(self.program.$table.get(id.index()).map(|$item| $name)))
            }
        )*}
    };
}

named! {
    class ClassId classes x => x.name.as_str(),
    list ListId lists x => x.name.as_str(),
    entry EntryId entries x => x.name.as_str(),
    attr AttrId attrs x => x.name.as_str(),
    verb VerbId verbs x => x.forms.first().map_or("", String::as_str),
    role RoleId roles x => x.name.as_str(),
    place PlaceId places x => x.name.as_str(),
    proc ProcId procs x => x.name.as_str(),
    step StepId steps x => x.name.as_str(),
    clause ClauseId clauses x => x.label.as_str(),
    block BlockId blocks x => x.label.as_str(),
    name NameId names x => x.as_str(),
    site SiteId sites x => x.text.as_str(),
}

/// Outcomes by scenario and profile.
#[derive(Clone, Debug, Default)]
pub struct Memo<T> {
    outcomes: HashMap<(u64, Profile), (Consulted, T)>,
}

impl<T: Clone> Memo<T> {
    /// No outcomes.
    pub fn new() -> Memo<T> {
        Memo { outcomes: HashMap::new() }
    }

    /// Keeps an outcome. `key` is a hash of the scenario's text.
    pub fn keep(&mut self, key: u64, profile: &Profile, consulted: Consulted, outcome: T) {
        self.outcomes.insert((key, profile.clone()), (consulted, outcome));
    }

    /// The outcome, if it is still valid in a program with these fingerprints.
    pub fn get(&self, key: u64, profile: &Profile, prints: &Prints) -> Option<&T> {
        let (consulted, outcome) = self.outcomes.get(&(key, profile.clone()))?;
        prints.hold(consulted).then_some(outcome)
    }
}

/// The key of a scenario's text.
pub fn key(text: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(text.as_bytes())
}
