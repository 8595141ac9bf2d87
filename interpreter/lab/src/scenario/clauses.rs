//! Reading the clauses of a scenario block: small helpers over token lists.

use netrep_compiler::Diagnostic;
use netrep_compiler::layers::date::Date;
use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Span, Token, TokenKind};
use netrep_ir::Place;

use super::Name;
use crate::problem::Source;

/// The word of a token, if it is a lower-case one.
pub(crate) fn word(token: &Token) -> Option<&str> {
    if let TokenKind::Word(word) = &token.kind { Some(word) } else { None }
}

/// The label or name of a token: a capitalised word or a quoted name.
pub(crate) fn name(token: &Token) -> Option<Name> {
    match &token.kind {
        TokenKind::Capital(text) | TokenKind::Quoted(text) => Some(Name { text: text.clone(), span: token.span }),
        _ => None,
    }
}

/// The span of tokens; empty at `from` if there are none.
pub(crate) fn span(tokens: &[Token], from: Span) -> Span {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => Span::new(from.end, from.end),
    }
}

/// The words of tokens, joined by one space, as a name.
pub(super) fn words(tokens: &[Token], source: &Source, from: Span) -> Name {
    let span = span(tokens, from);
    Name { text: source.slice(span).split_whitespace().collect::<Vec<_>>().join(" "), span }
}

/// A date.
pub(crate) fn day(tokens: &[Token], source: &Source, clause: &Clause) -> Result<Date, Diagnostic> {
    let text: String = words(tokens, source, clause.span).text.split(' ').collect();
    text.parse().map_err(|form| misread(source, clause.span, &format!("`{text}` is no date"), form))
}

/// Parts of a token list, separated by top-level commas.
pub(crate) fn parts(tokens: &[Token]) -> Vec<&[Token]> {
    tokens.split(|token| token.kind == TokenKind::Comma).collect()
}

/// The tokens before and after the first one that passes.
pub(crate) fn cut(tokens: &[Token], test: impl Fn(&Token) -> bool) -> Option<(&[Token], &[Token])> {
    let at = tokens.iter().position(test)?;
    Some((tokens.get(..at)?, tokens.get(at + 1..)?))
}

/// The tokens before and after the first occurrence of a word.
pub(crate) fn cut_word<'t>(tokens: &'t [Token], at: &str) -> Option<(&'t [Token], &'t [Token])> {
    cut(tokens, |token| word(token) == Some(at))
}

/// A clause that is not understood, and what was expected.
pub(crate) fn misread(source: &Source, at: Span, found: &str, expected: &str) -> Diagnostic {
    Diagnostic::new(Code::ScenarioClause, source.place(at), found).help(expected)
}

/// More of something than is read.
pub(crate) fn beyond(place: Place, what: &str, most: usize) -> Diagnostic {
    Diagnostic::new(Code::TooMuch, place, format!("there are more than {most} {what}, which is the most that is read"))
}

/// The clauses of a block, or an error where there is none.
pub(crate) fn block<'c>(clause: &'c Clause, source: &Source, what: &str) -> Result<&'c [Clause], Diagnostic> {
    clause.block.as_deref().ok_or_else(|| {
        misread(source, clause.span, &format!("`{what}` needs a list of clauses"), &format!("write `{what} {{ … }}`"))
    })
}
