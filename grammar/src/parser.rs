//! The entry points: pest recognises, [`crate::build`] makes the tree, [`crate::diagnose`] explains a refusal.

use crate::depth::Scan;
use crate::error::{Code, SyntaxError};
use crate::tree::{Clause, Item, Token};
use crate::{build, depth, diagnose, heads, split};
use pest::Parser;
use pest::iterators::Pair;
use pest_derive::Parser;

/// The generated parser. `Rule` is its own.
#[derive(Parser)]
#[grammar = "pest/lexical.pest"]
#[grammar = "pest/token.pest"]
#[grammar = "pest/clause.pest"]
#[grammar = "pest/item.pest"]
pub(crate) struct Skeleton;

/// Parses one item, as [`crate::split()`] gives it. Spans are relative to `text`. There is an item or at least one
/// error, never both and never neither.
pub fn parse_item(text: &str) -> (Option<Item>, Vec<SyntaxError>) {
    match item(text) {
        Ok(item) => (Some(item), Vec::new()),
        Err(errors) => (None, errors),
    }
}

/// Parses a list of clauses without an item around them, such as the content of a fenced scenario block.
pub fn parse_clauses(text: &str) -> Result<Vec<Clause>, Vec<SyntaxError>> {
    let pair = recognise(Rule::clauses, text, diagnose::Goal::Clauses)?;
    build::clauses(pair).map_err(|error| vec![error])
}

/// Parses a list of tokens on its own, such as a line of a scenario or a clause rendered as English. A full stop may
/// follow the tokens; it is no token.
pub fn parse_sentence(text: &str) -> Result<Vec<Token>, Vec<SyntaxError>> {
    let pair = recognise(Rule::words, text, diagnose::Goal::Words)?;
    build::tokens(pair).map_err(|error| vec![error])
}

fn item(text: &str) -> Result<Item, Vec<SyntaxError>> {
    let start = Scan::new(text).find(|(_, byte)| *byte != b'\n').map_or(text.len(), |(at, _)| at);
    let solid = text.get(start..).unwrap_or_default();
    if !solid.is_empty() && heads::head_of(solid).is_none() {
        return Err(vec![split::outside_error(solid).map(|span| span.shifted(start as u32))]);
    }
    let pair = recognise(Rule::item, text, diagnose::Goal::Item)?;
    build::item(pair).map_err(|error| vec![error])
}

fn recognise<'t>(rule: Rule, text: &'t str, goal: diagnose::Goal) -> Result<Pair<'t, Rule>, Vec<SyntaxError>> {
    depth::check(text).map_err(|error| vec![error])?;
    let place = match Skeleton::parse(rule, text) {
        Ok(mut pairs) => match pairs.next() {
            Some(pair) => return Ok(pair),
            None => 0,
        },
        Err(error) => match error.location {
            pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
        },
    };
    let mut errors = diagnose::diagnose(text, goal);
    if errors.is_empty() {
        errors.push(unexpected(text, place));
    }
    errors.sort();
    Err(errors)
}

/// The error of last resort: names what stands at the farthest place that pest reached.
fn unexpected(text: &str, at: usize) -> SyntaxError {
    let word = diagnose::lexeme_at(text, at);
    let found = text.get(word.start as usize..word.end as usize).unwrap_or_default();
    let message =
        if found.is_empty() { "the text ends too early".to_owned() } else { format!("`{found}` is not expected here") };
    SyntaxError::new(Code::UnexpectedText, word, message).help("compare the words before it with a neighbouring clause")
}
