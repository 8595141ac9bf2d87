//! What is wrong, as the diagnostics that every tool prints.

use netrep_grammar::SyntaxError;
use netrep_grammar::tree::Span;
use netrep_ir::{Diag, Label, Place, Severity};

/// An error with one place.
pub fn error(code: &str, place: Place, message: impl Into<String>) -> Diag {
    Diag {
        place,
        code: code.to_owned(),
        severity: Severity::Error,
        message: message.into(),
        label: String::new(),
        labels: Vec::new(),
        help: None,
    }
}

/// Adds what would mend it.
pub trait Mended {
    /// The same with a line that says how to mend it.
    #[must_use]
    fn help(self, help: impl Into<String>) -> Self;
    /// The same with a remark at its own place.
    #[must_use]
    fn remark(self, text: impl Into<String>) -> Self;
    /// The same with a second place.
    #[must_use]
    fn and(self, place: Place, text: impl Into<String>) -> Self;
}

impl Mended for Diag {
    fn help(mut self, help: impl Into<String>) -> Self {
        let help = help.into();
        self.help = match self.help {
            Some(before) => Some(format!("{before}\n{help}")),
            None => Some(help),
        };
        self
    }
    fn remark(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }
    fn and(mut self, place: Place, text: impl Into<String>) -> Self {
        self.labels.push(Label { place, text: text.into() });
        self
    }
}

/// A block of text in a file, in whose bytes spans are counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// The file, relative to the root.
    pub file: String,
    /// Where the block begins in it, in bytes.
    pub base: u32,
    /// The block.
    pub text: String,
}

impl Source {
    /// The place of a span of the block.
    pub fn place(&self, span: Span) -> Place {
        let span = span.shifted(self.base);
        Place { file: self.file.clone(), start: span.start, end: span.end }
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        let at = |position: u32| usize::try_from(position).unwrap_or(usize::MAX);
        self.text.get(at(span.start)..at(span.end)).unwrap_or_default()
    }

    /// A syntax error of the block.
    pub fn syntax(&self, found: &SyntaxError) -> Diag {
        let mut diag =
            error(found.code.as_str(), self.place(found.span), found.message.clone()).help(found.help.clone());
        if let Some(second) = &found.second {
            diag = diag.and(self.place(second.span), second.text.clone());
        }
        diag
    }
}

/// Whether a finding is about what a profile asks for, which has no place in a file.
pub fn is_of_a_profile(diag: &Diag) -> bool {
    const ASKED_FOR: [&str; 3] = ["unknown-edition", "unknown-ruling", "unknown-reading"];
    diag.severity == Severity::Error && diag.place.file.is_empty() && ASKED_FOR.contains(&diag.code.as_str())
}

/// Sorted by place, without repetitions.
pub fn sorted(mut diags: Vec<Diag>) -> Vec<Diag> {
    diags.sort();
    diags.dedup();
    diags
}
