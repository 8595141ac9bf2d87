//! The same games under two programs: by how much results shift, and how sure that is.
//!
//! Games of one seed roll the same dice for the same subjects and take the same choices as long as both programs offer
//! them, so that most of the chance is in both and falls out of the difference.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Played;

/// What came of games under two programs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Shifts {
    /// How many games were played under both.
    pub games: usize,
    /// How many of them came out otherwise in anything.
    pub departed: usize,
    /// What shifted; nothing of what stayed the same in every game.
    pub shifts: Vec<Shift>,
}

/// By how much something shifts on average.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shift {
    /// Whose; empty for the game.
    pub player: String,
    /// What: a number that is reported, `share of OUTCOME`, `decisions`, `length`.
    pub what: String,
    /// The average before.
    pub before: f64,
    /// The average after.
    pub after: f64,
    /// The average difference.
    pub difference: f64,
    /// Where the difference lies, 19 times in 20: the least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

impl Shift {
    /// True if it is not only chance, 19 times in 20.
    pub fn is_sure(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// What can be measured of a game: whose and what, and how much.
fn measured(game: &Played) -> BTreeMap<(String, String), f64> {
    let mut found = BTreeMap::new();
    let own = |what: &str| (String::new(), what.to_owned());
    found.insert(own("decisions"), whole(game.decisions));
    found.insert(own("length"), game.clock as f64);
    for seat in &game.seats {
        if !seat.outcome.is_empty() {
            found.insert((seat.name.clone(), format!("share of {}", seat.outcome)), 1.0);
        }
        for (what, points) in &seat.points {
            found.insert((seat.name.clone(), what.clone()), f64::from(*points));
        }
    }
    found
}

fn whole(n: u64) -> f64 {
    n as f64
}

/// Compares games under two programs, those of one seed with each other.
pub fn shifts(before: &[Played], after: &[Played]) -> Shifts {
    let later: BTreeMap<u64, &Played> = after.iter().map(|game| (game.seed, game)).collect();
    let pairs: Vec<(&Played, &Played)> =
        before.iter().filter_map(|game| Some((game, *later.get(&game.seed)?))).collect();
    let departed = pairs.iter().filter(|(one, other)| one != other).count();
    let both: Vec<_> = pairs.iter().map(|(one, other)| (measured(one), measured(other))).collect();
    let mut keys: Vec<&(String, String)> =
        both.iter().flat_map(|(one, other)| one.keys().chain(other.keys())).collect();
    keys.sort();
    keys.dedup();
    let shift = |key: &(String, String)| {
        // total: an outcome that a game did not have counts as none of it.
        let of = |game: &BTreeMap<(String, String), f64>| game.get(key).copied().unwrap_or_default();
        let values: Vec<(f64, f64)> = both.iter().map(|(one, other)| (of(one), of(other))).collect();
        shifted(key, &values)
    };
    let shifts = keys.into_iter().map(shift).filter(|one| one.difference != 0.0 || one.low != one.high).collect();
    Shifts { games: pairs.len(), departed, shifts }
}

fn shifted((player, what): &(String, String), values: &[(f64, f64)]) -> Shift {
    let n = whole(values.len() as u64).max(1.0);
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| values.iter().map(of).sum::<f64>() / n;
    let (before, after, difference) = (mean(&|v| v.0), mean(&|v| v.1), mean(&|v| v.1 - v.0));
    let spread = values.iter().map(|v| (v.1 - v.0 - difference).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let half = if values.len() < 2 { 0.0 } else { quantile(n - 1.0) * (spread / n).sqrt() };
    let (low, high) = (difference - half, difference + half);
    Shift { player: player.clone(), what: what.clone(), before, after, difference, low, high }
}

/// Student's t for 95 in 100 (two-sided), by the first terms of its expansion around the normal distribution.
fn quantile(degrees: f64) -> f64 {
    let z: f64 = 1.959_964;
    let (z3, z5) = (z.powi(3), z.powi(5));
    z + (z3 + z) / (4.0 * degrees) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * degrees.powi(2))
}
