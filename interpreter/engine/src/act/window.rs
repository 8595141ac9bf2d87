//! Windows and their chain: declarations in turn, resolved last first.

use netrep_ir::*;
use smallvec::SmallVec;

use crate::act::run::{Run, Step};
use crate::ask::attempt::action_roles;
use crate::position::error::{ErrorKind, Fault};
use crate::position::set::ThingId;
use crate::position::stack::*;
use crate::position::state::Usage;
use crate::position::trace::{TraceEntry, TraceKind};
use crate::position::value::{Locals, Roles, locals, next_seat};

impl Run<'_> {
    /// The window on top of the stack, if one is.
    pub(crate) fn window(&mut self) -> Option<&mut Window> {
        match self.state.frames.last_mut().map(|f| &mut f.kind) {
            Some(Kind::Window(w)) => Some(w),
            _ => None,
        }
    }

    /// The window on top of the stack, which one is.
    fn open_window(&mut self) -> Result<&mut Window, Fault> {
        self.top("no window is on top of the stack", |kind| match kind {
            Kind::Window(window) => Some(&mut **window),
            _ => None,
        })
    }

    pub(crate) fn step_window(&mut self) -> Step {
        let act = self.state.act_here();
        let w = self.open_window()?;
        if w.resolving {
            return match w.chain.pop() {
                Some(mut item) => {
                    self.dismiss(item.thing.take());
                    // What a declaration would do can be asked for.
                    self.touch();
                    self.push(act, false, Kind::Resolve { item: Box::new(item), stage: 0 })
                }
                None if w.response => {
                    let at = w.at;
                    self.pop();
                    self.settled = 0;
                    self.conclude(at)
                }
                None => {
                    w.resolving = false;
                    w.turn = 0;
                    w.passes = 0;
                    let at = w.at;
                    // Guards wait for the end of the chain.
                    self.settled = 0;
                    self.conclude(at)
                }
            };
        }
        let (serial, idle, response) = (w.serial, w.chain.is_empty(), w.response);
        if idle && !response && self.flush(act, serial)? {
            return Ok(());
        }
        let w = self.open_window()?;
        let all = w.seats.clone();
        // Who is there only while something is so does not count as long as it is not.
        let dormant: SmallVec<[bool; 4]> = all.iter().map(|s| self.eval().is_dormant(*s)).collect();
        let alone = dormant.iter().filter(|d| !**d).count() <= 1;
        let w = self.open_window()?;
        let seats = all.len();
        if usize::from(w.passes) >= seats || (alone && !idle && !response) {
            if idle {
                self.pop();
            } else {
                w.resolving = true;
            }
            return Ok(());
        }
        let turn = usize::from(w.turn) % seats;
        let (at, seat) = (w.at, all[turn]);
        if dormant[turn] || (response && self.eval().has_nothing_to_declare(seat)) {
            return self.pass();
        }
        let clause = self.link.block_clause(at.block);
        let Some((_, site)) = self.link.statement(at) else {
            return Err(Fault::new(ErrorKind::Unsound, clause, "no statement opens this window"));
        };
        let site = *site;
        self.state.ask = Some(Decision { by: Chooser::Seat(seat), kind: DecisionKind::Act, clause, site });
        Ok(())
    }

    /// A chain has been resolved: that happens, if the program has a verb for it.
    fn conclude(&mut self, at: At) -> Step {
        // A program without such a verb takes no notice of it.
        let Some(verb) = self.link.program.services.resolved else { return Ok(()) };
        let decl = self.link.program.verb(verb);
        let mut roles: Roles = smallvec::smallvec![None; decl.roles.len()];
        if let Some(role) = decl.subject.and_then(|s| roles.get_mut(usize::from(s))) {
            *role = self.orderer();
        }
        self.propose(verb, roles, self.link.block_clause(at.block), false)
    }

    /// The player whose turn it is in the window on top of the stack declares nothing.
    pub(crate) fn pass(&mut self) -> Step {
        let w = self.open_window()?;
        w.passes = w.passes.saturating_add(1);
        w.turn = next_seat(usize::from(w.turn), w.seats.len());
        Ok(())
    }

    /// A legal declaration: its frame goes on top of the window.
    pub(crate) fn declare(&mut self, id: AllowanceId, by: ThingId, this: Option<ThingId>, own: Locals) -> Step {
        let act = self.state.act_here();
        let w = self.open_window()?;
        // Who declares has a seat in the window.
        let Some(declarer) = w.seats.iter().position(|s| *s == by) else {
            return Err(self.unsound("who declares has no seat in the window"));
        };
        w.turn = next_seat(declarer, w.seats.len());
        w.passes = 0;
        let allowance = self.link.program.allowance(id);
        if let Some((_, proc)) = allowance.limit {
            let proc = self.state.counted_in(proc);
            match self.state.usage.iter_mut().find(|u| u.allowance == id && u.this == this && u.proc == proc) {
                Some(u) => u.count = u.count.saturating_add(1),
                None => {
                    self.state.usage.push(Usage { allowance: id, this, proc, count: 1 });
                    self.state.usage.sort_unstable();
                }
            }
        }
        let serial = self.state.next_serial();
        self.touch();
        let item = ChainItem {
            allowance: id,
            by,
            this,
            locals: own,
            receipts: Vec::new(),
            held: Vec::new(),
            print: 0,
            rows: 0,
            serial,
            thing: None,
        };
        self.note(|e| {
            let words = crate::ask::answers::declare_words(e, id, this, &item.locals);
            TraceEntry::new(TraceKind::Declared, allowance.clause, format!("{} declares: {words}", e.thing_words(by)))
        });
        self.push(act, false, Kind::Declare { item: Box::new(item), stage: 0 })
    }

    /// The declaration on top of the stack, and how far it is.
    fn declaring(&mut self) -> Result<(&mut ChainItem, &mut u8), Fault> {
        let clause = self.clause_here();
        match self.state.frames.last_mut().map(|frame| &mut frame.kind) {
            Some(Kind::Declare { item, stage }) => Ok((item, stage)),
            _ => Err(Fault::new(ErrorKind::Unsound, clause, "no declaration is on top of the stack")),
        }
    }

    /// The item of a chain that is being resolved on top of the stack, and how far it is.
    fn resolving(&mut self) -> Result<(&mut ChainItem, &mut u8), Fault> {
        let clause = self.clause_here();
        match self.state.frames.last_mut().map(|frame| &mut frame.kind) {
            Some(Kind::Resolve { item, stage }) => Ok((item, stage)),
            _ => Err(Fault::new(ErrorKind::Unsound, clause, "nothing that was declared is on top of the stack")),
        }
    }

    /// Declaring: the action kind's opening, then the cost, then on the chain.
    pub(crate) fn step_declare(&mut self) -> Step {
        let link = self.link;
        let (item, stage) = self.declaring()?;
        let now = *stage;
        *stage += 1;
        let (id, this) = (item.allowance, item.this);
        let allowance = link.program.allowance(id);
        match now {
            0 => match self.action(allowance) {
                Some(ActionDecl { declare: Some(block), clause, slots, .. }) => {
                    self.call(*clause, this, locals(*slots), *block)
                }
                // Its kind, if it has one, does nothing when it is declared.
                _ => Ok(()),
            },
            1 => {
                let own = self.declaring()?.0.locals.clone();
                self.note_print(this)?;
                let Some(cost) = allowance.cost else {
                    // Without a cost there is nothing to copy back either.
                    *self.declaring()?.1 = 3;
                    return Ok(());
                };
                let act = self.activate(allowance.clause, this, own);
                if let Some(a) = self.state.acts.last_mut() {
                    a.allowance = Some(id);
                    a.cost = true;
                }
                self.push_block(act, cost)
            }
            2 => {
                // What was chosen while paying is known to the effect.
                let Some(paid) = self.state.acts.pop() else { return Err(self.unsound("no cost is being paid")) };
                self.declaring()?.0.locals = paid.locals;
                Ok(())
            }
            _ => {
                let Some(Frame { kind: Kind::Declare { mut item, .. }, .. }) = self.state.frames.pop() else {
                    return Err(self.unsound("no declaration is on top of the stack"));
                };
                item.held = self.eval().held(&item);
                item.thing = self.declaration(item.this, Some(item.by), allowance.clause)?;
                self.touch();
                self.open_window()?.chain.push(*item);
                self.settled = 0;
                Ok(())
            }
        }
    }

    /// Notes how things are before the cost, if that will be asked.
    fn note_print(&mut self, this: Option<ThingId>) -> Step {
        if !self.link.analysis.compares {
            return Ok(());
        }
        let print = crate::position::hash::without(self.link, self.state, this);
        let rows = self.state.rows_so_far();
        let (item, _) = self.declaring()?;
        (item.print, item.rows) = (print, rows);
        Ok(())
    }

    fn action(&self, allowance: &Allowance) -> Option<&'_ ActionDecl> {
        allowance.action.map(|a| self.link.program.action(a))
    }

    /// Resolving: re-checked, then performed or negated.
    pub(crate) fn step_resolve(&mut self) -> Step {
        let link = self.link;
        let (item, stage) = self.resolving()?;
        let now = *stage;
        *stage += 1;
        let item = match now {
            0 | 1 => ChainItem::clone(item),
            _ => {
                self.pop();
                return Ok(());
            }
        };
        let allowance = link.program.allowance(item.allowance);
        let action = allowance.action.map(|a| link.program.action(a));
        if now == 0 {
            if let Err((clause, why)) = self.eval().still(&item) {
                self.cache.log.clause(clause);
                self.note(|e| {
                    let words = crate::ask::answers::declare_words(e, item.allowance, item.this, &item.locals);
                    TraceEntry::new(TraceKind::Negated, clause, format!("negated: {words}, because {why}"))
                });
                *self.resolving()?.1 = 9;
                return match action {
                    Some(ActionDecl { negate: Some(block), clause, slots, .. }) => {
                        self.call(*clause, item.this, locals(*slots), *block)
                    }
                    // Its kind, if it has one, does nothing with what is negated.
                    _ => Ok(()),
                };
            }
            self.note(|e| {
                let words = crate::ask::answers::declare_words(e, item.allowance, item.this, &item.locals);
                TraceEntry::new(TraceKind::Resolves, allowance.clause, format!("resolves: {words}"))
            });
            if let Some(action) = action {
                let decl = link.program.verb(action.verb);
                let roles = action_roles(decl, allowance, item.by, item.this, &item.locals);
                self.propose(action.verb, roles, action.clause, false)?;
                self.event()?.stage = EventStage::Commit;
            }
            return Ok(());
        }
        match (action, allowance.effect) {
            (Some(action), _) => self.call(action.clause, item.this, locals(action.slots), action.resolve),
            (None, Some(effect)) => {
                self.call(allowance.clause, item.this, item.locals, effect)?;
                if let Some(a) = self.state.acts.last_mut() {
                    a.allowance = Some(item.allowance);
                }
                Ok(())
            }
            // All that it does is its cost.
            (None, None) => {
                self.note_resolved(item.allowance);
                Ok(())
            }
        }
    }
}
