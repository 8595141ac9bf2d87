//! The inputs: source files, the set of files, and the profile that a program is linked for.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::layers::date::Date;

/// A file of the data. Its text is set only when it differs, because salsa does not compare inputs.
#[salsa::input(debug)]
pub struct SourceFile {
    /// The path relative to the root of the data, with forward slashes.
    pub path: Arc<str>,
    /// The text; empty after the file was removed (salsa never forgets an input).
    pub text: Arc<str>,
}

/// Which files there are.
#[salsa::input(singleton)]
pub(crate) struct Workspace {
    /// The files, sorted by path: the order in which things are listed and found wrong.
    pub files: Vec<SourceFile>,
}

/// Which readings of the rules are in force: an edition, variants on top of it, and departures from them.
///
/// The default profile is the edition marked `default.` without departures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Profile {
    /// The edition's id; `None` = the one marked `default.`, or the base texts if none is.
    pub edition: Option<Arc<str>>,
    /// The ids of variants, whose readings are taken in place of the edition's.
    pub variants: Vec<Arc<str>>,
    /// Readings chosen in place of the edition's: ruling and reading.
    pub with: Vec<(Arc<str>, Arc<str>)>,
    /// Rulings left out.
    pub without: Vec<Arc<str>>,
    /// Only readings that were known on this day; what `with` names is chosen all the same.
    pub as_of: Option<Date>,
}

impl Profile {
    /// An edition without departures.
    pub fn edition(id: &str) -> Self {
        Profile { edition: Some(Arc::from(id)), ..Profile::default() }
    }

    /// The same with a variant.
    #[must_use]
    pub fn variant(mut self, id: &str) -> Self {
        self.variants.push(Arc::from(id));
        self
    }

    /// The same with another reading of a ruling.
    #[must_use]
    pub fn with(mut self, ruling: &str, reading: &str) -> Self {
        self.with.push((Arc::from(ruling), Arc::from(reading)));
        self
    }

    /// The same as of a day.
    #[must_use]
    pub fn as_of(mut self, day: Date) -> Self {
        self.as_of = Some(day);
        self
    }

    /// The same without a ruling.
    #[must_use]
    pub fn without(mut self, ruling: &str) -> Self {
        self.without.push(Arc::from(ruling));
        self
    }
}
