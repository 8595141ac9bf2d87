//! Many errors of one cause: where a word is declared wrongly, or spelled otherwise than it is used, what uses it cannot be
//! read, and says so all over the data. The cause is told, with the number of those that wait for it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_diagnostics::{Code, nearest};
use netrep_ir::Place;

use super::causes::{name, waits, whole};
use super::items::{Item, anchors, head_word, items};
use super::report::header_place;
use super::terms::vocabulary;
use super::used::all_used_terms;
use crate::db::Db;
use crate::finding::Diagnostic;
use crate::inputs::Workspace;
use crate::phrase::closed::is_closed;
use crate::phrase::tree::TermKind;

/// The heads of items that declare no words; an error in one of them is no cause of others.
const USERS: [&str; 10] =
    ["card", "rule", "ruling", "edition", "variant", "document", "filing", "layout", "pattern", ""];

/// What a sentence is found to be whose words mean something else, or nothing.
const CONSEQUENCES: [Code; 24] = [
    Code::AmbiguousPhrase,
    Code::BadFiling,
    Code::MissingFigure,
    Code::MissingFullStop,
    Code::MissingStep,
    Code::NeverHolds,
    Code::NoDefinition,
    Code::NoHost,
    Code::NoSuchAttribute,
    Code::NotSupported,
    Code::UnboundLabel,
    Code::UnexpectedWord,
    Code::UnfinishedPhrase,
    Code::UnknownEntry,
    Code::UnknownLabel,
    Code::UnknownName,
    Code::UnknownWord,
    Code::UnlistedStep,
    Code::WrongEntry,
    Code::WrongModifier,
    Code::WrongPredicate,
    Code::WrongRelation,
    Code::WrongSort,
    Code::WrongTarget,
];

/// So many sentences that cannot be read and say one word that is near to an unused one are no chance.
const MANY: usize = 4;

/// An error that may follow from another.
struct Told<'db> {
    item: Item<'db>,
    /// The words of the clause in which it is.
    words: BTreeSet<String>,
    /// The words at which it points.
    pointed: String,
    /// Where the clause begins and ends in its item.
    around: (u32, u32),
}

/// Takes what follows from a wrong declaration out of the diagnostics, and tells at the declaration who waits for it.
pub(crate) fn gather(db: &dyn Db, mut diags: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if diags.iter().filter(|diag| diag.is_error()).count() < 2 {
        return diags;
    }
    let told: Vec<Option<Told<'_>>> =
        diags.iter().map(|diag| diag.is_error().then(|| of(db, &diag.place)).flatten()).collect();
    let mut waiting: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let mut follows: BTreeSet<usize> = BTreeSet::new();
    // The first error of each declaration, with the words that it may have spoiled.
    let mut roots: Vec<(usize, Item<'_>, BTreeSet<String>)> = Vec::new();
    for (at, one) in told.iter().enumerate() {
        // What stands outside of all items may be the declaration that is missing.
        let declares =
            |one: &Told<'_>| !USERS.contains(&head_word(db, one.item)) || diags[at].code == Code::TextOutsideItem;
        if let Some(one) = one.as_ref().filter(|one| declares(one))
            && !roots.iter().any(|(_, item, _)| *item == one.item)
        {
            roots.push((at, one.item, own_words(db, one.item)));
        }
    }
    // Whatever serves the engine hangs on the words that serve; only where nothing else is wrong, it is the cause.
    let serves = |item: Item<'_>| head_word(db, item) == "kernel";
    let only_serves = roots.iter().all(|(_, item, _)| serves(*item));
    if !only_serves || !misspelt(db, &all(&told), &diags).is_empty() {
        roots.retain(|(_, item, _)| !serves(*item));
    }
    // A declaration that points at a word of another one waits for that.
    let points_at = |one: &Told<'_>, words: &BTreeSet<String>| words_of(&one.pointed).any(|word| words.contains(&word));
    let secondary = |(at, item, _): &(usize, Item<'_>, BTreeSet<String>)| {
        let others = roots.iter().filter(|(_, other, _)| other != item);
        told[*at].as_ref().is_some_and(|one| others.into_iter().any(|(_, _, words)| points_at(one, words)))
    };
    let first: Vec<bool> = roots.iter().map(|root| !secondary(root)).collect();
    for (at, one) in told.iter().enumerate() {
        let Some(one) = one.as_ref().filter(|_| CONSEQUENCES.contains(&diags[at].code)) else { continue };
        let is_of_word = matches!(diags[at].code, Code::UnknownWord | Code::UnknownEntry);
        let cause = roots.iter().zip(&first).find(|((_, item, words), first)| {
            let shares = match is_of_word {
                true => points_at(one, words),
                // What a card needs, the classes say that it may be of.
                false if diags[at].code == Code::MissingFigure && head_word(db, *item) == "class" => true,
                false => head_word(db, *item) == "kernel" || !words.is_disjoint(&one.words),
            };
            **first && *item != one.item && shares
        });
        if let Some(((root, ..), _)) = cause {
            follows.insert(at);
            waiting.entry(*root).or_default().insert(name(db, one.item));
        }
    }
    for (at, broken) in by_readings(db, &told, &diags) {
        if let (Some(one), true) = (&told[at], follows.insert(at)) {
            waiting.entry(broken).or_default().insert(name(db, one.item));
        }
    }
    for (root, names) in &waiting {
        diags[*root] = diags[*root].clone().help(waits(names));
    }
    let left: Vec<(usize, &Told<'_>)> = all(&told).into_iter().filter(|(at, _)| !follows.contains(at)).collect();
    let misspelt = misspelt(db, &left, &diags);
    for (diag, of) in misspelt {
        follows.extend(of);
        diags.push(diag);
    }
    diags.into_iter().enumerate().filter(|(at, _)| !follows.contains(at)).map(|(_, diag)| diag).collect()
}

/// What is told of a reading that amends a broken item, with the number of the error that broke it: words that nobody could
/// read stand in no clause.
fn by_readings(db: &dyn Db, told: &[Option<Told<'_>>], diags: &[Diagnostic]) -> Vec<(usize, usize)> {
    let told = all(told);
    let mut found = Vec::new();
    for (at, one) in &told {
        if diags[*at].code != Code::UnknownClause || head_word(db, one.item) != "ruling" {
            continue;
        }
        let amended = |other: &Told<'_>| {
            other.item != one.item && one.item.text(db).contains(&format!(" {} ", other.item.key(db)))
        };
        let cause = told.iter().find(|(other, broken)| diags[*other].code != Code::UnknownClause && amended(broken));
        found.extend(cause.map(|(other, _)| (*at, *other)));
    }
    found
}

/// True if two places stand in one clause.
pub(crate) fn in_one_clause(db: &dyn Db, one: &Place, other: &Place) -> bool {
    let clause = |place| of(db, place).map(|told| (told.item, told.around));
    one.file == other.file && clause(one).is_some_and(|one| clause(other) == Some(one))
}

/// The errors of what is declared before those of what uses it, so that a cause stands before what follows from it.
pub(crate) fn causes_first(db: &dyn Db, diags: &mut [Diagnostic]) {
    if diags.iter().filter(|diag| diag.is_error()).count() > 1 {
        diags.sort_by_cached_key(|diag| !diag.is_error() || !is_declared(db, &diag.place));
    }
}

/// Those that are found, with their numbers.
fn all<'t, 'db>(told: &'t [Option<Told<'db>>]) -> Vec<(usize, &'t Told<'db>)> {
    told.iter().enumerate().filter_map(|(at, one)| Some((at, one.as_ref()?))).collect()
}

/// Words that nothing uses and that are almost those of several sentences that cannot be read: the declaration is misspelt.
fn misspelt(db: &dyn Db, told: &[(usize, &Told<'_>)], diags: &[Diagnostic]) -> Vec<(Diagnostic, Vec<usize>)> {
    let told: Vec<&(usize, &Told<'_>)> = told.iter().filter(|(at, _)| is_unread(diags[*at].code)).collect();
    if told.len() < 2 {
        return Vec::new();
    }
    let vocabulary = vocabulary(db);
    let mut said: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (nth, (_, one)) in told.iter().enumerate() {
        one.words.iter().for_each(|word| said.entry(word).or_default().push(nth));
    }
    // A word that is a term by itself is none that is missing.
    said.retain(|word, of| of.len() > 1 && word.chars().count() > 3 && !is_closed(word) && !vocabulary.is_term(word));
    let mut found: Vec<(Diagnostic, Vec<usize>)> = Vec::new();
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    for one in &vocabulary.order {
        let mut near: BTreeMap<&str, &Vec<usize>> = BTreeMap::new();
        for form in &one.term.forms {
            match form.words.as_slice() {
                [word] => {
                    near.extend(said.iter().filter(|(say, _)| !nearest(word, [**say]).is_empty()).map(|(a, b)| (*a, b)))
                }
                // Two terms of a list between which a full stop is missing.
                words
                    if one.term.key.kind == TermKind::Entry && words.iter().all(|word| said.contains_key(&**word)) =>
                {
                    near.extend(words.iter().filter_map(|word| said.get_key_value(&**word)).map(|(a, b)| (*a, b)));
                }
                _ => {}
            }
        }
        // What is used is asked of all items: only where something is near.
        if near.is_empty() || all_used_terms(db).contains(&one.term.key) {
            continue;
        }
        let waits_for: BTreeSet<usize> =
            near.values().flat_map(|of| of.iter().copied()).filter(|of| !gone.contains(of)).collect();
        // Two sentences that stop at the very word are enough; else they may have no more than the word in common.
        let exact = waits_for.iter().all(|nth| near.contains_key(told[*nth].1.pointed.as_str()));
        if waits_for.len() < if exact { 2 } else { MANY } {
            continue;
        }
        let names: BTreeSet<String> = waits_for.iter().map(|nth| name(db, told[*nth].1.item)).collect();
        let words: Vec<String> = near.keys().map(|word| format!("`{word}`")).collect();
        let message =
            format!("nothing uses `{}`, and what cannot be read says {}", one.term.key.name, words.join(" and "));
        let diag = Diagnostic::new(Code::OtherSpelling, header_place(db, one.item), message)
            .help("spell the declaration as it is used")
            .help(waits(&names));
        found.push((diag, waits_for.iter().map(|nth| told[*nth].0).collect()));
        gone.extend(waits_for);
    }
    found
}

/// True if a sentence of which this is said cannot be read. What can be read, and can never be so, is of words that are declared.
pub(crate) fn is_unread(code: Code) -> bool {
    CONSEQUENCES.contains(&code) && code != Code::NeverHolds
}

/// True for a place in an item that declares words.
pub(super) fn is_declared(db: &dyn Db, place: &Place) -> bool {
    of(db, place).is_some_and(|one| !USERS.contains(&head_word(db, one.item)))
}

/// How the item is called in which a place is.
pub(super) fn name_at(db: &dyn Db, place: &Place) -> Option<String> {
    of(db, place).map(|one| name(db, one.item))
}

/// The item and clause of a place.
fn of<'db>(db: &'db dyn Db, place: &Place) -> Option<Told<'db>> {
    let file = Workspace::get(db).files(db).iter().find(|file| **file.path(db) == *place.file)?;
    let item = items(db, *file).iter().copied().find(|item| {
        let whole = whole(db, *item);
        whole.has_start_of(place) && place.start < whole.end
    })?;
    let text = item.text(db);
    let start = place.start.saturating_sub(whole(db, item).start);
    let around = anchors(db, item).around(start, netrep_ir::limits::in_32_bits(text.len()));
    // total: a place lies within its text
    let slice = |from: u32, to: u32| text.get(from as usize..to as usize).unwrap_or_default();
    let pointed = slice(start, start.saturating_add(place.end.saturating_sub(place.start))).to_owned();
    let words = words_of(slice(around.start, around.end)).collect();
    Some(Told { item, words, pointed, around: (around.start, around.end) })
}

/// The words with which an item is declared, but those that others declare too: of a list its terms as well.
fn own_words(db: &dyn Db, item: Item<'_>) -> BTreeSet<String> {
    let text = item.text(db);
    let header = match head_word(db, item) {
        "list" => text,
        _ => text.split(['{', ':', '=']).next().unwrap_or(text),
    };
    let declared: BTreeSet<Arc<str>> = (vocabulary(db).order.iter().filter(|one| one.item != item))
        .flat_map(|one| {
            one.term.forms.iter().filter_map(|form| match form.words.as_slice() {
                [word] => Some(Arc::clone(word)),
                _ => None,
            })
        })
        .collect();
    let own = words_of(header).filter(|word| *word != head_word(db, item) && word.chars().count() > 2);
    own.filter(|word| !is_closed(word) && !declared.contains(word.as_str())).collect()
}

fn words_of(text: &str) -> impl Iterator<Item = String> + '_ {
    let breaks = |c: char| !(c.is_alphanumeric() || matches!(c, '-' | '/' | '\''));
    text.split(breaks).filter(|word| word.chars().any(char::is_alphabetic)).map(str::to_owned)
}
