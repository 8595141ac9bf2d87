//! What is wrong, where, and what would mend it: plain data, rendered at the edge.

use serde::{Deserialize, Serialize};

use crate::Code;

/// How serious a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// What it is about is left out of the program, or has failed.
    Error,
    /// A finding beyond errors; the exit status stays 0.
    Advice,
}

/// A place and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Label<P> {
    /// Where.
    pub place: P,
    /// What.
    pub text: String,
}

/// One diagnostic. `P` says where: a span within an item, or a place in a file. Diagnostics sort by it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Diagnostic<P> {
    /// The main place.
    pub place: P,
    /// What kind.
    pub code: Code,
    /// How serious, as the code says.
    pub severity: Severity,
    /// What is wrong: one line that stands alone, lower case, without a full stop.
    pub message: String,
    /// What to say at the main place; may be empty.
    pub label: String,
    /// Other places that matter.
    pub labels: Vec<Label<P>>,
    /// What would mend it.
    pub help: Option<String>,
}

impl<P> Diagnostic<P> {
    /// A diagnostic with one place, and nothing said there.
    pub fn new(code: Code, place: P, message: impl Into<String>) -> Self {
        Diagnostic {
            place,
            code,
            severity: code.severity(),
            message: message.into(),
            label: String::new(),
            labels: Vec::new(),
            help: None,
        }
    }

    /// Says something at the main place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn and(mut self, place: P, text: impl Into<String>) -> Self {
        self.labels.push(Label { place, text: text.into() });
        self
    }

    /// Says what would mend it, below what is said already.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        self.help = Some(match self.help {
            Some(before) => format!("{before}\n{text}"),
            None => text,
        });
        self
    }

    /// True if it is more than advice.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The same, with places of another kind.
    pub fn map<Q>(self, mut place: impl FnMut(P) -> Q) -> Diagnostic<Q> {
        Diagnostic {
            place: place(self.place),
            code: self.code,
            severity: self.severity,
            message: self.message,
            label: self.label,
            labels: self.labels.into_iter().map(|l| Label { place: place(l.place), text: l.text }).collect(),
            help: self.help,
        }
    }
}
