//! Questions to the history, and what functions now.

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::position::cache::fresh;
use crate::position::set::{Set, ThingId, bit};
use crate::position::state::Row;

impl Eval<'_> {
    /// Visits the matching rows of the history, last first, until the visitor says true; whether it did.
    pub(crate) fn rows(&self, cx: &Cx, past: &Past, mut visit: impl FnMut(&Row) -> bool) -> bool {
        let since = match past.since {
            // total: since nothing in particular is since the beginning
            None => 0,
            Some(p) => match self.state.running(p, cx.acts) {
                Some(serial) => serial,
                // Nothing has happened in what does not run.
                None => return false,
            },
        };
        let mut at = self.state.latest_row(past.verb);
        if at == 0 {
            return false;
        }
        let cx = Cx { past: true, ..*cx };
        if self.veil.is_some() {
            return self.veiled_rows(&cx, past, since, visit);
        }
        let roles: Vec<Option<Set>> =
            past.roles.iter().map(|r| r.as_ref().map(|s| self.sel(&cx, s, &self.ever(s)))).collect();
        while let Some(row) = (at as usize).checked_sub(1).and_then(|i| self.state.history.peek().get(i)) {
            if row.serial < since {
                return false;
            }
            let met = roles
                .iter()
                .enumerate()
                .all(|(i, r)| r.as_ref().is_none_or(|s| row.role(i).is_some_and(|t| s.contains(t))));
            if met && visit(row) {
                return true;
            }
            at = row.before;
        }
        false
    }

    /// The things whose clauses function: where they lie they do, and nothing cancels them.
    pub(crate) fn functioning(&self) -> Set {
        self.uncanceled(self.at_work())
    }

    /// The things that lie where their clauses function.
    pub(crate) fn at_work(&self) -> Set {
        if let Some(veil) = self.veil {
            return self.veiled_at_work(veil, None);
        }
        let Some(sel) = &self.link.program.services.functioning else { return self.universe(false) };
        // What functions is asked of stored facts; a definition that comes back here sees nothing.
        let all = |set: &mut Set| *set = self.settled().all(&Cx::bare(), sel);
        match fresh(
            self.cache,
            self.state,
            &self.cache.functioning,
            self.below.map(|below| (below, &below.functioning)),
            all,
        ) {
            Some(held) => held.data.clone(),
            None => self.nothing(),
        }
    }

    /// Those of some things whose clauses function.
    pub(crate) fn functioning_of(&self, things: &Set) -> Set {
        match self.veil {
            None => things.and(self.functioning().words()),
            Some(veil) => self.uncanceled(self.veiled_at_work(veil, Some(things)).and(things.words())),
        }
    }

    /// Whether a thing's clauses function.
    pub(crate) fn functions(&self, thing: ThingId) -> bool {
        match self.veil {
            None => bit(self.functioning().words(), thing),
            Some(_) => !self.functioning_of(&Set::one(thing, self.link.layout.width)).is_empty(),
        }
    }

    /// Under a veil it is asked what functions whatever cards there are: else a hidden card would show by that.
    pub(crate) fn note_functioning(&self) {
        if self.veil.is_some() {
            self.functioning_of(&self.nothing());
        }
    }

    /// The things of a card of which a clause functions: where it says itself, or where clauses of cards do. `functioning`
    /// keeps those for the next question.
    pub(crate) fn carriers(&self, card: CardId, within: Option<&Sel>, functioning: &mut Option<Set>) -> Set {
        let things = self.link.things_of(card);
        match within {
            Some(within) => self.uncanceled(things.and(self.all(&Cx::bare(), within).words())),
            None if self.veil.is_some() => self.functioning_of(things),
            None => things.and(functioning.get_or_insert_with(|| self.functioning()).words()),
        }
    }

    /// Whether a clause of a card functions on a thing of that card.
    pub(crate) fn functions_within(&self, within: Option<&Sel>, thing: ThingId) -> bool {
        match within {
            Some(within) => self.has(&Cx::bare(), within, thing) && !self.is_canceled(thing),
            None => self.functions(thing),
        }
    }
}
