//! Programs that were linked before.
//!
//! Linking is done outside salsa: dense numbers depend on every item, so a query for it would run after
//! every edit anyway, and its result would keep every item's changes alive.

use std::sync::Arc;

use netrep_ir::Program;

use super::item::LinkItem;
use crate::finding::Diagnostic;
use crate::inputs::Profile;

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
        let (program, diags) = super::link(&items);
        let linked = (Arc::new(program), diags);
        if self.entries.len() >= KEPT {
            self.entries.remove(0);
        }
        self.entries.push((profile.clone(), items, linked.clone()));
        linked
    }
}
