//! Changes that things make to numbers, as something that is spoken of.

use super::chart::{Chart, Found, T, gap, width};
use super::forms::Match;
use super::tree::{Op, Sort};

impl Chart<'_> {
    /// `modification of ATTR of NP by NP`: of anything, and by anything, where that is not said.
    pub(super) fn modification(&self, found: &Match, out: &mut Found) {
        let Some(hit) = found.term("a") else { return };
        let (key, span) = (hit.term.key.clone(), (found.from + 2, hit.end));
        let author = found.tree("author").cloned();
        let before = author.as_ref().map(|author| author.from.saturating_sub(1));
        let kids = [found.tree("of").cloned(), author].map(|part| self.or_absent(part, found.from)).to_vec();
        let mut tree = self.raw(Op::Modification(key), Sort::Part, kids, found.from, found.to);
        tree.merged += width(span);
        if let Some(end) = before {
            tree.spread += gap(found.from, end);
        }
        out.push((found.to, T::new(tree)));
    }
}
