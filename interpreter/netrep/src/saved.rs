//! A game as a text: the position with every id as a label, who plays, and what chance and bots are keyed by.

use std::sync::Arc;

use netrep_engine::Game;
use netrep_ir::Program;
use netrep_ir::limits::FILE_BYTES;
use netrep_lab::simulate::Chance;
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::table::{Answer, Bot, Dice, Drawn, Table, seat_of, seatings};

/// The format that is written, and the only one that is read. It counts up when an older reader would misread the text.
pub const FORMAT: u32 = 3;

/// What tells a saved game from other JSON, and the format of those that were written before it was so called.
const KIND: &str = "saved game";

#[derive(Serialize, Deserialize)]
struct Saved {
    netrep: String,
    format: u32,
    /// The rules in words.
    rules: String,
    seed: u64,
    /// Where bots are in their choices.
    chance: u64,
    question: u64,
    by_hand: bool,
    seats: Vec<(String, Option<Bot>)>,
    answers: Vec<Answer>,
    game: serde_json::Value,
    /// The fingerprint of all else: what was changed since is refused, and not played on.
    #[serde(default)]
    seal: String,
}

impl Saved {
    /// The seal that belongs to it. It keeps off damage and slips; who wants to cheat at his own table can.
    fn sealed(&self) -> Result<String, serde_json::Error> {
        let mut value = serde_json::to_value(self)?;
        if let Some(fields) = value.as_object_mut() {
            fields.remove("seal");
        }
        Ok(format!("{:016x}", xxhash_rust::xxh3::xxh3_64(value.to_string().as_bytes())))
    }
}

/// What is looked at before the rest is read.
#[derive(Deserialize)]
struct Header {
    netrep: Option<String>,
    format: Option<u32>,
    /// As the format was called when there was but one.
    netrep_play: Option<u32>,
}

/// The format of a saved game; `None`, if a text is none. What [`Rules::resume`](crate::Rules::resume) reads is
/// [`FORMAT`].
pub fn saved_format(text: &str) -> Option<u32> {
    let header: Header = serde_json::from_str(text).ok()?;
    match header.netrep {
        Some(kind) if kind == KIND => header.format,
        _ => header.netrep_play,
    }
}

pub(crate) fn save(table: &Table) -> Result<String, Error> {
    let wrong = |error: serde_json::Error| Error::new(ErrorKind::Saved, error.to_string());
    let game = serde_json::from_str(&table.game.save()).map_err(wrong)?;
    let mut saved = Saved {
        netrep: KIND.to_owned(),
        format: FORMAT,
        rules: table.rules.clone(),
        seed: table.drawn.seed,
        chance: table.drawn.chance.state(),
        question: table.question,
        by_hand: table.is_by_hand(),
        seats: table.seats.iter().map(|seat| (seat.name.clone(), seat.bot)).collect(),
        answers: table.answers.clone(),
        game,
        seal: String::new(),
    };
    saved.seal = saved.sealed().map_err(wrong)?;
    serde_json::to_string(&saved).map_err(wrong)
}

pub(crate) fn resume(program: Arc<Program>, rules: &str, text: &str) -> Result<Table, Error> {
    let wrong = |text: String| Error::new(ErrorKind::Saved, text);
    if text.len() > FILE_BYTES {
        return Err(wrong(format!("it is larger than {FILE_BYTES} bytes, which is the most for a saved game")));
    }
    match saved_format(text) {
        Some(FORMAT) => {}
        Some(other) => {
            let help = "play it to its end with the release that wrote it, or begin a new game";
            return Err(wrong(format!("it is a saved game of format {other}; format {FORMAT} is read: {help}")));
        }
        None => return Err(wrong("it is no saved game".to_owned())),
    }
    let saved: Saved =
        serde_json::from_str(text).map_err(|error| wrong(format!("the saved game cannot be read: {error}")))?;
    if saved.rules != rules {
        return Err(wrong(format!("it was played under {}, not under {rules}", saved.rules)));
    }
    if saved.sealed().ok().as_ref() != Some(&saved.seal) {
        return Err(wrong("it was changed since it was saved: its seal does not fit".to_owned()));
    }
    let game = Game::load(program, &saved.game.to_string()).map_err(|error| wrong(error.to_string()))?;
    let mut seats = seatings(&game);
    for (name, bot) in &saved.seats {
        let seat = seat_of(&seats, name).map_err(|error| wrong(error.message))?;
        seats[seat].bot = *bot;
    }
    let drawn = Drawn { seed: saved.seed, chance: Chance::new(saved.chance) };
    let dice = if saved.by_hand { Dice::ByHand } else { Dice::Keyed };
    // The question at which it was saved is the one that is asked again: what was offered then can still be taken.
    let before = saved.question.saturating_sub(1);
    Ok(Table::at(game, saved.rules, drawn, seats, dice, (before, saved.answers, None)))
}
