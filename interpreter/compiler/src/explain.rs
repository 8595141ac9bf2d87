//! Pages that explain a diagnostic: what it means, an example that triggers it, how to mend it.
//!
//! Every page's example is compiled by a test, after the toy vocabulary of `pages/base.words`, and must
//! trigger exactly the code that the page explains.

/// A page of `netrep explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The code.
    pub code: &'static str,
    /// The text, in Markdown.
    pub text: &'static str,
}

macro_rules! pages {
    ($($code:literal),* $(,)?) => {
        /// All pages, sorted by code.
        pub const PAGES: &[Page] = &[$(Page { code: $code, text: include_str!(concat!("../pages/", $code, ".md")) }),*];
    };
}

pages!(
    "action-without-effect",
    "ambiguous-phrase",
    "amendments-conflict",
    "bad-amendment",
    "bad-class",
    "bad-date",
    "bad-declaration",
    "bad-despite",
    "bad-document",
    "bad-edition",
    "bad-filing",
    "bad-header",
    "bad-marker",
    "bad-reading",
    "bad-rests",
    "bad-ruling",
    "bad-step",
    "block-not-expected",
    "choice-without-chooser",
    "circular-definition",
    "circular-modifiers",
    "clause-said-twice",
    "deep-nesting",
    "empty-clause",
    "empty-name",
    "empty-sentence",
    "glued-number",
    "item-too-large",
    "label-repeated",
    "large-number",
    "look-alike-character",
    "mismatched-bracket",
    "misplaced-clause",
    "misplaced-full-stop",
    "misplaced-item",
    "missing-closing-bracket",
    "missing-figure",
    "missing-full-stop",
    "missing-opening-bracket",
    "missing-quote",
    "missing-step",
    "name-repeated",
    "never-holds",
    "no-definition",
    "no-host",
    "no-passive",
    "no-subject-here",
    "no-such-attribute",
    "not-supported",
    "nothing-to-extend",
    "number-too-large",
    "or-without-either",
    "phrase-too-deep",
    "reading-after-edition",
    "reading-repeated",
    "reading-without-authority",
    "ruling-chosen-twice",
    "sentence-not-expressed",
    "set-derived",
    "step-twice",
    "step-without-procedure",
    "stray-character",
    "subject-missing",
    "superseded-by-earlier",
    "superseded-by-nothing",
    "term-never-used",
    "term-repeated",
    "text-outside-item",
    "too-many-readings",
    "two-defaults",
    "two-in-force",
    "unbound-it",
    "unbound-label",
    "unbound-role",
    "unexpected-text",
    "unexpected-word",
    "unfinished-phrase",
    "unknown-clause",
    "unknown-document",
    "unknown-edition",
    "unknown-entry",
    "unknown-item",
    "unknown-label",
    "unknown-name",
    "unknown-procedure",
    "unknown-reading",
    "unknown-ruling",
    "unknown-sentence",
    "unknown-service",
    "unknown-word",
    "unlisted-step",
    "wrong-entry",
    "wrong-modifier",
    "wrong-predicate",
    "wrong-relation",
    "wrong-sort",
    "wrong-target",
);

/// The page of a code.
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.code == code)
}

impl Page {
    /// The last paragraph: how to mend it. Serves as the help line of a finding that has none of its own.
    pub fn mend(&self) -> &'static str {
        self.text.trim_end().rsplit("\n\n").next().unwrap_or_default()
    }
}
