//! What the clients of a table cost: a game at random between two decks, in which at each decision the player who is asked
//! is sent his options and every player his view.
//!
//! `cargo bench -p netrep --bench clients -- 3 1`: three games, from seed 1 on. The digest is of all that was sent: it is
//! the same before and after a change that only makes it faster.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;
use netrep::Data;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A small generator (xorshift), so that the same seed plays the same game.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n as u64).unwrap_or_default()
    }
}

/// What takes time, in the order in which it is told.
const ROWS: [&str; 5] =
    ["play on", "options of who is asked", "his view", "the views of the others", "all of it as JSON"];

fn main() {
    let mut said = std::env::args().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let (games, first) = (said.next().unwrap_or(3), said.next().unwrap_or(1));
    let data = Data::folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("the data");
    let setup = data.rules().table(&data.decks().expect("decks")[..2]).expect("a table");
    let (mut took, mut asked, mut digest) = ([Duration::ZERO; ROWS.len()], 0u32, 0);
    for seed in first..first + games {
        let mut table = setup.begin(seed);
        let mut chance = Chance(seed | 1);
        while let Some(seat) = table.asked() {
            asked += 1;
            let mut at = ThreadTime::now();
            let mut note = |row: usize| {
                took[row] += at.elapsed();
                at = ThreadTime::now();
            };
            let options = seat.options();
            note(1);
            let own = seat.view();
            note(2);
            let others = table.seats().into_iter().filter(|name| *name != seat.name());
            let others: Vec<_> = others.map(|name| table.seat(name).expect("a seat").view()).collect();
            note(3);
            let sent = serde_json::to_string(&(&options, &own, &others)).expect("plain data");
            note(4);
            digest = xxh3_64_with_seed(sent.as_bytes(), digest);
            // One answer in four is the last one: to pass or to decline, where one may.
            let n = if chance.below(4) == 0 { options.len() - 1 } else { chance.below(options.len()) };
            let mut at = ThreadTime::now();
            table.take(&options[n]).expect("what is offered is accepted");
            took[0] += at.elapsed();
            at = ThreadTime::now();
            drop((options, own, others));
            took[3] += at.elapsed();
        }
    }
    println!("{games} games from seed {first}, {asked} asked decisions, digest {digest:016x}; CPU a decision:");
    for (row, took) in ROWS.iter().zip(took) {
        println!("{:>10.1} µs {row}", took.as_secs_f64() * 1e6 / f64::from(asked.max(1)));
    }
}
