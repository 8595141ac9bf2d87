//! What comes and goes, by the naive evaluator: rolls as long as something is done for them, and declarations as long as they
//! wait to be resolved. Nothing else of their kinds is there, and each knows what it is of.

use netrep_engine::{Decision, DecisionKind, ThingId, Value};
use netrep_ir::*;

use super::position::thing_plus_one;
use super::{Position, Scope};

/// A roll for which something is being done.
#[derive(Clone, Debug)]
pub(crate) struct Rolling {
    /// The activation that rolls.
    pub act: usize,
    /// The statement that does.
    pub statement: Statement,
    pub roll: ThingId,
    pub dice: u8,
    pub by: ThingId,
    pub subject: Option<ThingId>,
    /// Dice have fallen, or are about to.
    pub thrown: bool,
}

/// What was found, so that a test can tell that there was something to find.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// Rolls before dice are thrown, and those of which dice are or were.
    pub rolls: (usize, usize),
    /// Things that wait in a chain of a window, and passive conditions that follow.
    pub waiting: (usize, usize),
    /// Of both, those that say of which card they are.
    pub of: usize,
    /// Of both, those that do not, because that is not known to all.
    pub secret: usize,
}

impl std::ops::AddAssign for Found {
    fn add_assign(&mut self, other: Found) {
        self.rolls = (self.rolls.0 + other.rolls.0, self.rolls.1 + other.rolls.1);
        self.waiting = (self.waiting.0 + other.waiting.0, self.waiting.1 + other.waiting.1);
        self.of += other.of;
        self.secret += other.secret;
    }
}

impl Position<'_> {
    /// The things of a class that are there.
    fn of_class(&self, class: ClassId) -> Vec<ThingId> {
        let all = (0..self.ever()).map(ThingId::from_index);
        all.filter(|t| self.exists(*t) && self.classes[t.index()] == class).collect()
    }

    /// The thing that a thing has stored.
    fn stored(&self, attr: AttrId, thing: ThingId) -> Option<ThingId> {
        self.numbers.get(&(attr, thing)).and_then(|row| thing_plus_one(i64::from(row[0])))
    }

    /// Whether a thing may be told of in the open: it lies where all look, and is kept from nobody there.
    fn is_open(&self, thing: ThingId) -> bool {
        let host = self.parts.iter().find(|part| part.0 == thing).and_then(|part| self.stored(part.1.host, thing));
        let given = self.standing.iter().find(|has| has.thing == thing).map(|has| has.given.host);
        let thing = host.or(given).unwrap_or(thing);
        let concealed = self.program.services.concealed;
        let open = self
            .places
            .get(&thing)
            .is_none_or(|(place, _)| self.program.places[place.index()].secrecy == Secrecy::Open);
        open && !self.pairs.iter().any(|pair| Some(pair.0) == concealed && pair.1 == thing)
    }

    /// Whether a stored fact may name a thing: it is of the kind, and known to all.
    fn may_say(&self, attr: AttrId, thing: ThingId) -> bool {
        self.program.attrs[attr.index()].kind == ValueKind::Thing(self.classes[thing.index()]) && self.is_open(thing)
    }

    /// Whether rolls and declarations are there as long as they are going on, and no longer.
    pub(crate) fn passes(&self, decision: &Decision) -> Result<Found, String> {
        let mut found = Found::default();
        self.rolls_are(decision, &mut found)?;
        self.declarations_are(&mut found)?;
        Ok(found)
    }

    fn rolls_are(&self, decision: &Decision, found: &mut Found) -> Result<(), String> {
        let Some(Rolls { class, around, roller, total, subject }) = rolls(self.program) else { return Ok(()) };
        let mut going_on: Vec<ThingId> = self.rolls.iter().map(|rolling| rolling.roll).collect();
        going_on.sort_unstable();
        let there = self.of_class(class);
        if going_on != there {
            return Err(format!("the rolls {there:?} are there, and {going_on:?} are made"));
        }
        for rolling in &self.rolls {
            let said = |what: &str| Err(format!("{rolling:?}: {what}"));
            let Statement::Roll { by, dice, subject: of, values, .. } = &rolling.statement else {
                return said("nothing that rolls");
            };
            let act = &self.acts[rolling.act];
            let scope = Scope::of(act.this, &act.locals);
            let of = of.as_ref().and_then(|of| self.first(&scope, of));
            if self.first(&scope, by) != Some(rolling.by) || of != rolling.subject {
                return said("another rolls, or for another");
            }
            if dice.is_some_and(|dice| dice != rolling.dice) {
                return said("other dice");
            }
            if self.stored(roller, rolling.roll) != Some(rolling.by) {
                return said("the roll knows another who rolls");
            }
            if let Some(attr) = subject {
                let known = rolling.subject.filter(|of| self.may_say(attr, *of));
                if self.stored(attr, rolling.roll) != known {
                    return said("the roll knows another for whom it is");
                }
            }
            for (attr, value) in values {
                let Val::Flag(flag) = value else { continue };
                if (self.base(*attr, rolling.roll, 0) != 0) != *flag {
                    return said(&format!("it is not so: {}", self.program.attrs[attr.index()].name));
                }
            }
            if !rolling.thrown && self.base(total, rolling.roll, 0) != 0 {
                return said("it has a total before its dice are thrown");
            }
            // Something is performed for it, and knows it.
            let performed =
                |act: &super::Act| act.proc == Some(around) && act.locals.contains(&Value::Thing(rolling.roll));
            if !self.acts[rolling.act + 1..].iter().any(performed) {
                return said("nothing is performed for it");
            }
            if rolling.thrown {
                found.rolls.1 += 1;
            } else {
                found.rolls.0 += 1;
            }
        }
        match (&decision.kind, self.rolls.last()) {
            (DecisionKind::Roll { dice, by, subject, .. }, Some(last))
                if (*dice, *by, *subject) == (last.dice, last.by, last.subject) && last.thrown =>
            {
                Ok(())
            }
            (DecisionKind::Roll { .. }, last) => Err(format!("{decision:?} is asked for, and {last:?} is rolled")),
            _ => Ok(()),
        }
    }

    fn declarations_are(&self, found: &mut Found) -> Result<(), String> {
        let services = &self.program.services;
        let Some((class, source)) = services.declaration else { return Ok(()) };
        let declared = self.declared.iter().map(|d| (d.thing, d.this, d.by));
        let passive = self.passive.iter().chain(&self.open).map(|p| (p.thing, p.this, None));
        found.waiting.0 += declared.len();
        found.waiting.1 += self.passive.len() + self.open.len();
        let mut waiting = Vec::new();
        for (thing, of, by) in declared.chain(passive) {
            let Some(thing) = thing else { return Err(format!("what {of:?} has declared is no thing")) };
            waiting.push(thing);
            let says = self.stored(source, thing);
            if says.is_some_and(|says| Some(says) != of) {
                return Err(format!("the declaration {thing:?} is of {of:?}, and says {says:?}"));
            }
            // What lay hidden then may have come to light; what is told now must be known.
            let known = of.filter(|of| self.may_say(source, *of));
            if says.is_some() && known.is_none() {
                return Err(format!("the declaration {thing:?} tells of {of:?}, which not all know"));
            }
            if says.is_none() && known.is_some() && by.is_some() {
                return Err(format!("the declaration {thing:?} does not tell of {of:?}, which lies open"));
            }
            if let Some((_, declarer)) = services.declarer
                && self.stored(declarer, thing) != by
            {
                return Err(format!("the declaration {thing:?} is of another player than {by:?}"));
            }
            found.of += usize::from(says.is_some());
            found.secret += usize::from(says.is_none() && of.is_some());
        }
        waiting.sort_unstable();
        let there = self.of_class(class);
        if waiting != there {
            return Err(format!("the declarations {there:?} are there, and {waiting:?} wait"));
        }
        Ok(())
    }
}

/// The services of rolls that are things.
struct Rolls {
    class: ClassId,
    around: ProcId,
    roller: AttrId,
    total: AttrId,
    subject: Option<AttrId>,
}

fn rolls(program: &Program) -> Option<Rolls> {
    let services = &program.services;
    let (class, roller) = services.roll?;
    let subject = services.rolled.map(|(_, attr)| attr);
    Some(Rolls { class, around: services.around?, roller, total: services.total?.1, subject })
}
