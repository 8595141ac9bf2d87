//! From texts to positions, and from a declared card to what happens.

use std::sync::Arc;

use netrep_engine::Submission;

use super::Demonstration;
use super::perform::{Answer, Play, perform};
use super::said::{also, fenced, scenario};
use super::search::Search;
use super::stage::Stage;
use crate::driver::{drive, drive_to};
use crate::position::position;
use crate::prepare::{Prepared, Task, moves, prepare};

impl Search<'_> {
    /// A text as a prepared scenario with its moves only; `None` if it cannot be set up as written.
    pub(crate) fn staged(&mut self, text: &str) -> Option<Prepared> {
        let scenario = Arc::new(scenario(text).ok()?);
        let profile = scenario.base_profile(self.profile);
        if !self.phrases.iter().any(|(known, _)| *known == profile) {
            self.phrases.push((profile.clone(), self.compiler.phrases(&profile)));
        }
        let phrases = self.phrases.iter().find(|(known, _)| *known == profile).map(|(_, phrases)| phrases)?;
        let position = position(self.compiler, phrases, &scenario.given, &scenario.source).ok()?;
        let task = |line: &crate::scenario::Line| {
            let action = moves(phrases, &position, &scenario.source, &line.what)?;
            Some(Task { span: line.span, action, aside: false })
        };
        let script = scenario.script.iter().filter_map(task).collect();
        let program = Arc::clone(&phrases.program);
        Some(Prepared { scenario, profile, program, position, script, cites: Vec::new() })
    }

    /// Runs a text whose last move declares the card, and goes on with the first options.
    pub(super) fn played(
        &self,
        stage: &Stage,
        text: &str,
        submission: &Submission,
        changes: Vec<String>,
    ) -> Option<Demonstration> {
        let prepared = self.checked(text)?;
        let (report, after) = drive_to(&prepared, None, None);
        if !report.passed() {
            return None;
        }
        let (_, before) = drive_to(&prepared, Some(report.steps.len().checked_sub(1)?), None);
        let (before, after) = (before?, after?);
        let first = report.steps.last()?.clone();
        let seat = before.decision().map(|decision| decision.by);
        let play = Play { seed: prepared.scenario.seed, seat, submission };
        let played = perform(&play, &before, after, first);
        let whole = self.with_answers(text, &played.answers);
        Some(Demonstration {
            origin: stage.origin.clone(),
            changes,
            scenario: Some(fenced(&self.title(), &whole)),
            asked: crate::narrate::asked(&before),
            also: also(&before, submission),
            steps: played.steps,
            differences: played.differences,
            stopped: played.stopped,
        })
    }

    /// The text with the answers that were given, if they can be said in words and lead to the same position: first
    /// without passes, then with them, because what is meant as an answer may be read as an option to act.
    fn with_answers(&self, text: &str, answers: &[Answer]) -> String {
        let Some(end) = answers.iter().rposition(|answer| !answer.quiet).and_then(|at| answers.get(..=at)) else {
            return text.to_owned();
        };
        for passes in [false, true] {
            let lines = end.iter().filter(|answer| passes || !answer.quiet);
            let when: String = lines.map(|answer| format!("\n    {}", answer.line)).collect();
            let longer = format!("{text}when {{{when}\n}}\n");
            let same = |prepared: Prepared| {
                let report = drive(&prepared, None);
                report.passed() && end.last().is_some_and(|last| last.hash == report.hash)
            };
            if self.checked(&longer).is_some_and(same) {
                return longer;
            }
        }
        text.to_owned()
    }

    /// A text as a scenario that is prepared with everything that it says.
    fn checked(&self, text: &str) -> Option<Prepared> {
        let scenario = Arc::new(scenario(text).ok()?);
        let profile = scenario.base_profile(self.profile);
        prepare(self.compiler, &scenario, self.profile, &profile).ok()
    }
}
