//! Several different things that somebody chooses, played on the toy: how many, which, and what may befall each of them.

use crate::support::WORDS;
use netrep_compiler::{Compiler, Profile};
use netrep_lab::report::Report;
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::parse;
use std::sync::Arc;

/// The evening with one step, in which lamps are chosen as `said` and kindled.
fn rule(said: &str) -> String {
    format!(
        "rule 3 \"Groups\" {{\n    [dusk] procedure dusk for (player P) {{ steps choice. }}\n    \
         [choice] step choice of dusk {{ {said}; kindle C; set points of P to number of C. }}\n}}\n\
         card L-3 \"Old Lamp\" {{ kind Lamp. height 9. }}\n"
    )
}

/// What is told of a scenario with three dark lamps and these moves and expectations.
fn play(said: &str, more: &str, script: &str) -> Report {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", WORDS);
    compiler.set_file("rules/groups.rules", &format!("{}{more}", rule(said)));
    let wrong: Vec<_> = compiler.check().into_iter().filter(|diag| diag.is_error()).collect();
    assert!(wrong.is_empty(), "{said}: {wrong:#?}");
    let text = format!(
        "```scenario toy\ngiven {{\n    player Ann, Bob.\n    Ann: shelf \"Tall Lamp\", \"Small Lamp\", \
         \"Old Lamp\".\n    at dusk for Ann.\n}}\n{script}\n```\n"
    );
    let parsed = parse("toy.md", &text, false);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
    run(&compiler, &jobs(&scenarios, &Profile::default()), 1, true).remove(0)
}

#[track_caller]
fn comes_to(said: &str, more: &str, script: &str) {
    assert_eq!(play(said, more, script).diags, [], "{said}");
}

#[test]
fn so_many_different_ones_are_chosen_and_the_label_stands_for_all() {
    comes_to(
        "P chooses 2 dark cards as C",
        "",
        "when { Ann: \"Old Lamp\". }\nexpect { refused Ann: \"Old Lamp\". offered Ann: \"Tall Lamp\". }\n\
         when { Ann: \"Tall Lamp\". }\nexpect { \"Old Lamp\", \"Tall Lamp\" are lit. \"Small Lamp\" is dark. points of Ann is 2. over. }",
    );
}

#[test]
fn of_fewer_all_are_chosen() {
    comes_to(
        "P chooses 5 dark cards as C",
        "",
        "when { Ann: \"Old Lamp\". Ann: \"Tall Lamp\". Ann: \"Small Lamp\". }\nexpect { points of Ann is 3. over. }",
    );
}

#[test]
fn up_to_so_many_may_be_declined_and_ends_by_itself() {
    let said = "P chooses up to 2 dark cards as C";
    comes_to(said, "", "when { Ann: decline. }\nexpect { points of Ann is 0. \"Old Lamp\" is dark. over. }");
    comes_to(said, "", "when { Ann: \"Old Lamp\". Ann: decline. }\nexpect { points of Ann is 1. over. }");
    comes_to(said, "", "when { Ann: \"Old Lamp\". Ann: \"Tall Lamp\". }\nexpect { points of Ann is 2. over. }");
}

#[test]
fn at_least_so_many_must_be_and_more_may() {
    let said = "P chooses at least 1 dark cards as C";
    comes_to(
        said,
        "",
        "expect { refused Ann: decline. }\nwhen { Ann: \"Old Lamp\". Ann: decline. }\nexpect { points of Ann is 1. over. }",
    );
    comes_to(
        said,
        "",
        "when { Ann: \"Old Lamp\". Ann: \"Tall Lamp\". Ann: \"Small Lamp\". }\nexpect { points of Ann is 3. over. }",
    );
}

#[test]
fn any_number_is_none_some_or_all() {
    let said = "P chooses any number of dark cards as C";
    comes_to(said, "", "when { Ann: decline. }\nexpect { points of Ann is 0. over. }");
    comes_to(
        said,
        "",
        "when { Ann: \"Old Lamp\". Ann: \"Tall Lamp\". Ann: \"Small Lamp\". }\nexpect { points of Ann is 3. over. }",
    );
}

#[test]
fn what_is_done_to_all_is_asked_of_each() {
    comes_to(
        "P chooses 2 dark cards as C",
        "rule 4 \"Old\" { [old] a card as C cannot be kindled if height of C > 8. }\n",
        "expect { refused Ann: \"Old Lamp\" because 4 old. }\nwhen { Ann: \"Tall Lamp\". Ann: \"Small Lamp\". }\n\
         expect { points of Ann is 2. \"Old Lamp\" is dark. over. }",
    );
}

#[test]
fn chance_chooses_different_ones() {
    let said = "choose 2 dark cards as C at random";
    comes_to(
        said,
        "",
        "when { Chance: \"Old Lamp\". Chance: \"Small Lamp\". }\nexpect { \"Tall Lamp\" is dark. points of Ann is 2. over. }",
    );
    let again = play(said, "", "when { Chance: \"Old Lamp\". Chance: \"Old Lamp\". }\nexpect { over. }");
    assert!(!again.diags.is_empty(), "one was chosen twice");
}

/// What is told of an evening in which Ann has three dark lamps and a taper that says this.
fn declared(said: &str, script: &str) -> Report {
    let taper = format!(
        "card L-4 \"Taper\" {{ kind Lamp. height 1. {said} }}\ncard L-3 \"Old Lamp\" {{ kind Lamp. height 9. }}\n"
    );
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", WORDS);
    compiler.set_file("rules/groups.rules", &taper);
    let wrong: Vec<_> = compiler.check().into_iter().filter(|diag| diag.is_error()).collect();
    assert!(wrong.is_empty(), "{said}: {wrong:#?}");
    let text = format!(
        "```scenario toy\ngiven {{\n    player Ann, Bob.\n    Ann: shelf \"Tall Lamp\", \"Small Lamp\", \"Old Lamp\", \
         \"Taper\".\n    at lighting of evening for Ann.\n}}\n{script}\n```\n"
    );
    let parsed = parse("toy.md", &text, false);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
    run(&compiler, &jobs(&scenarios, &Profile::default()), 1, true).remove(0)
}

#[track_caller]
fn declared_comes_to(said: &str, script: &str) {
    assert_eq!(declared(said, script).diags, [], "{said}");
}

#[test]
fn a_cost_is_paid_with_several_that_are_chosen_before_anything_happens() {
    let said = "[light] you may kindle 2 cards as C { effect set points of owner of this to total height of C. }";
    declared_comes_to(
        said,
        "when { Ann: \"Taper\": kindle. }\nexpect { offered Ann: \"Old Lamp\". \"Old Lamp\" is dark. }\n\
         when { Ann: \"Old Lamp\". }\nexpect { \"Old Lamp\" is dark. refused Ann: \"Old Lamp\". refused Ann: decline. }\n\
         when { Ann: \"Small Lamp\". }\n\
         expect { \"Old Lamp\", \"Small Lamp\" are lit. \"Tall Lamp\" is dark. points of Ann is 0. }\n\
         when { Bob: pass. Ann: pass. }\nexpect { points of Ann is 12. }",
    );
}

#[test]
fn what_is_asked_of_the_group_is_looked_ahead_to() {
    // Each lamp is higher by 1: the small one and the taper are 2 high, the tall one 4, the old one 10.
    let said = "[light] you may kindle 2 cards as C { [low] if total height of C < 7. effect praise this. }";
    declared_comes_to(
        said,
        "when { Ann: \"Taper\": kindle. }\n\
         expect { refused Ann: \"Old Lamp\" because L-4 light. offered Ann: \"Tall Lamp\". }\n\
         when { Ann: \"Tall Lamp\". }\nexpect { offered Ann: \"Small Lamp\". offered Ann: \"Taper\". }",
    );
    let said = "[light] you may kindle 2 cards as C { [low] if total height of C < 4. effect praise this. }";
    declared_comes_to(said, "expect { refused Ann: \"Taper\": kindle because L-4 low. }");
}

#[test]
fn who_cannot_pay_is_none_of_them() {
    let said = "[light] you may kindle at least 3 cards as C { effect praise this. }";
    declared_comes_to(
        said,
        "when { Ann: \"Tall Lamp\": kindle. Bob: pass. }\n\
         expect { offered Ann: \"Taper\": kindle. }\nwhen { Ann: \"Taper\": kindle. }\n\
         expect { refused Ann: \"Tall Lamp\". }",
    );
    let said = "[light] you may kindle 4 cards as C { effect praise this. }";
    declared_comes_to(
        said,
        "when { Ann: \"Tall Lamp\": kindle. Bob: pass. }\nexpect { refused Ann: \"Taper\": kindle. }",
    );
}

#[test]
fn a_cost_of_up_to_so_many_is_paid_with_one_at_least() {
    let said = "[light] you may kindle up to 2 cards as C { effect praise this. }";
    declared_comes_to(
        said,
        "when { Ann: \"Taper\": kindle. }\nexpect { refused Ann: decline. }\n\
         when { Ann: \"Tall Lamp\". Ann: decline. }\nexpect { \"Tall Lamp\" is lit. \"Small Lamp\" is dark. }",
    );
}
