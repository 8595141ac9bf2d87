//! What an answer to a decision does.

use netrep_ir::*;

use crate::act::chance;
use crate::act::procedure::seats_of;
use crate::act::run::{Run, Step};
use crate::position::error::{ErrorKind, Fault};
use crate::position::set::ThingId;
use crate::position::stack::*;
use crate::position::state::Ordinal;
use crate::position::submission::Submission;
use crate::position::trace::{TraceEntry, TraceKind};
use crate::position::value::{Value, next_seat};

impl Run<'_> {
    /// Does what a legal submission says.
    pub(crate) fn apply(&mut self, submission: &Submission) -> Step {
        let unsound =
            |clause| Err(Fault::new(ErrorKind::Unsound, clause, "the position does not wait for this answer"));
        let Some(ask) = self.state.ask.take() else { return unsound(self.clause_here()) };
        self.cache.log.clause(ask.clause);
        if self.trace.is_some()
            && !matches!(submission, Submission::Declare { .. } | Submission::Dice(_) | Submission::Shuffled(_))
        {
            self.state.ask = Some(ask.clone());
            self.note(|e| {
                let who = if let Chooser::Seat(s) = ask.by { e.thing_words(s) } else { "chance".to_string() };
                TraceEntry::new(
                    TraceKind::Chosen,
                    ask.clause,
                    format!("{who} chooses {}", e.submission_words(submission)),
                )
            });
            self.state.ask = None;
        }
        if let DecisionKind::Gather { declaration, .. } = ask.kind {
            let more = match submission {
                Submission::Pick(value) => value.thing(),
                _ => None,
            };
            return match ask.by {
                Chooser::Seat(seat) => self.choose_more(*declaration, seat, more),
                Chooser::Chance => unsound(ask.clause),
            };
        }
        let act = self.state.act_here();
        let link = self.link;
        let here = match self.state.frames.last().map(|f| &f.kind) {
            Some(Kind::Block(at)) => link.statement(at.before()).map(|s| &s.0),
            Some(Kind::Each { at, .. }) => link.statement(*at).map(|s| &s.0),
            _ => None,
        };
        if let (
            Some(effects),
            Submission::Yes | Submission::Pick(_),
            Some(Statement::May { .. } | Statement::Choose { optional: Some(_), .. }),
        ) = (&self.cache.effects, submission, here)
        {
            effects.note_choice(ask.site);
        }
        match (submission, here) {
            (Submission::Pick(value), Some(Statement::Choose { by, slot, optional, .. })) => {
                if let (None, Some(Frame { kind: Kind::Block(at), .. })) = (by, self.state.frames.last()) {
                    let purpose = at.block;
                    self.count_roll(purpose, None);
                }
                self.bind(act, *slot, value.clone())?;
                self.push_any(act, optional.map(|(then, _)| then))
            }
            (Submission::Pick(value), Some(Statement::ForEach { slot, body, .. })) => {
                let Some(thing) = value.thing() else { return unsound(ask.clause) };
                self.each()?.remove(thing);
                self.bind(act, *slot, value.clone())?;
                self.push_block(act, *body)
            }
            (Submission::Decline, Some(Statement::Choose { slot, optional: Some((_, otherwise)), .. })) => {
                self.bind(act, *slot, Value::None)?;
                self.push_any(act, *otherwise)
            }
            (Submission::Yes, Some(Statement::May { body, .. })) => self.push_block(act, *body),
            (Submission::No, Some(Statement::May { otherwise, .. })) => self.push_any(act, *otherwise),
            (Submission::Branch(n), Some(Statement::ChooseOne { branches, .. })) => {
                match branches.get(usize::from(*n)) {
                    Some(branch) => self.push_block(act, *branch),
                    None => unsound(ask.clause),
                }
            }
            (Submission::Dice(total), Some(Statement::Roll { slot, .. })) => match ask.kind {
                DecisionKind::Roll { by, subject, purpose, .. } => {
                    self.count_roll(purpose, subject);
                    self.bind(act, *slot, Value::Num(*total))?;
                    self.rolled(*total, ask.clause, by, subject);
                    Ok(())
                }
                _ => unsound(ask.clause),
            },
            (Submission::Shuffled(order), _) => {
                let DecisionKind::Shuffle { place, purpose, owner } = ask.kind else { return unsound(ask.clause) };
                self.count_roll(purpose, owner);
                let layout = &self.link.layout;
                for (rank, thing) in (1..).zip(order) {
                    self.state.set_cell(layout, *thing, crate::program::layout::RANK, rank);
                    self.state.forget_revealed(&self.link.program, *thing);
                }
                self.touch();
                self.note(|e| {
                    let place = e.place_words(place, owner);
                    TraceEntry::new(TraceKind::Shuffled, ask.clause, format!("{place} is shuffled"))
                });
                Ok(())
            }
            (Submission::Order(n), _) => match ask.kind {
                DecisionKind::Replace(_) => self.replace(usize::from(*n)),
                _ => self.take_next(usize::from(*n)),
            },
            (Submission::Declare { allowance, this, effect, parameters }, _) => {
                let Chooser::Seat(seat) = ask.by else { return unsound(ask.clause) };
                let (allowance, this, effect, parameters) = (*allowance, *this, *effect, parameters.clone());
                self.complete(Gathering { allowance, this, effect, parameters, at: 0 }, seat)
            }
            (Submission::Step(step), _) => {
                self.next_turn(false)?;
                self.step_body(act, *step)
            }
            (Submission::Pass, _) => match self.window() {
                Some(_) => self.pass(),
                None => self.next_turn(true),
            },
            _ => unsound(ask.clause),
        }
    }

    /// The next player's turn in the procedure on top of the stack.
    fn next_turn(&mut self, passed: bool) -> Step {
        let seats = seats_of(&self.eval().turn_steps()).len().max(1);
        let r = self.running()?;
        r.passes = if passed { r.passes.saturating_add(1) } else { 0 };
        r.turn = next_seat(usize::from(r.turn), seats);
        Ok(())
    }

    fn rolled(&mut self, total: i32, clause: ClauseId, by: ThingId, subject: Option<ThingId>) {
        self.note(|e| {
            let mut text = format!("{} rolls {total}", e.thing_words(by));
            if let Some(subject) = subject {
                text.push_str(&format!(" for {}", e.thing_words(subject)));
            }
            let entry = TraceEntry::new(TraceKind::Rolled, clause, text);
            TraceEntry { value: Some(total), roles: vec![Some(by), subject], ..entry }
        });
    }

    /// One more roll of a purpose for a subject.
    fn count_roll(&mut self, purpose: BlockId, subject: Option<ThingId>) {
        let (purpose, subject) =
            (chance::purpose_key(&self.eval(), purpose), chance::subject_key(&self.eval(), subject));
        match self.state.ordinals.iter_mut().find(|o| o.purpose == purpose && o.subject == subject) {
            Some(o) => o.count += 1,
            None => {
                self.state.ordinals.push(Ordinal { purpose, subject, count: 1 });
                self.state.ordinals.sort_unstable();
            }
        }
    }
}
