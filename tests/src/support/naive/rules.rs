//! What may be submitted, by the naive evaluator: the definition of legality, read straight from the program.

use netrep_engine::{Chooser, Decision, DecisionKind, Submission, ThingId, Value};
use netrep_ir::*;

use super::ahead::{begins_forbidden, begins_with};
use super::groups;
use super::{Declared, Effect, Position, Scope};

/// Whether a submission answers the decision legally.
pub(crate) fn legal(position: &Position<'_>, decision: &Decision, submission: &Submission) -> bool {
    match (&decision.kind, submission) {
        (DecisionKind::Act, Submission::Declare { allowance, this, effect, parameters }) => {
            let Chooser::Seat(seat) = decision.by else { return false };
            declarable(position, seat, (*allowance, *this, *effect), parameters)
        }
        (DecisionKind::Act | DecisionKind::Step, Submission::Pass) => true,
        (DecisionKind::Step, Submission::Step(step)) => {
            let Chooser::Seat(seat) = decision.by else { return false };
            performed_by(position, *step) == Some(seat)
        }
        (DecisionKind::Choose { .. }, Submission::Pick(Value::Thing(thing))) => choosable(position, *thing),
        (DecisionKind::Choose { .. }, Submission::Decline) => {
            let top = position.top.as_ref().and_then(|top| top.statement.as_ref());
            matches!(top, Some(Statement::Choose { optional: Some(_), .. }))
        }
        (DecisionKind::Gather { declaration, .. }, Submission::Pick(Value::Thing(thing))) => {
            let Chooser::Seat(seat) = decision.by else { return false };
            groups::may_take(position, seat, declaration, *thing)
        }
        (DecisionKind::Gather { declaration, .. }, Submission::Decline) => {
            let Chooser::Seat(seat) = decision.by else { return false };
            groups::may_stop(position, seat, declaration)
        }
        // What is left of a for-each is not in the program but in the position.
        (DecisionKind::Next { from }, Submission::Pick(Value::Thing(thing))) => from.contains(*thing),
        (DecisionKind::May, Submission::Yes | Submission::No) => true,
        (DecisionKind::Branch(_), Submission::Branch(n)) => {
            let top = position.top.as_ref().and_then(|top| top.statement.as_ref());
            matches!(top, Some(Statement::ChooseOne { branches, .. }) if usize::from(*n) < branches.len())
        }
        (DecisionKind::Order(n) | DecisionKind::Replace(n), Submission::Order(i)) => i < n,
        (DecisionKind::Roll { dice, .. }, Submission::Dice(total)) => {
            (i32::from(*dice)..=i32::from(*dice) * 6).contains(total)
        }
        _ => false,
    }
}

/// Whether a submission at least makes sense: the thing that is to carry the allowance does.
pub(crate) fn sensible(position: &Position<'_>, submission: &Submission) -> bool {
    let Submission::Declare { allowance: id, this, effect, .. } = submission else { return true };
    carried(position, (*id, *this, *effect), &position.program.allowances[id.index()])
}

/// Who performs a step of the procedure on top of the stack: who is asked first in it; if no one is, the first
/// who is asked in any step. Steps of other procedures are performed by no one.
fn performed_by(position: &Position<'_>, step: StepId) -> Option<ThingId> {
    let act = &position.acts[position.top.as_ref()?.act];
    let steps = &position.program.procs[act.proc?.index()].steps;
    let scope = Scope::of(act.this, &act.locals);
    let owner = |step: &StepId| {
        let by = first_asked(position.program, position.program.steps[step.index()].body)?;
        position.things(&scope, by).first().copied()
    };
    let mine = steps.contains(&step).then(|| owner(&step))?;
    mine.or_else(|| steps.iter().find_map(owner))
}

/// Who is asked first in a block, in the order in which it is written.
fn first_asked(program: &Program, block: BlockId) -> Option<&Sel> {
    program.blocks[block.index()].statements.iter().find_map(|(statement, _)| match statement {
        Statement::Choose { by, .. } => by.as_ref(),
        Statement::May { by, .. } | Statement::ChooseOne { by, .. } => Some(by),
        Statement::ForEach { order: Order::Chosen(by), .. } => Some(by),
        Statement::Window { admits, .. } => admits.first().map(|admit| &admit.by),
        Statement::If(_, then, other) => {
            first_asked(program, *then).or_else(|| other.and_then(|other| first_asked(program, other)))
        }
        Statement::ForEach { body, .. } | Statement::RepeatUntil(body, _) | Statement::RepeatTimes(_, body) => {
            first_asked(program, *body)
        }
        _ => None,
    })
}

/// Whether a thing may be chosen at the statement that asks.
fn choosable(position: &Position<'_>, thing: ThingId) -> bool {
    let Some(top) = &position.top else { return false };
    let Some(Statement::Choose { from, slot, then, .. }) = &top.statement else { return false };
    let act = &position.acts[top.act];
    let mut scope = Scope::of(act.this, &act.locals);
    if !position.meets(&scope, from, thing) {
        return false;
    }
    scope.bind(*slot, Value::Thing(thing));
    let bound = |s: u8| scope.locals.get(usize::from(s)).is_some_and(|v| *v != Value::None);
    let lifted: Vec<ClauseId> = position
        .acts
        .iter()
        .filter_map(|act| act.allowance)
        .flat_map(|id| position.program.allowances[id.index()].despite.iter().copied())
        .collect();
    // What the choice leads to must not be wholly forbidden.
    then.iter().all(|act| match events(position, &scope, act, &bound) {
        Events::Later => true,
        Events::These(all) => {
            all.is_empty()
                || all
                    .iter()
                    .any(|roles| !forbidden(position, act.verb, roles, scope.this.filter(|_| !act.cost), &lifted))
        }
    })
}

/// Whether a seat may declare an allowance: what it chooses several of is chosen behind it, and there must be a way to.
fn declarable(position: &Position<'_>, seat: ThingId, key: Key, parameters: &[Value]) -> bool {
    let Some(allowance) = position.program.allowances.get(key.0.index()) else { return false };
    let later = |(parameter, value): (&Parameter, &Value)| parameter.several.is_none() || *value == Value::None;
    parameters.len() == allowance.parameters.len()
        && allowance.parameters.iter().zip(parameters).all(later)
        && groups::completes(position, seat, key, parameters, 0)
}

/// What is declared: the allowance, the thing that carries it, and the effect that allows it.
pub(super) type Key = (AllowanceId, Option<ThingId>, u16);

/// Whether a seat may declare an allowance, with all choices.
pub(super) fn whole(position: &Position<'_>, seat: ThingId, (id, this, effect): Key, parameters: &[Value]) -> bool {
    let program = position.program;
    let allowance = &program.allowances[id.index()];
    let action = allowance.action.map(|a| &program.actions[a.index()]);
    // What an effect allows, it allows with what was known when it took effect.
    let laid = laid_down(position, id, this);
    let known = laid.get(usize::from(effect)).map_or(&[][..], |effect| &effect.locals);
    let mut scope = Scope::of(this, known);
    for (parameter, value) in allowance.parameters.iter().zip(parameters) {
        scope.bind(parameter.slot, value.clone());
    }
    let who = match (action, &allowance.by) {
        (Some(action), Sel::Empty) => &action.by,
        (_, by) => by,
    };
    let declared = Declared { allowance: id, this, by: Some(seat), locals: scope.locals.clone(), thing: None };
    *position.proposed.borrow_mut() = Some(declared.clone());
    let may = carried(position, (id, this, effect), allowance)
        && position.meets(&scope, who, seat)
        && action
            .filter(|_| allowance.carriers.is_some() || (!allowance.delayed && allowance.within.is_none()))
            .is_none_or(|a| this.is_some_and(|t| position.meets(&scope, &a.from, t)))
        && admitted(position, seat, allowance)
        && (allowance.during.is_empty() || allowance.during.iter().any(|p| position.running(*p).is_some()))
        && below_limit(position, id, allowance, this)
        && requirements(allowance, action).all(|r| position.holds(&scope, &r.cond))
        && allowance.parameters.iter().zip(parameters).all(|(p, v)| fits(position, &scope, p, v))
        && payable(position, &scope, allowance)
        && free(position, &scope, seat, allowance, action)
        && !begins_forbidden(position, &declared, &|scope, verb, roles| {
            let act = Act { verb, roles: roles.to_vec(), cost: false, site: SiteId(0) };
            let bound = |s: u8| scope.locals.get(usize::from(s)).is_some_and(|v| *v != Value::None);
            let Events::These(all) = events(position, scope, &act, &bound) else { return false };
            !all.is_empty() && all.iter().all(|roles| forbidden(position, verb, roles, scope.this, &allowance.despite))
        });
    *position.proposed.borrow_mut() = None;
    may
}

fn requirements<'a>(allowance: &'a Allowance, action: Option<&'a ActionDecl>) -> impl Iterator<Item = &'a Requirement> {
    let all = allowance.requirements.iter().chain(action.into_iter().flat_map(|a| &a.requirements));
    // What is asked when it resolves is not asked now.
    all.filter(|r| !r.at_resolution && !allowance.despite.contains(&r.clause))
}

/// Whether the thing carries the clause and may use it: it functions, or the action kind says where it must be.
fn carried(
    position: &Position<'_>,
    (id, this, effect): (AllowanceId, Option<ThingId>, u16),
    allowance: &Allowance,
) -> bool {
    if allowance.delayed {
        return usize::from(effect) < laid_down(position, id, this).len();
    }
    if effect != 0 {
        return false;
    }
    match (allowance.card, &allowance.carriers, this) {
        (card, Some(carriers), Some(this)) => {
            let givers = position.sayers(card, allowance.within.as_ref());
            givers.into_iter().any(|giver| position.is_given(giver, carriers, &[], this))
        }
        (Some(card), None, Some(this)) => {
            position.card(this) == Some(card)
                && position.exists(this)
                && match &allowance.within {
                    Some(within) => position.functions_within(Some(within), this),
                    None => allowance.action.is_some() || position.functions(this),
                }
        }
        (Some(_), _, None) => false,
        (None, Some(_), None) => false,
        (None, None, this) => this.is_some() == allowance.action.is_some(),
    }
}

/// The effects that allow something to a thing, in the order in which they were laid down.
fn laid_down<'p>(position: &'p Position<'_>, id: AllowanceId, this: Option<ThingId>) -> Vec<&'p Effect> {
    let carriers = position.program.allowances.get(id.index()).and_then(|allowance| allowance.carriers.as_ref());
    let allows = move |e: &Effect| {
        e.what == EffectKind::Allowance(id)
            && match (carriers, this) {
                (None, this) => e.this == this,
                (Some(carriers), Some(this)) => position.is_given(e.this, carriers, &e.locals, this),
                (Some(_), None) => false,
            }
    };
    position.in_force(allows).collect()
}

/// Whether the open window lets this seat do what the allowance does; one in response, if that around it does too.
fn admitted(position: &Position<'_>, seat: ThingId, allowance: &Allowance) -> bool {
    if !position.top.as_ref().is_some_and(|top| top.window) {
        return false;
    }
    for (depth, window) in position.windows.iter().rev().enumerate() {
        let mut around = position.clone();
        if depth > 0 {
            around.acts.truncate(window.act + 1);
        }
        let Some(Statement::Window { admits, response }) = &window.statement else { return false };
        let lifted = window.clause.is_some_and(|c| allowance.despite.contains(&c));
        if !admits_one(&around, window.act, admits, seat, allowance, lifted) {
            return false;
        }
        if !response {
            break;
        }
    }
    true
}

fn admits_one(
    position: &Position<'_>,
    act: usize,
    admits: &[Admit],
    seat: ThingId,
    allowance: &Allowance,
    lifted: bool,
) -> bool {
    let act = &position.acts[act];
    let scope = Scope::of(act.this, &act.locals);
    let same = |a: &Footprint, b: &Footprint| match (a, b) {
        (Footprint::Does(v, c), Footprint::Does(w, d)) => v == w && (c == d || c.is_none() || d.is_none()),
        (Footprint::Modifies(c, a), Footprint::Modifies(d, b)) => c == d && (a == b || a.is_none() || b.is_none()),
        _ => false,
    };
    let kind = allowance.action.map(|a| position.program.actions[a.index()].verb);
    let declares = |a: &Footprint| matches!(a, Footprint::Does(verb, _) if Some(*verb) == kind);
    let open = |admit: &&Admit| {
        position.meets(&scope, &admit.by, seat) && admit.whilst.as_ref().is_none_or(|c| position.holds(&scope, c))
    };
    admits.iter().filter(open).any(|admit| {
        let does = |a: &Footprint| declares(a) || allowance.footprint.iter().any(|b| same(a, b));
        admit.footprints.is_empty() || lifted || admit.footprints.iter().any(does)
    })
}

fn below_limit(position: &Position<'_>, id: AllowanceId, allowance: &Allowance, this: Option<ThingId>) -> bool {
    let Some((limit, proc)) = allowance.limit else { return true };
    let instance = position.running(proc).unwrap_or(0);
    let mine = position.usage.iter().filter(|u| u.allowance == id && u.this == this && u.proc == instance);
    mine.map(|u| u.count).sum::<u64>() < u64::from(limit)
}

/// Whether a value may be given for a parameter.
fn fits(position: &Position<'_>, scope: &Scope, parameter: &Parameter, value: &Value) -> bool {
    match (&parameter.from, value) {
        (Pool::Things(conjuncts), value) if parameter.several.is_some() => groups::members(value)
            .into_iter()
            .all(|thing| position.exists(thing) && conjuncts.iter().all(|sel| position.meets(scope, sel, thing))),
        (Pool::Things(conjuncts), Value::Thing(thing)) => {
            position.exists(*thing) && conjuncts.iter().all(|sel| position.meets(scope, sel, *thing))
        }
        (Pool::Entries(list, cond), Value::Entry(entry)) => {
            position.program.lists[list.index()].entries.contains(entry) && position.holds(scope, cond)
        }
        _ => false,
    }
}

/// The events of an act.
enum Events {
    /// They depend on what is chosen later.
    Later,
    /// These: for each, the things in the roles.
    These(Vec<Vec<Option<ThingId>>>),
}

/// The slots that an expression, as data, reads.
pub(crate) fn slots(expression: &serde_json::Value, found: &mut Vec<u8>) {
    // The tree as data names every slot alike, wherever it stands.
    fn walk(json: &serde_json::Value, found: &mut Vec<u8>) {
        match json {
            serde_json::Value::Object(fields) => {
                if let Some(slot) = fields.get("Slot").and_then(serde_json::Value::as_u64) {
                    found.push(u8::try_from(slot).unwrap());
                }
                fields.values().for_each(|v| walk(v, found));
            }
            serde_json::Value::Array(parts) => parts.iter().for_each(|v| walk(v, found)),
            _ => {}
        }
    }
    walk(expression, found);
}

/// The events that a verb with these roles would be: one for each object.
fn events(position: &Position<'_>, scope: &Scope, act: &Act, bound: &dyn Fn(u8) -> bool) -> Events {
    let decl = &position.program.verbs[act.verb.index()];
    let mut all = vec![vec![None; decl.roles.len()]];
    for (i, role) in decl.roles.iter().enumerate() {
        let Some(Some(sel)) = act.roles.get(i) else { continue };
        let things = position.things(scope, sel);
        if things.is_empty() {
            if role.optional {
                continue;
            }
            let mut read = Vec::new();
            slots(&serde_json::to_value(sel).unwrap(), &mut read);
            return if read.into_iter().any(|s| !bound(s)) { Events::Later } else { Events::These(Vec::new()) };
        }
        let distributes = decl.object.map(usize::from) == Some(i);
        let taken = if distributes { &things[..] } else { &things[..1] };
        let with = |row: &Vec<Option<ThingId>>| -> Vec<Vec<Option<ThingId>>> {
            let one = |t: &ThingId| {
                let mut row = row.clone();
                row[i] = Some(*t);
                row
            };
            taken.iter().map(one).collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    Events::These(all)
}

/// Whether the cost can be paid: each act has something to be done to, whatever it needs holds, and nothing pays twice.
fn payable(position: &Position<'_>, scope: &Scope, allowance: &Allowance) -> bool {
    let bound = |s: u8| allowance.parameters.iter().any(|p| p.slot == s);
    let mut paid: Vec<(VerbId, ThingId)> = Vec::new();
    for act in allowance.acts.iter().filter(|act| act.cost) {
        let Events::These(all) = events(position, scope, act, &bound) else { continue };
        if all.is_empty() {
            return false;
        }
        let decl = &position.program.verbs[act.verb.index()];
        for roles in all {
            if let Some(thing) = decl.object.and_then(|o| roles[usize::from(o)]) {
                if paid.contains(&(act.verb, thing)) {
                    return false;
                }
                paid.push((act.verb, thing));
            }
            let mut own = Scope::default();
            for (role, thing) in decl.roles.iter().zip(&roles) {
                own.bind(role.slot, Value::of_thing(*thing));
            }
            if !decl.needs.iter().all(|(cond, _)| position.holds(&own, cond)) {
                return false;
            }
        }
    }
    true
}

/// The event of a declaration: who declares, the thing, and in the next role the first target.
fn declared_roles(
    position: &Position<'_>,
    scope: &Scope,
    seat: ThingId,
    allowance: &Allowance,
    action: &ActionDecl,
) -> Vec<Option<ThingId>> {
    let decl = &position.program.verbs[action.verb.index()];
    let mut roles = vec![None; decl.roles.len()];
    if let Some(object) = decl.object {
        roles[usize::from(object)] = scope.this;
    }
    if let Some(subject) = decl.subject {
        roles[usize::from(subject)] = Some(seat);
    }
    let taken = [decl.object, decl.subject];
    let next = (0..roles.len()).find(|i| !taken.contains(&u8::try_from(*i).ok()));
    let first = allowance.parameters.first().filter(|first| first.several.is_none());
    if let (Some(next), Some(first)) = (next, first) {
        roles[next] = scope.locals.get(usize::from(first.slot)).and_then(|v| match v {
            Value::Thing(t) => Some(*t),
            _ => None,
        });
    }
    roles
}

/// Whether no norm stands against the action, against any of its costs, or against all of one of its effects.
fn free(
    position: &Position<'_>,
    scope: &Scope,
    seat: ThingId,
    allowance: &Allowance,
    action: Option<&ActionDecl>,
) -> bool {
    if let Some(action) = action {
        let roles = declared_roles(position, scope, seat, allowance, action);
        if forbidden(position, action.verb, &roles, None, &allowance.despite) {
            return false;
        }
    }
    let bound = |s: u8| allowance.parameters.iter().any(|p| p.slot == s);
    allowance.acts.iter().all(|act| {
        let Events::These(all) = events(position, scope, act, &bound) else { return true };
        let by = scope.this.filter(|_| !act.cost);
        let barred = |roles: &Vec<Option<ThingId>>| forbidden(position, act.verb, roles, by, &allowance.despite);
        if act.cost { !all.iter().any(barred) } else { all.is_empty() || !all.iter().all(barred) }
    })
}

/// Whether a norm in force forbids an event and no permission in force lifts it.
pub(super) fn forbidden(
    position: &Position<'_>,
    verb: VerbId,
    roles: &[Option<ThingId>],
    by: Option<ThingId>,
    lifted: &[ClauseId],
) -> bool {
    let mut cannot = false;
    let mut permitted = false;
    each_met(position, verb, roles, by, &mut |norm| match norm.kind {
        NormKind::Cannot => cannot |= !lifted.contains(&norm.clause),
        NormKind::Permit => permitted = true,
        NormKind::Must => {}
    });
    cannot && !permitted
}

/// Whether a duty in force is fulfilled by an event.
fn owed(position: &Position<'_>, verb: VerbId, roles: &[Option<ThingId>]) -> bool {
    let mut owed = false;
    each_met(position, verb, roles, None, &mut |norm| owed |= norm.kind == NormKind::Must);
    owed
}

/// Whether an answer fulfils a duty.
pub(crate) fn fulfils(position: &Position<'_>, decision: &Decision, submission: &Submission) -> bool {
    let fulfilled = |scope: &Scope, act: &Act| match events(position, scope, act, &|_| true) {
        Events::Later => false,
        Events::These(all) => all.iter().any(|roles| owed(position, act.verb, roles)),
    };
    let begins = |scope: &Scope, body: BlockId| {
        begins_with(position, scope, body, &|scope, verb, roles| {
            fulfilled(scope, &Act { verb, roles: roles.to_vec(), cost: false, site: SiteId(0) })
        })
    };
    if let Submission::Declare { allowance: id, this, effect, parameters } = submission {
        let Chooser::Seat(seat) = decision.by else { return false };
        let allowance = &position.program.allowances[id.index()];
        let action = allowance.action.map(|a| &position.program.actions[a.index()]);
        let laid = laid_down(position, *id, *this);
        let mut scope = Scope::of(*this, laid.get(usize::from(*effect)).map_or(&[][..], |effect| &effect.locals));
        for (parameter, value) in allowance.parameters.iter().zip(parameters) {
            scope.bind(parameter.slot, value.clone());
        }
        let declares = |action: &ActionDecl| {
            owed(position, action.verb, &declared_roles(position, &scope, seat, allowance, action))
        };
        return action.is_some_and(declares) || allowance.acts.iter().any(|act| fulfilled(&scope, act));
    }
    let Some(top) = &position.top else { return false };
    let act = &position.acts[top.act];
    let mut scope = Scope::of(act.this, &act.locals);
    match (submission, &top.statement) {
        (Submission::Pick(value), Some(Statement::Choose { slot, then, .. })) => {
            scope.bind(*slot, value.clone());
            then.iter().any(|act| fulfilled(&scope, act))
        }
        (Submission::Yes, Some(Statement::May { body, .. })) => begins(&scope, *body),
        (Submission::Branch(n), Some(Statement::ChooseOne { branches, .. })) => {
            begins(&scope, branches[usize::from(*n)])
        }
        _ => false,
    }
}

/// The norms in force that an event meets.
fn each_met(
    position: &Position<'_>,
    verb: VerbId,
    roles: &[Option<ThingId>],
    by: Option<ThingId>,
    see: &mut dyn FnMut(&Norm),
) {
    let program = position.program;
    let mut consider = |norm: &Norm, this: Option<ThingId>, locals: &[Value]| {
        let mut scope = Scope::of(this, locals);
        for (i, (_, slot)) in norm.pattern.roles.iter().enumerate() {
            if let Some(slot) = slot {
                scope.bind(*slot, Value::of_thing(roles.get(i).copied().flatten()));
            }
        }
        let met = norm.pattern.verb == verb
            && norm.pattern.roles.iter().enumerate().all(|(i, (sel, _))| {
                let thing = roles.get(i).copied().flatten();
                sel.as_ref().is_none_or(|s| thing.is_some_and(|t| position.meets(&scope.about(t), s, t)))
            })
            && norm.by.as_ref().is_none_or(|sel| by.is_some_and(|by| position.meets(&scope, sel, by)))
            && norm.cond.as_ref().is_none_or(|c| position.holds(&scope, c));
        if met {
            see(norm);
        }
    };
    // What befalls itself a thing is given wherever it lies.
    let itself = |norm: &Norm| norm.pattern.roles.iter().position(|(sel, _)| sel.as_ref().is_some_and(Sel::is_this));
    let carrying = |norm: &Norm, giver: Option<ThingId>, carriers: &Sel, locals: &[Value]| match itself(norm) {
        Some(role) => {
            let befallen = roles.get(role).copied().flatten();
            befallen.filter(|t| position.is_given(giver, carriers, locals, *t)).into_iter().map(Some).collect()
        }
        None => position.carrying(giver, Some(carriers), locals),
    };
    for norm in program.norms.iter().filter(|n| !n.delayed) {
        if let Some(carriers) = &norm.carriers {
            for giver in position.sayers(norm.card, norm.within.as_ref()) {
                carrying(norm, giver, carriers, &[]).into_iter().for_each(|this| consider(norm, this, &[]));
            }
            continue;
        }
        match norm.card {
            None => consider(norm, None, &[]),
            Some(card) => {
                for t in (0..position.ever()).map(ThingId::from_index) {
                    // What it says of itself it says wherever it lies.
                    let says = match itself(norm) {
                        Some(role) => {
                            let there = |within| position.functions_within(Some(within), t);
                            roles.get(role).copied().flatten() == Some(t) && norm.within.as_ref().is_none_or(there)
                        }
                        None => position.functions_within(norm.within.as_ref(), t),
                    };
                    if position.card(t) == Some(card) && says {
                        consider(norm, Some(t), &[]);
                    }
                }
            }
        }
    }
    for effect in position.in_force(|e| matches!(e.what, EffectKind::Norm(_))) {
        if let EffectKind::Norm(id) = effect.what {
            let norm = &program.norms[id.index()];
            match &norm.carriers {
                None => consider(norm, effect.this, &effect.locals),
                Some(carriers) => carrying(norm, effect.this, carriers, &effect.locals)
                    .into_iter()
                    .for_each(|this| consider(norm, this, &effect.locals)),
            }
        }
    }
}
