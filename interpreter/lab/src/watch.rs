//! Watching files: after every save the findings, then only the runs that read what has changed.
//!
//! The watcher keeps a program in force. A save that breaks something is reported and held back: the last good text of
//! the file stays in force until a later save mends it, so that everything else can still be edited and run.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use netrep_compiler::{Diagnostic, Profile, load};
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

use crate::decks::Decks;
use crate::library::Library;
use crate::memo::Memo;
use crate::problem::sorted;
use crate::report::Report;
use crate::run::{Job, jobs};
use crate::scenario::{Scenario, parse_with};

/// The head of the items of which no edition is made.
const CARD: &str = "card";

/// A file that was saved, or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Its path relative to the root.
    pub path: String,
    /// Its text; `None` if it is gone.
    pub text: Option<String>,
}

/// What came of a save.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Round {
    /// The files that were saved or removed.
    pub changed: Vec<String>,
    /// The files that are held back: their last good text is in force.
    pub held: Vec<String>,
    /// Everything that is wrong with the files as they were saved, and advice.
    pub diagnostics: Vec<Diagnostic>,
    /// What was run, in order.
    pub ran: Vec<Ran>,
    /// How many runs were not repeated, because nothing that they read has changed.
    pub skipped: usize,
}

/// A run.
#[derive(Clone, Debug, Serialize)]
pub struct Ran {
    /// The scenario.
    pub scenario: String,
    /// Its file.
    pub file: String,
    /// The profile in words.
    pub profile: String,
    /// Whether every expectation held.
    pub passed: bool,
    /// Whether it did the last time; `None` if it is new.
    pub before: Option<bool>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

impl Ran {
    /// True if it passed before and fails now, or the other way round.
    pub fn turned(&self) -> bool {
        self.before.is_some_and(|before| before != self.passed)
    }
}

impl Round {
    /// True if nothing is wrong with the files, and no run failed.
    pub fn clean(&self) -> bool {
        !self.diagnostics.iter().any(is_error) && self.ran.iter().all(|ran| ran.passed)
    }
}

/// A data file that is held back.
struct Held {
    /// As it was saved.
    saved: Option<String>,
    /// As it is in force.
    good: Option<String>,
}

/// The scenarios of a file, and what is wrong with its other blocks.
struct Blocks {
    scenarios: Vec<Arc<Scenario>>,
    diags: Vec<Diagnostic>,
}

impl Blocks {
    fn of(file: &str, text: &str, decks: &Decks) -> Blocks {
        let parsed = parse_with(file, text, false, decks);
        Blocks { scenarios: parsed.scenarios.into_iter().map(Arc::new).collect(), diags: parsed.diags }
    }
}

/// The blocks of these files, in which players may have the decks of the library.
fn blocks(library: &Library, texts: &BTreeMap<String, String>) -> BTreeMap<String, Blocks> {
    let decks = library.decks();
    texts.iter().map(|(file, text)| (file.clone(), Blocks::of(file, text, &decks))).collect()
}

/// Which run: file, scenario and profile.
type RunKey = (String, String, String);

/// Keeps a program in force and knows which runs are still valid under it.
pub struct Watcher {
    library: Library,
    paths: Vec<PathBuf>,
    default: Profile,
    threads: usize,
    texts: BTreeMap<String, String>,
    /// The files with decks that positions may name.
    decks: BTreeMap<String, String>,
    parsed: BTreeMap<String, Blocks>,
    held: BTreeMap<String, Held>,
    /// What is wrong between the items of an edition, as the files were when one was saved that says what editions are
    /// made of.
    between: Vec<Diagnostic>,
    /// Of which items that was found.
    choosing: u64,
    /// True if the program in force has no errors; only then there is something to be protected.
    sound: bool,
    memo: Memo,
    verdicts: BTreeMap<RunKey, bool>,
}

impl Watcher {
    /// Watches the data below a root, and the scenarios of files and folders (of the folders for tests if no path is
    /// given). Nothing is run yet.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn open(root: &Path, paths: &[PathBuf], default: &Profile, threads: usize) -> io::Result<Watcher> {
        Watcher::of(Library::open(root)?, paths, default, threads)
    }

    /// The same, of data that are compiled already, or in part.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn of(library: Library, paths: &[PathBuf], default: &Profile, threads: usize) -> io::Result<Watcher> {
        let texts: BTreeMap<String, String> = library.scenario_files(paths)?.into_iter().collect();
        let decks = library.deck_texts();
        let parsed = blocks(&library, &texts);
        let sound = !library.compiler.check().iter().any(is_error);
        Ok(Watcher {
            library,
            paths: paths.to_vec(),
            default: default.clone(),
            threads,
            texts,
            decks,
            parsed,
            held: BTreeMap::new(),
            between: Vec::new(),
            choosing: 0,
            sound,
            memo: Memo::new(),
            verdicts: BTreeMap::new(),
        })
    }

    /// Begins with what is known of runs: those that are still valid are not made at the start.
    #[must_use]
    pub fn knowing(mut self, memo: Memo) -> Watcher {
        self.memo = memo;
        self
    }

    /// The program in force and the files.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Ends watching; the files as they are in force.
    pub fn into_library(self) -> Library {
        self.library
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.jobs().len()
    }

    /// The text of a file as it was saved, in which findings are shown.
    pub fn text(&self, path: &str) -> Option<String> {
        match self.held.get(path) {
            Some(held) => held.saved.clone(),
            None => self.texts.get(path).cloned().or_else(|| self.library.text(path)),
        }
    }

    /// The text of a file as it is in force, in which the findings of runs are shown.
    pub fn text_in_force(&self, path: &str) -> Option<String> {
        self.texts.get(path).cloned().or_else(|| self.library.text(path))
    }

    /// Runs everything; `each` hears of every run as it ends.
    pub fn start(&mut self, each: &(dyn Fn(&Report) + Sync)) -> Round {
        self.between = self.library.compiler.check_choices();
        self.choosing = self.choosing();
        let mut round = Round { diagnostics: self.library.compiler.check(), ..Round::default() };
        round.diagnostics.extend(self.between.iter().cloned());
        self.run(&mut round, each);
        round
    }

    /// The files on the disk that differ from those that are known. A file that cannot be read at this moment is as if
    /// it had not been saved.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn saves(&self) -> io::Result<Vec<Saved>> {
        let mut known: BTreeMap<String, String> = self.texts.clone();
        known.extend(self.decks.clone());
        for path in self.library.compiler.paths() {
            known.extend(self.library.compiler.text(&path).map(|text| (path.to_string(), text.to_string())));
        }
        for (path, held) in &self.held {
            match &held.saved {
                Some(text) => drop(known.insert(path.clone(), text.clone())),
                None => drop(known.remove(path)),
            }
        }
        let mut there: BTreeMap<String, String> = self.library.files.sources()?.files.into_iter().collect();
        there.extend(self.library.scenario_files(&self.paths)?);
        there.extend(self.library.deck_texts());
        let mut saves = Vec::new();
        for (path, text) in there {
            if known.remove(&path).is_none_or(|before| before != text) {
                saves.push(Saved { path, text: Some(text) });
            }
        }
        saves.extend(known.into_keys().map(|path| Saved { path, text: None }));
        Ok(saves)
    }

    /// Takes saved files: checks them, puts in force what is good, and runs what read something that has changed.
    pub fn changed(&mut self, saves: &[Saved], each: &(dyn Fn(&Report) + Sync)) -> Round {
        let mut round = Round { changed: saves.iter().map(|saved| saved.path.clone()).collect(), ..Round::default() };
        let decks = self.library.deck_texts();
        let other_decks = decks != self.decks;
        self.decks = decks;
        let decks = self.library.decks();
        for saved in saves {
            if load::is_source(&saved.path) {
                let good = match self.held.remove(&saved.path) {
                    Some(held) => held.good,
                    None => self.library.compiler.text(&saved.path).map(|text| text.to_string()),
                };
                self.held.insert(saved.path.clone(), Held { saved: saved.text.clone(), good });
            } else if let Some(text) = &saved.text {
                let only_decks = self.decks.contains_key(&saved.path) && !self.texts.contains_key(&saved.path);
                if !only_decks {
                    self.parsed.insert(saved.path.clone(), Blocks::of(&saved.path, text, &decks));
                    self.texts.insert(saved.path.clone(), text.clone());
                }
            } else {
                self.parsed.remove(&saved.path);
                self.texts.remove(&saved.path);
            }
        }
        if other_decks {
            self.parsed = blocks(&self.library, &self.texts);
        }
        round.diagnostics = self.adopt();
        if !saves.iter().all(|saved| self.library.compiler.holds_only(&saved.path, CARD)) {
            // Where nothing was wrong with the same items, nothing is, wherever they stand now.
            let choosing = self.choosing();
            if choosing != self.choosing || !self.between.is_empty() {
                self.between = self.library.compiler.check_choices();
                self.choosing = choosing;
            }
        }
        round.diagnostics.extend(self.between.iter().cloned());
        round.held = self.held.keys().cloned().collect();
        self.run(&mut round, each);
        round
    }

    /// A fingerprint of the items in force that say what editions are made of: of all but cards.
    fn choosing(&self) -> u64 {
        let mut hasher = Xxh3::new();
        for item in self.library.compiler.items().into_iter().filter(|item| item.head != CARD) {
            (item.head, item.key, item.text).hash(&mut hasher);
        }
        hasher.digest()
    }

    /// Puts in force as many of the saved files as can be without an error; gives the findings about all of them.
    fn adopt(&mut self) -> Vec<Diagnostic> {
        let all: BTreeSet<String> = self.held.keys().cloned().collect();
        self.set(&all, |held| held.saved.clone());
        let found = self.library.compiler.check();
        let broken = found.iter().any(is_error);
        if !self.sound || !broken {
            self.sound = !broken;
            self.held.clear();
            return found;
        }
        // First those in which the errors are; then, if it is a good one that breaks another, all.
        let mut back: BTreeSet<String> = BTreeSet::new();
        let mut wrong: Vec<Diagnostic> = found.clone();
        while back.len() < all.len() {
            let blamed =
                |path: &&String| wrong.iter().filter(|diag| is_error(diag)).any(|diag| diag.place.file == **path);
            let more: BTreeSet<String> = all.difference(&back).filter(blamed).cloned().collect();
            back = if more.is_empty() { all.clone() } else { back.union(&more).cloned().collect() };
            self.set(&back, |held| held.good.clone());
            wrong = self.library.compiler.check();
            if !wrong.iter().any(is_error) {
                break;
            }
        }
        self.held.retain(|path, _| back.contains(path));
        found
    }

    /// Sets the texts of held files.
    fn set(&mut self, paths: &BTreeSet<String>, text: impl Fn(&Held) -> Option<String>) {
        for (path, held) in self.held.iter().filter(|(path, _)| paths.contains(*path)) {
            match text(held) {
                Some(text) => drop(self.library.compiler.set_file(path, &text)),
                None => drop(self.library.compiler.remove_file(path)),
            }
        }
    }

    fn jobs(&self) -> Vec<Job> {
        let all: Vec<Arc<Scenario>> = self.parsed.values().flat_map(|blocks| blocks.scenarios.clone()).collect();
        jobs(&all, &self.default)
    }

    /// Runs what is not valid any more.
    fn run(&mut self, round: &mut Round, each: &(dyn Fn(&Report) + Sync)) {
        round.diagnostics.extend(self.parsed.values().flat_map(|blocks| blocks.diags.iter().cloned()));
        round.diagnostics = sorted(std::mem::take(&mut round.diagnostics));
        let jobs = self.jobs();
        let outcomes = self.memo.refresh(&self.library.compiler, &jobs, self.threads, each);
        let mut verdicts = BTreeMap::new();
        for outcome in outcomes {
            let report = outcome.report;
            let key: RunKey = (report.file.clone(), report.name.clone(), report.profile.clone());
            if outcome.ran {
                round.ran.push(Ran {
                    scenario: report.name.clone(),
                    file: report.file.clone(),
                    profile: report.profile.clone(),
                    passed: report.passed(),
                    before: self.verdicts.get(&key).copied(),
                    diagnostics: report.diags.clone(),
                });
            } else {
                round.skipped += 1;
            }
            verdicts.insert(key, report.passed());
        }
        self.verdicts = verdicts;
    }
}

fn is_error(diag: &Diagnostic) -> bool {
    diag.is_error()
}
