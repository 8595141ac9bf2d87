//! What is canceled as long as something is so, and what is spared for a while.

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

const THORN: ThingId = ThingId(2);
const GATE: ThingId = ThingId(3);

/// Bob's copy of a thing of Ann's.
fn twin(thing: ThingId) -> ThingId {
    ThingId::from_index(thing.index() + 8)
}

fn all(name: &str) -> Sel {
    Sel::Named(named(&toy(), name))
}

fn one(thing: ThingId) -> Sel {
    let name = if thing == MOSS { "Moss" } else { "Fern" };
    and([all(name), kept_by(and([Sel::Class(GARDENER), Sel::Named(NameId::from_index(toy().names.len()))]))])
}

fn in_clause<T>(program: &mut Program, card: &str, say: impl FnOnce(&mut Toy, ClauseId, Option<CardId>) -> T) -> T {
    let name = named(program, card);
    let card = program.cards.iter().position(|c| c.name == name).map(CardId::from_index);
    let mut t = Toy { p: std::mem::take(program) };
    let clause = t.clause(&format!("says {}", t.p.clauses.len()), card);
    let said = say(&mut t, clause, card);
    *program = t.p;
    said
}

/// A card says that effects of some things spare others, or are canceled.
fn spare(program: &mut Program, card: &str, by: Sel, what: Option<Sel>, cond: Option<Cond>, delayed: bool) -> SpareId {
    in_clause(program, card, |t, clause, card| {
        t.p.spares.push(Spare {
            clause,
            card,
            within: None,
            by,
            slot: None,
            what,
            cond,
            delayed,
            ends: None,
            slots: 1,
        });
        SpareId::from_index(t.p.spares.len() - 1)
    })
}

fn adds(program: &mut Program, card: &str, amount: i32) {
    in_clause(program, card, |t, clause, _| {
        let change = Change::Add { amount: Num::Int(amount), max: None, min: None };
        t.modifier(clause, LUCK, Sel::Class(GARDENER), change);
    });
}

fn strength(game: &Game) -> i32 {
    game.derive(STRENGTH, FERN).value
}

fn lies(game: &Game, thing: ThingId) -> bool {
    game.value_words(POSTURE, thing) == "Lying"
}

#[test]
fn of_two_that_cancel_each_other_the_first_does() {
    let luck = |anew: &[ThingId]| {
        let mut program = toy();
        adds(&mut program, "Thorn", 10);
        adds(&mut program, "Gate", 100);
        spare(&mut program, "Thorn", all("Gate"), None, None, false);
        spare(&mut program, "Gate", all("Thorn"), None, None, false);
        let put = |thing: ThingId, place: PlaceId, owner| Fact::Put { thing, place: Some(place), owner };
        let of = |thing: ThingId| if thing.index() < 8 { ANN } else { BOB };
        let come = |t: &ThingId| [put(*t, HEAP, Some(of(*t))), put(*t, FIELD, None)];
        let game = with(program, anew.iter().flat_map(come).collect(), season(WORK));
        let again = Game::load(game.program().clone(), &game.save()).unwrap();
        assert_eq!(again, game);
        assert_eq!(game.derive(LUCK, ANN).value, again.derive(LUCK, ANN).value);
        game.derive(LUCK, ANN).value
    };
    // Ann's Thorn lies there before her Gate, and cancels both Gates; Bob's Thorn is like it.
    assert_eq!(luck(&[]), 20);
    // Ann's Gate lies there first when the Thorns come anew, and cancels them.
    assert_eq!(luck(&[THORN, twin(THORN)]), 200);
    assert_eq!(luck(&[THORN, twin(THORN), GATE, twin(GATE)]), 20);
    // What is canceled cancels nothing: Bob's Thorn, of before, is the only one that does.
    assert_eq!(luck(&[THORN, GATE, twin(GATE)]), 20);
}

/// Dew is played on Fern; as long as Ann's Fern lies, Thorn cancels effects of Dew.
fn dew(canceled: bool) -> Game {
    let mut program = toy();
    if canceled {
        let cond = Cond::Some(and([one(FERN), is(LIES)]));
        spare(&mut program, "Thorn", all("Dew"), None, Some(cond), false);
    }
    let mut game = with(program, vec![], season(WORK));
    for words in ["play \"Dew\" on \"Fern\"", "pass", "pass"] {
        take(&mut game, words);
    }
    game
}

#[test]
fn what_is_canceled_meanwhile_is_back_afterwards() {
    let (mut with, mut without) = (dew(true), dew(false));
    assert_eq!(strength(&with), strength(&without), "the Fern stands");
    for game in [&mut with, &mut without] {
        for words in ["play \"Wind\"", "pass", "pass"] {
            take(game, words);
        }
        assert!(lies(game, FERN));
    }
    assert_eq!(strength(&with) + 1, strength(&without));
    let has = |game: &Game| game.holds(&Cond::InForce(all("Dew"), None));
    assert!(!has(&with) && has(&without));
    for game in [&mut with, &mut without] {
        let raise = game.options().into_iter().find(
            |s| matches!(s, Submission::Declare { this: None, parameters, .. } if *parameters == [Value::Thing(FERN)]),
        );
        game.take(&raise.unwrap()).unwrap();
        take(game, "pass");
        take(game, "pass");
        assert!(!lies(game, FERN));
    }
    assert_eq!(strength(&with), strength(&without));
    assert!(has(&with));
}

/// The season to its end: Dew is played on Fern, and lays down (or does not) that the Fern is stronger from then on; in the
/// course of it what Dew has laid down is canceled (or is not). The game as it is saved, but for its history.
fn over(lays: bool, cancels: bool) -> Game {
    let mut program = toy();
    let card = named(&program, "Dew");
    let card = program.cards.iter().position(|c| c.name == card).map(CardId::from_index);
    let effect = program.allowances.iter().find(|one| one.card == card).and_then(|one| one.effect).unwrap();
    let modifier = in_clause(&mut program, "Dew", |t, clause, card| {
        let id = t.modifier(clause, STRENGTH, Sel::Slot(0), Change::Add { amount: Num::Int(5), max: None, min: None });
        let modifier = &mut t.p.modifiers[id.index()];
        (modifier.delayed, modifier.card) = (true, card);
        id
    });
    let lay = Statement::Effect { what: EffectKind::Modifier(modifier), lasting: Lasting::Game, kept: Vec::new() };
    program.blocks[effect.index()].statements = if lays { vec![(lay, SiteId(0))] } else { vec![] };
    let body = program.steps[REST.index()].body;
    let cancel = Statement::CancelEffects(if cancels { all("Dew") } else { Sel::Empty });
    program.blocks[body.index()].statements = vec![(cancel, SiteId(0))];
    let mut game = with(program, vec![], season(WORK));
    let before = strength(&game);
    for words in ["play \"Dew\" on \"Fern\"", "pass", "pass"] {
        take(&mut game, words);
    }
    assert_eq!(strength(&game) - before, if lays { 5 } else { 0 });
    while game.decision().is_some() {
        let last = game.options().into_iter().next_back().expect("somebody decides");
        game.take(&last).unwrap();
    }
    let mut saved: serde_json::Value = serde_json::from_str(&game.save()).unwrap();
    assert!(!saved["rest"]["history"].as_array().unwrap().is_empty());
    saved["rest"]["history"] = serde_json::json!([]);
    // How many things have had a number so far is history too.
    saved["rest"]["serial"] = serde_json::json!(1);
    Game::load(game.program().clone(), &saved.to_string()).unwrap()
}

#[test]
fn what_was_laid_down_and_canceled_leaves_nothing_but_history() {
    let (never, canceled, lasting) = (over(false, true), over(true, true), over(true, false));
    assert_eq!(canceled.position_hash(), never.position_hash());
    assert_eq!(strength(&canceled), strength(&never));
    assert_ne!(lasting.position_hash(), never.position_hash(), "what is not canceled is still there");
}

#[test]
fn what_a_canceled_card_would_do_is_not_done() {
    let blown = |canceled: bool| {
        let mut program = toy();
        if canceled {
            spare(&mut program, "Gate", all("Wind"), None, None, false);
        }
        let mut game = with(program, vec![], season(WORK));
        for words in ["play \"Wind\"", "pass", "pass"] {
            take(&mut game, words);
        }
        lies(&game, FERN)
    };
    assert!(blown(false) && !blown(true));
}

#[test]
fn what_an_effect_lays_down_spares_for_so_long() {
    let mut program = toy();
    let id = spare(&mut program, "Dew", all("Wind"), Some(Sel::Slot(0)), None, true);
    let dew = program.allowances.iter().find(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
    let effect = dew.effect.unwrap();
    let lay = Statement::Effect { what: EffectKind::Spare(id), lasting: Lasting::Procedure(SEASON), kept: vec![] };
    program.blocks[effect.index()].statements = vec![(lay, SiteId(0))];
    let mut game = with(program, vec![], season(WORK));
    for words in ["play \"Dew\" on \"Fern\"", "pass", "pass"] {
        take(&mut game, words);
    }
    assert!(game.holds(&Cond::InForce(all("Dew"), Some(one(FERN)))));
    assert!(!game.holds(&Cond::InForce(all("Dew"), Some(one(MOSS)))));
    for words in ["play \"Wind\"", "pass", "pass"] {
        take(&mut game, words);
    }
    assert!(!lies(&game, FERN) && lies(&game, MOSS));
}
