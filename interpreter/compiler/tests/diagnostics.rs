//! Diagnostics: every page's example triggers its code and no other, and places are right.
use std::collections::BTreeSet;

use crate::common::*;
use netrep_compiler::Profile;
use netrep_compiler::explain::{PAGES, Page, page};
use netrep_ir::Severity;

/// After the base vocabulary, in the order of declaration.
const EXAMPLE: &str = "rules/vocabulary/example.words";

/// The fenced example of a page.
fn example(page: &Page) -> Option<&str> {
    let start = page.text.find("```netrep\n")? + "```netrep\n".len();
    let end = page.text[start..].find("\n```").expect("the example ends") + start;
    Some(&page.text[start..end])
}

/// The pages with their examples.
fn examples() -> impl Iterator<Item = (&'static Page, &'static str)> {
    PAGES.iter().filter_map(|page| Some((page, example(page)?)))
}

/// Codes that no small file triggers: limits, questions from outside, and what only broken tools would cause.
const WITHOUT_EXAMPLE: [&str; 9] = [
    "empty-sentence",
    "item-too-large",
    "no-passive",
    "phrase-too-deep",
    "too-many-readings",
    "unbound-label",
    "unexpected-text",
    "unknown-edition",
    "unknown-name",
];

#[test]
fn every_page_shows_exactly_its_code() {
    let mut wrong = Vec::new();
    for (page, example) in examples() {
        let compiler = with_file(EXAMPLE, example);
        let diags = compiler.check();
        let errors: BTreeSet<&str> = codes(&diags).into_iter().collect();
        let advised = diags.iter().any(|diag| diag.code == page.code && diag.severity == Severity::Advice);
        let right = if errors.is_empty() { advised } else { errors.iter().eq([&page.code]) };
        if !right {
            let found: Vec<_> = crate::common::errors(&diags)
                .iter()
                .map(|d| format!("{}: {} {:?}", d.code, d.message, d.help))
                .collect();
            wrong.push(format!("{}: {found:#?}", page.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_error_of_a_page_has_a_mend_and_points_into_its_example() {
    let mut helpless = BTreeSet::new();
    for (page, example) in examples() {
        let compiler = with_file(EXAMPLE, example);
        for diag in crate::common::errors(&compiler.check()) {
            if diag.help.is_none() {
                helpless.insert(diag.code.clone());
            }
            assert!(diag.place.file == EXAMPLE, "{}: {:?}", page.code, diag.place);
            assert!(diag.place.end as usize <= example.len(), "{}: {:?}", page.code, diag.place);
            assert!(!diag.message.ends_with('.'), "{}", diag.message);
        }
    }
    assert_eq!(helpless, BTreeSet::new());
}

#[test]
fn pages_are_sorted_and_titled() {
    assert!(PAGES.is_sorted_by(|a, b| a.code < b.code));
    for page in PAGES {
        assert!(page.text.starts_with(&format!("# {}\n", page.code)));
    }
    assert!(page("no-such-code").is_none());
}

#[test]
fn every_page_but_a_few_has_an_example() {
    let without: Vec<&str> = PAGES.iter().filter(|page| example(page).is_none()).map(|page| page.code).collect();
    assert_eq!(without, WITHOUT_EXAMPLE);
}

/// The codes in the source: first argument of what makes a finding, or a field.
fn codes_in(source: &str) -> BTreeSet<&str> {
    let makers =
        ["PhraseError::new(", "Finding::error(", "Finding::advice(", ".fail(", "code: ", "clash(db, ", "push(("];
    let mut found = BTreeSet::new();
    for maker in makers {
        for (at, _) in source.match_indices(maker) {
            let rest = source[at + maker.len()..].trim_start();
            let quoted = rest.strip_prefix('"').and_then(|rest| rest.split('"').next());
            found.extend(quoted.filter(|code| code.contains('-') && !code.contains(' ')));
        }
    }
    found
}

fn sources(folder: &std::path::Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_code_has_a_page() {
    let mut texts = Vec::new();
    sources(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut texts);
    let mut codes: BTreeSet<&str> = texts.iter().flat_map(|text| codes_in(text)).collect();
    codes.extend(netrep_grammar::Code::ALL.iter().map(|code| code.as_str()));
    assert!(codes.len() > 50);
    let missing: Vec<&&str> = codes.iter().filter(|code| page(code).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_broken_item_hides_no_other() {
    let text = "card A-1 \"Lamp\" {\n    kind Lamp. height (3.\n\ncard A-2 \"Vase\" {\n    kind Vsae.\n}\n\ncard A-3 \"Lamp\" {\n    kind Lamp.\n}\n";
    let compiler = with_file(CARDS_PATH, text);
    let (program, diags) = compiler.link(&Profile::default());
    assert_eq!(codes(&diags).last(), Some(&"unknown-entry"));
    let ids: Vec<&str> = program.cards.iter().map(|card| &*card.id).collect();
    assert_eq!(ids, ["A-3"]);
}

#[test]
fn findings_come_sorted_by_place() {
    let text = "card A-1 \"Lamp\" {\n    kind Lmap.\n    colour Rde.\n}\n\ncrad B.\n";
    let compiler = with_file(CARDS_PATH, text);
    let diags = compiler.check_file(CARDS_PATH);
    let places: Vec<String> = diags.iter().map(|diag| pointed(&compiler, &diag.place)).collect();
    assert_eq!(places, ["Lmap", "Rde", "crad B."]);
    assert!(diags.is_sorted());
}

#[test]
fn accents_do_not_shift_places() {
    let text = "// Ä Ö Ü\ncard A-1 \"Läämp\" {\n    // ß\n    kind Lamp.\n    colour Rde.\n}\n";
    let compiler = with_file(CARDS_PATH, text);
    let diags = compiler.check_file(CARDS_PATH);
    assert_eq!(pointed(&compiler, &diags[0].place), "Rde");
}
