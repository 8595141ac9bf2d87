//! The examples of the language reference, compiled and played.
//!
//! In `grammar/README.md` a fence `netrep` holds items that compile without an error beside the data of the
//! repository, each example alone; `netrep CODE` holds items that are refused with that code and no other;
//! `scenario NAME` holds a scenario that passes. Fragments are in fences `text`.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use netrep_compiler::{Diagnostic, Profile};
use netrep_grammar::{Fence, HEADS, fences};
use netrep_lab::Scenario;
use netrep_lab::run::{jobs, run};

use crate::support::data::{library, root};

const FILE: &str = "grammar/README.md";
/// Where an example stands while it is compiled: a file of its own among the others.
const EXAMPLE: &str = "rules/reference.rules";

fn reference() -> String {
    fs::read_to_string(root().join(FILE)).expect("the reference can be read")
}

/// The fences of a kind: what stands behind the kind on the opening line, the heading above, and the content.
fn examples<'t>(text: &'t str, kind: &str) -> Vec<(String, String, &'t str)> {
    let of_kind = |fence: &Fence| {
        let (found, rest) = fence.info.split_once(' ').unwrap_or((&fence.info, ""));
        (found == kind).then(|| {
            let heading = fence.headings.last().cloned().unwrap_or_default();
            (rest.trim().to_owned(), heading, &text[fence.content.clone()])
        })
    };
    fences(text).iter().filter_map(of_kind).collect()
}

fn errors(diags: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diags.into_iter().filter(|diag| diag.is_error()).collect()
}

#[test]
fn every_data_example_compiles() {
    let text = reference();
    let mut library = library();
    let standing = errors(library.compiler.check());
    let mut wrong = Vec::new();
    let examples = examples(&text, "netrep");
    let count = examples.len();
    for (code, heading, example) in examples {
        library.compiler.set_file(EXAMPLE, example);
        let found: Vec<Diagnostic> =
            errors(library.compiler.check()).into_iter().filter(|diag| !standing.contains(diag)).collect();
        let codes: BTreeSet<&str> = found.iter().map(|diag| diag.code.as_str()).collect();
        if codes != code.split(' ').filter(|code| !code.is_empty()).collect() {
            let said: Vec<_> =
                found.iter().map(|d| format!("  {}: {} {} {:?}", d.place.file, d.code, d.message, d.help)).collect();
            wrong.push(format!("{heading}:\n{example}{}", said.join("\n")));
        }
        library.compiler.remove_file(EXAMPLE);
    }
    assert!(wrong.is_empty(), "{} examples are wrong:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(count > 50, "only {count} examples were found");
}

#[test]
fn every_scenario_example_passes() {
    let library = library();
    let parsed = library.scenarios(&[root().join(FILE)], false).expect("the reference can be read");
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    let scenarios: Vec<Arc<Scenario>> = parsed.scenarios.into_iter().map(Arc::new).collect();
    assert_eq!(scenarios.len(), examples(&reference(), "scenario").len());
    assert!(!scenarios.is_empty(), "the reference has no scenario");
    let reports = run(&library.compiler, &jobs(&scenarios, &Profile::default()), 2, false);
    let failed: Vec<_> = reports.iter().filter(|r| !r.passed()).map(|r| (&r.name, &r.profile, &r.diags)).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn every_fence_is_of_a_known_kind() {
    let text = reference();
    for fence in fences(&text) {
        let kind = fence.info.split(' ').next().unwrap_or_default();
        assert!(["netrep", "scenario", "text"].contains(&kind), "a fence `{}` is not tested", fence.info);
        assert!(fence.closed, "the fence `{}` is never closed", fence.info);
    }
}

#[test]
fn every_head_is_mentioned() {
    let text = reference();
    let missing: Vec<_> = HEADS.iter().filter(|head| !text.contains(&format!("`{head}`"))).collect();
    assert!(missing.is_empty(), "the reference says nothing about {missing:?}");
}

/// The lists of cases from the books: each names the scenarios that prove it, or says why there is none.
#[test]
fn every_listed_case_has_its_scenarios() {
    let library = library();
    let all = library.scenarios(&[], false).expect("the scenarios").scenarios;
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for scenario in &all {
        assert!(known.insert(&scenario.name), "two scenarios are called “{}”", scenario.name);
    }
    for (file, least) in [("tests/cases.md", 20), ("tests/companion.md", 60)] {
        let text = fs::read_to_string(root().join(file)).expect("the list");
        let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("- ")).collect();
        let mut ids = BTreeSet::new();
        let mut proved = 0;
        for line in &lines {
            let (id, rest) = line.split_once(": ").unwrap_or_else(|| panic!("{file}: no case in `{line}`"));
            assert!(ids.insert(id), "{file}: {id} stands there twice");
            if let Some(reason) = rest.strip_prefix("not here: ") {
                assert!(reason.len() > 10, "{file}: {id} gives no reason");
                continue;
            }
            for title in rest.split("; ") {
                let title = title.strip_prefix('"').and_then(|title| title.strip_suffix('"'));
                let title = title.unwrap_or_else(|| panic!("{file}: {id} names no scenario: {rest}"));
                assert!(known.contains(title), "{file}: {id}: there is no scenario “{title}”");
            }
            proved += 1;
        }
        assert!(proved >= least && proved * 2 > lines.len(), "{file}: {proved} of {} are proved", lines.len());
    }
}
