//! Answers to decisions, as plain data.

use netrep_ir::*;
use serde::{Deserialize, Serialize};

use crate::position::set::ThingId;
use crate::position::value::Value;

/// An answer to a decision; illegal ones can be said too, and are refused with reasons.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Submission {
    /// Declare an action.
    Declare {
        /// Which.
        allowance: AllowanceId,
        /// The thing that carries it, or none for a rule's.
        this: Option<ThingId>,
        /// Which of the effects in force that allow this to this thing, the oldest first; 0 if it is no effect that does.
        #[serde(default, skip_serializing_if = "is_first")]
        effect: u16,
        /// The choices, in the order of its parameters.
        parameters: Vec<Value>,
    },
    /// Choose a thing.
    Pick(Value),
    /// Declare nothing, perform no step.
    Pass,
    /// Choose nothing.
    Decline,
    /// Do it.
    Yes,
    /// Do not.
    No,
    /// Take a branch.
    Branch(u16),
    /// Perform a step.
    Step(StepId),
    /// Take this one of the triggers or replacements next.
    Order(u16),
    /// The total of the dice.
    Dice(i32),
    /// The things of a shuffled place, lowest first.
    Shuffled(Vec<ThingId>),
}

impl Submission {
    /// The things that it names, each by itself: what carries an action, and what is chosen.
    pub fn things(&self) -> Vec<ThingId> {
        match self {
            Submission::Pick(value) => value.thing().into_iter().collect(),
            Submission::Declare { this, parameters, .. } => {
                this.iter().copied().chain(parameters.iter().filter_map(Value::thing)).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_first(effect: &u16) -> bool {
    *effect == 0
}
