//! A table for Hearts.

use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use netrep_engine::{Game, ThingId};
use netrep_ir::{AttrId, Program};

use crate::support::board::Board;
use crate::support::data::{compiler_of, program};

/// The data of the game: their paths in a folder of data, and their texts.
pub(crate) const FILES: [(&str, &str); 3] = [
    ("rules/vocabulary/hearts.words", include_str!("../../hearts/hearts.words")),
    ("rules/sections/hearts.rules", include_str!("../../hearts/hearts.rules")),
    ("cards/hearts.cards", include_str!("../../hearts/hearts.cards")),
];

/// A compiler with the data of the game.
pub(crate) fn compiler() -> Compiler {
    compiler_of(&FILES.map(|(path, text)| (path.to_owned(), text.to_owned())))
}

/// A table of four before the first deal; the first of them deals.
pub(crate) struct Table {
    compiler: Compiler,
    /// The compiled data.
    pub program: Arc<Program>,
    /// The position.
    pub board: Board,
    /// The players, in turn.
    pub seats: Vec<ThingId>,
}

impl Table {
    pub(crate) fn new() -> Table {
        let compiler = compiler();
        let program = program(&compiler, &Profile::default());
        let cards: Vec<&str> = program.cards.iter().map(|c| program.names[c.name.index()].as_str()).collect();
        let text = format!("player Ann, Bob, Cid, Dot\nAnn in pack: {}\nbegin game for Ann\n", cards.join(", "));
        let board = Board::new(&compiler.phrases(&Profile::default()), &text);
        let seats = ["Ann", "Bob", "Cid", "Dot"].map(|name| board.thing(name)).to_vec();
        Table { compiler, program, board, seats }
    }

    /// The game from the start.
    pub(crate) fn game(&self) -> Game {
        self.board.game(&self.compiler.phrases(&Profile::default()))
    }

    /// Whether a sentence is so, in the names of the table.
    pub(crate) fn holds(&self, game: &Game, sentence: &str) -> bool {
        game.holds(&self.board.condition(&self.compiler.phrases(&Profile::default()), sentence).0)
    }

    /// A player's points.
    pub(crate) fn score(&self, game: &Game, player: usize) -> i32 {
        let attr = self.program.attrs.iter().position(|a| a.name == "score").expect("a score");
        game.value_words(AttrId::from_index(attr), self.seats[player]).parse().expect("a number")
    }
}
