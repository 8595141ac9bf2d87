//! The parser that pest makes of `pest/`, and the entry points.

use crate::build::Builder;
use crate::error::Finding;
use crate::recover;
use crate::tree::{Clause, Item, Token};
use pest::Parser;
use pest::iterators::{Pairs, Tokens};

/// The generated parser. `Rule` is its own.
mod generated {
    #![allow(missing_docs, reason = "pest writes it; each rule is told where it stands in `pest/`")]

    #[derive(pest_derive::Parser)]
    #[grammar = "pest/lexical.pest"]
    #[grammar = "pest/token.pest"]
    #[grammar = "pest/clause.pest"]
    #[grammar = "pest/heads.pest"]
    #[grammar = "pest/item.pest"]
    #[grammar = "pest/file.pest"]
    #[grammar = "pest/recovery.pest"]
    pub(super) struct Skeleton;
}

pub use generated::Rule;

/// What pest refuses: the farthest place that it reached.
pub(crate) struct Refused(pub(crate) usize);

impl Refused {
    fn at<R>(error: &pest::error::Error<R>) -> Refused {
        match error.location {
            pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => Refused(at),
        }
    }
}

/// What reads a text by a rule of `pest/`, which takes the whole text: `parse` of a parser of pest.
pub type Read = for<'t> fn(Rule, &'t str) -> Result<Pairs<'t, Rule>, pest::error::Error<Rule>>;

/// The rules by which texts are read; by default those of `pest/`. Everything follows from them, which is seen when they are
/// read by others of the same names.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    read: Read,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::read_by(generated::Skeleton::parse)
    }
}

impl Rules {
    /// The rules of another parser.
    pub fn read_by(read: Read) -> Rules {
        Rules { read }
    }

    /// The pairs of a rule that takes the whole text.
    pub(crate) fn pairs(self, rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Refused> {
        (self.read)(rule, text).map_err(|error| Refused::at(&error))
    }

    /// The pairs of a rule as a row of beginnings and ends.
    pub(crate) fn steps(self, rule: Rule, text: &str) -> Result<Tokens<'_, Rule>, Refused> {
        self.pairs(rule, text).map(Pairs::tokens)
    }

    /// Parses one item by these rules, as [`parse_item`] does.
    pub fn parse_item(self, text: &str) -> (Option<Item>, Vec<Finding>) {
        let strict = self.steps(Rule::item, text).map(|steps| {
            let mut builder = Builder::new(text, 0, steps);
            let item = builder.item();
            (item, builder)
        });
        match strict {
            Ok((item, builder)) => recover::finished(item, builder.slips),
            Err(refused) => recover::item(self, text, refused),
        }
    }
}

/// Parses one item, as [`crate::split()`] gives it. Spans are relative to `text`. There is an item, an error, or both:
/// the item then holds what is whole, and `faulty` what is not. Without an item there is no head.
pub fn parse_item(text: &str) -> (Option<Item>, Vec<Finding>) {
    Rules::default().parse_item(text)
}

/// Parses a list of clauses without an item around them, such as the content of a fenced scenario block.
pub fn parse_clauses(text: &str) -> Result<Vec<Clause>, Vec<Finding>> {
    let (clauses, slips) = recover::clauses(Rules::default(), text, 0, 0);
    let errors = recover::told(slips);
    if errors.is_empty() { Ok(clauses) } else { Err(errors) }
}

/// Parses a list of tokens on its own, such as a line of a scenario or a clause rendered as English. A full stop may
/// follow the tokens; it is no token.
pub fn parse_sentence(text: &str) -> Result<Vec<Token>, Vec<Finding>> {
    let (tokens, slips) = recover::words(Rules::default(), text);
    let errors = recover::told(slips);
    if errors.is_empty() { Ok(tokens) } else { Err(errors) }
}
