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
use crate::planted::Planted;

/// What an earlier process has made of something, or what is made of it now: a kind of answer, and a fingerprint of all that it
/// follows from. Without a store nothing is asked for but what it is made of.
pub(crate) fn known<T: Serialize + DeserializeOwned>(
    db: &dyn Db,
    kind: &str,
    print: impl FnOnce() -> u128,
    work_out: impl FnOnce() -> T,
) -> T {
    let Some(known) = db.known() else { return work_out() };
    let print = Print::of(db).and(Planted::Kind, kind).and_print(print());
    known.or_else(print.done(), work_out)
}

/// A fingerprint while it is made.
struct Print {
    hasher: Xxh3,
    /// What is left out of it on purpose.
    planted: Option<Planted>,
}

impl Print {
    fn of(db: &dyn Db) -> Print {
        Print { hasher: Xxh3::new(), planted: db.planted() }
    }

    fn add(&mut self, what: Planted, value: impl Hash) {
        if self.planted != Some(what) {
            value.hash(&mut self.hasher);
        }
    }

    fn and(mut self, what: Planted, value: impl Hash) -> Print {
        self.add(what, value);
        self
    }

    fn and_print(mut self, print: u128) -> Print {
        print.hash(&mut self.hasher);
        self
    }

    fn done(self) -> u128 {
        self.hasher.digest128()
    }
}

/// A text as it is.
pub(crate) fn print_of(db: &dyn Db, text: &str) -> u128 {
    Print::of(db).and(Planted::Text, text).done()
}

/// What follows from something, and from all texts.
pub(crate) fn among_all(db: &dyn Db, one: u128) -> u128 {
    Print::of(db).and_print(one).and(Planted::Texts, texts_print(db)).done()
}

/// The text of an item: by it is known with which head it is read, and how it is called.
pub(crate) fn text_print(db: &dyn Db, item: Item<'_>) -> u128 {
    print_of(db, item.text(db))
}

/// All texts of items.
#[salsa::tracked(returns(copy))]
pub(crate) fn texts_print(db: &dyn Db) -> u128 {
    let mut print = Print::of(db);
    all_items(db).iter().for_each(|item| print.add(Planted::Texts, &**item.text(db)));
    print.done()
}

/// The words that there are, whatever is said in them: the texts of what declares some, and what cards are called. Of rules it is
/// asked whether they are there only when all is linked.
#[salsa::tracked(returns(copy))]
pub(crate) fn words_print(db: &dyn Db) -> u128 {
    let mut print = Print::of(db);
    for item in all_items(db) {
        match item.head(db) {
            None | Some("edition" | "variant" | "document" | "filing" | "layout") => {}
            Some("card") => {
                print.add(Planted::Cards, item.key(db));
                print.add(Planted::Titles, item.text(db).split('"').nth(1));
            }
            Some("ruling" | "rule") if declared(db, *item).terms.is_empty() => {}
            Some(_) => print.add(Planted::Declared, &**item.text(db)),
        }
    }
    print.done()
}

/// What is known of things by what they are called.
#[salsa::tracked(returns(copy))]
pub(crate) fn context_print(db: &dyn Db) -> u128 {
    let mut print = Print::of(db);
    let cards = all_items(db).iter().filter(|item| item.head(db) == Some("card"));
    cards.for_each(|card| print.add(Planted::Classes, class_of(db, *card)));
    print.done()
}

/// A version among words, and what is known of things by what they are called: all that its reading and its meaning follow from.
pub(crate) fn in_context<'db>(db: &'db dyn Db, version: Version<'db>) -> u128 {
    let print = Print::of(db).and(Planted::Version, version_print(db, version));
    print.and(Planted::Context, context_print(db)).done()
}

/// An item with its amendments, and what is put into it, among these words.
#[salsa::tracked(returns(copy))]
pub(crate) fn version_print<'db>(db: &'db dyn Db, version: Version<'db>) -> u128 {
    let mut print = Print::of(db).and(Planted::Vocabulary, words_print(db));
    add_amended(db, version.item(db), version.amendments(db), &mut print);
    let others = [(Planted::AmendedWords, version.words(db)), (Planted::Sources, version.sources(db))];
    for (what, others) in others {
        let mut put_in = Print::of(db);
        others.iter().for_each(|(item, found)| add_amended(db, *item, found, &mut put_in));
        print.add(what, put_in.done());
    }
    // Of what a reprint names it is looked at whether that is one, too.
    let mut item = version.item(db);
    for _ in 0..ORIGINALS {
        let original = original(db, item);
        print.add(Planted::Originals, original.map(|original| text_print(db, original)));
        let Some(original) = original else { break };
        item = original;
    }
    print.done()
}

/// From a reprint so many originals are looked at: its own, and what that names.
const ORIGINALS: usize = 3;

/// The card that a reprint names.
fn original<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Item<'db>> {
    // Most say nothing of the kind, and need not be read for it.
    let said = item.text(db).contains("reprint").then(|| says_reprint(db, item).as_ref())??;
    named(db, Name::new(db, "card", &*said.original))
}

fn add_amended<'db>(db: &'db dyn Db, item: Item<'db>, amendments: &[Amendment<'db>], print: &mut Print) {
    print.add(Planted::Text, &**item.text(db));
    amendments.len().hash(&mut print.hasher);
    // Those of one reading are all there, in their order.
    for one in amendments {
        print.add(Planted::Rulings, &**one.ruling.text(db));
        print.add(Planted::Readings, &*one.reading);
        print.add(Planted::Ranks, one.rank);
    }
}
