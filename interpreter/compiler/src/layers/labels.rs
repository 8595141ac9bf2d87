//! Labels of clauses: written in the marker, or derived from what kind of sentence it is.
//!
//! A clause that repeats no kind need not be labelled by its author: `when ...` is called `when`, a second
//! one `when 2`, a printed figure by its name. The label is taken from the skeleton alone, so that a layer
//! can name a clause whose words cannot be read yet.

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_grammar::tree::{Clause, Marker, Span, Token, TokenKind};

/// Words that say what kind of sentence it is, wherever they stand before the colon.
const INNER_WORDS: [&str; 9] = ["cannot", "must", "may", "gets", "gains", "loses", "becomes", "is", "are"];
/// Words that begin a sentence of a kind.
const FIRST_WORDS: [&str; 17] = [
    "when", "while", "play", "cost", "effect", "if", "always", "ends", "steps", "does", "needs", "leaves", "despite",
    "cites", "rests", "printed", "partial",
];
/// Words that begin a block with a name.
const NAMED_WORDS: [&str; 2] = ["step", "procedure"];

/// Gives every clause of a list a label in its marker, keeping those that are written.
pub(crate) fn label_clauses(clauses: &mut [Clause]) {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for clause in clauses.iter() {
        if let Some(label) = written(clause) {
            seen.insert(label.to_owned(), 1);
        }
    }
    for clause in clauses {
        if written(clause).is_some() {
            continue;
        }
        let kind = kind_label(clause);
        let count = seen.entry(kind.clone()).or_default();
        *count += 1;
        let label = if *count == 1 { kind } else { format!("{kind} {count}") };
        set_label(clause, &label, true);
    }
}

/// The label that the author wrote.
pub(crate) fn written(clause: &Clause) -> Option<&str> {
    clause.marker.as_ref().map(|marker| marker.label.as_str()).filter(|label| !label.is_empty())
}

/// The label of a clause in an effective item; never empty at the top level.
pub(crate) fn label_of(clause: &Clause) -> Arc<str> {
    Arc::from(shown(clause))
}

/// The label of a clause as it is shown.
pub(crate) fn shown(clause: &Clause) -> &str {
    // total: a clause without a label is shown without one
    written(clause).unwrap_or_default()
}

/// Gives a clause a label; `derived` from its words, or from those of the clause whose place it takes.
pub(crate) fn set_label(clause: &mut Clause, label: &str, derived: bool) {
    let start = Span::new(clause.span.start, clause.span.start);
    let marker = clause.marker.get_or_insert_with(|| Marker { span: start, ..Marker::default() });
    marker.label = label.to_owned();
    marker.derived = derived;
}

/// The derived label, without a number.
fn kind_label(clause: &Clause) -> String {
    let words: Vec<&str> = clause.tokens.iter().map_while(word).collect();
    let first = words.first().copied();
    if first.is_some_and(|first| NAMED_WORDS.contains(&first)) {
        // `step NAME of PROCEDURE`, `procedure NAME for (...)`
        let name = words.iter().take_while(|word| !matches!(**word, "of" | "for"));
        return name.copied().collect::<Vec<_>>().join(" ");
    }
    if let Some(first) = first.filter(|first| FIRST_WORDS.contains(first)) {
        return first.to_owned();
    }
    let sentence = clause.tokens.iter().take_while(|token| token.kind != TokenKind::Colon);
    match sentence.filter_map(word).find(|word| INNER_WORDS.contains(word)) {
        Some(kind) => kind.to_owned(),
        // A printed figure: its name, up to the value.
        None if words.is_empty() => "clause".to_owned(),
        None => words.join(" "),
    }
}

fn word(token: &Token) -> Option<&str> {
    match &token.kind {
        TokenKind::Word(word) => Some(word),
        _ => None,
    }
}

/// Every pair of clauses beside each other with the same written label: the first, and the one that repeats it.
pub(crate) fn repeated(clauses: &[Clause]) -> Vec<(String, Span, Span)> {
    let mut found = Vec::new();
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for clause in clauses {
        if let Some((label, marker)) = written(clause).zip(clause.marker.as_ref()) {
            match seen.get(label) {
                Some(first) => found.push((label.to_owned(), *first, marker.span)),
                None => {
                    seen.insert(label, marker.span);
                }
            }
        }
        found.extend(clause.block.iter().flat_map(|block| repeated(block)));
    }
    found
}

/// Where a label leads: the indices of the clause and, for a nested clause, of those within it.
pub(crate) type Path = Vec<usize>;

/// The clauses that a label names: one at the top level, else those with the label in blocks. A nested
/// label may be preceded by the label of a clause around it.
pub(crate) fn find(clauses: &[Clause], label: &str) -> Vec<Path> {
    if let Some(index) = clauses.iter().position(|clause| written(clause) == Some(label)) {
        return vec![vec![index]];
    }
    let mut paths = Vec::new();
    for (index, clause) in clauses.iter().enumerate() {
        let Some(block) = &clause.block else { continue };
        let qualified = written(clause).and_then(|own| label.strip_prefix(own)?.strip_prefix(' '));
        let mut inner = find(block, label);
        if let Some(rest) = qualified.filter(|_| inner.is_empty()) {
            inner = find(block, rest);
        }
        paths.extend(inner.into_iter().map(|path| [vec![index], path].concat()));
    }
    paths
}

/// The clause to which a path leads.
pub(crate) fn at<'c>(clauses: &'c [Clause], path: &[usize]) -> Option<&'c Clause> {
    let (first, rest) = path.split_first()?;
    let clause = clauses.get(*first)?;
    if rest.is_empty() { Some(clause) } else { at(clause.block.as_deref()?, rest) }
}

/// The clause to which a path leads, to be changed.
pub(crate) fn at_mut<'c>(clauses: &'c mut [Clause], path: &[usize]) -> Option<&'c mut Clause> {
    let (first, rest) = path.split_first()?;
    let clause = clauses.get_mut(*first)?;
    if rest.is_empty() { Some(clause) } else { at_mut(clause.block.as_deref_mut()?, rest) }
}

/// Whether a clause's label was taken from its words.
pub(crate) fn is_derived(clause: &Clause) -> bool {
    clause.marker.as_ref().is_some_and(|marker| marker.derived)
}

/// All labels by which clauses can be named, for suggestions.
pub fn all(clauses: &[Clause]) -> Vec<&str> {
    let mut labels: Vec<&str> = Vec::new();
    for clause in clauses {
        labels.extend(written(clause));
        labels.extend(clause.block.iter().flat_map(|block| all(block)));
    }
    labels
}
