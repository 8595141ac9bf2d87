//! What the stages report, and in whose coordinates.
//!
//! A stage sees one item, and its findings count in it. A finding gets its place in a file only in
//! [`crate::queries::report`], the one reader of file offsets.

/// A diagnostic about an item, in the item's coordinates ([`crate::coords`]).
pub use netrep_grammar::Finding;
use netrep_ir::Place;

/// A diagnostic with its places in files.
pub type Diagnostic = netrep_diagnostics::Diagnostic<Place>;
