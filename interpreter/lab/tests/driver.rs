//! The driver on a toy: moves by their words, rolls, passes, expectations and what is said when they fail.

use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;
use netrep_lab::report::{From, Report};
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::parse;

const GIVEN: &str = r#"given {
    player Ann, Bob.
    Ann: shelf "Small Lamp", "Tall Lamp" as T, "Small Lamp" as S.
    Bob: shelf "Tall Lamp" as B, "Small Lamp" as C.
    at lighting of evening for Ann.
}
"#;

const RESTING: &str = r#"
rule 3 "The choice" { rests on 1 best. }
rule 4 "One's own" { rests on L-1 own. }
"#;

fn compiler() -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", crate::support::WORDS);
    compiler.set_file("rules/resting.words", RESTING);
    let wrong: Vec<_> = compiler.link(&Profile::default()).1.into_iter().filter(|d| d.is_error()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    compiler
}

/// Runs a script from the position above.
fn play(script: &str) -> Report {
    let text = format!("```scenario toy\n{GIVEN}{script}\n```\n");
    let parsed = parse("toy.md", &text, false);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
    let compiler = compiler();
    let jobs = jobs(&scenarios, &Profile::default());
    run(&compiler, &jobs, 2, true).into_iter().next().unwrap()
}

/// The codes and whole texts of what is wrong.
fn wrong(script: &str) -> (Vec<Code>, String) {
    let report = play(script);
    let codes = report.diags.iter().map(|d| d.code).collect();
    let texts: Vec<String> =
        report.diags.iter().map(|d| format!("{} {}", d.message, d.help.clone().unwrap_or_default())).collect();
    (codes, texts.join("\n"))
}

#[test]
fn moves_rolls_and_passes() {
    let report = play(
        "cites L-2 glow, 1 sum.
        when { Ann: T: kindle. Bob: B: kindle. dice 7 for Ann. }
        expect { points of Ann is 8. points of Bob is 1. T is lit. C is dark. height of T is 4. }
        when { Ann: T. }
        expect { points of Ann is 9. over. }",
    );
    assert_eq!(report.diags, []);
    let taken: Vec<(&str, bool)> =
        report.steps.iter().map(|s| (s.by.as_str(), matches!(s.from, From::Script(_)))).collect();
    assert!(taken.contains(&("Bob", true)) && taken.contains(&("chance", true)));
    assert!(taken.iter().any(|(_, written)| !written), "passes are taken where nothing is written");
    assert_eq!(report.checks.len(), 7);
    assert!(!report.consulted.reads.is_empty());
}

#[test]
fn a_label_tells_copies_apart() {
    let report = play(
        "when { Ann: S: kindle. } expect { S is lit. C is dark. next refused Ann: S: kindle. offered Bob: B: kindle. }",
    );
    assert_eq!(report.diags, []);
}

#[test]
fn refusals_name_their_clause() {
    let report = play("expect { next refused Bob: C: kindle because L-1 own. offered Ann: \"Small Lamp\": kindle. }");
    assert_eq!(report.diags, []);
    let (codes, text) = wrong("expect { refused Ann: S: kindle. next refused Bob: C: kindle because 1 sum. }");
    assert_eq!(codes, [Code::NotRefused, Code::OtherReason]);
    assert!(text.contains("L-1 own"), "{text}");
}

#[test]
fn what_fails_is_said() {
    let (codes, text) = wrong("when { Ann: T: kindle. } expect { T is dark. points of Ann is 3. over. }");
    assert_eq!(codes, [Code::NotSo, Code::NotSo, Code::NotOver]);
    assert!(text.contains("what is so"), "{text}");
}

#[test]
fn a_move_that_is_never_offered() {
    let (codes, text) = wrong("when { Bob: C: kindle. dice 7. } expect { over. }");
    assert_eq!(codes, [Code::DiceNeeded], "{text}");
    let (codes, text) = wrong("seed 3. when { Bob: C: kindle. } expect { over. }");
    assert_eq!(codes, [Code::MoveRefused], "{text}");
    assert!(text.contains("L-1 own") && text.contains("first refused at step"), "{text}");
    let (codes, text) = wrong("seed 3. when { Ann: T: kindel. } expect { over. }");
    assert_eq!(codes, [Code::NeverOffered], "{text}");
    assert!(text.contains("did you mean `"), "{text}");
}

#[test]
fn choices_and_dice_must_be_written() {
    let (codes, text) =
        wrong("when { Ann: T: kindle. Ann: S: kindle. Bob: pass. dice 4. Bob: B: kindle. } expect { over. }");
    assert_eq!(codes, [Code::ChoiceNeeded], "{text}");
    let (codes, _) = wrong("when { dice 4 for Bob. } expect { over. }");
    assert_eq!(codes, [Code::OtherRoll]);
    let (codes, _) = wrong("when { dice 40. } expect { over. }");
    assert_eq!(codes, [Code::NotTaken]);
    let (codes, text) = wrong("when { Ann: kindle. } expect { over. }");
    assert_eq!(codes, [Code::AmbiguousMove], "{text}");
}

#[test]
fn citations_must_be_consulted_and_exist() {
    let (codes, _) = wrong("cites 1 best. expect { T is dark. }");
    assert_eq!(codes, [Code::NotConsulted]);
    let (codes, text) = wrong("cites 3. expect { T is dark. }");
    assert_eq!(codes, [Code::NotConsulted], "it rests on what was not consulted: {text}");
    let (codes, text) = wrong("cites 4. expect { next refused Bob: C: kindle because 4. T is dark. }");
    assert!(codes.is_empty(), "it rests on what refuses: {text}");
    let (codes, text) = wrong("cites 1 bestt. expect { T is dark. }");
    assert_eq!(codes, [Code::UnknownClause]);
    assert!(text.contains("did you mean `1 best`"), "{text}");
}

#[test]
fn unknown_names_are_said() {
    let text = "```scenario toy\ngiven { player Ann. Anne: shelf \"Smal Lamp\". Ann: shelv \"Tall Lamp\". at evning for Ann. }\nexpect { over. }\n```\n";
    let parsed = parse("toy.md", text, false);
    let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
    let reports = run(&compiler(), &jobs(&scenarios, &Profile::default()), 1, false);
    let mut codes: Vec<Code> = reports[0].diags.iter().map(|d| d.code).collect();
    codes.sort_unstable();
    assert_eq!(codes, [Code::UnknownCard, Code::UnknownPlace, Code::UnknownProcedure, Code::UnknownThing]);
    assert!(reports[0].diags.iter().all(|d| d.help.as_ref().is_some_and(|h| h.starts_with("did you mean"))));
}

/// Terms that another file adds to a list are printed, stored and asked for like its own.
#[test]
fn a_list_that_another_file_extends_is_played() {
    let set = "list kind also { Candle. }
list light also { Flickering. }
card K-1 \"Candle\" {
    kind Candle. height 2.
    [glow] you may kindle this { effect set light of this to Flickering. }
}
";
    let text = "```scenario toy
given {
    player Ann, Bob.
    Ann: shelf \"Candle\" as K, \"Small Lamp\" as S.
    at lighting of evening for Ann.
}
when { Ann: K: kindle. dice 5 for Ann. }
expect { light of K is Flickering. kind of K is Candle. K is not Lit. S is Dark. }
```
";
    for path in ["cards/a.cards", "rules/z.words"] {
        let mut compiler = compiler();
        compiler.set_file(path, set);
        let scenarios: Vec<_> = parse("toy.md", text, false).scenarios.into_iter().map(Arc::new).collect();
        let reports = run(&compiler, &jobs(&scenarios, &Profile::default()), 1, false);
        assert_eq!(reports.len(), 1);
        assert_eq!(reports[0].diags, [], "{path}");
    }
}
