//! Pig, a dice game, on the engine that knows no game.
//!
//! Two players or more; who is to roll rolls a die as often as he likes and adds up what he rolls; a 1 loses the points of the
//! turn and ends it, holding banks them and ends it; first to 100 wins. Rules and words are in `pig/`.

use std::sync::Arc;

use crate::support::board::Board;
use crate::support::data::{compiler_of, errors, program};
use crate::support::play::{Chance, dice, random, refused_clauses, say, take};
use netrep_compiler::{Compiler, Profile};
use netrep_engine::{Chooser, DecisionKind, Game, Refusal, Submission};
use netrep_ir::Cond;

const POSITION: &str = "
    player Ann, Bob
    begin game for Ann
";

/// Who plays, of so many.
const NAMES: [&str; 4] = ["Ann", "Bob", "Cid", "Dot"];

/// The two files of the game.
fn pig() -> Compiler {
    compiler_of(&[
        ("rules/vocabulary/pig.words".to_owned(), include_str!("../pig/pig.words").to_owned()),
        ("rules/sections/pig.rules".to_owned(), include_str!("../pig/pig.rules").to_owned()),
    ])
}

/// The rules of Pig, and a game at its start.
pub(crate) fn table() -> (Compiler, Game) {
    let table = Table::new(POSITION);
    let game = table.game();
    (table.compiler, game)
}

/// A position of Pig, and what it takes to ask about it.
struct Table {
    compiler: Compiler,
    board: Board,
}

impl Table {
    fn new(position: &str) -> Table {
        let compiler = pig();
        let board = Board::new(&compiler.phrases(&Profile::default()), position);
        Table { compiler, board }
    }

    fn game(&self) -> Game {
        self.board.game(&self.compiler.phrases(&Profile::default()))
    }

    fn cond(&self, sentence: &str) -> Cond {
        self.board.condition(&self.compiler.phrases(&Profile::default()), sentence).0
    }

    #[track_caller]
    fn holds(&self, game: &Game, sentence: &str) {
        let cond = self.cond(sentence);
        assert!(game.holds(&cond), "not so: {sentence}; it saw {:?}", game.saw(&cond));
    }
}

/// What Pig is, in Rust: the scores after a script of dice, where after each roll that is no 1 the player holds if
/// `holds` says so. The reference that the engine is compared with.
struct Reference {
    scores: Vec<i32>,
    pot: i32,
    turn: usize,
}

impl Reference {
    fn new(players: usize) -> Reference {
        Reference { scores: vec![0; players], pot: 0, turn: 0 }
    }

    fn pass_on(&mut self) {
        self.pot = 0;
        self.turn = (self.turn + 1) % self.scores.len();
    }

    fn over(&self) -> bool {
        self.scores.iter().any(|s| *s >= 100)
    }

    fn roll(&mut self, die: i32) {
        if die == 1 {
            self.pass_on();
        } else {
            self.pot += die;
        }
    }

    fn hold(&mut self) {
        self.scores[self.turn] += self.pot;
        self.pass_on();
    }
}

/// Whether the game asks for the die, and whose it is.
fn rolls(game: &Game) -> bool {
    matches!(game.decision().map(|d| (&d.kind, d.by)), Some((DecisionKind::Roll { dice: 1, .. }, Chooser::Chance)))
}

#[test]
fn its_data_compile_without_a_finding() {
    let compiler = pig();
    let diags = compiler.check();
    assert!(errors(&diags).is_empty(), "{diags:#?}");
    assert!(program(&compiler, &Profile::default()).cards.is_empty(), "a game without cards");
}

#[test]
fn a_turn_adds_up_and_holding_banks() {
    let table = Table::new(POSITION);
    let mut game = table.game();
    assert!(rolls(&game), "the first throw is not a choice");
    dice(&mut game, 4);
    table.holds(&game, "pot of Ann is 4");
    table.holds(&game, "score of Ann is 0");
    say(&mut game, "no");
    dice(&mut game, 6);
    table.holds(&game, "pot of Ann is 10");
    say(&mut game, "yes");
    table.holds(&game, "score of Ann is 10");
    table.holds(&game, "pot of Ann is 0");
    assert!(
        matches!(game.decision().map(|d| &d.kind), Some(DecisionKind::Roll { by, .. }) if *by == table.board.thing("Bob"))
    );
    table.holds(&game, "score of Bob is 0");
}

#[test]
fn a_one_loses_the_turn_and_nothing_else() {
    let table = Table::new(&format!("{POSITION}\nfact score of Ann is 30"));
    let mut game = table.game();
    dice(&mut game, 6);
    say(&mut game, "no");
    dice(&mut game, 1);
    table.holds(&game, "score of Ann is 30");
    table.holds(&game, "pot of Ann is 0");
    assert!(rolls(&game), "after a 1 nothing is left to choose");
    dice(&mut game, 2);
    table.holds(&game, "pot of Bob is 2");
}

/// 99 is not enough, 100 is, and more than 100 is too; the game is over at once, before the next turn.
#[test]
fn the_hundredth_point_wins() {
    for (die, over) in [(3, false), (4, true), (5, true)] {
        let table = Table::new(&format!("{POSITION}\nfact score of Ann is 96"));
        let mut game = table.game();
        dice(&mut game, die);
        say(&mut game, "yes");
        assert_eq!(game.decision().is_none(), over, "96 + {die}");
        let won = table.cond("Ann has won");
        assert_eq!(game.holds(&won), over, "96 + {die}");
        assert!(!game.holds(&table.cond("Bob has won")));
        assert_eq!(game.take(&Submission::Dice(3)) == Err(Refusal::Over), over);
    }
}

/// Points that are not banked win nothing.
#[test]
fn the_pot_does_not_win() {
    let table = Table::new(&format!("{POSITION}\nfact score of Ann is 98"));
    let mut game = table.game();
    dice(&mut game, 6);
    assert!(game.decision().is_some());
    say(&mut game, "no");
    dice(&mut game, 1);
    table.holds(&game, "score of Ann is 98");
    assert!(!game.holds(&table.cond("Ann has won")));
}

/// Whatever is not asked is refused with the clause that asks for something else.
#[test]
fn what_is_not_asked_is_refused_with_its_clause() {
    let table = Table::new(POSITION);
    let mut game = table.game();
    for wrong in [Submission::Dice(0), Submission::Dice(7), Submission::Yes, Submission::Pass, Submission::Branch(0)] {
        let before = game.clone();
        assert_eq!(refused_clauses(&game, &wrong), ["2.1 roll"], "{wrong:?}");
        assert!(game.take(&wrong).is_err());
        assert_eq!(game, before, "a refusal changes nothing");
    }
    dice(&mut game, 2);
    assert_eq!(refused_clauses(&game, &Submission::Dice(2)), ["2.1 roll"]);
}

/// Random play follows the reference, throw by throw, to the end: by two, by three and by four.
#[test]
fn a_hundred_random_games_end_as_the_reference_says() {
    for players in 2..=NAMES.len() {
        random_games(&NAMES[..players]);
    }
}

fn random_games(names: &[&str]) {
    let table = Table::new(&format!("player {}\nbegin game for Ann", names.join(", ")));
    let players: Vec<_> = names.iter().map(|name| table.board.thing(name)).collect();
    let (mut wins, mut lengths) = (vec![0; names.len()], Vec::new());
    for seed in 0..100 {
        let mut game = table.game();
        let mut chance = Chance::new(seed);
        let mut reference = Reference::new(names.len());
        let mut throws = 0;
        while let Some(decision) = game.decision().cloned() {
            assert!(throws < 5_000, "seed {seed} does not end");
            assert!(!reference.over(), "seed {seed}: the engine goes on after the end");
            if let Some(submission) = game.keyed_roll(seed) {
                assert!(matches!(decision.kind, DecisionKind::Roll { by, .. } if by == players[reference.turn]));
                let Submission::Dice(die) = submission else { panic!("{submission:?}") };
                assert!((1..=6).contains(&die));
                take(&mut game, &submission);
                reference.roll(die);
                throws += 1;
            } else {
                assert_eq!(decision.by, Chooser::Seat(players[reference.turn]));
                // Hold one time in four: a turn is then some four throws long.
                let hold = chance.below(4) == 0;
                take(&mut game, if hold { &Submission::Yes } else { &Submission::No });
                if hold {
                    reference.hold();
                }
            }
        }
        assert!(reference.over(), "seed {seed}: the engine stops at {:?}", reference.scores);
        for (name, points) in names.iter().zip(&reference.scores) {
            table.holds(&game, &format!("score of {name} is {points}"));
        }
        let winner = reference.scores.iter().position(|s| *s >= 100).unwrap_or(0);
        wins[winner] += 1;
        lengths.push(throws);
    }
    // All sit at the same table: over a hundred games nobody can have won none, nor nearly all.
    assert!(wins.iter().all(|w| *w >= 40 / names.len()), "{wins:?}");
    assert!(lengths.iter().any(|l| l != &lengths[0]), "all games are alike");
}

/// At every decision of a random game: saved, loaded and continued is the same as continued.
#[test]
fn save_and_load_at_every_throw() {
    let table = Table::new(POSITION);
    let program = program(&table.compiler, &Profile::default());
    let mut game = table.game();
    let mut hashes = Vec::new();
    random(&mut game, 7, 10_000, |game| {
        let loaded = Game::load(Arc::clone(&program), &game.save()).expect("what was saved can be loaded");
        assert_eq!(loaded.position_hash(), game.position_hash());
        assert_eq!(loaded, *game);
        hashes.push(game.position_hash());
    });
    assert!(game.decision().is_none(), "the game ends");
    // From the middle of the game, the loaded one takes the same course.
    let mut again = table.game();
    let mut seen = Vec::new();
    let mut at = 0;
    let mut chance = Chance::new(7);
    while let Some(submission) = crate::support::play::next(&again, &mut chance, 7) {
        seen.push(again.position_hash());
        if at == hashes.len() / 2 {
            again = Game::load(Arc::clone(&program), &again.save()).expect("what was saved can be loaded");
        }
        take(&mut again, &submission);
        at += 1;
    }
    assert_eq!(seen, hashes);
    assert_eq!(again, game);
}
