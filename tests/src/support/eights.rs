//! A table for Crazy Eights.

use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use netrep_engine::{Game, ThingId};
use netrep_ir::{Cond, Program};

use crate::support::board::Board;
use crate::support::data::{compiler_of, program};

const NAMES: [&str; 4] = ["Ann", "Bob", "Cid", "Dot"];

/// The data of the game.
pub(crate) fn compiler() -> Compiler {
    compiler_of(&[
        ("rules/vocabulary/eights.words".to_owned(), include_str!("../../eights/eights.words").to_owned()),
        ("rules/sections/eights.rules".to_owned(), include_str!("../../eights/eights.rules").to_owned()),
        ("cards/eights.cards".to_owned(), include_str!("../../eights/eights.cards").to_owned()),
    ])
}

/// A table of so many players before the first deal.
pub(crate) struct Table {
    compiler: Compiler,
    /// The compiled data.
    pub program: Arc<Program>,
    /// The position.
    pub board: Board,
    /// The players, in turn.
    pub seats: Vec<ThingId>,
    /// What they are called.
    pub names: Vec<String>,
}

impl Table {
    /// A table of two to four; the first deals first.
    pub(crate) fn new(players: usize) -> Table {
        Table::of(players, compiler())
    }

    /// The same with other data.
    pub(crate) fn of(players: usize, compiler: Compiler) -> Table {
        let names: Vec<String> = NAMES.iter().take(players).map(|n| (*n).to_owned()).collect();
        let program = program(&compiler, &Profile::default());
        let cards: Vec<&str> = program.cards.iter().map(|c| program.names[c.name.index()].as_str()).collect();
        let (seats, stock) = (names.join(", "), cards.join(", "));
        let text = format!("player {seats}\ntable T\n- in stock: {stock}\nbegin game for T, Ann\n");
        let board = Board::new(&compiler.phrases(&Profile::default()), &text);
        let seats = names.iter().map(|n| board.thing(n)).collect();
        Table { compiler, program, board, seats, names }
    }

    /// The game from the start.
    pub(crate) fn game(&self) -> Game {
        self.board.game(&self.compiler.phrases(&Profile::default()))
    }

    /// The game in which everyone begins with so many points.
    pub(crate) fn game_from(&self, points: i32) -> Game {
        let mut board = self.board.clone();
        for name in &self.names {
            let (cond, words) = self.condition(&format!("score of {name} is {points}"));
            board.setup.facts.push(netrep_engine::Fact::Holds(cond, words));
        }
        board.game(&self.compiler.phrases(&Profile::default()))
    }

    fn condition(&self, sentence: &str) -> (Cond, String) {
        self.board.condition(&self.compiler.phrases(&Profile::default()), sentence)
    }

    /// A condition in the names of the table.
    pub(crate) fn cond(&self, sentence: &str) -> Cond {
        self.condition(sentence).0
    }

    /// A card by its name.
    pub(crate) fn card(&self, name: &str) -> ThingId {
        self.board.thing(name)
    }

    /// A player's points.
    pub(crate) fn score(&self, game: &Game, player: usize) -> i32 {
        let attr = self.program.attrs.iter().position(|a| a.name == "score").expect("a score");
        game.value_words(netrep_ir::AttrId::from_index(attr), self.seats[player]).parse().expect("a number")
    }
}
