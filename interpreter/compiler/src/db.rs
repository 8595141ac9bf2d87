//! The salsa database and the log of what ran.
//!
//! Salsa is used for text only, and only in this crate. Every stage is a plain function elsewhere; the
//! queries in [`crate::queries`] are thin wrappers that decide what depends on what.

use std::sync::{Arc, Mutex, PoisonError};

use netrep_store::Pack;
use salsa::{DatabaseKeyIndex, EventKind, Storage};

use crate::planted::Planted;

/// What the queries need from a database.
#[salsa::db]
pub trait Db: salsa::Database {
    /// What an earlier process has made of items, until something is edited.
    fn known(&self) -> Option<&Pack>;
    /// A mistake that is made on purpose.
    fn planted(&self) -> Option<Planted>;
}

/// The database.
#[salsa::db]
#[derive(Clone)]
pub(crate) struct CompilerDb {
    storage: Storage<Self>,
    log: Option<Log>,
    /// What an earlier process has made of items. Whoever finds something there depends on more than who makes it; so that no
    /// edit makes more to be worked out again than it must, it is left alone from the first edit on.
    pub(crate) known: Option<Arc<Pack>>,
    pub(crate) planted: Option<Planted>,
}

/// The keys of the queries whose bodies ran, in order. Names are looked up when the log is drained,
/// because the callback runs inside salsa and may not touch the database.
type Log = Arc<Mutex<Vec<DatabaseKeyIndex>>>;

impl CompilerDb {
    /// A database without a log, which costs nothing.
    pub(crate) fn silent() -> Self {
        CompilerDb { storage: Storage::new(None), log: None, known: None, planted: None }
    }

    /// A database that remembers which query bodies ran.
    pub(crate) fn logged() -> Self {
        let log = Log::default();
        let sink = Arc::clone(&log);
        let callback = move |event: salsa::Event| {
            if let EventKind::WillExecute { database_key } = event.kind {
                sink.lock().unwrap_or_else(PoisonError::into_inner).push(database_key);
            }
        };
        CompilerDb { storage: Storage::new(Some(Box::new(callback))), log: Some(log), known: None, planted: None }
    }

    /// The keys of the query bodies that ran since the last call.
    pub(crate) fn drain(&self) -> Vec<DatabaseKeyIndex> {
        let drained = |log: &Log| std::mem::take(&mut *log.lock().unwrap_or_else(PoisonError::into_inner));
        self.log.iter().flat_map(drained).collect()
    }
}

#[salsa::db]
impl salsa::Database for CompilerDb {}

#[salsa::db]
impl Db for CompilerDb {
    fn known(&self) -> Option<&Pack> {
        self.known.as_deref()
    }

    fn planted(&self) -> Option<Planted> {
        self.planted
    }
}
