//! Edits of a position that make a condition true or false: what a set-up asserts and what a refusal suggests.
//!
//! Only stored facts can be edited: printed figures, definitions and the history cannot.

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::game::setup::Fact;
use crate::position::set::{Set, ThingId};
use crate::position::table::Table;
use crate::position::value::Value;
use crate::program::layout::Store;

/// How deep definitions are followed.
const DEPTH: u8 = 12;

impl Eval<'_> {
    /// Edits after which a condition is `want`, or `None` if no edit is known. Empty if it is so already.
    pub(crate) fn make(&self, cx: &Cx, cond: &Cond, want: bool, depth: u8) -> Option<Vec<Fact>> {
        if depth > DEPTH {
            return None;
        }
        if self.cond(cx, cond) == want {
            return Some(Vec::new());
        }
        let all = |parts: &[Cond]| collect(parts.iter().map(|p| self.make(cx, p, want, depth + 1)));
        let any = |parts: &[Cond]| parts.iter().find_map(|p| self.make(cx, p, want, depth + 1));
        match cond {
            Cond::Is(_)
            | Cond::Did(_)
            | Cond::During(_)
            | Cond::Closing(_)
            | Cond::Unchanged
            | Cond::Awaits(_)
            | Cond::Barred(..)
            | Cond::InForce(..)
            | Cond::Modified(..) => None,
            Cond::And(parts) if want => all(parts),
            Cond::And(parts) => any(parts),
            Cond::Or(parts) if want => any(parts),
            Cond::Or(parts) => all(parts),
            Cond::Not(inner) => self.make(cx, inner, !want, depth + 1),
            Cond::Some(sel) if want => {
                let tried = self
                    .anchors(cx, sel)
                    .iter()
                    .filter_map(|t| self.make_in(cx, sel, t, true, depth + 1))
                    .collect::<Vec<_>>();
                tried.into_iter().min_by_key(Vec::len)
            }
            Cond::Some(sel) => collect(self.all(cx, sel).iter().map(|t| self.make_in(cx, sel, t, false, depth + 1))),
            Cond::Every(a, b) => {
                let of = self.all(cx, a);
                if want {
                    let missing = of.minus(self.sel(cx, b, &of).words());
                    let one = |t| {
                        self.make_in(cx, b, t, true, depth + 1).or_else(|| self.make_in(cx, a, t, false, depth + 1))
                    };
                    collect(missing.iter().map(one))
                } else {
                    of.iter().find_map(|t| self.make_in(cx, b, t, false, depth + 1))
                }
            }
            Cond::Cmp(op, a, b) => self.make_cmp(cx, if want { *op } else { negated(*op) }, a, b, depth),
            Cond::Same(Ent::Attr(attr, of), e) | Cond::Same(e, Ent::Attr(attr, of)) => {
                let (thing, entry) = (self.first(cx, of)?, self.ent(cx, e)?);
                self.make_in(cx, &Sel::EntryIs(*attr, entry), thing, want, depth + 1)
            }
            Cond::Same(..) => None,
        }
    }

    fn make_cmp(&self, cx: &Cx, op: CmpOp, a: &Num, b: &Num, depth: u8) -> Option<Vec<Fact>> {
        match (a, b) {
            (Num::Attr(attr, of) | Num::Base(attr, of), b) => {
                let thing = self.first(cx, of)?;
                self.make_number(*attr, thing, op, self.num(cx, b))
            }
            (a, Num::Attr(attr, of) | Num::Base(attr, of)) => {
                let thing = self.first(cx, of)?;
                self.make_number(*attr, thing, turned(op), self.num(cx, a))
            }
            (Num::Count(of), b) => match (op, self.num(cx, b)) {
                (CmpOp::Eq | CmpOp::Le, 0) | (CmpOp::Lt, 1) => {
                    self.make(cx, &Cond::Some(Sel::clone(of)), false, depth + 1)
                }
                (CmpOp::Ge, 1) | (CmpOp::Gt | CmpOp::Ne, 0) => {
                    self.make(cx, &Cond::Some(Sel::clone(of)), true, depth + 1)
                }
                _ => None,
            },
            (a, Num::Count(_)) => self.make_cmp(cx, turned(op), b, a, depth + 1),
            _ => None,
        }
    }

    /// Edits after which a number compares with `to`; the modifiers in force are reckoned in.
    fn make_number(&self, attr: AttrId, thing: ThingId, op: CmpOp, to: i32) -> Option<Vec<Fact>> {
        if !matches!(self.link.layout.attr(attr).store, Store::Column(_))
            || self.having(attr, &Set::one(thing, self.link.layout.width)).is_empty()
        {
            return None;
        }
        let wanted = match op {
            CmpOp::Lt => to.saturating_sub(1),
            CmpOp::Gt | CmpOp::Ne => to.saturating_add(1),
            CmpOp::Le | CmpOp::Eq | CmpOp::Ge => to,
        };
        let by_modifiers = self.current(attr, thing).saturating_sub(self.base(attr, thing, 0));
        Some(vec![Fact::Attr { attr, thing, value: Value::Num(wanted.saturating_sub(by_modifiers)) }])
    }

    /// The things among which a selection would find its member: the known ones it names, else those of its class.
    pub(crate) fn anchors(&self, cx: &Cx, sel: &Sel) -> Set {
        let pinned = |s: &&Sel| matches!(s, Sel::This | Sel::It(_) | Sel::Slot(_) | Sel::Role(_) | Sel::Named(_));
        match sel {
            Sel::And(parts) => {
                if let Some(part) =
                    parts.iter().find(pinned).or_else(|| parts.iter().find(|s| matches!(s, Sel::Class(_))))
                {
                    return self.all(cx, part);
                }
                parts.first().map_or_else(|| self.universe(false), |p| self.anchors(cx, p))
            }
            Sel::This | Sel::It(_) | Sel::Slot(_) | Sel::Role(_) | Sel::Named(_) | Sel::Class(_) => self.all(cx, sel),
            _ => self.universe(false),
        }
    }

    /// Edits after which a thing is (or is not) in a selection.
    pub(crate) fn make_in(&self, cx: &Cx, sel: &Sel, thing: ThingId, want: bool, depth: u8) -> Option<Vec<Fact>> {
        if depth > DEPTH {
            return None;
        }
        if self.has(cx, sel, thing) == want {
            return Some(Vec::new());
        }
        let all = |parts: &[Sel]| collect(parts.iter().map(|p| self.make_in(cx, p, thing, want, depth + 1)));
        let any = |parts: &[Sel]| parts.iter().find_map(|p| self.make_in(cx, p, thing, want, depth + 1));
        match sel {
            Sel::And(parts) if want => all(parts),
            Sel::And(parts) => any(parts),
            Sel::Or(parts) if want => any(parts),
            Sel::Or(parts) => all(parts),
            Sel::Not(inner) => self.make_in(cx, inner, thing, !want, depth + 1),
            Sel::One(inner) => self.make_in(cx, inner, thing, want, depth + 1),
            Sel::Where(cond) => {
                let it = cx.it(thing);
                self.make(&cx.about(&it), cond, want, depth + 1)
            }
            Sel::If(cond, a, b) => self.make_in(cx, if self.cond(cx, cond) { a } else { b }, thing, want, depth + 1),
            Sel::EntryIs(attr, entry) => self.make_entry(*attr, *entry, thing, want),
            Sel::EntryIsValue(attr, ent) => self.make_entry(*attr, self.ent(cx, ent)?, thing, want),
            Sel::Flag(attr) => match (self.link.layout.attr(*attr).store, &self.link.program.attr(*attr).source) {
                (Store::Bits(_), _) => {
                    let fits = !self.having(*attr, &Set::one(thing, self.link.layout.width)).is_empty();
                    fits.then(|| vec![Fact::Attr { attr: *attr, thing, value: Value::Num(i32::from(want)) }])
                }
                (_, Source::Flag(sel)) => self.make_in(&Cx::clause(cx.clause, None, &[]), sel, thing, want, depth + 1),
                _ => None,
            },
            Sel::NumIs(attr, op, num) => {
                self.make_number(*attr, thing, if want { *op } else { negated(*op) }, self.num(cx, num))
            }
            Sel::In(place, owner) => {
                let owner = match owner {
                    Some(sel) => Some(self.all(cx, sel).first()?),
                    None => None,
                };
                Some(vec![Fact::Put { thing, place: want.then_some(*place), owner: owner.filter(|_| want) }])
            }
            Sel::Top(place, owner, _) if want => {
                // What is put into a place comes on top.
                let owner = match owner {
                    Some(sel) => Some(self.all(cx, sel).first()?),
                    None => self.state.thing_in(&self.link.layout, thing, crate::program::layout::OWNER),
                };
                Some(vec![Fact::Put { thing, place: Some(*place), owner }])
            }
            Sel::Preimage(attr, to) => self.make_preimage(cx, *attr, to, thing, want, depth),
            Sel::Image(attr, of) => {
                let of = self.all(cx, of);
                if want {
                    of.iter().find_map(|x| self.make_value(*attr, x, thing, true))
                } else {
                    let width = self.link.layout.width;
                    let holds = |x: &ThingId| {
                        let mut found = Set::empty(width);
                        self.values_of(cx, *attr, *x, &Set::one(thing, width), &mut found);
                        !found.is_empty()
                    };
                    collect(of.iter().filter(holds).map(|x| self.make_value(*attr, x, thing, false)))
                }
            }
            _ => None,
        }
    }

    fn make_preimage(
        &self,
        cx: &Cx,
        attr: AttrId,
        to: &Sel,
        thing: ThingId,
        want: bool,
        depth: u8,
    ) -> Option<Vec<Fact>> {
        let to = self.all(cx, to);
        if let Source::Things(sel) = &self.link.program.attr(attr).source {
            let own = Cx::clause(cx.clause, None, &[]);
            let it = own.it(thing);
            let own = own.about(&it);
            return if want {
                to.iter().find_map(|x| self.make_in(&own, sel, x, true, depth + 1))
            } else {
                collect(self.sel(&own, sel, &to).iter().map(|x| self.make_in(&own, sel, x, false, depth + 1)))
            };
        }
        if want {
            return to.iter().find_map(|x| self.make_value(attr, thing, x, true));
        }
        let mut now = Set::empty(self.link.layout.width);
        self.values_of(cx, attr, thing, &to, &mut now);
        collect(now.iter().map(|x| self.make_value(attr, thing, x, false)))
    }

    /// Edits after which a thing-valued attribute of `thing` holds (or does not hold) `other`.
    fn make_value(&self, attr: AttrId, thing: ThingId, other: ThingId, want: bool) -> Option<Vec<Fact>> {
        let slot = self.link.layout.attr(attr);
        let width = self.link.layout.width;
        let (ValueKind::Thing(class) | ValueKind::Things(class)) = slot.kind else { return None };
        let fits = !self.having(attr, &Set::one(thing, width)).is_empty()
            && self.state.classes.get(other.index()) == Some(&class);
        let value = match slot.store {
            _ if !fits => return None,
            Store::Column(_) => {
                if want {
                    Value::Thing(other)
                } else {
                    Value::None
                }
            }
            Store::Pairs => {
                let mut now = Set::empty(width);
                self.values_of(&Cx::clause(ClauseId(0), None, &[]), attr, thing, &self.universe(false), &mut now);
                if want {
                    now.insert(other)
                } else {
                    now.remove(other)
                }
                if now.is_empty() { Value::None } else { Value::Set(Box::new(now)) }
            }
            Store::Bits(_) | Store::Printed | Store::Derived => return None,
        };
        Some(vec![Fact::Attr { attr, thing, value }])
    }

    fn make_entry(&self, attr: AttrId, entry: EntryId, thing: ThingId, want: bool) -> Option<Vec<Fact>> {
        let slot = self.link.layout.attr(attr);
        if self.having(attr, &Set::one(thing, self.link.layout.width)).is_empty() {
            return None;
        }
        match (slot.store, slot.kind) {
            (Store::Column(_), ValueKind::Entry(list)) => {
                let entry = if want {
                    entry
                } else {
                    // The attribute's default, unless that is the entry itself: then any other.
                    let default = u16::try_from(slot.default - 1).ok().map(EntryId).filter(|d| *d != entry);
                    default.or_else(|| Table::list(&self.link.program, list).iter().copied().find(|e| *e != entry))?
                };
                Some(vec![Fact::Attr { attr, thing, value: Value::Entry(entry) }])
            }
            (Store::Bits(_), ValueKind::Entries(_)) if want => {
                Some(vec![Fact::Attr { attr, thing, value: Value::Entry(entry) }])
            }
            (Store::Bits(_), ValueKind::Entries(_)) => Some(vec![Fact::Without { attr, thing, entry }]),
            _ => None,
        }
    }
}

fn collect(parts: impl Iterator<Item = Option<Vec<Fact>>>) -> Option<Vec<Fact>> {
    let mut all = Vec::new();
    for part in parts {
        for fact in part? {
            if !all.contains(&fact) {
                all.push(fact);
            }
        }
    }
    Some(all)
}

fn negated(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Lt => CmpOp::Ge,
        CmpOp::Le => CmpOp::Gt,
        CmpOp::Eq => CmpOp::Ne,
        CmpOp::Ne => CmpOp::Eq,
        CmpOp::Ge => CmpOp::Lt,
        CmpOp::Gt => CmpOp::Le,
    }
}

/// The operator when the sides change places.
fn turned(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Lt => CmpOp::Gt,
        CmpOp::Le => CmpOp::Ge,
        CmpOp::Ge => CmpOp::Le,
        CmpOp::Gt => CmpOp::Lt,
        CmpOp::Eq | CmpOp::Ne => op,
    }
}
