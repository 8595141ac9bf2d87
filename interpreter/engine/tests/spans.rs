//! What a modifier says that a state holds, and what clauses of some things may not do.

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

const FRIENDS: AttrId = AttrId(8);

/// Dew is played on Fern, with this as its effect.
fn dew_on_fern(mut program: Program, effect: Vec<Statement>) -> Game {
    let dew = program.allowances.iter().find(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
    let block = dew.effect.unwrap();
    program.blocks[block.index()].statements = effect.into_iter().map(|one| (one, SiteId(0))).collect();
    let mut game = with(program, vec![], season(WORK));
    take(&mut game, "play \"Dew\" on \"Fern\"");
    take(&mut game, "pass");
    take(&mut game, "pass");
    game
}

/// Whether one is held by another, asked from both sides.
fn is_friend(game: &Game, of: &str, friend: &str) -> bool {
    let held = game.holds(&Cond::Some(and([her(friend), Sel::Image(FRIENDS, b(her(of)))])));
    let holds = game.holds(&Cond::Some(and([her(of), Sel::Preimage(FRIENDS, b(her(friend)))])));
    assert_eq!(held, holds);
    held
}

#[test]
fn a_modifier_says_what_a_state_holds_and_what_is_stored_is_back_without_it() {
    let game = |laid: bool, then: &[Statement]| {
        let (mut t, clause) = on("Dew", "D-1 friends");
        let id = t.modifier(clause, FRIENDS, Sel::Slot(0), Change::Hold(her("Moss")));
        t.p.modifiers[id.index()].delayed = true;
        let stored = Statement::Set { attr: FRIENDS, of: her("Fern"), value: Val::Things(her("Thorn")) };
        let lay =
            Statement::Effect { what: EffectKind::Modifier(id), lasting: Lasting::Procedure(SEASON), kept: vec![] };
        let effect = [stored].into_iter().chain(laid.then_some(lay)).chain(then.iter().cloned());
        dew_on_fern(t.p, effect.collect())
    };
    let cancel = Statement::CancelEffects(her("Dew"));
    let (kept, canceled, never) = (game(true, &[]), game(true, &[cancel]), game(false, &[]));
    assert!(is_friend(&kept, "Fern", "Moss") && !is_friend(&kept, "Fern", "Thorn"));
    assert!(!is_friend(&kept, "Thorn", "Moss"), "only what it is about");
    assert!(!is_friend(&canceled, "Fern", "Moss") && is_friend(&canceled, "Fern", "Thorn"));
    let saved = |game: &Game| {
        let mut saved: serde_json::Value = serde_json::from_str(&game.save()).unwrap();
        // That a number was used up is history.
        assert!(saved["rest"]["serial"].take().is_number());
        saved.to_string()
    };
    assert!(saved(&never) == saved(&canceled) && saved(&never) != saved(&kept));
    assert_eq!(Game::load(kept.program().clone(), &kept.save()).unwrap(), kept);
}

#[test]
fn a_state_can_be_said_to_hold_nothing() {
    let (mut t, clause) = on("Gate", "G-1 alone");
    t.modifier(clause, FRIENDS, her("Fern"), Change::Hold(Sel::Empty));
    let stored = |of: &str| Statement::Set { attr: FRIENDS, of: her(of), value: Val::Things(her("Thorn")) };
    let game = dew_on_fern(t.p, vec![stored("Fern"), stored("Moss")]);
    assert!(!is_friend(&game, "Fern", "Thorn") && is_friend(&game, "Moss", "Thorn"));
}

/// A game of the toy in which effects of one card cannot wilt Fern.
fn warded(against: &str) -> Toy {
    let (mut t, clause) = on("Gate", "G-1 ward");
    let id = t.norm(clause, NormKind::Cannot, WILT, her("Fern"));
    t.p.norms[id.index()].by = Some(her(against));
    t
}

#[test]
fn what_effects_of_some_may_not_do_is_done_by_others() {
    let stands = |game: &Game, of: &str| game.holds(&Cond::Some(and([her(of), in_field()])));
    // What stands is lowered instead.
    let wilt = || [LOWER, WILT].into_iter().flat_map(|verb| ["Fern", "Moss"].map(|of| do_(verb, her(of)))).collect();
    let game = dew_on_fern(warded("Dew").p, wilt());
    assert!(stands(&game, "Fern") && !stands(&game, "Moss"));
    let game = dew_on_fern(warded("Wind").p, wilt());
    assert!(!stands(&game, "Fern") && !stands(&game, "Moss"));
    // What a rule does is no effect of a card.
    let mut t = warded("Dew");
    let rest = t.p.steps[REST.index()].body;
    t.p.blocks[rest.index()].statements = [LOWER, WILT].map(|verb| (do_(verb, her("Fern")), SiteId(0))).to_vec();
    assert!(!stands(&with(t.p, vec![], season(REST)), "Fern"));
}

/// Dew is played on Fern in Ann's season; in its effect Bob is the current one, and what it lays down keeps him.
fn kept(role: RoleId) -> Result<Game, Refusal> {
    let (mut t, clause) = on("Dew", "D-1 luck");
    let change = Change::Add { amount: Num::Int(2), max: None, min: None };
    let id = t.modifier(clause, LUCK, Sel::Slot(1), change);
    t.p.modifiers[id.index()].delayed = true;
    t.p.roles.push(RoleDecl { name: "guest".into(), number: false });
    let others = and([Sel::Class(GARDENER), Sel::Not(b(Sel::Role(CURRENT)))]);
    let lasting = Lasting::Procedure(SEASON);
    let lay = Statement::Effect { what: EffectKind::Modifier(id), lasting, kept: vec![(role, 1)] };
    let dew = t.p.allowances.iter().find(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
    let block = dew.effect.unwrap();
    let effect = [Statement::LetRole(CURRENT, Val::Things(others)), lay];
    t.p.blocks[block.index()].statements = effect.into_iter().map(|one| (one, SiteId(0))).collect();
    let mut game = with(t.p, vec![], season(WORK));
    take(&mut game, "play \"Dew\" on \"Fern\"");
    take(&mut game, "pass");
    let pass = game.find("pass").unwrap();
    game.take(&pass).map(|()| game)
}

#[test]
fn a_clause_keeps_who_played_a_role_when_it_was_laid_down() {
    let game = kept(CURRENT).unwrap();
    let luck = |of: ThingId| {
        let all = game.select(&and([Sel::Class(GARDENER), Sel::NumIs(LUCK, CmpOp::Ge, b(Num::Int(2)))]));
        all.contains(of)
    };
    assert!(luck(BOB) && !luck(ANN));
    assert_eq!(Game::load(game.program().clone(), &game.save()).unwrap(), game);
}

#[test]
fn a_role_that_nobody_plays_cannot_be_kept() {
    let Err(Refusal::Failed(error)) = kept(RoleId(CURRENT.0 + 1)) else { panic!("it is laid down about nobody") };
    assert_eq!((error.kind, error.text.as_str()), (ErrorKind::Unplayed, "nothing is the guest when this is done"));
}
