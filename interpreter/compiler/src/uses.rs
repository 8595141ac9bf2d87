//! Which terms an item uses, for `netrep words` and for findings about unused ones.

use std::collections::BTreeSet;

use crate::phrase::clause::{ClauseKind, FigureValue, Lasts, ReadClause, blocks, nodes};
use crate::phrase::tree::{Lasting, Node, TermKey};

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

fn of_kind(kind: &ClauseKind, uses: &mut BTreeSet<TermKey>) {
    match kind {
        ClauseKind::Figure { attribute, values } => {
            uses.insert(attribute.clone());
            uses.extend(values.iter().filter_map(|value| match value {
                FigureValue::Entry(key) | FigureValue::EntryNumber(key, _) => Some(key.clone()),
                FigureValue::Number(_) | FigureValue::Yes | FigureValue::Name(_) => None,
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
        ClauseKind::In { places, .. } => uses.extend(places.iter().cloned()),
        ClauseKind::Lasts { long: Lasts::As(Lasting::Procedure(procedure)), .. } => {
            uses.insert(procedure.clone());
        }
        // The term of a procedure is declared by it; the others name terms only in their phrases and blocks.
        ClauseKind::Procedure { .. }
        | ClauseKind::Condition(_)
        | ClauseKind::Cost(_)
        | ClauseKind::Effect(_)
        | ClauseKind::Leaves(_)
        | ClauseKind::When { .. }
        | ClauseKind::Instead { .. }
        | ClauseKind::Modifier { .. }
        | ClauseKind::Norm { .. }
        | ClauseKind::Steps { .. }
        | ClauseKind::Ends { .. }
        | ClauseKind::Statement(_)
        | ClauseKind::Always(_)
        | ClauseKind::Carried { .. }
        | ClauseKind::Lasts { long: Lasts::As(Lasting::Game) | Lasts::Until(_) | Lasts::While(_), .. }
        | ClauseKind::WhenNeeds { .. }
        | ClauseKind::Spares { .. }
        | ClauseKind::Canceled { .. }
        | ClauseKind::Lent { .. }
        | ClauseKind::Otherwise(_)
        | ClauseKind::Raw { .. } => {}
    }
    blocks(kind).into_iter().for_each(|block| of_clauses(block, uses));
    for node in nodes(kind) {
        of_node(node, uses);
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
