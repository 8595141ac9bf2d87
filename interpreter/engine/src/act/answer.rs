//! What an answer to a decision does.

use netrep_ir::*;

use crate::act::chance;
use crate::act::procedure::seats_of;
use crate::act::run::{Run, Step};
use crate::ask::attempt::Attempt;
use crate::position::error::{ErrorKind, Fault};
use crate::position::set::ThingId;
use crate::position::stack::*;
use crate::position::state::Ordinal;
use crate::position::submission::Submission;
use crate::position::trace::{TraceEntry, TraceKind};
use crate::position::value::{Value, next_seat};

impl Run<'_> {
    /// Does what a legal submission says.
    pub fn apply(&mut self, submission: &Submission) -> Step {
        let Some(ask) = self.state.ask.take() else { return Ok(()) };
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
        let act = self.state.act_here();
        let link = self.link;
        let here = match self.state.frames.last().map(|f| &f.kind) {
            Some(Kind::Block(at)) => link.statement(at.before()).map(|s| &s.0),
            Some(Kind::Each { at, .. }) => link.statement(*at).map(|s| &s.0),
            _ => None,
        };
        match (submission, here) {
            (Submission::Pick(value), Some(Statement::Choose { by, slot, optional, .. })) => {
                if let (None, Some(Frame { kind: Kind::Block(at), .. })) = (by, self.state.frames.last()) {
                    let purpose = at.block;
                    self.count_roll(purpose, None);
                }
                self.bind(act, *slot, value.clone());
                optional.map_or(Ok(()), |(then, _)| self.push_block(act, then))
            }
            (Submission::Pick(value), Some(Statement::ForEach { slot, body, .. })) => {
                if let (Some(Frame { kind: Kind::Each { remaining, .. }, .. }), Some(thing)) =
                    (self.state.frames.last_mut(), value.thing())
                {
                    remaining.remove(thing);
                }
                self.bind(act, *slot, value.clone());
                self.push_block(act, *body)
            }
            (Submission::Decline, Some(Statement::Choose { slot, optional: Some((_, otherwise)), .. })) => {
                self.bind(act, *slot, Value::None);
                otherwise.map_or(Ok(()), |b| self.push_block(act, b))
            }
            (Submission::Yes, Some(Statement::May { body, .. })) => self.push_block(act, *body),
            (Submission::No, Some(Statement::May { otherwise, .. })) => {
                otherwise.map_or(Ok(()), |b| self.push_block(act, b))
            }
            (Submission::Branch(n), Some(Statement::ChooseOne { branches, .. })) => {
                branches.get(usize::from(*n)).map_or(Ok(()), |b| self.push_block(act, *b))
            }
            (Submission::Dice(total), Some(Statement::Roll { slot, .. })) => self.rolled(act, *slot, *total, &ask),
            (Submission::Shuffled(order), _) => {
                if let DecisionKind::Shuffle { purpose, owner, .. } = ask.kind {
                    self.count_roll(purpose, owner);
                }
                let layout = &self.link.layout;
                for (i, thing) in order.iter().enumerate() {
                    self.state.set_cell(
                        layout,
                        *thing,
                        crate::program::layout::RANK,
                        // total: no place holds more things than a game.
                        i32::try_from(i).unwrap_or(0) + 1,
                    );
                    self.state.forget_revealed(&self.link.program, *thing);
                }
                self.touch();
                self.note(|e| {
                    let place = if let DecisionKind::Shuffle { place, owner, .. } = ask.kind {
                        e.place_words(place, owner)
                    } else {
                        String::new()
                    };
                    TraceEntry::new(TraceKind::Shuffled, ask.clause, format!("{place} is shuffled"))
                });
                Ok(())
            }
            (Submission::Order(n), _) => match ask.kind {
                DecisionKind::Replace(_) => self.replace(usize::from(*n)),
                _ if self.put_next(usize::from(*n)) => Ok(()),
                _ => self.run_immediate(usize::from(*n)),
            },
            (Submission::Declare { allowance, this, parameters }, _) => {
                let Chooser::Seat(seat) = ask.by else { return Ok(()) };
                let attempt = Attempt::new(link, *allowance, seat, *this).map(|a| a.with(parameters));
                attempt.map_or(Ok(()), |a| self.declare(a.id, seat, a.this, a.locals))
            }
            (Submission::Step(step), _) => {
                self.next_turn(act, false);
                self.step_body(act, *step)
            }
            (Submission::Pass, _) => {
                match self.window() {
                    Some(_) => self.pass(),
                    None => self.next_turn(act, true),
                }
                Ok(())
            }
            _ => Err(Fault::new(ErrorKind::Unsound, ask.clause, "the position does not wait for this answer")),
        }
    }

    fn next_turn(&mut self, _act: u16, passed: bool) {
        let seats = seats_of(&self.eval().turn_steps()).len().max(1);
        if let Some(Frame { kind: Kind::Procedure(r), .. }) = self.state.frames.last_mut() {
            r.passes = if passed { r.passes.saturating_add(1) } else { 0 };
            r.turn = next_seat(usize::from(r.turn), seats);
        }
    }

    fn rolled(&mut self, act: u16, slot: u8, total: i32, ask: &Decision) -> Step {
        let DecisionKind::Roll { by, subject, purpose, .. } = ask.kind else { return Ok(()) };
        self.count_roll(purpose, subject);
        self.bind(act, slot, Value::Num(total));
        self.note(|e| {
            // total: a roll for nothing says nothing of it.
            let of = subject.map_or(String::new(), |s| format!(" for {}", e.thing_words(s)));
            TraceEntry {
                value: Some(total),
                roles: vec![Some(by), subject],
                ..TraceEntry::new(TraceKind::Rolled, ask.clause, format!("{} rolls {total}{of}", e.thing_words(by)))
            }
        });
        Ok(())
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
