//! The compiler: from files in the language to a linked program, incrementally.
//!
//! ```text
//! load       a data folder -> files
//! grammar    file -> items -> skeletons                      (crate netrep-grammar)
//! phrase     skeleton + vocabulary -> terms, read clauses
//! layers     rulings and editions -> amended skeletons
//! lower      read clauses -> an item's own program
//! link       items' programs -> the program of a profile
//! ```
//!
//! Every stage is a plain function; [`queries`] says what depends on what, with salsa. [`Compiler`] is the
//! way in. What is wrong with a text is a [`finding::Finding`] in the coordinates of its item
//! ([`coords`]) until it is reported as a [`Diagnostic`].

mod beside;
pub mod browse;
mod choices;
pub mod compiler;
pub(crate) mod coords;
pub(crate) mod db;
pub mod determiners;
pub mod edit;
mod events;
pub mod filing;
pub mod finding;
pub mod graph;
mod idle;
pub(crate) mod inputs;
mod kept;
pub mod layers;
pub mod layout;
mod link;
pub mod load;
mod lower;
pub mod meaning;
mod never;
mod pending;
pub mod phrase;
pub mod phrases;
mod planted;
mod queries;
pub mod retired;
pub mod signature;
pub mod tree;
mod unmoved;
pub mod uses;
pub mod views;

pub use compiler::Compiler;
pub use finding::Diagnostic;
pub use inputs::Profile;
pub use kept::Kept;
pub use planted::Planted;
