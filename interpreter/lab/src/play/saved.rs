//! A game as a file: the position with every id as a label, who plays, and by what chance is keyed.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use netrep_compiler::load::read_text;
use netrep_engine::Game;
use netrep_ir::Program;
use serde::{Deserialize, Serialize};

use super::{Drawn, Play, Who, seats};
use crate::simulate::Chance;

/// What a file holds.
#[derive(Serialize, Deserialize)]
struct Saved {
    /// The form of the file; there is one so far.
    netrep_play: u32,
    /// The profile in words.
    profile: String,
    seed: u64,
    /// Where random players are in their choices.
    chance: u64,
    seats: Vec<(String, Who)>,
    game: serde_json::Value,
}

const FORM: u32 = 1;

/// Whether a text is a saved game.
pub fn is_saved(text: &str) -> bool {
    read(text).is_ok()
}

fn read(text: &str) -> Result<Saved, String> {
    match serde_json::from_str::<Saved>(text) {
        Ok(saved) if saved.netrep_play == FORM => Ok(saved),
        Ok(saved) => Err(format!("it is a saved game of form {}, and only form {FORM} is known", saved.netrep_play)),
        Err(error) => Err(format!("it is no saved game ({error})")),
    }
}

impl Play {
    /// A game that was saved, under the program of the same profile.
    ///
    /// # Errors
    /// In words: why it cannot be played on.
    pub fn resume(program: Arc<Program>, profile: &str, text: &str) -> Result<Play, String> {
        let saved = read(text)?;
        if saved.profile != profile {
            return Err(format!("it was played under {}, not under {profile}", saved.profile));
        }
        let game = Game::load(program, &saved.game.to_string()).map_err(|error| error.to_string())?;
        let seats = seats(&game, &saved.seats)?;
        Ok(Play::at(game, profile, Drawn { seed: saved.seed, chance: Chance::new(saved.chance), seats }))
    }

    /// The game as a text.
    ///
    /// # Errors
    /// In words, if the position cannot be written.
    pub fn saved(&self) -> Result<String, String> {
        let game = serde_json::from_str(&self.game.save()).map_err(|error| error.to_string())?;
        let drawn = &self.drawn;
        let seats = drawn.seats.iter().map(|seat| (seat.name.clone(), seat.who)).collect();
        let (profile, chance) = (self.profile.clone(), drawn.chance.state());
        let saved = Saved { netrep_play: FORM, profile, seed: drawn.seed, chance, seats, game };
        serde_json::to_string(&saved).map_err(|error| error.to_string())
    }

    /// Writes the game to a file. Only a saved game is overwritten: a wrong name must not cost anyone a file.
    pub(super) fn save(&self, file: &Path) -> Result<(), String> {
        if file.exists() && !read_text(file).is_ok_and(|text| is_saved(&text)) {
            return Err(format!("{} is there already and is no saved game", file.display()));
        }
        fs::write(file, self.saved()? + "\n").map_err(|error| format!("{}: {error}", file.display()))
    }

    /// Goes on with the game of a file; can be taken back like an answer.
    pub(super) fn load(&mut self, file: &Path) -> Result<(), String> {
        let text = read_text(file).map_err(|error| error.to_string())?;
        let loaded = Play::resume(self.game.shared_program(), &self.profile, &text)
            .map_err(|why| format!("{} cannot be loaded: {why}", file.display()))?;
        let before = self.now();
        self.past.push(before);
        self.game = loaded.game;
        self.drawn = loaded.drawn;
        self.begin_anew();
        Ok(())
    }
}
