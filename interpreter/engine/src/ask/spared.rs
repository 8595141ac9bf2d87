//! What effects leave as it is: what they spare, and whose are canceled as long as something is so.
//!
//! What is canceled so is silent: its clauses do not function, what it has laid down rests, what it would do is not done. All
//! that is back as soon as it is no longer so. Of cards that cancel each other the one that came first does: what is
//! canceled cancels nothing.

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::position::cache::fresh;
use crate::position::glimpses::Question;
use crate::position::set::{Set, ThingId};
use crate::position::stack::Effect;
use crate::position::value::{Locals, Value, bind, locals};
use crate::position::veil::Veil;
use crate::program::layout::CAME;

/// A clause that spares or cancels, as it is in force.
struct InForce<'a> {
    id: SpareId,
    spare: &'a Spare,
    this: Option<ThingId>,
    locals: Locals,
    /// When it came.
    since: i64,
}

impl<'a> Eval<'a> {
    /// What is left of some things if effects of a thing spare some of them.
    pub(crate) fn unspared(&self, this: Option<ThingId>, mut things: Set) -> Set {
        let Some(source) = this else { return things };
        let mut functioning = None;
        for one in self.spares_in_force(false, &mut |spare| {
            // A rule has no card that must function.
            spare.card.map(|card| self.carriers(card, spare.within.as_ref(), &mut functioning))
        }) {
            if things.is_empty() {
                break;
            }
            self.cache.log.asked(one.spare.clause);
            let mut own = one.locals;
            if let Some(slot) = one.spare.slot {
                bind(&mut own, slot, Value::Thing(source));
            }
            let cx = Cx::clause(one.spare.clause, one.this, &own);
            let Some(what) = &one.spare.what else { continue };
            if self.has(&cx, &one.spare.by, source) && one.spare.cond.as_ref().is_none_or(|c| self.cond(&cx, c)) {
                let spared = self.sel(&cx, what, &things);
                self.note_spare(one.id, &spared);
                things.cut(spared.words());
            }
        }
        things
    }

    /// The effects in force that nothing has canceled for the time being.
    pub(crate) fn effects_in_force(&self) -> impl Iterator<Item = &'a Effect> + use<'a, '_> {
        self.effects_in_force_of(|_| true)
    }

    /// Those of them of which something is so. What is canceled is asked only if there is one that it could silence; under a
    /// veil always, because what effects there are may hang on what is hidden.
    pub(crate) fn effects_in_force_of<'e>(
        &'e self,
        is_so: impl Fn(&'a Effect) -> bool + 'e,
    ) -> impl Iterator<Item = &'a Effect> + 'e {
        let cancels = self.link.analysis.cancels;
        let mut canceled = self.veil.filter(|_| cancels).map(|veil| {
            let mut sources = self.nothing();
            self.state.effects.iter().filter(|e| is_so(e)).filter_map(|e| e.this).for_each(|this| sources.insert(this));
            self.veiled_canceled(veil, Some(&sources))
        });
        let mut rests = move |e: &Effect| match e.this {
            Some(this) if cancels => canceled.get_or_insert_with(|| self.canceled()).contains(this),
            _ => false,
        };
        let effects: &'a [Effect] = &self.state.effects;
        effects.iter().filter(move |e| is_so(e) && !rests(e))
    }

    /// Whether effects of a thing are canceled.
    pub(crate) fn is_canceled(&self, thing: ThingId) -> bool {
        match self.veil {
            _ if !self.link.analysis.cancels => false,
            None => self.canceled().contains(thing),
            Some(veil) => self.veiled_canceled(veil, Some(&Set::one(thing, self.link.layout.width))).contains(thing),
        }
    }

    /// Those of some things whose effects are not canceled.
    pub(crate) fn uncanceled(&self, things: Set) -> Set {
        match self.veil {
            _ if !self.link.analysis.cancels => things,
            None => things.minus(self.canceled().words()),
            Some(veil) => things.minus(self.veiled_canceled(veil, Some(&things)).words()),
        }
    }

    /// The things whose effects are canceled as long as something is so.
    pub(crate) fn canceled(&self) -> Set {
        if let Some(veil) = self.veil {
            return self.veiled_canceled(veil, None);
        }
        let all = |set: &mut Set| {
            let at_work = self.settled().at_work();
            *set = self.settled().find_canceled(&|things| things.and(at_work.words()));
        };
        match fresh(self.cache, self.state, &self.cache.canceled, self.below.map(|below| (below, &below.canceled)), all)
        {
            Some(held) => held.data.clone(),
            // What is asked on the way to the answer finds nothing canceled.
            None => self.nothing(),
        }
    }

    /// The same with a player's eyes, of which only some are of interest.
    pub(crate) fn veiled_canceled(&self, veil: &Veil, among: Option<&Set>) -> Set {
        self.settled().told_things(veil, (Question::Canceled, among), &|eval| {
            // Before it is asked what is canceled: on the way to that nothing functions.
            let at_work = eval.veiled_at_work(veil, Some(&eval.nothing()));
            let of = |things: &Set| {
                veil.reads_too(things);
                things.and(at_work.words())
            };
            veil.only_once(|| eval.find_canceled(&of)).unwrap_or_else(|| eval.nothing())
        })
    }

    fn find_canceled(&self, at_work: &dyn Fn(&Set) -> Set) -> Set {
        let mut canceled = self.nothing();
        let mut found = self.spares_in_force(true, &mut |spare| {
            spare.card.map(|card| match &spare.within {
                Some(within) => self.link.things_of(card).and(self.all(&Cx::bare(), within).words()),
                None => at_work(self.link.things_of(card)),
            })
        });
        found.sort_by_key(|one| (one.since, one.this, one.id));
        for one in found {
            if one.this.is_some_and(|this| canceled.contains(this)) {
                continue;
            }
            self.cache.log.asked(one.spare.clause);
            let cx = Cx::clause(one.spare.clause, one.this, &one.locals);
            if one.spare.cond.as_ref().is_none_or(|cond| self.cond(&cx, cond)) {
                let mut more = self.all(&cx, &one.spare.by);
                // Nothing cancels itself.
                one.this.into_iter().for_each(|this| more.remove(this));
                self.note_spare(one.id, &more);
                canceled.add(more.words());
            }
        }
        canceled
    }

    /// The clauses in force that cancel, or those that spare. `carriers`: the things that carry one; `None` for a rule's.
    fn spares_in_force(&self, cancels: bool, carriers: &mut dyn FnMut(&Spare) -> Option<Set>) -> Vec<InForce<'a>> {
        let (link, mut found) = (self.link, Vec::new());
        for id in &link.spares {
            let spare = link.program.spare(*id);
            if spare.cancels() != cancels {
                continue;
            }
            let mut add = |this: Option<ThingId>| {
                // total: what rules say was there before anything came.
                let since = this.map_or(-1, |this| i64::from(self.state.cell(&link.layout, this, CAME)));
                found.push(InForce { id: *id, spare, this, locals: locals(spare.slots), since });
            };
            match carriers(spare) {
                None => add(None),
                Some(things) => things.iter().for_each(|thing| add(Some(thing))),
            }
        }
        let laid = |e: &'a Effect| match e.what {
            EffectKind::Spare(id) if link.program.spare(id).cancels() == cancels => Some((id, e)),
            _ => None,
        };
        let effect = |(id, e): (SpareId, &'a Effect)| {
            let spare = link.program.spare(id);
            InForce { id, spare, this: e.this, locals: e.locals.clone(), since: i64::from(e.serial) }
        };
        if cancels {
            found.extend(self.state.effects.iter().filter_map(laid).map(effect));
        } else {
            found.extend(self.effects_in_force_of(|e| laid(e).is_some()).filter_map(laid).map(effect));
        }
        found
    }

    fn note_spare(&self, id: SpareId, found: &Set) {
        if !found.is_empty() {
            self.cache.log.did(self.link.program.spare(id).clause);
        }
        if let Some(effects) = self.cache.effects.as_ref().filter(|_| !found.is_empty()) {
            effects.note_spare(id.index());
        }
    }
}
