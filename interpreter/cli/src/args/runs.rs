//! What is asked of the commands that play many scenarios or whole games.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use netrep_compiler::layers::date::Date;
use netrep_lab::simulate::{Plan, Player};
use serde::Serialize;

use super::Readings;

/// Who answers for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Who {
    /// A person, who is asked.
    Me,
    /// Any option, by the seed.
    Random,
    /// What is worth most by the valuation of the data.
    Greedy,
}

/// `NAME=me`, `NAME=random` or `NAME=greedy`.
fn seat(text: &str) -> Result<(String, Who), String> {
    let (name, who) = text.split_once('=').ok_or("write NAME=me, NAME=random or NAME=greedy")?;
    let who = match who.trim() {
        "me" => Who::Me,
        "random" => Who::Random,
        "greedy" => Who::Greedy,
        other => return Err(format!("`{other}` is neither `me` nor `random` nor `greedy`")),
    };
    Ok((name.trim().to_owned(), who))
}

/// What is to be played, and by whom.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Play {
    /// A Markdown file with a `position` or `scenario` block, or a saved game
    #[arg(required_unless_present = "decks")]
    pub file: Option<PathBuf>,
    /// A whole game instead, between these decks: names, or files with one deck
    #[arg(long, value_name = "DECK", num_args = 1.., conflicts_with_all = ["file", "scenario", "after"])]
    pub decks: Vec<String>,
    /// Write the game to this file, as a scenario that `netrep replay` and `netrep test` read
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Which one, if the file has several: a part of its name
    #[arg(long, value_name = "NAME")]
    pub scenario: Option<String>,
    /// Make so many steps of the scenario first (`netrep replay` numbers them)
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub after: usize,
    /// By what chance is keyed; else what the scenario says, else 1
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Who answers for whom: `NAME=me`, `NAME=random` or `NAME=greedy`, separated by commas; who is not named is `me`
    #[arg(long, value_name = "NAME=WHO", value_delimiter = ',', value_parser = seat)]
    pub seats: Vec<(String, Who)>,
    /// Which rules
    #[command(flatten)]
    pub readings: Readings,
}

/// What to compare.
#[derive(Args, Clone, Debug)]
pub(crate) struct Compare {
    /// Markdown files or folders (all below `tests/`, if none is given)
    pub paths: Vec<PathBuf>,
    /// An edition; name two or more (all of them, if neither editions nor rulings are named)
    #[arg(long = "edition", value_name = "ID")]
    pub editions: Vec<String>,
    /// A ruling: one column for each of its readings; may be repeated
    #[arg(long = "ruling", value_name = "RULING")]
    pub rulings: Vec<String>,
    /// Each edition also with only the readings that were known on a day
    #[arg(long, value_name = "DATE")]
    pub as_of: Vec<Date>,
    /// A row for every scenario, also where all agree
    #[arg(long)]
    pub all: bool,
    /// A row for every scenario in which something else happens, also where every verdict is the same
    #[arg(long)]
    pub course: bool,
    /// Tell of every scenario where its groups part (of a few it is told anyway)
    #[arg(long)]
    pub partings: bool,
    /// Threads; 0 = one for each processor
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub jobs: usize,
}

/// By whom whole games are played, and how many at a time.
#[derive(Args, Clone, Debug)]
pub(crate) struct By {
    /// Who plays
    #[arg(long, value_enum, default_value_t = Players::Random, value_name = "KIND")]
    pub players: Players,
    /// The seed of the first game; the others follow
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub seed: u64,
    /// Threads; 0 = one for each processor
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub jobs: usize,
}

impl By {
    /// So many games.
    pub(crate) fn plan(&self, games: u64) -> Plan {
        Plan { games, seed: self.seed, threads: self.jobs, player: self.players.player(), ..Plan::default() }
    }
}

/// The decks of whole games.
#[derive(Args, Clone, Debug)]
pub(crate) struct Between {
    /// The decks, one for each player in order: files, or names of decks in decks/
    #[arg(long, num_args = 1.., required = true, value_name = "DECK")]
    pub decks: Vec<String>,
}

/// Of what the impact is asked.
#[derive(Args, Clone, Debug)]
pub(crate) struct Impact {
    /// A ruling's id, or a file with a draft (`-`: standard input); every ruling, if there is none
    #[arg(value_name = "RULING|FILE")]
    pub what: Option<String>,
    /// The draft takes the place of this file of the data, as a whole
    #[arg(long = "as", value_name = "PATH", requires = "what")]
    pub place: Option<String>,
    /// Play so many whole games with and without
    #[arg(long, default_value_t = 0, value_name = "N", requires = "what")]
    pub games: u64,
    /// The decks, one for each player in order: files, or names of decks in decks/ (all of them, if none is named)
    #[arg(long, num_args = 1.., value_name = "DECK")]
    pub decks: Vec<String>,
    /// Who plays
    #[command(flatten)]
    pub by: By,
    /// Tell of every scenario
    #[arg(long)]
    pub all: bool,
    /// Which rules
    #[command(flatten)]
    pub readings: Readings,
}

/// What to simulate.
#[derive(Args, Clone, Debug)]
pub(crate) struct Simulate {
    /// How many games
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub games: u64,
    /// Between which decks
    #[command(flatten)]
    pub between: Between,
    /// Who plays
    #[command(flatten)]
    pub by: By,
    /// How the games are summed up
    #[arg(long = "summary", value_enum, default_value_t = Summing::Table, value_name = "HOW")]
    pub summing: Summing,
    /// Write a chart of the points to this file
    #[arg(long, value_name = "FILE.svg")]
    pub chart: Option<PathBuf>,
    /// Only play: try out no refusals, look at what must hold only at the end, play no game again from its record, shorten no
    /// failure
    #[arg(long)]
    pub quick: bool,
    /// Work out again what the engine works out faster than it is said, and compare: kept answers, columns and sums, the way
    /// back from each answer, what is offered
    #[arg(long)]
    pub verify: bool,
    /// Tell the time that it took: CPU seconds a game, decisions a second, listing and taking; and, counted in up to five of the
    /// games once more, which clauses are dear (`netrep cost` tells more)
    #[arg(long)]
    pub timing: bool,
    /// Which rules
    #[command(flatten)]
    pub readings: Readings,
}

/// Of what the cost is asked, and in which games.
#[derive(Args, Clone, Debug)]
pub(crate) struct Cost {
    /// Cards or rules, or clauses of them as messages cite them; else the dearest clauses of all
    #[arg(value_name = "ITEM")]
    pub items: Vec<String>,
    /// How many games
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub games: u64,
    /// Between which decks
    #[command(flatten)]
    pub between: Between,
    /// Who plays
    #[command(flatten)]
    pub by: By,
    /// How many clauses are shown, the dearest first; 0 = all
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub top: usize,
    /// Which rules
    #[command(flatten)]
    pub readings: Readings,
}

/// Kinds of player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Players {
    /// Any option.
    Random,
    /// The option after which the position is worth most, by the valuation of the data.
    Greedy,
}

impl Players {
    /// For a plan.
    fn player(self) -> Player {
        match self {
            Players::Random => Player::Random,
            Players::Greedy => Player::Greedy,
        }
    }
}

/// How games are summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Summing {
    /// Who won and how, how long it took, points, cards; with `--format json` every game too.
    Table,
    /// A line for each player of each game, with commas.
    Csv,
}
