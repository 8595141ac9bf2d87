//! Keyed random play and scripted play.

use netrep_engine::{Chooser, Game, Refusal, Submission};
pub(crate) use netrep_lab::simulate::Chance;

/// True for an answer that only declines: random play takes it less often, so that things happen.
fn declines(submission: &Submission) -> bool {
    matches!(submission, Submission::Pass | Submission::Decline | Submission::No)
}

/// The index, in canonical order, of the option that random play takes; `None` at a decision of chance, or
/// when the game is over.
pub(crate) fn pick(game: &Game, chance: &mut Chance) -> Option<usize> {
    if !matches!(game.decision()?.by, Chooser::Seat(_)) {
        return None;
    }
    let options = game.options();
    assert!(!options.is_empty(), "someone must be able to act: {:?}", game.decision());
    let quiet: Vec<usize> = (0..options.len()).filter(|i| declines(&options[*i])).collect();
    let active: Vec<usize> = (0..options.len()).filter(|i| !quiet.contains(i)).collect();
    // One answer in four declines if it can.
    let from = if active.is_empty() || (!quiet.is_empty() && chance.below(4) == 0) { quiet } else { active };
    Some(from[chance.below(from.len())])
}

/// What random play submits at this decision: an option of a player, or the keyed dice.
pub(crate) fn next(game: &Game, chance: &mut Chance, seed: u64) -> Option<Submission> {
    game.decision()?;
    match pick(game, chance) {
        Some(i) => Some(game.options()[i].clone()),
        None => game.keyed_roll(seed),
    }
}

/// Plays at random until the game is over or `most` decisions are taken; `see` is shown every decision first.
/// Says how many were taken.
pub(crate) fn random(game: &mut Game, seed: u64, most: usize, mut see: impl FnMut(&Game)) -> usize {
    let mut chance = Chance::new(seed);
    for taken in 0..most {
        if game.decision().is_none() {
            return taken;
        }
        see(game);
        let Some(submission) = next(game, &mut chance, seed) else { return taken };
        take(game, &submission);
    }
    most
}

/// Takes a submission that must be legal.
pub(crate) fn take(game: &mut Game, submission: &Submission) {
    if let Err(refusal) = game.take(submission) {
        panic!("{}: {refusal}", game.submission_words(submission));
    }
}

/// Takes the option of these words; panics with the options if there is none.
pub(crate) fn say(game: &mut Game, words: &str) {
    let Some(submission) = game.find(words) else {
        let options: Vec<String> = game.options_in_words().into_iter().map(|o| o.0).collect();
        panic!("`{words}` is not offered, only {options:?}");
    };
    take(game, &submission);
}

/// Answers the roll that is asked.
pub(crate) fn dice(game: &mut Game, total: i32) {
    take(game, &Submission::Dice(total));
}

/// The labels of the clauses for which a submission is refused, in the order of the reasons.
pub(crate) fn refused_clauses(game: &Game, submission: &Submission) -> Vec<String> {
    match game.clone().take(submission) {
        Err(Refusal::Illegal(verdict)) => {
            let label = |clause: netrep_ir::ClauseId| game.program().clauses[clause.index()].label.to_string();
            verdict.reasons.iter().map(|reason| label(reason.clause)).collect()
        }
        Err(refusal) => panic!("{refusal}"),
        Ok(()) => Vec::new(),
    }
}
