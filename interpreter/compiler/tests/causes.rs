//! What follows from a wrong declaration is told at it, where the sentences that cannot be read say its words: one error comes
//! of it, in the file of the word, with its mend.

use netrep_compiler::{Compiler, Diagnostic};

use crate::common::told;

const WORDS: &str = include_str!("regatta/regatta.words");
const PATH: &str = "rules/regatta.words";

/// A declaration as it is, and as it is written wrongly.
const SLIPS: &[(&str, &str)] = &[
    ("adjective upright of (vessel V): trim", "adjective upright of vessel V: trim"),
    ("adjective upright of (vessel V): trim", "adjective upright of (vessel V): trmi"),
    ("list trim { Upright.", "list trim  Upright."),
    ("figure length of boat, heat: number", "figure lenght of boat, heat: number"),
    ("class boat, boats: card", "class boat, boats: crad"),
    ("card with kind Boat {", "card with kind Baot {"),
    ("card with kind Boat {", "card with knid Boat {"),
    ("needs rig, length.", "needs rig, lenght."),
    ("class player, players.", "class palyer, players."),
    ("figure shore of harbour: shore.", "figure shore of harbuor: shore."),
];

#[test]
fn one_slip_in_a_declaration_is_one_error() {
    let mut wrong = Vec::new();
    for (was, is) in SLIPS {
        assert!(WORDS.contains(was), "{was}");
        let text = WORDS.replacen(was, is, 1);
        let mut compiler = Compiler::new();
        compiler.set_files([
            (PATH, text.as_str()),
            ("rules/regatta.rules", include_str!("regatta/regatta.rules")),
            ("cards/regatta.cards", include_str!("regatta/regatta.cards")),
        ]);
        let found: Vec<Diagnostic> = compiler.check().into_iter().filter(Diagnostic::is_error).collect();
        let said: String = found.iter().map(|diag| told(&compiler, diag)).collect();
        if found.len() != 1 || found[0].place.file != PATH || found[0].help.is_none() {
            wrong.push(format!("`{was}` -> `{is}`: {} errors\n{said}", found.len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
