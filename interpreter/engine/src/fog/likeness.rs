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
    order.sort_by(|one, other| keys[*one].cmp(&keys[*other]));
    let mut cells = Cells::new(order, |one, other| keys[one] == keys[other]);
    // Where all look different, what they are related to tells nothing more.
    if cells.first_several().is_some() {
        let ties = ties(&cells, things, tied);
        let all = cells.several().collect();
        cells.refine(&ties, all);
        // Of the first that look alike the one with the lowest number in the game comes first, and what hangs on it follows.
        while let Some(cell) = cells.first_several() {
            let others = cells.put_first(cell, things);
            let stale = cells.near(&ties, &others);
            cells.refine(&ties, stale);
        }
    }
    cells.order
}

/// How one thing is tied to another: by which word, in the order of words, and whether the other way round; and to which.
type Tie = (usize, usize);

/// The ties of what looks like something else, both ways: what is held is told apart by its holder, and the holder by what it
/// holds. What looks like nothing else is told apart already.
fn ties<'s>(
    cells: &Cells,
    things: &[Option<ThingId>],
    tied: impl Iterator<Item = (usize, &'s str, ThingId)>,
) -> Vec<Vec<Tie>> {
    let index: FxHashMap<ThingId, usize> =
        things.iter().enumerate().filter_map(|(i, thing)| Some(((*thing)?, i))).collect();
    let alike: Vec<bool> = (0..things.len()).map(|i| cells.len[cells.colours[i]] > 1).collect();
    let mut words: FxHashMap<&str, usize> = FxHashMap::default();
    let mut ties: Vec<Vec<Tie>> = vec![Vec::new(); things.len()];
    for (i, how, thing) in tied {
        let Some(to) = index.get(&thing).copied().filter(|to| alike[i] || alike[*to]) else { continue };
        let next = words.len();
        let word = *words.entry(how).or_insert(next);
        if alike[i] {
            ties[i].push((word * 2, to));
        }
        if alike[to] {
            ties[to].push((word * 2 + 1, i));
        }
    }
    let mut sorted: Vec<(&str, usize)> = words.into_iter().collect();
    sorted.sort_unstable();
    let mut place = vec![0; sorted.len()];
    sorted.iter().enumerate().for_each(|(at, (_, word))| place[*word] = at);
    ties.iter_mut().flatten().for_each(|(how, _)| *how = place[*how / 2] * 2 + *how % 2);
    ties
}

/// Things in order, in cells of those that are not told apart. The colour of a thing is where its cell begins.
struct Cells {
    order: Vec<usize>,
    colours: Vec<usize>,
    /// By beginning: how many there are in the cell.
    len: Vec<usize>,
}

impl Cells {
    fn new(order: Vec<usize>, same: impl Fn(usize, usize) -> bool) -> Cells {
        let mut cells = Cells { colours: vec![0; order.len()], len: vec![0; order.len()], order };
        let mut first = 0;
        for at in 0..cells.order.len() {
            if !same(cells.order[first], cells.order[at]) {
                first = at;
            }
            cells.colours[cells.order[at]] = first;
            cells.len[first] += 1;
        }
        cells
    }

    /// The cells of several things, by where they begin.
    fn several(&self) -> impl Iterator<Item = usize> {
        let next = |first: &usize| Some(first + self.len[*first].max(1)).filter(|next| *next < self.len.len());
        let all = std::iter::successors((!self.len.is_empty()).then_some(0), next);
        all.filter(|first| self.len[*first] > 1)
    }

    fn first_several(&self) -> Option<usize> {
        self.several().next()
    }

    /// Puts the thing with the lowest number first in a cell of its own; answers the others of that cell.
    fn put_first(&mut self, cell: usize, things: &[Option<ThingId>]) -> Vec<usize> {
        let len = self.len[cell];
        self.order[cell..cell + len].sort_unstable_by_key(|i| (things[*i], *i));
        (self.len[cell], self.len[cell + 1]) = (1, len - 1);
        let others = self.order[cell + 1..cell + len].to_vec();
        others.iter().for_each(|i| self.colours[*i] = cell + 1);
        others
    }

    /// The cells of several of which one is tied to one of some things.
    fn near(&self, ties: &[Vec<Tie>], changed: &[usize]) -> Vec<usize> {
        let near = changed.iter().flat_map(|i| ties[*i].iter().map(|tie| self.colours[tie.1]));
        let mut near: Vec<usize> = near.filter(|cell| self.len[*cell] > 1).collect();
        near.sort_unstable();
        near.dedup();
        near
    }

    /// Tells apart what is tied to other colours, until nothing new is told apart: at each turn by the colours of the last.
    fn refine(&mut self, ties: &[Vec<Tie>], mut stale: Vec<usize>) {
        while !stale.is_empty() {
            let mut split: Vec<(usize, usize)> = Vec::new();
            for cell in stale {
                let len = self.len[cell];
                let mut members: Vec<(Vec<Tie>, usize)> = self.order[cell..cell + len]
                    .iter()
                    .map(|i| {
                        let mut ties: Vec<Tie> = ties[*i].iter().map(|tie| (tie.0, self.colours[tie.1])).collect();
                        ties.sort_unstable();
                        (ties, *i)
                    })
                    .collect();
                members.sort_by(|one, other| one.0.cmp(&other.0));
                let mut first = cell;
                for (at, (ties, i)) in members.iter().enumerate() {
                    self.order[cell + at] = *i;
                    if at > 0 && members[at - 1].0 != *ties {
                        first = cell + at;
                    }
                    if first != cell {
                        split.push((*i, first));
                    }
                }
            }
            for (i, first) in &split {
                let from = &mut self.colours[*i];
                self.len[*from] -= 1;
                self.len[*first] += 1;
                *from = *first;
            }
            let changed: Vec<usize> = split.into_iter().map(|one| one.0).collect();
            stale = self.near(ties, &changed);
        }
    }
}
