//! What other items see of an item that declares no words: all that they ask of it beside its name.

use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::Arc;

use super::filing::{Due, due};
use super::items::{Item, is_whole};
use super::patterns::{PATTERN, Uses, pattern_uses};
use super::reprints::{reprints_of, says_reprint};
use super::terms::{declared, facts};
use super::titles::printed_words;
use super::used::used_terms;
use crate::db::Db;
use crate::layers::TargetHead;
use crate::layers::reprint::Says;
use crate::phrase::tree::TermKey;
use salsa::Id;
use salsa::plumbing::AsId;
use xxhash_rust::xxh3::Xxh3;

/// What others see of an item.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// How it is called, read off the text and off the tree.
    title: Option<String>,
    /// What makes it one of a class.
    printed: Vec<Arc<str>>,
    /// The words that it uses: others are told that nobody does, or that nobody else does.
    terms: BTreeSet<TermKey>,
    /// Which of its clauses stand for those of which patterns.
    patterns: Vec<(usize, Id)>,
    /// Of which card it is a reprint.
    says: Option<Says>,
    /// Where it belongs.
    due: Due,
}

/// What others see of a card or a rule that is whole and declares nothing; `None` of all others: of them more is seen.
pub(crate) fn seen(db: &dyn Db, item: Item<'_>) -> Option<Seen> {
    let is_card = item.head(db) == Some(TargetHead::Card.word());
    let is_plain = is_card || item.head(db) == Some(TargetHead::Rule.word());
    if !is_plain || !is_whole(db, item) || !declared(db, item).terms.is_empty() || !facts(db, item).is_empty() {
        return None;
    }
    let Uses { found, .. } = pattern_uses(db, item);
    Some(Seen {
        title: item.text(db).split('"').nth(1).map(str::to_owned),
        printed: if is_card { printed_words(db, item).clone() } else { Vec::new() },
        terms: used_terms(db, item).clone(),
        patterns: found.iter().map(|(clause, pattern)| (*clause, pattern.as_id())).collect(),
        says: says_reprint(db, item).clone(),
        due: due(db, item).clone(),
    })
}

/// A fingerprint of all by which amendments of other items reach a card or a rule, and amendments of it others: the same in
/// every process. `None` of items of which more may be seen.
pub(crate) fn ties(db: &dyn Db, item: Item<'_>) -> Option<u128> {
    let Seen { title, printed, terms, says, .. } = seen(db, item)?;
    let mut hasher = Xxh3::new();
    (title, printed, terms, says.map(|says| (says.clause, says.original))).hash(&mut hasher);
    for (clause, pattern) in &pattern_uses(db, item).found {
        (clause, pattern.key(db)).hash(&mut hasher);
    }
    Some(hasher.digest128())
}

/// True for an item whose clauses are put into others.
pub(crate) fn is_used_whole(db: &dyn Db, item: Item<'_>) -> bool {
    item.head(db) == Some(PATTERN) || reprints_of(db, item).next().is_some()
}
