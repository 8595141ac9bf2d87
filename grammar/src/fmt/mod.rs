//! The formatter: one layout for every kind of file of the language.
//!
//! Four blanks per level, a clause per line, lines wrapped at [`WIDTH`], a blank line around items of several lines.
//! The author decides three things: an item or block written on one line stays there if it fits; statements whose
//! opening brace ends its line stand one per line; a blank line between clauses or short items stays (never more
//! than one). Comments stay where they are. Tokens are never added, removed or changed, and the result is read
//! again to prove it.

mod file;
mod layout;
mod nodes;
mod sentence;
mod spacing;
mod wrap;

use crate::build::Builder;
use crate::diagnose::text_outside;
use crate::error::Finding;
use crate::parser::{Rule, Rules};
use crate::split::RawItem;
use pest::iterators::Tokens;

/// No line is longer than this many characters, except for a single token or a comment that is.
pub const WIDTH: usize = 110;

/// Blanks per level.
const STEP: usize = 4;

/// Why a file was not formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FmtError {
    /// The file does not parse. Places are relative to the file.
    Syntax(Vec<Finding>),
    /// The result would not have said the same as the file: a mistake in the formatter.
    Changed,
}

impl std::fmt::Display for FmtError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FmtError::Syntax(errors) => write!(f, "{} syntax errors; mend them before formatting", errors.len()),
            FmtError::Changed => {
                f.write_str("the formatted text would not say the same; this is a mistake in the formatter")
            }
        }
    }
}

impl std::error::Error for FmtError {}

/// Lays out a file. The result holds the same words, signs and comments in the same order, and is its own layout. Refuses a file that does not parse.
pub fn fmt(text: &str) -> Result<String, FmtError> {
    Rules::default().fmt(text)
}

/// How much work it is to break the lines of a file: how often a piece of it is looked at. It grows with the size of the file
/// and with nothing else. Refuses what [`fmt()`] refuses.
pub fn fmt_work(text: &str) -> Result<usize, FmtError> {
    counted(Rules::default(), text).map(|(_, work)| work)
}

impl Rules {
    /// Lays out a file by these rules, as [`fmt()`] does.
    pub fn fmt(self, text: &str) -> Result<String, FmtError> {
        counted(self, text).map(|(result, _)| result)
    }
}

/// The layout, and how much work the line breaking was.
fn counted(rules: Rules, text: &str) -> Result<(String, usize), FmtError> {
    let without_slips = |item: &str, steps: Tokens<'_, Rule>| {
        let mut builder = Builder::new(item, 0, steps);
        builder.item();
        builder.slips.errors.is_empty()
    };
    // What is wrong is looked for only where something is: a file is mostly whole.
    let parts = nodes::parts(rules, text, without_slips).map_err(|_| match errors(rules, text) {
        errors if errors.is_empty() => FmtError::Changed,
        errors => FmtError::Syntax(errors),
    })?;
    let (result, work) = file::file(text, &parts);
    let same = |after: Vec<nodes::Part>| nodes::lexemes(text, &parts) == nodes::lexemes(&result, &after);
    if nodes::parts(rules, &result, |_, _| true).is_ok_and(same) { Ok((result, work)) } else { Err(FmtError::Changed) }
}

/// What is wrong with the items of a file; places are relative to the file.
fn errors(rules: Rules, text: &str) -> Vec<Finding> {
    let wrong = |raw: RawItem| {
        let body = &text[raw.range.clone()];
        let errors = if raw.head.is_some() { rules.parse_item(body).1 } else { vec![text_outside(body)] };
        errors.into_iter().map(move |error| error.map(|span| span.shifted(raw.range.start as u32)))
    };
    rules.split(text).into_iter().flat_map(wrong).collect()
}
