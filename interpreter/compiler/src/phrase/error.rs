//! What can be wrong with a phrase, as plain data.

use netrep_grammar::tree::Span;

/// A finding about a phrase: a stable code, what is wrong, where, and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PhraseError {
    /// The kebab-case code, stable between versions.
    pub code: &'static str,
    /// One sentence without a full stop.
    pub message: String,
    /// The place, relative to the item.
    pub span: Span,
    /// Further places that matter, each with its remark.
    pub labels: Vec<(Span, String)>,
    /// What to write instead.
    pub help: Option<String>,
}

impl PhraseError {
    /// An error without further places and without help.
    pub fn new(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        PhraseError { code, message: message.into(), span, labels: Vec::new(), help: None }
    }

    /// The same error with a remark at another place.
    #[must_use]
    pub fn label(mut self, span: Span, remark: impl Into<String>) -> Self {
        self.labels.push((span, remark.into()));
        self
    }

    /// The same error with a line that says how to mend it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
