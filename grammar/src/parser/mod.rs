//! The parser that pest makes of `pest/`, and the entry points.

use crate::build::Builder;
use crate::error::Finding;
use crate::recover;
use crate::tree::{Clause, Item, Token};
use pest::Parser;
use pest::iterators::{Pairs, Tokens};
use pest_derive::Parser;

#[cfg(test)]
mod changed;

/// The generated parser. `Rule` is its own.
#[derive(Parser)]
#[grammar = "pest/lexical.pest"]
#[grammar = "pest/token.pest"]
#[grammar = "pest/clause.pest"]
#[grammar = "pest/heads.pest"]
#[grammar = "pest/item.pest"]
#[grammar = "pest/file.pest"]
#[grammar = "pest/recovery.pest"]
struct Skeleton;

/// What pest refuses: the farthest place that it reached.
pub(crate) struct Refused(pub(crate) usize);

impl Refused {
    fn at<R>(error: &pest::error::Error<R>) -> Refused {
        match error.location {
            pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => Refused(at),
        }
    }
}

/// The pairs of a rule that takes the whole text.
pub(crate) fn pairs(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Refused> {
    #[cfg(test)]
    if let Some(found) = changed::pairs(rule, text) {
        return found;
    }
    Skeleton::parse(rule, text).map_err(|error| Refused::at(&error))
}

/// The pairs of a rule as a row of beginnings and ends.
pub(crate) fn steps(rule: Rule, text: &str) -> Result<Tokens<'_, Rule>, Refused> {
    pairs(rule, text).map(Pairs::tokens)
}

/// Parses one item, as [`crate::split()`] gives it. Spans are relative to `text`. There is an item, an error, or both:
/// the item then holds what is whole, and `faulty` what is not. Without an item there is no head.
pub fn parse_item(text: &str) -> (Option<Item>, Vec<Finding>) {
    let strict = steps(Rule::item, text).map(|steps| {
        let mut builder = Builder::new(text, 0, steps);
        let item = builder.item();
        (item, builder)
    });
    match strict {
        Ok((item, builder)) => recover::finished(item, builder.slips),
        Err(refused) => recover::item(text, refused),
    }
}

/// Parses a list of clauses without an item around them, such as the content of a fenced scenario block.
pub fn parse_clauses(text: &str) -> Result<Vec<Clause>, Vec<Finding>> {
    let (clauses, slips) = recover::clauses(text, 0, 0);
    let errors = recover::told(slips);
    if errors.is_empty() { Ok(clauses) } else { Err(errors) }
}

/// Parses a list of tokens on its own, such as a line of a scenario or a clause rendered as English. A full stop may
/// follow the tokens; it is no token.
pub fn parse_sentence(text: &str) -> Result<Vec<Token>, Vec<Finding>> {
    let (tokens, slips) = recover::words(text);
    let errors = recover::told(slips);
    if errors.is_empty() { Ok(tokens) } else { Err(errors) }
}
