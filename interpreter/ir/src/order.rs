//! In which order the parts of a condition or a selection are asked: what is cheap before what is dear, so that mostly the
//! dear parts need not be asked. What it says is the same.
//!
//! A part that may be a fault (several things where one is meant) is asked no sooner than what stands before it, and a known
//! thing with which a selection begins stays where it is.

use crate::expr::*;

/// What is found out by trying a declaration.
const TRIED: u32 = 10_000;
/// What is found out along what a declaration says.
const SAID: u32 = 500;
/// What is asked of one thing after the other, or of every clause that forbids something.
const EACH: u32 = 20;

/// Puts conditions that are joined in order.
pub fn conds(parts: &mut Vec<Cond>) {
    sort(parts, cost, may_fault);
}

/// Puts selections that are joined in order.
pub fn sels(parts: &mut Vec<Sel>) {
    let known = matches!(parts.first(), Some(Sel::This | Sel::It(_) | Sel::Slot(_) | Sel::Role(_)));
    let mut rest = parts.split_off(usize::from(known));
    sort(&mut rest, cost_of_sel, sel_may_fault);
    parts.append(&mut rest);
}

/// Each before those that are dearer, as far as faults allow; else as they stand.
fn sort<T>(parts: &mut Vec<T>, cost: fn(&T) -> u32, may_fault: fn(&T) -> bool) {
    let mut found: Vec<(u32, T)> = Vec::with_capacity(parts.len());
    for part in parts.drain(..) {
        let cost = cost(&part);
        let dearer = |at: &(u32, T)| at.0 > cost;
        let at = if may_fault(&part) { found.len() } else { found.iter().take_while(|one| !dearer(one)).count() };
        found.insert(at, (cost, part));
    }
    parts.extend(found.into_iter().map(|(_, part)| part));
}

/// About how dear it is to ask a condition.
pub fn cost(cond: &Cond) -> u32 {
    let two = |a: u32, b: u32| a.saturating_add(b);
    match cond {
        Cond::Is(_) | Cond::During(_) | Cond::Closing(_) | Cond::Unchanged => 1,
        Cond::Some(sel) | Cond::Awaits(sel) => cost_of_sel(sel),
        Cond::Every(a, b) => two(cost_of_sel(a), cost_of_sel(b)),
        Cond::Cmp(_, a, b) => two(cost_of_num(a), cost_of_num(b)),
        Cond::Same(a, b) => two(cost_of_ent(a), cost_of_ent(b)),
        Cond::Did(past) => cost_of_past(past),
        Cond::Barred(_, roles) => roles.iter().flatten().map(cost_of_sel).fold(EACH, u32::saturating_add),
        Cond::InForce(by, on) => two(cost_of_sel(by), on.iter().map(cost_of_sel).sum()),
        Cond::Modified(_, of, by) => two(two(EACH, cost_of_sel(of)), by.iter().map(cost_of_sel).sum()),
        Cond::And(parts) | Cond::Or(parts) => parts.iter().map(cost).fold(1, u32::saturating_add),
        Cond::Not(inner) => cost(inner),
    }
}

fn cost_of_sel(sel: &Sel) -> u32 {
    let more = |n: u32| n.saturating_add(1);
    match sel {
        Sel::Empty | Sel::All | Sel::Class(_) | Sel::This | Sel::It(_) | Sel::Slot(_) | Sel::Group | Sel::Role(_) => 1,
        Sel::Named(_) | Sel::EntryIs(..) | Sel::Flag(_) | Sel::In(_, None) => 1,
        Sel::Image(_, of) | Sel::Preimage(_, of) | Sel::One(of) | Sel::Not(of) => more(more(cost_of_sel(of))),
        Sel::NameIs(_, names) => more(cost_of_names(names)),
        Sel::EntryIsValue(_, ent) => more(cost_of_ent(ent)),
        Sel::NumIs(_, _, num) => more(cost_of_num(num)),
        Sel::In(_, Some(owner)) => more(cost_of_sel(owner)),
        Sel::Top(_, owner, n) => {
            cost_of_num(n).saturating_add(owner.iter().map(|owner| cost_of_sel(owner)).fold(2, u32::saturating_add))
        }
        Sel::And(parts) | Sel::Or(parts) => parts.iter().map(cost_of_sel).fold(1, u32::saturating_add),
        Sel::Next { of, from, .. } => cost_of_sel(of).saturating_add(cost_of_sel(from)),
        Sel::Where(cond) => cost(cond).saturating_mul(EACH),
        Sel::Happened(past, _) => cost_of_past(past),
        Sel::Would(prospect) => match &**prospect {
            // Seen by what is chosen and paid.
            Prospect::Cost(of) | Prospect::Target(of) => more(cost_of_sel(of)),
            Prospect::Event(_) => SAID,
            Prospect::Effect(_) | Prospect::Change(_) => TRIED,
        },
        Sel::If(cond, a, b) => cost(cond).saturating_add(cost_of_sel(a).max(cost_of_sel(b))),
    }
}

fn cost_of_names(names: &Names) -> u32 {
    match names {
        Names::One(_) => 1,
        Names::Called(of) | Names::Printed(_, of) => cost_of_sel(of),
        Names::Any(all) => all.iter().map(cost_of_names).fold(1, u32::saturating_add),
    }
}

fn cost_of_past(past: &Past) -> u32 {
    past.roles.iter().flatten().map(cost_of_sel).fold(2, u32::saturating_add)
}

fn cost_of_ent(ent: &Ent) -> u32 {
    match ent {
        Ent::Entry(_) | Ent::Slot(_) => 1,
        Ent::Attr(_, of) | Ent::Base(_, of) => cost_of_sel(of).saturating_add(2),
    }
}

fn cost_of_num(num: &Num) -> u32 {
    let two = |a: &Num, b: &Num| cost_of_num(a).saturating_add(cost_of_num(b));
    match num {
        Num::Int(_) | Num::Slot(_) | Num::Role(_) => 1,
        Num::Attr(_, of) | Num::Base(_, of) | Num::Count(of) | Num::Total(_, of) | Num::Extreme(_, of, _) => {
            cost_of_sel(of).saturating_add(2)
        }
        Num::AttrFor(_, of, ent) => cost_of_sel(of).saturating_add(cost_of_ent(ent)),
        Num::Add(a, b) | Num::Sub(a, b) | Num::Mul(a, b) | Num::Quotient(a, b, _) => two(a, b),
        Num::Max(parts) | Num::Min(parts) => parts.iter().map(cost_of_num).fold(1, u32::saturating_add),
        Num::Given(_, _, n) => cost_of_num(n).saturating_mul(2),
        Num::Least(_, n) => cost_of_num(n).saturating_mul(EACH),
        Num::Alternatives(base, parts) => {
            let each = parts.iter().map(|(n, cond)| cost_of_num(n).saturating_add(cost(cond)));
            each.fold(cost_of_num(base), u32::saturating_add)
        }
    }
}

/// Whether a condition may mean several things where one is meant.
pub fn may_fault(cond: &Cond) -> bool {
    match cond {
        Cond::Is(_) | Cond::During(_) | Cond::Closing(_) | Cond::Unchanged => false,
        Cond::Some(sel) | Cond::Awaits(sel) => sel_may_fault(sel),
        Cond::Every(a, b) => sel_may_fault(a) || sel_may_fault(b),
        Cond::Cmp(_, a, b) => num_may_fault(a) || num_may_fault(b),
        Cond::Same(a, b) => ent_may_fault(a) || ent_may_fault(b),
        Cond::Did(past) => past_may_fault(past),
        Cond::Barred(_, roles) => roles.iter().flatten().any(sel_may_fault),
        Cond::InForce(by, on) | Cond::Modified(_, by, on) => {
            sel_may_fault(by) || on.as_ref().is_some_and(sel_may_fault)
        }
        Cond::And(parts) | Cond::Or(parts) => parts.iter().any(may_fault),
        Cond::Not(inner) => may_fault(inner),
    }
}

fn sel_may_fault(sel: &Sel) -> bool {
    match sel {
        Sel::One(_) | Sel::Next { .. } => true,
        Sel::Empty | Sel::All | Sel::Class(_) | Sel::This | Sel::It(_) | Sel::Slot(_) | Sel::Group | Sel::Role(_) => {
            false
        }
        Sel::Named(_) | Sel::EntryIs(..) | Sel::Flag(_) | Sel::In(_, None) => false,
        Sel::Image(_, of) | Sel::Preimage(_, of) | Sel::Not(of) | Sel::In(_, Some(of)) => sel_may_fault(of),
        Sel::NameIs(_, names) => names_may_fault(names),
        Sel::EntryIsValue(_, ent) => ent_may_fault(ent),
        Sel::NumIs(_, _, num) => num_may_fault(num),
        Sel::Top(_, owner, n) => owner.as_ref().is_some_and(|owner| sel_may_fault(owner)) || num_may_fault(n),
        Sel::And(parts) | Sel::Or(parts) => parts.iter().any(sel_may_fault),
        Sel::Where(cond) => may_fault(cond),
        Sel::Happened(past, _) => past_may_fault(past),
        Sel::Would(prospect) => match &**prospect {
            Prospect::Event(past) => past_may_fault(past),
            Prospect::Cost(of) | Prospect::Target(of) | Prospect::Effect(Some(of)) => sel_may_fault(of),
            Prospect::Effect(None) => false,
            Prospect::Change(num) => num_may_fault(num),
        },
        Sel::If(cond, a, b) => may_fault(cond) || sel_may_fault(a) || sel_may_fault(b),
    }
}

fn names_may_fault(names: &Names) -> bool {
    match names {
        Names::One(_) => false,
        Names::Called(of) | Names::Printed(_, of) => sel_may_fault(of),
        Names::Any(all) => all.iter().any(names_may_fault),
    }
}

fn past_may_fault(past: &Past) -> bool {
    past.roles.iter().flatten().any(sel_may_fault)
}

/// One thing is meant: a thing that is known is no other.
fn one_may_fault(of: &Sel) -> bool {
    !matches!(of, Sel::This | Sel::It(_))
}

fn ent_may_fault(ent: &Ent) -> bool {
    match ent {
        Ent::Entry(_) | Ent::Slot(_) => false,
        Ent::Attr(_, of) | Ent::Base(_, of) => one_may_fault(of),
    }
}

fn num_may_fault(num: &Num) -> bool {
    match num {
        Num::Int(_) | Num::Slot(_) | Num::Role(_) => false,
        Num::Attr(_, of) | Num::Base(_, of) | Num::AttrFor(_, of, _) => one_may_fault(of),
        Num::Count(of) | Num::Total(_, of) | Num::Extreme(_, of, _) => sel_may_fault(of),
        Num::Add(a, b) | Num::Sub(a, b) | Num::Mul(a, b) | Num::Quotient(a, b, _) => {
            num_may_fault(a) || num_may_fault(b)
        }
        Num::Max(parts) | Num::Min(parts) => parts.iter().any(num_may_fault),
        Num::Given(_, to, n) | Num::Least(to, n) => sel_may_fault(to) || num_may_fault(n),
        Num::Alternatives(base, parts) => {
            num_may_fault(base) || parts.iter().any(|(n, cond)| num_may_fault(n) || may_fault(cond))
        }
    }
}
