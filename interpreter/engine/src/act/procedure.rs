//! Procedures: their steps in order or in turns, their guards, the lifetimes that depend on them.

use netrep_ir::*;
use smallvec::SmallVec;

use crate::act::run::{Run, Step};
use crate::ask::eval::Cx;
use crate::position::error::Fault;
use crate::position::set::ThingId;
use crate::position::stack::*;
use crate::position::trace::{TraceEntry, TraceKind};
use crate::position::value::{Roles, Value, bind, locals};

impl Run<'_> {
    /// Begins a procedure.
    pub(crate) fn open(&mut self, proc: ProcId, arguments: Vec<Value>) -> Step {
        let decl = self.link.program.proc(proc);
        let mut own = locals(decl.slots);
        for ((slot, _), value) in decl.parameters.iter().zip(arguments) {
            bind(&mut own, *slot, value);
        }
        let act = self.activate(decl.clause, None, own);
        if let Some(a) = self.state.acts.last_mut() {
            a.proc = Some(proc);
        }
        self.touch();
        self.note(|_| TraceEntry::new(TraceKind::Opened, decl.clause, format!("the {} begins", decl.name)));
        let running = Running {
            proc,
            started: false,
            ready: false,
            next: 0,
            ordered: decl.fixed,
            over: false,
            ending: false,
            guard_used: false,
            begun: false,
            closing: false,
            entering: None,
            under_way: None,
            turn: 0,
            passes: 0,
        };
        self.push(act, true, Kind::Procedure(running))
    }

    /// The procedure on top of the stack.
    pub(crate) fn running(&mut self) -> Result<&mut Running, Fault> {
        self.top("no procedure is on top of the stack", |kind| match kind {
            Kind::Procedure(running) => Some(running),
            _ => None,
        })
    }

    /// The next step of the procedure on top of the stack.
    pub(crate) fn step_procedure(&mut self) -> Step {
        let act = self.state.act_here();
        let r = self.running()?;
        let proc = r.proc;
        let first = !r.started;
        r.started = true;
        let decl = self.link.program.proc(proc);
        if first && let Some(prologue) = decl.prologue {
            return self.push_block(act, prologue);
        }
        let moments = &self.link.analysis.moments;
        let r = self.running()?;
        if !r.begun {
            r.begun = true;
            if self.announce_course(act, moments.starts(proc))? {
                return Ok(());
            }
        }
        let r = self.running()?;
        if !r.ready {
            r.ready = true;
            // The guard is asked before the first step.
            self.touch();
            return Ok(());
        }
        let serial = self.activation(act)?.serial;
        if self.flush(act, serial)? {
            return Ok(());
        }
        let r = self.running()?;
        if let Some(step) = r.entering.take() {
            return self.carry_out(act, step);
        }
        if let Some(step) = r.under_way.take()
            && self.announce_course(act, moments.step_ends(step))?
        {
            return Ok(());
        }
        let r = self.running()?;
        if r.over {
            return self.close(act);
        }
        if !r.ordered {
            return self.take_turns(act, decl);
        }
        let next = usize::from(r.next);
        r.next = r.next.saturating_add(1);
        match decl.steps.get(next) {
            Some(step) => self.step_body(act, *step),
            None => {
                self.running()?.over = true;
                self.close(act)
            }
        }
    }

    /// The procedure on top of the stack is over: that is announced, and when what it sets off is over, it goes.
    fn close(&mut self, act: u16) -> Step {
        let moments = &self.link.analysis.moments;
        let r = self.running()?;
        let ends = moments.ends(r.proc).filter(|_| !r.closing);
        r.closing = true;
        if !self.announce_course(act, ends)? {
            self.pop();
        }
        Ok(())
    }

    /// Comes to a step: carries it out, or first announces that it begins, if anybody waits for that.
    pub(crate) fn step_body(&mut self, act: u16, step: StepId) -> Step {
        let Some(verb) = self.link.analysis.moments.step_starts(step) else { return self.carry_out(act, step) };
        self.running()?.entering = Some(step);
        self.announce_course(act, Some(verb)).map(|_| ())
    }

    /// Runs a step's body in the procedure's activation.
    fn carry_out(&mut self, act: u16, step: StepId) -> Step {
        if self.link.analysis.moments.step_ends(step).is_some() {
            self.running()?.under_way = Some(step);
        }
        let decl = self.link.program.step(step);
        self.cache.log.clause(decl.clause);
        self.note(|_| TraceEntry::new(TraceKind::Step, decl.clause, decl.name.clone()));
        self.push_block(act, decl.body)
    }

    fn take_turns(&mut self, act: u16, decl: &ProcDecl) -> Step {
        let owners = self.step_owners(act, decl);
        let seats = seats_of(&owners);
        let r = self.running()?;
        if seats.is_empty() {
            // No one owns a step: they run in order.
            r.ordered = true;
            return Ok(());
        }
        if usize::from(r.passes) >= seats.len() {
            r.over = true;
            return Ok(());
        }
        let seat = seats[usize::from(r.turn) % seats.len()];
        self.state.ask = Some(Decision {
            by: Chooser::Seat(seat),
            kind: DecisionKind::Step,
            clause: decl.clause,
            site: SiteId(u16::MAX),
        });
        Ok(())
    }

    /// For each step of a procedure, the player who acts in it.
    pub(crate) fn step_owners(&self, act: u16, decl: &ProcDecl) -> Vec<(StepId, Option<ThingId>)> {
        let (eval, cx) = (self.eval(), self.cx(act));
        eval.step_owners(&cx, decl)
    }

    /// Checks lifetimes and guards if anything was written since the last time.
    pub(crate) fn settle(&mut self) -> Step {
        while self.settled != self.cache.epoch {
            self.settled = self.cache.epoch;
            self.end_effects();
            self.faults()?;
            self.stand()?;
            if let Some((height, guard)) = self.guard_that_holds() {
                self.leave(height, guard)?;
            }
        }
        Ok(())
    }

    /// Ends the effects whose source has functioned and no longer does, and those whose condition does not hold.
    fn end_effects(&mut self) {
        let open = |e: &Effect| e.until.is_none() && !e.outlasts && e.this.is_some();
        if self.state.effects.iter().any(open) {
            let on = self.eval().at_work();
            // An effect of no thing lasts by itself, and one of a procedure as long as that.
            let functions = |e: &Effect| e.this.filter(|_| open(e)).map(|this| on.contains(this));
            // What is not written is not noted as written.
            if self.state.effects.iter().any(|e| functions(e).is_some_and(|functions| functions != e.rooted)) {
                self.retain_effects("an effect ends with its source", |e| match functions(e) {
                    Some(functions) => {
                        let over = e.rooted && !functions;
                        e.rooted |= functions;
                        !over
                    }
                    None => true,
                });
            }
        }
        let program = &self.link.program;
        let is_over = |e: &Effect| match program.laid(e.what).ends {
            Some(Ends::Not(cond)) => !self.eval().cond(&Cx::clause(e.clause, e.this, &e.locals), cond),
            Some(Ends::After(_)) | None => false,
        };
        let over: Vec<u32> = self.state.effects.iter().filter(|e| is_over(e)).map(|e| e.serial).collect();
        if !over.is_empty() {
            self.retain_effects("what an effect should last for is no longer so", |e| !over.contains(&e.serial));
        }
    }

    /// Ends the effects that last until such an event.
    pub(crate) fn end_by_event(&mut self, verb: VerbId, roles: &Roles) {
        let program = &self.link.program;
        let is_over = |e: &Effect| match program.laid(e.what).ends {
            Some(Ends::After(pattern)) if pattern.verb == verb => {
                self.eval().matches(e.clause, e.this, pattern, roles, &mut e.locals.clone())
            }
            Some(Ends::After(_) | Ends::Not(_)) | None => false,
        };
        let over: Vec<u32> = self.state.effects.iter().filter(|e| is_over(e)).map(|e| e.serial).collect();
        if !over.is_empty() {
            self.retain_effects("an effect ends, for this has happened", |e| !over.contains(&e.serial));
        }
    }

    /// Ends the effects that are not kept.
    fn retain_effects(&mut self, why: &'static str, mut keeps: impl FnMut(&mut Effect) -> bool) {
        let mut ended = Vec::new();
        self.state.effects.retain_mut(|e| {
            let kept = keeps(e);
            if !kept {
                ended.push(e.clause);
            }
            kept
        });
        if !ended.is_empty() {
            self.touch();
            for clause in ended {
                self.note(|_| TraceEntry::new(TraceKind::Ended, clause, why.to_string()));
            }
        }
    }

    /// The outermost procedure that must be left: the number of its frame, and the place of its guard.
    fn guard_that_holds(&self) -> Option<(usize, Option<SiteId>)> {
        // No guard is asked while a chain is being built or resolved above it.
        let chained = |f: &Frame| match &f.kind {
            Kind::Window(w) => w.resolving || !w.chain.is_empty(),
            Kind::Declare { .. } | Kind::Resolve { .. } | Kind::Following(_) => true,
            _ => false,
        };
        let frames = &self.state.frames;
        let above = frames.iter().rev().take_while(|frame| !chained(frame)).count();
        for (i, frame) in frames.iter().enumerate().skip(frames.len() - above) {
            let Kind::Procedure(r) = &frame.kind else { continue };
            if r.over || r.closing {
                continue;
            }
            if r.ending {
                return Some((i, None));
            }
            if r.guard_used || !r.ready {
                continue;
            }
            let decl = self.link.program.proc(r.proc);
            let (Some((cond, _, site)), Some(act)) = (&decl.guard, self.state.acts.get(usize::from(frame.act))) else {
                continue;
            };
            self.cache.log.clause(decl.clause);
            if let Some(place) = self.link.program.sites.get(site.index()) {
                self.cache.log.clause(place.clause);
            }
            if self.eval().cond(&Cx::of(act, usize::from(frame.act) + 1), cond) {
                return Some((i, Some(*site)));
            }
        }
        None
    }

    fn leave(&mut self, height: usize, guard: Option<SiteId>) -> Step {
        self.unwind(height + 1);
        self.state.ask = None;
        let act = self.state.act_here();
        let r = self.running()?;
        let (proc, used) = (r.proc, r.guard_used);
        // A step that is left is over.
        let broken_off = r.under_way.take();
        r.entering = None;
        r.guard_used = true;
        r.begun = true;
        r.ending = false;
        r.started = true;
        r.ready = true;
        let decl = self.link.program.proc(proc);
        let step = decl.guard.as_ref().and_then(|g| g.1).filter(|_| !used);
        let position = step.and_then(|s| decl.steps.iter().position(|x| *x == s));
        let waited_for = broken_off.and_then(|step| self.link.analysis.moments.step_ends(step));
        let r = self.running()?;
        match position {
            // What the end of a step sets off follows before the next, which is then taken in its turn.
            Some(p) if decl.fixed && waited_for.is_some() => r.next = crate::position::value::short(p),
            Some(p) if decl.fixed => r.next = crate::position::value::short(p + 1),
            _ => r.over = true,
        }
        self.touch();
        self.note(|e| {
            let text = match guard {
                Some(guard) => format!("the {} is left {}", decl.name, e.link.site_text(guard)),
                None => format!("the {} is left", decl.name),
            };
            TraceEntry::new(TraceKind::Closed, decl.clause, text.trim().to_string())
        });
        if let Some(verb) = waited_for {
            let own = self.activation(act)?.clone();
            let roles = self.parameters(&own, verb);
            self.state.announced.push(Announced { verb, roles, after: u16::MAX });
            return Ok(());
        }
        match (step, position) {
            (Some(step), Some(_)) => self.step_body(act, step),
            // The guard names no step at which it goes on.
            _ => Ok(()),
        }
    }
}

impl crate::ask::eval::Eval<'_> {
    /// For each step of a procedure, the player who acts in it.
    pub(crate) fn step_owners(&self, cx: &Cx, decl: &ProcDecl) -> Vec<(StepId, Option<ThingId>)> {
        let owner = |step: &StepId| -> Option<ThingId> {
            let (block, pc) = self.link.analysis.asks.get(step.index()).copied().flatten()?;
            match &self.link.statement(At { block, pc })?.0 {
                Statement::Choose { by: Some(by), .. }
                | Statement::May { by, .. }
                | Statement::ChooseOne { by, .. } => self.first(cx, by),
                Statement::ForEach { order: Order::Chosen(by), .. } => self.first(cx, by),
                // Several may act in a window; it belongs to the first of them.
                Statement::Window { admits, .. } => admits.first().and_then(|a| self.all(cx, &a.by).first()),
                _ => None,
            }
        };
        let mut owners: Vec<(StepId, Option<ThingId>)> = decl.steps.iter().map(|s| (*s, owner(s))).collect();
        // A step in which no one is asked belongs to the first player who owns one.
        let first = owners.iter().find_map(|o| o.1);
        owners.iter_mut().for_each(|o| o.1 = o.1.or(first));
        owners
    }
}

/// The players of steps, in order of their first step.
pub(crate) fn seats_of(owners: &[(StepId, Option<ThingId>)]) -> SmallVec<[ThingId; 4]> {
    let mut seats = SmallVec::new();
    for seat in owners.iter().filter_map(|o| o.1) {
        if !seats.contains(&seat) {
            seats.push(seat);
        }
    }
    seats
}
