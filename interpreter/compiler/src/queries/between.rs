//! A fingerprint of all on which it hangs whether something is wrong between the items.
//!
//! Nothing of that hangs on how high a number is that is printed on a card, as long as the card itself is right, no reading
//! amends it, and it is no reprint and has none. Where nothing is wrong between the items, nothing is told that has a place, and
//! places may move.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::hash::{Hash, Hasher};

use netrep_grammar::tree::{Clause, TokenKind};
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::Xxh3;

use super::items::Item;
use super::layers::{ruling_outline, rulings};
use super::names::all_items;
use super::prints::{in_context, known, text_print};
use super::report::{item_diags, version_diags};
use super::reprints::{original_of, reprints_of};
use super::version::{Version, read};
use crate::db::Db;
use crate::layers::TargetHead;
use crate::layers::effective::EffectiveItem;
use crate::phrase::clause::ClauseKind;

/// The fingerprint.
pub(crate) fn between_print(db: &dyn Db) -> u128 {
    let targets = rulings(db).flat_map(|ruling| ruling_outline(db, ruling)).flat_map(|(_, targets)| targets);
    let amended: FxHashSet<&str> =
        targets.filter(|target| target.head == TargetHead::Card).map(|target| &*target.key).collect();
    let mut hasher = Xxh3::new();
    for item in all_items(db) {
        let is_card = item.head(db) == Some("card") && !amended.contains(&**item.key(db));
        let is_alone = || original_of(db, *item).is_none() && reprints_of(db, *item).next().is_none();
        let is_right = || item_diags(db, *item).is_empty() && version_diags(db, Version::base(db, *item)).is_empty();
        let is_plain = is_card && is_alone() && is_right();
        match is_plain {
            true => unnumbered_print(db, *item).hash(&mut hasher),
            false => text_print(db, *item).hash(&mut hasher),
        }
    }
    hasher.digest128()
}

/// A card without the numbers that are printed on it, if it can be read.
fn unnumbered_print(db: &dyn Db, card: Item<'_>) -> Option<u128> {
    let version = Version::base(db, card);
    known(
        db,
        "unnumbered",
        || in_context(db, version),
        || {
            let read = read(db, version).as_ref()?;
            let mut hasher = Xxh3::new();
            add_unnumbered(&read.item, &mut hasher);
            Some(hasher.digest128())
        },
    )
}

/// Adds a card without the numbers that are printed on it.
fn add_unnumbered(item: &EffectiveItem, hasher: &mut Xxh3) {
    let figures: FxHashSet<u32> = (item.clauses.iter())
        .filter(|clause| matches!(clause.read.kind, ClauseKind::Figure { .. }))
        .map(|clause| clause.read.span.start)
        .collect();
    let tree = &item.tree;
    (&*item.key, tree.clauses.len()).hash(hasher);
    tree.header.iter().for_each(|token| token.kind.hash(hasher));
    for clause in &tree.clauses {
        match figures.contains(&clause.span.start) && clause.block.is_none() {
            true => add_figure(clause, hasher),
            false => clause.hash(hasher),
        }
    }
}

/// Adds the sentence of a figure without its numbers, and without places in it, which move with their digits.
fn add_figure(clause: &Clause, hasher: &mut Xxh3) {
    hasher.write_u8(u8::from(clause.marker.is_some()));
    if let Some(marker) = &clause.marker {
        (&marker.label, marker.derived, &marker.sentences).hash(hasher);
    }
    clause.tokens.len().hash(hasher);
    for token in &clause.tokens {
        match &token.kind {
            TokenKind::Number(_) => TokenKind::Number(0).hash(hasher),
            other => other.hash(hasher),
        }
    }
}
