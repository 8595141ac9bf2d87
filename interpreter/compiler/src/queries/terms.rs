//! The vocabulary: which terms are declared, found by word and by name.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_diagnostics::{Code, suggestion};
use netrep_grammar::tree;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::items::{Item, is_whole, of_tree, skeleton};
use super::names::{Name, all_items, card_class, named};
use super::prints::{known, text_print};
use super::reprints::original_of;
use crate::db::Db;
use crate::finding::Finding;
use crate::phrase::contrary::contrary;
use crate::phrase::declare::{FACT, declare, extended_list, fact};
use crate::phrase::lexicon::{FormOf, forms_from};
use crate::phrase::term::{Detail, Origin, Term, TypeName};
use crate::phrase::tree::{TermKey, TermKind};

/// A word.
#[salsa::interned(revisions = usize::MAX)]
pub struct Word<'db> {
    /// Its letters.
    pub text: String,
}

/// The kind and name of a term.
#[salsa::interned(revisions = usize::MAX)]
pub(crate) struct TermName<'db> {
    /// Its kind.
    #[returns(copy)]
    pub kind: TermKind,
    /// Its name.
    pub name: String,
}

/// The terms of an item, and what is wrong with the declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Declared {
    /// The terms.
    pub terms: Vec<Arc<Term>>,
    /// The findings.
    pub findings: Vec<Finding>,
}

/// Heads of items that never declare a term; they are not parsed for the vocabulary.
const MUTE_HEADS: [&str; 7] = ["card", "edition", "variant", "document", "filing", "layout", "pattern"];

/// What an item declares.
#[salsa::tracked]
pub(crate) fn declared<'db>(db: &'db dyn Db, item: Item<'db>) -> Declared {
    known(db, "declared", || text_print(db, item), || declared_by(db, item))
}

fn declared_by<'db>(db: &'db dyn Db, item: Item<'db>) -> Declared {
    of_tree(db, item, |tree| {
        let (terms, errors) = if is_whole(db, item) {
            let (terms, mut errors) = declare(tree);
            errors.extend(contrary(tree));
            (terms, errors)
        } else {
            // A broken declaration keeps its terms, so that those that use them stay whole.
            let mut all = tree.clone();
            all.clauses.append(&mut all.faulty);
            (declare(&all).0, Vec::new())
        };
        Declared { terms: terms.into_iter().map(Arc::new).collect(), findings: errors }
    })
}

/// A term and the item that declares it.
#[derive(Clone, Debug, salsa::SalsaValue)]
pub(crate) struct DeclaredTerm<'db> {
    /// The term.
    pub term: Arc<Term>,
    /// The item.
    pub item: Item<'db>,
}

/// A term that was already declared.
#[derive(Clone, Debug, salsa::SalsaValue)]
pub(crate) struct RepeatedTerm<'db> {
    /// Its kind and name.
    pub key: TermKey,
    /// The item that repeats it.
    pub again: Item<'db>,
    /// The first one.
    pub first: Item<'db>,
}

/// The index of terms.
#[derive(Clone, Debug, salsa::SalsaValue)]
pub(crate) struct Vocabulary<'db> {
    by_word: FxHashMap<Arc<str>, Arc<[Arc<Term>]>>,
    /// Indices into `order`.
    by_key: BTreeMap<TermKey, usize>,
    /// All terms with the items that declare them, in the order of declaration.
    pub order: Vec<DeclaredTerm<'db>>,
    /// Terms that were already declared.
    pub repeated: Vec<RepeatedTerm<'db>>,
}

impl Vocabulary<'_> {
    /// True for a word that is a form of a term by itself.
    pub(crate) fn is_term(&self, word: &str) -> bool {
        let alone = |term: &Arc<Term>| term.forms.iter().any(|form| form.words.len() == 1 && *form.words[0] == *word);
        self.by_word.get(word).is_some_and(|terms| terms.iter().any(alone))
    }

    /// Every word of the vocabulary, sorted.
    pub(crate) fn words(&self) -> Vec<&str> {
        let forms = self.order.iter().flat_map(|one| &one.term.forms);
        let mut words: Vec<&str> = forms.flat_map(|form| &form.words).map(|word| &**word).collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

/// Indexes the terms. Not compared: it is recomputed only when a declaration has really changed.
#[salsa::tracked(no_eq)]
pub(crate) fn vocabulary<'db>(db: &'db dyn Db) -> Vocabulary<'db> {
    let mut by_word: FxHashMap<Arc<str>, Vec<Arc<Term>>> = FxHashMap::default();
    let mut all =
        Vocabulary { by_word: FxHashMap::default(), by_key: BTreeMap::new(), order: Vec::new(), repeated: Vec::new() };
    let speaking = all_items(db).iter().filter(|item| item.head(db).is_some_and(|head| !MUTE_HEADS.contains(&head)));
    // A reading that replaces a procedure declares it again; the base text comes first.
    let (rulings, base): (Vec<&Item<'db>>, Vec<&Item<'db>>) =
        speaking.partition(|item| item.head(db) == Some("ruling"));
    // What a list holds is declared before what others add to it: an entry that is there twice is theirs.
    let (further, base): (Vec<&Item<'db>>, Vec<&Item<'db>>) =
        base.into_iter().partition(|item| extends(db, **item).is_some());
    for (item, layered) in
        base.into_iter().chain(further).map(|item| (item, false)).chain(rulings.into_iter().map(|item| (item, true)))
    {
        for term in &declared(db, *item).terms {
            if let Some(first) = all.by_key.get(&term.key).and_then(|index| all.order.get(*index)) {
                if !distinct(term, &first.term) {
                    if !layered {
                        all.repeated.push(RepeatedTerm { key: term.key.clone(), again: *item, first: first.item });
                    }
                    continue;
                }
            } else {
                all.by_key.insert(term.key.clone(), all.order.len());
            }
            all.order.push(DeclaredTerm { term: Arc::clone(term), item: *item });
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

/// The list that an item extends, and where it says so.
fn extends<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<(Arc<str>, tree::Span)> {
    // Of what is no list the tree is not asked for: most items are none.
    let list = Some(item).filter(|item| item.head(db) == Some("list"))?;
    let tree = skeleton(db, list).as_deref()?;
    Some((extended_list(tree)?, tree.head_span))
}

/// What is wrong with the extension of a list in view of the other items.
#[salsa::tracked]
pub(crate) fn extension_findings<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Finding> {
    let known = |list: &str| term(db, TermName::new(db, TermKind::List, list)).is_some();
    let unknown = extends(db, item).filter(|(list, _)| !known(list));
    let finding = |(list, span): (Arc<str>, tree::Span)| {
        let finding = Finding::new(Code::NothingToExtend, span, format!("there is no list `{list}` to extend"));
        let lists = vocabulary(db).order.iter().map(|one| &one.term.key).filter(|key| key.kind == TermKind::List);
        let near = suggestion(&list, lists.map(|key| &*key.name));
        finding.help(near.unwrap_or_else(|| format!("declare it, `list {list} {{ … }}`")))
    };
    unknown.into_iter().map(finding).collect()
}

/// True if two terms of one name can stand side by side: one attribute may be printed on some classes of
/// things and stored for others. What is defined has one definition, for all things that have it.
fn distinct(a: &Term, b: &Term) -> bool {
    match (&a.detail, &b.detail) {
        (
            Detail::Attribute { origin: from, of, value, many, .. },
            Detail::Attribute { origin: comes, of: others, value: other, many: several, .. },
        ) => {
            *from != Origin::Define
                && *comes != Origin::Define
                && (value, many) == (other, several)
                && !of.types.iter().any(|class| others.types.contains(class))
        }
        _ => false,
    }
}

/// The terms with a word: the firewall that lets an item depend only on the words that it contains.
#[salsa::tracked]
pub(crate) fn word_terms<'db>(db: &'db dyn Db, word: Word<'db>) -> Arc<[Arc<Term>]> {
    // total: a word that no term is spelled with has none
    vocabulary(db).by_word.get(&**word.text(db)).cloned().unwrap_or_default()
}

/// The forms that begin with a word: there are many terms with words such as `of`, and few that begin so.
#[salsa::tracked]
pub(crate) fn word_forms<'db>(db: &'db dyn Db, word: Word<'db>) -> Arc<[FormOf]> {
    forms_from(word.text(db), word_terms(db, word))
}

/// The term of a kind and name.
#[salsa::tracked]
pub(crate) fn term<'db>(db: &'db dyn Db, name: TermName<'db>) -> Option<Arc<Term>> {
    find(db, name).map(|(term, _)| term)
}

/// The terms of a list, in the order of declaration.
#[salsa::tracked]
pub(crate) fn entries<'db>(db: &'db dyn Db, list: TermName<'db>) -> Vec<Arc<str>> {
    let of = |term: &Term| matches!(&term.detail, Detail::Entry { list: of } if **of == **list.name(db));
    vocabulary(db).order.iter().filter(|one| of(&one.term)).map(|one| Arc::clone(&one.term.key.name)).collect()
}

/// The figures and states that hold terms of a list, in the order of declaration.
#[salsa::tracked]
pub(crate) fn holders<'db>(db: &'db dyn Db, list: TermName<'db>) -> Vec<Arc<Term>> {
    let holds = |term: &Term| match &term.detail {
        Detail::Attribute { origin: Origin::Figure | Origin::State, value: TypeName::Named(of), .. } => {
            **of == **list.name(db)
        }
        _ => false,
    };
    vocabulary(db).order.iter().map(|one| &one.term).filter(|term| holds(term)).cloned().collect()
}

/// The item that declares a term.
#[salsa::tracked(returns(copy))]
pub(crate) fn declaring_item<'db>(db: &'db dyn Db, name: TermName<'db>) -> Option<Item<'db>> {
    find(db, name).map(|(_, item)| item)
}

fn find<'db>(db: &'db dyn Db, name: TermName<'db>) -> Option<(Arc<Term>, Item<'db>)> {
    let key = TermKey { kind: name.kind(db), name: Arc::from(name.name(db).as_str()) };
    let vocabulary = vocabulary(db);
    let found = vocabulary.by_key.get(&key).and_then(|index| vocabulary.order.get(*index));
    found.map(|one| (Arc::clone(&one.term), one.item)).or_else(|| own_fact(db, &key))
}

/// A fact that an item has declared for itself: its name begins with that of the item.
fn own_fact<'db>(db: &'db dyn Db, key: &TermKey) -> Option<(Arc<Term>, Item<'db>)> {
    let (owner, _) = key.name.split_once(' ').filter(|_| key.kind == TermKind::Attribute)?;
    FACT_HEADS.iter().find_map(|head| {
        let item = named(db, Name::new(db, *head, owner))?;
        let term = facts(db, item).iter().find(|term| term.key == *key)?;
        Some((Arc::clone(term), item))
    })
}

/// The heads of items that may declare facts for themselves.
const FACT_HEADS: [&str; 2] = ["card", "rule"];

/// The facts that an item declares for itself: only its own clauses can say them.
#[salsa::tracked]
pub(crate) fn facts<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Arc<Term>> {
    if item.head(db).is_none_or(|head| !FACT_HEADS.contains(&head)) {
        return Vec::new();
    }
    let mut found = declared_in(db, item, item);
    let of_original = original_of(db, item).map(|original| declared_in(db, original, item));
    for term in of_original.into_iter().flatten() {
        if !found.iter().any(|own| own.key == term.key) {
            found.push(term);
        }
    }
    found
}

/// The facts that the text of one item declares, as those of another.
fn declared_in<'db>(db: &'db dyn Db, text: Item<'db>, of: Item<'db>) -> Vec<Arc<Term>> {
    of_tree(db, text, |tree| {
        let clauses = tree.clauses.iter().chain(&tree.faulty).filter(|clause| clause.head() == FACT);
        clauses.filter_map(|clause| fact(clause, of.key(db), card_class(db)).map(Arc::new)).collect()
    })
}

/// Facts that are called like a word of the vocabulary, or like another fact of the item.
#[salsa::tracked]
pub(crate) fn fact_findings<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if facts(db, item).is_empty() {
        return findings;
    }
    let own = declared_in(db, item, item);
    for (nth, term) in own.iter().enumerate() {
        let Some(form) = term.forms.first() else { continue };
        let Some(word) = form.words.first() else { continue };
        let same =
            |other: &Arc<Term>| other.key.kind == TermKind::Attribute && other.forms.iter().any(|one| one == form);
        let common = word_terms(db, Word::new(db, &**word)).iter().any(same);
        if common || own.iter().take(nth).any(same) {
            let span = of_tree(db, item, |tree| fact_span(tree, &term.key.name, item.key(db), card_class(db)));
            let text = format!("`{}` is declared twice", form.text());
            let help = match common {
                true => "it is a word of the vocabulary: call this fact otherwise",
                false => "take one away, or call it otherwise",
            };
            findings.push(Finding::new(Code::TermRepeated, span, text).help(help));
        }
    }
    findings
}

/// Where an item declares a fact for the last time.
fn fact_span(tree: &tree::Item, name: &str, key: &str, card: &Arc<str>) -> tree::Span {
    let is_it = |clause: &&tree::Clause| fact(clause, key, card).is_some_and(|term| *term.key.name == *name);
    tree.clauses.iter().rev().find(is_it).map_or(tree.head_span, |clause| clause.span)
}
