//! What is there only as long as a clause is in force: things that cards have in addition, and things of theirs that are
//! withheld.
//!
//! What there is is brought into line with what is in force whenever something was written, before anything else happens. A
//! thing belongs to its clause, to what carries that, and to the card that has it: as long as the clause may give it again it
//! is the same one, also if it is not there meanwhile. What a procedure is performed for stays until that is over.

use netrep_ir::limits::STANDING;
use netrep_ir::*;

use crate::act::run::{Run, Step};
use crate::ask::fold::InForce;
use crate::position::error::{ErrorKind, Fault};
use crate::position::set::{Set, ThingId};
use crate::position::state::Standing;
use crate::position::trace::{TraceEntry, TraceKind};
use crate::position::value::Value;

/// What somebody should have, by what gives it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Wanted {
    modifier: ModifierId,
    giver: Option<ThingId>,
    effect: u32,
    host: ThingId,
}

impl Wanted {
    fn is_of(&self, one: &Standing) -> bool {
        (self.modifier, self.giver, self.effect, self.host) == (one.modifier, one.giver, one.effect, one.host)
    }
}

/// What is to become of what there is.
#[derive(Default)]
struct Changes {
    wanted: Vec<Wanted>,
    /// Things that are withheld, each with what withholds it.
    lost: Vec<(ThingId, ModifierId)>,
}

impl Run<'_> {
    /// Brings what is there into line with what is in force.
    pub(crate) fn stand(&mut self) -> Step {
        let link = self.link;
        link.program.services.hosts.iter().for_each(|(_, host)| self.cache.log.modifiers(*host));
        if link.standing.is_empty() {
            return Ok(());
        }
        for _ in 0..STANDING {
            let changes = self.changes();
            self.faults()?;
            if !self.follow(&changes)? {
                return Ok(());
            }
        }
        let text = "what is there hangs on what is there, and comes to no rest";
        Err(Fault::new(ErrorKind::LoopBound, self.clause_here(), text))
    }

    /// What is given and withheld by what is in force.
    fn changes(&self) -> Changes {
        let (link, eval) = (self.link, self.eval());
        let mut changes = Changes::default();
        let living = eval.universe(false);
        for (attr, standing) in &link.standing {
            for force in eval.in_force(*attr, standing) {
                let hosts = eval.subjects(&force, &living);
                match &force.modifier.change {
                    Change::Bring(_) => {
                        let of = |host| Wanted { modifier: force.id, giver: force.this, effect: force.effect(), host };
                        changes.wanted.extend(hosts.iter().map(of));
                    }
                    Change::Withhold(what) => {
                        for host in &hosts {
                            let (cx, own) = (force.cx(), self.belonging(*attr, host, &living));
                            let it = cx.it(host);
                            let lost = eval.unspared(force.this, eval.sel(&cx.about(&it), what, &own));
                            changes.lost.extend(lost.iter().map(|thing| (thing, force.id)));
                        }
                    }
                    Change::Add { .. } | Change::Set(_) | Change::Hold(_) => {}
                    Change::Gain(_) | Change::Lose(_) | Change::Become(_) => {}
                }
            }
        }
        changes
    }

    /// The things that belong to a card by an attribute, whether or not they are there just now.
    fn belonging(&self, attr: AttrId, host: ThingId, living: &Set) -> Set {
        let mut all = living.clone();
        self.state.withheld.iter().for_each(|thing| all.insert(*thing));
        self.state.standing.iter().filter(|one| !one.removed).for_each(|one| all.insert(one.thing));
        let eval = self.eval();
        let mut own = eval.nothing();
        for thing in &eval.having(attr, &all) {
            if eval.base(attr, thing, 0) == i32::from(host.0) + 1 {
                own.insert(thing);
            }
        }
        own
    }

    /// Whether a procedure is performed for a thing.
    fn is_busy(&self, thing: ThingId) -> bool {
        self.state.acts.iter().any(|act| {
            let parameters = act.proc.map(|proc| self.link.program.proc(proc).parameters.as_slice());
            let mut slots = parameters.into_iter().flatten().map(|(slot, _)| usize::from(*slot));
            slots.any(|slot| matches!(act.locals.get(slot), Some(Value::Thing(t)) if *t == thing))
        })
    }

    /// Whether what has given a thing may give it again: the effect lasts, or the card lies where its clauses function.
    fn may_return(&self, one: &Standing) -> bool {
        if one.effect != 0 {
            return self.state.effects.iter().any(|e| e.serial == one.effect);
        }
        let within = self.link.program.modifiers.get(one.modifier.index()).is_some_and(|m| m.within.is_some());
        one.giver.is_none_or(|giver| within || self.eval().at_work().contains(giver))
    }

    /// Makes it so; whether anything has become other than it was.
    fn follow(&mut self, changes: &Changes) -> Result<bool, Fault> {
        let layout = &self.link.layout;
        let mut changed = false;
        for one in self.state.standing.take() {
            let wanted = changes.wanted.iter().any(|wanted| wanted.is_of(&one));
            let lost = changes.lost.iter().any(|(thing, _)| *thing == one.thing);
            let there = self.state.exists(layout, one.thing);
            let stays = there && self.is_busy(one.thing);
            let should = (wanted && !lost && !one.removed) || stays;
            if should != there {
                self.state.set_existing(layout, one.thing, should);
                self.touch();
                changed = true;
                self.told(&one, should);
            }
            if wanted || stays || self.may_return(&one) {
                self.state.standing.push(one);
            }
        }
        for (thing, by) in &changes.lost {
            let own = self.state.standing.iter().any(|one| one.thing == *thing);
            if !own && self.state.exists(layout, *thing) && !self.is_busy(*thing) {
                self.state.set_existing(layout, *thing, false);
                self.state.withheld.push(*thing);
                self.touch();
                changed = true;
                self.effective(*by);
            }
        }
        for thing in self.state.withheld.take() {
            if changes.lost.iter().any(|(lost, _)| *lost == thing) {
                self.state.withheld.push(thing);
            } else {
                self.state.set_existing(layout, thing, true);
                self.touch();
                changed = true;
            }
        }
        for wanted in &changes.wanted {
            if !self.state.standing.iter().any(|one| wanted.is_of(one)) {
                self.bring(*wanted)?;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// A card has something in addition from now on.
    fn bring(&mut self, wanted: Wanted) -> Step {
        let Wanted { modifier: id, giver, effect, host } = wanted;
        let modifier = self.link.program.modifier(id);
        let Change::Bring(brought) = &modifier.change else { return Ok(()) };
        let (values, taken) = {
            let eval = self.eval();
            // What an effect laid down knows what it knew then.
            let captured = self.state.effects.iter().find(|e| effect != 0 && e.serial == effect);
            // total: what stands has captured nothing
            let locals = captured.map(|e| e.locals.as_slice()).unwrap_or_default();
            let force = InForce { id, modifier, this: giver, locals, order: ((0, 0), 0, 0) };
            let cx = force.cx();
            let it = cx.it(host);
            let cx = cx.about(&it);
            let mut values: Vec<(AttrId, Value)> =
                brought.values.iter().map(|(attr, value)| (*attr, eval.val(&cx, value))).collect();
            values.push((modifier.attr, Value::Thing(host)));
            let taken = brought.from.as_ref().map(|from| self.taken(&cx, from, modifier.clause)).transpose()?;
            (values, taken)
        };
        let thing = self.make(brought.class, &values, taken.as_deref(), modifier.clause)?;
        let one = Standing { modifier: id, giver, effect, host, thing, removed: false };
        self.state.standing.push(one);
        self.effective(id);
        self.told(&one, true);
        Ok(())
    }

    /// A clause makes a difference.
    fn effective(&self, id: ModifierId) {
        if let Some(effects) = &self.cache.effects {
            effects.note_modifier(id);
        }
    }

    /// Tells what a card that is in use has or has no longer.
    fn told(&mut self, one: &Standing, there: bool) {
        if !self.eval().functions(one.host) {
            return;
        }
        let (thing, clause) = (one.thing, self.link.program.modifier(one.modifier).clause);
        let becomes = if there { "appears" } else { "is gone" };
        self.note_about(Some(one.host), |e| {
            TraceEntry::new(TraceKind::Thing, clause, format!("{} {becomes}", e.thing_words(thing)))
        });
    }
}
