//! Who answers in a simulated game.

use netrep_engine::{Chooser, DecisionKind, Game, Submission, ThingId};
use netrep_ir::AttrId;

use super::chance::Chance;
use crate::narrate::quiet_answer;

/// A kind of player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Player {
    /// Any option; one answer in four declines if it can, so that things happen.
    #[default]
    Random,
    /// The option after which the position is worth most, by the valuation of the data (kernel service `valuation`).
    Greedy,
}

/// More options than this are not tried out: the others are left to chance.
const MOST: usize = 24;

/// So many answers are given at most until what was declared has resolved.
const AHEAD: usize = 24;

/// What the player answers; `None` if there is no option.
pub fn answer(player: Player, game: &mut Game, options: &[Submission], chance: &mut Chance) -> Option<Submission> {
    match (player, game.program().services.valuation, game.decision().map(|d| d.by)) {
        (Player::Greedy, Some(valuation), Some(Chooser::Seat(seat))) if options.len() > 1 => {
            best(game, options, valuation, seat, chance)
        }
        _ => any(options, chance),
    }
}

fn quiet(submission: &Submission) -> bool {
    matches!(submission, Submission::Pass | Submission::Decline | Submission::No)
}

/// An option: one answer in four declines if it can.
fn any(options: &[Submission], chance: &mut Chance) -> Option<Submission> {
    let (calm, active): (Vec<&Submission>, Vec<&Submission>) = options.iter().partition(|s| quiet(s));
    let declines = active.is_empty() || !calm.is_empty() && chance.below(4) == 0;
    let from = if declines { calm } else { active };
    from.get(chance.below(from.len())).map(|s| (*s).clone())
}

/// The option after which the position is worth most; of those that are worth the same, any.
fn best(
    game: &mut Game,
    options: &[Submission],
    valuation: AttrId,
    seat: ThingId,
    chance: &mut Chance,
) -> Option<Submission> {
    let mut tried: Vec<&Submission> = options.iter().collect();
    while tried.len() > MOST {
        tried.swap_remove(chance.below(tried.len()));
    }
    // The same dice for all options, and not those that will be rolled.
    let seed = chance.number();
    let mut found: Vec<&Submission> = Vec::new();
    let mut most = i64::MIN;
    for option in tried {
        let Some(worth) = worth(game, option, valuation, seat, seed) else { continue };
        if worth > most {
            most = worth;
            found.clear();
        }
        if worth == most {
            found.push(option);
        }
    }
    let found: Vec<Submission> = found.into_iter().cloned().collect();
    if found.is_empty() { any(options, chance) } else { any(&found, chance) }
}

/// What a position is worth to a player after an answer, when what it declares has resolved.
fn worth(game: &mut Game, option: &Submission, valuation: AttrId, seat: ThingId, seed: u64) -> Option<i64> {
    game.suppose(|after| {
        after.take(option).ok()?;
        for _ in 0..AHEAD {
            let Some(decision) = after.decision() else { break };
            let open = matches!(decision.kind, DecisionKind::Act | DecisionKind::Step);
            if open && after.chain() == 0 {
                break;
            }
            let next = quiet_answer(after, Some(seed)).or_else(|| after.options().first().cloned());
            if next.is_none_or(|next| after.take(&next).is_err()) {
                break;
            }
        }
        let players = after.select(&netrep_ir::Sel::Class(after.program().services.player));
        let value = |player| i64::from(after.current(valuation, player));
        Some(players.iter().map(|player| if player == seat { value(player) } else { -value(player) }).sum())
    })
}
