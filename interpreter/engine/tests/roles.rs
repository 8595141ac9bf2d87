//! A role that nobody plays: what is only asked is asked of nobody, what is done stops with its clause, also where it is tried
//! or looked for beforehand.

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

/// A role that nothing binds.
const GUEST: RoleId = RoleId(CURRENT.0 + 1);

fn guest() -> Sel {
    Sel::Role(GUEST)
}

fn with_guest(mut program: Program) -> Program {
    assert_eq!(program.roles.len(), GUEST.index());
    program.roles.push(RoleDecl { name: "guest".into(), number: false });
    program
}

/// What comes of statements that the player of the season may have carried out.
fn said(block: Vec<Statement>) -> Result<(), EngineError> {
    let program = resting(vec![block], |ids| vec![Statement::May { by: role(), body: ids[0], otherwise: None }]);
    let mut game = with(with_guest(program), vec![], season(REST));
    let before = game.clone();
    match game.take(&Submission::Yes) {
        Ok(()) => Ok(()),
        Err(Refusal::Failed(error)) => {
            assert_eq!(game, before, "the game stays at the decision");
            Err(*error)
        }
        Err(other) => panic!("{other}"),
    }
}

fn stopped(statement: Statement) {
    let error = said(vec![statement.clone()]).expect_err("it is done to nobody");
    assert_eq!(error.kind, ErrorKind::Unplayed, "{statement:?}");
    assert_eq!(error.text, "nothing is the guest when this is done", "{statement:?}");
    assert!(error.label.contains("season"), "{}", error.label);
    // The same of a role that is given to nobody.
    let error = said(vec![Statement::LetRole(GUEST, Val::Things(Sel::Empty)), statement.clone()]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unplayed, "{statement:?}");
    // Whoever plays it: it is done.
    assert!(said(vec![Statement::LetRole(GUEST, Val::Things(role())), statement]).is_ok());
}

#[test]
fn what_is_done_stops_where_nobody_plays_a_role_that_it_names() {
    stopped(do_(PRAISE, guest()));
    stopped(do_(WILT, and([Sel::Class(PLANT), kept_by(guest()), Sel::Named(named(&toy(), "Fern"))])));
    // A description that excludes him names him too.
    stopped(do_(PRAISE, and([Sel::Class(GARDENER), Sel::Not(b(guest()))])));
    stopped(Statement::Set { attr: LUCK, of: guest(), value: Val::Num(Num::Int(1)) });
    stopped(Statement::Set { attr: LUCK, of: role(), value: Val::Num(Num::Attr(LUCK, b(guest()))) });
    stopped(Statement::Put { what: kept_by(guest()), place: BASKET, of: Some(role()), bottom: false });
    stopped(Statement::LetSlot(2, Val::Num(Num::Count(b(kept_by(guest()))))));
    stopped(choose(role(), kept_by(guest()), 2));
    stopped(choose(guest(), Sel::Class(GARDENER), 2));
    stopped(Statement::Perform { proc: SEASON, arguments: vec![Val::Things(guest())] });
    stopped(Statement::Roll { by: guest(), dice: Some(2), slot: 2, subject: None, values: vec![] });
}

#[test]
fn a_number_that_is_none_stops_too() {
    let luck = |amount| Statement::Set { attr: LUCK, of: role(), value: Val::Num(amount) };
    assert_eq!(said(vec![luck(Num::Role(GUEST))]).unwrap_err().kind, ErrorKind::Unplayed);
    let bid = Statement::LetRole(GUEST, Val::Num(Num::Int(3)));
    assert!(said(vec![bid, luck(Num::Role(GUEST))]).is_ok());
}

#[test]
fn a_condition_asks_whether_there_is_somebody() {
    let asked = |cond: Cond| {
        let program = resting(vec![vec![do_(PRAISE, role())]], |ids| vec![Statement::If(cond, ids[0], None), may()]);
        let game = with(with_guest(program), vec![], season(REST));
        num(&game, LUCK, ANN) > 0
    };
    assert!(!asked(Cond::Some(guest())));
    assert!(asked(Cond::Not(b(Cond::Some(guest())))));
}

/// A question, so that there is a decision.
fn may() -> Statement {
    choose(role(), Sel::Class(GARDENER), 5)
}

/// Ann has played Dew, whose effect is these statements, and nobody has answered it.
fn dew(effect: Vec<Statement>) -> Game {
    let mut program = with_guest(toy());
    let dew = program.allowances.iter().find(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
    let block = dew.effect.unwrap();
    program.blocks[block.index()].statements = effect.into_iter().map(|one| (one, SiteId(0))).collect();
    let mut game = with(program, vec![], season(WORK));
    take(&mut game, "play \"Dew\" on \"Fern\"");
    game
}

#[test]
fn what_a_declaration_would_do_to_nobody_is_told_and_not_taken_for_nothing() {
    let would = |game: &Game, prospect| game.select(&Sel::Would(b(prospect))).iter().collect::<Vec<_>>();
    let praise = || Prospect::Event(Past { verb: PRAISE, roles: vec![Some(Sel::All)], since: None });
    let told = |game: &Game| game.fault().map(|fault| (fault.kind, fault.text));
    let fault = Some((ErrorKind::Unplayed, "nothing is the guest when this is done".to_owned()));
    // Read off its words, and tried.
    let game = dew(vec![do_(PRAISE, guest())]);
    assert_eq!(told(&game), None, "nothing has been asked");
    would(&game, praise());
    assert_eq!(told(&game), fault);
    let game = dew(vec![do_(PRAISE, guest())]);
    assert_eq!(would(&game, Prospect::Effect(None)), [DEW]);
    assert_eq!(told(&game), fault);
    // Who plays a role that it gives out itself is not known yet: that counts as possible.
    let game = dew(vec![Statement::LetRole(GUEST, Val::Things(keeper_of(Sel::Slot(0)))), do_(PRAISE, guest())]);
    assert_eq!(would(&game, praise()), [DEW]);
    assert_eq!(would(&game, Prospect::Effect(Some(keeper_of(her("Fern"))))), [DEW]);
    assert_eq!(told(&game), None);
    // One that it plays.
    let game = dew(vec![do_(PRAISE, role())]);
    assert_eq!((would(&game, praise()), told(&game)), (vec![DEW], None));
    // What cannot be carried through for want of room may do anything, and is no fault.
    let pebbles = vec![Statement::Create { class: PEBBLE, slot: 4, values: vec![], from: None }];
    let mut program = resting(vec![pebbles], |ids| vec![Statement::RepeatTimes(Num::Int(400), ids[0])]);
    let block = BlockId::from_index(program.blocks.len() - 1);
    let many = Statement::RepeatTimes(Num::Int(400), block);
    let dew = program.allowances.iter().find(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
    let effect = dew.effect.unwrap();
    program.blocks[effect.index()].statements = vec![(many, SiteId(0))];
    let mut game = with(program, vec![], season(WORK));
    take(&mut game, "play \"Dew\" on \"Fern\"");
    assert_eq!(
        (would(&game, Prospect::Effect(Some(Sel::Named(named(&toy(), "Moss"))))), told(&game)),
        (vec![DEW], None)
    );
}

/// A cost is done when it is paid, so an offer that asks whether it can be stops; why something else is not legal is told all
/// the same.
#[test]
fn a_cost_that_nobody_plays_is_told_where_it_is_offered() {
    let mut program = with_guest(toy());
    let dew = program.allowances.iter_mut().find(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
    dew.acts.insert(0, Act { verb: PRAISE, roles: vec![Some(guest())], cost: true, site: SiteId(0) });
    dew.requirements.push(Requirement {
        cond: Cond::Cmp(CmpOp::Ge, Num::Attr(LUCK, b(role())), Num::Int(1)),
        clause: dew.clause,
        site: SiteId(0),
        at_resolution: false,
    });
    let offered = |luck: i32| {
        let facts = vec![attr(ANN, LUCK, Value::Num(luck))];
        let game = with(program.clone(), facts, season(WORK));
        let words: Vec<String> = game.options().iter().map(|o| game.submission_words(o)).collect();
        (game, words)
    };
    let (game, words) = offered(0);
    assert!(!words.iter().any(|words| words.contains("Dew\" on")), "{words:?}");
    assert_eq!(game.fault(), None, "it is not the time for it");
    let on_fern = game.candidates(10_000).into_iter().find(|c| game.submission_words(c) == "play \"Dew\" on \"Fern\"");
    let verdict = game.explain(&on_fern.unwrap());
    assert!(!verdict.legal && game.fault().is_none(), "{verdict:?}");
    let (game, _) = offered(1);
    assert_eq!(game.fault().map(|fault| fault.kind), Some(ErrorKind::Unplayed));
}
