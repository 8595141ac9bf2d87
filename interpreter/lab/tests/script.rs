//! What a script can say beside moves, on a toy: going on to somewhere, passes, answers that are bound, now and next, cases, piles.

use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;
use netrep_lab::driver::drive_to;
use netrep_lab::prepare::prepare;
use netrep_lab::report::Report;
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::parse;
use netrep_lab::written::Written;

const GIVEN: &str = r#"given {
    player Ann, Bob.
    Ann: shelf "Small Lamp" as S, "Tall Lamp" as T.
    Bob: shelf "Tall Lamp" as B, "Small Lamp" as C.
    at lighting for Ann.
}
"#;

/// A night in which lamps are taken from a box that is shaken before, and given away.
const NIGHT: &str = r#"
place box, owned, ordered, hidden.
place lap, owned, hidden.
verb (player P) shake, shakes, shaken (place X).
verb (player P) take, takes, taken (card C) { does put C into lap of P. }
verb give, gives, given (card C) { does put C into lap of owner of C. }
kernel shaking { shuffle shake. }
rule 5 "The night" {
    [night] procedure night for (player P) {
        let host be P.
        steps shaking, gifts, rest.
    }
    step shaking of night { [shake] P shakes box of P; P takes the top card of box of P; P takes the top card of box of P. }
    step gifts of night {
        [gift] P may choose a card in shelf as C { set points of P to points of P + 1 };
            P may choose a card in shelf as D { set points of P to points of P + 1 }.
    }
    step rest of night { [rest] window for P; for opponent of P. }
}
"#;

const BOX: &str = r#"given {
    player Ann, Bob.
    Ann: shelf "Small Lamp"; box "Tall Lamp", "Small Lamp", "Tall Lamp".
    at shaking for Ann.
}
"#;

fn compiler() -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", crate::support::WORDS);
    compiler.set_file("rules/night.words", NIGHT);
    let wrong: Vec<_> = compiler.link(&Profile::default()).1.into_iter().filter(|d| d.is_error()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    compiler
}

/// Runs a script from a position.
fn played(given: &str, script: &str) -> Report {
    let text = format!("```scenario toy\n{given}{script}\n```\n");
    let parsed = parse("toy.md", &text, false);
    if !parsed.diags.is_empty() {
        return Report { diags: parsed.diags, ..Report::default() };
    }
    let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
    run(&compiler(), &jobs(&scenarios, &Profile::default()), 1, true).into_iter().next().unwrap()
}

#[track_caller]
fn holds(given: &str, script: &str) {
    assert_eq!(played(given, script).diags, [], "{script}");
}

/// The codes and whole texts of what is wrong.
fn wrong(given: &str, script: &str) -> (Vec<Code>, String) {
    let report = played(given, script);
    let texts: Vec<String> =
        report.diags.iter().map(|d| format!("{} {}", d.message, d.help.clone().unwrap_or_default())).collect();
    (report.diags.iter().map(|d| d.code).collect(), texts.join("\n"))
}

#[test]
fn a_script_goes_on_to_where_something_is_meant() {
    holds(GIVEN, "when { Ann: T: kindle. until throw. dice 7. } expect { points of Ann is 8. }");
    holds(GIVEN, "when { until Bob is asked. Bob: B: kindle. } expect { B is lit. }");
    holds(GIVEN, "seed 3. when { Ann: T: kindle. until over. } expect { over. }");
    let (codes, text) = wrong(GIVEN, "when { until lighting. } expect { T is dark. }");
    assert_eq!(codes, [Code::NeverReached], "it is there already: {text}");
    let (codes, _) = wrong(GIVEN, "when { until Ann is asked. } expect { T is dark. }");
    assert_eq!(codes, [Code::NeverReached]);
    let (codes, text) = wrong(GIVEN, "when { until choice. } expect { T is dark. }");
    assert_eq!(codes, [Code::DiceNeeded], "a roll is no pass: {text}");
    let (codes, text) = wrong(GIVEN, "when { until lighting of Bob. } expect { T is dark. }");
    assert_eq!(codes, [Code::DiceNeeded], "no lighting of his comes: {text}");
    let (codes, text) = wrong(GIVEN, "when { until trow. } expect { T is dark. }");
    assert_eq!(codes, [Code::UnknownStep]);
    assert!(text.contains("did you mean `throw`"), "{text}");
    let both = "when { Ann: T: kindle. Ann: S: kindle. Bob: B: kindle. dice 4. until over. } expect { over. }";
    let (codes, text) = wrong(GIVEN, both);
    assert_eq!(codes, [Code::ChoiceNeeded], "a choice is no pass: {text}");
}

#[test]
fn an_answer_is_bound_to_its_decision() {
    holds(GIVEN, "when { Ann: T: kindle. dice 7. Ann at choice: T. } expect { over. }");
    holds(GIVEN, "when { Bob at lighting: B: kindle. } expect { B is lit. }");
    let (codes, text) = wrong(GIVEN, "seed 3. when { Ann: T: kindle. Ann at choice: S. } expect { over. }");
    assert_eq!(codes, [Code::NeverOffered], "{text}");
    assert!(text.contains("in evening, choice"), "{text}");
    // Without a place for it, names alone that begin an action are told.
    let (codes, text) = wrong(GIVEN, "when { Ann: T. } expect { over. }");
    assert_eq!(codes, [Code::BareName]);
    assert!(text.contains("\"Tall Lamp\": kindle") && text.contains("in evening, lighting"), "{text}");
}

#[test]
fn a_pass_is_for_the_window_at_hand() {
    holds(GIVEN, "when { Ann: pass. Bob: pass. } expect { T is dark. }");
    holds(GIVEN, "when { Bob: pass. } expect { T is dark. }");
    let (codes, text) = wrong(BOX, "seed 1. when { Bob: pass. } expect { over. }");
    assert_eq!(codes, [Code::PassTooMany], "{text}");
    assert!(text.contains("in night, gifts"), "{text}");
    let (codes, _) = wrong(BOX, "seed 1. when { Ann: pass. } expect { over. }");
    assert_eq!(codes, [Code::PassTooMany]);
}

#[test]
fn everything_is_declined_in_a_step() {
    holds(
        BOX,
        "seed 1. when { until gifts. Ann: decline all. Ann: pass. Bob: pass. } expect { points of Ann is 0. over. }",
    );
    holds(BOX, "seed 1. when { until gifts. Ann: \"Small Lamp\". Ann: decline all. } expect { points of Ann is 1. }");
    let (codes, text) = wrong(BOX, "seed 1. when { until rest. Ann: decline all. } expect { over. }");
    assert_eq!(codes, [Code::PassTooMany], "{text}");
    let (codes, _) = wrong(BOX, "seed 1. when { until gifts. Ann: decline all. Ann: decline. } expect { over. }");
    assert_eq!(codes, [Code::NeverOffered]);
}

#[test]
fn what_is_offered_is_offered_now() {
    holds(
        GIVEN,
        "expect { offered Ann: T: kindle. next offered Bob: B: kindle. next refused Bob: C: kindle because L-1 own. }",
    );
    let (codes, text) = wrong(GIVEN, "expect { offered Bob: B: kindle. refused Bob: C: kindle. }");
    assert_eq!(codes, [Code::NotAskedNow, Code::NotAskedNow]);
    assert!(text.contains("Ann may act") && text.contains("in evening, lighting"), "{text}");
    let (codes, text) = wrong(GIVEN, "expect { now offered Ann: T: kindle. }");
    assert_eq!(codes, [Code::ScenarioClause], "{text}");
    let (codes, text) = wrong(GIVEN, "when { Ann: T: kindle. } expect { next offered Ann: T: kindle. }");
    assert_eq!(codes, [Code::NotOffered]);
    assert!(text.contains("in evening"), "its window is told: {text}");
}

#[test]
fn cases_are_tried_each_for_itself() {
    holds(
        GIVEN,
        "when { Ann: T: kindle. }
        cases {
            dice 2: points of Ann is 3.
            dice 3, 4 { not points of Ann is 3. until over. over. }
            else: points of Ann > 5.
        }
        expect { points of Ann is 0. }
        when { dice 12. }
        cases { Ann: T { points of Ann is 14. over. } }
        expect { points of Ann is 13. }",
    );
    let (codes, text) =
        wrong(GIVEN, "when { Ann: T: kindle. } cases { dice 5: points of Ann is 7. dice 6: points of Ann is 8. }");
    assert_eq!(codes, [Code::NotSo, Code::NotSo], "{text}");
    assert!(text.contains("case `dice 5`") && text.contains("case `dice 6`"), "{text}");
    let (codes, text) = wrong(GIVEN, "when { Ann: T: kindle. } cases { else: points of Ann > 11. }");
    assert_eq!(codes.len(), 9, "2 to 10 are not: {text}");
    for slip in
        ["dice 5: over. dice 5: over.", "dice 5, 5: over.", "else: over. else: over.", "dice 5 { until over. }", ""]
    {
        let (codes, text) = wrong(GIVEN, &format!("cases {{ {slip} }} expect {{ T is dark. }}"));
        assert_eq!(codes, [Code::ScenarioClause], "{slip}: {text}");
    }
    let (codes, _) = wrong(GIVEN, "cases { dice 13: T is dark. }");
    assert_eq!(codes, [Code::NotTaken]);
    let all = "cases { dice 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12: T is dark. else: T is dark. }";
    assert_eq!(wrong(GIVEN, all).0, [Code::NoRoll]);
}

#[test]
fn what_is_stacked_is_drawn() {
    holds(
        BOX,
        "when { stack Ann: \"Small Lamp\", \"Tall Lamp\". until gifts. }
        expect { drew Ann: \"Small Lamp\", \"Tall Lamp\". cards of Ann in box: \"Tall Lamp\". }",
    );
    let stacked = "when { stack Ann: \"Small Lamp\", \"Tall Lamp\". until gifts. }";
    let (codes, text) = wrong(BOX, &format!("{stacked} expect {{ drew Ann: \"Tall Lamp\", \"Small Lamp\". }}"));
    assert_eq!(codes, [Code::NotDrawn], "in another order: {text}");
    assert!(text.contains("has drawn \"Small Lamp\""), "{text}");
    let (codes, _) = wrong(BOX, &format!("{stacked} expect {{ drew Ann: \"Small Lamp\". }}"));
    assert_eq!(codes, [Code::NotDrawn], "one is missing");
    let three = "drew Ann: \"Small Lamp\", \"Tall Lamp\", \"Tall Lamp\".";
    assert_eq!(wrong(BOX, &format!("{stacked} expect {{ {three} }}")).0, [Code::NotDrawn], "one too many");
    let twice = "drew Ann: \"Small Lamp\", \"Tall Lamp\". drew Ann: \"Small Lamp\", \"Tall Lamp\".";
    assert_eq!(wrong(BOX, &format!("{stacked} expect {{ {twice} }}")).0, [Code::NotDrawn], "nothing since");
    let (codes, text) = wrong(BOX, "when { stack Ann: \"Small Lamp\", \"Small Lamp\". until gifts. } expect { over. }");
    assert_eq!(codes, [Code::NotStacked], "{text}");
    let (codes, _) =
        wrong(BOX, "when { stack Bob: \"Small Lamp\". stack Ann: \"Tall Lamp\". until gifts. } expect { over. }");
    assert!(codes.contains(&Code::NotStacked), "no box of his is shaken: {codes:?}");
}

/// What a run says that it did, written as a script, does the same, copies and shuffles included.
#[test]
fn a_run_can_be_written_and_run_again() {
    let compiler = compiler();
    let scripts = [
        (BOX, "seed 4. when { Ann: \"Small Lamp\". } expect { over. }"),
        (BOX, "seed 5. when { until over. } expect { over. }"),
        (GIVEN, "seed 3. when { Bob: B: kindle. until choice. } expect { over. }"),
    ];
    for (given, script) in scripts {
        let hash = |text: &str| {
            let scenario = Arc::new(parse("toy.md", text, true).scenarios.pop().unwrap());
            let prepared = prepare(&compiler, &scenario, &Profile::default(), &Profile::default()).unwrap();
            let (report, game) = drive_to(&prepared, None, None);
            let written = Written::of(&prepared, &report.steps).block(&game.unwrap());
            (report, written)
        };
        let (first, written) = hash(&format!("```scenario toy\n{given}{script}\n```\n"));
        let (again, same) = hash(&written);
        assert_eq!(again.diags, [], "{written}");
        assert_eq!(again.hash, first.hash, "{written}");
        assert_eq!(same, written);
    }
}
