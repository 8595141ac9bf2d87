//! Printed figures: those that a thing of a class must have, and the classes of which a card is by them.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Item, Span};

use super::clause::{ClauseKind, FigureValue, ReadClause};
use super::declare::OR;
use super::lexicon::Lexicon;
use super::render::joined_by_or;
use super::sorts::article;
use super::term::{Detail, Origin, Term, TypeName};
use super::tree::{TermKey, TermKind};
use crate::finding::Finding;

/// A figure as it is printed on a card.
pub(crate) struct Print<'c> {
    attribute: &'c TermKey,
    values: &'c [FigureValue],
    span: Span,
}

/// The figures that the classes of a card need and that it does not have. Its classes are those that its printed terms
/// put it into, and the classes above them.
pub(crate) fn missing(item: &Item, clauses: &[&ReadClause], lex: &dyn Lexicon) -> Vec<Finding> {
    if item.head != "card" {
        return Vec::new();
    }
    let printed = printed(clauses.iter().copied());
    let mut errors: Vec<Finding> = Vec::new();
    // What every card needs comes first: a card without a type is of no class, whatever else it has.
    let header = header_of(item);
    if let Some(card) = lex.term_named(TermKind::Class, &lex.card_class()) {
        let needed = needs(&card, &printed, lex);
        errors.extend(needed.into_iter().map(|need| error(item, &card, &need, header, lex)));
    }
    let made = made(&printed, lex);
    for (class, print) in &made {
        for above in lex.lineage(&class.key.name) {
            let Some(term) = lex.term_named(TermKind::Class, &above) else { continue };
            let lacked = |need: &Arc<str>| need.split(OR).any(|one| lacking(one, &made, &printed, lex).is_some());
            for need in needs(&term, &printed, lex).into_iter().filter(|need| !lacked(need)) {
                if !errors.iter().any(|e| e.help.as_ref() == Some(&help(&need, lex))) {
                    errors.push(error(item, class, &need, print.span, lex));
                }
            }
        }
    }
    errors
}

/// What a class needs and a card has not printed.
fn needs(class: &Term, printed: &[Print<'_>], lex: &dyn Lexicon) -> Vec<Arc<str>> {
    // Of a figure that is not declared it is told where the class needs it.
    let known = |need: &&Arc<str>| need.split(OR).all(|one| lex.term_named(TermKind::Attribute, one).is_some());
    let has = |need: &Arc<str>| need.split(OR).any(|one| printed.iter().any(|print| *print.attribute.name == *one));
    class.needs.iter().filter(known).filter(|need| !has(need)).cloned().collect()
}

/// A class, and the figure that makes a card one of it.
type Made<'p, 'c> = (Arc<Term>, &'p Print<'c>);

/// The classes of a card by its figures, in their order.
fn made<'p, 'c>(printed: &'p [Print<'c>], lex: &dyn Lexicon) -> Vec<Made<'p, 'c>> {
    printed.iter().flat_map(|print| classes(print, lex).into_iter().map(move |class| (class, print))).collect()
}

/// The class of a card by which it does not have a figure, and the figure that makes it one.
fn lacking<'m, 'p, 'c>(
    figure: &str,
    made: &'m [Made<'p, 'c>],
    printed: &[Print<'_>],
    lex: &dyn Lexicon,
) -> Option<&'m Made<'p, 'c>> {
    made.iter()
        .find(|(class, _)| class.lacks.iter().any(|lack| **lack == *figure) && is_of(&class.key.name, printed, lex))
}

/// What is printed on a card, or on the things that are printed on it, and cannot be: figures that such a card does not have,
/// that stand there twice, with several values or with a number that is too small.
pub(crate) fn wrong(item: &Item, clauses: &[&ReadClause], lex: &dyn Lexicon) -> Vec<Finding> {
    let mut errors = Vec::new();
    if item.head == "card" {
        let printed = printed(clauses.iter().copied());
        // What every card needs may be what makes the others right.
        let card = lex.term_named(TermKind::Class, &lex.card_class());
        if card.is_none_or(|card| needs(&card, &printed, lex).is_empty()) {
            errors.extend(printed.iter().filter_map(|print| belongs_elsewhere(print, &printed, lex)));
            let made = made(&printed, lex);
            errors.extend(printed.iter().filter_map(|print| lacked(print, &made, &printed, lex)));
        }
        each_once(clauses, lex, &mut errors);
    }
    errors
}

fn lacked(print: &Print<'_>, made: &[Made<'_, '_>], printed: &[Print<'_>], lex: &dyn Lexicon) -> Option<Finding> {
    let name = &print.attribute.name;
    let (class, by) = lacking(name, made, printed, lex)?;
    let class = article(&class.key.name);
    let message = format!("{class} has no `{name}` printed");
    let said = format!("this makes it {class}");
    Some(Finding::new(Code::WrongFigure, print.span, message).and(by.span, said).help("leave it out"))
}

/// The declarations of a printed figure: one for each sort of things that has it.
fn declarations(figure: &TermKey, lex: &dyn Lexicon) -> Vec<Arc<Term>> {
    let is_it = |term: &&Arc<Term>| {
        term.key == *figure && matches!(term.detail, Detail::Attribute { origin: Origin::Figure, .. })
    };
    lex.terms_with(super::term::first_word(&figure.name)).iter().filter(is_it).cloned().collect()
}

/// The first of them.
fn declared(figure: &TermKey, lex: &dyn Lexicon) -> Option<Arc<Term>> {
    declarations(figure, lex).into_iter().next()
}

fn belongs_elsewhere(print: &Print<'_>, printed: &[Print<'_>], lex: &dyn Lexicon) -> Option<Finding> {
    let (name, card) = (&print.attribute.name, lex.card_class());
    // Of a class that is not declared nothing is known but that.
    let is_lost = |class: &str| lex.term_named(TermKind::Class, class).is_none();
    let of_card = |named: &&TypeName| match named {
        TypeName::Named(class) => is_lost(class) || lex.lineage(class).last() == Some(&card),
        _ => false,
    };
    let terms = declarations(print.attribute, lex);
    let on_cards = |term: &Arc<Term>| match &term.detail {
        Detail::Attribute { of, on, .. } if of.types.iter().any(|named| of_card(&named)) => Some(match on.as_slice() {
            [] => of.types.iter().filter(of_card).filter_map(|named| named.class().cloned()).collect(),
            on => on.to_vec(),
        }),
        _ => None,
    };
    let classes: Vec<Arc<str>> = match terms.iter().find_map(on_cards) {
        Some(classes) => classes,
        None => {
            let message = format!(
                "`{name}` is not printed on a card: it changes in play, is worked out, or is of something else"
            );
            let help = "take it away; what is printed is declared as a `figure`";
            return Some(Finding::new(Code::WrongFigure, print.span, message).help(help));
        }
    };
    if classes.iter().any(|class| **class == *card || is_of(class, printed, lex) || !is_sound(class, lex)) {
        return None;
    }
    let classes: Vec<String> = classes.iter().map(|class| article(class)).collect();
    let message = format!("only {} has `{name}` printed", joined_by_or(&classes));
    let help = "take it away, or say in the declaration of the figure that such cards have it: `…, on CLASS or CLASS`";
    Some(Finding::new(Code::WrongFigure, print.span, message).help(help))
}

fn each_once(clauses: &[&ReadClause], lex: &dyn Lexicon, errors: &mut Vec<Finding>) {
    let mut seen: Vec<(&TermKey, Span)> = Vec::new();
    for clause in clauses {
        match &clause.kind {
            ClauseKind::Figure { attribute, values } => {
                let Some(term) = declared(attribute, lex) else { continue };
                let Detail::Attribute { many, least, .. } = &term.detail else { continue };
                // A number for each term is a row of them.
                let row = values.iter().all(|value| matches!(value, FigureValue::EntryNumber(..)));
                let wrong =
                    |message: String, help: &str| Finding::new(Code::WrongFigure, clause.span, message).help(help);
                if !many && !row && values.len() > 1 {
                    let message = format!("`{}` has one value, and {} are printed", attribute.name, values.len());
                    errors.push(wrong(message, "keep the one that is printed, or declare the figure with `, many`"));
                }
                let too_small = |value: &&FigureValue| match value {
                    FigureValue::Number(n) | FigureValue::EntryNumber(_, n) => least.is_some_and(|least| *n < least),
                    _ => false,
                };
                if let (Some(_), Some(least)) = (values.iter().find(too_small), least) {
                    let message = format!("`{}` is at least {least}", attribute.name);
                    errors.push(wrong(message, "mend the number"));
                }
                let twice =
                    (1..values.len()).find(|nth| values[..*nth].iter().any(|one| same_term(one, &values[*nth])));
                if let Some(value) = twice.map(|nth| said(&values[nth])) {
                    let message = format!("`{value}` stands twice in `{}`", attribute.name);
                    errors.push(wrong(message, "say it once, with its number where it has one"));
                }
                match seen.iter().find(|(before, _)| *before == attribute) {
                    Some((_, first)) if !many => errors.push(
                        wrong(format!("`{}` is printed twice", attribute.name), "keep the one that is printed")
                            .and(*first, "the first one"),
                    ),
                    _ => seen.push((attribute, clause.span)),
                }
            }
            ClauseKind::Part { block, .. } => each_once(&block.iter().collect::<Vec<_>>(), lex, errors),
            _ => {}
        }
    }
}

/// True if two values are of one term or name.
fn same_term(one: &FigureValue, other: &FigureValue) -> bool {
    !matches!(one, FigureValue::Number(_) | FigureValue::Yes) && said(one) == said(other)
}

/// The term or name of a value.
fn said(value: &FigureValue) -> String {
    match value {
        FigureValue::Entry(term) | FigureValue::EntryNumber(term, _) => term.name.to_string(),
        FigureValue::Name(name) => name.to_string(),
        FigureValue::Number(number) => number.to_string(),
        FigureValue::Yes => "yes".to_owned(),
    }
}

/// The figures that are printed on a card itself, not on the things that are printed on it.
pub(crate) fn printed<'c>(clauses: impl Iterator<Item = &'c ReadClause>) -> Vec<Print<'c>> {
    let print = |clause: &'c ReadClause| match &clause.kind {
        ClauseKind::Figure { attribute, values } => Some(Print { attribute, values, span: clause.span }),
        _ => None,
    };
    clauses.filter_map(print).collect()
}

/// True if one of the terms is printed as that figure.
pub(crate) fn has_term(figure: &str, terms: &[Arc<str>], printed: &[Print<'_>]) -> bool {
    let is = |value: &FigureValue| matches!(value, FigureValue::Entry(entry) if terms.contains(&entry.name));
    printed.iter().any(|print| *print.attribute.name == *figure && print.values.iter().any(is))
}

/// True if a card with these figures is of a class: of the class of cards, with all that narrows it down to this one.
pub(crate) fn is_of(class: &str, printed: &[Print<'_>], lex: &dyn Lexicon) -> bool {
    let has = |(figure, terms): &(Arc<str>, Vec<Arc<str>>)| has_term(figure, terms, printed);
    // Whether a condition holds is not seen from what is printed.
    let printed_so = |term: &Term| !matches!(term.detail, Detail::Class { label: Some(_), .. });
    let narrows = |class: &Arc<str>| {
        lex.term_named(TermKind::Class, class)
            .is_some_and(|term| printed_so(&term) && term.only.as_ref().is_none_or(has))
    };
    let lineage = lex.lineage(class);
    // A class that leads back to itself ends at no other, and has no things.
    lineage.iter().all(narrows) && lineage.last().is_some_and(|top| **top == *lex.card_class())
}

/// True if a class, those above it and the terms by which they narrow are all declared.
fn is_sound(class: &str, lex: &dyn Lexicon) -> bool {
    let knows = |kind, name: &str| lex.term_named(kind, name).is_some();
    let narrows = |(figure, terms): &(Arc<str>, Vec<Arc<str>>)| {
        knows(TermKind::Attribute, figure) && terms.iter().all(|term| knows(TermKind::Entry, term))
    };
    let whole = |term: &Term| match &term.detail {
        Detail::Class { superclass, .. } => superclass.as_ref().is_none_or(|above| knows(TermKind::Class, above)),
        _ => true,
    };
    let declared = |class: &Arc<str>| lex.term_named(TermKind::Class, class);
    let is_sound = |term: Arc<Term>| whole(&term) && term.only.as_ref().is_none_or(narrows);
    lex.lineage(class).iter().all(|class| declared(class).is_some_and(is_sound))
}

/// The classes that narrow by one of the printed terms.
fn classes(print: &Print<'_>, lex: &dyn Lexicon) -> Vec<Arc<Term>> {
    let mut found: Vec<Arc<Term>> = Vec::new();
    for value in print.values {
        let FigureValue::Entry(entry) = value else { continue };
        let first = super::term::first_word(&entry.name);
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

/// Where the header of an item stands.
fn header_of(item: &Item) -> Span {
    item.header.iter().fold(item.head_span, |span, token| span.to(token.span))
}

fn error(item: &Item, class: &Term, need: &str, span: Span, lex: &dyn Lexicon) -> Finding {
    let header = header_of(item);
    let message = format!("{} without {need}", article(&class.key.name));
    Finding::new(Code::MissingFigure, header, message)
        .and(span, format!("this makes it {}", article(&class.key.name)))
        .help(help(need, lex))
}

fn help(need: &str, lex: &dyn Lexicon) -> String {
    // total: there is a text in front of the first `or`
    let need = need.split(OR).next().unwrap_or_default();
    let value = match lex.term_named(TermKind::Attribute, need).as_deref().map(|t| &t.detail) {
        Some(Detail::Attribute { value: TypeName::Number, .. }) => " N",
        Some(Detail::Attribute { value: TypeName::Named(_), .. }) => " TERM",
        _ => "",
    };
    format!("add `{need}{value}.`, as it is printed")
}
