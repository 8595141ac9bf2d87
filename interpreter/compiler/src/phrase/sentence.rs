//! Sentences that are read once, wherever they stand.
//!
//! Cards say the same in the same words, and a reading that amends one clause of a rule leaves the others as they are. What a
//! sentence says hangs on its words, the labels in scope and the vocabulary alone: so a [`Lexicon`] may remember it. Places are
//! counted in slots until it is known where the sentence stands.

use std::sync::Arc;

use netrep_grammar::tree::Span;

use super::chart::Chart;
use super::clause::{ClauseKind, nodes_mut};
use super::draft::Place;
use super::lexicon::Lexicon;
use super::scope::Scope;
use super::settle::{clauses_of, settled};
use super::slot::{Slot, SlotKind};
use super::tree::{Node, Sort};

/// A sentence without its place, with all that decides what it says but for the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sentence {
    kinds: Vec<SlotKind>,
    scope: Scope,
    place: Place,
}

/// What a sentence says that can be read in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Its spans are counted in slots.
    kind: ClauseKind,
    /// Labels bound on the way.
    pub(super) bound: Vec<(Arc<str>, Sort)>,
}

impl Sentence {
    /// The sentence that slots hold, and where these stand.
    pub(super) fn of(slots: Vec<Slot>, scope: &Scope, place: Place) -> (Sentence, Vec<Span>) {
        let (kinds, spans) = slots.into_iter().map(|slot| (slot.kind, slot.span)).unzip();
        (Sentence { kinds, scope: scope.clone(), place }, spans)
    }

    /// The slots that it was made of.
    pub(super) fn slots(self, spans: Vec<Span>) -> Vec<Slot> {
        self.kinds.into_iter().zip(spans).map(|(kind, span)| Slot { kind, span }).collect()
    }

    /// What it says; `None` if it cannot be read, or in several ways: why, is told where it stands.
    pub fn said(&self, lexicon: &dyn Lexicon) -> Option<Said> {
        let counted = self.kinds.iter().zip(0u32..);
        let slots: Vec<Slot> =
            counted.map(|(kind, at)| Slot { kind: kind.clone(), span: Span::new(at, at.saturating_add(1)) }).collect();
        let chart = Chart::new(&slots, lexicon, &self.scope, true, false);
        let mut kinds = settled(&chart, &|chart| clauses_of(chart, self.place));
        let only = kinds.pop().filter(|_| kinds.is_empty() && chart.beyond().is_none())?;
        Some(Said { kind: only, bound: chart.bindings() })
    }
}

impl Said {
    /// The clause where the slots of its sentence stand.
    pub(super) fn standing(&self, slots: &[Span]) -> ClauseKind {
        let mut kind = self.kind.clone();
        nodes_mut(&mut kind).into_iter().for_each(|node| stand(node, slots));
        kind
    }
}

/// Gives the nodes of a phrase the spans of their slots.
fn stand(node: &mut Node, slots: &[Span]) {
    let slot = |at: u32| slots.get(at as usize).copied();
    // What nothing stands for has no place.
    if let (Some(first), Some(last)) = (slot(node.span.start), node.span.end.checked_sub(1).and_then(slot)) {
        node.span = first.to(last);
    }
    node.kids.iter_mut().for_each(|kid| stand(kid, slots));
}
