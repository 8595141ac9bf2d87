//! What effects lay down: put in force, extended to other things, canceled for good.

use netrep_ir::limits::EFFECTS;
use netrep_ir::*;

use crate::act::run::{Run, Step};
use crate::ask::eval::Cx;
use crate::position::error::{ErrorKind, Fault};
use crate::position::set::Set;
use crate::position::stack::*;
use crate::position::trace::{TraceEntry, TraceKind};
use crate::position::value::{Value, bind};

impl Run<'_> {
    /// What lasts for one thing lasts for others too: everything in force that knows one of `of` is in force anew, knowing
    /// each of `to` in its stead.
    pub(super) fn extend(&mut self, of: &Set, to: &Set, clause: ClauseId) -> Step {
        let mut more = Vec::new();
        for effect in &self.state.effects {
            let about = |value: &Value| matches!(value, Value::Thing(t) if of.contains(*t));
            for thing in to.iter().filter(|_| effect.locals.iter().any(about)) {
                let mut effect = effect.clone();
                effect.locals.iter_mut().filter(|v| about(v)).for_each(|v| *v = Value::Thing(thing));
                more.push(effect);
            }
        }
        self.bounded_effects(more.len(), clause)?;
        for mut effect in more {
            effect.serial = self.state.next_serial();
            self.state.effects.push(effect);
            self.touch();
        }
        Ok(())
    }

    /// What these things have put in force is over.
    pub(super) fn cancel_effects(&mut self, act: u16, of: &Set) {
        let canceled = |e: &Effect| e.this.is_some_and(|this| of.contains(this));
        let over: Vec<ClauseId> = self.state.effects.iter().filter(|e| canceled(e)).map(|e| e.clause).collect();
        if over.is_empty() {
            return;
        }
        self.state.effects.retain(|e| !canceled(e));
        self.touch();
        self.note_done(act);
        for clause in over {
            self.note(|_| TraceEntry::new(TraceKind::Ended, clause, "an effect is canceled".to_string()));
        }
    }

    /// Refuses more effects than a game may have in force.
    fn bounded_effects(&self, more: usize, clause: ClauseId) -> Step {
        if self.state.effects.len() + more > EFFECTS {
            let text = format!("more than {EFFECTS} effects are in force");
            return Err(Fault::new(ErrorKind::LoopBound, clause, text));
        }
        Ok(())
    }

    /// Puts something in force for so long, with what is known where it is said, and with who plays these roles now.
    pub(super) fn put_in_force(
        &mut self,
        act: u16,
        what: EffectKind,
        lasting: Lasting,
        kept: &[(RoleId, u8)],
        site: SiteId,
    ) -> Step {
        let until = match lasting {
            Lasting::Open | Lasting::Game => None,
            Lasting::Procedure(proc) => match self.state.running(proc, usize::MAX) {
                Some(serial) => Some(serial),
                // Nothing for it to last: it ends as it begins.
                None => return Ok(()),
            },
        };
        let Laid { clause, slots, .. } = self.link.program.laid(what);
        self.bounded_effects(1, clause)?;
        let serial = self.state.next_serial();
        let Some(a) = self.state.acts.get(usize::from(act)) else {
            return Err(Fault::new(ErrorKind::Unsound, clause, "nothing runs that could put it in force"));
        };
        let mut captured = a.locals.clone();
        if captured.len() < usize::from(slots) {
            captured.resize(usize::from(slots), Value::None);
        }
        let this = a.this;
        for (role, slot) in kept {
            let cx = Cx { clause, ..self.cx(act) };
            let Some(value) = self.eval().player(&cx, *role).cloned() else { return self.faults() };
            bind(&mut captured, *slot, value);
        }
        let outlasts = lasting == Lasting::Game;
        let effect = Effect { what, this, locals: captured, until, rooted: false, outlasts, serial, clause };
        self.state.effects.push(effect);
        self.touch();
        self.note_done(act);
        let link = self.link;
        self.note(|_| TraceEntry::new(TraceKind::Began, clause, format!("from now on: {}", link.site_text(site))));
        Ok(())
    }
}
