//! Classes that are given by a condition, and things that take over the figures of others.

use netrep_diagnostics::Code;

use crate::common::{WORDS, codes, errors, pointed, with_file};

const FILE: &str = "rules/zz.rules";

/// A class by a condition, one that is a part of it, and things that are made.
const KINDS: &str = "
class sooty lamp, sooty lamps of (lamp L): L is dusty and height of L > 2.
class sooty red lamp, sooty red lamps: sooty lamp with colour Red.
class flame, flames.
class wild flame, wild flames: flame with temper Wild.
class tame flame, tame flames: flame with temper Calm, Sleepy.
class great flame, great flames of (flame F): height of F > 5.
list temper { Wild. Calm. Sleepy. }
state temper of flame: temper.
state height of flame: number.
state source of flame: card.
verb (player P) light, lights, lit (card C).
";

/// The codes of a rule's clause beside these kinds.
fn told(clause: &str) -> Vec<Code> {
    codes(&with_file(FILE, &format!("{KINDS}rule 7 \"Kinds\" {{ {clause} }}")).check())
}

#[test]
fn a_class_by_a_condition_stands_wherever_a_class_does() {
    for clause in [
        "[plural] sooty lamps get +1 height.",
        "[each] each Red sooty lamp beside a vase gets -1 height.",
        "[below] each sooty red lamp gets -1 height.",
        "[event] when a sooty lamp as L is washed: break L.",
        "[predicate] when a card as C is washed if C is a sooty lamp: break C.",
        "[denied] when a lamp as L is washed if L is not a sooty lamp: break L.",
        "[norm] a sooty lamp cannot be broken.",
        "[counted] when a lamp as L is washed if there are at least 2 sooty lamps beside L: break L.",
        "[one] procedure dusting for (player P) { steps all. } step all of dusting { P chooses a sooty lamp as L; wash L. }",
        "[whole] procedure waning for (sooty lamp L) { steps all. } step all of waning { wash L. }",
    ] {
        let found = told(clause);
        // Whether the height of a sooty lamp can hang on being one is told as of every other word.
        let circles = clause.contains("height").then_some(Code::CircularModifiers);
        assert!(found.iter().all(|code| Some(*code) == circles), "{clause}: {found:?}");
        assert_eq!(found.is_empty(), circles.is_none(), "{clause}: {found:?}");
    }
}

#[test]
fn a_condition_that_cannot_be_read_is_told_where_the_class_is_declared() {
    for (class, code) in [
        ("class dull lamp, dull lamps of (lamp L): L is gloomy.", Code::UnknownWord),
        ("class dull lamp, dull lamps of (lamp L): it is dusty.", Code::UnboundIt),
        ("class dull lamp, dull lamps of (lantern L): L is dusty.", Code::UnknownWord),
        ("class dull lamp, dull lamps of (lamp L).", Code::BadDeclaration),
    ] {
        let text = format!("{class}\nrule 7 \"Dull\" {{ [dull] a dull lamp cannot be broken. }}");
        let compiler = with_file(FILE, &text);
        let diags = compiler.check();
        let found = errors(&diags);
        assert!(!found.is_empty() && found.iter().all(|diag| diag.code == code), "{class}: {found:#?}");
        assert!(found.iter().all(|diag| (diag.place.start as usize) < class.len()), "{class}: {found:#?}");
    }
}

#[test]
fn what_is_asked_of_a_class_by_a_condition_may_never_hold() {
    for never in ["L is clean", "L is Red and height of L < 2"] {
        let clause = format!("[never] when a sooty lamp as L is washed if {never}: break L.");
        assert_eq!(told(&clause), [Code::NeverHolds], "{never}");
    }
    assert_eq!(told("[may] when a sooty lamp as L is washed if height of L < 9: break L."), []);
    // What is no sooty lamp may be clean, or low.
    assert_eq!(told("[other] when a lamp as L is washed if L is not a sooty lamp and L is clean: break L."), []);
}

#[test]
fn what_is_printed_does_not_hang_on_a_condition() {
    let text = format!("{KINDS}figure soot of card: number, on sooty lamp.");
    let compiler = with_file(FILE, &text);
    let diags = compiler.check();
    let found = errors(&diags);
    assert_eq!(found.iter().map(|diag| diag.code).collect::<Vec<_>>(), [Code::WrongSort]);
    assert_eq!(pointed(&compiler, &found[0].place), "sooty lamp");
    assert!(WORDS.contains("class lamp, lamps"));
}

/// The statements of a rule about a lamp `C` that is washed.
fn done(statements: &str) -> Vec<Code> {
    told(&format!("[made] when a lamp as C is washed: {{ {statements}; remove F }}."))
}

#[test]
fn a_new_thing_is_one_of_its_class() {
    assert_eq!(done("let F be a new wild flame with height 3"), []);
    assert_eq!(done("let F be a new tame flame with temper Sleepy"), []);
    for open in ["tame flame", "great flame"] {
        assert_eq!(done(&format!("let F be a new {open} with height 3")), [Code::WrongSort], "{open}");
    }
}

#[test]
fn figures_are_taken_over_from_one_known_thing_that_has_some() {
    assert_eq!(done("let F be a new flame from C"), []);
    assert_eq!(done("let F be a new flame from C with height 3, source C"), []);
    // Nothing is printed on players that a flame has too.
    assert_eq!(done("let F be a new flame from owner of C"), [Code::NothingFollows]);
    for (several, code) in [("lamps", Code::WrongDeterminer), ("a lamp", Code::ChoiceWithoutChooser)] {
        assert_eq!(done(&format!("let F be a new flame from {several}")), [code], "{several}");
    }
}
