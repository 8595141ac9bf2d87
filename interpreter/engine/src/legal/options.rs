//! Everything that may be submitted at a decision, and whether a submission is legal: the same reading.

use netrep_ir::*;

use crate::ask::attempt::Attempt;
use crate::ask::eval::{Cx, Eval};
use crate::legal::conditions::Fast;
use crate::position::set::{Set, ThingId};
use crate::position::stack::*;
use crate::position::submission::Submission;
use crate::position::value::Value;

impl Eval<'_> {
    /// The step owners of the procedure on top of the stack.
    pub(crate) fn turn_steps(&self) -> Vec<(StepId, Option<ThingId>)> {
        let here = self.state.frames.last().and_then(|frame| match &frame.kind {
            Kind::Procedure(r) => Some((r.proc, self.state.acts.get(usize::from(frame.act))?)),
            _ => None,
        });
        match here {
            Some((proc, act)) => self.step_owners(&Cx::of(act, usize::MAX), self.link.program.proc(proc)),
            // total: steps are owned in a procedure only
            None => Vec::new(),
        }
    }

    /// Everything that is offered at the decision, in order of ids. A shuffle offers only the order as it is.
    pub(crate) fn options(&self) -> Vec<Submission> {
        // total: nothing is asked.
        let Some(ask) = &self.state.ask else { return Vec::new() };
        self.bound_to_duties(ask, self.answers_without_duties(ask))
    }

    /// The same, whatever must be done.
    fn answers_without_duties(&self, ask: &Decision) -> Vec<Submission> {
        let pick = |set: &Set| set.iter().map(|t| Submission::Pick(Value::Thing(t))).collect::<Vec<_>>();
        match (&ask.kind, ask.by) {
            (DecisionKind::Choose { from, optional } | DecisionKind::Gather { from, optional, .. }, _) => {
                let mut options = pick(from);
                if *optional {
                    options.push(Submission::Decline);
                }
                options
            }
            (DecisionKind::Next { from }, _) => pick(from),
            (DecisionKind::May, _) => vec![Submission::Yes, Submission::No],
            (DecisionKind::Branch(n), _) => (0..*n).map(Submission::Branch).collect(),
            (DecisionKind::Act, Chooser::Seat(seat)) => {
                let mut options = Vec::new();
                self.declarations(seat, &mut |a| {
                    options.push(submission_of(a));
                    false
                });
                options.push(Submission::Pass);
                options
            }
            (DecisionKind::Step, Chooser::Seat(seat)) => {
                let mine = self.turn_steps().into_iter().filter(|o| o.1 == Some(seat));
                let mut options: Vec<Submission> = mine.map(|o| Submission::Step(o.0)).collect();
                options.push(Submission::Pass);
                options
            }
            (DecisionKind::Act | DecisionKind::Step, Chooser::Chance) => Vec::new(),
            (DecisionKind::Order(n) | DecisionKind::Replace(n), _) => (0..*n).map(Submission::Order).collect(),
            (DecisionKind::Roll { dice, .. }, _) => {
                let dice = i32::from(*dice);
                (dice..=dice * 6).map(Submission::Dice).collect()
            }
            (DecisionKind::Shuffle { place, owner, .. }, _) => {
                vec![Submission::Shuffled(self.in_order(*place, *owner))]
            }
        }
    }

    /// The declarations among the options, found by trying all that can be said.
    pub(crate) fn declarations_tried(&self) -> Vec<Submission> {
        let mut found = Vec::new();
        if let Some(Decision { by: Chooser::Seat(seat), kind: DecisionKind::Act, .. }) = self.state.ask {
            self.declarations_unplanned(seat, &mut |attempt| found.push(submission_of(attempt)));
        }
        found
    }

    /// Submissions of every kind on any things, legal or not, at most so many: for proofs that what is offered and
    /// what is taken agree.
    pub(crate) fn candidates(&self, most: usize) -> Vec<Submission> {
        let everything: Vec<ThingId> = (0..self.state.ever()).map(ThingId::from_index).collect();
        let mut all = vec![Submission::Pass, Submission::Decline, Submission::Yes, Submission::No];
        // One more than there are.
        let ways = match self.state.ask.as_ref().map(|d| &d.kind) {
            Some(DecisionKind::Branch(n) | DecisionKind::Order(n) | DecisionKind::Replace(n)) => n.saturating_add(1),
            _ => 3,
        };
        all.extend((0..ways.max(3)).map(Submission::Branch));
        all.extend((0..ways.max(3)).map(Submission::Order));
        all.extend((0..8).map(Submission::Dice));
        all.extend((0..self.link.program.steps.len()).map(|i| Submission::Step(StepId::from_index(i))));
        all.extend(everything.iter().map(|t| Submission::Pick(Value::Thing(*t))));
        for (i, allowance) in self.link.program.allowances.iter().enumerate() {
            let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
            for parameter in &allowance.parameters {
                let values: Vec<Value> = match &parameter.from {
                    // What is chosen with others is chosen later.
                    _ if parameter.several.is_some() => {
                        std::iter::once(Value::None).chain(everything.iter().map(|t| Value::Thing(*t))).collect()
                    }
                    Pool::Things(_) => everything.iter().map(|t| Value::Thing(*t)).collect(),
                    Pool::Entries(list, _) => crate::position::table::Table::list(&self.link.program, *list)
                        .iter()
                        .map(|e| Value::Entry(*e))
                        .collect(),
                };
                let longer = |row: &Vec<Value>| {
                    values.iter().map(|v| row.iter().cloned().chain([v.clone()]).collect()).collect::<Vec<_>>()
                };
                rows = rows.iter().flat_map(longer).take(most).collect();
            }
            for this in std::iter::once(None).chain(everything.iter().copied().map(Some)) {
                for parameters in &rows {
                    if all.len() >= most {
                        return all;
                    }
                    all.push(Submission::Declare {
                        allowance: AllowanceId::from_index(i),
                        this,
                        effect: 0,
                        parameters: parameters.clone(),
                    });
                }
            }
        }
        all
    }

    /// Whether a submission is legal: the same reading as the offer.
    pub(crate) fn legal(&self, submission: &Submission) -> bool {
        // total: where nothing is asked, nothing is legal
        let Some(ask) = &self.state.ask else { return false };
        self.answers(ask, submission) && self.refused_for_duty(ask, submission).is_none()
    }

    /// Whether it is legal, whatever must be done.
    pub(crate) fn answers(&self, ask: &Decision, submission: &Submission) -> bool {
        match (&ask.kind, submission) {
            (
                DecisionKind::Choose { from, .. } | DecisionKind::Gather { from, .. } | DecisionKind::Next { from },
                Submission::Pick(Value::Thing(t)),
            ) => from.contains(*t),
            (DecisionKind::Choose { optional, .. } | DecisionKind::Gather { optional, .. }, Submission::Decline) => {
                *optional
            }
            (DecisionKind::May, Submission::Yes | Submission::No) => true,
            (DecisionKind::Branch(n), Submission::Branch(i)) => i < n,
            (DecisionKind::Act | DecisionKind::Step, Submission::Pass) => true,
            (DecisionKind::Act, Submission::Declare { .. }) => self
                .attempt(submission)
                .is_some_and(|a| self.admitted(a.seat).is_some_and(|w| self.check(&a, &w, &mut Fast))),
            (DecisionKind::Step, Submission::Step(step)) => {
                matches!(ask.by, Chooser::Seat(seat) if self.turn_steps().contains(&(*step, Some(seat))))
            }
            (DecisionKind::Order(n) | DecisionKind::Replace(n), Submission::Order(i)) => i < n,
            (DecisionKind::Roll { dice, .. }, Submission::Dice(total)) => {
                let dice = i32::from(*dice);
                (dice..=dice * 6).contains(total)
            }
            (DecisionKind::Shuffle { place, owner, .. }, Submission::Shuffled(order)) => {
                let mut now = self.in_order(*place, *owner);
                let mut new = order.clone();
                now.sort_unstable();
                new.sort_unstable();
                now == new
            }
            _ => false,
        }
    }
}

/// What to submit to make an attempt.
pub(crate) fn submission_of(attempt: &Attempt) -> Submission {
    let value = |p: &Parameter| attempt.chosen(p).clone();
    Submission::Declare {
        allowance: attempt.id,
        this: attempt.this,
        effect: attempt.effect,
        parameters: attempt.allowance.parameters.iter().map(value).collect(),
    }
}
