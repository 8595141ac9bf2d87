//! A bot that plays both seats of a whole game at random, or so many answers of it:
//! `cargo run --release -p netrep --example random_bot -- 7 100`.

use netrep::{Data, Error};

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

fn main() -> Result<(), Error> {
    let mut said = std::env::args().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let (seed, most) = (said.next().unwrap_or(7), said.next().unwrap_or(u64::MAX));
    let data = Data::built_in();
    let mut table = data.rules().table(&data.decks()?[..2])?.begin(seed);
    let mut chance = Chance(seed | 1);
    while table.asked().is_some() && (table.answers().len() as u64) < most {
        let options = table.options();
        // One answer in four is the last one: to pass or to decline, where one may.
        let n = if chance.below(4) == 0 { options.len() - 1 } else { chance.below(options.len()) };
        table.take(&options[n])?;
    }
    println!("{} answers, position {:016x}", table.answers().len(), table.hash());
    for (player, numbers) in table.scores() {
        println!("{player}: {numbers:?}");
    }
    Ok(())
}
