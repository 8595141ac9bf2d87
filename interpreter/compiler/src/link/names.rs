//! Names: of cards, of what figures print, and of what data mention before anything bears it.
//!
//! A figure of names may hold one that no card bears, so a slip in it would make another name of it: one that is almost a known
//! name is refused. Everywhere else a name that nothing bears or prints could never be met, and is unknown.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_diagnostics::{Code, Diagnostic, is_within};
use netrep_ir::{AttrId, NameId, Printed};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Linker, places};
use crate::link::LinkItem;
use crate::lower::LowTerm;

/// So many letters that are wrong, missing, too many or swapped make a slip of a name.
const SLIP: usize = 2;
/// A name with no more letters than this is as likely another name as a slip.
const SHORT: usize = 5;

/// The facts that hold names.
fn facts_of_names(items: &[LinkItem]) -> FxHashSet<&str> {
    let terms = items.iter().flat_map(|i| &i.lowered.terms);
    let facts = terms.filter_map(|term| match term {
        LowTerm::Attribute { name, names: true, .. } => Some(&**name),
        _ => None,
    });
    facts.collect()
}

/// The names that figures of names print on an item.
fn printed_on<'i>(i: &'i LinkItem, facts: &FxHashSet<&str>) -> Vec<&'i Arc<str>> {
    // total: what is no card has nothing printed
    let Some(card) = &i.lowered.card else { return Vec::new() };
    let figures = card.figures.iter().chain(card.parts.iter().flat_map(|part| &part.figures));
    let printed = figures.filter(|(fact, _)| facts.contains(&**fact)).flat_map(|(_, printed)| match printed {
        Printed::Names(names) => names.as_slice(),
        // total: what is no name prints none
        Printed::Number(_) | Printed::Entries(_) | Printed::Numbers(_) => &[],
    });
    printed.filter_map(|name| i.lowered.symbols.names.get(name.index())).collect()
}

/// True if two items bear, declare and print the same names.
pub(super) fn names_alike(old: &LinkItem, new: &LinkItem) -> bool {
    // All that is printed and holds names, whether its figure is one of names or holds names of things.
    let printed = |i: &LinkItem| -> Vec<Arc<str>> {
        let figures = i.lowered.card.iter().flat_map(|card| {
            card.figures.iter().chain(card.parts.iter().flat_map(|part| &part.figures)).map(|(_, printed)| printed)
        });
        let names = figures.flat_map(|printed| match printed {
            Printed::Names(names) => names.as_slice(),
            Printed::Number(_) | Printed::Entries(_) | Printed::Numbers(_) => &[],
        });
        names.filter_map(|name| i.lowered.symbols.names.get(name.index()).cloned()).collect()
    };
    let borne = |i: &LinkItem| (i.lowered.card.is_some(), Arc::clone(&i.item.key), Arc::clone(&i.item.title));
    borne(old) == borne(new) && old.lowered.expected == new.lowered.expected && printed(old) == printed(new)
}

/// A name, and how many letters it has.
type Lettered<'n> = (&'n str, usize);

fn lettered(name: &str) -> Lettered<'_> {
    (name, name.chars().count())
}

/// Whether a name is another one with a slip.
fn slipped((name, letters): Lettered<'_>, (of, others): Lettered<'_>) -> bool {
    letters > SHORT && letters.abs_diff(others) <= SLIP && name != of && is_within(name, of, SLIP)
}

impl Linker {
    /// Gives ids to the names of cards, to those that are declared and printed, and to the ids of cards, which are names too.
    pub(super) fn declare_names(&mut self, items: &[LinkItem]) {
        let facts = facts_of_names(items);
        let cards = items.iter().filter(|i| i.lowered.card.is_some());
        cards.clone().for_each(|i| self.name(&i.item.title));
        items.iter().flat_map(|i| &i.lowered.expected).for_each(|name| self.name(name));
        items.iter().flat_map(|i| printed_on(i, &facts)).for_each(|name| self.name(name));
        cards.for_each(|i| self.name(&i.item.key));
    }

    fn name(&mut self, name: &Arc<str>) {
        if super::add(&mut self.tables.names, name).1 {
            self.program.names.push(name.to_string());
        }
    }

    /// Refuses printed names that are almost known ones, and tells which are declared though they are known.
    pub(super) fn check_names(&mut self, items: &[LinkItem]) {
        let facts = facts_of_names(items);
        let borne: BTreeSet<&str> = items.iter().filter(|i| i.lowered.card.is_some()).map(|i| &*i.item.title).collect();
        let declared: BTreeSet<&str> = items.iter().flat_map(|i| &i.lowered.expected).map(|name| &**name).collect();
        let mut printed: BTreeMap<&str, Vec<&LinkItem>> = BTreeMap::new();
        for i in items {
            for name in printed_on(i, &facts) {
                printed.entry(name).or_default().push(i);
            }
        }
        let mut found = Vec::new();
        let known: Vec<Lettered<'_>> = borne.iter().chain(&declared).map(|name| lettered(name)).collect();
        let others: Vec<(Lettered<'_>, usize)> = printed.iter().map(|(name, on)| (lettered(name), on.len())).collect();
        for (name, on) in &printed {
            // What several cards print is no slip; of two that nothing bears, the one that is printed more often is right, of
            // two that are printed once the one whose signs come later: quotes and accents as they are set in print.
            if borne.contains(name) || declared.contains(name) || on.len() > 1 {
                continue;
            }
            let own = lettered(name);
            let oftener =
                |(other, there): &&(Lettered<'_>, usize)| *there > on.len() || *there == on.len() && other.0 > *name;
            let known = known.iter().chain(others.iter().filter(oftener).map(|(other, _)| other));
            let Some((meant, _)) = known.copied().find(|known| slipped(own, *known)) else { continue };
            for i in on {
                let span = places::quoted(&i.item.tree.clauses, name).unwrap_or(i.item.tree.head_span);
                let message = format!("no card is called `{name}`");
                let help = format!("did you mean \"{meant}\"? If it is another name: `names \"{name}\".`");
                found.push(Diagnostic::new(Code::UnknownName, i.places.place(span), message).help(help));
            }
        }
        for i in items {
            for name in i.lowered.expected.iter().filter(|name| borne.contains(&***name)) {
                let span = places::quoted(&i.item.tree.clauses, name).unwrap_or(i.item.tree.head_span);
                let message = format!("a card is called \"{name}\", so nothing need say that one will be");
                let diag = Diagnostic::new(Code::NeedlessName, i.places.place(span), message);
                found.push(diag.help("take the name away"));
            }
        }
        self.diags.extend(found);
    }

    /// Closes the figure of further names: whatever is called by one of a group of names, of which each is printed on something
    /// that bears another, or on one thing with it, goes by all of them, whether or not anything bears those between.
    pub(super) fn close_aliases(&mut self) {
        let Some(attr) = self.program.services.aliases else { return };
        let cards = &mut self.program.cards;
        let mut groups = Groups::default();
        for card in cards.iter() {
            for (_, printed) in card.figures.iter().filter(|(a, _)| *a == attr) {
                if let Printed::Names(names) = printed {
                    names.iter().for_each(|name| groups.join(card.name, *name));
                }
            }
        }
        let mut members: BTreeMap<NameId, BTreeSet<NameId>> = BTreeMap::new();
        for name in groups.names() {
            members.entry(groups.of(name)).or_default().insert(name);
        }
        for card in cards.iter_mut() {
            let Some(all) = members.get(&groups.of(card.name)) else { continue };
            let names = all.iter().copied().filter(|name| *name != card.name).collect();
            set_figure(&mut card.figures, attr, Printed::Names(names));
        }
    }

    /// Puts the name of each card into the figure that holds it.
    pub(super) fn say_names(&mut self) {
        let Some(attr) = self.program.services.called else { return };
        for card in &mut self.program.cards {
            set_figure(&mut card.figures, attr, Printed::Names(vec![card.name]));
        }
    }

    /// Refuses what a card prints of what it is called: its head says that.
    pub(super) fn check_called(&mut self, items: &[LinkItem]) {
        let called = self.program.services.called.and_then(|attr| self.program.attrs.get(attr.index()));
        let Some(figure) = called.map(|decl| decl.name.clone()) else { return };
        for i in items {
            // total: what is no card has nothing printed
            let Some(card) = &i.lowered.card else { continue };
            let printed = card.figures.iter().chain(card.parts.iter().flat_map(|part| &part.figures));
            if printed.clone().any(|(name, _)| **name == *figure) {
                let said = figure.split(' ').next();
                let clause = i.item.tree.clauses.iter().find(|clause| Some(clause.head()) == said);
                // total: what a block inside of the card prints is told where the card begins
                let span = clause.map_or(i.item.tree.head_span, |clause| clause.span);
                let message = format!("`{figure}` is what the card is called, which its head says");
                let help = "leave it out; what else it is called is another figure".to_owned();
                self.error(i, span, Code::WrongFigure, message, Some(help));
            }
        }
    }
}

/// Puts a figure in the place of what is printed so, or behind all others.
fn set_figure(figures: &mut Vec<(AttrId, Printed)>, attr: AttrId, printed: Printed) {
    match figures.iter_mut().find(|(a, _)| *a == attr) {
        Some((_, there)) => *there = printed,
        None => figures.push((attr, printed)),
    }
}

/// Names that go together, each under the one that stands for its group.
#[derive(Default)]
struct Groups {
    above: FxHashMap<NameId, NameId>,
}

impl Groups {
    /// What stands for the group of a name: itself, if it goes with no other.
    fn of(&self, mut name: NameId) -> NameId {
        while let Some(above) = self.above.get(&name).copied().filter(|above| *above != name) {
            name = above;
        }
        name
    }

    fn join(&mut self, one: NameId, other: NameId) {
        let (one, other) = (self.of(one), self.of(other));
        // The least stands for all, so that the order does not matter.
        let (least, most) = (one.min(other), one.max(other));
        self.above.insert(least, least);
        self.above.insert(most, least);
    }

    fn names(&self) -> BTreeSet<NameId> {
        self.above.keys().copied().collect()
    }
}
