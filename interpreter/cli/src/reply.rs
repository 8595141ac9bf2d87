//! What `--format json` prints: one envelope for every command, also when something goes wrong.
//!
//! ```json
//! { "format": 1, "command": "check", "status": 0, "warnings": [], "result": { } }
//! { "format": 1, "command": "show", "status": 2, "warnings": [], "error": { "message": "…", "diagnostics": [] } }
//! ```
//!
//! `status` is the exit status. There is a `result` or an `error`, never both. Fields may be added; where one
//! is renamed, taken away or means something else, `format` counts up.

use netrep_compiler::Diagnostic;

use serde::Serialize;

/// The format of what is printed.
pub(crate) const FORMAT: u32 = 1;

/// The envelope.
#[derive(Debug, Serialize)]
pub(crate) struct Reply<'a, T> {
    /// [`FORMAT`].
    pub format: u32,
    /// The command; `netrep` if the command line could not be read.
    pub command: &'a str,
    /// The exit status.
    pub status: u8,
    /// What else should be known, such as errors in data that the command did without.
    pub warnings: Vec<String>,
    /// The answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<T>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Problem>,
}

/// Why a command could not be carried out.
#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    /// In words.
    pub message: String,
    /// Errors that have places.
    pub diagnostics: Vec<Diagnostic>,
}

/// The text of `--help` or `--version`.
#[derive(Debug, Serialize)]
pub(crate) struct Help {
    /// The text.
    pub text: String,
}
