//! The lab: positions, scenarios and the questions that are asked of them.
//!
//! ```text
//! scenario   a Markdown file -> scenarios, unresolved
//! prepare    scenario + profile -> position and script with compiled phrases
//! driver     plays a script: moves, rolls, expectations -> a report
//! run        many scenarios on several threads
//! ```
//!
//! Above these stand the questions: [`why`], [`ask`], [`compare`], [`ablate`], [`coverage`], and play: [`simulate`] at
//! random. Everything is said in plain data ([`report`], [`netrep_compiler::Diagnostic`]); printing is the business of the program around it.

#![allow(clippy::result_large_err, reason = "errors here are diagnostics, on paths that end the question")]

pub mod ablate;
pub(crate) mod across;
pub mod ask;
pub mod attempts;
pub mod compare;
mod copies;
pub mod coverage;
pub mod decks;
pub mod driver;
pub mod exempt;
pub mod files;
pub mod find;
pub mod follows;
pub mod impact;
mod layout;
pub mod library;
pub mod memo;
pub mod narrate;
mod nesting;
pub(crate) mod position;
pub mod prepare;
pub mod printed;
pub mod problem;
pub mod relay;
pub mod report;
pub mod run;
pub mod scenario;
pub mod show;
pub mod simulate;
pub(crate) mod spot;
mod stated;
pub mod survey;
pub mod switches;
pub mod tryout;
mod verdict;
mod versions;
pub mod vocabulary;
pub mod watch;
pub mod why;
pub mod words;
pub mod written;

pub use library::Library;
pub use report::Report;
pub use scenario::Scenario;
pub use verdict::Verdict;
