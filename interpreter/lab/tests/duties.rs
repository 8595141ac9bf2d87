//! What must be done: as long as a decision offers it, nothing else in it is taken, and the refusal names the duty.

use crate::support::{WORDS, passes};
use netrep_compiler::Compiler;
use netrep_diagnostics::Code;

/// An evening with three dark lamps, in which this is said, and what is told of it.
#[track_caller]
fn comes_to(said: &str, script: &str) {
    let rules = format!(
        "rule 3 \"Dusk\" {{\n    [dusk] procedure dusk for (player P) {{ steps choice, offer. }}\n    \
         [choice] step choice of dusk {{ P chooses 2 dark cards as C; kindle C. }}\n    \
         [offer] step offer of dusk {{ P may {{ praise \"Old Lamp\" }}; \
         P chooses one {{ praise \"Old Lamp\" }} or {{ praise \"Tall Lamp\" }}. }}\n}}\n\
         card L-3 \"Old Lamp\" {{ kind Lamp. height 9. }}\nrule 4 \"Duties\" {{ {said} }}\n"
    );
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", WORDS);
    compiler.set_file("rules/duties.rules", &rules);
    let text = format!(
        "```scenario toy\ngiven {{\n    player Ann, Bob.\n    Ann: shelf \"Tall Lamp\", \"Small Lamp\", \"Old Lamp\".\n    \
         {script}\n```\n"
    );
    passes(&compiler, &text, said);
}

#[test]
fn of_the_things_that_can_be_chosen_those_are_that_must_be() {
    comes_to(
        "[old] a card as C must be kindled if height of C > 8.",
        "at dusk for Ann. }\nexpect { refused Ann: \"Tall Lamp\" because 4 old. offered Ann: \"Old Lamp\". }\n\
         when { Ann: \"Old Lamp\". }\nexpect { offered Ann: \"Tall Lamp\". offered Ann: \"Small Lamp\". }",
    );
}

#[test]
fn of_two_duties_either_is_done_first() {
    comes_to(
        "[old] a card as C must be kindled if height of C > 8. [small] a card as C must be kindled if height of C < 3.",
        "at dusk for Ann. }\nexpect { refused Ann: \"Tall Lamp\". offered Ann: \"Old Lamp\". offered Ann: \"Small Lamp\". }\n\
         when { Ann: \"Small Lamp\". }\nexpect { refused Ann: \"Tall Lamp\" because 4 old. offered Ann: \"Old Lamp\". }",
    );
}

#[test]
fn a_window_is_not_passed_over_what_must_be_done_in_it() {
    comes_to(
        "[tall] a card as C must be kindled if C is \"Tall Lamp\".",
        "at lighting of evening for Ann. }\n\
         expect { refused Ann: pass because 4 tall. refused Ann: \"Small Lamp\": kindle because 4 tall. }\n\
         when { Ann: \"Tall Lamp\": kindle. }\nexpect { offered Bob: pass. }\n\
         when { Bob: pass. }\nexpect { offered Ann: pass. offered Ann: \"Small Lamp\": kindle. }",
    );
}

#[test]
fn what_must_be_done_is_not_declined() {
    comes_to(
        "[praise] a card named \"Old Lamp\" must be praised.",
        "at offer of dusk for Ann. }\nexpect { refused Ann: no because 4 praise. }\nwhen { Ann: yes. }\n\
         expect { refused Ann: praise \"Tall Lamp\" because 4 praise. offered Ann: praise \"Old Lamp\". }",
    );
}

#[test]
fn what_no_decision_offers_binds_nobody() {
    comes_to(
        "[dark] a card as C must be kindled if height of C > 20.",
        "at dusk for Ann. }\nexpect { offered Ann: \"Tall Lamp\". offered Ann: \"Small Lamp\". }",
    );
}

#[test]
fn a_duty_that_nothing_can_fulfil_is_refused() {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", WORDS);
    let rule = "verb wash, washes, washed (card C) { does set light of C to Dark. }\n\
                rule 4 \"Duties\" { [clean] a card must be washed. }\n";
    compiler.set_file("rules/duties.rules", rule);
    let codes: Vec<Code> = compiler.check().into_iter().filter(|d| d.is_error()).map(|d| d.code).collect();
    assert_eq!(codes, [Code::NothingFollows]);
}
