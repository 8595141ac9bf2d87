//! What is offered: every legal declaration, found from where things are; and whether a declared one still stands.

use netrep_ir::*;

use crate::ask::attempt::Attempt;
use crate::ask::eval::{Cx, Eval};
use crate::legal::conditions::Fast;
use crate::legal::narrow::Filling;
use crate::position::kept::{Question, offer};
use crate::position::set::{Set, ThingId};
use crate::position::stack::ChainItem;
use crate::position::table::Table;
use crate::position::value::{Value, bind, short};
use crate::program::walk::Phase;

impl Eval<'_> {
    /// Every legal declaration of a seat, in order of allowance, thing and parameters, until the visitor says true.
    pub(crate) fn declarations(&self, seat: ThingId, visit: &mut dyn FnMut(&Attempt) -> bool) -> bool {
        // total: without a window nothing is declared.
        let Some(window) = self.admitted(seat) else { return false };
        let link = self.link;
        // What may carry what, by which effect, and whether it is known that it can declare it.
        let mut tries: Vec<(AllowanceId, Option<ThingId>, u16, bool)> = Vec::new();
        // What does not depend on the thing is asked once for all of them; if there are any, because only then the
        // clause is consulted. Whether it is the time for it is told soonest.
        let general = |id: AllowanceId| {
            self.is_time(link.program.allowance(id), &window) && {
                let attempt = Attempt::new(link, id, seat, None);
                self.cache.log.weighed(attempt.allowance.clause);
                self.check_requirements(&attempt, Phase::General..=Phase::General, &mut Fast)
            }
        };
        for id in &link.analysis.open {
            if general(*id) {
                tries.push((*id, None, 0, false));
            }
        }
        for id in &link.analysis.carried {
            // Whether it is the time for it is told sooner than what carries it.
            if !self.is_time(link.program.allowance(*id), &window) {
                continue;
            }
            let attempt = Attempt::new(link, *id, seat, None);
            let able = || {
                let none = Cx::clause(attempt.allowance.clause, None, &[]);
                let things =
                    attempt.allowance.carriers.as_ref().map_or_else(|| self.universe(false), |c| self.all(&none, c));
                if things.is_empty() {
                    return things;
                }
                self.cache.log.weighed(attempt.allowance.clause);
                let requires = || self.check_requirements(&attempt, Phase::General..=Phase::General, &mut Fast);
                if requires() { self.able(&attempt, things) } else { self.nothing() }
            };
            // Once it is known of a thing that there are no choices for it, it may be left out.
            let same = |known: &Set, again: &Set| {
                let mut left_out = known.minus(again.words());
                left_out.retain(|t| !self.offers_nothing(&attempt, Some(t)));
                left_out.is_empty() && again.minus(known.words()).is_empty()
            };
            let number = Question::Able(*id, seat).number();
            let able = self.answered_as_well(|kept| &kept.things, number, able, same);
            tries.extend(able.iter().map(|t| (*id, Some(t), 0, true)));
        }
        // Existence first: only things where their action kind asks them to be, or whose clauses function.
        let functioning = self.functioning();
        let existing = self.universe(false);
        let mut from: Vec<Option<Set>> = vec![None; link.program.actions.len()];
        for card in &link.table.card_ids {
            for id in link.allowances_of(*card) {
                let allowance = link.program.allowance(*id);
                if allowance.carriers.is_some() {
                    let given = self.answered(|kept| &kept.things, Question::Given(*id).number(), || self.given(*id));
                    if !given.is_empty() && general(*id) {
                        tries.extend(given.iter().map(|t| (*id, Some(t), 0, false)));
                    }
                    continue;
                }
                let own = allowance.within.as_ref().map(|within| {
                    let within = || self.uncanceled(self.all(&Cx::bare(), within));
                    self.answered(|kept| &kept.things, Question::Within(*id).number(), within)
                });
                let within = match (&own, allowance.action) {
                    (Some(own), _) => own,
                    (None, None) => &functioning,
                    (None, Some(action)) if link.analysis.from_reads_this.get(action.index()) == Some(&false) => {
                        let decl = &link.program.actions[action.index()];
                        from[action.index()].get_or_insert_with(|| self.in_place_for(action, decl))
                    }
                    (None, Some(_)) => &existing,
                };
                let things = link.things_of(*card);
                if things.meets(within.words()) && general(*id) {
                    let things = things.and(within.words());
                    tries.extend(things.iter().map(|t| (*id, Some(t), 0, false)));
                }
            }
        }
        for effect in self.effects_in_force_of(|effect| matches!(effect.what, EffectKind::Allowance(_))) {
            let EffectKind::Allowance(id) = effect.what else { continue };
            // What is laid down stands in no list of what may be declared: who looks at it has looked at all of it.
            self.cache.log.did(link.program.allowance(id).clause);
            if !general(id) {
                continue;
            }
            let by = match &link.program.allowance(id).carriers {
                None => vec![effect.this],
                Some(carriers) => {
                    let given = self.given_to(effect.clause, effect.this, carriers, &effect.locals);
                    given.iter().map(Some).collect()
                }
            };
            for this in by {
                let same = |t: &&(AllowanceId, Option<ThingId>, u16, bool)| t.0 == id && t.1 == this;
                tries.push((id, this, short(tries.iter().filter(same).count()), false));
            }
        }
        tries.sort_unstable();
        for (id, this, nth, able) in tries {
            let mut attempt = Attempt::new(link, id, seat, this);
            if let Some(known) = self.allowed_by(id, this).nth(usize::from(nth)) {
                attempt = attempt.by_effect(nth, known);
            }
            if self.offered(&attempt, able, visit) {
                return true;
            }
        }
        false
    }

    /// Every legal declaration of what a thing carries, until the visitor says true. `able`: it is known that it can declare
    /// it, as far as that does not hang on its choices.
    fn offered(&self, attempt: &Attempt, able: bool, visit: &mut dyn FnMut(&Attempt) -> bool) -> bool {
        if !able && (self.offers_nothing(attempt, attempt.this) || !self.check_carried(attempt, &mut Fast)) {
            return false;
        }
        self.cache.log.did(attempt.allowance.clause);
        let found = || {
            let mut all = Vec::new();
            if let Some(filling) = self.filling(attempt) {
                self.fill(attempt, &filling, 0, &mut |attempt| {
                    all.push(attempt.locals.clone());
                    false
                });
            }
            all
        };
        let question = offer(attempt.id, attempt.seat, attempt.this, attempt.effect);
        // What an effect knows is not part of the question.
        let all = if attempt.allowance.delayed { found() } else { self.answered(|kept| &kept.offers, question, found) };
        all.into_iter().any(|locals| visit(&Attempt { locals, ..attempt.clone() }))
    }

    /// Whether it is known that there are no choices with which a thing can declare it: then nothing else need be asked.
    pub(crate) fn offers_nothing(&self, attempt: &Attempt, this: Option<ThingId>) -> bool {
        let question = offer(attempt.id, attempt.seat, this, attempt.effect);
        let offers = if attempt.allowance.delayed { None } else { self.still_known(|kept| &kept.offers, question) };
        offers.is_some_and(|offers| offers.is_empty())
    }

    fn fill(&self, attempt: &Attempt, filling: &Filling, n: usize, visit: &mut dyn FnMut(&Attempt) -> bool) -> bool {
        let Some(parameter) = attempt.allowance.parameters.get(n) else {
            let ask = || self.check_tail(attempt, Phase::Foreseen, &mut Fast) && self.check_tried(attempt, &mut Fast);
            return filling.is_legal(attempt, ask) && visit(attempt);
        };
        if parameter.several.is_some() {
            return self.fill(attempt, filling, n + 1, visit);
        }
        let mut next = attempt.clone();
        for value in self.candidates_of(attempt, filling, n, parameter) {
            bind(&mut next.locals, parameter.slot, value);
            if self.fill(&next, filling, n + 1, visit) {
                return true;
            }
        }
        false
    }

    /// The same, found without a plan: every thing is asked whether it carries each allowance, and every combination of
    /// choices whether it is legal, as a submission is.
    pub(crate) fn declarations_unplanned(&self, seat: ThingId, visit: &mut dyn FnMut(&Attempt)) {
        let Some(window) = self.admitted(seat) else { return };
        let things: Vec<Option<ThingId>> = std::iter::once(None).chain(self.universe(false).iter().map(Some)).collect();
        for id in (0..self.link.program.allowances.len()).map(AllowanceId::from_index) {
            for this in &things {
                let attempt = Attempt::new(self.link, id, seat, *this);
                let by_effect = |(nth, known)| attempt.clone().by_effect(short(nth), known);
                let mut attempts: Vec<Attempt> = self.allowed_by(id, *this).enumerate().map(by_effect).collect();
                if attempts.is_empty() {
                    attempts.push(attempt);
                }
                for attempt in attempts {
                    if self.check_carried(&attempt, &mut Fast) && self.check_general(&attempt, &window, &mut Fast) {
                        self.fill_unplanned(attempt, 0, visit);
                    }
                }
            }
        }
    }

    fn fill_unplanned(&self, attempt: Attempt, n: usize, visit: &mut dyn FnMut(&Attempt)) {
        let Some(parameter) = attempt.allowance.parameters.get(n) else {
            if self.check_tail(&attempt, Phase::Chosen, &mut Fast) && self.check_tried(&attempt, &mut Fast) {
                visit(&attempt);
            }
            return;
        };
        if parameter.several.is_some() {
            return self.fill_unplanned(attempt, n + 1, visit);
        }
        let values: Vec<Value> = match &parameter.from {
            Pool::Things(_) => self.universe(false).iter().map(Value::Thing).collect(),
            Pool::Entries(list, _) => {
                Table::list(&self.link.program, *list).iter().map(|entry| Value::Entry(*entry)).collect()
            }
        };
        for value in values {
            let mut next = attempt.clone();
            bind(&mut next.locals, parameter.slot, value);
            if self.check_parameter(&next, parameter, &mut Fast) {
                self.fill_unplanned(next, n + 1, visit);
            }
        }
    }

    /// Which conditions of a declaration hold once its cost is paid, if a rule asks for them again when it resolves.
    pub(crate) fn held(&self, item: &ChainItem) -> Vec<bool> {
        let attempt = Attempt::new(self.link, item.allowance, item.by, item.this);
        if attempt.action.is_none_or(|a| a.lasting.is_none()) {
            return Vec::new();
        }
        let attempt = Attempt { locals: item.locals.clone(), ..attempt };
        self.conditions(&attempt).into_iter().map(|c| c.0).collect()
    }

    /// Why an item of the chain can no longer be resolved: the clause, and what has become of what it asks.
    pub(crate) fn still(&self, item: &ChainItem) -> Result<(), (ClauseId, String)> {
        let attempt = Attempt::new(self.link, item.allowance, item.by, item.this);
        let attempt = Attempt { locals: item.locals.clone(), ..attempt };
        let of_action = attempt.required_by_kind();
        self.note_resolving(attempt.allowance.clause);
        let fails = |site: SiteId| format!("it no longer holds: {}", self.link.site_text(site));
        for r in attempt.allowance.requirements.iter().chain(of_action).filter(|r| r.at_resolution) {
            if attempt.allowance.despite.contains(&r.clause) {
                continue;
            }
            let cx = Cx { clause: r.clause, ..attempt.cx() };
            let met = self.cond(&cx, &r.cond);
            self.note_required(r.clause, met);
            if !met {
                return Err((r.clause, fails(r.site)));
            }
        }
        if let Some(rule) = attempt.action.and_then(|a| a.lasting) {
            self.cache.log.clause(rule);
            let now = self.conditions(&attempt);
            if let Some((_, (_, clause, site))) = item.held.iter().zip(now).find(|(held, now)| **held && !now.0) {
                return Err((clause, site.map_or("its own restriction forbids it now".to_owned(), fails)));
            }
        }
        for parameter in &attempt.allowance.parameters {
            let gone = |thing: &ThingId| !self.state.exists(&self.link.layout, *thing);
            if let Some(thing) = attempt.chosen(parameter).things(self.link.layout.width).iter().find(gone) {
                return Err((attempt.allowance.clause, format!("{} is gone", self.thing_words(thing))));
            }
        }
        for (verb, roles) in &item.receipts {
            let decl = self.link.program.verb(*verb);
            let own = crate::position::value::verb_locals(decl, roles);
            for (cond, site) in &decl.leaves {
                if !self.cond(&Cx::clause(decl.clause, None, &own), cond) {
                    return Err((decl.clause, fails(*site)));
                }
            }
        }
        Ok(())
    }
}
