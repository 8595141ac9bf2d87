//! Rules that rest on clauses of cards: each is shown with a fresh card of the class of which it speaks, so that the rule is
//! seen and not the card. `resting/` holds them by chapters: a heading for each rule, the cards, the scenarios.

use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_compiler::Profile;
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::{Scenario, parse};

use crate::support::data;

/// The fence of a block with a fresh card.
const FRESH: &str = "```netrep fresh\n";

/// The files of the folder: name and text.
fn files() -> Vec<(String, String)> {
    let folder = data::root().join("tests/resting");
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(&path).unwrap())
    };
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder).unwrap().map(read).collect();
    files.retain(|(name, _)| name != "README.md");
    files.sort();
    files
}

/// The fresh cards of a file.
fn cards(text: &str) -> String {
    let blocks = text.match_indices(FRESH).map(|(at, _)| &text[at + FRESH.len()..]);
    blocks.map(|block| block.split("```").next().unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_rule_is_shown_with_a_fresh_card() {
    let mut library = data::library();
    let files = files();
    // The cards of all chapters at once: a card that is in no position is in no game.
    for (name, text) in &files {
        library.compiler.set_file(&format!("cards/{name}.cards"), &cards(text));
    }
    let diags = library.compiler.check();
    let mut wrong: Vec<String> = data::errors(&diags).into_iter().map(|diag| format!("{diag:?}")).collect();
    let mut scenarios: Vec<Arc<Scenario>> = Vec::new();
    for (name, text) in &files {
        let parsed = parse(name, text, false);
        wrong.extend(parsed.diags.iter().map(|diag| format!("{name}: {diag:?}")));
        scenarios.extend(parsed.scenarios.into_iter().map(Arc::new));
    }
    let reports = run(&library.compiler, &jobs(&scenarios, &Profile::default()), 2, false);
    for report in reports.iter().filter(|report| !report.diags.is_empty()) {
        wrong.push(format!("{}: {}: {:?}", report.file, report.name, report.diags));
    }
    assert!(wrong.is_empty() && !reports.is_empty(), "{} played\n{}", reports.len(), wrong.join("\n"));
}

/// The rules that rest on a card: their numbers.
fn resting() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let is_card = |id: &str| id.split_once('-').is_some_and(|(set, n)| set.len() == 2 && n.parse::<u32>().is_ok());
    for (_, text) in data::files() {
        let mut rule = None;
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("rule ") {
                rule = rest.split(' ').next().map(str::to_owned);
            }
            let rests = line.trim().strip_prefix("rests on ").unwrap_or_default();
            if rests.split([' ', ',']).any(is_card) {
                found.extend(rule.clone());
            }
        }
    }
    found
}

#[test]
fn every_rule_that_rests_on_a_card_has_one() {
    let resting = resting();
    let files = files();
    let headings = files.iter().flat_map(|(_, text)| text.lines()).filter_map(|line| line.strip_prefix("## "));
    let shown: BTreeSet<&str> = headings.filter_map(|line| line.split(' ').next()).collect();
    let missing: Vec<&String> = resting.iter().filter(|rule| !shown.contains(rule.as_str())).collect();
    assert!(missing.is_empty() && resting.len() > 20, "no fresh card shows {missing:?} of {}", resting.len());
}
