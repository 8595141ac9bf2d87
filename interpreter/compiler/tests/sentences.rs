//! A sentence that is remembered says what it says when it is read where it stands, with the same places; and what cannot be
//! read is told in the same words.
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::common::phrases::{load, vocabulary};
use netrep_compiler::phrase::lexicon::{Lexicon, Rereading, Words};
use netrep_compiler::phrase::read::read_item;
use netrep_compiler::phrase::sentence::{Said, Sentence};
use netrep_compiler::phrase::term::Term;
use netrep_grammar::tree::{Clause, Item};

/// A vocabulary that remembers sentences.
struct Remembering<'w> {
    words: &'w Words,
    said: RefCell<HashMap<Sentence, Option<Arc<Said>>>>,
    again: Cell<usize>,
}

impl Lexicon for Remembering<'_> {
    fn terms_with(&self, word: &str) -> Arc<[Arc<Term>]> {
        self.words.terms_with(word)
    }

    fn suggest(&self, word: &str) -> Vec<String> {
        self.words.suggest(word)
    }

    fn said(&self, sentence: &Sentence) -> Option<Arc<Said>> {
        if let Some(known) = self.said.borrow().get(sentence) {
            self.again.set(self.again.get() + 1);
            return known.clone();
        }
        let said = sentence.said(self.words).map(Arc::new);
        self.said.borrow_mut().insert(sentence.clone(), said.clone());
        said
    }
}

/// A vocabulary whose sentences are read again always, or never.
struct Reread<'w>(&'w Words, Rereading);

impl Lexicon for Reread<'_> {
    fn terms_with(&self, word: &str) -> Arc<[Arc<Term>]> {
        self.0.terms_with(word)
    }

    fn suggest(&self, word: &str) -> Vec<String> {
        self.0.suggest(word)
    }

    fn rereading(&self) -> Rereading {
        self.1
    }
}

/// An item without the last token of each of its clauses.
fn torn(item: &Item) -> Item {
    fn tear(clauses: &mut [Clause]) {
        for clause in clauses {
            clause.tokens.pop();
            if let Some(block) = &mut clause.block {
                tear(block);
            }
        }
    }
    let mut item = item.clone();
    tear(&mut item.clauses);
    item
}

#[test]
fn what_is_remembered_is_what_is_read() {
    let sources = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples"));
    let words = vocabulary(&sources, &mut Vec::new());
    let remembering = Remembering { words: &words, said: RefCell::default(), again: Cell::new(0) };
    let same = |item: &Item| {
        // Nodes are equal wherever they stand; written out they show their places, and in one line they are written in a third of the time.
        let (plain, remembered) = (read_item(item, &words), read_item(item, &remembering));
        assert_eq!(format!("{plain:?}"), format!("{remembered:?}"));
        plain.1.len()
    };
    let mut wrong = 0;
    for source in &sources {
        same(&source.item);
        wrong += same(&torn(&source.item));
    }
    // All are known now, and say the same.
    let (known, before) = (remembering.said.borrow().len(), remembering.again.get());
    for source in &sources {
        same(&source.item);
    }
    assert_eq!(remembering.said.borrow().len(), known);
    assert!(remembering.again.get() > before + 200, "{before} and then {}", remembering.again.get());
    assert!(wrong > 200, "{wrong}");
}

/// What is right and what is torn says the same however often it is read again; and if nothing were read again, that would be
/// seen.
#[test]
fn what_is_not_read_again_says_what_it_says_read_again() {
    let sources = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples"));
    let words = vocabulary(&sources, &mut Vec::new());
    let (mut read, mut otherwise) = (0, 0);
    for (nth, source) in sources.iter().enumerate() {
        // Of what is torn, which is looked at for how to mend it, one in eight.
        let torn = nth.is_multiple_of(8).then(|| torn(&source.item));
        for item in std::iter::once(&source.item).chain(&torn) {
            let said = |rereading| format!("{:?}", read_item(item, &Reread(&words, rereading)));
            let usual = said(Rereading::WhereBound);
            assert_eq!(usual, said(Rereading::Always), "{}", source.text);
            otherwise += usize::from(usual != said(Rereading::Never));
            read += 1;
        }
    }
    println!("{otherwise} of {read} items say something else if nothing is read again");
    assert!(otherwise > 0, "that nothing is read again is not noticed");
}
