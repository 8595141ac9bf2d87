//! An item under its amendments: composed, read and lowered.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_diagnostics::{Code, suggestion};
use netrep_grammar::tree::Span;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::broken::{labels_of, speaks_of};
use super::items::{Item, is_whole, skeleton};
use super::layers::{
    Amendment, ProfileKey, amendments, amendments_of_reading, in_full, ruling, target_item, target_of,
};
use super::names::{Name, all_items, card_class, hosts, player_class, repeating, roll_class};
use super::patterns::{Near, PATTERN, near, pattern, pattern_uses};
use super::prints::{in_context, known, version_print};
use super::reprints::{original_of, reprint_finding, reprints_of, says_reprint, sources_of};
use super::stored::Said;
use super::terms::{TermName, declaring_item, entries, facts, holders, vocabulary};
use super::touched::{touched, touched_under, words_of};
use crate::db::Db;
use crate::finding::Finding;
use crate::layers::Rank;
use crate::layers::compose::{Amended, Applied, Composed, compose};
use crate::layers::effective::{EffectiveItem, check_repeats, check_sentences};
use crate::layers::pattern::{Use, expand};
use crate::layers::reprint::{self, Original};
use crate::layers::{Target, TargetHead};
use crate::lower::{Follows, LowerContext, Lowered, lower_item};
use crate::phrase::clause::ReadClause;
use crate::phrase::figures::{missing, wrong};
use crate::phrase::lexicon::WithFacts;
use crate::phrase::read::read_item;
use crate::phrase::term::Term;
use crate::phrase::tree::{TermKey, TermKind};
use crate::queries::lexicon::DbLexicon;

/// An item and the amendments of it that are in force.
///
/// Two profiles that amend an item and the words that it uses alike have the same version of it, and share what follows
/// from it.
#[salsa::interned(revisions = usize::MAX)]
pub(crate) struct Version<'db> {
    /// The item.
    #[returns(copy)]
    pub item: Item<'db>,
    /// The amendments, in the order of application.
    pub amendments: Vec<Amendment<'db>>,
    /// The words that it uses, itself or through others, and that are amended too. What the item says is read without
    /// them; what it means is not.
    pub words: AmendedWords<'db>,
    /// The items whose clauses are put into it and that are amended: patterns that it uses, the original of a reprint.
    pub sources: AmendedWords<'db>,
}

/// Items that declare words, or whose clauses are put into others, with their amendments.
pub(super) type AmendedWords<'db> = Vec<(Item<'db>, Vec<Amendment<'db>>)>;

impl<'db> Version<'db> {
    /// The item as it stands in its file.
    pub(crate) fn base(db: &'db dyn Db, item: Item<'db>) -> Self {
        base(db, item)
    }

    /// The item under amendments of its own only.
    pub(crate) fn alone(db: &'db dyn Db, item: Item<'db>, amendments: Vec<Amendment<'db>>) -> Self {
        Version::new(db, item, amendments, Vec::new(), Vec::new())
    }

    /// What is asked of the item's own text: the version without the amended words.
    fn text(self, db: &'db dyn Db) -> Self {
        Version::new(db, self.item(db), self.amendments(db).clone(), Vec::new(), self.sources(db).clone())
    }

    /// The same with the words that it uses and that are amended.
    fn with_words(self, db: &'db dyn Db, amended: &[(Item<'db>, Vec<Amendment<'db>>)]) -> Self {
        let (own, sources) = (self.amendments(db).clone(), self.sources(db).clone());
        Version::new(db, self.item(db), own, words_used(db, self, amended), sources)
    }

    /// The same with the items that are put into it and that are amended. A reading that amends a reprint by its own id says of it
    /// what it says there, and not what it says of the original.
    fn with_sources(self, db: &'db dyn Db, amended: &[(Item<'db>, Vec<Amendment<'db>>)]) -> Self {
        if amended.is_empty() {
            return self;
        }
        let within = sources_of(db, self.item(db));
        let original = original_of(db, self.item(db));
        let by_id = |one: &Amendment<'db>| {
            self.amendments(db).iter().any(|own| (own.ruling, &own.reading) == (one.ruling, &one.reading))
        };
        let taken = |(item, found): &(Item<'db>, Vec<Amendment<'db>>)| {
            let bind = |one: &&Amendment<'db>| original != Some(*item) || !by_id(one);
            let found: Vec<Amendment<'db>> = found.iter().filter(bind).cloned().collect();
            (within.contains(item) && !found.is_empty()).then_some((*item, found))
        };
        let sources: AmendedWords<'db> = amended.iter().filter_map(taken).collect();
        Version::new(db, self.item(db), self.amendments(db).clone(), self.words(db).clone(), sources)
    }

    /// An item whose clauses are put into it, as it is in force for it.
    fn of_source(self, db: &'db dyn Db, source: Item<'db>) -> Self {
        let own = self.sources(db).iter().find(|(item, _)| *item == source).map(|(_, found)| found.clone());
        // total: what no reading amends has no amendments
        Version::alone(db, source, own.unwrap_or_default()).with_sources(db, self.sources(db))
    }

    /// Whether it is amended: by its own id, or with its original.
    fn is_amended(self, db: &'db dyn Db) -> bool {
        let original = original_of(db, self.item(db));
        !self.amendments(db).is_empty() || self.sources(db).iter().any(|(source, _)| Some(*source) == original)
    }

    /// How many rulings amend it.
    pub(crate) fn rulings(self, db: &'db dyn Db) -> usize {
        self.origins(db).iter().filter(|item| item.head(db) == Some("ruling")).count()
    }

    /// The texts that the version is made of: the item, then the rulings that amend it, then the texts of what is put into it.
    pub(crate) fn origins(self, db: &'db dyn Db) -> Vec<Item<'db>> {
        let mut origins = vec![self.item(db)];
        let rulings = self.amendments(db).iter().map(|amendment| amendment.ruling);
        let uses = pattern_uses(db, self.item(db)).found.iter().map(|(_, used)| *used);
        let put_in = uses.chain(original_of(db, self.item(db)));
        let sources = put_in.flat_map(|source| self.of_source(db, source).origins(db));
        for item in rulings.chain(sources) {
            if !origins.contains(&item) {
                origins.push(item);
            }
        }
        origins
    }
}

/// See [`Version::base`]: who asks for it has the item, which is found faster than what a version is made of.
#[salsa::tracked(returns(copy))]
fn base<'db>(db: &'db dyn Db, item: Item<'db>) -> Version<'db> {
    Version::alone(db, item, Vec::new())
}

/// An item under a profile, as a key.
#[salsa::interned(revisions = usize::MAX)]
pub(crate) struct ItemIn<'db> {
    /// The item.
    #[returns(copy)]
    pub item: Item<'db>,
    /// The profile.
    #[returns(copy)]
    pub profile: ProfileKey<'db>,
}

/// The version of an item under a profile: the firewall in front of [`amendments`].
#[salsa::tracked(returns(copy))]
pub(crate) fn version_of<'db>(db: &'db dyn Db, key: ItemIn<'db>) -> Version<'db> {
    let (item, profile) = (key.item(db), key.profile(db));
    let own = target_of(db, item).and_then(|target| amendments(db, profile).get(&target));
    // total: what no reading amends has no amendments
    let alone = Version::alone(db, item, own.cloned().unwrap_or_default());
    alone.with_sources(db, amended_sources(db, profile)).with_words(db, amended_words(db, profile))
}

/// Every item with its version under a profile. Most are amended by nothing: of those salsa need not remember it for each
/// profile.
pub(crate) fn versions_under<'db>(
    db: &'db dyn Db,
    profile: ProfileKey<'db>,
) -> impl Iterator<Item = (Item<'db>, Version<'db>)> {
    let touched = touched_under(db, profile);
    let version = move |item| match touched.contains(&item) {
        false => Version::base(db, item),
        true => version_of(db, ItemIn::new(db, item, profile)),
    };
    all_items(db).iter().map(move |item| (*item, version(*item)))
}

/// The items that a reading amends, each under its amendments of that reading alone, and those that use a word that it
/// amends.
#[salsa::tracked]
pub(crate) fn versions_of_reading<'db>(db: &'db dyn Db, ruling: Item<'db>, reading: usize) -> Vec<Version<'db>> {
    let mut by_target: BTreeMap<Target, Vec<Amendment<'db>>> = BTreeMap::new();
    for (target, amendment) in amendments_of_reading(db, ruling, reading, Rank::None) {
        by_target.entry(target).or_default().push(amendment);
    }
    let words = words_among(db, by_target.iter());
    let sources = sources_among(db, by_target.iter());
    let own = |item: &Item<'db>| target_of(db, *item).and_then(|target| by_target.get(&target));
    if words.is_empty() && sources.is_empty() {
        let version = |(target, found): (&Target, &Vec<Amendment<'db>>)| {
            target_item(db, target).map(|item| Version::alone(db, item, found.clone()))
        };
        return by_target.iter().filter_map(version).collect();
    }
    // total: what no reading amends has no amendments
    let alone = |item: &Item<'db>| Version::alone(db, *item, own(item).cloned().unwrap_or_default());
    let touched = touched(db, by_target.keys(), &words, &sources);
    let versions = touched.iter().map(|item| alone(item).with_sources(db, &sources).with_words(db, &words));
    let amends =
        |one: &Version<'db>| !one.amendments(db).is_empty() || !one.words(db).is_empty() || !one.sources(db).is_empty();
    versions.filter(amends).collect()
}

/// The items that are otherwise than under a profile when a reading is in force in place of what the profile reads: what
/// it amends, and what the reading in its place amended. `None` if words are among them: then any item may be.
pub(crate) fn versions_beside<'db>(
    db: &'db dyn Db,
    profile: ProfileKey<'db>,
    ruling: Item<'db>,
    reading: usize,
) -> Option<Vec<Version<'db>>> {
    let common = amendments(db, profile);
    let mut by_target: BTreeMap<Target, Vec<Amendment<'db>>> = BTreeMap::new();
    for (target, _) in common.iter().filter(|(_, found)| found.iter().any(|one| one.ruling == ruling)) {
        by_target.insert(target.clone(), Vec::new());
    }
    for (target, amendment) in amendments_of_reading(db, ruling, reading, Rank::None) {
        by_target.entry(target).or_default().push(amendment);
    }
    if by_target.keys().any(|target| !matches!(target.head, TargetHead::Card | TargetHead::Rule)) {
        return None;
    }
    let version = |(target, own): (Target, Vec<Amendment<'db>>)| {
        let item = target_item(db, &target)?;
        let others = common.get(&target).into_iter().flatten().filter(|one| one.ruling != ruling);
        let mut found: Vec<Amendment<'db>> = others.cloned().collect();
        if found.is_empty() {
            found = own;
        } else {
            // Beside others it is what was asked for by name.
            found.extend(own.into_iter().map(|one| Amendment { rank: Rank::Asked, ..one }));
        }
        let alone = Version::alone(db, item, found).with_sources(db, amended_sources(db, profile));
        Some(alone.with_words(db, amended_words(db, profile)))
    };
    Some(by_target.into_iter().filter_map(version).collect())
}

/// The items among the targets that declare words, with their amendments.
fn words_among<'a, 'db: 'a>(
    db: &'db dyn Db,
    targets: impl Iterator<Item = (&'a Target, &'a Vec<Amendment<'db>>)>,
) -> AmendedWords<'db> {
    let words = targets.filter(|(target, _)| match target.head {
        TargetHead::Class | TargetHead::Adjective | TargetHead::Relation | TargetHead::Define | TargetHead::Verb => {
            true
        }
        TargetHead::Card | TargetHead::Rule | TargetHead::Kernel | TargetHead::Pattern => false,
    });
    words.filter_map(|(target, found)| Some((target_item(db, target)?, found.clone()))).collect()
}

/// The items among the targets whose clauses are put into others, with their amendments.
fn sources_among<'a, 'db: 'a>(
    db: &'db dyn Db,
    targets: impl Iterator<Item = (&'a Target, &'a Vec<Amendment<'db>>)>,
) -> AmendedWords<'db> {
    let heads = |(target, _): &(&Target, _)| matches!(target.head, TargetHead::Pattern | TargetHead::Card);
    let items = targets.filter(heads).filter_map(|(target, found)| Some((target_item(db, target)?, found)));
    let put_in = |item: Item<'db>| item.head(db) == Some(PATTERN) || reprints_of(db, item).next().is_some();
    items.filter(|(item, _)| put_in(*item)).map(|(item, found)| (item, found.clone())).collect()
}

/// The items whose clauses are put into others and that a profile amends.
#[salsa::tracked]
pub(crate) fn amended_sources<'db>(db: &'db dyn Db, profile: ProfileKey<'db>) -> AmendedWords<'db> {
    sources_among(db, amendments(db, profile).iter())
}

/// The words that a profile amends.
#[salsa::tracked]
pub(crate) fn amended_words<'db>(db: &'db dyn Db, profile: ProfileKey<'db>) -> AmendedWords<'db> {
    words_among(db, amendments(db, profile).iter())
}

/// Those of the amended words that a version uses, itself or through others.
fn words_used<'db>(
    db: &'db dyn Db,
    version: Version<'db>,
    amended: &[(Item<'db>, Vec<Amendment<'db>>)],
) -> AmendedWords<'db> {
    let item = version.item(db);
    if amended.is_empty() || item.head(db).is_none_or(|head| UNREAD_HEADS.contains(&head)) {
        return Vec::new();
    }
    // What serves the engine is named outside of phrases.
    if item.head(db) == Some(TargetHead::Kernel.word()) {
        return amended.to_vec();
    }
    let mut seen: FxHashSet<Item<'db>> = FxHashSet::default();
    let mut open = vec![version];
    while let Some(version) = open.pop() {
        for item in words_of(db, version).iter().copied().filter(|item| seen.insert(*item)) {
            let own = amended.iter().find(|(word, _)| *word == item);
            open.push(own.map_or_else(|| base(db, item), |(_, found)| Version::alone(db, item, found.clone())));
        }
    }
    amended.iter().filter(|(item, _)| seen.contains(item)).cloned().collect()
}

/// The terms that a version's clauses use.
#[salsa::tracked]
pub(super) fn terms_in<'db>(db: &'db dyn Db, version: Version<'db>) -> BTreeSet<TermKey> {
    let mut found = BTreeSet::new();
    if let Some(read) = read(db, version) {
        crate::uses::of_clauses(read.item.clauses.iter().map(|clause| &*clause.read), &mut found);
    }
    found
}

/// Applies the amendments. `None` if the item does not parse. Not compared: [`amended`] is.
#[salsa::tracked(no_eq)]
pub(crate) fn composed<'db>(db: &'db dyn Db, version: Version<'db>) -> Option<Composed> {
    if !version.words(db).is_empty() {
        return composed(db, version.text(db)).clone();
    }
    known(db, "composed", || version_print(db, version), || put_together(db, version))
}

fn put_together<'db>(db: &'db dyn Db, version: Version<'db>) -> Option<Composed> {
    let base = skeleton(db, version.item(db)).as_ref()?;
    let target = target_of(db, version.item(db));
    let origins = version.origins(db);
    let mut applied = Vec::new();
    for amendment in version.amendments(db) {
        let ruling = &ruling(db, amendment.ruling).0;
        let reading = ruling.readings.iter().find(|reading| reading.name == amendment.reading);
        let about = reading.into_iter().flat_map(|reading| &reading.operations);
        let operation = about.filter(|one| Some(in_full(db, &one.target)) == target).nth(amendment.nth);
        let origin = origins.iter().position(|item| *item == amendment.ruling);
        let (Some(reading), Some(operation), Some(origin)) = (reading, operation, origin) else { continue };
        applied.push(Applied {
            operation,
            ruling: &ruling.id,
            reading: &reading.name,
            rank: amendment.rank,
            origin: netrep_ir::limits::in_16_bits(origin),
        });
    }
    let uses = pattern_uses(db, version.item(db));
    let place = |text: &Item<'db>| origins.iter().position(|item| item == text);
    let source = |item: Item<'db>| {
        let of = version.of_source(db, item);
        let texts = of.origins(db);
        let texts: Vec<u16> = texts.iter().filter_map(place).map(netrep_ir::limits::in_16_bits).collect();
        Some((composed(db, of).as_ref()?, texts))
    };
    let mut put_in = Vec::with_capacity(uses.found.len());
    for (clause, used) in &uses.found {
        let Some((composed, origins)) = source(*used) else { continue };
        put_in.push(Use { clause: *clause, pattern: &pattern(db, *used).0, composed, origins });
    }
    let mut expanded = expand(base, &put_in);
    expanded.findings.extend(uses.findings.iter().cloned());
    let original = original_of(db, version.item(db)).and_then(source);
    if let (Some(said), Some((composed, origins))) = (says_reprint(db, version.item(db)), original) {
        reprint::put_in(&mut expanded, said, &Original { composed, origins });
    }
    expanded.findings.extend(reprint_finding(db, version.item(db)));
    Some(compose(expanded, &applied))
}

/// The item with its amendments, without the places that they come from.
#[salsa::tracked]
pub(crate) fn amended<'db>(db: &'db dyn Db, version: Version<'db>) -> Option<Arc<Amended>> {
    if !version.words(db).is_empty() {
        return amended(db, version.text(db)).clone();
    }
    composed(db, version).as_ref().map(|composed| Arc::clone(&composed.amended))
}

/// What the reader makes of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Read {
    /// The item with the clauses that could be read.
    pub item: Arc<EffectiveItem>,
    /// What is wrong with the others, and with the amendments.
    pub findings: Vec<Finding>,
}

/// Heads of items that the phrase reader has nothing to do with.
pub(super) const UNREAD_HEADS: [&str; 6] = ["ruling", "edition", "variant", "document", "filing", "layout"];

/// Reads the clauses of an item with the vocabulary: of one with syntax errors those that are whole, and without
/// amendments only. `None` if there is nothing to read.
#[salsa::tracked]
pub fn read<'db>(db: &'db dyn Db, version: Version<'db>) -> Option<Read> {
    if !version.words(db).is_empty() {
        return read(db, version.text(db)).clone();
    }
    let item = version.item(db);
    let head = item.head(db).filter(|head| !UNREAD_HEADS.contains(head))?;
    let said = known(db, "read", || in_context(db, version), || said(db, version, head).map(Said::of))?;
    Some(said.read(item.key(db), amended(db, version).as_ref()?))
}

fn said<'db>(db: &'db dyn Db, version: Version<'db>, head: &str) -> Option<Read> {
    let item = version.item(db);
    let whole = is_whole(db, item);
    if !whole && !version.amendments(db).is_empty() {
        return None;
    }
    let amended = amended(db, version).as_ref()?;
    if head == PATTERN {
        // Its clauses are read where they are put in.
        let item = Arc::new(EffectiveItem::new(Arc::clone(item.key(db)), amended, Vec::new()));
        return Some(Read { item, findings: amended.findings.clone() });
    }
    let (clauses, mut errors) = read_item(&amended.item, &WithFacts::new(&DbLexicon::new(db), facts(db, item)));
    // Of several items of one name, an amendment may mean any.
    let alone = target_of(db, item).is_none() || repeating(db, Name::new(db, head, &**item.key(db))).is_empty();
    let mut findings = if alone { amended.findings.clone() } else { Vec::new() };
    if let (false, Some(tree)) = (whole, skeleton(db, item)) {
        let lost = labels_of(&tree.faulty);
        errors.retain(|error| !speaks_of(tree, error.place, &lost));
    }
    // A sentence that reads like a pattern and is none is told as that.
    let uses = pattern_uses(db, item);
    let refused =
        |place: Span| uses.findings.iter().any(|one| one.place.start <= place.start && place.end <= one.place.end);
    errors.retain(|error| !refused(error.place));
    findings.extend(errors.into_iter().map(|error| like_pattern(db, item, error)));
    let effective = EffectiveItem::new(Arc::clone(item.key(db)), amended, clauses);
    if whole && !version.is_amended(db) {
        // A clause that could not be read may have been the figure; what an original lacks is told of it.
        let is_sound = |original: Item<'db>| {
            read(db, Version::base(db, original))
                .as_ref()
                .is_some_and(|read| !read.findings.iter().any(Finding::is_error))
        };
        if findings.is_empty() && original_of(db, item).is_none_or(is_sound) {
            let clauses: Vec<&ReadClause> = effective.clauses.iter().map(|clause| &*clause.read).collect();
            let lexicon = DbLexicon::new(db);
            findings.extend(missing(&amended.item, &clauses, &lexicon));
            findings.extend(wrong(&amended.item, &clauses, &lexicon));
        }
        findings.extend(check_sentences(&effective));
        findings.extend(check_repeats(&effective));
    }
    Some(Read { item: Arc::new(effective), findings })
}

/// What cannot be read and begins like a pattern may be meant to be one.
fn like_pattern<'db>(db: &'db dyn Db, item: Item<'db>, error: Finding) -> Finding {
    if !error.is_error() {
        return error;
    }
    match near(db, item, error.place.start) {
        Some(Near { sentence, slip: Some((place, word, meant)) }) => {
            let text = format!("the pattern `{sentence}` does not say `{word}`");
            Finding::new(Code::UnknownWord, place, text).help(format!("did you mean `{meant}`?"))
        }
        Some(Near { sentence, slip: None }) => error.help(format!("if a pattern is meant, it reads `{sentence}`")),
        None => error,
    }
}

/// A lowered item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LoweredItem {
    /// What it means; names terms by key.
    pub lowered: Arc<Lowered>,
    /// What is wrong with its meaning.
    pub findings: Vec<Finding>,
    /// What is wrong with it only because a word is that it uses.
    pub follows: Vec<Follows>,
}

/// Lowers an item. `None` if it has an error before that.
#[salsa::tracked]
pub(crate) fn lowered<'db>(db: &'db dyn Db, version: Version<'db>) -> Option<LoweredItem> {
    known(db, "lowered", || in_context(db, version), || meaning(db, version))
}

fn meaning<'db>(db: &'db dyn Db, version: Version<'db>) -> Option<LoweredItem> {
    let read = read(db, version).as_ref()?;
    let is_pattern = version.item(db).head(db) == Some(PATTERN);
    if is_pattern || !is_whole(db, version.item(db)) || read.findings.iter().any(Finding::is_error) {
        return None;
    }
    let context = DbContext { words: version.words(db), ..DbContext::new(db) };
    let (lowered, mut findings, mut follows) = lower_item(&read.item, &context);
    let awaited = crate::pending::check(read.item.clauses.iter().map(|clause| &*clause.read));
    if !awaited.is_empty() {
        // The lowering does not know these forms, and says so less well.
        findings = awaited;
        follows.clear();
    }
    let clauses = read.item.clauses.iter().map(|clause| &*clause.read);
    let determiners = crate::determiners::check(&read.item.head, clauses);
    // Several that the determiner itself says are told once, by it.
    let meet = |one: Span, other: Span| one.start < other.end && other.start < one.end;
    let said = |finding: &Finding| determiners.iter().any(|one| meet(one.place, finding.place));
    findings.retain(|finding| finding.code != Code::SeveralWhereOne || !said(finding));
    findings.extend(determiners);
    findings.extend(crate::idle::check(read.item.clauses.iter().map(|clause| &*clause.read)));
    findings.extend(crate::never::check(read.item.clauses.iter().map(|clause| &*clause.read), &context));
    // What an amendment takes away may be what used it.
    if !findings.iter().any(Finding::is_error) && !version.is_amended(db) {
        findings.extend(crate::idle::unused(read.item.clauses.iter().map(|clause| &*clause.read)));
    }
    Some(LoweredItem { lowered: Arc::new(lowered), findings, follows })
}

/// What the lowering may ask: the terms that it meets and the items that declare them.
pub(crate) struct DbContext<'db> {
    db: &'db dyn Db,
    lexicon: DbLexicon<'db>,
    /// The words that are amended.
    words: &'db [(Item<'db>, Vec<Amendment<'db>>)],
}

impl<'db> DbContext<'db> {
    /// The context of a database.
    pub(crate) fn new(db: &'db dyn Db) -> Self {
        DbContext { db, lexicon: DbLexicon::new(db), words: &[] }
    }

    /// The context of phrases that are meant under a profile: its amended words are amended.
    pub(crate) fn under(db: &'db dyn Db, profile: ProfileKey<'db>) -> Self {
        DbContext { words: amended_words(db, profile), ..DbContext::new(db) }
    }
}

impl LowerContext for DbContext<'_> {
    fn term(&self, key: &TermKey) -> Option<Arc<Term>> {
        self.lexicon.term(key)
    }

    fn declaring(&self, key: &TermKey) -> Option<Arc<EffectiveItem>> {
        let item = declaring_item(self.db, TermName::new(self.db, key.kind, &*key.name))?;
        // Of one whose amendments are wrong it is told what is wrong; those that use it mean it as it was.
        let sound = |version: &Version<'_>| {
            read(self.db, *version).as_ref().is_some_and(|read| !read.findings.iter().any(Finding::is_error))
        };
        let amended = self.words.iter().find(|(word, _)| *word == item);
        let amended = amended.map(|(_, found)| Version::alone(self.db, item, found.clone())).filter(sound);
        let version = amended.unwrap_or_else(|| Version::base(self.db, item));
        read(self.db, version).as_ref().map(|read| Arc::clone(&read.item))
    }

    fn near(&self, key: &TermKey) -> Option<String> {
        let same = |one: &&TermKey| one.kind == key.kind;
        let declared = vocabulary(self.db).order.iter().map(|one| &one.term.key).filter(same);
        suggestion(&key.name, declared.map(|one| &*one.name))
    }

    fn player_class(&self) -> Option<Arc<str>> {
        player_class(self.db).clone()
    }

    fn roll_class(&self) -> Option<Arc<str>> {
        roll_class(self.db).clone()
    }

    fn card_class(&self) -> Arc<str> {
        card_class(self.db).clone()
    }

    fn host_of(&self, class: &str) -> Option<Arc<str>> {
        hosts(self.db).iter().find(|(of, _)| **of == *class).map(|(_, fact)| fact.clone())
    }

    fn entries(&self, list: &str) -> Vec<Arc<str>> {
        entries(self.db, TermName::new(self.db, TermKind::List, list)).clone()
    }

    fn holders(&self, list: &str) -> Vec<Arc<Term>> {
        holders(self.db, TermName::new(self.db, TermKind::List, list)).clone()
    }
}
