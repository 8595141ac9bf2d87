//! Reading an edition: a choice of readings, and which ruling wins where two amend the same clause. A variant is such a choice
//! too, of some rulings only, on top of an edition.
//!
//! ```text
//! edition current "The current rulebook" {
//!     default.
//!     date 1999-05-29.
//!     R-1 printed.
//!     R-2 strict.
//!     order R-2, R-1.     // R-1 wins
//! }
//! variant five-seats "Five at the table" {
//!     builds on three-seats.
//!     R-3 five.
//! }
//! ```

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Item, Span, Token};

use super::date::Date;
use super::document::read_date;
use super::words::joined;
use crate::finding::Finding;
use crate::phrase::data::{header, sentences};
use crate::phrase::forms::Form;
use crate::phrase::outline::Outline;

/// An edition, or a variant.
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
    /// The variants that a variant takes with it.
    pub builds_on: Vec<(Arc<str>, Span)>,
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

/// Reads an edition or a variant.
pub(crate) fn read_edition(item: &Item) -> (Edition, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut edition = Edition::default();
    match header(item) {
        Ok(said) => {
            edition.id = said.text("id");
            // total: the row of the header has a title
            edition.title = said.quoted("title").unwrap_or_default().to_owned();
        }
        Err(finding) => findings.push(finding),
    }
    for (clause, said) in sentences(&item.head, &item.clauses, &mut findings) {
        match said.form() {
            Form::DataDefault => edition.default = clause.tokens.first().map(|token| token.span),
            Form::DataDate => {
                let span = said.span("day").unwrap_or(clause.span);
                edition.date = read_date(&said, &mut findings).map(|date| (date, span));
            }
            Form::DataOrder => read_order(&said, &mut edition, &mut findings),
            Form::DataBuilds => {
                let named = said.each_tokens("variants");
                edition.builds_on.extend(named.filter_map(|one| Some((Arc::from(joined(one)), one.first()?.span))));
            }
            _ => choose(clause, &said, &mut edition, &mut findings),
        }
    }
    (edition, findings)
}

fn choose(clause: &Clause, said: &Outline<'_>, edition: &mut Edition, findings: &mut Vec<Finding>) {
    let place = |hole| said.span(hole).unwrap_or(clause.span);
    let choice = Choice {
        ruling: said.text("ruling"),
        ruling_span: place("ruling"),
        reading: said.text("reading"),
        reading_span: place("reading"),
    };
    match edition.choices.iter().find(|other| other.ruling == choice.ruling) {
        Some(first) => findings.push(
            Finding::new(
                Code::RulingChosenTwice,
                choice.ruling_span,
                format!("ruling `{}` is chosen twice", choice.ruling),
            )
            .and(first.ruling_span, "the first choice")
            .help("keep one of the two"),
        ),
        None => edition.choices.push(choice),
    }
}

fn read_order(said: &Outline<'_>, edition: &mut Edition, findings: &mut Vec<Finding>) {
    let named: Vec<&[Token]> = said.each_tokens("rulings").collect();
    if let [[first, ..]] = named.as_slice() {
        let text = format!("an order is one of several rulings, and this names `{}` alone", joined(named[0]));
        findings
            .push(Finding::new(Code::BadEdition, first.span, text).help("write `order R-1, R-2`: the last one wins"));
    }
    for one in named {
        // total: an id of a list has at least one word
        let (ruling, span) = (joined(one), one.first().map_or(Span::default(), |token| token.span));
        match edition.order.iter().find(|(other, _)| **other == *ruling) {
            Some((_, first)) => findings.push(
                Finding::new(Code::BadEdition, span, format!("ruling `{ruling}` stands twice in the order"))
                    .and(*first, "here before")
                    .help("keep the one that is meant"),
            ),
            None => edition.order.push((Arc::from(ruling), span)),
        }
    }
}
