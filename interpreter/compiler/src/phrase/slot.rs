//! Token trees as one flat row of slots, so that a place in a phrase is a plain index.
//!
//! A group becomes an opening slot, its contents and a closing slot. The prefix `non-` is split from its
//! word, because it may stand before any adjective, class or catalogue term.

use netrep_grammar::tree::{Span, Token, TokenKind};

/// What stands in a slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum SlotKind {
    /// A lower-case word.
    Word(String),
    /// A capitalised word.
    Capital(String),
    /// A quoted name.
    Quoted(String),
    /// A number.
    Number(i64),
    /// The prefix `non-` of the slot that follows.
    Non,
    /// A sign: operators, punctuation, `'s`, and the brackets of groups.
    Sign(&'static str),
    /// A sign that the language has no use for.
    Other,
}

/// A token in the row.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// What it is.
    pub kind: SlotKind,
    /// Where it stands in the item.
    pub span: Span,
}

impl Slot {
    /// The word, capitalised or not.
    pub(super) fn word(&self) -> Option<&str> {
        match &self.kind {
            SlotKind::Word(w) | SlotKind::Capital(w) => Some(w),
            SlotKind::Sign("&") => Some("&"),
            _ => None,
        }
    }

    /// How a message names it.
    pub(super) fn shown(&self) -> String {
        match &self.kind {
            SlotKind::Word(w) | SlotKind::Capital(w) => format!("`{w}`"),
            SlotKind::Quoted(q) => format!("\"{q}\""),
            SlotKind::Number(n) => format!("`{n}`"),
            SlotKind::Non => "`non-`".to_owned(),
            SlotKind::Sign(s) => format!("`{s}`"),
            SlotKind::Other => "this sign".to_owned(),
        }
    }
}

/// Deeper groups than this are cut off; the skeleton refuses them before.
const MAX_DEPTH: u32 = 64;

/// The row of slots of a token list.
pub(super) fn flatten(tokens: &[Token]) -> Vec<Slot> {
    let mut row = Vec::with_capacity(tokens.len() + 8);
    flatten_into(tokens, &mut row, 0);
    row
}

fn flatten_into(tokens: &[Token], row: &mut Vec<Slot>, depth: u32) {
    for token in tokens {
        let span = token.span;
        let one = |kind| Slot { kind, span };
        match &token.kind {
            TokenKind::Word(w) => push_word(row, w, span),
            TokenKind::Capital(w) => row.push(one(SlotKind::Capital(w.clone()))),
            TokenKind::Quoted(q) => row.push(one(SlotKind::Quoted(q.clone()))),
            TokenKind::Number(n) => row.push(one(SlotKind::Number(*n))),
            TokenKind::Op(op) => row.push(one(sign(op))),
            TokenKind::Possessive => row.push(one(SlotKind::Sign("'s"))),
            TokenKind::Comma => row.push(one(SlotKind::Sign(","))),
            TokenKind::Semi => row.push(one(SlotKind::Sign(";"))),
            TokenKind::Colon => row.push(one(SlotKind::Sign(":"))),
            TokenKind::Paren(inner) => group(row, inner, span, "(", ")", depth),
            TokenKind::Bracket(inner) => group(row, inner, span, "[", "]", depth),
            TokenKind::Brace(inner) => group(row, inner, span, "{", "}", depth),
            #[allow(unreachable_patterns)]
            _ => row.push(one(SlotKind::Other)),
        }
    }
}

fn group(row: &mut Vec<Slot>, inner: &[Token], span: Span, open: &'static str, close: &'static str, depth: u32) {
    row.push(Slot { kind: SlotKind::Sign(open), span: Span::new(span.start, span.start.saturating_add(1)) });
    if depth < MAX_DEPTH {
        flatten_into(inner, row, depth + 1);
    }
    row.push(Slot { kind: SlotKind::Sign(close), span: Span::new(span.end.saturating_sub(1), span.end) });
}

fn push_word(row: &mut Vec<Slot>, word: &str, span: Span) {
    let Some(rest) = word.strip_prefix("non-").filter(|r| !r.is_empty()) else {
        row.push(Slot { kind: SlotKind::Word(word.to_owned()), span });
        return;
    };
    let cut = span.start.saturating_add(4).min(span.end);
    row.push(Slot { kind: SlotKind::Non, span: Span::new(span.start, cut) });
    let kind = if rest.starts_with(char::is_uppercase) {
        SlotKind::Capital(rest.to_owned())
    } else {
        SlotKind::Word(rest.to_owned())
    };
    row.push(Slot { kind, span: Span::new(cut, span.end) });
}

fn sign(op: &str) -> SlotKind {
    const SIGNS: [&str; 11] = ["+", "-", "*", "=", "<", ">", "<=", ">=", "/", "&", "."];
    match SIGNS.iter().find(|s| **s == op) {
        Some(sign) => SlotKind::Sign(sign),
        None => SlotKind::Other,
    }
}

/// The sign that is written so.
pub(super) fn sign_of(text: &str) -> Option<&'static str> {
    const MARKS: [&str; 18] =
        ["+", "-", "*", "=", "<", ">", "<=", ">=", "/", "&", "'s", ",", ";", ":", "(", ")", "{", "}"];
    MARKS.iter().find(|mark| **mark == text).copied()
}

/// The words of a part of a row, as they are written.
pub(super) fn spelled(slots: &[Slot], from: usize, to: usize) -> String {
    let mut text = String::new();
    let mut glue = true;
    let mut before: Option<&SlotKind> = None;
    for slot in slots.iter().take(to).skip(from) {
        let (word, tight) = match &slot.kind {
            SlotKind::Word(w) | SlotKind::Capital(w) => (w.clone(), false),
            SlotKind::Quoted(q) => (format!("\"{q}\""), false),
            SlotKind::Number(n) => (n.to_string(), false),
            SlotKind::Non => ("non-".to_owned(), false),
            SlotKind::Sign(s) => ((*s).to_owned(), matches!(*s, "'s" | "," | ";" | ":" | ")" | "/")),
            SlotKind::Other => ("?".to_owned(), false),
        };
        if !glue && !tight {
            text.push(' ');
        }
        // A sign of a number stands before it, unless it joins two.
        let joins = matches!(before, Some(SlotKind::Number(_) | SlotKind::Capital(_) | SlotKind::Sign(")")));
        glue = match slot.kind {
            SlotKind::Non | SlotKind::Sign("(" | "/") => true,
            SlotKind::Sign("+" | "-") => !joins,
            _ => false,
        };
        before = Some(&slot.kind);
        text.push_str(&word);
    }
    text
}
