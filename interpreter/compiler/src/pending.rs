//! Forms that are read and said, and that the lowering does not know yet: each is refused in so many words, at its
//! place. Whoever teaches the lowering a form takes it out of `awaited`.

use netrep_diagnostics::Code;

use crate::finding::Finding;
use crate::phrase::clause::{ClauseKind, Polarity, ReadClause, blocks, nodes};
use crate::phrase::operators::{Act, Change, Event, Part, Thing, View};
use crate::phrase::tree::{Node, Op};

/// The forms in some clauses that cannot be run yet.
pub(crate) fn check<'c>(clauses: impl IntoIterator<Item = &'c ReadClause>) -> Vec<Finding> {
    let mut errors = Vec::new();
    for clause in clauses {
        of_clause(clause, &mut errors);
    }
    errors
}

fn of_clause(clause: &ReadClause, errors: &mut Vec<Finding>) {
    if let ClauseKind::Norm { polarity: Polarity::NeedNot, .. } = &clause.kind {
        return errors.push(form("`need not`").refused(clause.span));
    }
    for node in nodes(&clause.kind) {
        of_node(node, errors);
    }
    blocks(&clause.kind).into_iter().flatten().for_each(|inner| of_clause(inner, errors));
}

fn of_node(node: &Node, errors: &mut Vec<Finding>) {
    // Where a thing is made, and what is done with it at once.
    let makes = matches!(
        node.view(),
        View::Change(Change::Acquires { .. }) | View::Act(Act::LetLabel { .. } | Act::Do { .. } | Act::Perform { .. })
    );
    let of_kid = |kid: &Node, errors: &mut Vec<Finding>| match makes && matches!(kid.op, Op::New(..)) {
        true => kid.kids.iter().for_each(|kid| of_node(kid, errors)),
        false => of_node(kid, errors),
    };
    match awaited(node) {
        Some(awaited) => errors.push(awaited.refused(node.span)),
        None => node.kids.iter().for_each(|kid| of_kid(kid, errors)),
    }
}

/// A form that cannot be run yet.
struct Awaited {
    /// What it is called.
    form: &'static str,
    /// What to say instead.
    help: &'static str,
}

/// A form for which nothing in particular stands.
fn form(form: &'static str) -> Awaited {
    Awaited { form, help: "say it with the other forms, or leave the clause out and its sentence `partial`" }
}

impl Awaited {
    fn refused(&self, span: netrep_grammar::tree::Span) -> Finding {
        Finding::new(Code::NotSupported, span, format!("{} can be read, but not run yet", self.form)).help(self.help)
    }
}

/// The form of a node, if it cannot be run yet.
fn awaited(node: &Node) -> Option<Awaited> {
    match node.view() {
        View::Act(act) => match act {
            Act::Norm { polarity: Polarity::NeedNot, .. } => Some(form("`need not`")),
            Act::Norm { .. } => None,
            Act::Do { .. }
            | Act::Sequence { .. }
            | Act::If { .. }
            | Act::ForEach { .. }
            | Act::RepeatUntil { .. }
            | Act::RepeatTimes { .. }
            | Act::Choose { .. }
            | Act::MayChoose { .. }
            | Act::May { .. }
            | Act::ChooseOne { .. }
            | Act::Roll { .. }
            | Act::Set { .. }
            | Act::Put { .. }
            | Act::Remove { .. }
            | Act::LetLabel { .. }
            | Act::LetRole { .. }
            | Act::Perform { .. }
            | Act::End { .. }
            | Act::Stop {}
            | Act::Extend { .. }
            | Act::CancelEffects { .. }
            | Act::Window { .. }
            | Act::ActionEffect {}
            | Act::When { .. } => None,
        },
        View::Part(part) => match part {
            Part::Modification { .. }
            | Part::Absent {}
            | Part::Chance {}
            | Part::Around { .. }
            | Part::Admit { .. } => None,
        },
        View::Event(event) => match event {
            Event::Starts { .. }
            | Event::Ending { .. }
            | Event::StepStarts { .. }
            | Event::StepEnding { .. }
            | Event::Comes { .. }
            | Event::Ceases { .. }
            | Event::HaveEffect { .. }
            | Event::ChangeNumber { .. }
            | Event::PaidWith { .. }
            | Event::Targets { .. }
            | Event::Modifies { .. }
            | Event::Event { .. } => None,
        },
        View::Thing(thing) => match thing {
            Thing::New { .. } => Some(Awaited {
                form: "`a new CLASS` here",
                help: "make the thing first: `let X be a new CLASS with FACT VALUE`",
            }),
            Thing::Quantified { .. }
            | Thing::Noun { .. }
            | Thing::Either { .. }
            | Thing::As { .. }
            | Thing::Top { .. }
            | Thing::Next { .. }
            | Thing::Place { .. } => None,
        },
        // The lowering matches each of them, or tells that it has no place.
        View::Reference(_)
        | View::Fact(_)
        | View::Literal(_)
        | View::Predicate(_)
        | View::Number(_)
        | View::Logic(_)
        | View::Condition(_)
        | View::Change(_)
        | View::Malformed => None,
    }
}
