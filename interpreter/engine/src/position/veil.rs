//! A player's eyes: what is hidden from him, and what is kept of what was asked with them.
//!
//! An answer under a veil follows from three things: parts of the position, which of some things are hidden, and which
//! attributes were being worked out when it was asked (what leads back to one of them is cut off). A veil notes all three
//! while something is asked, so that what is kept is the answer that would be given anew.

use std::cell::{Cell, RefCell};
use std::hash::Hash;

use netrep_ir::AttrId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::position::glimpses::{Alike, Glimpse, Glimpses, Kept, Question, Told};
use crate::position::set::{Set, ThingId};
use crate::position::state::State;
use crate::position::value::count;
use crate::position::versions::Reads;

/// What an answer rests on: a bit for each part of the position, for each thing (whether it is hidden), for the seal, and
/// for each attribute that was worked out on the way.
type Notes = Box<[u64]>;

/// More sets of notes than this are not kept.
const MOST: usize = 1 << 14;

/// Nothing was cut off.
const UNCUT: usize = usize::MAX;

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

/// What was noted before something is asked, for [`Veil::end`].
pub(crate) struct Before {
    reads: Reads,
    looked: Set,
    worked: SmallVec<[u64; 8]>,
    sealed_read: bool,
    used: SmallVec<[u64; 4]>,
    asked: bool,
    cut: usize,
    depth: usize,
}

/// A player's eyes.
#[derive(Debug)]
pub(crate) struct Veil {
    hidden: Set,
    /// Those of them that belong to hidden cards.
    sealed: Set,
    /// Those of which the player knows no history: hidden things, and what others hold and have revealed to them.
    without_history: Set,
    asked: Cell<bool>,
    /// What is being worked out: attributes, and what functions (the number behind them).
    busy: RefCell<SmallVec<[usize; 8]>>,
    attrs: usize,
    /// The outermost of these on which something was cut off.
    cut: Cell<usize>,
    /// The things of which it was asked whether they are hidden.
    looked: RefCell<Set>,
    sealed_read: Cell<bool>,
    worked: RefCell<SmallVec<[u64; 8]>>,
    /// The questions whose answers were used.
    used: RefCell<SmallVec<[u64; 4]>>,
    told: RefCell<Vec<Told>>,
    told_numbers: RefCell<FxHashMap<Question, usize>>,
    grounds: RefCell<Vec<Ground>>,
    numbers: RefCell<FxHashMap<Notes, u32>>,
    /// The moment for which it is drawn, and the one before.
    now: u64,
    before: u64,
    /// Parts of the position and things that have changed between the two, as in [`Notes`].
    changed: Vec<u64>,
    /// By word of these, the last moment at which any of it had.
    recent: Vec<u64>,
    /// When each thing was last hidden or shown, and when any was sealed.
    turned: Vec<u64>,
    sealed_at: u64,
    parts: usize,
    pub glimpses: Glimpses,
    /// A mistake on purpose: what is kept holds for ever.
    pub stuck: bool,
}

/// What is hidden from a player.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hidden {
    pub hidden: Set,
    pub sealed: Set,
    pub without_history: Set,
}

impl Veil {
    /// A veil of which nothing is kept yet.
    pub(crate) fn new(state: &State, of: Hidden, attrs: usize) -> Veil {
        let width = of.hidden.width();
        Veil {
            hidden: of.hidden,
            sealed: of.sealed,
            without_history: of.without_history,
            asked: Cell::new(false),
            busy: RefCell::default(),
            attrs,
            cut: Cell::new(UNCUT),
            looked: RefCell::new(Set::empty(width)),
            sealed_read: Cell::new(false),
            worked: RefCell::new(SmallVec::from_elem(0, attrs / 64 + 1)),
            used: RefCell::default(),
            told: RefCell::default(),
            told_numbers: RefCell::default(),
            grounds: RefCell::default(),
            numbers: RefCell::default(),
            now: state.moment(),
            before: 0,
            changed: Vec::new(),
            recent: Vec::new(),
            turned: vec![0; width * 64],
            sealed_at: 0,
            parts: state.versions.parts.len().div_ceil(64),
            glimpses: Glimpses::default(),
            stuck: false,
        }
    }

    /// Draws it before the position as it is now: what is kept holds as far as it rests on nothing that has changed since.
    /// `of`: what is hidden, if it is not the same as before.
    pub(crate) fn redraw(&mut self, state: &State, of: Option<Hidden>) {
        let now = state.moment();
        (self.before, self.now) = (self.now, now);
        self.changed.clear();
        state.versions.changed_since(self.before, &mut self.changed);
        self.changed.resize(self.parts, 0);
        let (turned, is_sealed_otherwise) = match of {
            Some(of) => self.turn(of),
            None => (Set::empty(self.hidden.width()), false),
        };
        self.changed.extend_from_slice(turned.words());
        self.changed.push(u64::from(is_sealed_otherwise));
        self.recent.resize(self.changed.len(), 0);
        for (recent, _) in self.recent.iter_mut().zip(&self.changed).filter(|(_, changed)| **changed != 0) {
            *recent = now;
        }
    }

    /// Hides other things; answers which were hidden or shown, and whether any was sealed or its seal broken.
    fn turn(&mut self, of: Hidden) -> (Set, bool) {
        let pairs =
            [(&self.hidden, &of.hidden), (&self.sealed, &of.sealed), (&self.without_history, &of.without_history)];
        let mut turned = Set::empty(self.hidden.width());
        for (old, new) in pairs {
            turned.add(old.minus(new.words()).words());
            turned.add(new.minus(old.words()).words());
        }
        for thing in &turned {
            if let Some(moment) = self.turned.get_mut(thing.index()) {
                *moment = self.now;
            }
        }
        let otherwise = self.sealed != of.sealed;
        if otherwise {
            self.sealed_at = self.now;
        }
        (self.hidden, self.sealed, self.without_history) = (of.hidden, of.sealed, of.without_history);
        (turned, otherwise)
    }

    /// Whether it can be drawn anew before a position: it is another one than before, as wide as that, and not too much is
    /// kept.
    pub(crate) fn can_be_redrawn(&self, moment: u64, width: usize) -> bool {
        self.now < moment && self.hidden.width() == width && self.grounds.borrow().len() < MOST
    }

    /// The moment for which it is drawn.
    pub(crate) fn moment(&self) -> u64 {
        self.now
    }

    /// The hidden things, for what is not kept.
    pub(crate) fn hidden(&self) -> &Set {
        &self.hidden
    }

    /// Those of the hidden things of which it is not even known that they are there.
    pub(crate) fn sealed(&self) -> &Set {
        self.sealed_read.set(true);
        &self.sealed
    }

    /// Whether a thing is hidden.
    pub(crate) fn hides(&self, thing: ThingId) -> bool {
        self.looked.borrow_mut().insert(thing);
        self.hidden.contains(thing)
    }

    /// Whether the player knows no history of a thing.
    pub(crate) fn hides_history(&self, thing: ThingId) -> bool {
        self.looked.borrow_mut().insert(thing);
        self.without_history.contains(thing)
    }

    /// Whether any of some things is hidden.
    pub(crate) fn hides_any(&self, things: &Set) -> bool {
        self.looked.borrow_mut().add(things.words());
        things.meets(self.hidden.words())
    }

    /// What is not hidden of some things.
    pub(crate) fn visible(&self, things: &Set) -> Set {
        self.looked.borrow_mut().add(things.words());
        things.minus(self.hidden.words())
    }

    /// Something hidden was asked for.
    pub(crate) fn asks(&self) {
        self.asked.set(true);
    }

    /// Notes that something hidden was asked for, if any of these is.
    pub(crate) fn touch(&self, things: &Set) {
        if self.hides_any(things) {
            self.asks();
        }
    }

    /// Notes that something hidden was asked for, if anything is.
    pub(crate) fn touch_all(&self) {
        let width = self.hidden.width();
        self.touch(&Set::first_n(width * 64, width));
    }

    /// What is not hidden of these; notes that the others were asked for.
    pub(crate) fn lift(&self, things: &Set) -> Set {
        self.touch(things);
        things.minus(self.hidden.words())
    }

    /// What an evaluation gives if it asks for nothing hidden.
    pub(crate) fn unless_asked<T>(&self, evaluate: impl FnOnce() -> T) -> Option<T> {
        self.asked.set(false);
        let value = evaluate();
        (!self.asked.get()).then_some(value)
    }

    /// Runs with an attribute being worked out; `None` if it already is.
    pub(crate) fn within<T>(&self, attr: AttrId, run: impl FnOnce() -> T) -> Option<T> {
        self.working(attr.index(), run)
    }

    /// Asks what functions, unless that is being asked.
    pub(crate) fn only_once<T>(&self, ask: impl FnOnce() -> T) -> Option<T> {
        self.working(self.attrs, ask)
    }

    fn working<T>(&self, number: usize, run: impl FnOnce() -> T) -> Option<T> {
        if let Some(word) = self.worked.borrow_mut().get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
        let at = self.busy.borrow().iter().position(|one| *one == number);
        if let Some(at) = at {
            self.cut.set(self.cut.get().min(at));
            return None;
        }
        self.busy.borrow_mut().push(number);
        let value = run();
        self.busy.borrow_mut().pop();
        Some(value)
    }

    /// Begins to note what something rests on.
    pub(crate) fn begin(&self, state: &State) -> Before {
        let width = self.hidden.width();
        let none = SmallVec::from_elem(0, self.attrs / 64 + 1);
        Before {
            reads: state.begin_reading(),
            looked: self.looked.replace(Set::empty(width)),
            worked: self.worked.replace(none),
            sealed_read: self.sealed_read.replace(false),
            used: self.used.take(),
            asked: self.asked.replace(false),
            cut: self.cut.replace(UNCUT),
            depth: self.busy.borrow().len(),
        }
    }

    /// What something rests on that was asked since, and whether it asked for something hidden; nothing if it hangs on what
    /// was being worked out around it. What was noted before is noted still, and this too but the asking.
    pub(crate) fn end(&self, state: &State, before: Before) -> (Option<Noted>, bool) {
        let (noted, asked, before) = self.close(state, before);
        self.looked.borrow_mut().add(before.looked.words());
        self.sealed_read.set(self.sealed_read.get() || before.sealed_read);
        unite(&mut self.worked.borrow_mut(), &before.worked);
        unite(&mut self.used.borrow_mut(), &before.used);
        (noted, asked)
    }

    /// The same, where nothing of this is noted for what was noted before.
    pub(crate) fn end_apart(&self, state: &State, before: Before) -> (Option<Noted>, bool) {
        let (noted, asked, before) = self.close(state, before);
        state.versions.begin();
        state.versions.note_all(&before.reads);
        self.looked.replace(before.looked);
        self.sealed_read.set(before.sealed_read);
        self.worked.replace(before.worked);
        self.used.replace(before.used);
        (noted, asked)
    }

    /// Whether nothing was cut off since that was being worked out before.
    pub(crate) fn is_uncut(&self, before: &Before) -> bool {
        self.cut.get() >= before.depth
    }

    fn close(&self, state: &State, before: Before) -> (Option<Noted>, bool, Before) {
        let reads = state.end_reading(&before.reads);
        let asked = self.asked.replace(before.asked);
        let cut = self.cut.get();
        self.cut.set(cut.min(before.cut));
        let (looked, worked, used) = (self.looked.borrow(), self.worked.borrow(), self.used.borrow());
        let mut notes = Vec::with_capacity(self.parts + looked.width() + 1 + worked.len() + used.len());
        notes.extend_from_slice(&reads);
        notes.resize(self.parts, 0);
        notes.extend_from_slice(looked.words());
        notes.push(u64::from(self.sealed_read.get()));
        notes.extend_from_slice(&worked);
        notes.extend_from_slice(&used);
        let noted = (cut >= before.depth).then(|| self.ground(state, notes.into_boxed_slice()));
        (noted, asked, before)
    }

    /// The number of notes.
    fn ground(&self, state: &State, notes: Notes) -> Noted {
        let (mut grounds, mut numbers) = (self.grounds.borrow_mut(), self.numbers.borrow_mut());
        let next = count(grounds.len());
        let number = *numbers.entry(notes).or_insert_with_key(|notes| {
            grounds.push(Ground { notes: notes.clone(), looked: Cell::new(self.now), changed: Cell::new(0) });
            next
        });
        if let Some(ground) = grounds.get(number as usize) {
            self.look(state, ground);
        }
        Noted { at: self.now, notes: number }
    }

    /// Looks whether any of what answers rest on has changed.
    fn look(&self, state: &State, ground: &Ground) {
        if ground.looked.get() == self.now {
            return;
        }
        let since = ground.looked.get();
        let newly = ground.notes.iter().zip(&self.changed).any(|(note, changed)| note & changed != 0);
        let told = self.told.borrow();
        let other = |at: usize| told.get(at).is_none_or(|told| told.changed > since);
        let changed = newly
            || since < self.before && self.has_changed(state, &ground.notes, since)
            || self.used(&ground.notes).any(other);
        if changed {
            ground.changed.set(self.now);
        }
        ground.looked.set(self.now);
    }

    /// Whether any of what an answer rests on has changed since a moment before the last one.
    fn has_changed(&self, state: &State, notes: &Notes, since: u64) -> bool {
        let recent =
            notes.iter().zip(&self.recent).enumerate().filter(|(_, (note, recent))| **note != 0 && **recent > since);
        let mut words = recent.map(|(at, (note, _))| (at, *note));
        words.any(|(at, note)| {
            let turned = |bit: usize| self.turned.get((at - self.parts) * 64 + bit).is_some_and(|when| *when > since);
            let mut bits = (0..64).filter(|bit| note >> bit & 1 == 1);
            match at.cmp(&(self.parts + self.hidden.width())) {
                _ if at < self.parts => bits.any(|bit| state.versions.is_written(at * 64 + bit, since)),
                std::cmp::Ordering::Less => bits.any(turned),
                _ => self.sealed_at > since,
            }
        })
    }

    /// Whether what was noted holds still.
    pub(crate) fn holds(&self, state: &State, noted: Noted) -> bool {
        let grounds = self.grounds.borrow();
        grounds.get(noted.notes as usize).is_some_and(|ground| {
            self.look(state, ground);
            self.stuck || noted.at >= ground.changed.get()
        })
    }

    /// Notes that what was noted of something is read.
    pub(crate) fn note(&self, state: &State, noted: Noted) {
        let grounds = self.grounds.borrow();
        let Some(ground) = grounds.get(noted.notes as usize) else { return };
        let Some((parts, rest)) = ground.notes.split_at_checked(self.parts) else { return };
        let Some((looked, rest)) = rest.split_at_checked(self.hidden.width()) else { return };
        state.versions.note_all(parts);
        self.looked.borrow_mut().add(looked);
        if rest.first() == Some(&1) {
            self.sealed_read.set(true);
        }
        self.worked.borrow_mut().iter_mut().zip(rest.iter().skip(1)).for_each(|(word, more)| *word |= more);
        if let Some(used) = rest.get(1 + self.attrs / 64 + 1..) {
            unite(&mut self.used.borrow_mut(), used);
        }
    }

    /// Whether nothing is being worked out that was worked out on the way to what was noted: asked now, it would be cut off.
    fn is_free(&self, noted: Noted) -> bool {
        let grounds = self.grounds.borrow();
        let first = self.parts + self.hidden.width() + 1;
        let busy = self.busy.borrow();
        grounds.get(noted.notes as usize).is_some_and(|ground| {
            let word = |number: usize| ground.notes.get(first + number / 64);
            !busy.iter().any(|number| word(*number).is_some_and(|word| word >> (number % 64) & 1 == 1))
        })
    }

    /// An answer that is kept, if it still holds; what it rests on is noted.
    pub(crate) fn find<Q: Eq + Hash, T: Clone>(&self, state: &State, kept: &Kept<Q, T>, question: &Q) -> Option<T> {
        let kept = kept.borrow();
        let glimpse = kept.get(question).filter(|glimpse| self.is_free(glimpse.noted))?;
        self.note(state, glimpse.noted);
        if glimpse.asked {
            self.asks();
        }
        Some(glimpse.value.clone())
    }

    /// The answer to a question that is asked again and again, which has been found to hold; that it was used is noted.
    pub(crate) fn told<T: Clone>(&self, kept: &Kept<Question, T>, question: Question) -> Option<(T, bool)> {
        let kept = kept.borrow();
        let glimpse = kept.get(&question).filter(|glimpse| self.is_free(glimpse.noted))?;
        self.uses(question, glimpse.noted);
        Some((glimpse.value.clone(), glimpse.asked))
    }

    /// Keeps the answer to a question that is asked again and again; if it is another one, all that rests on it is stale.
    pub(crate) fn tell<T: Alike>(
        &self,
        kept: &Kept<Question, T>,
        question: Question,
        (noted, asked): (Noted, bool),
        value: T,
    ) {
        let at = self.number_of(question);
        let glimpse = Glimpse { noted, asked, value };
        let before = kept.borrow_mut().remove(&question);
        let same = before.is_some_and(|before| {
            before.asked == asked && before.value.is_like(&glimpse.value) && self.worked_alike(before.noted, noted)
        });
        if let Some(told) = self.told.borrow_mut().get_mut(at) {
            told.looked = self.now;
            if !same {
                told.changed = self.now;
            }
        }
        kept.borrow_mut().insert(question, glimpse);
        self.uses(question, noted);
    }

    fn worked_alike(&self, one: Noted, other: Noted) -> bool {
        let first = self.parts + self.hidden.width() + 1;
        let grounds = self.grounds.borrow();
        let worked = |noted: Noted| grounds.get(noted.notes as usize)?.notes.get(first..first + self.attrs / 64 + 1);
        worked(one) == worked(other)
    }

    fn uses(&self, question: Question, noted: Noted) {
        let at = self.number_of(question);
        let mut used = self.used.borrow_mut();
        if used.len() <= at / 64 {
            used.resize(at / 64 + 1, 0);
        }
        if let Some(word) = used.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
        let grounds = self.grounds.borrow();
        let first = self.parts + self.hidden.width() + 1;
        if let Some(worked) = grounds.get(noted.notes as usize).and_then(|ground| ground.notes.get(first..)) {
            self.worked.borrow_mut().iter_mut().zip(worked).for_each(|(word, more)| *word |= more);
        }
    }

    fn number_of(&self, question: Question) -> usize {
        let mut told = self.told.borrow_mut();
        let next = told.len();
        *self.told_numbers.borrow_mut().entry(question).or_insert_with(|| {
            told.push(Told { question, looked: 0, changed: self.now, busy: false });
            next
        })
    }

    /// The questions that are asked again and again, by number.
    pub(crate) fn question(&self, number: usize) -> Option<Question> {
        Some(self.told.borrow().get(number)?.question)
    }

    /// Begins to find out whether the answer to a question holds; the other way round if it is known or being found out:
    /// then whether it is known.
    pub(crate) fn open(&self, question: Question) -> Result<(), bool> {
        let at = self.number_of(question);
        let mut told = self.told.borrow_mut();
        let Some(told) = told.get_mut(at) else { return Err(false) };
        if told.looked == self.now || told.busy {
            return Err(told.looked == self.now && !told.busy);
        }
        told.busy = true;
        Ok(())
    }

    /// It has been found out whether the answer to a question holds: if not, and if it has not been asked anew, whatever rests
    /// on it is stale.
    pub(crate) fn close_question(&self, question: Question, holds: bool) {
        let at = self.number_of(question);
        if let Some(told) = self.told.borrow_mut().get_mut(at) {
            if !holds && told.looked != self.now {
                told.changed = self.now;
            }
            (told.looked, told.busy) = (self.now, false);
        }
    }

    /// What the answer to a question rests on, if one is kept.
    pub(crate) fn noted_of(&self, question: Question) -> Option<Noted> {
        match question {
            Question::AtWork | Question::Canceled => Some(self.glimpses.things.borrow().get(&question)?.noted),
            Question::Forces(_) => Some(self.glimpses.forces.borrow().get(&question)?.noted),
            Question::Subjects(..) => Some(self.glimpses.subjects.borrow().get(&question)?.noted),
        }
    }

    /// Whether an answer was given in this moment.
    pub(crate) fn is_new(&self, noted: Noted) -> bool {
        noted.at == self.now
    }

    /// Forgets the answer to a question.
    pub(crate) fn drop_answer(&self, question: Question) {
        self.glimpses.things.borrow_mut().remove(&question);
        self.glimpses.forces.borrow_mut().remove(&question);
        self.glimpses.subjects.borrow_mut().remove(&question);
    }

    /// The questions of which what was noted uses the answers.
    pub(crate) fn used_by(&self, noted: Noted) -> SmallVec<[Question; 8]> {
        let (grounds, told) = (self.grounds.borrow(), self.told.borrow());
        let ground = grounds.get(noted.notes as usize).filter(|ground| ground.looked.get() != self.now);
        let open = |at: usize| told.get(at).filter(|told| told.looked != self.now).map(|told| told.question);
        ground.into_iter().flat_map(|ground| self.used(&ground.notes)).filter_map(open).collect()
    }

    fn used<'n>(&self, notes: &'n Notes) -> impl Iterator<Item = usize> + use<'n> {
        let first = self.parts + self.hidden.width() + 1 + self.attrs / 64 + 1;
        let words = notes.get(first..).into_iter().flatten().enumerate();
        words.flat_map(|(at, word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit))
    }

    /// Asks something as if nothing was being worked out.
    pub(crate) fn alone<T>(&self, ask: impl FnOnce() -> T) -> T {
        let busy = self.busy.take();
        let value = ask();
        self.busy.replace(busy);
        value
    }

    /// Keeps an answer.
    pub(crate) fn keep<Q: Eq + Hash, T>(&self, kept: &Kept<Q, T>, question: Q, noted: Noted, asked: bool, value: T) {
        kept.borrow_mut().insert(question, Glimpse { noted, asked, value });
    }
}

/// Adds bits to others.
fn unite<const N: usize>(words: &mut SmallVec<[u64; N]>, more: &[u64])
where
    [u64; N]: smallvec::Array<Item = u64>,
{
    if words.len() < more.len() {
        words.resize(more.len(), 0);
    }
    words.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}
