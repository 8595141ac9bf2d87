//! The touchstones: hard cards said whole. Those in `touchstones/cards/` run beside the data, each in a scenario of its own;
//! those that wait are listed by id, and a listed one that compiles is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use netrep_compiler::Profile;
use netrep_lab::run::{jobs, run};

use crate::support::data::{errors, files, library, root, scenarios_in};

fn folder() -> PathBuf {
    root().join("tests/touchstones")
}

/// The items of a folder of touchstones, by id.
fn items(name: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder().join(name)).expect("a folder") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a file");
        for raw in netrep_grammar::split(&text) {
            let item = &text[raw.range];
            let id = item.split(' ').nth(1).expect("an id");
            assert!(found.insert(id.to_owned(), item.to_owned()).is_none(), "{id} is there twice");
        }
    }
    found
}

/// The ids of the README: what is waited for, and what is of other sides.
fn listed() -> (BTreeSet<String>, BTreeSet<String>) {
    let text = std::fs::read_to_string(folder().join("README.md")).expect("a README");
    let (_, lists) = text.split_once("## Waiting").expect("a list");
    let (waiting, sides) = lists.split_once("## Of other sides").expect("another list");
    let rows = waiting.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |"));
    let waiting = rows.map(|row| row.0.to_owned()).filter(|id| id != "id").collect();
    let sides = sides.trim().trim_end_matches('.').split(',').map(|id| id.trim().to_owned()).collect();
    (waiting, sides)
}

#[test]
fn what_runs_compiles_and_is_played() {
    let running = items("cards");
    let mut library = library();
    for (id, text) in &running {
        library.compiler.set_file(&format!("cards/touchstone-{id}.cards"), text);
    }
    let diags = library.compiler.check_under(&Profile::default());
    assert!(errors(&diags).is_empty(), "{diags:#?}");
    let scenarios = scenarios_in("tests/touchstones/played.md");
    let reports = run(&library.compiler, &jobs(&scenarios, &Profile::default()), 2, false);
    let failed: Vec<_> = reports.iter().filter(|report| !report.passed()).map(|r| (&r.name, &r.diags)).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    // What a scenario cites and never consults makes it fail.
    let text = std::fs::read_to_string(folder().join("played.md")).expect("scenarios");
    let cited: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("cites "))
        .flat_map(|line| line.split([' ', ',', '.']))
        .collect();
    let unseen: Vec<&String> = running.keys().filter(|id| !cited.contains(id.as_str())).collect();
    assert!(unseen.is_empty() && running.len() > 20, "no scenario plays {unseen:?} of {}", running.len());
}

#[test]
fn what_waits_is_listed_and_waits() {
    let (waiting, sides) = listed();
    let items = items("waiting");
    let ids: BTreeSet<String> = items.keys().cloned().collect();
    assert_eq!(ids, waiting.union(&sides).cloned().collect(), "what is in `waiting/` is what the README lists");
    assert!(waiting.is_disjoint(&sides));
    let mut library = library();
    let mut running = Vec::new();
    for id in &waiting {
        let path = format!("cards/touchstone-{id}.cards");
        library.compiler.set_file(&path, &items[id]);
        let diags = library.compiler.check_under(&Profile::default());
        if errors(&diags).is_empty() {
            running.push(id);
        }
        library.compiler.remove_file(&path);
    }
    assert!(
        running.is_empty(),
        "these compile: move them to `cards/`, with a scenario, or to the repository: {running:?}"
    );
}

/// What is in the data of the repository is no touchstone any more.
#[test]
fn no_card_of_the_repository_is_a_touchstone() {
    let ours: BTreeSet<String> = ["cards", "waiting"].into_iter().flat_map(items).map(|(id, _)| id).collect();
    let cards = files();
    let ids = cards.iter().flat_map(|(_, text)| text.lines()).filter_map(|line| line.strip_prefix("card "));
    let both: Vec<&str> = ids.filter_map(|line| line.split(' ').next()).filter(|id| ours.contains(*id)).collect();
    assert!(both.is_empty(), "delete these touchstones: {both:?}");
}
