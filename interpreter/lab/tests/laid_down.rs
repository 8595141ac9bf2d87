//! What an effect lays down knows who played a role then, whoever plays it later.

use crate::support::{WORDS, passes};
use netrep_compiler::Compiler;
use netrep_diagnostics::Code;

/// A dusk in which this is said while Ann is the host; then Bob is.
fn compiler(said: &str) -> Compiler {
    let rules = format!(
        "role stake: number.\nadjective hosted of (card C): owner of C is host.\n\
         verb honour, honours, honoured (card C) {{ does host gets +2 points this dusk. }}\n\
         rule 3 \"Dusk\" {{\n    procedure dusk for (player P) {{ let host be P. let stake be 2. steps oath, change, offer. }}\n    \
         step oath of dusk {{ {said} }}\n    \
         step change of dusk {{ let host be opponent of P. let stake be 5. }}\n    \
         step offer of dusk {{ [window] window for P; for opponent of P. P may {{ kindle \"Old Lamp\" }}. }}\n}}\n\
         card L-3 \"Old Lamp\" {{ kind Lamp. height 9. }}\n"
    );
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", WORDS);
    compiler.set_file("rules/dusk.rules", &rules);
    compiler
}

#[track_caller]
fn comes_to(said: &str, script: &str) {
    let compiler = compiler(said);
    let text = format!(
        "```scenario dusk\ngiven {{\n    player Ann, Bob.\n    Ann: shelf \"Tall Lamp\".\n    \
         Bob: shelf \"Small Lamp\", \"Old Lamp\".\n    at dusk for Ann. }}\n{script}\n```\n"
    );
    passes(&compiler, &text, said);
}

#[test]
fn whom_a_modifier_is_about() {
    let ann = "expect { points of Ann is 2. points of Bob is 0. }";
    comes_to("host gets +2 points this dusk.", ann);
    comes_to("host gets +2 points for the rest of the game.", ann);
    comes_to("effect this dusk { [more] host gets +2 points. }", ann);
    comes_to("honour \"Old Lamp\".", ann);
}

#[test]
fn numbers_and_conditions() {
    comes_to("each player gets +stake points this dusk.", "expect { points of Bob is 2. }");
    let proud = "effect this dusk { [proud] while owner of \"Tall Lamp\" is host: each card gets +stake height. }";
    comes_to(proud, "expect { height of \"Small Lamp\" is 4. }");
}

#[test]
fn what_may_not_be_done_and_what_may() {
    let bars = "expect { refused Ann: \"Tall Lamp\": kindle. }\nwhen { Ann: pass. }\nexpect { offered Bob: \"Small Lamp\": kindle. }";
    // Only the host may do so: what is added to the words of the toy, so that Bob's lamp can be kindled at all.
    comes_to("a card as C cannot be kindled if owner of C is host this dusk.", bars);
    comes_to("effect this dusk { [bar] a card as C cannot be kindled if owner of C is host. }", bars);
    let gift = "effect this dusk { each card has { [gift] host may praise this: praise this. } }";
    comes_to(
        gift,
        "expect { offered Ann: \"Tall Lamp\": praise. }\nwhen { Ann: pass. }\nexpect { refused Bob: \"Small Lamp\": praise. }",
    );
}

#[test]
fn what_is_waited_for_and_what_is_done_then() {
    let script = "when { Ann: \"Tall Lamp\": kindle. }\nexpect { points of Ann is 7. points of Bob is 0. }";
    comes_to("when a card is kindled immediately { set points of host to 7 } this dusk.", script);
    comes_to("effect this dusk { [seen] when a card is kindled immediately: set points of host to 7. }", script);
    // What that lays down in its turn knows the same.
    comes_to("when a card is kindled immediately { host gets +7 points this dusk } this dusk.", script);
    let own = "when a card as C is kindled if owner of C is host immediately { set points of Bob to 7 } this dusk.";
    comes_to(
        &own.replace("Bob", "owner of \"Old Lamp\""),
        "when { Ann: \"Tall Lamp\": kindle. }\nexpect { points of Bob is 7. }",
    );
}

#[test]
fn how_long_it_holds() {
    let script = "expect { height of \"Small Lamp\" is 5. }\nwhen { Ann: \"Tall Lamp\": kindle. Bob: pass. Ann: pass. }\n\
                  expect { points of Ann is 1. height of \"Small Lamp\" is 2. }";
    comes_to("effect while points of host = 0 { [tall] each card gets +3 height. }", script);
}

#[test]
fn what_a_definition_says_it_says_of_whoever_plays_the_role_now() {
    comes_to(
        "each hosted card gets +3 height this dusk.",
        "expect { height of \"Small Lamp\" is 5. height of \"Tall Lamp\" is 4. }",
    );
}

#[test]
fn no_role_is_bound_there() {
    for said in [
        "when a card is kindled { let host be P } this dusk.",
        "effect this dusk { [late] when a card is kindled: let host be opponent of P; praise \"Old Lamp\". }",
    ] {
        let told = compiler(said).check();
        let told: Vec<_> = told.iter().filter(|diag| diag.is_error()).collect();
        let [one] = told[..] else { panic!("{said}: {told:#?}") };
        assert_eq!(one.code, Code::MisplacedClause, "{said}");
        assert!(one.message.contains("`host`"), "{}", one.message);
    }
}
