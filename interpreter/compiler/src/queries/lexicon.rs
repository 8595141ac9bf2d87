//! The vocabulary of the database, as the phrase resolver and the lowering see it.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::db::Db;
use crate::phrase::lexicon::{FormOf, Lexicon, above, near};
use crate::phrase::sentence::{Said, Sentence};
use crate::phrase::term::Term;
use crate::phrase::tree::{TermKey, TermKind};
use crate::queries::names::{Name, card_class, is_title};
use crate::queries::terms::{TermName, Word, term, vocabulary, word_forms, word_terms};
use crate::queries::titles::{Title, class_called, class_of_card};

/// Terms of a kind by name, as far as they were asked for.
type Named = FxHashMap<Arc<str>, Option<Arc<Term>>>;

/// Looks terms up by query, so that an item depends only on the words and terms that it asked for.
///
/// What was asked once is remembered as long as it lives, which is for one query: sorts are compared much more often than there
/// are classes.
pub struct DbLexicon<'db> {
    db: &'db dyn Db,
    /// By kind.
    named: RefCell<[Named; TermKind::COUNT]>,
    above: RefCell<FxHashMap<Arc<str>, Option<Arc<str>>>>,
}

impl<'db> DbLexicon<'db> {
    /// The lexicon of a database.
    pub fn new(db: &'db dyn Db) -> Self {
        DbLexicon { db, named: RefCell::default(), above: RefCell::default() }
    }

    /// The term of a key.
    pub(crate) fn term(&self, key: &TermKey) -> Option<Arc<Term>> {
        self.term_named(key.kind, &key.name)
    }
}

impl Lexicon for DbLexicon<'_> {
    fn terms_with(&self, word: &str) -> Arc<[Arc<Term>]> {
        Arc::clone(word_terms(self.db, Word::new(self.db, word)))
    }

    fn forms_from(&self, word: &str) -> Arc<[FormOf]> {
        Arc::clone(word_forms(self.db, Word::new(self.db, word)))
    }

    fn suggest(&self, word: &str) -> Vec<String> {
        // Depends on the whole vocabulary, which is right: any new word might be the one that was meant.
        let vocabulary = vocabulary(self.db);
        near(word, &vocabulary.words())
    }

    fn is_name(&self, name: &str) -> bool {
        is_title(self.db, name)
    }

    fn card_class(&self) -> Arc<str> {
        Arc::clone(card_class(self.db))
    }

    fn class_called(&self, name: &str) -> Option<Arc<str>> {
        class_called(self.db, Title::new(self.db, name)).clone()
    }

    fn class_of_card(&self, id: &str) -> Option<Arc<str>> {
        class_of_card(self.db, Name::new(self.db, "card", id)).clone()
    }

    fn term_named(&self, kind: TermKind, name: &str) -> Option<Arc<Term>> {
        let mut named = self.named.borrow_mut();
        let named = named.get_mut(kind as usize)?;
        if let Some(term) = named.get(name) {
            return term.clone();
        }
        let term = term(self.db, TermName::new(self.db, kind, name)).clone();
        // Its name is there already.
        let name = term.as_ref().map_or_else(|| Arc::from(name), |term| Arc::clone(&term.key.name));
        named.insert(name, term.clone());
        term
    }

    fn superclass(&self, class: &str) -> Option<Arc<str>> {
        let known = self.above.borrow().get(class).cloned();
        known.unwrap_or_else(|| {
            let found = self.term_named(TermKind::Class, class).and_then(|term| above(self, &term));
            self.above.borrow_mut().insert(Arc::from(class), found.clone());
            found
        })
    }

    fn said(&self, sentence: &Sentence) -> Option<Arc<Said>> {
        said(self.db, SentenceKey::new(self.db, sentence)).clone()
    }
}

/// A sentence as a key.
#[salsa::interned(revisions = usize::MAX)]
pub(crate) struct SentenceKey<'db> {
    /// The sentence.
    pub sentence: Sentence,
}

/// What a sentence says. Not compared: what it is read by was, and of what is equal the places may differ.
#[salsa::tracked(no_eq)]
fn said<'db>(db: &'db dyn Db, key: SentenceKey<'db>) -> Option<Arc<Said>> {
    key.sentence(db).said(&DbLexicon::new(db)).map(Arc::new)
}
