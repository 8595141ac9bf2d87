//! When each part of a position was last written, and which parts an evaluation has read: what is worked out holds until one
//! of the parts that it has read is written.
//!
//! A part is a column, a bit slot, the pairs of an attribute, the rows of a verb, who plays a role, whether a procedure runs,
//! or a list of the state as a whole. Stamps are never given out twice, by no copy that runs in place of a position either
//! (see [`Versions::resume`]), so that equal stamps mean equal contents.

use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};

use netrep_ir::{AttrId, ClassId, ProcId, RoleId, VerbId};
use smallvec::SmallVec;

use crate::position::set::ThingId;
use crate::position::stack::{At, ChainItem, Kind, Pending};
use crate::position::state::State;
use crate::position::value::{Locals, Value};

/// Where the parts of a game's positions are numbered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    columns: usize,
    slots: usize,
    pairs: usize,
    rows: usize,
    roles: usize,
    procs: usize,
    lists: usize,
}

/// A list of the state as a whole, or what of the stack evaluations read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Effects,
    History,
    Usage,
    Acts,
    Frames,
    Pending,
    Announced,
    Standing,
    Withheld,
    Ordinals,
    Pairs,
    /// How many things there have ever been.
    Ever,
    /// What waits in chains to be resolved.
    Chains,
    /// Which windows are open, one in the other.
    Windows,
    /// Whatever is written.
    All,
}

const LISTS: usize = List::All as usize + 1;

/// The things of a game are told apart by their classes into so many groups: a column is a part for each. (What is made for
/// an attack is of another class than a card, which may have the same attributes.)
const GROUPS: usize = 4;

impl Parts {
    pub(crate) fn new(columns: usize, slots: usize, attrs: usize, verbs: usize, roles: usize, procs: usize) -> Parts {
        let first_slot = columns * GROUPS;
        let pairs = first_slot + slots;
        let rows = pairs + attrs;
        let first_role = rows + verbs;
        let first_proc = first_role + roles;
        Parts {
            columns,
            slots: first_slot,
            pairs,
            rows,
            roles: first_role,
            procs: first_proc,
            lists: first_proc + procs,
        }
    }
    fn len(&self) -> usize {
        self.lists + LISTS
    }
    /// A column of the things of a class.
    #[inline]
    pub(crate) fn column(&self, column: usize, class: Option<&ClassId>) -> usize {
        // total: what is no thing has nothing in a column.
        column + self.columns * class.map_or(0, |class| class.index() % GROUPS)
    }
    #[inline]
    pub(crate) fn slot(&self, slot: usize) -> usize {
        self.slots + slot
    }
    #[inline]
    pub(crate) fn pairs(&self, attr: AttrId) -> usize {
        self.pairs + attr.index()
    }
    #[inline]
    pub(crate) fn rows(&self, verb: VerbId) -> usize {
        self.rows + verb.index()
    }
    #[inline]
    pub(crate) fn role(&self, role: RoleId) -> usize {
        self.roles + role.index()
    }
    #[inline]
    pub(crate) fn proc(&self, proc: ProcId) -> usize {
        self.procs + proc.index()
    }
    #[inline]
    pub(crate) fn list(&self, list: List) -> usize {
        self.lists + list as usize
    }
}

/// A list of the state that notes whether it was read and whether it may have been written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracked<T> {
    inner: T,
    written: Cell<bool>,
    read: Cell<bool>,
}

impl<T> From<T> for Tracked<T> {
    fn from(inner: T) -> Tracked<T> {
        Tracked { inner, written: Cell::new(true), read: Cell::new(false) }
    }
}

impl<T> Tracked<T> {
    /// Reads it without a note: for what notes more exactly what it has read.
    #[inline]
    pub(crate) fn peek(&self) -> &T {
        &self.inner
    }
    /// Takes it out.
    pub(crate) fn take(&mut self) -> T
    where
        T: Default,
    {
        std::mem::take(&mut **self)
    }
}

impl<T: Clone> Tracked<T> {
    /// Takes over another one, and keeps what room it has for that.
    pub(crate) fn copy_from(&mut self, from: &Tracked<T>) {
        self.inner.clone_from(&from.inner);
        self.written.set(from.written.get());
    }
}

impl<T: PartialEq> PartialEq for Tracked<T> {
    fn eq(&self, other: &Tracked<T>) -> bool {
        self.inner == other.inner
    }
}

impl<T: Eq> Eq for Tracked<T> {}

impl<T> Deref for Tracked<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        self.read.set(true);
        &self.inner
    }
}

impl<T> DerefMut for Tracked<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.read.set(true);
        self.written.set(true);
        &mut self.inner
    }
}

/// Something that waits in a chain.
#[derive(Clone, Debug, PartialEq)]
enum Waiting {
    Item(ChainItem),
    Pending(Pending),
}

/// A window as those that answer in it see it.
#[derive(Clone, Debug, PartialEq)]
struct Opened {
    at: At,
    response: bool,
    act: u16,
    this: Option<ThingId>,
    locals: Locals,
}

/// What evaluations read of the stack, as it was when it was last looked at.
#[derive(Clone, Debug, Default)]
struct Observed {
    /// By role: who plays it.
    roles: Vec<Value>,
    /// By procedure: the serial of its innermost instance; 0 if none runs.
    procs: Vec<u32>,
    chains: Vec<Waiting>,
    windows: Vec<Opened>,
    /// A window is on top.
    open: bool,
}

/// Parts that were read: a bit for each.
pub(crate) type Reads = SmallVec<[u64; 20]>;

/// The versions of the parts of a position. They are no part of what it is: all are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Versions {
    pub parts: Parts,
    at: Vec<Cell<u64>>,
    /// The last stamp of this position.
    moment: Cell<u64>,
    /// The last stamp that was given out to this position or to one that ran in its place.
    clock: Cell<u64>,
    read: Vec<Cell<u64>>,
    observed: RefCell<Observed>,
}

impl PartialEq for Versions {
    fn eq(&self, _: &Versions) -> bool {
        true
    }
}

impl Eq for Versions {}

impl Versions {
    pub(crate) fn new(parts: Parts) -> Versions {
        Versions {
            parts,
            at: vec![Cell::new(1); parts.len()],
            moment: Cell::new(1),
            clock: Cell::new(1),
            read: vec![Cell::new(0); parts.len().div_ceil(64)],
            observed: RefCell::default(),
        }
    }

    /// Takes over the versions of another position, of which nothing has been read yet.
    pub(crate) fn copy_from(&mut self, from: &Versions) {
        self.parts = from.parts;
        self.at.clone_from(&from.at);
        self.moment.set(from.moment.get());
        self.clock.set(from.clock.get());
        self.read.resize(from.read.len(), Cell::new(0));
        self.read.iter().for_each(|word| word.set(0));
        let mut observed = self.observed.borrow_mut();
        let from = from.observed.borrow();
        observed.roles.clone_from(&from.roles);
        observed.procs.clone_from(&from.procs);
        observed.chains.clone_from(&from.chains);
        observed.windows.clone_from(&from.windows);
        observed.open = from.open;
    }

    /// Notes that a part is read.
    #[inline]
    pub(crate) fn note(&self, part: usize) {
        if let Some(word) = self.read.get(part / 64) {
            word.set(word.get() | 1 << (part % 64));
        }
    }

    /// Notes that parts are read on which something kept rests.
    #[inline]
    pub(crate) fn note_all(&self, reads: &[u64]) {
        self.read.iter().zip(reads).for_each(|(word, more)| word.set(word.get() | more));
    }

    /// A part is written.
    #[inline]
    pub(crate) fn stamp(&self, part: usize) {
        let now = self.clock.get() + 1;
        self.clock.set(now);
        self.moment.set(now);
        if let Some(at) = self.at.get(part) {
            at.set(now);
        }
    }

    /// Goes on after another position ran in the place of this one, whose stamps are not given out again.
    pub(crate) fn resume(&self, other: &Versions) {
        self.clock.set(self.clock.get().max(other.clock.get()));
    }

    /// When the position last changed.
    #[inline]
    pub(crate) fn moment(&self) -> u64 {
        self.moment.get()
    }

    /// When one of these parts was last written.
    pub(crate) fn last(&self, reads: &[u64]) -> u64 {
        let mut last = 0;
        for (n, word) in reads.iter().enumerate() {
            let mut left = *word;
            while left != 0 {
                let part = n * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                if let Some(at) = self.at.get(part) {
                    last = last.max(at.get());
                }
            }
        }
        if reads.get(self.parts.list(List::All) / 64).is_some_and(|w| w >> (self.parts.list(List::All) % 64) & 1 == 1) {
            return u64::MAX;
        }
        last
    }

    /// Begins to note what is read; what was noted so far is to be handed to [`Versions::end`].
    fn begin(&self) -> Reads {
        self.read.iter().map(|word| word.replace(0)).collect()
    }

    /// What has been read since; what was noted before is noted still.
    fn end(&self, before: &Reads) -> Reads {
        let mine: Reads = self.read.iter().map(Cell::get).collect();
        self.note_all(before);
        mine
    }
}

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

    /// When the position last changed, what was written in lists included.
    pub(crate) fn moment(&self) -> u64 {
        let parts = &self.versions.parts;
        let stack = self.acts.written.get() || self.frames.written.get();
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
        if stack {
            self.observe();
        }
        self.versions.moment()
    }

    /// Stamps what evaluations read of the stack, as far as it is another than before.
    fn observe(&self) {
        let (versions, parts) = (&self.versions, &self.versions.parts);
        let mut observed = versions.observed.borrow_mut();
        let Observed { roles, procs, chains, windows, open } = &mut *observed;
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
        let frames = self.frames.peek();
        let waiting = || {
            let item = |item: &'_ ChainItem| Waiting::Item(item.clone());
            let pending = |pending: &'_ Pending| Waiting::Pending(pending.clone());
            frames.iter().flat_map(move |frame| -> SmallVec<[Waiting; 2]> {
                match &frame.kind {
                    Kind::Window(window) => window.chain.iter().map(item).collect(),
                    Kind::Following(following) => following.items.iter().map(pending).collect(),
                    _ => SmallVec::new(),
                }
            })
        };
        let same = frames.iter().all(|frame| match &frame.kind {
            Kind::Window(window) => window.chain.is_empty(),
            Kind::Following(following) => following.items.is_empty(),
            _ => true,
        }) && chains.is_empty();
        if !same {
            let now: Vec<Waiting> = waiting().collect();
            if *chains != now {
                *chains = now;
                versions.stamp(parts.list(List::Chains));
            }
        }
        let is_open = frames.last().is_some_and(|frame| matches!(frame.kind, Kind::Window(_)));
        let opened: SmallVec<[Opened; 4]> = frames
            .iter()
            .filter_map(|frame| {
                let Kind::Window(window) = &frame.kind else { return None };
                let act = self.acts.peek().get(usize::from(frame.act))?;
                Some(Opened {
                    at: window.at,
                    response: window.response,
                    act: frame.act,
                    this: act.this,
                    locals: act.locals.clone(),
                })
            })
            .collect();
        if *open != is_open || windows.as_slice() != opened.as_slice() {
            *open = is_open;
            *windows = opened.into_vec();
            versions.stamp(parts.list(List::Windows));
        }
    }
}

/// Adds parts that were read to others.
pub(crate) fn unite(reads: &mut Reads, more: &[u64]) {
    if reads.len() < more.len() {
        reads.resize(more.len(), 0);
    }
    reads.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

impl<'a, T> IntoIterator for &'a Tracked<Vec<T>> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Tracked<Vec<T>> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
