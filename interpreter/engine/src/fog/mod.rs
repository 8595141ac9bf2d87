//! What a player's client may be sent.

pub mod likeness;
pub(crate) mod naming;
pub(crate) mod portrait;
pub(crate) mod view;
