//! Watching the data of the repository: after every save only those are run that read what is another now, and what is skipped
//! would have come to the same.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use netrep_compiler::{Profile, edit};
use netrep_lab::Library;
use netrep_lab::run::{jobs, run};
use netrep_lab::watch::{Saved, Watcher};

use crate::support::data::{library, one_in, root};
use crate::support::runs::runs;

/// What is watched: enough for every kind of edit to touch something, and under several readings; with `EVERY=1` more, which takes
/// three times as long, since all of it is run anew after each edit.
fn watched() -> Vec<PathBuf> {
    let some = ["rules/3-strike-sequence", "rulings/items"];
    let more = ["rules/3-combat", "cards/the-wizards/creatures"];
    let more = more.iter().filter(|_| one_in(2) == 1);
    some.iter().chain(more).map(|name| format!("tests/scenarios/{name}.md").into()).collect()
}

/// A watcher, lent to a test: it knows what its runs come to. As many are made as tests have one at a time. What a test saves
/// is taken back when it gives it back.
struct Watching(Option<Watcher>);

/// Those that nobody has now.
static SHELF: Mutex<Vec<Watcher>> = Mutex::new(Vec::new());

impl Deref for Watching {
    type Target = Watcher;

    fn deref(&self) -> &Watcher {
        self.0.as_ref().expect("it is given back when it is dropped")
    }
}

impl DerefMut for Watching {
    fn deref_mut(&mut self) -> &mut Watcher {
        self.0.as_mut().expect("it is given back when it is dropped")
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // What a failing test leaves behind is nobody else's.
        let Some(mut watcher) = self.0.take().filter(|_| !std::thread::panicking()) else { return };
        let others = watcher.saves().expect("the data can be read");
        if !others.is_empty() {
            let round = watcher.changed(&others, &|_| ());
            assert!(round.clean() && round.held.is_empty(), "what is on the disk is fine: {:#?}", round.diagnostics);
        }
        SHELF.lock().unwrap_or_else(PoisonError::into_inner).push(watcher);
    }
}

/// A watcher that knows nothing yet.
fn new_watcher() -> Watcher {
    Watcher::of(library().taken(), &watched(), &Profile::default(), 2).unwrap()
}

/// See [`Watching`].
fn watcher() -> Watching {
    let kept = SHELF.lock().unwrap_or_else(PoisonError::into_inner).pop();
    Watching(Some(kept.unwrap_or_else(|| {
        let mut watcher = new_watcher().knowing(runs().memo.clone());
        let round = watcher.start(&|_| ());
        assert!(round.clean() && watcher.runs() > 0, "{:#?}", round.diagnostics);
        assert_eq!((round.ran.len(), round.skipped), (0, watcher.runs()));
        watcher
    })))
}

#[test]
fn who_knows_nothing_runs_everything() {
    let mut watcher = Watching(Some(new_watcher()));
    let round = watcher.start(&|_| ());
    assert!(round.clean(), "{:#?}", round.ran.iter().filter(|ran| !ran.passed).collect::<Vec<_>>());
    assert_eq!((round.ran.len(), round.skipped), (watcher.runs(), 0));
    let mut made: Vec<_> = round.ran.iter().map(|ran| (&ran.file, &ran.scenario, &ran.profile, ran.passed)).collect();
    let known = runs().reports.iter().filter(|report| round.ran.iter().any(|ran| ran.file == report.file));
    let mut known: Vec<_> = known.map(|r| (&r.file, &r.name, &r.profile, r.passed())).collect();
    made.sort_unstable();
    known.sort_unstable();
    assert_eq!(made, known, "what is known is what a run from nothing finds");
}

fn saved(path: &str, text: impl Into<String>) -> Vec<Saved> {
    vec![Saved { path: path.to_owned(), text: Some(text.into()) }]
}

/// The file of an item, and its text with the item's own text changed.
fn edited(library: &Library, head: &str, key: &str, change: impl Fn(&str) -> String) -> Vec<Saved> {
    let item = library.compiler.item(head, key).expect("the item");
    let text = library.compiler.file_with(&item, &change(&item.text)).expect("its file");
    saved(&item.place.file, text)
}

/// The verdicts of everything, run anew.
fn anew(library: &Library) -> BTreeMap<(String, String), bool> {
    let all: Vec<_> = library.scenarios(&watched(), false).unwrap().scenarios.into_iter().map(Arc::new).collect();
    let reports = run(&library.compiler, &jobs(&all, &Profile::default()), 2, false);
    reports.into_iter().map(|report| ((report.name.clone(), report.profile.clone()), report.passed())).collect()
}

#[test]
fn a_comment_runs_nothing() {
    let mut watcher = watcher();
    let items = [("rule", "3.iv.6"), ("card", "TW-120")];
    let above = |(head, key): (&str, &str)| {
        let item = watcher.library().compiler.item(head, key).unwrap();
        let file = watcher.library().text(&item.place.file).unwrap();
        saved(&item.place.file, format!("// A remark.\n\n{file}"))
    };
    let within = |(head, key): (&str, &str)| {
        edited(watcher.library(), head, key, |text| text.replacen("{\n", "{\n    // Another.\n", 1))
    };
    let rounds: [Vec<Saved>; 2] =
        [items.into_iter().flat_map(above).collect(), items.into_iter().flat_map(within).collect()];
    for saves in rounds {
        let round = watcher.changed(&saves, &|_| ());
        assert!(round.clean() && round.held.is_empty());
        assert_eq!((round.ran.len(), round.skipped), (0, watcher.runs()), "{:#?}", round.ran);
    }
}

#[test]
fn a_number_runs_only_those_that_consulted_it() {
    let mut watcher = watcher();
    let key = ("rule", "3.iv.6");
    let number = |text: &str| {
        let numbers = edit::numbers(text);
        let last = numbers.last().expect("a number");
        edit::nudged(text, last, 1).expect("another text")
    };
    let good = edited(watcher.library(), key.0, key.1, str::to_owned);
    let saves = edited(watcher.library(), key.0, key.1, number);
    let round = watcher.changed(&saves, &|_| ());
    assert!(!round.ran.is_empty() && round.skipped > 0, "{} ran, {} skipped", round.ran.len(), round.skipped);
    assert_eq!(round.ran.len() + round.skipped, watcher.runs());
    assert!(round.ran.iter().any(|ran| ran.turned() && !ran.passed), "some expectation notices");
    let fresh = anew(watcher.library());
    for ran in &round.ran {
        assert_eq!(fresh.get(&(ran.scenario.clone(), ran.profile.clone())), Some(&ran.passed), "{}", ran.scenario);
    }
    let failing = fresh.values().filter(|passed| !**passed).count();
    assert_eq!(round.ran.iter().filter(|ran| !ran.passed).count(), failing, "nothing that fails was skipped");
    let back = watcher.changed(&good, &|_| ());
    assert!(back.clean() && back.ran.iter().filter(|ran| ran.turned()).count() == failing);
}

#[test]
fn a_card_runs_only_those_in_which_it_is() {
    let mut watcher = watcher();
    let new = "card MY-6 \"Wind\" { type Short-event. frame Resource. play during long-event phase. effect stop. }\n\
               card MY-7 \"Horn\" { type Ally. frame Resource. mind 1. each character gets +1 prowess. when a card is discarded: discard this. }\n";
    let added = new.replace("effect stop. ", "");
    let round = watcher.changed(&saved("cards/aaa.cards", added), &|_| ());
    assert!(round.held.is_empty(), "{:#?}", round.diagnostics);
    assert_eq!(round.ran.len(), 0, "a card that is in no position: {:#?}", round.ran);
    let gone = watcher.changed(&[Saved { path: "cards/aaa.cards".to_owned(), text: None }], &|_| ());
    assert_eq!((gone.ran.len(), gone.held.len()), (0, 0));
}

#[test]
fn a_broken_file_loses_nothing_and_the_next_save_recovers() {
    let mut watcher = watcher();
    let runs = watcher.runs();
    let path = watcher.library().compiler.item("rule", "3.iv.6").unwrap().place.file;
    let good = watcher.library().text(&path).unwrap();
    let program = watcher.library().compiler.link(&Profile::default()).0;
    // Broken: the file is held back, and the program in force is the one before.
    let saves = edited(watcher.library(), "rule", "3.iv.6", |text| text.replace('}', ""));
    let round = watcher.changed(&saves, &|_| ());
    assert!(!round.clean() && round.held == [path.clone()], "{:?}", round.held);
    assert_eq!((round.ran.len(), round.skipped), (0, runs));
    assert_eq!(watcher.library().compiler.link(&Profile::default()).0, program);
    // Meanwhile another file is edited and its runs are made.
    let stronger = |text: &str| {
        let numbers = edit::numbers(text);
        edit::nudged(text, numbers.first().expect("a printed number"), 1).expect("another text")
    };
    let other = edited(watcher.library(), "card", "TW-120", stronger);
    let round = watcher.changed(&other, &|_| ());
    assert_eq!(round.held, std::slice::from_ref(&path));
    assert!(round.ran.iter().any(|ran| ran.turned()) && round.skipped > 0);
    // A file that is fine by itself, but breaks another, is held back too.
    let lost = watcher.library().compiler.item("card", "TW-120").unwrap().place.file;
    let words = watcher.library().compiler.paths().into_iter().find(|path| path.ends_with("agents.words")).unwrap();
    let round = watcher.changed(&[Saved { path: words.to_string(), text: None }], &|_| ());
    assert!(round.held.contains(&words.to_string()) && !round.clean() && round.ran.is_empty(), "{:?}", round.held);
    let verbs = std::fs::read_to_string(root().join(&*words)).unwrap();
    watcher.changed(&saved(&words, verbs), &|_| ());
    // The next good saves put everything right.
    let card = std::fs::read_to_string(root().join(lost.as_str())).unwrap();
    let both = [saved(&lost, card), saved(&path, good)].concat();
    let round = watcher.changed(&both, &|_| ());
    assert!(round.clean() && round.held.is_empty(), "{:?}", round.held);
    assert_eq!(watcher.library().compiler.link(&Profile::default()).0, program);
}

#[test]
fn a_new_scenario_is_run_and_nothing_else() {
    let mut watcher = watcher();
    let (path, text) = watcher.library().scenario_files(&watched()).unwrap().remove(0);
    let block = text.split("```scenario").nth(1).unwrap().split("```").next().unwrap();
    let new = format!("# New\n\n```scenario{}```\n", block.replacen('\n', " once more\n", 1));
    let round = watcher.changed(&saved("tests/scenarios/new.md", new), &|_| ());
    assert!(round.clean() && !round.ran.is_empty() && round.ran.iter().all(|ran| ran.before.is_none()), "{round:#?}");
    assert!(round.ran.iter().all(|ran| ran.file == "tests/scenarios/new.md"));
    // Prose above a scenario runs nothing; one that cannot be read is said and hides no other.
    let round = watcher.changed(&saved(&path, format!("Prose.\n\n{text}")), &|_| ());
    assert_eq!(round.ran.len(), 0);
    let round = watcher.changed(&saved(&path, format!("{text}\n```scenario broken\ngiven {{\n```\n")), &|_| ());
    assert!(!round.clean() && round.ran.is_empty() && !round.diagnostics.is_empty());
}

/// What is skipped would have come to the same: after edits of all kinds, also of words that the scenarios use, a run of
/// everything finds nothing that the watcher has not found.
#[test]
fn what_is_skipped_would_come_to_the_same() {
    let mut watcher = watcher();
    let paths: Vec<String> = watched().iter().map(|path| path.display().to_string()).collect();
    let known = runs().reports.iter().filter(|report| paths.contains(&report.file));
    let mut verdicts: BTreeMap<(String, String), bool> =
        known.map(|report| ((report.name.clone(), report.profile.clone()), report.passed())).collect();
    let mut edits: Vec<Vec<Saved>> = Vec::new();
    let items = watcher.library().compiler.items();
    let nudged = |item: &netrep_compiler::views::ItemView| {
        let last = edit::numbers(&item.text).pop()?;
        edit::nudged(&item.text, &last, 1)
    };
    let heads = ["card", "rule", "define", "adjective", "verb", "state"];
    let with_number: Vec<_> =
        items.iter().filter(|item| heads.contains(&item.head)).filter_map(|item| Some((item, nudged(item)?))).collect();
    for (item, text) in with_number.iter().step_by((with_number.len() / 2 + 1).max(1)) {
        edits.push(edited(watcher.library(), item.head, &item.key, |_| text.clone()));
    }
    // Clauses that are not there any more.
    let shorter = |item: &netrep_compiler::views::ItemView| {
        let labelled =
            edit::clauses(&item.text).into_iter().rfind(|clause| !clause.label.is_empty() && clause.depth == 0);
        edit::without(&item.text, labelled?.span)
    };
    let rules: Vec<_> =
        items.iter().filter(|item| item.head == "rule").filter_map(|i| Some((i, shorter(i)?))).collect();
    for (item, text) in rules.iter().step_by((rules.len() / 2 + 1).max(1)) {
        edits.push(edited(watcher.library(), item.head, &item.key, |_| text.clone()));
    }
    // A word that comes to mean its opposite.
    let adjective =
        items.iter().find(|item| item.head == "adjective" && item.text.contains(" is ")).expect("an adjective");
    edits.push(edited(watcher.library(), "adjective", &adjective.key, |text| text.replacen(" is ", " is not ", 1)));
    assert!(edits.len() >= 4, "only {} edits", edits.len());
    let mut turned = 0;
    let before = verdicts.clone();
    let good = |saves: &Vec<Saved>| {
        let path = &saves[0].path;
        saved(path, watcher.library().text(path).unwrap())
    };
    let goods: Vec<Vec<Saved>> = edits.iter().map(good).collect();
    // With each edit the one before it is taken back; in the end the last.
    let mut taken_back: Vec<Saved> = Vec::new();
    for (saves, good) in edits.into_iter().zip(goods).chain([(Vec::new(), Vec::new())]) {
        let is_end = saves.is_empty();
        let others = taken_back.into_iter().filter(|save| saves.iter().all(|one| one.path != save.path));
        let saves: Vec<Saved> = others.chain(saves.clone()).collect();
        let round = watcher.changed(&saves, &|_| ());
        turned += round.ran.iter().filter(|ran| ran.turned()).count();
        verdicts.extend(round.ran.iter().map(|ran| ((ran.scenario.clone(), ran.profile.clone()), ran.passed)));
        let expected = if is_end { before.clone() } else { anew(watcher.library()) };
        let paths: Vec<&String> = saves.iter().map(|save| &save.path).collect();
        assert_eq!(verdicts, expected, "after a change of {paths:?}");
        taken_back = good;
    }
    assert!(turned > 0, "some edit must be noticed");
}
