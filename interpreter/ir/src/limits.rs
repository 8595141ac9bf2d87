//! What a program and a game may have at most, in one place.
//!
//! A verb with more roles is refused by the linker, with its place. A game that comes to another limit stops with an error
//! that names the clause, unless it says here what happens instead.

/// A number of things, or of anything that ids count, in 16 bits. More are refused before this is asked ([`IDS`]); until
/// then they count as the most.
pub fn in_16_bits(n: usize) -> u16 {
    // total: the linker and the machine refuse what comes near it
    u16::try_from(n).unwrap_or(u16::MAX)
}

/// A number of bytes, words or rows in 32 bits.
pub fn in_32_bits(n: usize) -> u32 {
    // total: no file, sentence or memory of this program has so many; what stands behind them is told at their end
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Ids of one kind in a program: they have 16 bits, and the last of these stands for "any". More are refused by the linker.
pub const IDS: usize = u16::MAX as usize;
/// Roles of a verb: a row of the history has a cell for each.
pub const ROLES: usize = 6;
/// Things of a game, retired ones included: their ids stay well within 16 bits.
pub const THINGS: usize = 16_384;
/// Frames on the stack of a game.
pub const FRAMES: usize = 2_000;
/// Steps of the machine between two decisions.
pub const STEPS: u32 = 2_000_000;
/// How often a `repeat … until` may run.
pub const REPETITIONS: u32 = 10_000;
/// Following chains that follow each other.
pub const ROUNDS: u32 = 1_000;
/// How deep definitions may refer to definitions.
pub const DEFINITIONS: u16 = 64;
/// Things of which the least number for any group is looked for ([`crate::Num::Least`]): of more, the first ones.
pub const GROUPED: usize = 10;
/// Courses that are tried to see what a declaration would do: one with more is taken to do anything.
pub const COURSES: usize = 64;
/// Ways in which each decision of such a course is taken: the first ones that are offered.
pub const WAYS: usize = 8;
