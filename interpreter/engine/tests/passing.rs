//! Things that come and go: rolls, and what is declared and not resolved.

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

/// The toy, in which each roll is a pebble, thrown twice: the second total counts, and one more.
fn rolling() -> Program {
    let mut t = Toy { p: toy() };
    let around = t.proc("gathering", &[(0, PEBBLE)], true);
    let throw = || Statement::Roll { by: Sel::Empty, dice: None, slot: 1, subject: None, values: vec![] };
    let total = Num::Add(b(Num::Slot(1)), b(Num::Int(1)));
    let set = Statement::Set { attr: LUCK, of: Sel::Slot(0), value: Val::Num(total) };
    t.step(around, "luck", vec![throw(), throw(), set]);
    t.p.services.roll = Some((PEBBLE, KEEPER));
    t.p.services.total = Some((PEBBLE, LUCK));
    t.p.services.around = Some(around);
    t.p
}

fn pebbles(game: &Game) -> Vec<ThingId> {
    game.select(&Sel::Class(PEBBLE)).iter().collect()
}

fn rollers(game: &Game) -> Vec<ThingId> {
    game.select(&keeper_of(Sel::Class(PEBBLE))).iter().collect()
}

#[test]
fn a_roll_is_a_thing_until_its_total_is_known() {
    let mut game = with(rolling(), vec![], season(STORM));
    let before = game.things();
    let Some(DecisionKind::Roll { dice: 1, by: ANN, subject: Some(ANN), .. }) = game.decision().map(|d| d.kind.clone())
    else {
        panic!("{:?}", game.decision());
    };
    let [roll] = pebbles(&game)[..] else { panic!("{:?}", pebbles(&game)) };
    assert_eq!(rollers(&game), [ANN]);
    game.take(&Submission::Dice(6)).unwrap();
    assert_eq!(pebbles(&game), [roll]);
    // 2, and one more: the storm is over, and so is the roll.
    game.take(&Submission::Dice(2)).unwrap();
    assert_eq!(pebbles(&game), []);
    assert_ne!(game.running().last().map(|r| r.step), Some(Some(STORM)));
    assert_eq!(game.things(), before);
}

#[test]
fn the_total_that_the_procedure_has_stored_is_that_of_the_roll() {
    let mut game = with(rolling(), vec![], season(STORM));
    game.take(&Submission::Dice(1)).unwrap();
    game.take(&Submission::Dice(3)).unwrap();
    // 3, and one more: a plant is chosen.
    assert!(offered(&game).contains(&"\"Fern\"".to_string()), "{:?}", offered(&game));
}

#[test]
fn a_roll_without_a_throw_is_a_fault() {
    let mut program = rolling();
    let around = program.services.around.unwrap();
    let body = program.steps[program.procs[around.index()].steps[0].index()].body;
    program.blocks[body.index()].statements.truncate(0);
    let game = Game::new(std::sync::Arc::new(program.clone()), {
        let mut setup = setup(&program);
        setup.start = season(STORM);
        setup
    });
    assert!(format!("{game:?}").contains("no dice have been thrown"), "{game:?}");
}

#[test]
fn a_roll_that_is_saved_goes_on() {
    let mut game = with(rolling(), vec![], season(STORM));
    game.take(&Submission::Dice(6)).unwrap();
    let mut again = Game::load(std::sync::Arc::new(rolling()), &game.save()).unwrap();
    assert_eq!(again.position_hash(), game.position_hash());
    for game in [&mut game, &mut again] {
        game.take(&Submission::Dice(4)).unwrap();
    }
    assert_eq!(again.position_hash(), game.position_hash());
}

/// The toy, in which what is declared is a pebble.
fn declaring() -> Program {
    let mut p = toy();
    p.services.declaration = Some((PEBBLE, UNDER));
    p.services.declarer = Some((PEBBLE, KEEPER));
    p
}

#[test]
fn what_is_declared_is_a_thing_until_it_is_resolved() {
    let mut game = with(declaring(), vec![], season(WORK));
    assert_eq!(pebbles(&game), []);
    take(&mut game, "plant \"Dew\"");
    assert_eq!(pebbles(&game).len(), 1);
    assert_eq!(rollers(&game), [ANN]);
    let things = game.things();
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!((pebbles(&game), game.place_of(DEW)), (vec![], Some((FIELD, None))));
    // The next one takes no more room.
    take(&mut game, "plant \"Wind\"");
    assert_eq!((pebbles(&game).len(), game.things()), (1, things));
}

/// Whoever raises a plant takes all that is declared out of its chain; his own is resolved then, and no more there.
fn raising(program: &mut Program) {
    let body = program.verbs[RAISE.index()].body.unwrap();
    program.blocks[body.index()].statements.push((Statement::Remove(Sel::Class(PEBBLE)), SiteId(0)));
}

#[test]
fn what_is_taken_out_of_its_chain_is_not_resolved() {
    let mut program = declaring();
    raising(&mut program);
    let mut game = with(program, vec![lies(FERN)], season(WORK));
    take(&mut game, "plant \"Dew\"");
    take(&mut game, "raise \"Fern\"");
    assert_eq!(pebbles(&game).len(), 2);
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(pebbles(&game), []);
    assert_eq!(game.value_words(POSTURE, FERN), "Standing");
    assert_ne!(game.place_of(DEW), Some((FIELD, None)));
    assert!(texts(&game, TraceKind::Negated).iter().any(|t| t.contains("Dew")), "{:?}", game.trace());
}
