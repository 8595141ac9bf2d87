//! Several copies of a card: which of them a sentence of a scenario means, and where it must say so.

use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::parse;

use crate::support::WORDS;

/// What is told of a scenario with these lamps on the shelf and these facts, codes and texts.
fn told(lamps: &str, script: &str) -> (Vec<Code>, String) {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", WORDS);
    let text = format!(
        "```scenario toy\ngiven {{\n    player Ann, Bob.\n    {lamps}\n    at choice of evening for Ann.\n}}\n{script}\n```\n"
    );
    let parsed = parse("toy.md", &text, false);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
    let report = run(&compiler, &jobs(&scenarios, &Profile::default()), 1, true).remove(0);
    let helps = report.diags.iter().map(|diag| format!("{}\n{}", diag.message, diag.help.clone().unwrap_or_default()));
    (report.diags.iter().map(|diag| diag.code).collect(), helps.collect())
}

fn codes(lamps: &str, script: &str) -> Vec<Code> {
    told(lamps, script).0
}

#[test]
fn a_fact_is_about_the_copy_without_a_label() {
    let script = "expect { S is dark. not S is lit. number of lit cards is 1. }";
    assert_eq!(codes(r#"Ann: shelf "Small Lamp" as S, "Small Lamp". "Small Lamp" is lit."#, script), []);
    assert_eq!(codes(r#"Ann: shelf "Small Lamp" as S, "Small Lamp". L-1 is lit."#, script), []);
}

#[test]
fn a_fact_about_copies_that_lie_together_is_about_one_of_them() {
    let lamps = r#"Ann: shelf 2 "Small Lamp". "Small Lamp" is lit."#;
    assert_eq!(codes(lamps, "expect { number of lit cards is 1. }"), []);
}

#[test]
fn a_fact_says_which_copy_it_is_about_where_they_lie_apart() {
    let script = "expect { number of lit cards is 1. }";
    let apart = r#"Ann: shelf "Small Lamp". Bob: shelf "Small Lamp". "Small Lamp" is lit."#;
    assert_eq!(codes(apart, script), [Code::AmbiguousName]);
    let (found, text) = told(r#"Ann: shelf "Small Lamp" as A, "Small Lamp" as S. "Small Lamp" is lit."#, script);
    assert_eq!(found, [Code::AmbiguousName]);
    assert!(text.contains("A in shelf of Ann") && text.contains("S in shelf of Ann"), "{text}");
    let past = r#"Ann: shelf "Small Lamp" as A, "Small Lamp" as S. "Small Lamp" has been kindled."#;
    assert_eq!(codes(past, "expect { S is dark. }"), [Code::AmbiguousName]);
}

#[test]
fn a_move_may_leave_open_which_copy_it_means_if_nothing_tells_them_apart() {
    let alike = r#"Ann: shelf "Small Lamp" as A, "Small Lamp" as S. A is lit. S is lit."#;
    assert_eq!(codes(alike, r#"when { Ann: "Small Lamp". } expect { points of Ann is 1. over. }"#), []);
    // Whose it is decides who gets the point.
    let apart = r#"Ann: shelf "Small Lamp" as A. Bob: shelf "Small Lamp" as B. A is lit. B is lit."#;
    let (found, text) = told(apart, r#"when { Ann: "Small Lamp". } expect { over. }"#);
    assert_eq!(found.first(), Some(&Code::AmbiguousMove));
    assert!(text.contains("\"Small Lamp\" (A) in shelf") && text.contains("\"Small Lamp\" #2 (B) in shelf"), "{text}");
    assert_eq!(codes(apart, "when { Ann: B. } expect { points of Bob is 1. over. }"), []);
    assert_eq!(codes(apart, "when { Ann: A. } expect { points of Ann is 1. over. }"), []);
    assert_eq!(codes(apart, r#"when { Ann: "Small Lamp" #1. } expect { points of Ann is 1. over. }"#), []);
    assert_eq!(codes(apart, r#"when { Ann: "Small Lamp" #2. } expect { points of Bob is 1. over. }"#), []);
}

#[test]
fn what_is_not_so_is_not_so_of_any_copy() {
    let lamps = r#"Ann: shelf "Small Lamp" as A, "Small Lamp" as S. A is lit."#;
    assert_eq!(codes(lamps, r#"expect { "Small Lamp" is lit. "Small Lamp" is dark. }"#), [], "of one it is so");
    let (found, text) = told(lamps, r#"expect { "Small Lamp" is not lit. }"#);
    assert_eq!(found, [Code::AmbiguousName]);
    assert!(text.contains("(A) in shelf: it is so") && text.contains("(S) in shelf: it is not so"), "{text}");
    let both = r#"expect { number of lit cards is 1 and "Small Lamp" is not lit. }"#;
    assert_eq!(codes(lamps, both), [Code::AmbiguousName], "beside something else too");
    let dark = r#"Ann: shelf "Small Lamp", "Small Lamp"."#;
    assert_eq!(codes(dark, r#"expect { "Small Lamp" is not lit. }"#), []);
}
