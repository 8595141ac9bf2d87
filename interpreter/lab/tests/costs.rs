//! What is asked of clauses, counted: no author has to know in which order conditions are asked.

use std::sync::Arc;

use crate::support::WORDS;
use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_engine::{Cost, Game, Submission, Tally};
use netrep_ir::ClauseId;
use netrep_lab::driver::start::start;
use netrep_lab::prepare::prepare;
use netrep_lab::scenario::parse;

/// So many lamps stand on the shelf, each of another height.
const LAMPS: usize = 40;

/// An evening with many lamps and a chandelier, which says this.
fn evening(chandelier: &str) -> Game {
    let mut cards = format!("card L-3 \"Chandelier\" {{ kind Lamp. height 90. [glow] {chandelier} }}\n");
    let mut names = Vec::new();
    for n in 1..=LAMPS {
        cards.push_str(&format!("card M-{n} \"Lamp {n}\" {{ kind Lamp. height {n}. }}\n"));
        names.push(format!("\"Lamp {n}\""));
    }
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", WORDS);
    compiler.set_file("cards/many.cards", &cards);
    let wrong: Vec<_> = compiler.check().into_iter().filter(Diagnostic::is_error).collect();
    assert!(wrong.is_empty(), "{chandelier}: {wrong:#?}");
    let text = format!(
        "```position toy\ngiven {{\n player Ann, Bob.\n Ann: shelf \"Chandelier\", {}.\n at lighting of evening for Ann.\n}}\n```\n",
        names.join(", ")
    );
    let parsed = parse("toy.md", &text, true);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    let scenario = Arc::new(parsed.scenarios.into_iter().next().unwrap());
    let profile = Profile::default();
    start(&prepare(&compiler, &scenario, &profile, &profile).unwrap()).unwrap()
}

/// How many ways of lighting the chandelier are listed, and what that asks in all and of it.
fn listed(chandelier: &str) -> (usize, Cost, Cost) {
    let mut game = evening(chandelier);
    let tally = Tally::none_of(game.program());
    game.count_into(Some(&tally));
    let options = game.options();
    game.count_into(None);
    let before = tally.total();
    game.options();
    assert_eq!(tally.total(), before, "nothing is counted any more");
    let ways = options.iter().filter(|o| matches!(o, Submission::Declare { parameters, .. } if !parameters.is_empty()));
    let glow = game.program().clauses.iter().position(|clause| clause.label == "L-3 glow").unwrap();
    let found: Vec<&Submission> = options.iter().filter(|o| matches!(o, Submission::Declare { .. })).collect();
    // To try everything takes long where there are more.
    if found.len() <= LAMPS * LAMPS {
        assert_eq!(game.declarations_tried().iter().collect::<Vec<_>>(), found, "{chandelier}");
    }
    (ways.count(), before, tally.of(ClauseId::from_index(glow)))
}

/// The chandelier with so many choices, of which this must be so.
fn choosing(choices: usize, conditions: &str) -> String {
    let chosen: String =
        ["A", "B", "C"].iter().take(choices).map(|c| format!(" choosing a dark card as {c}")).collect();
    format!("you may kindle this{chosen} {{ {conditions} effect praise A. }}")
}

/// Of each choice by itself: the third multiplies what is listed, not what is asked.
#[test]
fn a_third_free_choice_asks_no_more_than_the_two_before_it() {
    let (two, cost, of_two) = listed(&choosing(2, ""));
    let (three, dear, of_three) = listed(&choosing(3, ""));
    assert_eq!((two, three), ((LAMPS + 1).pow(2), (LAMPS + 1).pow(3)));
    assert!(dear.conditions <= 2 * cost.conditions, "{dear:?} is more than twice {cost:?}");
    assert!(of_three.conditions <= 2 * of_two.conditions, "{of_three:?} is more than twice {of_two:?}");
    // What is counted is something, and less than a condition for each way.
    assert!(of_two.conditions > 0 && dear.conditions < three as u64 / 10, "{cost:?}, {dear:?}");
}

/// Each of the one before it: every pair is looked at once.
#[test]
fn a_third_choice_that_hangs_on_the_second_asks_as_much_again() {
    let first = "[ab] if height of A < height of B.";
    let (two, cost, _) = listed(&choosing(2, first));
    let (three, dear, _) = listed(&choosing(3, &format!("{first} [bc] if height of B < height of C.")));
    let all = LAMPS + 1;
    assert_eq!((two, three), (all * (all - 1) / 2, all * (all - 1) * (all - 2) / 6));
    assert!(dear.conditions <= 2 * cost.conditions, "{dear:?} is more than twice {cost:?}");
}

/// What is paid with one of the choices is asked of each of those, not of each combination; and what cannot be paid, because it is
/// paid already, is not offered with any of the others.
#[test]
fn what_is_paid_with_a_choice_is_asked_of_that() {
    let paid = |choices| choosing(choices, "").replace("kindle this", "kindle this; kindle B");
    let (two, cost, _) = listed(&paid(2));
    let (three, dear, _) = listed(&paid(3));
    let all = LAMPS + 1;
    assert_eq!((two, three), (all * LAMPS, all * LAMPS * all));
    assert!(dear.conditions <= 2 * cost.conditions, "{dear:?} is more than twice {cost:?}");
}
