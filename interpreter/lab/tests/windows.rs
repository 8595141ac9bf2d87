//! What may be declared is looked up by the windows that admit it and by what runs: an edit that reaches no window in which a run
//! looked leaves the run as it was, and one that reaches one does not.

use std::sync::Arc;

use crate::support::{RULING, WORDS, scenario};
use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_lab::memo::Memo;
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::parse;

/// The toy, with a window for praise alone and a lamp that can be kindled in it or not, as it is said.
fn toy(spark: &str) -> String {
    let window = "window for P; for opponent of P.";
    let words = WORDS.replacen(window, "window for P to praise a card.", 1);
    assert_ne!(words, WORDS);
    let night = "rule 3 \"Night\" {\n    [night] procedure night for (player P) { steps dream. }\n    \
                 step dream of night { set points of P to 1. }\n}\n";
    format!("{words}{night}card L-3 \"Old Lamp\" {{\n    kind Lamp. height 2.\n    [spark] you may {spark}\n}}\n")
}

/// Whether the evening with the lamp is run again where the lamp says something else; it comes to what it comes to.
fn is_run_again(before: &str, after: &str) -> bool {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.rulings", RULING);
    compiler.set_file("rules/toy.words", &toy(before));
    let text = scenario("toy", "", "expect { points of Ann is 7. }\n")
        .replace("shelf \"Tall Lamp\".", "shelf \"Tall Lamp\", \"Old Lamp\".");
    let scenarios: Vec<_> = parse("toy.md", &text, false).scenarios.into_iter().map(Arc::new).collect();
    let all = jobs(&scenarios, &Profile::default());
    let mut memo: Memo = Memo::new();
    assert_eq!(memo.refresh(&compiler, &all, 1, &|_| ())[0].report.diags, []);
    compiler.set_file("rules/toy.words", &toy(after));
    let wrong: Vec<_> = compiler.check().into_iter().filter(Diagnostic::is_error).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let again = memo.refresh(&compiler, &all, 1, &|_| ());
    let anew = run(&compiler, &all, 1, true);
    let said = |report: &netrep_lab::Report| (report.hash, format!("{:?}", report.steps));
    let is_alike = said(&again[0].report) == said(&anew[0]);
    assert!(is_alike, "{before} became {after}");
    again[0].ran
}

#[test]
fn an_edit_touches_those_who_looked_where_it_is_another_time_for_it() {
    let aside = "kindle this { effect set light of this to Dark. }";
    assert!(!is_run_again(aside, "kindle this { effect set light of this to Lit. }"), "no window admits it");
    assert!(is_run_again(aside, "kindle this { effect praise this. }"), "a window admits it now");
    let despite = "kindle this { despite 1 window. effect set light of this to Dark. }";
    assert!(is_run_again(aside, despite), "it lifts what the window says");
    let at_night = "kindle this during night { effect praise this. }";
    let twice = "kindle this during night { effect praise this; praise this. }";
    assert!(!is_run_again(at_night, twice), "it is never night");
    assert!(is_run_again(at_night, "kindle this { effect praise this. }"), "it is the time for it now");
    assert!(is_run_again(at_night, "kindle this during evening { effect praise this. }"), "it is evening");
}
