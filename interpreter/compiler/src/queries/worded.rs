//! What the clauses of an item say, as English.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::sync::Arc;

use super::prints::known;
use super::version::{DbContext, LoweredItem, Read, Version, in_context, lowered, read};
use crate::db::Db;
use crate::lower::{self, Worded};

/// The labelled clauses and the sites of a version as English; none of one that has no meaning.
#[salsa::tracked]
pub(crate) fn worded<'db>(db: &'db dyn Db, version: Version<'db>) -> Arc<Worded> {
    let work_out = || {
        let meant = read(db, version).as_ref().zip(lowered(db, version).as_ref());
        let said =
            |(read, lowered): (&Read, &LoweredItem)| lower::worded(&read.item, &lowered.lowered, &DbContext::new(db));
        // total: what has no meaning is not linked
        Arc::new(meant.map(said).unwrap_or_default())
    };
    known(db, "worded", || in_context(db, version), work_out)
}
