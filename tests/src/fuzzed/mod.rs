//! What `fuzz/` does with mutated files and saves, and more that comes from elsewhere: by seeds, so that every run is the same
//! and a long one can be divided and resumed.
//!
//! ```text
//! mutated    items of the data, changed: parsed, laid out, compiled as edits
//! written    items from the table of forms, compiled, placed in a position and played
//! saves      saved games, changed
//! elsewhere  decks, scripts and whole folders
//! ```
//!
//! `SEEDS=FROM..TO` says which seeds; without it a sample is made. Now and then it is told how far it is and what has come of
//! the inputs so far (`--nocapture`), so that a run which was stopped goes on from there. What takes longer than [`PATIENCE`]
//! ends the program, with its seed.

mod elsewhere;
mod mutated;
mod saves;
#[path = "../../../fuzz/targets.rs"]
pub(crate) mod targets;
mod written;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Numbers that look random and are the same in every run.
pub(crate) struct Numbers(u64);

impl Numbers {
    /// Those of a seed: seeds that follow each other have nothing in common.
    pub(crate) fn of(seed: u64) -> Numbers {
        let mut numbers = Numbers((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..4).for_each(|_| _ = numbers.below(2));
        numbers
    }

    /// A number below another; 0 of none.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

/// What is put into texts: what means something to the language or to a saved game, and what means nothing.
const PIECES: &[&str] = &[
    "",
    "",
    "",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ".",
    "\"",
    "'",
    "'s",
    ";",
    ",",
    ":",
    "//",
    "/",
    "-",
    " ",
    "\n",
    "\r\n",
    "\n    ",
    "\ncard A-1 \"x\" {\n",
    "\n}\n",
    "{ }",
    " or ",
    "2.IV.iii",
    "3rd",
    "g.x",
    "99999999999999999999",
    "-1",
    "0",
    "é",
    "“",
    "_",
    "\u{301}",
    "\u{FEFF}",
    "\u{A0}",
    "🙂",
    "\u{0}",
    "null",
    "[]",
    "true",
];

/// A text with up to four places changed.
fn mutated(text: &str, numbers: &mut Numbers) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(chars.len() + 1);
        let end = (at + numbers.below(4)).min(chars.len());
        chars.splice(at..end, PIECES[numbers.below(PIECES.len())].chars());
    }
    chars.into_iter().collect()
}

/// What came of the inputs of some seeds: how many there were of each kind.
type Totals = BTreeMap<String, u64>;

/// So long may one input take; on a machine with other work, a thousand times as long as it should.
const PATIENCE: Duration = Duration::from_secs(300);

/// So often it is told how far it is.
const TOLD: Duration = Duration::from_secs(60);

/// The seeds that are asked for, else a sample.
fn seeds(sample: Range<u64>) -> Range<u64> {
    let asked = std::env::var("SEEDS").ok();
    let range = asked.as_deref().map(|seeds| {
        let (from, to) = seeds.split_once("..").expect("SEEDS=FROM..TO");
        from.parse().expect("a number")..to.parse().expect("a number")
    });
    range.unwrap_or(sample)
}

/// Calls a function for each seed that is asked for, with numbers of its own, and tells the totals of what it answers.
fn for_seeds<T: Into<String>>(what: &str, sample: u64, mut one: impl FnMut(u64, &mut Numbers) -> T) -> Totals {
    for_blocks(what, 0..sample, 1, |block, _, totals| {
        for seed in block {
            *totals.entry(one(seed, &mut Numbers::of(seed)).into()).or_default() += 1;
        }
    })
}

/// The same for blocks of seeds, which begin at multiples of their length; the function adds to the totals.
fn for_blocks(
    what: &str,
    sample: Range<u64>,
    length: u64,
    mut block: impl FnMut(Range<u64>, &Guard, &mut Totals),
) -> Totals {
    let range = seeds(sample);
    let guard = Guard::new(what);
    let (mut totals, mut from) = (Totals::new(), range.start);
    let (started, mut told) = (Instant::now(), Instant::now());
    let tell =
        |to: u64, totals: &Totals| println!("{what} {}..{to} in {:?}: {totals:#?}", range.start, started.elapsed());
    while from < range.end {
        let to = ((from / length + 1) * length).min(range.end);
        guard.begins(from);
        block(from..to, &guard, &mut totals);
        if told.elapsed() > TOLD {
            told = Instant::now();
            tell(to, &totals);
        }
        from = to;
    }
    tell(range.end, &totals);
    assert!(!totals.is_empty(), "no seed was asked for");
    totals
}

/// Ends the program where an input takes too long, because a test that hangs tells nothing, and tells the seed of a panic.
struct Guard {
    what: String,
    seed: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
}

impl Guard {
    fn new(what: &str) -> Guard {
        let guard =
            Guard { what: what.to_owned(), seed: Arc::new(AtomicU64::new(0)), over: Arc::new(AtomicBool::new(false)) };
        let (seed, over, what) = (Arc::clone(&guard.seed), Arc::clone(&guard.over), what.to_owned());
        std::thread::spawn(move || {
            // Looks are counted, not the time between them: a program that was stopped for a while has not hung.
            const LOOK: Duration = Duration::from_millis(200);
            let (mut last, mut looks) = (0, 0);
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(LOOK);
                let now = seed.load(Ordering::Relaxed);
                if now != last {
                    (last, looks) = (now, 0);
                    continue;
                }
                looks += 1;
                if LOOK * looks > PATIENCE {
                    eprintln!("{what}: seed {last} takes longer than {PATIENCE:?}");
                    std::process::abort();
                }
            }
        });
        guard
    }

    /// What follows is done for this seed.
    fn begins(&self, seed: u64) {
        self.seed.store(seed, Ordering::Relaxed);
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if std::thread::panicking() {
            eprintln!("{}: it was seed {}", self.what, self.seed.load(Ordering::Relaxed));
        }
    }
}
