//! What cards are called, and of which class those of a name are.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_grammar::tree::{Token, TokenKind};

use super::items::{Item, skeleton};
use super::lexicon::DbLexicon;
use super::names::{Name, all_items, card_class, named};
use super::prints::{known, version_print};
use super::terms::vocabulary;
use super::version::{Version, amended};
use crate::db::Db;
use crate::phrase::lexicon::Lexicon;
use crate::phrase::term::Term;

/// What a card is called.
#[salsa::interned(revisions = usize::MAX)]
pub(crate) struct Title<'db> {
    /// The words in the quotation marks of its header.
    pub text: String,
}

/// The title of a card.
#[salsa::tracked]
fn title<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Arc<str>> {
    let header = &skeleton(db, item).as_ref()?.header;
    header.iter().find_map(|token| match &token.kind {
        TokenKind::Quoted(title) => Some(Arc::from(title.as_str())),
        _ => None,
    })
}

/// The cards by their titles.
#[salsa::tracked]
fn titles<'db>(db: &'db dyn Db) -> BTreeMap<Arc<str>, Vec<Item<'db>>> {
    let mut titles: BTreeMap<Arc<str>, Vec<Item<'db>>> = BTreeMap::new();
    for item in all_items(db).iter().filter(|item| item.head(db) == Some("card")) {
        if let Some(title) = title(db, *item) {
            titles.entry(Arc::clone(title)).or_default().push(*item);
        }
    }
    titles
}

/// The cards with a title: the firewall in front of [`titles`].
#[salsa::tracked]
fn called<'db>(db: &'db dyn Db, title: Title<'db>) -> Vec<Item<'db>> {
    titles(db).get(title.text(db).as_str()).into_iter().flatten().copied().collect()
}

/// What is printed on a card as words, and nothing else: a figure and its terms.
#[salsa::tracked]
pub(super) fn printed_words<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Arc<str>> {
    let word = |token: &Token| match &token.kind {
        TokenKind::Word(word) | TokenKind::Capital(word) | TokenKind::Op(word) => Some(word.clone()),
        _ => None,
    };
    // What patterns stand for is printed, too.
    let amended = amended(db, Version::base(db, item));
    let clauses = amended.iter().flat_map(|amended| &amended.item.clauses);
    let said = clauses.filter(|clause| clause.block.is_none()).filter_map(|clause| {
        let words: Option<Vec<String>> = clause.tokens.iter().map(word).collect();
        words.map(|words| Arc::from(words.join(" ")))
    });
    said.collect()
}

/// The narrowest class of the cards with a title, by what is printed on them.
#[salsa::tracked]
pub(crate) fn class_called<'db>(db: &'db dyn Db, title: Title<'db>) -> Option<Arc<str>> {
    let (first, others) = called(db, title).split_first()?;
    let class = narrowest(db, *first)?;
    others.iter().all(|other| narrowest(db, *other).as_ref() == Some(&class)).then_some(class)
}

/// The narrowest class of a card.
#[salsa::tracked]
pub(super) fn class_of<'db>(db: &'db dyn Db, card: Item<'db>) -> Option<Arc<str>> {
    narrowest(db, card)
}

/// The narrowest class of the card of an id.
#[salsa::tracked]
pub(crate) fn class_of_card<'db>(db: &'db dyn Db, id: Name<'db>) -> Option<Arc<str>> {
    narrowest(db, named(db, id)?).or_else(|| Some(Arc::clone(card_class(db))))
}

/// The class that says most of a card.
fn narrowest<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Arc<str>> {
    known(db, "class", || version_print(db, Version::base(db, item)), || printed_class(db, item))
}

/// The class that says most of a card: the one with the most above it, of these the one with the fewest terms.
fn printed_class<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Arc<str>> {
    let (lexicon, card) = (DbLexicon::new(db), card_class(db));
    let printed = printed_words(db, item);
    let is_so = |term: &Term| {
        let (figure, terms) = term.only.as_ref()?;
        let said = |entry: &Arc<str>| printed.iter().any(|words| **words == *format!("{figure} {entry}"));
        terms.iter().any(said).then_some(terms.len())
    };
    let mut best: Option<((usize, usize), Arc<str>)> = None;
    for one in &vocabulary(db).order {
        let Some(terms) = is_so(&one.term) else { continue };
        let lineage = lexicon.lineage(&one.term.key.name);
        let rank = (lineage.len(), usize::MAX - terms);
        if lineage.last() == Some(card) && best.as_ref().is_none_or(|(known, _)| *known < rank) {
            best = Some((rank, Arc::clone(&one.term.key.name)));
        }
    }
    best.map(|(_, class)| class)
}
