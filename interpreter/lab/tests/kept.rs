//! What an earlier process knew, on the toy: the same answers as without, and only what an edit touches is run again.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::support::{RULING, WORDS, scenario};
use netrep_compiler::{Diagnostic, Profile};
use netrep_ir::Program;
use netrep_lab::impact::effects;
use netrep_lab::prepare::{prepare, recalled};
use netrep_lab::run::jobs;
use netrep_lab::{Library, Scenario, Verdict};
use netrep_store::Store;

/// A card that is in no scenario.
const APART: &str = "card L-7 \"New Lamp\" { kind Lamp. height 1. }\n";

/// A folder with the toy, and beside it one for its store.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("netrep-kept-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Folder(std::env::temp_dir().join(name));
        folder.write("rules/toy.words", WORDS);
        folder.write("rules/toy.rulings", RULING);
        folder.write("cards/none.cards", "");
        let evening =
            |name: &str, points: u32| scenario(name, "", &format!("expect {{ points of Ann is {points}. }}\n"));
        folder.write("tests/scenarios/one.md", &(evening("right", 7) + "\n" + &evening("wrong", 8)));
        let tall = |height: u32| format!("expect {{ height of \"Tall Lamp\" is {height}. }}\n");
        let high = scenario("high", "", &tall(4)) + "\n" + &scenario("higher", "with R-1 long.\n", &tall(5));
        folder.write("tests/scenarios/two.md", &high);
        folder
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join("data").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn store(&self, build: &str) -> Arc<Store> {
        Arc::new(Store::at(self.0.join("store"), build))
    }

    /// The data as another process opens them; with a store, if it is of a build.
    fn open(&self, build: Option<&str>) -> Library {
        let mut library = Library::open(&self.0.join("data")).unwrap();
        if let Some(build) = build {
            library.keep_in(self.store(build));
        }
        library
    }

    /// The files of the store.
    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(self.0.join("store")).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn scenarios(library: &Library) -> Vec<Arc<Scenario>> {
    library.scenarios(&[], false).unwrap().scenarios.into_iter().map(Arc::new).collect()
}

/// What comes of every scenario, as words, and the names of those that were run.
fn verdicts(library: &Library) -> (Vec<String>, Vec<String>) {
    let default = Profile::default();
    let ran = Mutex::new(Vec::new());
    let jobs = jobs(&scenarios(library), &default);
    let found = library.verdicts(&jobs, (&[], &default), 2, &|report| ran.lock().unwrap().push(report.name.clone()));
    let said = |verdict: &Arc<Verdict>| {
        let Verdict { name, file, profile, steps, checks, diags, hash, .. } = &**verdict;
        format!("{name} {file} {profile} {steps} {checks} {diags:?} {hash:x}")
    };
    let mut ran = ran.into_inner().unwrap();
    ran.sort();
    (found.iter().map(said).collect(), ran)
}

#[test]
fn what_was_run_in_an_earlier_process_is_run_again_only_where_an_edit_touches_it() {
    let folder = Folder::new();
    let all = || verdicts(&folder.open(None)).0;
    let kept = || verdicts(&folder.open(Some("one")));
    assert_eq!(kept(), (all(), ["high", "higher", "right", "wrong"].map(String::from).to_vec()));
    // What is wrong with a scenario is always asked for anew.
    assert_eq!(kept(), (all(), vec!["wrong".to_owned()]));
    folder.write("cards/apart.cards", APART);
    let wrong: Vec<_> = folder.open(None).compiler.check().into_iter().filter(Diagnostic::is_error).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(kept(), (all(), vec!["wrong".to_owned()]), "nothing of it was read");
    folder.write("rules/toy.rulings", &RULING.replace("+2 height", "+1 height"));
    assert_eq!(kept(), (all(), ["higher", "wrong"].map(String::from).to_vec()), "only this profile has another clause");
    folder.write("rules/toy.rulings", RULING);
    assert_eq!(kept().0, all());
    let sum = WORDS.replacen("points of P + R", "points of P + R + 1", 1);
    assert_ne!(sum, WORDS);
    folder.write("rules/toy.words", &sum);
    assert_eq!(kept(), (all(), ["high", "higher", "right", "wrong"].map(String::from).to_vec()), "each read the sum");
    // What was wrong is right now, and the other way round.
    assert_eq!(kept(), (all(), vec!["right".to_owned()]));
    let (found, ran) = verdicts(&folder.open(Some("two")));
    assert_eq!((found, ran.len()), (all(), 4), "another build knows nothing of it");
}

#[test]
fn a_program_and_what_is_wrong_are_the_same_from_the_store() {
    let folder = Folder::new();
    folder.write("cards/broken.cards", "card L-9 \"Broken Lamp\" { kind Lamp. nonsense here. }\n");
    let long = Profile::default().with("R-1", "long");
    for profile in [Profile::default(), long, Profile::edition("nowhere")] {
        let plain = folder.open(None).compiler;
        for round in ["kept", "taken"] {
            let compiler = folder.open(Some("one")).compiler;
            assert_eq!(compiler.link(&profile), plain.link(&profile), "{round}");
            assert_eq!(compiler.check(), plain.check(), "{round}");
            assert_eq!(compiler.check_choices(), plain.check_choices(), "{round}");
        }
    }
    assert!(folder.open(None).compiler.check().iter().any(Diagnostic::is_error), "something is wrong with the folder");
}

/// A store is of use only for files as they were loaded: after an edit nothing comes from it.
#[test]
fn after_an_edit_nothing_is_taken_from_the_store() {
    let folder = Folder::new();
    let before = folder.open(Some("one")).compiler.link(&Profile::default()).0;
    let mut library = folder.open(Some("one"));
    assert_eq!(library.compiler.link(&Profile::default()).0, before);
    library.compiler.set_file("cards/apart.cards", APART);
    assert!(library.compiler.kept().is_none());
    let after = library.compiler.link(&Profile::default()).0;
    assert_ne!(after, before);
    folder.write("cards/apart.cards", APART);
    assert_eq!(folder.open(Some("one")).compiler.link(&Profile::default()).0, after);
}

#[test]
fn a_position_is_the_same_from_the_store() {
    let folder = Folder::new();
    let default = Profile::default();
    let plain = folder.open(None);
    let expected = format!("{:?}", prepare(&plain.compiler, &scenarios(&plain)[0], &default, &default).unwrap());
    for round in ["kept", "taken"] {
        let library = folder.open(Some("one"));
        let found = recalled(&library.compiler, &scenarios(&library)[0], &default, &default).unwrap();
        assert_eq!(format!("{found:?}"), expected, "{round}");
    }
}

/// What another reading changes is the same whether what scenarios read is known from before or not.
#[test]
fn what_a_reading_touches_is_the_same_from_the_store() {
    let folder = Folder::new();
    let found = |library: &Library| {
        let all = scenarios(library);
        format!("{:?}", effects(&library.compiler, &all, (&|_| true, true), &Profile::default(), 2, &mut |_| ()))
    };
    let expected = found(&folder.open(None));
    assert!(expected.contains("scenario: \"high\""), "{expected}");
    for round in ["kept", "taken"] {
        assert_eq!(found(&folder.open(Some("one"))), expected, "{round}");
    }
    folder.write("rules/toy.rulings", &RULING.replace("+2 height", "+1 height"));
    assert_eq!(found(&folder.open(Some("one"))), found(&folder.open(None)), "after an edit");
}

/// The runs of a test are those with which other readings are compared, also where a scenario asks something only for these.
#[test]
fn what_a_reading_touches_is_the_same_from_the_runs_of_a_test() {
    let folder = Folder::new();
    let asks = "expect { points of Ann is 7. }\nexpect under R-1 long { height of \"Tall Lamp\" is 5. }\n";
    folder.write("tests/scenarios/three.md", &scenario("asked", "", asks));
    let found = |library: &Library| {
        let all = scenarios(library);
        format!("{:?}", effects(&library.compiler, &all, (&|_| true, true), &Profile::default(), 2, &mut |_| ()))
    };
    let expected = found(&folder.open(None));
    assert!(expected.contains("scenario: \"asked\""), "{expected}");
    let (told, _) = verdicts(&folder.open(Some("one")));
    assert_eq!(told, verdicts(&folder.open(None)).0);
    assert_eq!(found(&folder.open(Some("one"))), expected);
}

/// Every byte of what is kept of the toy, one after the other: the program is the one that is linked, or there is none.
#[test]
fn with_any_byte_of_any_file_another_there_is_no_other_answer() {
    let folder = Folder::new();
    let default = Profile::default();
    let compiler = folder.open(Some("one")).compiler;
    compiler.link(&default);
    let kept = compiler.kept().unwrap();
    let program = || kept.answer::<(Program, Vec<Diagnostic>)>("program", &default);
    let expected = program().expect("it was kept");
    let files = folder.files();
    assert_eq!(files.len(), 1);
    let whole = fs::read(&files[0]).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&files[0], bytes).unwrap();
        assert_eq!(program(), None, "byte {at}");
    }
    fs::write(&files[0], &whole).unwrap();
    assert_eq!(program(), Some(expected));
}
