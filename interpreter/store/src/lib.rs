//! Answers that outlive the process in which they were worked out.
//!
//! A question is bytes, and so is an answer. The store gives the answer that was kept for exactly this question by exactly this
//! build, or none; on any doubt it gives none. It never fails: where nothing can be kept, nothing is.

mod entry;
mod folder;
mod late;
mod pack;
mod store;
mod texts;

pub use folder::{Contents, Held};
pub use late::Late;
pub use pack::Pack;
pub use store::{Question, Store};
pub use texts::Texts;
