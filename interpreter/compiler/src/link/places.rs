//! Where in an item a finding of the linker stands.

use netrep_grammar::tree::{Clause, Span, Token, TokenKind};

/// The first place where a name stands in quotes.
pub(super) fn quoted(clauses: &[Clause], name: &str) -> Option<Span> {
    clauses.iter().find_map(|clause| among(&clause.tokens, name).or_else(|| quoted(clause.block.as_deref()?, name)))
}

fn among(tokens: &[Token], name: &str) -> Option<Span> {
    tokens.iter().find_map(|token| match &token.kind {
        TokenKind::Quoted(found) => (found == name).then_some(token.span),
        TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) => among(inner, name),
        _ => None,
    })
}
