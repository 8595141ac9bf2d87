//! What evaluations read of a position, and when it last changed: lists that were read or written are noted here, and of the
//! stack what is another than before.

use std::cell::Cell;

use smallvec::SmallVec;

use crate::position::stack::Kind;
use crate::position::state::State;
use crate::position::value::Value;
use crate::position::versions::{Observed, Opened, Reads, Waiting};
use crate::program::parts::List;

impl State {
    /// Notes which lists have been read.
    fn gather_reads(&self) {
        let parts = &self.versions.parts;
        let one = |list: List, read: &Cell<bool>| {
            if read.replace(false) {
                self.versions.note(parts.list(list));
            }
        };
        one(List::Effects, &self.effects.read);
        one(List::History, &self.history.read);
        one(List::Usage, &self.usage.read);
        one(List::Acts, &self.acts.read);
        one(List::Frames, &self.frames.read);
        one(List::Pending, &self.pending.read);
        one(List::Announced, &self.announced.read);
        one(List::Standing, &self.standing.read);
        one(List::Withheld, &self.withheld.read);
        one(List::Ordinals, &self.ordinals.read);
        one(List::Pairs, &self.pairs.read);
    }

    /// Begins to note which parts are read, for [`State::end_reading`].
    pub(crate) fn begin_reading(&self) -> Reads {
        self.gather_reads();
        self.versions.begin()
    }

    /// Which parts have been read since. What was noted before is noted still, and this too.
    pub(crate) fn end_reading(&self, before: &Reads) -> Reads {
        self.gather_reads();
        self.versions.end(before)
    }

    /// When the position last changed, of one that is only asked.
    #[inline]
    pub(crate) fn moment_asked(&self) -> u64 {
        if let Some(known) = self.versions.known_moment() {
            return known;
        }
        let moment = self.moment();
        self.versions.note_moment();
        moment
    }

    /// When the position last changed, what was written in lists included.
    pub(crate) fn moment(&self) -> u64 {
        let parts = &self.versions.parts;
        let (acts, frames) = (self.acts.written.get(), self.frames.written.get());
        let one = |list: List, written: &Cell<bool>| {
            if written.replace(false) {
                self.versions.stamp(parts.list(list));
            }
        };
        one(List::Effects, &self.effects.written);
        one(List::History, &self.history.written);
        one(List::Usage, &self.usage.written);
        one(List::Acts, &self.acts.written);
        one(List::Frames, &self.frames.written);
        one(List::Pending, &self.pending.written);
        one(List::Announced, &self.announced.written);
        one(List::Standing, &self.standing.written);
        one(List::Withheld, &self.withheld.written);
        one(List::Ordinals, &self.ordinals.written);
        one(List::Pairs, &self.pairs.written);
        if acts {
            self.observe_activations();
        }
        if acts || frames {
            self.observe_frames();
        }
        self.versions.moment()
    }

    /// Stamps what evaluations read of the activations, as far as it is another than before: who plays which role, and what
    /// runs.
    fn observe_activations(&self) {
        let (versions, parts) = (&self.versions, &self.versions.parts);
        let mut observed = versions.observed.borrow_mut();
        let Observed { roles, procs, .. } = &mut *observed;
        roles.resize(parts.procs - parts.roles, Value::None);
        procs.resize(parts.lists - parts.procs, 0);
        let mut playing: SmallVec<[&Value; 128]> = SmallVec::from_elem(&Value::None, roles.len());
        let mut running: SmallVec<[u32; 128]> = SmallVec::from_elem(0, procs.len());
        for act in self.acts.peek() {
            for (role, value) in &act.roles {
                if let Some(one) = playing.get_mut(role.index()) {
                    *one = value;
                }
            }
            if let Some(one) = act.proc.and_then(|proc| running.get_mut(proc.index())) {
                *one = act.serial;
            }
        }
        for (n, (known, now)) in roles.iter_mut().zip(playing).enumerate() {
            if known != now {
                known.clone_from(now);
                versions.stamp(parts.roles + n);
            }
        }
        for (n, (known, now)) in procs.iter_mut().zip(running).enumerate() {
            if *known != now {
                *known = now;
                versions.stamp(parts.procs + n);
            }
        }
    }

    /// The same of the frames: what waits in chains, and which windows are open.
    fn observe_frames(&self) {
        let (versions, parts) = (&self.versions, &self.versions.parts);
        let mut observed = versions.observed.borrow_mut();
        let Observed { chains, windows, open, .. } = &mut *observed;
        let frames = self.frames.peek();
        let items = || {
            frames.iter().flat_map(|frame| match &frame.kind {
                Kind::Window(window) => window.chain.as_slice(),
                _ => &[],
            })
        };
        let pending = || {
            frames.iter().flat_map(|frame| match &frame.kind {
                Kind::Following(following) => following.items.as_slice(),
                _ => &[],
            })
        };
        if !chains.items.iter().eq(items()) || !chains.pending.iter().eq(pending()) {
            *chains = Waiting { items: items().cloned().collect(), pending: pending().cloned().collect() };
            versions.stamp(parts.list(List::Chains));
        }
        let is_open = frames.last().is_some_and(|frame| matches!(frame.kind, Kind::Window(_)));
        let opened = || {
            frames.iter().filter_map(|frame| {
                let Kind::Window(window) = &frame.kind else { return None };
                let act = self.acts.peek().get(usize::from(frame.act))?;
                Some((window.at, window.response, frame.act, act.this, &act.locals))
            })
        };
        let known = windows.iter().map(|one| (one.at, one.response, one.act, one.this, &one.locals));
        if *open != is_open || !known.eq(opened()) {
            *open = is_open;
            let now = opened().map(|(at, response, act, this, locals)| Opened {
                at,
                response,
                act,
                this,
                locals: locals.clone(),
            });
            *windows = now.collect();
            versions.stamp(parts.list(List::Windows));
        }
    }
}
