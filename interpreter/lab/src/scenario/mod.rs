//! Scenarios: positions, moves and expectations that a judge can read.
//!
//! A scenario is a fenced block of a Markdown file. [`mod@parse`] reads a file; what the conditions in it mean is
//! found out later, for a profile, by [`crate::prepare`].

use std::sync::Arc;

use netrep_compiler::Profile;
use netrep_compiler::layers::date::Date;
use netrep_grammar::tree::{Span, Token};
use netrep_ir::Place;
use serde::{Deserialize, Serialize};

use crate::problem::{Source, offset};

mod cases;
mod clauses;
mod given;
mod lines;
mod moved;
mod parse;
mod script;

pub(crate) use clauses::{cut, cut_word};
pub(crate) use lines::{entries, entry};
pub use parse::{Parsed, parse, parse_with};
pub(crate) use parse::{misspelt, parse_old};

/// A scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// Its name: what stands behind `scenario` on the opening fence.
    pub name: String,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    /// The prose above it.
    pub prose: String,
    /// Its text and place.
    pub source: Arc<Source>,
    /// The rules, cards or clauses that it decides.
    pub cites: Vec<Cite>,
    /// The edition and readings that it asks for.
    pub profile: Profile,
    /// For rolls that the script does not name.
    pub seed: Option<u64>,
    /// What is so at the start.
    pub given: Vec<Given>,
    /// The same as it is written, with the lines of the positions from which it starts.
    pub given_lines: Vec<GivenLine>,
    /// Moves and expectations, in order.
    pub script: Vec<Line>,
}

impl Scenario {
    /// Where it stands: the whole block.
    pub(crate) fn place(&self) -> Place {
        self.source.place(Span::new(0, offset(self.source.text.len())))
    }

    /// The profiles under which it is to be run, when nothing else says which edition is meant: its own, and
    /// that of each `under`. Its own is left out if every expectation names another.
    pub fn profiles(&self, default: &Profile) -> Vec<Profile> {
        let base = self.base_profile(default);
        let expects = || self.script.iter().filter(|line| line.what.expects());
        let mut profiles = Vec::new();
        if expects().any(|line| line.under.is_none()) || expects().next().is_none() {
            profiles.push(base.clone());
        }
        for line in &self.script {
            let Some(under) = &line.under else { continue };
            let profile = under.applied(&base);
            if !profiles.contains(&profile) {
                profiles.push(profile);
            }
        }
        profiles
    }

    /// True if something is played or expected under a reading of a ruling.
    pub(crate) fn asks_about(&self, ruling: &str) -> bool {
        self.script.iter().any(|line| match &line.under {
            Some(Under::Reading(asked, _) | Under::Without(asked)) => asked == ruling,
            _ => false,
        })
    }

    /// Its own edition and readings, and what they leave open from `default`.
    pub(crate) fn base_profile(&self, default: &Profile) -> Profile {
        let mut base = self.profile.clone();
        if base.edition.is_none() {
            base.edition.clone_from(&default.edition);
        }
        for (ruling, reading) in &default.with {
            if !base.with.iter().any(|(own, _)| own == ruling) && !base.without.contains(ruling) {
                base.with.push((ruling.clone(), reading.clone()));
            }
        }
        for variant in &default.variants {
            if !base.variants.contains(variant) {
                base.variants.push(variant.clone());
            }
        }
        base.as_of = base.as_of.or(default.as_of);
        for ruling in &default.without {
            if !base.without.contains(ruling) {
                base.without.push(ruling.clone());
            }
        }
        base
    }
}

/// A citation: an item, or an item and a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cite {
    /// As written, with single blanks.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A word of the script with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Name {
    /// The label or name.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A line of `given` as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GivenLine {
    /// Its text.
    pub text: String,
    /// The position or deck of which it is; none if it stands in the block itself.
    pub of: Option<String>,
}

/// Something that is so at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Given {
    /// Things of a class that are no cards, by their names.
    Mint {
        /// The class, as written.
        class: Name,
        /// Their names.
        names: Vec<Name>,
    },
    /// Cards in a place.
    Cards(CardsIn),
    /// A fact, in words.
    Fact(Vec<Token>, Span),
    /// A procedure that is running.
    Begin {
        /// Its name, as written.
        procedure: Name,
        /// What it is for.
        arguments: Vec<Argument>,
        /// The step in which it stands.
        step: Option<Name>,
    },
    /// A thing, and what is said of it in a line.
    Thing(Described),
    /// A player: what is said of him, and what lies in his places.
    Player {
        /// His name.
        name: Name,
        /// What is said of him in brackets.
        said: Vec<Token>,
        /// His places.
        piles: Vec<Pile>,
    },
    /// Where the game stands: what runs, outermost first, without what is understood by itself.
    At(Vec<Running>, Span),
    /// All that a position says.
    From(Name),
    /// The cards of a deck that is called by its name, and what the line says besides.
    Deck {
        /// Whose.
        owner: Name,
        /// Its name, in the place of all that says so.
        name: Name,
        /// What is said of the player, and lies in his places besides.
        more: Option<Box<Given>>,
    },
}

/// A thing that is no card, and what is said of it in a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Described {
    /// The class, as written.
    pub class: Name,
    /// Its name.
    pub name: Name,
    /// What is said up to the colon.
    pub links: Vec<Token>,
    /// What is listed behind it.
    pub list: Option<Vec<Token>>,
    /// The line.
    pub span: Span,
}

/// Cards in a place of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pile {
    /// Whose.
    pub owner: Name,
    /// The place, as written.
    pub place: Name,
    /// The cards.
    pub entries: Vec<Entry>,
}

/// A card of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// How many.
    pub copies: usize,
    /// Its name, or the label of one that is given elsewhere.
    pub card: Name,
    /// True for a name in quotes.
    pub is_card: bool,
    /// What it is called in the position.
    pub label: Option<Name>,
    /// What is said of it in brackets.
    pub said: Vec<Token>,
    /// It stands for cards that nobody names: those that the data declare for it.
    pub others: bool,
}

/// Something that runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Running {
    /// `STEP`, `PROCEDURE` or `STEP of PROCEDURE`.
    pub said: Name,
    /// What it is for.
    pub arguments: Vec<Argument>,
}

/// Cards in a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardsIn {
    /// The word for cards, as written; none where a line needs none.
    pub class: Option<Name>,
    /// Whose they are.
    pub owner: Option<Name>,
    /// The place, as written.
    pub place: Name,
    /// The cards, each with its label if it has one.
    pub cards: Vec<(Name, Option<Name>)>,
    /// The position names none of them: they are there so that something is.
    pub others: bool,
}

/// What a procedure is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Argument {
    /// A thing.
    Thing(Name),
    /// A number.
    Number(i32),
}

/// A line of the script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// What it does.
    pub what: What,
    /// Only under this reading or edition.
    pub under: Option<Under>,
    /// Where.
    pub span: Span,
}

/// What a line does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum What {
    /// A player's answer, by its words.
    Move {
        /// Who.
        by: Name,
        /// The answer is to his next decision in the course of this, and to no other.
        at: Option<Moment>,
        /// The words.
        words: String,
    },
    /// A player says no to every offer of the step.
    DeclineAll {
        /// Who.
        by: Name,
    },
    /// Everybody passes and declines up to there.
    Until(Until),
    /// The total of the next roll.
    Dice {
        /// The total.
        total: i32,
        /// What the roll must be for.
        subject: Option<String>,
    },
    /// A name for a thing that came to be in play.
    Let {
        /// The name.
        label: Name,
        /// The thing.
        phrase: Vec<Token>,
    },
    /// When a pile of a player is shuffled next, these cards come to lie on top.
    Stack {
        /// Whose pile.
        by: Name,
        /// The cards in words, the topmost first.
        cards: Vec<String>,
    },
    /// Something that must be so now.
    Expect(Expect),
    /// What must be so for each answer to the decision at hand, each tried on a copy of the game.
    Cases(Vec<Case>),
}

impl What {
    /// Whether something must be so for the script to pass.
    pub(crate) fn expects(&self) -> bool {
        matches!(self, What::Expect(_) | What::Cases(_))
    }
}

/// A procedure or a step that is running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Its name, as written.
    pub name: Name,
    /// What it is performed for.
    pub of: Option<Name>,
}

/// How far a script goes on by passing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Until {
    /// To the first decision in the course of this.
    Moment(Moment),
    /// To the next decision of a player.
    Asked(Name),
    /// To the end.
    Over,
}

/// One of several ways in which a script may go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// What parts it from the others.
    pub answer: CaseAnswer,
    /// What comes of it: moves and expectations.
    pub lines: Vec<Line>,
    /// Where it is named.
    pub span: Span,
}

/// What parts a case from the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CaseAnswer {
    /// The next roll has one of these totals.
    Dice {
        /// The totals.
        totals: Vec<i32>,
        /// What the roll must be for.
        subject: Option<String>,
    },
    /// The next roll has a total that no other case names.
    Else,
    /// A move.
    Move(Box<What>),
}

/// Something that must be so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Expect {
    /// A condition.
    Holds(Vec<Token>),
    /// The decision at hand is a player's and offers this.
    Offered {
        /// Who.
        by: Name,
        /// It is his next decision that does, however far away.
        next: bool,
        /// The words.
        words: String,
    },
    /// The decision at hand is a player's and he may not do this.
    Refused {
        /// Who.
        by: Name,
        /// It is his next decision at which this is something to try, however far away.
        next: bool,
        /// The words.
        words: String,
        /// Clauses that must be among the reasons.
        because: Vec<Cite>,
    },
    /// A condition is so, and a player can tell by his view; false: he cannot tell whether it is.
    Seen {
        /// Who.
        by: Name,
        /// The condition.
        cond: Vec<Token>,
        /// Whether he can tell.
        tells: bool,
    },
    /// Exactly these cards a player has drawn, in this order, since this was asked before.
    Drew {
        /// Who.
        by: Name,
        /// The cards in words.
        cards: Vec<String>,
    },
    /// Exactly these cards are in a place.
    Contents(CardsIn),
    /// Nothing is left to decide.
    Over,
}

/// The word with which a line begins that is said for another reading or edition.
pub(crate) const UNDER: &str = "under";

/// A reading or an edition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Under {
    /// An edition.
    Edition(String),
    /// A reading of a ruling.
    Reading(String, String),
    /// No reading of a ruling.
    Without(String),
    /// Only what was known on a day.
    AsOf(Date),
}

impl Under {
    /// A profile with this on top.
    pub(crate) fn applied(&self, base: &Profile) -> Profile {
        let mut profile = base.clone();
        match self {
            Under::Edition(id) => profile.edition = Some(Arc::from(id.as_str())),
            Under::Reading(ruling, reading) => {
                profile.with.retain(|(own, _)| **own != **ruling);
                profile = profile.with(ruling, reading);
            }
            Under::Without(ruling) => profile = profile.without(ruling),
            Under::AsOf(day) => profile = profile.as_of(*day),
        }
        profile
    }
}

/// The one of some scenarios, or the one with a part of its name. `Err`: in words, why it is not one.
///
/// # Errors
/// If none has the name, or several have.
pub fn one_of<'s>(all: &'s [Arc<Scenario>], name: Option<&str>) -> Result<&'s Arc<Scenario>, String> {
    let found: Vec<&Arc<Scenario>> = all.iter().filter(|s| name.is_none_or(|name| s.name.contains(name))).collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] if all.is_empty() => Err("no scenario is there".to_owned()),
        [] => Err("no scenario of the file has this name".to_owned()),
        several => {
            let names: Vec<String> = several.iter().map(|s| format!("\n  {}", s.name)).collect();
            Err(format!("the file has {} scenarios; say a part of the name of one:{}", several.len(), names.concat()))
        }
    }
}

/// A profile in words: its edition and its departures.
pub fn profile_words(profile: &Profile) -> String {
    // total: no edition is the default one, and is told so.
    let mut parts = vec![profile.edition.as_deref().unwrap_or("default").to_owned()];
    parts.extend(profile.variants.iter().map(|variant| variant.to_string()));
    parts.extend(profile.with.iter().map(|(ruling, reading)| format!("{ruling}={reading}")));
    parts.extend(profile.without.iter().map(|ruling| format!("without {ruling}")));
    parts.extend(profile.as_of.iter().map(|day| format!("as of {day}")));
    parts.join(" + ")
}
