//! Syntax errors as plain data: a code, a sentence, a place, perhaps a second place, and the mend.

use crate::tree::Span;
use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $text:literal,)+) => {
        /// What kind of mistake it is. The kebab-case form names the page that explains it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Code { $($(#[doc = $doc])+ $variant,)+ }

        impl Code {
            /// Every code, in the order of declaration.
            pub const ALL: &[Code] = &[$(Code::$variant,)+];

            /// The kebab-case form.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $text,)+ }
            }
        }
    };
}

codes! {
    /// A sentence, or an item without a body, does not end with a full stop.
    MissingFullStop = "missing-full-stop",
    /// A full stop where no sentence can end.
    MisplacedFullStop = "misplaced-full-stop",
    /// An opening bracket of any kind is never closed.
    MissingClosingBracket = "missing-closing-bracket",
    /// A closing bracket of any kind was never opened.
    MissingOpeningBracket = "missing-opening-bracket",
    /// A bracket is closed by one of another kind.
    MismatchedBracket = "mismatched-bracket",
    /// A quoted name does not end on its line.
    MissingQuote = "missing-quote",
    /// Quotes with nothing between them.
    EmptyName = "empty-name",
    /// A character that the language does not use.
    StrayCharacter = "stray-character",
    /// A Unicode character that looks like one of the language.
    LookAlike = "look-alike-character",
    /// A letter directly behind a number.
    GluedNumber = "glued-number",
    /// A number too large to be kept.
    LargeNumber = "large-number",
    /// A full stop or braces without words before them.
    EmptyClause = "empty-clause",
    /// Brackets at the start of a clause that are not a marker.
    BadMarker = "bad-marker",
    /// Brackets nested too deeply.
    DeepNesting = "deep-nesting",
    /// Text that belongs to no item.
    TextOutsideItem = "text-outside-item",
    /// Text that the grammar refuses for a reason not named by any other code.
    UnexpectedText = "unexpected-text",
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A second place that matters, and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What, in a few words.
    pub text: String,
}

/// One mistake in the skeleton of the text. `message` stands alone in one line, lower case, no full stop.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SyntaxError {
    /// Where, relative to the text that was parsed. Errors sort by it.
    pub span: Span,
    /// What kind of mistake.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// Another place that matters, such as the bracket that is never closed.
    pub second: Option<Label>,
    /// What would mend it.
    pub help: String,
}

impl SyntaxError {
    /// An error with one place.
    pub(crate) fn new(code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        SyntaxError { span, code, message: message.into(), second: None, help: help.into() }
    }

    /// Adds the second place.
    pub(crate) fn and(mut self, span: Span, text: impl Into<String>) -> Self {
        self.second = Some(Label { span, text: text.into() });
        self
    }

    /// The same error with all places moved by `offset` bytes: from an item's text to its file.
    pub fn shifted(mut self, offset: u32) -> Self {
        self.span = self.span.shifted(offset);
        if let Some(second) = &mut self.second {
            second.span = second.span.shifted(offset);
        }
        self
    }
}
