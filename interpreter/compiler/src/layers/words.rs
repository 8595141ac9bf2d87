//! A cursor over the tokens of a layer's sentence.
//!
//! Rulings and editions are about items, labels and sources, not about things in play, so their sentences
//! are read by hand and not by the phrase resolver.

use std::sync::Arc;

use netrep_grammar::tree::{Clause, Span, Token, TokenKind};

use super::{Target, TargetHead};

/// A cursor over a token list.
pub struct Words<'a> {
    tokens: &'a [Token],
    /// Where to point when the tokens have run out.
    end: Span,
}

impl<'a> Words<'a> {
    /// The tokens of a clause.
    pub(crate) fn of(clause: &'a Clause) -> Self {
        Words::new(&clause.tokens, clause.span)
    }

    /// Some tokens; `fallback` is the place to name if there are none.
    pub fn new(tokens: &'a [Token], fallback: Span) -> Self {
        let end = tokens.last().map_or(fallback, |last| last.span);
        Words { tokens, end }
    }

    /// The place of the next token, or of the last one.
    pub(crate) fn span(&self) -> Span {
        self.tokens.first().map_or(self.end, |token| token.span)
    }

    /// True at the end.
    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The rest.
    pub(crate) fn rest(&self) -> &'a [Token] {
        self.tokens
    }

    /// The next token.
    pub(crate) fn bump(&mut self) -> Option<&'a Token> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first)
    }

    /// Takes the word if it comes next.
    pub(crate) fn eat(&mut self, word: &str) -> bool {
        self.take(|kind| matches!(kind, TokenKind::Word(w) if w == word).then_some(())).is_some()
    }

    /// Takes a comma if it comes next.
    pub(crate) fn comma(&mut self) -> bool {
        self.take(|kind| matches!(kind, TokenKind::Comma).then_some(())).is_some()
    }

    /// Takes the word that comes next, in lower case or capitalised.
    pub(crate) fn word(&mut self) -> Option<(&'a str, Span)> {
        self.take(|kind| match kind {
            TokenKind::Word(w) | TokenKind::Capital(w) => Some(w.as_str()),
            _ => None,
        })
    }

    /// Takes the quoted text that comes next.
    pub(crate) fn quoted(&mut self) -> Option<(&'a str, Span)> {
        self.take(|kind| match kind {
            TokenKind::Quoted(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Takes the number that comes next.
    pub(crate) fn number(&mut self) -> Option<(i64, Span)> {
        self.take(|kind| match kind {
            TokenKind::Number(n) => Some(*n),
            _ => None,
        })
    }

    /// Takes the name of an item that layers can amend: a card's id, a rule's number, or a head and a name in quotes.
    pub(crate) fn target(&mut self) -> Option<(Target, Span)> {
        if let [Token { kind: TokenKind::Word(head), span }, Token { kind: TokenKind::Quoted(name), span: end }, ..] =
            self.tokens
            && let Some(head) = TargetHead::NAMED_BY_WORD.into_iter().find(|one| one.word() == head)
        {
            self.bump();
            self.bump();
            return Some((Target { head, key: Arc::from(name.as_str()) }, span.to(*end)));
        }
        self.take(target)
    }

    /// The rest as the words of a label, joined by one space; `None` if nothing is left.
    pub fn label(&mut self) -> Option<(String, Span)> {
        let (first, last) = (self.tokens.first()?, self.tokens.last()?);
        let label = self.tokens.iter().map(shown).collect::<Vec<_>>().join(" ");
        self.tokens = &[];
        Some((label, first.span.to(last.span)))
    }

    /// Takes what names a document or a part of one: a word, a number as it is written, or quoted text.
    pub(crate) fn name(&mut self) -> Option<String> {
        let is_name = |kind: &TokenKind| {
            use TokenKind::{Capital, Number, Quoted, Reference, Word};
            matches!(kind, Capital(_) | Number(_) | Quoted(_) | Reference(_) | Word(_))
        };
        let token = self.tokens.first().filter(|token| is_name(&token.kind))?;
        self.bump();
        Some(shown(token).replace('"', ""))
    }

    /// The place of all that is left.
    pub(crate) fn whole_span(&self) -> Span {
        match (self.tokens.first(), self.tokens.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => self.end,
        }
    }

    /// The rest as a date is written: parts of two digits or more, joined by `-`; the blanks that tokens have are ours.
    pub(crate) fn compact(&mut self) -> String {
        let text = self.text();
        let parts = text.split([' ', '-']).filter(|part| !part.is_empty());
        let wide = |part: &str| if part.len() == 1 { format!("0{part}") } else { part.to_owned() };
        parts.map(wide).collect::<Vec<_>>().join("-")
    }

    /// The rest as text, as an author would write it.
    pub(crate) fn text(&mut self) -> String {
        let text = joined(self.tokens);
        self.tokens = &[];
        text
    }

    fn take<T>(&mut self, want: impl Fn(&'a TokenKind) -> Option<T>) -> Option<(T, Span)> {
        let (first, rest) = self.tokens.split_first()?;
        let found = want(&first.kind)?;
        self.tokens = rest;
        Some((found, first.span))
    }
}

/// The item that a token names.
fn target(kind: &TokenKind) -> Option<Target> {
    match kind {
        TokenKind::Capital(id) => Some(Target::card(id)),
        TokenKind::Reference(number) => Some(Target::rule(number)),
        TokenKind::Word(number) if number.starts_with(|c: char| c.is_ascii_digit()) => Some(Target::rule(number)),
        TokenKind::Number(number) => Some(Target::rule(&number.to_string())),
        _ => None,
    }
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

/// Tokens as text, with a space between words and none before punctuation.
pub(crate) fn joined(tokens: &[Token]) -> String {
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
