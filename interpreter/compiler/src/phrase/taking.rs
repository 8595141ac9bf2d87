//! What one thing takes over from another, and how often modifications count.

use super::chart::{Cat, Chart, Found, T, gap};
use super::term::{Detail, TypeName};
use super::tree::{Lasting, Op, Sort, TermKey, TermKind};

impl Chart<'_> {
    /// `figures of NP are those of NP [except ATTR, ATTR]`.
    pub(super) fn takes_over(&self, at: usize, found: &mut Found) {
        let Some(next) = (if self.word(at, "figures") { self.words(at, &["figures", "of"]) } else { None }) else {
            return;
        };
        for (end, np) in self.things_or(next) {
            if self.one_of(end, &["are", "is"]).is_none() {
                continue;
            }
            let Some(next) = self.words(end + 1, &["those", "of"]) else { continue };
            for (end, other) in self.things_or(next) {
                let mut lists: Vec<(usize, Vec<TermKey>)> = vec![(end, Vec::new())];
                if self.word(end, "except") {
                    self.attribute_names(end + 1, &[], &mut lists);
                }
                for (end, except) in lists {
                    self.with_durations(end, |to, lasting| {
                        let op = Op::TakesOver(except.clone(), lasting);
                        found.push((to, self.tree(op, Sort::Statement, vec![np.clone(), other.clone()], at, to)));
                    });
                }
            }
        }
    }

    fn attribute_names(&self, at: usize, before: &[TermKey], lists: &mut Vec<(usize, Vec<TermKey>)>) {
        for hit in self.hits_of(at, TermKind::Attribute) {
            let mut keys = before.to_vec();
            keys.push(hit.term.key.clone());
            lists.push((hit.end, keys.clone()));
            if keys.len() < 16 && (self.sign(hit.end, ",") || self.word(hit.end, "and")) {
                self.attribute_names(hit.end + 1, &keys, lists);
            }
        }
        self.expect(at, "an attribute");
    }

    /// `modifications of ATTR of NP by NP count N times`.
    pub(super) fn scaled(&self, at: usize, found: &mut Found) {
        for (end, modification) in self.modification(at) {
            if self.one_of(end, &["count", "counts"]).is_none() {
                continue;
            }
            for (end, n) in self.cell(Cat::Num, end + 1).iter() {
                if self.one_of(*end, &["times", "time"]).is_none() {
                    continue;
                }
                self.with_durations(end + 1, |to, lasting| {
                    let kids = vec![modification.clone(), n.clone()];
                    found.push((to, self.tree(Op::Scaled(lasting), Sort::Statement, kids, at, to)));
                });
            }
        }
    }

    /// `modification of ATTR of NP by NP`, each part but one of them optional.
    pub(super) fn modification(&self, at: usize) -> Found {
        let mut found = Found::new();
        if self.one_of(at, &["modifications", "modification"]).is_none() {
            return found;
        }
        let nobody = || self.absent(at);
        if self.word(at + 1, "of") {
            for hit in self.hits_of(at + 2, TermKind::Attribute) {
                let op = Op::Modification(Some(hit.term.key.clone()));
                self.modifying(at, hit.end, (at + 2, hit.end), &op, &nobody(), &mut found);
                if self.word(hit.end, "of") {
                    for (end, np) in self.things_or(hit.end + 1) {
                        self.modifying(at, end, (at + 2, hit.end), &op, &np, &mut found);
                    }
                }
            }
            // `FACT of X` is the number, even if there are things of that name.
            let numbers = self.hits_of(at + 2, TermKind::Attribute);
            if numbers.iter().any(|hit| matches!(hit.term.detail, Detail::Attribute { value: TypeName::Number, .. })) {
                return found;
            }
            for (end, np) in self.things_or(at + 2) {
                self.modifying(at, end, (at, at), &Op::Modification(None), &np, &mut found);
            }
        }
        found
    }

    fn modifying(&self, from: usize, at: usize, term: (usize, usize), op: &Op, of: &T, found: &mut Found) {
        let kids = vec![of.clone(), self.absent(at)];
        found.push((at, self.termed(op.clone(), Sort::Part, kids, from, at, term)));
        if self.word(at, "by") {
            for (end, by) in self.things_or(at + 1) {
                let mut tree = self.raw(op.clone(), Sort::Part, vec![of.clone(), by], from, end);
                tree.merged += super::chart::width(term);
                tree.spread += gap(from, at);
                found.push((end, T::new(tree)));
            }
        }
    }

    fn with_durations(&self, at: usize, mut then: impl FnMut(usize, Option<Lasting>)) {
        then(at, None);
        for (to, lasting) in self.lasting(at) {
            then(to, Some(lasting));
        }
    }
}
