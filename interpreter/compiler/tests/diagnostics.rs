//! Diagnostics: every page's example triggers its code and no other, and places are right.
use std::collections::BTreeSet;

use crate::common::*;
use netrep_compiler::Profile;
use netrep_diagnostics::{Code, Severity};

/// After the base vocabulary, in the order of declaration.
const EXAMPLE: &str = "rules/vocabulary/example.words";

/// The codes with the examples on their pages. What scenarios trigger is played by the lab's tests.
fn examples() -> impl Iterator<Item = (Code, &'static str)> {
    Code::ALL.iter().filter_map(|code| Some((*code, code.page().example("netrep")?)))
}

#[test]
fn every_page_shows_exactly_its_code() {
    let mut wrong = Vec::new();
    for (code, example) in examples() {
        let compiler = with_file(EXAMPLE, example);
        let diags = compiler.check();
        let errors: BTreeSet<Code> = codes(&diags).into_iter().collect();
        let right = match code.severity() {
            Severity::Error => errors == BTreeSet::from([code]),
            Severity::Advice => errors.is_empty() && diags.iter().any(|diag| diag.code == code),
        };
        if !right {
            let found: Vec<_> = crate::common::errors(&diags)
                .iter()
                .map(|d| format!("{}: {} {:?}", d.code, d.message, d.help))
                .collect();
            wrong.push(format!("{code}: {found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(examples().count() > 80);
}

/// What is said about each example, word for word.
#[test]
fn every_page_is_told_in_these_words() {
    let mut story = String::new();
    for (code, example) in examples() {
        let compiler = with_file(EXAMPLE, example);
        for diag in compiler.check().iter().filter(|diag| diag.code == code) {
            story += &told(&compiler, diag);
        }
        story.push('\n');
    }
    insta::assert_snapshot!(story.trim_end());
}

#[test]
fn every_error_of_a_page_has_a_mend_and_points_into_its_example() {
    let mut helpless = BTreeSet::new();
    for (code, example) in examples() {
        let compiler = with_file(EXAMPLE, example);
        for diag in crate::common::errors(&compiler.check()) {
            if diag.help.is_none() {
                helpless.insert(diag.code);
            }
            assert!(diag.place.file == EXAMPLE, "{code}: {:?}", diag.place);
            assert!(diag.place.end as usize <= example.len(), "{code}: {:?}", diag.place);
            assert!(!diag.message.ends_with('.'), "{}", diag.message);
        }
    }
    assert_eq!(helpless, BTreeSet::new());
}

#[test]
fn a_broken_item_hides_no_other() {
    let text = "card A-1 \"Lamp\" {\n    kind Lamp. height (3.\n\ncard A-2 \"Vase\" {\n    kind Vsae.\n}\n\ncard A-3 \"Lamp\" {\n    kind Lamp.\n}\n";
    let compiler = with_file(CARDS_PATH, text);
    let (program, diags) = compiler.link(&Profile::default());
    assert_eq!(codes(&diags).last(), Some(&Code::UnknownEntry));
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
