//! Phrases said again in English, from the words of the declared terms, so that reading the English gives
//! the same phrase.

mod clause;
mod condition;
mod noun;
mod number;
mod statement;
mod verb;

use std::sync::Arc;

use super::clause::{ClauseKind, ReadClause};
use super::term::{Term, Use};
use super::tree::{Lasting, Node, Op, Sort, TermKey};

/// Looks a term up by its key; a missing one is said by its name.
pub type TermOf<'a> = dyn Fn(&TermKey) -> Option<Arc<Term>> + 'a;

/// A phrase in English.
pub fn render(node: &Node, terms: &TermOf<'_>) -> String {
    Writer { terms }.any(node)
}

/// A clause in English, without its marker and its full stop.
pub fn render_clause(read: &ReadClause, terms: &TermOf<'_>) -> String {
    render_kind(&read.kind, terms)
}

/// The same for a clause that is not read from a text.
pub fn render_kind(kind: &ClauseKind, terms: &TermOf<'_>) -> String {
    Writer { terms }.clause(kind)
}

/// Writes phrases with the words of a vocabulary.
struct Writer<'a> {
    terms: &'a TermOf<'a>,
}

/// The child at a place; an absent one if the tree is malformed.
fn kid(node: &Node, at: usize) -> &Node {
    static ABSENT: Node = Node {
        op: Op::Absent,
        sort: Sort::Part,
        kids: Vec::new(),
        span: netrep_grammar::tree::Span { start: 0, end: 0 },
    };
    node.kids.get(at).unwrap_or(&ABSENT)
}

fn absent(node: &Node) -> bool {
    node.op == Op::Absent
}

/// Joins the parts that are not empty by one space.
fn spaced(parts: &[&str]) -> String {
    parts.iter().filter(|p| !p.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

/// `A, B or C`.
fn listed(parts: &[String]) -> String {
    match parts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
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
            Op::Truth(true) => "yes".to_owned(),
            Op::Truth(false) => "no".to_owned(),
            Op::Nothing => "none".to_owned(),
            _ if node.sort == Sort::Number => self.number(node),
            Op::Of(_) => self.np(node),
            _ if node.sort == Sort::Condition => self.condition(node),
            _ => self.np(node),
        }
    }

    fn lasting(&self, lasting: Option<&Lasting>) -> String {
        match lasting {
            Some(Lasting::Procedure(key)) => format!("this {}", self.name(key)),
            Some(Lasting::Game) => "for the rest of the game".to_owned(),
            None => String::new(),
        }
    }
}
