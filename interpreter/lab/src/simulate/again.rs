//! A recorded game once more: from its words, and from a saved game.

use std::sync::Arc;

use netrep_engine::{Chooser, Game};

use super::chance::Chance;
use super::laws::Wrong;
use super::walk::{Taken, Walked, rolled, taken};
use super::{Counts, Said, Trouble};
use crate::narrate::name_of;

/// The name of the player who decides, without quotes.
pub(super) fn decider(game: &Game) -> Option<String> {
    match game.decision()?.by {
        Chooser::Seat(seat) => Some(name_of(game, seat)),
        Chooser::Chance => None,
    }
}

/// The recorded answers of players in words, as far as they can be said.
pub(super) fn said(start: &Game, seed: u64, record: &[Taken]) -> Vec<Said> {
    let mut game = start.clone();
    let mut said = Vec::new();
    for entry in record {
        let Some(submission) = entry else {
            if rolled(&mut game, seed).is_err() {
                return said;
            }
            continue;
        };
        let Some(by) = decider(&game) else { return said };
        let found = game.options_in_words().into_iter().find(|o| o.1 == *submission);
        let words = match found {
            Some((words, _)) => words,
            None => game.submission_words(submission),
        };
        said.push(Said { by, words });
        if taken(&mut game, submission).is_err() {
            return said;
        }
    }
    said
}

/// Plays a game again by its words, saves it on the way, and goes on from what was saved.
pub(super) fn again(start: &Game, seed: u64, walked: &Walked, counts: &mut Counts) -> Option<Wrong> {
    let program = start.program();
    let wanted = walked.game.position_hash();
    let mut game = start.clone();
    let mut loaded: Option<Game> = None;
    let at = Chance::new(seed ^ 0x1234).below(walked.record.len());
    for (n, entry) in walked.record.iter().enumerate() {
        if n == at {
            match Game::load(Arc::clone(program), &game.save()) {
                Ok(other) if other.position_hash() == game.position_hash() => loaded = Some(other),
                Ok(_) => return Some((Trouble::Saved, format!("after {n} decisions the loaded game is another"))),
                Err(error) => return Some((Trouble::Saved, format!("after {n} decisions: {error}"))),
            }
        }
        if let Err(wrong) = repeat(&mut game, seed, entry) {
            return Some((Trouble::Replay, wrong));
        }
        if let Some(other) = &mut loaded
            && let Err(wrong) = repeat(other, seed, entry)
        {
            return Some((Trouble::Saved, wrong));
        }
    }
    counts.replays += 1;
    if game.position_hash() != wanted {
        return Some((Trouble::Replay, "the same choices end in another position".to_owned()));
    }
    counts.loads += u64::from(loaded.is_some());
    if loaded.is_some_and(|other| other.position_hash() != wanted) {
        return Some((Trouble::Saved, "the saved game ends in another position".to_owned()));
    }
    None
}

/// Takes a recorded answer by its words.
fn repeat(game: &mut Game, seed: u64, entry: &Taken) -> Result<(), String> {
    let Some(submission) = entry else { return rolled(game, seed).map_err(|w| w.1) };
    let options = game.options_in_words();
    let Some((words, _)) = options.iter().find(|o| o.1 == *submission) else {
        return Err(format!("{} is not offered again", game.submission_words(submission)));
    };
    if options.iter().filter(|o| o.0 == *words).count() > 1 {
        return Err(format!("two options read `{words}`"));
    }
    taken(game, submission).map_err(|w| w.1)
}
