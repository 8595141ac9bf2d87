//! What would come of answers: a copy that shares what is kept comes to what a clone comes to, and leaves the game as it was.

use std::sync::Arc;

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

/// After an answer: the hash of the position, what is offered, and the sum of a figure of all things.
type Came = (u64, Vec<(String, Submission)>, i32);

/// What is offered after an answer, and after each of the next: of the first that is offered, then of the last.
fn came(game: &mut Game, answer: &Submission) -> Vec<Came> {
    let mut found = Vec::new();
    let mut next = Some(answer.clone());
    while let Some(submission) = next.take().filter(|_| found.len() < 6) {
        if game.take(&submission).is_err() {
            break;
        }
        let figures = (0..game.things()).map(|t| num(game, STRENGTH, ThingId::from_index(t))).sum();
        let mut offered = game.options_in_words();
        found.push((game.position_hash(), offered.clone(), figures));
        let n = if found.len().is_multiple_of(2) { 0 } else { offered.len().saturating_sub(1) };
        next = (n < offered.len()).then(|| offered.swap_remove(n).1);
    }
    found
}

#[test]
fn what_is_supposed_comes_to_what_a_clone_comes_to() {
    let program = Arc::new(toy());
    let mut asked = 0;
    for seed in 0..30 {
        let mut game = Game::new(Arc::clone(&program), setup(&program)).unwrap();
        let mut dice = Dice(seed);
        for _ in 0..60 {
            if game.answer_chance(seed).is_err() || game.decision().is_none() {
                break;
            }
            let before = (game.clone(), game.options());
            for option in &before.1 {
                let there = came(&mut game.clone(), option);
                assert_eq!(game.suppose(|copy| came(copy, option)), there, "{seed}");
                asked += there.len();
            }
            assert_eq!((&game, game.options()), (&before.0, before.1.clone()), "it was only supposed");
            let n = dice.below(before.1.len());
            game.take(&before.1[n]).unwrap();
        }
    }
    assert!(asked > 5_000, "{asked}");
}

#[test]
fn what_fails_is_taken_back_and_the_game_goes_on() {
    let create = vec![Statement::Create { class: PEBBLE, slot: 4, values: vec![], from: None }];
    let ever = |ids: &[BlockId]| vec![Statement::RepeatTimes(Num::Int(9_000), ids[0]); 2];
    let program = resting(vec![create, vec![]], |ids| {
        vec![Statement::May { by: role(), body: ids[1], otherwise: None }].into_iter().chain(ever(ids)).collect()
    });
    let program = Arc::new(program);
    let mut game = Game::new(Arc::clone(&program), Setup { start: season(REST), ..setup(&program) }).unwrap();
    let before = game.clone();
    game.suppose(|copy| {
        for answer in [Submission::Yes, Submission::No] {
            let Err(Refusal::Failed(error)) = copy.take(&answer) else { panic!("there is no such room") };
            assert_eq!(error.kind, ErrorKind::Overflow);
            assert_eq!((&*copy, copy.options()), (&before, before.options()), "it is as it was");
        }
    });
    assert_eq!((&game, game.options(), game.capacity()), (&before, before.options(), before.capacity()));
}

#[test]
fn what_is_supposed_may_need_more_room_than_the_game_has() {
    let create = Statement::Create { class: PEBBLE, slot: 4, values: vec![], from: None };
    let program = resting(vec![vec![create], vec![]], |ids| {
        vec![
            Statement::May { by: role(), body: ids[1], otherwise: None },
            Statement::RepeatTimes(Num::Int(600), ids[0]),
            choose(role(), Sel::Class(GARDENER), 2),
        ]
    });
    let program = Arc::new(program);
    let mut game = Game::new(Arc::clone(&program), Setup { start: season(REST), ..setup(&program) }).unwrap();
    let (before, things) = (game.clone(), game.things());
    // Twice: what was supposed first had another width.
    for _ in 0..2 {
        let there = came(&mut game.clone(), &Submission::Yes);
        let (made, seen) = game.suppose(|copy| (came(copy, &Submission::Yes), copy.things()));
        assert!(made == there && seen >= things + 600, "{seen}");
        assert_eq!((&game, game.capacity()), (&before, before.capacity()));
    }
}

#[test]
fn what_is_supposed_within_what_is_supposed_is_gone_as_well() {
    let mut game = at(vec![], season(STORM));
    let before = game.clone();
    let there = came(&mut game.clone(), &Submission::Dice(6));
    let seen = game.suppose(|copy| {
        let first = copy.suppose(|inner| came(inner, &Submission::Dice(1)));
        assert_eq!(*copy, before);
        assert_eq!(first, came(&mut before.clone(), &Submission::Dice(1)));
        came(copy, &Submission::Dice(6))
    });
    assert_eq!(seen, there);
    assert_eq!(game, before);
}
