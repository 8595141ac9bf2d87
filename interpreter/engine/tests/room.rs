//! Things that are made and retired, and the room for them.

use std::sync::Arc;

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

#[test]
fn minted_things_are_described_and_retired() {
    let mut game = at(vec![], season(STORM));
    game.take(&Submission::Dice(6)).unwrap();
    take(&mut game, "\"Fern\"");
    game.take(&Submission::Branch(0)).unwrap();
    take(&mut game, "yes");
    let pebble = ThingId::from_index(game.things() - 1);
    assert_eq!(game.thing_words(pebble), "pebble \"Fern\"");
    assert!(game.exists(pebble));
}

/// The toy in which a pebble is made of the plant under which it comes to lie, and takes over its strength and its hues.
fn with_taking_pebbles() -> Program {
    let mut program = toy();
    for figure in [STRENGTH, HUES] {
        program.attrs[figure.index()].classes.push(PEBBLE);
    }
    for (statement, _) in program.blocks.iter_mut().flat_map(|block| &mut block.statements) {
        if let Statement::Create { from, .. } = statement {
            *from = Some(Box::new(Taken { of: Sel::Slot(3), class: PLANT, figures: vec![STRENGTH, HUES] }));
        }
    }
    program
}

#[test]
fn a_new_thing_takes_over_figures_as_they_are() {
    let mut game = with(with_taking_pebbles(), vec![], season(STORM));
    game.take(&Submission::Dice(6)).unwrap();
    take(&mut game, "\"Fern\"");
    game.take(&Submission::Branch(0)).unwrap();
    let figures = |game: &Game, of| [STRENGTH, HUES].map(|figure| game.value_words(figure, of));
    let wanted = figures(&game, FERN);
    take(&mut game, "yes");
    let pebble = ThingId::from_index(game.things() - 1);
    assert_eq!(figures(&game, pebble), wanted);
    assert!(num(&game, STRENGTH, pebble) > 0);
}

#[test]
fn from_nothing_no_figures_are_taken_over() {
    let mut game = with(with_taking_pebbles(), vec![], season(STORM));
    game.take(&Submission::Dice(1)).unwrap();
    game.take(&Submission::Branch(0)).unwrap();
    let error = game.take(&Submission::Yes).unwrap_err();
    assert!(error.to_string().contains("nothing from which"), "{error}");
}

/// A calm answer that lets seasons pass and mints a pebble in each.
fn minting(game: &Game, dice: &mut Dice) -> Submission {
    if let Some(rolled) = game.keyed_roll(3) {
        return rolled;
    }
    let options = game.options();
    let in_season = game.running().last().is_some_and(|r| r.proc == SEASON);
    let yes = options.iter().find(|o| **o == Submission::Yes && in_season);
    let quiet =
        |s: &Submission| matches!(s, Submission::Pass | Submission::Branch(1) | Submission::No | Submission::Decline);
    let calm = options.iter().rposition(quiet);
    let n = calm.unwrap_or_else(|| dice.below(options.len()));
    yes.unwrap_or(&options[n]).clone()
}

/// The toy with a pebble printed on every plant.
fn with_printed_pebbles() -> Program {
    let mut program = toy();
    for card in &mut program.cards {
        card.parts = vec![PartDecl { class: PEBBLE, host: UNDER, figures: vec![], clause: ClauseId::from_index(0) }];
    }
    program
}

/// A game that begins with little room goes as one with much: it grows at its decisions.
#[test]
fn room_grows_as_it_is_needed() {
    for program in [toy(), with_printed_pebbles()] {
        room_grows(&Arc::new(program));
    }
}

fn room_grows(program: &Arc<Program>) {
    let game = |capacity| {
        let setup = Setup { capacity, ..setup(program) };
        Game::new(Arc::clone(program), setup).unwrap()
    };
    let (mut small, mut large) = (game(64), game(2048));
    assert_eq!((small.capacity(), large.capacity()), (64, 2048));
    let mut dice = Dice(5);
    let mut widths = vec![64];
    for n in 0..6_000 {
        let submission = minting(&large, &mut dice);
        if n % 50 == 0 {
            assert_eq!(small.options(), large.options());
            assert_eq!(small.options_in_words(), large.options_in_words());
            for t in (0..large.things()).map(ThingId::from_index) {
                assert_eq!(small.thing_words(t), large.thing_words(t));
                assert_eq!(small.value_words(STRENGTH, t), large.value_words(STRENGTH, t));
            }
            let loaded = Game::load(Arc::clone(program), &small.save()).unwrap();
            assert_eq!((&loaded, loaded.position_hash()), (&small, small.position_hash()));
        }
        small.take(&submission).unwrap();
        large.take(&submission).unwrap();
        assert!(small.capacity() >= small.things() + 60, "there is always room");
        if widths.last() != Some(&small.capacity()) {
            widths.push(small.capacity());
        }
        if small.things() > 700 {
            break;
        }
    }
    assert_eq!(large.capacity(), 2048, "what has room stays as it is");
    assert!(widths.len() >= 3 && small.things() > 700, "{widths:?}, {} things", small.things());
}

/// Before a storm, after which so many pebbles are minted before the next decision.
fn pebbles(times: i32) -> Game {
    let create = Statement::Create { class: PEBBLE, slot: 4, values: vec![], from: None };
    let program = resting(vec![vec![create]], |ids| {
        vec![Statement::RepeatTimes(Num::Int(times), ids[0]), choose(role(), Sel::Class(GARDENER), 2)]
    });
    let program = Arc::new(program);
    let mut setup = setup(&program);
    setup.start = vec![StartFrame { proc: SEASON, arguments: vec![Value::Thing(ANN)], step: Some(STORM) }];
    Game::new(program, setup).unwrap()
}

#[test]
fn an_answer_that_needs_more_room_than_there_is_gets_it() {
    let mut game = pebbles(600);
    let (before, things) = (game.capacity(), game.things());
    game.set_tracing(true);
    game.take(&Submission::Dice(1)).unwrap();
    assert_eq!(game.things(), things + 600);
    assert!(before < 600 && game.capacity() >= things + 600);
    let minted = game.trace().iter().filter(|e| e.kind == TraceKind::Thing).count();
    assert_eq!(minted, 600, "what was tried in vain is not told");
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(ANN));
}

#[test]
fn room_runs_out_with_an_error() {
    // Twice as many as a loop may make are more than any game has room for.
    let mut game = pebbles(10_000);
    game.take(&Submission::Dice(1)).unwrap();
    assert!(game.capacity() > 10_000);
    let create = vec![Statement::Create { class: PEBBLE, slot: 4, values: vec![], from: None }];
    let program = Arc::new(resting(vec![create], |ids| vec![Statement::RepeatTimes(Num::Int(9_000), ids[0]); 2]));
    let mut setup = setup(&program);
    setup.start = vec![StartFrame { proc: SEASON, arguments: vec![Value::Thing(ANN)], step: Some(STORM) }];
    let mut game = Game::new(program, setup).unwrap();
    let before = game.clone();
    match game.take(&Submission::Dice(1)) {
        Err(Refusal::Failed(error)) => {
            assert_eq!(error.kind, ErrorKind::Overflow);
            assert!(error.text.contains("16384"), "{error}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!((&game, game.capacity()), (&before, before.capacity()));
    assert_eq!(game.options(), before.options());
    assert_eq!(game.position_hash(), before.position_hash());
}
