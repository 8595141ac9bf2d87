//! Tokens as they are written, and as names of items.

use netrep_grammar::tree::{Span, Token, TokenKind};

use super::Target;

/// The item that a token names, which layers can amend: a card's id or a rule's number.
pub(crate) fn target(tokens: &[Token]) -> Option<(Target, Span)> {
    let token = tokens.first()?;
    let target = match &token.kind {
        TokenKind::Capital(id) => Target::card(id),
        TokenKind::Reference(number) => Target::rule(number),
        TokenKind::Number(number) => Target::rule(&number.to_string()),
        _ => return None,
    };
    Some((target, token.span))
}

/// A token as text; groups are not needed in names and shown by their brackets only.
pub(crate) fn shown(token: &Token) -> String {
    match &token.kind {
        TokenKind::Word(text) | TokenKind::Capital(text) | TokenKind::Reference(text) | TokenKind::Op(text) => {
            text.clone()
        }
        TokenKind::Quoted(text) => format!("\"{text}\""),
        // Documents are numbered with leading zeros, which the value has lost.
        TokenKind::Number(number) => format!("{number:0width$}", width = width(token.span)),
        TokenKind::Possessive => "'s".to_owned(),
        TokenKind::Comma => ",".to_owned(),
        TokenKind::Semi => ";".to_owned(),
        TokenKind::Colon => ":".to_owned(),
        TokenKind::Paren(inner) => format!("({})", joined(inner)),
        TokenKind::Bracket(inner) => format!("[{}]", joined(inner)),
        TokenKind::Brace(inner) => format!("{{{}}}", joined(inner)),
    }
}

fn width(span: Span) -> usize {
    (span.start..span.end).len()
}

/// Tokens as a date is written: numbers joined by `-`.
pub(crate) fn compact(tokens: &[Token]) -> String {
    tokens.iter().map(shown).collect()
}

/// Tokens as text, with a space between words and none before punctuation.
pub fn joined(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        let tight = matches!(token.kind, TokenKind::Comma | TokenKind::Semi | TokenKind::Colon | TokenKind::Possessive);
        if !text.is_empty() && !tight {
            text.push(' ');
        }
        text.push_str(&shown(token));
    }
    text
}
