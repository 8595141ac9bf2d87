//! The contract between the compiler and the engine: a linked program as plain data.
//!
//! The compiler hands the engine a [`Program`]: declarations, blocks of statements, and indexed clauses
//! (allowances, triggers, modifiers, norms). Nothing in here knows a game; every noun and verb is an id
//! whose name stands in the program's tables. Ids are dense and hang on all that is declared; what must outlive a
//! program (hashes, rolls, saved games) goes by names, see [`identity`].

pub mod clause;
pub mod declare;
pub mod expr;
pub mod identity;
pub mod ids;
pub mod limits;
pub mod map;
pub mod mapper;
pub mod memo;
pub mod order;
pub mod place;
pub mod program;
pub mod statement;
pub mod text;

pub use clause::*;
pub use declare::*;
pub use expr::*;
pub use identity::{IdKind, Identities};
pub use ids::*;
pub use mapper::{Map, Mapper};
pub use place::*;
pub use program::*;
pub use statement::*;
pub use text::Text;
