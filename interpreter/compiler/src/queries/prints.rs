//! Fingerprints of all that is made of an item: by these it is found among what an earlier process has worked out.
//!
//! Two of one fingerprint are made of the same texts with the same words. Which of them follow from which edit is not asked
//! here: what is found so is found by the first process that asks, before anything is edited in it.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::Xxh3;

use super::items::Item;
use super::layers::Amendment;
use super::names::{Name, all_items, named};
use super::reprints::says_reprint;
use super::terms::declared;
use super::titles::class_of;
use super::version::Version;
use crate::db::Db;

/// What an earlier process has made of something, or what is made of it now: a kind of answer, and a fingerprint of all that it
/// follows from. Without a store nothing is asked for but what it is made of.
pub(crate) fn known<T: Serialize + DeserializeOwned>(
    db: &dyn Db,
    kind: &str,
    print: impl FnOnce() -> u128,
    work_out: impl FnOnce() -> T,
) -> T {
    let Some(known) = db.known() else { return work_out() };
    known.or_else(of(|hasher| (kind, print()).hash(hasher)), work_out)
}

fn of(add: impl FnOnce(&mut Xxh3)) -> u128 {
    let mut hasher = Xxh3::new();
    add(&mut hasher);
    hasher.digest128()
}

/// Something as it is.
pub(crate) fn print_of(text: &str) -> u128 {
    of(|hasher| text.hash(hasher))
}

/// What follows from two things.
pub(crate) fn both(one: u128, other: u128) -> u128 {
    of(|hasher| (one, other).hash(hasher))
}

/// The text of an item, with the head by which it is read.
pub(crate) fn text_print(db: &dyn Db, item: Item<'_>) -> u128 {
    of(|hasher| (item.head(db), &**item.key(db), &**item.text(db)).hash(hasher))
}

/// All texts of items.
#[salsa::tracked(returns(copy))]
pub(crate) fn texts_print(db: &dyn Db) -> u128 {
    of(|hasher| all_items(db).iter().for_each(|item| text_print(db, *item).hash(hasher)))
}

/// The words that there are, whatever is said in them: the texts of what declares some, and what everything else is called.
#[salsa::tracked(returns(copy))]
pub(crate) fn words_print(db: &dyn Db) -> u128 {
    of(|hasher| {
        for item in all_items(db) {
            match item.head(db) {
                None | Some("edition" | "variant" | "document" | "filing" | "layout") => {}
                Some("card") => (item.key(db), item.text(db).split('"').nth(1)).hash(hasher),
                Some("ruling") if declared(db, *item).terms.is_empty() => {}
                Some("rule") if declared(db, *item).terms.is_empty() => item.key(db).hash(hasher),
                Some(_) => text_print(db, *item).hash(hasher),
            }
        }
    })
}

/// The same with what is known of things by what they are called.
#[salsa::tracked(returns(copy))]
pub(crate) fn context_print(db: &dyn Db) -> u128 {
    of(|hasher| {
        words_print(db).hash(hasher);
        let cards = all_items(db).iter().filter(|item| item.head(db) == Some("card"));
        cards.for_each(|card| class_of(db, *card).hash(hasher));
    })
}

/// An item with its amendments, and what is put into it, among these words.
#[salsa::tracked(returns(copy))]
pub(crate) fn version_print<'db>(db: &'db dyn Db, version: Version<'db>) -> u128 {
    of(|hasher| {
        words_print(db).hash(hasher);
        add_amended(db, version.item(db), version.amendments(db), hasher);
        for others in [version.words(db), version.sources(db)] {
            others.len().hash(hasher);
            others.iter().for_each(|(item, found)| add_amended(db, *item, found, hasher));
        }
        // Of what a reprint names it is looked at whether that is one, too.
        let mut item = version.item(db);
        for _ in 0..ORIGINALS {
            let original = original(db, item);
            original.map(|original| text_print(db, original)).hash(hasher);
            let Some(original) = original else { break };
            item = original;
        }
    })
}

/// From a reprint so many originals are looked at: its own, and what that names.
const ORIGINALS: usize = 3;

/// The card that a reprint names.
fn original<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Item<'db>> {
    // Most say nothing of the kind, and need not be read for it.
    let said = item.text(db).contains("reprint").then(|| says_reprint(db, item).as_ref())??;
    named(db, Name::new(db, "card", &*said.original))
}

fn add_amended<'db>(db: &'db dyn Db, item: Item<'db>, amendments: &[Amendment<'db>], hasher: &mut Xxh3) {
    text_print(db, item).hash(hasher);
    amendments.len().hash(hasher);
    for one in amendments {
        (text_print(db, one.ruling), &*one.reading, one.nth, one.rank).hash(hasher);
    }
}
