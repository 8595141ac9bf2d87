//! stub
use std::sync::Arc;
use super::clause::{ClauseKind, ReadClause};
use super::term::Term;
use super::tree::{Node, TermKey};
/// Looks a term up by its key.
pub type TermOf<'a> = dyn Fn(&TermKey) -> Option<Arc<Term>> + 'a;
/// stub
pub fn render(node: &Node, _terms: &TermOf<'_>) -> String { format!("{node:?}") }
/// stub
pub fn render_kind(kind: &ClauseKind, _terms: &TermOf<'_>) -> String { format!("{kind:?}") }
/// stub
pub fn render_clause(read: &ReadClause, terms: &TermOf<'_>) -> String { render_kind(&read.kind, terms) }
