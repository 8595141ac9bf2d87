//! The netrep program: reads the command line, asks the compiler and the lab, prints the answer.
//!
//! Exit status: 0 clean, 1 something is wrong with the data or a scenario, 2 the command line is wrong.

mod args;
mod comparing;
mod data;
mod impacting;
mod items;
mod measuring;
mod play;
mod playing;
mod questions;
mod reply;
mod show;
mod simulating;
mod trying;
mod watching;

use std::process::ExitCode;

use args::{Cli, Command, Format};
use clap::Parser;
use clap::error::ErrorKind;
use netrep_compiler::Profile;
use netrep_compiler::load::read_text;
use netrep_ir::{Diag, Severity};
use netrep_lab::Library;
use netrep_lab::ablate::Which;
use netrep_lab::why::Question;
use show::{Show, count};

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

    /// As an exit status.
    pub fn status(self) -> u8 {
        match self {
            Outcome::Clean => 0,
            Outcome::Faulty => 1,
        }
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
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(unread(&error)),
    };
    let show = Show::new(cli.format, cli.command.as_ref().map_or("replay", Command::name));
    let root = cli.root.clone();
    let status = match run(cli, &show) {
        Ok(outcome) => outcome.status(),
        Err(wrong) => {
            let root = root.or_else(|| here().and_then(|here| Library::find_root(&here))).unwrap_or_default();
            show.fail(wrong, &|file| read_text(&root.join(file)).ok())
        }
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
    if let Some(Command::Fmt { check, sort, paths }) = &cli.command {
        return data::fmt(show, &root, paths, data::Laying { only_check: *check, sort: *sort });
    }
    if let Some(Command::Watch { paths, readings, once, jobs }) = &cli.command {
        return watching::watch(show, &root, paths, &readings.profile(), *once, *jobs);
    }
    let library = Library::open(&root)?;
    match cli.command {
        None => play::example(show, &library),
        Some(Command::Check { readings }) => Ok(data::check(show, &library, &readings.profile())),
        Some(Command::Test { paths, readings, jobs }) => play::test(show, &library, &paths, &readings.profile(), jobs),
        Some(Command::Replay { file, readings, trace }) => {
            play::replay(show, &library, file, &readings.profile(), trace)
        }
        Some(Command::Show { name, readings }) => {
            items::show_name(show, &library, &name.join(" "), &readings.profile())
        }
        Some(Command::Rulings { about, readings }) => {
            items::list_rulings(show, &library, about.as_deref(), &readings.profile())
        }
        Some(Command::Words { pattern, all }) => items::list_words(show, &library, &pattern.join(" "), all),
        Some(Command::Try { card, readings }) => {
            trying::try_cards(show, &library, &card.join(" "), &readings.profile())
        }
        Some(Command::Impact(asked)) => impacting::impact(show, &library, &asked),
        Some(Command::Compare(asked)) => comparing::compare_files(show, &library, &asked),
        Some(Command::Why { file, step, scenario, number, attempt, readings }) => {
            let question = Question { step, number, attempt };
            questions::explain_step(show, &library, file, scenario.as_deref(), &question, &readings.profile())
        }
        Some(Command::Ask { file, alone, readings }) => {
            questions::ask_file(show, &library, file, &readings.profile(), alone)
        }
        Some(Command::Simulate(asked)) => simulating::simulated(show, &library, &asked, &asked.readings.profile()),
        Some(Command::Coverage { quick }) => measuring::coverage(show, &library, quick),
        Some(Command::Play { file, scenario, after, seed, seats, readings }) => {
            let wanted = playing::Wanted { scenario, after, seed, seats, profile: readings.profile() };
            playing::play(show, &library, file, &wanted)
        }
        Some(Command::Ablate { items, one_in }) => {
            questions::ablate_items(show, &library, Which { items: &items, one_in })
        }
        // Answered above, before the data is loaded.
        Some(Command::Fmt { .. } | Command::Explain { .. } | Command::Watch { .. }) => Ok(Outcome::Clean),
    }
}

/// Codes of what is wrong with a profile; what it asks for has no place in a file.
const ASKED_FOR: [&str; 3] = ["unknown-edition", "unknown-ruling", "unknown-reading"];

/// Refuses a profile that names what does not exist, and says if the data have errors that the command does without.
pub fn look_at(show: &Show, library: &Library, profile: &Profile) -> Result<(), Wrong> {
    let diags = library.compiler.link(profile).1;
    let errors = || diags.iter().filter(|diag| diag.severity == Severity::Error);
    if let Some(diag) = errors().find(|diag| ASKED_FOR.contains(&diag.code.as_str()) && diag.place.file.is_empty()) {
        let help = diag.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        return Err(Wrong::Usage(format!("{}{help}", diag.message)));
    }
    let broken = errors().count();
    if broken > 0 {
        let errors = count(broken, "error", "errors");
        show.warn(format!(
            "the data have {errors} (see `netrep check`); this goes without the items in which they are"
        ));
    }
    Ok(())
}
