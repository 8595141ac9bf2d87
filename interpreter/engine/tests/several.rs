//! One thing is meant where a player chooses or rolls, where a number is asked, where a procedure runs: several are a fault that
//! names the clause, and nothing is done with the first of them.

use std::sync::Arc;

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

/// What comes of a statement that the player of the season may have carried out; what is asked beforehand, to see whether it
/// can be, may fail already.
fn said(statement: Statement) -> Result<(), String> {
    let may = |ids: &[BlockId]| vec![Statement::May { by: role(), body: ids[0], otherwise: None }];
    said_by(resting(vec![vec![statement]], may))
}

fn said_by(program: Program) -> Result<(), String> {
    let program = Arc::new(program);
    let begun = Setup { start: season(REST), ..setup(&program) };
    let mut game = Game::new(program, begun).map_err(|mut errors| errors.remove(0).text)?;
    let before = game.clone();
    match game.take(&Submission::Yes) {
        Ok(()) => Ok(()),
        Err(Refusal::Failed(error)) => {
            assert_eq!(error.kind, ErrorKind::Several);
            assert_eq!(game, before, "the game stays at the decision");
            Err(error.text)
        }
        Err(other) => panic!("{other}"),
    }
}

fn gardeners() -> Sel {
    Sel::Class(GARDENER)
}

/// The same for one gardener and for all of them.
fn one_and_all(statement: impl Fn(Sel) -> Statement) {
    assert_eq!(said(statement(role())), Ok(()));
    let told = "one is meant here, and there are 2: \"Ann\", \"Bob\"";
    assert_eq!(said(statement(gardeners())), Err(told.to_owned()));
}

#[test]
fn one_player_chooses() {
    one_and_all(|by| choose(by, gardeners(), 2));
}

#[test]
fn one_player_rolls_for_one_thing() {
    let roll = |by, subject| Statement::Roll { by, dice: Some(2), slot: 2, subject, values: vec![] };
    one_and_all(|by| roll(by, None));
    one_and_all(|subject| roll(role(), Some(subject)));
}

#[test]
fn a_number_is_of_one_thing() {
    one_and_all(|of| Statement::Set { attr: LUCK, of: role(), value: Val::Num(Num::Attr(LUCK, b(of))) });
    one_and_all(|of| Statement::Set { attr: LUCK, of: role(), value: Val::Num(Num::Base(LUCK, b(of))) });
}

#[test]
fn a_procedure_runs_for_one_thing() {
    one_and_all(|of| Statement::Perform { proc: SEASON, arguments: vec![Val::Things(of)] });
}

#[test]
fn what_is_put_somewhere_comes_to_one_player() {
    let fern = || Sel::Slot(3);
    let bind = |of| Statement::Put { what: fern(), place: BASKET, of: Some(of), bottom: false };
    let with_fern = |of: Sel| Statement::Put {
        what: and([Sel::Class(PLANT), in_field()]),
        place: BASKET,
        of: Some(of),
        bottom: false,
    };
    assert_eq!(said(bind(gardeners())), Ok(()), "nothing is put anywhere");
    one_and_all(with_fern);
}

#[test]
fn the_one_there_is_is_one() {
    let plants = || and([Sel::Class(PLANT), in_field()]);
    let the = |sel: Sel| do_(WILT, Sel::One(b(sel)));
    assert_eq!(said(the(Sel::Empty)), Ok(()), "there is none");
    assert_eq!(said(the(and([plants(), Sel::Named(named(&toy(), "Fern")), kept_by(role())]))), Ok(()), "there is one");
    assert_eq!(said(do_(WILT, plants())), Ok(()), "all of them");
    let ferns = said(the(Sel::Named(named(&toy(), "Fern"))));
    assert_eq!(ferns, Err("one is meant here, and there are 2: \"Fern\", \"Fern\" #2".to_owned()));
    let text = said(the(Sel::Class(PLANT))).unwrap_err();
    assert!(text.starts_with("one is meant here, and there are ") && text.ends_with(" more"), "{text}");
    // Also where it is only asked whether somebody is the one.
    let luckier = |who: Sel| Statement::Set { attr: LUCK, of: and([role(), who]), value: Val::Num(Num::Int(1)) };
    one_and_all(|who| luckier(Sel::One(b(who))));
}

/// An event has several objects one by one; of whoever else is in it there is one.
#[test]
fn several_things_are_in_an_event_one_by_one() {
    assert_eq!(said(do_(PRAISE, gardeners())), Ok(()));
    let wilting = do_(WILT, and([Sel::Class(PLANT), in_field()]));
    let mut program =
        resting(vec![vec![wilting]], |ids| vec![Statement::May { by: role(), body: ids[0], otherwise: None }]);
    program.verbs[WILT.index()].object = None;
    assert!(said_by(program).unwrap_err().starts_with("one is meant here"));
}

/// Why something is not legal is said of all its conditions, also of those that mean nothing where the first does not hold: the
/// position has no fault for that, and goes on.
#[test]
fn what_is_only_explained_is_no_fault() {
    let mut program = toy();
    let dew = program.allowances.iter_mut().find(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
    let site = dew.requirements.first().map_or(SiteId(0), |need| need.site);
    let need = |cond| Requirement { cond, clause: dew.clause, site, at_resolution: false };
    let lucky = Cond::Cmp(CmpOp::Gt, Num::Attr(LUCK, b(gardeners())), Num::Int(0));
    dew.requirements = vec![need(Cond::Is(false)), need(lucky)];
    let mut game = with(program, vec![], season(WORK));
    let offered = |game: &Game| game.find("play \"Dew\" on \"Fern\"");
    let dew = offered(&with(toy(), vec![], season(WORK))).expect("it is offered without the conditions");
    assert_eq!(offered(&game), None);
    let verdict = game.explain(&dew);
    assert!(!verdict.legal && verdict.reasons.len() == 2, "{verdict:?}");
    assert_eq!(game.against(&dew).len(), 2);
    assert_eq!(game.fault(), None);
    assert!(matches!(game.take(&dew), Err(Refusal::Illegal(_))));
    take(&mut game, "pass");
}
