//! What a player's client may be sent.

pub mod likeness;
pub(crate) mod view;
