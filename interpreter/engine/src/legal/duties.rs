//! Duties: as long as a decision offers something by which one is fulfilled, all else in it is refused.
//!
//! Of several any may be fulfilled; the others are asked for at the decisions that follow. So two that exclude each other
//! leave the choice between them, and no order of duties is needed.

use netrep_ir::*;

use crate::ask::attempt::{Attempt, action_roles};
use crate::ask::eval::{Cx, Eval};
use crate::position::stack::{Chooser, Decision, DecisionKind, Kind};
use crate::position::submission::Submission;
use crate::position::value::{Locals, Value, bind};

impl Eval<'_> {
    /// The duty for which an answer that would be legal without it is refused: it fulfils none, and another would.
    pub(crate) fn refused_for_duty(&self, ask: &Decision, submission: &Submission) -> Option<NormId> {
        if !self.may_be_bound(ask) || self.fulfilled_by(ask, submission).is_some() {
            return None;
        }
        self.duty_at(ask)
    }

    /// What of all answers is offered: those that fulfil a duty, if there are any.
    pub(crate) fn bound_to_duties(&self, ask: &Decision, answers: Vec<Submission>) -> Vec<Submission> {
        if !self.may_be_bound(ask) {
            return answers;
        }
        let with_duty = |answer: &Submission| self.fulfilled_by(ask, answer).map(|duty| (duty, answer.clone()));
        let fulfilling: Vec<(NormId, Submission)> = answers.iter().filter_map(with_duty).collect();
        let Some((duty, _)) = fulfilling.first() else { return answers };
        self.note_duty(Some(*duty));
        fulfilling.into_iter().map(|(_, answer)| answer).collect()
    }

    /// Tells who asks which clauses make a difference that a duty does.
    fn note_duty(&self, duty: Option<NormId>) {
        if let (Some(effects), Some(duty)) = (&self.cache.effects, duty) {
            effects.note_norm(duty);
        }
    }

    /// A duty that can be fulfilled at a decision.
    fn duty_at(&self, ask: &Decision) -> Option<NormId> {
        if !self.may_be_bound(ask) {
            return None;
        }
        let found = match (&ask.kind, ask.by) {
            (DecisionKind::Act, Chooser::Seat(seat)) => {
                let mut found = None;
                self.declarations(seat, &mut |attempt| {
                    found = self.fulfilled_by_declaring(attempt);
                    found.is_some()
                });
                found
            }
            (DecisionKind::Choose { from, .. }, _) => {
                from.iter().find_map(|t| self.fulfilled_by(ask, &Submission::Pick(Value::Thing(t))))
            }
            (DecisionKind::May, _) => self.fulfilled_by(ask, &Submission::Yes),
            (DecisionKind::Branch(n), _) => (0..*n).find_map(|n| self.fulfilled_by(ask, &Submission::Branch(n))),
            _ => None,
        };
        self.note_duty(found);
        found
    }

    /// Whether something says what must be done, and a player decides. Mostly nothing does, and then nothing is listed to
    /// find what would fulfil it.
    fn may_be_bound(&self, ask: &Decision) -> bool {
        matches!(ask.by, Chooser::Seat(_)) && self.link.analysis.duties.iter().any(|id| self.may_bind(*id))
    }

    /// Whether a duty was laid down, or is carried by something: of which event it speaks, and if it holds, is asked later.
    fn may_bind(&self, id: NormId) -> bool {
        let norm = self.link.program.norm(id);
        self.cache.log.norms(norm.pattern.verb);
        self.cache.log.clause(norm.clause);
        if norm.delayed {
            return self.effects_in_force_of(|effect| effect.what == EffectKind::Norm(id)).next().is_some();
        }
        match norm.card {
            None => true,
            // Such a one is carried by what plays a role in the event, wherever it lies.
            Some(_) if norm.carriers.is_some() || norm.pattern.about_this().is_some() => true,
            Some(card) => !self.carriers(card, norm.within.as_ref(), &mut None).is_empty(),
        }
    }

    /// The duty that an answer fulfils.
    pub(crate) fn fulfilled_by(&self, ask: &Decision, submission: &Submission) -> Option<NormId> {
        if let (DecisionKind::Act, Submission::Declare { .. }) = (&ask.kind, submission) {
            return self.fulfilled_by_declaring(&self.attempt(submission)?);
        }
        let frame = self.state.frames.last()?;
        let Kind::Block(at) = &frame.kind else { return None };
        let (statement, _) = self.link.statement(at.before())?;
        let cx = Cx::of(self.state.acts.get(usize::from(frame.act))?, usize::MAX);
        match (&ask.kind, submission, statement) {
            // What is gathered of several fulfils nothing by itself.
            (
                DecisionKind::Choose { .. },
                Submission::Pick(Value::Thing(thing)),
                Statement::Choose { slot, then, .. },
            ) => {
                let mut own: Locals = cx.locals.into();
                bind(&mut own, *slot, Value::Thing(*thing));
                let cx = Cx { locals: &own, ..cx };
                then.iter().find_map(|act| self.fulfilled_by_act(&cx, act))
            }
            (_, Submission::Yes, Statement::May { body, .. }) => self.fulfilled_by_block(&cx, *body),
            (_, Submission::Branch(n), Statement::ChooseOne { branches, .. }) => {
                branches.get(usize::from(*n)).and_then(|branch| self.fulfilled_by_block(&cx, *branch))
            }
            _ => None,
        }
    }

    fn fulfilled_by_declaring(&self, attempt: &Attempt) -> Option<NormId> {
        let declared = attempt.action.and_then(|action| {
            let decl = self.link.program.verb(action.verb);
            let roles = action_roles(decl, attempt.allowance, attempt.seat, attempt.this, &attempt.locals);
            self.owed(action.verb, &roles)
        });
        let cx = attempt.cx();
        declared.or_else(|| attempt.allowance.acts.iter().find_map(|act| self.fulfilled_by_act(&cx, act)))
    }

    fn fulfilled_by_block(&self, cx: &Cx, block: BlockId) -> Option<NormId> {
        let mut found = None;
        self.begins_with(cx, block, true, &mut |cx, act| {
            found = self.fulfilled_by_act(cx, act);
            found.is_some()
        });
        found
    }

    /// The duty that an act fulfils with what is known of it.
    fn fulfilled_by_act(&self, cx: &Cx, act: &Act) -> Option<NormId> {
        let events = self.events_of(cx, act, self.link.program.verb(act.verb), &|_| true)?;
        events.iter().find_map(|roles| self.owed(act.verb, roles))
    }
}
