//! Clauses as English.

use super::{LowerContext, Lowered, Wording};
use crate::layers::effective::EffectiveItem;
use crate::phrase::clause::{ReadClause, blocks};
use crate::phrase::render;

/// The clauses of an item and of their blocks, in the order of reading.
pub(super) fn in_order(item: &EffectiveItem) -> Vec<&ReadClause> {
    fn add<'i>(clause: &'i ReadClause, order: &mut Vec<&'i ReadClause>) {
        order.push(clause);
        blocks(&clause.kind).into_iter().flatten().for_each(|inner| add(inner, order));
    }
    let mut order = Vec::new();
    item.clauses.iter().for_each(|clause| add(&clause.read, &mut order));
    order
}

/// Each labelled clause of a lowered item as English.
pub(crate) fn wordings(item: &EffectiveItem, lowered: &Lowered, ctx: &dyn LowerContext) -> Vec<String> {
    let order = in_order(item);
    let said = |wording: &Wording| match wording {
        Wording::These(words) => words.clone(),
        Wording::Of(nth) => {
            let read = usize::try_from(*nth).ok().and_then(|nth| order.get(nth));
            // total: what is lowered is a clause of its item
            read.map(|read| render::render_clause(read, &|key| ctx.term(key))).unwrap_or_default()
        }
    };
    lowered.clauses.iter().map(|clause| said(&clause.wording)).collect()
}
