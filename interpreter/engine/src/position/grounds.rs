//! What answers under a veil rest on ([`crate::position::veil`]), and whether any of it has changed.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::position::retold::Others;
use crate::position::set::{Set, ThingId, bit};
use crate::position::snapshot::Snapshot;
use crate::position::state::State;
use crate::position::value::count;
use crate::position::veil::Apiece;
use crate::program::layout::Layout;

/// So many sets of notes are kept before it is looked which of them are needed.
const MOST: usize = 1 << 13;

/// What an answer rests on: a bit for each part of the position that was read of all things, for each thing (whether it is
/// hidden), for each attribute that was worked out on the way, for each part that was read of some things, for each of these
/// things, and for each answer of what is asked again and again.
type Notes = Arc<[u64]>;

/// How many words of notes are about parts, about things, and about attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub parts: usize,
    pub things: usize,
    pub works: usize,
}

impl Shape {
    /// Where what was read of some things begins, and where the answers that were used.
    fn apiece_at(self) -> usize {
        self.parts + self.things + self.works
    }

    fn used_at(self) -> usize {
        self.apiece_at() + self.parts + self.things
    }

    /// Nothing that was read of some things.
    pub(crate) fn apiece(self) -> Apiece {
        Apiece { parts: SmallVec::from_elem(0, self.parts), things: Set::empty(self.things) }
    }
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
    /// The moment at which it was last looked whether what held at the one before holds, and whether it does.
    stood: Cell<(u64, bool)>,
}

/// The same, to be read.
pub(crate) struct Rests<'n> {
    pub parts: &'n [u64],
    pub things: &'n [u64],
    pub works: &'n [u64],
    /// Parts, and things of which they were read.
    pub apiece: (&'n [u64], &'n [u64]),
    pub used: &'n [u64],
}

/// What has changed because other things are hidden.
pub(crate) struct Changed {
    /// Things that are hidden now, or shown.
    pub turned: Set,
    /// What of the position another eye would read otherwise.
    pub parts: Vec<(ThingId, usize)>,
    /// The places in which they lie.
    pub places: Vec<(ThingId, usize)>,
}

/// What has changed of what is read of some things: words of parts, by their places.
#[derive(Debug, Default)]
struct Moved {
    /// As if it had changed of all.
    all: Vec<(usize, u64)>,
    /// By thing.
    of: Vec<(ThingId, Vec<(usize, u64)>)>,
}

/// Adds a bit to words by their places.
fn add_bit(words: &mut Vec<(usize, u64)>, bit: usize) {
    match words.iter_mut().find(|(at, _)| *at == bit / 64) {
        Some((_, word)) => *word |= 1 << (bit % 64),
        None => words.push((bit / 64, 1 << (bit % 64))),
    }
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
    moved: Moved,
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
            moved: Moved::default(),
            recent: vec![0; shape.used_at()],
            when: vec![0; shape.used_at() * 64],
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

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// Goes on to the moment of a position. `hidden`: what was hidden before, and what is now.
    pub(crate) fn go_on(&mut self, layout: &Layout, state: &State, eyes: Option<Changed>, hidden: (&Set, &Set)) {
        let now = state.moment();
        (self.before, self.now) = (self.now, now);
        let mut changed = Vec::with_capacity(self.shape.parts + self.shape.things);
        state.versions.changed_since(self.before, &mut changed);
        self.stored.keep_others(layout, state, &mut changed);
        let mut moved = Moved::default();
        // Apart from columns and slots nothing is read of some things only.
        for (thing, others) in self.stored.others() {
            let mut parts = Vec::new();
            for other in others {
                let secret = other.was && hidden.0.contains(thing) || other.is && hidden.1.contains(thing);
                add_bit(if secret { &mut moved.all } else { &mut parts }, other.part);
            }
            moved.of.push((thing, parts));
        }
        changed.resize(self.shape.parts + self.shape.things, 0);
        if let Some(Changed { turned, parts, places }) = eyes {
            let first = self.shape.parts * 64;
            // Who is hidden where he lay, or was, is as good as one who has come there or gone.
            let lay = |(thing, part): &(ThingId, usize)| {
                !self.stored.others().any(|(one, all)| one == *thing && all.iter().any(|other| other.part == *part))
            };
            places.into_iter().filter(lay).for_each(|(_, part)| add_bit(&mut moved.all, part));
            for thing in &turned {
                let own = parts.iter().filter(|(one, _)| *one == thing);
                let mut words = Vec::new();
                own.for_each(|(_, part)| add_bit(&mut words, *part));
                moved.of.push((thing, words));
            }
            let parts = parts.into_iter().map(|(_, part)| part);
            for bit in turned.iter().map(|thing| first + thing.index()).chain(parts) {
                if let Some(word) = changed.get_mut(bit / 64) {
                    *word |= 1 << (bit % 64);
                }
            }
        }
        let first = self.shape.apiece_at();
        for (at, word) in moved.all.iter().chain(moved.of.iter().flat_map(|(_, parts)| parts)) {
            self.recent.get_mut(first + at).into_iter().for_each(|recent| *recent = now);
            for bit in bits(*word) {
                self.when.get_mut((first + at) * 64 + bit).into_iter().for_each(|when| *when = now);
            }
        }
        self.moved = moved;
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
    pub(crate) fn number(&self, parts: &[u64], things: &[u64], works: &[u64], apiece: &Apiece, used: &[u64]) -> Noted {
        let fixed = self.shape.used_at();
        let mut notes = Vec::with_capacity(fixed + used.len());
        notes.extend_from_slice(parts);
        notes.resize(self.shape.parts, 0);
        for more in [things, works, &apiece.parts, apiece.things.words(), used] {
            notes.extend_from_slice(more);
        }
        // Equal notes have equal ends.
        while notes.len() > fixed && notes.last() == Some(&0) {
            notes.pop();
        }
        let mut numbers = self.numbers.borrow_mut();
        if let Some(number) = numbers.get(notes.as_slice()) {
            return Noted { at: self.now, notes: *number };
        }
        let (notes, mut all) = (Notes::from(notes), self.all.borrow_mut());
        let number = count(all.len());
        numbers.insert(Arc::clone(&notes), number);
        all.push(Ground { notes, looked: Cell::new(self.now), changed: Cell::new(0), stood: Cell::default() });
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
        let (works, rest) = rest.split_at_checked(self.shape.works)?;
        let (read_apiece, rest) = rest.split_at_checked(self.shape.parts)?;
        let (of, used) = rest.split_at_checked(self.shape.things)?;
        Some(read(Rests { parts, things, works, apiece: (read_apiece, of), used }))
    }

    /// Whether what was noted holds still. `other`: whether an answer that was used has become another one since a moment.
    pub(crate) fn holds(&self, noted: Noted, other: impl Fn(usize, u64, &[u64]) -> bool) -> bool {
        let all = self.all.borrow();
        all.get(noted.notes as usize).is_some_and(|ground| {
            self.look(ground, other);
            self.stuck || noted.at >= ground.changed.get()
        })
    }

    /// Looks whether any of what answers rest on has changed.
    fn look(&self, ground: &Ground, other: impl Fn(usize, u64, &[u64]) -> bool) {
        let since = ground.looked.get();
        if since == self.now {
            return;
        }
        let changed = self.meets_changed(&ground.notes)
            || since < self.before && self.has_changed(&ground.notes, since)
            || self.used(&ground.notes).any(|at| other(at, since, self.apiece(&ground.notes).0));
        if changed {
            ground.changed.set(self.now);
        }
        ground.looked.set(self.now);
    }

    /// Whether any of what an answer rests on has changed since the last moment.
    fn meets_changed(&self, notes: &[u64]) -> bool {
        let meets = |words: &[(usize, u64)], notes: &[u64]| {
            words.iter().any(|(at, word)| notes.get(*at).is_some_and(|note| note & word != 0))
        };
        meets(&self.changed, notes)
            || notes.get(self.shape.apiece_at()..self.shape.used_at()).is_some_and(|apiece| {
                let (parts, things) = apiece.split_at(self.shape.parts);
                let moved = |(thing, words): &(ThingId, Vec<(usize, u64)>)| bit(things, *thing) && meets(words, parts);
                meets(&self.moved.all, parts) || self.moved.of.iter().any(moved)
            })
    }

    /// Whether any of what an answer rests on has changed since a moment before the last one.
    fn has_changed(&self, notes: &[u64], since: u64) -> bool {
        let recent = notes.iter().zip(&self.recent).enumerate().filter(|(_, (_, recent))| **recent > since);
        let mut bits = recent.flat_map(|(at, (note, _))| bits(*note).map(move |bit| at * 64 + bit));
        bits.any(|bit| self.when.get(bit).is_some_and(|when| *when > since))
    }

    /// Whether what held at the last moment holds in this one. `others`: the answers that have become other ones
    /// meanwhile.
    pub(crate) fn stands(&self, noted: Noted, others: &Others) -> bool {
        self.all.borrow().get(noted.notes as usize).is_some_and(|ground| {
            let (at, stood) = ground.stood.get();
            if at == self.now {
                return stood;
            }
            let stands = self.stands_on(&ground.notes, others);
            ground.stood.set((self.now, stands));
            stands
        })
    }

    /// The same of what rests on all that something rests on.
    pub(crate) fn stands_on(&self, notes: &[u64], others: &Others) -> bool {
        self.stuck
            || !self.meets_changed(notes) && {
                let (things, used) = self.apiece(notes);
                !others.meet(used, things)
            }
    }

    /// The things of which something was read that was read of some things only, and what was used; notes that are too short are
    /// of nothing.
    fn apiece<'n>(&self, notes: &'n [u64]) -> (&'n [u64], &'n [u64]) {
        let (rest, used) = notes.split_at(self.shape.used_at().min(notes.len()));
        (&rest[rest.len().saturating_sub(self.shape.things)..], used)
    }

    /// What several things rest on, in one.
    pub(crate) fn all_of(&self, noted: impl Iterator<Item = Noted>, notes: &mut Vec<u64>) {
        let mut numbers: SmallVec<[u32; 128]> = noted.map(|noted| noted.notes).collect();
        numbers.sort_unstable();
        numbers.dedup();
        notes.clear();
        let all = self.all.borrow();
        for ground in numbers.into_iter().filter_map(|number| all.get(number as usize)) {
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
        let words = notes.get(self.shape.used_at()..).into_iter().flatten().enumerate();
        words.flat_map(|(at, word)| bits(*word).map(move |bit| at * 64 + bit))
    }
}

/// The bits of a word, lowest first.
pub(crate) fn bits(word: u64) -> impl Iterator<Item = usize> {
    let rest = std::iter::successors(Some(word), |left| Some(left & left.wrapping_sub(1)));
    rest.take_while(|left| *left != 0).map(|left| left.trailing_zeros() as usize)
}
