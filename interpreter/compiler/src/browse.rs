//! An item as it is in force, part by part: each with the layer that set it and as English, and what a layer took away.
//!
//! For readers, who want the clauses of a block too, and also those that cannot be read.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use netrep_grammar::tree::{Clause, Span};
use netrep_ir::Place;

use crate::compiler::Compiler;
use crate::coords::Places;
use crate::inputs::Profile;
use crate::layers::effective::EffectiveItem;
use crate::layers::labels::shown;
use crate::layers::ruling::Operation;
use crate::layers::said::Dated;
use crate::phrase::clause::{ClauseKind, ReadClause, blocks};
use crate::phrase::render::render_kind;
use crate::phrase::tree::{TermKey, TermKind};
use crate::queries::items::Item;
use crate::queries::layers::{ProfileKey, active, dated, ruling, ruling_outline};
use crate::queries::lexicon::DbLexicon;
use crate::queries::names::{Name, all_items, named};
use crate::queries::report::{item_origin, places};
use crate::queries::reprints::original_of;
use crate::queries::terms::{TermName, declaring_item, facts, vocabulary};
use crate::queries::version::{ItemIn, Version, read, version_of};
use crate::views::ItemView;

/// A clause in force, with the clauses of its block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its label; a clause of a block may have none, and the body in a header has none.
    pub label: String,
    /// The layer that set it: empty for the base text, else `RULING=READING`.
    pub setter: Arc<str>,
    /// Where it is written: in the item, or in the ruling that set it.
    pub place: Place,
    /// As English, without the clauses of its block; `None` if it cannot be read.
    pub english: Option<String>,
    /// The printed sentences that it expresses, counted from 1.
    pub sentences: Vec<u32>,
    /// The clauses of its block.
    pub parts: Vec<Part>,
}

/// A clause of the base text that is not in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// Its label.
    pub label: String,
    /// Where it is written.
    pub place: Place,
    /// The layer that took or replaced it: `RULING=READING`.
    pub setter: String,
}

/// A question that an edition answers by a reading that was not known yet on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredLater {
    /// The ruling.
    pub ruling: Arc<str>,
    /// The edition's reading.
    pub wanted: Arc<str>,
    /// The reading that answered then; `None` if no text did.
    pub then: Option<Arc<str>>,
}

/// An item in force.
#[derive(Clone, Debug)]
pub struct InForce {
    /// The item.
    pub item: Arc<EffectiveItem>,
    /// Its clauses, in order.
    pub parts: Vec<Part>,
    /// What layers took from the base text, in order.
    pub gone: Vec<Gone>,
}

impl Compiler {
    /// An item as it is in force under a profile; `None` if there is none, or its skeleton cannot be parsed.
    pub fn in_force(&self, head: &str, key: &str, profile: &Profile) -> Option<InForce> {
        let db = &self.db;
        let item = self.find(head, key)?;
        let version = version_of(db, ItemIn::new(db, item, ProfileKey::new(db, profile.clone())));
        let effective = Arc::clone(&read(db, version).as_ref()?.item);
        let reader = Reader { lexicon: self.lexicon(), item: &effective, places: places(db, version) };
        let reads: Vec<&ReadClause> = effective.clauses.iter().map(|clause| &*clause.read).collect();
        // The body of a definition stands in the header, before all clauses.
        let is_clause = |read: &ReadClause| effective.tree.clauses.iter().any(|one| one.span.start == read.span.start);
        let header = reads.iter().filter(|read| !is_clause(read));
        let mut parts: Vec<Part> = header.map(|read| reader.part("", &[], read.span, Some(&read.kind))).collect();
        parts.extend(reader.parts(&effective.tree.clauses, &reads));
        let gone = self.gone(item, version, &effective);
        Some(InForce { item: effective, parts, gone })
    }

    /// The clauses of the base text that the amendments of a version took or replaced.
    fn gone<'db>(&'db self, item: Item<'db>, version: Version<'db>, now: &EffectiveItem) -> Vec<Gone> {
        let db = &self.db;
        let base = Version::base(db, item);
        // total: what is not amended has lost nothing, and what cannot be read has no clauses to lose
        let Some(before) = read(db, base).as_ref().filter(|_| version != base) else { return Vec::new() };
        let mut kept = BTreeSet::new();
        starts(&now.tree.clauses, &mut kept);
        let mut lost = Vec::new();
        missing(&before.item.tree.clauses, &kept, &mut lost);
        // What amends the original of a reprint amends the reprint.
        let sources = version.sources(db).iter();
        let of_original =
            sources.filter(|(source, _)| original_of(db, item) == Some(*source)).flat_map(|(_, found)| found);
        let called =
            |key: &str| *key == **item.key(db) || original_of(db, item).is_some_and(|one| **one.key(db) == *key);
        let changes: Vec<(String, &Operation)> = of_original
            .chain(version.amendments(db))
            .flat_map(|amendment| {
                let readings = &ruling(db, amendment.ruling).0.readings;
                let operations =
                    readings.iter().filter(|one| one.name == amendment.reading).flat_map(|one| &one.operations);
                let setter = format!("{}={}", amendment.ruling.key(db), amendment.reading);
                operations.map(move |operation| (setter.clone(), operation))
            })
            .filter(|(_, operation)| called(&operation.target.key))
            .collect();
        let by = |label: &str| {
            let about = |operation: &Operation| {
                operation.change.label().is_some_and(|(of, _)| **of == *label || of.ends_with(&format!(" {label}")))
            };
            // The last one wins, as in the composition.
            changes.iter().rev().find(|(_, operation)| about(operation)).map(|(setter, _)| setter.clone())
        };
        let places = places(db, base);
        let gone = |(label, span): (String, Span)| {
            let setter = by(&label).or_else(|| changes.last().map(|(setter, _)| setter.clone()))?;
            Some(Gone { label, place: places.place(span), setter })
        };
        lost.into_iter().filter_map(gone).collect()
    }

    /// The readings in force under a profile: ruling and reading, in the order in which they are applied.
    pub fn readings_in_force(&self, profile: &Profile) -> Vec<(Arc<str>, Arc<str>)> {
        let db = &self.db;
        let active = active(db, ProfileKey::new(db, profile.clone()));
        let name = |ruling: Item<'_>, reading: usize| Arc::clone(&ruling_outline(db, ruling)[reading].0);
        let pair = |one: &crate::queries::layers::ActiveReading<'_>| {
            (Arc::clone(one.ruling.key(db)), name(one.ruling, one.reading))
        };
        active.readings.iter().map(pair).collect()
    }

    /// The questions that the edition of a profile answers by a reading that was not known yet on the profile's day.
    pub fn answered_later(&self, profile: &Profile) -> Vec<AnsweredLater> {
        let active = active(&self.db, ProfileKey::new(&self.db, profile.clone()));
        let one = |later: &crate::queries::layers::Later<'_>| {
            let (ruling, wanted) = (Arc::clone(later.ruling.key(&self.db)), Arc::clone(&later.wanted));
            AnsweredLater { ruling, wanted, then: later.then.clone() }
        };
        active.later.iter().map(one).collect()
    }

    /// The readings of a ruling with those who read it so, each with the date of its document if it names none.
    pub fn dated(&self, ruling: &str) -> Vec<Dated> {
        let item = named(&self.db, Name::new(&self.db, "ruling", ruling));
        item.into_iter().flat_map(|item| dated(&self.db, item)).cloned().collect()
    }

    /// Where an amendment of a ruling is written.
    pub fn operation_place(&self, ruling: &str, operation: &Operation) -> Option<Place> {
        let item = named(&self.db, Name::new(&self.db, "ruling", ruling))?;
        Some(item_origin(&self.db, item).place(operation.span))
    }

    /// The item that declares a term.
    pub fn declaring(&self, key: &TermKey) -> Option<ItemView> {
        let item = declaring_item(&self.db, TermName::new(&self.db, key.kind, &*key.name))?;
        self.item(item.head(&self.db)?, item.key(&self.db))
    }

    /// A number that stays equal as long as phrases outside the data (the lines of a scenario) mean the same: it covers
    /// all terms, and the texts of the definitions that are put in their place. Another build of this crate may have others.
    pub fn phrases_print(&self) -> u64 {
        const PUT_IN_PLACE: [TermKind; 5] =
            [TermKind::Class, TermKind::Attribute, TermKind::Definition, TermKind::Adjective, TermKind::Relation];
        let mut hasher = DefaultHasher::new();
        for one in &vocabulary(&self.db).order {
            one.term.hash(&mut hasher);
            if PUT_IN_PLACE.contains(&one.term.key.kind) {
                one.item.text(&self.db).hash(&mut hasher);
            }
        }
        // How positions are written, what runs around a step of which one speaks (of which a number by itself decides nothing),
        // and facts of items of their own.
        let around = |text: &str, hasher: &mut DefaultHasher| {
            for word in text.split_whitespace() {
                match word.trim_matches(|c: char| !c.is_alphanumeric()) {
                    bare if bare.bytes().all(|c| c.is_ascii_digit()) => word.replace(bare, "").hash(hasher),
                    _ => word.hash(hasher),
                }
            }
        };
        for item in all_items(&self.db) {
            let text = item.text(&self.db);
            match item.head(&self.db) {
                Some("layout") => text.hash(&mut hasher),
                Some("rule" | "procedure" | "verb") if text.contains("perform ") => around(text, &mut hasher),
                _ => {}
            }
            facts(&self.db, *item).iter().for_each(|fact| fact.hash(&mut hasher));
        }
        hasher.finish()
    }
}

/// Says clauses with their layers and places.
struct Reader<'a> {
    lexicon: DbLexicon<'a>,
    item: &'a EffectiveItem,
    places: &'a Places,
}

impl Reader<'_> {
    fn parts(&self, clauses: &[Clause], reads: &[&ReadClause]) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut within = Span::default();
        for clause in clauses {
            if within.start < clause.span.start && clause.span.end <= within.end {
                // An alternative of the clause before it, which was read as one with it.
                continue;
            }
            let read = reads.iter().find(|read| read.span.start == clause.span.start);
            within = read.map_or(clause.span, |read| read.span);
            let sentences: Vec<u32> =
                clause.marker.iter().flat_map(|marker| marker.sentences.iter().copied()).collect();
            let mut part = self.part(shown(clause), &sentences, within, read.map(|read| &read.kind));
            if let (Some(block), Some(inner)) = (&clause.block, read.and_then(|read| block_of(&read.kind))) {
                part.parts = self.parts(block, &inner.iter().collect::<Vec<_>>());
            }
            parts.push(part);
        }
        parts
    }

    fn part(&self, label: &str, sentences: &[u32], span: Span, kind: Option<&ClauseKind>) -> Part {
        let english = kind.map(|kind| {
            let text = render_kind(&headed(kind), &|key: &TermKey| self.lexicon.term(key));
            text.strip_suffix("{ }").unwrap_or(&text).trim_end().to_owned()
        });
        Part {
            label: label.to_owned(),
            setter: Arc::from(self.item.setter(span)),
            place: self.places.place(span),
            english,
            sentences: sentences.to_vec(),
            parts: Vec::new(),
        }
    }
}

/// The clauses of a clause's block, if they are read one by one: figures of a part are read as a whole.
fn block_of(kind: &ClauseKind) -> Option<&[ReadClause]> {
    match kind {
        ClauseKind::Part { .. } => None,
        kind => blocks(kind).first().copied(),
    }
}

/// A clause without its block.
fn headed(kind: &ClauseKind) -> ClauseKind {
    let mut kind = kind.clone();
    if let ClauseKind::May { block, .. }
    | ClauseKind::Play { block, .. }
    | ClauseKind::Procedure { block, .. }
    | ClauseKind::Step { block, .. }
    | ClauseKind::Carried { block, .. }
    | ClauseKind::Lasts { block, .. }
    | ClauseKind::In { block, .. }
    | ClauseKind::Action { block, .. } = &mut kind
    {
        block.clear();
    }
    kind
}

/// Where the clauses of a tree start, those of blocks included.
fn starts(clauses: &[Clause], found: &mut BTreeSet<u32>) {
    for clause in clauses {
        found.insert(clause.span.start);
        if let Some(block) = &clause.block {
            starts(block, found);
        }
    }
}

/// The outermost clauses that start at none of the places.
fn missing(clauses: &[Clause], kept: &BTreeSet<u32>, found: &mut Vec<(String, Span)>) {
    for clause in clauses {
        if !kept.contains(&clause.span.start) {
            found.push((shown(clause).to_owned(), clause.span));
        } else if let Some(block) = &clause.block {
            missing(block, kept, found);
        }
    }
}
