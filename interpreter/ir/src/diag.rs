//! Diagnostics as plain data. Rendering (terminal, JSON, editor) happens at the edge.

use serde::{Deserialize, Serialize};

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The item is left out of the program.
    Error,
    /// A finding beyond errors; the exit status stays 0.
    Advice,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file, relative to the root of the data.
    pub file: String,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A place and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What; may be empty for the main place.
    pub text: String,
}

/// One finding. `message` stands alone in one line; the mend is in `help`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Diag {
    /// The main place; diagnostics sort by it.
    pub place: Place,
    /// A kebab-case code; `netrep explain CODE` shows its page.
    pub code: String,
    /// How serious.
    pub severity: Severity,
    /// What is wrong, lower case, without a full stop.
    pub message: String,
    /// The main label's text.
    pub label: String,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// What would mend it.
    pub help: Option<String>,
}

impl Diag {
    /// True if it begins within a part of its file, such as an item; at the very end counts, because there stands what
    /// is missing.
    pub fn is_in(&self, part: &Place) -> bool {
        self.place.file == part.file && part.start <= self.place.start && self.place.start <= part.end
    }
}
