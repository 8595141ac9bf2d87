//! What happened, as it was told to a player.

use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event", content = "text")]
pub enum Event {
    /// In words, with the clause that made it so, as this player may know it.
    Happened(String),
    /// The last answer was taken back, and all that came of it.
    TakenBack,
    /// The table stands where another game stands: one that was saved.
    Resumed,
}
