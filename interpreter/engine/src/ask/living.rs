//! Of all things those that exist, and which of them a selection reads that begins with all; what is asked of all at once that
//! a condition asks of each; answers that are kept with what they have read.

use netrep_ir::*;

use crate::ask::eval::Eval;
use crate::position::kept::{Answers, Kept};
use crate::position::set::{Set, ThingId};
use crate::position::verify::Planted;

impl Eval<'_> {
    /// An answer that is kept, or a new one, which is kept with what it has read: if it is asked of the position as it is and
    /// hangs on nothing but that.
    pub(crate) fn answered<T: Clone + PartialEq>(
        &self,
        of: impl Fn(&Kept) -> &Answers<T>,
        question: u64,
        ask: impl FnOnce() -> T,
    ) -> T {
        let plain = self.assumed.is_none() && self.proposed.is_none() && self.partial.is_none() && !self.ahead;
        let of_whom = self.below.unwrap_or(self.cache);
        if !of_whom.keeps || !plain || self.veil.is_some() || of_whom.effects.is_some() {
            return ask();
        }
        let (kept, now) = (&of_whom.kept, self.state.moment());
        let verifying = &of_whom.verifying;
        if let Some(answer) = of(kept).find(kept, self.state, now, question, verifying.has(Planted::Answers)) {
            if verifying.is_due() && ask() != answer {
                self.cache.differs("an answer that is kept");
            }
            return answer;
        }
        let faulty = || !self.cache.fault.try_borrow().is_ok_and(|fault| fault.is_none());
        let (was_faulty, before) = (faulty(), self.state.begin_reading());
        let (answer, whole) = self.cache.fillings.apart(ask);
        let reads = self.state.end_reading(&before);
        // What a trial has written is not so in the position in which it is tried.
        let floor = if self.below.is_some() { kept.floor.get() } else { now };
        if whole && !was_faulty && !faulty() && (self.below.is_none() || self.state.versions.last(&reads) <= floor) {
            let now = floor;
            of(kept).keep(kept, now, question, reads, answer.clone());
        }
        answer
    }

    /// All things that exist, for a selection that begins with all of them: which of them it reads is noted as exactly as
    /// it tells by its form. Without one all are read.
    pub(crate) fn living(&self, sel: Option<&Sel>) -> Set {
        let layout = &self.link.layout;
        if self.veil.is_some() || sel.is_none_or(|sel| !self.note_living(sel)) {
            return self.universe(false);
        }
        Set::from_words(self.state.living(layout))
    }

    /// All things that have ever existed, for a selection that begins with them.
    pub(crate) fn ever(&self, sel: &Sel) -> Set {
        // A new thing comes into the set of its class.
        if self.veil.is_none() && self.note_living(sel) {
            Set::first_n(self.state.classes.len(), self.link.layout.width)
        } else {
            self.universe(true)
        }
    }

    /// All things that exist, for those that have an attribute.
    pub(crate) fn living_of(&self, attr: AttrId) -> Set {
        self.living(Some(&Sel::Flag(attr)))
    }

    /// All things that have ever existed, for those that have an attribute.
    pub(crate) fn ever_of(&self, attr: AttrId) -> Set {
        self.ever(&Sel::Flag(attr))
    }

    /// Notes which of all things a selection reads that begins with all of them; false if it may read any. Most forms note
    /// themselves what they read.
    fn note_living(&self, sel: &Sel) -> bool {
        let (layout, program) = (&self.link.layout, &self.link.program);
        let of = |attr: AttrId| {
            let classes = &program.attr(attr).classes;
            classes.iter().for_each(|class| self.state.versions.note(layout.parts.slot(layout.class(*class))));
            !classes.is_empty()
        };
        match sel {
            Sel::Empty | Sel::This | Sel::It(_) | Sel::Class(_) | Sel::In(..) | Sel::Top(..) => true,
            Sel::Slot(_) | Sel::Role(_) | Sel::Next { .. } | Sel::Happened(..) => true,
            Sel::Named(name) => {
                self.link.named(*name).iter().for_each(|t| self.state.note_existence(layout, t));
                true
            }
            Sel::Image(attr, _) => match &program.attr(*attr).source {
                Source::Things(sel) => self.note_living(sel),
                _ => true,
            },
            Sel::Preimage(attr, _) | Sel::NameIs(attr, _) | Sel::EntryIs(attr, _) => of(*attr),
            Sel::EntryIsValue(attr, _) | Sel::Flag(attr) | Sel::NumIs(attr, ..) => of(*attr),
            Sel::And(parts) => parts.first().is_some_and(|first| self.note_living(first)),
            Sel::Or(parts) => parts.iter().all(|part| self.note_living(part)),
            Sel::If(_, a, b) => self.note_living(a) && self.note_living(b),
            // It asks for all of them itself.
            Sel::One(_) => true,
            Sel::All | Sel::Group | Sel::Not(_) | Sel::Where(_) | Sel::Would(_) => false,
        }
    }

    /// Those of some things that are cared for.
    pub(crate) fn among(&self, things: &Set, care: &Set) -> Set {
        things.iter().for_each(|thing| self.state.note_existence(&self.link.layout, thing));
        care.and(things.words())
    }

    /// Those of some things of which a condition may hold: it asks of each that it lies in a place, or is of a class.
    pub(crate) fn within(&self, cond: &Cond, care: &Set) -> Set {
        let layout = &self.link.layout;
        let mut left = care.clone();
        if let Cond::Some(Sel::And(parts)) = cond
            && parts.contains(&Sel::It(0))
            && self.veil.is_none()
        {
            for part in parts {
                match part {
                    Sel::In(place, _) => left.keep(self.state.words(layout, layout.place(*place))),
                    Sel::Class(class) => left.keep(self.state.words(layout, layout.class(*class))),
                    _ => {}
                }
            }
        }
        left
    }

    /// Whether a thing is among those that are cared for, which hangs on whether it exists.
    #[inline]
    pub(crate) fn is_cared_for(&self, thing: ThingId, care: &Set) -> bool {
        self.state.note_existence(&self.link.layout, thing);
        care.contains(thing)
    }
}

/// Whose declaration it is of which a condition asks whether it has chosen a thing, if it asks that and nothing else.
pub(crate) fn of_targets(cond: &Cond) -> Option<&Sel> {
    let Cond::Some(Sel::And(parts)) = cond else { return None };
    match parts.as_slice() {
        [by @ Sel::This, Sel::Would(prospect)] if **prospect == Prospect::Target(Sel::It(0)) => Some(by),
        _ => None,
    }
}

/// The term that a condition asks for of what a thing has printed or stored, and whether it asks for it or for its absence.
pub(crate) fn of_base(cond: &Cond) -> Option<(AttrId, EntryId, bool)> {
    match cond {
        Cond::Not(inner) => of_base(inner).map(|(attr, entry, so)| (attr, entry, !so)),
        Cond::Same(Ent::Base(attr, of), Ent::Entry(entry)) if **of == Sel::It(0) => Some((*attr, *entry, true)),
        _ => None,
    }
}
