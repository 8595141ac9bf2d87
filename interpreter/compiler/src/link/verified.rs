//! What was found between the items when they were verified last.
//!
//! Between the items nothing hangs on how high a printed number is. So an edit of numbers on a card need not verify
//! the whole again, as long as nothing was wrong between them: what is told has places, and these may have moved.

use std::sync::Arc;

use netrep_ir::Printed;

use super::LinkItem;
use super::verify::verify;
use crate::finding::Diagnostic;
use crate::layers::effective::EffectiveItem;
use crate::lower::{LowCard, Lowered};
use crate::phrase::clause::{ClauseKind, FigureValue, ReadClause};

/// Items that were verified, and what was found.
#[derive(Debug, Default)]
pub(crate) struct Verified {
    items: Vec<LinkItem>,
    found: Vec<Diagnostic>,
}

impl Verified {
    /// What [`verify`] finds between these items.
    pub(crate) fn of(&mut self, items: Vec<LinkItem>) -> &[Diagnostic] {
        let stands = match self.found.is_empty() {
            true => {
                self.items.len() == items.len() && self.items.iter().zip(&items).all(|(old, new)| are_alike(old, new))
            }
            false => self.items == items,
        };
        if !stands {
            self.found = verify(&items);
            self.items = items;
        }
        &self.found
    }
}

/// True if two items are the same but for where they stand and how high the numbers are that they print.
pub(crate) fn are_alike(old: &LinkItem, new: &LinkItem) -> bool {
    let read = || Arc::ptr_eq(&old.item, &new.item) || reads_alike(&old.item, &new.item);
    let meant = || Arc::ptr_eq(&old.lowered, &new.lowered) || means_alike(&old.lowered, &new.lowered);
    old.lost == new.lost && read() && meant()
}

/// The same of what was read of them.
fn reads_alike(old: &EffectiveItem, new: &EffectiveItem) -> bool {
    (&old.head, &old.key, &old.title, &old.gone) == (&new.head, &new.key, &new.title, &new.gone)
        && old.clauses.len() == new.clauses.len()
        && old.clauses.iter().zip(new.clauses.iter()).all(|(old, new)| {
            (&old.label, &old.setter, old.read.span.start) == (&new.label, &new.setter, new.read.span.start)
                && says_alike(&old.read, &new.read)
        })
}

fn says_alike(old: &ReadClause, new: &ReadClause) -> bool {
    match (&old.kind, &new.kind) {
        (ClauseKind::Figure { attribute, values }, ClauseKind::Figure { attribute: same, values: others }) => {
            let is_alike = |(one, other): (&FigureValue, &FigureValue)| match (one, other) {
                (FigureValue::Number(_), FigureValue::Number(_)) => true,
                (FigureValue::EntryNumber(entry, _), FigureValue::EntryNumber(same, _)) => entry == same,
                _ => one == other,
            };
            attribute == same && values.len() == others.len() && values.iter().zip(others).all(is_alike)
        }
        _ => old == new,
    }
}

/// The same of what they mean.
fn means_alike(old: &Lowered, new: &Lowered) -> bool {
    let mut same = new.clone();
    if let (Some(old), Some(new)) = (&old.card, &mut same.card) {
        with_numbers_of(old, new);
    }
    // How it is said in English, and where phrases stand, is told of what is wrong only.
    for (new, old) in same.clauses.iter_mut().zip(&old.clauses) {
        (new.span, new.wording) = (old.span, old.wording.clone());
    }
    for (new, old) in same.sites.iter_mut().zip(&old.sites) {
        (new.span, new.wording) = (old.span, old.wording.clone());
    }
    same == *old
}

/// Gives a card the numbers of another where both print some.
fn with_numbers_of(old: &LowCard, new: &mut LowCard) {
    let parts = new.parts.iter_mut().zip(&old.parts).map(|(new, old)| (&mut new.figures, &old.figures));
    for (new, old) in parts.chain([(&mut new.figures, &old.figures)]) {
        for ((_, new), (_, old)) in new.iter_mut().zip(old) {
            match (new, old) {
                (Printed::Number(new), Printed::Number(old)) => *new = *old,
                (Printed::Numbers(new), Printed::Numbers(old)) => {
                    for ((entry, new), (same, old)) in new.iter_mut().zip(old) {
                        if entry == same {
                            *new = *old;
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
