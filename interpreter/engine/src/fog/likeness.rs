//! Numbering things by what is seen of them, never by their numbers in the game.
//!
//! Things that look alike are told apart by what they are related to, and so on until nothing new is told apart
//! (colour refinement). What is then left alike is a symmetry of the view: whichever comes first, the view is the
//! same. So the result is a function of what is seen, and a thing that was out of sight cannot be recognised.

use std::collections::BTreeMap;

use crate::position::set::ThingId;

/// What is seen of one thing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Likeness {
    pub thing: Option<ThingId>,
    /// How it looks by itself, most telling first: things are put in this order.
    pub looks: Vec<String>,
    /// What can be answered with it.
    pub answers: Vec<String>,
    /// What it is related to, by a word that says how. The order counts for nothing.
    pub ties: Vec<(String, ThingId)>,
}

/// For each place in the order of what is seen, the index of the likeness that comes there.
pub(crate) fn order(seen: &[Likeness]) -> Vec<usize> {
    let index: BTreeMap<ThingId, usize> = seen.iter().enumerate().filter_map(|(i, s)| Some((s.thing?, i))).collect();
    // Both ways: what is held is told apart by its holder, and the holder by what it holds.
    let mut ties: Vec<Vec<Tie>> = vec![Vec::new(); seen.len()];
    for (i, s) in seen.iter().enumerate() {
        for (how, t) in &s.ties {
            if let Some(to) = index.get(t) {
                ties[i].push((how, false, *to));
                ties[*to].push((how, true, i));
            }
        }
    }
    let mut colours = ranks(&seen.iter().map(|s| (&s.looks, &s.answers)).collect::<Vec<_>>());
    loop {
        colours = refined(colours, &ties);
        let Some(twin) = first_twin(&colours, seen) else { break };
        // A symmetry: one of them comes first, and what hangs on it follows.
        colours = colours.iter().enumerate().map(|(i, c)| 2 * c + usize::from(i != twin)).collect();
    }
    let mut order: Vec<usize> = (0..seen.len()).collect();
    order.sort_by_key(|i| colours[*i]);
    order
}

/// Ranks of keys, from 0, equal for equal keys.
fn ranks<K: Ord>(keys: &[K]) -> Vec<usize> {
    let mut sorted: Vec<&K> = keys.iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    keys.iter().map(|key| sorted.partition_point(|other| *other < key)).collect()
}

/// How two things are related, whether the other way round, and to which thing or colour.
type Tie<'a> = (&'a str, bool, usize);

fn refined(mut colours: Vec<usize>, ties: &[Vec<Tie>]) -> Vec<usize> {
    let mut kinds = 0;
    loop {
        let mut keys: Vec<(usize, Vec<Tie>)> = Vec::with_capacity(ties.len());
        for (i, ties) in ties.iter().enumerate() {
            let mut ties: Vec<Tie> = ties.iter().map(|t| (t.0, t.1, colours[t.2])).collect();
            ties.sort_unstable();
            keys.push((colours[i], ties));
        }
        colours = ranks(&keys);
        let now = colours.iter().map(|colour| colour + 1).fold(0, usize::max);
        if now == kinds {
            return colours;
        }
        kinds = now;
    }
}

/// Of the first colour that several things have, the thing with the lowest number in the game.
fn first_twin(colours: &[usize], seen: &[Likeness]) -> Option<usize> {
    let mut count = vec![0u32; colours.len()];
    colours.iter().for_each(|c| count[*c] += 1);
    let twins = (0..seen.len()).filter(|i| count[colours[*i]] > 1);
    twins.min_by_key(|i| (colours[*i], seen[*i].thing))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
