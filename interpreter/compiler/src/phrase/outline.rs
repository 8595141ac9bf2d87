//! Rows found in the tokens of the skeleton: the forms of blocks, data and declarations.
//!
//! No vocabulary is needed. Of several ways in which a row fits, the one is meant that takes more words for the row's
//! own, then the one whose names are longer.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Span, Token, TokenKind};

use super::forms::{Category, Form, Forms, Part, Row};
use super::kept::spelled;
use super::render::joined_by_or;
use super::search::{Level, Search};
use crate::finding::Finding;
use crate::layers::words::joined;

/// A row that was found, with what its holes hold.
#[derive(Clone, Debug)]
pub struct Outline<'t> {
    pub(super) row: &'static Row,
    pub(super) pieces: Vec<Option<Held<'t>>>,
    /// So many words and signs are the row's own.
    pub(super) own: usize,
}

/// What a hole holds.
#[derive(Clone, Debug)]
pub(super) enum Held<'t> {
    /// One of the row's words.
    Word(&'static str),
    Tokens(&'t [Token]),
    Row(Outline<'t>),
    Several(Vec<Held<'t>>),
    Clauses(&'t [Clause]),
    /// A row in each clause of a block.
    Lines(Vec<Result<Outline<'t>, Miss>>),
}

/// Why no row fits: the farthest place on the way with the most words of the row, and what could have stood there.
#[derive(Clone, Debug)]
pub(super) struct Miss {
    pub span: Span,
    pub(super) expected: Vec<String>,
    /// The row that came so far.
    pub(super) row: Option<&'static Row>,
}

impl Miss {
    /// As an error about a declaration.
    pub(super) fn error(&self, code: Code) -> Finding {
        let what = match self.row {
            Some(row) if row.category == Category::Blocks => row.name,
            Some(row) if row.category == Category::Data => "sentence",
            Some(row) if row.category == Category::Header => "header",
            _ => "declaration",
        };
        let error = Finding::new(code, self.span, format!("this {what} needs {}", joined_by_or(&self.expected)));
        match self.row {
            Some(row) => error.help(format!("write it like `{}`", row.example)),
            None => error,
        }
    }
}

/// No row fits.
pub(super) struct Missed<'t> {
    pub miss: Miss,
    /// What stands before the mistake, if that is a form by itself.
    pub before: Option<Outline<'t>>,
}

impl<'t> Outline<'t> {
    fn piece(&self, hole: &str) -> Option<&Held<'t>> {
        let at = self.row.holes.iter().position(|h| *h == hole)?;
        self.pieces.get(at)?.as_ref()
    }

    /// True if anything stands in the hole.
    pub(crate) fn has(&self, hole: &str) -> bool {
        self.piece(hole).is_some()
    }

    /// Which of the row's words stands in a hole.
    pub(crate) fn word(&self, hole: &str) -> Option<&'static str> {
        match self.piece(hole)? {
            Held::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The tokens in a hole.
    pub(crate) fn tokens(&self, hole: &str) -> Option<&'t [Token]> {
        match self.piece(hole)? {
            Held::Tokens(tokens) => Some(tokens),
            _ => None,
        }
    }

    /// The words in a hole; none if it is empty.
    pub(crate) fn words(&self, hole: &str) -> Vec<Arc<str>> {
        self.tokens(hole).into_iter().flat_map(words).collect()
    }

    /// The words in a hole, joined.
    pub(crate) fn text(&self, hole: &str) -> Arc<str> {
        Arc::from(self.words(hole).join(" "))
    }

    /// The words of each of several.
    pub(super) fn each(&self, hole: &str) -> impl Iterator<Item = Vec<Arc<str>>> {
        self.each_tokens(hole).map(words)
    }

    /// The tokens of each of several.
    pub(crate) fn each_tokens(&self, hole: &str) -> impl Iterator<Item = &'t [Token]> {
        self.several(hole).iter().filter_map(|held| match held {
            Held::Tokens(tokens) => Some(*tokens),
            _ => None,
        })
    }

    /// The row in a hole.
    pub(crate) fn part(&self, hole: &str) -> Option<&Outline<'t>> {
        match self.piece(hole)? {
            Held::Row(row) => Some(row),
            _ => None,
        }
    }

    /// The row of each of several.
    pub(crate) fn parts(&self, hole: &str) -> impl Iterator<Item = &Outline<'t>> {
        self.several(hole).iter().filter_map(|held| match held {
            Held::Row(row) => Some(row),
            _ => None,
        })
    }

    fn several(&self, hole: &str) -> &[Held<'t>] {
        match self.piece(hole) {
            Some(Held::Several(several)) => several,
            _ => &[],
        }
    }

    /// The row in each clause of a block.
    pub(super) fn lines(&self, hole: &str) -> &[Result<Outline<'t>, Miss>] {
        match self.piece(hole) {
            Some(Held::Lines(lines)) => lines,
            _ => &[],
        }
    }

    /// Its row.
    pub fn form(&self) -> Form {
        self.row.form
    }

    /// Where what a hole holds stands.
    pub(crate) fn span(&self, hole: &str) -> Option<Span> {
        let (first, last) = (self.tokens(hole)?.first()?, self.tokens(hole)?.last()?);
        Some(first.span.to(last.span))
    }

    /// What a hole holds as it is written, in a line; empty if it is.
    pub(crate) fn written(&self, hole: &str) -> String {
        // total: an empty hole holds no words
        joined(self.tokens(hole).unwrap_or_default())
    }

    /// The text in quotes that a hole holds.
    pub(crate) fn quoted(&self, hole: &str) -> Option<&'t str> {
        self.tokens(hole)?.first().and_then(quoted)
    }

    /// The texts in quotes of each of several.
    pub(crate) fn each_quoted(&self, hole: &str) -> impl Iterator<Item = &'t str> {
        self.each_tokens(hole).flatten().filter_map(quoted)
    }

    /// The number that a hole holds.
    pub(crate) fn number(&self, hole: &str) -> Option<i64> {
        self.tokens(hole)?.first().and_then(number)
    }

    /// The number of each of several.
    pub(crate) fn each_number(&self, hole: &str) -> impl Iterator<Item = i64> {
        self.each_tokens(hole).flatten().filter_map(number)
    }

    /// The clauses of a block.
    pub(crate) fn clauses(&self, hole: &str) -> &'t [Clause] {
        match self.piece(hole) {
            Some(Held::Clauses(clauses)) => clauses,
            _ => &[],
        }
    }
}

impl Outline<'_> {
    /// What is named a second time in one row of names, if anything is.
    pub(super) fn said_twice(&self, code: Code) -> Option<Finding> {
        self.pieces.iter().flatten().find_map(|held| held.said_twice(code))
    }
}

impl Held<'_> {
    fn said_twice(&self, code: Code) -> Option<Finding> {
        match self {
            Held::Several(several) if several.len() < 2 => None,
            Held::Several(several) => {
                let all: Vec<String> = several.iter().map(Held::written).collect();
                several.iter().zip(&all).enumerate().find_map(|(nth, (again, written))| {
                    let before = all[..nth].iter().position(|before| !written.is_empty() && before == written);
                    let (first, again) = (several[before?].span()?, again.span()?);
                    let twice = Finding::new(code, again, format!("`{written}` is named twice here"));
                    Some(twice.and(first, "the first one").help("name it once"))
                })
            }
            Held::Row(row) => row.said_twice(code),
            Held::Word(_) | Held::Tokens(_) | Held::Clauses(_) | Held::Lines(_) => None,
        }
    }

    fn tokens(&self) -> Vec<&Token> {
        match self {
            Held::Tokens(tokens) => tokens.iter().collect(),
            Held::Several(several) => several.iter().flat_map(Held::tokens).collect(),
            Held::Row(row) => row.pieces.iter().flatten().flat_map(Held::tokens).collect(),
            Held::Word(_) | Held::Clauses(_) | Held::Lines(_) => Vec::new(),
        }
    }

    fn written(&self) -> String {
        let words: Vec<String> = self.tokens().into_iter().map(|token| joined(std::slice::from_ref(token))).collect();
        words.join(" ")
    }

    fn span(&self) -> Option<Span> {
        let tokens = self.tokens();
        Some(tokens.first()?.span.to(tokens.last()?.span))
    }
}

/// The words of tokens that are words.
fn words(tokens: &[Token]) -> Vec<Arc<str>> {
    tokens.iter().filter_map(|t| spelled(t).map(Arc::from)).collect()
}

fn quoted(token: &Token) -> Option<&str> {
    match &token.kind {
        TokenKind::Quoted(text) => Some(text),
        _ => None,
    }
}

fn number(token: &Token) -> Option<i64> {
    match token.kind {
        TokenKind::Number(number) => Some(number),
        _ => None,
    }
}

/// What is read: the tokens of a header, and the clauses of its block.
#[derive(Clone, Copy)]
pub(super) struct Header<'t> {
    pub tokens: &'t [Token],
    /// The word in front of the tokens, or the whole.
    pub at: Span,
    pub block: Option<&'t [Clause]>,
}

/// All ways in which the rows of a category with this first word fit, the preferred one first.
pub(super) fn outlines<'t>(
    forms: &Forms,
    category: Category,
    head: &str,
    header: Header<'t>,
) -> Result<Vec<Outline<'t>>, Missed<'t>> {
    let headed = |row: &&'static Row| match row.parts.split_first() {
        Some((Part::Words { any, .. }, rest)) if any.contains(&head) => Some((*row, rest)),
        _ => None,
    };
    let rows = || forms.of_category(category).iter().filter_map(headed);
    let level = Level::of(header);
    // What does not fit is looked for once more, to say why.
    Search::new(forms, false).whole(rows(), level).or_else(|_| Search::new(forms, true).whole(rows(), level))
}

/// The preferred way in which a row of a category with this first word fits.
pub(super) fn outline<'t>(
    forms: &Forms,
    category: Category,
    head: &str,
    header: Header<'t>,
) -> Result<Outline<'t>, Missed<'t>> {
    let found = outlines(forms, category, head, header)?;
    // total: what fits in no way is missed
    found.into_iter().next().ok_or_else(|| Missed { before: None, miss: Search::new(forms, true).miss(header.at) })
}

/// The preferred way in which one of some rows fits a clause with all its words.
pub(super) fn clause<'t>(forms: &Forms, rows: &[&'static Row], clause: &'t Clause) -> Result<Outline<'t>, Missed<'t>> {
    let level = Level::of(Header { tokens: &clause.tokens, at: clause.span, block: clause.block.as_deref() });
    let rows = || rows.iter().map(|row| (*row, row.parts));
    let quiet = Search::new(forms, false).whole(rows(), level);
    let found = quiet.or_else(|_| Search::new(forms, true).whole(rows(), level))?;
    // total: what fits in no way is missed
    found.into_iter().next().ok_or_else(|| Missed { before: None, miss: Search::new(forms, true).miss(clause.span) })
}
