//! Forms that are read and said, and that the lowering does not know yet: each is refused in so many words, at its
//! place. Whoever teaches the lowering a form takes it out of `awaited`.

use netrep_diagnostics::Code;

use crate::finding::Finding;
use crate::phrase::clause::{ReadClause, blocks, nodes};
use crate::phrase::operators::{Act, Change, Part, View};
use crate::phrase::tree::{Node, Op, Sort};

/// The forms in some clauses that cannot be run yet.
pub(crate) fn check<'c>(clauses: impl IntoIterator<Item = &'c ReadClause>) -> Vec<Finding> {
    let mut errors = Vec::new();
    for clause in clauses {
        of_clause(clause, &mut errors);
    }
    errors
}

fn of_clause(clause: &ReadClause, errors: &mut Vec<Finding>) {
    for node in nodes(&clause.kind) {
        of_node(node, errors);
    }
    blocks(&clause.kind).into_iter().flatten().for_each(|inner| of_clause(inner, errors));
}

fn of_node(node: &Node, errors: &mut Vec<Finding>) {
    match awaited(node) {
        Some(form) => errors.push(refused(form, node.span)),
        None => node.kids.iter().for_each(|kid| of_node(kid, errors)),
    }
}

/// What a form is called, if it cannot be run yet.
fn awaited(node: &Node) -> Option<&'static str> {
    match node.view() {
        View::Act(act) => match act {
            Act::ForEach { order: [Node { op: Op::Chance, .. }, ..], .. } => Some("`in a random order`"),
            Act::ForEach { things: Node { sort: Sort::Entry(_), .. }, .. } => {
                Some("`for each` over the terms of a list")
            }
            Act::Set { value: [_, _, ..], .. } => Some("`set FACT of X for K`"),
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
            | Act::Create { .. }
            | Act::Remove { .. }
            | Act::LetLabel { .. }
            | Act::LetRole { .. }
            | Act::Perform { .. }
            | Act::End { .. }
            | Act::Stop {}
            | Act::Extend { .. }
            | Act::Window { .. }
            | Act::ActionEffect {}
            | Act::Norm { .. }
            | Act::When { .. } => None,
        },
        View::Change(change) => match change {
            Change::TakesOver { .. } => Some("`figures of X are those of Y`"),
            Change::Scaled { .. } => Some("`modifications … count N times`"),
            Change::Gets { .. }
            | Change::Gains { .. }
            | Change::Acquires { .. }
            | Change::Loses { .. }
            | Change::Becomes { .. }
            | Change::CountsAs { .. }
            | Change::While { .. } => None,
        },
        View::Part(part) => match part {
            Part::Modification { fact: None, .. } => Some("`there is a modification of …` without a fact"),
            Part::Modification { .. } | Part::Absent {} | Part::Chance {} | Part::Admit { .. } => None,
        },
        // The lowering matches each of them, or tells that it has no place.
        View::Reference(_)
        | View::Thing(_)
        | View::Fact(_)
        | View::Literal(_)
        | View::Predicate(_)
        | View::Number(_)
        | View::Logic(_)
        | View::Condition(_)
        | View::Event(_)
        | View::Malformed => None,
    }
}

fn refused(form: &str, span: netrep_grammar::tree::Span) -> Finding {
    Finding::new(Code::NotSupported, span, format!("{form} can be read, but not run yet"))
        .help("say it with the other forms, or leave the clause out and its sentence `partial`")
}
