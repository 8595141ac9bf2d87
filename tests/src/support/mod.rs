//! What the tests share: the repository's data, hand-made positions, keyed random play, a naive evaluator, and a
//! renamer of vocabularies.
//!
//! Helpers panic where a test would: a position that cannot be set up is a failed test.

pub(crate) mod board;
pub(crate) mod crates;
pub(crate) mod data;
pub(crate) mod eights;
pub(crate) mod hearts;
pub(crate) mod knowledge;
pub(crate) mod naive;
pub(crate) mod play;
pub(crate) mod positions;
pub(crate) mod rename;
pub(crate) mod runs;
pub(crate) mod taken_out;
pub(crate) mod tokens;
pub(crate) mod writer;
