//! What an edit makes the compiler work out again, asserted from the log of what ran.
use crate::common::*;
use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;

/// Compiles everything under every profile, and returns which of `queries` ran, as `query(key)`, sorted.
fn ran(compiler: &mut Compiler, queries: &[&str]) -> Vec<String> {
    compiler.events();
    compiler.check();
    compiler.link(&Profile::default());
    compiler.link(&Profile::edition("old"));
    let events = compiler.events();
    let mut ran: Vec<String> =
        events.iter().filter(|event| queries.contains(&&*event.query)).map(ToString::to_string).collect();
    ran.sort();
    ran
}

/// The queries that cost something.
const WORK: [&str; 5] = ["parsed", "declared", "composed", "read", "lowered"];
/// The queries that resolve words.
const MEANING: [&str; 2] = ["read", "lowered"];

fn warm() -> Compiler {
    let mut compiler = compiler();
    ran(&mut compiler, &[]);
    compiler
}

fn edited(path: &str, from: &str, to: &str) -> Compiler {
    let mut compiler = warm();
    let text = compiler.text(path).unwrap();
    assert!(text.contains(from), "{from}");
    assert!(compiler.set_file(path, &text.replacen(from, to, 1)));
    compiler
}

#[test]
fn nothing_changed_runs_nothing() {
    let mut compiler = warm();
    assert!(!compiler.set_files(files()));
    compiler.check();
    assert_eq!(compiler.events(), []);
    let first = compiler.link(&Profile::default()).0;
    assert!(std::sync::Arc::ptr_eq(&first, &compiler.link(&Profile::default()).0));
    assert_eq!(compiler.events(), []);
}

#[test]
fn a_comment_above_runs_no_parser() {
    let mut compiler = edited(CARDS_PATH, "// Lamps.", "// Lamps and vases.\n// In three rows.");
    assert_eq!(ran(&mut compiler, &WORK), [] as [&str; 0]);
}

#[test]
fn a_comment_between_clauses_is_parsed_and_that_is_all() {
    let mut compiler = edited(CARDS_PATH, "    [wash]", "    // at once\n    [wash]");
    assert_eq!(ran(&mut compiler, &WORK), ["parsed(A-1)"]);
}

#[test]
fn places_move_though_nothing_is_read_again() {
    let mut compiler = edited(CARDS_PATH, "    [wash]", "    // at once\n    [wash]");
    compiler.check();
    let clauses = compiler.clauses("card", "A-1", &Profile::default());
    let wash = clauses.iter().find(|clause| &*clause.label == "wash").unwrap();
    assert!(pointed(&compiler, &wash.place).starts_with("[wash] when"));
    compiler.events();
}

#[test]
fn a_number_of_a_card_runs_that_card_in_each_of_its_versions() {
    let mut compiler = edited(CARDS_PATH, "height 7", "height 8");
    assert_eq!(ran(&mut compiler, &MEANING), ["lowered(B-1)", "read(B-1)"]);
    // A-1 has two versions: as printed, and as one edition amends it.
    let mut compiler = edited(CARDS_PATH, "height 3", "height 2");
    assert_eq!(ran(&mut compiler, &MEANING), ["lowered(A-1)", "lowered(A-1)", "read(A-1)", "read(A-1)"]);
}

#[test]
fn a_renamed_card_runs_itself() {
    let mut compiler = edited(CARDS_PATH, "\"Vase\"", "\"Tall vase\"");
    assert_eq!(ran(&mut compiler, &MEANING), ["lowered(B-1)", "read(B-1)"]);
}

#[test]
fn a_card_with_a_new_id_runs_itself_and_what_amends_it() {
    let mut compiler = edited(CARDS_PATH, "card A-2", "card A-3");
    assert_eq!(ran(&mut compiler, &MEANING), ["lowered(A-3)", "read(A-3)"]);
    let diags = compiler.check();
    assert!(codes(&diags).iter().all(|code| *code == Code::UnknownItem), "{diags:?}");
    assert_eq!(errors(&diags).len(), 2);
}

#[test]
fn a_new_amendment_runs_only_its_target() {
    let mut compiler = edited(
        RULINGS_PATH,
        "        remove A-2 break.",
        "        replace B-1 soil { [soil] when this is washed: break this. }\n        remove A-2 break.",
    );
    // The later amendments of the reading moved, but not in their own coordinates.
    assert_eq!(ran(&mut compiler, &MEANING), ["lowered(B-1)", "read(B-1)"]);
}

#[test]
fn an_edited_amendment_runs_only_its_target() {
    let mut compiler = edited(RULINGS_PATH, "+2 height", "+3 height");
    assert_eq!(ran(&mut compiler, &MEANING), ["lowered(A-1)", "read(A-1)"]);
}

#[test]
fn another_choice_of_an_edition_runs_what_it_amends() {
    let mut compiler = edited(EDITIONS_PATH, "R-1 printed.", "R-1 twice.");
    // The amended versions are known already from the other edition.
    assert_eq!(ran(&mut compiler, &WORK), ["parsed(new)"]);
}

#[test]
fn a_new_word_runs_only_the_items_that_contain_it() {
    let mut compiler = edited(WORDS_PATH, "verb soil,", "adjective dry of (card C): dust of C is Clean.\nverb soil,");
    let ran_now = ran(&mut compiler, &MEANING);
    assert_eq!(ran_now, ["lowered(dry of (card C))", "read(dry of (card C))"]);
    // `soil` is a word of two cards and of its own item.
    let mut compiler = edited(WORDS_PATH, "soil, soils, soiled (card C)", "soil, soils, soiled (lamp C)");
    let ran_now = ran(&mut compiler, &["read"]);
    assert!(ran_now.contains(&"read(A-1)".to_owned()) && ran_now.contains(&"read(B-1)".to_owned()), "{ran_now:?}");
    assert!(!ran_now.iter().any(|one| one.contains("A-2") || one.contains("(1")), "{ran_now:?}");
}

#[test]
fn a_broken_card_runs_itself_and_hides_no_other() {
    let mut compiler = edited(CARDS_PATH, "height 4.", "height (4.");
    assert!(ran(&mut compiler, &WORK).iter().all(|one| one.ends_with("(A-2)")));
    let diags = compiler.check();
    assert_eq!(codes(&diags), [Code::MissingClosingBracket]);
    assert_eq!(diags[0].place.file, CARDS_PATH);
    assert!(compiler.effective("card", "B-1", &Profile::default()).is_some());
}

#[test]
fn the_order_of_files_does_not_matter() {
    let mut compiler = Compiler::new();
    for (path, text) in files().into_iter().rev() {
        compiler.set_file(path, text);
    }
    let other = crate::common::compiler();
    assert_eq!(compiler.items(), other.items());
    assert_eq!(compiler.check(), other.check());
    assert_eq!(compiler.link(&Profile::default()).0, other.link(&Profile::default()).0);
}

#[test]
fn a_removed_file_is_gone_and_can_come_back() {
    let mut compiler = warm();
    let before = compiler.check();
    assert!(compiler.remove_file(CARDS_PATH));
    assert!(!compiler.remove_file(CARDS_PATH));
    assert!(compiler.item("card", "A-1").is_none());
    assert!(compiler.set_file(CARDS_PATH, CARDS));
    assert_eq!(compiler.check(), before);
}

#[test]
fn an_item_is_edited_in_its_file_and_back() {
    let mut compiler = warm();
    let item = compiler.item("card", "A-1").unwrap();
    let glow = netrep_compiler::edit::clauses(&item.text).into_iter().find(|clause| clause.label == "glow").unwrap();
    let without = netrep_compiler::edit::without(&item.text, glow.span).unwrap();
    let file = compiler.file_with(&item, &without).unwrap();
    let before = compiler.link(&Profile::default()).0;
    assert!(compiler.set_file(CARDS_PATH, &file));
    assert_eq!(ran(&mut compiler, &["parsed"]), ["parsed(A-1)"]);
    assert_ne!(compiler.link(&Profile::default()).0, before);
    // What amends the clause that is gone now says so.
    assert_eq!(codes(&compiler.check()), [Code::UnknownClause]);
    assert!(compiler.set_file(CARDS_PATH, CARDS));
    assert_eq!(compiler.link(&Profile::default()).0, before);
}
