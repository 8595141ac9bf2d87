//! What a declaration chooses several of: every group of things that fit is tried, with all that is asked of the whole.

use netrep_engine::{Gathering, Set, ThingId, Value};
use netrep_ir::*;

use super::rules::{Key, whole};
use super::{Position, Scope};

/// The things of a value.
pub(super) fn members(value: &Value) -> Vec<ThingId> {
    match value {
        Value::Thing(thing) => vec![*thing],
        Value::Set(set) => set.iter().collect(),
        _ => Vec::new(),
    }
}

fn value_of(things: &[ThingId]) -> Value {
    match things {
        [] => Value::None,
        [one] => Value::Thing(*one),
        many => {
            let most = many.iter().map(|t| t.index()).max().unwrap_or_default();
            let mut set = Set::empty(most / 64 + 1);
            many.iter().for_each(|t| set.insert(*t));
            Value::Set(Box::new(set))
        }
    }
}

/// Whether there is a way to choose for all parameters of several from the `from`-th on.
pub(super) fn completes(position: &Position<'_>, seat: ThingId, key: Key, parameters: &[Value], from: usize) -> bool {
    let allowance = &position.program.allowances[key.0.index()];
    let next = allowance.parameters.iter().enumerate().skip(from).find(|(_, p)| p.several.is_some());
    match next {
        None => whole(position, seat, key, parameters),
        Some((at, _)) => completes_with(position, seat, key, parameters, at, &[]),
    }
}

/// The same, with these among those that are chosen for the `at`-th.
fn completes_with(
    position: &Position<'_>,
    seat: ThingId,
    key: Key,
    parameters: &[Value],
    at: usize,
    taken: &[ThingId],
) -> bool {
    let allowance = &position.program.allowances[key.0.index()];
    let parameter = &allowance.parameters[at];
    let (Some(several), Pool::Things(conjuncts)) = (parameter.several, &parameter.from) else { return false };
    let mut scope = Scope::of(key.1, &[]);
    for (parameter, value) in allowance.parameters.iter().zip(parameters) {
        scope.bind(parameter.slot, value.clone());
    }
    let fits = |t: &ThingId| position.exists(*t) && conjuncts.iter().all(|sel| position.meets(&scope, sel, *t));
    if !taken.iter().all(fits) {
        return false;
    }
    let all = (0..position.ever()).map(ThingId::from_index);
    let others: Vec<ThingId> = all.filter(|t| fits(t) && !taken.contains(t)).collect();
    assert!(others.len() < 16, "too many groups for a naive look");
    (0..1u32 << others.len()).any(|mask| {
        let picked = others.iter().enumerate().filter(|(n, _)| mask >> n & 1 == 1).map(|(_, t)| *t);
        let mut group: Vec<ThingId> = taken.iter().copied().chain(picked).collect();
        group.sort_unstable();
        let right = group.len() >= usize::from(several.least)
            && several.most.is_none_or(|most| group.len() <= usize::from(most));
        let mut chosen = parameters.to_vec();
        chosen[at] = value_of(&group);
        right && completes(position, seat, key, &chosen, at + 1)
    })
}

/// Whether a thing may be chosen with those that are.
pub(super) fn may_take(position: &Position<'_>, seat: ThingId, declaration: &Gathering, thing: ThingId) -> bool {
    let (key, at) = ((declaration.allowance, declaration.this, declaration.effect), usize::from(declaration.at));
    let mut taken = members(&declaration.parameters[at]);
    if taken.contains(&thing) {
        return false;
    }
    taken.push(thing);
    completes_with(position, seat, key, &declaration.parameters, at, &taken)
}

/// Whether it may be left at what is chosen.
pub(super) fn may_stop(position: &Position<'_>, seat: ThingId, declaration: &Gathering) -> bool {
    let (key, at) = ((declaration.allowance, declaration.this, declaration.effect), usize::from(declaration.at));
    let parameter = &position.program.allowances[declaration.allowance.index()].parameters[at];
    let chosen = members(&declaration.parameters[at]).len();
    parameter.several.is_some_and(|several| chosen >= usize::from(several.least))
        && completes(position, seat, key, &declaration.parameters, at + 1)
}
