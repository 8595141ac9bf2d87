//! What the clauses of an item say, as English.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::sync::Arc;

use super::prints::known;
use super::version::{DbContext, Version, in_context, lowered, read};
use crate::db::Db;
use crate::lower::wordings;

/// The labelled clauses of a version as English; none of one that has no meaning.
#[salsa::tracked]
pub(crate) fn worded<'db>(db: &'db dyn Db, version: Version<'db>) -> Arc<[String]> {
    let work_out = || {
        let (Some(read), Some(lowered)) = (read(db, version), lowered(db, version)) else { return Arc::from([]) };
        wordings(&read.item, &lowered.lowered, &DbContext::new(db)).into()
    };
    known(db, "worded", || in_context(db, version), work_out)
}
