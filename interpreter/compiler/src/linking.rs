//! What the linker is given, and the cache in front of it.
//!
//! Linking is done outside salsa: dense numbers depend on every item, so a query for it would run after
//! every edit anyway, and its result would keep every item's changes alive.

use std::sync::Arc;

use netrep_grammar::tree::Item;
use netrep_ir::Program;

use crate::coords::Places;
use crate::finding::Diagnostic;
use crate::inputs::Profile;
use crate::layers::effective::EffectiveItem;
use crate::lower::Lowered;

/// An item as the linker sees it.
#[derive(Clone, Debug)]
pub(crate) struct LinkItem {
    /// The item as it is in force.
    pub item: Arc<EffectiveItem>,
    /// What it means.
    pub lowered: Arc<Lowered>,
    /// Where it stands.
    pub places: Arc<Places>,
    /// The text of an item that is broken: what it says is not missing elsewhere.
    pub lost: Option<Arc<str>>,
}

impl LinkItem {
    /// What is left of an item that is broken: the names that others may still use.
    pub(crate) fn nameless(lowered: Arc<Lowered>, places: Arc<Places>, text: Arc<str>) -> Self {
        LinkItem { item: Arc::new(EffectiveItem::bare(Item::default())), lowered, places, lost: Some(text) }
    }
}

impl PartialEq for LinkItem {
    fn eq(&self, other: &Self) -> bool {
        same(&self.lowered, &other.lowered)
            && same(&self.places, &other.places)
            && same(&self.item, &other.item)
            && self.lost == other.lost
    }
}

/// Equal, and quickly so if it is the same value: unchanged queries return the value they returned before.
fn same<T: PartialEq>(a: &Arc<T>, b: &Arc<T>) -> bool {
    Arc::ptr_eq(a, b) || a == b
}

/// The linked program of a profile and what the linker found.
pub(crate) type Linked = (Arc<Program>, Vec<Diagnostic>);

/// Programs linked before, the latest last.
#[derive(Debug, Default)]
pub(crate) struct LinkCache {
    entries: Vec<(Profile, Vec<LinkItem>, Linked)>,
    /// What was answered since the last edit, so that nothing need be asked of the items: profile, edit, answer.
    answers: Vec<(Profile, u64, Linked)>,
}

/// Programs of more profiles than this are linked again.
const KEPT: usize = 8;

impl LinkCache {
    /// What was answered for a profile since an edit.
    pub(crate) fn answer(&self, profile: &Profile, edit: u64) -> Option<Linked> {
        let known = self.answers.iter().find(|(other, at, _)| *at == edit && other == profile);
        known.map(|(.., linked)| linked.clone())
    }

    /// Remembers an answer until the next edit.
    pub(crate) fn keep(&mut self, profile: &Profile, edit: u64, linked: &Linked) {
        self.answers.retain(|(other, at, _)| *at == edit && other != profile);
        self.answers.push((profile.clone(), edit, linked.clone()));
    }

    /// The program of these items, linked only if they differ from those of the last time.
    pub(crate) fn link(&mut self, profile: &Profile, items: Vec<LinkItem>) -> Linked {
        if let Some(index) = self.entries.iter().position(|(other, ..)| other == profile) {
            let entry = self.entries.remove(index);
            if entry.1 == items {
                let linked = entry.2.clone();
                self.entries.push(entry);
                return linked;
            }
        }
        let (program, diags) = crate::link::link(&items);
        let linked = (Arc::new(program), diags);
        if self.entries.len() >= KEPT {
            self.entries.remove(0);
        }
        self.entries.push((profile.clone(), items, linked.clone()));
        linked
    }
}
