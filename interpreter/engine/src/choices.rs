//! Choices: what can be submitted, what is offered, and what a submission does.

use netrep_ir::*;
use serde::{Deserialize, Serialize};

use crate::error::{ErrorKind, Fault};
use crate::eval::{Cx, Eval};
use crate::frame::*;
use crate::legality::{Attempt, Fast};
use crate::procedure::seats_of;
use crate::rng;
use crate::run::{Run, Step};
use crate::set::{Set, ThingId};
use crate::state::Ordinal;
use crate::trace::{TraceEntry, TraceKind};
use crate::value::Value;

/// An answer to a decision; illegal ones can be said too, and are refused with reasons.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Submission {
    /// Declare an action.
    Declare {
        /// Which.
        allowance: AllowanceId,
        /// The thing that carries it, or none for a rule's.
        this: Option<ThingId>,
        /// The choices, in the order of its parameters.
        parameters: Vec<Value>,
    },
    /// Choose a thing.
    Pick(Value),
    /// Declare nothing, perform no step.
    Pass,
    /// Choose nothing.
    Decline,
    /// Do it.
    Yes,
    /// Do not.
    No,
    /// Take a branch.
    Branch(u16),
    /// Perform a step.
    Step(StepId),
    /// Take this one of the triggers or replacements next.
    Order(u16),
    /// The total of the dice.
    Dice(i32),
    /// The things of a shuffled place, lowest first.
    Shuffled(Vec<ThingId>),
}

/// Something that is offered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Opt {
    /// What to submit.
    pub submission: Submission,
}

impl Eval<'_> {
    /// The step owners of the procedure on top of the stack.
    pub fn turn_steps(&self) -> Vec<(StepId, Option<ThingId>)> {
        let Some(Frame { act, kind: Kind::Procedure(r), .. }) = self.state.frames.last() else { return Vec::new() };
        let (Some(decl), Some(a)) =
            (self.link.program.procs.get(r.proc.index()), self.state.acts.get(usize::from(*act)))
        else {
            return Vec::new();
        };
        self.step_owners(&Cx::of(a, usize::MAX), decl)
    }

    /// Everything that is offered at the decision, in order of ids. A shuffle offers only the order as it is.
    pub fn options(&self) -> Vec<Submission> {
        let Some(ask) = &self.state.ask else { return Vec::new() };
        let pick = |set: &Set| set.iter().map(|t| Submission::Pick(Value::Thing(t))).collect::<Vec<_>>();
        match (&ask.kind, ask.by) {
            (DecisionKind::Choose { from, optional }, _) => {
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

    /// Submissions of every kind on any things, legal or not, at most so many: for proofs that what is offered and
    /// what is taken agree.
    pub fn candidates(&self, most: usize) -> Vec<Submission> {
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
                    Pool::Things(_) => everything.iter().map(|t| Value::Thing(*t)).collect(),
                    Pool::Entries(list, _) => {
                        crate::table::Table::list(&self.link.program, *list).iter().map(|e| Value::Entry(*e)).collect()
                    }
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
                        parameters: parameters.clone(),
                    });
                }
            }
        }
        all
    }

    /// Whether a submission is legal: the same reading as the offer.
    pub fn legal(&self, submission: &Submission) -> bool {
        let Some(ask) = &self.state.ask else { return false };
        match (&ask.kind, submission) {
            (DecisionKind::Choose { from, .. } | DecisionKind::Next { from }, Submission::Pick(Value::Thing(t))) => {
                from.contains(*t)
            }
            (DecisionKind::Choose { optional, .. }, Submission::Decline) => *optional,
            (DecisionKind::May, Submission::Yes | Submission::No) => true,
            (DecisionKind::Branch(n), Submission::Branch(i)) => i < n,
            (DecisionKind::Act | DecisionKind::Step, Submission::Pass) => true,
            (DecisionKind::Act, Submission::Declare { .. }) => self
                .attempt(submission)
                .is_some_and(|a| self.admitted(a.seat).is_some_and(|w| self.check(&a, &w, &mut Fast))),
            (DecisionKind::Step, Submission::Step(step)) => {
                let Chooser::Seat(seat) = ask.by else { return false };
                self.turn_steps().contains(&(*step, Some(seat)))
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

    /// A declaration as an attempt by whoever decides; `None` if it names no allowance or too few or many parameters.
    pub fn attempt(&self, submission: &Submission) -> Option<Attempt<'_>> {
        let Submission::Declare { allowance, this, parameters } = submission else { return None };
        let Some(Decision { by: Chooser::Seat(seat), .. }) = self.state.ask else { return None };
        let attempt = Attempt::new(self.link, *allowance, seat, *this)?;
        (attempt.allowance.parameters.len() == parameters.len()).then(|| attempt.with(parameters))
    }

    /// The things in a place of an owner, lowest first.
    pub fn in_order(&self, place: PlaceId, owner: Option<ThingId>) -> Vec<ThingId> {
        let layout = &self.link.layout;
        let here = Set::from_words(self.state.words(layout, layout.place(place)));
        let mine = |t: &ThingId| owner.is_none() || self.state.thing_in(layout, *t, crate::layout::OWNER) == owner;
        let mut things: Vec<ThingId> = here.iter().filter(mine).collect();
        things.sort_by_key(|t| (self.state.cell(layout, *t, crate::layout::RANK), *t));
        things
    }

    /// A submission in words.
    pub fn submission_words(&self, submission: &Submission) -> String {
        match submission {
            Submission::Declare { .. } => match self.attempt(submission) {
                Some(a) => declare_words(self, a.id, a.this, &a.locals),
                None => "declare".to_string(),
            },
            Submission::Pick(value) => self.any_words(value),
            Submission::Pass => "pass".to_string(),
            Submission::Decline => "decline".to_string(),
            Submission::Yes => "yes".to_string(),
            Submission::No => "no".to_string(),
            Submission::Branch(n) => self.branch_words(*n),
            Submission::Step(step) => {
                format!("perform {}", self.link.program.steps.get(step.index()).map_or("?", |s| s.name.as_str()))
            }
            Submission::Order(n) => self.order_words(usize::from(*n)),
            Submission::Dice(n) => n.to_string(),
            Submission::Shuffled(things) => things.iter().map(|t| self.thing_words(*t)).collect::<Vec<_>>().join(", "),
        }
    }

    fn branch_words(&self, n: u16) -> String {
        let here = match self.state.frames.last().map(|f| &f.kind) {
            Some(Kind::Block(at)) => self.link.statement(before(*at)),
            _ => None,
        };
        let branch = match here {
            Some((Statement::ChooseOne { branches, .. }, _)) => branches.get(usize::from(n)),
            _ => None,
        };
        let texts =
            branch.map(|b| self.link.block(*b).iter().map(|(_, site)| self.link.site_text(*site)).collect::<Vec<_>>());
        match texts.map(|t| t.join("; ")) {
            Some(text) if !text.is_empty() => text,
            _ => format!("branch {}", n + 1),
        }
    }

    fn order_words(&self, n: usize) -> String {
        let replacements;
        let alike = |p: &Pending, q: &Pending| (p.trigger, p.this) == (q.trigger, q.this);
        let waiting = match self.state.frames.last().map(|f| &f.kind) {
            Some(Kind::Immediate { items, .. }) => items.as_slice(),
            Some(Kind::Following(f)) => f.open.as_slice(),
            Some(Kind::Event(_)) => {
                replacements = self.replacements().into_iter().map(|m| m.pending(0)).collect::<Vec<_>>();
                replacements.as_slice()
            }
            _ => &[],
        };
        let Some(one) = waiting.get(n) else { return format!("number {}", n + 1) };
        let trigger = self.link.program.triggers.get(one.trigger.index());
        let label = trigger.map_or("?", |t| self.link.label(t.clause));
        let mut words = match one.this {
            Some(t) => format!("{}: {label}", self.thing_words(t)),
            None => label.to_string(),
        };
        // What one clause of one thing says of several is told apart by them.
        if waiting.iter().filter(|p| alike(p, one)).count() > 1 {
            let slots = trigger.into_iter().flat_map(|t| &t.pattern.roles).filter_map(|r| r.1);
            for about in slots.filter_map(|s| one.locals.get(usize::from(s)).and_then(Value::thing)) {
                words.push_str(&format!(" {}", self.thing_words(about)));
            }
        }
        words
    }
}

/// The statement that asked: frames stand at the one after it.
fn before(at: At) -> At {
    At { pc: at.pc.saturating_sub(1), ..at }
}

/// What to submit to make an attempt.
pub(crate) fn submission_of(attempt: &Attempt) -> Submission {
    let value = |p: &Parameter| attempt.locals.get(usize::from(p.slot)).cloned().unwrap_or_default();
    Submission::Declare {
        allowance: attempt.id,
        this: attempt.this,
        parameters: attempt.allowance.parameters.iter().map(value).collect(),
    }
}

/// A declaration in words: `play "Block" on "Ann"`, `"Well": draw`.
pub(crate) fn declare_words(eval: &Eval, id: AllowanceId, this: Option<ThingId>, own: &[Value]) -> String {
    let Some(allowance) = eval.link.program.allowances.get(id.index()) else { return "?".to_string() };
    // A play is said of the card; what a thing can do is said after the thing.
    let play = allowance.action.is_some_and(|a| {
        let verb = eval.link.program.actions.get(a.index()).map(|a| a.verb);
        verb.is_some() && verb != eval.link.program.services.ability
    });
    let mut words = match (this, play) {
        (Some(t), true) => format!("{} {}", allowance.words, eval.thing_words(t)),
        (Some(t), false) => format!("{}: {}", eval.thing_words(t), allowance.words),
        (None, _) => allowance.words.clone(),
    };
    for p in &allowance.parameters {
        if let Some(value) = own.get(usize::from(p.slot)) {
            if !p.word.is_empty() {
                words.push(' ');
                words.push_str(&p.word);
            }
            words.push(' ');
            words.push_str(&eval.any_words(value));
        }
    }
    words
}

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
        let act = self.state.frames.last().map_or(0, |f| f.act);
        let link = self.link;
        let here = match self.state.frames.last().map(|f| &f.kind) {
            Some(Kind::Block(at)) => link.statement(before(*at)).map(|s| &s.0),
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
                    self.state.set_cell(layout, *thing, crate::layout::RANK, i32::try_from(i).unwrap_or(0) + 1);
                    self.state.conceal(&self.link.program, *thing);
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
            r.turn = u8::try_from((usize::from(r.turn) + 1) % seats).unwrap_or(0);
        }
    }

    fn rolled(&mut self, act: u16, slot: u8, total: i32, ask: &Decision) -> Step {
        let DecisionKind::Roll { by, subject, purpose, .. } = ask.kind else { return Ok(()) };
        self.count_roll(purpose, subject);
        self.bind(act, slot, Value::Num(total));
        self.note(|e| {
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
        let (purpose, subject) = (rng::purpose_key(&self.eval(), purpose), rng::subject_key(&self.eval(), subject));
        match self.state.ordinals.iter_mut().find(|o| o.purpose == purpose && o.subject == subject) {
            Some(o) => o.count += 1,
            None => {
                self.state.ordinals.push(Ordinal { purpose, subject, count: 1 });
                self.state.ordinals.sort_unstable();
            }
        }
    }
}
