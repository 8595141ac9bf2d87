//! One random game.

use netrep_engine::{Chooser, DecisionKind, Game, Refusal, Submission};
use netrep_ir::Sel;

use super::chance::Chance;
use super::laws::{Laws, Wrong};
use super::players::answer;
use super::timing::{Timing, timed};
use super::{Counts, Plan, Trouble};

/// Where the engine is verified, it is found out at every so many decisions what can be declared by trying everything, and what
/// comes of an answer in a copy, for each of so many times of which one is verified.
const TRIED: usize = 3;

/// And of every so many decisions, for each of these, at some in a row, what the players see: what is kept of that is forgotten
/// whenever the way back from an answer is verified. Where they begin follows from the seed.
const SEEN: (usize, usize) = (160, 8);

/// What was submitted at a decision; nothing for chance, which is keyed by the seed.
pub(super) type Taken = Option<Submission>;

/// A game that was played.
pub(super) struct Walked {
    pub game: Game,
    pub record: Vec<Taken>,
    pub counts: Counts,
    pub wrong: Option<Wrong>,
    pub timing: Option<Timing>,
}

/// Plays one game.
pub(super) fn walk(start: &Game, plan: &Plan, laws: &Laws, seed: u64) -> Walked {
    let counts = Counts { games: 1, ..Counts::default() };
    let mut walked = Walked {
        game: start.clone(),
        record: Vec::new(),
        counts,
        wrong: None,
        timing: plan.timing.then(Timing::default),
    };
    walked.game.verify(plan.verify);
    let counting = |game: &mut Game, listing: bool| {
        if let Some(tallies) = &plan.tallies {
            game.count_into(Some(if listing { &tallies.listing } else { &tallies.rest }));
        }
    };
    counting(&mut walked.game, false);
    // What is sampled must not shift what is played.
    let mut chance = Chance::new(seed);
    let mut samples = Chance::new(seed ^ 0x5a5a_5a5a);
    walked.wrong = loop {
        let (game, counts) = (&mut walked.game, &mut walked.counts);
        counts.longest_chain = counts.longest_chain.max(wide(game.chain()));
        counts.most_things = counts.most_things.max(wide(game.things()));
        counts.capacity = counts.capacity.max(wide(game.capacity()));
        counts.longest_game = counts.longest_game.max(wide(walked.record.len()));
        let last = game.decision().is_none() || walked.record.len() >= plan.most;
        if (plan.laws || last)
            && let Some(wrong) = laws.broken(game)
        {
            break Some(wrong);
        }
        let Some(decision) = game.decision() else {
            counts.ended += 1;
            break None;
        };
        if plan.until.as_ref().is_some_and(|until| game.holds(until)) {
            counts.stopped += 1;
            break None;
        }
        if walked.record.len() >= plan.most {
            counts.cut += 1;
            break None;
        }
        if decision.by == Chooser::Chance {
            counts.rolls += 1;
            walked.record.push(None);
            let rolling = walked.timing.as_mut().map(|timing| &mut timing.rolling);
            match timed(rolling, || rolled(game, seed)) {
                Ok(()) => continue,
                Err(wrong) => break Some(wrong),
            }
        }
        let is_window = decision.kind == DecisionKind::Act;
        counts.windows += u64::from(is_window);
        counting(game, true);
        let listing = walked.timing.as_mut().map(|timing| &mut timing.listing);
        let options: Vec<Submission> = timed(listing, || game.options());
        counting(game, false);
        counts.idle += u64::from(is_window && options.len() == 1);
        counts.options += wide(options.len());
        counts.choices += u64::from(options.len() > 1);
        let (every, at) = (plan.verify.every as usize, walked.record.len());
        if every > 0
            && at.is_multiple_of(TRIED * every + 1)
            && let Some(wrong) = laws.offered(game, &options)
        {
            break Some(wrong);
        }
        if every > 0 && (at + seed as usize * 131) % (SEEN.0 * every) < SEEN.1 {
            // What the players see is compared with a view from nothing.
            let player = Sel::Class(game.program().services.player);
            game.select(&player).iter().for_each(|seat| drop(game.view(seat)));
        }
        let Some(submission) = answer(plan.player, game, &options, &mut chance) else {
            break Some((Trouble::Stuck, format!("{} and there is no option", crate::narrate::asked(game))));
        };
        if plan.sample > 0
            && samples.below(plan.sample) == 0
            && let Some((wrong, tried)) = laws.accepted(game, &options, plan.tries, &mut samples, counts)
        {
            // What goes wrong when it is tried goes wrong when it is played.
            walked.record.push(Some(tried));
            break Some(wrong);
        }
        if every > 0
            && at.is_multiple_of(TRIED * every)
            && let Some(wrong) = laws.supposed(game, &submission)
        {
            break Some(wrong);
        }
        counts.decisions += 1;
        walked.record.push(Some(submission.clone()));
        let taking = walked.timing.as_mut().map(|timing| &mut timing.taking);
        if let Err(wrong) = timed(taking, || taken(game, &submission)) {
            break Some(wrong);
        }
    };
    walked
}

fn wide(n: usize) -> u64 {
    n as u64
}

/// What chance does, keyed by the seed.
pub(super) fn rolled(game: &mut Game, seed: u64) -> Result<(), Wrong> {
    match game.keyed_roll(seed) {
        Some(submission) => taken(game, &submission),
        None => Err((Trouble::Stuck, "chance has nothing to decide".to_owned())),
    }
}

/// Takes what is offered.
pub(super) fn taken(game: &mut Game, submission: &Submission) -> Result<(), Wrong> {
    game.take(submission).map_err(|refusal| match refusal {
        Refusal::Failed(error) => (Trouble::Failed, format!("{}: {error}", game.submission_words(submission))),
        other => (Trouble::Refused, format!("{}: {other}", game.submission_words(submission))),
    })
}
