//! Performs statements: each takes effect at once, asks a player, or puts a frame on the stack.

use netrep_ir::limits::REPETITIONS;
use netrep_ir::*;

use crate::act::roll::Roll;
use crate::act::run::{Run, Step};
use crate::ask::words::several;
use crate::position::error::{ErrorKind, Fault};
use crate::position::set::{Set, ThingId};
use crate::position::stack::*;
use crate::position::trace::{TraceEntry, TraceKind};
use crate::position::value::{Roles, Value, plus_one};
use crate::program::layout::{HOME, OWNER, RANK, Store};

impl Run<'_> {
    /// Executes one statement; the frame already stands at the next.
    pub(crate) fn execute(&mut self, act: u16, at: At, statement: &Statement, site: SiteId) -> Step {
        let clause = self.link.block_clause(at.block);
        match statement {
            Statement::Do { verb, roles } => self.perform_verb(act, *verb, roles, clause),
            Statement::Set { attr, of, value } => self.set(act, *attr, of, value, clause),
            Statement::Put { what, place, of, bottom } => self.put(act, what, *place, of.as_ref(), *bottom, clause),
            Statement::Create { class, slot, values, from } => {
                let taken = from.as_deref().map(|from| self.taken(&self.cx(act), from, clause)).transpose()?;
                self.create(act, *class, *slot, values, taken.as_deref(), clause)
            }
            Statement::Remove(sel) => {
                for t in &self.eval().all(&self.cx(act), sel) {
                    self.note_done(act);
                    self.retire(t, clause)?;
                }
                Ok(())
            }
            Statement::Extend { of, to } => {
                let (of, to) = (self.eval().all(&self.cx(act), of), self.eval().all(&self.cx(act), to));
                self.extend(&of, &to, clause)?;
                self.note_done(act);
                Ok(())
            }
            Statement::CancelEffects(of) => {
                let of = self.eval().all(&self.cx(act), of);
                self.cancel_effects(act, &of);
                Ok(())
            }
            Statement::LetSlot(slot, val) => {
                let value = self.eval().val(&self.cx(act), val);
                self.bind(act, *slot, value)
            }
            Statement::LetRole(role, val) => {
                let value = self.eval().val(&self.cx(act), val);
                self.bind_role(act, *role, value)
            }
            Statement::If(cond, then, other) => {
                let branch = if self.eval().cond(&self.cx(act).asked(), cond) { Some(*then) } else { *other };
                self.push_any(act, branch)
            }
            Statement::ForEach { of, order, .. } => {
                let cx = self.cx(act);
                let eval = self.eval();
                let remaining = eval.unspared(cx.this, eval.all(&cx, of));
                let kind = match order {
                    Order::Age | Order::Chosen(_) => Kind::Each { at, remaining: Box::new(remaining) },
                    Order::Around(from, onwards) => {
                        // Around nobody they come in the order of the table from its head.
                        let mut round = eval.around(&remaining, eval.first(&cx, from), *onwards);
                        round.reverse();
                        Kind::Around { at, remaining: round }
                    }
                };
                self.push(act, false, kind)
            }
            Statement::RepeatUntil(body, _) => {
                self.push(act, false, Kind::Until { at, count: 0 })?;
                self.push_block(act, *body)
            }
            Statement::RepeatTimes(num, _) => {
                // Less than none is none.
                let left = self.eval().num(&self.cx(act), num).max(0).unsigned_abs();
                if left > REPETITIONS {
                    return Err(Fault::new(
                        ErrorKind::LoopBound,
                        clause,
                        format!("a repetition of {left} times exceeds the bound of {REPETITIONS}"),
                    ));
                }
                self.push(act, false, Kind::Times { at, left })
            }
            Statement::Choose { by, from, slot, optional, then } => {
                let secret = optional.is_some() && self.eval().reads_hidden(from);
                let from = self.candidates(act, from, *slot, then);
                // Not to ask would tell the others that there is none.
                if !from.is_empty() || secret {
                    let kind = DecisionKind::Choose { from, optional: optional.is_some() };
                    let Some(by) = by else {
                        self.state.ask = Some(Decision { by: Chooser::Chance, kind, clause, site });
                        return Ok(());
                    };
                    return self.ask(act, by, kind, clause, site);
                }
                self.bind(act, *slot, Value::None)?;
                match optional {
                    Some((_, Some(otherwise))) => self.push_block(act, *otherwise),
                    // There is nothing to choose from, and nothing is said of that case.
                    Some((_, None)) | None => Ok(()),
                }
            }
            Statement::May { by, body, otherwise } => {
                // What is forbidden is not offered: so nobody may.
                let norm = self.eval().led_to_forbidden(&self.cx(act).asked(), *body, &|norm| self.lifted(norm), true);
                match (norm, otherwise) {
                    (None, _) => self.ask(act, by, DecisionKind::May, clause, site),
                    (Some(_), Some(otherwise)) => self.push_block(act, *otherwise),
                    // Nothing is said of who may not.
                    (Some(_), None) => Ok(()),
                }
            }
            Statement::ChooseOne { by, branches } => {
                let n = crate::position::value::short(branches.len());
                if n == 0 {
                    return Err(Fault::new(ErrorKind::Unsound, clause, "there is nothing to choose one of"));
                }
                self.ask(act, by, DecisionKind::Branch(n), clause, site)
            }
            Statement::Roll { dice: None, .. } => self.throw(act),
            Statement::Roll { by, dice: Some(dice), subject, values, .. } => {
                let eval = self.eval();
                let cx = self.cx(act);
                let who = eval.first(&cx, by);
                let subject = subject.as_ref().and_then(|s| eval.first(&cx, s));
                let Some(by) = who else {
                    return Err(Fault::new(
                        ErrorKind::NoChooser,
                        clause,
                        format!("no one is there to roll: {}", self.link.site_text(site)),
                    ));
                };
                self.note_done(act);
                if let Some(rolling) = self.link.program.services.rolling() {
                    return self.roll(act, rolling, Roll { at, dice: *dice, by, subject }, values);
                }
                let kind = DecisionKind::Roll { dice: *dice, by, subject, purpose: at.block };
                self.state.ask = Some(Decision { by: Chooser::Chance, kind, clause, site });
                Ok(())
            }
            Statement::Shuffle { place, of } => {
                let owned = self.link.program.place(*place).owned;
                let owners = match of {
                    Some(of) => self.eval().all(&self.cx(act), of),
                    None => self.link.nothing.clone(),
                };
                self.note_done(act);
                self.push(act, false, Kind::Shuffle { at, owners: Box::new(owners), shared: !owned })
            }
            Statement::Perform { proc, arguments } => {
                let arguments = arguments.iter().map(|a| self.eval().val(&self.cx(act), a)).collect::<Vec<_>>();
                if let Some(set) = arguments.iter().find_map(Value::several) {
                    return Err(Fault::new(ErrorKind::Several, clause, several(&self.eval(), set)));
                }
                self.note_done(act);
                self.open(*proc, arguments)
            }
            Statement::End(proc) => {
                let running = self.state.frames.iter_mut().rev().find_map(|f| match &mut f.kind {
                    Kind::Procedure(r) if r.proc == *proc => Some(r),
                    _ => None,
                });
                // What does not run need not be ended.
                if let Some(r) = running {
                    r.ending = true;
                    self.touch();
                    self.note_done(act);
                }
                Ok(())
            }
            Statement::Stop => {
                let inner = |f: &Frame| {
                    f.act == act
                        && matches!(
                            f.kind,
                            Kind::Each { .. } | Kind::Around { .. } | Kind::Until { .. } | Kind::Times { .. }
                        )
                };
                let Some(at) = self.state.frames.iter().rposition(inner) else {
                    return Err(Fault::new(ErrorKind::Unsound, clause, "`stop` stands in no repetition that runs"));
                };
                self.unwind(at);
                Ok(())
            }
            Statement::Window { admits, response } => {
                let mut seats = smallvec::SmallVec::<[ThingId; 4]>::new();
                for admit in admits {
                    // Several come as they sit behind whoever is named before them.
                    let (eval, before) = (self.eval(), seats.last().copied());
                    for t in eval.around(&eval.all(&self.cx(act), &admit.by), before, true) {
                        if !seats.contains(&t) {
                            seats.push(t);
                        }
                    }
                }
                let serial = self.state.next_serial();
                let window = Window {
                    at,
                    seats,
                    turn: 0,
                    passes: 0,
                    chain: Vec::new(),
                    resolving: false,
                    response: *response,
                    serial,
                };
                self.note_done(act);
                self.push(act, false, Kind::Window(Box::new(window)))
            }
            Statement::Effect { what, lasting, kept } => self.put_in_force(act, *what, *lasting, kept, site),
            Statement::ActionEffect => self.action_effect(clause),
        }
    }

    /// What may be chosen: the selection without what leads to something forbidden.
    pub(crate) fn candidates(&self, act: u16, from: &Sel, slot: u8, then: &[Act]) -> crate::position::set::Set {
        let eval = self.eval();
        let cx = self.cx(act);
        let mut from = eval.unspared(cx.this, eval.all(&cx, from));
        if !then.is_empty() {
            for t in &from.clone() {
                if eval.leads_to_forbidden(&cx.asked(), slot, t, then, &|norm| self.lifted(norm)).is_some() {
                    from.remove(t);
                }
            }
        }
        from
    }

    fn perform_verb(&mut self, act: u16, verb: VerbId, sels: &[Option<Sel>], clause: ClauseId) -> Step {
        let decl = self.link.program.verb(verb);
        let eval = self.eval();
        let cx = self.cx(act);
        let mut roles: Roles = smallvec::smallvec![None; decl.roles.len()];
        let mut several = None;
        let cost = self.state.acts.get(usize::from(act)).is_some_and(|a| a.cost);
        for (i, role) in decl.roles.iter().enumerate() {
            let Some(Some(sel)) = sels.get(i) else { continue };
            let mut set = eval.all(&cx, sel);
            if u8::try_from(i).ok() == decl.object && !cost {
                set = eval.unspared(cx.this, set);
            }
            roles[i] = set.first();
            if set.is_empty() && !role.optional {
                // It happens to nothing, or nobody is there to do it: so it does not happen.
                return Ok(());
            }
            if set.len() > 1 {
                // What it happens to is taken one by one; whoever else is in it is one.
                let Some(object) = decl.object.filter(|object| usize::from(*object) == i) else {
                    return Err(Fault::new(ErrorKind::Several, clause, self::several(&eval, &set)));
                };
                several = Some((object, set));
            }
        }
        match several {
            None => self.propose(verb, roles, clause, cost),
            Some((object, set)) => {
                self.push(act, false, Kind::Distribute { verb, roles, object, remaining: Box::new(set), clause, cost })
            }
        }
    }

    /// Proposes one event.
    pub(crate) fn propose(&mut self, verb: VerbId, roles: Roles, clause: ClauseId, cost: bool) -> Step {
        let act = self.state.act_here();
        let event =
            Event { verb, roles, clause, stage: EventStage::Propose, applied: Vec::new(), before: Vec::new(), cost };
        self.push(act, false, Kind::Event(Box::new(event)))
    }

    fn set(&mut self, act: u16, attr: AttrId, of: &Sel, val: &Val, clause: ClauseId) -> Step {
        let writes: Vec<(ThingId, Value)> = {
            let eval = self.eval();
            let cx = self.cx(act);
            let of = eval.unspared(cx.this, eval.all(&cx, of));
            let value = |t: ThingId| {
                let it = cx.it(t);
                eval.val(&cx.about(&it), val)
            };
            of.iter().map(|t| (t, value(t))).collect()
        };
        for (thing, value) in writes {
            self.store_and_tell(thing, attr, &value, clause)?;
            self.note_done(act);
            self.note_about(Some(thing), |e| TraceEntry {
                value: Some(value.num()),
                ..TraceEntry::new(
                    TraceKind::Set,
                    clause,
                    format!("{} of {} is now {}", e.attr_words(attr), e.thing_words(thing), e.any_words(&value)),
                )
            });
        }
        Ok(())
    }

    /// Stores a value.
    pub(crate) fn store(&mut self, thing: ThingId, attr: AttrId, value: &Value, clause: ClauseId) -> Step {
        let layout = &self.link.layout;
        let slot = layout.attr(attr);
        match (slot.store, slot.kind) {
            (Store::Column(at), ValueKind::Number) => self.state.set_cell(layout, thing, at, value.num()),
            (Store::Column(at), ValueKind::NumberFor(_)) => {
                (0..slot.parts).for_each(|part| self.state.set_cell(layout, thing, at + part, value.num()));
            }
            (Store::Column(at), ValueKind::Entry(_)) => {
                self.state.set_cell(layout, thing, at, plus_one(value.entry().map(|e| e.0)))
            }
            (Store::Column(at), ValueKind::Thing(_)) => {
                self.state.set_cell(layout, thing, at, plus_one(value.thing().map(|t| t.0)))
            }
            (Store::Bits(at), ValueKind::Flag) => self.state.set_bit(layout, at, thing, value.num() != 0),
            (Store::Bits(at), ValueKind::Entries(_)) => {
                let on = value.entry().map(|e| self.link.table.position(e));
                (0..slot.parts).for_each(|part| self.state.set_bit(layout, at + part, thing, on == Some(part)));
            }
            (Store::Pairs, _) => {
                let values: Vec<ThingId> = value.things(layout.width).iter().collect();
                self.state.set_pairs(attr, thing, &values);
            }
            (Store::Printed | Store::Derived | Store::Column(_) | Store::Bits(_), _) => {
                let name = self.link.attr_name(attr);
                return Err(Fault::new(
                    ErrorKind::Unsound,
                    clause,
                    format!("`{name}` is not stored in the state and cannot be set"),
                ));
            }
        }
        self.touch();
        Ok(())
    }

    fn put(&mut self, act: u16, what: &Sel, place: PlaceId, of: Option<&Sel>, bottom: bool, clause: ClauseId) -> Step {
        let cx = self.cx(act);
        let what = self.eval().unspared(cx.this, self.eval().all(&cx, what));
        // What is moved from a pile keeps its order.
        let mut what: Vec<ThingId> = what.iter().collect();
        what.sort_by_key(|t| (self.state.cell(&self.link.layout, *t, RANK), *t));
        if bottom {
            what.reverse();
        }
        for thing in what {
            let owner = {
                let eval = self.eval();
                let cx = self.cx(act);
                let it = cx.it(thing);
                of.and_then(|s| eval.first(&cx.about(&it), s))
            };
            self.put_thing(thing, place, owner, bottom);
            self.note_done(act);
            self.note(|e| {
                let owner = e.state.thing_in(&e.link.layout, thing, OWNER);
                TraceEntry::new(
                    TraceKind::Put,
                    clause,
                    format!("{} is put into {}", e.thing_words(thing), e.place_words(place, owner)),
                )
            });
        }
        Ok(())
    }

    /// Moves a thing; in a place that players own it goes to `owner`, else to whose it is, else to who controls it.
    pub(crate) fn put_thing(&mut self, thing: ThingId, place: PlaceId, owner: Option<ThingId>, bottom: bool) {
        let owned = self.link.program.places.get(place.index()).is_some_and(|p| p.owned);
        let owner = owner.filter(|_| owned).or_else(|| {
            let layout = &self.link.layout;
            if !owned {
                return None;
            }
            self.state.thing_in(layout, thing, HOME).or_else(|| self.eval().controller(thing))
        });
        let from = self.state.place(&self.link.layout, thing);
        self.state.put(&self.link.program, &self.link.layout, thing, Some((place, owner)), bottom);
        if from != Some(place) {
            let anew = self.link.analysis.anew.iter().filter(|(p, _)| *p == place);
            for (_, attr) in anew {
                self.state.reset(&self.link.layout, *attr, thing);
            }
        }
        self.touch();
    }

    fn action_effect(&mut self, clause: ClauseId) -> Step {
        let item = self.state.frames.iter().rev().find_map(|f| match &f.kind {
            Kind::Resolve { item, .. } => Some(item),
            _ => None,
        });
        let Some(item) = item else {
            return Err(Fault::new(ErrorKind::Unsound, clause, "no action is being resolved here"));
        };
        let (allowance, this, own) = (item.allowance, item.this, item.locals.clone());
        match self.link.program.allowance(allowance) {
            // What a canceled card does is not done; what a rule does with it is.
            Allowance { clause, card: Some(_), effect: Some(_), .. }
                if this.is_some_and(|this| self.eval().is_canceled(this)) =>
            {
                self.note(|_| TraceEntry::new(TraceKind::Ended, *clause, "an effect is canceled".to_string()));
                Ok(())
            }
            Allowance { clause, effect: Some(effect), .. } => {
                self.call(*clause, this, own, *effect)?;
                if let Some(a) = self.state.acts.last_mut() {
                    a.allowance = Some(allowance);
                }
                Ok(())
            }
            // All that it does is its cost, and what its kind does.
            _ => {
                self.note_resolved(allowance);
                Ok(())
            }
        }
    }

    /// The next round of a for-each.
    pub(crate) fn step_each(&mut self, act: u16, at: At) -> Step {
        let Some((Statement::ForEach { slot, body, order, .. }, site)) = self.link.statement(at) else {
            return Err(self.unsound("no `for each` stands where one runs"));
        };
        let living = self.state.existing(&self.link.layout);
        let remaining = self.each()?;
        remaining.keep(living.words());
        if let Order::Chosen(chooser) = order
            && remaining.len() > 1
        {
            let from = crate::position::set::Set::clone(remaining);
            return self.ask(act, chooser, DecisionKind::Next { from }, self.link.block_clause(at.block), *site);
        }
        match remaining.pop_first() {
            None => {
                self.pop();
                Ok(())
            }
            Some(thing) => {
                self.bind(act, *slot, Value::Thing(thing))?;
                self.push_block(act, *body)
            }
        }
    }

    /// The next round of a for-each that goes round the table.
    pub(crate) fn step_around(&mut self, act: u16, at: At, next: Option<ThingId>) -> Step {
        let Some((Statement::ForEach { slot, body, .. }, _)) = self.link.statement(at) else {
            return Err(self.unsound("no `for each` stands where one runs"));
        };
        let Some(thing) = next else {
            self.pop();
            return Ok(());
        };
        // What has been taken away meanwhile has no round.
        if !self.state.exists(&self.link.layout, thing) {
            return Ok(());
        }
        self.bind(act, *slot, Value::Thing(thing))?;
        self.push_block(act, *body)
    }

    /// The things that the for-each on top of the stack has still to do with.
    pub(crate) fn each(&mut self) -> Result<&mut Set, Fault> {
        self.top("no `for each` is on top of the stack", |kind| match kind {
            Kind::Each { remaining, .. } => Some(&mut **remaining),
            _ => None,
        })
    }

    /// After a round of a repeat-until.
    pub(crate) fn step_until(&mut self, act: u16, at: At, count: u32) -> Step {
        let Some((Statement::RepeatUntil(body, cond), _)) = self.link.statement(at) else {
            return Err(self.unsound("no `repeat … until` stands where one runs"));
        };
        if self.eval().cond(&self.cx(act).asked(), cond) {
            self.pop();
            return Ok(());
        }
        if count >= REPETITIONS {
            let text = format!("a repetition has run {REPETITIONS} times and its condition does not hold");
            return Err(Fault::new(ErrorKind::LoopBound, self.link.block_clause(at.block), text));
        }
        self.push_block(act, *body)
    }
}
