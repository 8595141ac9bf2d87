//! The reading of an item as it is kept.

use std::sync::Arc;

use netrep_store::Late;
use serde::{Deserialize, Serialize};

use super::version::Read;
use crate::finding::Finding;

use crate::layers::compose::Amended;
use crate::layers::effective::{EffectiveClause, EffectiveItem, SaidAbove};

/// What the reader makes of an item, without what is known of the item anyway.
#[derive(Serialize, Deserialize)]
pub(super) struct Said {
    clauses: Late<Vec<EffectiveClause>>,
    above: SaidAbove,
    findings: Vec<Finding>,
}

impl Said {
    pub(super) fn of(Read { item, findings }: Read) -> Said {
        Said { clauses: item.clauses.clone(), above: item.said_above(), findings }
    }

    pub(super) fn read(self, key: &Arc<str>, amended: &Amended) -> Read {
        let item = EffectiveItem::unread(Arc::clone(key), amended).with(self.clauses, self.above);
        Read { item: Arc::new(item), findings: self.findings }
    }
}
