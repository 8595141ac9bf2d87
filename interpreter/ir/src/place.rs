//! Where something stands in the sources.

use serde::{Deserialize, Serialize};

use crate::text::{Text, shared};

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file, relative to the root of the data.
    #[serde(deserialize_with = "shared")]
    pub file: Text,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Place {
    /// The place of what stands in no file, such as a question from outside.
    pub fn nowhere() -> Place {
        Place { file: Text::default(), start: 0, end: 0 }
    }

    /// True if `other` begins within this part of a file, such as an item; at the very end counts, because there stands what
    /// is missing.
    pub fn has_start_of(&self, other: &Place) -> bool {
        self.file == other.file && self.start <= other.start && other.start <= self.end
    }
}
