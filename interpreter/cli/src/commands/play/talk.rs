//! What is said between the persons at a terminal and a table.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use netrep::{Table, saved_format};
use netrep_compiler::load::read_text;

use super::say::Line;

/// A game that is played at a terminal.
#[derive(Debug)]
pub struct Talk {
    /// The table.
    pub table: Table,
    /// How much of what has happened was shown to each player.
    pub(super) heard: BTreeMap<String, usize>,
    /// Who has seen the board last.
    pub(super) shown: Option<String>,
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

impl Talk {
    /// At a table, whose players have been shown nothing yet.
    pub fn new(table: Table) -> Talk {
        Talk { table, heard: BTreeMap::new(), shown: None }
    }

    /// The players who sit at the terminal.
    pub(crate) fn persons(&self) -> Vec<String> {
        let persons = self.table.seats().into_iter().filter(|seat| self.table.bot(seat).is_ok_and(|bot| bot.is_none()));
        persons.map(str::to_owned).collect()
    }

    /// The name of the person who is asked; `None` at the end.
    pub fn asked(&self) -> Option<String> {
        self.table.asked().map(|seat| seat.name().to_owned())
    }

    /// Whether another person than before is about to look at the board.
    pub fn hands_over(&self) -> bool {
        let other = |seat: &str| self.shown.as_ref().is_some_and(|shown| shown != seat);
        self.persons().len() > 1 && self.table.asked().is_some_and(|seat| other(seat.name()))
    }

    /// Takes back the last answer of a person, and all that came of it; false if there is none.
    pub(crate) fn undo(&mut self) -> bool {
        let undone = self.table.undo();
        if undone {
            self.begin_anew();
        }
        undone
    }

    /// After a leap to another position: what led there is not told.
    fn begin_anew(&mut self) {
        for seat in self.persons() {
            if let Ok(found) = self.table.seat(&seat) {
                self.heard.insert(seat, found.events().len());
            }
        }
        self.shown = None;
    }

    /// Writes the game to a file. Only a saved game is overwritten: a wrong name must not cost anyone a file.
    pub(crate) fn save(&self, file: &Path) -> Result<(), String> {
        if file.exists() && !read_text(file).is_ok_and(|text| saved_format(&text).is_some()) {
            return Err(format!("{} is there already and is no saved game", file.display()));
        }
        let text = self.table.save().map_err(|error| error.to_string())?;
        fs::write(file, text + "\n").map_err(|error| format!("{}: {error}", file.display()))
    }

    /// Goes on with the game of a file; can be taken back like an answer.
    pub(crate) fn load(&mut self, file: &Path) -> Result<(), String> {
        let text = read_text(file).map_err(|error| error.to_string())?;
        self.table.load(&text).map_err(|why| format!("{} cannot be loaded: {why}", file.display()))?;
        self.begin_anew();
        Ok(())
    }
}
