//! Faults that are planted in what the engine did: one in a position, so that a test can tell that the naive evaluator notices it.

use std::collections::BTreeMap;

use netrep_engine::ThingId;
use netrep_ir::*;

use super::Position;

/// A position with one fault, and what it is.
pub(crate) struct Planted<'p> {
    pub fault: &'static str,
    /// It is in what cards have only so long, else in what is rolled or declared.
    pub stands: bool,
    pub position: Position<'p>,
}

/// All faults that are planted, of what stands and of what passes.
pub(crate) const FAULTS: [&str; 18] = [
    "what is given is gone",
    "what nobody gives is there",
    "what is withheld is there",
    "nobody gives what is there",
    "given twice",
    "given to another card",
    "a new thing with another figure",
    "a roll that nobody makes",
    "a roll that is over",
    "a roll of another",
    "a roll for nobody",
    "a roll of more dice",
    "a total before the dice",
    "a declaration that is over",
    "a declaration that is gone",
    "a declaration of another card",
    "a declaration of nobody",
    "a passive condition that is gone",
];

impl<'p> Position<'p> {
    /// The same with a change.
    fn but(&self, change: impl FnOnce(&mut Position<'p>)) -> Position<'p> {
        let mut other = self.clone();
        change(&mut other);
        other
    }

    fn gone(&self, thing: ThingId) -> Position<'p> {
        self.but(|p| p.retired[thing.index()] = true)
    }

    fn back(&self, thing: ThingId) -> Position<'p> {
        self.but(|p| p.retired[thing.index()] = false)
    }

    /// The same with a fact of a thing that it does not have.
    fn knows(&self, attr: AttrId, thing: ThingId, change: impl FnOnce(&mut i32)) -> Position<'p> {
        self.but(|p| change(&mut p.numbers.entry((attr, thing)).or_insert_with(|| vec![0])[0]))
    }

    /// Each fault that can be planted here; `before` is the decision before.
    pub(crate) fn planted(&self, before: Option<&Position<'_>>) -> Vec<Planted<'p>> {
        let standing = self.planted_in_what_stands(before).into_iter().map(|(fault, position)| (fault, true, position));
        let passing = self.planted_in_what_passes().into_iter().map(|(fault, position)| (fault, false, position));
        standing.chain(passing).map(|(fault, stands, position)| Planted { fault, stands, position }).collect()
    }

    fn planted_in_what_stands(&self, before: Option<&Position<'_>>) -> BTreeMap<&'static str, Position<'p>> {
        let (given, lost) = self.given_and_withheld();
        let mut found = BTreeMap::new();
        for has in &self.standing {
            let wanted = given.iter().any(|(by, _)| *by == has.given);
            let should = wanted && !has.removed && !lost.contains(&has.thing);
            let modifier = &self.program.modifiers[has.given.modifier.index()];
            if should {
                found.insert("what is given is gone", self.gone(has.thing));
                let twice = self.but(|p| p.standing.push(*has));
                found.insert("given twice", twice);
                let by_none = self.but(|p| p.standing.retain(|other| other.thing != has.thing));
                found.insert("nobody gives what is there", by_none);
                found.insert("given to another card", self.knows(modifier.attr, has.thing, |host| *host += 1));
            } else if !self.exists(has.thing) && !self.is_busy(has.thing) {
                found.insert("what nobody gives is there", self.back(has.thing));
            }
            let is_new = before.is_some_and(|b| b.standing.iter().all(|other| other.given != has.given));
            if let Change::Bring(brought) = &modifier.change
                && is_new
                && should
                && !self.is_busy(has.thing)
                && let Some(attr) = self.number_of(brought)
            {
                let other = self.knows(attr, has.thing, |figure| *figure += 17);
                found.insert("a new thing with another figure", other);
            }
        }
        if let Some(thing) = self.withheld.iter().find(|thing| !self.is_busy(**thing)) {
            found.insert("what is withheld is there", self.back(*thing));
        }
        found
    }

    /// A number with which a new thing comes to be.
    fn number_of(&self, brought: &Brought) -> Option<AttrId> {
        let said = brought.values.iter().map(|(attr, _)| *attr);
        let taken = brought.from.iter().flat_map(|from| from.figures.iter().copied());
        said.chain(taken).find(|attr| self.program.attrs[attr.index()].kind == ValueKind::Number)
    }

    /// Something of a class that is gone.
    fn past(&self, class: ClassId) -> Option<ThingId> {
        let mut all = (0..self.ever()).map(ThingId::from_index);
        all.find(|thing| !self.exists(*thing) && self.classes[thing.index()] == class)
    }

    fn planted_in_what_passes(&self) -> BTreeMap<&'static str, Position<'p>> {
        let services = &self.program.services;
        let mut found = BTreeMap::new();
        if let Some((class, roller)) = services.roll {
            if let Some(rolling) = self.rolls.last() {
                found.insert("a roll that nobody makes", self.but(|p| drop(p.rolls.pop())));
                found.insert("a roll of another", self.knows(roller, rolling.roll, |who| *who += 1));
                let last = |change: &dyn Fn(&mut super::passing::Rolling)| {
                    self.but(|p| p.rolls.last_mut().into_iter().for_each(change))
                };
                if rolling.subject.is_some() {
                    found.insert("a roll for nobody", last(&|rolling| rolling.subject = None));
                }
                if matches!(rolling.statement, Statement::Roll { dice: Some(_), .. }) {
                    found.insert("a roll of more dice", last(&|rolling| rolling.dice += 1));
                }
                if let Some((_, total)) = services.total.filter(|_| !rolling.thrown) {
                    found.insert("a total before the dice", self.knows(total, rolling.roll, |sum| *sum = 7));
                }
            }
            if let Some(roll) = self.past(class) {
                found.insert("a roll that is over", self.back(roll));
            }
        }
        if let Some((class, source)) = services.declaration {
            let declared = self.declared.iter().find_map(|one| one.thing);
            if let Some(thing) = declared {
                found.insert("a declaration that is gone", self.gone(thing));
            }
            let told = self.declared.iter().filter_map(|one| one.thing);
            if let Some(thing) =
                told.into_iter().find(|thing| self.numbers.get(&(source, *thing)).is_some_and(|n| n[0] > 0))
            {
                found.insert("a declaration of another card", self.knows(source, thing, |card| *card += 1));
            }
            if let Some((_, declarer)) = services.declarer
                && let Some(thing) = self.declared.iter().filter(|one| one.by.is_some()).find_map(|one| one.thing)
            {
                found.insert("a declaration of nobody", self.knows(declarer, thing, |who| *who = 0));
            }
            if let Some(thing) = self.passive.iter().chain(&self.open).find_map(|one| one.thing) {
                found.insert("a passive condition that is gone", self.gone(thing));
            }
            if let Some(thing) = self.past(class) {
                found.insert("a declaration that is over", self.back(thing));
            }
        }
        found
    }
}
