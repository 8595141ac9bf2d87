//! Sets of things as bits, all of one width in one game.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::position::value::short;
use crate::program::layout::INLINE;

/// A thing of a game: cards first, then what the set-up and play mint. Never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ThingId(pub u16);

impl ThingId {
    /// As an index.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
    /// From an index; saturates, and no game is as wide as the greatest id.
    #[inline]
    pub fn from_index(index: usize) -> Self {
        ThingId(short(index))
    }
}

/// The width of a set that fills what lies inline.
const FULL: u8 = INLINE as u8;

/// A set of things. Up to 512 things lie inline.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "Listed", into = "Listed")]
pub struct Set {
    words: Words,
}

/// The words of a set. Those of an array beyond its width are 0.
#[derive(Clone)]
enum Words {
    Inline { words: [u64; INLINE], width: u8 },
    Listed(Box<[u64]>),
}

/// How a set is written down.
#[derive(Serialize, Deserialize)]
struct Listed {
    words: Vec<u64>,
}

impl From<Listed> for Set {
    fn from(listed: Listed) -> Set {
        Set::from_words(&listed.words)
    }
}

impl From<Set> for Listed {
    fn from(set: Set) -> Listed {
        Listed { words: set.words().to_vec() }
    }
}

impl Default for Set {
    fn default() -> Set {
        Set::empty(0)
    }
}

impl PartialEq for Set {
    #[inline]
    fn eq(&self, other: &Set) -> bool {
        self.words() == other.words()
    }
}

impl Eq for Set {}

impl Hash for Set {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // However wide they are, equal sets are hashed equally.
        let words = self.words();
        let unused = words.iter().rev().take_while(|word| **word == 0).count();
        words.split_at(words.len() - unused).0.hash(state);
    }
}

impl std::fmt::Debug for Set {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

/// Changes each word of a set by the word of another one in its place. Sets of the usual width are done at once; words
/// that the other one lacks are taken as 0.
macro_rules! each_word {
    ($set:expr, $other:expr, |$word:ident, $o:ident| $change:expr) => {
        match (&mut $set.words, <&[u64; INLINE]>::try_from($other)) {
            (Words::Inline { words, width: FULL }, Ok(other)) => {
                for ($word, $o) in words.iter_mut().zip(other) {
                    $change;
                }
            }
            (Words::Inline { words, width }, _) => {
                let words = words.iter_mut().take(usize::from(*width));
                for ($word, $o) in words.zip($other.iter().chain(std::iter::repeat(&0))) {
                    $change;
                }
            }
            (Words::Listed(words), _) => {
                for ($word, $o) in words.iter_mut().zip($other.iter().chain(std::iter::repeat(&0))) {
                    $change;
                }
            }
        }
    };
}

impl Set {
    /// The empty set of a width in words.
    #[inline]
    pub fn empty(width: usize) -> Set {
        let words = match u8::try_from(width) {
            Ok(width) if usize::from(width) <= INLINE => Words::Inline { words: [0; INLINE], width },
            _ => Words::Listed(vec![0; width].into_boxed_slice()),
        };
        Set { words }
    }
    /// The first `n` things.
    pub fn first_n(n: usize, width: usize) -> Set {
        let mut set = Set::empty(width);
        for (i, word) in set.words_mut().iter_mut().enumerate() {
            let low = i * 64;
            *word = if n >= low + 64 {
                u64::MAX
            } else if n > low {
                (1 << (n - low)) - 1
            } else {
                0
            };
        }
        set
    }
    /// One thing.
    #[inline]
    pub fn one(thing: ThingId, width: usize) -> Set {
        let mut set = Set::empty(width);
        set.insert(thing);
        set
    }
    /// A copy of words.
    #[inline]
    pub fn from_words(words: &[u64]) -> Set {
        if let Ok(words) = <[u64; INLINE]>::try_from(words) {
            return Set { words: Words::Inline { words, width: FULL } };
        }
        let mut set = Set::empty(words.len());
        set.words_mut().copy_from_slice(words);
        set
    }
    /// The words.
    #[inline]
    pub fn words(&self) -> &[u64] {
        match &self.words {
            Words::Inline { words, width } => words.split_at(usize::from(*width).min(INLINE)).0,
            Words::Listed(words) => words,
        }
    }
    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        match &mut self.words {
            Words::Inline { words, width } => words.split_at_mut(usize::from(*width).min(INLINE)).0,
            Words::Listed(words) => words,
        }
    }
    /// The width in words.
    #[inline]
    pub fn width(&self) -> usize {
        match &self.words {
            Words::Inline { width, .. } => usize::from(*width),
            Words::Listed(words) => words.len(),
        }
    }
    /// Makes room for more things.
    pub fn widen(&mut self, width: usize) {
        if width > self.width() {
            let mut wide = Set::empty(width);
            wide.add(self.words());
            *self = wide;
        }
    }
    /// Adds a thing; one beyond the width is ignored.
    #[inline]
    pub fn insert(&mut self, thing: ThingId) {
        if let Some(word) = self.words_mut().get_mut(thing.index() / 64) {
            *word |= 1 << (thing.index() % 64);
        }
    }
    /// Takes a thing away.
    #[inline]
    pub(crate) fn remove(&mut self, thing: ThingId) {
        if let Some(word) = self.words_mut().get_mut(thing.index() / 64) {
            *word &= !(1 << (thing.index() % 64));
        }
    }
    /// Membership.
    #[inline]
    pub fn contains(&self, thing: ThingId) -> bool {
        bit(self.words(), thing)
    }
    /// No member.
    #[inline]
    pub fn is_empty(&self) -> bool {
        match &self.words {
            Words::Inline { words, .. } => words.iter().fold(0, |all, word| all | word) == 0,
            Words::Listed(words) => words.iter().all(|w| *w == 0),
        }
    }
    /// How many members.
    #[inline]
    pub fn len(&self) -> usize {
        self.words().iter().map(|w| w.count_ones() as usize).sum()
    }
    /// The member with the lowest id.
    #[inline]
    pub fn first(&self) -> Option<ThingId> {
        self.words()
            .iter()
            .enumerate()
            .find(|(_, w)| **w != 0)
            .map(|(i, w)| ThingId::from_index(i * 64 + w.trailing_zeros() as usize))
    }
    /// The only member, if there is just one.
    pub fn single(&self) -> Option<ThingId> {
        if self.len() == 1 { self.first() } else { None }
    }
    /// Takes the member with the lowest id out.
    pub(crate) fn pop_first(&mut self) -> Option<ThingId> {
        let thing = self.first()?;
        self.remove(thing);
        Some(thing)
    }
    /// Keeps what is also in `other`.
    #[inline]
    pub(crate) fn keep(&mut self, other: &[u64]) {
        each_word!(self, other, |word, o| *word &= o);
    }
    /// Adds what is in `other`, as far as there is room.
    #[inline]
    pub fn add(&mut self, other: &[u64]) {
        each_word!(self, other, |word, o| *word |= o);
    }
    /// Takes away what is in `other`.
    #[inline]
    pub(crate) fn cut(&mut self, other: &[u64]) {
        each_word!(self, other, |word, o| *word &= !o);
    }
    /// Keeps the members of which something holds.
    #[inline]
    pub fn retain(&mut self, mut holds: impl FnMut(ThingId) -> bool) {
        for (i, word) in self.words_mut().iter_mut().enumerate() {
            let mut left = *word;
            while left != 0 {
                let low = left.trailing_zeros() as usize;
                left &= left - 1;
                if !holds(ThingId::from_index(i * 64 + low)) {
                    *word &= !(1 << low);
                }
            }
        }
    }
    /// The members of which something holds.
    #[inline]
    pub fn only(&self, holds: impl FnMut(ThingId) -> bool) -> Set {
        let mut set = self.clone();
        set.retain(holds);
        set
    }
    /// What is in both.
    #[inline]
    pub fn and(&self, other: &[u64]) -> Set {
        let mut set = self.clone();
        set.keep(other);
        set
    }
    /// What is here and not there.
    #[inline]
    pub fn minus(&self, other: &[u64]) -> Set {
        let mut set = self.clone();
        set.cut(other);
        set
    }
    /// Whether something is in both.
    #[inline]
    pub fn meets(&self, other: &[u64]) -> bool {
        self.words().iter().zip(other).any(|(a, b)| a & b != 0)
    }
    /// The members, lowest id first.
    #[inline]
    pub fn iter(&self) -> Iter<'_> {
        let words = self.words();
        // total: a set of no width has no members.
        Iter { words, at: 0, word: words.first().copied().unwrap_or(0) }
    }
}

/// Whether a thing's bit is set in words.
#[inline]
pub(crate) fn bit(words: &[u64], thing: ThingId) -> bool {
    words.get(thing.index() / 64).is_some_and(|w| w >> (thing.index() % 64) & 1 == 1)
}

/// The members of a set in order.
pub struct Iter<'a> {
    words: &'a [u64],
    at: usize,
    word: u64,
}

impl Iterator for Iter<'_> {
    type Item = ThingId;
    #[inline]
    fn next(&mut self) -> Option<ThingId> {
        while self.word == 0 {
            self.at += 1;
            self.word = *self.words.get(self.at)?;
        }
        let low = self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(ThingId::from_index(self.at * 64 + low))
    }
}

impl<'a> IntoIterator for &'a Set {
    type Item = ThingId;
    type IntoIter = Iter<'a>;
    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}
