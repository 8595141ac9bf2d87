//! The machine: one step of the top frame at a time, until a choice suspends it or nothing is left to do.

use netrep_ir::limits::{FRAMES, STEPS};
use netrep_ir::*;
use smallvec::SmallVec;

use crate::ask::eval::{Cx, Eval};
use crate::position::cache::Cache;
use crate::position::error::{ErrorKind, Fault};
use crate::position::link::Link;
use crate::position::set::{Set, ThingId};
use crate::position::stack::*;
use crate::position::state::State;
use crate::position::trace::{TraceEntry, TraceKind};
use crate::position::value::{Locals, Value, bind};

/// Success, or the fault that stops the machine.
pub(crate) type Step = Result<(), Fault>;

fn player(link: &Link) -> ClassId {
    link.program.services.player
}

/// A position being changed.
pub(crate) struct Run<'a> {
    pub link: &'a Link,
    pub state: &'a mut State,
    pub cache: &'a mut Cache,
    /// In a trial, or where something is supposed: what is kept of the position of which this is a copy.
    pub below: Option<&'a Cache>,
    pub trace: &'a mut Option<Vec<TraceEntry>>,
    /// The moment for which guards and lifetimes were last checked.
    pub settled: u64,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        link: &'a Link,
        state: &'a mut State,
        cache: &'a mut Cache,
        trace: &'a mut Option<Vec<TraceEntry>>,
    ) -> Run<'a> {
        Run { link, state, cache, below: None, trace, settled: 0 }
    }

    pub(crate) fn eval(&self) -> Eval<'_> {
        Eval { below: self.below, ..Eval::of(self.link, self.state, self.cache) }
    }

    /// The context of what an activation's statements do.
    pub(crate) fn cx(&self, act: u16) -> Cx<'_> {
        match self.state.acts.get(usize::from(act)) {
            Some(a) => Cx { clause: self.clause_here(), ..Cx::of(a, usize::MAX).done() },
            None => Cx::clause(ClauseId(0), None, &[]),
        }
    }

    pub(crate) fn touch(&mut self) {
        self.cache.touch();
    }

    /// Writes a trace entry, if tracing is on.
    pub(crate) fn note(&mut self, make: impl Fn(&Eval) -> TraceEntry) {
        self.note_about(None, make);
    }

    /// The same, told only to those who may know a thing.
    pub(crate) fn note_about(&mut self, about: Option<ThingId>, make: impl Fn(&Eval) -> TraceEntry) {
        if self.trace.is_none() {
            return;
        }
        let eval = self.eval();
        let mut entry = make(&eval);
        entry.serial = self.state.serial;
        if !entry.text.is_empty() {
            for seat in &Set::from_words(self.state.words(&self.link.layout, self.link.layout.class(player(self.link))))
            {
                if about.is_none_or(|t| eval.known_to(seat, t)) {
                    entry.told.push((seat, eval.told(seat, &make)));
                }
            }
            entry.text = format!("{} ({})", entry.text, self.link.label(entry.clause));
        }
        if let Some(trace) = self.trace {
            trace.push(entry);
        }
    }

    /// Runs until a choice is asked or the stack is empty.
    pub(crate) fn run(&mut self) -> Step {
        self.run_above(0)?;
        // No step follows the last procedure before which what it has left would be put in order.
        if self.state.frames.is_empty() { self.settle() } else { Ok(()) }
    }

    /// Runs until a choice is asked or the stack is no higher than `floor`.
    pub(crate) fn run_above(&mut self, floor: usize) -> Step {
        let mut fuel = STEPS;
        while self.state.ask.is_none() && self.state.frames.len() > floor {
            self.settle()?;
            if self.state.frames.len() <= floor || self.state.ask.is_some() {
                break;
            }
            if !self.state.announced.is_empty() && self.announce_next()? {
                self.faults()?;
                continue;
            }
            fuel -= 1;
            if fuel == 0 {
                return Err(Fault::new(
                    ErrorKind::LoopBound,
                    self.clause_here(),
                    format!("more than {STEPS} steps without a decision"),
                ));
            }
            let done = self.step();
            // What was asked in vain comes before what came of that.
            self.faults()?;
            done?;
        }
        Ok(())
    }

    /// Reports what an evaluation could not decide.
    #[inline]
    pub(crate) fn faults(&self) -> Step {
        match self.cache.fault.try_borrow() {
            Ok(fault) if fault.is_some() => {}
            _ => return Ok(()),
        }
        self.fault_met()
    }

    /// The fault that an evaluation has met.
    #[cold]
    fn fault_met(&self) -> Step {
        match self.cache.fault.try_borrow_mut().ok().and_then(|mut f| f.take()) {
            Some(mut fault) => {
                if fault.clause == ClauseId(0) && fault.kind == ErrorKind::Recursion {
                    fault.clause = self.clause_here();
                }
                Err(fault)
            }
            None => Ok(()),
        }
    }

    /// The clause of the top frame.
    pub(crate) fn clause_here(&self) -> ClauseId {
        let clause = self.state.frames.last().and_then(|frame| match &frame.kind {
            Kind::Block(at) => Some(self.link.block_clause(at.block)),
            _ => self.state.acts.get(usize::from(frame.act)).map(|act| act.clause),
        });
        // total: where nothing runs the first clause is cited, like that of the game itself; only a fault says it.
        clause.unwrap_or_default()
    }

    /// The fault of a position that is not as what runs needs it: the program, or what was saved, is unsound.
    pub(crate) fn unsound(&self, missing: &str) -> Fault {
        Fault::new(ErrorKind::Unsound, self.clause_here(), missing)
    }

    /// What the frame on top of the stack holds, which is of the kind that is needed there.
    pub(crate) fn top<T>(
        &mut self,
        missing: &str,
        held: impl FnOnce(&mut Kind) -> Option<&mut T>,
    ) -> Result<&mut T, Fault> {
        let clause = self.clause_here();
        let found = self.state.frames.last_mut().and_then(|frame| held(&mut frame.kind));
        found.ok_or_else(|| Fault::new(ErrorKind::Unsound, clause, missing))
    }

    /// A running activation.
    pub(crate) fn activation(&mut self, act: u16) -> Result<&mut Activation, Fault> {
        let clause = self.clause_here();
        let found = self.state.acts.get_mut(usize::from(act));
        found.ok_or_else(|| Fault::new(ErrorKind::Unsound, clause, "what a statement belongs to does not run"))
    }

    fn step(&mut self) -> Step {
        let Some(frame) = self.state.frames.last_mut() else {
            return Err(self.unsound("there is no frame to go on with"));
        };
        let act = frame.act;
        match &mut frame.kind {
            Kind::Block(at) => {
                let here = *at;
                at.pc = at.pc.saturating_add(1);
                match self.link.statement(here) {
                    Some((statement, site)) => self.execute(act, here, statement, *site),
                    None => {
                        self.pop();
                        Ok(())
                    }
                }
            }
            Kind::Each { at, .. } => {
                let at = *at;
                self.step_each(act, at)
            }
            Kind::Around { at, remaining } => {
                let (at, next) = (*at, remaining.pop());
                self.step_around(act, at, next)
            }
            Kind::Until { at, count } => {
                *count += 1;
                let (at, count) = (*at, *count);
                self.step_until(act, at, count)
            }
            Kind::Times { at, left } => {
                let (at, more) = (*at, *left > 0);
                *left = left.saturating_sub(1);
                if !more {
                    self.pop();
                    return Ok(());
                }
                let Some((Statement::RepeatTimes(_, body), _)) = self.link.statement(at) else {
                    return Err(self.unsound("no `repeat … times` stands where one runs"));
                };
                self.push_block(act, *body)
            }
            Kind::Shuffle { at, owners, shared } => {
                let at = *at;
                let owner = owners.pop_first();
                if owner.is_none() && !std::mem::take(shared) {
                    self.pop();
                    return Ok(());
                }
                let Some((Statement::Shuffle { place, .. }, site)) = self.link.statement(at) else {
                    return Err(self.unsound("no statement that shuffles stands where one runs"));
                };
                // There is nothing to decide about a single thing.
                if self.eval().in_order(*place, owner).len() < 2 {
                    return Ok(());
                }
                let kind = DecisionKind::Shuffle { place: *place, owner, purpose: at.block };
                let clause = self.link.block_clause(at.block);
                self.state.ask = Some(Decision { by: Chooser::Chance, kind, clause, site: *site });
                Ok(())
            }
            Kind::Distribute { verb, roles, object, remaining, clause, cost } => match remaining.pop_first() {
                None => {
                    self.pop();
                    Ok(())
                }
                Some(thing) => {
                    let mut roles = roles.clone();
                    let (verb, clause, cost) = (*verb, *clause, *cost);
                    let Some(role) = roles.get_mut(usize::from(*object)) else {
                        return Err(Fault::new(
                            ErrorKind::Unsound,
                            clause,
                            "the verb has no role for what it is done to",
                        ));
                    };
                    *role = Some(thing);
                    self.propose(verb, roles, clause, cost)
                }
            },
            Kind::Rolling(_) => self.step_rolling(act),
            Kind::Event(_) => self.step_event(),
            Kind::Immediate { .. } => self.step_immediate(),
            Kind::Following(_) => self.step_following(),
            Kind::Procedure(_) => self.step_procedure(),
            Kind::Window(_) => self.step_window(),
            Kind::Declare { .. } => self.step_declare(),
            Kind::Resolve { .. } => self.step_resolve(),
        }
    }

    /// Puts a frame on the stack.
    pub(crate) fn push(&mut self, act: u16, owns: bool, kind: Kind) -> Step {
        if self.state.frames.len() >= FRAMES {
            return Err(Fault::new(
                ErrorKind::LoopBound,
                self.clause_here(),
                format!("more than {FRAMES} frames on the stack"),
            ));
        }
        self.state.frames.push(Frame { act, owns, kind });
        Ok(())
    }

    /// Runs a block in an activation.
    pub(crate) fn push_block(&mut self, act: u16, block: BlockId) -> Step {
        self.cache.log.clause(self.link.block_clause(block));
        self.push(act, false, Kind::Block(At { block, pc: 0 }))
    }

    /// Runs a block, if there is one.
    pub(crate) fn push_any(&mut self, act: u16, block: Option<BlockId>) -> Step {
        match block {
            Some(block) => self.push_block(act, block),
            None => Ok(()),
        }
    }

    /// A new activation; returns its index.
    pub(crate) fn activate(&mut self, clause: ClauseId, this: Option<ThingId>, locals: Locals) -> u16 {
        let serial = self.state.next_serial();
        self.cache.log.clause(clause);
        let act = crate::position::value::short(self.state.acts.len());
        let roles = SmallVec::new();
        self.state.acts.push(Activation {
            clause,
            this,
            locals,
            roles,
            proc: None,
            allowance: None,
            cost: false,
            serial,
        });
        act
    }

    /// Runs a block in a new activation that goes with it.
    pub(crate) fn call(&mut self, clause: ClauseId, this: Option<ThingId>, locals: Locals, block: BlockId) -> Step {
        let act = self.activate(clause, this, locals);
        self.cache.log.clause(self.link.block_clause(block));
        self.push(act, true, Kind::Block(At { block, pc: 0 }))
    }

    /// Something was done in an activation: if it belongs to an action, that has taken effect.
    pub(crate) fn note_done(&self, act: u16) {
        let Some(effects) = &self.cache.effects else { return };
        let acting = self.state.acts.get(usize::from(act)).and_then(|act| Some((act.allowance?, act.cost)));
        let is_all = |id: AllowanceId| {
            let allowance = self.link.program.allowance(id);
            allowance.effect.is_none() && allowance.action.is_none()
        };
        // What is paid is not what it is for, unless there is nothing else.
        if let Some((id, cost)) = acting
            && (!cost || is_all(id))
        {
            effects.note_allowance(id);
        }
    }

    /// An action without an effect of its own has been resolved: that is its effect.
    pub(crate) fn note_resolved(&self, id: AllowanceId) {
        if let Some(effects) = &self.cache.effects {
            effects.note_allowance(id);
        }
    }

    /// Takes the top frame off, and with it what it owns and what waits for it.
    pub(crate) fn pop(&mut self) {
        let Some(frame) = self.state.frames.pop() else { return };
        match &frame.kind {
            Kind::Rolling(rolled) => self.dismiss(Some(rolled.roll)),
            Kind::Window(window) => window.chain.iter().for_each(|item| self.dismiss(item.thing)),
            Kind::Following(following) => {
                following.items.iter().chain(&following.open).for_each(|pending| self.dismiss(pending.thing));
            }
            _ => {}
        }
        let serial = match &frame.kind {
            Kind::Procedure(_) => self.state.acts.get(usize::from(frame.act)).map(|a| a.serial),
            Kind::Window(w) => Some(w.serial),
            Kind::Following(f) => Some(f.serial),
            _ => None,
        };
        if let Some(serial) = serial {
            // total: 0 is the serial of no collector: where none is left, nothing comes of what waits.
            let next = self.collector().unwrap_or(0);
            // What is not written is not noted as written.
            if self.state.pending.iter().any(|p| p.collector == serial) {
                self.state.pending.iter_mut().filter(|p| p.collector == serial).for_each(|p| p.collector = next);
            }
            if let Kind::Procedure(running) = &frame.kind
                && let Some(act) = self.state.acts.get(usize::from(frame.act)).cloned()
            {
                self.left(running, &act);
            }
            if let Kind::Following(following) = frame.kind {
                // Unwound before it was resolved: what is left waits for the collector below.
                let Following { items, open, .. } = *following;
                self.state.pending.extend(items.into_iter().chain(open).map(|p| Pending {
                    collector: next,
                    thing: None,
                    ..p
                }));
            }
        }
        if frame.owns
            && let Some(act) = self.state.acts.pop()
            && (act.proc.is_some() || !act.roles.is_empty())
        {
            self.touch();
            self.end_instance(act);
        }
    }

    /// Takes frames off until the stack is `height` high.
    pub(crate) fn unwind(&mut self, height: usize) {
        while self.state.frames.len() > height {
            self.pop();
        }
    }

    fn end_instance(&mut self, act: Activation) {
        if act.proc.is_none() {
            return;
        }
        let over = |e: &Effect| e.until == Some(act.serial);
        if self.state.effects.iter().any(over) {
            let ended: Vec<Effect> = self.state.effects.iter().filter(|e| over(e)).cloned().collect();
            self.state.effects.retain(|e| !over(e));
            for e in ended {
                self.note(|_| TraceEntry::new(TraceKind::Ended, e.clause, "an effect ends".to_string()));
            }
        }
        // What is not written is not noted as written.
        if self.state.usage.iter().any(|u| u.proc == act.serial) {
            self.state.usage.retain(|u| u.proc != act.serial);
        }
        if let Some(proc) = act.proc {
            let link = self.link;
            self.note(|_| {
                let name = link.proc_name(proc);
                TraceEntry::new(TraceKind::Closed, act.clause, format!("the {name} ends"))
            });
        }
    }

    /// The serial of the nearest collector. What answers set off waits until that which they answer is over: the procedure
    /// that asks for them.
    pub(crate) fn collector(&self) -> Option<u32> {
        let mut answered = None;
        for frame in self.state.frames.iter().rev() {
            match &frame.kind {
                Kind::Window(w) if w.response => answered = Some(frame.act),
                Kind::Window(w) => return Some(w.serial),
                Kind::Following(f) => return Some(f.serial),
                Kind::Procedure(r)
                    if answered == Some(frame.act) || Some(r.proc) == self.link.program.services.answers => {}
                Kind::Procedure(_) => return self.state.acts.get(usize::from(frame.act)).map(|a| a.serial),
                _ => {}
            }
        }
        None
    }

    /// Binds a slot of an activation.
    pub(crate) fn bind(&mut self, act: u16, slot: u8, value: Value) -> Step {
        bind(&mut self.activation(act)?.locals, slot, value);
        // Slots are read by guards, never by derived columns.
        self.settled = 0;
        Ok(())
    }

    /// Binds a role for an activation and all above it.
    pub(crate) fn bind_role(&mut self, act: u16, role: RoleId, value: Value) -> Step {
        let roles = &mut self.activation(act)?.roles;
        roles.retain(|r| r.0 != role);
        roles.push((role, value));
        self.touch();
        Ok(())
    }

    /// Suspends with a question to the first player of a selection.
    pub(crate) fn ask(&mut self, act: u16, by: &Sel, kind: DecisionKind, clause: ClauseId, site: SiteId) -> Step {
        let seat = self.eval().first(&self.cx(act), by);
        match seat {
            Some(seat) => {
                self.state.ask = Some(Decision { by: Chooser::Seat(seat), kind, clause, site });
                Ok(())
            }
            None => Err(Fault::new(
                ErrorKind::NoChooser,
                clause,
                format!("no one is there to decide: {}", self.link.site_text(site)),
            )),
        }
    }

    /// Whether an allowance that is being performed is not bound by a norm.
    pub(crate) fn lifted(&self, norm: ClauseId) -> bool {
        self.state
            .acts
            .iter()
            .filter_map(|a| a.allowance)
            .any(|a| self.link.program.allowance(a).despite.contains(&norm))
    }
}
