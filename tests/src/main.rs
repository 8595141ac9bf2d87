//! The tests of the whole: one program, so that it is linked once and all cores run it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use mimalloc::MiMalloc;

/// Compiling and playing ask for room and give it back all the time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

mod bounds;
mod commands;
mod corpus;
mod costs;
mod counts;
mod decks;
mod deletions;
mod determiners;
mod determinism;
mod documents;
mod eights;
mod fuzzed;
mod hearts;
mod impossible;
mod knowledge;
mod layout;
mod mistakes;
mod namesakes;
mod options;
mod pig;
mod reach;
mod readings;
mod reference;
mod renaming;
mod resting;
mod robustness;
mod scenarios;
mod sides;
mod simulate;
mod store;
mod support;
mod totals;
mod touchstones;
mod untouched;
mod verified;
mod watch;
mod written;
