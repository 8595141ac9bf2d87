//! What is worked out faster than it is said is worked out again, and compared: answers and columns that are kept, sums, the
//! way back from an answer, what is asked of one thing.

use std::cell::Cell;

/// How much of what is worked out faster is worked out again (see [`Game::verify`](crate::Game::verify)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verify {
    /// Every so many times; 0: never.
    pub every: u32,
    /// A mistake that is made on purpose, to see whether it is noticed.
    pub planted: Option<Planted>,
}

/// Mistakes that are made on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    /// Kept answers hold for ever.
    Answers,
    /// Kept columns hold for ever.
    Columns,
    /// The sums of facts that are written stay as they were.
    Sums,
    /// One candidate of each choice is left out.
    Plan,
    /// The way back from an answer leads too far.
    Back,
    /// Of one thing only the first of several parts is asked of which one must hold.
    Alone,
    /// What is seen of things stays as it was.
    Views,
    /// What is written in columns is not copied.
    Copies,
    /// What was worked out in a copy in which something is supposed is taken for what is so in the game.
    Supposed,
    /// What is left out of a view stays so, although what it hung on has come to light.
    Light,
    /// What is read of some things is not noted.
    Apiece,
    /// What was cut off where it led back is told to whoever asks.
    Cut,
}

impl Planted {
    /// Those that random games of any kind notice: the others have tests of their own.
    pub const ALL: [Planted; 9] = [
        Planted::Answers,
        Planted::Columns,
        Planted::Sums,
        Planted::Plan,
        Planted::Back,
        Planted::Alone,
        Planted::Views,
        Planted::Copies,
        Planted::Supposed,
    ];
}

/// How often something was worked out faster, and what of it is worked out again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verifying {
    pub how: Verify,
    count: Cell<u32>,
}

impl Verifying {
    pub(crate) fn new(how: Verify) -> Verifying {
        Verifying { how, count: Cell::new(0) }
    }
    /// Whether it is the turn of something to be worked out again.
    #[inline]
    pub(crate) fn is_due(&self) -> bool {
        if self.how.every == 0 {
            return false;
        }
        let count = self.count.get().wrapping_add(1);
        self.count.set(count);
        count.is_multiple_of(self.how.every)
    }
    /// Whether a mistake is made on purpose.
    #[inline]
    pub(crate) fn has(&self, planted: Planted) -> bool {
        self.how.planted == Some(planted)
    }
}
