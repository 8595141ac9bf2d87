//! Sets of things as bits, all of one width in one game.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

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
        ThingId(u16::try_from(index).unwrap_or(u16::MAX))
    }
}

/// A set of things. Up to 512 things lie inline.
#[derive(Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Set {
    words: SmallVec<[u64; 8]>,
}

impl Clone for Set {
    #[inline]
    fn clone(&self) -> Set {
        // By words, not by element.
        Set::from_words(&self.words)
    }
}

impl Set {
    /// The empty set of a width in words.
    #[inline]
    pub fn empty(width: usize) -> Set {
        Set { words: SmallVec::from_elem(0, width) }
    }
    /// The first `n` things.
    pub fn first_n(n: usize, width: usize) -> Set {
        let mut set = Set::empty(width);
        for (i, word) in set.words.iter_mut().enumerate() {
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
        Set { words: SmallVec::from_slice(words) }
    }
    /// The words.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }
    /// The width in words.
    #[inline]
    pub fn width(&self) -> usize {
        self.words.len()
    }
    /// Makes room for more things.
    pub fn widen(&mut self, width: usize) {
        if width > self.words.len() {
            self.words.resize(width, 0);
        }
    }
    /// Adds a thing; one beyond the width is ignored.
    #[inline]
    pub fn insert(&mut self, thing: ThingId) {
        if let Some(word) = self.words.get_mut(thing.index() / 64) {
            *word |= 1 << (thing.index() % 64);
        }
    }
    /// Takes a thing away.
    #[inline]
    pub fn remove(&mut self, thing: ThingId) {
        if let Some(word) = self.words.get_mut(thing.index() / 64) {
            *word &= !(1 << (thing.index() % 64));
        }
    }
    /// Membership.
    #[inline]
    pub fn contains(&self, thing: ThingId) -> bool {
        bit(&self.words, thing)
    }
    /// No member.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|w| *w == 0)
    }
    /// How many members.
    #[inline]
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }
    /// The member with the lowest id.
    #[inline]
    pub fn first(&self) -> Option<ThingId> {
        self.words
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
    pub fn pop_first(&mut self) -> Option<ThingId> {
        let thing = self.first()?;
        self.remove(thing);
        Some(thing)
    }
    /// Keeps what is also in `other`.
    #[inline]
    pub fn keep(&mut self, other: &[u64]) {
        for (i, word) in self.words.iter_mut().enumerate() {
            *word &= other.get(i).copied().unwrap_or(0);
        }
    }
    /// Adds what is in `other`.
    #[inline]
    pub fn add(&mut self, other: &[u64]) {
        for (word, o) in self.words.iter_mut().zip(other) {
            *word |= o;
        }
    }
    /// Takes away what is in `other`.
    #[inline]
    pub fn cut(&mut self, other: &[u64]) {
        for (word, o) in self.words.iter_mut().zip(other) {
            *word &= !o;
        }
    }
    /// Keeps the members of which something holds.
    #[inline]
    pub fn retain(&mut self, mut holds: impl FnMut(ThingId) -> bool) {
        for (i, word) in self.words.iter_mut().enumerate() {
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
        self.words.iter().zip(other).any(|(a, b)| a & b != 0)
    }
    /// Whether all members are in `other`.
    #[inline]
    pub fn within(&self, other: &[u64]) -> bool {
        self.words.iter().enumerate().all(|(i, a)| a & !other.get(i).copied().unwrap_or(0) == 0)
    }
    /// The members, lowest id first.
    #[inline]
    pub fn iter(&self) -> Iter<'_> {
        Iter { words: &self.words, at: 0, word: self.words.first().copied().unwrap_or(0) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algebra() {
        let mut a = Set::empty(2);
        for i in [0u16, 5, 63, 64, 100] {
            a.insert(ThingId(i));
        }
        assert_eq!(a.iter().map(|t| t.0).collect::<Vec<_>>(), [0, 5, 63, 64, 100]);
        assert_eq!(a.len(), 5);
        let low = Set::first_n(64, 2);
        assert_eq!(a.and(low.words()).len(), 3);
        assert_eq!(a.minus(low.words()).first(), Some(ThingId(64)));
        assert!(a.and(low.words()).within(low.words()));
        assert!(!a.contains(ThingId(4000)));
        assert_eq!(Set::one(ThingId(7), 2).single(), Some(ThingId(7)));
        a.retain(|t| t.0 > 60 && t.0 != 64);
        assert_eq!(a.iter().map(|t| t.0).collect::<Vec<_>>(), [63, 100]);
    }
}
