//! Ids by label: a saved game names what it refers to, so that an edit elsewhere does not break it.

use netrep_ir::{EffectKind, IdKind as Of};

use crate::position::stack::*;
use crate::position::state::{Row, Usage};
use crate::position::value::{Locals, Value};

/// Something that is told of every id, and may change it.
pub(crate) type Visit<'a> = dyn FnMut(Of, &mut u16) + 'a;

pub(crate) fn value(v: &mut Value, f: &mut Visit) {
    if let Value::Entry(e) = v {
        f(Of::Entry, &mut e.0);
    }
}

fn all_locals(l: &mut Locals, f: &mut Visit) {
    l.iter_mut().for_each(|v| value(v, f));
}

fn at(a: &mut At, f: &mut Visit) {
    f(Of::Block, &mut a.block.0);
}

pub(crate) fn activation(a: &mut Activation, f: &mut Visit) {
    f(Of::Clause, &mut a.clause.0);
    all_locals(&mut a.locals, f);
    for (role, v) in &mut a.roles {
        f(Of::Role, &mut role.0);
        value(v, f);
    }
    if let Some(p) = &mut a.proc {
        f(Of::Proc, &mut p.0);
    }
    if let Some(a) = &mut a.allowance {
        f(Of::Allowance, &mut a.0);
    }
}

pub(crate) fn pending(p: &mut Pending, f: &mut Visit) {
    f(Of::Trigger, &mut p.trigger.0);
    all_locals(&mut p.locals, f);
}

pub(crate) fn announced(a: &mut Announced, f: &mut Visit) {
    f(Of::Verb, &mut a.verb.0);
}

fn item(i: &mut ChainItem, f: &mut Visit) {
    f(Of::Allowance, &mut i.allowance.0);
    all_locals(&mut i.locals, f);
    i.receipts.iter_mut().for_each(|r| f(Of::Verb, &mut r.0.0));
}

pub(crate) fn frame(frame: &mut Frame, f: &mut Visit) {
    match &mut frame.kind {
        Kind::Block(a)
        | Kind::Each { at: a, .. }
        | Kind::Around { at: a, .. }
        | Kind::Until { at: a, .. }
        | Kind::Times { at: a, .. }
        | Kind::Shuffle { at: a, .. } => at(a, f),
        Kind::Rolling(r) => at(&mut r.at, f),
        Kind::Distribute { verb, clause, .. } => {
            f(Of::Verb, &mut verb.0);
            f(Of::Clause, &mut clause.0);
        }
        Kind::Event(e) => {
            f(Of::Verb, &mut e.verb.0);
            f(Of::Clause, &mut e.clause.0);
            e.applied.iter_mut().for_each(|a| f(Of::Trigger, &mut a.0.0));
            e.before.iter_mut().for_each(|b| f(Of::Trigger, &mut b.0.0));
        }
        Kind::Immediate { items, .. } => items.iter_mut().for_each(|p| pending(p, f)),
        Kind::Following(w) => w.items.iter_mut().chain(&mut w.open).for_each(|p| pending(p, f)),
        Kind::Procedure(r) => {
            f(Of::Proc, &mut r.proc.0);
            [&mut r.entering, &mut r.under_way].into_iter().flatten().for_each(|s| f(Of::Step, &mut s.0));
        }
        Kind::Window(w) => {
            at(&mut w.at, f);
            w.chain.iter_mut().for_each(|i| item(i, f));
        }
        Kind::Declare { item: i, .. } | Kind::Resolve { item: i, .. } => item(i, f),
    }
}

pub(crate) fn effect(e: &mut Effect, f: &mut Visit) {
    match &mut e.what {
        EffectKind::Modifier(id) => f(Of::Modifier, &mut id.0),
        EffectKind::Trigger(id) => f(Of::Trigger, &mut id.0),
        EffectKind::Norm(id) => f(Of::Norm, &mut id.0),
        EffectKind::Allowance(id) => f(Of::Allowance, &mut id.0),
        EffectKind::Spare(id) => f(Of::Spare, &mut id.0),
    }
    all_locals(&mut e.locals, f);
    f(Of::Clause, &mut e.clause.0);
}

pub(crate) fn decision(d: &mut Decision, f: &mut Visit) {
    f(Of::Clause, &mut d.clause.0);
    if d.site.0 != u16::MAX {
        f(Of::Site, &mut d.site.0);
    }
    match &mut d.kind {
        DecisionKind::Roll { purpose, .. } => f(Of::Block, &mut purpose.0),
        DecisionKind::Shuffle { place, purpose, .. } => {
            f(Of::Place, &mut place.0);
            f(Of::Block, &mut purpose.0);
        }
        DecisionKind::Gather { declaration, .. } => {
            f(Of::Allowance, &mut declaration.allowance.0);
            declaration.parameters.iter_mut().for_each(|v| value(v, f));
        }
        _ => {}
    }
}

pub(crate) fn row(r: &mut Row, f: &mut Visit) {
    f(Of::Verb, &mut r.verb.0);
    f(Of::Clause, &mut r.clause.0);
}

pub(crate) fn usage(u: &mut Usage, f: &mut Visit) {
    f(Of::Allowance, &mut u.allowance.0);
}
