//! What is said and changes nothing: every form that holds statements, without any; every form that binds a label, which
//! nothing uses; changes by nothing. The same forms with what they lack are told nothing of.

use netrep_compiler::Compiler;
use netrep_diagnostics::Code;

const WORDS: &str = include_str!("regatta/regatta.words");
const RULES: &str = include_str!("regatta/regatta.rules");

/// The errors of some statements as the effect of a card.
fn effect(statements: &str) -> Vec<Code> {
    errors(&format!("kind Order. play on a boat as target. effect {statements}."))
}

/// What is said of some clauses, but for words that the game of the tests does not use.
fn errors(clauses: &str) -> Vec<Code> {
    let text = format!("card A-9 \"Probe\" {{ {clauses} }}\n");
    let mut compiler = Compiler::new();
    compiler.set_files([("rules/words.words", WORDS), ("rules/a.rules", RULES), ("cards/a.cards", text.as_str())]);
    let of_words = |code: &Code| matches!(code, Code::TermNeverUsed | Code::WordOfOneItem);
    compiler.check().iter().map(|diag| diag.code).filter(|code| !of_words(code)).collect()
}

#[test]
fn forms_without_statements() {
    let forms = [
        "if target is upright { HERE }",
        "unless target is upright { HERE }",
        "for each boat in fleet of target as C { HERE }",
        "repeat 2 times { HERE }",
        "repeat { HERE } until target is heeled",
        "you may { HERE }",
        "you may choose a boat in fleet of target as C { HERE }",
        "you choose one { HERE } or { HERE }",
    ];
    let mut wrong = Vec::new();
    for form in forms {
        let (empty, full) = (effect(&form.replace("HERE ", "")), effect(&form.replace("HERE", "heel target")));
        if empty != [Code::NothingFollows] || !full.is_empty() {
            wrong.push(format!("{form}: {empty:?}, with statements {full:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let fine = ["if target is upright { } otherwise { heel target }", "you may { heel target } otherwise { }"];
    assert!(fine.iter().all(|one| effect(one).is_empty()));
}

#[test]
fn labels_that_nothing_uses() {
    let forms = [
        ("let C be target", "heel C"),
        ("you choose a boat in fleet of target as C", "heel C"),
        ("you roll 2 dice as R", "if R > 5 { heel target }"),
    ];
    for (form, then) in forms {
        assert_eq!(effect(form), [Code::UnusedLabel], "{form}");
        assert_eq!(effect(&format!("{form}; heel target")), [Code::UnusedLabel], "{form}");
        assert_eq!(effect(&format!("{form}; {then}")), [], "{form}");
    }
}

#[test]
fn changes_by_nothing() {
    for (said, code) in [
        ("target gets +0 length this season", Code::ChangesNothing),
        ("target gets -0 length", Code::ChangesNothing),
        ("target gets +1 length max 2 min 4", Code::NeverHolds),
        ("target gets +3 length, -3 length this season", Code::ChangesNothing),
        ("target gains unique, unique this season", Code::ChangesNothing),
        ("set berth of target to berth of target", Code::NothingFollows),
        ("perform effect", Code::NothingFollows),
        ("remove target", Code::WrongTarget),
        ("let C be a new boat with length 3; heel C", Code::WrongTarget),
    ] {
        assert_eq!(effect(said), [code], "{said}");
    }
    for fine in [
        "target gets +1 length max 4 min 2 this season",
        "target gets +3 length, -2 length this season",
        "let H be a new heat with length 3; abandon H",
    ] {
        assert_eq!(effect(fine), [], "{fine}");
    }
}

#[test]
fn durations_of_what_always_holds() {
    for modifier in ["gets +1 length", "gains Pilot", "loses Pilot"] {
        let card = |long: &str| {
            errors(&format!("kind Boat. rig Sloop. length 1. [bold] each boat in fleet of this {modifier}{long}."))
        };
        assert_eq!(card(""), [], "{modifier}");
        for long in [" this season", " for the rest of the game"] {
            assert_eq!(card(long), [Code::MisplacedClause], "{modifier}{long}");
        }
    }
}
