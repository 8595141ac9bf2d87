//! Edits of an item's text: what is found in it, and what is left when a clause is left out or a number moved.

use netrep_compiler::edit::{clauses, nudged, numbers, without};

const TEXT: &str = "card A-1 \"Lamp\" {\n    height 3.\n    [glow 2] this gets +1 height.\n}";

#[test]
fn a_clause_is_left_out_with_its_line() {
    let places = clauses(TEXT);
    assert_eq!(places.iter().map(|place| &*place.label).collect::<Vec<_>>(), ["", "glow"]);
    assert_eq!(without(TEXT, places[1].span).unwrap(), "card A-1 \"Lamp\" {\n    height 3.\n}");
}

#[test]
fn a_number_moves_and_a_marker_does_not() {
    let found = numbers(TEXT);
    assert_eq!(
        found.iter().map(|number| (number.value, number.clause)).collect::<Vec<_>>(),
        [(3, Some(0)), (1, Some(1))]
    );
    assert!(nudged(TEXT, &found[0], 1).unwrap().contains("height 4."));
    assert!(nudged(TEXT, &found[1], -1).unwrap().contains("+0 height"));
    assert_eq!(nudged(TEXT, &found[1], -2), None);
}

/// What a printed sentence masks is no number of play; what a printed figure is, is one.
#[test]
fn a_number_of_play_is_none_that_refers() {
    let text = "pattern tall by (number N) {\n    printed \"198f8135\" 2 N.\n    [a] printed height of this is 3.\n}";
    assert_eq!(numbers(text).iter().map(|number| number.value).collect::<Vec<_>>(), [3]);
}
