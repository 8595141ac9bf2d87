//! Rules as they are in force: an edition, a day, and readings that are chosen otherwise.

use std::path::Path;
use std::sync::Arc;

use netrep_compiler::Profile;
use netrep_compiler::layers::date::Date;
use netrep_engine::Game;
use netrep_lab::driver::{drive_to, start};
use netrep_lab::prepare::{Prepared, recalled};
use netrep_lab::scenario::{Scenario, one_of, parse_with, profile_words};
use netrep_lab::written::Written;

use crate::data::{Data, Deck};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::saved;
use crate::table::{Bot, Dice, Seating, Table, seatings};

/// The rules of an edition. A choice that does not exist is an error where a table is set up.
#[derive(Clone)]
pub struct Rules<'d> {
    data: &'d Data,
    profile: Profile,
    /// A day that is none.
    misread: Option<String>,
}

/// Where a game begins: everything but the seed. Many games can be begun from it.
#[derive(Clone)]
pub struct Setup {
    name: String,
    game: Game,
    rules: String,
    seed: Option<u64>,
    seats: Vec<Seating>,
    dice: Dice,
    /// What comes first of the game if it is written down.
    setting: Written,
    is_written: bool,
}

impl<'d> Rules<'d> {
    pub(crate) fn new(data: &'d Data) -> Rules<'d> {
        Rules { data, profile: Profile::default(), misread: None }
    }

    /// Another edition, by its id.
    #[must_use]
    pub fn edition(mut self, id: &str) -> Rules<'d> {
        self.profile.edition = Some(Arc::from(id));
        self
    }

    /// Only readings that were known on a day: a year, a month or a day, such as `1999-05`.
    #[must_use]
    pub fn as_of(mut self, day: &str) -> Rules<'d> {
        match day.parse::<Date>() {
            Ok(day) => self.profile.as_of = Some(day),
            Err(why) => self.misread = Some(format!("`{day}` is no day: {why}")),
        }
        self
    }

    /// A variant on top of the edition, such as one for several players.
    #[must_use]
    pub fn variant(mut self, id: &str) -> Rules<'d> {
        self.profile = self.profile.variant(id);
        self
    }

    /// Another reading of a ruling.
    #[must_use]
    pub fn with(mut self, ruling: &str, reading: &str) -> Rules<'d> {
        self.profile = self.profile.with(ruling, reading);
        self
    }

    /// Without a ruling.
    #[must_use]
    pub fn without(mut self, ruling: &str) -> Rules<'d> {
        self.profile = self.profile.without(ruling);
        self
    }

    /// In words: the edition and what departs from it.
    pub fn words(&self) -> String {
        profile_words(&self.profile)
    }

    /// What is wrong with the data under these rules, and is left out.
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`] for an edition or reading that does not exist.
    pub fn check(&self) -> Result<Vec<Diagnostic>, Error> {
        self.exist()?;
        let found = self.data.library.compiler.link(&self.profile).1;
        Ok(found.iter().map(|diag| Diagnostic::of(diag, &|file| self.data.library.text(file))).collect())
    }

    /// A game between decks, one for each player of the table of the data, in order.
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`] for an edition or reading that does not exist, [`ErrorKind::Data`] for a deck or table that
    /// is not right.
    pub fn table(&self, decks: &[Deck]) -> Result<Setup, Error> {
        self.exist()?;
        let decks: Vec<_> = decks.iter().map(|deck| deck.0.clone()).collect();
        let prepared = self.data.library.table(&decks, &self.profile).map_err(|diags| self.data.wrong(diags))?;
        self.setup(&prepared, Some(0), &|file| self.data.library.text(file))
    }

    /// A position: Markdown with one fenced block `position` or `scenario`; the moves of its `when` are made.
    ///
    /// # Errors
    /// As [`Rules::table`].
    pub fn position(&self, markdown: &str) -> Result<Setup, Error> {
        self.read(POSITION, markdown, None, None)
    }

    /// A position of a Markdown file, on the disk or of the data, after so many steps of its script. If there are
    /// several in the file, the one with `name` as a part of its name.
    ///
    /// # Errors
    /// As [`Rules::table`]; [`ErrorKind::File`] and [`ErrorKind::Unknown`] for what is not there.
    pub fn position_of(&self, file: &Path, name: Option<&str>, after: usize) -> Result<Setup, Error> {
        let mut found = self.data.library.scenario_files(&[file.to_owned()])?;
        match (found.pop(), found.is_empty()) {
            (Some((file, text)), true) => self.read(&file, &text, name, Some(after)),
            _ => Err(Error::new(ErrorKind::File, format!("{} is not one file", file.display()))),
        }
    }

    /// Goes on with a saved game, which must have been played by the same rules.
    ///
    /// # Errors
    /// [`ErrorKind::Saved`], with the reason; [`ErrorKind::Unknown`] for rules that do not exist.
    pub fn resume(&self, saved: &str) -> Result<Table, Error> {
        self.exist()?;
        saved::resume(self.data.library.compiler.link(&self.profile).0, &self.words(), saved)
    }

    fn read(&self, file: &str, markdown: &str, name: Option<&str>, after: Option<usize>) -> Result<Setup, Error> {
        self.exist()?;
        let text = |path: &str| if path == file { Some(markdown.to_owned()) } else { self.data.library.text(path) };
        let wrong = |diags| Error::data(diags, &text);
        let parsed = parse_with(file, markdown, true, &self.data.library.decks());
        if !parsed.diags.is_empty() {
            return Err(wrong(parsed.diags));
        }
        let all: Vec<Arc<Scenario>> = parsed.scenarios.into_iter().map(Arc::new).collect();
        let scenario = one_of(&all, name).map_err(|why| Error::new(ErrorKind::Unknown, why))?;
        let profile = scenario.profiles(&self.profile).into_iter().next().unwrap_or_else(|| self.profile.clone());
        let prepared = recalled(&self.data.library.compiler, scenario, &self.profile, &profile).map_err(wrong)?;
        self.setup(&prepared, after, &text)
    }

    /// The position after so many steps of its script, or after all of it.
    fn setup(
        &self,
        prepared: &Prepared,
        after: Option<usize>,
        text: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Setup, Error> {
        let wrong = |diags| Error::data(diags, text);
        let mut game = start(prepared).map_err(wrong)?;
        let mut setting = Written::of(prepared, &[]);
        if after != Some(0) {
            let (report, reached) = drive_to(prepared, after, None);
            // Half way, an expectation that fails does not matter; a step that cannot be made does.
            let made = after.is_some_and(|after| report.steps.len() >= after);
            if !made && !report.diags.is_empty() {
                return Err(wrong(report.diags));
            }
            if after.is_some() && !made {
                let text = format!("the scenario has only {} steps", report.steps.len());
                return Err(Error::new(ErrorKind::Unknown, text));
            }
            game = reached.unwrap_or(game);
            setting = Written::of(prepared, &report.steps);
        }
        game.set_tracing(false);
        let seats = seatings(&game);
        let (name, rules) = (prepared.scenario.name.clone(), profile_words(&prepared.profile));
        let seed = prepared.scenario.seed;
        Ok(Setup { name, game, rules, seed, seats, dice: Dice::Keyed, setting, is_written: false })
    }

    /// Refuses what does not exist.
    fn exist(&self) -> Result<(), Error> {
        if let Some(why) = &self.misread {
            return Err(Error::new(ErrorKind::Unknown, why.clone()));
        }
        let diags = self.data.library.compiler.link(&self.profile).1;
        match diags.iter().find(|diag| netrep_lab::problem::is_of_a_profile(diag)) {
            Some(diag) => {
                let text = match &diag.help {
                    Some(help) => format!("{}; {help}", diag.message),
                    None => diag.message.clone(),
                };
                Err(Error::new(ErrorKind::Unknown, text))
            }
            None => Ok(()),
        }
    }
}

impl Setup {
    /// The name of the position.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rules in words.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// The seed that the position names.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The names of the players, in their order.
    pub fn seats(&self) -> Vec<&str> {
        self.seats.iter().map(|seat| seat.name.as_str()).collect()
    }

    /// Lets a player of the engine answer for a seat.
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`], if there is no such seat.
    pub fn bot(mut self, seat: &str, bot: Bot) -> Result<Setup, Error> {
        let i = crate::table::seat_of(&self.seats, seat)?;
        self.seats[i].bot = Some(bot);
        Ok(self)
    }

    /// Answers for a seat come from outside, as they do if nothing is said.
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`], if there is no such seat.
    pub fn person(mut self, seat: &str) -> Result<Setup, Error> {
        let i = crate::table::seat_of(&self.seats, seat)?;
        self.seats[i].bot = None;
        Ok(self)
    }

    /// Dice are rolled by hand, and told with [`Table::roll`]. What is shuffled follows from the seed all the same.
    #[must_use]
    pub fn dice_by_hand(mut self) -> Setup {
        self.dice = Dice::ByHand;
        self
    }

    /// Begins a game. Dice, shufflings and bots follow from the seed: the same seed and the same answers give the same
    /// game. Who knows the seed knows them all, so a server keeps it to itself.
    pub fn begin(&self, seed: u64) -> Table {
        let written = self.is_written.then(|| self.setting.clone());
        Table::new(self.game.clone(), self.rules.clone(), seed, self.seats.clone(), self.dice, written)
    }

    /// The game is written down as it is played, see [`Table::written`].
    #[must_use]
    pub fn written(mut self) -> Setup {
        self.is_written = true;
        self
    }
}

/// The file that a position without one is said to be.
const POSITION: &str = "position";
