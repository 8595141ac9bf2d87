//! The fewest answers that still lead into the same trouble.

use netrep_engine::{Game, Submission};

use super::again::decider;
use super::laws::Laws;
use super::walk::{rolled, taken};
use super::{Failure, Said, Trouble};
use crate::narrate::quiet_answer;

/// How often a shorter transcript is tried.
const TRIES: usize = 400;
/// How many answers are played for that in all: a whole game has thousands, and somebody waits.
const ANSWERS: usize = 50_000;

/// Plays a transcript: the answers as they are written, chance by the seed.
///
/// # Errors
/// In words, where the game does not go as it is written.
pub fn reproduce(start: &Game, seed: u64, transcript: &[Said]) -> Result<Game, String> {
    let mut game = start.clone();
    for said in transcript {
        while game.decision().is_some() && decider(&game).is_none() {
            rolled(&mut game, seed).map_err(|w| w.1)?;
        }
        if decider(&game).as_deref() != Some(said.by.as_str()) {
            return Err(format!("`{}` is not asked for `{}`", said.by, said.words));
        }
        let Some(submission) = game.find(&said.words) else {
            return Err(format!("`{}` is not offered to {}", said.words, said.by));
        };
        taken(&mut game, &submission).map_err(|w| w.1)?;
    }
    while game.decision().is_some() && decider(&game).is_none() {
        rolled(&mut game, seed).map_err(|w| w.1)?;
    }
    Ok(game)
}

/// Leaves answers out of a failure's transcript for as long as it goes wrong in the same way.
pub(super) fn shorten(start: &Game, laws: &Laws, failure: &mut Failure) {
    let seen_by_position = matches!(
        failure.trouble,
        Trouble::Stuck | Trouble::Refused | Trouble::Failed | Trouble::Invariant | Trouble::Misplaced
    );
    if !seen_by_position {
        return;
    }
    let go = |lines: &[Said], most: usize| lenient(start, laws, failure.seed, failure.trouble, lines, most);
    // What was seen by trying out submissions is not seen by playing.
    let Some(mut best) = go(&failure.transcript, failure.transcript.len()) else { return };
    let (mut tries, mut answers) = (0, 0);
    let mut chunk = best.len().div_ceil(2);
    while chunk > 0 && tries < TRIES && answers < ANSWERS {
        let mut at = 0;
        let mut better = false;
        while at < best.len() && tries < TRIES && answers < ANSWERS {
            tries += 1;
            answers += best.len();
            let end = (at + chunk).min(best.len());
            let less: Vec<Said> = best.iter().take(at).chain(best.iter().skip(end)).cloned().collect();
            match go(&less, best.len()) {
                Some(found) if weight(&found) < weight(&best) => {
                    best = found;
                    better = true;
                }
                _ => at += chunk,
            }
        }
        if !better || chunk > best.len() {
            chunk /= 2;
        }
    }
    failure.transcript = best;
}

/// How much there is to read: answers that do something count for more than passing.
fn weight(lines: &[Said]) -> usize {
    let quiet = |said: &&Said| matches!(said.words.as_str(), "pass" | "decline" | "no");
    lines.len() + 9 * lines.iter().filter(|said| !quiet(said)).count()
}

/// Plays the lines that can be said, and a quiet answer where none can; what was said until the trouble came, if it did.
fn lenient(start: &Game, laws: &Laws, seed: u64, trouble: Trouble, lines: &[Said], most: usize) -> Option<Vec<Said>> {
    let mut game = start.clone();
    let mut lines = lines.iter().peekable();
    let mut said: Vec<Said> = Vec::new();
    let is = |wrong: &super::laws::Wrong| wrong.0 == trouble;
    loop {
        if let Some(wrong) = laws.broken(&game) {
            return is(&wrong).then_some(said);
        }
        game.decision()?;
        let Some(by) = decider(&game) else {
            if let Err(wrong) = rolled(&mut game, seed) {
                return is(&wrong).then_some(said);
            }
            continue;
        };
        let options = game.options_in_words();
        if options.is_empty() {
            return (trouble == Trouble::Stuck).then_some(said);
        }
        if said.len() > most {
            return None;
        }
        let (words, submission) = answer(&game, &by, &options, &mut lines)?;
        said.push(Said { by, words });
        if let Err(wrong) = taken(&mut game, &submission) {
            return is(&wrong).then_some(said);
        }
    }
}

/// The next line that this player can say; else a quiet answer.
fn answer<'l>(
    game: &Game,
    by: &str,
    options: &[(String, Submission)],
    lines: &mut std::iter::Peekable<impl Iterator<Item = &'l Said>>,
) -> Option<(String, Submission)> {
    let quiet = quiet_answer(game, None).and_then(|s| options.iter().find(|o| o.1 == s).cloned());
    loop {
        let Some(line) = lines.peek() else { return quiet };
        let fits = line.by == by && options.iter().any(|o| o.0 == line.words);
        if fits {
            let found = options.iter().find(|o| o.0 == line.words).cloned();
            lines.next();
            return found;
        }
        // Another's line waits for its turn if this decision can be passed over.
        if line.by != by && quiet.is_some() {
            return quiet;
        }
        lines.next();
    }
}
