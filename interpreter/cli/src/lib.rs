//! The netrep program: reads the command line, asks the compiler and the lab, prints the answer.
//!
//! Exit status: 0 clean, 1 something is wrong with the data or a scenario, 2 the command line is wrong.

mod again;
mod args;
mod citations;
mod commands;
mod data;
mod names;
mod output;
mod reply;
mod scenarios;

pub use commands::play;

use std::process::ExitCode;

use again::Asked;
use args::{Cli, Format};
use clap::Parser;
use clap::error::ErrorKind;
use commands::cache;
use data::Root;
use netrep::Error;
use netrep_compiler::Diagnostic;
use netrep_ir::Place;
use output::Show;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing is wrong.
    Clean,
    /// Something is, and has been printed.
    Faulty,
}

impl Outcome {
    /// Clean or not.
    pub(crate) fn of(clean: bool) -> Outcome {
        if clean { Outcome::Clean } else { Outcome::Faulty }
    }

    /// As an exit status.
    pub(crate) fn status(self) -> u8 {
        match self {
            Outcome::Clean => 0,
            Outcome::Faulty => 1,
        }
    }
}

/// Why a command could not be carried out.
#[derive(Debug)]
pub(crate) enum Wrong {
    /// The command line.
    Usage(String),
    /// A file cannot be read or written.
    File(std::io::Error),
    /// Errors that have places.
    Diags(Vec<Diagnostic>),
}

impl From<std::io::Error> for Wrong {
    fn from(error: std::io::Error) -> Wrong {
        Wrong::File(error)
    }
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Wrong {
        if error.diagnostics.is_empty() {
            return Wrong::Usage(error.message);
        }
        let place = |place: &netrep::Place| Place {
            file: place.file.as_str().into(),
            start: place.bytes.start,
            end: place.bytes.end,
        };
        let diag = |found: &netrep::Diagnostic| {
            let (main, others) = found.places.split_first()?;
            let diag = Diagnostic::new(found.code, place(main), &found.message).label(&main.text);
            let diag = others.iter().fold(diag, |diag, other| diag.and(place(other), &other.text));
            Some(Diagnostic { help: found.help.clone(), ..diag })
        };
        Wrong::Diags(error.diagnostics.iter().filter_map(diag).collect())
    }
}

/// Does what the command line says. Gives the exit status.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(unread(&error)),
    };
    let command = match &cli.command {
        Some(command) => command.name(),
        None => "replay",
    };
    let show = Show::new(cli.format, command);
    let root = match Root::of(cli.root.as_deref()) {
        Ok(root) => root,
        Err(wrong) => return ExitCode::from(show.fail(wrong, &|_| None)),
    };
    let store = cache::store(&cli);
    let asked = Asked::of(&cli, &root, &show, store.as_ref());
    if let Some((said, status)) = asked.as_ref().and_then(Asked::answer) {
        said.into_iter().for_each(|said| show.say(said));
        return ExitCode::from(status);
    }
    if asked.is_some() {
        show.remember();
    }
    let status = match commands::run(cli.command, &root, store.as_ref(), &show) {
        Ok(outcome) => {
            if let Some((asked, said)) = asked.zip(show.remembered()) {
                asked.keep(&(said, outcome.status()));
            }
            outcome.status()
        }
        Err(wrong) => show.fail(wrong, &|file| root.text(file)),
    };
    ExitCode::from(status)
}

/// A command line that is not read as a command: a mistake, or a call for help. Gives the exit status.
fn unread(error: &clap::Error) -> u8 {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let json = words.iter().any(|word| word == "--format=json")
        || words.windows(2).any(|pair| matches!(pair, [option, value] if option == "--format" && value == "json"));
    let help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if !json {
        let _ = error.print();
        return if help { 0 } else { 2 };
    }
    let show = Show::new(Format::Json, "netrep");
    let text = error.to_string();
    if help {
        return show.reply(Outcome::Clean, &reply::Help { text }, || ()).status();
    }
    show.fail(Wrong::Usage(text.trim().to_owned()), &|_| None)
}
