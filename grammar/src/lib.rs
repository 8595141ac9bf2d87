//! The skeleton of the netrep language: text in, token trees with spans out. No meaning, no salsa.
//!
//! - [`split()`] cuts a file into items, so that one bad item never hides another;
//! - [`parse_item`], [`parse_clauses`] and [`parse_sentence`] make trees with spans relative to their text;
//! - [`fmt()`] lays a file out and proves that it changed nothing but the layout;
//! - [`refile()`] moves items between files and into an order, with their comments;
//! - [`fences()`] finds the fenced blocks of a Markdown file.
//!
//! What a token, a group, a clause, an item and a file is, only the files of `pest/` say, also for text that is broken: an
//! item gives a tree of what is whole *and* all its errors.
//!
//! Everything here is total: any text gives a value or [`Finding`]s or both, never a panic, in time linear in the
//! text (times the nesting depth, which is at most [`MAX_DEPTH`]).

mod build;
mod diagnose;
mod error;
mod fences;
mod fmt;
mod heads;
mod parser;
pub mod recover;
mod refile;
mod split;
pub mod tree;

pub use diagnose::text_outside;
pub use error::Finding;
pub use fences::{Fence, fences};
pub use fmt::{FmtError, WIDTH, fmt, fmt_work};
pub use heads::HEADS;
pub use parser::{Read, Rule, Rules, parse_clauses, parse_item, parse_sentence};
pub use refile::{NotTheSame, Refiled, Refiling, Seat, refile};
pub use split::{RawItem, split};

/// Sentences of the language that are no longer said: what was said, and what is said instead.
pub const RETIRED: &str = include_str!("../forms/retired.txt");

/// How many brackets of any kind may be open at once, as `pest/token.pest` says.
pub const MAX_DEPTH: usize = 64;
