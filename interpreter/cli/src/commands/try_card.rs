//! `netrep try`: a position in which a card can be played, and what it does.

use std::sync::Arc;

use netrep_compiler::Profile;
use netrep_lab::find::cards;
use netrep_lab::tryout::{Demonstration, Number, Origin, Outcome as Came, Refused, Trial, try_card};
use netrep_lab::{Library, Scenario};
use serde::Serialize;

use crate::citations::show_tried;
use crate::commands::look_at;
use crate::names::unknown;
use crate::output::{Show, count, summary};
use crate::{Outcome, Wrong};

/// The result of `try`.
#[derive(Serialize)]
struct Tried {
    /// Every way in which a card can be declared was done.
    clean: bool,
    trials: Vec<Trial>,
}

/// Tries the cards that a name means.
pub(crate) fn try_cards(show: &Show, library: &Library, name: &str, profile: &Profile) -> Result<Outcome, Wrong> {
    look_at(show, library, profile)?;
    let found = cards(&library.compiler, name).map_err(|near| unknown("no card is called", name, &near))?;
    let parsed = library.scenarios(&[], true)?;
    if !parsed.diags.is_empty() {
        show.warn(format!("{} in scenarios, which are left out (see `netrep test`)", summary(&parsed.diags)));
    }
    let scenarios: Vec<Arc<Scenario>> = parsed.scenarios.into_iter().map(Arc::new).collect();
    let mut trials = Vec::new();
    for card in found {
        trials.push(try_card(&library.compiler, &scenarios, &card.key, profile).map_err(Wrong::Diags)?);
    }
    let done = |trial: &Trial| trial.ways.iter().all(|way| matches!(way.outcome, Came::Done(_)));
    let tried = Tried { clean: trials.iter().all(done), trials };
    Ok(show.reply(Outcome::of(tried.clean), &tried, || {
        tried.trials.iter().for_each(|trial| trial_lines(show, library, trial));
    }))
}

fn trial_lines(show: &Show, library: &Library, trial: &Trial) {
    let title = show.paint("1", &format!("{} \"{}\"", trial.card, trial.title));
    show.line(format!("{title}  [{}]", trial.profile));
    for number in &trial.missing {
        show.line(show.paint("33", &format!("  printed sentence {number} is not expressed yet: it does nothing here")));
    }
    if trial.ways.is_empty() {
        show.line("  no clause in force lets a player declare anything with it");
    }
    for way in &trial.ways {
        show.line("");
        let by = format!("{} — {}", way.clause.label, way.clause.title);
        show.line(format!("{} ({by}): {}", show.paint("1", &way.words), way.clause.text));
        match &way.outcome {
            Came::Done(done) => done_lines(show, done),
            Came::Refused(refused) => refused_lines(show, library, refused),
            Came::Untried => show.line("  no position was found in which it could even be tried"),
        }
    }
    if !trial.numbers.is_empty() {
        show.line("");
        trial.numbers.iter().for_each(|number| number_lines(show, number));
    }
    if !trial.by_itself.is_empty() {
        show.line("");
        show.line("By itself, while it functions:");
        for clause in &trial.by_itself {
            show.line(format!("  {}  ({})", clause.text, clause.label));
        }
    }
    show.line("");
    show.line(format!("{} looked at", count(trial.positions, "position", "positions")));
}

fn origin_words(origin: &Origin) -> String {
    format!("“{}” ({}), {}", origin.scenario, origin.file, origin.how)
}

fn done_lines(show: &Show, done: &Demonstration) {
    show.line(format!("  in {}", origin_words(&done.origin)));
    for change in &done.changes {
        show.line(format!("  {} {change}", show.paint("33", "changed, so that it is legal:")));
    }
    match &done.scenario {
        Some(text) => text.lines().for_each(|line| show.line(format!("    {line}"))),
        None => show.line("  (the changes cannot be written in a `given`, so this is no scenario to paste)"),
    }
    for option in &done.also {
        show.line(format!("  also offered: {option}"));
    }
    show.line("  What happens:");
    for step in &done.steps {
        // A pass of which nothing came is not told.
        if !step.quiet || !step.happened.is_empty() {
            let words = if step.by == "chance" {
                format!("{}: {}", step.asked, step.chosen)
            } else {
                format!("{}: {}", step.by, step.chosen)
            };
            show.line(format!("    {}", show.paint("1", &words)));
        }
        for line in &step.happened {
            show.line(format!("      {line}"));
        }
    }
    if let Some(why) = &done.stopped {
        show.line(format!("    {}", show.paint("33", &format!("play stops here: {why}"))));
    }
    if !done.differences.is_empty() {
        show.line("  What is different afterwards:");
        for one in &done.differences {
            let or_none = |text: &str| if text.is_empty() { "none".to_owned() } else { text.to_owned() };
            show.line(format!("    {}: {} {} → {}", one.thing, one.what, or_none(&one.before), or_none(&one.after)));
        }
    }
}

fn refused_lines(show: &Show, library: &Library, refused: &Refused) {
    show.line("  It is refused wherever it was tried. Nearest to it is:");
    show.line(format!("  in {}", origin_words(&refused.origin)));
    refused.scenario.lines().for_each(|line| show.line(format!("    {line}")));
    show_tried(show, library, &refused.tried, "  ");
}

fn number_lines(show: &Show, number: &Number) {
    let derived = &number.number;
    show.line(format!("{} in {}:", show.paint("1", &derived.words), origin_words(&number.origin)));
    show.line(format!("  {:>4}  base", derived.base));
    for change in &derived.steps {
        show.line(format!("  {:>4}  {} ({})", change.after, change.words, change.by.label));
    }
}
