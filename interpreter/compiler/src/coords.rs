//! Canonical coordinates: spans that do not move when a comment is written between two clauses.
//!
//! The grammar gives spans relative to the item. They still move for every clause below an edit, and with
//! them everything that was copied out of the tree. So the compiler moves each top-level clause of an item
//! to a fixed start, `(index + 1) << 20`, before anything reads it; the header keeps its place below
//! `1 << 20`. Reading and lowering see ordinary ordered spans; only reports and the linker translate them
//! back, through [`Anchors`] and [`Places`].

use std::sync::Arc;

use netrep_grammar::tree::{Clause, Item, Span, Token, TokenKind};
use netrep_ir::{Place, Text};
use serde::{Deserialize, Serialize};

/// Bits of a position within a clause.
const BITS: u32 = 20;
/// An item has at most this many top-level clauses.
pub(crate) const MAX_CLAUSES: usize = (1 << (32 - BITS)) - 2;
/// A clause, or the header, has at most this many bytes.
pub(crate) const MAX_CLAUSE_BYTES: u32 = (1 << BITS) - 1;

/// A number of bytes, or of clauses, of a text.
pub(crate) fn bytes(count: usize) -> u32 {
    netrep_ir::limits::in_32_bits(count)
}

/// The canonical start of a clause.
pub(crate) fn clause_start(index: usize) -> u32 {
    bytes(index.min(MAX_CLAUSES) + 1) << BITS
}

/// The index of the clause in which a canonical position lies; `None` in the header.
pub(crate) fn clause_index(position: u32) -> Option<usize> {
    usize::try_from(position >> BITS).ok()?.checked_sub(1)
}

/// Where the clauses of an item really start, in bytes from the start of the item's text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Anchors {
    starts: Vec<u32>,
}

impl Anchors {
    /// The bytes of the item's text that a canonical span stands for.
    pub(crate) fn real(&self, span: Span) -> Span {
        let start = self.position(span.start);
        // An end may be one past the last byte of a clause, but never lies in the next one.
        Span::new(start, self.position(span.end).max(start))
    }

    /// The bytes of the item's text from the start of the clause in which a byte lies to that of the next one; before the first
    /// clause, the header.
    pub(crate) fn around(&self, at: u32, end: u32) -> Span {
        let next = self.starts.partition_point(|start| *start <= at);
        let start = next.checked_sub(1).and_then(|own| self.starts.get(own)).copied();
        // total: the header begins with the item, and the last clause ends with it
        Span::new(start.unwrap_or(0), self.starts.get(next).copied().unwrap_or(end).min(end))
    }

    fn position(&self, position: u32) -> u32 {
        match clause_index(position).and_then(|index| self.starts.get(index)) {
            Some(start) => start + (position & MAX_CLAUSE_BYTES),
            // The header, and an item that was too large to be moved, are in bytes.
            None => position,
        }
    }
}

/// Moves an item into canonical coordinates. `Err` names the clause, or the header, that is too large.
pub(crate) fn canonical(mut item: Item) -> Result<(Item, Anchors), Span> {
    let header_end = item.header.last().map_or(item.head_span.end, |t| t.span.end);
    if header_end > MAX_CLAUSE_BYTES {
        return Err(item.head_span);
    }
    if let Some(clause) = item.clauses.get(MAX_CLAUSES) {
        return Err(clause.span);
    }
    let mut starts = Vec::with_capacity(item.clauses.len());
    for (index, clause) in item.clauses.iter_mut().enumerate() {
        if clause.span.end.saturating_sub(clause.span.start) > MAX_CLAUSE_BYTES {
            return Err(clause.span);
        }
        starts.push(clause.span.start);
        move_clause(clause, clause.span.start, clause_start(index));
    }
    // What is faulty is asked for its words only.
    for clause in &mut item.faulty {
        move_clause(clause, clause.span.start, 0);
    }
    item.span = Span::new(item.head_span.start, header_end);
    Ok((item, Anchors { starts }))
}

/// Moves a clause so that what stood at `from` stands at `to`.
pub(crate) fn move_clause(clause: &mut Clause, from: u32, to: u32) {
    move_span(&mut clause.span, from, to);
    if let Some(marker) = &mut clause.marker {
        move_span(&mut marker.span, from, to);
    }
    move_tokens(&mut clause.tokens, from, to);
    for inner in clause.block.iter_mut().flatten() {
        move_clause(inner, from, to);
    }
}

/// Moves tokens so that what stood at `from` stands at `to`.
pub(crate) fn move_tokens(tokens: &mut [Token], from: u32, to: u32) {
    for token in tokens {
        move_span(&mut token.span, from, to);
        if let TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) = &mut token.kind {
            move_tokens(inner, from, to);
        }
    }
}

fn move_span(span: &mut Span, from: u32, to: u32) {
    span.start = to + span.start.saturating_sub(from);
    span.end = to + span.end.saturating_sub(from);
}

/// Where a clause of an effective item comes from. An amendment of a nested clause has a region of
/// coordinates of its own, behind those of the top-level clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Anchor {
    /// The item that wrote it: 0 is the item itself, others are the rulings that amend it.
    pub origin: u16,
    /// Its start in that item's canonical coordinates.
    pub start: u32,
    /// Its length in bytes.
    pub length: u32,
}

/// A text that clauses of an effective item come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file.
    pub path: Arc<str>,
    /// Where the item begins in the file, in bytes.
    pub offset: u32,
    /// Where its clauses begin in the item.
    pub anchors: Anchors,
}

impl Origin {
    /// The place of a canonical span of this item.
    pub(crate) fn place(&self, span: Span) -> Place {
        let real = self.anchors.real(span);
        let at = |position: u32| self.offset.saturating_add(position);
        Place { file: Text::from(&self.path), start: at(real.start), end: at(real.end) }
    }
}

/// Translates the spans of an effective item to places in files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The texts; the first is the item itself.
    pub origins: Vec<Origin>,
    /// For each clause of the effective item, where it comes from.
    pub clauses: Arc<[Anchor]>,
}

impl Places {
    /// The place of a span of the effective item.
    pub(crate) fn place(&self, span: Span) -> Place {
        let index = clause_index(span.start);
        let (origin, span) = match index.and_then(|i| self.clauses.get(i).map(|a| (i, a))) {
            None => (0, span),
            Some((index, anchor)) => {
                // A phrase that begins in one text and ends in another is shown up to the end of its clause.
                let shift = |p: u32| anchor.start + p.saturating_sub(clause_start(index)).min(anchor.length);
                (usize::from(anchor.origin), Span::new(shift(span.start), shift(span.end)))
            }
        };
        self.of(origin, span)
    }

    /// The place of a span in the own coordinates of an origin.
    pub(crate) fn of(&self, origin: usize, span: Span) -> Place {
        match self.origins.get(origin) {
            Some(origin) => origin.place(span),
            None => Place::nowhere(),
        }
    }
}
