//! The attempt that comes nearest to being legal.

use netrep_engine::{Game, Submission, ThingId, Value, Verdict};
use netrep_ir::{Allowance, AllowanceId, ClassId, Parameter, Pool, Sel};

use crate::attempts::listed;

/// More things than this are not tried as one choice of an attempt.
const POOL: usize = 24;

/// A refused attempt, with the game in which it was made.
pub(crate) struct Near {
    pub stage: usize,
    /// How many lines of the stage's moves led there.
    pub lines: usize,
    pub game: Game,
    pub submission: Submission,
    pub verdict: Verdict,
}

/// How far an attempt is from being legal; less is nearer. First whether all of it can be mended, then how many reasons
/// cannot, then how many lie in what was chosen rather than in the position, then how many there are.
pub(crate) fn score(verdict: &Verdict) -> (bool, usize, usize, usize) {
    let stubborn = verdict.reasons.iter().filter(|reason| reason.mends.is_empty()).count();
    let chosen = verdict.reasons.iter().filter(|reason| reason.clause == verdict.licence).count();
    (verdict.would_be_legal_if.is_empty(), stubborn, chosen, verdict.reasons.len())
}

/// The attempt at an action with the fewest reasons against it: each choice in turn is the one that helps most.
pub(super) fn nearest(
    game: &Game,
    id: AllowanceId,
    allowance: &Allowance,
    thing: ThingId,
    left: &mut usize,
) -> Option<(Submission, Verdict)> {
    let pools: Vec<Vec<Value>> = allowance.parameters.iter().map(|parameter| pool(game, parameter)).collect();
    let mut chosen: Vec<Value> = pools.iter().map(|pool| pool.first().cloned()).collect::<Option<_>>()?;
    let declare = |parameters: &[Value]| Submission::Declare {
        allowance: id,
        this: Some(thing),
        effect: 0,
        parameters: parameters.to_vec(),
    };
    let mut best = {
        let submission = declare(&chosen);
        let verdict = game.explain(&submission);
        (submission, verdict)
    };
    for (at, pool) in pools.iter().enumerate() {
        for value in pool {
            *left = left.saturating_sub(1);
            if *left == 0 {
                return Some(best);
            }
            let mut other = chosen.clone();
            if let Some(slot) = other.get_mut(at) {
                slot.clone_from(value);
            }
            let submission = declare(&other);
            let verdict = game.explain(&submission);
            if score(&verdict) < score(&best.1) {
                best = (submission, verdict);
                chosen = other;
            }
        }
    }
    Some(best)
}

/// What might be chosen: the things of the right class, the entries of the list; several are chosen later.
fn pool(game: &Game, parameter: &Parameter) -> Vec<Value> {
    match &parameter.from {
        _ if parameter.several.is_some() => vec![Value::None],
        Pool::Things(conjuncts) => {
            let class = conjuncts.iter().find_map(class_of);
            let fits = |thing: &ThingId| game.exists(*thing) && class.is_none_or(|c| game.class_of(*thing) == Some(c));
            (0..game.things()).map(ThingId::from_index).filter(fits).take(POOL).map(Value::Thing).collect()
        }
        Pool::Entries(list, _) => {
            let entries = listed(game.program(), *list);
            entries.iter().take(POOL).map(|entry| Value::Entry(*entry)).collect()
        }
    }
}

fn class_of(sel: &Sel) -> Option<ClassId> {
    match sel {
        Sel::Class(class) => Some(*class),
        Sel::And(parts) => parts.iter().find_map(class_of),
        _ => None,
    }
}
