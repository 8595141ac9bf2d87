//! The order in which numbers are folded, and what blocks do.

use netrep_ir::{AttrId, BlockId, Change, EffectKind, Map, Mapper, ModifierId, Program, Source, Statement, VerbId};

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
        Statement::Effect { what: EffectKind::Trigger(_) | EffectKind::Modifier(_) | EffectKind::Norm(_), .. } => false,
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
        | Statement::ActionEffect => false,
    })
}

/// Collects the attributes that a tree reads.
pub(super) struct Reads(pub(super) Vec<AttrId>);

impl Mapper for Reads {
    fn attr(&mut self, id: AttrId) -> AttrId {
        if !self.0.contains(&id) {
            self.0.push(id);
        }
        id
    }
    // What is printed or stored is there before any modifier.
    fn base(&mut self, id: AttrId) -> AttrId {
        id
    }
}

/// The attributes such that each comes after those that its definition and modifiers read; or the
/// modifiers on a cycle. A modifier may read what is printed or stored of its own attribute.
pub(super) fn fold_order(p: &Program) -> Result<Vec<AttrId>, Vec<ModifierId>> {
    let n = p.attrs.len();
    let mut reads: Vec<Vec<AttrId>> = vec![Vec::new(); n];
    let mut by: Vec<Option<ModifierId>> = vec![None; n];
    for (i, a) in p.attrs.iter().enumerate() {
        let mut r = Reads(Vec::new());
        match a.source.clone() {
            Source::Number(mut x) => x.map_ids(&mut r, 0),
            Source::Things(mut x) | Source::Flag(mut x) => x.map_ids(&mut r, 0),
            Source::Stored { .. } => {}
        }
        reads[i] = r.0;
    }
    for (i, m) in p.modifiers.iter().enumerate() {
        let mut r = Reads(Vec::new());
        m.subject.clone().map_ids(&mut r, 0);
        m.cond.clone().map_ids(&mut r, 0);
        // Adding entries to a list never makes a number depend on itself.
        if matches!(m.change, Change::Gain(_) | Change::Lose(_)) {
            continue;
        }
        m.change.clone().map_ids(&mut r, 0);
        if let Some(list) = reads.get_mut(m.attr.index()) {
            if r.0.contains(&m.attr) {
                by[m.attr.index()] = Some(ModifierId::from_index(i));
            }
            list.extend(r.0);
            by[m.attr.index()].get_or_insert(ModifierId::from_index(i));
        }
    }
    // Depth-first; 0 unseen, 1 on the path, 2 done.
    let mut mark = vec![0u8; n];
    let mut order = Vec::with_capacity(n);
    for start in 0..n {
        let mut stack = vec![(start, 0usize)];
        if mark[start] != 0 {
            continue;
        }
        mark[start] = 1;
        while let Some((at, next)) = stack.pop() {
            let Some(dep) = reads[at].get(next) else {
                mark[at] = 2;
                order.push(AttrId::from_index(at));
                continue;
            };
            stack.push((at, next + 1));
            let d = dep.index();
            match mark.get(d) {
                Some(0) => {
                    mark[d] = 1;
                    stack.push((d, 0));
                }
                Some(1) if d != at || by[at].is_some() => {
                    return Err(by[at].or(by[d]).into_iter().collect());
                }
                _ => {}
            }
        }
    }
    Ok(order)
}
