//! Which cards are reprints of which, and from which texts an item is put together.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_diagnostics::{Code, suggestion};
use rustc_hash::FxHashMap;

use super::items::{Item, is_whole, skeleton};
use super::names::{Name, all_items, named};
use super::patterns::pattern_uses;
use crate::db::Db;
use crate::finding::Finding;
use crate::layers::TargetHead;
use crate::layers::reprint::{Says, says};

/// The head of the items that are reprinted.
const CARD: &str = TargetHead::Card.word();

/// What a card says that it is a reprint of: the firewall in front of its skeleton.
#[salsa::tracked]
pub(crate) fn says_reprint<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Says> {
    if item.head(db) != Some(CARD) {
        return None;
    }
    says(skeleton(db, item).as_ref()?)
}

/// The original of a card, if it is a reprint of one that is none itself and can be read.
#[salsa::tracked(returns(copy))]
pub(crate) fn original_of<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Item<'db>> {
    let said = says_reprint(db, item).as_ref()?;
    let original = named(db, Name::new(db, CARD, &*said.original))?;
    (says_reprint(db, original).is_none() && is_whole(db, original)).then_some(original)
}

/// What is wrong with the original that a card names.
pub(crate) fn reprint_finding<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Finding> {
    let said = says_reprint(db, item).as_ref().filter(|_| original_of(db, item).is_none())?;
    let id = &said.original;
    let wrong = |text: String, help: String| Some(Finding::new(Code::BadReprint, said.span, text).help(help));
    let Some(original) = named(db, Name::new(db, CARD, &**id)) else {
        let cards = all_items(db).iter().filter(|item| item.head(db) == Some(CARD));
        let near = suggestion(id, cards.map(|item| &**item.key(db)));
        let help = near.unwrap_or_else(|| "name a card that is written by its id".to_owned());
        return wrong(format!("there is no card {id}"), help);
    };
    if original == item {
        return wrong(format!("{id} is a reprint of itself"), "name the card that was printed before".to_owned());
    }
    if let Some(first) = says_reprint(db, original) {
        let help = match named(db, Name::new(db, CARD, &*first.original)) {
            Some(first) if says_reprint(db, first).is_none() => format!("say `reprint of {}`", first.key(db)),
            // total: those that lead to no original are told each
            _ => "write what is printed on one of them".to_owned(),
        };
        return wrong(format!("{id} is a reprint itself"), help);
    }
    wrong(format!("{id} cannot be read"), "mend what is told of it".to_owned())
}

/// The reprints, by their originals.
#[salsa::tracked]
fn reprints<'db>(db: &'db dyn Db) -> BTreeMap<Arc<str>, Vec<Item<'db>>> {
    let mut found: BTreeMap<Arc<str>, Vec<Item<'db>>> = BTreeMap::new();
    for item in all_items(db) {
        if let Some(original) = original_of(db, *item) {
            found.entry(Arc::clone(original.key(db))).or_default().push(*item);
        }
    }
    found
}

/// The reprints of a card.
pub(crate) fn reprints_of<'db>(db: &'db dyn Db, item: Item<'db>) -> impl Iterator<Item = Item<'db>> {
    let found = reprints(db).get(item.key(db)).into_iter().flatten().copied();
    found.filter(move |_| item.head(db) == Some(CARD))
}

/// The items whose clauses are put into an item, also through others: patterns and the original, each once.
pub(crate) fn sources_of<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Item<'db>> {
    let mut found: Vec<Item<'db>> = Vec::new();
    let mut open = vec![item];
    while let Some(one) = open.pop() {
        let used = pattern_uses(db, one).found.iter().map(|(_, used)| *used);
        for source in used.chain(original_of(db, one)) {
            if !found.contains(&source) {
                found.push(source);
                open.push(source);
            }
        }
    }
    found
}

/// The items into which an item's clauses are put by themselves: those that use a pattern, the reprints of a card.
#[salsa::tracked]
pub(crate) fn put_into<'db>(db: &'db dyn Db) -> FxHashMap<Item<'db>, Vec<Item<'db>>> {
    let mut found: FxHashMap<Item<'db>, Vec<Item<'db>>> = FxHashMap::default();
    for item in all_items(db) {
        let used = pattern_uses(db, *item).found.iter().map(|(_, used)| *used);
        for source in used.chain(original_of(db, *item)) {
            found.entry(source).or_default().push(*item);
        }
    }
    found
}
