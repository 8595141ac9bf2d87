//! What is declared and not resolved as a thing: there from when it comes into a chain until it is resolved or taken out of it.

use netrep_ir::*;

use crate::act::run::{Run, Step};
use crate::position::error::Fault;
use crate::position::set::{Set, ThingId};
use crate::position::stack::*;
use crate::position::trace::{TraceEntry, TraceKind};
use crate::position::value::{Value, locals};

/// What was taken out of a chain.
enum Taken {
    Item(Box<ChainItem>),
    Pending(Box<Pending>),
}

impl Run<'_> {
    /// A new declaration as a thing, of the card whose it is; none if the program does not have them as things.
    pub(crate) fn declaration(
        &mut self,
        of: Option<ThingId>,
        by: Option<ThingId>,
        clause: ClauseId,
    ) -> Result<Option<ThingId>, Fault> {
        let services = &self.link.program.services;
        let (Some((class, source)), declarer) = (services.declaration, services.declarer) else { return Ok(None) };
        let thing = self.new_passing(class, clause)?;
        // Whose it is does not tell what lies hidden.
        if let Some(of) = of.filter(|of| self.may_hold(source, *of) && self.is_known_to_all(*of)) {
            self.store(thing, source, &Value::Thing(of), clause)?;
        }
        if let (Some((_, declarer)), Some(by)) = (declarer, by) {
            self.store(thing, declarer, &Value::Thing(by), clause)?;
        }
        Ok(Some(thing))
    }

    /// Whether every player may know what a thing is, so that a fact in the open may hold it.
    pub(crate) fn is_known_to_all(&self, thing: ThingId) -> bool {
        let layout = &self.link.layout;
        let players = Set::from_words(self.state.words(layout, layout.class(self.link.program.services.player)));
        players.iter().all(|seat| self.eval().known_to(seat, thing))
    }

    /// A thing that comes and goes is there no more, and leaves nothing behind.
    pub(crate) fn dismiss(&mut self, thing: Option<ThingId>) {
        let Some(thing) = thing else { return };
        let (program, layout) = (&self.link.program, &self.link.layout);
        for attr in (0..program.attrs.len()).map(AttrId::from_index) {
            self.state.reset(layout, attr, thing);
        }
        self.state.discard(program, layout, thing);
        self.touch();
    }

    /// What a thing is that waits in a chain, taken out of it.
    fn take_out(&mut self, thing: ThingId) -> Option<Taken> {
        self.state.frames.iter_mut().rev().find_map(|frame| match &mut frame.kind {
            Kind::Window(window) => {
                let at = window.chain.iter().position(|item| item.thing == Some(thing))?;
                Some(Taken::Item(Box::new(window.chain.remove(at))))
            }
            Kind::Following(following) => {
                let is = |pending: &Pending| pending.thing == Some(thing);
                if let Some(at) = following.items.iter().position(is) {
                    if at < following.first {
                        following.first -= 1;
                    }
                    return Some(Taken::Pending(Box::new(following.items.remove(at))));
                }
                let at = following.open.iter().position(is)?;
                Some(Taken::Pending(Box::new(following.open.remove(at))))
            }
            _ => None,
        })
    }

    /// Takes a declaration out of its chain: it is not resolved, and what its kind does with what is negated is done.
    pub(crate) fn take_back(&mut self, thing: ThingId, clause: ClauseId) -> Step {
        let taken = self.take_out(thing);
        self.dismiss(Some(thing));
        match taken {
            Some(Taken::Item(item)) => {
                self.note(|e| {
                    let words = crate::ask::answers::declare_words(e, item.allowance, item.this, &item.locals);
                    TraceEntry::new(TraceKind::Negated, clause, format!("negated: {words}"))
                });
                let link = self.link;
                let action = link.program.allowance(item.allowance).action.map(|a| link.program.action(a));
                match action {
                    Some(ActionDecl { negate: Some(block), clause, slots, .. }) => {
                        self.call(*clause, item.this, locals(*slots), *block)
                    }
                    // Its kind, if it has one, does nothing with what is negated.
                    _ => Ok(()),
                }
            }
            Some(Taken::Pending(pending)) => {
                let of = self.link.trigger_clause(pending.trigger);
                self.note(|_| TraceEntry::new(TraceKind::Negated, of, "it is negated".to_owned()));
                Ok(())
            }
            // It is resolved already, or taken out.
            None => Ok(()),
        }
    }
}
