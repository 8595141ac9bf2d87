//! The machine that changes a position: one step of the top frame at a time, until somebody is asked.

pub(crate) mod answer;
pub(crate) mod chance;
pub(crate) mod complete;
pub(crate) mod create;
pub(crate) mod declared;
pub(crate) mod effects;
pub(crate) mod event;
pub(crate) mod execute;
pub(crate) mod moment;
pub(crate) mod procedure;
pub(crate) mod roll;
pub(crate) mod run;
pub(crate) mod standing;
pub(crate) mod window;
