//! What was told last, and whether it still stands after an edit.
//!
//! Salsa says what an edit makes to be worked out again. But before it says that something need not be, it looks at all that this
//! was made from: at a hundred thousand answers, where one number of one card of 1,700 is edited. Mostly the items whose texts
//! are edited are enough: where
//!
//! - nothing was wrong with them and nothing is, under any choice of readings,
//! - other items see of them what they saw ([`Seen`]),
//! - they are to the whole what they were, but for the numbers that they print ([`are_alike`]),
//! - and nothing that was told points into their files, where places may have moved,
//!
//! what was told is told again, and of the other items salsa is asked nothing. In all other cases it is asked of everything.

use rustc_hash::FxHashMap;
use salsa::Id;
use salsa::plumbing::{AsId, FromId};

use crate::compiler::{Compiler, linked};
use crate::db::Db;
use crate::finding::Diagnostic;
use crate::inputs::SourceFile;
use crate::link::{LinkItem, are_alike};
use crate::queries::items::{Item, items};
use crate::queries::report::{item_diags, version_diags};
use crate::queries::seen::{Seen, is_used_whole, seen};
use crate::queries::version::{Version, lowered};

/// What was told last about everything.
#[derive(Debug)]
pub(crate) struct Standing {
    /// How often something had been edited.
    edits: u64,
    /// What was told of each item and between those of the default edition.
    told: Vec<Diagnostic>,
    /// Whether other choices of readings were looked at, and nothing was wrong.
    choices: bool,
    /// Under which amendments each item was looked at.
    versions: FxHashMap<Id, Vec<Id>>,
    /// Edited since: as they were.
    before: Vec<Before>,
}

/// The items of a file as they were before an edit of it.
#[derive(Debug)]
struct Before {
    file: SourceFile,
    items: Vec<Id>,
    /// The numbers of those whose texts are to be edited, and what was known of them.
    edited: Vec<(usize, Known)>,
}

/// What is known of an item with which nothing is wrong.
#[derive(Debug)]
struct Known {
    /// What others see of it.
    seen: Seen,
    /// What it is to the whole, under each of its amendments.
    linked: Vec<LinkItem>,
}

impl Standing {
    /// What was told after so many edits, and the items under all amendments that were looked at.
    pub(crate) fn new<'v>(
        edits: u64,
        told: Vec<Diagnostic>,
        versions: impl Iterator<Item = (Item<'v>, Version<'v>)>,
    ) -> Standing {
        let mut by_item: FxHashMap<Id, Vec<Id>> = FxHashMap::default();
        for (item, version) in versions {
            let of = by_item.entry(item.as_id()).or_default();
            if !of.contains(&version.as_id()) {
                of.push(version.as_id());
            }
        }
        Standing { edits, told, choices: false, versions: by_item, before: Vec::new() }
    }

    /// What was told of each item, if it was after so many edits.
    pub(crate) fn told(&self, edits: u64) -> Option<&Vec<Diagnostic>> {
        self.is_of(edits).then_some(&self.told)
    }

    /// Whether nothing was wrong with other choices after so many edits.
    pub(crate) fn are_choices_sound(&self, edits: u64) -> bool {
        self.choices && self.is_of(edits)
    }

    /// Remembers that nothing is wrong with other choices after so many edits.
    pub(crate) fn choices_are_sound(&mut self, edits: u64) {
        self.choices |= self.is_of(edits);
    }

    fn is_of(&self, edits: u64) -> bool {
        self.edits == edits && self.before.is_empty()
    }

    /// Looks at what these texts are about to change, after so many edits; false if what was told cannot stand.
    pub(crate) fn look(&mut self, db: &dyn Db, edits: u64, texts: &[(SourceFile, &str)]) -> bool {
        if !self.is_of(edits) {
            return false;
        }
        let before: Option<Vec<Before>> = texts.iter().map(|(file, text)| self.before(db, *file, text)).collect();
        let is_known = before.is_some();
        self.edits += texts.len() as u64;
        self.before.extend(before.into_iter().flatten());
        is_known
    }

    fn before(&self, db: &dyn Db, file: SourceFile, text: &str) -> Option<Before> {
        let path = &**file.path(db);
        let points_there =
            |diag: &Diagnostic| diag.place.file == path || diag.labels.iter().any(|label| label.place.file == path);
        if self.told.iter().any(points_there) {
            return None;
        }
        let items = items(db, file);
        let raw = netrep_grammar::split(text);
        if raw.len() != items.len() {
            return None;
        }
        let mut edited = Vec::new();
        for (nth, (item, raw)) in items.iter().zip(raw).enumerate() {
            if text.get(raw.range)? != &**item.text(db) {
                if is_used_whole(db, *item) {
                    return None;
                }
                edited.push((nth, self.known(db, *item)?));
            }
        }
        Some(Before { file, items: items.iter().map(AsId::as_id).collect(), edited })
    }

    /// What is known of an item; `None` where something is wrong with it, or others may see more of it.
    fn known(&self, db: &dyn Db, item: Item<'_>) -> Option<Known> {
        let seen = seen(db, item).filter(|_| item_diags(db, item).is_empty())?;
        let whole = |id: &Id| {
            let version = Version::from_id(*id);
            let follows = &lowered(db, version).as_ref()?.follows;
            let is_right = follows.is_empty() && version_diags(db, version).is_empty();
            linked(db, version).filter(|_| is_right)
        };
        let linked: Option<Vec<LinkItem>> = self.versions.get(&item.as_id())?.iter().map(whole).collect();
        Some(Known { seen, linked: linked? })
    }

    /// Whether all that was told stands after so many edits.
    pub(crate) fn stands(&mut self, db: &dyn Db, edits: u64) -> bool {
        let stands = self.edits == edits && self.before.iter().all(|before| self.is_left(db, before));
        if stands {
            // Two readings may amend one item in ways in which none was looked at alone.
            let edited = self.before.iter().flat_map(|before| &before.edited);
            self.choices &= edited.into_iter().all(|(_, known)| known.linked.len() == 1);
            self.before.clear();
        }
        stands
    }

    /// Whether an edit of a file has left everything as it was for all but the edited items.
    fn is_left(&self, db: &dyn Db, before: &Before) -> bool {
        let items = items(db, before.file);
        let is_alike = |(nth, old): &(usize, Known)| {
            let new = items.get(*nth).and_then(|item| self.known(db, *item));
            new.is_some_and(|new| {
                let mut both = old.linked.iter().zip(&new.linked);
                old.seen == new.seen
                    && old.linked.len() == new.linked.len()
                    && both.all(|(old, new)| are_alike(old, new))
            })
        };
        items.iter().map(AsId::as_id).eq(before.items.iter().copied()) && before.edited.iter().all(is_alike)
    }
}

/// So many files at most are looked at before they are edited.
const FEW: usize = 8;

impl Compiler {
    /// Looks at what is known of the items whose texts these files change, so that what was told need not be worked out again.
    pub(crate) fn look_before(&self, files: &[(&str, &str)]) {
        let mut standing = self.standing.borrow_mut();
        let Some(told) = &mut *standing else { return };
        let mut edited = Vec::new();
        let mut stands = files.len() <= FEW;
        for (path, text) in files.iter().take(FEW) {
            match self.source(path) {
                Some(file) if **file.text(&self.db) != **text => edited.push((file, *text)),
                Some(_) => {}
                None => stands = false,
            }
        }
        stands &= edited.is_empty() || told.look(&self.db, self.edits, &edited);
        if !stands {
            *standing = None;
        }
    }

    /// True if all that [`Compiler::check`] told last, and [`Compiler::check_choices`], still stands: since then only texts
    /// were edited that leave everything as it is for all items but their own.
    pub fn stands(&self) -> bool {
        let mut standing = self.standing.borrow_mut();
        let stands = standing.as_mut().is_some_and(|told| told.stands(&self.db, self.edits));
        if !stands {
            *standing = None;
        }
        stands
    }

    /// What was told last, if it still stands.
    pub(crate) fn told_still(&self) -> Option<Vec<Diagnostic>> {
        self.stands().then(|| self.standing.borrow().as_ref()?.told(self.edits).cloned()).flatten()
    }

    /// True if nothing was wrong with other choices of readings, and that still stands.
    pub(crate) fn are_choices_sound_still(&self) -> bool {
        self.stands() && self.standing.borrow().as_ref().is_some_and(|told| told.are_choices_sound(self.edits))
    }

    /// Remembers what is wrong with other choices of readings, if that is nothing.
    pub(crate) fn keep_choices(&self, wrong: &[Diagnostic]) {
        if let Some(told) = self.standing.borrow_mut().as_mut().filter(|_| wrong.is_empty()) {
            told.choices_are_sound(self.edits);
        }
    }
}
