//! What the linker is given.

use std::sync::Arc;

use netrep_grammar::tree::Item;

use crate::coords::Places;
use crate::layers::effective::EffectiveItem;
use crate::lower::{Lowered, Worded};

/// An item as the linker sees it.
#[derive(Clone, Debug)]
pub(crate) struct LinkItem {
    /// The item as it is in force.
    pub item: Arc<EffectiveItem>,
    /// What it means.
    pub lowered: Arc<Lowered>,
    /// Where it stands.
    pub places: Arc<Places>,
    /// The same as English; none where nobody reads it.
    pub worded: Option<Arc<Worded>>,
    /// The text of an item that is broken: what it says is not missing elsewhere.
    pub lost: Option<Arc<str>>,
}

impl LinkItem {
    /// What is left of an item that is broken: the names that others may still use.
    pub(crate) fn nameless(lowered: Arc<Lowered>, places: Arc<Places>, text: Arc<str>) -> Self {
        LinkItem {
            item: Arc::new(EffectiveItem::bare(Item::default())),
            lowered,
            places,
            worded: None,
            lost: Some(text),
        }
    }
}

impl LinkItem {
    /// True if it is the same value, as an unchanged query returns it again.
    pub(crate) fn is_same(&self, other: &LinkItem) -> bool {
        Arc::ptr_eq(&self.item, &other.item)
            && Arc::ptr_eq(&self.lowered, &other.lowered)
            && Arc::ptr_eq(&self.places, &other.places)
            && self.worded == other.worded
            && self.lost == other.lost
    }
}

impl PartialEq for LinkItem {
    fn eq(&self, other: &Self) -> bool {
        same(&self.lowered, &other.lowered)
            && same(&self.places, &other.places)
            && self.worded == other.worded
            && same(&self.item, &other.item)
            && self.lost == other.lost
    }
}

/// Equal, and quickly so if it is the same value: unchanged queries return the value they returned before.
fn same<T: PartialEq>(a: &Arc<T>, b: &Arc<T>) -> bool {
    Arc::ptr_eq(a, b) || a == b
}
