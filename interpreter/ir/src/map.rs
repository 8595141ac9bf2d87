//! Rewriting ids inside the trees: used at link to turn an item's local ids into the program's, and by
//! the lowering to move an expression under another binder.

use crate::clause::*;
use crate::expr::*;
use crate::ids::*;
use crate::mapper::{Map, Mapper};
use crate::statement::*;

impl Map for BlockId {
    fn map_ids(&mut self, m: &mut impl Mapper, _: u8) {
        *self = m.block(*self);
    }
}

impl Map for Names {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        match self {
            Names::One(name) => *name = m.name(*name),
            Names::Called(of) => of.map_ids(m, b),
            Names::Printed(attr, of) => {
                *attr = m.attr(*attr);
                of.map_ids(m, b);
            }
            Names::Any(all) => all.map_ids(m, b),
        }
    }
}

impl Map for Sel {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        match self {
            Sel::Empty | Sel::All | Sel::This | Sel::Slot(_) | Sel::Group => {}
            Sel::Class(c) => *c = m.class(*c),
            Sel::It(k) => *k = m.it(*k, b),
            Sel::Role(r) => *r = m.role(*r),
            Sel::Named(n) => *n = m.name(*n),
            Sel::Image(a, s) | Sel::Preimage(a, s) => {
                *a = m.attr(*a);
                s.map_ids(m, b);
            }
            Sel::NameIs(a, names) => {
                *a = m.attr(*a);
                names.map_ids(m, b);
            }
            Sel::EntryIs(a, e) => {
                *a = m.attr(*a);
                *e = m.entry(*e);
            }
            Sel::EntryIsValue(a, e) => {
                *a = m.attr(*a);
                e.map_ids(m, b);
            }
            Sel::Flag(a) => *a = m.attr(*a),
            Sel::NumIs(a, _, n) => {
                *a = m.attr(*a);
                n.map_ids(m, b);
            }
            Sel::In(p, s) => {
                *p = m.place(*p);
                s.map_ids(m, b);
            }
            Sel::Top(p, s, n) => {
                *p = m.place(*p);
                s.map_ids(m, b);
                n.map_ids(m, b);
            }
            Sel::And(v) | Sel::Or(v) => {
                v.map_ids(m, b);
                m.sels(v);
            }
            Sel::Not(s) | Sel::One(s) => s.map_ids(m, b),
            Sel::Next { of, from, .. } => {
                of.map_ids(m, b);
                from.map_ids(m, b);
            }
            Sel::Where(c) => c.map_ids(m, b.saturating_add(1)),
            Sel::Happened(p, _) => p.map_ids(m, b),
            Sel::Would(p) => p.map_ids(m, b),
            Sel::If(c, x, y) => {
                c.map_ids(m, b);
                x.map_ids(m, b);
                y.map_ids(m, b);
            }
        }
    }
}

impl Map for Past {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.verb = m.verb(self.verb);
        self.roles.map_ids(m, b);
        self.since = self.since.map(|p| m.proc(p));
    }
}

impl Map for Prospect {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        match self {
            Prospect::Event(p) => p.map_ids(m, b),
            Prospect::Cost(s) | Prospect::Target(s) | Prospect::Effect(Some(s)) => s.map_ids(m, b),
            Prospect::Effect(None) => {}
            Prospect::Change(n) => n.map_ids(m, b),
        }
    }
}

impl Map for Ent {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        match self {
            Ent::Entry(e) => *e = m.entry(*e),
            Ent::Attr(a, s) => {
                *a = m.attr(*a);
                s.map_ids(m, b);
            }
            Ent::Base(a, s) => {
                *a = m.base(*a);
                s.map_ids(m, b);
            }
            Ent::Slot(_) => {}
        }
    }
}

impl Map for Num {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        match self {
            Num::Int(_) | Num::Slot(_) => {}
            Num::Base(a, s) => {
                *a = m.base(*a);
                s.map_ids(m, b);
            }
            Num::Attr(a, s) | Num::Total(a, s) | Num::Extreme(a, s, _) => {
                *a = m.attr(*a);
                s.map_ids(m, b);
            }
            Num::AttrFor(a, s, e) => {
                *a = m.attr(*a);
                s.map_ids(m, b);
                e.map_ids(m, b);
            }
            Num::Count(s) => s.map_ids(m, b),
            Num::Role(r) => *r = m.role(*r),
            Num::Add(x, y) | Num::Sub(x, y) | Num::Mul(x, y) | Num::Quotient(x, y, _) => {
                x.map_ids(m, b);
                y.map_ids(m, b);
            }
            Num::Max(v) | Num::Min(v) => v.map_ids(m, b),
            Num::Given(r, s, n) => {
                *r = m.role(*r);
                s.map_ids(m, b);
                n.map_ids(m, b);
            }
            Num::Least(s, n) => {
                s.map_ids(m, b);
                n.map_ids(m, b);
            }
            Num::Alternatives(n, v) => {
                n.map_ids(m, b);
                for (x, c) in v {
                    x.map_ids(m, b);
                    c.map_ids(m, b);
                }
            }
        }
    }
}

impl Map for Cond {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        match self {
            Cond::Is(_) | Cond::Unchanged => {}
            Cond::Some(s) | Cond::Awaits(s) => s.map_ids(m, b),
            Cond::Barred(verb, roles) => {
                *verb = m.barred(*verb);
                roles.map_ids(m, b);
            }
            Cond::InForce(by, on) => {
                m.in_force();
                by.map_ids(m, b);
                on.map_ids(m, b);
            }
            Cond::Modified(a, s, by) => {
                *a = m.attr(*a);
                s.map_ids(m, b);
                by.map_ids(m, b);
            }
            Cond::Every(x, y) => {
                x.map_ids(m, b);
                y.map_ids(m, b);
            }
            Cond::Cmp(_, x, y) => {
                x.map_ids(m, b);
                y.map_ids(m, b);
            }
            Cond::Same(x, y) => {
                x.map_ids(m, b);
                y.map_ids(m, b);
            }
            Cond::Did(p) => p.map_ids(m, b),
            Cond::During(p) | Cond::Closing(p) => *p = m.proc(*p),
            Cond::And(v) | Cond::Or(v) => {
                v.map_ids(m, b);
                m.conds(v);
            }
            Cond::Not(c) => c.map_ids(m, b),
        }
    }
}

impl Map for Val {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        match self {
            Val::Num(n) => n.map_ids(m, b),
            Val::Things(s) => s.map_ids(m, b),
            Val::Entry(e) => e.map_ids(m, b),
            Val::Flag(_) => {}
        }
    }
}

impl Map for Lasting {
    fn map_ids(&mut self, m: &mut impl Mapper, _: u8) {
        if let Lasting::Procedure(p) = self {
            *p = m.proc(*p);
        }
    }
}

impl Map for Footprint {
    fn map_ids(&mut self, m: &mut impl Mapper, _: u8) {
        match self {
            Footprint::Does(v, c) => {
                *v = m.verb(*v);
                *c = c.map(|c| m.class(c));
            }
            Footprint::Modifies(c, a) => {
                *c = m.class(*c);
                *a = a.map(|a| m.attr(a));
            }
        }
    }
}

impl Map for Admit {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.by.map_ids(m, b);
        self.whilst.map_ids(m, b);
        self.footprints.map_ids(m, b);
    }
}

impl Map for Act {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.verb = m.verb(self.verb);
        self.roles.map_ids(m, b);
        self.site = m.site(self.site);
    }
}

impl Map for Statement {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        match self {
            Statement::Do { verb, roles } => {
                *verb = m.verb(*verb);
                roles.map_ids(m, b);
            }
            Statement::Set { attr, of, value } => {
                *attr = m.attr(*attr);
                of.map_ids(m, b);
                value.map_ids(m, b);
            }
            Statement::Put { what, place, of, .. } => {
                what.map_ids(m, b);
                *place = m.place(*place);
                of.map_ids(m, b);
            }
            Statement::Create { class, values, from, .. } => {
                *class = m.class(*class);
                if let Some(from) = from {
                    from.map_ids(m, b);
                }
                for (a, v) in values {
                    *a = m.attr(*a);
                    v.map_ids(m, b);
                }
            }
            Statement::Remove(s) => s.map_ids(m, b),
            Statement::CancelEffects(of) => of.map_ids(m, b),
            Statement::Extend { of, to } => {
                of.map_ids(m, b);
                to.map_ids(m, b);
            }
            Statement::LetSlot(_, v) => v.map_ids(m, b),
            Statement::LetRole(r, v) => {
                *r = m.role(*r);
                v.map_ids(m, b);
            }
            Statement::If(c, x, y) => {
                c.map_ids(m, b);
                x.map_ids(m, b);
                y.map_ids(m, b);
            }
            Statement::ForEach { of, body, order, .. } => {
                of.map_ids(m, b);
                body.map_ids(m, b);
                match order {
                    Order::Age => {}
                    Order::Chosen(s) | Order::Around(s, _) => s.map_ids(m, b),
                }
            }
            Statement::RepeatUntil(x, c) => {
                x.map_ids(m, b);
                c.map_ids(m, b);
            }
            Statement::RepeatTimes(n, x) => {
                n.map_ids(m, b);
                x.map_ids(m, b);
            }
            Statement::Choose { by, from, optional, then, .. } => {
                by.map_ids(m, b);
                from.map_ids(m, b);
                if let Some((x, y)) = optional {
                    x.map_ids(m, b);
                    y.map_ids(m, b);
                }
                then.map_ids(m, b);
            }
            Statement::May { by, body, otherwise } => {
                by.map_ids(m, b);
                body.map_ids(m, b);
                otherwise.map_ids(m, b);
            }
            Statement::ChooseOne { by, branches } => {
                by.map_ids(m, b);
                branches.map_ids(m, b);
            }
            Statement::Roll { by, subject, values, .. } => {
                by.map_ids(m, b);
                subject.map_ids(m, b);
                for (a, v) in values {
                    *a = m.attr(*a);
                    v.map_ids(m, b);
                }
            }
            Statement::Shuffle { place, of } => {
                *place = m.place(*place);
                of.map_ids(m, b);
            }
            Statement::Perform { proc, arguments } => {
                *proc = m.proc(*proc);
                arguments.map_ids(m, b);
            }
            Statement::End(p) => *p = m.proc(*p),
            Statement::Stop | Statement::ActionEffect => {}
            Statement::Window { admits, .. } => admits.map_ids(m, b),
            Statement::Effect { what, lasting, kept } => {
                match what {
                    EffectKind::Modifier(x) => *x = m.modifier(*x),
                    EffectKind::Trigger(x) => *x = m.trigger(*x),
                    EffectKind::Norm(x) => *x = m.norm(*x),
                    EffectKind::Spare(x) => *x = m.spare(*x),
                    EffectKind::Allowance(x) => *x = m.allowance(*x),
                }
                lasting.map_ids(m, b);
                kept.iter_mut().for_each(|(role, _)| *role = m.role(*role));
            }
        }
    }
}

impl Map for Block {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.clause = m.clause(self.clause);
        for (s, site) in &mut self.statements {
            s.map_ids(m, b);
            *site = m.site(*site);
        }
    }
}

impl Map for Requirement {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.cond.map_ids(m, b);
        self.clause = m.clause(self.clause);
        self.site = m.site(self.site);
    }
}

impl Map for Parameter {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        match &mut self.from {
            Pool::Things(v) => v.map_ids(m, b),
            Pool::Entries(l, c) => {
                *l = m.list(*l);
                c.map_ids(m, b);
            }
        }
        self.site = m.site(self.site);
    }
}

impl Map for Pattern {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.verb = m.verb(self.verb);
        for (s, _) in &mut self.roles {
            s.map_ids(m, b);
        }
    }
}

impl Map for Ends {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        match self {
            Ends::Not(cond) => cond.map_ids(m, b),
            Ends::After(pattern) => pattern.map_ids(m, b),
        }
    }
}

impl Map for Change {
    // A modifier's numbers are about its subject: they stand below one binder.
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        let b = b.saturating_add(1);
        match self {
            Change::Add { amount, max, min } => {
                amount.map_ids(m, b);
                max.map_ids(m, b);
                min.map_ids(m, b);
            }
            Change::Set(n) => n.map_ids(m, b),
            Change::Gain(e) | Change::Lose(e) | Change::Become(e) => *e = m.entry(*e),
            Change::Hold(things) => things.map_ids(m, b),
            Change::Bring(brought) => {
                brought.class = m.class(brought.class);
                for (a, v) in &mut brought.values {
                    *a = m.attr(*a);
                    v.map_ids(m, b);
                }
                brought.from.map_ids(m, b);
            }
            Change::Withhold(what) => what.map_ids(m, b),
        }
    }
}

impl Map for Taken {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.of.map_ids(m, b);
        self.class = m.class(self.class);
        for figure in &mut self.figures {
            *figure = m.attr(*figure);
        }
    }
}

impl Map for Modifier {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.clause = m.clause(self.clause);
        self.within.map_ids(m, b);
        self.carriers.map_ids(m, b);
        self.ends.map_ids(m, b);
        self.attr = m.attr(self.attr);
        self.subject.map_ids(m, b);
        self.cond.map_ids(m, b);
        self.change.map_ids(m, b);
    }
}

impl Map for Trigger {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.clause = m.clause(self.clause);
        self.within.map_ids(m, b);
        self.carriers.map_ids(m, b);
        self.ends.map_ids(m, b);
        self.timing = self.timing.map(|c| m.clause(c));
        self.pattern.map_ids(m, b);
        self.cond.map_ids(m, b);
        self.body.map_ids(m, b);
    }
}

impl Map for Guard {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.clause = m.clause(self.clause);
        self.pattern.map_ids(m, b);
        self.cond.map_ids(m, b);
    }
}

impl Map for Spare {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.clause = m.clause(self.clause);
        self.within.map_ids(m, b);
        self.by.map_ids(m, b);
        self.what.map_ids(m, b);
        self.cond.map_ids(m, b);
        self.ends.map_ids(m, b);
    }
}

impl Map for Norm {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.clause = m.clause(self.clause);
        self.within.map_ids(m, b);
        self.carriers.map_ids(m, b);
        self.ends.map_ids(m, b);
        self.by.map_ids(m, b);
        self.pattern.map_ids(m, b);
        self.cond.map_ids(m, b);
    }
}

impl Map for Allowance {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.clause = m.clause(self.clause);
        self.within.map_ids(m, b);
        self.carriers.map_ids(m, b);
        self.ends.map_ids(m, b);
        self.action = self.action.map(|a| m.action(a));
        self.by.map_ids(m, b);
        self.parameters.map_ids(m, b);
        self.requirements.map_ids(m, b);
        for p in &mut self.during {
            *p = m.proc(*p);
        }
        if let Some((_, p)) = &mut self.limit {
            *p = m.proc(*p);
        }
        self.cost.map_ids(m, b);
        self.effect.map_ids(m, b);
        self.acts.map_ids(m, b);
        self.footprint.map_ids(m, b);
    }
}
