//! What is announced by itself: that a procedure or a step begins or is over, that a stored fact has changed.
//!
//! What somebody waits for (`program/moments`) is announced once, and is no row of the history. The beginning and the end are
//! announced while the procedure stands on the stack, so that what they set off follows in its course; what is left together
//! with a procedure around it has its end announced as soon as it is off the stack. A change of a fact comes after the event
//! in whose course it was made; what is taken back before that was none.

use netrep_ir::*;
use smallvec::SmallVec;

use crate::act::run::{Run, Step};
use crate::position::error::Fault;
use crate::position::set::{ThingId, bit};
use crate::position::stack::*;
use crate::position::value::{Roles, Value};
use crate::program::layout::Store;

/// What an attribute of a thing holds: an entry, a thing, or (neither) yes.
type Held = SmallVec<[(Option<EntryId>, Option<ThingId>); 2]>;

impl Run<'_> {
    /// Announces a moment now.
    pub(crate) fn announce(&mut self, verb: VerbId, roles: &Roles) -> Step {
        self.observed(verb, roles, &[])
    }

    /// The parameters of a running procedure, as roles of its moments.
    pub(crate) fn parameters(&self, act: &Activation, verb: VerbId) -> Roles {
        let value = |role: &FrameRole| act.locals.get(usize::from(role.slot)).and_then(Value::thing);
        self.link.program.verb(verb).roles.iter().map(value).collect()
    }

    /// Announces a moment of the procedure on top of the stack, if anybody waits for it; whether somebody does.
    pub(crate) fn announce_course(&mut self, act: u16, verb: Option<VerbId>) -> Result<bool, Fault> {
        if let Some(verb) = verb {
            let act = self.activation(act)?.clone();
            let roles = self.parameters(&act, verb);
            self.announce(verb, &roles)?;
        }
        Ok(verb.is_some())
    }

    /// Announces the next of what waits to be announced and whose time has come; whether there was any.
    pub(crate) fn announce_next(&mut self) -> Result<bool, Fault> {
        let height = self.state.frames.len();
        let due = |one: &Announced| height <= usize::from(one.after);
        let next = self.state.announced.iter().position(due);
        if let Some(at) = next {
            let one = self.state.announced.remove(at);
            self.announce(one.verb, &one.roles)?;
        }
        Ok(next.is_some())
    }

    /// What is over that was left together with what was around it.
    pub(crate) fn left(&mut self, running: &Running, act: &Activation) {
        let moments = &self.link.analysis.moments;
        let step = running.under_way.and_then(|step| moments.step_ends(step));
        let whole = moments.ends(running.proc).filter(|_| running.begun && !running.closing);
        for verb in step.into_iter().chain(whole) {
            let roles = self.parameters(act, verb);
            self.state.announced.push(Announced { verb, roles, after: u16::MAX });
        }
    }

    /// What an attribute of a thing holds in the state.
    fn held(&self, thing: ThingId, attr: AttrId) -> Held {
        let layout = &self.link.layout;
        let slot = layout.attr(attr);
        let id = |at: usize| u16::try_from(self.state.cell(layout, thing, at) - 1).ok();
        match (slot.store, slot.kind) {
            (Store::Column(at), ValueKind::Entry(_)) => id(at).map(|e| (Some(EntryId(e)), None)).into_iter().collect(),
            (Store::Column(at), ValueKind::Thing(_)) => id(at).map(|t| (None, Some(ThingId(t)))).into_iter().collect(),
            (Store::Bits(at), ValueKind::Flag) => {
                bit(self.state.words(layout, at), thing).then_some((None, None)).into_iter().collect()
            }
            (Store::Bits(at), ValueKind::Entries(list)) => {
                let entries = self.link.program.list(list).entries.iter().enumerate();
                entries
                    .filter(|(part, _)| bit(self.state.words(layout, at + part), thing))
                    .map(|(_, e)| (Some(*e), None))
                    .collect()
            }
            (Store::Pairs, _) => self.state.pairs_of(attr, thing).map(|value| (None, Some(value))).collect(),
            // Of a number nothing is waited for, and what is printed or derived is not stored.
            (Store::Printed | Store::Derived | Store::Column(_) | Store::Bits(_), _) => Held::new(),
        }
    }

    /// Stores a value, and keeps what is to be announced of it.
    pub(crate) fn store_and_tell(&mut self, thing: ThingId, attr: AttrId, value: &Value, clause: ClauseId) -> Step {
        // Who waits for a change of it is asked, also where nobody does.
        self.cache.log.attr(attr);
        let watched = self.link.analysis.moments.facts(attr);
        if watched.is_empty() {
            return self.store(thing, attr, value, clause);
        }
        let before = self.held(thing, attr);
        self.store(thing, attr, value, clause)?;
        let after = self.held(thing, attr);
        let within = self.state.frames.iter().rposition(|frame| matches!(frame.kind, Kind::Event(_)));
        let height = match within {
            Some(frame) => crate::position::value::short(frame),
            // What is set in no event is announced at once.
            None => u16::MAX,
        };
        for (old, new, ceases) in [(&before, &after, true), (&after, &before, false)] {
            for (entry, held) in old.iter().filter(|one| !new.contains(one)) {
                let Some(watched) = watched.iter().find(|watched| watched.entry == *entry) else { continue };
                let (verb, contrary) =
                    if ceases { (watched.ceases, watched.becomes) } else { (watched.becomes, watched.ceases) };
                let mut roles: Roles = smallvec::smallvec![Some(thing)];
                roles.extend(held.map(Some));
                let taken_back = |one: &Announced| {
                    Some(one.verb) == contrary && one.roles == roles && one.after == height && height != u16::MAX
                };
                if let Some(at) = self.state.announced.iter().position(taken_back) {
                    self.state.announced.remove(at);
                } else if let Some(verb) = verb {
                    self.state.announced.push(Announced { verb, roles, after: height });
                }
            }
        }
        Ok(())
    }
}
