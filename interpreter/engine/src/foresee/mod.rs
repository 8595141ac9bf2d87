//! What a declaration would do: read off its words ([`declared`]) or tried on a copy of the position ([`trial`]).

pub(crate) mod declared;
pub(crate) mod trial;
