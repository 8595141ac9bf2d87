//! The toy of the tests: lamps, a ruling with two editions, and an evening as a scenario.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::sync::Arc;

use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::parse;

/// The words, rules and cards.
pub(crate) const WORDS: &str = include_str!("toy.words");

/// A question with two readings, each chosen by an edition.
pub(crate) const RULING: &str = r#"
ruling R-1 "How tall is tall?" {
    about 2.
    reading short { authority "The house". status in force. }
    reading long { authority "The garden". status superseded. replace 2 tall { [tall] each card gets +2 height. } }
}
edition house "House rules" { default. R-1 short. }
edition garden "Garden rules" { R-1 long. }
"#;

/// A position with its moves.
pub(crate) const EVENING: &str = r#"given {
    player Ann, Bob.
    Ann: shelf "Tall Lamp".
    Bob: shelf "Small Lamp".
    at lighting of evening for Ann.
}
when { Ann: "Tall Lamp": kindle. dice 5. Ann: "Tall Lamp". }
"#;

/// The evening as a scenario: what it cites, and what must be so at its end.
pub(crate) fn scenario(name: &str, before: &str, expects: &str) -> String {
    format!("```scenario {name}\n{before}{EVENING}{expects}```\n")
}

/// Runs the one scenario of a text: the data have no errors, and nothing is told of it.
#[track_caller]
pub(crate) fn passes(compiler: &Compiler, text: &str, said: &str) {
    let wrong: Vec<_> = compiler.check().into_iter().filter(Diagnostic::is_error).collect();
    assert!(wrong.is_empty(), "{said}: {wrong:#?}");
    let parsed = parse("toy.md", text, false);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
    let report = run(compiler, &jobs(&scenarios, &Profile::default()), 1, true).remove(0);
    assert_eq!(report.diags, [], "{said}");
}
