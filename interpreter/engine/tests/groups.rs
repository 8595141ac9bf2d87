//! Several things that a declaration chooses: one after the other, before anything happens, and never into a dead end.

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

/// The toy in which Fern lowers so many plants together, of which this must be so.
fn pairing(several: Several, asked: Option<Cond>) -> Program {
    let mut program = toy();
    let pair = program.allowances.iter_mut().find(|a| a.words == "pair").unwrap();
    pair.parameters.truncate(1);
    pair.parameters[0].several = Some(several);
    pair.acts.remove(1);
    if let Some(cond) = asked {
        let clause = pair.clause;
        pair.requirements.push(Requirement { cond, clause, site: SiteId(0), at_resolution: false });
    }
    let cost = pair.cost.unwrap();
    program.blocks[cost.index()].statements.truncate(1);
    program
}

const fn just(n: u16) -> Several {
    Several { least: n, most: Some(n) }
}

/// The strengths of the plants that are chosen together compare so with a number.
fn strength(op: CmpOp, n: i32) -> Option<Cond> {
    Some(Cond::Cmp(op, Num::Total(STRENGTH, b(Sel::Slot(0))), Num::Int(n)))
}

fn pick(thing: ThingId) -> Submission {
    Submission::Pick(Value::Thing(thing))
}

fn stand(game: &Game) -> usize {
    game.select(&and([in_field(), is(STANDS)])).len()
}

/// Ann begins to declare it with Fern.
fn begun(program: Program) -> Game {
    let mut game = with(program, vec![], season(WORK));
    take(&mut game, "\"Fern\": pair");
    game
}

#[test]
fn nothing_happens_before_the_last_is_chosen() {
    let before = with(pairing(just(2), None), vec![], season(WORK));
    let mut game = begun(pairing(just(2), None));
    assert_eq!(game.chain(), 0);
    assert_eq!((stand(&game), game.history(LOWER).len()), (stand(&before), 0));
    assert!(!game.is_legal(&Submission::Decline), "two are needed");
    game.take(&pick(MOSS)).unwrap();
    assert_eq!((stand(&game), game.chain()), (stand(&before), 0));
    assert!(!game.is_legal(&pick(MOSS)), "it is chosen already");
    assert!(!game.explain(&pick(MOSS)).reasons.is_empty());
    game.take(&pick(FERN2)).unwrap();
    assert_eq!((stand(&game), game.chain()), (stand(&before) - 2, 1));
    assert_eq!(game.history(LOWER).len(), 2);
}

#[test]
fn a_thing_is_offered_only_if_the_rest_can_be_chosen() {
    // Of the plants in the field Moss has the strength 1 and Fern 4; both gardeners have the same.
    let game = begun(pairing(just(2), strength(CmpOp::Le, 2)));
    let of = |game: &Game| game.options().iter().filter(|o| matches!(o, Submission::Pick(_))).count();
    assert_eq!(of(&game), 2, "{:?}", offered(&game));
    assert!(game.is_legal(&pick(MOSS)) && !game.is_legal(&pick(FERN)));
    let all = begun(pairing(just(2), None));
    assert_eq!(of(&all), 8);
    // No two have so little: it is not offered at all, and the reason is what was asked.
    let game = with(pairing(just(2), strength(CmpOp::Le, 1)), vec![], season(WORK));
    assert_eq!(game.find("\"Fern\": pair"), None);
    let pair = game.program().allowances.iter().position(|a| a.words == "pair").unwrap();
    let tried = Submission::Declare {
        allowance: AllowanceId::from_index(pair),
        this: Some(FERN),
        effect: 0,
        parameters: vec![Value::None],
    };
    let verdict = game.explain(&tried);
    assert!(!verdict.legal && verdict.reasons.iter().any(|r| r.clause == verdict.licence), "{verdict:?}");
}

#[test]
fn up_to_and_at_least_end_when_they_are_enough() {
    let mut game = begun(pairing(Several { least: 0, most: Some(2) }, None));
    assert!(!game.is_legal(&Submission::Decline), "a cost is paid with one at least");
    game.take(&pick(MOSS)).unwrap();
    assert!(game.is_legal(&Submission::Decline));
    game.take(&Submission::Decline).unwrap();
    assert_eq!(game.history(LOWER).len(), 1);
    let mut game = begun(pairing(Several { least: 7, most: None }, strength(CmpOp::Ge, 1)));
    for n in 0..8 {
        assert_eq!(game.is_legal(&Submission::Decline), n == 7);
        let options = game.options();
        game.take(&options[0]).unwrap();
    }
    assert_eq!(game.history(LOWER).len(), 8);
    let few = with(pairing(just(9), None), vec![], season(WORK));
    assert_eq!(few.find("\"Fern\": pair"), None);
}

#[test]
fn a_choice_that_is_half_made_is_saved_and_stays_the_same_in_more_room() {
    let mut game = begun(pairing(just(3), strength(CmpOp::Le, 9)));
    game.take(&pick(MOSS)).unwrap();
    let loaded = Game::load(std::sync::Arc::new(pairing(just(3), strength(CmpOp::Le, 9))), &game.save()).unwrap();
    assert_eq!(loaded.position_hash(), game.position_hash());
    assert_eq!(loaded.options(), game.options());
    let mut other = loaded.clone();
    assert_ne!(other.options(), begun(pairing(just(3), None)).options());
    let options = other.options();
    other.take(&options[0]).unwrap();
    assert_ne!(other.position_hash(), game.position_hash());
}

#[test]
fn whatever_is_offered_leads_to_the_end_and_nothing_else_is_taken() {
    let asked = [None, strength(CmpOp::Le, 9), strength(CmpOp::Ge, 13), strength(CmpOp::Eq, 6)];
    for (n, cond) in asked.into_iter().enumerate() {
        for several in [just(2), just(3), Several { least: 1, most: Some(3) }, Several { least: 2, most: None }] {
            let mut game = with(pairing(several, cond.clone()), vec![], season(WORK));
            let Some(declare) = game.find("\"Fern\": pair") else { continue };
            game.take(&declare).unwrap();
            let mut dice = Dice(n as u64);
            while let Some(DecisionKind::Gather { .. }) = game.decision().map(|d| &d.kind) {
                let options = game.options();
                assert!(!options.is_empty(), "a dead end with {several:?}");
                for candidate in game.candidates(400) {
                    assert_eq!(game.is_legal(&candidate), options.contains(&candidate), "{candidate:?}");
                }
                let next = options[dice.below(options.len())].clone();
                game.take(&next).unwrap();
            }
            assert!(game.chain() == 1 && !game.history(LOWER).is_empty());
        }
    }
}

#[test]
fn each_of_them_must_still_be_what_was_asked_when_it_resolves() {
    let negated = |game: &Game| game.trace().iter().filter(|e| e.kind == TraceKind::Negated).count();
    let dew = |lower: bool| {
        let mut program = toy();
        let dew = program.allowances.iter_mut().find(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
        let clause = dew.clause;
        dew.parameters[0].from = Pool::Things(vec![Sel::Class(PLANT), in_field(), is(STANDS)]);
        dew.parameters[0].several = Some(just(2));
        program.actions[HASTY.index()].lasting = Some(clause);
        let mut game = with(program, vec![], season(WORK));
        take(&mut game, "play \"Dew\"");
        game.take(&pick(FERN)).unwrap();
        game.take(&pick(MOSS)).unwrap();
        take(&mut game, "pass");
        if lower {
            take(&mut game, "\"Fern\": water");
            take(&mut game, "pass");
        }
        take(&mut game, "pass");
        game
    };
    assert_eq!((negated(&dew(false)), negated(&dew(true))), (0, 1));
    let both = |game: &Game| (num(game, STRENGTH, FERN), num(game, STRENGTH, MOSS));
    let (with, without) = (both(&dew(false)), both(&dew(true)));
    assert_eq!(with, (without.0 + 1, without.1 + 1));
}

#[test]
fn more_groups_than_can_be_looked_at_stop_the_game_with_the_clause() {
    let mut program = pairing(Several { least: 0, most: None }, strength(CmpOp::Eq, 999));
    let pair = program.allowances.iter_mut().find(|a| a.words == "pair").unwrap();
    let label = program.clauses[pair.clause.index()].label.to_string();
    (pair.parameters[0].from, pair.cost) = (Pool::Things(vec![Sel::All]), None);
    pair.acts.retain(|act| !act.cost);
    let game = with(program, vec![], season(WORK));
    assert_eq!(game.find("\"Fern\": pair"), None);
    let fault = game.fault().unwrap();
    assert_eq!((fault.kind, fault.label), (ErrorKind::LoopBound, label));
}
