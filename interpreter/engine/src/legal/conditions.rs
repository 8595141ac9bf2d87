//! Whether an action may be declared: one reading of its conditions for the offer, the refusal and the re-check.
//!
//! Every condition is evaluated here and nowhere else. A [`Sink`] hears of what fails: the fast one stops at the
//! first, the explaining one hears all.

use std::ops::RangeInclusive;

use netrep_ir::*;
use smallvec::SmallVec;

use crate::ask::attempt::{Attempt, action_roles};
use crate::ask::eval::{Cx, Eval};
use crate::legal::windows::Admitted;
use crate::position::kept::{Question, about, against};
use crate::position::set::{Set, ThingId};
use crate::position::table::Table;
use crate::position::value::{Roles, Value};
use crate::program::analysis::Asked;
use crate::program::parted::{Joined, Parted};
use crate::program::walk::{self, Phase};

/// What a condition failed on.
#[derive(Clone, Copy)]
pub(crate) enum Why<'a> {
    /// The seat may not.
    By { sel: &'a Sel },
    /// The thing's clauses do not function, or it does not carry this clause.
    Functioning,
    /// The thing is not where the action kind asks.
    From { sel: &'a Sel, clause: ClauseId },
    /// None of the procedures is running.
    During,
    /// The window does not admit it.
    Window { clause: ClauseId, site: SiteId },
    /// Declared as often as allowed.
    Limit { count: u16, limit: u16, proc: ProcId },
    /// A requirement.
    Requirement { cond: &'a Cond, clause: ClauseId, site: SiteId },
    /// A parameter is missing or more than one thing.
    Missing { parameter: &'a Parameter },
    /// So few are there of which several must be chosen.
    TooFew { parameter: &'a Parameter, there: usize },
    /// A conjunct of a parameter's pool.
    Conjunct { sel: &'a Sel, parameter: &'a Parameter, thing: ThingId },
    /// The entry's condition.
    Entry { cond: &'a Cond, parameter: &'a Parameter },
    /// A cost has nothing to be performed on.
    Costless { act: &'a Act },
    /// What a verb needs as a cost.
    Needs { verb: &'a VerbDecl, cond: &'a Cond, site: SiteId, locals: &'a [Value] },
    /// Two acts of the cost use one thing.
    Twice { act: &'a Act, thing: ThingId },
    /// A norm.
    Norm { norm: ClauseId, verb: VerbId, roles: &'a [Option<ThingId>] },
}

/// Hears of failures; says whether to go on.
pub(crate) trait Sink {
    /// Whether it wants to hear of more than one failure.
    const ALL: bool;
    fn fails(&mut self, eval: &Eval, action: &Attempt, why: Why) -> bool;
}

/// Stops at the first failure.
pub(crate) struct Fast;

impl Sink for Fast {
    const ALL: bool = false;
    fn fails(&mut self, _: &Eval, _: &Attempt, _: Why) -> bool {
        false
    }
}

macro_rules! check {
    ($ok:ident, $sink:ident, $eval:expr, $attempt:expr, $holds:expr, $why:expr) => {
        if !$holds {
            $ok = false;
            if !$sink.fails($eval, $attempt, $why) {
                return false;
            }
        }
    };
}

impl<'a> Eval<'a> {
    /// Whether a declaration is legal now.
    pub(crate) fn check<S: Sink>(&self, attempt: &Attempt, window: &Admitted, sink: &mut S) -> bool {
        let general = self.check_general(attempt, window, sink);
        if !general && !S::ALL {
            return false;
        }
        let carried = self.check_carried(attempt, sink);
        if !carried && !S::ALL {
            return false;
        }
        let parameters = self.check_parameters(attempt, sink);
        if !parameters && !S::ALL {
            return false;
        }
        self.check_tail(attempt, Phase::Chosen, sink)
            && general
            && carried
            && parameters
            && self.check_tried(attempt, sink)
    }

    /// What is found out by trying, which presumes that nothing else is against it.
    pub(crate) fn check_tried<S: Sink>(&self, attempt: &Attempt, sink: &mut S) -> bool {
        // What it would do is tried with all its choices.
        if attempt.open {
            return true;
        }
        let eval = &Eval { proposed: Some(attempt), ..*self };
        eval.check_requirements(attempt, Phase::Tried..=Phase::Tried, sink)
    }

    /// The conditions that depend neither on the thing that carries it nor on the parameters.
    pub(crate) fn check_general<S: Sink>(&self, attempt: &Attempt, window: &Admitted, sink: &mut S) -> bool {
        let ok = self.check_moment(attempt, window, sink);
        // Who wants all that is against it hears of the rest too.
        let goes_on = ok || S::ALL;
        goes_on && self.check_requirements(attempt, Phase::General..=Phase::General, sink) && ok
    }

    /// Whether the window admits it, and it is the time for it.
    pub(crate) fn check_moment<S: Sink>(&self, attempt: &Attempt, window: &Admitted, sink: &mut S) -> bool {
        let mut ok = true;
        let allowance = attempt.allowance;
        self.cache.log.clause(allowance.clause);
        check!(
            ok,
            sink,
            self,
            attempt,
            window.admits(allowance, attempt.action.map(|action| action.verb)),
            Why::Window { clause: window.clause, site: window.site }
        );
        check!(ok, sink, self, attempt, self.is_during(allowance), Why::During);
        ok
    }

    /// The same of an allowance, whoever declares it.
    pub(crate) fn is_time(&self, allowance: &Allowance, window: &Admitted) -> bool {
        self.cache.log.timed(allowance.clause);
        window.admits(allowance, self.link.verb_of(allowance)) && self.is_during(allowance)
    }

    fn is_during(&self, allowance: &Allowance) -> bool {
        let mut during = allowance.during.iter();
        allowance.during.is_empty() || during.any(|proc| self.state.running(*proc, usize::MAX).is_some())
    }

    /// The conditions that depend on the thing that carries it, and not on the parameters.
    pub(crate) fn check_carried<S: Sink>(&self, attempt: &Attempt, sink: &mut S) -> bool {
        let mut ok = true;
        let allowance = attempt.allowance;
        check!(ok, sink, self, attempt, self.carries(attempt), Why::Functioning);
        let cx = attempt.cx();
        // What an effect allows is allowed wherever the card lies that has it, and a clause may say itself where it functions.
        // What is given to another is used as if that had said it.
        let elsewhere = allowance.carriers.is_none() && (allowance.delayed || allowance.within.is_some());
        if let (Some(action), Some(this), false) = (attempt.action, attempt.this, elsewhere) {
            self.cache.log.clause(action.clause);
            let there = allowance.action.is_some_and(|id| self.is_in_place(&cx, id, action, this));
            check!(ok, sink, self, attempt, there, Why::From { sel: &action.from, clause: action.clause });
        }
        let by = attempt.declared_by();
        let may = match by {
            Sel::Empty => self.declarer(attempt.this).is_none_or(|who| who == attempt.seat),
            by => self.has(&cx, by, attempt.seat),
        };
        check!(ok, sink, self, attempt, may, Why::By { sel: by });
        if let Some((limit, proc)) = allowance.limit {
            let count = self.used(attempt.id, attempt.this, proc);
            check!(ok, sink, self, attempt, count < limit, Why::Limit { count, limit, proc });
        }
        self.check_requirements(attempt, Phase::Carried..=Phase::Carried, sink) && ok
    }

    /// The requirements that can be asked in some phases.
    pub(crate) fn check_requirements<S: Sink>(
        &self,
        attempt: &Attempt,
        phases: RangeInclusive<Phase>,
        sink: &mut S,
    ) -> bool {
        if !S::ALL {
            // When the first has failed nothing hangs on their order.
            let all = [Phase::General, Phase::Carried, Phase::Chosen, Phase::Foreseen, Phase::Tried];
            let mut asked = all.into_iter().filter(|phase| phases.contains(phase));
            return asked.all(|phase| self.meets_requirements(&attempt.cx(), attempt, phase, attempt.this));
        }
        let mut ok = true;
        for asked in self.link.requirements(attempt.id, attempt.allowance) {
            if phases.contains(&asked.phase) {
                let r = asked.requirement;
                let why = Why::Requirement { cond: &r.cond, clause: r.clause, site: r.site };
                check!(ok, sink, self, attempt, self.meets_requirement(attempt, &asked), why);
            }
        }
        ok
    }

    /// Whether all requirements hold that can be asked in a phase, of what a thing carries.
    pub(crate) fn meets_requirements(&self, cx: &Cx, attempt: &Attempt, phase: Phase, this: Option<ThingId>) -> bool {
        let requirements = self.link.requirements_in(attempt.id, attempt.allowance, phase);
        let question = against(attempt.id, phase, this);
        let fails = |asked: &Asked| !self.meets_requirement_of(cx, asked, this);
        !self.all_kept().decides(question, requirements, |asked| asked.free, fails)
    }

    /// Whether a requirement of a declaration holds. What hangs on no choice is kept.
    fn meets_requirement(&self, attempt: &Attempt, asked: &Asked) -> bool {
        self.meets_requirement_of(&attempt.cx(), asked, attempt.this)
    }

    /// The same of what a thing carries.
    fn meets_requirement_of(&self, cx: &Cx, asked: &Asked, this: Option<ThingId>) -> bool {
        let met = self.meets_asked(cx, asked, this);
        self.note_required(asked.requirement.clause, met);
        met
    }

    /// Notes that something was required, and whether it was met.
    pub(crate) fn note_required(&self, clause: ClauseId, met: bool) {
        self.cache.log.required(clause, self.link.analysis.is_of_kind(clause));
        // A fault is one of what was asked, whatever came of it.
        if !met || self.cache.is_faulty() {
            self.cache.log.did(clause);
        }
    }

    /// Whether a requirement is met, without a note of it.
    fn meets_asked(&self, cx: &Cx, asked: &Asked, this: Option<ThingId>) -> bool {
        let cx = Cx { clause: asked.requirement.clause, this, ..*cx };
        let this = match (asked.phase, asked.parted) {
            // One that has no parts is kept by itself.
            (_, Parted::Kept { .. }) | (Phase::Chosen | Phase::Foreseen | Phase::Tried, _) => {
                return self.meets(&cx, asked.parted);
            }
            (Phase::General, _) => None,
            (Phase::Carried, _) => this,
        };
        self.answered(|kept| &kept.holds, about(asked.number, this), || self.meets(&cx, asked.parted))
    }

    /// The same of a part of one.
    fn meets(&self, cx: &Cx, part: &Parted) -> bool {
        match part {
            Parted::Kept { number, reads_this, cond } => {
                // It hangs neither on what is chosen nor on what the declaration would do.
                let plain = Eval { proposed: None, ..*self };
                let question = about(*number, cx.this.filter(|_| *reads_this));
                plain.answered(|kept| &kept.holds, question, || plain.cond(cx, cond))
            }
            Parted::Asked(cond) => self.cond(cx, cond),
            Parted::All(Joined { number, parts }) => {
                let fails = |part: &&(bool, Parted)| !self.meets(cx, &part.1);
                !self.all_kept().decides(about(*number, cx.this), parts.iter(), |part| part.0, fails)
            }
            Parted::Any(Joined { number, parts }) => {
                let holds = |part: &&(bool, Parted)| self.meets(cx, &part.1);
                self.all_kept().decides(about(*number, cx.this), parts.iter(), |part| part.0, holds)
            }
            Parted::Not(inner) => !self.meets(cx, inner),
        }
    }

    /// Whether a thing is where its kind of declaration asks it to be.
    pub(crate) fn is_in_place(&self, cx: &Cx, id: ActionId, action: &ActionDecl, this: ThingId) -> bool {
        let cx = Cx { clause: action.clause, this: Some(this), ..*cx };
        if !self.link.analysis.from_reads_this[id.index()] {
            return self.in_place_for(id, action).contains(this);
        }
        let question = 1 << 63 | about(u32::from(id.0), Some(this));
        self.answered(|kept| &kept.holds, question, || self.has(&cx, &action.from, this))
    }

    /// The things that are where their kind of declaration asks them to be, if that does not hang on the thing.
    pub(crate) fn in_place_for(&self, id: ActionId, action: &ActionDecl) -> Set {
        let from = || self.all(&Cx::clause(action.clause, None, &[]), &action.from);
        self.answered(|kept| &kept.things, Question::From(id).number(), from)
    }

    /// Each parameter in its pool.
    pub(crate) fn check_parameters<S: Sink>(&self, attempt: &Attempt, sink: &mut S) -> bool {
        let mut ok = true;
        for parameter in &attempt.allowance.parameters {
            ok &= self.check_parameter(attempt, parameter, sink);
            if !ok && !S::ALL {
                return false;
            }
        }
        ok
    }

    /// A parameter in its pool.
    pub(crate) fn check_parameter<S: Sink>(&self, attempt: &Attempt, parameter: &Parameter, sink: &mut S) -> bool {
        let mut ok = true;
        let value = attempt.chosen(parameter);
        match (&parameter.from, value) {
            // What is chosen with others is chosen later.
            (Pool::Things(_), value) if parameter.several.is_some() => {
                check!(ok, sink, self, attempt, *value == Value::None, Why::Missing { parameter });
            }
            (Pool::Things(conjuncts), Value::Thing(thing)) => {
                let cx = attempt.cx();
                check!(
                    ok,
                    sink,
                    self,
                    attempt,
                    self.state.exists(&self.link.layout, *thing),
                    Why::Missing { parameter }
                );
                for sel in conjuncts {
                    let why = Why::Conjunct { sel, parameter, thing: *thing };
                    check!(ok, sink, self, attempt, self.has(&cx, sel, *thing), why);
                }
            }
            (Pool::Entries(list, cond), Value::Entry(entry)) => {
                let listed = Table::list(&self.link.program, *list).contains(entry);
                check!(ok, sink, self, attempt, listed, Why::Missing { parameter });
                check!(ok, sink, self, attempt, self.cond(&attempt.cx(), cond), Why::Entry { cond, parameter });
            }
            _ => check!(ok, sink, self, attempt, false, Why::Missing { parameter }),
        }
        ok
    }

    /// The requirements, the conditions on parameters and what a thing forbids of its own declaration, one by one and always
    /// in the same order: whether each holds, its clause and, of the first two, its place. For what must last until a
    /// declaration resolves.
    pub(crate) fn conditions(&self, attempt: &Attempt) -> Vec<(bool, ClauseId, Option<SiteId>)> {
        let own = attempt.allowance.clause;
        self.note_resolving(own);
        let all = self.link.requirements(attempt.id, attempt.allowance);
        let required = all.map(|asked| {
            let r = asked.requirement;
            (self.meets_requirement(attempt, &asked), r.clause, Some(r.site))
        });
        let mut found: Vec<(bool, ClauseId, Option<SiteId>)> = required.collect();
        for parameter in &attempt.allowance.parameters {
            let value = attempt.chosen(parameter);
            match (&parameter.from, value) {
                (Pool::Things(conjuncts), Value::Thing(thing)) => {
                    let met = |sel| (self.has(&attempt.cx(), sel, *thing), own, Some(parameter.site));
                    found.extend(conjuncts.iter().map(met));
                }
                (Pool::Things(conjuncts), Value::Set(all)) => {
                    let met = |sel| (self.sel(&attempt.cx(), sel, all).len() == all.len(), own, Some(parameter.site));
                    found.extend(conjuncts.iter().map(met));
                }
                (Pool::Entries(_, cond), Value::Entry(_)) => {
                    found.push((self.cond(&attempt.cx(), cond), own, Some(parameter.site)));
                }
                _ => {}
            }
        }
        found.extend(self.own_restrictions(attempt));
        found
    }

    /// Notes that it is looked at again what was declared by a clause, and what runs now: on that hangs what is required.
    pub(crate) fn note_resolving(&self, clause: ClauseId) {
        self.cache.log.clause(clause);
        self.cache.log.during(self.state.acts.peek().iter().filter_map(|act| act.proc));
    }

    /// What a thing's card says of when it cannot be declared: whether it allows it now, and its clause.
    fn own_restrictions(&self, attempt: &Attempt) -> Vec<(bool, ClauseId, Option<SiteId>)> {
        // total: what is declared of no kind, or with no thing, has no card that says when it cannot be.
        let (Some(action), Some(this)) = (attempt.action, attempt.this) else { return Vec::new() };
        let (card, decl) = (self.link.card_of(this), self.link.program.verb(action.verb));
        let object = decl.object.map(usize::from);
        let norms = self.link.norms_of(action.verb).iter().map(|id| self.link.program.norm(*id));
        let own = |norm: &&Norm| {
            let its_own = norm.card.is_some() && norm.card == card && norm.carriers.is_none();
            its_own && norm.kind == NormKind::Cannot && object.is_some() && norm.pattern.about_this() == object
        };
        let restrictions: Vec<ClauseId> = norms.filter(own).map(|norm| norm.clause).collect();
        if restrictions.is_empty() {
            return Vec::new();
        }
        let roles = action_roles(decl, attempt.allowance, attempt.seat, attempt.this, &attempt.locals);
        let lifted = |norm: ClauseId| attempt.allowance.despite.contains(&norm);
        let forbids = self.prohibitions(action.verb, &roles, None, &lifted, true);
        restrictions.into_iter().map(|clause| (!forbids.contains(&clause), clause, None)).collect()
    }

    /// What depends on all parameters: requirements from a phase on, the cost, norms.
    pub(crate) fn check_tail<S: Sink>(&self, attempt: &Attempt, from: Phase, sink: &mut S) -> bool {
        if attempt.open {
            return self.check_open(attempt, sink);
        }
        // From here on it is known what it would do.
        let eval = &Eval { proposed: Some(attempt), ..*self };
        let mut ok = eval.check_requirements(attempt, from..=Phase::Foreseen, sink);
        if !ok && !S::ALL {
            return false;
        }
        let lifted = |norm: ClauseId| attempt.allowance.despite.contains(&norm);
        if let Some(action) = attempt.action {
            let decl = self.link.program.verb(action.verb);
            let roles = action_roles(decl, attempt.allowance, attempt.seat, attempt.this, &attempt.locals);
            for norm in eval.prohibitions(action.verb, &roles, None, &lifted, S::ALL) {
                check!(ok, sink, eval, attempt, false, Why::Norm { norm, verb: action.verb, roles: &roles });
            }
        }
        if let Some((norm, verb, roles)) = attempt.allowance.effect.and_then(|e| {
            // What it does itself is known; here it is about what is performed in its course.
            eval.led_to_forbidden(&attempt.cx(), e, &lifted, false)
        }) {
            check!(ok, sink, eval, attempt, false, Why::Norm { norm, verb, roles: &roles });
        }
        eval.check_acts(attempt, attempt.allowance.acts.iter(), sink) && ok
    }

    /// Whether what a declaration does at once can be done: costs are paid with everything, of effects something is left.
    pub(crate) fn check_acts<'s, S: Sink>(
        &self,
        attempt: &Attempt,
        acts: impl Iterator<Item = &'s Act>,
        sink: &mut S,
    ) -> bool {
        let eval = self;
        // What a verb needs is asked of things as they are.
        let plain = Eval { proposed: None, ..*self };
        let mut ok = true;
        let lifted = |norm: ClauseId| attempt.allowance.despite.contains(&norm);
        let mut used: Vec<(VerbId, ThingId)> = Vec::new();
        for act in acts {
            let decl = self.link.program.verb(act.verb);
            let parameters = &attempt.allowance.parameters;
            let bound = |slot: u8| parameters.iter().any(|p| p.slot == slot);
            // What is paid is done; what it does besides is done when it resolves.
            let cx = Cx { done: act.cost, ..attempt.cx() };
            let Some(events) = eval.events_of(&cx, act, decl, &bound) else { continue };
            if events.is_empty() {
                check!(ok, sink, eval, attempt, !act.cost, Why::Costless { act });
                continue;
            }
            let mut forbidden: SmallVec<[(ClauseId, &Roles); 1]> = SmallVec::new();
            let mut free = false;
            for roles in &events {
                let norms = eval.prohibitions(act.verb, roles, attempt.this.filter(|_| !act.cost), &lifted, S::ALL);
                free |= norms.is_empty();
                let new = |norm: &ClauseId| !forbidden.iter().any(|(known, _)| known == norm);
                let new: SmallVec<[ClauseId; 1]> = norms.into_iter().filter(new).collect();
                forbidden.extend(new.into_iter().map(|norm| (norm, roles)));
                if !act.cost {
                    continue;
                }
                if let Some(thing) = decl.object.and_then(|o| roles.get(usize::from(o)).copied().flatten()) {
                    check!(ok, sink, self, attempt, !used.contains(&(act.verb, thing)), Why::Twice { act, thing });
                    used.push((act.verb, thing));
                }
                let own = crate::position::value::verb_locals(decl, roles);
                self.cache.log.clause(decl.clause);
                let cx = Cx::clause(decl.clause, None, &own);
                for (cond, site) in &decl.needs {
                    let why = Why::Needs { verb: decl, cond, site: *site, locals: &own };
                    check!(ok, sink, self, attempt, plain.cond(&cx, cond), why);
                }
            }
            // A cost must be performed on everything, an effect on something.
            if act.cost || !free {
                for (norm, roles) in forbidden {
                    check!(ok, sink, eval, attempt, false, Why::Norm { norm, verb: act.verb, roles });
                }
            }
        }
        ok
    }

    /// The events of an act as far as what is bound tells; `None` if they depend on what is chosen later.
    pub(crate) fn events_of(
        &self,
        cx: &Cx,
        act: &Act,
        decl: &VerbDecl,
        bound: &dyn Fn(u8) -> bool,
    ) -> Option<Vec<Roles>> {
        let mut roles: Roles = smallvec::smallvec![None; decl.roles.len()];
        let mut objects: Option<(usize, Set)> = None;
        for (i, role) in decl.roles.iter().enumerate() {
            let Some(Some(sel)) = act.roles.get(i) else { continue };
            let set = self.all(cx, sel);
            if set.is_empty() && !role.optional {
                let open = walk::slots_of(sel).into_iter().any(|s| !bound(s));
                return if open { None } else { Some(Vec::new()) };
            }
            roles[i] = set.first();
            if u8::try_from(i).ok() == decl.object {
                objects = Some((i, set));
            }
        }
        Some(match objects {
            None => vec![roles],
            Some((i, set)) => {
                let one = |t: ThingId| {
                    let mut roles = roles.clone();
                    roles[i] = Some(t);
                    roles
                };
                if set.is_empty() { vec![roles] } else { set.iter().map(one).collect() }
            }
        })
    }

    /// Whether the thing carries the clause, and its clauses function (unless the action kind says where it must be).
    fn carries(&self, attempt: &Attempt) -> bool {
        if attempt.allowance.delayed {
            return self.allowed_by(attempt.id, attempt.this).nth(usize::from(attempt.effect)).is_some();
        }
        // Only what effects allow may be allowed more than once.
        if attempt.effect != 0 {
            return false;
        }
        let Allowance { clause, card, within, carriers, action, .. } = attempt.allowance;
        match (*card, carriers, attempt.this) {
            (None, None, None) => action.is_none(),
            (None, None, Some(this)) => action.is_some() && self.state.exists(&self.link.layout, this),
            (_, Some(carriers), Some(this)) => self.stands_given(*clause, *card, within.as_ref(), carriers, this),
            (Some(_), _, None) | (None, Some(_), None) => false,
            (Some(card), None, Some(this)) => {
                self.link.card_of(this) == Some(card)
                    && self.state.exists(&self.link.layout, this)
                    && match within {
                        Some(within) => self.functions_within(Some(within), this),
                        None => action.is_some() || self.functions(this),
                    }
            }
        }
    }

    /// How often an allowance was declared in the innermost instance of a procedure.
    pub(crate) fn used(&self, id: AllowanceId, this: Option<ThingId>, proc: ProcId) -> u16 {
        let proc = self.state.counted_in(proc);
        let mine = |u: &&crate::position::state::Usage| u.allowance == id && u.this == this && u.proc == proc;
        // total: what was not declared was declared 0 times.
        self.state.usage.iter().find(mine).map_or(0, |u| u.count)
    }
}
