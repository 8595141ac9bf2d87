//! What the integration tests share: the repository's data, hand-made positions, keyed random play, a naive
//! evaluator, and a renamer of vocabularies.
//!
//! Helpers panic where a test would: a position that cannot be set up is a failed test.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests")]

#[path = "support/board.rs"]
pub mod board;
#[path = "support/data.rs"]
pub mod data;
#[path = "support/eights.rs"]
pub mod eights;
#[path = "support/knowledge.rs"]
pub mod knowledge;
#[path = "support/naive.rs"]
pub mod naive;
#[path = "support/naive_ahead.rs"]
pub mod naive_ahead;
#[path = "support/naive_rules.rs"]
pub mod naive_rules;
#[path = "support/play.rs"]
pub mod play;
#[path = "support/positions.rs"]
pub mod positions;
#[path = "support/rename.rs"]
pub mod rename;
#[path = "support/tokens.rs"]
pub mod tokens;
