//! What is announced by itself: the beginning and the end of procedures and steps, changes of stored facts.

use std::sync::Arc;

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

/// The names under which a moment is told.
fn called(moment: Moment) -> [&'static str; 3] {
    match moment {
        Moment::Starts(YEAR) => ["year", "begins", ""],
        Moment::Ends(YEAR) => ["year", "ends", ""],
        Moment::Starts(_) => ["season", "begins", ""],
        Moment::Ends(_) => ["season", "ends", ""],
        Moment::StepStarts(_) => ["step rest of season", "begins", ""],
        Moment::StepEnds(_) => ["step rest of season", "ends", ""],
        Moment::Becomes(POSTURE, _) => ["posture", "becomes", "Lying"],
        Moment::Ceases(POSTURE, _) => ["posture", "ceases to be", "Standing"],
        Moment::Becomes(..) => ["keeper", "becomes", ""],
        Moment::Ceases(..) => ["keeper", "ceases to be", ""],
    }
}

/// A season whose only step is `rest`, with rules that wait for moments and praise the first who takes part in them.
fn waiting(program: Program, moments: &[Moment], body: impl Fn() -> Vec<Statement>) -> Program {
    let mut t = Toy { p: program };
    t.p.procs[SEASON.index()].steps = vec![REST];
    for (n, moment) in moments.iter().enumerate() {
        let verb = t.verb(called(*moment), GARDENER, vec![]);
        t.p.verbs[verb.index()].moment = Some(*moment);
        if *moment == Moment::Ends(YEAR) {
            t.p.verbs[verb.index()].roles.clear();
        }
        if let Moment::Becomes(KEEPER, _) | Moment::Ceases(KEEPER, _) = moment {
            let second = FrameRole { slot: 1, word: String::new(), class: GARDENER, optional: true };
            t.p.verbs[verb.index()].roles.push(second);
        }
        let clause = t.clause(&format!("rule waits {n}"), None);
        let id = t.trigger(clause, verb, Sel::All, body());
        if t.p.verbs[verb.index()].roles.is_empty() {
            t.p.triggers[id.index()].pattern.roles.clear();
        }
    }
    t.p
}

fn praise() -> Vec<Statement> {
    vec![do_(PRAISE, Sel::Slot(0))]
}

fn met(game: &Game) -> Vec<String> {
    let told =
        |text: &str| text.trim_start_matches("it is met that ").split(" (rule").next().unwrap_or_default().to_owned();
    texts(game, TraceKind::MetTrigger).into_iter().map(told).collect()
}

const COURSE: [Moment; 4] =
    [Moment::Starts(SEASON), Moment::Ends(SEASON), Moment::StepStarts(REST), Moment::StepEnds(REST)];

fn fern() -> Sel {
    and([in_field(), kept_by(role()), is(RED)])
}

/// A rest in which something may be done.
fn perhaps(statements: Vec<Statement>) -> Program {
    resting(vec![statements], |ids| vec![Statement::May { by: role(), body: ids[0], otherwise: None }])
}

#[test]
fn beginning_and_end_are_announced_once_with_whose_they_are() {
    let mut game = with(waiting(perhaps(vec![]), &COURSE, praise), vec![], season(REST));
    // What the beginning sets off has followed before the step asks.
    assert_eq!((num(&game, LUCK, ANN), num(&game, LUCK, BOB)), (2, 0));
    game.take(&Submission::No).unwrap();
    assert_eq!(met(&game), ["the step rest of season of \"Ann\" ends", "the season of \"Ann\" ends"]);
    assert_eq!((num(&game, LUCK, ANN), game.running().len()), (4, 0));
}

#[test]
fn what_nobody_waits_for_changes_nothing() {
    let mut game = with(waiting(perhaps(vec![]), &[], praise), vec![], season(REST));
    game.take(&Submission::No).unwrap();
    assert_eq!((met(&game), num(&game, LUCK, ANN)), (vec![], 0));
}

#[test]
fn a_position_in_the_midst_of_a_procedure_is_behind_its_beginning() {
    let mut program = waiting(perhaps(vec![]), &COURSE, praise);
    program.procs[SEASON.index()].steps = vec![WORK, REST];
    let game = with(program, vec![], season(REST));
    assert_eq!(num(&game, LUCK, ANN), 1, "only the step begins");
}

#[test]
fn what_is_ended_early_has_its_end_once() {
    let mut program = waiting(perhaps(vec![Statement::End(SEASON)]), &COURSE, praise);
    program.procs[SEASON.index()].guard = None;
    let mut game = with(program, vec![], season(REST));
    game.take(&Submission::Yes).unwrap();
    assert_eq!(met(&game), ["the step rest of season of \"Ann\" ends", "the season of \"Ann\" ends"]);
    assert_eq!((num(&game, LUCK, ANN), game.running().len()), (4, 0));
}

/// It goes on at a step: that begins when the one that was left is over, and what this has set off.
#[test]
fn what_goes_on_at_a_step_comes_to_it_after_the_one_that_it_leaves() {
    let program = waiting(perhaps(vec![Statement::End(SEASON)]), &COURSE, praise);
    let mut game = with(program, vec![], season(REST));
    game.take(&Submission::Yes).unwrap();
    let (ends, begins) = ("the step rest of season of \"Ann\" ends", "the step rest of season of \"Ann\" begins");
    assert_eq!((met(&game), num(&game, LUCK, ANN)), (vec![ends.to_owned(), begins.to_owned()], 4));
    game.take(&Submission::No).unwrap();
    assert_eq!(met(&game)[2..], [ends, "the season of \"Ann\" ends"]);
}

#[test]
fn what_is_left_by_its_guard_has_its_end_once() {
    let mut program = waiting(perhaps(vec![do_(PRAISE, role())]), &[Moment::Ends(SEASON)], praise);
    program.procs[SEASON.index()].guard.as_mut().unwrap().1 = None;
    let mut game = with(program, vec![attr(ANN, LUCK, Value::Num(4))], season(REST));
    game.take(&Submission::Yes).unwrap();
    assert_eq!((met(&game), num(&game, LUCK, ANN)), (vec!["the season of \"Ann\" ends".to_owned()], 6));
}

#[test]
fn what_is_left_with_what_is_around_it_ends_too_the_inner_first() {
    let moments = [Moment::Ends(YEAR), Moment::Ends(SEASON)];
    let program = waiting(perhaps(vec![Statement::End(YEAR)]), &moments, Vec::new);
    let mut start = vec![StartFrame { proc: YEAR, arguments: vec![], step: Some(StepId(0)) }];
    start.extend(season(REST));
    let mut game = with(program, vec![], start);
    game.take(&Submission::Yes).unwrap();
    assert_eq!(met(&game), ["the season of \"Ann\" ends", "the year ends"]);
    assert_eq!(game.running().len(), 0);
}

#[test]
fn the_end_can_be_asked_for_while_it_is_announced() {
    let mut program = waiting(perhaps(vec![]), &[], praise);
    let mut t = Toy { p: program };
    let verb = t.verb(called(Moment::Ends(SEASON)), GARDENER, vec![]);
    t.p.verbs[verb.index()].moment = Some(Moment::Ends(SEASON));
    let clause = t.clause("rule asks", None);
    let then = t.block(clause, praise());
    t.trigger(clause, verb, Sel::All, vec![Statement::If(Cond::Closing(SEASON), then, None)]);
    let inside = t.block(clause, vec![do_(PRAISE, role())]);
    let body = t.p.steps[REST.index()].body;
    t.p.blocks[body.index()].statements.push((Statement::If(Cond::Closing(SEASON), inside, None), SiteId(0)));
    program = t.p;
    let mut game = with(program, vec![], season(REST));
    game.take(&Submission::No).unwrap();
    assert_eq!(num(&game, LUCK, ANN), 1, "not in the step, but at the end");
}

const LAID: [Moment; 2] = [Moment::Becomes(POSTURE, Some(LIES)), Moment::Ceases(POSTURE, Some(STANDS))];

#[test]
fn a_fact_changes_once_and_after_what_is_done() {
    let program = waiting(perhaps(vec![do_(LOWER, fern()), do_(LOWER, fern())]), &LAID, Vec::new);
    let mut t = Toy { p: program };
    let clause = t.clause("rule lowered", None);
    t.trigger(clause, LOWER, Sel::All, vec![]);
    let mut game = with(t.p, vec![], season(REST));
    game.take(&Submission::Yes).unwrap();
    let lowered = "\"Fern\" is lowered";
    assert_eq!(
        met(&game),
        [lowered, "the posture of \"Fern\" ceases to be Standing", "the posture of \"Fern\" becomes Lying", lowered],
        "the second time it lies already"
    );
}

#[test]
fn what_is_taken_back_in_the_same_event_was_no_change() {
    let mut program = waiting(perhaps(vec![do_(LOWER, fern())]), &LAID, Vec::new);
    let up = Statement::Set { attr: POSTURE, of: Sel::Slot(0), value: Val::Entry(Ent::Entry(STANDS)) };
    let body = program.verbs[LOWER.index()].body.unwrap();
    program.blocks[body.index()].statements.push((up, SiteId(0)));
    // Its contrary is waited for as well, as the compiler has it.
    let mut t = Toy { p: program };
    for (moment, forms) in [
        (Moment::Ceases(POSTURE, Some(LIES)), ["posture", "ceases to be", "Lying"]),
        (Moment::Becomes(POSTURE, Some(STANDS)), ["posture", "becomes", "Standing"]),
    ] {
        let verb = t.verb(forms, GARDENER, vec![]);
        t.p.verbs[verb.index()].moment = Some(moment);
        let clause = t.clause(&format!("rule waits {}", forms.join(" ")), None);
        t.trigger(clause, verb, Sel::All, vec![]);
    }
    let mut game = with(t.p, vec![], season(REST));
    game.take(&Submission::Yes).unwrap();
    assert_eq!(met(&game), Vec::<String>::new());
}

#[test]
fn a_fact_that_is_a_thing_tells_what_it_was_and_what_it_is() {
    let give = Statement::Set {
        attr: KEEPER,
        of: fern(),
        value: Val::Things(and([Sel::Class(GARDENER), Sel::Not(b(role()))])),
    };
    let moments = [Moment::Becomes(KEEPER, None), Moment::Ceases(KEEPER, None)];
    let mut game = with(waiting(perhaps(vec![give]), &moments, Vec::new), vec![], season(REST));
    game.take(&Submission::Yes).unwrap();
    assert_eq!(met(&game), ["the keeper of \"Fern\" ceases to be \"Ann\"", "the keeper of \"Fern\" becomes \"Bob\""]);
}

/// Of two changes that are announced at once the first asks a question while the second waits: a saved game knows it.
#[test]
fn a_game_is_saved_while_something_is_still_to_be_announced() {
    let lay = || Statement::Set {
        attr: POSTURE,
        of: and([in_field(), kept_by(role())]),
        value: Val::Entry(Ent::Entry(LIES)),
    };
    let mut program = perhaps(vec![lay()]);
    let mut t = Toy { p: program };
    let clause = t.clause("rule asks", None);
    let more = t.block(clause, vec![do_(PRAISE, role())]);
    program = t.p;
    let ask = || vec![Statement::May { by: role(), body: more, otherwise: None }];
    let mut program = waiting(program, &[Moment::Becomes(POSTURE, Some(LIES))], ask);
    program.triggers.iter_mut().for_each(|t| t.immediate |= program.clauses[t.clause.index()].label == "rule waits 0");
    let mut game = with(program, vec![], season(REST));
    game.take(&Submission::Yes).unwrap();
    let text = game.save();
    let mut loaded = Game::load(Arc::clone(game.program()), &text).unwrap();
    assert_eq!((loaded.position_hash(), loaded.save()), (game.position_hash(), text));
    let mut asked = 0;
    while game.decision().is_some() {
        game.take(&Submission::Yes).unwrap();
        loaded.take(&Submission::Yes).unwrap();
        assert_eq!(loaded.position_hash(), game.position_hash());
        asked += 1;
    }
    assert!(asked > 1 && num(&game, LUCK, ANN) == asked, "{asked}");
}
