//! Facts that hold several things, as sorted pairs.

use std::ops::Range;

use netrep_ir::AttrId;

use crate::position::set::ThingId;

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
