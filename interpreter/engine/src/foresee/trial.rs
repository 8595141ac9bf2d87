//! What a declaration leads to, found by trying: it is declared and resolved on a copy of the position, nobody answers it,
//! and every decision on the way is taken in several ways.

use netrep_ir::limits::{COURSES, ROLES, WAYS};
use netrep_ir::*;

use crate::act::run::{Run, Step};
use crate::ask::attempt::Attempt;
use crate::ask::eval::{Cx, Eval};
use crate::position::cache::Cache;
use crate::position::error::{ErrorKind, Fault};
use crate::position::set::{Set, ThingId, bit};
use crate::position::stack::{ChainItem, Decision, DecisionKind, Kind};
use crate::position::state::{Row, State};
use crate::position::submission::Submission;
use crate::position::tried::{Course, Stopped, TrialRoom, Tried, What};
use crate::program::layout::{CAME, RANK, SINCE};
use crate::program::parts::List;

/// Columns that say nothing by themselves, in their order: they change with what moves.
const UNSEEN: [usize; 3] = [RANK, SINCE, CAME];

/// What is tried.
pub(crate) enum Start<'a> {
    /// A declaration that is about to be made.
    Attempt(&'a Attempt<'a>),
    /// The `n`-th item that waits in the window of a frame.
    ChainItem { frame: usize, n: usize },
    /// The `n`-th passive condition that waits in the following chain of a frame.
    Pending { frame: usize, n: usize },
}

fn what(start: &Start) -> What {
    match *start {
        Start::Attempt(a) => {
            What::Attempt { id: a.id, seat: a.seat, this: a.this, effect: a.effect, locals: a.locals.clone() }
        }
        Start::ChainItem { frame, n } => What::ChainItem { frame, n },
        Start::Pending { frame, n } => What::Pending { frame, n },
    }
}

impl Eval<'_> {
    /// Whether a declaration leads, in some course, to a position in which something is so. Where that cannot be tried (one
    /// trial does not hold another, and a viewer must not learn from it what is hidden) it is taken as possible. A fault that
    /// is met on the way is one here.
    /// What is asked hears how things were when the action was opened (what its kind does to declare any action is no doing
    /// of this one), and how they are then.
    pub(crate) fn try_declaration(&self, start: &Start, holds: &mut dyn FnMut(&State, &Eval) -> bool) -> bool {
        if self.cache.trying || self.veil.is_some() {
            return true;
        }
        // A trial reads the stack as it is.
        self.state.versions.note(self.state.versions.parts.list(List::All));
        let mut spare = self.cache.spare.take().unwrap_or_else(|| Box::new(TrialRoom::new(self.link)));
        spare.cache.log.count_like(&self.cache.log);
        let found = self.courses(start, &mut spare, holds);
        self.cache.log.merge(&spare.cache.log);
        // The next trial begins with nothing consulted and no fault.
        spare.cache.log.clear();
        if let Some(fault) = spare.cache.fault.take() {
            self.failed(fault);
        }
        *self.cache.spare.borrow_mut() = Some(spare);
        found
    }

    /// A position in a trial.
    fn of_trial<'t>(&'t self, state: &'t State, cache: &'t Cache) -> Eval<'t> {
        Eval { below: Some(self.cache), ..Eval::of(self.link, state, cache) }
    }

    /// What cannot be carried through for want of room may do anything, and so may what a sentence does that has a fault; but
    /// that is told.
    fn failed(&self, fault: Fault) -> bool {
        if !matches!(fault.kind, ErrorKind::Overflow | ErrorKind::LoopBound) {
            self.cache.fail(fault);
        }
        true
    }

    /// Whether something is so at the end of one of the courses of a trial, which goes on as far as is needed to tell.
    fn courses(&self, start: &Start, spare: &mut TrialRoom, holds: &mut dyn FnMut(&State, &Eval) -> bool) -> bool {
        let now = self.state.moment_asked();
        self.cache.kept.floor.set(now);
        let mut tried = match spare.tried.take() {
            Some(tried) if tried.at == now && tried.what == what(start) => tried,
            other => {
                if let Some(tried) = other {
                    spare.states.extend(tried.ended);
                    spare.states.extend(tried.open.into_iter().map(|(state, _)| state));
                }
                self.open_trial(start, now, spare)
            }
        };
        let found = self.goes_so(&mut tried, spare, holds);
        spare.tried = Some(tried);
        found
    }

    /// The same of a trial that has been begun.
    fn goes_so(&self, tried: &mut Tried, spare: &mut TrialRoom, holds: &mut dyn FnMut(&State, &Eval) -> bool) -> bool {
        let TrialRoom { cache, opened, states, .. } = spare;
        let mut next = 0;
        loop {
            while let Some(state) = tried.ended.get(next) {
                cache.touch();
                if holds(opened, &self.of_trial(state, cache)) {
                    return true;
                }
                next += 1;
            }
            match &tried.stopped {
                Some(Stopped::Fault(fault)) => return self.failed(fault.clone()),
                Some(Stopped::TooMany) => return true,
                None => {}
            }
            let (state, stage) = match tried.open.pop() {
                Some(course) => course,
                // Every course has ended, and in none it was so.
                None => return false,
            };
            if let Err(fault) = self.follow(state, stage, cache, states, tried) {
                tried.stopped = Some(Stopped::Fault(fault));
            } else if tried.courses > COURSES {
                tried.stopped = Some(Stopped::TooMany);
            }
        }
    }

    /// The beginning of a trial.
    fn open_trial(&self, start: &Start, at: u64, spare: &mut TrialRoom) -> Tried {
        let TrialRoom { cache, opened, states, .. } = spare;
        let mut state = copy(self, states, self.state);
        state.ask = None;
        // What waits already is none of its doing.
        if !state.pending.is_empty() {
            state.pending.clear();
        }
        if !state.announced.is_empty() {
            state.announced.clear();
        }
        let mut tried = Tried { at, what: what(start), open: Vec::new(), ended: Vec::new(), courses: 1, stopped: None };
        match with(self, &mut state, cache, |run| begin(run, start)) {
            Ok(stage) => {
                opened.copy_from(&state);
                tried.open.push((state, stage));
            }
            Err(fault) => tried.stopped = Some(Stopped::Fault(fault)),
        }
        tried
    }

    /// Goes on with one course of a trial until it ends or comes to a decision, at which it parts.
    fn follow(
        &self,
        mut state: State,
        mut stage: Course,
        cache: &mut Cache,
        states: &mut Vec<State>,
        tried: &mut Tried,
    ) -> Result<(), Fault> {
        let floor = self.state.frames.peek().len();
        loop {
            with(self, &mut state, cache, |run| run.run_above(floor))?;
            if let Some(ask) = &state.ask {
                for answer in answers(&self.of_trial(&state, cache), ask) {
                    let mut next = copy(self, states, &state);
                    with(self, &mut next, cache, |run| run.apply(&answer))?;
                    tried.open.push((next, stage));
                    tried.courses += 1;
                }
                states.push(state);
                return Ok(());
            }
            match with(self, &mut state, cache, |run| go_on(run, floor, stage))? {
                Some(next) => stage = next,
                None => {
                    with(self, &mut state, cache, |run| run.stand())?;
                    tried.ended.push(state);
                    return Ok(());
                }
            }
        }
    }

    /// Whether nothing has changed since the innermost action that is being resolved was declared.
    pub(crate) fn unchanged(&self) -> bool {
        self.state.versions.note(self.state.versions.parts.list(List::All));
        let resolved = self.state.frames.iter().rev().find_map(|frame| match &frame.kind {
            Kind::Resolve { item, .. } => Some(item),
            _ => None,
        });
        resolved.is_some_and(|item| {
            let mut since = self.state.history.iter().skip(item.rows as usize);
            since.all(|row| self.declares(row, item.this))
                && item.print == crate::position::hash::without(self.link, self.state, item.this)
        })
    }

    /// Whether a row of the history says no more than that a thing was declared.
    fn declares(&self, row: &Row, this: Option<ThingId>) -> bool {
        let action = self.link.program.actions.iter().any(|action| action.verb == row.verb);
        action && this.is_some() && (0..ROLES).any(|role| row.role(role) == this)
    }

    /// Whether a position that a declaration of `this` has led to differs from an earlier one in anything that concerns one
    /// of these things other than itself; or in anything, except where it lies itself.
    pub(crate) fn differs(&self, this: ThingId, on: Option<&Set>, before: &State, after: &Eval) -> bool {
        let layout = &self.link.layout;
        // What becomes of the declaration itself is no effect of it.
        let mut about = on.cloned().unwrap_or_else(|| self.universe(true));
        about.remove(this);
        let services = &self.link.program.services;
        let declaration = services.declaration.map(|(class, _)| class);
        let passes = |t: ThingId| declaration.is_some() && after.state.class_of(t) == declaration;
        about.iter().filter(|t| passes(*t)).collect::<Vec<_>>().into_iter().for_each(|t| about.remove(t));
        let made = |eval: &Eval| (before.ever()..eval.state.ever()).map(ThingId::from_index).any(|t| !passes(t));
        let mut rows = after.state.history.iter().skip(before.history.len());
        let happened = rows.any(|row| {
            let concerns = on.is_none() || (0..ROLES).filter_map(|role| row.role(role)).any(|t| about.contains(t));
            concerns && !self.declares(row, Some(this))
        });
        let stored = |t: ThingId| {
            let mut columns = (0..layout.columns).filter(|column| !UNSEEN.contains(column));
            columns.any(|column| before.cell(layout, t, column) != after.state.cell(layout, t, column))
                || (0..layout.slots)
                    .any(|slot| bit(before.words(layout, slot), t) != bit(after.state.words(layout, slot), t))
        };
        let mut pairs = after.state.pairs.iter().filter(|pair| before.pairs.binary_search(pair).is_err());
        happened
            || about.iter().any(stored)
            || pairs.any(|(_, a, b)| about.contains(*a) || about.contains(*b))
            || before.pairs.iter().any(|pair| about.contains(pair.1) && after.state.pairs.binary_search(pair).is_err())
            || (on.is_none() && (made(after) || after.state.ordinals != before.ordinals))
            || self.newly_in_force(on.map(|_| &about), after)
    }

    /// Whether modifiers or norms that were not in force before concern one of these things, or are there at all.
    fn newly_in_force(&self, on: Option<&Set>, after: &Eval) -> bool {
        let program = &self.link.program;
        let modifies = |id: ModifierId, cx: &Cx| {
            let modifier = program.modifier(id);
            after.cache.log.clause(modifier.clause);
            let holds = modifier.cond.as_ref().is_none_or(|cond| after.cond(cx, cond));
            holds && on.is_none_or(|on| !after.sel(cx, &modifier.subject, on).is_empty())
        };
        let binds = |id: NormId, cx: &Cx| {
            let norm = program.norm(id);
            after.cache.log.clause(norm.clause);
            let mut roles = norm.pattern.roles.iter().filter_map(|role| role.0.as_ref());
            let holds = norm.cond.as_ref().is_none_or(|cond| after.cond(cx, cond));
            holds && on.is_none_or(|on| roles.any(|role| on.iter().any(|t| after.has(&cx.about(&cx.it(t)), role, t))))
        };
        let lasting = after.effects_in_force_of(|effect| effect.serial > self.state.serial).any(|effect| {
            // What is given to somebody has an effect on him.
            if let (Some(carriers), Some(on)) = (program.laid(effect.what).carriers, on) {
                return on.iter().any(|t| after.is_given(effect.clause, effect.this, carriers, &effect.locals, t));
            }
            after.carrying_by(effect).into_iter().any(|this| {
                let cx = Cx::clause(effect.clause, this, &effect.locals);
                match effect.what {
                    EffectKind::Modifier(id) => modifies(id, &cx),
                    EffectKind::Norm(id) => binds(id, &cx),
                    EffectKind::Trigger(_) | EffectKind::Allowance(_) | EffectKind::Spare(_) => on.is_none(),
                }
            })
        });
        lasting || {
            let new = after.functioning().minus(self.functioning().words());
            if new.is_empty() || on.is_none() {
                return !new.is_empty();
            }
            // Any clause of these cards could be one.
            (0..program.attrs.len()).for_each(|i| after.cache.log.modifiers(AttrId::from_index(i)));
            (0..program.verbs.len()).for_each(|i| after.cache.log.norms(VerbId::from_index(i)));
            let standing = |t: ThingId, card: CardId| {
                let cx = |clause| Cx::clause(clause, Some(t), &[]);
                let mine = |of: Option<CardId>, delayed: bool| of == Some(card) && !delayed;
                let given = |clause, carriers: &Sel| {
                    on.is_some_and(|on| on.iter().any(|o| after.is_given(clause, Some(t), carriers, &[], o)))
                };
                let mut modifiers = program.modifiers.iter().enumerate().filter(|(_, m)| mine(m.card, m.delayed));
                let mut norms = program.norms.iter().enumerate().filter(|(_, n)| mine(n.card, n.delayed));
                modifiers.any(|(i, m)| match &m.carriers {
                    Some(carriers) => given(m.clause, carriers),
                    None => modifies(ModifierId::from_index(i), &cx(m.clause)),
                }) || norms.any(|(i, n)| match &n.carriers {
                    Some(carriers) => given(n.clause, carriers),
                    None => binds(NormId::from_index(i), &cx(n.clause)),
                })
            };
            new.iter().any(|t| self.link.card_of(t).is_some_and(|card| standing(t, card)))
        }
    }
}

/// A copy of a position in the room of one that is done with, if there is one.
fn copy(eval: &Eval, states: &mut Vec<State>, of: &State) -> State {
    // total: without one that is done with a new one is filled.
    let mut state = states.pop().unwrap_or_default();
    state.copy_from(of);
    if eval.cache.verifying.is_due() && state != *of {
        eval.cache.differs("a copy of the position");
    }
    state
}

/// Runs a copy of the position; what is kept of it is stale, because the copies take turns.
fn with<T>(eval: &Eval, state: &mut State, cache: &mut Cache, run: impl FnOnce(&mut Run) -> T) -> T {
    cache.touch();
    // Their stamps are not given out twice.
    state.versions.resume(eval.state.versions.given());
    let done = run(&mut Run { below: Some(eval.cache), ..Run::new(eval.link, state, cache, &mut None) });
    eval.state.versions.resume(state.versions.given());
    done
}

fn begin(run: &mut Run, start: &Start) -> Result<Course, Fault> {
    match start {
        Start::Attempt(attempt) => {
            let floor = run.state.frames.len();
            run.declare(attempt.id, attempt.seat, attempt.this, attempt.locals.clone())?;
            run.step_declare()?;
            run.run_above(floor + 1)?;
            Ok(Course::Declaring)
        }
        Start::ChainItem { frame, n } => {
            let item = match run.state.frames.get_mut(*frame).map(|f| (f.act, &mut f.kind)) {
                Some((act, Kind::Window(window))) if *n < window.chain.len() => Some((act, window.chain.remove(*n))),
                _ => None,
            };
            if let Some((act, mut item)) = item {
                run.dismiss(item.thing.take());
                resolve(run, act, item)?;
            }
            Ok(Course::Resolving)
        }
        Start::Pending { frame, n } => {
            let pending = match run.state.frames.get_mut(*frame).map(|f| &mut f.kind) {
                Some(Kind::Following(following)) if *n < following.items.len() => Some(following.items.remove(*n)),
                _ => None,
            };
            if let Some(pending) = pending {
                run.dismiss(pending.thing);
                run.start(&pending)?;
            }
            Ok(Course::Resolving)
        }
    }
}

fn resolve(run: &mut Run, act: u16, item: ChainItem) -> Step {
    run.touch();
    run.push(act, false, Kind::Resolve { item: Box::new(item), stage: 0 })
}

/// After what was begun has run: what is declared resolves, then follows what that has set off; `None` at the end.
fn go_on(run: &mut Run, floor: usize, stage: Course) -> Result<Option<Course>, Fault> {
    if run.state.frames.len() < floor {
        return Ok(None);
    }
    let act = run.state.act_here();
    match stage {
        Course::Declaring => {
            let item = run.window().and_then(|window| window.chain.pop());
            let Some(mut item) = item else { return Ok(None) };
            run.dismiss(item.thing.take());
            resolve(run, act, item)?;
            Ok(Some(Course::Resolving))
        }
        Course::Resolving => {
            let follows =
                run.collector().map(|serial| run.flush(act, serial)).transpose()?.is_some_and(|follows| follows);
            Ok(follows.then_some(Course::Resolving))
        }
    }
}

/// How a decision on the way is taken: nobody declares anything; dice show their least and their most.
fn answers(eval: &Eval, ask: &Decision) -> Vec<Submission> {
    match &ask.kind {
        DecisionKind::Act | DecisionKind::Step => vec![Submission::Pass],
        DecisionKind::Roll { dice, .. } => {
            let dice = i32::from(*dice);
            vec![Submission::Dice(dice), Submission::Dice(dice * 6)]
        }
        _ => eval.options().into_iter().take(WAYS).collect(),
    }
}
