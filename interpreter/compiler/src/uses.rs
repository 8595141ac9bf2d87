//! Which terms an item uses, for `netrep words` and for findings about unused ones.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::phrase::clause::{ClauseKind, FigureValue, Lasts, ReadClause, blocks, nodes};
use crate::phrase::tree::{Lasting, Node, TermKey};

/// Collects the terms of clauses.
pub fn of_clauses<'a>(clauses: impl IntoIterator<Item = &'a ReadClause>, uses: &mut BTreeSet<TermKey>) {
    // Most terms are named many times: they are put in order when each is there once.
    let mut found = FxHashSet::default();
    clauses.into_iter().for_each(|clause| of_kind(&clause.kind, &mut found));
    uses.extend(found.into_iter().cloned());
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

fn of_kind<'a>(kind: &'a ClauseKind, uses: &mut FxHashSet<&'a TermKey>) {
    match kind {
        ClauseKind::Figure { attribute, values } => {
            uses.insert(attribute);
            uses.extend(values.iter().filter_map(|value| match value {
                FigureValue::Entry(key) | FigureValue::EntryNumber(key, _) => Some(key),
                FigureValue::Number(_) | FigureValue::Yes | FigureValue::Name(_) => None,
            }));
        }
        ClauseKind::May { limit, during, .. } => {
            uses.extend(during);
            uses.extend(limit.iter().map(|(_, key)| key));
        }
        ClauseKind::Play { during, .. } => uses.extend(during),
        ClauseKind::Part { class, .. } => drop(uses.insert(class)),
        ClauseKind::Action { verb, .. }
        | ClauseKind::ActionNeeds { verb, .. }
        | ClauseKind::ActionLeaves { verb, .. } => drop(uses.insert(verb)),
        ClauseKind::Timing { verbs, .. } => uses.extend(verbs),
        ClauseKind::Limit(_, procedure) => drop(uses.insert(procedure)),
        ClauseKind::Step { procedure, .. } => uses.extend(procedure),
        ClauseKind::In { places, .. } => uses.extend(places),
        ClauseKind::Lasts { long: Lasts::As(Lasting::Procedure(procedure)), .. } => {
            uses.insert(procedure);
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
    blocks(kind).into_iter().flatten().for_each(|clause| of_kind(&clause.kind, uses));
    for node in nodes(kind) {
        of_node(node, uses);
    }
}

fn of_node<'a>(node: &'a Node, uses: &mut FxHashSet<&'a TermKey>) {
    node.op.terms(&mut |key| {
        uses.insert(key);
    });
    for kid in &node.kids {
        of_node(kid, uses);
    }
}
