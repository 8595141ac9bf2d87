//! Things are numbered by what is seen of them.

use netrep_engine::ThingId;
use netrep_engine::likeness::{Likeness, order};

fn like(thing: u16, looks: &str, ties: &[(&str, u16)]) -> Likeness {
    let ties = ties.iter().map(|(how, t)| ((*how).to_string(), ThingId(*t))).collect();
    Likeness { thing: Some(ThingId(thing)), looks: vec![looks.to_string()], answers: Vec::new(), ties }
}

/// Two twins with a token each, one token marked: the twins come in the order of their tokens, whatever the numbers.
#[test]
fn twins_are_told_apart_by_what_they_hold() {
    let one = [
        like(1, "twin", &[("holds", 3)]),
        like(2, "twin", &[("holds", 4)]),
        like(3, "token", &[]),
        like(4, "seal", &[]),
    ];
    let other = [
        like(2, "twin", &[("holds", 3)]),
        like(1, "twin", &[("holds", 4)]),
        like(3, "token", &[]),
        like(4, "seal", &[]),
    ];
    assert_eq!(order(&one), order(&other));
    assert_eq!(order(&one), [3, 2, 1, 0]);
}

/// Where nothing tells them apart, what hangs on the first comes first: the pairs stay together.
#[test]
fn symmetries_stay_together() {
    let pairs = |a: u16, b: u16| {
        [
            like(1, "twin", &[("holds", a)]),
            like(2, "twin", &[("holds", b)]),
            like(a, "token", &[]),
            like(b, "token", &[]),
        ]
    };
    for (a, b) in [(3, 4), (4, 3)] {
        let seen = pairs(a, b);
        let order = order(&seen);
        let at = |thing: u16| order.iter().position(|i| seen[*i].thing == Some(ThingId(thing))).unwrap();
        assert_eq!(at(a) < at(b), at(1) < at(2), "{order:?}");
    }
}
