//! What is offered: every legal declaration, found from where things are; and whether a declared one still stands.

use netrep_ir::*;

use crate::eval::{Cx, Eval};
use crate::frame::Item;
use crate::legality::{Attempt, Fast};
use crate::set::{Set, ThingId};
use crate::table::Table;
use crate::value::{Value, bind};

impl Eval<'_> {
    /// The candidates of a parameter, given those before it.
    pub fn pool(&self, attempt: &Attempt, parameter: &Parameter) -> Vec<Value> {
        match &parameter.from {
            Pool::Things(conjuncts) => {
                let cx = attempt.cx();
                let mut left = self.universe(false);
                for sel in conjuncts {
                    if left.is_empty() {
                        break;
                    }
                    left = self.sel(&cx, sel, &left);
                }
                left.iter().map(Value::Thing).collect()
            }
            Pool::Entries(list, cond) => {
                let mut attempt = attempt.clone();
                let mut found = Vec::new();
                for entry in Table::list(&self.link.program, *list) {
                    bind(&mut attempt.locals, parameter.slot, Value::Entry(*entry));
                    if self.cond(&attempt.cx(), cond) {
                        found.push(Value::Entry(*entry));
                    }
                }
                found
            }
        }
    }

    /// Every legal declaration of a seat, in order of allowance, thing and parameters, until the visitor says true.
    pub fn declarations(&self, seat: ThingId, visit: &mut dyn FnMut(&Attempt) -> bool) -> bool {
        let Some(window) = self.admitted(seat) else { return false };
        let link = self.link;
        let mut tries: Vec<(AllowanceId, Option<ThingId>)> = Vec::new();
        // What does not depend on the thing is asked once for all of them; if there are any, because only then the
        // clause is consulted.
        let mut add = |attempt: &Attempt, things: &mut dyn Iterator<Item = Option<ThingId>>| {
            let mut things = things.peekable();
            if things.peek().is_some() && self.check_general(attempt, &window, &mut Fast) {
                tries.extend(things.map(|t| (attempt.id, t)));
            }
        };
        for id in &link.open {
            let Some(attempt) = Attempt::new(link, *id, seat, None) else { continue };
            add(&attempt, &mut std::iter::once(None));
        }
        for id in &link.carried {
            let Some(attempt) = Attempt::new(link, *id, seat, None) else { continue };
            let none = Cx::clause(attempt.allowance.clause, None, &[]);
            let mut things =
                attempt.allowance.carriers.as_ref().map_or_else(|| self.universe(false), |c| self.all(&none, c));
            if let (Some(action), Some(id)) = (attempt.action, attempt.allowance.action)
                && link.from_reads_this.get(id.index()) == Some(&false)
            {
                things = self.sel(&none, &action.from, &things);
            }
            add(&attempt, &mut things.iter().map(Some));
        }
        // Existence first: only things where their action kind asks them to be, or whose clauses function.
        let functioning = self.functioning();
        let existing = self.universe(false);
        let mut from: Vec<Option<Set>> = vec![None; link.program.actions.len()];
        for card in &link.table.card_ids {
            for id in link.of_card.get(card.index()).map_or(&[][..], Vec::as_slice) {
                let Some(attempt) = Attempt::new(link, *id, seat, None) else { continue };
                let within = match attempt.allowance.action {
                    None => &functioning,
                    Some(action) if link.from_reads_this.get(action.index()) == Some(&false) => {
                        let decl = &link.program.actions[action.index()];
                        from[action.index()]
                            .get_or_insert_with(|| self.all(&Cx::clause(decl.clause, None, &[]), &decl.from))
                    }
                    Some(_) => &existing,
                };
                add(&attempt, &mut link.things_of(*card).and(within.words()).iter().map(Some));
            }
        }
        tries.sort_unstable();
        for (id, this) in tries {
            let Some(attempt) = Attempt::new(link, id, seat, this) else { continue };
            if self.check_carried(&attempt, &mut Fast) && self.fill(attempt, 0, visit) {
                return true;
            }
        }
        false
    }

    fn fill(&self, attempt: Attempt, n: usize, visit: &mut dyn FnMut(&Attempt) -> bool) -> bool {
        let Some(parameter) = attempt.allowance.parameters.get(n) else {
            return self.check_tail(&attempt, &mut Fast) && self.check_tried(&attempt, &mut Fast) && visit(&attempt);
        };
        for value in self.pool(&attempt, parameter) {
            let mut next = attempt.clone();
            bind(&mut next.locals, parameter.slot, value);
            if self.fill(next, n + 1, visit) {
                return true;
            }
        }
        false
    }

    /// Which conditions of a declaration hold once its cost is paid, if a rule asks for them again when it resolves.
    pub fn held(&self, item: &Item) -> Vec<bool> {
        let Some(attempt) = Attempt::new(self.link, item.allowance, item.by, item.this) else { return Vec::new() };
        if attempt.action.is_none_or(|a| a.lasting.is_none()) {
            return Vec::new();
        }
        let attempt = Attempt { locals: item.locals.clone(), ..attempt };
        self.conditions(&attempt).into_iter().map(|c| c.0).collect()
    }

    /// Why an item of the chain can no longer be resolved: the clause and the place of the condition that fails.
    pub fn still(&self, item: &Item) -> Result<(), (ClauseId, String)> {
        let Some(attempt) = Attempt::new(self.link, item.allowance, item.by, item.this) else { return Ok(()) };
        let attempt = Attempt { locals: item.locals.clone(), ..attempt };
        let of_action = attempt.action.map_or(&[][..], |a| a.requirements.as_slice());
        for r in attempt.allowance.requirements.iter().chain(of_action).filter(|r| r.at_resolution) {
            if attempt.allowance.despite.contains(&r.clause) {
                continue;
            }
            let cx = Cx { clause: r.clause, ..attempt.cx() };
            if !self.cond(&cx, &r.cond) {
                return Err((r.clause, self.link.site_text(r.site).to_string()));
            }
        }
        if let Some(rule) = attempt.action.and_then(|a| a.lasting) {
            self.cache.log.clause(rule);
            let now = self.conditions(&attempt);
            if let Some((_, (_, clause, site))) = item.held.iter().zip(now).find(|(held, now)| **held && !now.0) {
                return Err((clause, self.link.site_text(site).to_string()));
            }
        }
        for parameter in &attempt.allowance.parameters {
            if let Some(thing) = item.locals.get(usize::from(parameter.slot)).and_then(Value::thing)
                && !self.state.exists(&self.link.layout, thing)
            {
                return Err((attempt.allowance.clause, format!("{} is gone", self.thing_words(thing))));
            }
        }
        for (verb, roles) in &item.receipts {
            let Some(decl) = self.link.program.verbs.get(verb.index()) else { continue };
            let own = crate::run::Run::verb_locals(decl, roles);
            for (cond, site) in &decl.leaves {
                if !self.cond(&Cx::clause(decl.clause, None, &own), cond) {
                    return Err((decl.clause, self.link.site_text(*site).to_string()));
                }
            }
        }
        Ok(())
    }
}
