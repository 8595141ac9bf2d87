//! What can go wrong: every error names the clause at which it arose.

use std::fmt;

use netrep_ir::{ClauseId, SiteId};

/// Why the engine stopped. The game stays at the decision before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineError {
    /// What kind of failure.
    pub kind: ErrorKind,
    /// The clause that was being evaluated or executed.
    pub clause: ClauseId,
    /// Its label.
    pub label: String,
    /// The whole message, lower case.
    pub text: String,
}

/// The kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// More things than the capacity fixed at set-up.
    Overflow,
    /// A loop, or a cascade of triggers, ran beyond its bound.
    LoopBound,
    /// Two modifiers in one stage whose order matters and is not decided.
    OrderUndecided,
    /// A choice without anyone to make it.
    NoChooser,
    /// Several things where one is meant: who chooses or rolls, of which a number is asked, for which a procedure runs.
    Several,
    /// What is done names a role that nobody plays.
    Unplayed,
    /// A definition that leads back to itself.
    Recursion,
    /// A statement that cannot be executed as it stands (a value stored in a derived attribute, for instance).
    Unsound,
    /// A dice total outside its range, or a roll asked of what does not roll.
    Dice,
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.text, self.label)
    }
}

impl std::error::Error for EngineError {}

/// An error before its clause's label is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub kind: ErrorKind,
    pub clause: ClauseId,
    pub text: String,
}

impl Fault {
    pub(crate) fn new(kind: ErrorKind, clause: ClauseId, text: impl Into<String>) -> Fault {
        Fault { kind, clause, text: text.into() }
    }
}

/// Why a position cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// The clause that refuses it, if one does (an invariant).
    pub clause: Option<ClauseId>,
    /// The place in the source, if there is one.
    pub site: Option<SiteId>,
    /// The fact of the set-up that is at fault, by its number.
    pub fact: Option<usize>,
    /// What is wrong, lower case.
    pub text: String,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for SetupError {}
