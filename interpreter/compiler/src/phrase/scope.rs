//! The labels that a phrase may refer to.

use std::sync::Arc;

use super::tree::Sort;

/// Labels bound before the phrase begins: parameters of the declaration and `as L` of earlier clauses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scope {
    labels: Vec<(Arc<str>, Sort)>,
}

impl Scope {
    /// Binds a label, replacing an earlier one of the same name.
    pub fn bind(&mut self, label: impl Into<Arc<str>>, sort: Sort) {
        let label = label.into();
        self.labels.retain(|(l, _)| *l != label);
        self.labels.push((label, sort));
    }

    /// Binds a label beside earlier bindings of the same name (alternatives that bind it differently).
    pub(crate) fn bind_also(&mut self, label: impl Into<Arc<str>>, sort: Sort) {
        let entry = (label.into(), sort);
        if !self.labels.contains(&entry) {
            self.labels.push(entry);
        }
    }

    /// The sorts that a label may have; more than one if alternatives bound it differently.
    pub(crate) fn sorts<'a>(&'a self, label: &'a str) -> impl Iterator<Item = &'a Sort> + 'a {
        self.labels.iter().filter(move |(l, _)| **l == *label).map(|(_, s)| s)
    }
}
