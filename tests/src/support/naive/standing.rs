//! What cards have only so long, by the naive evaluator: worked out anew from the clauses in force at every decision, and
//! compared with what there is.

use netrep_engine::{ThingId, Value};
use netrep_ir::*;

use super::position::thing_plus_one;
use super::{Position, Scope};

/// By what a card has a thing: the clause, who carries it, the effect (0: it stands), and the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub modifier: ModifierId,
    pub giver: Option<ThingId>,
    pub effect: u64,
    pub host: ThingId,
}

/// What a card has, or had and may have again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Has {
    pub given: Given,
    pub thing: ThingId,
    /// It has been taken away for good.
    pub removed: bool,
}

/// What was found, so that a test can tell that there was something to find.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// Things that are given and are there.
    pub given: usize,
    /// Things that are not there meanwhile, because nobody gives them or something withholds them.
    pub away: usize,
    /// Things, printed or given, that something withholds.
    pub withheld: usize,
    /// Things that are there only because something is performed for them.
    pub busy: usize,
    /// Things that came to be since the decision before, of which the figures were compared.
    pub new: usize,
}

impl std::ops::AddAssign for Found {
    fn add_assign(&mut self, other: Found) {
        self.given += other.given;
        self.away += other.away;
        self.withheld += other.withheld;
        self.busy += other.busy;
        self.new += other.new;
    }
}

impl Position<'_> {
    /// The card that a thing knows by an attribute.
    fn host(&self, attr: AttrId, thing: ThingId) -> Option<ThingId> {
        self.numbers.get(&(attr, thing)).and_then(|row| thing_plus_one(i64::from(row[0])))
    }

    /// Whether a procedure is performed for a thing.
    pub(super) fn is_busy(&self, thing: ThingId) -> bool {
        self.acts.iter().any(|act| {
            let parameters = act.proc.map(|proc| &self.program.procs[proc.index()].parameters);
            let mut slots = parameters.into_iter().flatten().map(|(slot, _)| usize::from(*slot));
            slots.any(|slot| matches!(act.locals.get(slot), Some(Value::Thing(t)) if *t == thing))
        })
    }

    /// What is given now, each with the scope of its clause, and what is withheld.
    pub(super) fn given_and_withheld(&self) -> (Vec<(Given, Scope)>, Vec<ThingId>) {
        let (mut given, mut lost) = (Vec::new(), Vec::new());
        // What is withheld is looked for as if it were there.
        let mut whole = self.clone();
        whole.retired.fill(false);
        let mut attrs: Vec<AttrId> = self.program.services.hosts.iter().map(|host| host.1).collect();
        attrs.dedup();
        for attr in attrs {
            for force in self.said_of(attr) {
                let all = (0..self.ever()).map(ThingId::from_index);
                for host in all.filter(|t| self.exists(*t) && self.holds_of(&force, *t)) {
                    match &force.modifier.change {
                        Change::Bring(_) => {
                            let by = Given { modifier: force.id, giver: force.this, effect: force.effect(), host };
                            given.push((by, force.scope().about(host)));
                        }
                        Change::Withhold(what) => {
                            let own = (0..self.ever()).map(ThingId::from_index);
                            let own = own.filter(|t| self.has_attr(attr, *t) && self.host(attr, *t) == Some(host));
                            let scope = force.scope().about(host);
                            lost.extend(own.filter(|t| {
                                whole.meets(&scope, what, *t) && !force.this.is_some_and(|by| self.spares(by, *t))
                            }));
                        }
                        _ => {}
                    }
                }
            }
        }
        (given, lost)
    }

    /// The figure of a thing in which it begins, as the things, terms or numbers that it comes to.
    fn begins_as(&self, attr: AttrId, thing: ThingId) -> Vec<i64> {
        match self.program.attrs[attr.index()].kind {
            ValueKind::Thing(_) => self.host(attr, thing).into_iter().map(|t| i64::from(t.0)).collect(),
            ValueKind::Things(_) => {
                self.pairs.iter().filter(|p| (p.0, p.1) == (attr, thing)).map(|p| i64::from(p.2.0)).collect()
            }
            ValueKind::Entry(_) | ValueKind::Entries(_) => {
                self.base_entries(attr, thing).into_iter().map(|e| i64::from(e.0)).collect()
            }
            ValueKind::Number | ValueKind::Flag => vec![i64::from(self.base(attr, thing, 0))],
            ValueKind::NumberFor(_) => {
                (0..self.list(attr).len()).map(|part| i64::from(self.base(attr, thing, part))).collect()
            }
        }
    }

    /// What a clause says that a figure of a new thing is.
    fn said(&self, scope: &Scope, value: &Val) -> Vec<i64> {
        match value {
            Val::Num(num) => vec![i64::from(self.number(scope, num))],
            Val::Flag(flag) => vec![i64::from(*flag)],
            Val::Things(sel) => self.things(scope, sel).into_iter().map(|t| i64::from(t.0)).collect(),
            Val::Entry(ent) => self.entry(scope, ent).into_iter().map(|e| i64::from(e.0)).collect(),
        }
    }

    /// The same of a figure that is taken over from another thing.
    fn comes_to(&self, attr: AttrId, thing: ThingId) -> Vec<i64> {
        match self.program.attrs[attr.index()].kind {
            ValueKind::Thing(_) | ValueKind::Things(_) => {
                self.values(attr, thing).into_iter().map(|t| i64::from(t.0)).collect()
            }
            ValueKind::Entry(_) | ValueKind::Entries(_) => {
                let now = self.entries(attr, thing);
                let one = now
                    .last()
                    .copied()
                    .filter(|_| matches!(self.program.attrs[attr.index()].kind, ValueKind::Entry(_)));
                let all = self.list(attr).iter().copied().filter(|e| now.contains(e));
                one.map_or_else(|| all.collect(), |one| vec![one]).into_iter().map(|e| i64::from(e.0)).collect()
            }
            ValueKind::Number | ValueKind::Flag => vec![i64::from(self.current(attr, thing, 0))],
            ValueKind::NumberFor(_) => {
                (0..self.list(attr).len()).map(|part| i64::from(self.current(attr, thing, part))).collect()
            }
        }
    }

    /// Compares the figures with which a thing came to be: what they were to be is reckoned before or behind what else has
    /// happened since the decision before.
    fn begins_as_said(&self, before: &Position<'_>, has: &Has, scope: &Scope) -> Result<(), String> {
        let Change::Bring(brought) = &self.program.modifiers[has.given.modifier.index()].change else {
            return Err(format!("{has:?} is given by nothing that gives"));
        };
        if self.classes[has.thing.index()] != brought.class {
            return Err(format!("{has:?} is of another class"));
        }
        let name = |attr: AttrId| &self.program.attrs[attr.index()].name;
        let compare = |attr: AttrId, wanted: &dyn Fn(&Position<'_>) -> Vec<i64>| {
            let sorted = |mut all: Vec<i64>| {
                all.sort_unstable();
                all
            };
            let found = sorted(self.begins_as(attr, has.thing));
            let (now, then) = (sorted(wanted(self)), sorted(wanted(before)));
            let same = found == now || found == then;
            same.then_some(()).ok_or_else(|| format!("{has:?}: {} is {found:?}, not {now:?} or {then:?}", name(attr)))
        };
        for (attr, value) in &brought.values {
            compare(*attr, &|position| position.said(scope, value))?;
        }
        if let Some(from) = &brought.from {
            for figure in &from.figures {
                let of = |position: &Position<'_>| position.first(scope, &from.of);
                compare(*figure, &|position| {
                    of(position).map_or_else(Vec::new, |other| position.comes_to(*figure, other))
                })?;
            }
        }
        Ok(())
    }

    /// Whether cards have in addition what clauses give them, and have not what is withheld; `before` is the decision before.
    pub(crate) fn stands(&self, before: Option<&Position<'_>>) -> Result<Found, String> {
        let mut found = Found::default();
        let (given, lost) = self.given_and_withheld();
        for (by, scope) in &given {
            let those: Vec<&Has> = self.standing.iter().filter(|has| has.given == *by).collect();
            let [has] = those[..] else { return Err(format!("{by:?} gives {those:?}")) };
            let earlier = before.and_then(|b| b.standing.iter().find(|has| has.given == *by));
            match earlier {
                Some(earlier) if earlier.thing != has.thing => {
                    return Err(format!("{has:?} was {:?} before", earlier.thing));
                }
                Some(_) => {}
                None => {
                    if let Some(before) = before.filter(|_| self.exists(has.thing) && !self.is_busy(has.thing)) {
                        self.begins_as_said(before, has, scope)?;
                        found.new += 1;
                    }
                }
            }
        }
        for has in &self.standing {
            let wanted = given.iter().any(|(by, _)| *by == has.given);
            let should = wanted && !has.removed && !lost.contains(&has.thing);
            let there = self.exists(has.thing);
            if should != there && !(there && self.is_busy(has.thing)) {
                return Err(format!("{has:?} is {}there, {given:?}, {lost:?}", if there { "" } else { "not " }));
            }
            let attr = self.program.modifiers[has.given.modifier.index()].attr;
            // What is gone for good is nobody's any more.
            if !has.removed && self.host(attr, has.thing) != Some(has.given.host) {
                return Err(format!("{has:?} knows another card"));
            }
            found.given += usize::from(should);
            found.away += usize::from(!there);
            found.busy += usize::from(there && !should);
        }
        let is_given = |thing: &ThingId| self.standing.iter().any(|has| has.thing == *thing);
        for thing in &self.withheld {
            if self.exists(*thing) || is_given(thing) || !lost.contains(thing) {
                return Err(format!("{thing:?} is withheld by nobody, {lost:?}"));
            }
        }
        for thing in &lost {
            if self.exists(*thing) && !self.is_busy(*thing) {
                return Err(format!("{thing:?} is there, although it is withheld"));
            }
            found.withheld += usize::from(!self.exists(*thing) && (is_given(thing) || self.withheld.contains(thing)));
        }
        // What is given is minted and printed on no card: nothing else comes of a clause that gives.
        let doubled = self.standing.iter().enumerate().find(|(n, has)| {
            self.standing[..*n].iter().any(|other| other.thing == has.thing || other.given == has.given)
        });
        doubled.map_or(Ok(found), |(_, has)| Err(format!("{has:?} is there twice")))
    }
}
