//! What blocks do.

use netrep_ir::{BlockId, EffectKind, Program, Statement, VerbId};

/// Whether a block performs one of the verbs, itself or in the blocks that it holds.
pub(super) fn does_any(p: &Program, block: BlockId, verbs: &[VerbId], depth: u8) -> bool {
    let b = &p.blocks[block.index()];
    if depth > 32 || verbs.is_empty() {
        return false;
    }
    let inner = |id: BlockId| does_any(p, id, verbs, depth + 1);
    b.statements.iter().any(|(s, _)| match s {
        Statement::Do { verb, .. } => verbs.contains(verb),
        Statement::If(_, a, b) => inner(*a) || b.is_some_and(inner),
        Statement::ForEach { body, .. } | Statement::RepeatUntil(body, _) | Statement::RepeatTimes(_, body) => {
            inner(*body)
        }
        Statement::Choose { optional: Some((a, b)), .. } => inner(*a) || b.is_some_and(inner),
        Statement::May { body, otherwise, .. } => inner(*body) || otherwise.is_some_and(inner),
        Statement::ChooseOne { branches, .. } => branches.iter().any(|b| inner(*b)),
        Statement::Effect {
            what:
                EffectKind::Trigger(_)
                | EffectKind::Modifier(_)
                | EffectKind::Norm(_)
                | EffectKind::Allowance(_)
                | EffectKind::Spare(_),
            ..
        } => false,
        Statement::Choose { optional: None, .. }
        | Statement::Set { .. }
        | Statement::Put { .. }
        | Statement::Create { .. }
        | Statement::Remove(_)
        | Statement::LetSlot(..)
        | Statement::LetRole(..)
        | Statement::Roll { .. }
        | Statement::Shuffle { .. }
        | Statement::Perform { .. }
        | Statement::End(_)
        | Statement::Stop
        | Statement::Window { .. }
        | Statement::Extend { .. }
        | Statement::CancelEffects(_)
        | Statement::ActionEffect => false,
    })
}
