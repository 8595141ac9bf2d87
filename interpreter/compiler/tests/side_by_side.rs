//! What lets many files be written side by side: where items belong, told by `check` and mended by moving them without
//! a change of a letter; and lists to which any file adds terms.
use std::collections::{BTreeMap, BTreeSet};

use crate::common::*;
use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::{Code, Severity};
use netrep_grammar::{fmt, split};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const FILING: &str = r#"
filing card {
    id A in "cards/first".
    id B in "cards/second", 12 in all.
    lamp with colour Red in "red-lamps.cards".
    lamp in "lamps.cards".
    vase in "vases.cards".
}
filing rule {
    id 1 in "rules/sections/1.rules".
    id 2 in "rules/sections/2.rules".
    id 2.IV in "rules/sections/2-iv.rules".
    letters W, R.
}
filing ruling { }
"#;
const FILING_PATH: &str = "rules/filing.words";

type Files = BTreeMap<String, String>;

fn compiler_of(files: &Files) -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_files([(WORDS_PATH, WORDS), (FILING_PATH, FILING)]);
    compiler.set_files(files.iter().map(|(path, text)| (&**path, &**text)));
    compiler
}

fn told(compiler: &Compiler) -> Vec<String> {
    let diags = compiler.check();
    let misplaced = diags.iter().filter(|diag| diag.code == Code::MisplacedItem);
    misplaced.inspect(|diag| assert_eq!(diag.severity, Severity::Advice)).map(|diag| diag.message.clone()).collect()
}

/// The files after everything was moved.
fn refiled(files: &Files) -> Files {
    let compiler = compiler_of(files);
    let mut files = files.clone();
    for file in compiler.refiled().expect("the same items").changed {
        match file.text {
            Some(text) => files.insert(file.path, text),
            None => files.remove(&file.path),
        };
    }
    files
}

fn file(path: &str, text: &str) -> Files {
    Files::from([(path.to_owned(), text.to_owned())])
}

#[test]
fn what_is_printed_and_the_id_say_where_a_card_belongs() {
    let text = r#"card A-1 "Red lamp" { kind Lamp. colour Red. }

card A-2 "Blue lamp" { kind Lamp. colour Blue. }

card B-1 "Vase" { kind Vase. colour Red. }

card C-1 "Lamp of another set" { kind Lamp. }

card B-2 "Nothing" { colour Red. }

card A-3 "Broken" { knid Lamp. }
"#;
    let compiler = compiler_of(&file("cards/mine.cards", text));
    assert_eq!(
        told(&compiler),
        [
            "card A-1 belongs in cards/first/red-lamps.cards",
            "card A-2 belongs in cards/first/lamps.cards",
            "card B-1 belongs in cards/second/vases.cards",
            "nothing says where card B-2 belongs",
        ]
    );
    let files = refiled(&file("cards/mine.cards", text));
    assert_eq!(files["cards/first/lamps.cards"], "card A-2 \"Blue lamp\" { kind Lamp. colour Blue. }\n");
    let left: Vec<String> = split(&files["cards/mine.cards"]).into_iter().map(|item| item.key).collect();
    assert_eq!(left, ["card C-1 \"Lamp of another set\"", "card B-2 \"Nothing\"", "card A-3 \"Broken\""]);
    assert_eq!(told(&compiler_of(&files)), ["nothing says where card B-2 belongs"]);
}

#[test]
fn rules_stand_by_number() {
    let path = "rules/sections/1.rules";
    let rule = |number: &str| format!("rule {number} \"R\" {{ [x] a dusty lamp cannot be broken. }}\n");
    let text: String = ["2.IV.iv", "1.R1", "1.10", "1.9", "2.V", "1.W2", "2.IV", "3.1"].map(rule).concat();
    let files = refiled(&file(path, &text));
    let numbers = |path: &str| -> Vec<String> {
        split(&files[path]).iter().map(|item| item.key.split(' ').nth(1).unwrap().to_owned()).collect()
    };
    assert_eq!(numbers(path), ["1.9", "1.10", "1.W2", "1.R1", "3.1"]);
    assert_eq!(numbers("rules/sections/2-iv.rules"), ["2.IV", "2.IV.iv"]);
    assert_eq!(numbers("rules/sections/2.rules"), ["2.V"]);
    assert!(told(&compiler_of(&files)).is_empty());
}

#[test]
fn an_order_without_a_place_is_kept_in_every_file() {
    let ruling = |id: &str| format!("ruling {id} \"Q\" {{ about A-1. reading x {{ authority \"a\". }} }}\n");
    let text: String = ["R-10", "R-9"].map(ruling).concat();
    let compiler = compiler_of(&file("rules/rulings/q.rulings", &text));
    assert_eq!(told(&compiler), ["ruling R-9 stands behind R-10"]);
}

#[test]
fn without_a_declaration_nothing_is_told_or_moved() {
    let mut compiler = Compiler::new();
    compiler.set_files([(WORDS_PATH, WORDS), (CARDS_PATH, CARDS), (RULES_PATH, RULES)]);
    let backwards: String = split(CARDS).iter().rev().map(|item| format!("{}\n", &CARDS[item.range.clone()])).collect();
    compiler.set_file(CARDS_PATH, &backwards);
    assert!(told(&compiler).is_empty());
    assert!(compiler.refiled().unwrap().changed.is_empty());
}

#[test]
fn a_declaration_that_is_wrong_moves_nothing_and_is_told() {
    let wrong = [
        ("filing card { lmap in \"cards/x.cards\". }", "no class is called `lmap`"),
        ("filing card { lamp with colour Rde in \"cards/x.cards\". }", "no term is called `Rde`"),
        ("filing card { lamp with color Red in \"cards/x.cards\". }", "no figure is called `color`"),
        (
            "filing cards { lamp in \"cards/x.cards\". }",
            "this header needs `card`, `document`, `edition`, `rule`, `ruling` or `variant`",
        ),
    ];
    for (filing, message) in wrong {
        let mut compiler = Compiler::new();
        compiler.set_files([(WORDS_PATH, WORDS), (CARDS_PATH, CARDS), (FILING_PATH, filing)]);
        let diags = compiler.check();
        let said: Vec<&str> = errors(&diags).iter().map(|diag| &*diag.message).collect();
        assert_eq!(said, [message]);
        assert!(errors(&diags)[0].help.as_ref().is_some_and(|help| help.contains("did you mean")), "{diags:?}");
        assert!(told(&compiler).is_empty() && compiler.refiled().unwrap().changed.is_empty());
    }
    let mut compiler = Compiler::new();
    compiler.set_files([(WORDS_PATH, WORDS), (FILING_PATH, "filing card { }\nfiling card { }\n")]);
    assert_eq!(codes(&compiler.check()), [Code::NameRepeated]);
}

/// What moves keeps its meaning: the same program, whatever file its items stand in.
#[test]
fn moving_changes_no_item() {
    let scattered =
        Files::from([("cards/z.cards".to_owned(), CARDS.to_owned()), ("rules/a.rules".to_owned(), RULES.to_owned())]);
    let (before, after) = (compiler_of(&scattered), compiler_of(&refiled(&scattered)));
    let texts = |compiler: &Compiler| -> BTreeSet<String> {
        compiler.items().into_iter().map(|item| item.text.to_string()).collect()
    };
    assert_eq!(texts(&before), texts(&after));
    assert!(codes(&after.check()).is_empty());
    let cards = |compiler: &Compiler| compiler.link(&Profile::default()).0.cards.len();
    assert_eq!((cards(&before), cards(&after)), (3, 3));
}

// ---- lists to which files add terms

fn extended(files: &[(&str, &str)]) -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_files([(WORDS_PATH, WORDS)]);
    compiler.set_files(files.iter().copied());
    compiler
}

#[test]
fn added_terms_stand_behind_the_list_by_the_alphabet_whatever_the_files() {
    let (one, other) = ("list colour also { White. Black. }\n", "list colour also { Grey. Mauve, Mauves. }\n");
    let card = ("cards/c.cards", "card A-1 \"Lamp\" { kind Lamp. colour Mauve. }\n");
    let orders = [
        [("cards/a.words", one), ("rules/z.words", other), card],
        [("rules/z.words", one), ("cards/a.words", other), card],
    ];
    for files in orders {
        let compiler = extended(&files);
        assert!(errors(&compiler.check()).is_empty(), "{:#?}", compiler.check());
        let program = compiler.link(&Profile::default()).0;
        let list = program.lists.iter().find(|list| list.name == "colour").expect("the list");
        let names: Vec<&str> = list.entries.iter().map(|id| program.entries[id.index()].name.as_str()).collect();
        assert_eq!(names, ["Red", "Blue", "Green", "Black", "Grey", "Mauve", "White"]);
        assert_eq!(program.cards.len(), 1);
    }
}

#[test]
fn a_term_that_is_there_is_told_with_both_places() {
    for (path, again) in
        [("cards/a.words", "list colour also { Red. }\n"), ("rules/z.words", "list kind also { Red. }\n")]
    {
        let compiler = extended(&[(path, again)]);
        let diags = compiler.check();
        assert_eq!(codes(&diags), [Code::TermRepeated]);
        let diag = errors(&diags)[0];
        assert_eq!((diag.place.file.as_str(), diag.labels[0].place.file.as_str()), (path, WORDS_PATH));
        // What the list itself holds is not lost.
        assert!(compiler.link(&Profile::default()).0.entries.iter().any(|entry| entry.name == "Red"));
    }
    let compiler = extended(&[
        ("cards/a.words", "list colour also { Grey. }\n"),
        ("cards/b.words", "list colour also { Grey. }\n"),
    ]);
    let diags = compiler.check();
    assert_eq!(codes(&diags), [Code::TermRepeated]);
    assert_eq!(errors(&diags)[0].labels[0].place.file, "cards/a.words");
}

#[test]
fn a_list_that_is_not_declared_cannot_be_extended() {
    let compiler = extended(&[("cards/a.words", "list colours also { Grey. }\n")]);
    let diags = compiler.check();
    assert_eq!(codes(&diags), [Code::NothingToExtend]);
    assert_eq!(errors(&diags)[0].help.as_deref(), Some("did you mean `colour`?"));
}

// ---- however items are scattered

/// Items with comments, each laid out, over several lines or on one.
fn items() -> Vec<String> {
    let cards = (1..=12).map(|n| {
        let (set, kind) = (["A", "B"][n % 2], ["Lamp", "Vase"][n / 2 % 2]);
        let body = if n % 3 == 0 {
            "{ kind Vase. }".to_owned()
        } else {
            format!(
                "{{\n    kind {kind}. colour {}.\n    [glow] this gets +{n} height.\n}}",
                ["Red", "Blue"][n / 3 % 2]
            )
        };
        let comment = if n % 4 == 0 { format!("// About {n}.\n") } else { String::new() };
        let behind = if n % 5 == 0 { " // behind" } else { "" };
        format!("{comment}card {set}-{n} \"N{n}\" {body}{behind}\n")
    });
    let rules = ["1", "1.i", "1.W1", "1.10", "2.IV.i", "2.V"]
        .map(|number| format!("rule {number} \"R\" {{\n    [clean] a dusty lamp cannot be broken.\n}}\n"));
    cards.chain(rules).map(|item| fmt(&item).expect("it can be laid out")).collect()
}

/// The items over files at random.
fn scattered() -> impl Strategy<Value = Files> {
    let paths = ["cards/first/lamps.cards", "cards/x.cards", "rules/sections/1.rules", "rules/y.rules"];
    let count = items().len();
    let places = prop::collection::vec(0..paths.len(), count);
    (places, Just(items()).prop_shuffle()).prop_map(move |(places, items)| {
        let mut files = Files::new();
        for (item, place) in items.into_iter().zip(places) {
            let text = files.entry(paths[place].to_owned()).or_insert_with(|| "// A head.\n".to_owned());
            text.push('\n');
            text.push_str(&item);
        }
        for (path, text) in &mut files {
            *text = text.replace("A head", &format!("A head of {path}"));
        }
        files
    })
}

/// Every line that is not blank, of all files.
fn lines(files: &Files) -> Vec<&str> {
    let mut lines: Vec<&str> = files.values().flat_map(|text| text.lines()).filter(|line| !line.is_empty()).collect();
    lines.sort_unstable();
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn however_items_are_scattered_they_come_to_their_places(one in scattered(), other in scattered()) {
        let (sorted, again) = (refiled(&one), refiled(&other));
        prop_assert_eq!(lines(&sorted), lines(&one), "no line is lost, changed or doubled");
        prop_assert!(told(&compiler_of(&sorted)).is_empty());
        prop_assert_eq!(&refiled(&sorted), &sorted, "what is sorted stays to the letter");
        for text in sorted.values() {
            prop_assert!(fmt(text).as_ref() == Ok(text), "and is laid out");
        }
        // Apart from the comments at the top, nothing is left of where the items came from.
        let bare = |files: &Files| -> Vec<String> {
            let plain = |text: &String| text.lines().filter(|line| !line.starts_with("// A head")).map(str::to_owned).collect::<Vec<_>>();
            let mut bare: Vec<String> = files.iter().map(|(path, text)| format!("{path}\n{}", plain(text).join("\n").trim())).collect();
            bare.retain(|text| text.contains("card ") || text.contains("rule "));
            bare
        };
        prop_assert_eq!(bare(&sorted), bare(&again));
    }
}
