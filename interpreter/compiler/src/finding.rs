//! Findings: what the stages report, in an item's own coordinates.
//!
//! A finding becomes a [`netrep_ir::Diag`] only in [`crate::queries::report`], the one reader of file offsets.

use netrep_grammar::SyntaxError;
use netrep_grammar::tree::Span;
use netrep_ir::Severity;

use crate::phrase::error::PhraseError;

/// One finding about an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Finding {
    /// The kebab-case code; `explain` has a page for it.
    pub code: &'static str,
    /// Errors leave the item out of the program.
    pub severity: Severity,
    /// What is wrong: one line, lower case, without a full stop.
    pub message: String,
    /// Where, in the coordinates of the item.
    pub span: Span,
    /// What to say at the place; may be empty.
    pub label: String,
    /// Other places of the same item that matter.
    pub labels: Vec<(Span, String)>,
    /// What would mend it.
    pub help: Option<String>,
}

impl Finding {
    /// An error.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Finding {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            labels: Vec::new(),
            help: None,
        }
    }

    /// A finding that does not stop the item.
    pub fn advice(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Finding { severity: Severity::Advice, ..Finding::error(code, span, message) }
    }

    /// Says something at the main place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn and(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Says what would mend it.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// True if it leaves the item out of the program.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl From<PhraseError> for Finding {
    fn from(error: PhraseError) -> Self {
        Finding { labels: error.labels, help: error.help, ..Finding::error(error.code, error.span, error.message) }
    }
}

impl From<SyntaxError> for Finding {
    fn from(error: SyntaxError) -> Self {
        Finding {
            labels: error.second.into_iter().map(|second| (second.span, second.text)).collect(),
            help: Some(error.help),
            ..Finding::error(error.code.as_str(), error.span, error.message)
        }
    }
}

/// The candidate that is nearest to a misspelt name, if one is near enough to be meant.
pub fn did_you_mean<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong_lower = wrong.to_lowercase();
    let limit = (wrong.chars().count() / 3).clamp(1, 4);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&wrong_lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        // The name decides between equals, so that the order of files does not.
        .min()
        .map(|(_, candidate)| candidate)
}

/// The help line of a misspelt name.
pub fn suggestion<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    did_you_mean(wrong, candidates).map(|name| format!("did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
        let names = ["yellow", "fellow", "blue"];
        assert_eq!(did_you_mean("yelow", names), Some("yellow"));
        assert_eq!(did_you_mean("bleu", names), Some("blue"));
        assert_eq!(did_you_mean("magenta", names), None);
    }
}
