//! Reading an edition: a choice of readings, and which ruling wins where two amend the same clause.
//!
//! ```text
//! edition current "The current rulebook" {
//!     default.
//!     date 1999-05-29.
//!     R-1 printed.
//!     R-2 strict.
//!     order R-2, R-1.     // R-1 wins
//! }
//! ```

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Item, Span};

use super::date::Date;
use super::document::read_date;
use super::words::Words;
use crate::finding::Finding;

/// An edition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edition {
    /// Its id.
    pub id: Arc<str>,
    /// Its name for people.
    pub title: String,
    /// True if it is used where no edition is asked for; the place of `default`.
    pub default: Option<Span>,
    /// The chosen readings: ruling and reading, with their places.
    pub choices: Vec<Choice>,
    /// The day of its texts: what is later, it can only choose where they are silent.
    pub date: Option<(Date, Span)>,
    /// Rulings in the order in which they are applied: the last one wins.
    pub order: Vec<(Arc<str>, Span)>,
}

/// The reading that an edition chooses for a ruling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The ruling's id.
    pub ruling: Arc<str>,
    /// Where it stands.
    pub ruling_span: Span,
    /// The reading's name.
    pub reading: Arc<str>,
    /// Where it stands.
    pub reading_span: Span,
}

/// Reads an edition.
pub(crate) fn read_edition(item: &Item) -> (Edition, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut header = Words::new(&item.header, item.head_span);
    let mut edition = Edition::default();
    match header.word() {
        Some((id, _)) => edition.id = Arc::from(id),
        None => findings.push(
            Finding::new(Code::BadEdition, header.span(), "an edition begins with its id")
                .help("write `edition ID \"Name\" { ... }`"),
        ),
    }
    if let Some((title, _)) = header.quoted() {
        edition.title = title.to_owned();
    }
    for clause in &item.clauses {
        read_clause(clause, &mut edition, &mut findings);
    }
    (edition, findings)
}

fn read_clause(clause: &Clause, edition: &mut Edition, findings: &mut Vec<Finding>) {
    let mut words = Words::of(clause);
    let Some((head, span)) = words.word() else {
        findings.push(bad_clause(clause));
        return;
    };
    if head == "default" && words.is_empty() {
        edition.default = Some(span);
    } else if head == "date" {
        let span = words.whole_span();
        edition.date = read_date(&mut words, findings).map(|date| (date, span));
    } else if head == "order" {
        read_order(&mut words, edition, findings);
    } else if let Some((reading, reading_span)) = words.label() {
        let choice = Choice { ruling: Arc::from(head), ruling_span: span, reading: Arc::from(reading), reading_span };
        match edition.choices.iter().find(|other| other.ruling == choice.ruling) {
            Some(first) => findings.push(
                Finding::new(Code::RulingChosenTwice, span, format!("ruling `{head}` is chosen twice"))
                    .and(first.ruling_span, "the first choice")
                    .help("keep one of the two"),
            ),
            None => edition.choices.push(choice),
        }
    } else {
        findings.push(bad_clause(clause));
    }
}

fn read_order(words: &mut Words<'_>, edition: &mut Edition, findings: &mut Vec<Finding>) {
    while let Some((ruling, span)) = words.word() {
        match edition.order.iter().find(|(other, _)| **other == *ruling) {
            Some((_, first)) => findings.push(
                Finding::new(Code::BadEdition, span, format!("ruling `{ruling}` stands twice in the order"))
                    .and(*first, "here before")
                    .help("keep the one that is meant"),
            ),
            None => edition.order.push((Arc::from(ruling), span)),
        }
        words.comma();
    }
    if !words.is_empty() {
        findings.push(
            Finding::new(Code::BadEdition, words.span(), "an order is a list of rulings")
                .help("write `order R-1, R-2.`"),
        );
    }
}

fn bad_clause(clause: &Clause) -> Finding {
    Finding::new(Code::BadEdition, clause.span, "an edition chooses readings, and nothing else")
        .help("write `default.`, `date 1999.`, `RULING READING.` or `order RULING, RULING.`")
}
