//! Looks ahead, by the naive evaluator: what a declaration would do, and what it would begin with.

use netrep_engine::{ThingId, Value};
use netrep_ir::*;

use super::{Declared, Position, Scope};

/// Whether something forbids what a verb would do to these.
type Barred<'a> = dyn Fn(&Scope, VerbId, &[Option<Sel>]) -> bool + 'a;

/// A statement and those after it.
type Course<'p> = Vec<&'p Statement>;

fn block(program: &Program, id: BlockId) -> Course<'_> {
    program.blocks[id.index()].statements.iter().map(|s| &s.0).collect()
}

/// Whether the declaration of a thing, or what it is about to declare, would do such a thing.
pub(super) fn would(position: &Position<'_>, scope: &Scope, prospect: &Prospect, thing: ThingId) -> bool {
    match prospect {
        Prospect::Event(event) if !position.ahead.replace(true) => {
            let brings = would_bring(position, scope, event, thing);
            position.ahead.set(false);
            brings
        }
        // Asked by what is looked at ahead, it is possible of what is declared.
        Prospect::Event(_) => {
            let proposed = position.proposed.borrow().clone();
            position.declared.iter().chain(&proposed).any(|d| d.is(thing))
                || position.passive.iter().any(|p| p.thing == Some(thing))
        }
        Prospect::Cost(of) => would_cost(position, scope, of, thing),
        Prospect::Target(of) => would_target(position, scope, of, thing),
        Prospect::Effect(_) | Prospect::Change(_) => {
            position.guessed.set(true);
            true
        }
    }
}

fn would_cost(position: &Position<'_>, scope: &Scope, of: &Sel, thing: ThingId) -> bool {
    let proposed = position.proposed.borrow().clone();
    let meant = position.things(scope, of);
    position.declared.iter().chain(&proposed).filter(|d| d.is(thing)).any(|d| {
        let own = Scope::of(d.this, &d.locals);
        let acts = position.program.allowances[d.allowance.index()].acts.iter().filter(|act| act.cost);
        acts.flat_map(|act| act.roles.iter().flatten())
            .any(|role| position.things(&own, role).iter().any(|t| meant.contains(t)))
    })
}

fn would_target(position: &Position<'_>, scope: &Scope, of: &Sel, thing: ThingId) -> bool {
    let proposed = position.proposed.borrow().clone();
    let meant = position.things(scope, of);
    position.declared.iter().chain(&proposed).filter(|d| d.is(thing)).any(|d| {
        let parameters = &position.program.allowances[d.allowance.index()].parameters;
        parameters.iter().any(|p| match d.locals.get(usize::from(p.slot)) {
            Some(Value::Thing(t)) => meant.contains(t),
            _ => false,
        })
    })
}

fn would_bring(position: &Position<'_>, scope: &Scope, event: &Past, thing: ThingId) -> bool {
    let proposed = position.proposed.borrow().clone();
    let declared = position.declared.iter().chain(&proposed).filter(|d| d.is(thing));
    let declared =
        declared.map(|d| (position.program.allowances[d.allowance.index()].effect, Scope::of(d.this, &d.locals)));
    let passive = position.passive.iter().filter(|p| p.thing == Some(thing));
    let passive =
        passive.map(|p| (Some(position.program.triggers[p.trigger.index()].body), Scope::of(p.this, &p.locals)));
    declared.chain(passive).any(|(effect, own)| {
        let wanted = |things: &dyn Fn(&Sel) -> Vec<ThingId>, roles: &[Option<Sel>]| {
            event.roles.iter().enumerate().all(|(i, role)| {
                let Some(role) = role else { return true };
                let meant = position.things(scope, role);
                let done = roles.get(i).and_then(Option::as_ref).map(things).unwrap_or_default();
                done.iter().any(|t| meant.contains(t))
            })
        };
        effect.is_some_and(|effect| {
            comes_to(position, &own, block(position.program, effect), &|scope, statement| match statement {
                Statement::Do { verb, roles } => {
                    *verb == event.verb && wanted(&|sel| position.things(scope, sel), roles)
                }
                _ => false,
            })
        })
    })
}

/// Whether some course of the statements comes to one that is wanted: every answer is tried, and so is either branch of a
/// condition that reads what is not known yet.
fn comes_to(
    position: &Position<'_>,
    scope: &Scope,
    course: Course<'_>,
    wanted: &dyn Fn(&Scope, &Statement) -> bool,
) -> bool {
    let Some((first, rest)) = course.split_first() else { return false };
    if wanted(scope, first) {
        return true;
    }
    let program = position.program;
    let after = |inner: Option<BlockId>| {
        let inner = inner.map(|id| block(program, id)).unwrap_or_default();
        inner.into_iter().chain(rest.iter().copied()).collect::<Course<'_>>()
    };
    let on = |scope: &Scope, inner: Option<BlockId>| comes_to(position, scope, after(inner), wanted);
    let each = |of: &Sel, slot: u8, inner: Option<BlockId>| {
        position.things(scope, of).into_iter().any(|t| {
            let mut scope = scope.clone();
            scope.bind(slot, Value::Thing(t));
            on(&scope, inner)
        })
    };
    match first {
        Statement::LetSlot(slot, Val::Things(of)) => each(of, *slot, None) || on(scope, None),
        Statement::If(cond, then, other) => {
            let mut read = Vec::new();
            super::rules::slots(&serde_json::to_value(cond).unwrap(), &mut read);
            let open = |s: &u8| matches!(scope.locals.get(usize::from(*s)), None | Some(Value::None));
            let known = (!read.iter().any(open)).then(|| position.holds(scope, cond));
            known != Some(false) && on(scope, Some(*then)) || known != Some(true) && on(scope, *other)
        }
        Statement::ForEach { of, slot, body, .. } => each(of, *slot, Some(*body)) || on(scope, None),
        Statement::Choose { from, slot, optional, .. } => {
            let (then, other) = optional.map_or((None, None), |(then, other)| (Some(then), other));
            each(from, *slot, then) || on(scope, other)
        }
        Statement::May { body, otherwise, .. } => on(scope, Some(*body)) || on(scope, *otherwise),
        Statement::ChooseOne { branches, .. } => branches.iter().any(|b| on(scope, Some(*b))),
        Statement::RepeatUntil(body, _) | Statement::RepeatTimes(_, body) => on(scope, Some(*body)),
        _ => on(scope, None),
    }
}

/// Whether one of the acts with which the procedures begin that a declaration performs, before anybody is asked, is wholly
/// forbidden.
pub(super) fn begins_forbidden(position: &Position<'_>, declared: &Declared, barred: &Barred<'_>) -> bool {
    let Some(effect) = position.program.allowances[declared.allowance.index()].effect else { return false };
    let scope = Scope::of(declared.this, &declared.locals);
    barred_in(position, &scope, block(position.program, effect), false, barred)
}

/// Whether something is so of an act with which a block begins, before anybody is asked.
pub(super) fn begins_with(position: &Position<'_>, scope: &Scope, body: BlockId, see: &Barred<'_>) -> bool {
    barred_in(position, scope, block(position.program, body), true, see)
}

fn barred_in(position: &Position<'_>, scope: &Scope, course: Course<'_>, inside: bool, barred: &Barred<'_>) -> bool {
    let program = position.program;
    let Some((first, rest)) = course.split_first() else { return false };
    match first {
        Statement::Do { verb, roles } => {
            inside && barred(scope, *verb, roles) || barred_in(position, scope, rest.to_vec(), inside, barred)
        }
        Statement::If(Cond::Is(true), then, _) => {
            let flat = block(program, *then).into_iter().chain(rest.iter().copied()).collect();
            barred_in(position, scope, flat, inside, barred)
        }
        Statement::Perform { proc, arguments } => {
            let proc = &program.procs[proc.index()];
            let Some(step) = proc.steps.first().filter(|_| proc.prologue.is_none()) else { return false };
            let mut own = Scope::default();
            for ((slot, _), argument) in proc.parameters.iter().zip(arguments) {
                let value = match argument {
                    Val::Things(sel) => Value::of_thing(position.things(scope, sel).first().copied()),
                    Val::Num(num) => Value::Num(position.number(scope, num)),
                    _ => Value::None,
                };
                own.bind(*slot, value);
            }
            barred_in(position, &own, block(program, program.steps[step.index()].body), true, barred)
        }
        _ => false,
    }
}
