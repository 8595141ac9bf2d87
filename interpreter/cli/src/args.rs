//! The command line.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand, ValueEnum};
use netrep_compiler::Profile;

/// Checks, plays and explains the rules and cards of a data folder.
///
/// Without a command it replays the example game of the data folder and checks every fact that is stated there.
#[derive(Parser, Debug)]
#[command(name = "netrep", version, max_term_width = 100)]
pub struct Cli {
    /// The data folder; else the nearest one, from here upwards, with `rules/` and `cards/`
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// How results are printed
    #[arg(long, global = true, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub format: Format,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For reading.
    Human,
    /// For other programs: one JSON value.
    Json,
}

/// Which readings of the rules are in force.
#[derive(Args, Clone, Debug, Default)]
pub struct Readings {
    /// The edition, where the scenario names none; else the default one
    #[arg(long, value_name = "ID")]
    pub edition: Option<String>,
    /// Another reading of a ruling, such as `R-1=late`; may be repeated
    #[arg(long = "with", value_name = "RULING=READING", value_parser = reading)]
    pub with: Vec<(String, String)>,
    /// Leave a ruling out; may be repeated
    #[arg(long, value_name = "RULING")]
    pub without: Vec<String>,
}

fn reading(text: &str) -> Result<(String, String), String> {
    let (ruling, reading) = text.split_once('=').ok_or("write RULING=READING")?;
    Ok((ruling.to_owned(), reading.to_owned()))
}

impl Readings {
    /// As a profile.
    pub fn profile(&self) -> Profile {
        Profile {
            edition: self.edition.as_deref().map(Arc::from),
            with: self.with.iter().map(|(a, b)| (Arc::from(a.as_str()), Arc::from(b.as_str()))).collect(),
            without: self.without.iter().map(|a| Arc::from(a.as_str())).collect(),
        }
    }
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check all rules, cards, rulings and editions, and list everything that is wrong
    Check,
    /// Lay files out in the canonical way (all files of the data, if no path is given)
    Fmt {
        /// Change nothing; fail if a file would change
        #[arg(long)]
        check: bool,
        /// Files or folders
        paths: Vec<PathBuf>,
    },
    /// Run scenarios (all of `tests/`, if no path is given)
    Test {
        /// Markdown files or folders
        paths: Vec<PathBuf>,
        #[command(flatten)]
        readings: Readings,
        /// Threads; 0 = one for each processor
        #[arg(long, default_value_t = 0, value_name = "N")]
        jobs: usize,
    },
    /// Play the scenarios of a file step by step
    Replay {
        /// A Markdown file
        file: PathBuf,
        #[command(flatten)]
        readings: Readings,
        /// Print every entry of the trace
        #[arg(long)]
        trace: bool,
    },
    /// Run scenarios under several editions or readings, and show where they part
    Compare {
        /// A Markdown file or folder
        path: PathBuf,
        /// An edition; name two or more (all of them, if neither editions nor rulings are named)
        #[arg(long = "edition", value_name = "ID")]
        editions: Vec<String>,
        /// A ruling: one run for each of its readings; may be repeated
        #[arg(long = "ruling", value_name = "RULING")]
        rulings: Vec<String>,
    },
    /// Explain a step of a scenario: what allowed it, what else was possible, why not something else
    Why {
        /// A Markdown file
        file: PathBuf,
        /// The step, counted from 1; else the last one
        step: Option<usize>,
        /// Which scenario, if the file has several: a part of its name
        #[arg(long, value_name = "NAME")]
        scenario: Option<String>,
        /// Show how a number comes about after that step, such as `height of "Name"`
        #[arg(long, value_name = "PHRASE")]
        number: Option<String>,
        /// Ask about something that might be tried at that step, such as `Ann: play "Name"`
        #[arg(long, value_name = "NAME: WORDS")]
        attempt: Option<String>,
        #[command(flatten)]
        readings: Readings,
    },
    /// Say what may be done in a position, by whom and by which rule, and what is nearly possible
    Ask {
        /// A Markdown file with a `position` or `scenario` block
        file: PathBuf,
        #[command(flatten)]
        readings: Readings,
    },
    /// Leave out each clause, and move each number by one, and show what no scenario notices
    Ablate {
        /// Items (a card's id or a rule's number); all, if none is named
        items: Vec<String>,
    },
    /// Explain a diagnostic
    Explain {
        /// Its code; without it, all codes are listed
        code: Option<String>,
    },
}
