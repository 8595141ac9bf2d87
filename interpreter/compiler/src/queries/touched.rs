//! Which items amendments may make otherwise than they stand in their files: those that are amended, those into which clauses
//! of these are put, and those that use words of these, themselves or through others.
//!
//! Of the hundreds of readings most touch a handful of items. They are found from what is amended, by way of who uses it; to ask
//! each item what it uses takes as long as all the data are, for each reading again.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::items::Item;
use super::layers::{ProfileKey, amendments, target_item, target_of};
use super::names::all_items;
use super::patterns::PATTERN;
use super::reprints::put_into;
use super::terms::{TermName, declaring_item};
use super::version::{AmendedWords, UNREAD_HEADS, Version, amended_sources, amended_words, terms_in};
use crate::db::Db;
use crate::layers::{Target, TargetHead};

/// The items that declare the words which the clauses of a version use.
#[salsa::tracked]
pub(super) fn words_of<'db>(db: &'db dyn Db, version: Version<'db>) -> Vec<Item<'db>> {
    let terms = terms_in(db, version).iter();
    let mut words: Vec<Item<'db>> = Vec::new();
    for word in terms.filter_map(|key| declaring_item(db, TermName::new(db, key.kind, &*key.name))) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// The items whose own clauses use the words that an item declares.
#[salsa::tracked]
fn users<'db>(db: &'db dyn Db) -> FxHashMap<Item<'db>, Vec<Item<'db>>> {
    let mut users: FxHashMap<Item<'db>, Vec<Item<'db>>> = FxHashMap::default();
    let read = all_items(db).iter().filter(|item| item.head(db).is_some_and(|head| !UNREAD_HEADS.contains(&head)));
    for item in read {
        for word in words_of(db, Version::base(db, *item)) {
            users.entry(*word).or_default().push(*item);
        }
    }
    users
}

/// The items by what they are called where they can be amended. Of one name there may be several.
#[salsa::tracked]
fn by_target<'db>(db: &'db dyn Db) -> BTreeMap<Target, Vec<Item<'db>>> {
    let mut found: BTreeMap<Target, Vec<Item<'db>>> = BTreeMap::new();
    for item in all_items(db) {
        if let Some(target) = target_of(db, *item) {
            found.entry(target).or_default().push(*item);
        }
    }
    found
}

/// The places of the items in the order of declaration.
#[salsa::tracked]
fn order<'db>(db: &'db dyn Db) -> FxHashMap<Item<'db>, usize> {
    all_items(db).iter().enumerate().map(|(nth, item)| (*item, nth)).collect()
}

/// All that can be reached from items, these among them.
fn reached<'db>(
    from: impl IntoIterator<Item = Item<'db>>,
    next: &FxHashMap<Item<'db>, Vec<Item<'db>>>,
    found: &mut FxHashSet<Item<'db>>,
) {
    let mut open: Vec<Item<'db>> = from.into_iter().collect();
    let mut seen: FxHashSet<Item<'db>> = open.iter().copied().collect();
    while let Some(one) = open.pop() {
        found.insert(one);
        open.extend(next.get(&one).into_iter().flatten().copied().filter(|item| seen.insert(*item)));
    }
}

/// The items that amendments of these targets may touch, in the order of declaration: among them are these words and sources.
pub(super) fn touched<'db, 't>(
    db: &'db dyn Db,
    targets: impl Iterator<Item = &'t Target>,
    words: &AmendedWords<'db>,
    sources: &AmendedWords<'db>,
) -> Vec<Item<'db>> {
    let by_target = by_target(db);
    let mut found: FxHashSet<Item<'db>> =
        targets.filter_map(|target| by_target.get(target)).flatten().copied().collect();
    if !sources.is_empty() {
        reached(sources.iter().map(|(item, _)| *item), put_into(db), &mut found);
    }
    if !words.is_empty() {
        reached(words.iter().map(|(item, _)| *item), users(db), &mut found);
        // What serves the engine is named outside of phrases.
        found.extend(all_items(db).iter().filter(|item| item.head(db) == Some(TargetHead::Kernel.word())));
    }
    let order = order(db);
    let mut found: Vec<Item<'db>> = found.into_iter().collect();
    found.sort_unstable_by_key(|item| order.get(item));
    found
}

/// The items that a profile may make otherwise than they stand in their files.
#[salsa::tracked]
pub(crate) fn touched_under<'db>(db: &'db dyn Db, profile: ProfileKey<'db>) -> FxHashSet<Item<'db>> {
    let amended = amendments(db, profile);
    let (words, sources) = (amended_words(db, profile), amended_sources(db, profile));
    if words.is_empty() && !sources.iter().any(|(item, _)| item.head(db) == Some(PATTERN)) {
        // Of several items of one name only that is amended which the name means.
        let mut found = amended.keys().filter_map(|target| target_item(db, target)).collect();
        reached(sources.iter().map(|(item, _)| *item), put_into(db), &mut found);
        return found;
    }
    touched(db, amended.keys(), words, sources).into_iter().collect()
}
