//! What cannot be read at many places, in the same words: it has one cause, which may be none of them. It is told once, with
//! the number of the others.

use std::collections::{BTreeMap, BTreeSet};

use netrep_diagnostics::Code;

use super::causes::listed;
use super::suspects::{is_declared, is_unread, name_at};
use crate::db::Db;
use crate::finding::Diagnostic;

/// So many errors in the same words are told as one.
const ALIKE: usize = 5;

/// Of errors in the same words only the first, with the items in which the others are.
pub(crate) fn once(db: &dyn Db, diags: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut groups: BTreeMap<(Code, &str), Vec<usize>> = BTreeMap::new();
    for (at, diag) in diags.iter().enumerate().filter(|(_, diag)| diag.is_error() && is_unread(diag.code)) {
        groups.entry((diag.code, &diag.message)).or_default().push(at);
    }
    // One word that several declarations name is missing once.
    let declares = |at: &usize| is_declared(db, &diags[*at].place);
    groups.retain(|(code, _), group| {
        group.len() >= ALIKE || group.len() > 1 && *code == Code::UnknownWord && group.iter().all(declares)
    });
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    let mut lines: BTreeMap<usize, String> = BTreeMap::new();
    for group in groups.values() {
        let [first, others @ ..] = group.as_slice() else { continue };
        let items: BTreeSet<String> = others.iter().filter_map(|at| name_at(db, &diags[*at].place)).collect();
        lines.insert(*first, format!("the same is wrong at {} other places: {}", others.len(), listed(&items)));
        gone.extend(others);
    }
    let told = diags.into_iter().enumerate().filter(|(at, _)| !gone.contains(at));
    told.map(|(at, diag)| match lines.remove(&at) {
        Some(line) => diag.help(line),
        None => diag,
    })
    .collect()
}
