//! Conditions.

use super::chart::{Chart, T};
use super::tree::{Det, Op, Sort, TermKind};

impl Chart<'_> {
    /// `there is no X` denies that there is one.
    pub(super) fn existence(&self, np: &T, at: usize, end: usize) -> T {
        if let (Op::Quantified(Det::No), Some(noun)) = (&np.op, np.kids.first()) {
            let some = self.quantified(Det::A, noun, np.from, end);
            let exists = self.tree(Op::Exists, Sort::Condition, vec![some], at, end);
            return self.tree(Op::Not, Sort::Condition, vec![exists], at, end);
        }
        self.tree(Op::Exists, Sort::Condition, vec![np.clone()], at, end)
    }

    /// The procedure or step names at a place.
    pub(super) fn procedure(&self, at: usize) -> Vec<super::chart::Hit> {
        let hits = self.hits_of(at, TermKind::Procedure);
        if hits.is_empty() {
            self.expect(at, "a procedure");
        }
        hits
    }
}
