//! Forms that are read and said, and that the lowering does not know yet: each is refused in so many words, at its
//! place. Whoever teaches the lowering a form takes it out of `awaited`.

use netrep_diagnostics::Code;

use crate::phrase::clause::{ClauseKind, ReadClause, nodes};
use crate::phrase::error::PhraseError;
use crate::phrase::tree::{Node, Op, Sort};

/// The forms in some clauses that cannot be run yet.
pub(crate) fn check<'c>(clauses: impl IntoIterator<Item = &'c ReadClause>) -> Vec<PhraseError> {
    let mut errors = Vec::new();
    for clause in clauses {
        of_clause(clause, &mut errors);
    }
    errors
}

fn of_clause(clause: &ReadClause, errors: &mut Vec<PhraseError>) {
    for node in nodes(&clause.kind) {
        of_node(node, errors);
    }
    match &clause.kind {
        ClauseKind::May { block, .. }
        | ClauseKind::Play { block, .. }
        | ClauseKind::Procedure { block, .. }
        | ClauseKind::Step { block, .. }
        | ClauseKind::Carried { block, .. }
        | ClauseKind::Action { block, .. } => block.iter().for_each(|c| of_clause(c, errors)),
        ClauseKind::Either(modes) => modes.iter().flatten().for_each(|c| of_clause(c, errors)),
        _ => {}
    }
}

fn of_node(node: &Node, errors: &mut Vec<PhraseError>) {
    match awaited(node) {
        Some(form) => errors.push(refused(form, node.span)),
        None => node.kids.iter().for_each(|kid| of_node(kid, errors)),
    }
}

/// What a form is called, if it cannot be run yet.
fn awaited(node: &Node) -> Option<&'static str> {
    match &node.op {
        Op::ForEach(_) if node.kids.iter().any(|k| k.op == Op::Chance) => Some("`in a random order`"),
        Op::ForEach(_) if matches!(node.kids.first().map(|k| &k.sort), Some(Sort::Entry(_))) => {
            Some("`for each` over the terms of a list")
        }
        Op::Set(_) if node.kids.len() > 2 => Some("`set FACT of X for K`"),
        Op::TakesOver(..) => Some("`figures of X are those of Y`"),
        Op::Scaled(_) => Some("`modifications … count N times`"),
        Op::Modification(None) => Some("`there is a modification of …` without a fact"),
        _ => None,
    }
}

fn refused(form: &str, span: netrep_grammar::tree::Span) -> PhraseError {
    PhraseError::new(Code::NotSupported, span, format!("{form} can be read, but not run yet"))
        .help("say it with the other forms, or leave the clause out and its sentence `partial`")
}
