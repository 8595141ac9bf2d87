//! No scenario breaks when a namesake arrives: beside every card of the data stands another one with its name, of another id, set
//! and side, and every run comes to what it came to without them.

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;
use netrep_lab::report::Report;
use netrep_lab::run::{jobs, run};

use crate::support::data::{File, compiler_of, errors, files, library, one_in};
use crate::support::runs::runs;

/// How the ids of the namesakes begin: a set that no data prefer.
const SET: &str = "ZZ";

/// Whose the namesake of a card is.
const OTHER: [(&str, &str); 3] = [
    ("alignment Hero.", "alignment Minion."),
    ("alignment Minion.", "alignment Hero."),
    ("alignment Neutral.", "alignment Minion."),
];

/// A namesake of every card: its text under another id and of another side.
fn namesakes(compiler: &Compiler) -> (File, usize) {
    let mut text = String::new();
    let mut count = 0;
    for item in compiler.items().into_iter().filter(|item| item.head == "card") {
        count += 1;
        let head = format!("card {} ", item.key);
        assert!(item.text.starts_with(&head), "{}", item.text);
        let mut copy = item.text.replacen(&head, &format!("card {SET}-{count} "), 1);
        // A reprint says its side only where its original is of another: the copy is of that.
        let sides = if item.text.contains("reprint of") { &[][..] } else { &OTHER[..] };
        if let Some((here, there)) = sides.iter().find(|(here, _)| copy.contains(here)) {
            copy = copy.replacen(here, there, 1);
        }
        text.push_str(&copy);
        text.push_str("\n\n");
    }
    (("cards/namesakes.cards".to_owned(), text), count)
}

/// The data with a namesake of each card.
fn doubled(files: &[File]) -> Compiler {
    let plain = compiler_of(files);
    let (more, count) = namesakes(&plain);
    assert!(count > 250, "only {count} cards");
    let compiler = compiler_of(files.iter().chain([&more]));
    let found = compiler.check();
    let wrong = errors(&found);
    assert!(wrong.is_empty(), "{wrong:#?}");
    compiler
}

/// What a run came to.
fn verdicts(report: &Report) -> (bool, Vec<(String, bool)>, u64) {
    let checks = report.checks.iter().map(|check| (check.text.clone(), check.held)).collect();
    (report.passed(), checks, report.hash)
}

#[test]
fn with_a_namesake_of_every_card_all_verdicts_stay() {
    let runs = runs();
    let compiler = doubled(&files());
    let default = Profile::default();
    let all = jobs(&runs.scenarios, &default);
    assert_eq!(all.len(), runs.reports.len());
    // One in sixteen tells of most cards, and of those under other readings, each of which has a program of its own, one in
    // sixty-four; `EVERY=1` takes all.
    let (usual, others): (Vec<_>, Vec<_>) =
        all.into_iter().zip(&runs.reports).partition(|(job, _)| job.profile == default);
    let some = usual.into_iter().step_by(one_in(16)).chain(others.into_iter().step_by(one_in(64)));
    let (some, before): (Vec<_>, Vec<_>) = some.unzip();
    let reports = run(&compiler, &some, 2, false);
    assert_eq!(reports.len(), before.len());
    let mut broken: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (now, before) in reports.iter().zip(before) {
        if verdicts(now) != verdicts(before) {
            let why = now.diags.iter().map(|diag| diag.message.clone()).collect();
            broken.insert(format!("{} ({})", now.name, now.profile), why);
        }
    }
    assert!(broken.is_empty(), "{} runs come to something else: {broken:#?}", broken.len());
}

/// What keeps them equal is what the data prefer: without it names are ambiguous.
#[test]
fn without_what_the_data_prefer_a_name_means_two_cards() {
    let without = |(path, text): &File| {
        let kept =
            text.lines().filter(|line| !line.trim().starts_with("sets ") && !line.trim().starts_with("version "));
        (path.clone(), kept.map(|line| format!("{line}\n")).collect::<String>())
    };
    let files: Vec<File> = files().iter().map(without).collect();
    let compiler = doubled(&files);
    let parsed = library().scenarios(&[], false).expect("the scenarios can be read");
    let scenarios: Vec<Arc<_>> = parsed.scenarios.into_iter().take(20).map(Arc::new).collect();
    let reports = run(&compiler, &jobs(&scenarios, &Profile::default()), 2, false);
    let ambiguous = |report: &&Report| report.diags.iter().any(|diag| diag.code == Code::AmbiguousName);
    assert_eq!(reports.iter().filter(ambiguous).count(), reports.len(), "all of them name cards in a list");
}
