//! The vocabulary: which terms are declared, found by word and by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::items::{Item, skeleton};
use super::names::all_items;
use crate::db::Db;
use crate::finding::Finding;
use crate::phrase::declare::declare;
use crate::phrase::term::{Detail, Term};
use crate::phrase::tree::{TermKey, TermKind};

/// A word.
#[salsa::interned(revisions = usize::MAX)]
pub struct Word<'db> {
    /// Its letters.
    pub text: String,
}

/// The kind and name of a term.
#[salsa::interned(revisions = usize::MAX)]
pub struct TermName<'db> {
    /// Its kind.
    #[returns(copy)]
    pub kind: TermKind,
    /// Its name.
    pub name: String,
}

/// The terms of an item, and what is wrong with the declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// The terms.
    pub terms: Vec<Arc<Term>>,
    /// The findings.
    pub findings: Vec<Finding>,
}

/// Heads of items that never declare a term; they are not parsed for the vocabulary.
const MUTE_HEADS: [&str; 5] = ["card", "edition", "scenario", "position", "deck"];

/// What an item declares.
#[salsa::tracked]
pub fn declared<'db>(db: &'db dyn Db, item: Item<'db>) -> Declared {
    match skeleton(db, item) {
        Some(tree) => {
            let (terms, errors) = declare(tree);
            Declared {
                terms: terms.into_iter().map(Arc::new).collect(),
                findings: errors.into_iter().map(Finding::from).collect(),
            }
        }
        None => Declared::default(),
    }
}

/// The index of terms.
#[derive(Clone, Debug, salsa::SalsaValue)]
pub struct Vocabulary<'db> {
    by_word: FxHashMap<Arc<str>, Arc<[Arc<Term>]>>,
    by_key: BTreeMap<TermKey, (Arc<Term>, Item<'db>)>,
    /// All terms with the items that declare them, in the order of declaration.
    pub order: Vec<(Arc<Term>, Item<'db>)>,
    /// Terms that were already declared: the term, the item that repeats it, and the first one.
    pub repeated: Vec<(TermKey, Item<'db>, Item<'db>)>,
}

impl Vocabulary<'_> {
    /// Every word of the vocabulary, sorted.
    pub fn words(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.order.iter().flat_map(|(term, _)| term.forms.iter()).flat_map(|form| &form.words).map(|word| &**word).collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

/// Indexes the terms. Not compared: it is recomputed only when a declaration has really changed.
#[salsa::tracked(no_eq)]
pub fn vocabulary<'db>(db: &'db dyn Db) -> Vocabulary<'db> {
    let mut by_word: FxHashMap<Arc<str>, Vec<Arc<Term>>> = FxHashMap::default();
    let mut all = Vocabulary { by_word: FxHashMap::default(), by_key: BTreeMap::new(), order: Vec::new(), repeated: Vec::new() };
    let speaking = all_items(db).iter().filter(|item| item.head(db).is_some_and(|head| !MUTE_HEADS.contains(&head)));
    // A reading that replaces a procedure declares it again; the base text comes first.
    let (rulings, base): (Vec<&Item<'db>>, Vec<&Item<'db>>) = speaking.partition(|item| item.head(db) == Some("ruling"));
    for (item, layered) in base.into_iter().map(|item| (item, false)).chain(rulings.into_iter().map(|item| (item, true))) {
        for term in &declared(db, *item).terms {
            if let Some((first_term, first)) = all.by_key.get(&term.key) {
                if !distinct(term, first_term) {
                    if !layered {
                        all.repeated.push((term.key.clone(), *item, *first));
                    }
                    continue;
                }
            } else {
                all.by_key.insert(term.key.clone(), (Arc::clone(term), *item));
            }
            all.order.push((Arc::clone(term), *item));
            for word in term.index_words() {
                by_word.entry(word).or_default().push(Arc::clone(term));
            }
        }
    }
    #[expect(clippy::iter_over_hash_type, reason = "a map is made of a map")]
    for (word, terms) in by_word {
        all.by_word.insert(word, terms.into());
    }
    all
}

/// True if two terms of one name can stand side by side: one attribute may be printed on some classes of
/// things and stored for others.
fn distinct(a: &Term, b: &Term) -> bool {
    match (&a.detail, &b.detail) {
        (Detail::Attribute { of: a, .. }, Detail::Attribute { of: b, .. }) => !a.types.iter().any(|one| b.types.contains(one)),
        _ => false,
    }
}

/// The terms with a word: the firewall that lets an item depend only on the words that it contains.
#[salsa::tracked]
pub fn word_terms<'db>(db: &'db dyn Db, word: Word<'db>) -> Arc<[Arc<Term>]> {
    vocabulary(db).by_word.get(&**word.text(db)).cloned().unwrap_or_else(|| Arc::from(Vec::new()))
}

/// The term of a kind and name.
#[salsa::tracked]
pub fn term<'db>(db: &'db dyn Db, name: TermName<'db>) -> Option<Arc<Term>> {
    find(db, name).map(|(term, _)| Arc::clone(term))
}

/// The item that declares a term.
#[salsa::tracked(returns(copy))]
pub fn declaring_item<'db>(db: &'db dyn Db, name: TermName<'db>) -> Option<Item<'db>> {
    find(db, name).map(|(_, item)| *item)
}

fn find<'db>(db: &'db dyn Db, name: TermName<'db>) -> Option<&'db (Arc<Term>, Item<'db>)> {
    let key = TermKey { kind: name.kind(db), name: Arc::from(name.name(db).as_str()) };
    vocabulary(db).by_key.get(&key)
}
