//! The tests of the skeleton and the formatter: one program, so that it is linked once and all cores run it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod errors;
mod fences;
mod format;
mod properties;
mod recovery;
mod refile;
mod rules;
mod split;
mod tree;
