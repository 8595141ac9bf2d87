//! Which amendments are in force for an item under a profile.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_diagnostics::{Code, Diagnostic, suggestion};

use super::items::{Item, is_whole, of_tree};
use super::names::{Name, all_items, named, names, repeating};
use super::patterns::{pattern_name, patterns};
use super::terms::{declared, vocabulary};
use super::variants::{chosen_by_variants, chosen_variants, taken_with, wrong_links};
use crate::db::Db;
use crate::finding::Finding;
use crate::inputs::Profile;
use crate::layers::date::Date;
use crate::layers::document::{Document, read_document, wrong_line};
use crate::layers::edition::{Choice, Edition, read_edition};
use crate::layers::ruling::{Authority, Reading, Ruling, Status, overlaps, read_ruling};
use crate::layers::said::{Dated, Saying, answer};
use crate::layers::{Rank, Target, TargetHead};

/// A profile as a key of queries.
#[salsa::interned(revisions = usize::MAX)]
pub(crate) struct ProfileKey<'db> {
    /// The profile.
    pub profile: Profile,
}

/// A ruling and what is wrong with it by itself.
#[salsa::tracked]
pub(crate) fn ruling<'db>(db: &'db dyn Db, item: Item<'db>) -> (Arc<Ruling>, Vec<Finding>) {
    let (ruling, findings) = of_tree(db, item, read_ruling);
    (Arc::new(ruling), findings)
}

/// An edition and what is wrong with it by itself.
#[salsa::tracked]
pub fn edition<'db>(db: &'db dyn Db, item: Item<'db>) -> (Arc<Edition>, Vec<Finding>) {
    let (edition, findings) = of_tree(db, item, read_edition);
    (Arc::new(edition), findings)
}

/// A document and what is wrong with it by itself.
#[salsa::tracked]
pub(crate) fn document<'db>(db: &'db dyn Db, item: Item<'db>) -> (Arc<Document>, Vec<Finding>) {
    let (document, findings) = of_tree(db, item, read_document);
    (Arc::new(document), findings)
}

/// The readings of a ruling with those who read it so, and since when.
#[salsa::tracked]
pub(crate) fn dated<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Dated> {
    let saying = |authority: &Authority| Saying {
        name: authority.name.clone(),
        document: authority.document.clone(),
        date: date_of(db, authority),
        disputed: authority.is(Status::Disputed),
    };
    let readings = ruling(db, item).0.readings.iter();
    let dated = |reading: &Reading| Dated {
        name: Arc::clone(&reading.name),
        sayings: reading.authorities.iter().map(saying).collect(),
    };
    readings.map(dated).collect()
}

/// Since when an authority is known: by its own date, else by its document's.
fn date_of(db: &dyn Db, authority: &Authority) -> Option<Date> {
    authority.date.or_else(|| {
        let (id, _) = authority.cited.as_ref()?;
        let item = named(db, Name::new(db, "document", &**id))?;
        document(db, item).0.dated(&authority.place)
    })
}

/// What other items see of a ruling: its readings' names and what their amendments are about.
#[salsa::tracked]
pub(crate) fn ruling_outline<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<(Arc<str>, Vec<Target>)> {
    let ruling = &ruling(db, item).0;
    let targets =
        |operations: &[crate::layers::ruling::Operation]| operations.iter().map(|one| one.target.clone()).collect();
    ruling.readings.iter().map(|reading| (Arc::clone(&reading.name), targets(&reading.operations))).collect()
}

/// What other items see of an edition: its choices without their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EditionOutline {
    /// Used where no edition is asked for.
    pub default: bool,
    /// Ruling and reading.
    pub choices: Vec<(Arc<str>, Arc<str>)>,
    /// Rulings, the last one wins.
    pub order: Vec<Arc<str>>,
    /// The variants on which a variant builds.
    pub builds_on: Vec<Arc<str>>,
}

/// A question that an edition answers by a reading that was not known yet on the day of a profile.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Later<'db> {
    /// The ruling.
    pub ruling: Item<'db>,
    /// The reading that the edition chooses.
    pub wanted: Arc<str>,
    /// The reading that answered on that day; `None` if no text did.
    pub then: Option<Arc<str>>,
}

/// The outline of an edition.
#[salsa::tracked]
pub(crate) fn edition_outline<'db>(db: &'db dyn Db, item: Item<'db>) -> EditionOutline {
    let edition = &edition(db, item).0;
    EditionOutline {
        default: edition.default.is_some(),
        choices: edition.choices.iter().map(|one| (Arc::clone(&one.ruling), Arc::clone(&one.reading))).collect(),
        order: edition.order.iter().map(|(ruling, _)| Arc::clone(ruling)).collect(),
        builds_on: edition.builds_on.iter().map(|(variant, _)| Arc::clone(variant)).collect(),
    }
}

/// A reading in force.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct ActiveReading<'db> {
    /// The ruling.
    pub ruling: Item<'db>,
    /// The reading's index in it.
    pub reading: usize,
    /// What decides between it and others.
    pub rank: Rank,
    /// Its place among those of the same rank: in the edition's order, or among those that the profile names.
    pub at: usize,
}

/// The readings of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Active<'db> {
    /// The readings in force: without a rank first, then by rank and place; the last one wins.
    pub readings: Vec<ActiveReading<'db>>,
    /// The questions that only later texts answer as the edition does.
    pub later: Vec<Later<'db>>,
    /// What the profile asks for and does not exist: code, message, help.
    pub problems: Vec<Problem>,
}

/// The items with a head, in the order of declaration.
pub(super) fn with_head<'db>(db: &'db dyn Db, head: &'static str) -> impl Iterator<Item = Item<'db>> {
    names(db).order.iter().copied().filter(move |item| item.head(db) == Some(head))
}

/// The rulings, in the order of declaration.
pub(crate) fn rulings(db: &dyn Db) -> impl Iterator<Item = Item<'_>> {
    with_head(db, "ruling")
}

/// The documents, in the order of declaration.
pub(crate) fn documents(db: &dyn Db) -> impl Iterator<Item = Item<'_>> {
    with_head(db, "document")
}

/// The editions, in the order of declaration.
pub(crate) fn editions(db: &dyn Db) -> impl Iterator<Item = Item<'_>> {
    with_head(db, "edition")
}

/// The edition that a profile names, or the default one.
fn edition_item<'db>(db: &'db dyn Db, profile: &Profile, active: &mut Active<'db>) -> Option<Item<'db>> {
    match &profile.edition {
        Some(id) => {
            let found = named(db, Name::new(db, "edition", &**id));
            if found.is_none() {
                let help = suggestion(id, editions(db).map(|item| &**item.key(db)));
                let message = format!("there is no edition `{id}`");
                active.problems.push(Problem { help, ..Problem::new(Code::UnknownEdition, (), message) });
            }
            found
        }
        None => editions(db).find(|item| edition_outline(db, *item).default),
    }
}

/// Works out the readings of a profile.
#[salsa::tracked]
pub(crate) fn active<'db>(db: &'db dyn Db, key: ProfileKey<'db>) -> Active<'db> {
    let profile = key.profile(db);
    let mut active = Active::default();
    let outline = edition_item(db, profile, &mut active).map(|item| edition_outline(db, item));
    let mut choices: BTreeMap<Arc<str>, Arc<str>> =
        outline.iter().flat_map(|one| one.choices.iter().cloned()).collect();
    if let Some(day) = profile.as_of {
        choices = choices.into_iter().filter_map(|choice| then(db, choice, day, &mut active.later)).collect();
    }
    // What a variant says is newer than the day of its edition's texts: it is taken as it is.
    let variants = chosen_variants(db, profile, &mut active);
    let varied = chosen_by_variants(db, &variants, &mut active);
    choices.extend(varied.iter().map(|(ruling, (reading, _))| (Arc::clone(ruling), Arc::clone(reading))));
    // What an edition says wrongly is reported there; what the profile says wrongly, here.
    for (ruling, reading) in &profile.with {
        if let Err(problem) = reading_index(db, ruling, reading) {
            active.problems.push(problem);
        }
        choices.insert(Arc::clone(ruling), Arc::clone(reading));
    }
    for ruling in &profile.without {
        if named(db, Name::new(db, "ruling", &**ruling)).is_none() {
            active.problems.push(unknown_ruling(db, ruling));
        }
        choices.remove(ruling);
    }
    // What is asked for by name is no question any more.
    let asked = |id: &str| {
        profile.with.iter().any(|(ruling, _)| **ruling == *id) || profile.without.iter().any(|one| **one == *id)
    };
    active.later.retain(|later| !asked(later.ruling.key(db)) && !varied.contains_key(later.ruling.key(db)));
    // Of the variants, one that builds on another wins over it; within one its own order decides.
    let arranged: Vec<&Arc<str>> = variants.iter().flat_map(|one| &edition_outline(db, *one).order).collect();
    let order: Vec<&Arc<str>> = outline.iter().flat_map(|one| &one.order).collect();
    for (ruling, reading) in &choices {
        if let Ok((item, reading)) = reading_index(db, ruling, reading) {
            let asked = profile.with.iter().position(|(other, _)| other == ruling);
            let ordered = order.iter().position(|other| *other == ruling);
            let then = profile.as_of.and_then(|day| dated(db, item).get(reading)?.last(day));
            let of_variant = varied.get(ruling).map(|(_, variant)| *variant);
            let (rank, at) = match (asked, of_variant, ordered, then) {
                (Some(at), ..) => (Rank::Asked, at),
                (_, Some(variant), ..) => match arranged.iter().rposition(|other| *other == ruling) {
                    Some(at) => (Rank::Arranged, at),
                    None => (Rank::Varied(taken_with(db, &variants, variant)), variant),
                },
                (_, _, Some(at), _) => (Rank::Ordered, at),
                (_, _, _, Some(date)) => (Rank::Dated(date), 0),
                _ => (Rank::None, 0),
            };
            active.readings.push(ActiveReading { ruling: item, reading, rank, at });
        }
    }
    active.readings.sort_by_key(|one| (one.rank, one.at));
    active
}

/// What answered a question on a day in place of an edition's choice.
fn then<'db>(
    db: &'db dyn Db,
    (ruling, reading): (Arc<str>, Arc<str>),
    day: Date,
    later: &mut Vec<Later<'db>>,
) -> Option<(Arc<str>, Arc<str>)> {
    // A choice that does not exist is reported with the edition.
    let Ok((item, _)) = reading_index(db, &ruling, &reading) else { return Some((ruling, reading)) };
    let readings = dated(db, item);
    let then = answer(readings, &reading, day).and_then(|at| readings.get(at)).map(|one| Arc::clone(&one.name));
    if then.as_ref() != Some(&reading) {
        later.push(Later { ruling: item, wanted: reading, then: then.clone() });
    }
    then.map(|then| (ruling, then))
}

/// What is wrong with a choice of readings; where, only those know who made it.
pub(crate) type Problem = Diagnostic<()>;

fn unknown_ruling(db: &dyn Db, ruling: &str) -> Problem {
    let names: Vec<&str> = rulings(db).map(|item| &**item.key(db)).collect();
    let help = suggestion(ruling, names.iter().copied());
    Problem { help, ..Problem::new(Code::UnknownRuling, (), format!("there is no ruling `{ruling}`")) }
}

/// The ruling of an id and the index of one of its readings.
pub(crate) fn reading_index<'db>(db: &'db dyn Db, ruling: &str, reading: &str) -> Result<(Item<'db>, usize), Problem> {
    let item = named(db, Name::new(db, "ruling", ruling)).ok_or_else(|| unknown_ruling(db, ruling))?;
    let readings = ruling_outline(db, item);
    match readings.iter().position(|(name, _)| **name == *reading) {
        Some(index) => Ok((item, index)),
        None => {
            for other in repeating(db, Name::new(db, "ruling", ruling)) {
                if let Some(index) = ruling_outline(db, *other).iter().position(|(name, _)| **name == *reading) {
                    return Ok((*other, index));
                }
            }
            let names: Vec<&str> = readings.iter().map(|(name, _)| &**name).collect();
            let help = suggestion(reading, names.iter().copied())
                .unwrap_or_else(|| format!("its readings are: {}", names.join(", ")));
            let message = format!("ruling `{ruling}` has no reading `{reading}`");
            Err(Problem::new(Code::UnknownReading, (), message).help(help))
        }
    }
}

/// An amendment in force, as a key: named so that it stays the same when others are written beside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub(crate) struct Amendment<'db> {
    /// The ruling.
    pub ruling: Item<'db>,
    /// The reading.
    pub reading: Arc<str>,
    /// How many amendments of the same item stand before it in the reading.
    pub nth: usize,
    /// What decides between it and others.
    pub rank: Rank,
}

/// The amendments of a reading, by what they are about.
pub(crate) fn amendments_of_reading<'db>(
    db: &'db dyn Db,
    ruling: Item<'db>,
    reading: usize,
    rank: Rank,
) -> Vec<(Target, Amendment<'db>)> {
    // total: a reading that is not there amends nothing
    let Some((name, targets)) = ruling_outline(db, ruling).get(reading) else { return Vec::new() };
    let targets: Vec<Target> = targets.iter().map(|target| in_full(db, target)).collect();
    let amendment = |(index, target): (usize, &Target)| {
        let nth = targets.iter().take(index).filter(|other| *other == target).count();
        (target.clone(), Amendment { ruling, reading: Arc::clone(name), nth, rank })
    };
    targets.iter().enumerate().map(amendment).collect()
}

/// All amendments of a profile, by what they are about.
#[salsa::tracked]
pub(crate) fn amendments<'db>(db: &'db dyn Db, profile: ProfileKey<'db>) -> BTreeMap<Target, Vec<Amendment<'db>>> {
    let mut by_target: BTreeMap<Target, Vec<Amendment<'db>>> = BTreeMap::new();
    // What a ruling with syntax errors amends is not known.
    for one in active(db, profile).readings.iter().filter(|one| is_whole(db, one.ruling)) {
        for (target, amendment) in amendments_of_reading(db, one.ruling, one.reading, one.rank) {
            by_target.entry(target).or_default().push(amendment);
        }
    }
    by_target
}

/// What is wrong with a ruling or an edition in view of the other items.
#[salsa::tracked]
pub(crate) fn layer_findings<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Finding> {
    match item.head(db) {
        Some("ruling") => {
            let (ruling, own) = ruling(db, item);
            let operations = ruling.readings.iter().flat_map(|reading| &reading.operations);
            let targets = operations.map(|one| (&one.target, one.target_span));
            let about = ruling.about.iter().map(|(target, span)| (target, *span));
            let mut found: Vec<Finding> =
                about.chain(targets).filter_map(|(target, span)| unknown_target(db, target, span)).collect();
            // The document that is cited with an authority may stand in what cannot be read.
            let authorities = ruling.readings.iter().flat_map(|reading| &reading.authorities);
            let is_read = !own.iter().any(Finding::is_error);
            let speakers = speakers(db);
            for authority in authorities {
                let spoken = || unknown_authority(authority, speakers).filter(|_| is_read);
                found.extend(unknown_document(db, authority).or_else(spoken));
            }
            // One authority in several documents is one slip.
            found.dedup_by(|one, other| one.code == Code::UnknownAuthority && *one == *other);
            found.extend(overlaps(ruling, &|authority| date_of(db, authority)));
            found
        }
        Some("edition") => edition_findings(db, item),
        Some("variant") => {
            let mut found = edition_findings(db, item);
            found.extend(wrong_links(db, item));
            found
        }
        _ => Vec::new(),
    }
}

fn unknown_target(db: &dyn Db, target: &Target, span: netrep_grammar::tree::Span) -> Option<Finding> {
    if target_item(db, target).is_some() {
        return None;
    }
    let found = words_named(db, Name::new(db, target.word(), &*target.key));
    if !found.is_empty() {
        let full: Vec<String> = found.iter().filter_map(|item| Some(target_of(db, *item)?.to_string())).collect();
        let text = format!("{} items are called {target}", full.len());
        let help = format!("name one of them in full: {}", full.join(", "));
        return Some(Finding::new(Code::UnknownItem, span, text).help(help));
    }
    let finding = Finding::new(Code::UnknownItem, span, format!("there is no {target}"));
    let others = all_items(db).iter().filter(|item| item.head(db) == Some(target.word()));
    let others: Vec<Target> = others.filter_map(|item| target_of(db, *item)).collect();
    Some(match suggestion(&target.key, others.iter().map(|other| &*other.key)) {
        Some(help) => finding.help(help),
        None => finding.help("name a card by its id, a rule by its number, a word with its head and in quotes"),
    })
}

/// The item that a target names; `None` if there is none, or if several are called so.
pub(crate) fn target_item<'db>(db: &'db dyn Db, target: &Target) -> Option<Item<'db>> {
    let name = Name::new(db, target.word(), &*target.key);
    match target.head {
        TargetHead::Card | TargetHead::Rule => named(db, name),
        _ => match words_named(db, name).as_slice() {
            [item] => Some(*item),
            _ => None,
        },
    }
}

/// The items that a head and the name of a word mean: that of the name in full, else those that are spelled so.
#[salsa::tracked]
fn words_named<'db>(db: &'db dyn Db, name: Name<'db>) -> Vec<Item<'db>> {
    let (head, key) = (name.head(db).as_str(), name.key(db).as_str());
    if head == TargetHead::Kernel.word() {
        return all_items(db)
            .iter()
            .copied()
            .filter(|item| item.head(db) == Some(head) && **item.key(db) == *key)
            .collect();
    }
    if head == TargetHead::Pattern.word() {
        return patterns(db).filter(|item| **pattern_name(db, *item) == *key).collect();
    }
    let declared = || vocabulary(db).order.iter().filter(|one| one.item.head(db) == Some(head));
    let in_full = declared().find(|one| *one.term.key.name == *key);
    let spelled = || declared().filter(|one| one.term.forms.iter().any(|form| form.text() == key));
    in_full.map_or_else(|| spelled().map(|one| one.item).collect(), |one| vec![one.item])
}

/// What an item is called in full where it can be amended.
pub(crate) fn target_of<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Target> {
    let head = TargetHead::of(item.head(db)?)?;
    let key = match head {
        TargetHead::Pattern => pattern_name(db, item),
        TargetHead::Card | TargetHead::Rule | TargetHead::Kernel => item.key(db),
        TargetHead::Verb | TargetHead::Class | TargetHead::Adjective | TargetHead::Relation | TargetHead::Define => {
            &declared(db, item).terms.first()?.key.name
        }
    };
    Some(Target { head, key: Arc::clone(key) })
}

/// A target as it is called in full; one that names nothing stays as it is.
pub(crate) fn in_full(db: &dyn Db, target: &Target) -> Target {
    match target.head {
        TargetHead::Card | TargetHead::Rule => target.clone(),
        _ => target_item(db, target).and_then(|item| target_of(db, item)).unwrap_or_else(|| target.clone()),
    }
}

/// A document that is cited and not declared, or a place that it does not have. Data that declare none do without.
fn unknown_document(db: &dyn Db, authority: &Authority) -> Option<Finding> {
    let (id, span) = authority.cited.as_ref()?;
    if let Some(cited) = named(db, Name::new(db, "document", &**id)) {
        let wrong = wrong_line(&authority.place, document(db, cited).0.lines?)?;
        let at = authority.place_span.unwrap_or(*span);
        return Some(
            Finding::new(Code::UnknownDocument, at, wrong).help("write `L12`, `L12 to L14`, or several: `L12 and L20`"),
        );
    }
    let known: Vec<&str> = with_head(db, "document").map(|item| &**item.key(db)).collect();
    let near = suggestion(id, known.iter().copied());
    let help = near.unwrap_or_else(|| {
        format!("declare it (`document {id} \"Name\" {{ date 1999. }}`), or cite one of {}", known.join(", "))
    });
    let finding = Finding::new(Code::UnknownDocument, *span, format!("no document is called `{id}`"));
    (!known.is_empty()).then(|| finding.help(help))
}

/// The authorities and the documents in which each speaks. Empty where no document names any, and where one cannot be
/// read: it may name those that are not found.
#[salsa::tracked]
fn speakers(db: &dyn Db) -> BTreeMap<Arc<str>, Vec<Arc<str>>> {
    let mut speakers: BTreeMap<Arc<str>, Vec<Arc<str>>> = BTreeMap::new();
    for item in with_head(db, "document") {
        if !is_whole(db, item) {
            return BTreeMap::new();
        }
        for name in &document(db, item).0.speakers {
            speakers.entry(name.clone()).or_default().push(Arc::clone(item.key(db)));
        }
    }
    speakers
}

/// An authority that no document names, or not the one that is cited. Data whose documents name none do without.
fn unknown_authority(authority: &Authority, speakers: &BTreeMap<Arc<str>, Vec<Arc<str>>>) -> Option<Finding> {
    let (name, span) = authority.speaker.as_ref()?;
    if speakers.is_empty() {
        return None;
    }
    let told = |text: String| Finding::new(Code::UnknownAuthority, *span, text);
    let Some(documents) = speakers.get(name) else {
        let known = || speakers.keys().map(|known| &**known);
        // How an authority is cited is written as a part of its name most often.
        let behind = known().filter_map(|known| Some((known, name.strip_prefix(known)?)));
        let behind = behind.filter(|(_, cited)| cited.starts_with([',', ':', ' ']));
        let help = match behind.max_by_key(|(known, _)| known.len()) {
            Some((known, cited)) => {
                let cited = cited.trim_start_matches([',', ':', ' ']);
                format!("what is cited stands behind the name: `authority \"{known}\", \"{cited}\".`")
            }
            None => suggestion(name, known()).unwrap_or_else(|| {
                let listed = known().collect::<Vec<_>>().join(", ");
                format!(
                    "name it in a document (`document 003 \"Letters\" {{ authority \"{name}\". }}`), or one that is: {listed}"
                )
            }),
        };
        return Some(told(format!("no document has the authority `{name}`")).help(help));
    };
    let (id, _) = authority.cited.as_ref()?;
    if documents.contains(id) {
        return None;
    }
    let own: Vec<&str> =
        speakers.iter().filter(|(_, documents)| documents.contains(id)).map(|(name, _)| &**name).collect();
    let help = format!(
        "cite a document in which it speaks ({}), or name who speaks in this one: {}",
        documents.join(", "),
        own.join(", ")
    );
    Some(told(format!("`{name}` does not speak in document {id}")).help(help))
}

fn edition_findings<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Finding> {
    let edition = &edition(db, item).0;
    let mut findings = Vec::new();
    for choice in &edition.choices {
        if let Err(problem) = reading_index(db, &choice.ruling, &choice.reading) {
            // The reading may be what cannot be read in its ruling.
            let broken = |item: Item<'db>| !is_whole(db, item) || ruling(db, item).1.iter().any(Finding::is_error);
            if problem.code == Code::UnknownReading
                && named(db, Name::new(db, "ruling", &*choice.ruling)).is_some_and(broken)
            {
                continue;
            }
            let span = if problem.code == Code::UnknownRuling { choice.ruling_span } else { choice.reading_span };
            findings.push(problem.map(|()| span));
        }
    }
    if let Some((day, span)) = edition.date {
        // Where no text of the day answers, an edition can only follow a later one.
        let late = |choice: &Choice| {
            let (item, reading) = reading_index(db, &choice.ruling, &choice.reading).ok()?;
            let readings = dated(db, item);
            let later = readings.get(reading).is_some_and(|reading| !reading.is_known(day));
            let then = readings.get(answer(readings, &choice.reading, day).filter(|_| later)?)?;
            Some(format!("{} {} (then {})", choice.ruling, choice.reading, then.name))
        };
        let late: Vec<String> = edition.choices.iter().filter_map(late).collect();
        if !late.is_empty() {
            let text = format!("{} of its readings are later than {day}, and another one answered by then", late.len());
            let help = format!("choose what answered then, or say when the other was written: {}", late.join(", "));
            findings.push(Finding::new(Code::ReadingAfterEdition, span, text).help(help));
        }
    }
    for (ruling, span) in &edition.order {
        if named(db, Name::new(db, "ruling", &**ruling)).is_none() {
            findings.push(unknown_ruling(db, ruling).map(|()| *span));
        }
    }
    findings
}
