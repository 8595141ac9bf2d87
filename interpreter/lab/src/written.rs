//! A game that was played, written as a scenario: its position, every answer and every roll, and how it stands in the end.
//! It is read by whatever reads scenarios, and gives the same game.

use netrep_compiler::Profile;
use netrep_engine::{Chooser, Game, Submission};
use netrep_grammar::parse_clauses;

use crate::driver::scores;
use crate::narrate::{line, name_of, spoken};
use crate::prepare::Prepared;
use crate::report::Step;

/// The parts of a scenario that are not its position: they are written anew.
const ANEW: [&str; 10] = ["when", "expect", "cases", "cites", "seed", "edition", "variant", "with", "without", "as"];

/// A game as it is being written.
#[derive(Clone, Debug)]
pub struct Written {
    name: String,
    /// Which rules are in force, and the position at the start.
    setting: String,
    /// The answers and rolls so far, one a line.
    lines: Vec<String>,
}

impl Written {
    /// A game that begins where a scenario does, after these steps.
    pub fn of(prepared: &Prepared, steps: &[Step]) -> Written {
        let source = &prepared.scenario.source;
        let mut setting = profile_lines(&prepared.profile);
        // total: a scenario that was prepared can be read.
        for clause in parse_clauses(&source.text).unwrap_or_default() {
            if !ANEW.contains(&clause.head()) {
                setting.push_str(source.slice(clause.span));
                setting.push('\n');
            }
        }
        let lines = steps.iter().map(|step| step.line.clone()).collect();
        Written { name: prepared.scenario.name.clone(), setting, lines }
    }

    /// Notes what is about to be submitted.
    pub fn note(&mut self, game: &Game, submission: &Submission) {
        let words = match submission {
            Submission::Dice(_) | Submission::Shuffled(_) => String::new(),
            _ => {
                let found = game.options_in_words().into_iter().find(|(_, option)| option == submission);
                found.map_or_else(|| game.submission_words(submission), |(words, _)| words)
            }
        };
        self.lines.push(line(game, submission, &words));
    }

    /// How many answers and rolls are written.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether nothing is written yet.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Forgets all but the first so many.
    pub fn truncate(&mut self, len: usize) {
        self.lines.truncate(len);
    }

    /// The block, with what is so at the end of it.
    pub fn block(&self, game: &Game) -> String {
        let mut text = format!("```scenario {}\n{}", self.name, self.setting);
        if !self.lines.is_empty() {
            text.push_str("when {\n");
            for line in &self.lines {
                text.push_str(&format!("    {line}\n"));
            }
            text.push_str("}\n");
        }
        text.push_str("expect {\n");
        for expected in ends(game) {
            text.push_str(&format!("    {expected}.\n"));
        }
        text.push_str("}\n```\n");
        text
    }
}

/// What can be said of the position at the end: that it is over, or what is offered; and the numbers that are reported.
fn ends(game: &Game) -> Vec<String> {
    let asked = game.decision().map(|decision| decision.by);
    let mut found: Vec<String> = match asked {
        None => vec!["over".to_owned()],
        Some(Chooser::Seat(seat)) => {
            let first = game.options_in_words().into_iter().next();
            first.map(|(words, _)| format!("offered {}: {words}", spoken(&name_of(game, seat)))).into_iter().collect()
        }
        Some(Chooser::Chance) => Vec::new(),
    };
    for (player, numbers) in scores(game) {
        let player = spoken(&player);
        found.extend(numbers.into_iter().map(|(name, value)| format!("{name} of {player} is {value}")));
    }
    found
}

/// The sentences that ask for a profile.
fn profile_lines(profile: &Profile) -> String {
    let mut text = String::new();
    let mut say = |sentence: String| text.push_str(&format!("{sentence}.\n"));
    profile.edition.iter().for_each(|id| say(format!("edition {id}")));
    profile.variants.iter().for_each(|id| say(format!("variant {id}")));
    profile.with.iter().for_each(|(ruling, reading)| say(format!("with {ruling} {reading}")));
    profile.without.iter().for_each(|ruling| say(format!("without {ruling}")));
    profile.as_of.iter().for_each(|day| say(format!("as of {day}")));
    text
}
