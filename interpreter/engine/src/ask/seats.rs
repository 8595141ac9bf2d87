//! The order of the table: how things stand in it, and what comes next to whom.

use netrep_ir::Sel;

use crate::ask::eval::{Cx, Eval};
use crate::position::set::{Set, ThingId};

impl Eval<'_> {
    /// Things in the order of the table, beginning with one of them, or with the next behind it: onwards, or backwards.
    /// Players stand there by the number that the kernel names (`seat`), and all things by their age where nothing else decides.
    pub(crate) fn around(&self, things: &Set, from: Option<ThingId>, onwards: bool) -> Vec<ThingId> {
        let mut round: Vec<ThingId> = things.iter().collect();
        // One alone stands in every order; windows ask for it at each step, and where it sits need not be looked up.
        if round.len() < 2 {
            return round;
        }
        round.sort_by_key(|t| self.seat(*t));
        if !onwards {
            round.reverse();
        }
        if let Some(start) = from.map(|from| self.seat(from)) {
            let behind = |t: &ThingId| if onwards { self.seat(*t) >= start } else { self.seat(*t) <= start };
            // Behind the last comes the first.
            if let Some(first) = round.iter().position(behind) {
                round.rotate_left(first);
            }
        }
        round
    }

    /// The next of some things after a thing, or before it; a thing is not next to itself, and nothing is next to nobody.
    pub(crate) fn next(&self, cx: &Cx, of: &Sel, from: &Sel, after: bool) -> Option<ThingId> {
        let from = self.first(cx, from)?;
        let mut of = self.all(cx, of);
        of.remove(from);
        self.around(&of, Some(from), after).first().copied()
    }

    fn seat(&self, thing: ThingId) -> (Option<i32>, ThingId) {
        (self.link.program.services.seat.map(|seat| self.current(seat, thing)), thing)
    }
}
