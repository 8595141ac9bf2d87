//! What attributes come to: printed, stored or defined, and changed by the modifiers in force.

use netrep_engine::{ThingId, Value};
use netrep_ir::*;

use super::position::thing_plus_one;
use super::{Effect, Position, Scope};

impl<'p> Position<'p> {
    /// The entries as printed or stored.
    pub(super) fn base_entries(&self, attr: AttrId, thing: ThingId) -> Vec<EntryId> {
        let decl = &self.program.attrs[attr.index()];
        let single = matches!(decl.kind, ValueKind::Entry(_));
        if !self.has_attr(attr, thing) && single {
            Vec::new()
        } else if decl.dynamic {
            match self.entries.get(&(attr, thing)) {
                Some(entry) => entry.iter().copied().collect(),
                None => self.many.get(&(attr, thing)).cloned().unwrap_or_default(),
            }
        } else {
            match (self.printed(attr, thing), &decl.source) {
                (Some(Printed::Entries(entries)), _) if single => entries.last().copied().into_iter().collect(),
                (Some(Printed::Entries(entries)), _) => entries.clone(),
                (_, Source::Stored { default }) if single => {
                    u16::try_from(default - 1).ok().map(EntryId).into_iter().collect()
                }
                _ => Vec::new(),
            }
        }
    }

    /// All current entries of a thing.
    pub(super) fn entries(&self, attr: AttrId, thing: ThingId) -> Vec<EntryId> {
        let mut now = self.base_entries(attr, thing);
        for force in self.forces(attr, thing) {
            match force.modifier.change {
                Change::Become(entry) => now = vec![entry],
                Change::Gain(entry) => now.push(entry),
                Change::Lose(entry) => now.retain(|e| *e != entry),
                Change::Add { .. } | Change::Set(_) | Change::Hold(_) | Change::Bring(_) | Change::Withhold(_) => {}
            }
        }
        now
    }

    /// Whether something holds of a thing now.
    pub(super) fn flag(&self, attr: AttrId, thing: ThingId) -> bool {
        let mut now = match &self.program.attrs[attr.index()].source {
            Source::Flag(sel) => self.deeper(attr, || self.meets(&Scope::default(), sel, thing)),
            _ => self.has_attr(attr, thing) && self.base(attr, thing, 0) != 0,
        };
        for force in self.forces(attr, thing) {
            let scope = force.scope().about(thing);
            match &force.modifier.change {
                Change::Set(n) => now = self.number(&scope, n) != 0,
                Change::Add { amount, .. } => now = self.number(&scope, amount) > 0,
                Change::Gain(_) | Change::Lose(_) | Change::Become(_) | Change::Hold(_) => {}
                Change::Bring(_) | Change::Withhold(_) => {}
            }
        }
        now
    }

    /// What the last modifier in force says that a state holds, in place of what is stored.
    pub(super) fn held_instead(&self, attr: AttrId, thing: ThingId) -> Option<Vec<ThingId>> {
        let holds = |id: &ModifierId| matches!(self.program.modifiers[id.index()].change, Change::Hold(_));
        if !self.modifiers.get(&attr).into_iter().flatten().any(holds) {
            return None;
        }
        let forces = self.forces(attr, thing);
        let force = forces.last()?;
        let Change::Hold(things) = &force.modifier.change else { return None };
        Some(self.things(&force.scope().about(thing), things))
    }

    /// The things that a thing-valued attribute of a thing holds.
    pub(super) fn values(&self, attr: AttrId, thing: ThingId) -> Vec<ThingId> {
        let decl = &self.program.attrs[attr.index()];
        if let Source::Things(sel) = &decl.source {
            let scope = Scope::default().about(thing);
            return self.deeper(attr, || self.things(&scope, sel));
        }
        if decl.dynamic && matches!(decl.source, Source::Stored { .. }) {
            // What the last modifier says stands in place of what is stored.
            if let Some(held) = self.held_instead(attr, thing) {
                return held;
            }
            let one = self.numbers.get(&(attr, thing)).and_then(|row| thing_plus_one(i64::from(row[0])));
            let pairs = self.pairs.iter().filter(|p| (p.0, p.1) == (attr, thing)).map(|p| p.2);
            return if matches!(decl.kind, ValueKind::Things(_)) { pairs.collect() } else { one.into_iter().collect() };
        }
        let Some(Printed::Names(names)) = self.printed(attr, thing) else { return Vec::new() };
        let carries = |t: &ThingId| self.card(*t).is_some_and(|c| names.contains(&self.program.cards[c.index()].name));
        let all = (0..self.cards.len()).map(ThingId::from_index).filter(carries);
        if matches!(decl.kind, ValueKind::Things(_)) { all.collect() } else { all.take(1).collect() }
    }

    /// What is printed on a thing.
    pub(super) fn printed(&self, attr: AttrId, thing: ThingId) -> Option<&'p Printed> {
        if let Some(part) = self.parts.iter().find(|p| p.0 == thing).map(|p| p.1) {
            return part.figures.iter().rev().find(|f| f.0 == attr).map(|f| &f.1);
        }
        let card = &self.program.cards[self.card(thing)?.index()];
        // The last one counts, as on a card whose figure was amended.
        card.figures.iter().rev().find(|f| f.0 == attr).map(|f| &f.1)
    }

    /// The entries of an attribute's list.
    pub(super) fn list(&self, attr: AttrId) -> &'p [EntryId] {
        match self.program.attrs[attr.index()].kind {
            ValueKind::Entry(l) | ValueKind::Entries(l) | ValueKind::NumberFor(l) => {
                &self.program.lists[l.index()].entries
            }
            _ => &[],
        }
    }

    /// The printed, stored or defined number.
    pub(super) fn base(&self, attr: AttrId, thing: ThingId, part: usize) -> i32 {
        let decl = &self.program.attrs[attr.index()];
        let default = match &decl.source {
            Source::Number(num) => {
                let mut scope = Scope::default().about(thing);
                if let Some(entry) = self.list(attr).get(part) {
                    scope.bind(0, Value::Entry(*entry));
                }
                return self.deeper(attr, || self.number(&scope, num));
            }
            Source::Flag(_) => return i32::from(self.flag(attr, thing)),
            Source::Things(_) => return 0,
            Source::Stored { default } => *default,
        };
        if decl.dynamic {
            return self.numbers.get(&(attr, thing)).map_or(default, |row| row[part]);
        }
        match self.printed(attr, thing) {
            Some(Printed::Number(n)) => *n,
            Some(Printed::Numbers(pairs)) => {
                let entry = self.list(attr)[part];
                pairs.iter().rev().find(|p| p.0 == entry).map_or(default, |p| p.1)
            }
            _ => default,
        }
    }

    /// The current number.
    pub(crate) fn current(&self, attr: AttrId, thing: ThingId, part: usize) -> i32 {
        if self.program.attrs[attr.index()].kind == ValueKind::Flag {
            return i32::from(self.flag(attr, thing));
        }
        let mut now = self.base(attr, thing, part);
        if !self.exists(thing) {
            return now;
        }
        for force in self.forces(attr, thing) {
            let scope = force.scope().about(thing);
            let number = |n: &Num| self.number(&scope, n);
            now = match &force.modifier.change {
                Change::Set(n) => number(n),
                Change::Add { amount, max, min } => {
                    let sum = now.saturating_add(number(amount));
                    match (max.as_ref().map(number), min.as_ref().map(number)) {
                        (Some(max), _) if number(amount) >= 0 && sum > max => now.max(max),
                        (_, Some(min)) if number(amount) < 0 && sum < min => now.min(min),
                        _ => sum,
                    }
                }
                Change::Gain(_) | Change::Lose(_) | Change::Become(_) | Change::Hold(_) => now,
                Change::Bring(_) | Change::Withhold(_) => now,
            };
        }
        now
    }

    /// Whether the clauses of a thing function.
    pub(crate) fn functions(&self, thing: ThingId) -> bool {
        self.at_work(thing) && !self.canceled().contains(&thing)
    }

    /// Whether a thing lies where its clauses function.
    fn at_work(&self, thing: ThingId) -> bool {
        match &self.program.services.functioning {
            Some(sel) => self.meets(&Scope::default(), sel, thing),
            None => self.exists(thing),
        }
    }

    /// Whether a clause of a thing functions, that may say itself where it does.
    pub(crate) fn functions_within(&self, within: Option<&Sel>, thing: ThingId) -> bool {
        match within {
            Some(within) => self.meets(&Scope::default(), within, thing) && !self.canceled().contains(&thing),
            None => self.functions(thing),
        }
    }

    /// The things whose effects are canceled.
    fn canceled(&self) -> &[ThingId] {
        self.canceled.get_or_init(|| self.find_canceled())
    }

    /// By rules, then by what came first; what is canceled cancels nothing.
    fn find_canceled(&self) -> Vec<ThingId> {
        let mut found: Vec<(i64, Option<ThingId>, usize, Vec<Value>)> = Vec::new();
        for (n, spare) in self.program.spares.iter().enumerate().filter(|(_, s)| s.what.is_none()) {
            match spare.card {
                _ if spare.delayed => {}
                None => found.push((-1, None, n, Vec::new())),
                Some(card) => {
                    for t in (0..self.cards.len()).map(ThingId::from_index).filter(|t| self.card(*t) == Some(card)) {
                        let there = |within: &Sel| self.meets(&Scope::default(), within, t);
                        if spare.within.as_ref().map_or_else(|| self.at_work(t), there) {
                            found.push((self.came.get(&t).copied().unwrap_or(0), Some(t), n, Vec::new()));
                        }
                    }
                }
            }
        }
        for effect in &self.effects {
            if let EffectKind::Spare(id) = effect.what
                && self.program.spares[id.index()].what.is_none()
            {
                let serial = i64::try_from(effect.serial).unwrap();
                found.push((serial, effect.this, id.index(), effect.locals.clone()));
            }
        }
        found.sort_by_key(|one| (one.0, one.1, one.2));
        let mut canceled: Vec<ThingId> = Vec::new();
        for (_, this, n, locals) in found {
            let (spare, scope) = (&self.program.spares[n], Scope::of(this, &locals));
            let silent = this.is_some_and(|this| canceled.contains(&this));
            if !silent && spare.cond.as_ref().is_none_or(|c| self.holds(&scope, c)) {
                canceled.extend(self.things(&scope, &spare.by).into_iter().filter(|t| Some(*t) != this));
            }
        }
        canceled
    }

    /// The effects in force of some kind that are not canceled for the time being.
    pub(crate) fn in_force<'s>(&'s self, such: impl Fn(&Effect) -> bool + 's) -> impl Iterator<Item = &'s Effect> {
        let rests = |e: &Effect| e.this.is_some_and(|this| self.canceled().contains(&this));
        // What is canceled is asked of those alone that matter: it does not hang on itself.
        self.effects.iter().filter(move |e| such(e) && !rests(e))
    }

    /// Those who say a clause of a card that functions, or a rule.
    pub(super) fn sayers(&self, card: Option<CardId>, within: Option<&Sel>) -> Vec<Option<ThingId>> {
        let Some(card) = card else { return vec![None] };
        let all = (0..self.cards.len()).map(ThingId::from_index);
        all.filter(|t| self.card(*t) == Some(card) && self.functions_within(within, *t)).map(Some).collect()
    }

    /// Whether a thing is one of those to whom something is given.
    pub(super) fn is_given(&self, giver: Option<ThingId>, carriers: &Sel, locals: &[Value], thing: ThingId) -> bool {
        self.exists(thing)
            && self.meets(&Scope::of(giver, locals), carriers, thing)
            && !giver.is_some_and(|giver| self.spares(giver, thing))
    }

    /// Who carries what is said: who says it, or those to whom it is given, cards where clauses of cards function.
    pub(super) fn carrying(
        &self,
        giver: Option<ThingId>,
        carriers: Option<&Sel>,
        locals: &[Value],
    ) -> Vec<Option<ThingId>> {
        let Some(carriers) = carriers else { return vec![giver] };
        let able = |t: &ThingId| self.card(*t).is_none() || self.functions(*t);
        let all = (0..self.ever()).map(ThingId::from_index);
        all.filter(|t| able(t) && self.is_given(giver, carriers, locals, *t)).map(Some).collect()
    }

    /// The modifiers of an attribute that change a thing, in the order in which they apply.
    pub(super) fn forces(&self, attr: AttrId, thing: ThingId) -> Vec<Force<'p>> {
        let mut found = self.said_of(attr);
        found.retain(|f| self.has_attr(attr, thing) && self.holds_of(f, thing));
        let stages = &self.program.services.stages;
        for force in &mut found {
            let of = |s: &Sel| force.this.is_some_and(|t| self.meets(&Scope::default(), s, t));
            let rank = self.program.services.rank.zip(force.this).map_or(0, |(attr, t)| self.base(attr, t, 0));
            let stage = stages.iter().position(of).unwrap_or(stages.len());
            force.order.0 = (stage, if rank > 0 { rank } else { i32::MAX });
        }
        found.sort_by_key(|f| (f.order, f.this));
        found
    }

    /// What anybody says of an attribute, by standing clauses and effects, whether or not its condition holds.
    pub(super) fn said_of(&self, attr: AttrId) -> Vec<Force<'p>> {
        let mut found: Vec<Force<'p>> = Vec::new();
        for id in self.modifiers.get(&attr).into_iter().flatten() {
            let modifier = &self.program.modifiers[id.index()];
            if modifier.delayed {
                continue;
            }
            let order = ((0, 0), 0, u64::from(modifier.clause.0));
            for giver in self.sayers(modifier.card, modifier.within.as_ref()) {
                for this in self.carrying(giver, modifier.carriers.as_ref(), &[]) {
                    found.push(Force { id: *id, modifier, this, locals: Vec::new(), order });
                }
            }
        }
        let such = |e: &Effect| match e.what {
            EffectKind::Modifier(id) => self.program.modifiers[id.index()].attr == attr,
            _ => false,
        };
        for effect in self.in_force(such) {
            if let EffectKind::Modifier(id) = effect.what {
                let modifier = &self.program.modifiers[id.index()];
                let order = ((0, 0), 1, effect.serial);
                for this in self.carrying(effect.this, modifier.carriers.as_ref(), &effect.locals) {
                    found.push(Force { id, modifier, this, locals: effect.locals.clone(), order });
                }
            }
        }
        found
    }

    /// Whether what is said holds, and is of a thing.
    pub(super) fn holds_of(&self, force: &Force<'_>, thing: ThingId) -> bool {
        force.modifier.cond.as_ref().is_none_or(|c| self.holds(&force.scope(), c))
            && self.meets(&force.scope(), &force.modifier.subject, thing)
            && !force.this.is_some_and(|by| self.spares(by, thing))
    }

    /// Whether effects of a thing leave another as it is.
    pub(super) fn spares(&self, by: ThingId, thing: ThingId) -> bool {
        let spared = |s: &Spare, this: Option<ThingId>, locals: &[Value]| {
            let mut locals = locals.to_vec();
            locals.resize(locals.len().max(usize::from(s.slots)), Value::None);
            if let Some(slot) = s.slot {
                locals[usize::from(slot)] = Value::Thing(by);
            }
            let scope = Scope::of(this, &locals);
            s.what.as_ref().is_some_and(|what| self.meets(&scope, what, thing))
                && self.meets(&scope, &s.by, by)
                && s.cond.as_ref().is_none_or(|c| self.holds(&scope, c))
        };
        let standing = self.program.spares.iter().filter(|s| !s.delayed).any(|s| match s.card {
            None => spared(s, None, &[]),
            Some(card) => (0..self.cards.len()).map(ThingId::from_index).any(|t| {
                self.card(t) == Some(card) && self.functions_within(s.within.as_ref(), t) && spared(s, Some(t), &[])
            }),
        });
        standing
            || self.in_force(|e| matches!(e.what, EffectKind::Spare(_))).any(|e| match e.what {
                EffectKind::Spare(id) => spared(&self.program.spares[id.index()], e.this, &e.locals),
                _ => false,
            })
    }
}

/// A modifier in force.
pub(super) struct Force<'p> {
    pub(super) id: ModifierId,
    pub(super) modifier: &'p Modifier,
    pub(super) this: Option<ThingId>,
    locals: Vec<Value>,
    /// Stage and rank, standing before effect, clause or number.
    order: ((usize, i32), u8, u64),
}

impl Force<'_> {
    pub(super) fn scope(&self) -> Scope {
        Scope::of(self.this, &self.locals)
    }

    /// The number of the effect that it is; 0 of a clause that stands.
    pub(super) fn effect(&self) -> u64 {
        if self.order.1 == 1 { self.order.2 } else { 0 }
    }
}
