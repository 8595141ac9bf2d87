//! Changes that things make to numbers, as something that is spoken of.

use super::chart::{Chart, Found, T, gap, width};
use super::forms::Match;
use super::term::{Detail, TypeName};
use super::tree::{Op, Sort, TermKind};

impl Chart<'_> {
    /// `modification of ATTR of NP by NP`, each part but one of them optional.
    pub(super) fn modification(&self, found: &Match, out: &mut Found) {
        let term = found.term("a").map(|hit| (hit.term.key.clone(), (found.from + 2, hit.end)));
        // `FACT of X` is the number, even if there are things of that name.
        let numbers = self.hits_of(found.from + 2, TermKind::Attribute);
        let is_number = |value: &TypeName| *value == TypeName::Number;
        let number =
            |hit: &super::chart::Hit| matches!(&hit.term.detail, Detail::Attribute { value, .. } if is_number(value));
        if term.is_none() && numbers.iter().any(number) {
            return;
        }
        let author = found.tree("author").cloned();
        let before = author.as_ref().map(|author| author.from.saturating_sub(1));
        let kids = [found.tree("of").cloned(), author].map(|part| self.or_absent(part, found.from)).to_vec();
        let op = Op::Modification(term.as_ref().map(|(key, _)| key.clone()));
        let mut tree = self.raw(op, Sort::Part, kids, found.from, found.to);
        if let Some((_, span)) = term {
            tree.merged += width(span);
        }
        if let Some(end) = before {
            tree.spread += gap(found.from, end);
        }
        out.push((found.to, T::new(tree)));
    }
}
