//! What the resolver says of phrases that cannot be read, on a vocabulary of boats and gardens.

use crate::forms::VOCABULARY;
use netrep_compiler::finding::Finding;
use netrep_compiler::phrase::clause::{ClauseKind, Polarity};
use netrep_compiler::phrase::declare::declare;
use netrep_compiler::phrase::lexicon::{Lexicon, Words};
use netrep_compiler::phrase::read::{Want, read_item, read_phrase, read_sentence};
use netrep_compiler::phrase::render::{render, render_kind};
use netrep_compiler::phrase::scope::Scope;
use netrep_compiler::phrase::tree::{Op, Sort, TermKey};
use netrep_diagnostics::Code;
use netrep_grammar::{parse_item, parse_sentence, split};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn words() -> Words {
    let mut terms = Vec::new();
    for raw in split(VOCABULARY) {
        let (item, errors) = parse_item(&VOCABULARY[raw.range.clone()]);
        assert!(errors.is_empty(), "{errors:?}");
        let (declared, errors) = declare(&item.unwrap());
        assert!(errors.is_empty(), "{errors:?}");
        terms.extend(declared);
    }
    let words = Words::new(terms);
    for raw in split(VOCABULARY) {
        let (_, errors) = read_item(&parse_item(&VOCABULARY[raw.range]).0.unwrap(), &words);
        assert!(errors.is_empty(), "{errors:?}");
    }
    words
}

fn scope() -> Scope {
    let mut scope = Scope::default();
    scope.bind("B", Sort::Thing("boat".into()));
    scope.bind("K", Sort::Thing("crate".into()));
    scope.bind("P", Sort::Thing("player".into()));
    scope.bind("N", Sort::Number);
    scope
}

fn sentence(text: &str, words: &Words) -> Result<ClauseKind, Finding> {
    let tokens = parse_sentence(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    read_sentence(&tokens, &scope(), false, words)
}

fn said(kind: &ClauseKind, words: &Words) -> String {
    render_kind(kind, &|key| words.term_named(key.kind, &key.name))
}

#[track_caller]
fn refused(text: &str, code: Code, at: &str, mentions: &[&str]) {
    let words = words();
    let error = sentence(text, &words).expect_err(text);
    let place = &text[error.place.start as usize..error.place.end as usize];
    assert_eq!((error.code, place), (code, at), "{text}: {error:?}");
    let all = format!("{} {}", error.message, error.help.clone().unwrap_or_default());
    for wanted in mentions {
        assert!(all.contains(wanted), "{text}: `{wanted}` is not in: {all}");
    }
}

#[track_caller]
fn says(text: &str, rendered: &str) {
    let words = words();
    let kind = sentence(text, &words).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    assert_eq!(said(&kind, &words), rendered);
    assert_eq!(sentence(rendered, &words).as_ref().map(|k| said(k, &words)), Ok(rendered.to_owned()), "{rendered}");
    assert!(sentence(rendered, &words) == Ok(kind), "{rendered}");
}

#[test]
fn an_unknown_word_is_named_with_what_was_meant() {
    refused("effect paint a boaat", Code::UnknownWord, "boaat", &["no word `boaat`", "`boat`"]);
    refused("effect piant B", Code::UnknownWord, "piant", &["`paint`"]);
    refused("this gets +1 draught dept", Code::UnknownWord, "dept", &["`depth`"]);
    refused("effect paint a zeppelin", Code::UnknownWord, "zeppelin", &["expected here", "a noun"]);
    refused("while B is aflaot: B gets +1 length", Code::UnknownWord, "aflaot", &["`afloat`"]);
}

/// What authors write, the words that are pointed at, what is said of them, and what is meant.
const SLIPS: &[[&str; 4]] = &[
    ["B gets 1 length", "1", "`+`", "B gets +1 length"],
    ["B gets length +1", "length +1", "`+1 length`", "B gets +1 length"],
    ["B gets max 8 +1 length", "max 8 +1 length", "`+1 length max 8`", "B gets +1 length max 8"],
    ["B gets +one length", "one", "`1`", "B gets +1 length"],
    ["B gets gets +1 length", "gets", "too much", "B gets +1 length"],
    ["B has +1 length", "has", "`gets`", "B gets +1 length"],
    ["B gets Red", "gets", "`gains`", "B gains Red"],
    ["if B is afloat: B gets +1 length", "if", "`while`", "while B is afloat: B gets +1 length"],
    ["effect B is painted", "B is painted", "`paint B`", "effect paint B"],
    ["effect paint B and stop", "and", "a semicolon `;`", "effect paint B; stop"],
    ["effect paint B, stop", ",", "a semicolon `;`", "effect paint B; stop"],
    ["effect set berth of B = none", "=", "`to`", "effect set berth of B to none"],
    ["effect load K on B", "on", "`onto`", "effect load K onto B"],
    ["when a boat is painted, stop", ",", "a colon `:`", "when a boat is painted: stop"],
    ["a boat may not be painted", "may not", "`cannot`", "a boat cannot be painted"],
    ["length three", "three", "`3`", "length 3"],
    ["3 length", "3 length", "`length 3`", "length 3"],
    ["colour green", "green", "`Green`", "colour Green"],
];

#[test]
fn plain_english_is_told_with_what_can_be_read() {
    let words = words();
    let mut wrong = Vec::new();
    for [written, at, mend, meant] in SLIPS {
        assert!(sentence(meant, &words).is_ok(), "{meant}");
        let error = sentence(written, &words).expect_err(written);
        let place = &written[error.place.start as usize..error.place.end as usize];
        let said = format!("{} {}", error.message, error.help.clone().unwrap_or_default());
        if place != *at || !said.contains(mend) {
            wrong.push(format!("{written}: at `{place}`: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_misspelt_catalogue_term_is_named() {
    refused("effect paint B with Gren", Code::UnknownEntry, "Gren", &["catalogue term", "`Green`"]);
    refused("colour Bleu", Code::UnknownEntry, "Bleu", &["`Blue`"]);
    refused("colour Oak", Code::WrongEntry, "Oak", &["a colour", "a wood"]);
}

#[test]
fn a_verb_is_given_what_it_takes() {
    refused("effect paint K", Code::WrongTarget, "K", &["`paint` wants a boat", "a crate"]);
    refused("effect paint an Oak crate", Code::WrongTarget, "an Oak crate", &["a crate"]);
    refused("effect load B onto B", Code::WrongTarget, "B", &["wants a crate"]);
    refused("effect paint 3", Code::WrongSort, "3", &["a boat", "a number"]);
    refused("effect draw B lots", Code::WrongSort, "B", &["a number", "a boat"]);
    refused("when a crate sinks: paint B", Code::WrongTarget, "a crate", &["wants a boat"]);
    refused("when a boat rams: paint B", Code::UnexpectedWord, ":", &["expected here", "a noun"]);
}

#[test]
fn an_attribute_belongs_to_its_things() {
    refused("K gets +1 length", Code::NoSuchAttribute, "K", &["a crate has no length", "a boat"]);
    refused("if length of K > 3", Code::NoSuchAttribute, "K", &["length"]);
    refused("if B with wood Oak is afloat", Code::UnexpectedWord, "with", &[]);
    refused("if a boat with wood Oak is afloat", Code::NoSuchAttribute, "with wood", &["a boat has no wood"]);
    refused("each Oak boat gets +1 length", Code::WrongModifier, "Oak", &["never said of a boat"]);
}

#[test]
fn sorts_and_labels_are_told() {
    refused("if N is afloat", Code::WrongSort, "N", &["a number"]);
    refused("if owner of B > 3", Code::WrongSort, "owner of B", &["a number", "a player"]);
    refused("effect paint C", Code::UnknownLabel, "C", &["as C"]);
    refused("effect paint", Code::UnfinishedPhrase, "", &["a noun"]);
    refused("effect paint B B", Code::UnexpectedWord, "B", &["`B` cannot stand here"]);
    refused("if K is moored", Code::WrongPredicate, "moored", &["a crate"]);
    refused("effect a boat carries K", Code::UnexpectedWord, "carries", &[]);
}

#[test]
fn one_error_for_each_clause_and_none_hidden() {
    let words = words();
    let text = "card X-1 \"Regatta\" {\n  effect piant B.\n  fast.\n  this gets +1 lenght.\n  colour Red.\n}";
    let (clauses, errors) = read_item(&parse_item(text).0.unwrap(), &words);
    assert_eq!(clauses.len(), 2);
    assert_eq!(errors.iter().map(|e| e.code).collect::<Vec<_>>(), [Code::UnknownWord, Code::UnknownWord]);
}

#[test]
fn readings_that_are_left_are_both_told() {
    let vocabulary = format!(
        "{VOCABULARY}\nrelation (crate C) under (boat B).\nrelation (boat B) under (boat C).\nrelation (crate C) by (player P).\nrelation (crate C) by (boat B).\n"
    );
    let mut terms = Vec::new();
    for raw in split(&vocabulary) {
        terms.extend(declare(&parse_item(&vocabulary[raw.range]).0.unwrap()).0);
    }
    let words = Words::new(terms);
    let error = sentence("effect load a crate by it onto B", &words).unwrap_err();
    assert_eq!(error.code, Code::AmbiguousPhrase);
    assert_eq!(error.labels.len(), 2);
    assert!(error.labels[0].text.contains("load a crate by it onto B"), "{error:?}");
    assert!(error.labels[0].text != error.labels[1].text, "{error:?}");
    assert!(error.help.unwrap().contains("parentheses"));
}

#[test]
fn clauses_read_and_render() {
    says(
        "play on a Red boat carrying an Oak crate during season if B is afloat and wave > 3",
        "play on a Red carrying an Oak as target during season if B is afloat and wave > 3",
    );
    says("play on a boat in a harbour as H. ".trim_end_matches(['.', ' ']), "play on a boat in a harbour as H");
    says("cost paint B with Sky Blue; draw 3 lots", "cost paint B with Sky Blue; draw 3 lots");
    says(
        "when a boat is painted by a player as C immediately: draw 1 lots",
        "when a player as C paints a boat immediately: draw 1 lots",
    );
    says("when a boat as C would ram a boat instead: C sinks", "when a boat as C would ram a boat instead: C sinks");
    says(
        "while B carries K: B gets +2 (3 if B is fast) length max 9; B gains Red",
        "while B carries K: B gets +2 (3 if B is fast) length max 9; B gains Red",
    );
    says(
        "may paint C choosing a boat of yours as C if C is not moored once per season: draw 2 lots",
        "may paint C choosing one of your boats as C if C is not moored once per season: draw 2 lots",
    );
    says(
        "a boat in dry dock cannot ram a boat unless it is fast",
        "a boat in dry dock cannot ram a boat if not it is fast",
    );
    says(
        "effect for each boat with length >= 2 * wave as C { P may choose a crate aboard C as D { put D into shelf of P at the bottom } otherwise { stop } }",
        "effect for each boat with length >= (2 * wave) as C { P may choose a crate aboard C as D { put D into shelf of P at the bottom } otherwise { stop } }",
    );
    says(
        "effect P rolls 2 dice as R for B; if R + length of B - 1 > number of crates aboard B { perform race for B, R } otherwise if not B is afloat { end race }",
        "effect P rolls 2 dice as R for B; if R + length of B - 1 > number of crates aboard B { perform race for B, R } otherwise if not B is afloat { end race }",
    );
    says(
        "always (B is afloat or B is moored) and there is no Red boat",
        "always (B is afloat or B is moored) and there is no Red",
    );
    says(
        "if B has rammed a Red or Green boat this race and B has not been painted this season",
        "if B has rammed a Red or Green boat this race and B has not been painted this season",
    );
    says(
        "effect when B sinks if B is fast { draw 1 lots } this season; B cannot be painted for the rest of the game",
        "effect when B sinks if B is fast { draw 1 lots } this season; B cannot be painted for the rest of the game",
    );
}

#[test]
fn numbers_for_each_term_read_and_render() {
    says("if toll of P for Oak > 2 * toll of P for Ash", "if toll of P for Oak > 2 * (toll of P for Ash)");
    refused("effect for each wood as C { tar B }", Code::UnexpectedWord, "{", &[]);
}

#[test]
fn chance_and_what_is_taken_over_read_and_render() {
    says(
        "effect choose 5 crates as C at random; load C onto B",
        "effect choose 5 crates as C at random; load C onto B",
    );
    refused("effect P chooses a crate as C at random", Code::UnexpectedWord, "at", &[]);
    refused("figures of B are those of this", Code::UnknownWord, "figures", &[]);
    says(
        "if there is no modification of length of B by a crate aboard B and there is a modification of length",
        "if there is no modification of length of B by a crate aboard B and there is a modification of length",
    );
    says(
        "if printed length of B >= highest length of boats - lowest draught depth of your boats / 2 rounded down",
        "if printed length of B >= (highest length of boats) - ((lowest draught depth of your boats) / 2 rounded down)",
    );
    says(
        "if K would paint B and there is a crate that would not load a crate onto B",
        "if K would paint B and there is a crate that would not load a crate onto B",
    );
    says("action paint leaves B is afloat", "action paint leaves B is afloat");
}

#[test]
fn norms_have_polarities() {
    let words = words();
    for (text, polarity) in [
        ("B cannot be painted", Polarity::Cannot),
        ("B must ram a boat", Polarity::Must),
        ("B need not ram a boat", Polarity::NeedNot),
        ("B may ram a boat regardless", Polarity::Permit),
    ] {
        assert!(matches!(sentence(text, &words), Ok(ClauseKind::Norm { polarity: p, .. }) if p == polarity), "{text}");
    }
}

#[test]
fn prepositions_attach_to_the_nearest() {
    let words = words();
    let tokens = parse_sentence("a crate aboard a boat in a harbour").unwrap();
    let node = read_phrase(&tokens, Want::Value, &scope(), &words).unwrap();
    assert_eq!(node.kids[0].kids.len(), 1, "the harbour belongs to the boat");
    let tokens = parse_sentence("a boat carrying (a crate aboard a boat) in a harbour").unwrap();
    let node = read_phrase(&tokens, Want::Value, &scope(), &words).unwrap();
    assert_eq!(node.kids[0].kids.len(), 2, "parentheses close the inner noun");
    let terms = |key: &TermKey| words.term_named(key.kind, &key.name);
    assert_eq!(render(&node, &terms), "a boat carrying (a crate aboard a boat) in a harbour");
}

#[test]
fn the_longest_term_wins() {
    let words = words();
    let Ok(ClauseKind::Cost(node)) = sentence("cost paint B with Sky Blue", &words) else { panic!() };
    assert!(matches!(&node.kids[2].op, Op::Entry(key) if &*key.name == "Sky Blue"));
}

#[test]
fn nesting_is_bounded() {
    let words = words();
    let deep = format!("if {}B is afloat", "not ".repeat(4000));
    assert!(matches!(sentence(&deep, &words), Err(e) if e.code == Code::PhraseTooDeep));
    let long = format!("if {}", vec!["B is afloat"; 40].join(" or "));
    assert!(sentence(&long, &words).is_err() || sentence(&long, &words).is_ok());
}

// ---- generated phrases

fn noun() -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        Just("B".to_owned()),
        Just("this".to_owned()),
        Just("a boat".to_owned()),
        Just("each fast boat".to_owned()),
        Just("a non-Red boat".to_owned()),
        Just("2 Red or Green boats".to_owned()),
        Just("your boats".to_owned()),
        Just("one of your boats".to_owned()),
        Just("\"Argo\"".to_owned()),
    ];
    leaf.prop_recursive(3, 12, 2, |inner: BoxedStrategy<String>| {
        prop_oneof![
            number_of(inner.clone()).prop_map(|n| format!("a boat with length > ({n})")),
            inner.clone().prop_map(|n| format!("a boat other than ({n})")),
            inner.clone().prop_map(|n| format!("a boat carrying (a crate aboard ({n}))")),
            inner.clone().prop_map(|n| format!("a boat that has rammed ({n}) this race")),
            inner.clone().prop_map(|n| format!("a boat rammed by ({n})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(({a}) or ({b}))")),
            inner.prop_map(|n| format!("a boat carrying (a crate aboard ({n})) in a harbour")),
        ]
    })
    .boxed()
}

fn number_of(noun: BoxedStrategy<String>) -> BoxedStrategy<String> {
    prop_oneof![
        (0..20i64).prop_map(|n| n.to_string()),
        Just("wave".to_owned()),
        noun.clone().prop_map(|n| format!("length of ({n})")),
        noun.clone().prop_map(|n| format!("number of ({n})")),
        noun.clone().prop_map(|n| format!("(total length of ({n})) * 2 - 1")),
        noun.prop_map(|n| format!("half max(3, length of ({n})) rounded up")),
    ]
    .boxed()
}

fn condition() -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        noun().prop_map(|n| format!("({n}) is afloat")),
        noun().prop_map(|n| format!("({n}) is not moored or in dry dock")),
        noun().prop_map(|n| format!("there is no boat rammed by ({n})")),
        (number_of(noun()), number_of(noun())).prop_map(|(a, b)| format!("({a}) >= ({b})")),
        (noun(), noun()).prop_map(|(a, b)| format!("({a}) has not rammed ({b}) this season")),
        noun().prop_map(|n| format!("colour of ({n}) is Red or Green")),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) and ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) or ({b})")),
            inner.prop_map(|c| format!("not ({c})")),
        ]
    })
    .boxed()
}

fn statement() -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        noun().prop_map(|n| format!("paint ({n})")),
        (noun(), noun()).prop_map(|(a, b)| format!("({a}) rams ({b})")),
        (noun(), number_of(noun())).prop_map(|(n, x)| format!("({n}) gets +({x}) length max ({x}) this season")),
        number_of(noun()).prop_map(|n| format!("draw ({n}) lots")),
        noun().prop_map(|n| format!("P chooses ({n}) as C; paint C")),
        number_of(noun()).prop_map(|n| format!("let wave be {n}")),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (condition(), inner.clone()).prop_map(|(c, s)| format!("if {c} {{ {s} }}")),
            (condition(), inner.clone(), inner.clone())
                .prop_map(|(c, s, t)| format!("if {c} {{ {s} }} otherwise {{ {t} }}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}; {b}")),
            (condition(), inner.clone()).prop_map(|(c, s)| format!("repeat {{ {s} }} until {c}")),
            inner.prop_map(|s| format!("for each boat carrying K as D {{ {s} }}")),
        ]
    })
    .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn rendering_reads_the_same(text in prop_oneof![
        statement().prop_map(|s| format!("effect {s}")),
        condition().prop_map(|c| format!("if {c}")),
        (noun(), condition()).prop_map(|(n, c)| format!("({n}) cannot be painted if {c}")),
        (noun(), statement()).prop_map(|(n, s)| format!("when ({n}) rams a boat as F: {s}")),
    ]) {
        let words = words();
        let tokens = parse_sentence(&text).map_err(|e| TestCaseError::fail(format!("{text}: {e:?}")))?;
        let kind = match read_sentence(&tokens, &scope(), false, &words) {
            Ok(kind) => kind,
            // What is too large to be read is refused in words, and never panics.
            Err(e) if e.code == Code::PhraseTooDeep || e.code == Code::TooManyReadings => return Ok(()),
            Err(e) => return Err(TestCaseError::fail(format!("{text}: {e:?}"))),
        };
        let english = said(&kind, &words);
        let tokens = parse_sentence(&english).map_err(|e| TestCaseError::fail(format!("{english}: {e:?}")))?;
        let again = read_sentence(&tokens, &scope(), false, &words);
        prop_assert!(again.as_ref() == Ok(&kind), "{text}\n{english}\n{:?}", again.map(|k| said(&k, &words)));
    }

    #[test]
    fn nothing_panics(picks in proptest::collection::vec(0usize..60, 1..14)) {
        const PIECES: [&str; 60] = [
            "a", "boat", "boats", "of", "B", "K", "Red", "is", "not", "if", "effect", "paint", "paints", "painted", "with", "length",
            "3", "+", "-", "(", ")", "{ }", ";", ",", "or", "and", "when", ":", "that", "has", "been", "by", "as", "C", "each",
            "your", "number", "total", "gets", "max", "this", "season", "may", "cannot", "be", "unless", "while", "play", "on", "during",
            "for", "choose", "one", "repeat", "until", "it", "'s", "non-Red", "in", "\"Argo\"",
        ];
        let words = words();
        let mut text: Vec<&str> = picks.iter().map(|i| PIECES[*i]).collect();
        let open = text.iter().filter(|w| **w == "(").count();
        let close = text.iter().filter(|w| **w == ")").count();
        if open != close {
            text.retain(|w| *w != "(" && *w != ")");
        }
        if let Ok(tokens) = parse_sentence(&text.join(" ")) {
            let _ = read_sentence(&tokens, &scope(), true, &words);
        }
    }
}
