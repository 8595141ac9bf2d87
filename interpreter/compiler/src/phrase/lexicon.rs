//! The only way from words to terms.

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_diagnostics::nearest;

use super::forms::Forms;
use super::sentence::{Said, Sentence};
use super::term::{Detail, Term};
use super::tree::TermKind;

/// When a sentence is read again because of the labels in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rereading {
    /// Where one was bound that had been looked up in vain before: then more can be read.
    WhereBound,
    /// Always, as often as it may be; to see that nothing else is read so.
    Always,
    /// Never; to see that something else is read so.
    Never,
}

/// A term, and which of its forms.
pub type FormOf = (Arc<Term>, usize);

/// The forms of some terms that begin with a word.
pub(crate) fn forms_from(word: &str, terms: &[Arc<Term>]) -> Arc<[FormOf]> {
    let begins = |term: &Arc<Term>, nth: usize| {
        term.forms.get(nth).and_then(|form| form.words.first()).is_some_and(|first| **first == *word)
    };
    let of = |term: &Arc<Term>| -> Vec<FormOf> {
        (0..term.forms.len()).filter(|nth| begins(term, *nth)).map(|nth| (Arc::clone(term), nth)).collect()
    };
    terms.iter().flat_map(of).collect()
}

/// What the resolver may ask of a vocabulary. A query per word can stand behind it, so that a new word
/// re-checks only the items that contain it.
pub trait Lexicon {
    /// The terms that have this word in one of their forms, wherever in it, or in [`Term::index_words`].
    fn terms_with(&self, word: &str) -> Arc<[Arc<Term>]>;

    /// The forms that begin with this word: each term with which of its forms it is.
    fn forms_from(&self, word: &str) -> Arc<[FormOf]> {
        forms_from(word, &self.terms_with(word))
    }

    /// Words near a misspelt one, best first. Only asked when there is an error to explain.
    fn suggest(&self, word: &str) -> Vec<String>;

    /// True if a card or another thing with a name of its own is called so. Only asked when there is an error to explain.
    fn is_name(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// The forms of the language that is spoken with these words.
    fn forms(&self) -> &Forms {
        Forms::all()
    }

    /// When a sentence is read again.
    fn rereading(&self) -> Rereading {
        Rereading::WhereBound
    }

    /// The class of the things that card items define.
    fn card_class(&self) -> Arc<str> {
        Arc::from("card")
    }

    /// The class of the cards that are called so: the narrowest, by what is printed on them; `None` if there are none, or
    /// if they are of several classes.
    fn class_called(&self, _name: &str) -> Option<Arc<str>> {
        None
    }

    /// The class of the card of an id, the narrowest; `None` if no card has it.
    fn class_of_card(&self, id: &str) -> Option<Arc<str>> {
        is_id(id).then(|| self.card_class())
    }

    /// The term of a kind and name.
    fn term_named(&self, kind: TermKind, name: &str) -> Option<Arc<Term>> {
        // Names begin with a word of the first form, except those of verbs and relations, which begin with a class.
        name.split([' ', '/'])
            .find_map(|word| self.terms_with(word).iter().find(|t| t.key.kind == kind && *t.key.name == *name).cloned())
    }

    /// What a sentence says that can be read in one way, where that is remembered.
    fn said(&self, _sentence: &Sentence) -> Option<Arc<Said>> {
        None
    }

    /// True if every thing of class `sub` is one of class `sup`.
    fn is_subclass(&self, sub: &str, sup: &str) -> bool {
        if sub == sup {
            return true;
        }
        let mut at = self.superclass(sub);
        for _ in 1..64 {
            match at {
                Some(class) if *class == *sup => return true,
                Some(class) => at = self.superclass(&class),
                None => return false,
            }
        }
        false
    }

    /// A class and those above it, nearest first; each once, also where they lead back to one of them.
    fn lineage(&self, class: &str) -> Vec<Arc<str>> {
        let mut lineage: Vec<Arc<str>> = vec![Arc::from(class)];
        while let Some(above) = lineage.last().and_then(|class| self.superclass(class))
            && !lineage.contains(&above)
        {
            lineage.push(above);
        }
        lineage
    }

    /// The declared superclass of a class. One whose superclass is not declared stands among the cards, as nearly all do, so
    /// that what is wrong is told where it is declared and not wherever it is used.
    fn superclass(&self, class: &str) -> Option<Arc<str>> {
        let term = self.term_named(TermKind::Class, class)?;
        above(self, &term)
    }
}

/// The class above the one that a term is.
pub(crate) fn above(words: &(impl Lexicon + ?Sized), class: &Term) -> Option<Arc<str>> {
    let Detail::Class { superclass: Some(above), .. } = &class.detail else { return None };
    let is_declared = words.term_named(TermKind::Class, above).is_some();
    Some(if is_declared { Arc::clone(above) } else { words.card_class() })
}

/// True for what may be the id of a card: capital letters, and a number behind a hyphen.
pub fn is_id(word: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    word.rsplit_once('-').is_some_and(|(before, number)| !before.is_empty() && is_number(number))
}

/// The words near a misspelt one, best first: of a vocabulary and of the language, then those of which it is a part before or
/// behind a hyphen.
pub(crate) fn near(word: &str, vocabulary: &[&str]) -> Vec<String> {
    let mut near = nearest(word, vocabulary.iter().copied().chain(Forms::all().closed()));
    let is_part = |whole: &&&str| whole.contains('-') && whole.split('-').any(|part| part.eq_ignore_ascii_case(word));
    near.extend(vocabulary.iter().filter(is_part).take(MOST_COMPOUNDS).map(|whole| (*whole).to_owned()));
    near
}

/// So many words with a hyphen are named for one of their parts.
const MOST_COMPOUNDS: usize = 8;

/// A vocabulary, and the facts that an item declares for itself.
pub struct WithFacts<'a> {
    words: &'a dyn Lexicon,
    facts: &'a [Arc<Term>],
}

impl<'a> WithFacts<'a> {
    /// The words of a vocabulary and the facts.
    pub fn new(words: &'a dyn Lexicon, facts: &'a [Arc<Term>]) -> Self {
        WithFacts { words, facts }
    }
}

impl Lexicon for WithFacts<'_> {
    fn terms_with(&self, word: &str) -> Arc<[Arc<Term>]> {
        let common = self.words.terms_with(word);
        // By its words, and by the name of its item, with which its own name begins.
        let is_said = |term: &&Arc<Term>| {
            term.index_words().iter().any(|one| **one == *word) || term.key.name.split(' ').next() == Some(word)
        };
        let own: Vec<&Arc<Term>> = self.facts.iter().filter(is_said).collect();
        match own.is_empty() {
            true => common,
            false => common.iter().chain(own).cloned().collect(),
        }
    }

    fn forms_from(&self, word: &str) -> Arc<[FormOf]> {
        match self.facts.is_empty() {
            true => self.words.forms_from(word),
            false => forms_from(word, &self.terms_with(word)),
        }
    }

    fn suggest(&self, word: &str) -> Vec<String> {
        let own = self.facts.iter().flat_map(|term| &term.forms).flat_map(|form| &form.words);
        let mut found = nearest(word, own.map(|one| &**one));
        found.extend(self.words.suggest(word));
        found
    }

    fn is_name(&self, name: &str) -> bool {
        self.words.is_name(name)
    }

    fn forms(&self) -> &Forms {
        self.words.forms()
    }

    fn rereading(&self) -> Rereading {
        self.words.rereading()
    }

    fn card_class(&self) -> Arc<str> {
        self.words.card_class()
    }

    fn class_called(&self, name: &str) -> Option<Arc<str>> {
        self.words.class_called(name)
    }

    fn class_of_card(&self, id: &str) -> Option<Arc<str>> {
        self.words.class_of_card(id)
    }

    fn term_named(&self, kind: TermKind, name: &str) -> Option<Arc<Term>> {
        self.words.term_named(kind, name)
    }

    fn superclass(&self, class: &str) -> Option<Arc<str>> {
        self.words.superclass(class)
    }

    fn said(&self, sentence: &Sentence) -> Option<Arc<Said>> {
        // What no fact of its own is among the words of says the same everywhere; which words these are, only reading tells.
        self.facts.is_empty().then(|| self.words.said(sentence)).flatten()
    }
}

/// A vocabulary in memory.
#[derive(Clone, Debug, Default)]
pub struct Words {
    by_word: BTreeMap<Arc<str>, Arc<[Arc<Term>]>>,
    count: usize,
}

impl Words {
    /// A vocabulary of these terms.
    pub fn new(terms: impl IntoIterator<Item = Term>) -> Self {
        let mut lists: BTreeMap<Arc<str>, Vec<Arc<Term>>> = BTreeMap::new();
        let mut count = 0;
        for term in terms {
            let term = Arc::new(term);
            count += 1;
            for word in term.index_words() {
                lists.entry(word).or_default().push(term.clone());
            }
        }
        Words { by_word: lists.into_iter().map(|(w, t)| (w, t.into())).collect(), count }
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if nothing is declared.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl Lexicon for Words {
    fn terms_with(&self, word: &str) -> Arc<[Arc<Term>]> {
        // total: a word that no term is spelled with has none
        self.by_word.get(word).cloned().unwrap_or_default()
    }

    fn suggest(&self, word: &str) -> Vec<String> {
        near(word, &self.by_word.keys().map(|k| &**k).collect::<Vec<_>>())
    }
}
