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
pub mod pattern;
pub mod reprint;
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
    /// A variant chose it, and stands above the edition: it and those on which it builds, each a bit by its place among those
    /// that are taken.
    Varied(u64),
    /// A variant chose it, and says what goes before what.
    Arranged,
    /// It was asked for by name, and so stands above all others.
    Asked,
}

impl Rank {
    /// True if it is decided that the one that is applied later wins.
    pub(crate) fn yields(self, later: Rank) -> bool {
        match (self, later) {
            (_, Rank::Asked) => true,
            (Rank::None | Rank::Dated(_) | Rank::Ordered, Rank::Varied(_) | Rank::Arranged) => true,
            (Rank::Varied(below), Rank::Varied(above)) => below != above && below & above == below,
            (Rank::Varied(_), Rank::Arranged) => false,
            (Rank::Dated(one), Rank::Dated(other)) => one < other,
            (Rank::None, _) | (_, Rank::None) => false,
            _ => true,
        }
    }
}

/// An item that a layer can amend.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, salsa::SalsaValue)]
pub struct Target {
    /// What kind of item it is.
    pub head: TargetHead,
    /// The card's id, the rule's number, the word that is declared.
    pub key: Arc<str>,
}

/// The heads of items that layers can amend. Cards and rules are named as they are everywhere, words with their head
/// and in quotes: `verb "wash"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TargetHead {
    /// A card, named by its id.
    Card,
    /// A rule, named by its number.
    Rule,
    /// What a verb needs and does.
    Verb,
    /// Which things a class has that is given by a condition.
    Class,
    /// What an adjective says.
    Adjective,
    /// What a relation says.
    Relation,
    /// What a defined figure, or a defined selection, is.
    Define,
    /// Which words serve the engine.
    Kernel,
    /// What a pattern stands for.
    Pattern,
}

impl TargetHead {
    /// The heads that are named with their word, and a name in quotes behind it.
    pub(crate) const NAMED_BY_WORD: [TargetHead; 7] = [
        TargetHead::Verb,
        TargetHead::Class,
        TargetHead::Adjective,
        TargetHead::Relation,
        TargetHead::Define,
        TargetHead::Kernel,
        TargetHead::Pattern,
    ];

    /// The head word of such items.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            TargetHead::Card => "card",
            TargetHead::Rule => "rule",
            TargetHead::Verb => "verb",
            TargetHead::Class => "class",
            TargetHead::Adjective => "adjective",
            TargetHead::Relation => "relation",
            TargetHead::Define => "define",
            TargetHead::Kernel => "kernel",
            TargetHead::Pattern => "pattern",
        }
    }

    /// The head of items that begin with a word.
    pub(crate) fn of(word: &str) -> Option<TargetHead> {
        let all = [TargetHead::Card, TargetHead::Rule].into_iter().chain(TargetHead::NAMED_BY_WORD);
        all.into_iter().find(|head| head.word() == word)
    }

    /// Whether what it says may stand in its header, behind a colon or an equals sign, and be amended there.
    pub(crate) fn says_in_header(self) -> bool {
        match self {
            TargetHead::Class | TargetHead::Adjective | TargetHead::Relation | TargetHead::Define => true,
            TargetHead::Card | TargetHead::Rule | TargetHead::Verb | TargetHead::Kernel | TargetHead::Pattern => false,
        }
    }
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
        self.head.word()
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.head {
            TargetHead::Card | TargetHead::Rule => write!(f, "{} {}", self.word(), self.key),
            _ => write!(f, "{} \"{}\"", self.word(), self.key),
        }
    }
}
