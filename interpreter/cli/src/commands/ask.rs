//! `netrep ask`: what may be done in a position.

use std::path::PathBuf;
use std::sync::Arc;

use netrep_compiler::Profile;
use netrep_lab::Library;
use netrep_lab::ask::{Otherwise, Possible, ask, ask_across};
use serde::Serialize;

use crate::citations::show_tried;
use crate::commands::look_at;
use crate::output::Show;
use crate::scenarios::{ready, scenarios, tell_own};
use crate::{Outcome, Wrong};

/// So many options that an edition has more or less are named.
const OTHERWISE: usize = 6;

/// The result of `ask`.
#[derive(Serialize)]
struct Asked {
    positions: Vec<Possible>,
}

/// Says what positions allow.
pub(crate) fn ask_file(
    show: &Show,
    library: &Library,
    file: PathBuf,
    default: &Profile,
    alone: bool,
) -> Result<Outcome, Wrong> {
    look_at(show, library, default)?;
    let mut positions: Vec<Possible> = Vec::new();
    let all = scenarios(show, library, &[file], true)?;
    tell_own(show, &all, default);
    for scenario in all {
        let prepared = ready(library, &scenario, default)?;
        let mut found = ask(&prepared).map_err(Wrong::Diags)?;
        if !alone {
            let editions = library.compiler.editions();
            let under = |id: &Arc<str>| Profile { edition: Some(Arc::clone(id)), ..prepared.profile.clone() };
            let others: Vec<Profile> = editions.iter().map(|(edition, _)| under(&edition.id)).collect();
            found.otherwise = ask_across(&library.compiler, &scenario, default, &prepared.profile, &others);
        }
        positions.push(found);
    }
    let asked = Asked { positions };
    Ok(show.reply(Outcome::Clean, &asked, || {
        for position in &asked.positions {
            show_position(show, library, position);
        }
    }))
}

fn show_position(show: &Show, library: &Library, position: &Possible) {
    show.line(show.paint("1", &position.name));
    for running in &position.running {
        show.line(format!("  in {running}"));
    }
    if position.seats.is_empty() {
        show.line("  no player is asked");
        if position.running.is_empty() {
            show.line("  nothing is running: say where the game stands with `at STEP for NAME.` in `given`;");
            show.line("  `netrep words step` lists the steps, and the positions below tests/ show how others begin");
        }
    }
    for seat in &position.seats {
        show.line(&seat.asked);
        for said in &seat.options {
            show.line(format!("  {}  ({})", show.paint("32", &said.words), said.by.label));
        }
        for tried in &seat.nearly {
            show_tried(show, library, tried, "  ");
        }
    }
    position.otherwise.iter().for_each(|one| otherwise_lines(show, one));
}

fn otherwise_lines(show: &Show, one: &Otherwise) {
    show.line(format!("Otherwise under {}:", show.paint("1", &one.profiles.join(", "))));
    if let Some(stopped) = &one.stopped {
        show.line(format!("  {stopped}"));
    }
    for (words, sign, colour) in [(&one.more, '+', "32"), (&one.less, '-', "31")] {
        words.iter().take(OTHERWISE).for_each(|words| show.line(format!("  {sign} {}", show.paint(colour, words))));
        if words.len() > OTHERWISE {
            show.line(format!("  {sign} … and {} more", words.len() - OTHERWISE));
        }
    }
    match one.because.as_slice() {
        [] => show.line("  no set of rulings alone is behind it"),
        rulings => rulings.iter().for_each(|switch| show.line(format!("  because of {switch}"))),
    }
}
