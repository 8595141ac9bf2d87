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
    entries: Vec<(Vec<LinkItem>, Linked)>,
    /// What was answered since the last edit, so that nothing need be asked of the items: profile, edit, answer; the latest
    /// last. Who runs scenarios asks for hundreds of profiles, and programs are large.
    answers: Vec<(Profile, u64, Linked)>,
}

/// Of more programs than this the one that was asked for longest ago is linked again.
const KEPT: usize = 8;

impl LinkCache {
    /// What was answered for a profile since an edit.
    pub(crate) fn answer(&mut self, profile: &Profile, edit: u64) -> Option<Linked> {
        let known = self.answers.iter().position(|(other, at, _)| *at == edit && other == profile)?;
        let answer = self.answers.remove(known);
        let linked = answer.2.clone();
        self.answers.push(answer);
        Some(linked)
    }

    /// Remembers an answer until the next edit.
    pub(crate) fn keep(&mut self, profile: &Profile, edit: u64, linked: &Linked) {
        self.answers.retain(|(other, at, _)| *at == edit && other != profile);
        if self.answers.len() >= KEPT {
            self.answers.remove(0);
        }
        self.answers.push((profile.clone(), edit, linked.clone()));
    }

    /// The program of these items, linked only if no profile had the same ones lately: a profile that asks by name for what
    /// its edition says anyway has the program of that edition.
    pub(crate) fn link(&mut self, items: Vec<LinkItem>) -> Linked {
        let entry = match self.entries.iter().position(|(others, _)| *others == items) {
            Some(index) => self.entries.remove(index),
            None => {
                let (program, diags) = super::link(&items);
                (items, (Arc::new(program), diags))
            }
        };
        let linked = entry.1.clone();
        if self.entries.len() >= KEPT {
            self.entries.remove(0);
        }
        self.entries.push(entry);
        linked
    }
}
