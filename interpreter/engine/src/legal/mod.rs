//! What may be submitted: one reading of every condition for the offer, the refusal and the re-check.

pub(crate) mod ahead;
pub(crate) mod conditions;
pub(crate) mod duties;
pub(crate) mod groups;
pub(crate) mod narrow;
pub(crate) mod offer;
pub(crate) mod once;
pub(crate) mod options;
pub(crate) mod windows;
