//! What the clauses of an item say, as English.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::sync::Arc;

use super::prints::{in_context, known};
use super::version::{DbContext, Version, lowered, read};
use crate::db::Db;
use crate::lower::{self, Worded};

/// The labelled clauses and the sites of a version as English; `None` of one that has no meaning, and is not linked.
#[salsa::tracked]
pub(crate) fn worded<'db>(db: &'db dyn Db, version: Version<'db>) -> Option<Arc<Worded>> {
    let work_out = || {
        let (read, lowered) = (read(db, version).as_ref()?, lowered(db, version).as_ref()?);
        Some(Arc::new(lower::worded(&read.item, &lowered.lowered, &DbContext::new(db))))
    };
    known(db, "worded", || in_context(db, version), work_out)
}
