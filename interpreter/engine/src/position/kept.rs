//! Answers that are kept from one question to the next, each with the parts of the position that it has read: it holds until
//! one of them is written (see [`crate::position::versions`]).
//!
//! Answers share few different sets of parts, which are kept once, and each set is looked at once in a moment.

use std::cell::{Cell, RefCell};

use netrep_ir::{ActionId, AllowanceId};
use rustc_hash::FxHashMap;

use crate::position::set::{Set, ThingId};
use crate::position::state::State;
use crate::position::value::Locals;
use crate::position::versions::Reads;
use crate::program::walk::Phase;

/// More sets of parts than this are not kept.
const MOST: usize = 1 << 16;

/// An answer, when it was given, and the number of what it has read.
#[derive(Clone, Debug)]
struct Answer<T> {
    at: u64,
    reads: u32,
    value: T,
}

/// Parts that answers have read.
#[derive(Debug)]
struct Read {
    parts: Reads,
    /// The moment at which it was last looked when they were written, and when that was.
    looked: Cell<u64>,
    last: Cell<u64>,
}

/// The question whether something numbered is so of a thing.
pub(crate) fn about(number: u32, thing: Option<ThingId>) -> u64 {
    u64::from(number) << 16 | in_question(thing)
}

/// The question how what a thing carries can be declared by a seat, as the n-th effect allows it.
pub(crate) fn offer(id: AllowanceId, seat: ThingId, thing: Option<ThingId>, effect: u16) -> u64 {
    u64::from(id.0) << 48 | u64::from(seat.0) << 32 | u64::from(effect) << 16 | in_question(thing)
}

/// A thing in a question, or none.
fn in_question(thing: Option<ThingId>) -> u64 {
    // total: 0 is no thing: one more than its id stands for each.
    thing.map_or(0, |thing| u64::from(thing.0) + 1)
}

/// The question which of the requirements of a declaration, of those that are asked in a phase, is against it.
pub(crate) fn against(id: AllowanceId, phase: Phase, thing: Option<ThingId>) -> u64 {
    1 << 62 | u64::from(id.0) << 24 | (phase as u64) << 16 | in_question(thing)
}

/// For which things it is asked.
#[derive(Clone, Copy)]
pub(crate) enum Question {
    /// What can declare an allowance of a rule, as far as that hangs on no choice.
    Able(AllowanceId, ThingId),
    /// What is given an allowance.
    Given(AllowanceId),
    /// Where clauses that say it themselves function.
    Within(AllowanceId),
    /// What a kind of declaration asks of where a thing is.
    From(ActionId),
}

impl Question {
    /// As a number that no other has.
    pub(crate) fn number(self) -> u64 {
        let (kind, id, seat) = match self {
            Question::Able(id, seat) => (0, id.0, seat.0),
            Question::Given(id) => (1, id.0, 0),
            Question::Within(id) => (2, id.0, 0),
            Question::From(id) => (3, id.0, 0),
        };
        kind << 32 | u64::from(id) << 16 | u64::from(seat)
    }
}

/// Answers of one kind, by what was asked.
#[derive(Debug)]
pub(crate) struct Answers<T>(RefCell<FxHashMap<u64, Answer<T>>>);

impl<T> Default for Answers<T> {
    fn default() -> Answers<T> {
        Answers(RefCell::default())
    }
}

/// What has been read by the answers that are kept.
#[derive(Debug, Default)]
struct ReadSets {
    sets: Vec<Read>,
    numbers: FxHashMap<Reads, u32>,
}

/// The answers that are kept of a game.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    reads: RefCell<ReadSets>,
    /// The moment of the position in which something is tried.
    pub floor: Cell<u64>,
    /// Whether something numbered (see [`about`]) is so.
    pub holds: Answers<bool>,
    /// The things of which something is so, by [`Question`].
    pub things: Answers<Set>,
    /// How what a thing carries can be declared.
    pub offers: Answers<Vec<Locals>>,
    /// Which of several parts has decided when they were asked last, by what was asked.
    deciding: RefCell<FxHashMap<u64, u16>>,
}

impl<T: Clone> Answers<T> {
    /// The answer that is kept of a question, if it still holds; what it rests on is noted as read.
    /// `for_ever`: also if it does not.
    pub(crate) fn find(&self, kept: &Kept, state: &State, now: u64, question: u64, for_ever: bool) -> Option<T> {
        let answers = self.0.try_borrow().ok()?;
        let answer = answers.get(&question)?;
        let known = kept.reads.try_borrow().ok()?;
        let read = known.sets.get(answer.reads as usize)?;
        if read.looked.get() != now {
            read.last.set(state.versions.last(&read.parts));
            read.looked.set(now);
        }
        if read.last.get() > answer.at && !for_ever {
            return None;
        }
        state.versions.note_all(&read.parts);
        Some(answer.value.clone())
    }

    /// Keeps an answer.
    pub(crate) fn keep(&self, kept: &Kept, now: u64, question: u64, reads: Reads, value: T) {
        let (Ok(mut answers), Ok(mut known)) = (self.0.try_borrow_mut(), kept.reads.try_borrow_mut()) else { return };
        let ReadSets { sets, numbers } = &mut *known;
        let next = crate::position::value::count(sets.len());
        let reads = *numbers.entry(reads).or_insert_with_key(|parts| {
            sets.push(Read { parts: parts.clone(), looked: Cell::new(0), last: Cell::new(0) });
            next
        });
        answers.insert(question, Answer { at: now, reads, value });
    }
}

impl Kept {
    /// Nothing is kept any more.
    pub(crate) fn clear(&mut self) {
        if !self.reads.get_mut().sets.is_empty() {
            *self = Kept::default();
        }
    }

    /// Whether one of several parts decides. The one that has done so last is asked first, if it may be (see `free`): mostly
    /// it does so again, and then the answer rests on it alone.
    pub(crate) fn decides<T>(
        &self,
        question: u64,
        parts: impl Iterator<Item = T> + Clone,
        free: impl Fn(&T) -> bool,
        mut decides: impl FnMut(&T) -> bool,
    ) -> bool {
        let last = self.deciding.borrow().get(&question).map(|n| usize::from(*n));
        if let Some(part) = last.and_then(|n| parts.clone().nth(n))
            && decides(&part)
        {
            return true;
        }
        for (n, part) in parts.enumerate().filter(|(n, _)| Some(*n) != last) {
            if decides(&part) {
                if free(&part) {
                    self.deciding.borrow_mut().insert(question, crate::position::value::short(n));
                }
                return true;
            }
        }
        false
    }

    /// Whether more is kept than is worth its room.
    pub(crate) fn is_full(&self) -> bool {
        self.reads.try_borrow().is_ok_and(|known| known.sets.len() > MOST)
    }
}
