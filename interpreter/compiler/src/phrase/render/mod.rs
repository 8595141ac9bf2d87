//! Phrases said again in English, from the words of the declared terms, so that reading the English gives
//! the same phrase.

mod clause;
mod condition;
mod noun;
mod number;
mod row;
mod statement;
mod verb;

use std::sync::Arc;

use super::clause::{ClauseKind, ReadClause};
use super::forms::{Form, Forms};
use super::term::{Term, Use};
use super::tree::{Lasting, Node, Op, Sort, TermKey};

use row::fill;

/// Looks a term up by its key; a missing one is said by its name.
pub(crate) type TermOf<'a> = dyn Fn(&TermKey) -> Option<Arc<Term>> + 'a;

/// A phrase in English.
pub fn render(node: &Node, terms: &TermOf<'_>) -> String {
    render_with(Forms::all(), node, terms)
}

/// The same with another table of forms.
pub fn render_with(forms: &Forms, node: &Node, terms: &TermOf<'_>) -> String {
    Writer { forms, terms }.any(node)
}

/// A clause in English, without its marker and its full stop.
pub fn render_clause(read: &ReadClause, terms: &TermOf<'_>) -> String {
    render_kind(&read.kind, terms)
}

/// The same for a clause that is not read from a text.
pub fn render_kind(kind: &ClauseKind, terms: &TermOf<'_>) -> String {
    render_kind_with(Forms::all(), kind, terms)
}

/// The same with another table of forms.
pub fn render_kind_with(forms: &Forms, kind: &ClauseKind, terms: &TermOf<'_>) -> String {
    Writer { forms, terms }.clause(kind)
}

/// Writes phrases with the words of a vocabulary.
struct Writer<'a> {
    forms: &'a Forms,
    terms: &'a TermOf<'a>,
}

/// The child at a place; an absent one if it has none there.
fn kid(node: &Node, at: usize) -> &Node {
    // total: a part that a phrase does without is rendered as one that was left out
    node.kids.get(at).unwrap_or(Node::absent())
}

/// What is said of a part; nothing if the phrase does without it, or the table of forms without its form.
fn said(part: Option<String>) -> String {
    // total: a row leaves out what stands around an empty hole
    part.unwrap_or_default()
}

fn absent(node: &Node) -> bool {
    node.op == Op::Absent
}

/// Joins the parts that are not empty by one space.
fn spaced(parts: &[&str]) -> String {
    parts.iter().filter(|p| !p.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

/// `A, B or C`.
pub(super) fn joined_by_or(parts: &[String]) -> String {
    match parts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        // total: nothing is joined to nothing
        None => String::new(),
    }
}

impl Writer<'_> {
    /// Any phrase.
    fn any(&self, node: &Node) -> String {
        match node.sort {
            Sort::Number => self.number(node),
            Sort::Condition => match node.op {
                Op::Of(_) => self.np(node),
                Op::Truth(_) | Op::Nothing => self.value(node),
                _ => self.condition(node),
            },
            Sort::Statement => self.statement(node),
            Sort::Event => self.event(node, false),
            Sort::Predicate => self.predicate(node),
            Sort::Part => match node.op {
                Op::Admit => self.admit(node),
                _ => String::new(),
            },
            Sort::Thing(_) | Sort::AnyThing | Sort::Entry(_) | Sort::Place => self.value(node),
        }
    }

    /// The form of a term for a use, else its first form, else its name.
    fn form(&self, key: &TermKey, used: Use) -> String {
        self.form_of(key, used)
            .or_else(|| (self.terms)(key).and_then(|t| t.forms.first().map(super::term::Form::text)))
            .unwrap_or_else(|| key.name.to_string())
    }

    /// The form of a term for a use, if it has one.
    fn form_of(&self, key: &TermKey, used: Use) -> Option<String> {
        (self.terms)(key).and_then(|t| t.form(used).map(super::term::Form::text))
    }

    fn name(&self, key: &TermKey) -> String {
        self.form(key, Use::Name)
    }

    /// A value to be set or bound.
    fn value(&self, node: &Node) -> String {
        match &node.op {
            Op::Truth(true) => self.word_of(Form::TruthYes),
            Op::Truth(false) => self.word_of(Form::TruthNo),
            Op::Nothing => self.word_of(Form::NothingNone),
            _ if node.sort == Sort::Number => self.number(node),
            Op::Of(_) => self.np(node),
            _ if node.sort == Sort::Condition => self.condition(node),
            _ => self.np(node),
        }
    }

    /// In parentheses.
    fn closed(&self, text: String) -> String {
        self.say(Form::OneGroup, &[fill("x", text)])
    }

    fn lasting(&self, lasting: Option<&Lasting>) -> String {
        match lasting {
            Some(Lasting::Procedure(key)) => self.say(Form::LastingThis, &[fill("p", self.name(key))]),
            Some(Lasting::Game) => self.say(Form::LastingGame, &[fill("whole", "for")]),
            // total: how long was not said, and is not written
            None => String::new(),
        }
    }
}
