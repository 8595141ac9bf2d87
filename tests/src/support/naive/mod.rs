//! A naive evaluator: asks of one thing at a time whether it meets a selection, by recursion, with no sets, no
//! caches and no order of conjuncts but that in which they are written.
//!
//! It shares nothing with the engine but the program. It reads the position from its saved form, and works out
//! everything else: current numbers, what functions, what is in force.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use netrep_engine::{ThingId, Value};
use netrep_ir::*;

mod ahead;
mod attributes;
mod groups;
pub(crate) mod passing;
pub(crate) mod planted;
mod position;
pub(crate) mod rules;
pub(crate) mod standing;

use passing::Rolling;
use standing::Has;

/// How deep definitions may lead into each other before something is wrong.
const DEPTH: u32 = 200;

/// A row of the history.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    verb: VerbId,
    roles: Vec<Option<ThingId>>,
    serial: u64,
}

/// An activation: what its words refer to.
#[derive(Clone, Debug)]
pub(crate) struct Act {
    /// The thing whose clause it runs.
    pub this: Option<ThingId>,
    /// Its slots.
    pub locals: Vec<Value>,
    /// The roles it binds.
    pub roles: Vec<(RoleId, Value)>,
    /// The procedure that it is an instance of.
    pub proc: Option<ProcId>,
    /// The allowance whose cost or effect it performs.
    pub allowance: Option<AllowanceId>,
    /// Its number.
    pub serial: u64,
}

/// Something in force for a while.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    /// What.
    pub what: EffectKind,
    /// The thing that made it.
    pub this: Option<ThingId>,
    /// What it captured.
    pub locals: Vec<Value>,
    /// Its number.
    pub serial: u64,
}

/// A frame, as far as legality asks for it.
#[derive(Clone, Debug)]
pub(crate) struct Top {
    /// The activation in which it runs.
    pub act: usize,
    /// The statement: that of an open window, or the one that has been reached in a block.
    pub statement: Option<Statement>,
    /// The clause that it belongs to.
    pub clause: Option<ClauseId>,
    /// True for a window.
    pub window: bool,
}

/// What has been declared and waits, or is about to be declared.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    /// Which.
    pub allowance: AllowanceId,
    /// The thing whose clause it is.
    pub this: Option<ThingId>,
    /// Who has declared it.
    pub by: Option<ThingId>,
    /// Its choices.
    pub locals: Vec<Value>,
    /// What it is as a thing.
    pub thing: Option<ThingId>,
}

impl Declared {
    /// Whether it is called so: what is declared, or the declaration.
    pub(crate) fn is(&self, thing: ThingId) -> bool {
        self.this == Some(thing) || self.thing == Some(thing)
    }
}

/// A passive condition that waits to be resolved.
#[derive(Clone, Debug)]
pub(crate) struct Passive {
    pub trigger: TriggerId,
    pub this: Option<ThingId>,
    pub locals: Vec<Value>,
    pub thing: Option<ThingId>,
}

/// How often an allowance was declared.
#[derive(Clone, Debug)]
pub(crate) struct Usage {
    /// Which.
    pub allowance: AllowanceId,
    /// By which thing's clause.
    pub this: Option<ThingId>,
    /// In which instance.
    pub proc: u64,
    /// How often.
    pub count: u64,
}

/// A position, as plain as can be.
#[derive(Clone, Debug)]
pub(crate) struct Position<'p> {
    /// The rules.
    pub program: &'p Program,
    classes: Vec<ClassId>,
    retired: Vec<bool>,
    cards: Vec<CardId>,
    /// The modifiers of each attribute, in their order.
    modifiers: BTreeMap<AttrId, Vec<ModifierId>>,
    /// The things printed on cards; they follow the things given by the set-up.
    parts: Vec<(ThingId, &'p PartDecl)>,
    places: BTreeMap<ThingId, (PlaceId, Option<ThingId>)>,
    ranks: BTreeMap<ThingId, i64>,
    numbers: BTreeMap<(AttrId, ThingId), Vec<i32>>,
    entries: BTreeMap<(AttrId, ThingId), Option<EntryId>>,
    many: BTreeMap<(AttrId, ThingId), Vec<EntryId>>,
    pairs: Vec<(AttrId, ThingId, ThingId)>,
    history: Vec<Row>,
    /// The activations, outermost first.
    pub acts: Vec<Act>,
    /// When what came where it is, if that counts for anything.
    pub came: BTreeMap<ThingId, i64>,
    /// The things whose effects are canceled, once they have been found.
    pub canceled: std::cell::OnceCell<Vec<ThingId>>,
    /// The effects in force.
    pub effects: Vec<Effect>,
    /// Uses of limited allowances.
    pub usage: Vec<Usage>,
    /// The frame that asks.
    pub top: Option<Top>,
    /// All open windows, outermost first.
    pub windows: Vec<Top>,
    /// What waits in their chains.
    pub declared: Vec<Declared>,
    /// The passive conditions that follow.
    pub passive: Vec<Passive>,
    /// The passive conditions that follow and are not in order yet.
    open: Vec<Passive>,
    /// The rolls for which something is being done.
    rolls: Vec<Rolling>,
    /// What cards have in addition by clauses, or had and may have again.
    standing: Vec<Has>,
    /// What cards do not have meanwhile.
    withheld: Vec<ThingId>,
    /// The procedures on the stack, and whether the end of each has been announced.
    courses: Vec<(ProcId, bool)>,
    /// A role that is taken to be bound so.
    assumed: Option<(RoleId, Vec<ThingId>)>,
    /// What is about to be declared.
    pub proposed: RefCell<Option<Declared>>,
    /// Something was asked that only trying tells; it was answered with yes.
    pub guessed: Cell<bool>,
    /// What something would do is being looked for.
    pub ahead: Cell<bool>,
    depth: Cell<u32>,
}

/// What the words of an expression refer to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// The thing whose clause it is.
    pub this: Option<ThingId>,
    /// The slots.
    pub locals: Vec<Value>,
    /// The things that enclosing expressions are about, innermost last.
    pub its: Vec<ThingId>,
    /// The group that a number is asked for.
    pub group: Vec<ThingId>,
    /// Whether things that are gone count.
    pub past: bool,
}

impl Scope {
    /// The scope of a clause.
    pub(crate) fn of(this: Option<ThingId>, locals: &[Value]) -> Scope {
        Scope { this, locals: locals.to_vec(), its: Vec::new(), group: Vec::new(), past: false }
    }
    /// The same about one more thing.
    pub(crate) fn about(&self, thing: ThingId) -> Scope {
        let mut scope = self.clone();
        scope.its.push(thing);
        scope
    }
    fn slot(&self, slot: u8) -> Option<&Value> {
        self.locals.get(usize::from(slot))
    }
    /// Binds a slot.
    pub(crate) fn bind(&mut self, slot: u8, value: Value) {
        let slot = usize::from(slot);
        if self.locals.len() <= slot {
            self.locals.resize(slot + 1, Value::None);
        }
        self.locals[slot] = value;
    }
}

fn among(value: Option<&Value>, thing: ThingId) -> bool {
    match value {
        Some(Value::Thing(one)) => *one == thing,
        Some(Value::Set(set)) => set.contains(thing),
        _ => false,
    }
}

impl<'p> Position<'p> {
    /// How many things there have been.
    pub(crate) fn ever(&self) -> usize {
        self.classes.len()
    }

    /// Whether a thing is there.
    pub(crate) fn exists(&self, thing: ThingId) -> bool {
        thing.index() < self.ever() && !self.retired[thing.index()]
    }

    /// The card of a thing.
    pub(crate) fn card(&self, thing: ThingId) -> Option<CardId> {
        self.cards.get(thing.index()).copied()
    }

    fn counts(&self, scope: &Scope, thing: ThingId) -> bool {
        thing.index() < self.ever() && (scope.past || self.exists(thing))
    }

    /// The things of a selection.
    pub(crate) fn things(&self, scope: &Scope, sel: &Sel) -> Vec<ThingId> {
        // Of what is held by others these are asked once, and not again for each thing.
        match sel {
            Sel::Image(attr, of) => {
                let held = self.things(scope, of).into_iter().flat_map(|t| self.values(*attr, t));
                let held: BTreeSet<ThingId> = held.filter(|t| self.counts(scope, *t)).collect();
                held.into_iter().collect()
            }
            Sel::And(parts) if !parts.is_empty() => {
                let mut all = self.things(scope, &parts[0]);
                all.retain(|t| parts[1..].iter().all(|part| self.meets(scope, part, *t)));
                all
            }
            Sel::This => scope.this.into_iter().filter(|t| self.counts(scope, *t)).collect(),
            _ => (0..self.ever()).map(ThingId::from_index).filter(|t| self.meets(scope, sel, *t)).collect(),
        }
    }

    fn first(&self, scope: &Scope, sel: &Sel) -> Option<ThingId> {
        self.things(scope, sel).first().copied()
    }

    fn role(&self, role: RoleId) -> Option<&Value> {
        let bound = |act: &'_ Act| act.roles.iter().rposition(|r| r.0 == role);
        let act = self.acts.iter().rev().find(|act| bound(act).is_some())?;
        bound(act).and_then(|i| act.roles.get(i)).map(|r| &r.1)
    }

    /// The number of the innermost running instance of a procedure.
    pub(crate) fn running(&self, proc: ProcId) -> Option<u64> {
        self.acts.iter().rev().find(|act| act.proc == Some(proc)).map(|act| act.serial)
    }

    fn has_attr(&self, attr: AttrId, thing: ThingId) -> bool {
        let classes = &self.program.attrs[attr.index()].classes;
        classes.is_empty() || self.classes.get(thing.index()).is_some_and(|c| classes.contains(c))
    }

    fn deeper<T>(&self, attr: AttrId, run: impl FnOnce() -> T) -> T {
        let depth = self.depth.get();
        assert!(depth < DEPTH, "`{}` leads back to itself", self.program.attrs[attr.index()].name);
        self.depth.set(depth + 1);
        let out = run();
        self.depth.set(depth);
        out
    }

    /// Whether a thing meets a selection.
    pub(crate) fn meets(&self, scope: &Scope, sel: &Sel, thing: ThingId) -> bool {
        if !self.counts(scope, thing) {
            return false;
        }
        match sel {
            Sel::Empty => false,
            Sel::All => true,
            Sel::Class(class) => self.classes[thing.index()] == *class,
            Sel::This => scope.this == Some(thing),
            Sel::It(n) => scope.its.len().checked_sub(1 + usize::from(*n)).map(|i| scope.its[i]) == Some(thing),
            Sel::Slot(slot) => among(scope.slot(*slot), thing),
            Sel::Group => scope.group.contains(&thing),
            Sel::Role(role) => match &self.assumed {
                Some((assumed, things)) if assumed == role => things.contains(&thing),
                _ => among(self.role(*role), thing),
            },
            Sel::Named(name) => self.card(thing).is_some_and(|c| {
                let card = &self.program.cards[c.index()];
                card.name == *name || self.program.names.get(name.index()) == Some(&card.id)
            }),
            Sel::NameIs(attr, names) => {
                let (wanted, printed) = (self.names(scope, names), self.printed(*attr, thing));
                self.has_attr(*attr, thing)
                    && matches!(printed, Some(Printed::Names(all)) if all.iter().any(|name| wanted.contains(name)))
            }
            Sel::Image(attr, of) => self.things(scope, of).into_iter().any(|t| self.values(*attr, t).contains(&thing)),
            Sel::Preimage(attr, to) => {
                self.has_attr(*attr, thing) && self.values(*attr, thing).into_iter().any(|t| self.meets(scope, to, t))
            }
            Sel::EntryIs(attr, entry) => self.entries(*attr, thing).contains(entry),
            Sel::EntryIsValue(attr, ent) => {
                self.entry(scope, ent).is_some_and(|e| self.entries(*attr, thing).contains(&e))
            }
            Sel::Flag(attr) => self.flag(*attr, thing),
            Sel::NumIs(attr, op, num) => {
                self.has_attr(*attr, thing) && op.holds(self.current(*attr, thing, 0), self.number(scope, num))
            }
            Sel::In(place, owner) => self.places.get(&thing).is_some_and(|(here, whose)| {
                here == place && owner.as_ref().is_none_or(|o| whose.is_some_and(|w| self.meets(scope, o, w)))
            }),
            Sel::Top(place, owner, count) => {
                let here = Sel::In(*place, owner.clone());
                let beside = |t: &&ThingId| self.places.get(t) == self.places.get(&thing);
                let above = |t: &&ThingId| self.ranks.get(t) > self.ranks.get(&thing);
                let above = self.places.keys().filter(beside).filter(above).count();
                self.meets(scope, &here, thing) && i64::try_from(above).unwrap() < i64::from(self.number(scope, count))
            }
            Sel::And(parts) => parts.iter().all(|p| self.meets(scope, p, thing)),
            Sel::Or(parts) => parts.iter().any(|p| self.meets(scope, p, thing)),
            Sel::Not(inner) => !self.meets(scope, inner, thing),
            Sel::One(inner) => self.meets(scope, inner, thing),
            Sel::Next { of, from, after } => {
                let (of, from) = (self.things(scope, of), self.things(scope, from));
                let Some(from) = from.first().copied() else { return false };
                let number = |t: ThingId| self.program.services.seat.map(|seat| self.current(seat, t, 0));
                let seat = |t: ThingId| (number(t), t);
                // Behind it, or before it; of those the nearest, else the farthest on the other side.
                let behind = |t: &ThingId| if *after { seat(*t) > seat(from) } else { seat(*t) < seat(from) };
                let (near, far): (Vec<_>, Vec<_>) = of.into_iter().filter(|t| *t != from).partition(behind);
                let those = if near.is_empty() { far } else { near };
                let order = |t: &ThingId| seat(*t);
                let next =
                    if *after { those.into_iter().min_by_key(order) } else { those.into_iter().max_by_key(order) };
                next == Some(thing)
            }
            Sel::Where(cond) => self.holds(&scope.about(thing), cond),
            Sel::Happened(past, role) => {
                self.rows(scope, past).any(|row| row.roles.get(usize::from(*role)).copied().flatten() == Some(thing))
            }
            Sel::Would(prospect) => ahead::would(self, scope, prospect, thing),
            Sel::If(cond, a, b) => self.meets(scope, if self.holds(scope, cond) { a } else { b }, thing),
        }
    }

    fn rows<'a>(&'a self, scope: &Scope, past: &'a Past) -> impl Iterator<Item = &'a Row> {
        // Nothing has happened in a procedure that is not running.
        let since = past.since.map_or(0, |p| self.running(p).unwrap_or(u64::MAX));
        let scope = Scope { past: true, ..scope.clone() };
        self.history.iter().filter(move |row| {
            let met = |(i, sel): (usize, &Option<Sel>)| {
                let thing = row.roles.get(i).copied().flatten();
                sel.as_ref().is_none_or(|s| thing.is_some_and(|t| self.meets(&scope, s, t)))
            };
            row.verb == past.verb && row.serial >= since && past.roles.iter().enumerate().all(met)
        })
    }

    /// The names that are meant.
    fn names(&self, scope: &Scope, names: &Names) -> Vec<NameId> {
        match names {
            Names::One(name) => vec![*name],
            Names::Called(of) => {
                let cards = self.things(scope, of).into_iter().filter_map(|thing| self.card(thing));
                cards.map(|card| self.program.cards[card.index()].name).collect()
            }
            Names::Printed(attr, of) => {
                let printed = self.things(scope, of).into_iter().filter_map(|thing| self.printed(*attr, thing));
                let names = printed.filter_map(|printed| match printed {
                    Printed::Names(names) => Some(names.clone()),
                    _ => None,
                });
                names.flatten().collect()
            }
            Names::Any(all) => all.iter().flat_map(|one| self.names(scope, one)).collect(),
        }
    }

    fn entry(&self, scope: &Scope, ent: &Ent) -> Option<EntryId> {
        match ent {
            Ent::Entry(e) => Some(*e),
            Ent::Slot(slot) => scope.slot(*slot).and_then(Value::entry),
            Ent::Base(attr, of) => self.base_entries(*attr, self.first(scope, of)?).first().copied(),
            Ent::Attr(attr, of) => {
                let now = self.entries(*attr, self.first(scope, of)?);
                self.list(*attr).iter().copied().find(|e| now.contains(e))
            }
        }
    }

    /// A number.
    pub(crate) fn number(&self, scope: &Scope, num: &Num) -> i32 {
        let of = |n: &Num| self.number(scope, n);
        match num {
            Num::Int(n) => *n,
            Num::Attr(attr, sel) => self.first(scope, sel).map_or(0, |t| self.current(*attr, t, 0)),
            Num::Base(attr, sel) => self.first(scope, sel).map_or(0, |t| self.base(*attr, t, 0)),
            Num::AttrFor(attr, sel, ent) => {
                let part = self.entry(scope, ent).and_then(|e| self.list(*attr).iter().position(|x| *x == e));
                match (self.first(scope, sel), part) {
                    (Some(t), Some(part)) => self.current(*attr, t, part),
                    _ => 0,
                }
            }
            Num::Count(sel) => i32::try_from(self.things(scope, sel).len()).unwrap(),
            Num::Total(attr, sel) => {
                let having = self.things(scope, sel).into_iter().filter(|t| self.has_attr(*attr, *t));
                having.map(|t| self.current(*attr, t, 0)).fold(0, i32::saturating_add)
            }
            Num::Extreme(attr, sel, greatest) => {
                let having = self.things(scope, sel).into_iter().filter(|t| self.has_attr(*attr, *t));
                let values = having.map(|t| self.current(*attr, t, 0));
                if *greatest { values.max() } else { values.min() }.unwrap_or(0)
            }
            Num::Slot(slot) => scope.slot(*slot).map_or(0, Value::num),
            Num::Role(role) => self.role(*role).map_or(0, Value::num),
            Num::Add(a, b) => of(a).saturating_add(of(b)),
            Num::Sub(a, b) => of(a).saturating_sub(of(b)),
            Num::Mul(a, b) => of(a).saturating_mul(of(b)),
            Num::Max(parts) => parts.iter().map(of).max().unwrap_or(0),
            Num::Min(parts) => parts.iter().map(of).min().unwrap_or(0),
            Num::Quotient(a, b, up) => {
                let (n, by) = (of(a), of(b));
                assert!(by > 0, "the rules here divide by what is more than nothing");
                // Division rounds towards zero; the rest is put right by hand.
                let down = n / by - i32::from(n % by < 0);
                if *up && n % by != 0 { down + 1 } else { down }
            }
            Num::Given(role, to, n) => {
                let mut other = self.clone();
                other.assumed = Some((*role, self.things(scope, to)));
                other.number(scope, n)
            }
            Num::Least(sel, n) => {
                let things = self.things(scope, sel);
                let groups = (0..1u32 << things.len()).map(|chosen| {
                    let member = |i: &usize| chosen >> i & 1 == 1;
                    let group = (0..things.len()).filter(member).map(|i| things[i]).collect();
                    self.number(&Scope { group, ..scope.clone() }, n)
                });
                groups.min().unwrap()
            }
            Num::Alternatives(base, parts) => {
                let mut chosen: &Num = base;
                for (number, cond) in parts {
                    if self.holds(scope, cond) {
                        chosen = number;
                    }
                }
                of(chosen)
            }
        }
    }

    /// Whether an effect is about a thing.
    fn concerns(&self, effect: &Effect, scope: &Scope, thing: ThingId) -> bool {
        let meets = |sel: &Sel| self.meets(scope, sel, thing);
        if let Some(carriers) = self.program.laid(effect.what).carriers {
            return self.is_given(effect.this, carriers, &effect.locals, thing);
        }
        let pattern = match effect.what {
            EffectKind::Modifier(id) => {
                let spared = effect.this.is_some_and(|by| self.spares(by, thing));
                return !spared && meets(&self.program.modifiers[id.index()].subject);
            }
            EffectKind::Trigger(id) => &self.program.triggers[id.index()].pattern,
            EffectKind::Norm(id) => &self.program.norms[id.index()].pattern,
            EffectKind::Allowance(id) => return meets(&self.program.allowances[id.index()].by),
            EffectKind::Spare(id) => {
                let spare = &self.program.spares[id.index()];
                return meets(spare.what.as_ref().unwrap_or(&spare.by));
            }
        };
        pattern.roles.iter().filter_map(|(sel, _)| sel.as_ref()).any(meets)
    }

    /// Whether a condition holds.
    pub(crate) fn holds(&self, scope: &Scope, cond: &Cond) -> bool {
        match cond {
            Cond::Is(b) => *b,
            Cond::Some(sel) => !self.things(scope, sel).is_empty(),
            Cond::Every(a, b) => self.things(scope, a).into_iter().all(|t| self.meets(scope, b, t)),
            Cond::Cmp(op, a, b) => op.holds(self.number(scope, a), self.number(scope, b)),
            Cond::Same(a, b) => {
                let all = |ent: &Ent| match ent {
                    Ent::Attr(attr, of) => self.first(scope, of).map_or_else(Vec::new, |t| self.entries(*attr, t)),
                    Ent::Base(attr, of) => self.first(scope, of).map_or_else(Vec::new, |t| self.base_entries(*attr, t)),
                    _ => self.entry(scope, ent).into_iter().collect(),
                };
                let b = all(b);
                all(a).iter().any(|e| b.contains(e))
            }
            Cond::Awaits(sel) => {
                let declared = self.declared.iter().flat_map(|d| [d.this, d.thing]);
                let passive = self.passive.iter().flat_map(|p| [p.this, p.thing]);
                declared.chain(passive).flatten().any(|t| self.meets(scope, sel, t))
            }
            Cond::Barred(verb, roles) => {
                let mut events: Vec<Vec<Option<ThingId>>> = vec![Vec::new()];
                for role in roles {
                    let things: Vec<Option<ThingId>> = match role {
                        Some(sel) => self.things(scope, sel).into_iter().map(Some).collect(),
                        None => vec![None],
                    };
                    let with = |event: &Vec<Option<ThingId>>| {
                        let event = event.clone();
                        things
                            .iter()
                            .map(move |thing| event.iter().copied().chain([*thing]).collect())
                            .collect::<Vec<_>>()
                    };
                    events = events.iter().flat_map(with).collect();
                }
                events.iter().any(|event| rules::forbidden(self, *verb, event, None, &[]))
            }
            Cond::InForce(by, on) => self.in_force(|_| true).any(|effect| {
                let about = Scope::of(effect.this, &effect.locals);
                let concerns = |on: ThingId| self.concerns(effect, &about, on);
                effect.this.is_some_and(|this| self.meets(scope, by, this))
                    && on.as_ref().is_none_or(|on| self.things(scope, on).into_iter().any(concerns))
            }),
            Cond::Modified(attr, of, by) => {
                let comes = |source: Option<ThingId>| match by {
                    Some(by) => source.is_some_and(|t| self.meets(scope, by, t)),
                    None => true,
                };
                let of = self.things(scope, of);
                of.into_iter().any(|t| self.forces(*attr, t).iter().any(|f| comes(f.this)))
            }
            Cond::During(proc) => self.running(*proc).is_some(),
            Cond::Closing(proc) => {
                self.courses.iter().rev().find(|course| course.0 == *proc).is_some_and(|course| course.1)
            }
            Cond::Unchanged => unreachable!("it is asked while something resolves, where no decision is open"),
            Cond::Did(past) => self.rows(scope, past).next().is_some(),
            Cond::And(parts) => parts.iter().all(|p| self.holds(scope, p)),
            Cond::Or(parts) => parts.iter().any(|p| self.holds(scope, p)),
            Cond::Not(inner) => !self.holds(scope, inner),
        }
    }
}
