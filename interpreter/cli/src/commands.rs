//! The commands: a file for each, and the choice among them.

use netrep_compiler::Profile;
use netrep_ir::Severity;
use netrep_lab::Library;
use netrep_lab::ablate::Which;
use netrep_lab::why::Question;

use crate::args::{Cli, Command};
use crate::output::{Show, count};
use crate::{Outcome, Wrong, here};

mod ablate;
mod ask;
mod check;
mod compare;
mod coverage;
mod explain;
mod fmt;
mod impact;
mod play;
mod replay;
mod rulings;
mod show;
mod simulate;
mod test;
mod try_card;
mod watch;
mod why;
mod words;

/// Does what the command line says.
pub fn run(cli: Cli, show: &Show) -> Result<Outcome, Wrong> {
    if let Some(Command::Explain { code }) = &cli.command {
        return explain::explain(show, code.as_deref());
    }
    let root = match cli.root {
        Some(root) if root.is_dir() => root,
        Some(root) => return Err(Wrong::Usage(format!("{} is not a folder", root.display()))),
        None => here().and_then(|here| Library::find_root(&here)).ok_or_else(|| {
            Wrong::Usage("no folder from here upwards has `rules/` and `cards/`; name one with --root".to_owned())
        })?,
    };
    if let Some(Command::Fmt { check, paths }) = &cli.command {
        return fmt::fmt(show, &root, paths, *check);
    }
    if let Some(Command::Watch { paths, readings, once, jobs }) = &cli.command {
        return watch::watch(show, &root, paths, &readings.profile(), *once, *jobs);
    }
    let library = Library::open(&root)?;
    match cli.command {
        None => replay::example(show, &library),
        Some(Command::Check { readings }) => Ok(check::check(show, &library, &readings.profile())),
        Some(Command::Test { paths, readings, jobs }) => test::test(show, &library, &paths, &readings.profile(), jobs),
        Some(Command::Replay { file, readings, trace }) => {
            replay::replay(show, &library, file, &readings.profile(), trace)
        }
        Some(Command::Show { name, readings }) => show::show_name(show, &library, &name.join(" "), &readings.profile()),
        Some(Command::Rulings { about, readings }) => {
            rulings::list_rulings(show, &library, about.as_deref(), &readings.profile())
        }
        Some(Command::Words { pattern, all }) => words::list_words(show, &library, &pattern.join(" "), all),
        Some(Command::Try { card, readings }) => {
            try_card::try_cards(show, &library, &card.join(" "), &readings.profile())
        }
        Some(Command::Impact(asked)) => impact::impact(show, &library, &asked),
        Some(Command::Compare(asked)) => compare::compare_files(show, &library, &asked),
        Some(Command::Why { file, step, scenario, number, attempt, readings }) => {
            let question = Question { step, number, attempt };
            why::explain_step(show, &library, file, scenario.as_deref(), &question, &readings.profile())
        }
        Some(Command::Ask { file, alone, readings }) => ask::ask_file(show, &library, file, &readings.profile(), alone),
        Some(Command::Simulate(asked)) => simulate::simulated(show, &library, &asked, &asked.readings.profile()),
        Some(Command::Coverage { quick }) => coverage::coverage(show, &library, quick),
        Some(Command::Play { file, scenario, after, seed, seats, readings }) => {
            let wanted = play::Wanted { scenario, after, seed, seats, profile: readings.profile() };
            play::play(show, &library, file, &wanted)
        }
        Some(Command::Ablate { items, one_in }) => {
            ablate::ablate_items(show, &library, Which { items: &items, one_in })
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
