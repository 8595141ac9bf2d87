//! What follows from a mistake elsewhere: told at its cause, as a number of items, and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use netrep_ir::{Place, Text};

use super::circles::is_circular;
use super::items::{Item, head_word};
use super::report::{item_diags, item_origin, places, version_diags};
use super::terms::{TermName, declaring_item};
use super::version::{Version, lowered};
use crate::db::Db;
use crate::finding::Diagnostic;
use crate::phrase::tree::TermKey;

/// Of the items that wait for one, so many are named.
const NAMED: usize = 3;

/// Adds to the diagnostics of each item how many others wait for it; gives what follows from nothing that is told.
pub(crate) fn fold<'db>(db: &'db dyn Db, versions: &[Version<'db>], diags: &mut [Diagnostic]) -> Vec<Diagnostic> {
    let mut further = Vec::new();
    let mut waiting: BTreeMap<Place, BTreeSet<String>> = BTreeMap::new();
    for version in versions {
        // The words of a circle are told with it.
        let lowered = lowered(db, *version).as_ref().filter(|_| !is_circular(db, version.item(db)));
        let Some(lowered) = lowered else { continue };
        for follows in &lowered.follows {
            let item = version.item(db);
            match cause(db, &follows.word, &mut vec![item]) {
                Some(root) => drop(waiting.entry(whole(db, root)).or_default().insert(name(db, item))),
                None => {
                    let places = places(db, *version);
                    further.push(follows.finding.clone().map(|span| places.place(span)));
                }
            }
        }
    }
    for (root, names) in waiting {
        if let Some(diag) = diags.iter_mut().find(|diag| diag.is_error() && root.has_start_of(&diag.place)) {
            let line = waits(&names);
            *diag = diag.clone().help(line);
        }
    }
    further
}

/// That items wait for a mistake to be mended, some of them by name.
pub(super) fn waits(names: &BTreeSet<String>) -> String {
    format!("this is used by what cannot be read before it is mended: {}", listed(names))
}

/// Some names, and the number of the others.
pub(super) fn listed(names: &BTreeSet<String>) -> String {
    let mut named: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
    let more = format!("{} more", names.len().saturating_sub(NAMED));
    if names.len() > NAMED {
        named.push(&more);
    }
    named.join(", ")
}

/// The item that says why a word has no meaning.
fn cause<'db>(db: &'db dyn Db, word: &TermKey, seen: &mut Vec<Item<'db>>) -> Option<Item<'db>> {
    let item = declaring_item(db, TermName::new(db, word.kind, &*word.name))?;
    let base = Version::base(db, item);
    let mut own = item_diags(db, item).iter().chain(version_diags(db, base));
    if is_circular(db, item) || own.any(Diagnostic::is_error) {
        return Some(item);
    }
    if seen.contains(&item) {
        return None;
    }
    seen.push(item);
    lowered(db, base).as_ref()?.follows.iter().find_map(|follows| cause(db, &follows.word, seen))
}

/// Where an item stands, from its head to its end.
pub(super) fn whole<'db>(db: &'db dyn Db, item: Item<'db>) -> Place {
    let origin = item_origin(db, item);
    let length = netrep_ir::limits::in_32_bits(item.text(db).len());
    Place { file: Text::from(&origin.path), start: origin.offset, end: origin.offset.saturating_add(length) }
}

/// How an item is called where it is told of.
pub(super) fn name<'db>(db: &'db dyn Db, item: Item<'db>) -> String {
    let key = item.key(db);
    match head_word(db, item) {
        "card" | "rule" => key.to_string(),
        head => format!("{head} {}", key.split([',', '(', ':', '=']).next().unwrap_or(key).trim()),
    }
}
