//! Diagnostics: one type for all stages, one registry of codes with their pages, one matcher of misspelt names.
//!
//! Every code has exactly one page in `pages/`, and every page a code: anything else does not compile. Places are a
//! parameter of [`Diagnostic`]: stages that see one item count in it, and whoever knows the file maps them.

mod code;
mod diagnostic;
mod nearest;
pub mod page;

pub use code::{Code, NoSuchCode};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use nearest::{distance, is_within, nearest, suggestion};
pub use page::Page;
