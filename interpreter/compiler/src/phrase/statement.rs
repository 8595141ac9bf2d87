//! Statements: the language's own forms, modifiers, and declared verbs in the imperative or with a subject.

use std::sync::Arc;

use super::chart::{Chart, Found, T};
use super::forms::Category;
use super::term::{Detail, TypeName};
use super::tree::{Op, Sort, TermKey, TermKind};

impl Chart<'_> {
    /// `{ statements }`.
    pub(super) fn block(&self, at: usize) -> Found {
        if !self.sign(at, "{") {
            return Found::new();
        }
        if self.sign(at + 1, "}") {
            return vec![(at + 2, self.tree(Op::Sequence, Sort::Statement, vec![], at, at + 2))];
        }
        let done = self.cell(Category::Sequence, at + 1);
        done.iter().filter(|(end, _)| self.sign(*end, "}")).map(|(end, s)| (end + 1, s.clone())).collect()
    }

    pub(super) fn statement(&self, op: Op, kids: Vec<T>, at: usize, end: usize) -> (usize, T) {
        (end, self.tree(op, Sort::Statement, kids, at, end))
    }

    /// Things, also joined.
    pub(super) fn things_or(&self, at: usize) -> Found {
        let thing = |s: &Sort| matches!(s, Sort::Thing(_) | Sort::AnyThing);
        self.cell(Category::Np, at).iter().filter(|(_, t)| thing(&t.sort)).cloned().collect()
    }

    /// The label after `as`, bound to the noun phrase.
    pub(super) fn labelled(&self, at: usize, sort: &Sort) -> Option<Arc<str>> {
        if !self.word(at, "as") {
            return None;
        }
        let label = self.label(at + 1)?;
        self.bind(&label, sort, at + 1);
        Some(label)
    }

    /// `ATTR VALUE, ATTR VALUE` of a thing of the sort; a yes-or-no attribute stands alone.
    pub(super) fn facts(&self, at: usize, sort: &Sort) -> Vec<(usize, Vec<TermKey>, Vec<T>)> {
        let mut found = Vec::new();
        let mut open: Vec<(usize, Vec<TermKey>, Vec<T>)> = vec![(at, Vec::new(), Vec::new())];
        while let Some((pos, keys, values)) = open.pop() {
            for hit in self.hits_of(pos, TermKind::Attribute) {
                let Detail::Attribute { value, .. } = &hit.term.detail else { continue };
                if !self.has_fact(sort, &hit.term) {
                    let owner = self.tree(Op::It, sort.clone(), vec![], at, pos);
                    self.refuse_attribute(&hit.term, &owner, hit.end);
                    continue;
                }
                let mut said = self.values(hit.end, &self.type_sort(value));
                if *value == TypeName::YesNo {
                    said = vec![(hit.end, self.tree(Op::Truth(true), Sort::Condition, vec![], pos, hit.end))];
                }
                for (end, value) in said {
                    let (mut keys, mut values) = (keys.clone(), values.clone());
                    keys.push(hit.term.key.clone());
                    values.push(value);
                    if self.sign(end, ",") && keys.len() < 24 {
                        open.push((end + 1, keys.clone(), values.clone()));
                    }
                    found.push((end, keys, values));
                }
            }
            self.expect(pos, "an attribute");
        }
        found
    }
}
