//! An item under its amendments: composed, read and lowered.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_grammar::tree::{self, Clause, Span, Token, TokenKind};

use super::items::{Item, is_whole, skeleton};
use super::layers::{Amendment, ProfileKey, amendments, amendments_of_reading, ruling, ruling_outline};
use super::names::{Name, all_items, named, repeating};
use super::terms::{TermName, declaring_item, entries};
use crate::coords::clause_index;
use crate::db::Db;
use crate::finding::Finding;
use crate::layers::Rank;
use crate::layers::compose::{Amended, Applied, Composed, compose};
use crate::layers::effective::{EffectiveItem, check_repeats, check_sentences};
use crate::layers::{Target, TargetHead};
use crate::lower::{Follows, LowerContext, Lowered, lower_item};
use crate::phrase::clause::ReadClause;
use crate::phrase::closed::is_label;
use crate::phrase::figures::missing;
use crate::phrase::read::read_item;
use crate::phrase::term::Term;
use crate::phrase::tree::{TermKey, TermKind};
use crate::queries::lexicon::DbLexicon;

/// An item and the amendments of it that are in force.
///
/// Two profiles that amend an item alike have the same version of it, and share what follows from it.
#[salsa::interned(revisions = usize::MAX)]
pub(crate) struct Version<'db> {
    /// The item.
    #[returns(copy)]
    pub item: Item<'db>,
    /// The amendments, in the order of application.
    pub amendments: Vec<Amendment<'db>>,
}

impl<'db> Version<'db> {
    /// The item as it stands in its file.
    pub(crate) fn base(db: &'db dyn Db, item: Item<'db>) -> Self {
        Version::new(db, item, Vec::new())
    }

    /// The texts that the version is made of: the item, then the rulings that amend it.
    pub(crate) fn origins(self, db: &'db dyn Db) -> Vec<Item<'db>> {
        let mut origins = vec![self.item(db)];
        for amendment in self.amendments(db) {
            if !origins.contains(&amendment.ruling) {
                origins.push(amendment.ruling);
            }
        }
        origins
    }
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
    let item = key.item(db);
    let Some(target) = target_of(db, item) else { return Version::base(db, item) };
    match amendments(db, key.profile(db)).get(&target) {
        Some(found) => Version::new(db, item, found.clone()),
        None => Version::base(db, item),
    }
}

/// The items that a reading amends, each under its amendments of that reading alone.
pub(crate) fn versions_of_reading<'db>(db: &'db dyn Db, ruling: Item<'db>, reading: usize) -> Vec<Version<'db>> {
    let mut by_target: BTreeMap<&Target, Vec<Amendment<'db>>> = BTreeMap::new();
    for (target, amendment) in amendments_of_reading(db, ruling, reading, Rank::None) {
        by_target.entry(target).or_default().push(amendment);
    }
    let version = |(target, found): (&Target, Vec<Amendment<'db>>)| {
        named(db, Name::new(db, target.word(), &*target.key)).map(|item| Version::new(db, item, found))
    };
    by_target.into_iter().filter_map(version).collect()
}

/// What an item is called where it can be amended.
fn target_of<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Target> {
    let head = match item.head(db) {
        Some("card") => TargetHead::Card,
        Some("rule") => TargetHead::Rule,
        _ => return None,
    };
    Some(Target { head, key: Arc::clone(item.key(db)) })
}

/// Applies the amendments. `None` if the item does not parse. Not compared: [`amended`] is.
#[salsa::tracked(no_eq)]
pub(crate) fn composed<'db>(db: &'db dyn Db, version: Version<'db>) -> Option<Composed> {
    let base = skeleton(db, version.item(db)).as_ref()?;
    let target = target_of(db, version.item(db));
    let origins = version.origins(db);
    let mut applied = Vec::new();
    for amendment in version.amendments(db) {
        let ruling = &ruling(db, amendment.ruling).0;
        let reading = ruling.readings.iter().find(|reading| reading.name == amendment.reading);
        let about = reading.into_iter().flat_map(|reading| &reading.operations);
        let operation = about.filter(|one| Some(&one.target) == target.as_ref()).nth(amendment.nth);
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
    Some(compose(base, &applied))
}

/// The item with its amendments, without the places that they come from.
#[salsa::tracked]
pub(crate) fn amended<'db>(db: &'db dyn Db, version: Version<'db>) -> Option<Arc<Amended>> {
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
const UNREAD_HEADS: [&str; 4] = ["ruling", "edition", "document", "filing"];

/// Reads the clauses of an item with the vocabulary: of one with syntax errors those that are whole, and without
/// amendments only. `None` if there is nothing to read.
#[salsa::tracked]
pub fn read<'db>(db: &'db dyn Db, version: Version<'db>) -> Option<Read> {
    let item = version.item(db);
    let head = item.head(db).filter(|head| !UNREAD_HEADS.contains(head))?;
    let whole = is_whole(db, item);
    if !whole && !version.amendments(db).is_empty() {
        return None;
    }
    let amended = amended(db, version).as_ref()?;
    let (clauses, mut errors) = read_item(&amended.item, &DbLexicon::new(db));
    // Of several items of one name, an amendment may mean any.
    let alone = target_of(db, item).is_none() || repeating(db, Name::new(db, head, &**item.key(db))).is_empty();
    let mut findings = if alone { amended.findings.clone() } else { Vec::new() };
    if let (false, Some(tree)) = (whole, skeleton(db, item)) {
        let lost = labels_of(&tree.faulty);
        errors.retain(|error| !speaks_of(tree, error.place, &lost));
    }
    findings.extend(errors);
    let effective = EffectiveItem::new(Arc::clone(item.key(db)), amended, clauses);
    if whole && version.amendments(db).is_empty() {
        // A clause that could not be read may have been the figure.
        if findings.is_empty() {
            let clauses: Vec<ReadClause> = effective.clauses.iter().map(|clause| (*clause.read).clone()).collect();
            let lexicon = DbLexicon::new(db);
            findings.extend(missing(&amended.item, &clauses, &lexicon));
        }
        findings.extend(check_sentences(&effective));
        findings.extend(check_repeats(&effective));
    }
    Some(Read { item: Arc::new(effective), findings })
}

/// A lowered item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoweredItem {
    /// What it means; names terms by key.
    pub lowered: Arc<Lowered>,
    /// What is wrong with its meaning.
    pub findings: Vec<Finding>,
    /// What is wrong with it only because a word is that it uses.
    pub follows: Vec<Follows>,
}

/// The labels in clauses that could not be parsed: they may be what binds them for others.
fn labels_of(faulty: &[Clause]) -> BTreeSet<&str> {
    let mut labels = BTreeSet::new();
    for clause in faulty {
        // What the language binds where a clause says what is played on.
        if clause.head() == "play" {
            labels.insert("target");
        }
        words_of(&clause.tokens, &mut |word| {
            if is_label(word) {
                labels.insert(word);
            }
        });
        if let Some(block) = &clause.block {
            labels.extend(labels_of(block));
        }
    }
    labels
}

/// True if the clause at a place uses one of these labels.
fn speaks_of(item: &tree::Item, place: Span, labels: &BTreeSet<&str>) -> bool {
    fn clause<'t>(one: &'t Clause, see: &mut impl FnMut(&'t str)) {
        words_of(&one.tokens, see);
        one.block.iter().flatten().for_each(|inner| clause(inner, see));
    }
    let mut found = false;
    if let Some(one) = clause_index(place.start).and_then(|index| item.clauses.get(index)) {
        clause(one, &mut |word| found |= labels.contains(word));
    }
    found
}

fn words_of<'t>(tokens: &'t [Token], see: &mut impl FnMut(&'t str)) {
    for token in tokens {
        match &token.kind {
            TokenKind::Word(word) | TokenKind::Capital(word) => see(word),
            TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) => words_of(inner, see),
            _ => {}
        }
    }
}

/// Lowers an item. `None` if it has an error before that.
#[salsa::tracked]
pub(crate) fn lowered<'db>(db: &'db dyn Db, version: Version<'db>) -> Option<LoweredItem> {
    let read = read(db, version).as_ref()?;
    if !is_whole(db, version.item(db)) || read.findings.iter().any(Finding::is_error) {
        return None;
    }
    let context = DbContext::new(db);
    let (lowered, mut errors, mut follows) = lower_item(&read.item, &context);
    let awaited = crate::pending::check(read.item.clauses.iter().map(|clause| &*clause.read));
    if !awaited.is_empty() {
        // The lowering does not know these forms, and says so less well.
        errors = awaited;
        follows.clear();
    }
    errors.extend(crate::never::check(read.item.clauses.iter().map(|clause| &*clause.read), &context));
    Some(LoweredItem { lowered: Arc::new(lowered), findings: errors, follows })
}

/// What the lowering may ask: the terms that it meets and the items that declare them.
#[derive(Clone, Copy)]
pub(crate) struct DbContext<'db> {
    db: &'db dyn Db,
}

impl<'db> DbContext<'db> {
    /// The context of a database.
    pub(crate) fn new(db: &'db dyn Db) -> Self {
        DbContext { db }
    }
}

impl LowerContext for DbContext<'_> {
    fn term(&self, key: &TermKey) -> Option<Arc<Term>> {
        DbLexicon::new(self.db).term(key)
    }

    fn declaring(&self, key: &TermKey) -> Option<Arc<EffectiveItem>> {
        let item = declaring_item(self.db, TermName::new(self.db, key.kind, &*key.name))?;
        read(self.db, Version::base(self.db, item)).as_ref().map(|read| Arc::clone(&read.item))
    }

    fn entries(&self, list: &str) -> Vec<Arc<str>> {
        entries(self.db, TermName::new(self.db, TermKind::List, list)).clone()
    }
}

/// The terms that an item's clauses use; those of a ruling, in the clauses that its readings bring.
#[salsa::tracked]
pub(crate) fn used_terms<'db>(db: &'db dyn Db, item: Item<'db>) -> BTreeSet<TermKey> {
    let mut found = BTreeSet::new();
    if item.head(db) == Some("ruling") {
        for reading in 0..ruling_outline(db, item).len() {
            for version in versions_of_reading(db, item, reading) {
                let Some(read) = read(db, version) else { continue };
                // What is brought may be a part of a clause that the rule has already, such as of a step.
                let brings = |clause: &ReadClause| !read.item.setter(clause.span).is_empty();
                let all: Vec<&ReadClause> = read.item.clauses.iter().map(|clause| &*clause.read).collect();
                crate::uses::of_clauses(crate::uses::brought(&all, &brings), &mut found);
            }
        }
    }
    if let Some(read) = read(db, Version::base(db, item)) {
        crate::uses::of_clauses(read.item.clauses.iter().map(|clause| &*clause.read), &mut found);
    }
    found
}

/// The terms that any clause uses: runs again only when some item uses other terms than before.
#[salsa::tracked]
pub(crate) fn all_used_terms(db: &dyn Db) -> BTreeSet<TermKey> {
    all_items(db).iter().flat_map(|item| used_terms(db, *item).iter().cloned()).collect()
}
