//! When each part of a position was last written, and which parts an evaluation has read: what is worked out holds until one
//! of the parts that it has read is written.
//!
//! A part is a column, a bit slot, the pairs of an attribute, the rows of a verb, who plays a role, whether a procedure runs,
//! or a list of the state as a whole. Stamps are never given out twice, by no copy that runs in place of a position either
//! (see [`Versions::resume`]), so that equal stamps mean equal contents.

use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};

use smallvec::SmallVec;

use crate::position::set::ThingId;
use crate::position::stack::{At, ChainItem, Pending};
use crate::position::value::{Locals, Value};
use crate::program::parts::{List, Parts};

/// A list of the state that notes whether it was read and whether it may have been written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracked<T> {
    inner: T,
    pub written: Cell<bool>,
    pub read: Cell<bool>,
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

impl<T: Copy> Tracked<Vec<T>> {
    /// Takes over another one with which it has the first elements in common.
    pub(crate) fn copy_after(&mut self, common: usize, from: &Tracked<Vec<T>>) {
        self.inner.truncate(common);
        self.inner.extend(from.inner.iter().skip(common));
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

/// What waits in chains.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Waiting {
    pub items: Vec<ChainItem>,
    pub pending: Vec<Pending>,
}

/// A window as those that answer in it see it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Opened {
    pub at: At,
    pub response: bool,
    pub act: u16,
    pub this: Option<ThingId>,
    pub locals: Locals,
}

/// What evaluations read of the stack, as it was when it was last looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observed {
    /// By role: who plays it.
    pub roles: Vec<Value>,
    /// By procedure: the serial of its innermost instance; 0 if none runs.
    pub procs: Vec<u32>,
    pub chains: Waiting,
    pub windows: Vec<Opened>,
    /// A window is on top.
    pub open: bool,
}

/// Parts that were read: a bit for each.
pub(crate) type Reads = SmallVec<[u64; 20]>;

/// The versions of the parts of a position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Versions {
    pub parts: Parts,
    at: Vec<Cell<u64>>,
    /// The last stamp of this position.
    moment: Cell<u64>,
    /// The last stamp that was given out to this position or to one that ran in its place.
    clock: Cell<u64>,
    read: Vec<Cell<u64>>,
    /// The last stamp is known, as long as the position is only asked (see [`Versions::begin_asking`]).
    known: Cell<bool>,
    pub observed: RefCell<Observed>,
}

impl Versions {
    pub(crate) fn new(parts: Parts) -> Versions {
        Versions {
            parts,
            at: vec![Cell::new(1); parts.len()],
            moment: Cell::new(1),
            clock: Cell::new(1),
            read: vec![Cell::new(0); parts.len().div_ceil(64)],
            known: Cell::new(false),
            observed: RefCell::default(),
        }
    }

    /// Takes over the versions of another position, of which nothing has been read yet.
    pub(crate) fn copy_from(&mut self, from: &Versions) {
        self.parts = from.parts;
        self.at.clone_from(&from.at);
        self.moment.set(from.moment.get());
        self.known.set(false);
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

    /// A part is written; its stamp.
    #[inline]
    pub(crate) fn stamp(&self, part: usize) -> u64 {
        let now = self.clock.get() + 1;
        self.clock.set(now);
        self.moment.set(now);
        if let Some(at) = self.at.get(part) {
            at.set(now);
        }
        now
    }

    /// The position is only asked from now on, by somebody who has a shared reference to it as long as he asks.
    #[inline]
    pub(crate) fn begin_asking(&self) {
        self.known.set(false);
    }

    /// The last stamp, if it is known to somebody who asks.
    #[inline]
    pub(crate) fn known_moment(&self) -> Option<u64> {
        self.known.get().then(|| self.moment.get())
    }

    /// The last stamp is known, until somebody else begins to ask.
    #[inline]
    pub(crate) fn note_moment(&self) {
        self.known.set(true);
    }

    /// The last stamp that was given out.
    pub(crate) fn given(&self) -> u64 {
        self.clock.get()
    }

    /// Goes on after another position ran in the place of this one: the stamps up to the last that it gave out are not given
    /// out again.
    pub(crate) fn resume(&self, given: u64) {
        self.clock.set(self.clock.get().max(given));
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

    /// Which parts have been written since a moment, as words with a bit for each; the whole counts as written.
    pub(crate) fn changed_since(&self, moment: u64, words: &mut Vec<u64>) {
        let word = |parts: &[Cell<u64>]| {
            let written = |(n, at): (usize, &Cell<u64>)| u64::from(at.get() > moment) << n;
            parts.iter().enumerate().map(written).fold(0, |word, bit| word | bit)
        };
        words.extend(self.at.chunks(64).map(word));
        let all = self.parts.list(List::All);
        if let Some(word) = words.get_mut(all / 64) {
            *word |= 1 << (all % 64);
        }
    }

    /// Begins to note what is read; what was noted so far is to be handed to [`Versions::end`].
    pub(crate) fn begin(&self) -> Reads {
        let mut noted = Reads::from_elem(0, self.read.len());
        noted.iter_mut().zip(&self.read).for_each(|(noted, word)| *noted = word.replace(0));
        noted
    }

    /// What has been read since; what was noted before is noted still.
    pub(crate) fn end(&self, before: &Reads) -> Reads {
        let mut mine = Reads::from_elem(0, self.read.len());
        for ((mine, word), before) in mine.iter_mut().zip(&self.read).zip(before) {
            *mine = word.get();
            word.set(*mine | before);
        }
        mine
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
