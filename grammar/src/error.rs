//! Syntax errors: diagnostics whose places are relative to the text that was parsed.

use crate::tree::Span;
pub(crate) use netrep_diagnostics::Code;
use netrep_diagnostics::Diagnostic;

/// A mistake in the skeleton of a text. It always says what would mend it.
pub type SyntaxError = Diagnostic<Span>;
