//! Edits of an item's text: a clause left out, a number moved by one. The lab asks with them whether any
//! expectation notices.
//!
//! All spans are byte ranges of the text that is passed in; [`clauses`] and [`numbers`] find them. Layout is
//! kept as far as possible: the result differs in nothing but the edit.

use netrep_grammar::parse_item;
use netrep_grammar::tree::{Clause, Item, Span, Token, TokenKind};

use crate::layers::labels::shown;

/// A clause that can be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClausePlace {
    /// Its written label; empty if it has none.
    pub label: String,
    /// Its bytes in the item's text.
    pub span: Span,
    /// How deep it stands: 0 is the item's own clause.
    pub depth: usize,
}

/// A number that can be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberPlace {
    /// Its value without sign.
    pub value: i64,
    /// Its bytes in the item's text.
    pub span: Span,
    /// The top-level clause in which it stands, counted from 0; `None` in the header.
    pub clause: Option<usize>,
}

/// The clauses of an item, outer ones first. Empty if the text does not parse.
pub fn clauses(text: &str) -> Vec<ClausePlace> {
    let mut found = Vec::new();
    if let Some(item) = whole(text) {
        collect_clauses(&item.clauses, 0, &mut found);
    }
    found
}

fn whole(text: &str) -> Option<Item> {
    let (item, errors) = parse_item(text);
    item.filter(|_| errors.is_empty())
}

fn collect_clauses(clauses: &[Clause], depth: usize, found: &mut Vec<ClausePlace>) {
    for clause in clauses {
        found.push(ClausePlace { label: shown(clause).to_owned(), span: clause.span, depth });
        if let Some(block) = &clause.block {
            collect_clauses(block, depth + 1, found);
        }
    }
}

/// Heads of clauses whose numbers are references to rules or to printed sentences.
const REFERRING: [&str; 3] = ["cites", "rests", "partial"];

/// True if the numbers of a clause refer to something else. What `printed` says of a sentence follows its hash in quotes:
/// in `printed FACT of X is 3` the number is one of play.
fn refers(clause: &Clause) -> bool {
    let masks = || matches!(clause.tokens.get(1), Some(Token { kind: TokenKind::Quoted(_), .. }));
    REFERRING.contains(&clause.head()) || clause.head() == "printed" && masks()
}

/// The numbers of an item's sentences, in order. Numbers that refer to rules or to printed sentences are none.
pub fn numbers(text: &str) -> Vec<NumberPlace> {
    let mut found = Vec::new();
    if let Some(item) = whole(text) {
        collect_numbers(&item.header, None, &mut found);
        for (index, clause) in item.clauses.iter().enumerate() {
            clause_numbers(clause, index, &mut found);
        }
    }
    found.sort_by_key(|number| number.span);
    found
}

fn clause_numbers(clause: &Clause, index: usize, found: &mut Vec<NumberPlace>) {
    if !refers(clause) {
        collect_numbers(&clause.tokens, Some(index), found);
    }
    for inner in clause.block.iter().flatten() {
        clause_numbers(inner, index, found);
    }
}

fn collect_numbers(tokens: &[Token], clause: Option<usize>, found: &mut Vec<NumberPlace>) {
    for token in tokens {
        match &token.kind {
            TokenKind::Number(value) => found.push(NumberPlace { value: *value, span: token.span, clause }),
            TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) => {
                collect_numbers(inner, clause, found);
            }
            _ => {}
        }
    }
}

/// The text without a range; blank space before it goes too, so that no empty line stays behind.
pub fn without(text: &str, span: Span) -> Option<String> {
    let (start, end) = range(span)?;
    let before = text.get(..start)?;
    let after = text.get(end..)?;
    Some([before.trim_end_matches([' ', '\t', '\n', '\r']), after].concat())
}

/// The text with a number moved by `by`. `None` if the result would be below zero, which has no token.
pub fn nudged(text: &str, number: &NumberPlace, by: i64) -> Option<String> {
    let value = number.value.checked_add(by).filter(|value| *value >= 0)?;
    let (start, end) = range(number.span)?;
    Some([text.get(..start)?, &value.to_string(), text.get(end..)?].concat())
}

/// The text with a range replaced.
pub(crate) fn replaced(text: &str, span: Span, with: &str) -> Option<String> {
    let (start, end) = range(span)?;
    Some([text.get(..start)?, with, text.get(end..)?].concat())
}

fn range(span: Span) -> Option<(usize, usize)> {
    Some((usize::try_from(span.start).ok()?, usize::try_from(span.end).ok()?))
}
