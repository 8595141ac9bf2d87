//! Walks over expressions, for questions asked once at link time.

use netrep_ir::*;

/// A node of an expression.
#[derive(Clone, Copy)]
pub(crate) enum Node<'a> {
    Sel(&'a Sel),
    Num(&'a Num),
    Ent(&'a Ent),
    /// It is asked whether an attribute is modified.
    Modified(&'a AttrId),
}

/// Visits a selection and everything in it.
pub(crate) fn sel<'a>(s: &'a Sel, f: &mut dyn FnMut(Node<'a>)) {
    f(Node::Sel(s));
    match s {
        Sel::Image(_, inner) | Sel::Preimage(_, inner) | Sel::Not(inner) | Sel::One(inner) => sel(inner, f),
        Sel::NameIs(_, of) => names(of, f),
        Sel::EntryIsValue(_, e) => ent(e, f),
        Sel::NumIs(_, _, n) => num(n, f),
        Sel::Next { of, from, .. } => {
            sel(of, f);
            sel(from, f);
        }
        Sel::In(_, Some(owner)) => sel(owner, f),
        Sel::Top(_, owner, n) => {
            owner.iter().for_each(|o| sel(o, f));
            num(n, f);
        }
        Sel::And(parts) | Sel::Or(parts) => parts.iter().for_each(|p| sel(p, f)),
        Sel::Where(c) => cond(c, f),
        Sel::Happened(past, _) => history(past, f),
        Sel::Would(prospect) => match &**prospect {
            Prospect::Event(past) => history(past, f),
            Prospect::Cost(s) | Prospect::Target(s) | Prospect::Effect(Some(s)) => sel(s, f),
            Prospect::Effect(None) => {}
            Prospect::Change(n) => num(n, f),
        },
        Sel::If(c, a, b) => {
            cond(c, f);
            sel(a, f);
            sel(b, f);
        }
        _ => {}
    }
}

fn names<'a>(all: &'a Names, f: &mut dyn FnMut(Node<'a>)) {
    match all {
        Names::One(_) => {}
        Names::Called(of) | Names::Printed(_, of) => sel(of, f),
        Names::Any(all) => all.iter().for_each(|one| names(one, f)),
    }
}

fn history<'a>(past: &'a Past, f: &mut dyn FnMut(Node<'a>)) {
    past.roles.iter().flatten().for_each(|s| sel(s, f));
}

/// Visits a number.
pub(crate) fn num<'a>(n: &'a Num, f: &mut dyn FnMut(Node<'a>)) {
    f(Node::Num(n));
    match n {
        Num::Attr(_, s) | Num::Base(_, s) | Num::Count(s) | Num::Total(_, s) | Num::Extreme(_, s, _) => {
            sel(s, f);
        }
        Num::AttrFor(_, s, e) => {
            sel(s, f);
            ent(e, f);
        }
        Num::Add(a, b) | Num::Sub(a, b) | Num::Mul(a, b) | Num::Quotient(a, b, _) => {
            num(a, f);
            num(b, f);
        }
        Num::Max(parts) | Num::Min(parts) => parts.iter().for_each(|p| num(p, f)),
        Num::Given(_, s, a) | Num::Least(s, a) => {
            sel(s, f);
            num(a, f);
        }
        Num::Alternatives(base, parts) => {
            num(base, f);
            for (n, c) in parts {
                num(n, f);
                cond(c, f);
            }
        }
        _ => {}
    }
}

/// Visits an entry.
pub(crate) fn ent<'a>(e: &'a Ent, f: &mut dyn FnMut(Node<'a>)) {
    f(Node::Ent(e));
    if let Ent::Attr(_, s) | Ent::Base(_, s) = e {
        sel(s, f);
    }
}

/// Visits a condition.
pub(crate) fn cond<'a>(c: &'a Cond, f: &mut dyn FnMut(Node<'a>)) {
    match c {
        Cond::Some(s) | Cond::Awaits(s) => sel(s, f),
        Cond::Barred(_, roles) => roles.iter().flatten().for_each(|role| sel(role, f)),
        Cond::InForce(by, on) => {
            sel(by, f);
            on.iter().for_each(|on| sel(on, f));
        }
        Cond::Modified(attr, s, by) => {
            f(Node::Modified(attr));
            sel(s, f);
            by.iter().for_each(|b| sel(b, f));
        }
        Cond::Every(a, b) => {
            sel(a, f);
            sel(b, f);
        }
        Cond::Cmp(_, a, b) => {
            num(a, f);
            num(b, f);
        }
        Cond::Same(a, b) => {
            ent(a, f);
            ent(b, f);
        }
        Cond::Did(past) => history(past, f),
        Cond::And(parts) | Cond::Or(parts) => parts.iter().for_each(|p| cond(p, f)),
        Cond::Not(inner) => cond(inner, f),
        _ => {}
    }
}

/// Whether a condition asks for what has changed since a declaration.
pub(crate) fn asks_for_change(c: &Cond) -> bool {
    match c {
        Cond::Unchanged => true,
        Cond::And(parts) | Cond::Or(parts) => parts.iter().any(asks_for_change),
        Cond::Not(inner) => asks_for_change(inner),
        _ => false,
    }
}

/// When a condition on a declaration can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Once for all things that carry it: it reads neither.
    General,
    /// Once for each thing that carries it.
    Carried,
    /// When the last of the parameters that it reads is chosen.
    Chosen,
    /// When all parameters are chosen: it reads what the declaration would do by its own words.
    Foreseen,
    /// When all else holds: it is tried.
    Tried,
}

/// When a condition can be asked, by what it reads; `foreseeing` are the attributes whose values hang on what a declaration
/// would do.
pub(crate) fn phase(c: &Cond, foreseeing: &[bool]) -> Phase {
    let mut found = Phase::General;
    cond(c, &mut |n| {
        found = found.max(match n {
            // What a declaration would do depends on all its choices.
            Node::Sel(Sel::Would(prospect)) => match **prospect {
                Prospect::Effect(_) | Prospect::Change(_) => Phase::Tried,
                Prospect::Event(_) | Prospect::Cost(_) | Prospect::Target(_) => Phase::Foreseen,
            },
            Node::Sel(Sel::Slot(_)) | Node::Num(Num::Slot(_)) | Node::Ent(Ent::Slot(_)) => Phase::Chosen,
            Node::Sel(Sel::This) => Phase::Carried,
            _ => Phase::General,
        });
    });
    if found == Phase::Chosen && foresees(c, foreseeing) { Phase::Foreseen } else { found }
}

/// Whether a condition hangs on what a declaration would do.
pub(crate) fn foresees(c: &Cond, foreseeing: &[bool]) -> bool {
    let mut found = false;
    cond(c, &mut |n| found |= node_foresees(n, foreseeing));
    found
}

/// Whether a selection hangs on what a declaration would do.
pub(crate) fn sel_foresees(s: &Sel, foreseeing: &[bool]) -> bool {
    let mut found = false;
    sel(s, &mut |n| found |= node_foresees(n, foreseeing));
    found
}

/// The attributes whose values may hang on what a declaration would do: such a question stands in their definitions, in
/// their modifiers or in those of attributes that these read.
pub(crate) fn foreseeing(program: &Program) -> Vec<bool> {
    let mut found = vec![false; program.attrs.len()];
    loop {
        let before = found.clone();
        for (found, attr) in found.iter_mut().zip(&program.attrs) {
            let see = &mut |n: Node| *found |= node_foresees(n, &before);
            match &attr.source {
                Source::Stored { .. } => {}
                Source::Number(n) => num(n, see),
                Source::Things(s) | Source::Flag(s) => sel(s, see),
            }
        }
        for m in &program.modifiers {
            let Some(found) = found.get_mut(m.attr.index()).filter(|found| !**found) else { continue };
            let see = &mut |n: Node| *found |= node_foresees(n, &before);
            sel(&m.subject, see);
            m.cond.iter().for_each(|c| cond(c, see));
            match &m.change {
                Change::Add { amount, max, min } => {
                    [Some(amount), max.as_ref(), min.as_ref()].into_iter().flatten().for_each(|n| num(n, see));
                }
                Change::Set(n) => num(n, see),
                Change::Hold(things) => sel(things, see),
                Change::Gain(_) | Change::Lose(_) | Change::Become(_) => {}
                Change::Bring(_) | Change::Withhold(_) => {}
            }
        }
        if found == before {
            return found;
        }
    }
}

fn node_foresees(node: Node, foreseeing: &[bool]) -> bool {
    let attr = match node {
        Node::Sel(Sel::Would(_)) => return true,
        Node::Sel(
            Sel::Image(a, _)
            | Sel::Preimage(a, _)
            | Sel::EntryIs(a, _)
            | Sel::EntryIsValue(a, _)
            | Sel::Flag(a)
            | Sel::NumIs(a, ..),
        )
        | Node::Num(Num::Attr(a, _) | Num::Base(a, _) | Num::AttrFor(a, ..) | Num::Total(a, _) | Num::Extreme(a, ..))
        | Node::Ent(Ent::Attr(a, _) | Ent::Base(a, _))
        | Node::Modified(a) => a,
        _ => return false,
    };
    foreseeing.get(attr.index()).is_some_and(|one| *one)
}

/// The slots that a selection reads.
pub(crate) fn slots_of(s: &Sel) -> Vec<u8> {
    slots_read(|see| sel(s, see))
}

/// The slots that a condition reads.
pub(crate) fn slots_of_cond(c: &Cond) -> Vec<u8> {
    slots_read(|see| cond(c, see))
}

/// The slots that something reads, by a walk over it.
pub(crate) fn slots_read<'a>(walk: impl FnOnce(&mut dyn FnMut(Node<'a>))) -> Vec<u8> {
    let mut found = Vec::new();
    walk(&mut |n| {
        if let Node::Sel(Sel::Slot(k)) | Node::Num(Num::Slot(k)) | Node::Ent(Ent::Slot(k)) = n {
            found.push(*k);
        }
    });
    found
}

/// Whether a selection asks for the entries of an attribute.
pub(crate) fn reads_entries(s: &Sel, attr: AttrId) -> bool {
    let mut found = false;
    sel(s, &mut |n| {
        found |= matches!(n, Node::Sel(Sel::EntryIs(a, _) | Sel::EntryIsValue(a, _)) if *a == attr);
    });
    found
}

/// Whether a selection depends on the thing whose clause it is.
pub(crate) fn sel_reads_this(s: &Sel) -> bool {
    reads_this(|see| sel(s, see))
}

/// Whether something depends on the thing whose clause it is, by a walk over it.
pub(crate) fn reads_this<'a>(walk: impl FnOnce(&mut dyn FnMut(Node<'a>))) -> bool {
    let mut found = false;
    walk(&mut |n| found |= matches!(n, Node::Sel(Sel::This)));
    found
}

/// Whether a number depends on an enclosing per-thing expression.
pub(crate) fn num_reads_it(n: &Num) -> bool {
    let mut found = false;
    num(n, &mut |n| found |= matches!(n, Node::Sel(Sel::It(_))));
    found
}
