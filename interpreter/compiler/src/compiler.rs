//! The compiler as its users see it: files in, programs and findings out.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::{NotTheSame, Refiling, Seat, refile};
use netrep_ir::Place;
use netrep_store::Store;
use salsa::Setter;

use crate::beside::Beside;
use crate::db::{CompilerDb, Db};
use crate::events::{Event, describe};
use crate::filing::Filing;
use crate::finding::Diagnostic;
use crate::inputs::{Profile, SourceFile, Workspace};
use crate::kept::{self, Kept};
use crate::layout::Layout;
use crate::link::{LinkCache, LinkItem, Linked, Order, Verified};
use crate::load::{self, Inventory};
use crate::lower::Lowered;
use crate::phrase::tree::TermKind;
use crate::planted::Planted;
use crate::queries::advice::advice;
use crate::queries::alike::once;
use crate::queries::between::between_print;
use crate::queries::causes::fold;
use crate::queries::circles::{circle_diags, is_circular};
use crate::queries::filing::{filing, misplaced, seats};
use crate::queries::items::{Item, title_of};
use crate::queries::layers::{ProfileKey, active, amendments, editions, ruling_outline, rulings, target_item};
use crate::queries::layout::layouts;
use crate::queries::names::{Name, all_items, named, names};
use crate::queries::report::{STANDS, header_place, index_diags, item_diags, places, version_diags};
use crate::queries::suspects::{causes_first, gather, in_one_clause, is_unread};
use crate::queries::terms::vocabulary;
use crate::queries::version::{ItemIn, Version, lowered, read, version_of, versions_of_reading, versions_under};
use crate::queries::worded::worded;
use crate::retired::Retired;
use crate::unmoved::Standing;

/// A compiler: the files, and everything that was ever worked out about them.
///
/// After an edit only what depends on it is worked out again; [`Compiler::events`] shows what that was.
pub struct Compiler {
    pub(crate) db: CompilerDb,
    workspace: Workspace,
    /// Every file that there ever was, by path.
    files: BTreeMap<Arc<str>, SourceFile>,
    /// Descriptions of queries that ran before the last edit: their keys may be gone after it.
    past_events: Vec<Event>,
    linked: RefCell<LinkCache>,
    pub(crate) beside: RefCell<Beside>,
    order: RefCell<Order>,
    /// What is wrong between the items of the default edition.
    verified: RefCell<Verified>,
    /// What was told last, which mostly stands after an edit.
    pub(crate) standing: RefCell<Option<Standing>>,
    /// How often something was edited.
    pub(crate) edits: u64,
    /// What is wrong with files as files.
    loading: Vec<Diagnostic>,
    pub(crate) kept: Option<Kept>,
}

impl Default for Compiler {
    fn default() -> Self {
        Compiler::new()
    }
}

impl Compiler {
    /// A compiler without files.
    pub fn new() -> Self {
        Compiler::on(CompilerDb::silent())
    }

    /// A compiler that remembers which queries ran, see [`Compiler::events`]. Somewhat slower.
    pub fn logged() -> Self {
        Compiler::on(CompilerDb::logged())
    }

    fn on(db: CompilerDb) -> Self {
        let workspace = Workspace::new(&db, Vec::new());
        Compiler {
            db,
            workspace,
            files: BTreeMap::new(),
            past_events: Vec::new(),
            linked: RefCell::default(),
            beside: RefCell::default(),
            order: RefCell::default(),
            verified: RefCell::default(),
            standing: RefCell::default(),
            edits: 0,
            loading: Vec::new(),
            kept: None,
        }
    }

    /// From now on takes from a store what was worked out about exactly these files in an earlier process, and keeps there
    /// what takes long; `place` says where the files are. From the first edit on neither is done: then it is known here what
    /// must be worked out again.
    pub fn keep_in(&mut self, store: Arc<Store>, place: &str) {
        let files = kept::print(&self.texts(), &self.loading);
        self.db.known = kept::items(&store, place).map(Arc::new);
        self.kept = Some(Kept::of(store, place, self.edits, files));
    }

    /// Makes a mistake on purpose from now on, to see whether it is noticed: before anything is asked.
    pub fn plant(&mut self, planted: Planted) {
        self.db.planted = Some(planted);
    }

    /// What was worked out about the files before, if they are as they were when they were loaded.
    pub fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref().filter(|kept| kept.is_of(self.edits))
    }

    /// Every file with its text, sorted by path.
    fn texts(&self) -> Vec<(Arc<str>, Arc<str>)> {
        self.paths().into_iter().filter_map(|path| self.text(&path).map(|text| (path, text))).collect()
    }

    // ---- files

    /// Takes the files of a data folder (`rules/`, `cards/`) in place of all that are there.
    pub fn load_dir(&mut self, root: &Path) -> io::Result<()> {
        self.take(load::read_folder(root)?);
        Ok(())
    }

    /// Takes the files of an inventory in place of all that are there, and what is wrong with them.
    pub fn take(&mut self, inventory: Inventory) {
        let loaded = inventory.files;
        let gone: Vec<Arc<str>> =
            self.paths().into_iter().filter(|path| !loaded.iter().any(|(kept, _)| **kept == **path)).collect();
        for path in gone {
            self.remove_file(&path);
        }
        self.set_files(loaded.iter().map(|(path, text)| (&**path, &**text)));
        self.edits += 1;
        self.loading = inventory.wrong;
    }

    /// Sets the text of a file; true if that changed anything.
    pub fn set_file(&mut self, path: &str, text: &str) -> bool {
        self.set_files([(path, text)])
    }

    /// Sets the texts of several files at once; true if that changed anything.
    pub fn set_files<'a>(&mut self, files: impl IntoIterator<Item = (&'a str, &'a str)>) -> bool {
        let mut changed = false;
        let mut present: BTreeSet<Arc<str>> = self.paths().into_iter().collect();
        let before = present.len();
        let files: Vec<(&str, &str)> = files.into_iter().collect();
        self.look_before(&files);
        for (path, text) in files {
            let path: Arc<str> = Arc::from(path);
            match self.files.get(&path).copied() {
                None => {
                    let file = SourceFile::new(&self.db, Arc::clone(&path), Arc::from(text));
                    self.files.insert(Arc::clone(&path), file);
                }
                Some(file) if **file.text(&self.db) != *text => {
                    self.begin_edit();
                    file.set_text(&mut self.db).to(Arc::from(text));
                    self.loading.retain(|diag| diag.place.file != *path);
                    changed = true;
                }
                Some(_) => {}
            }
            present.insert(path);
        }
        if present.len() != before {
            self.set_present(&present);
            changed = true;
        }
        changed
    }

    /// Removes a file; false if there is none.
    pub fn remove_file(&mut self, path: &str) -> bool {
        let mut present: BTreeSet<Arc<str>> = self.paths().into_iter().collect();
        let removed = present.remove(path);
        if removed {
            self.set_present(&present);
            if let Some(file) = self.files.get(path).copied() {
                file.set_text(&mut self.db).to(Arc::from(""));
            }
        }
        removed
    }

    /// The paths of the files, sorted.
    pub fn paths(&self) -> Vec<Arc<str>> {
        self.workspace.files(&self.db).iter().map(|file| Arc::clone(file.path(&self.db))).collect()
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<Arc<str>> {
        let file = self.files.get(path)?;
        self.workspace.files(&self.db).contains(file).then(|| Arc::clone(file.text(&self.db)))
    }

    /// A file as the queries know it; what was removed has no text.
    pub(crate) fn source(&self, path: &str) -> Option<SourceFile> {
        self.files.get(path).copied()
    }

    /// Notes that something is about to be edited: what comes of it is not what an earlier process knew.
    fn begin_edit(&mut self) {
        self.keep_events();
        self.edits += 1;
        self.db.known = None;
    }

    fn set_present(&mut self, present: &BTreeSet<Arc<str>>) {
        self.begin_edit();
        let files = present.iter().filter_map(|path| self.files.get(path).copied()).collect();
        self.workspace.set_files(&mut self.db).to(files);
    }

    // ---- results

    /// Everything that is wrong with each item, under every edition and every reading, and between the items of the
    /// default edition, and advice; sorted by place.
    pub fn check(&self) -> Vec<Diagnostic> {
        kept::or_else(self.kept(), "check", &(), || self.checked())
    }

    fn checked(&self) -> Vec<Diagnostic> {
        if let Some(told) = self.told_still() {
            return told;
        }
        // Diagnostics need the names of the whole, not its numbers.
        let Items { items, mut versions, mut diags } = self.link_items(&Profile::default());
        let verified = || self.verified.borrow_mut().of(items).to_vec();
        let between = kept::unless_right(self.kept(), "sound", || between_print(&self.db), verified);
        let is_sound = between.is_empty();
        diags.extend(between);
        // The default profile is an edition, and said below with its name.
        diags.retain(|diag| diag.code != TOGETHER);
        for item in all_items(&self.db) {
            let version = Version::base(&self.db, *item);
            diags.extend_from_slice(version_diags(&self.db, version));
            versions.push(version);
        }
        for ruling in rulings(&self.db) {
            for reading in 0..ruling_outline(&self.db, ruling).len() {
                for version in versions_of_reading(&self.db, ruling, reading) {
                    diags.extend(self.amended_diags(*version));
                    versions.push(*version);
                }
            }
        }
        for edition in editions(&self.db) {
            let profile = Profile::edition(edition.key(&self.db));
            let key = ProfileKey::new(&self.db, profile);
            for target in amendments(&self.db, key).keys() {
                if let Some(item) = target_item(&self.db, target) {
                    let version = version_of(&self.db, ItemIn::new(&self.db, item, key));
                    // Each reading may be right by itself; then it is the edition that brings them together.
                    let both = |diag: &Diagnostic| match diag.code {
                        TOGETHER => {
                            let text = format!("edition `{}` chooses both", edition.key(&self.db));
                            diag.clone().and(header_place(&self.db, edition), text)
                        }
                        _ => diag.clone(),
                    };
                    diags.extend(self.amended_diags(version).iter().map(both));
                    versions.push(version);
                }
            }
        }
        diags.extend_from_slice(advice(&self.db));
        diags.extend(misplaced(&self.db).cloned());
        let told = self.with_retired(told(&self.db, &versions, self.with_loading(diags)));
        // What is wrong between items may hang on any of them.
        let versions = versions.iter().map(|version| (version.item(&self.db), *version));
        let standing = is_sound.then(|| Standing::new(self.edits, told.clone(), versions));
        *self.standing.borrow_mut() = standing;
        told
    }

    /// Words and sentences that are no longer said: those of the language, and those that the data name.
    pub fn retired(&self) -> Retired {
        let kernels = all_items(&self.db).iter().filter(|item| item.head(&self.db) == Some("kernel"));
        let lowered = kernels.filter_map(|item| lowered(&self.db, Version::base(&self.db, *item)).as_ref());
        let procedures = vocabulary(&self.db).order.iter().map(|one| &one.term.key);
        let procedures = procedures.filter(|key| key.kind == TermKind::Procedure);
        let retired = Retired::with(lowered.flat_map(|lowered| lowered.lowered.retired.iter().cloned()));
        retired.with_procedures(procedures.map(|key| &*key.name))
    }

    /// The same diagnostics, where what is no longer said is told as such.
    fn with_retired(&self, diags: Vec<Diagnostic>) -> Vec<Diagnostic> {
        if !diags.iter().any(|diag| is_unread(diag.code)) {
            return diags;
        }
        let retired = self.retired();
        let told = |diag: Diagnostic| match self.text(&diag.place.file) {
            Some(text) if is_unread(diag.code) => retired.told(&text, diag),
            _ => diag,
        };
        diags.into_iter().map(told).collect()
    }

    /// Every error of the items of a file, each at its place and none folded under another.
    pub fn mistakes(&self, path: &str) -> Vec<Diagnostic> {
        let mut diags = Vec::new();
        for item in self.source(path).into_iter().flat_map(|file| crate::queries::items::items(&self.db, file)) {
            diags.extend_from_slice(item_diags(&self.db, *item));
            diags.extend_from_slice(version_diags(&self.db, Version::base(&self.db, *item)));
            if item.head(&self.db) == Some("ruling") {
                for reading in 0..ruling_outline(&self.db, *item).len() {
                    let versions = versions_of_reading(&self.db, *item, reading);
                    diags.extend(versions.iter().flat_map(|version| self.amended_diags(*version)));
                }
            }
        }
        diags.retain(|diag| diag.is_error() && diag.place.file == path);
        diags.sort();
        diags.dedup();
        diags
    }

    /// What is wrong with an item under amendments, without what the amendments make of a clause that is wrong without them.
    fn amended_diags(&self, version: Version<'_>) -> Vec<Diagnostic> {
        let diags = version_diags(&self.db, version);
        let base = version_diags(&self.db, Version::base(&self.db, version.item(&self.db)));
        let spoilt = |diag: &Diagnostic| {
            let other = |one: &&Diagnostic| one.is_error() && in_one_clause(&self.db, &one.place, &diag.place);
            !base.contains(diag) && base.iter().any(|one| other(&one))
        };
        diags.iter().filter(|diag| base.is_empty() || !spoilt(diag)).cloned().collect()
    }

    /// What is wrong with files as files comes to it, and each sign that another encoding has spoilt is told once, with it.
    fn with_loading(&self, mut diags: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let is_told = |diag: &Diagnostic| {
            diag.code == Code::StrayCharacter && self.loading.iter().any(|one| one.place.file == diag.place.file)
        };
        diags.retain(|diag| !is_told(diag));
        diags.extend_from_slice(&self.loading);
        diags
    }

    /// The files as they are when every item stands where the data say that it belongs; those that change.
    ///
    /// # Errors
    /// If a file would not read as the same items: then nothing may be written.
    pub fn refiled(&self) -> Result<Refiling, NotTheSame> {
        let seats: BTreeMap<(Arc<str>, usize), Seat> =
            seats(&self.db).into_iter().map(|(path, nth, seat)| ((path, nth), seat)).collect();
        let files = self.texts();
        let texts: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
        refile(&texts, &|path, nth| seats.get(&(Arc::from(path), nth)).cloned())
    }

    /// Where the data say that items with a head belong, if they do.
    pub fn filing(&self, head: &str) -> Option<Arc<Filing>> {
        let item = named(&self.db, Name::new(&self.db, "filing", head))?;
        Some(Arc::clone(&filing(&self.db, item).0))
    }

    /// How the things of positions are written, as the data declare it.
    pub fn layouts(&self) -> Arc<[Arc<Layout>]> {
        Arc::clone(layouts(&self.db))
    }

    /// What is wrong under a profile with its items and between them, and with the profile itself.
    pub fn check_under(&self, profile: &Profile) -> Vec<Diagnostic> {
        self.wrong_under(profile, crate::link::verify)
    }

    /// The same, where it is known how to find what is wrong between the items.
    pub(crate) fn wrong_under(
        &self,
        profile: &Profile,
        between: impl FnOnce(&[LinkItem]) -> Vec<Diagnostic>,
    ) -> Vec<Diagnostic> {
        let Items { items, versions, mut diags } = self.link_items(profile);
        diags.extend(between(&items));
        self.with_retired(told(&self.db, &versions, diags))
    }

    /// True if a file has no items but those with this head.
    pub fn holds_only(&self, path: &str, head: &str) -> bool {
        let mut items = self.source(path).into_iter().flat_map(|file| crate::queries::items::items(&self.db, file));
        items.all(|item| item.head(&self.db) == Some(head))
    }

    /// What is wrong with the items of one file as they stand in it, for an editor.
    pub fn check_file(&self, path: &str) -> Vec<Diagnostic> {
        let (mut versions, mut diags) = (Vec::new(), Vec::new());
        for item in self.source(path).into_iter().flat_map(|file| crate::queries::items::items(&self.db, file)) {
            let version = Version::base(&self.db, *item);
            diags.extend_from_slice(item_diags(&self.db, *item));
            diags.extend_from_slice(version_diags(&self.db, version));
            versions.push(version);
        }
        self.with_retired(told(&self.db, &versions, diags))
    }

    /// The program under a profile, of all items without errors, and the errors of the others.
    ///
    /// The same program (`Arc::ptr_eq`) is returned as long as nothing in it has changed.
    pub fn link(&self, profile: &Profile) -> Linked {
        let known = self.linked.borrow_mut().answer(profile, self.edits);
        if let Some(known) = known {
            return known;
        }
        let linked = match self.kept().and_then(|kept| kept.program(profile)) {
            Some(linked) => linked,
            None => {
                let linked = self.link_anew(profile);
                self.kept().into_iter().for_each(|kept| kept.keep_program(profile, &linked));
                linked
            }
        };
        self.linked.borrow_mut().keep(profile, self.edits, &linked);
        linked
    }

    fn link_anew(&self, profile: &Profile) -> Linked {
        let Items { items, versions, mut diags } = self.items_under(profile, &|version| {
            let item = linked(&self.db, version)?;
            Some(LinkItem { worded: worded(&self.db, version).clone(), ..item })
        });
        let (program, link_diags) = self.linked.borrow_mut().link(items);
        diags.extend(link_diags);
        (program, self.with_retired(told(&self.db, &versions, self.with_loading(diags))))
    }

    /// The items without errors under a profile, to be verified and not to be read, and the errors of the others.
    pub(crate) fn link_items(&self, profile: &Profile) -> Items<'_> {
        self.items_under(profile, &|version| linked(&self.db, version))
    }

    /// The same; `linked` is what is wanted of an item without errors.
    fn items_under<'db>(&'db self, profile: &Profile, linked: &dyn Fn(Version<'db>) -> Option<LinkItem>) -> Items<'db> {
        let key = ProfileKey::new(&self.db, profile.clone());
        let mut diags: Vec<Diagnostic> =
            active(&self.db, key).problems.iter().map(|one| one.clone().map(|()| Place::nowhere())).collect();
        diags.extend_from_slice(index_diags(&self.db));
        diags.extend_from_slice(circle_diags(&self.db));
        let repeated: Vec<Item<'_>> = names(&self.db)
            .repeated
            .iter()
            .map(|(_, again)| *again)
            .chain(vocabulary(&self.db).repeated.iter().map(|one| one.again))
            .collect();
        let (mut items, mut versions) = (Vec::new(), Vec::new());
        for (item, version) in versions_under(&self.db, key) {
            let own = item_diags(&self.db, item);
            let versioned = version_diags(&self.db, version);
            diags.extend_from_slice(own);
            diags.extend(self.amended_diags(version));
            versions.push(version);
            // What a sentence of the kernel says stands by itself: the engine is served by those that can be read.
            let apart = item.head(&self.db) == Some("kernel") && lowered(&self.db, version).is_some();
            let broken = own.iter().chain(versioned).any(|diag| diag.is_error()) && !apart
                || is_circular(&self.db, item)
                || lowered(&self.db, version).as_ref().is_some_and(|lowered| !lowered.follows.is_empty());
            if broken || repeated.contains(&item) {
                // A broken card keeps its name, so that those that speak of it stay whole, and what a broken rule
                // says is not missing elsewhere.
                let title = title_of(item.text(&self.db)).filter(|_| item.head(&self.db) == Some("card"));
                let lowered = Lowered { expected: title.map(Arc::from).into_iter().collect(), ..Lowered::default() };
                let place = Arc::clone(places(&self.db, version));
                items.push(LinkItem::nameless(Arc::new(lowered), place, Arc::clone(item.text(&self.db))));
                continue;
            }
            items.extend(linked(version));
        }
        Items { items: self.order.borrow_mut().sorted(&items), versions, diags }
    }

    // ---- what ran

    /// The queries whose bodies ran since the last call, in order. Always empty for [`Compiler::new`].
    pub fn events(&mut self) -> Vec<Event> {
        self.keep_events();
        std::mem::take(&mut self.past_events)
    }

    /// Names the logged queries while their keys still exist.
    fn keep_events(&mut self) {
        let keys = self.db.drain();
        self.past_events.extend(keys.into_iter().map(|key| describe(&self.db, key)));
    }
}

/// A version of an item as the linker wants it; `None` if it cannot be read.
pub(crate) fn linked(db: &dyn Db, version: Version<'_>) -> Option<LinkItem> {
    let (read, lowered) = (read(db, version).as_ref()?, lowered(db, version).as_ref()?);
    Some(LinkItem {
        item: Arc::clone(&read.item),
        lowered: Arc::clone(&lowered.lowered),
        places: Arc::clone(places(db, version)),
        worded: None,
        lost: None,
    })
}

/// What is linked under a profile.
pub(crate) struct Items<'db> {
    /// The items; of those with errors what others may still use.
    pub items: Vec<LinkItem>,
    /// All of them under their amendments.
    versions: Vec<Version<'db>>,
    /// What is wrong with them by themselves.
    pub diags: Vec<Diagnostic>,
}

/// The code of what only the choice of an edition makes wrong.
const TOGETHER: Code = Code::AmendmentsConflict;

/// What is told: the diagnostics, and what follows from them for these versions of items folded under its cause.
fn told<'db>(db: &'db CompilerDb, versions: &[Version<'db>], diags: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut diags = sorted(diags);
    let further = fold(db, versions, &mut diags);
    diags.extend(further);
    let mut diags = sorted(gather(db, diags));
    causes_first(db, &mut diags);
    once(db, diags)
}

/// The diagnostics by place, each once, and each with a help line.
pub(crate) fn sorted(mut diags: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for diag in diags.iter_mut().filter(|diag| diag.help.is_none()) {
        diag.help = Some(diag.code.page().mend().to_owned());
    }
    diags.sort();
    diags.dedup();
    // What is wrong in a pattern is told once, with the first of those that use it; what is in an original, with that.
    let stands = |diag: &Diagnostic| diag.labels.last().is_some_and(|label| label.text.starts_with(STANDS));
    let same = |one: &Diagnostic, other: &Diagnostic| {
        (one.code, &one.place, &one.message) == (other.code, &other.place, &other.message)
    };
    diags.dedup_by(|later, first| stands(later) && same(later, first));
    diags
}
