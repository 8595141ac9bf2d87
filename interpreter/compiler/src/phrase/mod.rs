//! Phrases: reading the token lists of the skeleton with the declared vocabulary.
//!
//! [`declare::declare`] makes terms of vocabulary items, [`read::read_item`] reads the clauses of an item with
//! them, [`render::render`] says a phrase again in English.

mod chart;
pub mod clause;
pub mod closed;
mod condition;
pub mod contrary;
pub mod data;
pub mod declare;
mod draft;
mod explain;
pub mod figures;
pub mod forms;
mod frame;
mod grant;
mod holes;
mod instead;
mod kept;
pub mod lexicon;
mod matching;
mod modifier;
mod nominal;
mod noun;
mod number;
pub mod operators;
pub mod outline;
mod predicate;
pub mod read;
pub mod render;
mod repair;
mod rules;
pub mod scope;
mod search;
pub mod sentence;
mod settle;
mod slot;
pub(crate) mod sorts;
mod statement;
mod taking;
pub mod term;
pub mod tree;
mod trigger;
mod verb;
