//! Which verbs and which thing a sentence of a card speaks of.

use super::chart::{Chart, Hit};
use super::term::Detail;
use super::tree::Sort;

impl Chart<'_> {
    /// Of verbs that are spelled the same, those that need the fewest roles.
    pub(super) fn plainest(&self, hits: Vec<Hit>) -> Vec<Hit> {
        let needs = |hit: &Hit| match &hit.term.detail {
            Detail::Verb { frame } => frame.groups.iter().filter(|g| !g.optional).count(),
            _ => 0,
        };
        let least = hits.iter().map(needs).min();
        hits.into_iter().filter(|h| Some(needs(h)) == least).collect()
    }

    /// The sort of `this`.
    pub(super) fn this_sort(&self) -> Sort {
        // total: a rule may be about a thing of any class
        self.scope.sorts("this").next().cloned().unwrap_or(Sort::AnyThing)
    }
}
