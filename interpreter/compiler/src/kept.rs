//! What was worked out in an earlier process about exactly the same files.
//!
//! Only as long as nothing has been edited since they were loaded: what an edit makes to be worked out again is salsa's to say.

use std::cell::{Cell, OnceCell};
use std::hash::Hash;
use std::sync::Arc;

use netrep_ir::Program;
use netrep_store::{Pack, Question, Store};
use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::Xxh3;

use crate::compiler::Compiler;
use crate::finding::Diagnostic;
use crate::inputs::Profile;
use crate::link::Linked;

/// So many programs of one process are kept: those that are asked for first. Who runs scenarios asks for hundreds.
const PROGRAMS: u32 = 4;

/// Answers about the files of a compiler, in a store.
#[derive(Debug)]
pub struct Kept {
    store: Arc<Store>,
    /// Where the files are, in words: what is known of files as they were before is looked for by it.
    place: String,
    /// A fingerprint of the files and of what is wrong with them as files.
    files: u128,
    /// How often the compiler had been edited when they were loaded.
    edits: u64,
    /// How many programs this process has kept.
    programs: Cell<u32>,
    /// What was made of texts, whatever the other files were then.
    texts: OnceCell<Option<Pack>>,
}

impl Kept {
    /// Answers about files with this fingerprint, which are as they are after so many edits.
    pub(crate) fn of(store: Arc<Store>, place: &str, edits: u64, files: u128) -> Kept {
        Kept { store, place: place.to_owned(), files, edits, programs: Cell::new(0), texts: OnceCell::new() }
    }

    /// True if nothing has been edited since.
    pub(crate) fn is_of(&self, edits: u64) -> bool {
        self.edits == edits
    }

    /// Where answers are kept.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Where the files are, in words.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// A fingerprint of the files.
    pub fn files(&self) -> u128 {
        self.files
    }

    /// The answer that was kept to a question of this kind about the files and this.
    pub fn answer<T: DeserializeOwned>(&self, kind: &'static str, about: &impl Serialize) -> Option<T> {
        self.store.answer(&self.question(kind, about)?)
    }

    /// Keeps an answer.
    pub fn keep(&self, kind: &'static str, about: &impl Serialize, answer: &impl Serialize) {
        if let Some(question) = self.question(kind, about) {
            self.store.keep(&question, answer);
        }
    }

    fn question(&self, kind: &'static str, about: &impl Serialize) -> Option<Question> {
        Question::of(kind, &(self.files, about))
    }

    /// What was made of a text, or what is made of it now: of what this is about, it must follow from nothing else.
    pub fn by_text<T: Serialize + DeserializeOwned>(
        &self,
        kind: &'static str,
        about: &impl Hash,
        make: impl FnOnce() -> T,
    ) -> T {
        let open = || Some(Pack::open(Store::clone(&self.store), Question::of("texts", &self.place)?));
        let Some(texts) = self.texts.get_or_init(open) else { return make() };
        let mut hasher = Xxh3::new();
        (kind, about).hash(&mut hasher);
        texts.or_else(hasher.digest128(), make)
    }

    /// The program of a profile and what is wrong with it.
    pub(crate) fn program(&self, profile: &Profile) -> Option<Linked> {
        let (program, diags): (Program, Vec<Diagnostic>) = self.answer(PROGRAM, profile)?;
        Some((Arc::new(program), diags))
    }

    /// Keeps a program, if it is one of the first.
    pub(crate) fn keep_program(&self, profile: &Profile, (program, diags): &Linked) {
        if self.programs.get() < PROGRAMS {
            self.programs.set(self.programs.get() + 1);
            self.keep(PROGRAM, profile, &(&**program, diags));
        }
    }
}

const PROGRAM: &str = "program";

/// What was made of items of a place, whatever their files were then.
pub(crate) fn items(store: &Store, place: &str) -> Option<Pack> {
    Some(Pack::open(store.clone(), Question::of("items", &place)?))
}

/// A fingerprint of files with their texts, and of what is wrong with them as files.
pub(crate) fn print(texts: &[(Arc<str>, Arc<str>)], loading: &[Diagnostic]) -> u128 {
    let mut hasher = Xxh3::new();
    let mut add = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for (path, text) in texts {
        add(path);
        add(text);
    }
    for diag in loading {
        add(&format!("{diag:?}"));
    }
    hasher.digest128()
}

/// The answer that was kept, or, if there is none, that which is worked out, which then is kept.
pub(crate) fn or_else<T: Serialize + DeserializeOwned>(
    kept: Option<&Kept>,
    kind: &'static str,
    about: &impl Serialize,
    work_out: impl FnOnce() -> T,
) -> T {
    let Some(kept) = kept else { return work_out() };
    if let Some(known) = kept.answer(kind, about) {
        return known;
    }
    let found = work_out();
    kept.keep(kind, about, &found);
    found
}

/// What is wrong between items, unless it was found before, about files that may have been others, that between items of this
/// fingerprint nothing is when it is looked at them so.
pub(crate) fn unless_right(
    kept: Option<&Kept>,
    so: &'static str,
    between: impl FnOnce() -> u128,
    look: impl FnOnce() -> Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let question = kept.and_then(|kept| Some((kept, Question::of(so, &between())?)));
    if question.as_ref().is_some_and(|(kept, question)| kept.store.answer::<()>(question).is_some()) {
        return Vec::new();
    }
    let found = look();
    if let Some((kept, question)) = question.filter(|_| found.is_empty()) {
        kept.store.keep(&question, &());
    }
    found
}

impl Compiler {
    /// What is wrong under a profile, as [`Compiler::link`] says it; the program is not looked at.
    pub fn problems(&self, profile: &Profile) -> Vec<Diagnostic> {
        or_else(self.kept(), "problems", profile, || self.link(profile).1)
    }

    /// Done with: what is new is kept, and the rest is left to the system, which takes it away with the process.
    pub fn leave(mut self) {
        drop((self.db.known.take(), self.kept.take()));
        std::mem::forget(self);
    }
}
