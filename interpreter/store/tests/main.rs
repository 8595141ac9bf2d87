//! A store gives the answer that was kept, or none: whatever becomes of its files, its processes and its folder.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod bounds;
mod late;
mod packed;
mod processes;
mod spoilt;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use netrep_store::{Question, Store};

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("netrep-store-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn store(&self) -> Store {
        Store::at(self.0.clone(), BUILD)
    }

    /// The files in it.
    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    /// The only file in it.
    fn file(&self) -> PathBuf {
        let files = self.files();
        assert_eq!(files.len(), 1, "{files:?}");
        files[0].clone()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The build that asks.
const BUILD: &str = "one";

fn question(about: &str) -> Question {
    Question::of("lamp", &about).unwrap()
}

fn answer(store: &Store, about: &str) -> Option<Vec<String>> {
    store.answer(&question(about))
}

/// What is answered about a lamp: as many words as it is bright.
fn bright(about: &str, bright: usize) -> Vec<String> {
    (0..bright).map(|n| format!("{about} {n}")).collect()
}

#[test]
fn an_answer_is_given_to_the_question_and_the_build_that_it_is_of() {
    let folder = Folder::new();
    let store = folder.store();
    assert_eq!(answer(&store, "tall"), None);
    store.keep(&question("tall"), &bright("tall", 3));
    store.keep(&question("small"), &bright("small", 1));
    assert_eq!(answer(&store, "tall"), Some(bright("tall", 3)));
    assert_eq!(answer(&folder.store(), "small"), Some(bright("small", 1)), "in another process, too");
    assert_eq!(answer(&store, "tal"), None);
    let other = Question::of("wick", &"tall").unwrap();
    assert_eq!(store.answer::<Vec<String>>(&other), None, "about something else");
    assert_eq!(answer(&Store::at(folder.0.clone(), "two"), "tall"), None, "of another build");
    store.keep(&question("tall"), &bright("tall", 4));
    assert_eq!(answer(&store, "tall"), Some(bright("tall", 4)), "the last one stays");
    assert_eq!(store.contents().unwrap().all().entries, 2);
}

/// A file that holds the answer to another question, or that of another build, is none, whatever it is called.
#[test]
fn a_file_under_the_name_of_another_question_is_no_answer() {
    let folder = Folder::new();
    let store = folder.store();
    store.keep(&question("tall"), &bright("tall", 3));
    let tall = folder.file();
    store.keep(&question("small"), &bright("small", 1));
    let small = folder.files().into_iter().find(|file| *file != tall).unwrap();
    fs::copy(&small, &tall).unwrap();
    assert_eq!(answer(&store, "tall"), None);
    let elsewhere = Folder::new();
    let other = Store::at(elsewhere.0.clone(), "two");
    other.keep(&question("tall"), &bright("another", 3));
    fs::copy(elsewhere.file(), &tall).unwrap();
    assert_eq!(answer(&store, "tall"), None);
}

#[test]
fn where_nothing_can_be_kept_nothing_is_and_nothing_else_comes_of_it() {
    let folder = Folder::new();
    let file = folder.0.join("a file");
    fs::write(&file, "").unwrap();
    for place in [file.clone(), file.join("below"), PathBuf::from("/proc/no such folder")] {
        let store = Store::at(place, BUILD);
        store.keep(&question("tall"), &bright("tall", 3));
        assert_eq!(answer(&store, "tall"), None);
        assert!(store.can_keep().is_err());
    }
    assert!(folder.store().can_keep().is_ok());
    assert_eq!(folder.files(), [file], "looking leaves nothing");
    let none = Store::at(folder.0.join("none"), BUILD);
    assert_eq!(none.contents().unwrap().all().entries, 0);
    assert_eq!(none.clear().unwrap(), 0);
    assert!(!Path::new(none.folder()).exists(), "asking makes no folder");
}
