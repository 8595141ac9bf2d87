//! Things that are there as long as a clause gives them, or withholds them not.

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

const THORN: ThingId = ThingId(2);

fn all(name: &str) -> Sel {
    Sel::Named(named(&toy(), name))
}

/// A pebble, with nothing of its own.
fn pebble() -> Change {
    Change::Bring(Box::new(Brought { class: PEBBLE, values: vec![], from: None }))
}

/// A program in which pebbles know by `UNDER` whose they are, and the Thorn has such clauses.
fn thorn(changes: Vec<(Sel, Option<Cond>, Change)>) -> Program {
    let mut t = Toy { p: toy() };
    t.p.services.hosts.push((PEBBLE, UNDER));
    let name = named(&t.p, "Thorn");
    let card = t.p.cards.iter().position(|card| card.name == name).map(CardId::from_index);
    for (n, (subject, cond, change)) in changes.into_iter().enumerate() {
        let clause = t.clause(&format!("T-1 gives {n}"), card);
        let id = t.modifier(clause, UNDER, subject, change);
        t.p.modifiers[id.index()].cond = cond;
    }
    t.p
}

/// Bob's Thorn is away, so that only Ann's says anything.
fn alone() -> Vec<Fact> {
    vec![Fact::Put { thing: ThingId(10), place: Some(HEAP), owner: Some(BOB) }]
}

/// The pebbles that there are under a plant.
fn under(game: &Game, plant: ThingId) -> Vec<ThingId> {
    let host = |t: &ThingId| game.printed_on(*t) == Some(plant);
    let there = (0..game.things()).map(ThingId::from_index).filter(|t| game.exists(*t));
    there.filter(|t| game.class_of(*t) == Some(PEBBLE)).filter(host).collect()
}

fn to(thing: ThingId, place: PlaceId, owner: Option<ThingId>) -> Fact {
    Fact::Put { thing, place: Some(place), owner }
}

#[test]
fn each_has_one_as_long_as_it_is_given_and_always_the_same() {
    let standing = and([all("Fern"), is(STANDS)]);
    let mut game = with(thorn(vec![(standing, None, pebble())]), alone(), season(WORK));
    let (mine, other) = (under(&game, FERN), under(&game, FERN2));
    assert_eq!((mine.len(), other.len(), under(&game, MOSS).len()), (1, 1, 0));
    assert_ne!(mine, other);
    for words in ["play \"Wind\"", "pass", "pass"] {
        take(&mut game, words);
    }
    assert_eq!((under(&game, FERN).len(), under(&game, FERN2).len()), (0, 0), "both lie");
    let again = Game::load(game.program().clone(), &game.save()).unwrap();
    assert_eq!(again, game);
    let mut again = again;
    for game in [&mut game, &mut again] {
        game.assert(&attr(FERN, POSTURE, Value::Entry(STANDS))).unwrap();
        assert_eq!(under(game, FERN), mine);
        assert_eq!(under(game, FERN2), []);
    }
    assert_eq!(again.position_hash(), game.position_hash());
}

#[test]
fn it_goes_with_its_giver_and_comes_anew() {
    let mut game = with(thorn(vec![(all("Fern"), None, pebble())]), alone(), season(WORK));
    let before = under(&game, FERN);
    assert_eq!(before.len(), 1);
    game.assert(&to(THORN, HEAP, Some(ANN))).unwrap();
    assert_eq!(under(&game, FERN), []);
    game.assert(&to(THORN, FIELD, None)).unwrap();
    let after = under(&game, FERN);
    assert_eq!(after.len(), 1);
    assert_ne!(after, before, "what gave it was gone");
}

#[test]
fn what_is_taken_away_for_good_does_not_come_back() {
    let rest = resting(vec![], |_| vec![Statement::Remove(Sel::Class(PEBBLE))]);
    let mut program = thorn(vec![(all("Fern"), None, pebble())]);
    let body = program.steps[REST.index()].body;
    program.blocks[body.index()].statements = rest.blocks[rest.steps[REST.index()].body.index()].statements.clone();
    let mut game = with(program, alone(), season(REST));
    assert_eq!(under(&game, FERN), []);
    game.assert(&lies(FERN)).unwrap();
    assert_eq!(under(&game, FERN), []);
}

#[test]
fn what_is_withheld_is_back_afterwards() {
    let none = Change::Withhold(Sel::Class(PEBBLE));
    let cond = Cond::Some(and([all("Moss"), is(LIES)]));
    let mut program = thorn(vec![(all("Fern"), None, pebble()), (all("Fern"), Some(cond), none)]);
    let name = named(&program, "Fern");
    let fern = program.cards.iter_mut().find(|card| card.name == name).unwrap();
    let part = PartDecl { class: PEBBLE, host: UNDER, figures: vec![], clause: ClauseId::from_index(0) };
    fern.parts.push(part);
    let facts = alone();
    let mut game = with(program, facts, season(WORK));
    let two = under(&game, FERN);
    assert_eq!(two.len(), 2, "one is printed, one is given");
    game.assert(&lies(MOSS)).unwrap();
    assert_eq!(under(&game, FERN), []);
    let saved = Game::load(game.program().clone(), &game.save()).unwrap();
    assert_eq!(saved, game);
    game.assert(&attr(MOSS, POSTURE, Value::Entry(STANDS))).unwrap();
    assert_eq!(under(&game, FERN), two);
}

/// A program in which Dew gives the Fern on which it is played a pebble for the season.
fn dewy() -> Program {
    let mut program = thorn(vec![(Sel::Slot(0), None, pebble())]);
    let id = program.modifiers.len() - 1;
    let name = named(&program, "Dew");
    let card = program.cards.iter().position(|card| card.name == name).map(CardId::from_index);
    program.modifiers[id].delayed = true;
    program.modifiers[id].card = card;
    let effect = program.allowances.iter().find(|one| one.card == card).and_then(|one| one.effect).unwrap();
    let lays = Statement::Effect {
        what: EffectKind::Modifier(ModifierId::from_index(id)),
        lasting: Lasting::Procedure(SEASON),
        kept: vec![],
    };
    program.blocks[effect.index()].statements = vec![(lays, SiteId(0))];
    program
}

/// Takes the last option until nothing is left to decide or something is so.
fn on_until(game: &mut Game, so: impl Fn(&Game) -> bool) {
    for _ in 0..50 {
        if game.decision().is_none() || so(game) {
            return;
        }
        let last = game.options().into_iter().next_back().expect("somebody decides");
        game.take(&last).unwrap();
    }
    panic!("it comes to no end");
}

#[test]
fn what_an_effect_gives_ends_with_it() {
    let mut program = dewy();
    // In the course of the season what the Dew has laid down is canceled.
    let body = program.steps[REST.index()].body;
    program.blocks[body.index()].statements = vec![(Statement::CancelEffects(all("Dew")), SiteId(0))];
    let mut game = with(program, vec![], season(WORK));
    for words in ["play \"Dew\" on \"Fern\"", "pass", "pass"] {
        take(&mut game, words);
    }
    assert_eq!((under(&game, FERN).len(), under(&game, FERN2).len()), (1, 0));
    on_until(&mut game, |game| under(game, FERN).is_empty());
    assert_eq!(under(&game, FERN), [], "it is canceled");
}

#[test]
fn what_is_given_for_the_last_procedure_is_gone_when_that_is_over() {
    let mut game = with(dewy(), vec![], season(WORK));
    for words in ["play \"Dew\" on \"Fern\"", "pass", "pass"] {
        take(&mut game, words);
    }
    assert_eq!(under(&game, FERN).len(), 1);
    on_until(&mut game, |_| false);
    assert_eq!(game.decision(), None, "all is over");
    assert_eq!(under(&game, FERN), []);
    // Whoever looks at it again finds the same.
    let again = Game::load(game.program().clone(), &game.save()).unwrap();
    assert_eq!((&again, again.position_hash()), (&game, game.position_hash()));
}

#[test]
fn what_a_procedure_is_performed_for_stays_until_it_is_over() {
    let mut t = Toy { p: thorn(vec![(and([all("Fern"), is(STANDS)]), None, pebble())]) };
    let vigil = t.proc("vigil", &[(0, PEBBLE)], true);
    let clause = t.p.procs[vigil.index()].clause;
    let praise = t.block(clause, vec![do_(PRAISE, Sel::Class(GARDENER))]);
    t.step(
        vigil,
        "watch",
        vec![do_(LOWER, and([all("Fern"), is(STANDS)])), Statement::If(Cond::Some(Sel::Slot(0)), praise, None)],
    );
    let body = t.p.steps[REST.index()].body;
    let one = and([Sel::Class(PEBBLE), Sel::Preimage(UNDER, b(and([all("Fern"), kept_by(role())])))]);
    let perform = Statement::Perform { proc: vigil, arguments: vec![Val::Things(one)] };
    t.p.blocks[body.index()].statements = vec![(perform, SiteId(0))];
    let game = with(t.p, alone(), season(REST));
    assert_eq!(num(&game, LUCK, ANN), 1, "it was there still");
    assert_eq!((under(&game, FERN), under(&game, FERN2)), (vec![], vec![]));
}

#[test]
fn what_hangs_on_itself_is_a_fault_and_no_hang() {
    let none = Cond::Not(b(Cond::Some(Sel::Class(PEBBLE))));
    let program = std::sync::Arc::new(thorn(vec![(all("Fern"), Some(none), pebble())]));
    let setup = setup(&program);
    let errors = Game::new(program, setup).expect_err("it comes to no rest");
    assert!(errors.iter().any(|error| error.text.contains("comes to no rest")), "{errors:?}");
}

#[test]
fn what_a_hidden_card_has_more_is_hidden_with_it() {
    // Shells lie in the heaps, where nobody looks.
    let game = with(thorn(vec![(all("Shell"), None, pebble())]), alone(), season(WORK));
    assert_eq!(under(&game, SHELL).len(), 1);
    for seat in [ANN, BOB] {
        let view = game.view(seat);
        assert!(view.things.iter().all(|seen| seen.class != "pebble"), "{view:#?}");
        assert!(view.hidden.iter().all(|pile| pile.class != "pebble"), "{view:#?}");
    }
}
