//! The netrep program: reads the command line, asks the compiler and the lab, prints the answer.
//!
//! Exit status: 0 clean, 1 something is wrong with the data or a scenario, 2 the command line is wrong.

mod args;
mod data;
mod play;
mod questions;
mod show;

use std::process::ExitCode;

use args::{Cli, Command};
use clap::Parser;
use netrep_compiler::load::read_text;
use netrep_ir::Diag;
use netrep_lab::Library;
use netrep_lab::why::Question;
use serde_json::json;
use show::{Show, summary};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is wrong.
    Clean,
    /// Something is, and has been printed.
    Faulty,
}

impl Outcome {
    /// Clean or not.
    pub fn of(clean: bool) -> Outcome {
        if clean { Outcome::Clean } else { Outcome::Faulty }
    }
}

/// Why a command could not be carried out.
#[derive(Debug)]
pub enum Wrong {
    /// The command line.
    Usage(String),
    /// A file cannot be read or written.
    File(std::io::Error),
    /// Errors that have places.
    Diags(Vec<Diag>),
}

impl From<std::io::Error> for Wrong {
    fn from(error: std::io::Error) -> Wrong {
        Wrong::File(error)
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let show = Show::new(cli.format);
    let root = cli.root.clone();
    match run(cli, &show) {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Faulty) => ExitCode::from(1),
        Err(Wrong::Usage(text)) => {
            eprintln!("netrep: {text}");
            ExitCode::from(2)
        }
        Err(Wrong::File(error)) => {
            eprintln!("netrep: {error}");
            ExitCode::from(2)
        }
        Err(Wrong::Diags(diags)) => {
            if show.json() {
                show.value(&json!({ "errors": diags }));
            } else {
                let library = root.or_else(|| here().and_then(|h| Library::find_root(&h))).unwrap_or_default();
                show.diags(&diags, &|file| read_text(&library.join(file)).ok());
                show.line(summary(&diags));
            }
            ExitCode::from(1)
        }
    }
}

fn here() -> Option<std::path::PathBuf> {
    std::env::current_dir().ok()
}

fn run(cli: Cli, show: &Show) -> Result<Outcome, Wrong> {
    if let Some(Command::Explain { code }) = &cli.command {
        return data::explain(show, code.as_deref());
    }
    let root = match cli.root {
        Some(root) if root.is_dir() => root,
        Some(root) => return Err(Wrong::Usage(format!("{} is not a folder", root.display()))),
        None => here().and_then(|here| Library::find_root(&here)).ok_or_else(|| {
            Wrong::Usage("no folder from here upwards has `rules/` and `cards/`; name one with --root".to_owned())
        })?,
    };
    if let Some(Command::Fmt { check, paths }) = &cli.command {
        return data::fmt(show, &root, paths, *check);
    }
    let library = Library::open(&root)?;
    match cli.command {
        None => play::example(show, &library),
        Some(Command::Check) => Ok(data::check(show, &library)),
        Some(Command::Test { paths, readings, jobs }) => play::test(show, &library, &paths, &readings.profile(), jobs),
        Some(Command::Replay { file, readings, trace }) => {
            play::replay(show, &library, file, &readings.profile(), trace)
        }
        Some(Command::Compare { path, editions, rulings }) => {
            questions::compare_files(show, &library, path, &editions, &rulings)
        }
        Some(Command::Why { file, step, scenario, number, attempt, readings }) => {
            let question = Question { step, number, attempt };
            questions::explain_step(show, &library, file, scenario.as_deref(), &question, &readings.profile())
        }
        Some(Command::Ask { file, readings }) => questions::ask_file(show, &library, file, &readings.profile()),
        Some(Command::Ablate { items }) => questions::ablate_items(show, library, &items),
        // Answered above, before the data is loaded.
        Some(Command::Fmt { .. } | Command::Explain { .. }) => Ok(Outcome::Clean),
    }
}
