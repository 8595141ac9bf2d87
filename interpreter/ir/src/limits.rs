//! What a program, a game and what is read from elsewhere may have at most, in one place. How deep brackets may stand in each
//! other and how long a sentence may be is said where sentences are read.
//!
//! A verb with more roles is refused by the linker, with its place. A game that comes to another limit stops with an error
//! that names the clause, unless it says here what happens instead.

/// A number of things, or of anything that ids count, in 16 bits. More are refused before this is asked ([`IDS`]); until
/// then they count as the most.
#[inline]
pub fn in_16_bits(n: usize) -> u16 {
    // total: the linker and the machine refuse what comes near it
    u16::try_from(n).unwrap_or(u16::MAX)
}

/// A number of bytes, words or rows in 32 bits.
#[inline]
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
/// How often a repetition may run.
pub const REPETITIONS: u32 = 10_000;
/// Effects in force: what each of them changes is asked of all, so that many cost more than as many steps.
pub const EFFECTS: usize = 1_024;
/// How often what is there is brought into line with what is in force before it must be at rest.
pub const STANDING: usize = 16;
/// Following chains that follow each other.
pub const ROUNDS: u32 = 1_000;
/// How deep definitions may refer to definitions.
pub const DEFINITIONS: u16 = 64;
/// Things of which the least number for any group is looked for ([`crate::Num::Least`]): of more, the first ones.
pub const GROUPED: usize = 10;
/// Groups that are looked at to see whether a choice of several can be completed.
pub const GROUPS: usize = 20_000;
/// Courses that are tried to see what a declaration would do: one with more is taken to do anything.
pub const COURSES: usize = 64;
/// Ways in which each decision of such a course is taken: the first ones that are offered.
pub const WAYS: usize = 8;

// What comes from elsewhere: data folders, decks, positions, scripts, saved games. More is refused by name where it is met.

/// Bytes of a file that is read.
pub const FILE_BYTES: usize = 8 << 20;
/// Bytes of a line that is typed, or comes from another program.
pub const LINE_BYTES: u64 = 1 << 16;
/// Bytes of all files of a data folder together.
pub const DATA_BYTES: usize = 64 << 20;
/// Files of a data folder.
pub const FILES: usize = 20_000;
/// Folders in folders.
pub const FOLDERS_DEEP: usize = 16;
/// Copies of a card in one entry of a list.
pub const COPIES: usize = 100;
/// Cards of a position, or other things that it names: what is printed on cards comes to them.
pub const GIVEN: usize = 4_096;
/// Sentences of a position and its script.
pub const LINES: usize = 10_000;
/// Blocks with a position, a scenario or a deck in a file.
pub const BLOCKS: usize = 10_000;
/// Facts, effects, rows of the history or other entries of one kind in a saved game.
pub const SAVED: usize = 1 << 20;
