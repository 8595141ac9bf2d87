//! The contract between the compiler and the engine: a linked program as plain data.
//!
//! The compiler hands the engine a [`Program`]: declarations, blocks of statements, and indexed clauses
//! (allowances, triggers, modifiers, norms). Nothing in here knows a game; every noun and verb is an id
//! whose name stands in the program's tables. Ids are dense and follow the order of declaration
//! (path, then place), never spelling, so that renaming a word changes no hash.

pub mod clause;
pub mod declare;
pub mod expr;
pub mod ids;
pub mod map;
pub mod place;
pub mod program;
pub mod statement;

pub use clause::*;
pub use declare::*;
pub use expr::*;
pub use ids::*;
pub use map::{Map, Mapper};
pub use place::*;
pub use program::*;
pub use statement::*;
