//! A game played by people, and by random players: who decides is shown what he may know, and answers in words.
//!
//! ```text
//! answer    a line -> an option is taken, or a command is carried out
//! say       the board, the question and the options, in the words of the view of him who decides
//! counsel   why something is possible or not, as far as he may know it
//! saved     a game as a file
//! ```
//!
//! Chance is keyed by the seed, and random players follow from it, so the same seed and the same answers give the same
//! game. Nothing is read or printed here but files that a player saves and loads.

use netrep_engine::{Chooser, Game, Refusal, Submission, ThingId};
use netrep_ir::Sel;
use serde::{Deserialize, Serialize};

use crate::narrate::name_of;
use crate::report::is_news;
use crate::simulate::{Chance, Player, Said, answer};
use crate::words::{folded, nearest_name};

mod answer;
mod board;
mod counsel;
mod saved;
mod say;

pub use saved::is_saved;
pub use say::{Line, Style};

/// More answers of chance and of random players in a row than this mean that the game goes in circles.
const PATIENCE: usize = 20_000;

/// Who answers for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    /// A person, who is asked.
    Me,
    /// Any option, by the seed.
    Random,
    /// What is worth most by the valuation of the data.
    Greedy,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// His name.
    pub name: String,
    /// Who answers for him.
    pub who: Who,
    thing: ThingId,
}

/// A game that is being played.
#[derive(Debug)]
pub struct Play {
    game: Game,
    /// The profile in words.
    profile: String,
    drawn: Drawn,
    /// As it was before each answer of a person.
    past: Vec<Past>,
    /// What was told to whom, and has not been shown yet.
    news: Vec<(ThingId, String)>,
    /// Who has seen the board last.
    shown: Option<ThingId>,
    /// The answers of persons.
    said: Vec<Said>,
    /// Why play cannot go on by itself.
    stopped: Option<String>,
}

/// What the course of a game follows from, beside the answers of persons.
#[derive(Clone, Debug)]
struct Drawn {
    /// By what chance is keyed.
    seed: u64,
    /// What random players do.
    chance: Chance,
    seats: Vec<Seat>,
}

#[derive(Debug)]
struct Past {
    game: Game,
    drawn: Drawn,
    said: usize,
}

/// What came of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// What is to be shown.
    pub lines: Vec<Line>,
    /// The player wants to stop.
    pub quit: bool,
    /// The position is another, so that the question is to be put again.
    pub moved: bool,
}

impl Play {
    /// Begins to play from a position, and goes on to the first decision of a person. Who is not among `chosen` is one.
    ///
    /// # Errors
    /// In words: a name that is no player's, or no person among the players.
    pub fn new(game: Game, profile: &str, seed: u64, chosen: &[(String, Who)]) -> Result<Play, String> {
        let seats = seats(&game, chosen)?;
        Ok(Play::at(game, profile, Drawn { seed, chance: Chance::new(seed), seats }))
    }

    fn at(mut game: Game, profile: &str, drawn: Drawn) -> Play {
        game.set_tracing(false);
        let profile = profile.to_owned();
        let (past, news, said) = (Vec::new(), Vec::new(), Vec::new());
        let mut play = Play { game, profile, drawn, past, news, shown: None, said, stopped: None };
        play.advance();
        play
    }

    /// The players.
    pub fn seats(&self) -> &[Seat] {
        &self.drawn.seats
    }

    /// By what chance is keyed.
    pub fn seed(&self) -> u64 {
        self.drawn.seed
    }

    /// The answers of persons so far, those that were taken back left out.
    pub fn said(&self) -> &[Said] {
        &self.said
    }

    /// Why play cannot go on: the engine stopped with an error, or no one decides any more.
    pub fn stopped(&self) -> Option<&str> {
        self.stopped.as_deref()
    }

    /// True when nothing is left to decide.
    pub fn is_over(&self) -> bool {
        self.game.decision().is_none()
    }

    /// The person who is asked.
    pub fn asked(&self) -> Option<&Seat> {
        let Chooser::Seat(seat) = self.game.decision()?.by else { return None };
        self.drawn.seats.iter().find(|one| one.thing == seat && one.who == Who::Me)
    }

    fn persons(&self) -> impl Iterator<Item = &Seat> {
        self.drawn.seats.iter().filter(|seat| seat.who == Who::Me)
    }

    /// Whether another person than before is about to look at the board.
    pub fn hands_over(&self) -> bool {
        self.persons().count() > 1
            && self.asked().is_some_and(|seat| self.shown.is_some_and(|shown| shown != seat.thing))
    }

    /// The options of the person who is asked, in his words, with what they submit.
    fn options(&self) -> Vec<(String, Submission)> {
        self.asked().map(|seat| self.game.choices(seat.thing)).unwrap_or_default()
    }

    /// Answers for the person who is asked, and goes on to the next decision of a person.
    fn choose(&mut self, words: String, submission: &Submission) -> Result<(), Refusal> {
        let by = self.asked().map(|seat| seat.name.clone()).unwrap_or_default();
        let past = self.now();
        self.take(submission)?;
        self.past.push(past);
        self.said.push(Said { by, words });
        self.advance();
        Ok(())
    }

    fn now(&self) -> Past {
        Past { game: self.game.clone(), drawn: self.drawn.clone(), said: self.said.len() }
    }

    /// Takes back the last answer of a person, and all that came of it; false if there is none.
    fn undo(&mut self) -> bool {
        let Some(past) = self.past.pop() else { return false };
        self.game = past.game;
        self.drawn = past.drawn;
        self.said.truncate(past.said);
        self.begin_anew();
        true
    }

    /// After a leap to another position.
    fn begin_anew(&mut self) {
        self.news.clear();
        self.shown = None;
        self.advance();
    }

    /// Submits, and remembers what each player is told of it.
    fn take(&mut self, submission: &Submission) -> Result<(), Refusal> {
        self.game.set_tracing(true);
        let taken = self.game.take(submission);
        let persons: Vec<ThingId> = self.persons().map(|seat| seat.thing).collect();
        let mut last: Vec<(ThingId, &str)> = Vec::new();
        for entry in self.game.trace().iter().filter(|entry| is_news(entry)) {
            for (seat, text) in entry.told.iter().filter(|(seat, _)| persons.contains(seat)) {
                // What happens to several hidden things in one moment reads the same.
                let before = last.iter_mut().find(|(of, _)| of == seat);
                match before {
                    Some((_, before)) if before == text => continue,
                    Some((_, before)) => *before = text,
                    None => last.push((*seat, text)),
                }
                self.news.push((*seat, text.clone()));
            }
        }
        self.game.set_tracing(false);
        taken
    }

    /// Rolls, and answers for random players, until a person is asked.
    fn advance(&mut self) {
        self.stopped = None;
        for _ in 0..PATIENCE {
            let Some(decision) = self.game.decision() else { return };
            let submission = match decision.by {
                Chooser::Chance => self.game.keyed_roll(self.drawn.seed),
                Chooser::Seat(seat) => {
                    if self.asked().is_some() {
                        return;
                    }
                    let options: Vec<Submission> = self.game.choices(seat).into_iter().map(|(_, s)| s).collect();
                    let greedy = self.seats().iter().any(|s| s.who == Who::Greedy && s.thing == seat);
                    let player = if greedy { Player::Greedy } else { Player::Random };
                    answer(player, &self.game, &options, &mut self.drawn.chance)
                }
            };
            let taken = match submission {
                Some(submission) => self.take(&submission).map_err(|refusal| refusal.to_string()),
                None => Err("there is no option".to_owned()),
            };
            if let Err(why) = taken {
                self.stopped = Some(why);
                return;
            }
        }
        self.stopped = Some("no person has been asked for a long time: the game goes in circles".to_owned());
    }
}

/// The players of a game, and who answers for them.
fn seats(game: &Game, chosen: &[(String, Who)]) -> Result<Vec<Seat>, String> {
    let players = game.select(&Sel::Class(game.program().services.player));
    let seat = |thing| Seat { name: name_of(game, thing), who: Who::Me, thing };
    let mut seats: Vec<Seat> = players.iter().map(seat).collect();
    for (wanted, who) in chosen {
        match seats.iter_mut().find(|seat| folded(&seat.name) == folded(wanted)) {
            Some(seat) => seat.who = *who,
            None => {
                let names: Vec<&str> = seats.iter().map(|seat| seat.name.as_str()).collect();
                let near = nearest_name(wanted, names.iter().copied());
                let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                return Err(format!("no player is called `{wanted}`, but {}{near}", names.join(", ")));
            }
        }
    }
    if seats.iter().any(|seat| seat.who == Who::Me) {
        Ok(seats)
    } else {
        Err("no person plays; one of the players must be `me`".to_owned())
    }
}

#[cfg(test)]
mod tests;
