//! What has taken effect: of the elements of a program those that made a difference in some game.
//!
//! What a run *consulted* is much more: a condition that was asked and did not hold, a modifier that was about nothing. A
//! clause that is consulted and never takes effect is what nobody has tested, or what can never happen.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use netrep_ir::*;

/// What has taken effect in the games that were set up with it, together (see [`Setup::effects`](crate::Setup)); any number
/// of them, on any threads. What is only tried to see where it leads has taken no effect.
#[derive(Debug)]
pub struct Effects {
    words: Vec<AtomicU64>,
    /// The first word of each kind.
    starts: [usize; KINDS],
}

/// Allowances, triggers, modifiers, norms, guards, spares, sites.
const KINDS: usize = 7;

impl Effects {
    /// Nothing yet, of a program.
    pub fn none_of(program: &Program) -> Arc<Effects> {
        let sizes = [
            program.allowances.len(),
            program.triggers.len(),
            program.modifiers.len(),
            program.norms.len(),
            program.guards.len(),
            program.spares.len(),
            program.sites.len(),
        ];
        let (mut starts, mut next) = ([0; KINDS], 0);
        for (start, size) in starts.iter_mut().zip(sizes) {
            *start = next;
            next += size.div_ceil(64);
        }
        Arc::new(Effects { words: (0..next).map(|_| AtomicU64::new(0)).collect(), starts })
    }

    /// Whether an action was declared and resolved, and did something; its cost does not count, unless it has no effect of its own.
    pub fn allowance(&self, id: AllowanceId) -> bool {
        self.is_noted(0, id.index())
    }

    /// Whether a passive condition was met and resolved, or a replacement took the place of an event.
    pub fn trigger(&self, id: TriggerId) -> bool {
        self.is_noted(1, id.index())
    }

    /// Whether a modifier made a value another one that was asked for.
    pub fn modifier(&self, id: ModifierId) -> bool {
        self.is_noted(2, id.index())
    }

    /// Whether a norm forbade an event, or permitted one that was forbidden.
    pub fn norm(&self, id: NormId) -> bool {
        self.is_noted(3, id.index())
    }

    /// Whether the `n`-th guard kept an event from meeting a passive condition.
    pub fn guard(&self, n: usize) -> bool {
        self.is_noted(4, n)
    }

    /// Whether the `n`-th spare kept a thing from an effect.
    pub fn spare(&self, n: usize) -> bool {
        self.is_noted(5, n)
    }

    /// Whether what a player may do or choose, by a statement at this place, was done or chosen.
    pub fn choice(&self, id: SiteId) -> bool {
        self.is_noted(6, id.index())
    }

    fn is_noted(&self, kind: usize, i: usize) -> bool {
        let word = self.starts.get(kind).and_then(|start| self.words.get(start + i / 64));
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (i % 64) & 1 == 1)
    }

    fn note(&self, kind: usize, i: usize) {
        if let Some(word) = self.starts.get(kind).and_then(|start| self.words.get(start + i / 64)) {
            word.fetch_or(1 << (i % 64), Ordering::Relaxed);
        }
    }

    pub(crate) fn note_allowance(&self, id: AllowanceId) {
        self.note(0, id.index());
    }

    pub(crate) fn note_trigger(&self, id: TriggerId) {
        self.note(1, id.index());
    }

    pub(crate) fn note_modifier(&self, id: ModifierId) {
        self.note(2, id.index());
    }

    pub(crate) fn note_norm(&self, id: NormId) {
        self.note(3, id.index());
    }

    pub(crate) fn note_guard(&self, n: usize) {
        self.note(4, n);
    }

    pub(crate) fn note_spare(&self, n: usize) {
        self.note(5, n);
    }

    pub(crate) fn note_choice(&self, id: SiteId) {
        self.note(6, id.index());
    }
}
