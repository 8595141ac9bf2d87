//! What the stages report, and in whose coordinates.
//!
//! A stage sees one item, and its findings count in it. A finding gets its place in a file only in
//! [`crate::queries::report`], the one reader of file offsets.

use netrep_grammar::tree::Span;
use netrep_ir::Place;

/// A diagnostic about an item, in the item's coordinates ([`crate::coords`]).
pub type Finding = netrep_diagnostics::Diagnostic<Span>;

/// A diagnostic with its places in files.
pub type Diagnostic = netrep_diagnostics::Diagnostic<Place>;
