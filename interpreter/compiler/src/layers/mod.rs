//! Layers: rulings with their readings, the documents in which they stand, and the editions that choose among them.
//!
//! An amendment replaces, changes, removes or adds labelled clauses of one card or rule. It is applied to the
//! skeleton of the item before anything is resolved, so that an amended clause is read with the scope of the
//! item that it stands in, exactly as if it had been printed there.

use std::sync::Arc;

use date::Date;

pub(crate) mod amend;
pub(crate) mod compose;
pub mod date;
pub mod document;
pub mod edition;
pub mod effective;
pub mod labels;
pub mod ruling;
pub mod said;
pub mod words;

/// What decides where two readings amend one clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// Nothing.
    #[default]
    None,
    /// As of a day: the later text wins over the earlier one.
    Dated(Date),
    /// The order of the edition.
    Ordered,
    /// It was asked for by name, and so stands above all others.
    Asked,
}

impl Rank {
    /// True if it is decided that the one that is applied later wins.
    pub(crate) fn yields(self, later: Rank) -> bool {
        match (self, later) {
            (_, Rank::Asked) => true,
            (Rank::Dated(one), Rank::Dated(other)) => one < other,
            (Rank::None, _) | (_, Rank::None) => false,
            _ => true,
        }
    }
}

/// An item that a layer can amend.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, salsa::SalsaValue)]
pub struct Target {
    /// Card or rule.
    pub head: TargetHead,
    /// The card's id or the rule's number.
    pub key: Arc<str>,
}

/// The two heads of items that layers can amend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TargetHead {
    /// A card, named by its id.
    Card,
    /// A rule, named by its number.
    Rule,
}

impl Target {
    /// The card of an id.
    pub(crate) fn card(id: &str) -> Self {
        Target { head: TargetHead::Card, key: Arc::from(id) }
    }

    /// The rule of a number.
    pub(crate) fn rule(number: &str) -> Self {
        Target { head: TargetHead::Rule, key: Arc::from(number) }
    }

    /// The head word of the item.
    pub fn word(&self) -> &'static str {
        match self.head {
            TargetHead::Card => "card",
            TargetHead::Rule => "rule",
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.word(), self.key)
    }
}
