//! Fingerprints of a program: one for everything that a run can read, equal as long as it means the same.
//!
//! What a card's clauses add to an index counts only for runs in which the card is. An index says which clauses stand in it, and of
//! each what is asked of it before it is itself looked at. So a clause that comes into an index touches whoever looked the index
//! up; one that is changed, whoever looked at it; one that goes, those in whose run it made a difference.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_engine::{Game, ThingId};
use netrep_ir::{ClauseId, Program};
use serde::{Deserialize, Serialize};

use super::printing::{admitting, attribute, of_program, verb};
use super::required::declared;
use super::{Change, Changes};
use crate::prepare::Prepared;
use crate::report::Consulted;

/// Something that a run read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Read {
    /// A clause, by its label: anything of it may have made a difference.
    Clause(String),
    /// A clause that was looked at, and did nothing.
    Asked(String),
    /// Of a clause who may declare what it allows, beside what is chosen and what it does.
    Weighed(String),
    /// The triggers and replacements of a verb.
    Triggers(String),
    /// The norms about a verb.
    Norms(String),
    /// The modifiers and the definition of an attribute.
    Attribute(String),
    /// What is required of every declaration of a kind, by its verb: something of that kind could have been declared, as far as that
    /// hangs on no choice.
    Kind(String),
    /// A verb, and an entry that is printed on a card by which something of that kind could have been declared.
    Bears(String),
    /// What is required of every declaration of a kind, and may be a fault: it was asked what is required of something of that kind.
    Asks(String),
    /// A verb, and an entry that is printed on a card of which it was asked what is required to declare something of that kind by it.
    Weighs(String),
    /// How much is required of every declaration of a kind, by its verb, if it has one, of which one waits at the end, and whether anything
    /// asks what it changes: of each is kept what was so, which takes part in the hash of the position.
    Held(String),
    /// All actions: what is looked up of each, whenever it is the time for it.
    Actions,
    /// What may be declared where a window admits a kind of effect or declaration, by its fingerprint; without one, where a window
    /// admits everything.
    Admitted(Option<u64>),
    /// What may be declared in spite of what a clause says, by its label.
    Despite(String),
    /// What may be declared while a procedure runs; without one, at any time.
    During(Option<String>),
    /// What the name of a procedure or step stands for, and what performs it, on which positions rest; without one, which facts a
    /// position shows by where it stands.
    Courses(Option<String>),
    /// What spares things from effects, and what cancels them.
    Spares,
    /// For what it is ever the time while a procedure runs, whatever cards there are; without one, for what it is at any time.
    Times(Option<String>),
    /// How many labels a procedure has that still runs at the end: that many take part in the hash of the position.
    Labels(String),
    /// What is printed on a card, by its id.
    Card(String),
    /// What always counts: services, kinds of declaration beside what each requires, invariants.
    Ground,
}

/// What stands under something that can be read: prints, by the cards of which one must be there and, in an index, the label of
/// the clause.
pub(super) type Under = BTreeMap<(Whose, String), u64>;

/// In which games something stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) enum Whose {
    /// In all.
    Any,
    /// In those in which a card is.
    Of(String),
    /// In those in which one of some cards is: nothing else can carry it.
    Among(Vec<String>),
    /// In those that have read one of each.
    Where(Vec<Vec<Read>>),
}

/// The fingerprints of a program. Those of many programs are held together, and share what is the same in them.
#[derive(Clone, Debug, Default)]
pub struct Prints {
    pub(super) by_read: BTreeMap<Arc<Read>, Arc<Under>>,
}

impl Prints {
    /// The fingerprints of everything that runs of a program can read.
    pub(crate) fn of(program: &Program) -> Prints {
        Prints {
            by_read: of_program(program).into_iter().map(|(read, under)| (Arc::new(read), Arc::new(under))).collect(),
        }
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
        let label = |c: &ClauseId| program.clauses.get(c.index()).map(|c| c.label.to_string());
        let mut reads: Vec<Read> = log.whole.iter().filter_map(label).map(Read::Clause).collect();
        let others = |some: &'_ [ClauseId]| {
            let others = some.iter().filter(|clause| log.whole.binary_search(clause).is_err());
            others.filter_map(label).collect::<Vec<_>>()
        };
        reads.extend(others(&log.asked).into_iter().map(Read::Asked));
        reads.extend(others(&log.weighed).into_iter().map(Read::Weighed));
        reads.extend(log.triggers.iter().map(|v| Read::Triggers(verb(program, *v).to_owned())));
        reads.extend(log.norms.iter().map(|v| Read::Norms(verb(program, *v).to_owned())));
        reads.extend(log.modifiers.iter().chain(&log.attrs).map(|a| Read::Attribute(attribute(program, *a))));
        reads.extend(cards.iter().cloned().map(Read::Card));
        reads.extend([Read::Actions, Read::Spares, Read::Ground]);
        reads.extend(declared(program, log, &cards));
        reads.extend(admitting(program, &log.windows));
        let during = log.during.iter().filter_map(|proc| program.procs.get(proc.index()));
        reads.extend(during.map(|proc| Read::During(Some(proc.name.clone()))).chain([Read::During(None)]));
        let silent = log.silent.iter().filter_map(|proc| program.procs.get(proc.index()));
        reads.extend(silent.map(|proc| Read::Times(Some(proc.name.clone()))));
        reads.extend(log.silence.then_some(Read::Times(None)));
        let declared = game.declared().into_iter().filter_map(|id| program.allowances.get(id.index()));
        let kinds = declared.map(|one| one.action.and_then(|kind| program.actions.get(kind.index())));
        reads.extend(kinds.map(|kind| match kind {
            Some(kind) => Read::Held(verb(program, kind.verb).to_owned()),
            None => Read::Held(String::new()),
        }));
        let running = game.running().into_iter().filter_map(|running| program.procs.get(running.proc.index()));
        reads.extend(running.map(|proc| Read::Labels(proc.name.clone())));
        reads.sort();
        reads.dedup();
        let reads = reads.into_iter().map(|read| self.shared(read)).collect();
        let cards = cards.into_iter().map(Arc::from).collect();
        Consulted { clauses: log.clauses.clone(), reads, cards, meaning: 0 }
    }

    /// Notes where the position of a run stands.
    pub(crate) fn note_courses(&self, prepared: &Prepared, consulted: &mut Consulted) {
        let program = &prepared.program;
        let mut names = BTreeSet::from([None]);
        for frame in &prepared.position.setup.start {
            names.extend(program.procs.get(frame.proc.index()).map(|proc| Some(proc.name.clone())));
            let step = frame.step.and_then(|step| program.steps.get(step.index()));
            names.extend(step.map(|step| Some(step.name.clone())));
        }
        consulted.reads.extend(names.into_iter().map(|name| self.shared(Read::Courses(name))));
        consulted.reads.sort();
    }

    /// Many runs read the same: what has a fingerprint is held once. What has none (an index in which nothing stands) is read all
    /// the same.
    fn shared(&self, read: Read) -> Arc<Read> {
        match self.by_read.get_key_value(&read) {
            Some((known, _)) => Arc::clone(known),
            None => Arc::new(read),
        }
    }

    /// What is not the same in two programs.
    pub(crate) fn changes<'p>(&'p self, other: &'p Prints) -> Changes<'p> {
        let mut found = Vec::new();
        if std::ptr::eq(self, other) {
            return found;
        }
        // By which windows, and while what runs, what may be declared can be.
        let select = |is_one: fn(&Read) -> bool| other.by_read.iter().filter(move |(read, _)| is_one(read)).collect();
        let windows: Vec<_> = select(|read| matches!(read, Read::Admitted(_) | Read::Despite(_)));
        let times: Vec<_> = select(|read| matches!(read, Read::During(_)));
        let standing = |all: &[(&Arc<Read>, &Arc<Under>)], place: &(Whose, String)| -> Vec<Read> {
            let there = all.iter().filter(|(_, under)| under.contains_key(place));
            there.map(|(read, _)| (***read).clone()).collect()
        };
        // Both are in order.
        let (mut here, mut there) = (self.by_read.iter().peekable(), other.by_read.iter().peekable());
        loop {
            let order = match (here.peek(), there.peek()) {
                (Some((one, _)), Some((other, _))) => one.cmp(other),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return found,
            };
            let (own, others) = (here.next_if(|_| order.is_le()), there.next_if(|_| order.is_ge()));
            let is_same = |((_, own), (_, others)): ((_, &Arc<Under>), (_, &Arc<Under>))| {
                Arc::ptr_eq(own, others) || own == others
            };
            let Some((read, _)) = own.or(others).filter(|_| !own.zip(others).is_some_and(is_same)) else { continue };
            let [own, others] = [own, others].map(|one| one.map(|(_, under)| &**under));
            let places: BTreeSet<_> = own.into_iter().chain(others).flat_map(Under::keys).collect();
            for place @ (whose, label) in places {
                let print = |under: Option<&Under>| under.and_then(|under| under.get(place)).copied();
                let (before, after) = (print(own), print(others));
                // What goes from an index makes a difference only where it made one.
                let is_gone = after.is_none() && (!label.is_empty() || matches!(**read, Read::Weighed(_)));
                if before == after || is_gone {
                    continue;
                }
                // Where what can carry it is more than before, only that is another; and a new card is in no game that has been.
                let whose = match (whose, after) {
                    (Whose::Among(cards), Some(print)) => match own.and_then(|own| carried_by(own, label, print)) {
                        Some(before) => {
                            let was_there = |card: &&String| self.by_read.contains_key(&Read::Card((*card).clone()));
                            let more = cards.iter().filter(|card| !before.contains(card)).filter(was_there);
                            Cow::Owned(Whose::Among(more.cloned().collect()))
                        }
                        None => Cow::Borrowed(whose),
                    },
                    _ => Cow::Borrowed(whose),
                };
                if matches!(&*whose, Whose::Among(cards) if cards.is_empty()) {
                    continue;
                }
                if let (Read::Clause(clause), Some(_), "") = (&**read, after, label.as_str()) {
                    found.push(Change::of(Cow::Owned(Read::Asked(clause.clone())), whose.clone()));
                }
                let needs = match &**read {
                    Read::Actions => vec![standing(&windows, place), standing(&times, place)],
                    Read::Admitted(_) | Read::Despite(_) => vec![standing(&times, place)],
                    Read::During(_) => vec![standing(&windows, place)],
                    _ => Vec::new(),
                };
                found.push(Change { needs, ..Change::of(Cow::Borrowed(&**read), whose) });
            }
        }
    }
}

/// The cards that alone can carry what a clause says, if it is said as here.
fn carried_by<'u>(under: &'u Under, label: &str, print: u64) -> Option<&'u Vec<String>> {
    under.iter().find_map(|((whose, of), own)| match whose {
        Whose::Among(cards) if of == label && *own == print => Some(cards),
        _ => None,
    })
}

impl Consulted {
    /// True if none of these changes is of something that the run read. `apart`: they were found between other programs, in which
    /// the same is changed; what else there may be carried by others.
    pub(crate) fn is_untouched(&self, changes: &[Change<'_>], apart: bool) -> bool {
        let mine = |card: &str| self.cards.binary_search_by(|own| (**own).cmp(card)).is_ok();
        let holds = |read: &Read| self.reads.binary_search_by(|own| (**own).cmp(read)).is_ok();
        let has_read = |needs: &[Vec<Read>]| apart || needs.iter().all(|needs| needs.iter().any(holds));
        let is_there = |whose: &Whose| match whose {
            Whose::Any => true,
            Whose::Of(card) => mine(card),
            Whose::Among(cards) => apart || cards.iter().any(|card| mine(card)),
            Whose::Where(needs) => has_read(needs),
        };
        let touches = |change: &Change<'_>| is_there(&change.whose) && holds(&change.read) && has_read(&change.needs);
        !self.reads.is_empty() && !changes.iter().any(touches)
    }
}
