//! What is in force and what it matches: norms, replacements and triggers against an event.

use netrep_ir::*;
use smallvec::SmallVec;

use crate::ask::eval::{Cx, Eval};
use crate::position::set::{Set, ThingId};
use crate::position::stack::{Effect, Frame, Kind, Pending, TriggerSource};
use crate::position::value::{Locals, Roles, Value, bind, locals};

/// A trigger that an event meets.
pub(crate) struct MetTrigger {
    pub trigger: TriggerId,
    pub this: Option<ThingId>,
    pub effect: u32,
    pub locals: Locals,
}

impl MetTrigger {
    pub(crate) fn source(&self) -> TriggerSource {
        (self.trigger, self.this, self.effect)
    }
    pub(crate) fn pending(self, collector: u32) -> Pending {
        Pending {
            trigger: self.trigger,
            this: self.this,
            locals: self.locals,
            effect: self.effect,
            collector,
            thing: None,
        }
    }
}

impl<'a> Eval<'a> {
    /// Whether an event meets a pattern; binds the pattern's slots.
    pub(crate) fn matches(
        &self,
        clause: ClauseId,
        this: Option<ThingId>,
        pattern: &Pattern,
        roles: &[Option<ThingId>],
        into: &mut Locals,
    ) -> bool {
        let things = || (0..pattern.roles.len()).map(|i| roles.get(i).copied().flatten());
        // What is said of one thing may name another that stands behind it in the frame.
        for ((_, slot), thing) in pattern.roles.iter().zip(things()) {
            if let Some(slot) = slot {
                bind(into, *slot, Value::of_thing(thing));
            }
        }
        let cx = Cx::clause(clause, this, into);
        for ((sel, _), thing) in pattern.roles.iter().zip(things()) {
            // A pattern that wants a thing is not met by none.
            if let Some(sel) = sel
                && !thing.is_some_and(|thing| self.has(&cx.about(&cx.it(thing)), sel, thing))
            {
                return false;
            }
        }
        true
    }

    /// A norm that forbids an event: not lifted by a permission in force nor by `lifted`. `by`: the thing whose clause does
    /// it as an effect.
    pub(crate) fn forbidden(
        &self,
        verb: VerbId,
        roles: &[Option<ThingId>],
        by: Option<ThingId>,
        lifted: &dyn Fn(ClauseId) -> bool,
    ) -> Option<ClauseId> {
        self.prohibitions(verb, roles, by, lifted, false).into_iter().next()
    }

    /// The norms that forbid an event, all of them or the first.
    pub(crate) fn prohibitions(
        &self,
        verb: VerbId,
        roles: &[Option<ThingId>],
        by: Option<ThingId>,
        lifted: &dyn Fn(ClauseId) -> bool,
        every: bool,
    ) -> SmallVec<[ClauseId; 1]> {
        self.cache.log.norms(verb);
        let mut cannot: SmallVec<[ClauseId; 1]> = SmallVec::new();
        let mut permit = false;
        // Who wants to know what takes effect hears of all.
        let every = every || self.cache.effects.is_some();
        let mut met: SmallVec<[(NormId, NormKind); 1]> = SmallVec::new();
        self.each_norm(verb, roles, |id, norm, this, captured| {
            // What must be done forbids nothing by itself.
            if norm.kind == NormKind::Must {
                return;
            }
            self.cache.log.asked(norm.clause);
            let said = !every && !cannot.is_empty();
            if norm.kind == NormKind::Cannot && (said || lifted(norm.clause)) {
                return;
            }
            let mut own: Locals = captured.cloned().unwrap_or_else(|| locals(norm.slots));
            if self.matches(norm.clause, this, &norm.pattern, roles, &mut own)
                && self.is_by(norm, this, &own, by)
                && norm.cond.as_ref().is_none_or(|c| self.cond(&Cx::clause(norm.clause, this, &own), c))
            {
                self.cache.log.did(norm.clause);
                if self.cache.effects.is_some() {
                    met.push((id, norm.kind));
                }
                match norm.kind {
                    NormKind::Cannot if cannot.contains(&norm.clause) => {}
                    NormKind::Cannot => cannot.push(norm.clause),
                    NormKind::Permit => permit = true,
                    NormKind::Must => {}
                }
            }
        });
        if let Some(effects) = &self.cache.effects {
            let decides = |kind| if permit { kind == NormKind::Permit && !cannot.is_empty() } else { true };
            met.iter().filter(|(_, kind)| decides(*kind)).for_each(|(id, _)| effects.note_norm(*id));
        }
        if permit { SmallVec::new() } else { cannot }
    }

    /// A duty in force that an event would fulfil.
    pub(crate) fn owed(&self, verb: VerbId, roles: &[Option<ThingId>]) -> Option<NormId> {
        self.cache.log.norms(verb);
        let mut found = None;
        self.each_norm(verb, roles, |id, norm, this, captured| {
            if norm.kind != NormKind::Must || found.is_some() {
                return;
            }
            self.cache.log.asked(norm.clause);
            let mut own: Locals = captured.cloned().unwrap_or_else(|| locals(norm.slots));
            let met = self.matches(norm.clause, this, &norm.pattern, roles, &mut own)
                && norm.cond.as_ref().is_none_or(|c| self.cond(&Cx::clause(norm.clause, this, &own), c));
            if met {
                self.cache.log.did(norm.clause);
                found = Some(id);
            }
        });
        found
    }

    /// Whether a norm speaks of what a thing's clause does.
    pub(crate) fn is_by(&self, norm: &Norm, this: Option<ThingId>, own: &[Value], by: Option<ThingId>) -> bool {
        let whose = |sel: &Sel| by.is_some_and(|by| self.has(&Cx::clause(norm.clause, this, own), sel, by));
        norm.by.as_ref().is_none_or(whose)
    }

    /// Whether an event is forbidden, for one of the things of each role.
    pub(crate) fn is_barred(&self, cx: &Cx, verb: VerbId, roles: &[Option<Sel>]) -> bool {
        self.note_functioning();
        let mut events: Vec<Roles> = vec![Roles::new()];
        for role in roles {
            let Some(sel) = role else {
                events.iter_mut().for_each(|event| event.push(None));
                continue;
            };
            let things = self.all(cx, sel);
            if let Some(veil) = self.veil {
                veil.touch(&things);
            }
            let with = |event: &Roles, thing: ThingId| {
                let mut event = event.clone();
                event.push(Some(thing));
                event
            };
            events = events.iter().flat_map(|event| things.iter().map(move |thing| with(event, thing))).collect();
        }
        events.iter().any(|event| self.forbidden(verb, event, None, &|_| false).is_some())
    }

    /// The norms in force about a verb, each with the thing that carries it and with what an effect knows.
    pub(crate) fn each_norm(
        &self,
        verb: VerbId,
        roles: &[Option<ThingId>],
        mut visit: impl FnMut(NormId, &'a Norm, Option<ThingId>, Option<&Locals>),
    ) {
        let link = self.link;
        let mut functioning: Option<Set> = None;
        for id in link.norms_of(verb) {
            let norm = link.program.norm(*id);
            let itself = norm.pattern.about_this().map(|role| roles.get(role).copied().flatten());
            match (&norm.carriers, norm.card, itself) {
                (Some(carriers), card, itself) => {
                    for giver in self.givers(card, norm.within.as_ref(), &mut functioning) {
                        self.carried_norm((norm.clause, giver), carriers, &[], itself, |t| visit(*id, norm, t, None));
                    }
                }
                (None, None, _) => visit(*id, norm, None, None),
                // What a card says of an event that befalls itself it says wherever it lies, unless it says where.
                (None, Some(card), Some(itself)) => {
                    let there =
                        |thing: ThingId| norm.within.is_none() || self.functions_within(norm.within.as_ref(), thing);
                    let itself = itself.filter(|thing| link.card_of(*thing) == Some(card) && there(*thing));
                    itself.into_iter().for_each(|thing| visit(*id, norm, Some(thing), None));
                }
                (None, Some(card), None) => {
                    for t in &self.carriers(card, norm.within.as_ref(), &mut functioning) {
                        visit(*id, norm, Some(t), None);
                    }
                }
            }
        }
        let binds = |e: &Effect| matches!(e.what, EffectKind::Norm(id) if link.program.norm(id).pattern.verb == verb);
        for e in self.effects_in_force_of(binds) {
            if let EffectKind::Norm(id) = e.what {
                let norm = link.program.norm(id);
                let itself = norm.pattern.about_this().map(|role| roles.get(role).copied().flatten());
                match &norm.carriers {
                    None => visit(id, norm, e.this, Some(&e.locals)),
                    Some(carriers) => {
                        let see = |t| visit(id, norm, t, Some(&e.locals));
                        self.carried_norm((e.clause, e.this), carriers, &e.locals, itself, see);
                    }
                }
            }
        }
    }

    /// The things that are given a norm; of an event that befalls itself, the one that it befalls.
    fn carried_norm(
        &self,
        (clause, giver): (ClauseId, Option<ThingId>),
        carriers: &Sel,
        known: &[Value],
        itself: Option<Option<ThingId>>,
        see: impl FnMut(Option<ThingId>),
    ) {
        match itself {
            Some(itself) => {
                let given = |thing: &ThingId| self.is_given(clause, giver, carriers, known, *thing);
                itself.filter(given).into_iter().map(Some).for_each(see);
            }
            None => self.carrying(clause, giver, Some(carriers), known).into_iter().for_each(see),
        }
    }

    /// The triggers (or the replacements) that an event meets, those of rules first. `before`: triggers of things
    /// that functioned when it was proposed.
    pub(crate) fn triggers_met(
        &self,
        verb: VerbId,
        roles: &Roles,
        instead: bool,
        before: &[(TriggerId, ThingId)],
    ) -> SmallVec<[MetTrigger; 2]> {
        self.cache.log.triggers(verb);
        let link = self.link;
        let mut found = SmallVec::new();
        let mut test =
            |id: TriggerId, trigger: &Trigger, this: Option<ThingId>, effect: u32, captured: Option<&Locals>| {
                self.cache.log.asked(trigger.clause);
                if let Some(rule) = trigger.timing {
                    self.cache.log.clause(rule);
                }
                let mut own: Locals = captured.cloned().unwrap_or_else(|| locals(trigger.slots));
                if self.matches(trigger.clause, this, &trigger.pattern, roles, &mut own)
                    && trigger.cond.as_ref().is_none_or(|c| self.cond(&Cx::clause(trigger.clause, this, &own), c))
                {
                    self.cache.log.did(trigger.clause);
                    let free = trigger.card.is_none() || trigger.delayed || instead;
                    if free || !self.guarded(verb, roles) {
                        found.push(MetTrigger { trigger: id, this, effect, locals: own });
                    }
                }
            };
        let mut functioning: Option<Set> = None;
        for id in link.triggers_of(verb) {
            let trigger = link.program.trigger(*id);
            if trigger.instead != instead {
                continue;
            }
            match (&trigger.carriers, trigger.card) {
                (Some(carriers), card) => {
                    let mut met: SmallVec<[ThingId; 1]> = SmallVec::new();
                    for giver in self.givers(card, trigger.within.as_ref(), &mut functioning) {
                        met.extend(self.carrying(trigger.clause, giver, Some(carriers), &[]).into_iter().flatten());
                    }
                    for (_, had) in before.iter().filter(|b| b.0 == *id) {
                        if !met.contains(had) {
                            met.push(*had);
                        }
                    }
                    met.into_iter().for_each(|t| test(*id, trigger, Some(t), 0, None));
                }
                (None, None) => test(*id, trigger, None, 0, None),
                (None, Some(card)) => {
                    let mut sources = self.carriers(card, trigger.within.as_ref(), &mut functioning);
                    before.iter().filter(|b| b.0 == *id).for_each(|b| sources.insert(b.1));
                    for t in &sources {
                        test(*id, trigger, Some(t), 0, None);
                    }
                }
            }
        }
        let is_met = |trigger: &Trigger| trigger.pattern.verb == verb && trigger.instead == instead;
        let waits = |e: &Effect| matches!(e.what, EffectKind::Trigger(id) if is_met(link.program.trigger(id)));
        for e in self.effects_in_force_of(waits) {
            if let EffectKind::Trigger(id) = e.what {
                let trigger = link.program.trigger(id);
                for this in self.carrying_by(e) {
                    test(id, trigger, this, e.serial, Some(&e.locals));
                }
            }
        }
        found
    }

    /// Whether what one of some things has put in force lasts still: about one of `on`, if that is given. An effect is
    /// about what its words select: what it changes, what the event has in it that it waits for or forbids.
    pub(crate) fn in_effect(&self, cx: &Cx, by: &Sel, on: Option<&Sel>) -> bool {
        let sources = self.effects_in_force().filter_map(|e| e.this).fold(self.nothing(), |mut set, t| {
            set.insert(t);
            set
        });
        let by = self.sel(cx, by, &sources);
        if by.is_empty() {
            return false;
        }
        match on {
            None => true,
            Some(on) => {
                let on = self.all(cx, on);
                let from = |e: &&Effect| e.this.is_some_and(|this| by.contains(this));
                self.effects_in_force().filter(from).any(|e| self.is_about(e, &on))
            }
        }
    }

    fn is_about(&self, effect: &Effect, on: &Set) -> bool {
        let cx = Cx::clause(effect.clause, effect.this, &effect.locals);
        let program = &self.link.program;
        // What is given to somebody is about him.
        if let Some(carriers) = program.laid(effect.what).carriers {
            return !self.unspared(effect.this, self.sel(&cx, carriers, on)).is_empty();
        }
        let pattern = match effect.what {
            EffectKind::Modifier(id) => {
                let found = self.sel(&cx, &program.modifier(id).subject, on);
                return !self.unspared(effect.this, found).is_empty();
            }
            EffectKind::Trigger(id) => &program.trigger(id).pattern,
            EffectKind::Norm(id) => &program.norm(id).pattern,
            // Who may do something has it on him.
            EffectKind::Allowance(id) => return !self.sel(&cx, &program.allowance(id).by, on).is_empty(),
            EffectKind::Spare(id) => {
                let spare = program.spare(id);
                return !self.sel(&cx, spare.what.as_ref().unwrap_or(&spare.by), on).is_empty();
            }
        };
        pattern.roles.iter().filter_map(|(role, _)| role.as_ref()).any(|role| !self.sel(&cx, role, on).is_empty())
    }

    /// Whether a rule keeps an event from meeting the passive conditions that things carry.
    fn guarded(&self, verb: VerbId, roles: &Roles) -> bool {
        self.link.program.guards.iter().enumerate().filter(|(_, guard)| guard.pattern.verb == verb).any(|(n, guard)| {
            self.cache.log.asked(guard.clause);
            let mut own = locals(guard.slots);
            let keeps = self.matches(guard.clause, None, &guard.pattern, roles, &mut own)
                && !self.cond(&Cx::clause(guard.clause, None, &own), &guard.cond);
            if keeps {
                self.cache.log.did(guard.clause);
            }
            if let Some(effects) = self.cache.effects.as_ref().filter(|_| keeps) {
                effects.note_guard(n);
            }
            keeps
        })
    }

    /// The replacements that may apply to the proposed event on top of the stack: those that were not yet applied to it.
    pub(crate) fn replacements(&self) -> Vec<MetTrigger> {
        // total: only an event is replaced.
        let Some(Frame { kind: Kind::Event(event), .. }) = self.state.frames.last() else { return Vec::new() };
        let applied = |source: TriggerSource| {
            self.state.frames.iter().any(|f| match &f.kind {
                Kind::Event(e) => e.verb == event.verb && e.applied.contains(&source),
                _ => false,
            })
        };
        let met = self.triggers_met(event.verb, &event.roles, true, &[]);
        met.into_iter().filter(|m| !applied(m.source())).collect()
    }

    /// The standing triggers of things for a verb: of cards that function now, and of what is given them.
    pub(crate) fn standing(&self, verb: VerbId) -> Vec<(TriggerId, ThingId)> {
        let link = self.link;
        let mut found = Vec::new();
        for id in link.triggers_of(verb) {
            match link.program.trigger(*id) {
                Trigger { instead: true, .. } => {}
                Trigger { clause, card, within, carriers: Some(carriers), .. } => {
                    let mut given: SmallVec<[ThingId; 1]> = SmallVec::new();
                    for giver in self.givers(*card, within.as_ref(), &mut None) {
                        given.extend(self.carrying(*clause, giver, Some(carriers), &[]).into_iter().flatten());
                    }
                    given.sort_unstable();
                    given.dedup();
                    found.extend(given.into_iter().map(|t| (*id, t)));
                }
                Trigger { card: Some(card), within, .. } => {
                    let on = self.carriers(*card, within.as_ref(), &mut None);
                    found.extend(on.iter().map(|t| (*id, t)));
                }
                Trigger { card: None, .. } => {}
            }
        }
        found
    }
}
