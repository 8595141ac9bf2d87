//! Passing on to somewhere, and what is said of passes that are one too many.

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_engine::{Chooser, Decision, DecisionKind, Game, Submission, ThingId};

use super::{Driver, PATIENCE, bullets};
use crate::narrate::window;
use crate::prepare::{Moment, Task};
use crate::report::From;
use crate::words::tokens;

/// A way to say that a player does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Neutral {
    /// `pass`: in a window.
    Pass,
    /// `decline` or `no`: to a question.
    Answer,
}

impl Driver<'_> {
    /// Whether a game stands at a decision in the course of a procedure or step.
    fn is_at(&self, game: &Game, moment: &Moment) -> bool {
        let of = moment.of.as_deref().map(|name| self.thing_called(game, name));
        game.decision().is_some()
            && game.running().into_iter().any(|running| {
                let named =
                    moment.proc == Some(running.proc) || running.step.is_some_and(|step| moment.steps.contains(&step));
                named && of.is_none_or(|of| of.is_some_and(|thing| running.of.contains(&thing)))
            })
    }

    /// What a label or a name stands for.
    fn thing_called(&self, game: &Game, name: &str) -> Option<ThingId> {
        let quoted = format!("\"{name}\"");
        let mut all = (0..game.things()).map(ThingId::from_index);
        self.things.get(name).copied().or_else(|| all.find(|t| game.exists(*t) && game.thing_words(*t) == quoted))
    }

    /// Passes on to the first decision in the course of a procedure or step.
    pub(super) fn until_at(&mut self, task: &Task, moment: &Moment) -> Result<(), Diagnostic> {
        if self.is_at(&self.game, moment) {
            return Err(self.is_there(task));
        }
        self.pass_until(task, |driver| driver.is_at(&driver.game, moment))
    }

    /// Passes on to the next decision of a player.
    pub(super) fn until_asked(&mut self, task: &Task, by: &str) -> Result<(), Diagnostic> {
        let who = self.decider(task, by)?;
        let asked = |game: &Game| game.decision().is_some_and(|decision| decision.by == who);
        if asked(&self.game) {
            return Err(self.is_there(task));
        }
        self.pass_until(task, |driver| asked(&driver.game))
    }

    /// Passes on to the end.
    pub(super) fn until_over(&mut self, task: &Task) -> Result<(), Diagnostic> {
        self.pass_until(task, |driver| driver.game.decision().is_none())
    }

    /// Passes on to a decision of a player in the course of a procedure or step, if it is not there.
    pub(super) fn pass_to(&mut self, task: &Task, moment: &Moment, who: Chooser) -> Result<(), Diagnostic> {
        let there = |driver: &Self| {
            driver.is_at(&driver.game, moment) && driver.game.decision().is_some_and(|decision| decision.by == who)
        };
        if there(self) { Ok(()) } else { self.pass_until(task, there) }
    }

    fn pass_until(&mut self, task: &Task, there: impl Fn(&Self) -> bool) -> Result<(), Diagnostic> {
        let words = self.prepared.scenario.source.slice(task.span).trim_end_matches('.').to_owned();
        for _ in 0..PATIENCE {
            if self.is_done() || there(self) {
                return Ok(());
            }
            let Some(decision) = self.game.decision() else {
                let text = format!("`{words}` is never reached: nothing is left to decide");
                return Err(Diagnostic::new(Code::NeverReached, self.place(task), text));
            };
            let by = decision.by;
            self.pass_over(task, &words, (by, None), &[])?;
        }
        let text = format!("`{words}` is never reached: the position goes in circles");
        Err(Diagnostic::new(Code::NeverReached, self.place(task), text))
    }

    fn is_there(&self, task: &Task) -> Diagnostic {
        let text = format!("it has come to that already: {}", window(&self.game));
        Diagnostic::new(Code::NeverReached, self.place(task), text).help("leave the line out, or say what comes later")
    }

    /// Says no to every offer that a player is made in the step at hand.
    pub(super) fn decline_all(&mut self, task: &Task, by: &str) -> Result<(), Diagnostic> {
        let who = self.decider(task, by)?;
        let step = |game: &Game| game.running().pop().map(|running| (running.serial, running.step));
        let Some(here) = step(&self.game) else { return Err(self.nothing_to_decline(task, by)) };
        let goes_on = |game: &Game| game.running().into_iter().any(|running| (running.serial, running.step) == here);
        let mut declined = 0;
        for _ in 0..PATIENCE {
            if self.is_done() {
                return Ok(());
            }
            let Some(decision) = self.game.decision() else { break };
            if !goes_on(&self.game) {
                break;
            }
            let offer = [Submission::Decline, Submission::No];
            let options = self.options();
            let no = options.iter().find(|(_, submission)| offer.contains(submission)).cloned();
            let by = decision.by;
            match no.filter(|_| by == who) {
                Some((words, submission)) => {
                    declined += 1;
                    self.submit(&words, &submission, From::Script(task.span)).map_err(|e| self.stopped(task, e))?;
                }
                // Who has been told no goes no further: what comes then is for the next line.
                None if by == who || declined > 0 && !self.is_others_pass(decision, who) => break,
                None => self.pass_over(task, "decline all", (by, None), &[])?,
            }
        }
        if declined == 0 { Err(self.nothing_to_decline(task, by)) } else { Ok(()) }
    }

    fn nothing_to_decline(&self, task: &Task, by: &str) -> Diagnostic {
        let text = format!("{by} is offered nothing to decline in this step: {}", window(&self.game));
        Diagnostic::new(Code::PassTooMany, self.place(task), text)
            .help("leave the line out, or go there by `until STEP.`")
    }

    /// What words mean that say that a player does nothing.
    pub(super) fn neutral(&self, said: &[String]) -> Option<Neutral> {
        let means = |submission: &Submission| tokens(&self.game.submission_words(submission)) == said;
        if means(&Submission::Pass) {
            return Some(Neutral::Pass);
        }
        (means(&Submission::Decline) || means(&Submission::No)).then_some(Neutral::Answer)
    }

    /// Whether the decision at hand may be gone over on the way to where a player does nothing: chance and who has but
    /// one thing to do decide nothing; a pass is for the window in which others pass, and `decline` or `no` for the next
    /// question that the player is asked.
    pub(super) fn goes_over(&self, decision: &Decision, who: Chooser, neutral: Neutral) -> bool {
        let options = self.options();
        if decision.by == Chooser::Chance || options.len() == 1 {
            return true;
        }
        let no = [Submission::Decline, Submission::No];
        let asks = options.iter().any(|(_, submission)| no.contains(submission));
        !asks || neutral == Neutral::Answer && decision.by != who
    }

    /// Whether the decision at hand is one at which another player may act, and passes.
    fn is_others_pass(&self, decision: &Decision, who: Chooser) -> bool {
        let acts = matches!(decision.kind, DecisionKind::Act | DecisionKind::Step);
        acts && decision.by != who && self.options().iter().any(|(_, submission)| *submission == Submission::Pass)
    }

    /// A pass, or another word for doing nothing, that answers nothing at hand.
    pub(super) fn one_too_many(&self, task: &Task, words: &str) -> Diagnostic {
        let text = format!("`{words}` answers nothing here: {}", window(&self.game));
        let options = self.options();
        let list: Vec<&str> = options.iter().map(|(words, _)| words.as_str()).collect();
        let help = "leave it out, answer this first, or go on by `until STEP.`";
        let help =
            if list.is_empty() { help.to_owned() } else { format!("{help}\nhere is offered:\n{}", bullets(&list)) };
        Diagnostic::new(Code::PassTooMany, self.place(task), text).help(help)
    }

    /// Whether a line consists of names alone.
    pub(super) fn is_bare(&self, words: &str) -> bool {
        let is_name = |(at, part): (usize, &str)| {
            at % 2 == 1
                || part.split_whitespace().all(|word| {
                    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '#');
                    word.is_empty() || word.starts_with('#') || self.things.contains_key(word)
                })
        };
        words.split('"').enumerate().all(is_name)
    }

    /// A line of names alone that would begin an action.
    pub(super) fn bare(&self, task: &Task, words: &str) -> Diagnostic {
        let text = format!("a name alone would begin an action: {}", window(&self.game));
        Diagnostic::new(Code::BareName, self.place(task), text).help(format!(
            "say what is done: `{words}`; if it answers a later question, go there first (`until STEP.`, `NAME at STEP: …`)"
        ))
    }

    /// A line that is for the decision at hand, and not among its options.
    pub(super) fn not_here(&self, task: &Task, words: &str) -> Diagnostic {
        let text = format!("`{words}` is not offered there: {}", window(&self.game));
        let options = self.options();
        let list: Vec<&str> = options.iter().map(|(words, _)| words.as_str()).collect();
        let diag = Diagnostic::new(Code::NeverOffered, self.place(task), text);
        let diag = diag.help(format!("these are offered:\n{}", bullets(&list)));
        let missed = [super::Missed { step: self.report.steps.len() + 1, game: self.game.clone() }];
        match self.refusal(task, words, &missed).and_then(|found| found.diag.help) {
            Some(refused) => diag.help(refused),
            None => diag,
        }
    }
}
