//! Phrases: reading the token lists of the skeleton with the declared vocabulary.
pub mod clause;
pub mod tree;
