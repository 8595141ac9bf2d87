//! What a player's client may be sent.

pub(crate) mod likeness;
pub(crate) mod view;
