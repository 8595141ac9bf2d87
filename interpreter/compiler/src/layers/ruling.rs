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

use std::fmt;
use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Item, Span, Token};

use super::amend::{Edit, read_edits};
use super::date::Date;
use super::document::read_date;
use super::words::{joined, target};
use super::{Target, TargetHead};
use crate::finding::Finding;
use crate::phrase::data::{header, sentences};
use crate::phrase::declare::FACT;
use crate::phrase::forms::Form;
use crate::phrase::outline::Outline;

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
    /// Its name, and how it is cited.
    pub name: String,
    /// Its name alone, and where it stands.
    pub speaker: Option<(Arc<str>, Span)>,
    /// The document and the place in it.
    pub document: Option<String>,
    /// The document's id, and where it is named.
    pub cited: Option<(Arc<str>, Span)>,
    /// The place in the document.
    pub place: String,
    /// Where the place is named.
    pub place_span: Option<Span>,
    /// Since when, if it says so itself; else its document says it.
    pub date: Option<Date>,
    /// How it counts, if that is said.
    pub status: Option<Status>,
}

impl Authority {
    /// Takes what stands behind `document`.
    fn cite(&mut self, said: &Outline<'_>) {
        // total: the row has both
        let tokens = said.tokens("document").unwrap_or_default();
        self.cited = said.span("document").map(|span| (Arc::from(plain(tokens)), span));
        self.place = said.quoted("place").unwrap_or_default().to_owned();
        self.place_span = said.span("place");
        self.document = Some(format!("{} {}", plain(tokens), self.place));
    }

    /// True if its status is the one that is named.
    pub(crate) fn is(&self, status: Status) -> bool {
        self.status == Some(status)
    }
}

/// How an authority counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It holds.
    InForce,
    /// Another has come in its place.
    Superseded,
    /// Not all follow it.
    Disputed,
}

impl Status {
    fn of(said: &Outline<'_>) -> Option<Status> {
        match said.part("what")?.form() {
            Form::StatusHolds => Some(Status::InForce),
            Form::StatusReplaced => Some(Status::Superseded),
            _ => Some(Status::Disputed),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::InForce => "in force",
            Status::Superseded => "superseded",
            Status::Disputed => "disputed",
        })
    }
}

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

/// Reads a ruling.
pub(crate) fn read_ruling(item: &Item) -> (Ruling, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut ruling = Ruling::default();
    match header(item) {
        Ok(said) => {
            ruling.id = said.text("id");
            // total: the row of the header has a title
            ruling.question = said.quoted("title").unwrap_or_default().to_owned();
        }
        Err(finding) => findings.push(finding),
    }
    for (clause, said) in sentences("ruling", &item.clauses, &mut findings) {
        match said.form() {
            Form::DataAbout => ruling.about.extend(said.parts("items").filter_map(target_of)),
            Form::DataCites => ruling.sources.extend(sources(&said)),
            _ => add_reading(&mut ruling, read_reading(clause, &said, &mut findings), &mut findings),
        }
    }
    // What is missing may be in what cannot be read.
    if findings.is_empty() && ruling.about.is_empty() {
        let help = "name the rules and cards that it asks about: `about 3.iv.3, AB-12.`";
        findings.push(Finding::new(Code::BadRuling, item.head_span, "this question is about nothing").help(help));
    }
    if findings.is_empty() && ruling.readings.is_empty() {
        let help = "say how it is read, and by whom: `reading printed { authority \"the club\". }`";
        findings.push(Finding::new(Code::BadRuling, item.head_span, "this ruling has no readings").help(help));
    }
    (ruling, findings)
}

fn add_reading(ruling: &mut Ruling, reading: Reading, findings: &mut Vec<Finding>) {
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

fn read_reading(clause: &Clause, said: &Outline<'_>, findings: &mut Vec<Finding>) -> Reading {
    let span = said.span("name").unwrap_or(clause.span);
    let mut reading = Reading { name: said.text("name"), span, ..Reading::default() };
    for (inner, said) in sentences("reading", said.clauses("says"), findings) {
        match said.form() {
            Form::DataAuthority => {
                let speaker = said.quoted("name").zip(said.span("name")).map(|(name, span)| (Arc::from(name), span));
                reading.authorities.push(Authority { name: authority(&said), speaker, ..Authority::default() })
            }
            Form::DataAwaits => reading.awaits.extend(said.quoted("what").map(str::to_owned)),
            Form::DataDocument | Form::DataDate | Form::DataStatus => match reading.authorities.last_mut() {
                None if said_before(clause, inner) => {}
                None => findings.push(without_authority(&reading)),
                Some(authority) if said.form() == Form::DataDate => authority.date = read_date(&said, findings),
                Some(authority) if said.form() == Form::DataStatus => {
                    authority.status = Status::of(&said);
                }
                Some(authority) if authority.document.is_none() => authority.cite(&said),
                // One authority in several documents has said it several times.
                Some(authority) => {
                    let (name, speaker) = (authority.name.clone(), authority.speaker.clone());
                    let mut again = Authority { name, speaker, ..Authority::default() };
                    again.cite(&said);
                    reading.authorities.push(again);
                }
            },
            _ => {
                let operation = read_operation(inner, &said, findings);
                findings.extend(operation.as_ref().and_then(|one| changed_before(one, &reading.operations)));
                reading.operations.extend(operation);
            }
        }
    }
    // An authority that cannot be read is told where it stands.
    let unread = said.clauses("says").iter().any(|inner| inner.head() == "authority");
    if reading.authorities.is_empty() && !unread {
        findings.push(without_authority(&reading));
    }
    findings.dedup();
    reading
}

/// Who says so, and how he is cited.
fn authority(said: &Outline<'_>) -> String {
    let parts = ["name", "how"].into_iter().filter_map(|hole| said.quoted(hole));
    parts.collect::<Vec<_>>().join(", ")
}

/// What the readings' statuses leave open, or say twice; advice, because each reading is whole by itself.
pub(crate) fn overlaps(ruling: &Ruling, dated: &dyn Fn(&Authority) -> Option<Date>) -> Vec<Finding> {
    let mut found = Vec::new();
    let holds = |reading: &&Reading| reading.authorities.iter().any(|one| one.is(Status::InForce));
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
        let given_up = |one: &Authority| one.is(Status::Superseded);
        if !reading.authorities.iter().any(given_up) || reading.authorities.iter().any(|one| one.is(Status::InForce)) {
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

/// Whether a clause with the words of an authority stands in front of another: then it is told why it names none.
fn said_before(reading: &Clause, inner: &Clause) -> bool {
    let clauses = reading.block.iter().flatten();
    clauses.take_while(|one| one.span != inner.span).any(|one| one.head() == "authority")
}

/// What is taken away or replaced as a whole is changed once in a reading.
fn changed_before(one: &Operation, before: &[Operation]) -> Option<Finding> {
    let whole = |change: &Change| matches!(change, Change::Replace { .. } | Change::Remove { .. });
    let (label, span) = one.change.label()?;
    let same = |other: &&Operation| {
        let of_it = other.target == one.target && other.change.label().is_some_and(|(other, _)| other == label);
        of_it && (whole(&one.change) || whole(&other.change))
    };
    let first = before.iter().find(same)?;
    let text = format!("this reading changes `{label}` of {} twice, once as a whole", one.target);
    let finding = Finding::new(Code::BadAmendment, span, text).and(first.span, "the first change");
    Some(finding.help("keep one of the two, or say both in one `replace`"))
}

fn read_operation(clause: &Clause, said: &Outline<'_>, findings: &mut Vec<Finding>) -> Option<Operation> {
    let (target, target_span) = target_of(said.part("item")?)?;
    let clauses = said.clauses("says");
    let refuse = |text: String, help: String| Some(Finding::new(Code::BadAmendment, clause.span, text).help(help));
    let labelled =
        said.has("label").then(|| (Arc::from(said.written("label")), said.span("label").unwrap_or(clause.span)));
    let in_header = target.head.says_in_header();
    let fact = clauses.iter().find(|clause| clause.head() == FACT && clause.block.is_none());
    let wrong = match said.form() {
        _ if clause.block.is_some() && clauses.is_empty() => refuse(
            "nothing stands in the braces of this amendment".to_owned(),
            "`remove ITEM LABEL.` takes a clause away".to_owned(),
        ),
        // What stands in a header is amended without a label, and has no clauses.
        Form::DataAmend if in_header && labelled.is_none() => None,
        _ if fact.is_some() => fact.map(|fact| {
            let help = format!("declare it in {target} itself: where no clause says it, it changes nothing");
            Finding::new(Code::BadAmendment, fact.span, "a reading declares no facts").help(help)
        }),
        _ if in_header => refuse(
            format!("{target} has no clauses: what it says stands in its header"),
            format!("amend the words of it: `amend {target} {{ read A as B. }}`"),
        ),
        Form::DataAmend if labelled.is_none() => refuse(
            format!("this amendment names no clause of {target}"),
            format!("write `amend {target} LABEL {{ read A as B. }}`"),
        ),
        _ => None,
    };
    if wrong.is_some() {
        findings.extend(wrong);
        return None;
    }
    let (label, label_span) = labelled.clone().unwrap_or((Arc::from(""), target_span));
    let change = match said.form() {
        Form::DataReplace => Change::Replace { label, label_span, clauses: clauses.to_vec() },
        Form::DataAmend => Change::Amend { label, label_span, edits: read_edits(clauses, findings) },
        Form::DataRemove => Change::Remove { label, label_span },
        _ => Change::Add { into: labelled, clauses: clauses.to_vec() },
    };
    Some(Operation { target, target_span, change, span: clause.span })
}

/// The item that a row names, and where.
fn target_of(said: &Outline<'_>) -> Option<(Target, Span)> {
    let Some(word) = said.word("head") else { return target(said.tokens("item")?) };
    let span = said.span("name")?;
    let head = TargetHead::of(word)?;
    Some((Target { head, key: Arc::from(said.quoted("name")?) }, span))
}

/// What `cites` names: books and what stands in them.
pub(crate) fn sources(said: &Outline<'_>) -> Vec<String> {
    said.each_tokens("sources").map(plain).collect()
}

/// Tokens without quotes: `CRF 8`.
fn plain(tokens: &[Token]) -> String {
    joined(tokens).replace('"', "")
}
