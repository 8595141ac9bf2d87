//! Positions in which a game begins: in the middle of procedures, with what has happened and what is evident.

use std::sync::Arc;

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

#[test]
fn positions_begin_in_the_middle() {
    let start = vec![
        StartFrame { proc: YEAR, arguments: vec![], step: Some(StepId(0)) },
        StartFrame { proc: SEASON, arguments: vec![Value::Thing(BOB)], step: Some(FAIR) },
    ];
    let mut game = at(vec![], start);
    let running: Vec<_> = game.running().into_iter().map(|running| (running.proc, running.step)).collect();
    assert_eq!(running, [(YEAR, Some(StepId(0))), (SEASON, Some(FAIR))]);
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(BOB));
    take(&mut game, "no");
    take(&mut game, "pass");
    take(&mut game, "pass");
    // The year goes on after the step in which it stood.
    assert!(game.decision().is_none());
}

#[test]
fn what_has_happened_is_told() {
    let wilted = |since| Past { verb: WILT, roles: vec![Some(Sel::EntryIs(HUES, RED))], since };
    let program = Arc::new(toy());
    let told = |fact: Fact| {
        let mut setup = setup(&program);
        setup.facts.push(fact);
        setup.start = season(WORK);
        Game::new(Arc::clone(&program), setup)
    };
    let bobs = kept_by(Sel::Named(named_bob()));
    let fern = |since| {
        let one = and([Sel::Named(named(&program, "Fern")), bobs.clone()]);
        Past { roles: vec![Some(one)], ..wilted(since) }
    };
    // In the course of what it names, and so since ever; without that, before it.
    let game = told(Fact::Past(fern(Some(SEASON)), "it has wilted".into())).unwrap();
    assert!(game.holds(&Cond::Did(b(fern(Some(SEASON))))) && game.holds(&Cond::Did(b(fern(None)))));
    let game = told(Fact::Past(fern(None), "it has wilted".into())).unwrap();
    assert!(!game.holds(&Cond::Did(b(fern(Some(SEASON))))) && game.holds(&Cond::Did(b(fern(None)))));
    let error = |past: Past| told(Fact::Past(past, "it has wilted".into())).unwrap_err()[0].clone();
    // Of one thing, in what runs.
    assert!(error(Past { roles: vec![None], ..fern(None) }).text.contains("it does not say who or what"));
    assert!(error(Past { roles: vec![Some(Sel::Class(PLANT))], ..fern(None) }).text.contains("none or several"));
    let elsewhere = error(fern(Some(YEAR)));
    assert!(elsewhere.text.contains("does not run") && elsewhere.fact.is_some(), "{elsewhere:?}");
}

#[test]
fn what_is_evident_has_been_done() {
    let mut program = toy();
    let fern = Sel::Named(named(&program, "Fern"));
    let lay = Statement::Set { attr: POSTURE, of: fern, value: Val::Entry(Ent::Entry(LIES)) };
    let body = program.steps[WORK.index()].body;
    program.blocks[body.index()].statements = vec![(lay, SiteId(0))];
    let posture = |program: &Program, facts: Vec<Fact>, step| {
        with(program.clone(), facts, season(step)).value_words(POSTURE, FERN)
    };
    assert_eq!(posture(&program, vec![], STORM), "Standing", "what is behind is not done");
    program.services.evident = vec![WORK];
    assert_eq!(posture(&program, vec![], STORM), "Lying");
    assert_eq!(posture(&program, vec![], SOW), "Standing", "what is still to come is not behind");
    let said = attr(FERN, POSTURE, Value::Entry(STANDS));
    assert_eq!(posture(&program, vec![said], STORM), "Standing", "what is said is so all the same");
    // What may be stored anywhere is told.
    let stands = Cond::Some(and([Sel::Named(named(&program, "Fern")), Sel::EntryIs(POSTURE, STANDS)]));
    let mut open = setup(&program);
    open.facts.push(Fact::Holds(Cond::Or(vec![stands, Cond::Is(false)]), "Fern stands, or nothing is so".into()));
    open.start = season(STORM);
    let errors = Game::new(Arc::new(program.clone()), open).unwrap_err();
    assert!(errors[0].fact.is_some() && errors[0].text.contains("after it this is not so"), "{errors:?}");
    // A step that asks a question is nobody's fact.
    program.services.evident = vec![STORM];
    let mut asking = setup(&program);
    asking.start = season(REST);
    let errors = Game::new(Arc::new(program), asking).unwrap_err();
    assert!(errors[0].text.contains("evident, and asks a question"), "{errors:?}");
}

#[test]
fn what_is_said_of_nothing_is_told() {
    let program = toy();
    let stand = |of: Sel| {
        let mut open = setup(&program);
        let cond = Cond::Every(of, Sel::EntryIs(POSTURE, LIES));
        open.facts.push(Fact::Holds(cond, "they lie".into()));
        Game::new(Arc::new(program.clone()), open)
    };
    let fern = Sel::Named(named(&program, "Fern"));
    assert_eq!(stand(fern.clone()).unwrap().value_words(POSTURE, FERN), "Lying");
    let nobody = and([fern, Sel::EntryIs(POSTURE, LIES)]);
    let errors = stand(nobody).unwrap_err();
    assert!(errors[0].fact.is_some() && errors[0].text.contains("nothing of which it is said"), "{errors:?}");
    let standing = and([Sel::Named(named(&program, "Fern")), Sel::Not(Box::new(Sel::EntryIs(POSTURE, LIES)))]);
    let errors = stand(standing).unwrap_err();
    assert!(errors[0].text.contains("of what it is said of"), "{errors:?}");
}
