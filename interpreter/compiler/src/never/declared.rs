//! What declarations say of facts and classes, as far as it bars a condition.

use std::sync::Arc;

use netrep_grammar::tree::{Token, TokenKind};

use super::Judge;
use crate::phrase::term::{Detail, Term, TypeName};
use crate::phrase::tree::{Sort, TermKey, TermKind};

impl Judge<'_> {
    /// True for a fact of which a thing has one term.
    pub(super) fn single_valued(&self, key: &TermKey) -> bool {
        let term = self.ctx.term(key);
        matches!(
            term.as_deref().map(|t| &t.detail),
            Some(Detail::Attribute { value: TypeName::Named(_), many: false, .. })
        )
    }

    /// The list of a fact that a thing of a sort always has: it begins with one of the terms, and is never without.
    pub(super) fn always_filled(&self, attribute: &Arc<str>, sort: &Sort) -> Option<Arc<str>> {
        let key = TermKey { kind: TermKind::Attribute, name: attribute.clone() };
        let term = self.ctx.term(&key)?;
        let Detail::Attribute { value: TypeName::Named(list), of, many: false, optional: false, .. } = &term.detail
        else {
            return None;
        };
        let begins = |token: &Token| matches!(&token.kind, TokenKind::Op(op) if op == "=");
        let Sort::Thing(class) = sort else { return None };
        let has = |of: &TypeName| matches!(of, TypeName::Named(of) if self.is_within(class, of));
        let item = self.ctx.declaring(&key).filter(|_| of.types.iter().any(has))?;
        item.tree.header.iter().any(begins).then(|| list.clone())
    }

    /// True if every thing of a class is one of another: one above it, or one that admits all its terms.
    pub(super) fn is_within(&self, class: &Arc<str>, other: &Arc<str>) -> bool {
        let lineage = self.lineage(class);
        // total: of a class that is not declared nothing is known
        let Some(wanted) = self.ctx.term(&TermKey { kind: TermKind::Class, name: other.clone() }) else { return false };
        // total: what is no class has no class above it
        let Detail::Class { superclass, .. } = &wanted.detail else { return false };
        let is_above = |class: &Arc<str>| lineage.iter().any(|above| above.key.name == *class);
        let Some(((fact, terms), above)) = wanted.only.as_ref().zip(superclass.as_ref()) else {
            return is_above(other);
        };
        let narrows = |above: &Arc<Term>| {
            above.only.as_ref().is_some_and(|(own, each)| own == fact && each.iter().all(|term| terms.contains(term)))
        };
        is_above(other) || is_above(above) && lineage.iter().any(narrows)
    }

    /// A class and those above it.
    pub(super) fn lineage(&self, class: &Arc<str>) -> Vec<Arc<Term>> {
        let mut lineage: Vec<Arc<Term>> = Vec::new();
        let mut at = Some(class.clone());
        while let Some(term) = at.and_then(|name| self.ctx.term(&TermKey { kind: TermKind::Class, name })) {
            if lineage.iter().any(|known| known.key == term.key) {
                break;
            }
            at = match &term.detail {
                Detail::Class { superclass, .. } => superclass.clone(),
                _ => None,
            };
            lineage.push(term);
        }
        lineage
    }

    pub(super) fn parameter(&self, key: &TermKey) -> Option<Arc<str>> {
        let Detail::Adjective { of } = &self.ctx.term(key)?.detail else { return None };
        Some(of.label.clone())
    }
}
