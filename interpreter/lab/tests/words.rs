//! What is said against what is offered: without signs, case and accents, with labels, as a part or a pattern.

use std::collections::BTreeMap;

use netrep_lab::vocabulary::is_match;
use netrep_lab::words::{
    Ids, Meant, Tokens, folded, folds_to, meant, nearest_name, nearest_options, tokens, with_labels,
};

#[test]
fn what_folds_to_a_name_is_what_is_folded() {
    let texts = ["Éowyn", "eowyn", "Lúthien's", "  Bag  End", "bag end", "TW-12", "Æglos", "", "'tis", "—x"];
    for text in texts {
        for wanted in texts.map(folded) {
            assert_eq!(folds_to(text, &wanted), folded(text) == wanted, "{text} and {wanted}");
        }
    }
}

fn find(said: &str, options: &[&str]) -> Meant {
    let options: Vec<Tokens> = options.iter().map(|option| tokens(option)).collect();
    meant(&tokens(said), &options)
}

#[test]
fn signs_case_and_accents_do_not_count() {
    assert_eq!(tokens("use \"Émil’s  Lamp\" on Big-thing"), ["use", "\"emils lamp", "on", "big-thing"]);
    assert_eq!(tokens("pawn \"Ann\" #2."), ["pawn", "\"ann", "#2."]);
    assert_eq!(folded(" A\u{a0}–b "), "a -b");
}

#[test]
fn a_text_means_the_one_option_that_contains_it() {
    let options = ["play \"Glass\" on \"Ann\"", "play \"Glass\" on \"Bob\"", "pass"];
    assert_eq!(find("play \"glass\" on \"ann\"", &options), Meant::One(0));
    assert_eq!(find("\"Bob\"", &options), Meant::One(1));
    assert_eq!(find("play \"Glass\"", &options), Meant::Several(vec![0, 1]));
    assert_eq!(find("on \"Ann\" play", &options), Meant::None);
}

#[test]
fn an_exact_match_wins_and_of_copies_the_first() {
    assert_eq!(find("\"Ann\"", &["pawn \"Ann\"", "\"Ann\""]), Meant::One(1));
    assert_eq!(find("play \"Orb\"", &["play \"Orb\" #2 on it", "play \"Orb\" on it"]), Meant::One(0));
    assert_eq!(find("play \"Orb\" #2", &["play \"Orb\" on it", "play \"Orb\" #2 on it"]), Meant::One(1));
}

#[test]
fn labels_stand_for_words() {
    let labels = BTreeMap::from([("X".to_owned(), "\"Orb\" #2".to_owned())]);
    assert_eq!(with_labels("play X on \"X\"", &labels, &Ids::default()), ["play", "\"orb", "#2", "on", "\"x"]);
    // What has no number is the first copy, and no other one.
    let labels = BTreeMap::from([("X".to_owned(), "\"Orb\"".to_owned())]);
    let said = with_labels("play X", &labels, &Ids::default());
    let options = ["play \"Orb\" #2 on it", "play \"Orb\" on it"].map(tokens);
    assert_eq!(meant(&said, &options), Meant::One(1));
    assert_eq!(meant(&said, &options[..1]), Meant::None);
    assert_eq!(meant(&with_labels("X", &labels, &Ids::default()), &["\"Orb\""].map(tokens)), Meant::One(0));
}

#[test]
fn near_misses_are_suggested() {
    let options = ["play \"Glass\" on \"Ann\"", "pass"];
    assert_eq!(nearest_options("plays \"Glas\" on \"Ann\"", &options), [options[0]]);
    assert_eq!(nearest_name("Glas", ["Ann", "Glass"]), Some("Glass".to_owned()));
}

#[test]
fn a_pattern_is_a_part_or_a_glob() {
    assert!(is_match("amp", "lamp") && !is_match("lamps", "lamp") && is_match("", "lamp"));
    for (pattern, text) in [("l*p", "lamp"), ("*", ""), ("*mp*", "lamp"), ("?amp", "lamp"), ("l*a*p", "lap map")] {
        assert!(is_match(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [("l*x", "lamp"), ("?", ""), ("amp*", "lamp"), ("l?p", "lamp"), ("*x*", "lamp")] {
        assert!(!is_match(pattern, text), "{pattern} {text}");
    }
}
