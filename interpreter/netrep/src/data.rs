//! Data: rules, cards, rulings, editions and decks.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use netrep_compiler::Profile;
use netrep_diagnostics::Code;
use netrep_ir::Place;
use netrep_lab::Library;
use netrep_lab::decks;
use netrep_store::Store;
use serde::Serialize;

use crate::built_in;
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::rules::Rules;

/// Rules, cards, rulings, editions and decks, as they are written. From it come [`Rules`], from these tables.
///
/// A `Data` stays on the thread on which it was made; a [`Table`](crate::Table) can be moved to another.
pub struct Data {
    pub(crate) library: Library,
}

/// An edition: a choice of readings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edition {
    /// Its id: what [`Rules::edition`] takes.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// True for the one that is played if none is chosen.
    pub is_default: bool,
}

/// A deck as it is written.
#[derive(Clone, Debug)]
pub struct Deck(pub(crate) decks::Deck);

impl Deck {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.0.name
    }
}

impl Data {
    /// The data that were built into this crate: those of its repository.
    pub fn built_in() -> Data {
        Data::of_texts(built_in::DATA.iter().chain(built_in::TESTS).copied())
    }

    /// The data below a folder: what is in `rules/`, `cards/` and `decks/`.
    ///
    /// # Errors
    /// [`ErrorKind::File`], if there is no such folder or a file cannot be read.
    pub fn folder(root: impl AsRef<Path>) -> Result<Data, Error> {
        let root = root.as_ref();
        if !root.is_dir() {
            return Err(Error::new(ErrorKind::File, format!("{} is not a folder", root.display())));
        }
        Ok(Data { library: Library::open(root)? })
    }

    /// The same; what takes long to work out is kept in a store for later processes, and taken from it. Nothing else comes of
    /// it: the answers are the same.
    #[must_use]
    pub fn kept_in(mut self, store: Arc<Store>) -> Data {
        self.library.keep_in(store);
        self
    }

    /// The nearest folder with data, from `start` upwards: one with `rules/` and `cards/`. `None`, if there is none.
    pub fn folder_above(start: impl AsRef<Path>) -> Option<PathBuf> {
        Library::find_root(start.as_ref())
    }

    /// Data that are nowhere on a disk: for each file its path (such as `rules/mine.rules`) and its text.
    pub fn of_texts<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Data {
        let owned = texts.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned()));
        Data { library: Library::held(owned) }
    }

    /// Everything that is wrong with the data, the decks and the positions, and advice. What has an error is left out of the rules.
    pub fn check(&self) -> Vec<Diagnostic> {
        let found = match self.library.survey(&Profile::default()) {
            Ok(survey) => survey.diagnostics,
            // What was read once cannot be listed any more.
            Err(error) => vec![netrep_compiler::Diagnostic::new(Code::NotRead, Place::nowhere(), error.to_string())],
        };
        found.iter().map(|diag| Diagnostic::of(diag, &|file| self.library.text(file))).collect()
    }

    /// The editions.
    pub fn editions(&self) -> Vec<Edition> {
        let all = self.library.compiler.editions().into_iter();
        all.map(|(edition, _)| Edition {
            id: edition.id.to_string(),
            title: edition.title.clone(),
            is_default: edition.default.is_some(),
        })
        .collect()
    }

    /// All decks of the data.
    ///
    /// # Errors
    /// [`ErrorKind::Data`], if one cannot be read.
    pub fn decks(&self) -> Result<Vec<Deck>, Error> {
        let found = self.library.all_decks().map_err(|diags| self.wrong(diags))?;
        Ok(found.into_iter().map(Deck).collect())
    }

    /// A deck by its name, or by the path of a file with one deck.
    ///
    /// # Errors
    /// [`ErrorKind::Data`], if there is no such deck, several, or one that cannot be read.
    pub fn deck(&self, name: &str) -> Result<Deck, Error> {
        self.library.deck(name).map(Deck).map_err(|diags| self.wrong(diags))
    }

    /// A deck of your own: Markdown with one fenced block `deck NAME`, in which stand sentences such as
    /// `cards in PLACE: 3 "NAME", "NAME".`
    ///
    /// # Errors
    /// [`ErrorKind::Data`], if it cannot be read, or is not one.
    pub fn read_deck(&self, markdown: &str) -> Result<Deck, Error> {
        let own = |file: &str| (file == DECK).then(|| markdown.to_owned());
        let mut found = decks::decks(DECK, markdown).map_err(|diags| Error::data(diags, &own))?;
        match (found.pop(), found.is_empty()) {
            (Some(deck), true) => Ok(Deck(deck)),
            (None, _) => Err(Error::new(ErrorKind::Data, "there is no block `deck NAME` in it")),
            (Some(_), false) => Err(Error::new(ErrorKind::Data, "there is more than one block `deck NAME` in it")),
        }
    }

    /// The rules of the default edition, from which others are chosen.
    pub fn rules(&self) -> Rules<'_> {
        Rules::new(self)
    }

    /// The text of a file of the data, by its path from the root.
    pub fn text(&self, path: &str) -> Option<String> {
        self.library.text(path)
    }

    pub(crate) fn wrong(&self, diags: Vec<netrep_compiler::Diagnostic>) -> Error {
        Error::data(diags, &|file| self.library.text(file))
    }
}

/// The file that a deck of one's own is said to be.
const DECK: &str = "deck";
