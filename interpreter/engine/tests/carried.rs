//! Clauses that are given to other things, standing and as effects, and how long what an effect lays down holds.

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

const THORN: ThingId = ThingId(2);

/// The red plants in the field of who keeps the giver.
fn her_reds() -> Sel {
    and([in_field(), is(RED), kept_by(keeper_of(Sel::This))])
}

fn plus(amount: i32) -> Change {
    Change::Add { amount: Num::Int(amount), max: None, min: None }
}

/// Thorn gives the red plants of its keeper a modifier of their own.
fn thorn_strengthens() -> Program {
    let (mut t, clause) = on("Thorn", "T-1 gift");
    let id = t.modifier(clause, STRENGTH, Sel::This, plus(10));
    t.p.modifiers[id.index()].carriers = Some(her_reds());
    t.p
}

#[test]
fn what_is_given_is_its_own_as_long_as_its_giver_functions() {
    let plain = with(toy(), vec![], season(WORK));
    let game = with(thorn_strengthens(), vec![], season(WORK));
    let strength = |game: &Game, thing| num(game, STRENGTH, thing);
    assert_eq!(strength(&game, FERN), strength(&plain, FERN) + 10);
    assert_eq!(strength(&game, MOSS), strength(&plain, MOSS), "it is not red");
    let steps = game.derive(STRENGTH, FERN).steps;
    let is_gift = |clause: ClauseId| game.program().clauses[clause.index()].label == "T-1 gift";
    assert!(steps.iter().any(|step| is_gift(step.clause) && step.source == Some(FERN)), "{steps:?}");
    // Each giver gives one; Bob's Thorn gives to Bob's.
    assert_eq!(strength(&game, FERN2), strength(&plain, FERN2) + 10);
    let gone = with(thorn_strengthens(), into(THORN, MULCH, ANN).to_vec(), season(WORK));
    assert_eq!(strength(&gone, FERN), strength(&plain, FERN));
    assert_eq!(strength(&gone, FERN2), strength(&plain, FERN2) + 10);
}

#[test]
fn who_may_not_look_at_hidden_plants_sees_what_is_given() {
    let strong = Cond::Some(and([in_field(), Sel::NumIs(STRENGTH, CmpOp::Ge, b(Num::Int(13)))]));
    let seen = |program| with(program, vec![], season(WORK)).seen_by(BOB, &strong);
    assert_eq!((seen(toy()), seen(thorn_strengthens())), (Some(false), Some(true)));
}

/// Thorn gives to red plants of its keeper: once a season its keeper may lower it, to be praised.
fn thorn_lets_lower(delayed: bool) -> (Toy, AllowanceId) {
    let (mut t, clause) = on("Thorn", "T-1 gift");
    let cost = t.block(clause, vec![do_(LOWER, Sel::This)]);
    let effect = t.block(clause, vec![do_(PRAISE, keeper_of(Sel::This)), do_(RAISE, Sel::This)]);
    let card = t.p.clauses[clause.index()].card;
    let acts = vec![Act { verb: LOWER, roles: vec![Some(Sel::This)], cost: true, site: SiteId(0) }];
    let plain = t.allowance(clause, "bow");
    t.p.allowances.push(Allowance {
        card,
        carriers: Some(if delayed { and([in_field(), is(RED), Sel::Slot(0)]) } else { her_reds() }),
        by: keeper_of(Sel::This),
        limit: Some((1, SEASON)),
        cost: Some(cost),
        effect: Some(effect),
        acts,
        delayed,
        ..plain
    });
    let id = AllowanceId::from_index(t.p.allowances.len() - 1);
    (t, id)
}

/// Those who may use an ability now, with the number of the effect.
fn may(game: &Game, id: AllowanceId) -> Vec<(ThingId, u16)> {
    let all: Vec<Submission> = game.options().into_iter().filter(|s| matches!(s, Submission::Declare { .. })).collect();
    assert_eq!(all, game.declarations_tried());
    let of = |s: &Submission| match s {
        Submission::Declare { allowance, this: Some(this), effect, .. } if *allowance == id => Some((*this, *effect)),
        _ => None,
    };
    all.iter().filter_map(of).collect()
}

#[test]
fn uses_of_what_is_given_are_counted_for_its_carrier() {
    let (t, id) = thorn_lets_lower(false);
    let mut game = with(t.p.clone(), vec![], season(WORK));
    assert_eq!(may(&game, id), [(FERN, 0)], "Ann's red plant, not Thorn itself");
    take(&mut game, "\"Fern\": bow");
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(may(&game, id), []);
    let again = Game::load(game.program().clone(), &game.save()).unwrap();
    assert_eq!(again, game);
    let gone = with(t.p, into(THORN, MULCH, ANN).to_vec(), season(WORK));
    assert_eq!(may(&gone, id), []);
    let forced = Submission::Declare { allowance: id, this: Some(FERN), effect: 0, parameters: vec![] };
    assert!(!gone.against(&forced).is_empty(), "nobody gives it");
}

/// Dew, played on Fern, with its effect as `change` leaves it.
fn dew_on_fern(mut program: Program, change: impl FnOnce(&mut Vec<(Statement, SiteId)>)) -> Game {
    let dew = program.allowances.iter().find(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
    let effect = dew.effect.unwrap();
    change(&mut program.blocks[effect.index()].statements);
    let mut game = with(program, vec![], season(WORK));
    take(&mut game, "play \"Dew\" on \"Fern\"");
    take(&mut game, "pass");
    take(&mut game, "pass");
    game
}

fn lay(what: EffectKind, lasting: Lasting) -> (Statement, SiteId) {
    (Statement::Effect { what, lasting, kept: vec![] }, SiteId(0))
}

#[test]
fn an_effect_gives_with_what_was_known_then() {
    let (t, id) = thorn_lets_lower(true);
    let laid = lay(EffectKind::Allowance(id), Lasting::Procedure(SEASON));
    let mut game = dew_on_fern(t.p, |effect| effect.extend([laid.clone(), laid]));
    assert_eq!(may(&game, id), [(FERN, 0), (FERN, 1)], "two effects give it");
    assert!(game.holds(&Cond::InForce(her("Dew"), Some(her("Fern")))));
    game.take(&Submission::Declare { allowance: id, this: Some(FERN), effect: 1, parameters: vec![] }).unwrap();
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(may(&game, id), [], "its uses are counted for Fern, whoever gives it");
    assert_eq!(Game::load(game.program().clone(), &game.save()).unwrap(), game);
}

#[test]
fn a_passive_condition_and_a_prohibition_can_be_given() {
    let (mut t, clause) = on("Thorn", "T-1 gift");
    let id = t.trigger(clause, LOWER, Sel::This, vec![do_(PRAISE, keeper_of(Sel::This))]);
    t.p.triggers[id.index()].carriers = Some(her_reds());
    t.p.triggers[id.index()].immediate = true;
    let id = t.norm(clause, NormKind::Cannot, WILT, Sel::This);
    t.p.norms[id.index()].carriers = Some(her_reds());
    let rest = t.p.steps[REST.index()].body;
    t.p.blocks[rest.index()].statements =
        [LOWER, WILT].into_iter().flat_map(|verb| ["Fern", "Moss"].map(|of| (do_(verb, her(of)), SiteId(0)))).collect();
    let game = with(t.p, vec![], season(REST));
    let stays = |of: &str| game.holds(&Cond::Some(and([her(of), in_field(), is(LIES)])));
    assert!(stays("Fern") && !stays("Moss"), "only what it is given to cannot be wilted");
    assert_eq!(num(&game, LUCK, ANN), num(&with(toy(), vec![], season(WORK)), LUCK, ANN) + 1, "once, for Fern");
}

/// Dew gives +10 to Fern for so long.
fn dew_strengthens(ends: Option<Ends>, lasting: Lasting, then: &[Statement]) -> Game {
    let (mut t, clause) = on("Dew", "D-1 more");
    let id = t.modifier(clause, STRENGTH, Sel::Slot(0), plus(10));
    t.p.modifiers[id.index()].delayed = true;
    t.p.modifiers[id.index()].ends = ends;
    dew_on_fern(t.p, |effect| {
        *effect = vec![lay(EffectKind::Modifier(id), lasting)];
        effect.extend(then.iter().map(|statement| (statement.clone(), SiteId(0))));
    })
}

fn strengthened(game: &Game) -> bool {
    num(game, STRENGTH, FERN) > 10
}

#[test]
fn what_lasts_while_something_is_so_is_over_for_good_when_it_is_not() {
    let stands = || Ends::Not(Cond::Same(Ent::Attr(POSTURE, b(Sel::Slot(0))), Ent::Entry(STANDS)));
    let then = |then: &[Statement]| strengthened(&dew_strengthens(Some(stands()), Lasting::Game, then));
    assert!(then(&[]));
    assert!(!then(&[do_(LOWER, her("Fern"))]));
    assert!(!then(&[do_(LOWER, her("Fern")), do_(RAISE, her("Fern"))]), "it does not come back");
    assert!(then(&[do_(LOWER, her("Moss"))]));
}

#[test]
fn what_lasts_until_something_happens_is_over_then() {
    let pattern = || Ends::After(Pattern { verb: LOWER, roles: vec![(Some(Sel::Slot(0)), None)] });
    let then = |then: &[Statement]| strengthened(&dew_strengthens(Some(pattern()), Lasting::Game, then));
    assert!(then(&[]) && then(&[do_(LOWER, her("Moss"))]) && then(&[do_(RAISE, her("Fern"))]));
    assert!(!then(&[do_(LOWER, her("Fern"))]));
    let game = dew_strengthens(Some(pattern()), Lasting::Game, &[]);
    assert_eq!(Game::load(game.program().clone(), &game.save()).unwrap(), game);
}

#[test]
fn what_lasts_for_the_rest_of_the_game_does_not_end_with_its_source() {
    // Dew functions while it lies in the field, and then no longer.
    let put = |place| Statement::Put { what: Sel::This, place, of: None, bottom: false };
    let come_and_go = [put(FIELD), do_(PRAISE, role()), put(MULCH), do_(PRAISE, role())];
    assert!(!strengthened(&dew_strengthens(None, Lasting::Open, &come_and_go)));
    assert!(strengthened(&dew_strengthens(None, Lasting::Game, &come_and_go)));
}
