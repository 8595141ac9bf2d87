//! What a change of the data does not touch comes to the same: after seeded changes those runs are made all the same of which
//! it is said that they need not be.

use netrep_compiler::views::ItemView;
use netrep_compiler::{Compiler, Profile, edit};
use netrep_lab::Library;
use netrep_lab::ablate::without;
use netrep_lab::run::{Job, jobs, run};
use xxhash_rust::xxh3::xxh3_64;

use crate::support::data::library;
use crate::support::runs::runs;

/// A file as it is after a change, and what the change is.
type Changed = (String, String, String);

/// So many runs are looked at after each change.
const SAMPLE: usize = 100;

/// A number below a bound that follows from a place in a row.
fn seeded(nth: usize, bound: usize) -> usize {
    usize::try_from(xxh3_64(&nth.to_le_bytes()) >> 1).unwrap() % bound.max(1)
}

/// Clauses left out and numbers moved by one, of cards and rules.
fn edits(compiler: &Compiler) -> Vec<Changed> {
    let mut found = Vec::new();
    for item in compiler.items().iter().filter(|item| ["card", "rule"].contains(&item.head)) {
        let text = &*item.text;
        let left_out = edit::clauses(text).into_iter().filter(|place| !place.label.is_empty());
        let left_out = left_out.filter_map(|place| Some((place.label, without(text, place.span)?)));
        let moved = edit::numbers(text).into_iter();
        let moved = moved.filter_map(|one| Some((format!("number {}", one.value), edit::nudged(text, &one, 1)?)));
        found.extend(left_out.chain(moved).filter_map(|(what, text)| changed(compiler, item, &what, &text)));
    }
    found
}

fn changed(compiler: &Compiler, item: &ItemView, what: &str, text: &str) -> Option<Changed> {
    Some((item.place.file.to_string(), compiler.file_with(item, text)?, format!("{} {what}", item.key)))
}

/// Another reading in force, of each ruling that the default edition decides and that has another one.
fn readings(library: &Library) -> Vec<Changed> {
    let compiler = &library.compiler;
    let chosen = compiler.readings_in_force(&Profile::default());
    let mut found = Vec::new();
    for (ruling, _) in compiler.rulings() {
        let Some((_, now)) = chosen.iter().find(|(id, _)| *id == ruling.id) else { continue };
        for other in ruling.readings.iter().filter(|other| other.name != *now) {
            let said = format!("    {} {now}.\n", ruling.id);
            let edition =
                compiler.items().into_iter().find(|item| item.head == "edition" && item.text.contains("default."));
            let Some(edition) = edition.filter(|item| item.text.contains(&said)) else { continue };
            let text = edition.text.replace(&said, &format!("    {} {}.\n", ruling.id, other.name));
            found.extend(changed(compiler, &edition, &format!("{} {}", ruling.id, other.name), &text));
        }
    }
    found
}

/// The runs of which it is said after a change that they come to the same, made again.
fn untouched(library: &mut Library, (file, text, what): &Changed, jobs: &[Job]) -> usize {
    let before = library.compiler.text(file).unwrap();
    library.compiler.set_file(file, text);
    let is_sound = !library.compiler.link(&Profile::default()).1.iter().any(|diag| diag.is_error());
    let mut spared = Vec::new();
    if is_sound {
        let outcomes = runs().memo.clone().refresh(&library.compiler, jobs, 2, &|_| ());
        spared.extend(jobs.iter().zip(outcomes).filter(|(_, outcome)| !outcome.ran));
    }
    let again: Vec<Job> = spared.iter().map(|(job, _)| (*job).clone()).collect();
    let again = run(&library.compiler, &again, 2, false);
    for ((_, known), again) in spared.iter().zip(&again) {
        let said = |report: &netrep_lab::Report| {
            let steps: Vec<_> = report.steps.iter().map(|step| (step.by.clone(), step.chosen.clone())).collect();
            (report.hash, steps, report.answers.clone(), report.checks.len(), report.diags.clone())
        };
        assert_eq!(said(&known.report), said(again), "{what}: {} [{}]", again.name, again.profile);
    }
    library.compiler.set_file(file, &before);
    spared.len()
}

#[test]
fn what_a_change_does_not_touch_comes_to_the_same() {
    let many = std::env::var("UNTOUCHED").ok().and_then(|many| many.parse().ok()).unwrap_or(1);
    let mut library = library();
    let all = jobs(&runs().scenarios, &Profile::default());
    let mut spared = 0;
    for changes in [edits(&library.compiler), readings(&library)] {
        assert!(changes.len() > 100, "there are {} changes", changes.len());
        for nth in 0..many {
            let change = &changes[seeded(nth, changes.len())];
            let first = seeded(nth + many, all.len());
            let sample: Vec<Job> =
                all.iter().cycle().skip(first).step_by(all.len() / SAMPLE).take(SAMPLE).cloned().collect();
            spared += untouched(&mut library, change, &sample);
        }
    }
    assert!(spared > many * SAMPLE, "most are not touched: {spared}");
}
