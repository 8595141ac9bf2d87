//! A library: the compiler with its files, and the files with scenarios.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use netrep_compiler::Compiler;
use netrep_compiler::load::{self, Inventory};
use netrep_store::Store;
use xxhash_rust::xxh3::xxh3_128;

use crate::files::{Files, sources_of};
use crate::problem::sorted;
use crate::scenario::{Parsed, parse_with};
use crate::{decks, exempt};

/// The folders with scenarios, relative to the root.
pub const FOLDERS: [&str; 2] = ["tests/scenarios", "tests/games"];

/// All that is read of a root without being named, relative to it: files of the language, scenarios, decks, exemptions.
pub fn read_below() -> impl Iterator<Item = &'static str> {
    load::FOLDERS.into_iter().chain(FOLDERS).chain([decks::FOLDER, exempt::EXEMPTIONS])
}

/// Where texts are that are held in memory, in words.
const NOWHERE: &str = "";

/// How the name of the file begins that is replayed when nothing else is asked for; it is in the second of the folders.
const EXAMPLE: &str = "example";

/// The data of a game.
pub struct Library {
    /// Where its files are.
    pub files: Files,
    /// The compiler with its files.
    pub compiler: Compiler,
    /// The paths of files among the data that are not read, sorted.
    pub(crate) others: Vec<String>,
}

impl Library {
    /// Loads the data below a root.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn open(root: &Path) -> io::Result<Library> {
        Library::load(Files::Folder(root.to_owned()))
    }

    /// The data of texts that are held in memory: paths relative to a root that need not be there, and what is in them.
    pub fn held(texts: impl IntoIterator<Item = (String, String)>) -> Library {
        let texts: BTreeMap<String, String> = texts.into_iter().collect();
        let sources = sources_of(&texts);
        Library::of(Files::Held(Arc::new(texts)), Inventory::held(sources))
    }

    /// From now on takes from a store what was worked out about the same files in an earlier process, and keeps there what takes long.
    pub fn keep_in(&mut self, store: Arc<Store>) {
        let place = match &self.files {
            Files::Folder(root) => std::fs::canonicalize(root).ok().map(|root| root.to_string_lossy().into_owned()),
            Files::Held(_) => None,
        };
        match place {
            Some(place) => self.compiler.keep_in(store, &place),
            None => self.compiler.keep_in(store, NOWHERE),
        }
    }

    /// Done with: what is new is kept, and the rest is left to the system, which takes it away with the process, and sooner
    /// than it could be taken apart.
    pub fn leave(self) {
        self.compiler.leave();
    }

    fn load(files: Files) -> io::Result<Library> {
        let sources = files.sources()?;
        Ok(Library::of(files, sources))
    }

    fn of(files: Files, sources: Inventory) -> Library {
        let mut compiler = Compiler::new();
        let others = sources.others.clone();
        compiler.take(sources);
        Library { files, compiler, others }
    }

    /// The same files with another compiler, in which some of them were edited.
    #[must_use]
    pub fn with_compiler(&self, compiler: Compiler) -> Library {
        Library { files: self.files.clone(), compiler, others: self.others.clone() }
    }

    /// The nearest folder, from `start` upwards, that has rules and cards.
    pub fn find_root(start: &Path) -> Option<PathBuf> {
        start
            .ancestors()
            .find(|folder| folder.join("rules").is_dir() && folder.join("cards").is_dir())
            .map(Path::to_owned)
    }

    /// The text of a file of the data or of its tests; paths of diagnostics are relative to the root.
    pub fn text(&self, path: &str) -> Option<String> {
        self.compiler.text(path).map(|text| text.to_string()).or_else(|| self.files.text(path))
    }

    /// The scenarios of files and folders; of the folders for tests if no path is given. With `position`, positions
    /// without expectations count too.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn scenarios(&self, paths: &[PathBuf], position: bool) -> io::Result<Parsed> {
        let found = self.scenario_inventory(paths)?;
        let mut parsed = Parsed { diags: found.wrong, ..Parsed::default() };
        let all = self.decks();
        let known = self.compiler.kept().map(|kept| (kept, xxh3_128(format!("{all:?}").as_bytes())));
        for (file, text) in found.files {
            let found = match known {
                Some((kept, decks)) => {
                    let about = (&file, &text, position, decks);
                    kept.by_text("scenarios", &about, || parse_with(&file, &text, position, &all))
                }
                None => parse_with(&file, &text, position, &all),
            };
            parsed.scenarios.extend(found.scenarios);
            parsed.diags.extend(found.diags);
        }
        parsed.diags = sorted(parsed.diags);
        Ok(parsed)
    }

    /// The files that may hold scenarios: of these files and folders (where the user stands, else of the library), or of
    /// the folders for tests if no path is given. Each with its path as diagnostics show it, and its text.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn scenario_files(&self, paths: &[PathBuf]) -> io::Result<Vec<(String, String)>> {
        self.scenario_inventory(paths).map(|found| found.files)
    }

    /// The same, with what was meant to be one and is not read.
    pub(crate) fn scenario_inventory(&self, paths: &[PathBuf]) -> io::Result<Inventory> {
        let mut found = Inventory::default();
        if paths.is_empty() {
            for folder in FOLDERS {
                let part = self.files.markdown(folder)?;
                found.files.extend(part.files);
                found.others.extend(part.others);
                found.wrong.extend(part.wrong);
            }
        }
        for path in paths {
            found.files.extend(self.files.named(path)?);
        }
        Ok(found)
    }

    /// The file with the example game.
    pub fn example(&self) -> Option<PathBuf> {
        let is_it = |path: &str| path.rsplit('/').next().is_some_and(|name| name.starts_with(EXAMPLE));
        let mut found = self.files.markdown(FOLDERS[1]).ok()?.files.into_iter().map(|(path, _)| path);
        found.find(|path| is_it(path)).map(|path| match self.files.root() {
            Some(root) => root.join(path),
            None => PathBuf::from(path),
        })
    }
}
