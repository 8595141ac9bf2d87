//! Things that cards have in addition, and that are withheld: what is read, and what is refused.

use netrep_diagnostics::Code;

use crate::common::{codes, with_file};

const FILE: &str = "rules/zz.rules";

/// Flames that burn on lamps.
const FLAMES: &str = "
class flame, flames.
class spark, sparks.
state height of flame: number.
state wick of flame: card.
state lighter of flame: card.
kernel flames { host flame by wick. }
relation (flame F) on (lamp L): wick of F is L.
";

fn told(clause: &str) -> Vec<Code> {
    codes(&with_file(FILE, &format!("{FLAMES}rule 7 \"Flames\" {{ {clause} }}")).check())
}

#[test]
fn cards_have_new_things_as_long_as_it_is_said_or_for_a_while() {
    for clause in [
        "[all] each lamp gains a new flame with height 3.",
        "[while] while there is a dusty lamp: each Red lamp gains a new flame with height 3.",
        "[own] each lamp as L gains a new flame with height height of L.",
        "[taken] each lamp as L gains a new flame from L with lighter L.",
        "[effect] when a lamp as L is washed: L gains a new flame with height 2 for the rest of the game.",
        "[less] each Red lamp loses flames.",
        "[some] each Red lamp loses flames with height > 2.",
        "[gone] when a lamp as L is washed: L loses flames for the rest of the game.",
    ] {
        assert_eq!(told(clause), [], "{clause}");
    }
}

#[test]
fn what_would_not_be_what_it_says_is_refused() {
    for (clause, code) in [
        // What is there already is not gained.
        ("[other] each lamp gains flames.", Code::WrongTarget),
        // Whose it is follows from who gains it.
        ("[whose] each lamp as L gains a new flame with wick L.", Code::WrongFigure),
        ("[nobody] each player gains a new flame with height 3.", Code::WrongSort),
        ("[card] each lamp gains a new lamp.", Code::WrongTarget),
        ("[loose] each lamp gains a new spark.", Code::NoHost),
        ("[loose] each lamp loses sparks.", Code::NoHost),
        // What is there may not hang on what is there.
        (
            "[self] while there is no flame on a lamp: each lamp gains a new flame with height 3.",
            Code::CircularModifiers,
        ),
        ("[twice] each lamp gains a new flame with height 3, height 4.", Code::WrongFigure),
    ] {
        let found = told(clause);
        assert!(found.contains(&code), "{clause}: {found:?}");
    }
}
