//! What answers under a veil rest on ([`crate::position::veil`]), and whether any of it has changed.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::position::set::Set;
use crate::position::snapshot::Snapshot;
use crate::position::state::State;
use crate::position::value::count;
use crate::program::layout::Layout;

/// So many sets of notes are kept before it is looked which of them are needed.
const MOST: usize = 1 << 13;

/// What an answer rests on: a bit for each part of the position, for each thing (whether it is hidden), for each attribute
/// that was worked out on the way, and for each answer of what is asked again and again.
type Notes = Arc<[u64]>;

/// How many words of notes are about parts, about things, and about attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub parts: usize,
    pub things: usize,
    pub works: usize,
}

/// When something was asked, and the number of what it rests on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noted {
    at: u64,
    notes: u32,
}

/// What several answers rest on.
#[derive(Debug)]
struct Ground {
    notes: Notes,
    /// The moment at which it was last looked whether any of it has changed, and the last one at which it had.
    looked: Cell<u64>,
    changed: Cell<u64>,
}

/// The same, to be read.
pub(crate) struct Rests<'n> {
    pub parts: &'n [u64],
    pub things: &'n [u64],
    pub works: &'n [u64],
    pub used: &'n [u64],
}

/// What has changed because other things are hidden.
pub(crate) struct Changed {
    /// Things that are hidden now, or shown.
    pub turned: Set,
    /// What of the position another eye would read otherwise.
    pub parts: Vec<usize>,
}

/// What is rested on.
#[derive(Debug)]
pub(crate) struct Grounds {
    shape: Shape,
    all: RefCell<Vec<Ground>>,
    numbers: RefCell<FxHashMap<Notes, u32>>,
    most: usize,
    /// The moment that it is, and the one before.
    now: u64,
    before: u64,
    /// What was stored then.
    stored: Snapshot,
    /// Parts of the position and things that have changed between the two, as in [`Notes`]: the words of which any has, by
    /// their places.
    changed: Vec<(usize, u64)>,
    /// By word, and by bit, the last moment at which any of these had.
    recent: Vec<u64>,
    when: Vec<u64>,
    /// A mistake on purpose: what is kept holds for ever.
    pub stuck: bool,
}

impl Grounds {
    pub(crate) fn new(shape: Shape, now: u64) -> Grounds {
        Grounds {
            shape,
            all: RefCell::default(),
            numbers: RefCell::default(),
            most: MOST,
            now,
            before: 0,
            stored: Snapshot::default(),
            changed: Vec::new(),
            recent: vec![0; shape.parts + shape.things],
            when: vec![0; (shape.parts + shape.things) * 64],
            stuck: false,
        }
    }

    /// The moment that it is.
    pub(crate) fn moment(&self) -> u64 {
        self.now
    }

    /// Whether it is time to look what of it is needed.
    pub(crate) fn is_full(&self) -> bool {
        self.all.borrow().len() >= self.most
    }

    /// Goes on to the moment of a position.
    pub(crate) fn go_on(&mut self, layout: &Layout, state: &State, eyes: Option<Changed>) {
        let now = state.moment();
        (self.before, self.now) = (self.now, now);
        let mut changed = Vec::with_capacity(self.shape.parts + self.shape.things);
        state.versions.changed_since(self.before, &mut changed);
        self.stored.keep_others(layout, state, &mut changed);
        changed.resize(self.shape.parts + self.shape.things, 0);
        if let Some(Changed { turned, parts }) = eyes {
            let first = self.shape.parts * 64;
            for bit in turned.iter().map(|thing| first + thing.index()).chain(parts) {
                if let Some(word) = changed.get_mut(bit / 64) {
                    *word |= 1 << (bit % 64);
                }
            }
        }
        self.changed.clear();
        self.changed.extend(changed.into_iter().enumerate().filter(|(_, word)| *word != 0));
        for (at, word) in &self.changed {
            self.recent.get_mut(*at).into_iter().for_each(|recent| *recent = now);
            for bit in bits(*word) {
                self.when.get_mut(at * 64 + bit).into_iter().for_each(|when| *when = now);
            }
        }
    }

    /// The number of notes.
    pub(crate) fn number(&self, parts: &[u64], things: &[u64], works: &[u64], used: &[u64]) -> Noted {
        let Shape { parts: words, .. } = self.shape;
        let mut notes = Vec::with_capacity(words + things.len() + works.len() + used.len());
        notes.extend_from_slice(parts);
        notes.resize(words, 0);
        for more in [things, works, used] {
            notes.extend_from_slice(more);
        }
        // Equal notes have equal ends.
        while notes.len() > words + things.len() + works.len() && notes.last() == Some(&0) {
            notes.pop();
        }
        let mut numbers = self.numbers.borrow_mut();
        if let Some(number) = numbers.get(notes.as_slice()) {
            return Noted { at: self.now, notes: *number };
        }
        let (notes, mut all) = (Notes::from(notes), self.all.borrow_mut());
        let number = count(all.len());
        numbers.insert(Arc::clone(&notes), number);
        all.push(Ground { notes, looked: Cell::new(self.now), changed: Cell::new(0) });
        Noted { at: self.now, notes: number }
    }

    /// Forgets what nothing rests on: `each` calls what it is given for all that is kept.
    pub(crate) fn sweep(&mut self, each: impl FnOnce(&mut dyn FnMut(&mut Noted))) {
        let mut old: Vec<(Ground, Option<u32>)> = self.all.take().into_iter().map(|ground| (ground, None)).collect();
        let mut next = 0;
        each(&mut |noted| {
            if let Some((_, number)) = old.get_mut(noted.notes as usize) {
                noted.notes = *number.get_or_insert_with(|| {
                    next += 1;
                    next - 1
                });
            }
        });
        let mut left: Vec<(u32, Ground)> = old.into_iter().filter_map(|(ground, n)| Some((n?, ground))).collect();
        left.sort_unstable_by_key(|one| one.0);
        self.most = MOST.max(left.len() * 2);
        self.numbers = RefCell::new(left.iter().map(|(n, ground)| (Arc::clone(&ground.notes), *n)).collect());
        self.all = RefCell::new(left.into_iter().map(|one| one.1).collect());
    }

    /// Reads what something rests on.
    pub(crate) fn with<T>(&self, noted: Noted, read: impl FnOnce(Rests) -> T) -> Option<T> {
        let all = self.all.borrow();
        let notes = &all.get(noted.notes as usize)?.notes;
        let (parts, rest) = notes.split_at_checked(self.shape.parts)?;
        let (things, rest) = rest.split_at_checked(self.shape.things)?;
        let (works, used) = rest.split_at_checked(self.shape.works)?;
        Some(read(Rests { parts, things, works, used }))
    }

    /// Whether what was noted holds still. `other`: whether an answer that was used has become another one since a moment.
    pub(crate) fn holds(&self, noted: Noted, other: impl Fn(usize, u64) -> bool) -> bool {
        let all = self.all.borrow();
        all.get(noted.notes as usize).is_some_and(|ground| {
            self.look(ground, other);
            self.stuck || noted.at >= ground.changed.get()
        })
    }

    /// Looks whether any of what answers rest on has changed.
    fn look(&self, ground: &Ground, other: impl Fn(usize, u64) -> bool) {
        let since = ground.looked.get();
        if since == self.now {
            return;
        }
        let changed = self.meets_changed(&ground.notes)
            || since < self.before && self.has_changed(&ground.notes, since)
            || self.used(&ground.notes).any(|at| other(at, since));
        if changed {
            ground.changed.set(self.now);
        }
        ground.looked.set(self.now);
    }

    /// Whether any of what an answer rests on has changed since the last moment.
    fn meets_changed(&self, notes: &[u64]) -> bool {
        self.changed.iter().any(|(at, word)| notes.get(*at).is_some_and(|note| note & word != 0))
    }

    /// Whether any of what an answer rests on has changed since a moment before the last one.
    fn has_changed(&self, notes: &[u64], since: u64) -> bool {
        let recent = notes.iter().zip(&self.recent).enumerate().filter(|(_, (_, recent))| **recent > since);
        let mut bits = recent.flat_map(|(at, (note, _))| bits(*note).map(move |bit| at * 64 + bit));
        bits.any(|bit| self.when.get(bit).is_some_and(|when| *when > since))
    }

    /// Whether what held at the last moment holds in this one. `others`: the answers, by number, that have become other ones
    /// meanwhile, a bit for each.
    pub(crate) fn stands(&self, noted: Noted, others: &[u64]) -> bool {
        self.all.borrow().get(noted.notes as usize).is_some_and(|ground| self.stands_on(&ground.notes, others))
    }

    /// The same of what rests on all that something rests on.
    pub(crate) fn stands_on(&self, notes: &[u64], others: &[u64]) -> bool {
        let Shape { parts, things, works } = self.shape;
        let used = || notes.iter().skip(parts + things + works).zip(others);
        self.stuck || !self.meets_changed(notes) && !used().any(|(used, other)| used & other != 0)
    }

    /// Adds what something rests on to notes.
    pub(crate) fn add_to(&self, notes: &mut Vec<u64>, noted: Noted) {
        if let Some(ground) = self.all.borrow().get(noted.notes as usize) {
            notes.resize(notes.len().max(ground.notes.len()), 0);
            notes.iter_mut().zip(ground.notes.iter()).for_each(|(word, more)| *word |= more);
        }
    }

    /// Whether what was noted was noted in this moment.
    pub(crate) fn is_new(&self, noted: Noted) -> bool {
        noted.at == self.now
    }

    /// Whether it has been looked in this moment whether what was noted has changed.
    pub(crate) fn is_looked_at(&self, noted: Noted) -> bool {
        self.all.borrow().get(noted.notes as usize).is_some_and(|ground| ground.looked.get() == self.now)
    }

    /// The answers of what is asked again and again that are used, by number.
    fn used<'n>(&self, notes: &'n Notes) -> impl Iterator<Item = usize> + use<'n> {
        let Shape { parts, things, works } = self.shape;
        let words = notes.get(parts + things + works..).into_iter().flatten().enumerate();
        words.flat_map(|(at, word)| bits(*word).map(move |bit| at * 64 + bit))
    }
}

/// The bits of a word, lowest first.
pub(crate) fn bits(word: u64) -> impl Iterator<Item = usize> {
    let rest = std::iter::successors(Some(word), |left| Some(left & left.wrapping_sub(1)));
    rest.take_while(|left| *left != 0).map(|left| left.trailing_zeros() as usize)
}
