//! A position as plain data: things, sets of them, the columns and bits in which facts lie, the stack, the history; and
//! beside it what can be worked out of it again (the other side of a game that never changes, caches, logs). Nothing is
//! evaluated here.

pub(crate) mod cache;
pub(crate) mod consulted;
pub(crate) mod copies;
pub(crate) mod effects;
pub(crate) mod error;
pub(crate) mod glimpses;
pub(crate) mod grounds;
pub(crate) mod grow;
pub(crate) mod hash;
pub(crate) mod kept;
pub(crate) mod labels;
pub(crate) mod link;
pub(crate) mod names;
pub(crate) mod observed;
pub(crate) mod pairs;
pub(crate) mod retold;
pub(crate) mod set;
pub(crate) mod sight;
pub(crate) mod snapshot;
pub(crate) mod stack;
pub(crate) mod state;
pub(crate) mod submission;
pub(crate) mod table;
pub(crate) mod tally;
pub(crate) mod trace;
pub(crate) mod tried;
pub(crate) mod value;
pub(crate) mod veil;
pub(crate) mod verify;
pub(crate) mod versions;
