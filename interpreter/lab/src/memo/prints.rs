//! Fingerprints of a program: one for everything that a run can read, equal as long as it means the same.
//!
//! Ids are replaced by hashes of names, so that a declaration elsewhere changes nothing; what a card's clauses add to an
//! index counts only for runs in which the card is.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use netrep_engine::{Game, ThingId};
use netrep_ir::{AttrId, CardId, ClauseId, Map, Mapper, Moment, Printed, Program, Source, VerbId};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::Changes;
use crate::report::Consulted;

/// Something that a run read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

/// What stands under something that can be read: prints, by the card whose clause it is.
pub(super) type Under = BTreeMap<Option<String>, u64>;

/// The fingerprints of a program. Those of many programs are held together, and share what is the same in them.
#[derive(Clone, Debug, Default)]
pub struct Prints {
    pub(super) by_read: BTreeMap<Arc<Read>, Arc<Under>>,
}

/// Fingerprints while they are worked out.
#[derive(Default)]
struct Printing {
    by_read: BTreeMap<Read, Under>,
    by_clause: Vec<u64>,
}

impl Prints {
    /// The fingerprints of everything that runs of a program can read.
    pub(crate) fn of(program: &Program) -> Prints {
        let Printing { by_read, .. } = Printing::of(program);
        Prints { by_read: by_read.into_iter().map(|(read, under)| (Arc::new(read), Arc::new(under))).collect() }
    }

    /// The same; what is the same in other ones is held once.
    #[must_use]
    pub(crate) fn sharing(self, others: &Prints) -> Prints {
        let shared = |(read, under): (Arc<Read>, Arc<Under>)| match others.by_read.get_key_value(&read) {
            Some((read, other)) if *other == under => (Arc::clone(read), Arc::clone(other)),
            Some((read, _)) => (Arc::clone(read), under),
            None => (read, under),
        };
        Prints { by_read: self.by_read.into_iter().map(shared).collect() }
    }

    /// What a run has read: `log`, of its game and of the copies on which something was asked.
    pub(crate) fn consulted(&self, game: &Game, log: &netrep_engine::Consulted) -> Consulted {
        let program = game.program();
        let in_game = (0..game.things()).filter_map(|t| game.card_of(ThingId::from_index(t)));
        let mut cards: Vec<String> =
            in_game.filter_map(|id| program.cards.get(id.index())).map(|card| card.id.clone()).collect();
        cards.sort();
        cards.dedup();
        let label = |c: &ClauseId| program.clauses.get(c.index()).map(|c| Read::Clause(c.label.clone()));
        let mut reads: Vec<Read> = log.clauses.iter().filter_map(label).collect();
        reads.extend(log.triggers.iter().map(|v| Read::Triggers(verb(program, *v))));
        reads.extend(log.norms.iter().map(|v| Read::Norms(verb(program, *v))));
        reads.extend(log.modifiers.iter().chain(&log.attrs).map(|a| Read::Attribute(attribute(program, *a))));
        reads.extend(cards.iter().cloned().map(Read::Card));
        reads.extend([Read::Actions, Read::Ground]);
        reads.sort();
        reads.dedup();
        // Many runs read the same: what has a fingerprint is held once. What has none (an index in which nothing stands) is
        // read all the same.
        let shared = |read: Read| match self.by_read.get_key_value(&read) {
            Some((known, _)) => Arc::clone(known),
            None => Arc::new(read),
        };
        let reads = reads.into_iter().map(shared).collect();
        let cards = cards.into_iter().map(Arc::from).collect();
        Consulted { clauses: log.clauses.clone(), reads, cards, meaning: 0 }
    }

    /// What is not the same in two programs.
    pub(crate) fn changes<'p>(&'p self, other: &'p Prints) -> Changes<'p> {
        let mut found = Vec::new();
        if std::ptr::eq(self, other) {
            return found;
        }
        let reads: BTreeSet<&Read> = self.by_read.keys().chain(other.by_read.keys()).map(|read| &**read).collect();
        for read in reads {
            let (own, others) = (self.by_read.get(read), other.by_read.get(read));
            let is_same = |(own, others): (&Arc<Under>, &Arc<Under>)| Arc::ptr_eq(own, others) || own == others;
            if own.zip(others).is_some_and(is_same) {
                continue;
            }
            let [own, others] = [own, others].map(|under| under.map(|under| &**under));
            let cards: BTreeSet<&Option<String>> = own.into_iter().chain(others).flat_map(Under::keys).collect();
            let print = |under: Option<&Under>, card| under.and_then(|under| under.get(card)).copied();
            let differ = cards.into_iter().filter(|card| print(own, card) != print(others, card));
            found.extend(differ.map(|card| (read, card.as_deref())));
        }
        found
    }
}

impl Printing {
    fn of(program: &Program) -> Printing {
        let mut prints = Printing { by_clause: vec![0; program.clauses.len()], ..Printing::default() };
        prints.parts(program);
        for (i, clause) in program.clauses.iter().enumerate() {
            let own = prints.by_clause[i];
            prints.add(Read::Clause(clause.label.clone()), None, hash(&(own, &clause.text)));
        }
        // What only an effect brings about is read by whoever performs the clause, and by no one else.
        for trigger in program.triggers.iter().filter(|one| !one.delayed) {
            prints.index(program, trigger.clause, trigger.card, waited_for(program, trigger.pattern.verb));
        }
        for norm in program.norms.iter().filter(|one| !one.delayed) {
            prints.index(program, norm.clause, norm.card, Read::Norms(verb(program, norm.pattern.verb)));
        }
        for guard in &program.guards {
            prints.index(program, guard.clause, None, waited_for(program, guard.pattern.verb));
        }
        for modifier in program.modifiers.iter().filter(|one| !one.delayed) {
            prints.index(program, modifier.clause, modifier.card, Read::Attribute(attribute(program, modifier.attr)));
        }
        for allowance in program.allowances.iter().filter(|one| !one.delayed) {
            prints.index(program, allowance.clause, allowance.card, Read::Actions);
        }
        for attr in &program.attrs {
            let mut source = attr.source.clone();
            match &mut source {
                Source::Number(n) => n.map_ids(&mut Names { program }, 1),
                Source::Things(s) | Source::Flag(s) => s.map_ids(&mut Names { program }, 1),
                Source::Stored { .. } => {}
            }
            let anew = attr.anew.and_then(|place| program.places.get(place.index())).map(|place| place.name.as_str());
            prints.add(Read::Attribute(attr.name.clone()), None, hash(&(source, anew)));
        }
        for card in &program.cards {
            let name = program.names.get(card.name.index());
            prints.add(Read::Card(card.id.clone()), None, hash(&name));
            for (attr, printed) in &card.figures {
                let print = hash(&(attribute(program, *attr), printed_names(program, printed)));
                prints.add(Read::Card(card.id.clone()), None, print);
            }
            for part in &card.parts {
                let class = program.classes.get(part.class.index()).map(|class| class.name.as_str());
                let figures: Vec<_> = (part.figures.iter())
                    .map(|(attr, printed)| (attribute(program, *attr), printed_names(program, printed)))
                    .collect();
                prints.add(Read::Card(card.id.clone()), None, hash(&(class, attribute(program, part.host), figures)));
            }
        }
        prints.ground(program);
        prints
    }

    /// The clauses with everything that they were compiled to.
    fn parts(&mut self, program: &Program) {
        let names = &mut Names { program };
        for part in &program.blocks {
            let mut part = part.clone();
            let clause = part.clause;
            part.map_ids(names, 0);
            self.clause(clause, &part);
        }
        // A card's clauses have the card in their label; its number would change with every card before it.
        macro_rules! clauses {
            ($($table:ident),*) => {$(
                for part in &program.$table {
                    let mut part = part.clone();
                    let clause = part.clause;
                    part.map_ids(names, 0);
                    part.card = None;
                    self.clause(clause, &part);
                }
            )*};
        }
        clauses!(triggers, modifiers, norms);
        for part in &program.guards {
            let mut part = part.clone();
            let clause = part.clause;
            part.map_ids(names, 0);
            self.clause(clause, &part);
        }
        for part in &program.allowances {
            let mut part = part.clone();
            let clause = part.clause;
            part.map_ids(names, 0);
            part.card = None;
            for id in &mut part.despite {
                *id = names.clause(*id);
            }
            self.clause(clause, &part);
        }
        for verb in program.verbs.iter().filter(|verb| verb.moment.is_none()) {
            let mut conds: Vec<_> = verb.needs.iter().chain(&verb.leaves).map(|(cond, _)| cond.clone()).collect();
            conds.map_ids(names, 0);
            self.clause(verb.clause, &(&verb.forms, verb.roles.len(), verb.needs.len(), conds));
        }
        for procedure in &program.procs {
            let mut guard = procedure.guard.as_ref().map(|(cond, ..)| cond.clone());
            guard.map_ids(names, 0);
            // Of several rules that describe a step the block of the first leads to the others: another first is another step.
            let steps: Vec<(&str, &str)> = (procedure.steps.iter())
                .filter_map(|s| program.steps.get(s.index()))
                .map(|s| (s.name.as_str(), names.label(s.clause)))
                .collect();
            self.clause(procedure.clause, &(&procedure.name, steps, procedure.fixed, guard));
        }
    }

    fn ground(&mut self, program: &Program) {
        let names = &mut Names { program };
        let mut services = program.services.clone();
        services.functioning.map_ids(names, 0);
        services.orderer.map_ids(names, 0);
        services.stages.map_ids(names, 0);
        let attr = |id: netrep_ir::AttrId| program.attrs.get(id.index()).map(|a| a.name.as_str());
        let served = [services.revealed, services.concealed, services.rank].map(|a| a.and_then(attr));
        let spoken = |verb: VerbId| program.verbs.get(verb.index()).map(|verb| &verb.forms);
        let ability = [services.ability, services.resolved].map(|verb| verb.and_then(spoken));
        let class = |id: netrep_ir::ClassId| program.classes.get(id.index()).map(|class| class.name.as_str());
        let greatest: Vec<_> = services.greatest.iter().map(|(of, number)| (class(*of), attr(*number))).collect();
        let answers = services.answers.and_then(|p| program.procs.get(p.index())).map(|p| p.name.as_str());
        let ground = (services.functioning, services.orderer, services.stages, served, ability, answers, greatest);
        self.add(Read::Ground, None, hash(&ground));
        for action in &program.actions {
            let (mut from, mut by) = (action.from.clone(), action.by.clone());
            let mut needs = action.requirements.clone();
            from.map_ids(names, 0);
            by.map_ids(names, 0);
            needs.map_ids(names, 0);
            self.add(Read::Ground, None, hash(&(from, by, needs)));
        }
        for spare in &program.spares {
            let mut own = spare.clone();
            own.map_ids(names, 0);
            let who = own.card.take().and_then(|card| program.cards.get(card.index())).map(|card| card.id.as_str());
            self.add(Read::Ground, None, hash(&(who, &own)));
        }
        for invariant in &program.invariants {
            let mut cond = invariant.cond.clone();
            cond.map_ids(names, 0);
            self.add(Read::Ground, None, hash(&cond));
        }
    }

    fn clause<T: Hash>(&mut self, clause: ClauseId, part: &T) {
        if let Some(print) = self.by_clause.get_mut(clause.index()) {
            *print = hash(&(*print, part));
        }
    }

    fn add(&mut self, read: Read, card: Option<String>, print: u64) {
        let held = self.by_read.entry(read).or_default().entry(card).or_default();
        *held = hash(&(*held, print));
    }

    fn index(&mut self, program: &Program, clause: ClauseId, card: Option<CardId>, read: Read) {
        let print = self.by_clause[clause.index()];
        let label = program.clauses[clause.index()].label.as_str();
        let card = card.and_then(|id| program.cards.get(id.index())).map(|card| card.id.clone());
        self.add(read, card, hash(&(label, print)));
    }
}

impl Consulted {
    /// True if none of these changes is of something that the run read.
    pub(crate) fn is_untouched(&self, changes: &[(&Read, Option<&str>)]) -> bool {
        let mine = |card: &str| self.cards.binary_search_by(|own| (**own).cmp(card)).is_ok();
        let holds = |read: &Read| self.reads.binary_search_by(|own| (**own).cmp(read)).is_ok();
        let touches = |(read, card): &(&Read, Option<&str>)| card.is_none_or(mine) && holds(read);
        !self.reads.is_empty() && !changes.iter().any(touches)
    }
}

/// The name of something, which may be missing.
fn called(name: Option<&String>) -> &str {
    // total: programs with errors are compared too. There every unknown name has become the same id, so it also reads the same.
    name.map_or("", String::as_str)
}

fn verb(program: &Program, id: VerbId) -> String {
    called(program.verbs.get(id.index()).and_then(|v| v.forms.first())).to_owned()
}

/// Under what a run reads the triggers of an event. What the engine announces by itself is read by whoever performs the
/// procedure, carries out the step, or stores the fact.
fn waited_for(program: &Program, id: VerbId) -> Read {
    let clause = |clause: ClauseId| match program.clauses.get(clause.index()) {
        Some(clause) => Read::Clause(clause.label.clone()),
        // total: a course without a clause is no course of the program.
        None => Read::Ground,
    };
    match program.verbs.get(id.index()).and_then(|verb| verb.moment) {
        None => Read::Triggers(verb(program, id)),
        Some(Moment::Starts(proc) | Moment::Ends(proc)) => clause(program.proc(proc).clause),
        Some(Moment::StepStarts(step) | Moment::StepEnds(step)) => clause(program.step(step).clause),
        Some(Moment::Becomes(attr, _) | Moment::Ceases(attr, _)) => Read::Attribute(attribute(program, attr)),
    }
}

fn attribute(program: &Program, id: AttrId) -> String {
    called(program.attrs.get(id.index()).map(|a| &a.name)).to_owned()
}

/// What is printed, without ids.
fn printed_names(program: &Program, printed: &Printed) -> Vec<(String, i32)> {
    let entry = |id: &netrep_ir::EntryId| called(program.entries.get(id.index()).map(|e| &e.name)).to_owned();
    let name = |id: &netrep_ir::NameId| called(program.names.get(id.index())).to_owned();
    match printed {
        Printed::Number(n) => vec![(String::new(), *n)],
        Printed::Entries(ids) => ids.iter().map(|id| (entry(id), 0)).collect(),
        Printed::Numbers(pairs) => pairs.iter().map(|(id, n)| (entry(id), *n)).collect(),
        Printed::Names(ids) => ids.iter().map(|id| (name(id), 0)).collect(),
    }
}

pub(super) fn hash<T: Hash>(value: &T) -> u64 {
    let mut hasher = Xxh3::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Puts a hash of the name in place of each id, so that a declaration elsewhere changes nothing.
pub(super) struct Names<'p> {
    pub program: &'p Program,
}

fn short(name: Option<&str>) -> u16 {
    // total: "any" and the labels of a scenario have no name in the program; the words of the phrase are hashed with it.
    let wide = xxh3_64(name.unwrap_or_default().as_bytes());
    (wide % 65_521) as u16
}

macro_rules! named {
    ($($method:ident $id:ident $table:ident $self:ident $item:ident => $name:expr),* $(,)?) => {
        impl Mapper for Names<'_> {$(
            fn $method(&mut self, id: netrep_ir::$id) -> netrep_ir::$id {
                let $self = self;
                netrep_ir::$id(short($self.program.$table.get(id.index()).map(|$item| $name)))
            }
        )*}
    };
}

impl Names<'_> {
    fn label(&self, clause: ClauseId) -> &str {
        &self.program.clauses[clause.index()].label
    }
}

named! {
    class ClassId classes own x => x.name.as_str(),
    list ListId lists own x => x.name.as_str(),
    entry EntryId entries own x => x.name.as_str(),
    attr AttrId attrs own x => x.name.as_str(),
    verb VerbId verbs own x => if x.moment.is_some() { x.name.as_str() } else { called(x.forms.first()) },
    role RoleId roles own x => x.name.as_str(),
    place PlaceId places own x => x.name.as_str(),
    proc ProcId procs own x => x.name.as_str(),
    step StepId steps own x => x.name.as_str(),
    clause ClauseId clauses own x => x.label.as_str(),
    block BlockId blocks own x => x.label.as_str(),
    name NameId names own x => x.as_str(),
    site SiteId sites own x => x.text.as_str(),
    action ActionId actions own x => own.label(x.clause),
    modifier ModifierId modifiers own x => own.label(x.clause),
    trigger TriggerId triggers own x => own.label(x.clause),
    norm NormId norms own x => own.label(x.clause),
    spare SpareId spares own x => own.label(x.clause),
    allowance AllowanceId allowances own x => own.label(x.clause),
}
