//! `netrep rulings`: the questions that are answered in several ways.

use netrep_compiler::Profile;
use netrep_lab::Library;
use netrep_lab::show::{ShownLater, ShownReading, ShownRuling, later, rulings};
use serde::Serialize;

use crate::commands::look_at;
use crate::names::unknown;
use crate::output::{Show, count};
use crate::{Outcome, Wrong};

/// The result of `rulings`.
#[derive(Serialize)]
struct Listed<'a> {
    about: Option<&'a str>,
    rulings: Vec<ShownRuling>,
    /// With `--as-of`: the questions that were not answered so yet.
    later: Vec<ShownLater>,
}

/// Lists rulings: the reading in force with its authorities, then the others; as of a day, what only later texts answer.
pub(crate) fn list_rulings(
    show: &Show,
    library: &Library,
    about: Option<&str>,
    profile: &Profile,
) -> Result<Outcome, Wrong> {
    look_at(show, library, profile)?;
    // total: without a name all are listed, and none can be unknown.
    let unlisted = |near: Vec<String>| unknown("nothing is called", about.unwrap_or_default(), &near);
    let found = rulings(&library.compiler, about, profile).map_err(unlisted)?;
    let mut later = later(&library.compiler, profile);
    later.retain(|one| found.iter().any(|ruling| ruling.key == one.ruling));
    let result = Listed { about, rulings: found, later };
    Ok(show.reply(Outcome::Clean, &result, || {
        for ruling in &result.rulings {
            show.line(format!("{} {}", show.paint("1", &ruling.key), ruling.question));
            let (now, others): (Vec<&ShownReading>, Vec<_>) = ruling.readings.iter().partition(|one| one.in_force);
            for reading in &now {
                show.line(format!("  {} in force{}", show.paint("36", &reading.name), said_by(reading)));
            }
            if now.is_empty() {
                show.line("  no reading is chosen: the text as it stands");
            }
            for reading in others {
                show.line(format!("  {}{}", reading.name, said_by(reading)));
            }
        }
        show.line(count(result.rulings.len(), "ruling", "rulings"));
        if let Some(day) = profile.as_of {
            later_lines(show, &result.later, &day.to_string());
        }
    }))
}

/// What only later texts answer, and what was answered otherwise.
fn later_lines(show: &Show, later: &[ShownLater], day: &str) {
    let line = |one: &ShownLater| {
        let by: Vec<String> = one.by.iter().map(ToString::to_string).collect();
        let then: String = one.then.iter().map(|then| format!("then {then}; ")).collect();
        let now = show.paint("36", &one.reading);
        show.line(format!("  {} {}", show.paint("1", &one.ruling), one.question));
        show.line(format!("    {then}later {now}: {}  ({})", by.join("; "), one.spot));
    };
    let (moved, open): (Vec<&ShownLater>, Vec<&ShownLater>) = later.iter().partition(|one| one.then.is_some());
    if !moved.is_empty() {
        show.line(format!("{} answered otherwise as of {day}:", count(moved.len(), "question is", "questions are")));
        moved.into_iter().for_each(line);
    }
    let questions = count(open.len(), "question is", "questions are");
    show.line(format!(
        "{questions} answered by no text as of {day}, only by later ones{}",
        if open.is_empty() { "" } else { ":" }
    ));
    open.into_iter().for_each(line);
}

/// Who reads it so, and what is still missing for it.
fn said_by(reading: &ShownReading) -> String {
    let authorities = reading.authorities.iter().map(|source| format!("; {source}"));
    let awaits = reading.awaits.iter().map(|what| format!("; awaits {what}"));
    authorities.chain(awaits).collect()
}
