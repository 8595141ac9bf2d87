//! Numbering things by what is seen of them, never by their numbers in the game.
//!
//! Things that look alike are told apart by what they are related to, and so on until nothing new is told apart
//! (colour refinement). What is then left alike is a symmetry of the view: whichever comes first, the view is the
//! same. So the result is a function of what is seen, and a thing that was out of sight cannot be recognised.

use std::collections::BTreeMap;

use crate::position::set::ThingId;

/// What is seen of one thing.
#[derive(Clone, Debug, Default)]
pub struct Likeness {
    /// The thing.
    pub thing: Option<ThingId>,
    /// How it looks by itself, most telling first: things are put in this order.
    pub looks: Vec<String>,
    /// What can be answered with it.
    pub answers: Vec<String>,
    /// What it is related to, by a word that says how. The order counts for nothing.
    pub ties: Vec<(String, ThingId)>,
}

/// For each place in the order of what is seen, the index of the likeness that comes there.
pub fn order(seen: &[Likeness]) -> Vec<usize> {
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
