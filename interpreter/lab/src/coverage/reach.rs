//! What can happen, as far as scenarios show it: of each clause that offers, follows, replaces, changes or forbids something
//! whether it takes effect in one of them.
//!
//! A clause that is consulted everywhere and takes effect nowhere is untested, or dead: its condition never holds where its
//! card lies, its number is asked by nobody, what it replaces does not happen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_engine::Effects;
use netrep_ir::*;
use serde::Serialize;

use crate::exempt::Exemption;
use crate::prepare::Prepared;
use crate::report::Report;
use crate::run::{jobs, run_watched};
use crate::scenario::Scenario;

/// What scenarios reach.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Reach {
    /// How many elements there are of each kind, and how many of them took effect, in the order of the kinds.
    pub kinds: Vec<Kind>,
    /// Those that never took effect, in the order of their places, and for which no reason is given.
    pub unreached: Vec<Element>,
    /// Those for which one is given.
    pub exempt: Vec<Exempt>,
    /// Exemptions of clauses all of whose elements took effect.
    pub needless: Vec<Diagnostic>,
    /// Scenarios that could not be set up or did not pass.
    pub failing: Vec<String>,
}

/// An element that never took effect, and why that is right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exempt {
    /// The element.
    pub element: Element,
    /// What is so of the cards that there are.
    pub reason: String,
}

/// The elements of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kind {
    /// The kind.
    pub kind: &'static str,
    /// How many there are.
    pub total: usize,
    /// How many took effect.
    pub reached: usize,
}

/// What a clause says, as far as one thing can take effect by itself: a clause that changes two numbers has two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Element {
    /// The item: a rule's number or a card's id.
    pub item: String,
    /// How the item is called.
    pub title: String,
    /// The label of the clause, without the item; empty, if the clause is the item's only one.
    pub label: String,
    /// The layer that set the clause: empty for the base text.
    pub setter: String,
    /// `offer`, `may`, `when`, `instead`, `modifier`, `cannot`, `can`, `needs` or `spares`.
    pub kind: &'static str,
    /// What it is about: the word of an action, the verb of an event, the name of a number or fact and what becomes of it.
    pub about: String,
    /// Which of the elements of its clause that are of this kind, from 1.
    pub nth: usize,
    /// The clause as English, or its statement.
    pub text: String,
    /// Where the clause stands.
    pub place: Place,
    /// A reprint says it: item and label are those of its original.
    #[serde(skip)]
    pub reprinted: bool,
}

impl Element {
    /// Item and label, as they are cited.
    pub fn cited(&self) -> String {
        if self.label.is_empty() { self.item.clone() } else { format!("{} {}", self.item, self.label) }
    }

    /// What is the same in every program that has this element.
    fn key(&self) -> Key {
        (self.cited(), self.setter.clone(), self.kind, self.about.clone(), self.nth)
    }
}

type Key = (String, String, &'static str, String, usize);

/// The kinds of element, in the order in which they are told.
const KINDS: [&str; 9] = ["offer", "may", "when", "instead", "modifier", "cannot", "can", "needs", "spares"];

/// By what a program knows an element.
#[derive(Clone, Copy)]
enum Id {
    Allowance(AllowanceId),
    Trigger(TriggerId),
    Modifier(ModifierId),
    Norm(NormId),
    Guard(usize),
    Spare(usize),
    Choice(SiteId),
}

impl Id {
    /// Whether it took effect.
    fn took(self, effects: &Effects) -> bool {
        match self {
            Id::Allowance(id) => effects.allowance(id),
            Id::Trigger(id) => effects.trigger(id),
            Id::Modifier(id) => effects.modifier(id),
            Id::Norm(id) => effects.norm(id),
            Id::Guard(n) => effects.guard(n),
            Id::Spare(n) => effects.spare(n),
            Id::Choice(id) => effects.choice(id),
        }
    }
}

/// Runs the scenarios, each under its profiles, and looks which elements of the program in force take effect in any of
/// them.
pub fn reach(compiler: &Compiler, scenarios: &[Arc<Scenario>], exemptions: &[Exemption], threads: usize) -> Reach {
    let all = jobs(scenarios, &Profile::default());
    let mut watching = Watching::default();
    let reports = run_watched::<Report>(compiler, &all, threads, (None, Some(&mut watching)), &|_| ());
    let failing: BTreeSet<&String> =
        reports.iter().filter(|report| !report.passed()).map(|report| &report.name).collect();
    let failing = failing.into_iter().cloned().collect();
    Reach { failing, ..reached(compiler, watching, exemptions) }
}

/// Which elements of the program in force took effect in runs that were watched, all of which passed.
pub fn reached(compiler: &Compiler, watching: Watching, exemptions: &[Exemption]) -> Reach {
    let took = watching.end();
    let (program, _) = compiler.link(&Profile::default());
    // What a reprint says is counted once, as its original's.
    let all = elements(&program).into_iter().map(|(element, _)| element);
    let all: Vec<Element> = all.filter(|element| !element.reprinted).collect();
    let (reached, missed): (Vec<Element>, Vec<Element>) = all.into_iter().partition(|one| took.contains(&one.key()));
    let kind = |kind: &&'static str| {
        let of = |all: &[Element]| all.iter().filter(|one| one.kind == *kind).count();
        let (reached, missed) = (of(&reached), of(&missed));
        (reached + missed > 0).then_some(Kind { kind, total: reached + missed, reached })
    };
    let covers = |exemption: &Exemption, one: &Element| exemption.covers(&one.item, &one.label, None);
    let needless = |exemption: &&Exemption| {
        reached.iter().any(|one| covers(exemption, one)) && !missed.iter().any(|one| covers(exemption, one))
    };
    let mut found = Reach {
        kinds: KINDS.iter().filter_map(kind).collect(),
        needless: exemptions.iter().filter(needless).map(Exemption::needless).collect(),
        ..Reach::default()
    };
    for element in missed {
        match exemptions.iter().find(|exemption| covers(exemption, &element)) {
            Some(exemption) => found.exempt.push(Exempt { element, reason: exemption.reason.clone() }),
            None => found.unreached.push(element),
        }
    }
    found
}

/// A program, and what took effect in the games of it.
type Watched = (Arc<Program>, Arc<Effects>);

/// What takes effect in runs, noted while they are made. Programs are large: one in which nothing is played any more is not held.
#[derive(Clone, Debug, Default)]
pub struct Watching {
    noted: Vec<Watched>,
    took: BTreeSet<Key>,
}

impl Watching {
    /// Has it noted what takes effect when this is played.
    pub(crate) fn watch(&mut self, one: &mut Prepared) {
        let known = self.noted.iter().find(|(program, _)| Arc::ptr_eq(program, &one.program));
        let effects = known.map(|(_, effects)| Arc::clone(effects)).unwrap_or_else(|| {
            self.put_away(false);
            let effects = Effects::none_of(&one.program);
            self.noted.push((Arc::clone(&one.program), Arc::clone(&effects)));
            effects
        });
        one.position.setup.effects = Some(effects);
    }

    /// Takes down what took effect in the programs in which nothing is played now, or in all.
    fn put_away(&mut self, all: bool) {
        let is_over = |(_, effects): &mut Watched| all || Arc::strong_count(effects) == 1;
        for (program, effects) in self.noted.extract_if(.., is_over) {
            let found = elements(&program).into_iter().filter(|(_, id)| id.took(&effects));
            self.took.extend(found.map(|(element, _)| element.key()));
        }
    }

    /// What took effect.
    fn end(mut self) -> BTreeSet<Key> {
        self.put_away(true);
        self.took
    }
}

/// The elements of a program.
fn elements(program: &Program) -> Vec<(Element, Id)> {
    let mut found: Vec<(Element, Id)> = Vec::new();
    let mut seen: BTreeMap<(ClauseId, &str, String), usize> = BTreeMap::new();
    let mut add = |id: Id, clause: ClauseId, kind: &'static str, about: &str| {
        let Some(decl) = program.clauses.get(clause.index()) else { return };
        let nth = seen.entry((clause, kind, about.to_owned())).or_default();
        *nth += 1;
        // total: what is no reprint is cited by its own label, and a card is cited by its id
        let cited = decl.reprints.as_deref().unwrap_or(&decl.label);
        let item = decl.reprints.as_deref().and_then(|cited| cited.split(' ').next()).unwrap_or(&decl.item);
        // total: a label begins with its item
        let label = cited.strip_prefix(item).map_or(cited, str::trim_start);
        let element = Element {
            reprinted: decl.reprints.is_some(),
            item: item.to_owned(),
            title: decl.title.to_string(),
            label: label.to_owned(),
            setter: decl.setter.to_string(),
            kind,
            about: about.to_owned(),
            nth: *nth,
            text: decl.text.to_string(),
            place: decl.place.clone(),
        };
        found.push((element, id));
    };
    for (i, one) in program.allowances.iter().enumerate() {
        add(Id::Allowance(AllowanceId::from_index(i)), one.clause, "offer", &one.words);
    }
    for (i, one) in program.triggers.iter().enumerate() {
        let kind = if one.instead { "instead" } else { "when" };
        add(Id::Trigger(TriggerId::from_index(i)), one.clause, kind, &program.verb(one.pattern.verb).name);
    }
    for (i, one) in program.modifiers.iter().enumerate() {
        add(Id::Modifier(ModifierId::from_index(i)), one.clause, "modifier", &changed(program, one));
    }
    for (i, one) in program.norms.iter().enumerate() {
        let kind = match one.kind {
            NormKind::Cannot => "cannot",
            NormKind::Permit => "can",
            NormKind::Must => "must",
        };
        add(Id::Norm(NormId::from_index(i)), one.clause, kind, &program.verb(one.pattern.verb).name);
    }
    for (n, one) in program.guards.iter().enumerate() {
        add(Id::Guard(n), one.clause, "needs", &program.verb(one.pattern.verb).name);
    }
    for (n, one) in program.spares.iter().enumerate() {
        add(Id::Spare(n), one.clause, "spares", "");
    }
    for block in &program.blocks {
        for (statement, site) in &block.statements {
            if let Statement::May { .. } | Statement::Choose { optional: Some(_), .. } = statement {
                // total: a statement without a place says nothing of itself
                let said = program.sites.get(site.index()).map_or("", |site| &site.text);
                add(Id::Choice(*site), block.clause, "may", said);
            }
        }
    }
    found.sort_by(|(a, _), (b, _)| (&a.place, a.kind, a.nth).cmp(&(&b.place, b.kind, b.nth)));
    found
}

/// What a modifier changes, and how.
fn changed(program: &Program, modifier: &Modifier) -> String {
    // total: every entry of a linked program has its name
    let entry = |id: EntryId| program.entries.get(id.index()).map_or("", |entry| &entry.name);
    let name = &program.attr(modifier.attr).name;
    match &modifier.change {
        Change::Add { .. } | Change::Set(_) | Change::Hold(_) => name.clone(),
        Change::Gain(id) => format!("{name} gains {}", entry(*id)),
        Change::Lose(id) => format!("{name} loses {}", entry(*id)),
        Change::Become(id) => format!("{name} becomes {}", entry(*id)),
        Change::Bring(_) => format!("something more by {name}"),
        Change::Withhold(_) => format!("something less by {name}"),
    }
}
