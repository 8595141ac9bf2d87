//! Phrases: reading the token lists of the skeleton with the declared vocabulary.
//!
//! [`declare::declare`] makes terms of vocabulary items, [`read::read_item`] reads the clauses of an item with
//! them, [`render::render`] says a phrase again in English.

mod chart;
pub mod clause;
pub mod closed;
mod condition;
pub mod declare;
mod draft;
pub mod error;
mod explain;
pub mod lexicon;
mod modifier;
mod noun;
mod number;
mod predicate;
pub mod read;
pub mod render;
pub mod scope;
mod slot;
mod sorts;
mod statement;
pub mod term;
pub mod tree;
mod verb;
