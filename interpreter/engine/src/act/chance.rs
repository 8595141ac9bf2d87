//! Chance: every roll is keyed by seed, purpose, subject and ordinal, so that one more roll shifts no other.

use netrep_ir::identity::roll_key;
use netrep_ir::{BlockId, ClauseId};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use xxhash_rust::xxh3::Xxh3;

use crate::ask::eval::Eval;
use crate::position::set::ThingId;
use crate::position::stack::{Chooser, DecisionKind, Kind};
use crate::position::submission::Submission;
use crate::position::value::{Value, count};

/// A number below `n` (0 if `n` is 0), without bias: by rejection.
pub(crate) fn below(rng: &mut ChaCha8Rng, n: u32) -> u32 {
    if n == 0 {
        return 0;
    }
    let zone = u32::MAX - (u32::MAX % n + 1) % n;
    loop {
        let x = rng.next_u32();
        if x <= zone {
            return x % n;
        }
    }
}

/// What identifies a thing over positions and edits, without a word of the vocabulary: its card and copy, or how it is
/// described. Things that cannot be told apart so share their rolls' count, never their rolls.
pub(crate) fn subject_key(eval: &Eval, subject: Option<ThingId>) -> u64 {
    // total: 0 is the key of no subject; keys of things are at least 1.
    let Some(thing) = subject else { return 0 };
    let mut hash = Xxh3::new();
    let mut at = Some(thing);
    for _ in 0..4 {
        let Some(thing) = at else { break };
        match eval.link.table.given.get(thing.index()) {
            Some(given) => {
                // A given thing without a card has no id in its key.
                if let Some(card) = given.card {
                    hash.update(eval.link.program.card(card).id.as_bytes());
                }
                hash.update(&[0]);
                hash.update(&given.copy.to_le_bytes());
                at = None;
            }
            None => {
                hash.update(&[1]);
                at = eval.description(thing);
            }
        }
    }
    hash.digest().max(1)
}

/// What identifies the purpose of a roll, without a word of the vocabulary: the clause of a rule or card that asks for it. What
/// the declaration of a word asks for is asked by the clause that uses the word.
pub(crate) fn purpose_key(eval: &Eval, purpose: BlockId) -> u64 {
    let key = |clause: ClauseId| eval.link.program.clauses.get(clause.index()).and_then(roll_key);
    let clause = eval.link.block_clause(purpose);
    // What is thrown in the procedure around a roll is asked for by the statement that rolls.
    let rolling = eval.state.frames.iter().rev().find_map(|frame| match &frame.kind {
        Kind::Rolling(rolled) if rolled.at.block == purpose => Some(frame.act),
        _ => None,
    });
    // total: all other chance is asked for where the machine stands.
    let acting = usize::from(rolling.unwrap_or_else(|| eval.state.act_here()));
    let around = eval.state.acts.iter().take(acting + 1).rev().map(|act| act.clause);
    // total: a roll that no clause of a rule or card asks for has the purpose 0, like all of its kind.
    std::iter::once(clause).chain(around).find_map(key).unwrap_or(0)
}

/// The generator for the next roll of a purpose for a subject.
fn keyed(eval: &Eval, seed: u64, purpose: BlockId, subject: Option<ThingId>) -> ChaCha8Rng {
    let (purpose, subject) = (purpose_key(eval, purpose), subject_key(eval, subject));
    let rolled = eval.state.ordinals.iter().find(|o| o.purpose == purpose && o.subject == subject);
    // total: what was not rolled yet was rolled 0 times.
    let count = rolled.map_or(0, |o| o.count);
    let mut key = [0u8; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&purpose.to_le_bytes());
    key[16..24].copy_from_slice(&subject.to_le_bytes());
    key[24..28].copy_from_slice(&count.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

/// What chance submits at a decision of its own; `None` at any other.
pub(crate) fn roll(eval: &Eval, seed: u64) -> Option<Submission> {
    let ask = eval.state.ask.as_ref()?;
    match &ask.kind {
        DecisionKind::Roll { dice, subject, purpose, .. } => {
            let mut rng = keyed(eval, seed, *purpose, *subject);
            let total = (0..*dice).map(|_| 1 + below(&mut rng, 6) as i32).sum();
            Some(Submission::Dice(total))
        }
        DecisionKind::Shuffle { place, owner, purpose } => {
            let mut rng = keyed(eval, seed, *purpose, *owner);
            let mut things = eval.in_order(*place, *owner);
            for i in (1..things.len()).rev() {
                let j = below(&mut rng, count(i + 1)) as usize;
                things.swap(i, j);
            }
            Some(Submission::Shuffled(things))
        }
        DecisionKind::Choose { from, .. } if ask.by == Chooser::Chance => {
            let Kind::Block(at) = eval.state.frames.last()?.kind else { return None };
            let mut rng = keyed(eval, seed, at.block, None);
            let n = below(&mut rng, count(from.len())) as usize;
            from.iter().nth(n).map(|t| Submission::Pick(Value::Thing(t)))
        }
        _ => None,
    }
}
