//! Reading a ruling: a question, and its readings with their authority and their amendments.
//!
//! ```text
//! ruling R-1 "May a thing be taken twice?" {
//!     about A-1, 3.i.
//!     reading printed { authority "card text". document "cards" "A-1". date 2025-03-01. status in force. }
//!     reading strict  { authority "committee". replace A-1 take { [take] ... . } remove 3.i late. add to 3 { ... . } }
//!     reading longer  { authority "committee". amend A-1 take { read 2 as 3. } add to A-1 take { ... . } }
//!     reading loose   { authority "a player". awaits "what cannot be said yet". }
//! }
//! ```
//!
//! `document`, `date` and `status` belong to the authority before them; a reading may have several.

use std::sync::Arc;

use netrep_diagnostics::{Code, suggestion};
use netrep_grammar::tree::{Clause, Item, Span};

use super::Target;
use super::amend::{Edit, read_edits};
use super::date::Date;
use super::document::read_date;
use super::words::{Words, joined};
use crate::finding::Finding;

/// A ruling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ruling {
    /// Its id.
    pub id: Arc<str>,
    /// What is asked.
    pub question: String,
    /// The items that it is about, with their places.
    pub about: Vec<(Target, Span)>,
    /// The sources that raise the question.
    pub sources: Vec<String>,
    /// The answers.
    pub readings: Vec<Reading>,
}

/// One answer to a ruling's question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Its name, unique in the ruling.
    pub name: Arc<str>,
    /// Where the name stands.
    pub span: Span,
    /// Who says so.
    pub authorities: Vec<Authority>,
    /// What it changes. A reading without amendments is the text as it stands, unless it awaits something.
    pub operations: Vec<Operation>,
    /// What it waits for, where it cannot be said yet.
    pub awaits: Vec<String>,
}

/// Who reads it so, and where that is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Authority {
    /// Its name.
    pub name: String,
    /// The document and the place in it.
    pub document: Option<String>,
    /// The document's id, and where it is named.
    pub cited: Option<(Arc<str>, Span)>,
    /// The place in the document.
    pub place: String,
    /// Since when, if it says so itself; else its document says it.
    pub date: Option<Date>,
    /// Whether it is in force, superseded ...
    pub status: Option<String>,
}

impl Authority {
    /// Takes what stands behind `document`.
    fn cite(&mut self, words: &mut Words<'_>) {
        self.document = Some(plain(words.rest()));
        let span = words.span();
        self.cited = words.name().map(|id| (Arc::from(id), span));
        self.place = plain(words.rest());
    }

    /// True if its status is the one that is named.
    pub(crate) fn is(&self, status: &str) -> bool {
        self.status.as_deref() == Some(status)
    }
}

/// The status of an authority that holds.
pub(crate) const IN_FORCE: &str = "in force";
/// The status of an authority in whose place another has come.
pub(crate) const SUPERSEDED: &str = "superseded";
/// The status of an authority that not all follow.
pub(crate) const DISPUTED: &str = "disputed";

/// One amendment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The item that it changes.
    pub target: Target,
    /// Where the item is named.
    pub target_span: Span,
    /// What it does there.
    pub change: Change,
    /// The whole amendment.
    pub span: Span,
}

/// What an amendment does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Puts clauses in the place of a labelled one.
    Replace {
        /// The label.
        label: Arc<str>,
        /// Where it stands.
        label_span: Span,
        /// The clauses, in the ruling's coordinates.
        clauses: Vec<Clause>,
    },
    /// Changes a labelled clause inside.
    Amend {
        /// The label.
        label: Arc<str>,
        /// Where it stands.
        label_span: Span,
        /// What is changed, in the ruling's coordinates.
        edits: Vec<Edit>,
    },
    /// Takes a labelled clause away.
    Remove {
        /// The label.
        label: Arc<str>,
        /// Where it stands.
        label_span: Span,
    },
    /// Adds clauses at the end of the item, or of the block of a labelled clause.
    Add {
        /// The label, and where it stands.
        into: Option<(Arc<str>, Span)>,
        /// The clauses, in the ruling's coordinates.
        clauses: Vec<Clause>,
    },
}

impl Change {
    /// The label of the clause that it changes; an addition changes none.
    pub fn label(&self) -> Option<(&Arc<str>, Span)> {
        match self {
            Change::Replace { label, label_span, .. }
            | Change::Amend { label, label_span, .. }
            | Change::Remove { label, label_span } => Some((label, *label_span)),
            Change::Add { .. } => None,
        }
    }

    /// The clauses that it brings.
    pub fn clauses(&self) -> &[Clause] {
        match self {
            Change::Replace { clauses, .. } | Change::Add { clauses, .. } => clauses,
            Change::Amend { .. } | Change::Remove { .. } => &[],
        }
    }
}

/// The words that begin a clause of a reading.
const READING_WORDS: [&str; 9] =
    ["authority", "document", "date", "status", "replace", "amend", "remove", "add", "awaits"];

/// Reads a ruling.
pub(crate) fn read_ruling(item: &Item) -> (Ruling, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut header = Words::new(&item.header, item.head_span);
    let id = match header.word() {
        Some((id, _)) => Arc::from(id),
        None => {
            findings.push(
                Finding::new(Code::BadRuling, header.span(), "a ruling begins with its id")
                    .help("write `ruling ID \"Question?\" { ... }`"),
            );
            Arc::from("")
        }
    };
    let mut ruling = Ruling { id, ..Ruling::default() };
    if let Some((question, _)) = header.quoted() {
        ruling.question = question.to_owned();
    }
    if ruling.question.is_empty() || !header.is_empty() {
        findings.push(
            Finding::new(Code::BadRuling, header.span(), "after its id, a ruling has its question in quotes")
                .help("write `ruling ID \"Question?\" { ... }`"),
        );
    }
    for clause in &item.clauses {
        let mut words = Words::of(clause);
        if words.eat("about") {
            read_about(&mut words, &mut ruling.about, &mut findings);
        } else if words.eat("cites") {
            ruling.sources.extend(sources(&mut words));
        } else if words.eat("reading") {
            let reading = read_reading(clause, words, &mut findings);
            add_reading(&mut ruling, reading, &mut findings);
        } else {
            findings.push(
                Finding::new(
                    Code::BadRuling,
                    words.span(),
                    "a ruling has a subject, sources and readings, and nothing else",
                )
                .help("begin with `about`, `cites` or `reading NAME { ... }`"),
            );
        }
    }
    (ruling, findings)
}

fn add_reading(ruling: &mut Ruling, reading: Option<Reading>, findings: &mut Vec<Finding>) {
    let Some(reading) = reading else { return };
    match ruling.readings.iter().find(|other| other.name == reading.name) {
        Some(first) => findings.push(
            Finding::new(
                Code::ReadingRepeated,
                reading.span,
                format!("ruling `{}` has two readings named `{}`", ruling.id, reading.name),
            )
            .and(first.span, "the first one")
            .help("give one of them another name"),
        ),
        None => ruling.readings.push(reading),
    }
}

fn read_reading(clause: &Clause, mut words: Words<'_>, findings: &mut Vec<Finding>) -> Option<Reading> {
    let Some((name, span)) = words.label() else {
        findings.push(
            Finding::new(Code::BadRuling, words.span(), "a reading has a name").help("write `reading NAME { ... }`"),
        );
        return None;
    };
    let mut reading = Reading { name: Arc::from(name), span, ..Reading::default() };
    for inner in clause.block.iter().flatten() {
        let mut words = Words::of(inner);
        // total: no clause begins with no word, so it is refused below
        let (head, span) = words.word().unwrap_or(("", inner.span));
        match head {
            "authority" => reading.authorities.push(Authority { name: plain(words.rest()), ..Authority::default() }),
            "document" => match reading.authorities.last_mut() {
                None => findings.push(without_authority(&reading)),
                Some(authority) if authority.document.is_none() => authority.cite(&mut words),
                // One authority in several documents has said it several times.
                Some(authority) => {
                    let mut again = Authority { name: authority.name.clone(), ..Authority::default() };
                    again.cite(&mut words);
                    reading.authorities.push(again);
                }
            },
            fact @ ("date" | "status") => match reading.authorities.last_mut() {
                None => findings.push(without_authority(&reading)),
                Some(authority) if fact == "date" => authority.date = read_date(&mut words, findings),
                Some(authority) => authority.status = Some(words.text()),
            },
            "replace" => reading.operations.extend(read_replace(inner, words, findings)),
            "amend" => reading.operations.extend(read_amend(inner, words, findings)),
            "remove" => reading.operations.extend(read_remove(inner, words, findings)),
            "add" => reading.operations.extend(read_add(inner, words, findings)),
            "awaits" => match words.quoted().filter(|_| words.is_empty()) {
                Some((what, _)) => reading.awaits.push(what.to_owned()),
                None => findings.push(
                    Finding::new(Code::BadReading, words.span(), "it does not say what the reading waits for")
                        .help("write `awaits \"what is missing\".`"),
                ),
            },
            other => {
                let near = suggestion(other, READING_WORDS);
                findings.push(
                    Finding::new(Code::BadReading, span, format!("a reading has no clause that begins with `{other}`"))
                        .help(near.unwrap_or_else(|| {
                            format!("a clause of a reading begins with one of: {}", READING_WORDS.join(", "))
                        })),
                );
            }
        }
    }
    if reading.authorities.is_empty() {
        findings.push(without_authority(&reading));
    }
    findings.dedup();
    Some(reading)
}

/// What the readings' statuses leave open, or say twice; advice, because each reading is whole by itself.
pub(crate) fn overlaps(ruling: &Ruling, dated: &dyn Fn(&Authority) -> Option<Date>) -> Vec<Finding> {
    let mut found = Vec::new();
    let holds = |reading: &&Reading| reading.authorities.iter().any(|one| one.is(IN_FORCE));
    let mut holding = ruling.readings.iter().filter(holds);
    if let Some(first) = holding.next() {
        let twice = |again: &Reading| {
            let text = format!("the readings `{}` and `{}` are both in force", first.name, again.name);
            Finding::new(Code::TwoInForce, again.span, text)
                .and(first.span, "the first one")
                .help("say of one of them that it is superseded or disputed")
        };
        found.extend(holding.map(twice));
    }
    for reading in &ruling.readings {
        let given_up = |one: &Authority| one.is(SUPERSEDED);
        if !reading.authorities.iter().any(given_up) || reading.authorities.iter().any(|one| one.is(IN_FORCE)) {
            continue;
        }
        let others = ruling.readings.iter().filter(|other| other.name != reading.name);
        let alive: Vec<&Authority> = others.flat_map(|other| &other.authorities).filter(|one| !given_up(one)).collect();
        if alive.is_empty() {
            let text = format!("reading `{}` is superseded, but no other reading has come in its place", reading.name);
            found.push(
                Finding::new(Code::SupersededByNothing, reading.span, text)
                    .help("give the reading that holds now the status `in force`"),
            );
            continue;
        }
        // Of an authority without a date it is not known that it is older.
        let last = alive.iter().map(|one| dated(one)).collect::<Option<Vec<Date>>>().and_then(|d| d.into_iter().max());
        let own = reading.authorities.iter().filter(|one| given_up(one)).filter_map(dated).max();
        if let (Some(last), Some(own)) = (last, own)
            && last < own
        {
            let text = format!(
                "reading `{}` of {own} is superseded, but nothing that holds is later than {last}",
                reading.name
            );
            found.push(
                Finding::new(Code::SupersededByEarlier, reading.span, text)
                    .help("mend a date, or the status of a reading"),
            );
        }
    }
    found
}

fn without_authority(reading: &Reading) -> Finding {
    let message = format!("reading `{}` does not say who reads it so", reading.name);
    Finding::new(Code::ReadingWithoutAuthority, reading.span, message).help("begin with `authority \"...\".`")
}

fn read_about(words: &mut Words<'_>, about: &mut Vec<(Target, Span)>, findings: &mut Vec<Finding>) {
    loop {
        match words.target() {
            Some(target) => about.push(target),
            None => findings.push(
                Finding::new(Code::BadRuling, words.span(), "`about` names cards by id and rules by number")
                    .help("write `about ITEM, ITEM.`"),
            ),
        }
        if !words.comma() {
            break;
        }
    }
}

fn read_replace(clause: &Clause, mut words: Words<'_>, findings: &mut Vec<Finding>) -> Option<Operation> {
    let named = words.target().and_then(|target| Some((target, words.label()?)));
    let (Some(((target, target_span), (label, label_span))), Some(block)) = (named, &clause.block) else {
        findings.push(bad_amendment(clause, "replace ITEM LABEL { ... }"));
        return None;
    };
    let change = Change::Replace { label: Arc::from(label), label_span, clauses: block.clone() };
    of_clauses(clause, target, target_span, change, findings)
}

fn read_amend(clause: &Clause, mut words: Words<'_>, findings: &mut Vec<Finding>) -> Option<Operation> {
    let named = words.target();
    let block = clause.block.as_ref().filter(|block| !block.is_empty());
    // What stands in a header has no label.
    let in_header = |(target, span): &(Target, Span)| target.head.says_in_header().then(|| (String::new(), *span));
    let label = words.label().map_or_else(|| named.as_ref().and_then(in_header), Some);
    let (Some((target, target_span)), Some((label, label_span)), Some(block)) = (named, label, block) else {
        findings.push(bad_amendment(clause, "amend ITEM LABEL { read A as B. }"));
        return None;
    };
    let change = Change::Amend { label: Arc::from(label), label_span, edits: read_edits(block, findings) };
    of_clauses(clause, target, target_span, change, findings)
}

fn read_remove(clause: &Clause, mut words: Words<'_>, findings: &mut Vec<Finding>) -> Option<Operation> {
    let named = words.target().and_then(|target| Some((target, words.label()?)));
    let (Some(((target, target_span), (label, label_span))), None) = (named, &clause.block) else {
        findings.push(bad_amendment(clause, "remove ITEM LABEL."));
        return None;
    };
    let change = Change::Remove { label: Arc::from(label), label_span };
    of_clauses(clause, target, target_span, change, findings)
}

fn read_add(clause: &Clause, mut words: Words<'_>, findings: &mut Vec<Finding>) -> Option<Operation> {
    let named = words.eat("to").then(|| words.target()).flatten();
    let into = words.label().map(|(label, span)| (Arc::from(label), span));
    let (Some((target, target_span)), Some(block)) = (named, &clause.block) else {
        findings.push(bad_amendment(clause, "add to ITEM { ... }"));
        return None;
    };
    of_clauses(clause, target, target_span, Change::Add { into, clauses: block.clone() }, findings)
}

/// The operation, unless it is about clauses of an item that has none: what a header says is amended without a label.
fn of_clauses(
    clause: &Clause,
    target: Target,
    target_span: Span,
    change: Change,
    findings: &mut Vec<Finding>,
) -> Option<Operation> {
    let whole = matches!(&change, Change::Amend { label, .. } if label.is_empty());
    if target.head.says_in_header() && !whole {
        let text = format!("{target} has no clauses: what it says stands in its header");
        findings.push(
            Finding::new(Code::BadAmendment, clause.span, text)
                .help(format!("amend the words of it: `amend {target} {{ read A as B. }}`")),
        );
        return None;
    }
    Some(Operation { target, target_span, change, span: clause.span })
}

fn bad_amendment(clause: &Clause, form: &str) -> Finding {
    Finding::new(Code::BadAmendment, clause.span, "this amendment does not say what it changes").help(format!(
        "write `{form}`, where ITEM is a card's id, a rule's number or a word with its head (`verb \"…\"`), and LABEL is the label of one of its clauses"
    ))
}

/// The sources after `cites`: each is a document, optionally with a quoted place in it.
pub(crate) fn sources(words: &mut Words<'_>) -> Vec<String> {
    let list = words
        .rest()
        .split(|token| token.kind == netrep_grammar::tree::TokenKind::Comma)
        .map(plain)
        .filter(|s| !s.is_empty());
    let list = list.collect();
    words.text();
    list
}

/// Tokens without quotes: `CRF 8`, `003 L1019`.
fn plain(tokens: &[netrep_grammar::tree::Token]) -> String {
    joined(tokens).replace('"', "")
}
