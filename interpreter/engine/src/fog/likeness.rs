//! Numbering things by what is seen of them, never by their numbers in the game.
//!
//! Things that look alike are told apart by what they are related to, and so on until nothing new is told apart
//! (colour refinement). What is then left alike is a symmetry of the view: whichever comes first, the view is the
//! same. So the result is a function of what is seen, and a thing that was out of sight cannot be recognised.

use rustc_hash::FxHashMap;

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
    let keys: Vec<_> = seen.iter().map(|s| (&s.looks, &s.answers)).collect();
    let things: Vec<Option<ThingId>> = seen.iter().map(|s| s.thing).collect();
    let ties = seen.iter().enumerate().flat_map(|(i, s)| s.ties.iter().map(move |(how, to)| (i, how.as_str(), *to)));
    arranged(&keys, &things, ties)
}

/// The same of what is seen as keys that are in the order of looks: who is tied to what, and how, is said apart.
pub(crate) fn arranged<'s, K: Ord>(
    keys: &[K],
    things: &[Option<ThingId>],
    tied: impl Iterator<Item = (usize, &'s str, ThingId)>,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    let mut colours = ranks(keys);
    // Where all look different, what they are related to tells nothing more.
    if count(&colours).iter().any(|same| *same > 1) {
        let index: FxHashMap<ThingId, usize> =
            things.iter().enumerate().filter_map(|(i, thing)| Some(((*thing)?, i))).collect();
        // Both ways: what is held is told apart by its holder, and the holder by what it holds.
        let mut ties: Vec<Vec<Tie>> = vec![Vec::new(); keys.len()];
        for (i, how, thing) in tied {
            if let Some(to) = index.get(&thing) {
                ties[i].push((how, false, *to));
                ties[*to].push((how, true, i));
            }
        }
        loop {
            colours = refined(colours, &ties);
            let Some(twin) = first_twin(&colours, things) else { break };
            // A symmetry: one of them comes first, and what hangs on it follows.
            colours = colours.iter().enumerate().map(|(i, c)| 2 * c + usize::from(i != twin)).collect();
        }
    }
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
        // As ranks they are below the number of things.
        colours = ranks(&colours);
        let same = count(&colours);
        let mut keys: Vec<(usize, Vec<Tie>)> = Vec::with_capacity(ties.len());
        for (i, ties) in ties.iter().enumerate() {
            // What looks like nothing else is told apart already.
            let mut ties: Vec<Tie> =
                if same[colours[i]] > 1 { ties.iter().map(|t| (t.0, t.1, colours[t.2])).collect() } else { Vec::new() };
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

/// How many things have each colour, by colour: as ranks they are below the number of things.
fn count(colours: &[usize]) -> Vec<u32> {
    let mut count = vec![0u32; colours.len()];
    colours.iter().for_each(|c| count[*c] += 1);
    count
}

/// Of the first colour that several things have, the thing with the lowest number in the game.
fn first_twin(colours: &[usize], things: &[Option<ThingId>]) -> Option<usize> {
    let count = count(colours);
    let twins = (0..things.len()).filter(|i| count[colours[*i]] > 1);
    twins.min_by_key(|i| (colours[*i], things[*i]))
}
