//! The search for rows in tokens: all ways in which the parts of a row fit, and the farthest place if none does.

use std::cell::{Cell, RefCell};

use netrep_grammar::tree::{Clause, Span, Token};

use super::forms::{Category, Forms, List, Part, Reader, Row};
use super::kept::{ends, inside, is, shown};
use super::outline::{Header, Held, Miss, Missed, Outline};

/// Where tokens end: for messages.
#[derive(Clone, Copy, Default)]
struct End {
    /// Compared with where tokens start.
    order: u32,
    span: Span,
}

/// Tokens of one group.
#[derive(Clone, Copy)]
pub(super) struct Level<'t> {
    tokens: &'t [Token],
    end: End,
    block: Option<&'t [Clause]>,
}

impl<'t> Level<'t> {
    pub(super) fn of(header: Header<'t>) -> Self {
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

/// A search.
pub(super) struct Search<'f> {
    forms: &'f Forms,
    /// What could have stood at the farthest place is noted: only where nothing fits, to say why.
    notes: bool,
    far: RefCell<Far>,
    /// The row that is looked for.
    row: Cell<Option<&'static Row>>,
}

impl<'f> Search<'f> {
    pub(super) fn new(forms: &'f Forms, notes: bool) -> Self {
        Search { forms, notes, far: RefCell::default(), row: Cell::new(None) }
    }

    pub(super) fn miss(&self, at: Span) -> Miss {
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
    pub(super) fn whole<'t>(
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
        let mut out = Vec::new();
        if !self.may_go_on(parts, None, level, at) {
            return out;
        }
        let start = Way { at, closed: false, pieces: vec![None; row.holes.len()], own };
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
                let behind = Rest { parts: tail, next: rest };
                if self.may_go_on(inner, Some(&behind), level, way.at) {
                    self.find(row, inner, Some(&behind), level, way.clone(), out);
                }
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
                    if !self.may_go_on(tail, rest, level, at) {
                        continue;
                    }
                    let mut way = Way { at, own, ..way.clone() };
                    if let Some(piece) = way.pieces.get_mut(*hole) {
                        *piece = Some(held);
                    }
                    self.find(row, tail, rest, level, way, out);
                }
            }
        }
    }

    /// False where a word or sign that must stand at a place does not: then no way need be copied that ends there. Where it is
    /// noted what could have stood, all is looked for.
    fn may_go_on(&self, parts: &[Part], rest: Option<&Rest<'_>>, level: Level<'_>, at: usize) -> bool {
        match (parts.first(), rest) {
            _ if self.notes => true,
            (Some(Part::Words { any: ["{"], .. }), _) => level.block.is_some() && at == level.tokens.len(),
            (Some(Part::Words { any: [open @ ("(" | "[")], .. }), _) => {
                level.tokens.get(at).is_some_and(|token| inside(token, open).is_some())
            }
            (Some(Part::Words { any, .. }), _) => {
                level.tokens.get(at).is_some_and(|token| any.iter().any(|word| is(token, word)))
            }
            (Some(Part::Hole { .. } | Part::Option(_) | Part::Before), _) | (None, None) => true,
            (None, Some(rest)) => self.may_go_on(rest.parts, rest.next, level, at),
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
                if let Some(sign) = list.between.first() {
                    found.iter().for_each(|(end, _, own)| self.expect(level.place(*end), *own, || format!("`{sign}`")));
                }
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
