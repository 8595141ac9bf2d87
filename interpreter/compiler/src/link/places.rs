//! Where in an item a finding of the linker stands.

use netrep_grammar::tree::{Clause, Span, Token, TokenKind};
use netrep_ir::ClauseId;

use crate::link::LinkItem;

/// The first place where a name stands in quotes.
pub(super) fn quoted(clauses: &[Clause], name: &str) -> Option<Span> {
    clauses.iter().find_map(|clause| among(&clause.tokens, name).or_else(|| quoted(clause.block.as_deref()?, name)))
}

/// The place of an item's clause; that of its head, if nothing in it has a label.
pub(super) fn clause_span(i: &LinkItem, clause: ClauseId) -> Span {
    i.lowered.clauses.get(clause.index()).map_or(i.item.tree.head_span, |clause| clause.span)
}

fn among(tokens: &[Token], name: &str) -> Option<Span> {
    tokens.iter().find_map(|token| match &token.kind {
        TokenKind::Quoted(found) => (found == name).then_some(token.span),
        TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) => among(inner, name),
        _ => None,
    })
}
