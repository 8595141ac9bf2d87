//! Why pest refused a text: the causes that an author would name. Looked for in this order, because each hides the
//! ones behind it: wrong characters, brackets that do not pair, clauses that do not end or say nothing.

mod characters;
mod structure;

use crate::error::{Code, SyntaxError};
use crate::lex::{self, Delimiter, Lex, Lexeme};
use crate::nest::{self, Mismatch};
use crate::tree::Span;

/// What the text should have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// One item.
    Item,
    /// Clauses without an item.
    Clauses,
    /// A list of tokens.
    Words,
}

/// The mistakes that explain why `text` is not what `goal` says. Empty if none of the known causes is found.
pub(crate) fn diagnose(text: &str, goal: Goal) -> Vec<SyntaxError> {
    let mut lexemes = lex::lex(text);
    lexemes.retain(|lexeme| lexeme.lex != Lex::Comment);
    let wrong = characters::check(text, &lexemes);
    if !wrong.is_empty() {
        return wrong;
    }
    match nest::nest(text, &lexemes) {
        Ok(nodes) => structure::check(text, &nodes, goal),
        Err(mismatch) => vec![brackets(text, mismatch)],
    }
}

/// The place of what stands at byte `at`, or of the last thing before it.
pub(crate) fn lexeme_at(text: &str, at: usize) -> Span {
    let lexemes = lex::lex(text);
    let found = lexemes.iter().find(|lexeme| lexeme.end > at && lexeme.lex != Lex::Comment).or(lexemes.last());
    found.map(Lexeme::span).unwrap_or_default()
}

fn brackets(text: &str, mismatch: Mismatch) -> SyntaxError {
    match mismatch {
        Mismatch::Unclosed(open, shown_by) => {
            let message = format!("the {} is never closed", named(text, open));
            let help = format!("write `{}` where its part ends", partner(open));
            let error = SyntaxError::new(Code::MissingClosingBracket, open.span(), message).help(help);
            match shown_by {
                Some(close) => error.and(close.span(), format!("this {} closes something else", named(text, close))),
                None => error,
            }
        }
        Mismatch::Unopened(close, before) => {
            let message = format!("the {} closes nothing", named(text, close));
            let help = format!("remove it, or write `{}` where its part begins", partner(close));
            let error = SyntaxError::new(Code::MissingOpeningBracket, close.span(), message).help(help);
            match before {
                Some(before) => error.and(before.span(), "everything was closed here"),
                None => error,
            }
        }
        Mismatch::Crossed(open, close) => {
            let message = format!("the {} is closed by the {}", named(text, open), named(text, close));
            let help = format!("write `{}` instead of `{}`", partner(open), close.text(text));
            SyntaxError::new(Code::MismatchedBracket, close.span(), message).help(help).and(open.span(), "opened here")
        }
    }
}

/// The name of a sign: "brace `{`".
fn named(text: &str, bracket: Lexeme) -> String {
    let noun = match bracket.lex {
        Lex::Open(Delimiter::Paren) | Lex::Close(Delimiter::Paren) => "parenthesis",
        Lex::Open(Delimiter::Bracket) | Lex::Close(Delimiter::Bracket) => "bracket",
        _ => "brace",
    };
    format!("{noun} `{}`", bracket.text(text))
}

/// The other bracket of a pair.
fn partner(bracket: Lexeme) -> char {
    match bracket.lex {
        Lex::Open(Delimiter::Paren) => ')',
        Lex::Close(Delimiter::Paren) => '(',
        Lex::Open(Delimiter::Bracket) => ']',
        Lex::Close(Delimiter::Bracket) => '[',
        Lex::Close(Delimiter::Brace) => '{',
        _ => '}',
    }
}
