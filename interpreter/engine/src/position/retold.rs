//! What is asked again and again under a veil ([`crate::position::glimpses`]): each answer by what was being worked out when it
//! was asked, as far as the way to it met that, and was cut off there. An answer that is found so is the one that would be
//! given anew, however deep it is asked.

use std::cell::RefCell;

use netrep_ir::RoleId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::position::glimpses::{Alike, Differs, Glimpse, Kept, Question};
use crate::position::grounds::{Noted, bits};
use crate::position::set::Set;
use crate::position::value::count;
use crate::position::veil::{Veil, Works};

/// A question that was asked, what was cut off on the way to the answer, and what became of that.
#[derive(Debug)]
struct Told {
    question: Question,
    under: Works,
    /// The moment at which it was last found to hold or asked anew, and the last one at which it was another.
    looked: u64,
    changed: u64,
    /// What was another then, and the last moment before at which it was another, or that itself if all of it was.
    of: Option<Set>,
    before: u64,
    /// It is being looked at.
    busy: bool,
}

/// What was asked again and again, by number.
#[derive(Debug, Default)]
pub(crate) struct Retold {
    all: RefCell<Vec<Told>>,
    numbers: RefCell<FxHashMap<Question, SmallVec<[u32; 2]>>>,
    /// Those whose answers have become other ones in this moment, with what they say otherwise.
    others: RefCell<Others>,
}

/// Bits of answers by number, two for each: whether all that it says is meant, and whether only what it says of some things.
pub(crate) type Bits = SmallVec<[u64; 4]>;

/// Answers that have become other ones.
#[derive(Debug, Default)]
pub(crate) struct Others {
    pub words: Bits,
    /// What those say otherwise that are the same of all other things.
    pub of: Vec<(u32, Set)>,
}

impl Others {
    /// Whether what uses answers is stale: of some things the answers of which it uses only what they say of those.
    pub(crate) fn meet(&self, used: &[u64], things: &[u64]) -> bool {
        let uses = |at: usize| used.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1);
        self.words.iter().zip(used).any(|(other, used)| other & used != 0)
            || self.of.iter().any(|(number, of)| uses(*number as usize * 2 + 1) && of.meets(things))
    }
}

impl Retold {
    /// In a new moment no answer has become another one yet.
    pub(crate) fn go_on(&mut self) {
        let others = self.others.get_mut();
        others.words.clear();
        others.of.clear();
    }

    /// The answer with a number has become another one: of some things, or of all.
    fn is_other(&self, number: u32, now: u64, of: Option<Set>) {
        if let Some(told) = self.all.borrow_mut().get_mut(number as usize) {
            // Twice in a moment is as if all of it were another.
            let of = of.as_ref().filter(|_| told.changed != now);
            told.before = if of.is_some() { told.changed } else { now };
            told.changed = now;
            told.of = of.cloned();
        }
        let (mut others, at) = (self.others.borrow_mut(), number as usize * 2);
        set_bit(&mut others.words, at);
        match of {
            Some(of) => others.of.push((number, of)),
            None => set_bit(&mut others.words, at + 1),
        }
    }

    /// The numbers under which a question was asked.
    pub(crate) fn numbers_of(&self, question: Question) -> SmallVec<[u32; 2]> {
        self.numbers.borrow().get(&question).into_iter().flatten().copied().collect()
    }

    /// The question with a number, and what was cut off.
    pub(crate) fn question(&self, number: u32) -> Option<(Question, Works)> {
        let all = self.all.borrow();
        all.get(number as usize).map(|told| (told.question, told.under.clone()))
    }
}

/// Sets a bit, for which there is room then.
fn set_bit(words: &mut Bits, at: usize) {
    if words.len() <= at / 64 {
        words.resize(at / 64 + 1, 0);
    }
    if let Some(word) = words.get_mut(at / 64) {
        *word |= 1 << (at % 64);
    }
}

impl Veil {
    /// The number of a question under which it is asked if this is cut off on the way.
    fn number_of(&self, question: Question, under: Works) -> u32 {
        let (mut all, mut numbers) = (self.retold.all.borrow_mut(), self.retold.numbers.borrow_mut());
        let own = numbers.entry(question).or_default();
        let same = |number: &&u32| all.get(**number as usize).is_some_and(|told| told.under == under);
        if let Some(number) = own.iter().find(same) {
            return *number;
        }
        let number = count(all.len());
        own.push(number);
        all.push(Told {
            question,
            under,
            looked: 0,
            changed: self.moment(),
            of: None,
            before: self.moment(),
            busy: false,
        });
        number
    }

    /// What an answer with a number rests on, if one is kept.
    pub(crate) fn noted_of(&self, number: u32) -> Option<Noted> {
        let glimpses = &self.glimpses;
        let all = self.retold.all.borrow();
        match all.get(number as usize)?.question {
            Question::AtWork | Question::Canceled => Some(glimpses.things.borrow().get(&number)?.noted),
            Question::Forces(_) => Some(glimpses.forces.borrow().get(&number)?.noted),
            Question::Subjects(..) => Some(glimpses.subjects.borrow().get(&number)?.noted),
        }
    }

    /// Whether an answer with a number would be given now: what was cut off on the way to it would be, and nothing else.
    pub(crate) fn fits(&self, number: u32) -> bool {
        let all = self.retold.all.borrow();
        let known = all.get(number as usize).zip(self.noted_of(number));
        self.uncut && known.is_some()
            || known.is_some_and(|(told, noted)| {
                self.grounds.with(noted, |rests| self.is_cut_like(rests.works, &told.under)) == Some(true)
            })
    }

    /// The answer with a number, which has been found to hold, and whether something hidden was asked for; that it was used
    /// is noted.
    pub(crate) fn told<T: Clone>(&self, kept: &Kept<T>, number: u32, among: Option<&Set>) -> Option<(T, bool)> {
        let kept = kept.borrow();
        let glimpse = kept.get(&number).filter(|_| self.fits(number))?;
        self.uses((number, among), glimpse.noted);
        Some((glimpse.value.clone(), glimpse.asked))
    }

    /// Keeps the answer to a question that is asked again and again; if it is another one, all that rests on it is stale.
    /// Answers its number.
    pub(crate) fn tell<T: Alike>(
        &self,
        kept: &Kept<T>,
        (question, among): (Question, Option<&Set>),
        (noted, asked): (Noted, bool),
        value: T,
    ) -> Option<u32> {
        let under = self.grounds.with(noted, |rests| self.busy_of(rests.works))?;
        let number = self.number_of(question, under);
        let glimpse = Glimpse { noted, asked, value };
        let before = kept.borrow_mut().remove(&number);
        let alike = before.filter(|before| before.asked == asked && self.worked_alike(before.noted, noted));
        match alike.map(|before| glimpse.value.differs(&before.value)) {
            Some(Differs::Not) => {}
            Some(Differs::Of(things)) => self.retold.is_other(number, self.moment(), Some(things)),
            // What was not kept, or was cut off otherwise, is another answer.
            Some(Differs::Wholly) | None => self.retold.is_other(number, self.moment(), None),
        }
        self.retold.all.borrow_mut().get_mut(number as usize).into_iter().for_each(|told| told.looked = self.moment());
        kept.borrow_mut().insert(number, glimpse);
        self.uses((number, among), noted);
        Some(number)
    }

    /// Whether it was asked on the way to the answer with a number who plays a role.
    pub(crate) fn asked_for_by(&self, number: u32, role: RoleId) -> bool {
        let asked = |noted| self.grounds.with(noted, |rests| self.asked_for(rests.works, role));
        self.noted_of(number).and_then(asked) != Some(false)
    }

    fn worked_alike(&self, one: Noted, other: Noted) -> bool {
        let of_other = |works: &[u64]| self.grounds.with(other, |rests| rests.works == works);
        self.grounds.with(one, |rests| of_other(rests.works)).flatten() == Some(true)
    }

    fn uses(&self, (number, among): (u32, Option<&Set>), noted: Noted) {
        set_bit(&mut self.used.borrow_mut(), number as usize * 2 + usize::from(among.is_some()));
        among.into_iter().for_each(|things| self.reads_too(things));
        self.grounds.with(noted, |rests| self.note_works(rests.works));
    }

    /// Begins to find out whether the answer with a number holds; the other way round if it is known or being found out:
    /// then whether it is known.
    pub(crate) fn open(&self, number: u32) -> Result<(), bool> {
        let mut all = self.retold.all.borrow_mut();
        let Some(told) = all.get_mut(number as usize) else { return Err(false) };
        if told.looked == self.moment() || told.busy {
            return Err(told.looked == self.moment() && !told.busy);
        }
        told.busy = true;
        Ok(())
    }

    /// It has been found out whether the answer with a number holds: if not, and if it has not been asked anew, whatever rests
    /// on it is stale.
    pub(crate) fn close_question(&self, number: u32, holds: bool) {
        let stale = self.retold.all.borrow_mut().get_mut(number as usize).map(|told| {
            let stale = !holds && told.looked != self.moment();
            (told.looked, told.busy) = (self.moment(), false);
            stale
        });
        if stale == Some(true) {
            self.retold.is_other(number, self.moment(), None);
        }
    }

    /// Whether an answer was given in this moment.
    pub(crate) fn is_new(&self, noted: Noted) -> bool {
        self.grounds.is_new(noted)
    }

    /// Forgets the answer with a number.
    pub(crate) fn drop_answer(&self, number: u32) {
        self.glimpses.things.borrow_mut().remove(&number);
        self.glimpses.forces.borrow_mut().remove(&number);
        self.glimpses.subjects.borrow_mut().remove(&number);
    }

    /// The numbers of the answers which what was noted uses, and of which it is not known in this moment whether they hold.
    pub(crate) fn used_by(&self, noted: Noted) -> SmallVec<[u32; 8]> {
        if self.grounds.is_looked_at(noted) {
            return SmallVec::new();
        }
        let all = self.retold.all.borrow();
        let is_open = |at: &usize| all.get(*at).is_some_and(|told| told.looked != self.moment());
        let open: Option<SmallVec<[u32; 8]>> = self.grounds.with(noted, |rests| {
            let numbers = rests.used.iter().enumerate();
            let numbers = numbers.flat_map(|(at, word)| bits(*word).map(move |bit| (at * 64 + bit) / 2));
            numbers.filter(is_open).map(count).collect()
        });
        open.into_iter().flatten().collect()
    }

    /// Whether what held at the last moment holds in this one, if it is known of each answer whether it does.
    pub(crate) fn stands(&self, noted: Noted) -> bool {
        self.grounds.stands(noted, &self.retold.others.borrow())
    }

    /// The same of what rests on all that something rests on.
    pub(crate) fn stands_on(&self, notes: &[u64]) -> bool {
        self.grounds.stands_on(notes, &self.retold.others.borrow())
    }

    /// Whether what was noted holds still.
    pub(crate) fn holds(&self, noted: Noted) -> bool {
        let all = self.retold.all.borrow();
        let other = |at: usize, since: u64, things: &[u64]| {
            all.get(at / 2).is_none_or(|told| {
                told.changed > since
                    && (at.is_multiple_of(2)
                        || told.before > since
                        || told.of.as_ref().is_none_or(|of| of.meets(things)))
            })
        };
        self.grounds.holds(noted, other)
    }
}
