//! The rows, as the build script has read them, and what their holes hold while a phrase is read.

use std::sync::Arc;

use super::{Builder, Child, Info, List, Part, Reader, Row, Taking};
use crate::phrase::chart::{Hit, T};
use crate::phrase::clause::Polarity;
use crate::phrase::tree::{Cmp, Det, Lasting, Op, TermKey};

/// What a hole holds.
#[derive(Clone)]
pub(in crate::phrase) enum Caught {
    /// A phrase.
    Tree(T),
    /// A declared term.
    Term(Hit),
    /// A label, or words kept as they are.
    Label(Arc<str>),
    /// Which of several words.
    Word(usize),
    /// A number as it is written.
    Amount(i64),
    /// A verb with its roles: the hit, where the verb stands, the roles, the price of their attachment.
    Act(Hit, (usize, usize), Vec<T>, u32),
    /// Facts with their values.
    Facts(Vec<TermKey>, Vec<T>),
    /// Several, each with what stands before it.
    List(Vec<(&'static str, Piece)>),
    /// A figure as it is printed.
    Figure(TermKey, Vec<crate::phrase::clause::FigureValue>),
}

/// What a hole holds, and where it stands.
#[derive(Clone)]
pub(in crate::phrase) struct Piece {
    pub from: usize,
    pub to: usize,
    pub what: Caught,
}

/// A row that was found in the slots.
#[derive(Clone)]
pub(in crate::phrase) struct Match {
    pub row: &'static Row,
    /// Where it begins, with what stands before its own words.
    pub from: usize,
    /// Where its own words begin.
    pub at: usize,
    pub to: usize,
    /// By hole.
    pub pieces: Vec<Option<Piece>>,
}

impl Match {
    /// What the hole of this name holds.
    pub(crate) fn piece(&self, hole: &str) -> Option<&Piece> {
        let at = self.row.holes.iter().position(|h| *h == hole)?;
        self.pieces.get(at)?.as_ref()
    }

    /// The phrase in a hole.
    pub(crate) fn tree(&self, hole: &str) -> Option<&T> {
        self.piece(hole).and_then(Piece::tree)
    }

    /// The term in a hole.
    pub(crate) fn term(&self, hole: &str) -> Option<&Hit> {
        match &self.piece(hole)?.what {
            Caught::Term(hit) => Some(hit),
            _ => None,
        }
    }

    /// The label in a hole.
    pub(crate) fn label(&self, hole: &str) -> Option<&Arc<str>> {
        match &self.piece(hole)?.what {
            Caught::Label(label) => Some(label),
            _ => None,
        }
    }

    /// What a list holds, each with what stands before it.
    pub(crate) fn list(&self, hole: &str) -> &[(&'static str, Piece)] {
        match self.piece(hole).map(|p| &p.what) {
            Some(Caught::List(list)) => list,
            _ => &[],
        }
    }

    /// The phrases of a list.
    pub(crate) fn trees(&self, hole: &str) -> Vec<T> {
        self.list(hole).iter().filter_map(|(_, p)| p.tree().cloned()).collect()
    }

    /// True if the first of a hole's words stands there.
    pub(crate) fn says(&self, hole: &str) -> bool {
        matches!(self.piece(hole).map(|p| &p.what), Some(Caught::Word(0)))
    }

    /// True if anything stands in the hole.
    pub(crate) fn has(&self, hole: &str) -> bool {
        self.piece(hole).is_some()
    }

    /// A duration in a hole.
    pub(crate) fn lasting(&self, hole: &str) -> Option<Lasting> {
        self.tree(hole).and_then(duration)
    }
}

/// The duration that a phrase of its category stands for.
pub(in crate::phrase) fn duration(tree: &T) -> Option<Lasting> {
    match &tree.op {
        Op::During(key) => Some(Lasting::Procedure(key.clone())),
        Op::Stop => Some(Lasting::Game),
        _ => None,
    }
}

impl Piece {
    /// The phrase.
    pub(crate) fn tree(&self) -> Option<&T> {
        match &self.what {
            Caught::Tree(tree) => Some(tree),
            _ => None,
        }
    }
}

/// What an operator says that is no phrase.
pub(in crate::phrase) trait Datum: Sized {
    /// What the hole at a place holds.
    fn of(found: &Match, at: usize) -> Option<Self>;
}

fn caught(found: &Match, at: usize) -> Option<&Caught> {
    found.pieces.get(at)?.as_ref().map(|p| &p.what)
}

impl Datum for TermKey {
    fn of(found: &Match, at: usize) -> Option<Self> {
        match caught(found, at)? {
            Caught::Term(hit) => Some(hit.term.key.clone()),
            _ => None,
        }
    }
}

impl Datum for Arc<str> {
    fn of(found: &Match, at: usize) -> Option<Self> {
        match caught(found, at)? {
            Caught::Label(label) => Some(label.clone()),
            _ => None,
        }
    }
}

impl Datum for bool {
    fn of(found: &Match, at: usize) -> Option<Self> {
        Some(matches!(caught(found, at), Some(Caught::Word(0))))
    }
}

impl Datum for Option<Lasting> {
    fn of(found: &Match, at: usize) -> Option<Self> {
        Some(found.pieces.get(at)?.as_ref().and_then(Piece::tree).and_then(duration))
    }
}

include!(concat!(env!("OUT_DIR"), "/table.rs"));
