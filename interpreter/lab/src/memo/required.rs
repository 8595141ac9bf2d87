//! Where something that is required of every declaration of a kind can keep any from being made: what runs then, and what is
//! printed on the card by which it would be made.

use std::collections::{BTreeMap, BTreeSet};

use netrep_engine::Consulted;
use netrep_ir::order::may_fault;
use netrep_ir::{Allowance, AttrId, CardDecl, Change, Cond, EntryId, Printed, Program, Sel, Source};

use super::names::called;
use super::printing::{attribute, bearers, verb};
use super::prints::{Read, Whose};

/// In which games a requirement can fail: where none of its disjuncts holds of which that is known.
pub(super) fn where_required(program: &Program, kind: &str, cond: &Cond) -> Whose {
    where_none_holds(program, disjuncts(cond), &|entry| Read::Bears(of_kind(kind, entry)))
}

/// In which games to ask for it may be a fault: what stands before that keeps it off.
pub(super) fn where_faulty(program: &Program, kind: &str, cond: &Cond) -> Whose {
    let before = disjuncts(cond).into_iter().take_while(|part| !may_fault(part));
    where_none_holds(program, before, &|entry| Read::Weighs(of_kind(kind, entry)))
}

fn of_kind(kind: &str, entry: &str) -> String {
    format!("{kind}: {entry}")
}

/// The conditions of which one must hold, in the order in which they are asked.
fn disjuncts(cond: &Cond) -> Vec<&Cond> {
    match cond {
        Cond::Or(parts) => parts.iter().flat_map(disjuncts).collect(),
        one => vec![one],
    }
}

/// In which games none of these may hold; `read` is what a run notes of an entry that is printed on a card.
fn where_none_holds<'c>(
    program: &Program,
    parts: impl IntoIterator<Item = &'c Cond>,
    read: &dyn Fn(&str) -> Read,
) -> Whose {
    let mut needs = Vec::new();
    for part in parts {
        let Cond::Not(inner) = part else { continue };
        match &**inner {
            Cond::During(proc) => {
                let proc = program.procs.get(proc.index()).map(|proc| proc.name.clone());
                needs.extend(proc.map(|proc| vec![Read::During(Some(proc))]));
            }
            Cond::Some(Sel::And(parts)) if parts.iter().any(Sel::is_this) => {
                let borne = parts.iter().filter_map(|part| entries_borne(program, part));
                needs.extend(borne.map(|entries| entries.iter().map(|entry| read(entry)).collect()));
            }
            _ => {}
        }
    }
    if needs.is_empty() { Whose::Any } else { Whose::Where(needs) }
}

/// What is printed on a card that is in a selection, if that is known by nothing else: one of these.
fn entries_borne(program: &Program, sel: &Sel) -> Option<Vec<String>> {
    match sel {
        Sel::EntryIs(attr, entry) => {
            is_printed(program, *attr, *entry).then(|| vec![entry_name(program, *attr, *entry)])
        }
        Sel::And(parts) => parts.iter().find_map(|part| entries_borne(program, part)),
        Sel::Or(parts) => {
            let each: Option<Vec<Vec<String>>> = parts.iter().map(|part| entries_borne(program, part)).collect();
            each.map(|each| each.concat())
        }
        _ => None,
    }
}

/// Whether a card has an entry as it is printed, whatever happens.
pub(super) fn is_printed(program: &Program, attr: AttrId, entry: EntryId) -> bool {
    let alters = |change: &Change| match change {
        Change::Gain(other) | Change::Lose(other) => *other == entry,
        _ => true,
    };
    let is_altered = program.modifiers.iter().any(|one| one.attr == attr && alters(&one.change));
    let is_default = |default: i32| default == i32::from(entry.0) + 1;
    program.attrs.get(attr.index()).is_some_and(|decl| {
        let is_stored = matches!(decl.source, Source::Stored { default } if !is_default(default));
        is_stored && !decl.dynamic && !is_altered
    })
}

fn entry_name(program: &Program, attr: AttrId, entry: EntryId) -> String {
    let entry = called(program.entries.get(entry.index()).map(|entry| &entry.name));
    format!("{} {entry}", attribute(program, attr))
}

/// The entries that are printed on a card, and on what is printed on it.
fn printed_entries(program: &Program, card: &CardDecl) -> Vec<String> {
    let figures = card.parts.iter().flat_map(|part| &part.figures).chain(&card.figures);
    let entries = figures.filter_map(|(attr, printed)| match printed {
        Printed::Entries(entries) => Some(entries.iter().map(|entry| entry_name(program, *attr, *entry))),
        _ => None,
    });
    entries.flatten().collect()
}

/// What could have been declared, and of what it was asked what is required: its kinds, and what is printed on the cards that declare
/// it. `in_game`: the cards that are there, in order.
pub(super) fn declared(program: &Program, log: &Consulted, in_game: &[String]) -> BTreeSet<Read> {
    let is_whole = |one: &&Allowance| log.whole.binary_search(&one.clause).is_ok();
    let is_asked = |one: &&Allowance| is_whole(one) || log.weighed.binary_search(&one.clause).is_ok();
    let mut found = BTreeSet::new();
    for (kind, entries) in by_kind(program, program.allowances.iter().filter(is_whole), in_game) {
        found.extend(entries.iter().map(|entry| Read::Bears(of_kind(kind, entry))));
        found.insert(Read::Kind(kind.to_owned()));
    }
    for (kind, entries) in by_kind(program, program.allowances.iter().filter(is_asked), in_game) {
        found.extend(entries.iter().map(|entry| Read::Weighs(of_kind(kind, entry))));
        found.insert(Read::Asks(kind.to_owned()));
    }
    found
}

/// By kind what is printed on the cards by which some of it may be declared.
fn by_kind<'p>(
    program: &'p Program,
    all: impl Iterator<Item = &'p Allowance>,
    in_game: &[String],
) -> BTreeMap<&'p str, BTreeSet<String>> {
    let is_there = |card: &CardDecl| in_game.binary_search(&card.id).is_ok();
    let mut cards: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for one in all {
        let Some(kind) = one.action.and_then(|action| program.actions.get(action.index())) else { continue };
        let found = cards.entry(verb(program, kind.verb)).or_default();
        match (one.card, &one.carriers) {
            (Some(card), None) if !one.delayed => drop(found.insert(card.index())),
            (_, carriers) => {
                let bearers = carriers.as_ref().and_then(|carriers| bearers(program, carriers));
                let bears = |card: &CardDecl| bearers.as_ref().is_none_or(|bearers| bearers.contains(&card.id));
                let there = program.cards.iter().enumerate().filter(|(_, card)| is_there(card) && bears(card));
                found.extend(there.map(|(at, _)| at));
            }
        }
    }
    let entries = |cards: BTreeSet<usize>| {
        let cards = cards.into_iter().filter_map(|at| program.cards.get(at));
        cards.flat_map(|card| printed_entries(program, card)).collect()
    };
    cards.into_iter().map(|(kind, cards)| (kind, entries(cards))).collect()
}
