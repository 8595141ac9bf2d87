//! Positions as a table shows them: what their lines stand for, what is refused, and how `fmt` writes them.

use std::sync::Arc;

use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_diagnostics::Code;
use netrep_lab::decks::Decks;
use netrep_lab::library::Library;
use netrep_lab::relay::{factored, laid_out};
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::{parse, parse_with};

const LAYOUTS: &str = r"
state leader of party: player.
state home of card: party, in shelf.
state stand of card: card, in shelf.
relation (card C) lent to (party X): home of C is X and C is in shelf.
state size of party: number.
layout player P {
    otherwise Ann, Bob.
    outermost evening.
    points (number N) { points of P is N. }
}
layout party X {
    of (player P) { leader of X is P. }
    size (number K) { size of X is K. }
    each (card M) { P: shelf M. home of M is X. }
}
layout card C {
    of (player P) {}
    lit { C is lit. }
    under (card D) { stand of C is D. }
    each (card B) { P: shelf B. stand of B is C. }
}
";

/// A dance in the evening, and two steps in which a song is sung.
const MORE: &str = r#"
rule 7 "Dance" {
    procedure dance for (player Q) { steps bow. }
    step bow of dance { Q may { praise cards in shelf }. }
    step throw of evening { perform dance for P. }
    procedure song for (player Q) { steps verse. }
    step verse of song { Q may { praise cards in shelf }. }
    step lighting of evening { perform song for P. }
    step choice of evening { perform song for P. }
}
"#;

fn compiler(more: &str) -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", crate::support::WORDS);
    compiler.set_file("rules/layouts.words", LAYOUTS);
    compiler.set_file("rules/more.rules", more);
    let wrong: Vec<_> = compiler.check().into_iter().filter(Diagnostic::is_error).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    compiler
}

fn played(compiler: &Compiler, text: &str) -> Vec<Diagnostic> {
    let parsed = parse("t.md", text, false);
    let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
    let reports = run(compiler, &jobs(&scenarios, &Profile::default()), 1, false);
    parsed.diags.into_iter().chain(reports.into_iter().flat_map(|report| report.diags.clone())).collect()
}

fn wrong(given: &str) -> (Code, String) {
    let text = format!("```scenario x\ngiven {{ {given} }}\nexpect {{ points of Ann is 0. }}\n```\n");
    let found = played(&compiler(MORE), &text);
    let first = found.first().unwrap_or_else(|| panic!("nothing is wrong with `{given}`"));
    (first.code, format!("{} {}", first.message, first.help.clone().unwrap_or_default()))
}

#[test]
fn lines_stand_for_what_layouts_say() {
    let text = r#"```scenario a party at home
given {
    party X of Ann size 2: "Tall Lamp" (lit; "Small Lamp" as S (of Bob)), "Small Lamp" as T (under "Tall Lamp").
    Ann (points 3): shelf 2 "Small Lamp".
    at lighting for Ann.
}
expect {
    leader of X is Ann. size of X is 2. points of Ann is 3. points of Bob is 0.
    "Tall Lamp" is lit. home of "Tall Lamp" is X. owner of "Tall Lamp" is Ann.
    stand of S is "Tall Lamp". owner of S is Bob. stand of T is "Tall Lamp". owner of T is Ann.
    number of cards in shelf is 5. during evening.
}
```
"#;
    assert_eq!(played(&compiler(""), text), []);
}

/// What is said twice of a thing counts in the order of the layout, so that the order of a line is nobody's concern.
#[test]
fn the_order_of_a_line_does_not_matter() {
    let compiler = compiler("");
    for line in [r#"party X size 2 of Ann: "Tall Lamp"."#, r#"party X of Ann size 2: "Tall Lamp"."#] {
        let text =
            format!("```scenario x\ngiven {{ {line} }}\nexpect {{ size of X is 2. leader of X is Ann. }}\n```\n");
        assert_eq!(played(&compiler, &text), [], "{line}");
    }
}

#[test]
fn what_no_layout_says_is_refused_at_its_place() {
    for (given, code, says) in [
        (r#"party X off Ann: "Tall Lamp"."#, Code::ScenarioClause, "did you mean `of`"),
        (r#"party X of Ann of Bob."#, Code::ScenarioClause, "`of` is said twice"),
        (r#"party X of: "Tall Lamp"."#, Code::ScenarioClause, "a name is missing behind `of`"),
        (r#"party X: "Tall Lamp"."#, Code::ScenarioClause, "say `of NAME` before it"),
        (r#"party X of Ann: "Tall Lamp" (litt)."#, Code::ScenarioClause, "did you mean `lit`"),
        (r#"party X of Ann: "Tall Lamp" (lit lit)."#, Code::ScenarioClause, "with semicolons"),
        (r#"party X of Ann: 2 "Tall Lamp" (lit)."#, Code::ScenarioClause, "of several copies"),
        (r#"Ann: shelf "Tall Lamp" (lit), "Tall Lamp"."#, Code::ScenarioClause, "give the one that is meant a label"),
        (r#"Ann (point 3)."#, Code::ScenarioClause, "did you mean `points`"),
        (r#"Ann: "Tall Lamp"."#, Code::ScenarioClause, "it does not say in which place"),
        (r#"card C of Ann. partty X of Ann."#, Code::ScenarioClause, "did you mean `party`"),
        (r#"at verse for Ann."#, Code::AmbiguousPhrase, "`at lighting …`, or `at choice …`"),
        (r#"at bow for Ann. at lighting for Ann."#, Code::ScenarioClause, "is said twice"),
        (r#"at bows for Ann."#, Code::UnknownStep, "did you mean `bow`"),
        (r#"from nowhere."#, Code::UnknownPosition, "no position of this file"),
        (r#"cards of Ann in shelf: "Tall Lamp"."#, Code::ScenarioClause, "write `Ann: shelf \"NAME\".`"),
        (
            r#"begin evening for Ann at step lighting."#,
            Code::ScenarioClause,
            "write `at lighting of evening for NAME.`",
        ),
    ] {
        let (found, text) = wrong(given);
        assert!(found == code && text.contains(says), "`{given}`: {found:?} {text}");
    }
}

#[test]
fn what_runs_around_a_step_follows() {
    let compiler = compiler(MORE);
    for (at, expects) in [
        ("at bow for Ann.", "during evening. during dance."),
        ("at throw for Bob; bow for Bob.", "during evening. during dance."),
        ("at choice for Ann; verse for Ann.", "during evening. during song."),
    ] {
        let text = format!("```scenario x\ngiven {{ {at} }}\nexpect {{ {expects} }}\n```\n");
        assert_eq!(played(&compiler, &text), [], "{at}");
    }
}

const OLD: &str = r#"# Lamps

Prose.

```scenario one
given {
    player Ann, Bob.
    party X.
    cards of Ann in shelf: "Tall Lamp", "Small Lamp" as S.
    cards of Bob in shelf: "Small Lamp" as T.
    leader of X is Ann.
    "Tall Lamp", S are in shelf.
    home of "Tall Lamp" is X.
    "Tall Lamp", T are lit.
    stand of T is "Tall Lamp".
    points of Bob is 2.
    begin evening for Ann at step lighting.
}
expect { home of "Tall Lamp" is X. stand of T is "Tall Lamp". T is lit. points of Bob is 2. during evening. }
```
"#;

#[test]
fn old_lines_are_written_anew_and_stay_so() {
    let compiler = compiler("");
    let new = laid_out(&compiler, "t.md", OLD, &Decks::default()).unwrap();
    assert_eq!(new.left, []);
    let given = "given { party X of Ann: \"Tall Lamp\" (lit; \"Small Lamp\" as T (of Bob; lit)). Ann: shelf \"Small Lamp\" as S. \
                 Bob (points 2). at lighting for Ann. }";
    assert!(new.text.contains(given), "{}", new.text);
    assert_eq!(played(&compiler, &new.text), []);
    assert_eq!(laid_out(&compiler, "t.md", &new.text, &Decks::default()).unwrap().text, new.text);
}

#[test]
fn what_blocks_have_in_common_is_written_once() {
    let compiler = compiler("");
    let block = |name: &str, own: &str| {
        format!(
            "Of {name}.\n\n```scenario {name}\ngiven {{\n    party X of Ann size 2: \"Tall Lamp\" (lit), \"Small Lamp\" as S, \"Small Lamp\" as T, \"Small Lamp\" as R.\n    \
             Bob: shelf {own}.\n    at lighting for Ann.\n}}\nexpect {{ size of X is 2. }}\n```\n\n"
        )
    };
    let text = format!(
        "# Lamps\n\n## All\n\n{}{}{}",
        block("one", "\"Small Lamp\" as U"),
        block("two", "2 \"Small Lamp\""),
        block("three", "3 \"Small Lamp\"")
    );
    let new = factored(&compiler, "t.md", &text, &Decks::default()).unwrap();
    let at = new.find("```position lit Tall Lamp and 3 more at lighting\n").unwrap();
    assert!(at < new.find("Of one.").unwrap(), "{new}");
    assert!(new.contains("given { from lit Tall Lamp and 3 more at lighting. Bob: shelf 2 \"Small Lamp\". }"), "{new}");
    assert_eq!(played(&compiler, &new), []);
    assert_eq!(factored(&compiler, "t.md", &new, &Decks::default()).unwrap(), new);
}

#[test]
fn a_block_starts_from_a_position_and_stands_elsewhere() {
    let compiler = compiler("");
    let position = "```position home\ngiven { Ann: shelf \"Tall Lamp\" (lit). at lighting for Ann. }\n```\n";
    let text = format!(
        "{position}```scenario x\ngiven {{ from home. Bob (points 2). at choice for Bob. }}\nexpect {{ \"Tall Lamp\" is lit. points of Bob is 2. }}\n```\n"
    );
    assert_eq!(played(&compiler, &text), []);
    let round = "```position a\ngiven { from b. }\n```\n```position b\ngiven { from a. }\n```\n";
    let says = |text: &str| played(&compiler, text).first().map(|diag| (diag.code, diag.message.clone()));
    let circle = says(round).unwrap();
    assert!(circle.0 == Code::UnknownPosition && circle.1.contains("starts from itself"), "{circle:?}");
    let twice =
        format!("{position}{position}```scenario x\ngiven {{ from home. }}\nexpect {{ \"Tall Lamp\" is lit. }}\n```\n");
    assert!(says(&twice).unwrap().1.contains("two positions are called `home`"));
    let more = "```position home\ngiven { Ann: shelf \"Tall Lamp\". }\nexpect { over. }\n```\n```scenario x\ngiven { from home. }\nexpect { over. }\n```\n";
    assert!(says(more).unwrap().1.contains("says more than what is given"));
}

#[test]
fn a_card_that_is_listed_lies_where_it_is_given() {
    let elsewhere = |given: &str| {
        let text = format!(
            "```scenario x\ngiven {{ {given} at lighting of evening for Ann. }}\nexpect {{ points of Ann is 0. }}\n```\n"
        );
        let more = "place drawer, owned, open.\n";
        let found = played(&compiler(more), &text);
        let pointed = |place: &netrep_ir::Place| text[place.start as usize..place.end as usize].to_owned();
        let told = |diag: &Diagnostic| (diag.code, diag.labels.iter().map(|label| pointed(&label.place)).collect());
        found.iter().map(told).collect::<Vec<(Code, Vec<String>)>>()
    };
    let both = (Code::ScenarioClause, vec!["\"Small Lamp\"".to_owned()]);
    for given in [
        "party X of Ann: \"Small Lamp\". Ann: drawer \"Small Lamp\".",
        "Ann: drawer 2 \"Small Lamp\". party X of Ann: \"Small Lamp\".",
        "party X of Ann: \"Tall Lamp\" (\"Small Lamp\"). Ann: drawer \"Small Lamp\".",
    ] {
        assert_eq!(elsewhere(given), std::slice::from_ref(&both), "{given}");
    }
    for given in [
        "party X of Ann: \"Small Lamp\". Ann: shelf \"Small Lamp\".",
        "party X of Ann: \"Small Lamp\" as S. Ann: drawer \"Small Lamp\".",
        "party X of Ann: \"Tall Lamp\". Ann: shelf \"Tall Lamp\"; drawer \"Tall Lamp\" as T.",
        "party X of Ann: \"Tall Lamp\" (under \"Small Lamp\"). Ann: drawer \"Small Lamp\".",
    ] {
        assert_eq!(elsewhere(given), [], "{given}");
    }
}

/// A relation that says what a layout says goes into the line, and what is so by default goes.
#[test]
fn what_a_sentence_says_as_a_layout_does_goes_into_the_line() {
    let compiler = compiler("");
    let block = |given: &str| {
        format!(
            "```scenario x\ngiven {{ party X of Ann. Ann: shelf \"Tall Lamp\", \"Small Lamp\". {given} }}\nexpect {{ home of \"Tall Lamp\" is X. }}\n```\n"
        )
    };
    let written = |given: &str| {
        let new = laid_out(&compiler, "t.md", &block(given), &Decks::default()).unwrap();
        assert_eq!(new.left, []);
        assert_eq!(played(&compiler, &new.text), []);
        assert_eq!(laid_out(&compiler, "t.md", &new.text, &Decks::default()).unwrap().text, new.text);
        new.text.lines().find(|line| line.starts_with("given")).unwrap().to_owned()
    };
    assert_eq!(
        written("\"Tall Lamp\", \"Small Lamp\" are lent to X. \"Small Lamp\" is dark."),
        "given { party X of Ann: \"Tall Lamp\", \"Small Lamp\". }"
    );
    assert_eq!(
        written("\"Tall Lamp\" is lent to X. \"Tall Lamp\" is lit. points of Ann is 0."),
        "given { party X of Ann: \"Tall Lamp\" (lit). Ann: shelf \"Small Lamp\". }"
    );
}

const DECK: &str = "```deck Of One\ncards in shelf: 2 \"Small Lamp\", \"Tall Lamp\".\npoints is 3.\n```\n";

fn with_deck(given: &str, expect: &str) -> String {
    format!("```scenario x\ngiven {{ {given} at lighting for Ann. }}\nexpect {{ {expect} }}\n```\n")
}

#[test]
fn a_player_has_a_deck_by_its_name() {
    let compiler = compiler(MORE);
    let expect = "number of cards in shelf = 5. points of Bob is 3. points of Ann is 7. \"Tall Lamp\" is lit.";
    let text = with_deck(
        "Bob: deck of of one; shelf \"Small Lamp\". Ann (points 7): shelf \"Small Lamp\" as S. \"Tall Lamp\" is lit.",
        expect,
    );
    // A deck of the file itself, and one of the library.
    assert_eq!(played(&compiler, &format!("{DECK}{text}")), []);
    let library = Library::held([("decks/one.md".to_owned(), DECK.to_owned())]);
    let parsed = parse_with("t.md", &text, false, &library.decks());
    assert_eq!(parsed.diags, []);
    // It stays as it is written.
    let laid = laid_out(&compiler, "t.md", &text, &library.decks()).unwrap();
    assert_eq!((laid.text.as_str(), laid.left), (text.as_str(), Vec::new()));
}

#[test]
fn what_is_wrong_with_a_deck_that_a_player_has_is_told() {
    let compiler = compiler(MORE);
    let told = |deck: &str, given: &str| {
        let text = format!("{deck}{}", with_deck(given, "points of Bob is 3."));
        let found = played(&compiler, &text);
        let first = found.first().unwrap_or_else(|| panic!("nothing is wrong with `{given}`"));
        let at = text[first.place.start as usize..first.place.end as usize].to_owned();
        (first.code, at, format!("{} {}", first.message, first.help.clone().unwrap_or_default()))
    };
    let unknown = told(DECK, "Bob: deck of Of Ones.");
    assert!(
        unknown.0 == Code::UnknownDeck
            && unknown.1 == "deck of Of Ones"
            && unknown.2.contains("did you mean `Of One`?"),
        "{unknown:?}"
    );
    let none = told("", "Bob: deck of Of One.");
    assert!(none.0 == Code::UnknownDeck && none.2.contains("write a block `deck Of One`"), "{none:?}");
    let twice = told(&format!("{DECK}{DECK}"), "Bob: deck of Of One.");
    assert!(twice.0 == Code::UnknownDeck && twice.2.contains("several decks are called"), "{twice:?}");
    let late = told(DECK, "Bob: shelf \"Small Lamp\"; deck of Of One.");
    assert!(late.0 == Code::ScenarioClause && late.2.contains("a deck stands first"), "{late:?}");
    let nameless = told(DECK, "Bob: deck of.");
    assert!(nameless.2.contains("it does not say which deck"), "{nameless:?}");
    let broken = told("```deck Of One\nlamps.\n```\n", "Bob: deck of Of One.");
    assert!(broken.0 == Code::DeckSentence && broken.1 == "lamps.", "{broken:?}");
    let other = told("```deck Of One\ncards in shelf: \"No Lamp\".\n```\n", "Bob: deck of Of One.");
    assert!(other.0 == Code::UnknownCard && other.1 == "deck of Of One", "{other:?}");
}
