//! A seat: what a player may know, and may be sent.

use netrep_engine::{Submission, Verdict};
use netrep_lab::attempts::{meant_among, meant_first_by};
use netrep_lab::words::{Meant, Tokens, nearest_options, tokens};
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind, meant_instead};
use crate::event::Event;
use crate::explain::{self, Citation, Derivation, Explanation};
use crate::table::{Bot, Table};
use crate::view::View;

/// At most so many attempts are weighed to find the one that is nearest to being possible.
const MOST: usize = 1_000;

/// An option, as it is sent to a client and comes back as the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Whose it is.
    pub seat: String,
    /// The question at which it is offered: at another it is refused, so that no answer comes too late.
    pub question: u64,
    /// What it is, in words that are distinct among the options.
    pub words: String,
}

/// A player at a table. Nothing comes from here that the player may not know, so that all of it may be sent to his
/// client: what is hidden from him does not show in it, not even in an order or a number.
#[derive(Clone, Copy, Debug)]
pub struct Seat<'t> {
    table: &'t Table,
    number: usize,
}

impl<'t> Seat<'t> {
    pub(crate) fn new(table: &'t Table, number: usize) -> Seat<'t> {
        Seat { table, number }
    }

    /// The player's name.
    pub fn name(&self) -> &'t str {
        &self.table.seats[self.number].name
    }

    /// The bot that answers for him, if one does.
    pub fn bot(&self) -> Option<Bot> {
        self.table.seats[self.number].bot
    }

    fn thing(&self) -> netrep_engine::ThingId {
        self.table.seats[self.number].thing
    }

    /// True if this player is asked now.
    pub fn is_asked(&self) -> bool {
        self.table.asked().is_some_and(|seat| seat.number == self.number)
    }

    /// What he sees, what is asked, and his options.
    pub fn view(&self) -> View {
        self.table.view(self.number)
    }

    /// His options; none if another player is asked.
    pub fn options(&self) -> Vec<Offer> {
        self.choices().iter().map(|(words, _)| self.offer(words.clone())).collect()
    }

    fn offer(&self, words: String) -> Offer {
        Offer { seat: self.name().to_owned(), question: self.table.question, words }
    }

    fn choices(&self) -> &'t [(String, Submission)] {
        if self.is_asked() { self.table.choices() } else { &[] }
    }

    /// The option that words mean: its own, or as many of them as mean only one.
    ///
    /// # Errors
    /// [`ErrorKind::Words`], if they mean none or several.
    pub fn meant(&self, words: &str) -> Result<Offer, Error> {
        let options = self.choices();
        let error = |text: String| Err(Error::new(ErrorKind::Words, text));
        match self.which(options, words) {
            Meant::One(i) => match options.get(i) {
                Some((words, _)) => Ok(self.offer(words.clone())),
                None => error(format!("`{words}` is no option")),
            },
            Meant::Several(several) => {
                let list: Vec<String> =
                    several.iter().filter_map(|i| Some(format!("`{}`", options.get(*i)?.0))).collect();
                error(format!("`{words}` may mean any of these: {}", list.join(", ")))
            }
            Meant::None => {
                let all: Vec<&str> = options.iter().map(|(words, _)| words.as_str()).collect();
                let near = nearest_options(words, &all).into_iter().next();
                error(format!("`{words}` is no option{}", meant_instead(near)))
            }
        }
    }

    /// The options that words may mean.
    pub fn may_mean(&self, words: &str) -> Vec<Offer> {
        let options = self.choices();
        let found = match self.which(options, words) {
            Meant::One(i) => vec![i],
            Meant::Several(several) => several,
            Meant::None => Vec::new(),
        };
        found.into_iter().filter_map(|i| Some(self.offer(options.get(i)?.0.clone()))).collect()
    }

    /// Which option a text means.
    fn which(&self, options: &[(String, Submission)], text: &str) -> Meant {
        let found = self.readings(text).into_iter().map(|said| meant_among(&self.table.game, options, &said));
        // total: what means nothing in any reading means nothing.
        found.into_iter().find(|found| *found != Meant::None).unwrap_or(Meant::None)
    }

    /// The clause by which he is asked; nothing if another is.
    pub fn asked_by(&self) -> Option<Citation> {
        let decision = self.table.game.decision().filter(|_| self.is_asked())?;
        Some(Citation::of(self.table.game.program(), decision.clause))
    }

    /// Why an option, or anything else that he may try, is possible or not, as far as he may know it.
    ///
    /// # Errors
    /// [`ErrorKind::NotAsked`], if he is not asked; [`ErrorKind::Words`], if the words mean several options, or nothing
    /// that he knows of can be tried by them.
    pub fn why(&self, words: &str) -> Result<Explanation, Error> {
        if !self.is_asked() {
            return Err(Error::new(ErrorKind::NotAsked, format!("{} is not asked anything now", self.name())));
        }
        let options = self.choices();
        match self.which(options, words) {
            Meant::One(i) => {
                let found = options
                    .get(i)
                    .and_then(|(words, s)| Some((words.clone(), self.verdicts(std::slice::from_ref(s)).pop()??)));
                found.map(|(words, verdict)| self.explained(words, &verdict)).ok_or_else(|| self.unknown(words))
            }
            Meant::Several(_) => self.meant(words).and_then(|_| Err(self.unknown(words))),
            Meant::None => self.why_not(words),
        }
    }

    /// Why something that is not offered is not.
    fn why_not(&self, words: &str) -> Result<Explanation, Error> {
        let game = &self.table.game;
        let mut found = self.readings(words).into_iter().map(|said| meant_first_by(game, self.thing(), &said));
        let found = found.find(|found| !found.is_empty());
        let attempts: Vec<(String, Submission)> = found.into_iter().flatten().take(MOST).collect();
        let submissions: Vec<Submission> = attempts.iter().map(|(_, submission)| submission.clone()).collect();
        let verdicts = self.verdicts(&submissions);
        let told = attempts.into_iter().zip(verdicts).filter_map(|((words, _), verdict)| Some((words, verdict?)));
        let nearest = told.min_by_key(|(_, verdict)| verdict.reasons.len());
        nearest.map(|(words, verdict)| self.explained(words, &verdict)).ok_or_else(|| self.unknown(words))
    }

    fn verdicts(&self, submissions: &[Submission]) -> Vec<Option<Verdict>> {
        self.table.game.explain_to(self.thing(), submissions)
    }

    fn explained(&self, words: String, verdict: &Verdict) -> Explanation {
        Explanation::of(&self.table.game, words, verdict)
    }

    fn unknown(&self, words: &str) -> Error {
        let text = format!("nothing that you know of can be tried here by the words `{words}`");
        Error::new(ErrorKind::Words, text)
    }

    /// How a number comes about that his view shows of a thing, modifier by modifier.
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`], if he sees no such thing or number, or if it hangs on something that is hidden from him.
    pub fn number(&self, thing: &str, number: &str) -> Result<Derivation, Error> {
        let (game, seat) = (&self.table.game, self.thing());
        let things = game.view(seat).things;
        let seen: Vec<_> = things.iter().map(|thing| (thing.words.clone(), thing.words.clone())).collect();
        let derive = |attr, words: &String| game.derive_to(seat, attr, words);
        explain::number(game, &seen, thing, number, &derive)
    }

    /// What has happened since the game was begun or resumed, as it was told to him then. It only grows: who remembers
    /// how many he has seen, goes on from there.
    pub fn events(&self) -> &'t [Event] {
        self.table.events(self.number)
    }

    fn readings(&self, text: &str) -> Vec<Tokens> {
        let view = self.table.game.view(self.thing());
        readings(text, view.things.iter().map(|thing| thing.words.as_str()))
    }
}

/// A text in tokens: as it is written; with the names in quotes that were left out; and with these first, as a card is
/// said before what it can do. `things` are what may be named, in words.
pub(crate) fn readings<'w>(text: &str, things: impl Iterator<Item = &'w str>) -> Vec<Tokens> {
    let plain = tokens(text);
    if plain.is_empty() {
        return Vec::new();
    }
    let names: Vec<Tokens> = things.filter_map(|words| words.split('"').nth(1)).map(tokens).collect();
    let mut named = Tokens::new();
    let mut rest = plain.as_slice();
    while let Some((word, after)) = rest.split_first() {
        let here = names.iter().filter(|name| !name.is_empty() && rest.starts_with(name)).max_by_key(|name| name.len());
        match here {
            Some(name) => {
                named.push(format!("\"{}", name.join(" ")));
                rest = &rest[name.len()..];
            }
            None => {
                named.push(word.clone());
                rest = after;
            }
        }
    }
    let (mut first, others): (Tokens, Tokens) = named.iter().cloned().partition(|token| token.starts_with('"'));
    first.extend(others);
    let mut readings = vec![plain, named, first];
    readings.dedup();
    readings
}
