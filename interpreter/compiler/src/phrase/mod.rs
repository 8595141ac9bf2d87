//! Phrases: reading the token lists of the skeleton with the declared vocabulary.
//!
//! [`declare::declare`] makes terms of vocabulary items, [`read::read_item`] reads the clauses of an item with
//! them, [`render::render`] says a phrase again in English.

mod chart;
mod choice;
pub mod clause;
pub mod closed;
mod condition;
pub mod declare;
mod draft;
pub mod error;
mod explain;
pub mod figures;
mod frame;
mod grant;
pub mod lexicon;
mod modifier;
mod nominal;
mod noun;
mod number;
mod predicate;
pub mod read;
pub mod render;
pub mod scope;
mod settle;
mod slot;
mod sorts;
mod statement;
mod taking;
pub mod term;
pub mod tree;
mod trigger;
mod verb;
