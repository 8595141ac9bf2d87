//! What is wrong in a text: diagnostics whose places are relative to the text that was read.

use crate::tree::Span;
pub(crate) use netrep_diagnostics::Code;
use netrep_diagnostics::Diagnostic;

/// A diagnostic about an item or another text, in the coordinates of that text.
pub type Finding = Diagnostic<Span>;
