//! What is kept of the data on the disk: the same as is worked out again, and no other answer when it is spoilt.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use netrep_compiler::{Diagnostic, Profile};
use netrep_ir::Program;
use netrep_lab::run::jobs;
use netrep_lab::{Library, Verdict, library};
use netrep_store::Store;
use xxhash_rust::xxh3::xxh3_64;

use crate::support::data::{files, root};

/// A folder for a store, and one for data beside it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("netrep-tests-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    /// Data as another process opens them, with the store or without.
    fn open(&self, root: &Path, stored: bool) -> Library {
        let mut library = Library::open(root).expect("the data can be read");
        if stored {
            library.keep_in(Arc::new(Store::at(self.0.join("store"), "tests")));
        }
        library
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A number that follows from a seed and a place in a row.
fn seeded(seed: u64, nth: u64) -> usize {
    usize::try_from(xxh3_64(&[seed.to_le_bytes(), nth.to_le_bytes()].concat())).unwrap()
}

#[test]
fn the_program_of_the_data_is_the_same_from_the_store_and_none_when_that_is_spoilt() {
    let many = std::env::var("NETREP_SPOILT").ok().and_then(|many| many.parse().ok()).unwrap_or(60);
    let folder = Folder::new("program");
    let default = Profile::default();
    let first = folder.open(&root(), true);
    let linked = first.compiler.link(&default);
    let again = folder.open(&root(), true);
    assert_eq!(again.compiler.link(&default), linked);
    let kept = again.compiler.kept().expect("nothing was edited");
    let program = || kept.answer::<(Program, Vec<Diagnostic>)>("program", &default);
    assert!(program().is_some_and(|(program, diags)| program == *linked.0 && diags == linked.1));
    let mut entries = fs::read_dir(folder.0.join("store")).unwrap();
    let (file, None) = (entries.next().unwrap().unwrap().path(), entries.next()) else { panic!("one file is kept") };
    let whole = fs::read(&file).unwrap();
    for nth in 0..many {
        let mut bytes = whole.clone();
        bytes[seeded(1, nth) % whole.len()] ^= u8::try_from(seeded(2, nth) % 255 + 1).unwrap();
        fs::write(&file, bytes).unwrap();
        assert_eq!(program(), None, "place {nth}");
        fs::write(&file, &whole[..seeded(3, nth) % whole.len()]).unwrap();
        assert_eq!(program(), None, "cut {nth}");
    }
}

/// The scenarios of one file of rules, in a copy of the data: before, again, and after an erratum to a card in some of them.
#[test]
fn after_an_erratum_only_the_scenarios_that_read_it_are_run_and_come_to_the_same() {
    let folder = Folder::new("erratum");
    let data = folder.0.join("data");
    let write = |path: &str, text: &str| {
        let path = data.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    files().iter().for_each(|(path, text)| write(path, text));
    for place in library::read_below().filter(|place| !data.join(place).exists()) {
        for entry in fs::read_dir(root().join(place)).into_iter().flatten().map(Result::unwrap) {
            if entry.path().is_file() {
                let name = entry.file_name().into_string().unwrap();
                write(&format!("{place}/{name}"), &fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    let path = PathBuf::from("tests/games");
    let verdicts = |stored: bool| {
        let library = folder.open(&data, stored);
        let parsed = library.scenarios(std::slice::from_ref(&path), false).unwrap();
        let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
        let (default, ran) = (Profile::default(), Mutex::new(Vec::new()));
        let jobs = jobs(&scenarios, &default);
        let each = |report: &netrep_lab::Report| ran.lock().unwrap().push(report.name.clone());
        let found = library.verdicts(&jobs, (std::slice::from_ref(&path), &default), 2, &each);
        let said = |one: &Arc<Verdict>| {
            let Verdict { name, file, profile, steps, checks, diags, hash, .. } = &**one;
            format!("{name} {file} {profile} {steps} {checks} {diags:?} {hash:x}")
        };
        (found.iter().map(said).collect::<Vec<_>>(), ran.into_inner().unwrap().len())
    };
    let (expected, all) = verdicts(false);
    assert!(all > 2, "{expected:#?}");
    assert_eq!(verdicts(true), (expected.clone(), all));
    assert_eq!(verdicts(true), (expected, 0));
    // A number of a card that is in no game, and then one of a card that is in some.
    for (is_played, file) in [(false, "elsewhere"), (true, "in a game")] {
        let texts = ["tests/games", "decks"].map(|place| fs::read_dir(data.join(place)).unwrap()).into_iter().flatten();
        let games: String = texts.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
        let (card_file, text) =
            files().into_iter().find(|(path, text)| card(path, text, &games, is_played).is_some()).unwrap();
        let edited = card(&card_file, &text, &games, is_played).unwrap();
        write(&card_file, &edited);
        let (fresh, _) = verdicts(false);
        let (found, ran) = verdicts(true);
        assert_eq!(found, fresh, "{file}");
        assert_eq!(ran > 0, is_played, "{file}: {ran} of {all} were run");
        write(&card_file, &text);
    }
}

/// The text of a file with the first number of a card moved by one, of a card whose name stands in a text, or does not.
fn card(path: &str, text: &str, in_text: &str, is_there: bool) -> Option<String> {
    if !path.ends_with(".cards") {
        return None;
    }
    netrep_grammar::split(text).into_iter().find_map(|raw| {
        let item = text.get(raw.range.clone())?;
        let name = item.strip_prefix("card ")?.split('"').nth(1)?;
        let named = in_text.contains(&format!("\"{name}"));
        let number = netrep_compiler::edit::numbers(item).into_iter().next()?;
        let nudged = netrep_compiler::edit::nudged(item, &number, 1).filter(|_| named == is_there)?;
        Some([&text[..raw.range.start], &nudged, &text[raw.range.end..]].concat())
    })
}
