//! Facts that hold several things, as sorted pairs.

use std::ops::Range;

use netrep_ir::AttrId;

use crate::position::set::ThingId;
use crate::position::state::State;

/// Where the values of a many-valued attribute of one thing stand in sorted pairs.
pub(crate) fn range_of(pairs: &[(AttrId, ThingId, ThingId)], attr: AttrId, thing: ThingId) -> Range<usize> {
    let start = pairs.partition_point(|p| (p.0, p.1) < (attr, thing));
    start..pairs.partition_point(|p| (p.0, p.1) <= (attr, thing))
}

/// The values of a many-valued attribute of one thing in sorted pairs.
pub(crate) fn pairs_of(
    pairs: &[(AttrId, ThingId, ThingId)],
    attr: AttrId,
    thing: ThingId,
) -> impl Iterator<Item = ThingId> {
    pairs.get(range_of(pairs, attr, thing)).into_iter().flatten().map(|p| p.2)
}

impl State {
    /// The values of a many-valued attribute of one thing.
    pub(crate) fn pairs_of(&self, attr: AttrId, thing: ThingId) -> impl Iterator<Item = ThingId> {
        self.versions.note(self.versions.parts.pairs(attr));
        pairs_of(self.pairs.peek(), attr, thing)
    }

    /// All values of a many-valued attribute, each with its thing.
    pub(crate) fn all_pairs(&self, attr: AttrId) -> impl Iterator<Item = (ThingId, ThingId)> {
        self.versions.note(self.versions.parts.pairs(attr));
        let pairs = self.pairs.peek();
        let start = pairs.partition_point(|p| p.0 < attr);
        pairs[start..].iter().take_while(move |p| p.0 == attr).map(|p| (p.1, p.2))
    }

    /// A many-valued attribute of a thing has these values, in order of their ids.
    pub(crate) fn set_pairs(&mut self, attr: AttrId, thing: ThingId, values: &[ThingId]) {
        self.versions.note(self.versions.parts.pairs(attr));
        let range = range_of(self.pairs.peek(), attr, thing);
        let same = self.pairs.peek().get(range.clone()).into_iter().flatten().map(|p| p.2).eq(values.iter().copied());
        if !same {
            self.pairs.splice(range, values.iter().map(|value| (attr, thing, *value)));
            self.versions.stamp(self.versions.parts.pairs(attr));
        }
    }
}
