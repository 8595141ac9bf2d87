//! Rows found in the tokens of the skeleton: the forms of blocks, data and declarations.
//!
//! No vocabulary is needed. Of several ways in which a row fits, the one is meant that takes more words for the row's
//! own, then the one whose names are longer.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Span, Token, TokenKind};

use super::closed::is_label;
use super::forms::{Category, Forms, Kept, List, Part, Reader, Row};
use super::render::joined_by_or;
use crate::finding::Finding;

/// So many words may be in one name.
const MOST_WORDS: usize = 64;

/// A row that was found, with what its holes hold.
#[derive(Clone, Debug)]
pub(super) struct Outline<'t> {
    pub row: &'static Row,
    pieces: Vec<Option<Held<'t>>>,
    /// So many words and signs are the row's own.
    own: usize,
}

/// What a hole holds.
#[derive(Clone, Debug)]
enum Held<'t> {
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
    expected: Vec<String>,
    /// The row that came so far.
    row: Option<&'static Row>,
}

impl Miss {
    /// As an error about a declaration.
    pub(super) fn error(&self, code: Code) -> Finding {
        let what = match self.row {
            Some(row) if row.category == Category::Blocks => row.name,
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
    pub(super) fn has(&self, hole: &str) -> bool {
        self.piece(hole).is_some()
    }

    /// Which of the row's words stands in a hole.
    pub(super) fn word(&self, hole: &str) -> Option<&'static str> {
        match self.piece(hole)? {
            Held::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The tokens in a hole.
    pub(super) fn tokens(&self, hole: &str) -> Option<&'t [Token]> {
        match self.piece(hole)? {
            Held::Tokens(tokens) => Some(tokens),
            _ => None,
        }
    }

    /// The words in a hole; none if it is empty.
    pub(super) fn words(&self, hole: &str) -> Vec<Arc<str>> {
        self.tokens(hole).into_iter().flat_map(words).collect()
    }

    /// The words in a hole, joined.
    pub(super) fn text(&self, hole: &str) -> Arc<str> {
        Arc::from(self.words(hole).join(" "))
    }

    /// The words of each of several.
    pub(super) fn each(&self, hole: &str) -> impl Iterator<Item = Vec<Arc<str>>> {
        self.each_tokens(hole).map(words)
    }

    /// The tokens of each of several.
    pub(super) fn each_tokens(&self, hole: &str) -> impl Iterator<Item = &'t [Token]> {
        self.several(hole).iter().filter_map(|held| match held {
            Held::Tokens(tokens) => Some(*tokens),
            _ => None,
        })
    }

    /// The row in a hole.
    pub(super) fn part(&self, hole: &str) -> Option<&Outline<'t>> {
        match self.piece(hole)? {
            Held::Row(row) => Some(row),
            _ => None,
        }
    }

    /// The row of each of several.
    pub(super) fn parts(&self, hole: &str) -> impl Iterator<Item = &Outline<'t>> {
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

    /// The clauses of a block.
    pub(super) fn clauses(&self, hole: &str) -> &'t [Clause] {
        match self.piece(hole) {
            Some(Held::Clauses(clauses)) => clauses,
            _ => &[],
        }
    }
}

/// The words of tokens that are words.
fn words(tokens: &[Token]) -> Vec<Arc<str>> {
    tokens.iter().filter_map(|t| spelled(t).map(Arc::from)).collect()
}

/// A word of a name: in lower case, with a capital, or `&`.
fn spelled(token: &Token) -> Option<&str> {
    match &token.kind {
        TokenKind::Word(w) | TokenKind::Capital(w) => Some(w),
        TokenKind::Op(op) if op == "&" => Some("&"),
        _ => None,
    }
}

/// True if the token is this word or sign of a row.
fn is(token: &Token, what: &str) -> bool {
    match &token.kind {
        TokenKind::Word(w) => w == what,
        TokenKind::Op(op) => op == what,
        TokenKind::Comma => what == ",",
        TokenKind::Colon => what == ":",
        TokenKind::Semi => what == ";",
        _ => false,
    }
}

/// The tokens in a group of this opening sign.
fn inside<'t>(token: &'t Token, open: &str) -> Option<&'t [Token]> {
    match (&token.kind, open) {
        (TokenKind::Paren(inner), "(") | (TokenKind::Bracket(inner), "[") => Some(inner),
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

/// The preferred way in which a row of a category fits tokens.
pub(super) fn part<'t>(forms: &Forms, category: Category, tokens: &'t [Token]) -> Option<Outline<'t>> {
    Search::new(forms, false).exact(category, Level { tokens, end: End::default(), block: None }).ok()
}

/// Where tokens end: for messages.
#[derive(Clone, Copy, Default)]
struct End {
    /// Compared with where tokens start.
    order: u32,
    span: Span,
}

/// Tokens of one group.
#[derive(Clone, Copy)]
struct Level<'t> {
    tokens: &'t [Token],
    end: End,
    block: Option<&'t [Clause]>,
}

impl<'t> Level<'t> {
    fn of(header: Header<'t>) -> Self {
        let span = header.tokens.last().map_or(header.at, |t| t.span);
        Level { tokens: header.tokens, end: End { order: span.end, span }, block: header.block }
    }

    /// The tokens in a group.
    fn within(token: &Token, tokens: &'t [Token]) -> Self {
        let close = Span::new(token.span.end.saturating_sub(1), token.span.end);
        Level { tokens, end: End { order: close.start, span: close }, block: None }
    }

    /// The tokens before a place.
    fn before(self, end: usize) -> Self {
        let after = self.tokens.get(end).map_or(self.end, |t| End { order: t.span.start, span: t.span });
        Level { tokens: self.tokens.split_at(end.min(self.tokens.len())).0, end: after, block: None }
    }

    /// The tokens from a place.
    fn from(self, at: usize) -> &'t [Token] {
        self.tokens.split_at(at.min(self.tokens.len())).1
    }

    fn place(self, at: usize) -> End {
        self.tokens.get(at).map_or(self.end, |t| End { order: t.span.start, span: t.span })
    }
}

/// A way in which parts fit.
#[derive(Clone)]
struct Way<'t> {
    /// How far.
    at: usize,
    /// The block is read.
    closed: bool,
    pieces: Vec<Option<Held<'t>>>,
    own: usize,
}

/// What a hole holds: where it ends, and how many of the row's own words there are up to there.
type Filled<'t> = (usize, Held<'t>, usize);

/// What is still to be found behind an option.
struct Rest<'r> {
    parts: &'static [Part],
    next: Option<&'r Rest<'r>>,
}

/// The farthest place.
#[derive(Default)]
struct Far {
    end: End,
    /// So many of the row's own words stand before it, on the way that has the most.
    own: usize,
    expected: Vec<String>,
    row: Option<&'static Row>,
}

struct Search<'f> {
    forms: &'f Forms,
    /// What could have stood at the farthest place is noted: only where nothing fits, to say why.
    notes: bool,
    far: RefCell<Far>,
    /// The row that is looked for.
    row: Cell<Option<&'static Row>>,
}

impl<'f> Search<'f> {
    fn new(forms: &'f Forms, notes: bool) -> Self {
        Search { forms, notes, far: RefCell::default(), row: Cell::new(None) }
    }

    fn miss(&self, at: Span) -> Miss {
        let far = self.far.borrow();
        let span = if far.expected.is_empty() { at } else { far.end.span };
        Miss { span, expected: far.expected.clone(), row: far.row }
    }

    /// Notes what could have stood at a place, behind so many of the row's own words.
    fn expect(&self, place: End, own: usize, what: impl Fn() -> String) {
        let mut far = self.far.borrow_mut();
        if !self.notes || !far.expected.is_empty() && (own, place.order) < (far.own, far.end.order) {
            return;
        }
        if far.expected.is_empty() || (own, place.order) > (far.own, far.end.order) {
            *far = Far { end: place, own, expected: Vec::new(), row: self.row.get() };
        }
        let what = what();
        if !far.expected.contains(&what) {
            far.expected.push(what);
        }
    }

    /// The ways in which one of the rows fits all of the tokens and the block.
    fn whole<'t>(
        &self,
        rows: impl Iterator<Item = (&'static Row, &'static [Part])>,
        level: Level<'t>,
    ) -> Result<Vec<Outline<'t>>, Missed<'t>> {
        let mut fitting: Vec<Outline<'t>> = Vec::new();
        let mut before: Option<(usize, Outline<'t>)> = None;
        for (row, parts) in rows {
            self.row.set(Some(row));
            for way in self.ways(row, parts, level, (0, 0)) {
                let Way { at, closed, pieces, own } = way;
                let found = Outline { row, pieces, own };
                if at == level.tokens.len() && closed == level.block.is_some() {
                    fitting.push(found);
                } else {
                    self.expect(level.place(at), found.own, || "its end here".to_owned());
                    if before.as_ref().is_none_or(|(far, old)| (found.own, at) > (old.own, *far)) {
                        before = Some((at, found));
                    }
                }
            }
        }
        fitting.sort_by_key(|found| std::cmp::Reverse(found.own));
        match fitting.is_empty() {
            false => Ok(fitting),
            true => Err(Missed { before: before.map(|(_, found)| found), miss: self.miss(level.end.span) }),
        }
    }

    /// The preferred way in which a row of a category fits all of the tokens.
    fn exact<'t>(&self, category: Category, level: Level<'t>) -> Result<Outline<'t>, Missed<'t>> {
        let rows = self.forms.of_category(category).iter().map(|row| (*row, row.parts));
        let found = self.whole(rows, level)?;
        // total: what fits in no way is missed
        found.into_iter().next().ok_or_else(|| Missed { before: None, miss: self.miss(level.end.span) })
    }

    /// The ways in which a row's parts fit from a place, longer names first.
    fn ways<'t>(
        &self,
        row: &'static Row,
        parts: &'static [Part],
        level: Level<'t>,
        (at, own): (usize, usize),
    ) -> Vec<Way<'t>> {
        let start = Way { at, closed: false, pieces: vec![None; row.holes.len()], own };
        let mut out = Vec::new();
        self.find(row, parts, None, level, start, &mut out);
        out
    }

    fn find<'t>(
        &self,
        row: &'static Row,
        parts: &'static [Part],
        rest: Option<&Rest<'_>>,
        level: Level<'t>,
        way: Way<'t>,
        out: &mut Vec<Way<'t>>,
    ) {
        let Some((part, tail)) = parts.split_first() else {
            match rest {
                Some(rest) => self.find(row, rest.parts, rest.next, level, way, out),
                None => out.push(way),
            }
            return;
        };
        match part {
            Part::Before => self.find(row, tail, rest, level, way, out),
            Part::Option(inner) => {
                self.find(row, inner, Some(&Rest { parts: tail, next: rest }), level, way.clone(), out);
                self.find(row, tail, rest, level, way, out);
            }
            Part::Words { any: [open @ ("(" | "[" | "{")], .. } => {
                let close = close_of(open);
                let end = tail.iter().position(|p| matches!(p, Part::Words { any: [w], .. } if *w == close));
                // total: a row without the closing sign fits nowhere, which its example shows
                let Some((inner, [_, tail @ ..])) = end.map(|end| tail.split_at(end)) else { return };
                for way in self.grouped(row, open, inner, level, way) {
                    self.find(row, tail, rest, level, way, out);
                }
            }
            Part::Words { hole, any, .. } => {
                let here = level.tokens.get(way.at);
                let Some(word) = here.and_then(|token| any.iter().find(|w| is(token, w))).filter(|_| !way.closed)
                else {
                    any.iter().for_each(|w| self.expect(level.place(way.at), way.own, || format!("`{w}`")));
                    return;
                };
                let mut way = Way { at: way.at + 1, own: way.own + 1, ..way };
                if let Some(piece) = hole.and_then(|hole| way.pieces.get_mut(hole)) {
                    *piece = Some(Held::Word(word));
                }
                self.find(row, tail, rest, level, way, out);
            }
            Part::Hole { hole, read, list } => {
                let found = match list {
                    None => self.held(read, level, (way.at, way.own)),
                    Some(list) => self.listed(read, list, level, (way.at, way.own)),
                };
                for (at, held, own) in found {
                    let mut way = Way { at, own, ..way.clone() };
                    if let Some(piece) = way.pieces.get_mut(*hole) {
                        *piece = Some(held);
                    }
                    self.find(row, tail, rest, level, way, out);
                }
            }
        }
    }

    /// A group of tokens, or the block, with the parts between its signs.
    fn grouped<'t>(
        &self,
        row: &'static Row,
        open: &'static str,
        inner: &'static [Part],
        level: Level<'t>,
        way: Way<'t>,
    ) -> Vec<Way<'t>> {
        let place = level.place(way.at);
        if open == "{" {
            let (Some(block), [Part::Hole { hole, read: [reader], .. }], true) =
                (level.block, inner, way.at == level.tokens.len() && !way.closed)
            else {
                self.expect(place, way.own, || "a block in braces".to_owned());
                return Vec::new();
            };
            let mut way = Way { closed: true, ..way };
            if let Some(piece) = way.pieces.get_mut(*hole) {
                *piece = Some(match reader {
                    Reader::Cell(category) => Held::Lines(self.lines(*category, block)),
                    Reader::Own(_) | Reader::Kept(_) => Held::Clauses(block),
                });
            }
            return vec![way];
        }
        let Some((token, tokens)) = level.tokens.get(way.at).and_then(|t| inside(t, open).map(|inner| (t, inner)))
        else {
            self.expect(place, way.own, || format!("`{open}`"));
            return Vec::new();
        };
        let within = Level::within(token, tokens);
        let mut found = Vec::new();
        let start = Way { at: 0, ..way.clone() };
        self.find(row, inner, None, within, start, &mut found);
        found.retain(|inner| {
            let whole = inner.at == tokens.len();
            if !whole {
                self.expect(within.place(inner.at), inner.own, || format!("`{}`", close_of(open)));
            }
            whole
        });
        found.into_iter().map(|inner| Way { at: way.at + 1, ..inner }).collect()
    }

    /// The row of a category in each clause of a block.
    fn lines<'t>(&self, category: Category, block: &'t [Clause]) -> Vec<Result<Outline<'t>, Miss>> {
        let line = |clause: &'t Clause| {
            let header = Header { tokens: &clause.tokens, at: clause.span, block: clause.block.as_deref() };
            let level = Level::of(header);
            let quiet = Search::new(self.forms, false).exact(category, level);
            quiet.or_else(|_| Search::new(self.forms, true).exact(category, level)).map_err(|missed| missed.miss)
        };
        block.iter().map(line).collect()
    }

    /// What a hole may hold from a place, the longer first.
    fn held<'t>(&self, readers: &'static [Reader], level: Level<'t>, (at, own): (usize, usize)) -> Vec<Filled<'t>> {
        let mut found = Vec::new();
        for reader in readers {
            match reader {
                Reader::Kept(kept) => {
                    let tokens = level.from(at);
                    let ends = ends(*kept, tokens);
                    if ends.is_empty() {
                        self.expect(level.place(at), own, || shown(*kept).to_owned());
                    }
                    found.extend(ends.into_iter().map(|len| (at + len, Held::Tokens(tokens.split_at(len).0), own)));
                }
                Reader::Cell(category) if is_block(*category) => found.extend(self.rows(*category, level, (at, own))),
                // A phrase, which the chart reads: all that is left.
                Reader::Cell(_) | Reader::Own(_) => match level.from(at) {
                    tokens @ [_, ..] => found.push((level.tokens.len(), Held::Tokens(tokens), own)),
                    _ => self.expect(level.place(at), own, || "a value".to_owned()),
                },
            }
        }
        found
    }

    /// The rows of a category from a place; what none of them begins with is told by the category's name.
    fn rows<'t>(&self, category: Category, level: Level<'t>, (at, own): (usize, usize)) -> Vec<Filled<'t>> {
        let noted = self.far.take();
        let mut found = Vec::new();
        for row in self.forms.of_category(category) {
            for way in self.ways(row, row.parts, Level { block: None, ..level }, (at, own)) {
                let Way { at, pieces, own, .. } = way;
                found.push((at, Held::Row(Outline { row, pieces, own }), own));
            }
        }
        if self.notes {
            let inner = self.far.replace(noted);
            let shown = category.info().shown;
            let place = level.place(at);
            let nowhere = inner.expected.is_empty() || inner.end.order <= place.order;
            if nowhere && found.is_empty() && !shown.is_empty() {
                self.expect(place, own, || shown.to_owned());
            } else if !nowhere || shown.is_empty() {
                inner.expected.iter().for_each(|what| self.expect(inner.end, inner.own, || what.clone()));
            }
        }
        found
    }

    /// Several from a place, as many as there are, with signs or words between them.
    fn listed<'t>(
        &self,
        readers: &'static [Reader],
        list: &'static List,
        level: Level<'t>,
        (mut at, mut own): (usize, usize),
    ) -> Vec<Filled<'t>> {
        let mut several: Vec<Held<'t>> = Vec::new();
        loop {
            let next = level.from(at).iter().position(|t| list.between.iter().any(|w| is(t, w))).map(|next| at + next);
            let found = self.held(readers, next.map_or(level, |next| level.before(next)), (at, own));
            let parted = !list.between.is_empty();
            let whole = found.iter().find(|(end, _, _)| !parted || Some(*end) == next).cloned();
            if let Some((end, held, words)) = whole {
                several.push(held);
                own = words;
                at = if parted { end + 1 } else { end };
            } else if parted || several.is_empty() {
                let last =
                    |(end, held, own)| (end, Held::Several(several.iter().cloned().chain([held]).collect()), own);
                return found.into_iter().map(last).collect();
            } else {
                return vec![(at, Held::Several(several), own)];
            }
        }
    }
}

/// True for a category whose rows are found in tokens.
fn is_block(category: Category) -> bool {
    category.info().sort == "block"
}

fn close_of(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "{" => "}",
        _ => "]",
    }
}

/// What messages call what a hole holds.
fn shown(kept: Kept) -> &'static str {
    match kept {
        Kept::Class => "the name of a class",
        Kept::Clauses => "a block in braces",
        Kept::Rest => "what it says",
        Kept::Figure => "the name of a figure",
        Kept::Label => "a label",
        Kept::Term => "a term",
        Kept::Value => "a value",
        Kept::Word | Kept::Words => "a name",
    }
}

/// How many of the tokens a hole may hold, the most first.
fn ends(kept: Kept, tokens: &[Token]) -> Vec<usize> {
    let run = |is: fn(&Token) -> bool| tokens.iter().take(MOST_WORDS).take_while(|t| is(t)).count();
    let word: fn(&Token) -> bool = |t| spelled(t).is_some();
    let lower: fn(&Token) -> bool = |t| spelled(t).is_some() && !matches!(t.kind, TokenKind::Capital(_));
    let capital = |t: &Token| matches!(t.kind, TokenKind::Capital(_));
    let labels = |t: &Token| matches!(&t.kind, TokenKind::Capital(w) if is_label(w));
    match kept {
        Kept::Words => (1..=run(word)).rev().collect(),
        Kept::Word => (1..=run(word).min(1)).collect(),
        // A label behind the name is none of its words.
        Kept::Class => (1..=run(word)).rev().filter(|len| !tokens.get(len - 1).is_some_and(labels)).collect(),
        Kept::Figure => (1..=run(lower)).rev().collect(),
        Kept::Term if tokens.first().is_some_and(capital) => (1..=run(word)).rev().collect(),
        Kept::Label if tokens.first().is_some_and(labels) => vec![1],
        Kept::Term | Kept::Label | Kept::Clauses => Vec::new(),
        Kept::Value => (1..=tokens.len()).rev().take(1).collect(),
        Kept::Rest => vec![tokens.len()],
    }
}
