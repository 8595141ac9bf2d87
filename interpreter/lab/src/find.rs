//! What a name means: items by id, number, name or title; terms by any of their forms; clauses by their citation.

use std::sync::Arc;

use netrep_compiler::Compiler;
use netrep_compiler::phrase::term::Term;
use netrep_compiler::views::{ItemView, TermView};

use crate::words::{folded, folds_to, nearest_name};

/// Something that is called by a name.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    /// A card, rule, ruling, edition, variant or document; with the label of one of its clauses if that was named.
    Item(ItemView, Option<String>),
    /// A word of the vocabulary.
    Term(TermView),
}

/// The heads of items that are called by their key or their title.
const HEADS: [&str; 7] = ["card", "rule", "ruling", "edition", "variant", "document", "pattern"];

/// Suggestions beyond this number are not made.
const MOST: usize = 8;

/// Everything that a name means. `Err`: nothing is called so, but these are near.
pub(crate) fn find(compiler: &Compiler, name: &str) -> Result<Vec<Found>, Vec<String>> {
    let wanted = folded(name.trim().trim_matches('"'));
    let items: Vec<ItemView> = compiler.items().into_iter().filter(|item| HEADS.contains(&item.head)).collect();
    let called = |item: &&ItemView| {
        let bare = || item.head == "pattern" && folds_to(&without_parameters(&item.key), &wanted);
        folds_to(&item.key, &wanted) || folds_to(&title(item), &wanted) || bare()
    };
    // Of ids that differ in their capitals alone, the one that is written so is meant.
    let exact = name.trim().trim_matches('"');
    let is_written = items.iter().any(|item| *item.key == *exact);
    let meant = |item: &&ItemView| !is_written || *item.key == *exact || !folds_to(&item.key, &wanted);
    let named = items.iter().filter(called).filter(meant);
    let mut found: Vec<Found> = named.cloned().map(|item| Found::Item(item, None)).collect();
    let terms = compiler.declared();
    let is_term = |term: &Term| {
        folds_to(&term.key.name, &wanted) || term.forms.iter().any(|form| folds_to(&form.text(), &wanted))
    };
    // Who uses a term is asked of everything that is said.
    if terms.iter().any(|term| is_term(term)) {
        found.extend(compiler.terms().into_iter().filter(|view| is_term(&view.term)).map(Found::Term));
    }
    if found.is_empty() {
        // A citation: an item, then the label of a clause.
        let cited = items.iter().filter_map(|item| {
            let label = wanted.strip_prefix(&folded(&item.key))?.strip_prefix(' ')?;
            Some(Found::Item(item.clone(), Some(label.to_owned())))
        });
        found.extend(cited);
    }
    if found.is_empty() { Err(near(&wanted, &items, &terms)) } else { Ok(found) }
}

/// The words of a pattern's sentence without its parameters.
fn without_parameters(sentence: &str) -> String {
    let parts = sentence.split('(').map(|part| part.rsplit(')').next().map_or(part, str::trim));
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A card's name, a rule's title, a ruling's question; empty if the item has none.
pub(crate) fn title(item: &ItemView) -> String {
    let header = item.text.split('{').next();
    // total: most kinds of items have no title.
    header.and_then(|header| header.split('"').nth(1)).unwrap_or_default().to_owned()
}

fn near(wanted: &str, items: &[ItemView], terms: &[Arc<Term>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for item in items {
        names.push(item.key.to_string());
        // A question is too long to be typed.
        if matches!(item.head, "card" | "rule") {
            names.push(title(item));
        }
    }
    names.extend(terms.iter().flat_map(|term| term.forms.iter().map(|form| form.text())));
    names.retain(|name| !name.is_empty());
    let mut found: Vec<String> = nearest_name(wanted, names.iter().map(String::as_str)).into_iter().collect();
    if wanted.chars().count() > 2 {
        found.extend(names.into_iter().filter(|name| folded(name).contains(wanted)));
    }
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|name| seen.insert(name.clone()));
    found.truncate(MOST);
    found
}

/// The cards that a name or an id means. `Err`: none is called so, but these are near.
pub fn cards(compiler: &Compiler, name: &str) -> Result<Vec<ItemView>, Vec<String>> {
    let wanted = folded(name.trim().trim_matches('"'));
    let items: Vec<ItemView> = compiler.items().into_iter().filter(|item| item.head == "card").collect();
    let called = |item: &&ItemView| folds_to(&item.key, &wanted) || folds_to(&title(item), &wanted);
    let found: Vec<ItemView> = items.iter().filter(called).cloned().collect();
    if found.is_empty() { Err(near(&wanted, &items, &[])) } else { Ok(found) }
}
