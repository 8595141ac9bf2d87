//! Current numbers: a base and the modifiers in force, staged, with caps.
//!
//! Order: stage of the modifier's source and its rank; then, of a number that the kernel calls `greatest`, the order by which
//! it is greatest; of others standing modifiers, then effects by serial. Standing ones of one rank whose order matters and
//! is not decided are a fault, not a guess.

use netrep_ir::*;
use smallvec::SmallVec;

use crate::ask::eval::{Cx, Eval};
use crate::position::cache::{Changed, Column, fresh};
use crate::position::error::{ErrorKind, Fault};
use crate::position::set::{Set, ThingId};
use crate::position::stack::Effect;
use crate::position::table::{Table, number_parts};
use crate::position::value::Value;
use crate::program::layout::Store;
use crate::program::walk;

/// What a column of defined numbers holds where none has been asked for; one that is so is worked out each time.
const UNKNOWN: i32 = i32::MIN;

/// A modifier in force.
pub(crate) struct InForce<'a> {
    pub id: ModifierId,
    pub modifier: &'a Modifier,
    pub this: Option<ThingId>,
    pub locals: &'a [Value],
    /// Stage and rank, 0 standing or 1 effect, clause or serial.
    pub order: ((usize, u32), u8, u32),
}

/// A change whose numbers are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Add { amount: i32, max: Option<i32>, min: Option<i32> },
    Set(i32),
}

impl Op {
    pub(crate) fn apply(self, value: i32) -> i32 {
        match self {
            Op::Set(n) => n,
            Op::Add { amount, max, min } => {
                let sum = value.saturating_add(amount);
                match (amount >= 0, max, min) {
                    (true, Some(cap), _) => sum.min(cap.max(value)),
                    (false, _, Some(cap)) => sum.max(cap.min(value)),
                    _ => sum,
                }
            }
        }
    }
    fn plain(self) -> bool {
        matches!(self, Op::Add { max: None, min: None, .. })
    }

    /// Where the change has its place if the result is to be as great as it can: what lowers before what is set, that before
    /// what raises; of what has a bound the lower bound first. No exchange of two neighbours in this order makes any value
    /// greater, because no change grows faster than what it changes.
    fn place(self) -> (u8, i32) {
        match self {
            Op::Add { amount, min: None, .. } if amount < 0 => (0, 0),
            Op::Add { amount, min: Some(floor), .. } if amount < 0 => (1, floor),
            Op::Set(_) => (2, 0),
            Op::Add { max: Some(cap), .. } => (3, cap),
            Op::Add { .. } => (4, 0),
        }
    }
}

/// A modifier in force as it changes one thing.
#[derive(Clone, Copy)]
pub(crate) struct Applied {
    pub op: Op,
    modifier: ModifierId,
    pub clause: ClauseId,
    pub source: Option<ThingId>,
    order: ((usize, u32), u8, u32),
}

impl<'a> Eval<'a> {
    /// The modifiers in force for an attribute, in order.
    pub(crate) fn modifiers_in_force(&self, attr: AttrId) -> Vec<InForce<'a>> {
        self.cache.log.modifiers(attr);
        match self.overlaid(attr) {
            true => match self.veil {
                Some(veil) => self.veiled_forces(veil, attr),
                None => self.in_force(attr, self.link.modifiers_of(attr)),
            },
            false => Vec::new(),
        }
    }

    /// Of some modifiers of an attribute that stand, and of those that effects lay down, the ones that are in force, in order.
    pub(crate) fn in_force(&self, attr: AttrId, standing: &[ModifierId]) -> Vec<InForce<'a>> {
        let mut found = Vec::new();
        let link = self.link;
        let program = &link.program;
        if link.analysis.alterable.get(attr.index()).is_some_and(|a| a.1) {
            self.note_functioning();
        }
        let mut functioning = None;
        for id in standing {
            let m = program.modifier(*id);
            let order = ((0, 0), 0, u32::from(m.clause.0));
            for giver in self.givers(m.card, m.within.as_ref(), &mut functioning) {
                for this in self.carrying(m.clause, giver, m.carriers.as_ref(), &[]) {
                    found.push(InForce { id: *id, modifier: m, this, locals: &[], order });
                }
            }
        }
        let modifies = |e: &Effect| matches!(e.what, EffectKind::Modifier(id) if program.modifier(id).attr == attr);
        for e in self.effects_in_force_of(modifies) {
            if let EffectKind::Modifier(id) = e.what {
                let m = program.modifier(id);
                let order = ((0, 0), 1, e.serial);
                for this in self.carrying_by(e) {
                    found.push(InForce { id, modifier: m, this, locals: &e.locals, order });
                }
            }
        }
        found.retain(|f| {
            self.cache.log.asked(f.modifier.clause);
            let is_in_force = f.modifier.cond.as_ref().is_none_or(|c| self.cond(&f.cx(), c));
            if is_in_force {
                self.cache.log.did(f.modifier.clause);
            }
            is_in_force
        });
        let stages = &program.services.stages;
        if !found.is_empty() {
            let none = Cx::clause(ClauseId(0), None, &[]);
            let sources = found.iter().filter_map(|f| f.this).fold(self.nothing(), |mut set, t| {
                set.insert(t);
                set
            });
            let staged: Vec<Set> = stages.iter().map(|s| self.sel(&none, s, &sources)).collect();
            for f in &mut found {
                let stage = f.this.and_then(|t| staged.iter().position(|s| s.contains(t))).unwrap_or(stages.len());
                f.order.0 = (stage, self.rank(f.this));
            }
            found.sort_by_key(|f| (f.order, f.this));
        }
        found
    }

    /// The rank of a source among those of its stage.
    fn rank(&self, source: Option<ThingId>) -> u32 {
        let rank = source.zip(self.link.program.services.rank).map(|(source, attr)| self.base(attr, source, 0));
        let rank = rank.and_then(|rank| u32::try_from(rank).ok()).filter(|rank| *rank > 0);
        // total: what has no rank has the last: no thing, a thing whose rank is 0, and all where there are no ranks.
        rank.unwrap_or(u32::MAX)
    }

    /// Whether a modifier in force is about one of these things: one that comes of `by`, if that is given.
    pub(crate) fn modified(&self, cx: &Cx, attr: AttrId, of: &Sel, by: Option<&Sel>) -> bool {
        // Also where there is none: a modifier that is added would be asked for here.
        self.cache.log.modifiers(attr);
        let of = self.having(attr, &self.all(cx, of));
        let by = by.map(|by| self.all(cx, by));
        let comes = |f: &InForce| by.as_ref().is_none_or(|by| f.this.is_some_and(|t| by.contains(t)));
        if of.is_empty() || !self.overlaid(attr) {
            return false;
        }
        if matches!(self.link.layout.attr(attr).kind, ValueKind::Entry(_) | ValueKind::Entries(_)) {
            let (mut data, mut found) = (Vec::new(), false);
            self.base_sets(attr, &self.living_of(attr), &mut data);
            self.alter(attr, &mut data, &of, &mut |f, about| found |= comes(f) && !about.is_empty());
            return found;
        }
        self.modifiers_in_force(attr).iter().any(|f| comes(f) && !self.subjects(f, &of).is_empty())
    }

    /// What a modifier changes among some things: not what effects of its source spare.
    pub(crate) fn subjects(&self, force: &InForce, among: &Set) -> Set {
        if let Some(found) = self.veil.and_then(|veil| self.veiled_subjects(veil, force, among)) {
            return found;
        }
        self.subjects_asked(force, among)
    }

    /// The same, asked.
    pub(crate) fn subjects_asked(&self, force: &InForce, among: &Set) -> Set {
        let found = self.sel(&force.cx(), &force.modifier.subject, among);
        self.unspared(force.this, found)
    }

    /// The change of a modifier for one thing.
    pub(crate) fn op(&self, force: &InForce, thing: ThingId) -> Option<Op> {
        let cx = force.cx();
        let it = cx.it(thing);
        let cx = cx.about(&it);
        match &force.modifier.change {
            Change::Add { amount, max, min } => Some(Op::Add {
                amount: self.num(&cx, amount),
                max: max.as_ref().map(|n| self.num(&cx, n)),
                min: min.as_ref().map(|n| self.num(&cx, n)),
            }),
            Change::Set(n) => Some(Op::Set(self.num(&cx, n))),
            Change::Gain(_) | Change::Lose(_) | Change::Become(_) | Change::Hold(_) => None,
            Change::Bring(_) | Change::Withhold(_) => None,
        }
    }

    /// The printed, stored or defined value, before modifiers.
    pub(crate) fn base(&self, attr: AttrId, thing: ThingId, part: usize) -> i32 {
        if self.is_unknowable(attr, thing) {
            return 0;
        }
        let layout = &self.link.layout;
        let slot = layout.attr(attr);
        match slot.store {
            Store::Column(at) if part < number_parts(slot.kind, slot.parts) => self.cell(thing, at + part),
            Store::Bits(at) if slot.kind == ValueKind::Flag => i32::from(self.is_held_by(at, thing)),
            Store::Printed => self.link.table.number(layout, attr, thing, part),
            Store::Derived => {
                let defined = match &self.link.program.attr(attr).source {
                    Source::Number(num) => {
                        // A number for each entry is defined about the entry in its first slot.
                        let entry = match slot.kind {
                            ValueKind::NumberFor(list) => Table::list(&self.link.program, list).get(part).copied(),
                            _ => None,
                        };
                        let locals = [Value::of_entry(entry)];
                        let cx = Cx::clause(ClauseId(0), None, &locals);
                        let it = cx.it(thing);
                        self.deeper(attr, || self.num(&cx.about(&it), num))
                    }
                    Source::Flag(sel) => {
                        let cx = Cx::clause(ClauseId(0), None, &[]);
                        self.deeper(attr, || i32::from(self.has(&cx, sel, thing)))
                    }
                    Source::Things(_) | Source::Stored { .. } => return 0,
                };
                // total: past the bound there is a fault, and the value is not used.
                defined.unwrap_or(0)
            }
            Store::Column(_) | Store::Bits(_) | Store::Pairs => 0,
        }
    }

    /// The current value.
    pub(crate) fn current(&self, attr: AttrId, thing: ThingId) -> i32 {
        if self.link.layout.attr(attr).kind == ValueKind::Flag {
            let is_true = match self.veil {
                None => self.has_flag(attr, thing),
                Some(_) => !self.flag_set(attr, &Set::one(thing, self.link.layout.width)).is_empty(),
            };
            return i32::from(is_true);
        }
        self.current_part(attr, thing, 0)
    }

    /// The current value for an entry, by its position in the list.
    pub(crate) fn current_part(&self, attr: AttrId, thing: ThingId, part: usize) -> i32 {
        let slot = self.link.layout.attr(attr);
        let parts = number_parts(slot.kind, slot.parts);
        if part >= parts {
            return 0;
        }
        if let Some(veil) = self.veil {
            return self.veiled_number(veil, attr, thing, part);
        }
        if !self.cached(attr) {
            self.cache.log.modifiers(attr);
            return self.base(attr, thing, part);
        }
        if self.assumed.is_some() {
            return self.folded(attr, thing, part);
        }
        if !self.overlaid(attr) {
            return self.defined(attr, thing, part, parts);
        }
        match self.column(attr) {
            Some(column) => {
                self.note_asked(attr, thing);
                in_column(&column, thing.index() * parts + part)
            }
            None => self.base(attr, thing, part),
        }
    }

    /// The current value of one thing, folded for it alone.
    pub(crate) fn folded(&self, attr: AttrId, thing: ThingId, part: usize) -> i32 {
        let steps = self.steps(attr, thing);
        steps.iter().fold(self.base(attr, thing, part), |value, step| {
            let changed = step.op.apply(value);
            if let Some(effects) = self.cache.effects.as_ref().filter(|_| changed != value) {
                effects.note_modifier(step.modifier);
            }
            changed
        })
    }

    /// What changes a number of one thing, in the order in which it does.
    pub(crate) fn steps(&self, attr: AttrId, thing: ThingId) -> Vec<Applied> {
        let one = self.having(attr, &Set::one(thing, self.link.layout.width));
        let forces = self.modifiers_in_force(attr);
        let about = forces.iter().filter(|f| !self.subjects(f, &one).is_empty());
        let mut steps: Vec<Applied> = about.filter_map(|f| Some(f.step(self.op(f, thing)?))).collect();
        self.arrange(attr, thing, &mut steps);
        steps
    }

    /// Puts what changes one thing in its order.
    fn arrange(&self, attr: AttrId, thing: ThingId, steps: &mut [Applied]) {
        if self.is_greatest(attr, thing) {
            steps.sort_by_key(|step| (step.order.0, step.op.place()));
        }
    }

    /// Whether the order of what changes this number of a thing is the one by which it is greatest.
    fn is_greatest(&self, attr: AttrId, thing: ThingId) -> bool {
        let greatest = &self.link.program.services.greatest;
        greatest.iter().any(|(class, number)| *number == attr && self.state.classes.get(thing.index()) == Some(class))
    }

    /// Gives a reader of the first number of each thing.
    pub(crate) fn read_numbers(&self, attr: AttrId, use_it: impl FnOnce(&dyn Fn(ThingId) -> i32)) {
        if self.veil.is_some() || self.assumed.is_some() {
            return use_it(&|t| self.current_part(attr, t, 0));
        }
        if !self.cached(attr) {
            self.cache.log.modifiers(attr);
            return match self.link.layout.attr(attr).store {
                Store::Column(at) => use_it(&|t| self.state.cell(&self.link.layout, t, at)),
                _ => use_it(&|t| self.base(attr, t, 0)),
            };
        }
        if !self.overlaid(attr) {
            let slot = self.link.layout.attr(attr);
            let parts = number_parts(slot.kind, slot.parts);
            return use_it(&|t| self.defined(attr, t, 0, parts));
        }
        match self.column(attr) {
            Some(column) => use_it(&|t| {
                self.note_asked(attr, t);
                in_column(&column, t.index())
            }),
            None => use_it(&|t| self.base(attr, t, 0)),
        }
    }

    /// The current value of a defined number that no modifier changes: worked out for the things that are asked for, and
    /// remembered until the next write.
    fn defined(&self, attr: AttrId, thing: ThingId, part: usize, parts: usize) -> i32 {
        self.cache.log.modifiers(attr);
        let kept = self.link.kept.get(attr.index()).copied().flatten();
        let Some(cell) = kept.and_then(|at| self.cache.numbers.get(usize::from(at))) else {
            return self.base(attr, thing, part);
        };
        let at = thing.index() * parts + part;
        if let Ok(column) = cell.try_borrow()
            && column.epoch == self.cache.epoch
            && let Some(known) = column.data.get(at).filter(|known| **known != UNKNOWN)
        {
            let known = *known;
            self.state.versions.note_all(&column.reads);
            drop(column);
            if self.cache.verifying.is_due() {
                self.verify_defined(attr, thing, part, known);
            }
            return known;
        }
        if let Some(column) = self.below.and_then(|below| below.numbers.get(usize::from(kept?))?.try_borrow().ok())
            && let Some(known) = column.data.get(at).filter(|known| **known != UNKNOWN)
            && column.holds_in(self.state)
        {
            self.state.versions.note_all(&column.reads);
            return *known;
        }
        if let Ok(mut column) = cell.try_borrow_mut()
            && column.epoch != self.cache.epoch
            && self.cache.keeps
        {
            let now = self.state.moment_asked();
            if column.holds_in(self.state) {
                (column.epoch, column.at) = (self.cache.epoch, now);
                drop(column);
                return self.defined(attr, thing, part, parts);
            }
        }
        let (now, before) = (self.state.moment_asked(), self.state.begin_reading());
        let (value, whole) = self.cache.fillings.apart(|| self.settled().base(attr, thing, part));
        let reads = self.state.end_reading(&before);
        if whole
            && let Some(below) = self.serves_below(&reads)
            && let Some(mut column) = kept.and_then(|at| below.numbers.get(usize::from(at))?.try_borrow_mut().ok())
            && column.holds_in(self.state)
        {
            // It is so in the game in which this is supposed.
            column.at = below.kept.floor.get();
            crate::position::versions::unite(&mut column.reads, &reads);
            if let Some(known) = column.data.get_mut(at) {
                *known = value;
            }
            return value;
        }
        if whole && let Ok(mut column) = cell.try_borrow_mut() {
            if column.epoch != self.cache.epoch {
                (column.epoch, column.at) = (self.cache.epoch, now);
                column.reads.clear();
                column.data.clear();
                column.data.resize(self.state.ever() * parts, UNKNOWN);
            }
            crate::position::versions::unite(&mut column.reads, &reads);
            if let Some(known) = column.data.get_mut(at) {
                *known = value;
            }
        }
        value
    }

    fn verify_defined(&self, attr: AttrId, thing: ThingId, part: usize, known: i32) {
        let (again, whole) = self.cache.fillings.apart(|| self.settled().base(attr, thing, part));
        if whole && again != known {
            self.cache.differs("a number that is kept");
        }
    }

    /// Whether an attribute needs a column of current values: stored ones without modifiers do not.
    fn cached(&self, attr: AttrId) -> bool {
        self.link.kept.get(attr.index()).is_some_and(Option::is_some)
    }

    /// The column of current values, filled if it is stale; `None` while it is being filled.
    fn column(&self, attr: AttrId) -> Option<std::cell::Ref<'a, Column<i32>>> {
        let at = usize::from(self.link.kept.get(attr.index()).copied()??);
        let below = self.below.and_then(|below| Some((below, below.numbers.get(at)?)));
        fresh(self.cache, self.state, self.cache.numbers.get(at)?, below, |data| {
            self.settled().fill_numbers(attr, data)
        })
    }

    fn fill_numbers(&self, attr: AttrId, data: &mut Vec<i32>) {
        let slot = self.link.layout.attr(attr);
        let parts = number_parts(slot.kind, slot.parts);
        data.clear();
        data.resize(self.state.ever() * parts, 0);
        self.note_refilled(attr);
        let having = self.having(attr, &self.ever_of(attr));
        for t in &having {
            for part in 0..parts {
                data[t.index() * parts + part] = self.base(attr, t, part);
            }
        }
        let forces = self.modifiers_in_force(attr);
        if forces.is_empty() {
            return;
        }
        let living = having.and(self.living_of(attr).words());
        // Per thing, only where an order could matter.
        let strict = forces.len() > 1 && forces.iter().any(|f| !f.plain());
        let mut seen: Vec<(ThingId, Applied)> = Vec::new();
        for f in &forces {
            let subjects = self.subjects(f, &living);
            let fixed = if f.reads_it() { None } else { subjects.first().and_then(|t| self.op(f, t)) };
            for t in &subjects {
                let Some(op) = fixed.or_else(|| self.op(f, t)) else { continue };
                if strict {
                    seen.push((t, f.step(op)));
                    continue;
                }
                let mut other = false;
                for part in 0..parts {
                    let cell = &mut data[t.index() * parts + part];
                    let value = op.apply(*cell);
                    other |= value != *cell;
                    *cell = value;
                }
                if other {
                    self.note_changed(attr, Changed { thing: t, modifier: f.id, entry: None });
                }
            }
        }
        seen.sort_by_key(|s| s.0);
        for of_thing in seen.chunk_by(|a, b| a.0 == b.0) {
            let t = of_thing[0].0;
            let mut steps: SmallVec<[Applied; 8]> = of_thing.iter().map(|s| s.1).collect();
            self.arrange(attr, t, &mut steps);
            if !self.is_greatest(attr, t) {
                self.undecided(t, data[t.index() * parts], &steps);
            }
            for part in 0..parts {
                let cell = &mut data[t.index() * parts + part];
                for step in &steps {
                    let value = step.op.apply(*cell);
                    if value != *cell {
                        self.note_changed(attr, Changed { thing: t, modifier: step.modifier, entry: None });
                    }
                    *cell = value;
                }
            }
        }
    }

    /// A column is filled anew: what modifiers had changed in it is forgotten.
    pub(crate) fn note_refilled(&self, attr: AttrId) {
        if self.cache.effects.is_some() {
            let mut changed = self.cache.changed.borrow_mut();
            changed.resize_with(self.link.program.attrs.len(), Vec::new);
            changed.get_mut(attr.index()).into_iter().for_each(Vec::clear);
        }
    }

    /// A modifier has changed a value of a column.
    pub(crate) fn note_changed(&self, attr: AttrId, changed: Changed) {
        if self.cache.effects.is_some() {
            self.cache.changed.borrow_mut().get_mut(attr.index()).into_iter().for_each(|all| all.push(changed));
        }
    }

    /// Somebody asks for a number of a thing: what has changed it takes effect.
    #[inline]
    fn note_asked(&self, attr: AttrId, thing: ThingId) {
        if self.cache.effects.is_some() {
            self.note_asked_where(attr, |one| one.thing == thing);
        }
    }

    /// The same of all changes of which something is so.
    pub(crate) fn note_asked_where(&self, attr: AttrId, is_asked: impl Fn(&Changed) -> bool) {
        if let Some(effects) = &self.cache.effects {
            let changed = self.cache.changed.borrow();
            let changed = changed.get(attr.index()).into_iter().flatten();
            changed.filter(|one| is_asked(one)).for_each(|one| effects.note_modifier(one.modifier));
        }
    }

    /// Reports two standing changes of one thing at one rank whose order matters.
    fn undecided(&self, thing: ThingId, mut value: i32, steps: &[Applied]) {
        for stage in steps.chunk_by(|a, b| (a.order.0, a.order.1) == (b.order.0, b.order.1)) {
            let ops: SmallVec<[Op; 8]> = stage.iter().map(|s| s.op).collect();
            let fold = |ops: &[Op]| ops.iter().fold(value, |v, op| op.apply(v));
            let result = fold(&ops);
            if stage[0].order.1 == 0 && !ops.iter().all(|op| op.plain()) {
                for i in 0..ops.len() {
                    for j in i + 1..ops.len() {
                        let mut other = ops.clone();
                        other.swap(i, j);
                        if fold(&other) != result {
                            let (a, b) = (stage[i].clause, stage[j].clause);
                            let text = format!(
                                "the order of `{}` and `{}` matters for {} and is not decided",
                                self.link.label(a),
                                self.link.label(b),
                                self.thing_words(thing)
                            );
                            self.cache.fail(Fault::new(ErrorKind::OrderUndecided, b, text));
                        }
                    }
                }
            }
            value = result;
        }
    }
}

/// A number of a filled column.
#[inline]
fn in_column(column: &Column<i32>, at: usize) -> i32 {
    // total: columns are as long as there are things; a submission may name what is none, and has no number.
    column.data.get(at).copied().unwrap_or(0)
}

impl<'a> InForce<'a> {
    /// The effect that laid it down, by its serial; 0: it stands.
    pub(crate) fn effect(&self) -> u32 {
        if self.order.1 == 1 { self.order.2 } else { 0 }
    }
    /// The context of the modifier.
    pub(crate) fn cx(&self) -> Cx<'a> {
        Cx::clause(self.modifier.clause, self.this, self.locals)
    }
    /// What it is to a thing that it changes so.
    fn step(&self, op: Op) -> Applied {
        Applied { op, modifier: self.id, clause: self.modifier.clause, source: self.this, order: self.order }
    }
    fn plain(&self) -> bool {
        matches!(self.modifier.change, Change::Add { max: None, min: None, .. })
    }
    fn reads_it(&self) -> bool {
        match &self.modifier.change {
            Change::Add { amount, max, min } => {
                [Some(amount), max.as_ref(), min.as_ref()].into_iter().flatten().any(walk::num_reads_it)
            }
            Change::Set(n) => walk::num_reads_it(n),
            Change::Gain(_) | Change::Lose(_) | Change::Become(_) | Change::Hold(_) => false,
            Change::Bring(_) | Change::Withhold(_) => false,
        }
    }
}
