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

pages!();

/// The page of a code.
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.code == code)
}
