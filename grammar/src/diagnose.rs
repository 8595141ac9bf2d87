//! temporary
use crate::error::SyntaxError;
use crate::tree::Span;
pub(crate) enum Goal { Item, Clauses, Words }
pub(crate) fn diagnose(_t: &str, _g: Goal) -> Vec<SyntaxError> { Vec::new() }
pub(crate) fn lexeme_at(_t: &str, at: usize) -> Span { Span::new(at as u32, at as u32) }
