//! Applying amendments to the skeleton of an item.
//!
//! The result is again an item, in coordinates of its own: the clauses of the base text keep theirs, and each
//! amendment gets a region behind them. So an amended item is read and lowered like any other, and every
//! clause, nested ones included, remembers by its region which layer set it.

use std::sync::Arc;

use netrep_diagnostics::{Code, suggestion};
use netrep_grammar::tree::{Clause, Item, Span, Token, TokenKind};
use serde::{Deserialize, Serialize};

use super::Rank;
use super::amend::{Edit, Editor, are_same};
use super::labels;
use super::pattern::Expanded;
use super::reprint::Reprint;
use super::ruling::{Change, Operation};
use crate::coords::{Anchor, MAX_CLAUSE_BYTES, MAX_CLAUSES, clause_index, clause_start, move_clause, move_tokens};
use crate::finding::Finding;
use crate::phrase::declare::body_place;
use crate::tree::Tree;

/// An amendment in force, in the order of application.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Applied<'a> {
    /// What it changes.
    pub operation: &'a Operation,
    /// The ruling that it belongs to.
    pub ruling: &'a str,
    /// The reading that it belongs to.
    pub reading: &'a str,
    /// What decides between it and others.
    pub rank: Rank,
    /// Which text it comes from; 0 is the item itself.
    pub origin: u16,
}

/// An item with its amendments applied, and where they come from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Composed {
    /// The item. Stays equal if the amendments only move in their ruling.
    pub amended: Arc<Amended>,
    /// For each region of coordinates, the text that it comes from.
    pub anchors: Arc<[Anchor]>,
    /// For each region, the clause of the base text that stands for what is there, by its place; of those behind them none.
    pub stands: Arc<[Option<usize>]>,
}

/// An item with its amendments applied; every top-level clause has a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amended {
    /// The skeleton.
    pub item: Arc<Tree>,
    /// For each region, the layer that set it: empty for the base text, else `RULING=READING`.
    pub setters: Arc<[Arc<str>]>,
    /// Labels of clauses that amendments have left no clause with: who names one is not wrong, there is only nothing left
    /// to name.
    pub gone: Arc<[Arc<str>]>,
    /// What of it comes from the original of a reprint.
    pub reprint: Option<Reprint>,
    /// The layer that changed last what the header says; empty for the base text.
    pub header: Arc<str>,
    /// What is wrong with the amendments, in the coordinates of the composed item.
    pub findings: Vec<Finding>,
}

impl Amended {
    /// The layer that set what stands at a span.
    pub(crate) fn setter(&self, span: Span) -> Arc<str> {
        Arc::from(setter_at(&self.setters, span))
    }
}

/// The layer that set what stands at a span, of those of the regions.
pub(crate) fn setter_at(setters: &[Arc<str>], span: Span) -> &str {
    let region = clause_index(span.start).and_then(|index| setters.get(index));
    // total: no layer sets a header; that is how the base text is marked, too
    region.map_or("", |setter| setter)
}

/// Applies amendments to an item in canonical coordinates, in which what patterns stand for has been put in.
pub(crate) fn compose(base: Expanded, applied: &[Applied<'_>]) -> Composed {
    let Expanded { mut item, anchors, setters, stands, findings, reprint, gone: before } = base;
    labels::label_clauses(&mut item.clauses);
    // What nothing amends has the labels that it had.
    let before_all = if applied.is_empty() { Vec::new() } else { labels::all(&item.clauses) };
    let labels: Vec<Arc<str>> = before_all.into_iter().map(Arc::from).collect();
    let mut composing = Composing {
        anchors,
        setters,
        header: Arc::from(""),
        body: Span::default(),
        findings,
        inside: Vec::new(),
        before: Vec::new(),
        said: Vec::new(),
        item,
    };
    let regions: Vec<Option<u32>> = applied.iter().map(|one| composing.region(one)).collect();
    composing.conflicts(applied, &regions);
    for (index, (one, region)) in applied.iter().zip(&regions).enumerate() {
        let overruled = applied.iter().skip(index + 1).any(|later| same_label(one, later) && !is_inside(later));
        if let (Some(start), false) = (*region, overruled) {
            composing.apply(one, start);
        }
    }
    if !applied.is_empty() {
        labels::label_clauses(&mut composing.item.clauses);
    }
    composing.repeated_labels();
    let mut gone: Vec<Arc<str>> = labels.into_iter().chain(before).collect();
    if !gone.is_empty() {
        let left = labels::all(&composing.item.clauses);
        gone.retain(|label| !left.contains(&&**label));
    }
    let amended = Amended {
        item: Arc::new(composing.item.into()),
        setters: composing.setters.into(),
        gone: gone.into(),
        reprint,
        header: composing.header,
        findings: composing.findings,
    };
    Composed { amended: Arc::new(amended), anchors: composing.anchors.into(), stands: stands.into() }
}

/// True if both change the same clause.
fn same_label(a: &Applied<'_>, b: &Applied<'_>) -> bool {
    match (a.operation.change.label(), b.operation.change.label()) {
        (Some((a, _)), Some((b, _))) => a == b,
        _ => false,
    }
}

/// True if it leaves the clause and changes what is in it.
fn is_inside(one: &Applied<'_>) -> bool {
    matches!(one.operation.change, Change::Amend { .. })
}

/// True if it takes a clause away, and puts nothing in its place.
fn is_removal(one: &Applied<'_>) -> bool {
    matches!(one.operation.change, Change::Remove { .. })
}

/// True if it changes what the header says.
fn is_in_header(one: &Applied<'_>) -> bool {
    one.operation.change.label().is_some_and(|(label, _)| label.is_empty())
}

/// An amendment that has changed a clause inside.
struct Edited {
    /// Its region.
    region: usize,
    /// Where it is told, and as what.
    place: Span,
    name: String,
    rank: Rank,
}

struct Composing {
    item: Item,
    anchors: Vec<Anchor>,
    setters: Vec<Arc<str>>,
    /// The layer that changed last what the header says.
    header: Arc<str>,
    /// Where that layer is written; nowhere, if no layer has changed it.
    body: Span,
    findings: Vec<Finding>,
    /// The amendments that have changed a clause inside.
    inside: Vec<Edited>,
    /// Clauses that are changed inside, by where they begin now, as they were before.
    before: Vec<(u32, Clause)>,
    /// What has been read otherwise in which clause: two readings may say the same.
    said: Vec<(Arc<str>, Edit)>,
}

impl Composing {
    /// Gives an amendment its region and returns the region's start.
    fn region(&mut self, one: &Applied<'_>) -> Option<u32> {
        let index = self.anchors.len();
        let span = one.operation.span;
        let length = span.end.saturating_sub(span.start);
        if index >= MAX_CLAUSES || length > MAX_CLAUSE_BYTES {
            self.findings.push(
                Finding::new(Code::ItemTooLarge, self.item.head_span, "too many amendments of one item")
                    .help("split the item"),
            );
            return None;
        }
        self.anchors.push(Anchor { origin: one.origin, start: span.start, length });
        self.setters.push(Arc::from(format!("{}={}", one.ruling, one.reading)));
        Some(clause_start(index))
    }

    /// Two amendments of one clause need a declared order.
    fn conflicts(&mut self, applied: &[Applied<'_>], regions: &[Option<u32>]) {
        for (index, (later, at)) in applied.iter().zip(regions).enumerate() {
            let earlier = applied.iter().zip(regions).take(index).find(|(earlier, _)| {
                let decided = earlier.rank.yields(later.rank) && earlier.ruling != later.ruling;
                let beside = is_inside(earlier) && is_inside(later) || is_removal(earlier) && is_removal(later);
                same_label(earlier, later) && !decided && !beside
            });
            let (Some((earlier, before)), Some(at)) = (earlier, at) else { continue };
            let Some((label, _)) = later.operation.change.label() else { continue };
            let target = &later.operation.target;
            let help = if earlier.ruling == later.ruling {
                "one reading changes a clause once: join the two amendments".to_owned()
            } else {
                format!("write `order {}, {}.` in the edition; the last one wins", earlier.ruling, later.ruling)
            };
            let mut finding = Finding::new(
                Code::AmendmentsConflict,
                within(one_span(later), later.operation.span, *at),
                format!("two amendments of `{label}` of {target} are in force, without an order"),
            )
            .label(format!("{}={}", later.ruling, later.reading))
            .help(help);
            if let Some(before) = before {
                let place = within(one_span(earlier), earlier.operation.span, *before);
                finding = finding.and(place, format!("{}={}", earlier.ruling, earlier.reading));
            }
            self.findings.push(finding);
        }
    }

    fn apply(&mut self, one: &Applied<'_>, start: u32) {
        let operation = one.operation;
        let mut clauses = operation.change.clauses().to_vec();
        for clause in &mut clauses {
            move_clause(clause, operation.span.start, start);
        }
        let Some((label, span)) = operation.change.label() else {
            return self.add(one, clauses, start);
        };
        if is_in_header(one) {
            return self.edit_header(one, start);
        }
        let Some(path) = self.path(one, label, within(span, operation.span, start)) else { return };
        if is_inside(one) {
            return self.edit(one, &path, start);
        }
        self.lost_inside(one, &path, within(span, operation.span, start));
        if let (Change::Replace { .. }, Some(first)) = (&operation.change, clauses.first_mut())
            && labels::written(first).is_none()
        {
            let derived = labels::at(&self.item.clauses, &path).is_some_and(labels::is_derived);
            labels::set_label(first, label, derived);
        }
        splice(&mut self.item.clauses, &path, clauses);
    }

    /// The way to the clause that a label names.
    fn path(&mut self, one: &Applied<'_>, label: &str, place: Span) -> Option<Vec<usize>> {
        let mut paths = labels::find(&self.item.clauses, label);
        match paths.len() {
            1 => return paths.pop(),
            0 => self.findings.push(self.unknown_label(one, label, place)),
            _ => self.findings.push(
                Finding::new(
                    Code::UnknownClause,
                    place,
                    format!("several clauses of {} have the label `{label}`", one.operation.target),
                )
                .help("write the label of the clause around it first"),
            ),
        }
        None
    }

    /// Puts clauses at the end of the item, or of the block of one of its clauses.
    fn add(&mut self, one: &Applied<'_>, mut clauses: Vec<Clause>, start: u32) {
        let Change::Add { into: Some((label, span)), .. } = &one.operation.change else {
            // What two readings add in the same words under the same label is one clause.
            let is_there =
                |clause: &Clause| self.item.clauses.iter().any(|other| self.is_added(other) && is_alike(clause, other));
            clauses.retain(|clause| labels::written(clause).is_none() || !is_there(clause));
            return self.item.clauses.extend(clauses);
        };
        let place = within(*span, one.operation.span, start);
        let Some(path) = self.path(one, label, place) else { return };
        let block = labels::at_mut(&mut self.item.clauses, &path).and_then(|clause| clause.block.as_mut());
        let Some(block) = block else {
            let text =
                format!("`{label}` of {} has no clauses in it, to which others could be added", one.operation.target);
            self.findings.push(
                Finding::new(Code::BadAmendment, place, text)
                    .help("add the clauses to the item, or amend the words of the clause"),
            );
            return;
        };
        block.extend(clauses);
        if let Some(region) = clause_index(start) {
            self.inside.push(Edited { region, place, name: format!("{}={}", one.ruling, one.reading), rank: one.rank });
        }
    }

    /// Whether an amendment has brought a clause.
    fn is_added(&self, clause: &Clause) -> bool {
        let setter = clause_index(clause.span.start).and_then(|index| self.setters.get(index));
        setter.is_some_and(|setter| !setter.is_empty())
    }

    /// What takes a clause away takes what others have changed in it: that needs an order.
    fn lost_inside(&mut self, one: &Applied<'_>, path: &[usize], place: Span) {
        let Some(clause) = labels::at(&self.item.clauses, path) else { return };
        for lost in self.inside.iter().filter(|lost| touches(clause, lost.region) && !lost.rank.yields(one.rank)) {
            let target = &one.operation.target;
            let text = format!("two amendments of one clause of {target} are in force, without an order");
            self.findings.push(
                Finding::new(Code::AmendmentsConflict, place, text)
                    .label(format!("{}={}", one.ruling, one.reading))
                    .and(lost.place, lost.name.clone())
                    .help("choose one of the two readings, or write their `order` in the edition"),
            );
        }
    }

    /// Changes a clause inside.
    fn edit(&mut self, one: &Applied<'_>, path: &[usize], start: u32) {
        let Some(mut clause) = labels::at(&self.item.clauses, path).cloned() else { return };
        self.edit_clause(one, &mut clause, start);
        if let Some(place) = labels::at_mut(&mut self.item.clauses, path) {
            *place = clause;
        }
    }

    /// Changes what the header says; what it declares stays.
    fn edit_header(&mut self, one: &Applied<'_>, start: u32) {
        let place = within(one.operation.target_span, one.operation.span, start);
        let begins = |place: Span| self.item.header.iter().position(|token| token.span == place);
        let at = body_place(&self.item).and_then(begins);
        let Some(at) = at else {
            let text = format!("{} says nothing in its header", one.operation.target);
            self.findings.push(
                Finding::new(Code::BadAmendment, place, text).help("amend an adjective, a relation or a definition"),
            );
            return;
        };
        let tokens = self.item.header.split_off(at);
        let mut clause = Clause { tokens, span: self.body, marker: None, block: None };
        self.edit_clause(one, &mut clause, start);
        self.body = clause.span;
        self.item.header.append(&mut clause.tokens);
        self.header = Arc::from(format!("{}={}", one.ruling, one.reading));
    }

    /// Makes the edits of an amendment. Their words are sought among those that no amendment has put in.
    fn edit_clause(&mut self, one: &Applied<'_>, clause: &mut Clause, start: u32) {
        let Change::Amend { edits, label, .. } = &one.operation.change else { return };
        let operation = one.operation.span;
        let known = self.before.iter().position(|(at, _)| *at == clause.span.start);
        let before = match known {
            Some(known) => self.before.swap_remove(known).1,
            None => clause.clone(),
        };
        let others: Vec<(Span, String)> = self
            .inside
            .iter()
            .filter(|one| touches(clause, one.region))
            .map(|one| (one.place, one.name.clone()))
            .collect();
        if let Some(region) = clause_index(start) {
            let name = format!("{}={}", one.ruling, one.reading);
            let place = within(one_span(one), operation, start);
            self.inside.push(Edited { region, place, name, rank: one.rank });
        }
        let editor = Editor {
            before: &before,
            in_header: is_in_header(one),
            foreign: &|index| self.inside.iter().any(|one| one.region == index),
            place: &|span| within(span, operation, start),
            moved: &|tokens| {
                let mut tokens = tokens.to_vec();
                move_tokens(&mut tokens, operation.start, start);
                tokens
            },
        };
        let said = edits.iter().filter(|edit| !self.said.iter().any(|(of, one)| of == label && edit.reads_like(one)));
        for edit in said {
            if let Err(finding) = editor.apply(clause, edit) {
                let conflict = finding.code == Code::AmendmentsConflict;
                let told =
                    others.iter().filter(|_| conflict).fold(finding, |f, (place, name)| f.and(*place, name.clone()));
                self.findings.push(told);
            }
        }
        self.said.extend(edits.iter().map(|edit| (Arc::clone(label), edit.clone())));
        // The clause is now set by this layer, and told where the layer is written.
        clause.span = Span::new(start, start + operation.end.saturating_sub(operation.start));
        self.before.push((start, before));
    }

    fn unknown_label(&self, one: &Applied<'_>, label: &str, span: Span) -> Finding {
        let labels = labels::all(&self.item.clauses);
        let help = suggestion(label, labels.iter().copied())
            .unwrap_or_else(|| format!("its labels are: {}", labels.join(", ")));
        Finding::new(Code::UnknownClause, span, format!("{} has no clause `{label}`", one.operation.target)).help(help)
    }

    fn repeated_labels(&mut self) {
        for (label, first, again) in labels::repeated(&self.item.clauses) {
            self.findings.push(
                Finding::new(Code::LabelRepeated, again, format!("the label `{label}` is used twice"))
                    .and(first, "the first one")
                    .help("give one of the clauses another label"),
            );
        }
    }
}

/// Whether something in a clause, or the clause itself, stands in a region.
fn touches(clause: &Clause, region: usize) -> bool {
    fn tokens(list: &[Token], region: usize) -> bool {
        list.iter().any(|token| {
            let inner = match &token.kind {
                TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) => tokens(inner, region),
                _ => false,
            };
            inner || clause_index(token.span.start) == Some(region)
        })
    }
    clause_index(clause.span.start) == Some(region)
        || tokens(&clause.tokens, region)
        || clause.block.iter().flatten().any(|inner| touches(inner, region))
}

/// Whether two clauses have one label and say the same in the same words.
pub(super) fn is_alike(one: &Clause, other: &Clause) -> bool {
    let blocks = |one: &[Clause], other: &[Clause]| {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_alike(one, other))
    };
    labels::written(one) == labels::written(other)
        && are_same(&one.tokens, &other.tokens)
        && match (&one.block, &other.block) {
            (None, None) => true,
            (Some(one), Some(other)) => blocks(one, other),
            (None, Some(_)) | (Some(_), None) => false,
        }
}

/// The place to show for an amendment: its label, else all of it.
fn one_span(one: &Applied<'_>) -> Span {
    one.operation.change.label().map_or(one.operation.target_span, |(_, span)| span)
}

/// A span of an operation, in the region that begins at `start`.
fn within(span: Span, operation: Span, start: u32) -> Span {
    let shift = |position: u32| start + position.saturating_sub(operation.start).min(MAX_CLAUSE_BYTES);
    Span::new(shift(span.start), shift(span.end))
}

/// Puts clauses in the place of the one at a path.
fn splice(clauses: &mut Vec<Clause>, path: &[usize], with: Vec<Clause>) {
    match path {
        [] => {}
        [index] if *index < clauses.len() => drop(clauses.splice(*index..=*index, with)),
        [index, rest @ ..] => {
            if let Some(block) = clauses.get_mut(*index).and_then(|clause| clause.block.as_mut()) {
                splice(block, rest, with);
            }
        }
    }
}
