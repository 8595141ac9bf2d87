//! Diagnostics: every page's example triggers its code and no other, and places are right.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod common;

use std::collections::BTreeSet;

use common::*;
use netrep_compiler::Profile;
use netrep_compiler::explain::{PAGES, page};
use netrep_ir::Severity;

/// After the base vocabulary, in the order of declaration.
const EXAMPLE: &str = "rules/vocabulary/example.words";

/// The fenced example of a page.
fn example(text: &str) -> &str {
    let start = text.find("```netrep\n").expect("a page has an example") + "```netrep\n".len();
    let end = text[start..].find("\n```").expect("the example ends") + start;
    &text[start..end]
}

#[test]
fn every_page_shows_exactly_its_code() {
    let mut wrong = Vec::new();
    for page in PAGES {
        let compiler = with_file(EXAMPLE, example(page.text));
        let diags = compiler.check();
        let errors: BTreeSet<&str> = codes(&diags).into_iter().collect();
        let advised = diags.iter().any(|diag| diag.code == page.code && diag.severity == Severity::Advice);
        let right = if errors.is_empty() { advised } else { errors.iter().eq([&page.code]) };
        if !right {
            let found: Vec<_> =
                common::errors(&diags).iter().map(|d| format!("{}: {} {:?}", d.code, d.message, d.help)).collect();
            wrong.push(format!("{}: {found:#?}", page.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_error_of_a_page_has_a_mend_and_points_into_its_example() {
    let mut helpless = BTreeSet::new();
    for page in PAGES {
        let compiler = with_file(EXAMPLE, example(page.text));
        for diag in common::errors(&compiler.check()) {
            if diag.help.is_none() {
                helpless.insert(diag.code.clone());
            }
            assert!(diag.place.file == EXAMPLE, "{}: {:?}", page.code, diag.place);
            assert!(diag.place.end as usize <= example(page.text).len(), "{}: {:?}", page.code, diag.place);
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
fn the_grammar_s_codes_have_pages() {
    for code in netrep_grammar::Code::ALL {
        let known = page(code.as_str()).is_some() || code.as_str() == "unexpected-text";
        assert!(known, "{code} has no page");
    }
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
