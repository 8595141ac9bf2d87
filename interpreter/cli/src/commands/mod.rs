//! The commands: a file for each, and the choice among them.

use std::sync::Arc;

use netrep_compiler::Profile;
use netrep_lab::Library;
use netrep_lab::ablate::Which;
use netrep_lab::decks::Deck;
use netrep_lab::prepare::Prepared;
use netrep_lab::problem::is_of_a_profile;
use netrep_lab::why::Question;
use netrep_store::Store;

use crate::args::Command;
use crate::data::Root;
use crate::output::{Show, count};
use crate::{Outcome, Wrong};

mod ablate;
mod ask;
pub(crate) mod cache;
mod check;
mod compare;
mod cost;
mod coverage;
mod explain;
mod fmt;
mod impact;
pub mod play;
mod printed;
mod replay;
mod rulings;
mod show;
mod simulate;
mod test;
mod try_card;
mod upgrade;
mod watch;
mod why;
mod words;

/// Does what the command line says.
pub(crate) fn run(
    command: Option<Command>,
    root: &Root,
    store: Option<&Arc<Store>>,
    show: &Show,
) -> Result<Outcome, Wrong> {
    // What does without the compiler, or looks at the files itself.
    match &command {
        Some(Command::Explain { code }) => return explain::explain(show, code.as_deref()),
        Some(Command::Fmt { check, sort, factor, upgrade, paths }) => {
            let how = fmt::How { only_check: *check, sort: *sort, factor: *factor, upgrade: *upgrade };
            return fmt::fmt(show, root.folder()?, paths, how);
        }
        Some(Command::Watch { paths, readings, once, jobs }) => {
            return watch::watch(show, root.folder()?, paths, &readings.profile(), *once, *jobs);
        }
        Some(Command::Play(asked)) => return play::play(show, &root.data(store)?, asked),
        Some(Command::Cache { what }) => return cache::tell_cache(show, store, *what),
        _ => {}
    }
    let library = root.library(store)?;
    let outcome = asked_of(&library, command, show);
    library.leave();
    outcome
}

/// Does what is asked of the data.
fn asked_of(library: &Library, command: Option<Command>, show: &Show) -> Result<Outcome, Wrong> {
    match command {
        None => replay::example(show, library),
        Some(Command::Check { readings, advice }) => check::check(show, library, &readings.profile(), advice),
        Some(Command::Test { paths, readings, jobs }) => test::test(show, library, &paths, &readings.profile(), jobs),
        Some(Command::Replay { file, readings, trace }) => {
            replay::replay(show, library, file, &readings.profile(), trace)
        }
        Some(Command::Show { name, expanded: true, readings }) => {
            show::show_expanded(show, library, &name.join(" "), &readings.profile())
        }
        Some(Command::Show { name, readings, .. }) => show::show_names(show, library, &name, &readings.profile()),
        Some(Command::Printed { database, id }) => printed::compare_printed(show, library, &database, id.as_deref()),
        Some(Command::Rulings { about, readings }) => {
            rulings::list_rulings(show, library, about.as_deref(), &readings.profile())
        }
        Some(Command::Words { after: Some(after), .. }) => words::list_next(show, library, &after),
        Some(Command::Words { pattern, all, .. }) => words::list_words(show, library, &pattern.join(" "), all),
        Some(Command::Try { card, readings }) => {
            try_card::try_cards(show, library, &card.join(" "), &readings.profile())
        }
        Some(Command::Impact(asked)) => impact::impact(show, library, &asked),
        Some(Command::Compare(asked)) => compare::compare_files(show, library, &asked),
        Some(Command::Why { file, step, scenario, number, attempt, readings }) => {
            let question = Question { step, number, attempt };
            why::explain_step(show, library, file, scenario.as_deref(), &question, &readings.profile())
        }
        Some(Command::Ask { file, alone, readings }) => ask::ask_file(show, library, file, &readings.profile(), alone),
        Some(Command::Simulate(asked)) => simulate::simulated(show, library, &asked, &asked.readings.profile()),
        Some(Command::Cost(asked)) => cost::count_costs(show, library, &asked),
        Some(Command::Coverage { quick }) => coverage::coverage(show, library, quick),
        Some(Command::Ablate { items, one_in }) => ablate::ablate_items(show, library, Which { items: &items, one_in }),
        // Answered above, before the data is loaded.
        Some(
            Command::Fmt { .. }
            | Command::Explain { .. }
            | Command::Watch { .. }
            | Command::Play(_)
            | Command::Cache { .. },
        ) => Ok(Outcome::Clean),
    }
}

/// Refuses a profile that names what does not exist, and says if the data have errors that the command does without.
pub(crate) fn look_at(show: &Show, library: &Library, profile: &Profile) -> Result<(), Wrong> {
    let diags = library.compiler.problems(profile);
    let errors = || diags.iter().filter(|diag| diag.is_error());
    if let Some(diag) = diags.iter().find(|diag| is_of_a_profile(diag)) {
        let help: String = diag.help.iter().map(|help| format!("; {help}")).collect();
        return Err(Wrong::Usage(format!("{}{help}", diag.message)));
    }
    warn_of(show, errors().count());
    Ok(())
}

/// The decks of these names or files; without any, all.
pub(crate) fn decks_named(library: &Library, names: &[String]) -> Result<Vec<Deck>, Wrong> {
    let named = names.iter().map(|name| library.deck(name));
    let decks = if names.is_empty() { library.all_decks() } else { named.collect() };
    decks.map_err(Wrong::Diags)
}

/// The position in which a game between these decks begins.
pub(crate) fn seated(library: &Library, names: &[String], profile: &Profile) -> Result<Prepared, Wrong> {
    library.table(&decks_named(library, names)?, profile).map_err(Wrong::Diags)
}

/// Says if the data have errors that the command does without.
fn warn_of(show: &Show, errors: usize) {
    if errors > 0 {
        let errors = count(errors, "error", "errors");
        show.warn(format!(
            "the data have {errors} (see `netrep check`); this goes without the items in which they are"
        ));
    }
}
