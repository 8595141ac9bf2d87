//! Answers to why: what allows something, what stands against it, and how a number comes about.

use std::fmt;

use netrep_engine::{Derivation as Derived, Game, Verdict};
use netrep_ir::{AttrId, ClauseId, Program, ValueKind};
use netrep_lab::narrate::fact_words;
use netrep_lab::report::citation;
use netrep_lab::words::{folded, nearest_name, tokens};
use serde::Serialize;

use crate::error::{Error, ErrorKind, meant_instead};

/// A clause of a rule or card, as it is cited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Citation {
    /// Its label: the number of the rule or the id of the card, and the name of the clause.
    pub label: String,
    /// How it is cited on the card of which that one is a reprint, if it is said there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reprints: Option<String>,
    /// The title of its rule, or the name of its card.
    pub title: String,
    /// The clause in words.
    pub text: String,
    /// The reading of a ruling that set it; empty for the base text.
    pub set_by: String,
    /// The documents that it cites.
    pub sources: Vec<String>,
    /// The file in which it stands, from the root of the data.
    pub file: String,
}

/// Why something is possible, or is not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// What it is about, in words.
    pub words: String,
    /// Whether it is possible.
    pub is_legal: bool,
    /// The clause that allows it, or under which it was tried.
    pub by: Citation,
    /// Everything that stands against it; empty if it is possible.
    pub reasons: Vec<Reason>,
    /// What would have to be otherwise; empty if nothing is known, and always for what one player is told, because it might be
    /// something hidden.
    pub would_be_legal_if: Vec<String>,
}

/// Something that stands against an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The condition that fails, and what it saw.
    pub words: String,
    /// The values that it saw, by name.
    pub values: Vec<(String, String)>,
    /// Its clause.
    pub by: Citation,
}

/// How a number comes about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Derivation {
    /// Before modifiers.
    pub base: i32,
    /// The modifiers, in the order in which they apply.
    pub changes: Vec<Change>,
    /// The number.
    pub value: i32,
}

/// A modifier's part in a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What it does, such as `+2`.
    pub words: String,
    /// The number before.
    pub before: i32,
    /// The number after.
    pub after: i32,
    /// Its clause.
    pub by: Citation,
}

impl Citation {
    pub(crate) fn of(program: &Program, clause: ClauseId) -> Citation {
        let cited = citation(program, clause);
        Citation {
            label: cited.label,
            reprints: cited.reprints,
            title: cited.title,
            text: cited.text,
            set_by: cited.setter,
            sources: cited.sources,
            file: cited.file,
        }
    }
}

impl Explanation {
    pub(crate) fn of(game: &Game, words: String, verdict: &Verdict) -> Explanation {
        let program = game.program();
        let reason = |reason: &netrep_engine::Reason| Reason {
            words: reason.text.clone(),
            values: reason.values.clone(),
            by: Citation::of(program, reason.clause),
        };
        Explanation {
            words,
            is_legal: verdict.legal,
            by: Citation::of(program, verdict.licence),
            reasons: verdict.reasons.iter().map(reason).collect(),
            would_be_legal_if: verdict.would_be_legal_if.iter().map(|mend| fact_words(game, mend)).collect(),
        }
    }
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} — {}", self.label, self.title)?;
        if let Some(reprints) = &self.reprints {
            write!(f, ", reprint of {reprints}")?;
        }
        if !self.set_by.is_empty() {
            write!(f, ", set by {}", self.set_by)?;
        }
        if !self.sources.is_empty() {
            write!(f, ", after {}", self.sources.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_legal {
            return write!(f, "{} is possible by {}", self.words, self.by);
        }
        write!(f, "{} is not possible", self.words)?;
        for reason in &self.reasons {
            write!(f, "\n  because {} ({})", reason.words, reason.by)?;
        }
        if !self.would_be_legal_if.is_empty() {
            write!(f, "\n  it would be possible if {}", self.would_be_legal_if.join(" and "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} base", self.base)?;
        self.changes.iter().try_for_each(|change| write!(f, "\n{} {} ({})", change.after, change.words, change.by))
    }
}

/// A number of one of some things, worked out by `derive`, which gives nothing for what may not be known.
pub(crate) fn number<T>(
    game: &Game,
    things: &[(String, T)],
    thing: &str,
    number: &str,
    derive: &dyn Fn(AttrId, &T) -> Option<Derived>,
) -> Result<Derivation, Error> {
    let unknown = |text: String| Error::new(ErrorKind::Unknown, text);
    let bare = |words: &str| folded(words.trim_matches('"'));
    let found = things.iter().find(|(words, _)| tokens(words) == tokens(thing) || bare(words) == bare(thing));
    let Some((_, found)) = found else {
        let near = nearest_name(thing, things.iter().map(|(words, _)| words.trim_matches('"')));
        let near = meant_instead(near);
        return Err(unknown(format!("nothing is called `{thing}`{near}")));
    };
    let program = game.program();
    let numbers = || program.attrs.iter().enumerate().filter(|(_, attr)| matches!(attr.kind, ValueKind::Number));
    let Some((attr, _)) = numbers().find(|(_, attr)| folded(&attr.name) == folded(number)) else {
        let near = nearest_name(number, numbers().map(|(_, attr)| attr.name.as_str()));
        let near = meant_instead(near);
        return Err(unknown(format!("no number is called `{number}`{near}")));
    };
    let derived = derive(AttrId::from_index(attr), found)
        .ok_or_else(|| unknown(format!("{thing} has no {number}, or it hangs on something that is hidden")))?;
    let change = |step: &netrep_engine::DerivationStep| Change {
        words: step.change.clone(),
        before: step.before,
        after: step.after,
        by: Citation::of(program, step.clause),
    };
    Ok(Derivation { base: derived.base, changes: derived.steps.iter().map(change).collect(), value: derived.value })
}
