//! Which terms are used, and by what.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::items::Item;
use super::layers::ruling_outline;
use super::names::all_items;
use super::prints::{among_all, in_context, known, texts_print};
use super::version::{Version, read, terms_in, versions_of_reading};
use crate::db::Db;
use crate::phrase::clause::ReadClause;
use crate::phrase::tree::TermKey;

/// The terms that an item's clauses use; those of a ruling, in the clauses that its readings bring.
#[salsa::tracked]
pub(crate) fn used_terms<'db>(db: &'db dyn Db, item: Item<'db>) -> BTreeSet<TermKey> {
    // The clauses that a ruling brings are read in what it amends, which may be anything.
    let print = || match item.head(db) {
        Some("ruling") => among_all(db, in_context(db, Version::base(db, item))),
        _ => in_context(db, Version::base(db, item)),
    };
    known(db, "uses", print, || terms_used(db, item))
}

fn terms_used<'db>(db: &'db dyn Db, item: Item<'db>) -> BTreeSet<TermKey> {
    let base = terms_in(db, Version::base(db, item));
    let mut found = base.clone();
    if item.head(db) == Some("ruling") {
        for reading in 0..ruling_outline(db, item).len() {
            for version in versions_of_reading(db, item, reading) {
                let Some(read) = read(db, *version) else { continue };
                // What is brought may be a part of a clause that the rule has already, such as of a step.
                let brings = |clause: &ReadClause| !read.item.setter(clause.span).is_empty();
                let all: Vec<&ReadClause> = read.item.clauses.iter().map(|clause| &*clause.read).collect();
                crate::uses::of_clauses(crate::uses::brought(&all, &brings), &mut found);
            }
        }
    }
    found
}

/// Who uses each term: the places of the items among all of them. One answer, since who asks for it asks for all; it follows from
/// all texts, and from nothing else.
pub(crate) fn users(db: &dyn Db) -> BTreeMap<TermKey, Vec<usize>> {
    let work_out = || {
        let mut users: BTreeMap<TermKey, Vec<usize>> = BTreeMap::new();
        for (nth, item) in all_items(db).iter().enumerate() {
            for key in used_terms(db, *item) {
                match users.get_mut(key) {
                    Some(known) => known.push(nth),
                    None => drop(users.insert(key.clone(), vec![nth])),
                }
            }
        }
        users
    };
    known(db, "users", || texts_print(db), work_out)
}

/// The terms that any clause uses: runs again only when some item uses other terms than before.
#[salsa::tracked]
pub(crate) fn all_used_terms(db: &dyn Db) -> BTreeSet<TermKey> {
    let used: FxHashSet<&TermKey> = all_items(db).iter().flat_map(|item| used_terms(db, *item)).collect();
    used.into_iter().cloned().collect()
}
