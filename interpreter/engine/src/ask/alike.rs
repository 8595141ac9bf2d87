//! Whether anything tells two copies apart.

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::position::cache::Cache;
use crate::position::set::{Set, ThingId};
use crate::program::layout::OWNER;

impl Eval<'_> {
    /// Whether two things are copies of one card, or things of one class that are no cards, in one place, of which the same is so:
    /// nothing that is stored or follows says something of one, or of what is printed on it, that it does not say of the other.
    /// Which lies higher does not count, nor what happened before.
    pub(crate) fn alike(&self, a: ThingId, b: ThingId) -> bool {
        let (link, state) = (self.link, self.state);
        let looks = |thing| {
            let lies = (state.place(&link.layout, thing), state.thing_in(&link.layout, thing, OWNER));
            (link.card_of(thing), state.classes.get(thing.index()), lies)
        };
        if a == b {
            return true;
        }
        if looks(a) != looks(b) {
            return false;
        }
        let (ones, others) = (self.with_parts(a), self.with_parts(b));
        let mut rest = self.universe(false);
        ones.iter().chain(&others).for_each(|thing| rest.remove(*thing));
        // What cannot be worked out of a thing is no fault of the game.
        let cache = Cache::empty(link);
        let rules = Eval { cache: &cache, ..*self };
        let mut attrs = (0..link.program.attrs.len()).map(AttrId::from_index);
        let pairs: Vec<_> = ones.into_iter().zip(others).collect();
        attrs.all(|attr| pairs.iter().all(|(one, other)| rules.says_alike(attr, (*one, *other), &rest)))
    }

    /// A thing and what is printed on it, in its order.
    fn with_parts(&self, thing: ThingId) -> Vec<ThingId> {
        let table = &self.link.table;
        let first = table.given.len() - table.parts.len();
        let own = table.parts.iter().enumerate().filter(|(_, part)| part.0 == thing);
        [thing].into_iter().chain(own.map(|(nth, _)| ThingId::from_index(first + nth))).collect()
    }

    /// Whether an attribute says the same of two things, and of the rest about them.
    fn says_alike(&self, attr: AttrId, (a, b): (ThingId, ThingId), rest: &Set) -> bool {
        let one = |thing| Set::one(thing, self.link.layout.width);
        let having = |thing| self.having(attr, &one(thing));
        if !matches!(self.link.layout.attr(attr).kind, ValueKind::Thing(_) | ValueKind::Things(_)) {
            let words = |thing| (!having(thing).is_empty()).then(|| self.value_words(attr, thing));
            return words(a) == words(b);
        }
        let cx = Cx::clause(ClauseId(0), None, &[]);
        let held = |thing| self.image(&cx, attr, &having(thing), rest);
        let holding = |thing| self.preimage(&cx, attr, &one(thing), rest);
        held(a) == held(b) && holding(a) == holding(b)
    }
}
