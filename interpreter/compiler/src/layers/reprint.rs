//! Reprints: cards that say what another card says.
//!
//! ```text
//! card CD-3 "Old Lamp" {
//!     colour Red.
//!     reprint of AB-12.
//! }
//! ```
//!
//! All clauses of the original, as they are in force for it, are put in before anything is resolved; a clause of the reprint's own takes
//! the place of the one that has its label. Each keeps the place where it is written, and the layer that set it.

use std::ops::Range;
use std::sync::Arc;

use netrep_diagnostics::{Code, suggestion};
use netrep_grammar::tree::{Clause, Item, Span};
use serde::{Deserialize, Serialize};

use super::compose::{Composed, is_alike, setter_at};
use super::labels;
use super::pattern::Expanded;
use crate::coords::{Anchor, MAX_CLAUSES, clause_index, clause_start, move_clause};
use crate::finding::Finding;
use crate::phrase::data::sentence;
use crate::phrase::forms::Form;

/// The sentence of a card that names its original.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Says {
    /// Its place among the clauses.
    pub clause: usize,
    /// The id of the original.
    pub original: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// What a card with the skeleton is a reprint of.
pub(crate) fn says(item: &Item) -> Option<Says> {
    let read = |(clause, one): (usize, &Clause)| {
        let said = sentence(&item.head, one).ok().filter(|said| said.form() == Form::DataReprint)?;
        Some(Says { clause, original: Arc::from(said.written("original")), span: one.span })
    };
    item.clauses.iter().enumerate().filter(|(_, clause)| clause.head() == "reprint").find_map(read)
}

/// What of an item comes from its original.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reprint {
    /// The id of the original.
    pub original: Arc<str>,
    /// The regions of coordinates in which its clauses stand.
    regions: Range<usize>,
}

impl Reprint {
    /// Whether what stands at a span is said by the original, and by no one else.
    pub(crate) fn brings(&self, span: Span) -> bool {
        clause_index(span.start).is_some_and(|region| self.regions.contains(&region))
    }
}

/// The original of a reprint.
pub(crate) struct Original<'a> {
    /// Its clauses, as they are in force.
    pub composed: &'a Composed,
    /// For each text that these come from, which one it is of the reprint.
    pub origins: Vec<u16>,
}

/// The printed sentences that a clause expresses.
fn sentences(clause: &Clause) -> impl Iterator<Item = &u32> {
    clause.marker.iter().flat_map(|marker| &marker.sentences)
}

/// Puts the clauses of the original into a reprint.
pub(crate) fn put_in(expanded: &mut Expanded, says: &Says, of: &Original<'_>) {
    let amended = &of.composed.amended;
    let first = expanded.anchors.len();
    if first + of.composed.anchors.len() > MAX_CLAUSES {
        let finding = Finding::new(Code::ItemTooLarge, says.span, "too many clauses in one card");
        return expanded.findings.push(finding.help("write what is printed on it, without an original"));
    }
    let placed = |anchor: &Anchor| Some(Anchor { origin: *of.origins.get(usize::from(anchor.origin))?, ..*anchor });
    // Each text of the original is one of the reprint.
    let Some(anchors) = of.composed.anchors.iter().map(placed).collect::<Option<Vec<Anchor>>>() else { return };
    expanded.stands.extend(anchors.iter().map(|_| Some(says.clause)));
    expanded.anchors.extend(anchors);
    expanded.setters.extend(amended.setters.iter().cloned());
    expanded.reprint = Some(Reprint { original: Arc::clone(&says.original), regions: first..expanded.anchors.len() });
    expanded.gone.extend(amended.gone.iter().cloned());
    let (from, to) = (clause_start(0), clause_start(first));
    let moved = |span: Span| match clause_index(span.start) {
        Some(_) => span.shifted(to - from),
        None => span,
    };
    expanded.findings.extend(amended.findings.iter().map(|finding| finding.clone().map(moved)));
    let mut clauses = amended.item.clauses.clone();
    clauses.iter_mut().for_each(|clause| move_clause(clause, from, to));
    let mut own = std::mem::take(&mut expanded.item.clauses);
    labels::label_clauses(&mut own);
    let (names, own): (Vec<Clause>, Vec<Clause>) = own.into_iter().partition(|clause| clause.span == says.span);
    for clause in own {
        let label = labels::shown(&clause);
        // What only a reading makes the same is said by the card all the same.
        let is_written = |other: &Clause| setter_at(&expanded.setters, other.span).is_empty();
        let says_so = |other: &Clause| is_alike(&clause, other) && sentences(&clause).eq(sentences(other));
        match clauses.iter_mut().find(|other| labels::shown(other) == label) {
            Some(other) if is_written(other) && says_so(other) => {
                let text = format!("{} says this in the same words", says.original);
                let finding = Finding::new(Code::BadReprint, clause.span, text);
                expanded.findings.push(finding.help("take it away: a reprint says what its original says"));
            }
            Some(other) => *other = clause,
            // What a reading takes from the original it does not take from what the card says itself.
            None if amended.gone.iter().any(|gone| **gone == *label) => clauses.push(clause),
            None => {
                let text = format!("{} has no clause `{label}` in whose place this one could stand", says.original);
                let known: Vec<&str> = clauses.iter().map(labels::shown).collect();
                let help = suggestion(label, known.iter().copied()).unwrap_or_else(|| {
                    format!("its labels are: {}; a card that says more is no reprint", known.join(", "))
                });
                expanded.findings.push(Finding::new(Code::BadReprint, clause.span, text).help(help));
            }
        }
    }
    expanded.item.clauses = names.into_iter().chain(clauses).collect();
}
