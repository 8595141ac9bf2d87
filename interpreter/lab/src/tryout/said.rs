//! What is found, in the words of scenarios.

use netrep_compiler::Diagnostic;
use netrep_engine::{Chooser, Game, Submission};

use super::stage::Stage;
use crate::narrate::name_of;
use crate::scenario::{Scenario, parse};

/// The scenario of a block's text; blocks without expectations are allowed.
pub(crate) fn scenario(text: &str) -> Result<Scenario, Vec<Diagnostic>> {
    let parsed = parse("", &format!("```position trying\n{text}```\n"), true);
    match parsed.scenarios.into_iter().next() {
        Some(scenario) if parsed.diags.is_empty() => Ok(scenario),
        _ => Err(parsed.diags),
    }
}

/// A block with its fence, as it stands in a Markdown file.
pub(crate) fn fenced(title: &str, text: &str) -> String {
    let kind = if text.contains("expect {") { "scenario" } else { "position" };
    format!("```{kind} {title}\n{text}```\n")
}

/// Clauses that say that an option is offered, and take it.
pub(crate) fn offered_and_done(seat: &str, words: &str) -> String {
    format!("expect {{ next offered {seat}: {words}. }}\nwhen {{ {seat}: {words}. }}\n")
}

/// Who decides, by name.
pub(crate) fn seat_words(game: &Game) -> String {
    match game.decision().map(|decision| decision.by) {
        Some(Chooser::Seat(seat)) => name_of(game, seat),
        _ => String::new(),
    }
}

/// The words of an offered submission as a scenario can say them; `None` if they are not distinct.
pub(crate) fn option_words(game: &Game, submission: &Submission, stage: &Stage) -> Option<String> {
    let (words, _) = game.options_in_words().into_iter().find(|(_, other)| other == submission)?;
    let card = match submission {
        Submission::Declare { this: Some(this), .. } => game.thing_words(*this),
        _ => String::new(),
    };
    Some(match &stage.called {
        Some(label) if !card.is_empty() => words.replacen(&card, label, 1),
        _ => words,
    })
}

/// The other options with the same card.
pub(crate) fn also(game: &Game, submission: &Submission) -> Vec<String> {
    let card = |submission: &Submission| match submission {
        Submission::Declare { this, .. } => *this,
        _ => None,
    };
    let own = card(submission);
    let others = game
        .options_in_words()
        .into_iter()
        .filter(|(_, other)| own.is_some() && card(other) == own && other != submission);
    others.map(|(words, _)| words).collect()
}
