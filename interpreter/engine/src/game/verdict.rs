//! What is answered about a submission or a number.

use netrep_ir::*;

use crate::game::setup::Fact;
use crate::position::set::ThingId;

/// Why something is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The clause that fails.
    pub clause: ClauseId,
    /// The phrase that fails, if it is one phrase.
    pub site: Option<SiteId>,
    /// The whole in words: the phrase and what it saw.
    pub text: String,
    /// The values it saw, by name.
    pub values: Vec<(String, String)>,
    /// Facts that, made true, would remove this reason; empty if none is known.
    pub mends: Vec<Fact>,
}

/// Whether and why a submission is legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it would be taken.
    pub legal: bool,
    /// The clause that licences it, or under which it was attempted.
    pub licence: ClauseId,
    /// Every condition that fails; never empty if it is not legal.
    pub reasons: Vec<Reason>,
    /// Facts that make it legal once they are true (verified on a copy); empty if none are known.
    pub would_be_legal_if: Vec<Fact>,
}

/// How a number comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// The printed, stored or defined value.
    pub base: i32,
    /// The modifiers in the order in which they apply.
    pub steps: Vec<DerivationStep>,
    /// The current value.
    pub value: i32,
}

/// One modifier's part in a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivationStep {
    /// The modifier's clause.
    pub clause: ClauseId,
    /// The thing that carries it, if one does.
    pub source: Option<ThingId>,
    /// What it does: `+2`, `-1 (not below 3)`, `= 5`.
    pub change: String,
    /// The value before.
    pub before: i32,
    /// The value after.
    pub after: i32,
}
