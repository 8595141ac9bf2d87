//! Questions to a position: selections, numbers, conditions, modifiers and norms in force, what happened, and words. Nothing
//! here changes a position; a viewer's eyes ([`eyes`]) are put before the same questions.

pub(crate) mod alike;
pub(crate) mod alone;
pub(crate) mod answered;
pub(crate) mod answers;
pub(crate) mod apiece;
pub(crate) mod at_once;
pub(crate) mod attempt;
pub(crate) mod carried;
pub(crate) mod eval;
pub(crate) mod eyes;
pub(crate) mod fold;
pub(crate) mod glimpsed;
pub(crate) mod history;
pub(crate) mod in_force;
pub(crate) mod living;
pub(crate) mod relation;
pub(crate) mod roles;
pub(crate) mod running;
pub(crate) mod seats;
pub(crate) mod seen_values;
pub(crate) mod spared;
pub(crate) mod terms;
pub(crate) mod words;
