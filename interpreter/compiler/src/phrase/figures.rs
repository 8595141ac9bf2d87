//! Printed figures that a thing of a class must have.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Item, Span};

use super::clause::{ClauseKind, FigureValue, ReadClause};
use super::error::PhraseError;
use super::lexicon::Lexicon;
use super::sorts::article;
use super::term::{Detail, Term, TypeName};
use super::tree::{TermKey, TermKind};

/// A figure as it is printed on a card.
struct Print<'c> {
    attribute: &'c TermKey,
    values: &'c [FigureValue],
    span: Span,
}

/// The figures that the classes of a card need and that it does not have. Its classes are those that its printed terms
/// put it into, and the classes above them.
pub fn missing(item: &Item, clauses: &[ReadClause], lex: &dyn Lexicon) -> Vec<PhraseError> {
    if item.head != "card" {
        return Vec::new();
    }
    let mut printed = Vec::new();
    collect(clauses, &mut printed);
    let mut errors: Vec<PhraseError> = Vec::new();
    for print in &printed {
        for class in classes(print, lex) {
            let mut above = Some(class.clone());
            while let Some(term) = above {
                for need in &term.needs {
                    let has = printed.iter().any(|p| p.attribute.name == *need);
                    let told = errors.iter().any(|e| e.help == Some(help(need, lex)));
                    if !has && !told {
                        errors.push(error(item, &class, need, print.span, lex));
                    }
                }
                above = lex.superclass(&term.key.name).and_then(|name| lex.term_named(TermKind::Class, &name));
            }
        }
    }
    errors
}

fn collect<'c>(clauses: &'c [ReadClause], printed: &mut Vec<Print<'c>>) {
    for clause in clauses {
        match &clause.kind {
            ClauseKind::Figure { attribute, values } => printed.push(Print { attribute, values, span: clause.span }),
            ClauseKind::Either(modes) => modes.iter().for_each(|mode| collect(mode, printed)),
            _ => {}
        }
    }
}

/// The classes that narrow by one of the printed terms.
fn classes(print: &Print<'_>, lex: &dyn Lexicon) -> Vec<Arc<Term>> {
    let mut found: Vec<Arc<Term>> = Vec::new();
    for value in print.values {
        let FigureValue::Entry(entry) = value else { continue };
        let first = entry.name.split(' ').next().unwrap_or(&entry.name);
        let narrows = |t: &&Arc<Term>| {
            t.only
                .as_ref()
                .is_some_and(|(attribute, entries)| *attribute == print.attribute.name && entries.contains(&entry.name))
        };
        for term in lex.terms_with(first).iter().filter(narrows) {
            if !found.contains(term) {
                found.push(term.clone());
            }
        }
    }
    found
}

fn error(item: &Item, class: &Term, need: &str, span: Span, lex: &dyn Lexicon) -> PhraseError {
    let header = item.header.last().map_or(item.head_span, |last| item.head_span.to(last.span));
    let message = format!("{} without {need}", article(&class.key.name));
    PhraseError::new(Code::MissingFigure, header, message)
        .and(span, format!("this makes it {}", article(&class.key.name)))
        .help(help(need, lex))
}

fn help(need: &str, lex: &dyn Lexicon) -> String {
    let value = match lex.term_named(TermKind::Attribute, need).as_deref().map(|t| &t.detail) {
        Some(Detail::Attribute { value: TypeName::Number, .. }) => " N",
        Some(Detail::Attribute { value: TypeName::Named(_), .. }) => " TERM",
        _ => "",
    };
    format!("add `{need}{value}.`, as it is printed")
}
