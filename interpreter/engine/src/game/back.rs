//! The way back from an answer that fails: to an earlier position, and from there by the same answers again. To fail is rare, and
//! to note a position takes as long as some answers.

use crate::game::{Game, Refusal};
use crate::position::state::State;
use crate::position::submission::Submission;
use crate::position::verify::Planted;

/// After so many answers the position is noted anew.
pub(super) const ANSWERS: usize = 32;

/// An earlier position, and what was answered since.
#[derive(Debug, Default)]
pub(super) struct Back {
    /// The position, but its history, which only ever grows.
    pub before: State,
    /// Nothing: no position is noted.
    pub since: Option<Vec<Submission>>,
    /// How many rows the history had then.
    pub rows: usize,
}

impl Game {
    /// Goes back before an answer and gives it again: both positions are the same as before, and the sums of their facts hold.
    pub(super) fn verify_answer(&mut self, submission: &Submission, before: &State) -> Result<(), Refusal> {
        let after = self.state.clone();
        let trace = self.trace.take();
        let there = self.go_back();
        let same = self.state == *before;
        let again = self.answer(submission);
        self.trace = trace;
        there?;
        again.map_err(|error| Refusal::Failed(Box::new(error)))?;
        if !same
            || self.state != after
            || !crate::position::hash::sums_hold(&self.link, &self.state)
            || !self.state.is_told_truly()
        {
            self.cache.differs("the position");
        }
        Ok(())
    }

    /// Notes the position, to come back to it.
    pub(super) fn note_position(&mut self) {
        self.back.before.copy_present(&self.state);
        self.back.rows = self.state.history.len();
        self.back.since = Some(Vec::new());
        if let Some(lent) = &mut self.lent {
            lent.is_left_behind();
        }
    }

    /// Comes back to where the game stood before an answer that failed: to the position that was noted, and from there by the
    /// same answers.
    pub(super) fn go_back(&mut self) -> Result<(), Refusal> {
        self.cache.forget();
        self.offered.take();
        let Some(since) = self.back.since.take() else { return Ok(()) };
        // What has been kept since of a game in which this is supposed knows the stamps that were given out.
        let given = self.state.versions.given();
        let mut history = self.state.history.take();
        history.truncate(self.back.rows);
        let noted = self.lent.as_ref().and_then(|lent| lent.noted());
        self.state.copy_present(noted.unwrap_or(&self.back.before));
        self.state.history = history.into();
        self.state.versions.resume(given);
        let trace = self.trace.take();
        let lost = usize::from(self.cache.verifying.has(Planted::Back));
        let mut given = since.iter().take(since.len().saturating_sub(lost));
        let back = given.try_for_each(|submission| self.answer(submission));
        self.trace = trace;
        self.cache.forget();
        self.back.since = Some(since);
        back.map_err(|error| Refusal::Failed(Box::new(error)))
    }
}
