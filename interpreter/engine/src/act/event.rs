//! Events: proposed, prevented or replaced, performed, committed, observed.

use netrep_ir::limits::ROUNDS;
use netrep_ir::*;

use crate::act::run::{Run, Step};
use crate::ask::eval::Cx;
use crate::position::error::{ErrorKind, Fault};
use crate::position::set::ThingId;
use crate::position::stack::*;
use crate::position::trace::{TraceEntry, TraceKind};
use crate::position::value::Roles;

/// Deeper blocks than this are not looked into.
const DEEP: u8 = 16;

impl Run<'_> {
    /// The event on top of the stack.
    pub(crate) fn event(&mut self) -> Result<&mut Event, Fault> {
        self.top("no event is on top of the stack", |kind| match kind {
            Kind::Event(event) => Some(&mut **event),
            _ => None,
        })
    }

    pub(crate) fn step_event(&mut self) -> Step {
        match self.event()?.stage {
            EventStage::Propose => self.proposed(),
            EventStage::Body | EventStage::Commit => self.commit(),
            EventStage::Replaced => {
                self.pop();
                Ok(())
            }
        }
    }

    fn proposed(&mut self) -> Step {
        let event = self.event()?;
        let (verb, roles, clause, cost) = (event.verb, event.roles.clone(), event.clause, event.cost);
        // What is paid is no effect.
        let act = self.state.frames.last().map(|frame| usize::from(frame.act)).filter(|_| !cost);
        let by = act.and_then(|act| self.state.acts.get(act)).and_then(|act| act.this);
        if let Some(norm) = self.eval().forbidden(verb, &roles, by, &|c| self.lifted(c)) {
            self.note(|e| TraceEntry {
                verb: Some(verb),
                roles: roles.to_vec(),
                ..TraceEntry::new(
                    TraceKind::Prevented,
                    norm,
                    format!("it does not happen that {}", e.event_words(verb, &roles)),
                )
            });
            self.pop();
            return Ok(());
        }
        let replacements = self.eval().replacements();
        match replacements.len() {
            0 => {
                let before = self.eval().standing(verb);
                let event = self.event()?;
                event.stage = EventStage::Body;
                event.before = before;
                match self.link.program.verb(verb) {
                    decl @ VerbDecl { body: Some(body), .. } => {
                        let own = crate::position::value::verb_locals(decl, &roles);
                        self.call(decl.clause, None, own, *body)
                    }
                    // A verb that says nothing of what it does is a mere event.
                    _ => Ok(()),
                }
            }
            1 => self.replace(0),
            n => {
                let n = crate::position::value::short(n);
                match self.orderer() {
                    Some(seat) => {
                        self.state.ask = Some(Decision {
                            by: Chooser::Seat(seat),
                            kind: DecisionKind::Replace(n),
                            clause,
                            site: SiteId(u16::MAX),
                        });
                        Ok(())
                    }
                    None => self.replace(0),
                }
            }
        }
    }

    /// Who puts in order what is to be done at once.
    pub(crate) fn orderer(&self) -> Option<ThingId> {
        let sel = self.link.program.services.orderer.as_ref()?;
        self.eval().first(&Cx::clause(ClauseId(0), None, &[]), sel)
    }

    /// Runs the `n`-th replacement in place of the proposed event.
    pub(crate) fn replace(&mut self, n: usize) -> Step {
        let Some(met) = self.eval().replacements().into_iter().nth(n) else {
            return Err(self.unsound("there is no such replacement"));
        };
        let source = met.source();
        let event = self.event()?;
        event.stage = EventStage::Replaced;
        event.applied.push(source);
        let (verb, roles) = (event.verb, event.roles.clone());
        let clause = self.link.trigger_clause(met.trigger);
        self.note(|e| TraceEntry {
            verb: Some(verb),
            roles: roles.to_vec(),
            ..TraceEntry::new(TraceKind::Replaced, clause, format!("in place of that {}", e.event_words(verb, &roles)))
        });
        self.start(&met.pending(0))
    }

    fn commit(&mut self) -> Step {
        let event = Event::clone(self.event()?);
        self.pop();
        self.state.record(event.verb, &event.roles, event.clause);
        self.touch();
        self.note_done(self.state.act_here());
        self.note(|e| TraceEntry {
            verb: Some(event.verb),
            roles: event.roles.to_vec(),
            ..TraceEntry::new(TraceKind::Event, event.clause, e.event_words(event.verb, &event.roles))
        });
        if event.cost {
            let declared = self.state.frames.iter_mut().rev().find_map(|frame| match &mut frame.kind {
                Kind::Declare { item, .. } => Some(item),
                _ => None,
            });
            let Some(item) = declared else {
                return Err(Fault::new(ErrorKind::Unsound, event.clause, "a cost is paid, and nothing is declared"));
            };
            item.receipts.push((event.verb, event.roles.clone()));
        }
        self.observed(event.verb, &event.roles, &event.before)
    }

    /// What has happened sets off the triggers that it meets: at once, or when the nearest collector comes to rest.
    /// `before`: those of cards that functioned when it was proposed.
    pub(crate) fn observed(&mut self, verb: VerbId, roles: &Roles, before: &[(TriggerId, ThingId)]) -> Step {
        self.end_by_event(verb, roles);
        let met = self.eval().triggers_met(verb, roles, false, before);
        if met.is_empty() {
            // Nothing waits for such an event.
            return Ok(());
        }
        let collector = self.collector();
        let mut now = Vec::new();
        for m in met {
            let trigger = self.link.program.trigger(m.trigger);
            self.note(|e| {
                TraceEntry::new(
                    TraceKind::MetTrigger,
                    trigger.clause,
                    format!("it is met that {}", e.event_words(verb, roles)),
                )
            });
            match collector {
                Some(serial) if !trigger.immediate => self.state.pending.push(m.pending(serial)),
                _ => now.push(m.pending(0)),
            }
        }
        if now.is_empty() {
            // All that it met waits for its collector.
            return Ok(());
        }
        // What rules say comes first, in their order; nobody is asked for it.
        let (of_rules, of_things): (Vec<_>, Vec<_>) = now.into_iter().partition(|p: &Pending| p.this.is_none());
        let act = self.state.act_here();
        for (items, of_rules) in [(of_things, false), (of_rules, true)] {
            if !items.is_empty() {
                let settled = of_rules || items.len() < 2;
                self.push(act, false, Kind::Immediate { items, settled })?;
            }
        }
        Ok(())
    }

    /// Runs a trigger's body.
    pub(crate) fn start(&mut self, pending: &Pending) -> Step {
        if let Some(effects) = &self.cache.effects {
            effects.note_trigger(pending.trigger);
        }
        let trigger = self.link.program.trigger(pending.trigger);
        self.call(trigger.clause, pending.this, pending.locals.clone(), trigger.body)
    }

    /// The triggers to run at once that are on top of the stack, and whether their order is settled.
    fn immediate(&mut self) -> Result<(&mut Vec<Pending>, bool), Fault> {
        let clause = self.clause_here();
        let Some(Frame { kind: Kind::Immediate { items, settled }, .. }) = self.state.frames.last_mut() else {
            return Err(Fault::new(ErrorKind::Unsound, clause, "no triggers to run at once are on top of the stack"));
        };
        Ok((items, *settled))
    }

    /// The next of the triggers to run at once.
    pub(crate) fn step_immediate(&mut self) -> Step {
        match self.immediate()? {
            (items, _) if items.is_empty() => {
                self.pop();
                Ok(())
            }
            (items, false) if items.len() > 1 => {
                let (n, first) = (items.len(), items.first().map(|first| first.trigger));
                match (self.orderer(), first) {
                    (Some(seat), Some(first)) => {
                        let clause = self.link.trigger_clause(first);
                        let kind = DecisionKind::Order(crate::position::value::short(n));
                        self.state.ask =
                            Some(Decision { by: Chooser::Seat(seat), kind, clause, site: SiteId(u16::MAX) });
                        Ok(())
                    }
                    _ => self.run_immediate(0),
                }
            }
            _ => self.run_immediate(0),
        }
    }

    /// Runs one of the triggers to run at once.
    fn run_immediate(&mut self, n: usize) -> Step {
        let (items, _) = self.immediate()?;
        if n >= items.len() {
            return Err(self.unsound("there is no such trigger to run at once"));
        }
        let pending = items.remove(n);
        self.start(&pending)
    }

    /// The `n`-th of those that are to be put in order is the next: of what follows, or of what runs at once.
    pub(crate) fn take_next(&mut self, n: usize) -> Step {
        match self.state.frames.last().map(|frame| &frame.kind) {
            Some(Kind::Following(_)) => self.place(n),
            _ => self.run_immediate(n),
        }
    }

    /// Takes the triggers that wait for a collector: those of rules first, then as they occurred; of the same
    /// said of the same things by copies of a card, one, whichever events they met: what comes about while one thing is
    /// done comes about at the same time.
    pub(crate) fn gather(&mut self, collector: u32) -> Vec<Pending> {
        if !self.state.pending.iter().any(|p| p.collector == collector) {
            return Vec::new();
        }
        let all = self.state.pending.take();
        let (mine, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|p| p.collector == collector);
        *self.state.pending = others;
        let rule = |p: &Pending| p.this.is_none();
        let (mut first, rest): (Vec<_>, Vec<_>) = mine.into_iter().partition(rule);
        first.extend(rest);
        let mut items: Vec<Pending> = Vec::new();
        for p in first {
            let same = |q: &Pending| q.trigger == p.trigger && q.locals == p.locals && self.copies(q.this, p.this);
            if !items.iter().any(same) {
                items.push(p);
            }
        }
        items
    }

    /// Whether two things say the same of the same things: the same card with the same stored relations to others. Whose
    /// they are does not count.
    fn copies(&self, a: Option<ThingId>, b: Option<ThingId>) -> bool {
        let (Some(a), Some(b)) = (a, b) else { return a == b };
        let card = |t| self.link.card_of(t);
        let stored = |(i, decl): (usize, &AttrDecl)| {
            let attr = AttrId::from_index(i);
            let relates = matches!(decl.kind, ValueKind::Thing(_) | ValueKind::Things(_));
            let counts = relates && self.link.program.services.controller != Some(attr);
            (counts && matches!(decl.source, Source::Stored { .. })).then_some(attr)
        };
        let related = |attr: AttrId, thing: ThingId| {
            let mut found = self.eval().nothing();
            let cx = Cx::clause(ClauseId(0), None, &[]);
            self.eval().values_of(&cx, attr, thing, &self.eval().universe(false), &mut found);
            found
        };
        let mut relations = self.link.program.attrs.iter().enumerate().filter_map(stored);
        a == b || card(a).is_some() && card(a) == card(b) && relations.all(|r| related(r, a) == related(r, b))
    }

    /// Pushes a following chain if anything waits for a collector; whether it did.
    pub(crate) fn flush(&mut self, act: u16, collector: u32) -> Result<bool, Fault> {
        let items = self.gather(collector);
        if items.is_empty() {
            return Ok(false);
        }
        let serial = self.state.next_serial();
        let following = self.chain_of(items, serial, 0)?;
        self.push(act, false, Kind::Following(Box::new(following)))?;
        Ok(true)
    }

    /// What rules carry, and what only notes facts, has its place first; what things have done is put in order, if somebody
    /// is there to do it.
    fn chain_of(&mut self, mut items: Vec<Pending>, serial: u32, rounds: u32) -> Result<Following, Fault> {
        for pending in &mut items {
            let clause = self.link.trigger_clause(pending.trigger);
            pending.thing = self.declaration(pending.this, None, clause)?;
        }
        let (mut items, mut open): (Vec<_>, Vec<_>) = items.into_iter().partition(|p| !self.acts(p));
        let first = items.len();
        let answered = open.is_empty() || self.link.program.services.answers.is_none();
        if self.orderer().is_none() {
            items.append(&mut open);
        }
        Ok(Following { items, open, first, answered, serial, rounds })
    }

    /// Whether something that waits is said by a thing and does anything, so that there is something to be answered.
    fn acts(&self, pending: &Pending) -> bool {
        pending.this.is_some() && self.does(self.link.program.trigger(pending.trigger).body, 0)
    }

    fn does(&self, block: BlockId, depth: u8) -> bool {
        depth > DEEP
            || self.link.block(block).iter().any(|(statement, _)| match statement {
                Statement::Set { .. } | Statement::LetSlot(..) | Statement::LetRole(..) => false,
                Statement::If(_, then, other) => {
                    self.does(*then, depth + 1) || other.is_some_and(|other| self.does(other, depth + 1))
                }
                _ => true,
            })
    }

    /// The following chain on top of the stack.
    fn following(&mut self) -> Result<&mut Following, Fault> {
        self.top("no following chain is on top of the stack", |kind| match kind {
            Kind::Following(following) => Some(&mut **following),
            _ => None,
        })
    }

    /// Places the `n`-th of what follows and has no order yet.
    fn place(&mut self, n: usize) -> Step {
        let following = self.following()?;
        if n >= following.open.len() {
            return Err(self.unsound("nothing that follows waits for that place"));
        }
        following.place(n);
        Ok(())
    }

    /// What follows is put in order, then answered, then resolved, the last first; when all are resolved, what they met
    /// follows in its turn.
    pub(crate) fn step_following(&mut self) -> Step {
        let seat = self.orderer();
        let following = self.following()?;
        if let Some(first) = following.open.first().map(|p| p.trigger) {
            let n = following.open.len();
            return match seat {
                Some(seat) if n > 1 => {
                    let clause = self.link.trigger_clause(first);
                    let kind = DecisionKind::Order(crate::position::value::short(n));
                    self.state.ask = Some(Decision { by: Chooser::Seat(seat), kind, clause, site: SiteId(u16::MAX) });
                    Ok(())
                }
                _ => self.place(0),
            };
        }
        if !following.answered {
            following.answered = true;
            return match self.link.program.services.answers {
                Some(answers) => self.open(answers, Vec::new()),
                // The program lets nobody answer.
                None => Ok(()),
            };
        }
        if let Some(mut pending) = following.items.pop() {
            self.dismiss(pending.thing.take());
            return match self.lapsed(&pending) {
                None => self.start(&pending),
                Some(why) => {
                    let clause = self.link.trigger_clause(pending.trigger);
                    self.note(|_| TraceEntry::new(TraceKind::Negated, clause, format!("it lapses: {why}")));
                    Ok(())
                }
            };
        }
        let (serial, rounds) = (following.serial, following.rounds);
        let more = self.gather(serial);
        let Some(trigger) = more.first().map(|p| p.trigger) else {
            self.pop();
            // Guards wait for the end of what follows.
            self.settled = 0;
            return Ok(());
        };
        if rounds >= ROUNDS {
            let clause = self.link.trigger_clause(trigger);
            return Err(Fault::new(
                ErrorKind::LoopBound,
                clause,
                format!("more than {ROUNDS} following chains in a row"),
            ));
        }
        let next = self.chain_of(more, serial, rounds + 1)?;
        *self.following()? = next;
        Ok(())
    }

    /// Why a trigger that waited no longer resolves.
    fn lapsed(&self, pending: &Pending) -> Option<String> {
        let trigger = self.link.program.trigger(pending.trigger);
        if !trigger.delayed
            && let Some(this) = pending.this
        {
            let (eval, within) = (self.eval(), trigger.within.as_ref());
            match &trigger.carriers {
                Some(carriers) if !eval.stands_given(trigger.clause, trigger.card, within, carriers, this) => {
                    return Some(format!("{} no longer has it", eval.thing_words(this)));
                }
                None if !eval.functions_within(within, this) => {
                    return Some(format!("{} no longer functions", eval.thing_words(this)));
                }
                _ => {}
            }
        }
        if trigger.card.is_some()
            && let Some(this) = pending.this
            && self.eval().is_canceled(this)
        {
            return Some(format!("effects of {} are canceled", self.eval().thing_words(this)));
        }
        let bound = trigger
            .pattern
            .roles
            .iter()
            .filter_map(|r| r.1)
            .filter_map(|s| pending.locals.get(usize::from(s)).and_then(|v| v.thing()));
        for thing in bound {
            if !self.state.exists(&self.link.layout, thing) {
                return Some(format!("{} is gone", self.eval().thing_words(thing)));
            }
        }
        // What it asked of the moment must still be so.
        let cx = Cx::clause(trigger.clause, pending.this, &pending.locals);
        let still = trigger.cond.as_ref().is_none_or(|cond| self.eval().cond(&cx, cond));
        (!still).then(|| "what it asks for is no longer so".to_string())
    }
}
