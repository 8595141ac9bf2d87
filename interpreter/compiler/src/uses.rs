//! Which terms an item uses, for `netrep words` and for findings about unused ones.

use std::collections::BTreeSet;

use crate::phrase::clause::{ClauseKind, FigureValue, ReadClause};
use crate::phrase::tree::{Node, TermKey};

/// Collects the terms of clauses.
pub fn of_clauses<'a>(clauses: impl IntoIterator<Item = &'a ReadClause>, uses: &mut BTreeSet<TermKey>) {
    for clause in clauses {
        of_kind(&clause.kind, uses);
    }
}

/// The clauses of a list, and of blocks in it, that are brought by whoever brings what stands at their span; those within one
/// that is found are a part of it.
pub(crate) fn brought<'a>(clauses: &[&'a ReadClause], brings: &dyn Fn(&ReadClause) -> bool) -> Vec<&'a ReadClause> {
    let one = |clause: &&'a ReadClause| {
        if brings(clause) {
            return vec![*clause];
        }
        let inner: Vec<&'a ReadClause> = blocks(&clause.kind).into_iter().flatten().collect();
        brought(&inner, brings)
    };
    clauses.iter().flat_map(one).collect()
}

/// The blocks of a clause that hold clauses.
fn blocks(kind: &ClauseKind) -> Vec<&[ReadClause]> {
    match kind {
        ClauseKind::May { block, .. }
        | ClauseKind::Play { block, .. }
        | ClauseKind::Procedure { block, .. }
        | ClauseKind::Carried { block, .. }
        | ClauseKind::Part { block, .. }
        | ClauseKind::Action { block, .. }
        | ClauseKind::Step { block, .. } => vec![block],
        ClauseKind::Either(blocks) => blocks.iter().map(Vec::as_slice).collect(),
        _ => Vec::new(),
    }
}

fn of_kind(kind: &ClauseKind, uses: &mut BTreeSet<TermKey>) {
    match kind {
        ClauseKind::Figure { attribute, values } => {
            uses.insert(attribute.clone());
            uses.extend(values.iter().filter_map(|value| match value {
                FigureValue::Entry(key) | FigureValue::EntryNumber(key, _) => Some(key.clone()),
                _ => None,
            }));
        }
        ClauseKind::May { limit, during, .. } => {
            uses.extend(during.iter().cloned());
            uses.extend(limit.iter().map(|(_, key)| key.clone()));
        }
        ClauseKind::Play { during, .. } => uses.extend(during.iter().cloned()),
        ClauseKind::Part { class, .. } => drop(uses.insert(class.clone())),
        ClauseKind::Action { verb, .. }
        | ClauseKind::ActionNeeds { verb, .. }
        | ClauseKind::ActionLeaves { verb, .. } => drop(uses.insert(verb.clone())),
        ClauseKind::Timing { verbs, .. } => uses.extend(verbs.iter().cloned()),
        ClauseKind::Limit(_, procedure) => drop(uses.insert(procedure.clone())),
        ClauseKind::Step { procedure, .. } => uses.extend(procedure.iter().cloned()),
        _ => {}
    }
    blocks(kind).into_iter().for_each(|block| of_clauses(block, uses));
    for node in nodes(kind) {
        of_node(node, uses);
    }
}

/// The phrases of a clause, without those of the clauses within it.
pub(crate) fn nodes(kind: &ClauseKind) -> Vec<&Node> {
    match kind {
        ClauseKind::Play { targets, conditions, choices, .. } => {
            targets.iter().chain(conditions).chain(choices).collect()
        }
        ClauseKind::Carried { np: node, .. }
        | ClauseKind::ActionNeeds { condition: node, .. }
        | ClauseKind::ActionLeaves { condition: node, .. } => vec![node],
        ClauseKind::Condition(node)
        | ClauseKind::Cost(node)
        | ClauseKind::Effect(node)
        | ClauseKind::Leaves(node)
        | ClauseKind::Statement(node)
        | ClauseKind::Always(node)
        | ClauseKind::Otherwise(node) => vec![node],
        ClauseKind::When { event, condition, body, .. } | ClauseKind::Instead { event, condition, body } => {
            [Some(event), condition.as_ref(), Some(body)].into_iter().flatten().collect()
        }
        ClauseKind::Modifier { condition, modifiers } => condition.iter().chain(modifiers).collect(),
        ClauseKind::May { by, cost, choices, conditions, effect, .. } => {
            by.iter().chain(cost).chain(choices).chain(conditions).chain(effect).collect()
        }
        ClauseKind::Norm { event, condition, .. } => std::iter::once(event).chain(condition).collect(),
        ClauseKind::Ends { condition, .. } => vec![condition],
        ClauseKind::WhenNeeds { event: a, condition: b } | ClauseKind::Spares { by: a, what: b } => vec![a, b],
        _ => Vec::new(),
    }
}

fn of_node(node: &Node, uses: &mut BTreeSet<TermKey>) {
    node.op.terms(&mut |key| {
        uses.insert(key.clone());
    });
    for kid in &node.kids {
        of_node(kid, uses);
    }
}
