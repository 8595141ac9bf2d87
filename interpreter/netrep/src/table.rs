//! A table: a game that is being played, and all that it follows from.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use netrep_engine::{Chooser, DecisionKind, Game, Refusal, Submission, ThingId};
use netrep_ir::{AttrId, Sel};
use netrep_lab::attempts::meant_first;
use netrep_lab::driver::scores;
use netrep_lab::narrate::name_of;
use netrep_lab::report::is_news;
use netrep_lab::simulate::{Chance, Player, answer};
use netrep_lab::words::{folded, nearest_name};
use netrep_lab::written::Written;
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind, meant_instead};
use crate::event::Event;
use crate::explain::{self, Derivation, Explanation};
use crate::saved;
use crate::seat::{Offer, Seat, readings};
use crate::view::{Shown, Telling, View};

/// More answers of chance and of bots in a row than this mean that the game goes in circles.
const PATIENCE: usize = 20_000;

/// A player of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bot {
    /// Any option, by the seed; one answer in four declines if it can.
    Random,
    /// What is worth most by the valuation of the data.
    Greedy,
}

/// Where the dice come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dice {
    /// From the seed.
    Keyed,
    /// From who calls [`Table::roll`].
    ByHand,
}

/// A player, and who answers for him.
#[derive(Clone, Debug)]
pub(crate) struct Seating {
    pub name: String,
    pub bot: Option<Bot>,
    pub thing: ThingId,
}

/// An answer that was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Who answered.
    pub seat: String,
    /// The words of the option.
    pub words: String,
}

/// Dice that are to be rolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Roll {
    /// How many dice of six sides.
    pub dice: u8,
    /// Who rolls.
    pub by: String,
    /// What for, if it is for something.
    pub of: Option<String>,
}

/// What the course of a game follows from, beside the answers.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub seed: u64,
    /// Where bots are in their choices.
    pub chance: Chance,
}

/// Every so manieth position is kept for undo; those between are played again, which is always the same.
const KEPT: usize = 16;

/// A step that can be taken back.
#[derive(Clone, Debug)]
enum Step {
    /// An answer, or a roll by hand.
    Submitted(Submission),
    /// Another game was loaded.
    Loaded,
}

/// What the table was before a step.
#[derive(Clone, Debug)]
struct Past {
    step: Step,
    answers: usize,
    /// The whole position, of some.
    kept: Option<Box<Kept>>,
}

#[derive(Clone, Debug)]
struct Kept {
    game: Game,
    drawn: Drawn,
    seats: Vec<Seating>,
    dice: Dice,
    /// The answers, if others took their place.
    answers: Option<Vec<Answer>>,
    /// How many lines were written; none of a game that is not written.
    written: Option<usize>,
}

/// A game that is being played. It knows everything, so it belongs to whoever runs the game; what one player may know,
/// and may be sent, is what his [`Seat`] gives out.
///
/// Chance and bots are answered for at once, so that a table always stands at a question to a player, at dice that are
/// rolled by hand, or at the end. A clone is a fork: the two go on independently. Everything that can fail leaves the
/// table as it was.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) game: Game,
    pub(crate) rules: String,
    pub(crate) drawn: Drawn,
    pub(crate) seats: Vec<Seating>,
    pub(crate) answers: Vec<Answer>,
    /// How often a question was put: never the same twice, not even after an answer was taken back.
    pub(crate) question: u64,
    dice: Dice,
    past: Vec<Past>,
    /// For each seat what it was told.
    events: Vec<Vec<Event>>,
    /// Why play cannot go on by itself.
    stopped: Option<String>,
    /// The options of the player who is asked, once someone has looked.
    choices: OnceCell<Vec<(String, Submission)>>,
    /// Which facts are news, and for each seat what it was last shown.
    telling: Telling,
    shown: RefCell<Vec<Shown>>,
    /// The game as a scenario, if it is written.
    written: Option<Written>,
}

impl Past {
    fn is_load(&self) -> bool {
        matches!(self.step, Step::Loaded)
    }
}

impl Table {
    pub(crate) fn new(
        game: Game,
        rules: String,
        seed: u64,
        seats: Vec<Seating>,
        dice: Dice,
        written: Option<Written>,
    ) -> Table {
        let drawn = Drawn { seed, chance: Chance::new(seed) };
        Table::at(game, rules, drawn, seats, dice, (0, Vec::new(), written))
    }

    /// A table at which so many questions were put, and so answered, before.
    pub(crate) fn at(
        mut game: Game,
        rules: String,
        drawn: Drawn,
        seats: Vec<Seating>,
        dice: Dice,
        (question, answers, written): (u64, Vec<Answer>, Option<Written>),
    ) -> Table {
        game.set_tracing(false);
        let events = seats.iter().map(|_| Vec::new()).collect();
        let past = Vec::new();
        let telling = Telling::of(game.program());
        let mut table = Table {
            game,
            rules,
            drawn,
            seats,
            answers,
            question,
            dice,
            past,
            events,
            stopped: None,
            choices: OnceCell::new(),
            telling,
            shown: RefCell::default(),
            written,
        };
        table.advance();
        table
    }

    /// The names of the players, in their order.
    pub fn seats(&self) -> Vec<&str> {
        self.seats.iter().map(|seat| seat.name.as_str()).collect()
    }

    /// Which bot answers for a seat; `None` if the answers come from outside.
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`], if there is no such seat.
    pub fn bot(&self, seat: &str) -> Result<Option<Bot>, Error> {
        Ok(self.seats[seat_of(&self.seats, seat)?].bot)
    }

    /// A seat, from which nothing comes that its player may not know.
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`], if there is no such seat.
    pub fn seat(&self, name: &str) -> Result<Seat<'_>, Error> {
        Ok(Seat::new(self, seat_of(&self.seats, name)?))
    }

    /// The player who is asked now; `None` while dice are awaited, at the end, and when play cannot go on.
    pub fn asked(&self) -> Option<Seat<'_>> {
        self.asked_seat().map(|i| Seat::new(self, i))
    }

    fn asked_seat(&self) -> Option<usize> {
        let Chooser::Seat(thing) = self.game.decision()?.by else { return None };
        self.seats.iter().position(|seat| seat.thing == thing && seat.bot.is_none())
    }

    /// The options of the player who is asked; empty if no one is.
    pub fn options(&self) -> Vec<Offer> {
        self.asked().into_iter().flat_map(|seat| seat.options()).collect()
    }

    /// The options of the player who is asked, each with what it submits.
    pub(crate) fn choices(&self) -> &[(String, Submission)] {
        self.choices.get_or_init(|| {
            self.asked_seat().into_iter().flat_map(|i| self.game.choices(self.seats[i].thing)).collect()
        })
    }

    /// What a seat sees.
    pub(crate) fn view(&self, seat: usize) -> View {
        let view = self.game.view(self.seats[seat].thing);
        let Ok(mut shown) = self.shown.try_borrow_mut() else {
            return View::of(&self.telling, &mut Shown::default(), view);
        };
        if shown.len() <= seat {
            shown.resize_with(self.seats.len(), Shown::default);
        }
        View::of(&self.telling, &mut shown[seat], view)
    }

    /// Answers with an option.
    ///
    /// # Errors
    /// [`ErrorKind::Stale`], if another question is asked by now, [`ErrorKind::NotAsked`], if another player is, and as
    /// [`Table::answer`].
    pub fn take(&mut self, offer: &Offer) -> Result<(), Error> {
        let seat = self.asked_by(&offer.seat)?;
        if offer.question != self.question {
            let text = format!("`{}` was offered at another question than the one that is asked now", offer.words);
            return Err(Error::new(ErrorKind::Stale, text));
        }
        let found = self.choices().iter().find(|(words, _)| *words == offer.words).cloned();
        match found {
            Some((words, submission)) => self.choose(seat, words, &submission),
            None => Err(Error::new(ErrorKind::Refused, format!("`{}` is not among the options", offer.words))),
        }
    }

    /// Answers for a player in words: those of an option, or as many of them as mean only one. Case, accents and quotes
    /// do not matter.
    ///
    /// # Errors
    /// [`ErrorKind::NotAsked`], if another player is asked; [`ErrorKind::Words`], if the words mean no option or several;
    /// [`ErrorKind::Refused`] and [`ErrorKind::Stopped`], if it cannot be taken.
    pub fn answer(&mut self, seat: &str, words: &str) -> Result<(), Error> {
        self.asked_by(seat)?;
        let offer = self.seat(seat)?.meant(words)?;
        self.take(&offer)
    }

    fn asked_by(&self, name: &str) -> Result<usize, Error> {
        let seat = seat_of(&self.seats, name)?;
        if self.asked_seat() == Some(seat) {
            return Ok(seat);
        }
        let now = match self.asked() {
            Some(other) => format!("{} is", other.name()),
            None => "no player is".to_owned(),
        };
        Err(Error::new(ErrorKind::NotAsked, format!("{} is not asked anything now; {now}", self.seats[seat].name)))
    }

    fn choose(&mut self, seat: usize, words: String, submission: &Submission) -> Result<(), Error> {
        let past = self.now(Step::Submitted(submission.clone()));
        self.submit(submission)?;
        self.past.push(past);
        self.answers.push(Answer { seat: self.seats[seat].name.clone(), words });
        self.advance();
        Ok(())
    }

    fn now(&self, step: Step) -> Past {
        let loaded = matches!(step, Step::Loaded);
        let near = {
            // What was before another game was loaded leads nowhere now.
            let mut recent = self.past.iter().rev().take(KEPT).take_while(|past| !past.is_load());
            recent.any(|past| past.kept.is_some())
        };
        let kept = (loaded || !near).then(|| {
            Box::new(Kept {
                game: self.game.clone(),
                drawn: self.drawn.clone(),
                seats: self.seats.clone(),
                dice: self.dice,
                answers: loaded.then(|| self.answers.clone()),
                written: self.written.as_ref().map(Written::len),
            })
        });
        Past { step, answers: self.answers.len(), kept }
    }

    /// The dice that are awaited, if they are rolled by hand.
    pub fn rolling(&self) -> Option<Roll> {
        match (&self.game.decision()?.kind, self.dice) {
            (DecisionKind::Roll { dice, by, subject, .. }, Dice::ByHand) => Some(Roll {
                dice: *dice,
                by: name_of(&self.game, *by),
                of: subject.map(|thing| self.game.thing_words(thing)),
            }),
            _ => None,
        }
    }

    /// Says what dice show that were rolled by hand: their total.
    ///
    /// # Errors
    /// [`ErrorKind::NotAsked`], if no dice are awaited; [`ErrorKind::Refused`], if so many dice cannot show it.
    pub fn roll(&mut self, total: i32) -> Result<(), Error> {
        if self.rolling().is_none() {
            return Err(Error::new(ErrorKind::NotAsked, "no dice are to be rolled by hand now"));
        }
        let submission = Submission::Dice(total);
        let past = self.now(Step::Submitted(submission.clone()));
        self.submit(&submission)?;
        self.past.push(past);
        self.advance();
        Ok(())
    }

    /// Takes back the last answer (or roll by hand), and all that came of it; false if there is none.
    pub fn undo(&mut self) -> bool {
        self.take_back().is_some()
    }

    fn take_back(&mut self) -> Option<()> {
        let last = self.past.pop()?;
        let mut again = Vec::new();
        let mut from = last.kept;
        for past in self.past.iter().rev() {
            if from.is_some() {
                break;
            }
            // Between two positions that are kept nothing was loaded: of what was loaded, the position is kept.
            if let Step::Submitted(submission) = &past.step {
                again.push(submission.clone());
            }
            from.clone_from(&past.kept);
        }
        let Kept { game, drawn, seats, dice, answers, written } = *from?;
        if let (Some(lines), Some(written)) = (&mut self.written, written) {
            lines.truncate(written);
        }
        (self.game, self.drawn, self.seats, self.dice) = (game, drawn, seats, dice);
        self.answers = answers.unwrap_or_else(|| std::mem::take(&mut self.answers));
        self.answers.truncate(last.answers);
        let told: Vec<usize> = self.events.iter().map(Vec::len).collect();
        for submission in again.iter().rev() {
            // What was taken once is taken again.
            if self.submit(submission).is_ok() {
                self.advance();
            }
        }
        self.events.iter_mut().zip(told).for_each(|(events, told)| events.truncate(told));
        self.tell_all(&Event::TakenBack);
        self.advance();
        Some(())
    }

    /// Goes on with a saved game of the same rules and players. This can be taken back like an answer.
    ///
    /// # Errors
    /// [`ErrorKind::Saved`], with the reason.
    pub fn load(&mut self, saved: &str) -> Result<(), Error> {
        let other = saved::resume(Arc::clone(self.game.program()), &self.rules, saved)?;
        if other.seats() != self.seats() {
            let text = format!("it is a game of {}, not of {}", other.seats().join(", "), self.seats().join(", "));
            return Err(Error::new(ErrorKind::Saved, text));
        }
        let past = self.now(Step::Loaded);
        let Table { game, drawn, seats, answers, dice, .. } = other;
        (self.game, self.drawn, self.seats, self.answers, self.dice) = (game, drawn, seats, answers, dice);
        // How that game came to where it is nobody knows.
        self.written = None;
        self.past.push(past);
        self.tell_all(&Event::Resumed);
        self.advance();
        Ok(())
    }

    /// The answers so far, those that were taken back left out.
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// True when nothing is left to decide.
    pub fn is_over(&self) -> bool {
        self.game.decision().is_none()
    }

    /// Why play cannot go on, if it cannot: the engine stopped with an error, or no player is asked any more.
    pub fn stopped(&self) -> Option<&str> {
        self.stopped.as_deref()
    }

    /// For each player the numbers that the rules want reported.
    pub fn scores(&self) -> Vec<(String, Vec<(String, i32)>)> {
        scores(&self.game)
    }

    /// The rules in words: the edition and what departs from it.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// By what dice, shufflings and bots are keyed.
    pub fn seed(&self) -> u64 {
        self.drawn.seed
    }

    /// A hash of the position: the same on every machine and in every thread.
    pub fn hash(&self) -> u64 {
        self.game.position_hash()
    }

    /// The game as a text, with all that is hidden in it and with the seed; see [`Rules::resume`](crate::Rules::resume).
    ///
    /// # Errors
    /// [`ErrorKind::Saved`], if the position cannot be written.
    pub fn save(&self) -> Result<String, Error> {
        saved::save(self)
    }

    /// The game as a scenario in Markdown, with all that is hidden in it: its position, every answer, what was rolled and
    /// shuffled, and how it stands. `None`, if it was not to be written ([`Setup::written`](crate::Setup::written)), or if
    /// another game was loaded since.
    pub fn written(&self) -> Option<String> {
        self.written.as_ref().map(|written| written.block(&self.game))
    }

    /// Why something is possible for the player who is asked, or is not, with everything that is known at the table:
    /// what judges are for. What one player may be told is [`Seat::why`].
    ///
    /// # Errors
    /// [`ErrorKind::Words`], if nothing is meant that can be tried.
    pub fn why(&self, words: &str) -> Result<Explanation, Error> {
        let things = (0..self.game.things()).map(ThingId::from_index).filter(|t| self.game.exists(*t));
        let names: Vec<String> = things.map(|t| self.game.thing_words(t)).collect();
        let said = readings(words, names.iter().map(String::as_str)).into_iter();
        let mut found = said.map(|said| meant_first(&self.game, &said)).filter(|found| !found.is_empty());
        let judged =
            found.next().into_iter().flatten().map(|(words, submission)| (words, self.game.explain(&submission)));
        match judged.min_by_key(|(_, verdict)| verdict.reasons.len()) {
            Some((words, verdict)) => Ok(Explanation::of(&self.game, words, &verdict)),
            None => {
                let text = format!("nothing of the words `{words}` can be tried at this question");
                Err(Error::new(ErrorKind::Words, text))
            }
        }
    }

    /// How a number of a thing comes about, modifier by modifier, with everything that is known at the table.
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`], if there is no such thing or number.
    pub fn number(&self, thing: &str, number: &str) -> Result<Derivation, Error> {
        let things = (0..self.game.things()).map(ThingId::from_index).filter(|t| self.game.exists(*t));
        let all: Vec<(String, ThingId)> = things.map(|t| (self.game.thing_words(t), t)).collect();
        let has = |attr: AttrId, thing: ThingId| {
            let classes = &self.game.program().attr(attr).classes;
            classes.is_empty() || classes.iter().any(|class| self.game.select(&Sel::Class(*class)).contains(thing))
        };
        let derive = |attr, thing: &ThingId| has(attr, *thing).then(|| self.game.derive(attr, *thing));
        explain::number(&self.game, &all, thing, number, &derive)
    }

    pub(crate) fn is_by_hand(&self) -> bool {
        self.dice == Dice::ByHand
    }

    pub(crate) fn events(&self, seat: usize) -> &[Event] {
        &self.events[seat]
    }

    fn tell_all(&mut self, event: &Event) {
        self.events.iter_mut().for_each(|events| events.push(event.clone()));
    }

    /// Submits, and remembers what each player is told of it.
    fn submit(&mut self, submission: &Submission) -> Result<(), Error> {
        if let Some(written) = &mut self.written {
            written.note(&self.game, submission);
        }
        self.game.set_tracing(true);
        let taken = self.game.take(submission);
        let mut last: Vec<Option<&str>> = vec![None; self.seats.len()];
        for entry in self.game.trace().iter().filter(|entry| is_news(entry)) {
            for (thing, text) in &entry.told {
                let Some(i) = self.seats.iter().position(|seat| seat.thing == *thing) else { continue };
                // What happens to several hidden things in one moment reads the same.
                if last[i].replace(text) != Some(text) {
                    self.events[i].push(Event::Happened(text.clone()));
                }
            }
        }
        self.game.set_tracing(false);
        if let (Some(written), true) = (&mut self.written, taken.is_err()) {
            written.truncate(written.len().saturating_sub(1));
        }
        taken.map_err(|refusal| {
            let kind = match &refusal {
                Refusal::Illegal(_) => ErrorKind::Refused,
                Refusal::Failed(_) => ErrorKind::Stopped,
                Refusal::Over => ErrorKind::NotAsked,
            };
            Error::new(kind, refusal.to_string())
        })
    }

    /// Rolls, and answers for bots, until someone else is asked.
    fn advance(&mut self) {
        self.stopped = None;
        self.choices = OnceCell::new();
        self.question += 1;
        for _ in 0..PATIENCE {
            let Some(decision) = self.game.decision() else { return };
            let submission = match decision.by {
                Chooser::Chance if self.rolling().is_some() => return,
                Chooser::Chance => self.game.keyed_roll(self.drawn.seed),
                Chooser::Seat(thing) => {
                    let Some(bot) = self.seats.iter().find(|seat| seat.thing == thing).and_then(|seat| seat.bot) else {
                        return;
                    };
                    let player = match bot {
                        Bot::Random => Player::Random,
                        Bot::Greedy => Player::Greedy,
                    };
                    let options: Vec<Submission> = self.game.choices(thing).into_iter().map(|(_, s)| s).collect();
                    answer(player, &mut self.game, &options, &mut self.drawn.chance)
                }
            };
            let taken = match submission {
                Some(submission) => self.submit(&submission).map_err(|error| error.message),
                None => Err("there is no option".to_owned()),
            };
            if let Err(why) = taken {
                self.stopped = Some(why);
                return;
            }
        }
        self.stopped = Some("no player has been asked for a long time: the game goes in circles".to_owned());
    }
}

/// The players of a game; no bot answers for any of them yet.
pub(crate) fn seatings(game: &Game) -> Vec<Seating> {
    let players = game.select(&Sel::Class(game.program().services.player));
    players.iter().map(|thing| Seating { name: name_of(game, thing), bot: None, thing }).collect()
}

/// The seat of a name.
pub(crate) fn seat_of(seats: &[Seating], name: &str) -> Result<usize, Error> {
    seats.iter().position(|seat| folded(&seat.name) == folded(name)).ok_or_else(|| {
        let names: Vec<&str> = seats.iter().map(|seat| seat.name.as_str()).collect();
        let near = nearest_name(name, names.iter().copied());
        let near = meant_instead(near);
        Error::new(ErrorKind::Unknown, format!("no player is called `{name}`, but {}{near}", names.join(", ")))
    })
}
