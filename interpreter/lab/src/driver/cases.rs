//! What must be so for each of several answers to the decision at hand: each is tried on a copy of the game.

use std::cell::OnceCell;

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_engine::{Consulted, DecisionKind};

use super::{Driver, PATIENCE, noted};
use crate::narrate::window;
use crate::prepare::{Action, Fork, ForkAnswer, Task};
use crate::report::Report;

/// An answer that is tried: its name, and what is played for it.
struct Tried<'f> {
    name: String,
    first: Task,
    fork: &'f Fork,
}

impl Driver<'_> {
    /// Tries each case on a copy. The script then goes on as if none had been tried.
    pub(super) fn cases(&mut self, task: &Task, forks: &[Fork]) -> Result<(), Diagnostic> {
        for tried in self.answers(task, forks)? {
            let mut copy = self.copy();
            let played = copy.all(std::slice::from_ref(&tried.first)).and_then(|()| copy.all(&tried.fork.script));
            let played = played.and_then(|()| copy.all_stacked());
            copy.report.diags.extend(played.err());
            self.merge(copy, &tried.name, task.aside);
        }
        Ok(())
    }

    /// What is tried, in order: one fork may stand for several totals.
    fn answers<'f>(&self, task: &Task, forks: &'f [Fork]) -> Result<Vec<Tried<'f>>, Diagnostic> {
        let mut found = Vec::new();
        let dice = |total: i32, subject: Option<&String>, fork: &'f Fork| Tried {
            name: format!("dice {total}"),
            first: Task { span: fork.span, action: Action::Dice { total, subject: subject.cloned() }, aside: false },
            fork,
        };
        for fork in forks {
            match &fork.answer {
                ForkAnswer::Dice { totals, subject } => {
                    found.extend(totals.iter().map(|total| dice(*total, subject.as_ref(), fork)));
                }
                ForkAnswer::Else => {
                    let named: Vec<i32> = forks.iter().flat_map(|fork| fork.answer.totals()).copied().collect();
                    let rest: Vec<i32> =
                        self.totals(task)?.into_iter().filter(|total| !named.contains(total)).collect();
                    if rest.is_empty() {
                        let place = self.prepared.scenario.source.place(fork.span);
                        return Err(Diagnostic::new(Code::NoRoll, place, "every total of this roll is named already")
                            .help("leave `else` out"));
                    }
                    found.extend(rest.into_iter().map(|total| dice(total, None, fork)));
                }
                ForkAnswer::Move { by, words } => found.push(Tried {
                    name: format!("{by}: {words}"),
                    first: Task {
                        span: fork.span,
                        action: Action::Move { by: by.clone(), at: None, words: words.clone() },
                        aside: false,
                    },
                    fork,
                }),
            }
        }
        Ok(found)
    }

    /// All totals that the next roll can have.
    fn totals(&self, task: &Task) -> Result<Vec<i32>, Diagnostic> {
        let mut copy = self.copy();
        for _ in 0..PATIENCE {
            match copy.game.decision() {
                Some(decision) => {
                    if let DecisionKind::Roll { dice, .. } = decision.kind {
                        let dice = i32::from(dice);
                        return Ok((dice..=6 * dice).collect());
                    }
                    let by = decision.by;
                    copy.pass_over(task, "else", (by, None), &[])?;
                }
                None => break,
            }
        }
        let text = format!("no dice are rolled: {}", window(&self.game));
        Err(Diagnostic::new(Code::NoRoll, self.place(task), text))
    }

    /// The same run, to be gone on with for itself.
    fn copy(&self) -> Self {
        Driver {
            prepared: self.prepared,
            game: self.game.clone(),
            report: Report { steps: self.report.steps.clone(), ..Report::default() },
            labels: self.labels.clone(),
            ids: self.ids.clone(),
            beside: Consulted::default(),
            aside: Consulted::default(),
            traced: self.traced,
            most: None,
            offered: OnceCell::new(),
            responded: self.responded,
            things: self.things.clone(),
            stacks: self.stacks.clone(),
            watched: self.watched,
            drawn: self.drawn.clone(),
            forked: Vec::new(),
        }
    }

    /// What came of a case, reported by its name.
    fn merge(&mut self, mut copy: Self, name: &str, aside: bool) {
        let after = self.report.steps.len();
        let mut read = copy.game.consulted();
        noted(&mut read, std::mem::take(&mut copy.beside));
        for answer in &mut copy.report.answers {
            answer.after = after;
            answer.question = format!("{name}: {}", answer.question);
        }
        self.report.answers.append(&mut copy.report.answers);
        noted(&mut self.aside, std::mem::take(&mut copy.aside));
        if aside {
            noted(&mut self.aside, read);
            return;
        }
        noted(&mut self.beside, read);
        for check in &mut copy.report.checks {
            check.after = after;
            check.text = format!("{name}: {}", check.text);
        }
        self.report.checks.append(&mut copy.report.checks);
        for diag in &mut copy.report.diags {
            diag.message = format!("case `{name}`: {}", diag.message);
        }
        self.report.diags.append(&mut copy.report.diags);
        self.forked.extend(copy.report.steps.into_iter().skip(after));
        self.forked.append(&mut copy.forked);
    }
}

impl ForkAnswer {
    /// The totals that it names.
    fn totals(&self) -> &[i32] {
        match self {
            ForkAnswer::Dice { totals, .. } => totals,
            ForkAnswer::Else | ForkAnswer::Move { .. } => &[],
        }
    }
}
