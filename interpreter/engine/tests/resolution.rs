//! From declaration to resolution: what must last, what a declared action would do, and what chance chooses.

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

/// Dew is played on a plant that stands; and then what is declared in the same chain lowers it.
fn dew_and_water(lasting: bool) -> Game {
    let mut program = toy();
    let dew = program.allowances.iter_mut().find(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
    let clause = dew.clause;
    dew.parameters[0].from = Pool::Things(vec![Sel::Class(PLANT), in_field(), is(STANDS)]);
    program.actions[HASTY.index()].lasting = lasting.then_some(clause);
    let mut game = with(program, vec![], season(WORK));
    take(&mut game, "play \"Dew\" on \"Fern\"");
    take(&mut game, "pass");
    take(&mut game, "\"Fern\": water");
    take(&mut game, "pass");
    take(&mut game, "pass");
    game
}

#[test]
fn conditions_last_until_the_declaration_resolves_if_a_rule_says_so() {
    let negated = |game: &Game| game.trace().iter().filter(|e| e.kind == TraceKind::Negated).count();
    let without = dew_and_water(false);
    assert_eq!(negated(&without), 0);
    let with = dew_and_water(true);
    assert_eq!(negated(&with), 1);
    assert_eq!(with.derive(STRENGTH, FERN).value + 1, without.derive(STRENGTH, FERN).value);
}

/// What the cost itself undoes is not asked again: Fern stands when it is chosen, and is lowered to pay for it.
#[test]
fn a_cost_may_undo_what_was_required() {
    let mut program = toy();
    let dew = program.allowances.iter_mut().find(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
    dew.parameters[0].from = Pool::Things(vec![Sel::Class(PLANT), in_field(), is(STANDS)]);
    let clause = dew.clause;
    let cost = BlockId::from_index(program.blocks.len());
    dew.cost = Some(cost);
    program.blocks.push(Block {
        label: "D-1 cost".into(),
        clause,
        statements: vec![(do_(LOWER, Sel::Slot(0)), SiteId(0))],
    });
    program.actions[HASTY.index()].lasting = Some(clause);
    let mut game = with(program, vec![], season(WORK));
    let before = game.derive(STRENGTH, FERN).value;
    take(&mut game, "play \"Dew\" on \"Fern\"");
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(game.derive(STRENGTH, FERN).value, before + 1);
}

#[test]
fn what_a_declared_action_would_do_can_be_asked() {
    let mut game = with(toy(), vec![], season(WORK));
    let would = |game: &Game, verb, who: Sel| {
        let event = Past { verb, roles: vec![Some(who)], since: None };
        game.select(&Sel::Would(b(Prospect::Event(event)))).iter().collect::<Vec<_>>()
    };
    let gardener = |thing: ThingId| keeper_of(Sel::Named(named(&toy(), if thing == FERN { "Fern" } else { "?" })));
    assert!(would(&game, PRAISE, Sel::Class(GARDENER)).is_empty());
    take(&mut game, "\"Fern\": water");
    assert_eq!(would(&game, PRAISE, Sel::Class(GARDENER)), [FERN]);
    assert_eq!(would(&game, PRAISE, gardener(FERN)), [FERN]);
    // Lowering is its cost, and has happened; and no plant would be praised.
    assert!(would(&game, LOWER, Sel::All).is_empty());
    assert!(would(&game, PRAISE, Sel::Class(PLANT)).is_empty());
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert!(would(&game, PRAISE, Sel::Class(GARDENER)).is_empty());
}

#[test]
fn what_a_declaration_would_change_is_tried() {
    let mut game = with(toy(), vec![], season(WORK));
    let who = |game: &Game, prospect| game.select(&Sel::Would(b(prospect))).iter().collect::<Vec<_>>();
    let fern = || Sel::Named(named(&toy(), "Fern"));
    let ann = || keeper_of(fern());
    assert!(who(&game, Prospect::Effect(None)).is_empty(), "nothing is declared");
    take(&mut game, "\"Fern\": water");
    let before = game.position_hash();
    assert_eq!(who(&game, Prospect::Effect(None)), [FERN]);
    assert_eq!(who(&game, Prospect::Effect(Some(ann()))), [FERN], "her keeper is praised");
    assert!(who(&game, Prospect::Effect(Some(Sel::Named(named(&toy(), "Moss"))))).is_empty());
    assert_eq!(who(&game, Prospect::Cost(fern())), [FERN], "Fern is lowered for it");
    assert!(who(&game, Prospect::Cost(ann())).is_empty());
    let strength = Num::Attr(STRENGTH, b(fern()));
    assert!(who(&game, Prospect::Change(strength.clone())).is_empty(), "its strength is not");
    assert_eq!(game.position_hash(), before, "nothing has happened");
    // Dew adds to the strength of a plant.
    let mut game = with(toy(), vec![], season(WORK));
    take(&mut game, "play \"Dew\" on \"Fern\"");
    assert_eq!(who(&game, Prospect::Change(strength)).len(), 1);
    assert_eq!(who(&game, Prospect::Effect(Some(fern()))).len(), 1);
}

#[test]
fn what_has_changed_since_a_declaration_can_be_asked() {
    // Dew that resolves without effect is told from Dew that works, and from Dew that was answered.
    let resolved = |strengthens: bool, answered: bool| {
        let mut program = toy();
        let dew = program.allowances.iter().position(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
        let effect = program.allowances[dew].effect.unwrap();
        if !strengthens {
            program.blocks[effect.index()].statements.clear();
        }
        let clause = program.actions[HASTY.index()].clause;
        let marked = BlockId::from_index(program.blocks.len());
        let mark = do_(LOWER, Sel::Named(named(&program, "Moss")));
        program.blocks.push(Block { label: "H marked".into(), clause, statements: vec![(mark, SiteId(0))] });
        let resolve = program.actions[HASTY.index()].resolve;
        let at_effect = program.blocks[resolve.index()].statements.iter().position(|s| s.0 == Statement::ActionEffect);
        let asked = (Statement::If(Cond::Unchanged, marked, None), SiteId(0));
        program.blocks[resolve.index()].statements.insert(at_effect.unwrap() + 1, asked);
        program.blocks[resolve.index()].clause = clause;
        let mut game = with(program, vec![], season(WORK));
        take(&mut game, "play \"Dew\" on \"Fern\"");
        if answered {
            take(&mut game, "pass");
            take(&mut game, "\"Fern\": water");
        }
        take(&mut game, "pass");
        take(&mut game, "pass");
        game.value_words(POSTURE, ThingId(1))
    };
    let untouched = resolved(true, false);
    assert_ne!(resolved(false, false), untouched, "nothing has changed");
    assert_eq!(resolved(false, true), untouched, "an answer has changed something");
}

#[test]
fn chance_chooses_by_seed() {
    let mut program = toy();
    let rest = program.steps[REST.index()].body;
    let pick = Statement::Choose { by: None, from: in_field(), slot: 3, optional: None, then: vec![] };
    program.blocks[rest.index()].statements =
        vec![(pick.clone(), SiteId(0)), (do_(LOWER, Sel::Slot(3)), SiteId(0)), (pick, SiteId(0))];
    let game = with(program, vec![], season(REST));
    let decision = game.decision().unwrap();
    assert_eq!(decision.by, Chooser::Chance);
    let chosen = |seed| match game.keyed_roll(seed) {
        Some(Submission::Pick(Value::Thing(thing))) => thing,
        other => panic!("{other:?}"),
    };
    assert!((0..20).all(|seed| game.is_legal(&Submission::Pick(Value::Thing(chosen(seed))))));
    assert_eq!(chosen(5), chosen(5));
    assert!((0..20).any(|seed| chosen(seed) != chosen(0)));
    // The second choice of the same purpose is another, and what is chosen is bound.
    let mut other = game.clone();
    other.take(&game.keyed_roll(5).unwrap()).unwrap();
    assert_eq!(other.value_words(POSTURE, chosen(5)), "Lying");
    let again = |seed| other.keyed_roll(seed).unwrap();
    assert!((0..20).any(|seed| again(seed) != Submission::Pick(Value::Thing(chosen(seed)))));
    other.take(&again(5)).unwrap();
    assert_ne!(other.decision().map(|d| d.by), Some(Chooser::Chance));
    // Nobody else may answer for it, nor with what is not among the candidates.
    let mut wrong = game.clone();
    assert!(wrong.take(&Submission::Pick(Value::Thing(ANN))).is_err());
    assert!(wrong.take(&Submission::Decline).is_err());
}
