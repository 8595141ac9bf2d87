//! Names of items: cards by id, rules by number, rulings, editions and documents by id, filings by what they file.
//! file.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::items::{Item, items, skeleton};
use super::terms::{TermName, term};
use crate::db::Db;
use crate::inputs::Workspace;
use crate::phrase::data::sentence;
use crate::phrase::outline::Outline;
use crate::phrase::tree::TermKind;

/// The heads of items that have a name of their own.
pub(crate) const NAMED_HEADS: [&str; 8] =
    ["card", "rule", "ruling", "edition", "variant", "document", "filing", "layout"];

/// The name of an item.
#[salsa::interned(revisions = usize::MAX)]
pub struct Name<'db> {
    /// The head word.
    pub head: String,
    /// The id.
    pub key: String,
}

/// The index of names.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Names<'db> {
    by_name: FxHashMap<(&'static str, Arc<str>), Item<'db>>,
    /// All items of these heads, in order.
    pub order: Vec<Item<'db>>,
    /// Items whose name was taken: the first one, and the one that repeats it.
    pub repeated: Vec<(Item<'db>, Item<'db>)>,
}

impl<'db> Names<'db> {
    /// The item of a name.
    pub(crate) fn get(&self, head: &'static str, key: &str) -> Option<Item<'db>> {
        self.by_name.get(&(head, Arc::from(key))).copied()
    }
}

/// All items, in the order of declaration: files by path, then by place.
#[salsa::tracked]
pub(crate) fn all_items<'db>(db: &'db dyn Db) -> Vec<Item<'db>> {
    let files = Workspace::get(db).files(db);
    files.iter().flat_map(|file| items(db, *file).iter().copied()).collect()
}

/// Indexes the names.
#[salsa::tracked]
pub(crate) fn names<'db>(db: &'db dyn Db) -> Names<'db> {
    let mut names = Names { by_name: FxHashMap::default(), order: Vec::new(), repeated: Vec::new() };
    for item in all_items(db) {
        let Some(head) = item.head(db).filter(|head| NAMED_HEADS.contains(head)) else { continue };
        match names.by_name.entry((head, Arc::clone(item.key(db)))) {
            std::collections::hash_map::Entry::Occupied(first) => names.repeated.push((*first.get(), *item)),
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(*item);
                names.order.push(*item);
            }
        }
    }
    names
}

/// The item of a name: the firewall in front of [`names`].
#[salsa::tracked(returns(copy))]
pub(crate) fn named<'db>(db: &'db dyn Db, name: Name<'db>) -> Option<Item<'db>> {
    let head = NAMED_HEADS.iter().find(|head| **head == *name.head(db))?;
    names(db).get(head, name.key(db))
}

/// The items that repeat a name; what one of them lacks, another may hold.
#[salsa::tracked]
pub(crate) fn repeating<'db>(db: &'db dyn Db, name: Name<'db>) -> Vec<Item<'db>> {
    let same = |item: &Item<'db>| item.head(db) == Some(name.head(db).as_str()) && **item.key(db) == **name.key(db);
    names(db).repeated.iter().map(|(_, again)| *again).filter(same).collect()
}

/// The titles of cards, sorted. Only asked where a word cannot be read.
#[salsa::tracked]
fn titles(db: &dyn Db) -> Vec<String> {
    let cards = all_items(db).iter().filter(|item| item.head(db) == Some("card"));
    let mut titles: Vec<String> = cards.filter_map(|item| item.text(db).split('"').nth(1)).map(str::to_owned).collect();
    titles.sort_unstable();
    titles
}

/// True if a card has this title.
pub(crate) fn is_title(db: &dyn Db, title: &str) -> bool {
    titles(db).binary_search_by(|one| one.as_str().cmp(title)).is_ok()
}

/// The class of the things that card items define: what a `kernel` item says serves as `card`, else the class
/// called like the item's head.
#[salsa::tracked]
pub(crate) fn card_class(db: &dyn Db) -> Arc<str> {
    serving(db, "card").unwrap_or_else(|| Arc::from("card"))
}

/// The class of those who play, if a `kernel` item says which.
#[salsa::tracked]
pub(crate) fn player_class(db: &dyn Db) -> Option<Arc<str>> {
    serving(db, "player")
}

/// The classes of things that belong to cards, each with the fact by which one knows its card.
#[salsa::tracked]
pub(crate) fn hosts(db: &dyn Db) -> Vec<(Arc<str>, Arc<str>)> {
    served(db, "host", |said| (said.text("what"), said.text("fact")))
}

/// The class of rolls, if a `kernel` item says that they are things.
#[salsa::tracked]
pub(crate) fn roll_class(db: &dyn Db) -> Option<Arc<str>> {
    serving(db, "roll")
}

/// The class of which a `kernel` item says that it serves so. What is no class serves nothing, as link tells.
fn serving(db: &dyn Db, service: &str) -> Option<Arc<str>> {
    let mut classes = served(db, service, |said| said.text("what")).into_iter();
    classes.find(|class| term(db, TermName::new(db, TermKind::Class, &**class)).is_some())
}

/// What `kernel` items say that serves so.
fn served<T>(db: &dyn Db, service: &str, what: impl Fn(&Outline<'_>) -> T) -> Vec<T> {
    let kernels = all_items(db).iter().filter(|item| item.head(db) == Some("kernel"));
    let clauses = kernels.filter_map(|item| skeleton(db, *item).as_ref()).flat_map(|s| &s.clauses);
    let said = clauses.filter_map(|clause| sentence("kernel", clause).ok());
    said.filter(|said| said.word("serves") == Some(service)).map(|said| what(&said)).collect()
}
