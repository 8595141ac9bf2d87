//! What the tests share: the repository's data, hand-made positions, keyed random play, a naive evaluator, and a
//! renamer of vocabularies.
//!
//! Helpers panic where a test would: a position that cannot be set up is a failed test.

pub mod board;
pub mod data;
pub mod eights;
pub mod knowledge;
pub mod naive;
pub mod play;
pub mod positions;
pub mod rename;
pub mod runs;
pub mod tokens;
