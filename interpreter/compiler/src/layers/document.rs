//! Reading a document: what its readers cite, and since when it is known.
//!
//! ```text
//! document 003 "The collected rulings" { date 1999-05-29. }
//! document cards "Printed cards" { part AB date 1996. part CD date 1998-07. }
//! ```
//!
//! An authority without a date of its own has that of the part in which its place lies (`document "cards" "AB-12"`),
//! or else that of the document.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Item};

use super::date::{Date, FORM};
use super::words::Words;
use crate::finding::Finding;

/// A document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Its id, by which authorities cite it.
    pub id: Arc<str>,
    /// Its name.
    pub title: String,
    /// Since when it is known.
    pub date: Option<Date>,
    /// Parts with dates of their own: how places in them begin.
    pub parts: Vec<(String, Date)>,
}

impl Document {
    /// Since when a place in it is known.
    pub(crate) fn dated(&self, place: &str) -> Option<Date> {
        let within = |(part, _): &&(String, Date)| {
            let rest = place.strip_prefix(part.as_str());
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        };
        self.parts.iter().find(within).map(|(_, date)| *date).or(self.date)
    }
}

/// Reads a document.
pub(crate) fn read_document(item: &Item) -> (Document, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut document = Document::default();
    let mut header = Words::new(&item.header, item.head_span);
    let span = header.span();
    if let Some(id) = header.name() {
        document.id = Arc::from(id);
    }
    if let Some((title, _)) = header.quoted() {
        document.title = title.to_owned();
    }
    if document.id.is_empty() || document.title.is_empty() || !header.is_empty() {
        findings.push(
            Finding::new(Code::BadDocument, span, "a document has an id and its name in quotes")
                .help("write `document ID \"Name\" { date 1999-05-29. }`"),
        );
    }
    for clause in &item.clauses {
        read_clause(clause, &mut document, &mut findings);
    }
    (document, findings)
}

fn read_clause(clause: &Clause, document: &mut Document, findings: &mut Vec<Finding>) {
    let mut words = Words::of(clause);
    let part = if words.eat("part") { words.name() } else { None };
    if !words.eat("date") {
        findings.push(
            Finding::new(Code::BadDocument, clause.span, "a document has a date, parts with dates, and nothing else")
                .help("write `date 1999-05-29.` or `part AB date 1998.`"),
        );
        return;
    }
    match (read_date(&mut words, findings), part) {
        (Some(date), Some(part)) => document.parts.push((part, date)),
        (date, _) => document.date = date.or(document.date),
    }
}

/// The rest of a sentence as a date.
pub(crate) fn read_date(words: &mut Words<'_>, findings: &mut Vec<Finding>) -> Option<Date> {
    let span = words.whole_span();
    let text = words.compact();
    match text.parse::<Date>().map_err(|_| ()) {
        Ok(date) => Some(date),
        Err(()) => {
            findings.push(Finding::new(Code::BadDate, span, format!("`{text}` is no date")).help(FORM));
            None
        }
    }
}
