//! Reading a document: what its readers cite, and since when it is known.
//!
//! ```text
//! document 003 "The collected rulings" { date 1999-05-29. authority "The collected rulings", "The club". }
//! document cards "Printed cards" { part AB date 1996. part CD date 1998-07. }
//! ```
//!
//! An authority without a date of its own has that of the part in which its place lies (`document "cards" "AB-12"`),
//! or else that of the document.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Item;

use super::date::{Date, FORM};
use super::words::{compact, joined};
use crate::finding::Finding;
use crate::phrase::data::{header, sentences};
use crate::phrase::forms::Form;
use crate::phrase::outline::Outline;

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
    /// Of one whose places are lines: how many it has.
    pub lines: Option<i64>,
    /// Its places begin with the numbers of rules.
    pub numbered: bool,
    /// Who speaks in it.
    pub speakers: Vec<Arc<str>>,
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

/// What is wrong with a place of a document with so many lines: it is none, lies behind the end, or ends before it begins.
pub(crate) fn wrong_line(place: &str, lines: i64) -> Option<String> {
    let line =
        |word: &str| word.trim_end_matches([',', ':', ';']).strip_prefix('L').and_then(|n| n.parse::<i64>().ok());
    let words: Vec<&str> = place.split_whitespace().collect();
    if words.first().and_then(|word| line(word)).is_none() {
        return Some(format!("`{place}` names no line"));
    }
    if let Some(beyond) = words.iter().find(|word| line(word).is_some_and(|n| n < 1 || n > lines)) {
        return Some(format!("`{beyond}` is no line of {lines}"));
    }
    let backward = words
        .windows(3)
        .find(|three| three[1] == "to" && line(three[0]).zip(line(three[2])).is_some_and(|(from, to)| to <= from));
    backward.map(|three| format!("`{}` ends before it begins", three.join(" ")))
}

/// Reads a document.
pub(crate) fn read_document(item: &Item) -> (Document, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut document = Document::default();
    match header(item) {
        Ok(said) => {
            document.id = Arc::from(said.written("id").replace('"', ""));
            // total: the row of the header has a title
            document.title = said.quoted("title").unwrap_or_default().to_owned();
        }
        Err(finding) => findings.push(finding),
    }
    for (_, said) in sentences("document", &item.clauses, &mut findings) {
        match said.form() {
            Form::DataLines => {
                document.lines = said.number("n");
                continue;
            }
            Form::DataNumbered => {
                document.numbered = true;
                continue;
            }
            Form::DataSpeakers => {
                document.speakers.extend(said.each_quoted("names").map(Arc::from));
                continue;
            }
            _ => {}
        }
        let date = read_date(&said, &mut findings);
        match said.tokens("name") {
            Some(part) => {
                let name = joined(part).replace('"', "");
                if document.parts.iter().any(|(other, _)| *other == name) {
                    // total: the row has the name
                    let span = said.span("name").unwrap_or(item.head_span);
                    let text = format!("the part `{name}` is named twice");
                    findings.push(Finding::new(Code::BadDocument, span, text).help("keep one of the two dates"));
                }
                document.parts.extend(date.map(|date| (name, date)));
            }
            None => document.date = date,
        }
    }
    (document, findings)
}

/// The date that a sentence says.
pub(crate) fn read_date(said: &Outline<'_>, findings: &mut Vec<Finding>) -> Option<Date> {
    let (tokens, span) = (said.tokens("day")?, said.span("day")?);
    let text = compact(tokens);
    let date = text.parse::<Date>();
    if date.is_err() {
        findings.push(Finding::new(Code::BadDate, span, format!("`{text}` is no date")).help(FORM));
    }
    date.ok()
}
