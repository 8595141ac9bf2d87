//! Each service of the engine, alone.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "tests")]

mod toy;

use std::sync::Arc;

use netrep_engine::*;
use netrep_ir::*;
use toy::*;

const FERN: ThingId = ThingId(0);
const MOSS: ThingId = ThingId(1);
const DEW: ThingId = ThingId(4);
const WIND: ThingId = ThingId(5);
const SEED: ThingId = ThingId(6);
const SHELL: ThingId = ThingId(7);
const FERN2: ThingId = ThingId(8);

fn at(facts: Vec<Fact>, start: Vec<StartFrame>) -> Game {
    with(toy(), facts, start)
}

fn with(program: Program, facts: Vec<Fact>, start: Vec<StartFrame>) -> Game {
    let program = Arc::new(program);
    let mut setup = setup(&program);
    setup.facts.extend(facts);
    setup.start = start;
    let mut game = Game::new(program, setup).unwrap_or_else(|e| panic!("{e:?}"));
    game.set_tracing(true);
    game
}

fn season(step: StepId) -> Vec<StartFrame> {
    vec![StartFrame { proc: SEASON, arguments: vec![Value::Thing(ANN)], step: Some(step) }]
}

fn attr(thing: ThingId, attr: AttrId, value: Value) -> Fact {
    Fact::Attr { attr, thing, value }
}

fn lies(thing: ThingId) -> Fact {
    attr(thing, POSTURE, Value::Entry(LIES))
}

fn into(thing: ThingId, place: PlaceId, keeper: ThingId) -> [Fact; 2] {
    [Fact::Put { thing, place: Some(place), owner: Some(keeper) }, attr(thing, KEEPER, Value::Thing(keeper))]
}

fn num(game: &Game, attr: AttrId, thing: ThingId) -> i32 {
    game.derive(attr, thing).value
}

fn texts(game: &Game, kind: TraceKind) -> Vec<&str> {
    game.trace().iter().filter(|e| e.kind == kind).map(|e| e.text.as_str()).collect()
}

#[test]
fn windows_chain_and_costs() {
    let mut game = at(vec![], season(WORK));
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(ANN));
    assert_eq!(offered(&game)[..2], ["plant \"Dew\"", "plant \"Wind\""]);
    take(&mut game, "\"Fern\": water");
    // The cost is paid at once, the effect waits for the chain.
    assert_eq!(game.value_words(POSTURE, FERN), "Lying");
    assert_eq!(num(&game, LUCK, ANN), 0);
    // The other may only raise.
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(BOB));
    assert!(offered(&game).iter().all(|o| o == "pass" || o.starts_with("raise")), "{:?}", offered(&game));
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(num(&game, LUCK, ANN), 1);
    // Once a season, and it lies anyway.
    let again = Submission::Declare { allowance: AllowanceId(3), this: Some(FERN), parameters: vec![] };
    let verdict = game.explain(&again);
    assert_eq!(verdict.reasons.len(), 2, "{verdict:?}");
    assert!(verdict.reasons[0].text.contains("at most 1 times in each season"));
    assert_eq!(verdict.reasons[1].text, "standing: \"Fern\"'s posture is Lying");
    assert!(verdict.would_be_legal_if.is_empty());
    assert!(game.take(&again).is_err());
}

#[test]
fn a_cost_undone_negates() {
    // Gate lets red plants be raised in spite of Thorn.
    let mut game = at(vec![], season(WORK));
    take(&mut game, "\"Fern\": water");
    take(&mut game, "raise \"Fern\"");
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(ANN));
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(game.value_words(POSTURE, FERN), "Standing");
    assert_eq!(num(&game, LUCK, ANN), 0);
    let negated = texts(&game, TraceKind::Negated);
    assert_eq!(negated, ["negated: \"Fern\": water, because it no longer holds: still lying (verb lower)"]);
}

#[test]
fn playing_wraps_the_effect() {
    let mut game = at(vec![], season(WORK));
    let before = num(&game, STRENGTH, FERN);
    take(&mut game, "play \"Dew\" on \"Fern\"");
    assert_eq!(game.place_of(DEW), Some((LIMBO, None)));
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(game.place_of(DEW), Some((MULCH, Some(ANN))));
    assert_eq!(num(&game, STRENGTH, FERN), before + 1);
    assert!(game.trace().iter().any(|e| e.verb == Some(PLAY) && e.roles == [Some(DEW)]));
    // The effect ends with the season.
    while game.decision().is_some() {
        if !game.roll_keyed(1).unwrap() {
            let option = game.options().pop().unwrap();
            game.take(&option.submission).unwrap();
        }
    }
    assert_eq!(num(&game, STRENGTH, FERN), before);
    assert!(!texts(&game, TraceKind::Ended).is_empty());
}

#[test]
fn modifiers_stop_at_caps() {
    let game = at(vec![], season(WORK));
    // 3 + 2, not above 4.
    let derivation = game.derive(STRENGTH, FERN);
    assert_eq!((derivation.base, derivation.value), (3, 4));
    assert_eq!(derivation.steps[0].change, "+2 (not above 4)");
    assert_eq!(derivation.steps[0].source, Some(MOSS));
    assert!(game.holds(&Cond::Some(and([Sel::Named(named(game.program(), "Fern")), Sel::Flag(STURDY)]))));
    // 4 + 1 + 4 + 4: Ann's field.
    assert_eq!(game.derive(WEALTH, ANN).value, 4 + 1 + 4 + 4);
    // A value beyond the cap stays.
    let game = at(vec![attr(FERN, STRENGTH, Value::Num(9))], season(WORK));
    assert_eq!(num(&game, STRENGTH, FERN), 9);
}

#[test]
fn an_order_that_matters_is_refused() {
    let mut program = toy();
    program.services.stages.clear();
    let facts = vec![attr(FERN, STRENGTH, Value::Num(2))];
    let mut game = with(program, facts, season(WORK));
    take(&mut game, "play \"Dew\" on \"Fern\"");
    take(&mut game, "pass");
    let before = game.clone();
    let _ = game.take(&Submission::Pass);
    // Nothing has read the number yet, or the engine stopped there; reading it is an error either way.
    let _ = game.derive(WEALTH, ANN);
    let pick = game.find("pass").unwrap();
    let _ = game.holds(&Cond::Some(Sel::Flag(STURDY)));
    match game.take(&pick) {
        Err(Refusal::Failed(e)) => {
            assert_eq!(e.kind, ErrorKind::OrderUndecided);
            assert!(e.text.contains("M-1 bonus") && e.text.contains("D-1 effect"), "{e}");
        }
        other => panic!("{other:?}"),
    }
    assert!(before.decision().is_some());
}

#[test]
fn triggers_immediate_following_and_replacing() {
    // Seed is in the field: lowering marks at once; wilting praises in the following chain.
    let facts = [into(SEED, FIELD, ANN).to_vec()].concat();
    let mut game = at(facts, season(STORM));
    game.take(&Submission::Dice(5)).unwrap();
    take(&mut game, "\"Fern\"");
    assert_eq!(game.place_of(FERN), Some((MULCH, Some(ANN))));
    assert_eq!(num(&game, LUCK, ANN), 1);
    // Shell takes the place of wilting while the plant stands.
    let facts = [into(SEED, FIELD, ANN).to_vec(), into(SHELL, FIELD, ANN).to_vec()].concat();
    let mut game = at(facts, season(STORM));
    game.take(&Submission::Dice(6)).unwrap();
    take(&mut game, "\"Fern\"");
    assert_eq!(game.place_of(FERN), Some((FIELD, None)));
    assert_eq!(game.value_words(POSTURE, FERN), "Lying");
    assert_eq!(game.value_words(MARKED, FERN), "yes");
    assert_eq!(num(&game, LUCK, ANN), 0);
    assert_eq!(texts(&game, TraceKind::Replaced).len(), 1);
}

#[test]
fn a_source_that_leaves_lapses_or_still_fires() {
    // The seed itself wilts: its following trigger waits, and its source is gone when it would resolve.
    let mut game = at(into(SEED, FIELD, ANN).to_vec(), season(STORM));
    game.take(&Submission::Dice(4)).unwrap();
    take(&mut game, "\"Seed\"");
    assert_eq!(num(&game, LUCK, ANN), 0);
    assert!(texts(&game, TraceKind::Negated)[0].contains("no longer functions"));
    // At once, it fires.
    let mut program = toy();
    let wilt = program.triggers.iter().position(|t| t.pattern.verb == WILT && !t.instead).unwrap();
    program.triggers[wilt].immediate = true;
    let mut game = with(program, into(SEED, FIELD, ANN).to_vec(), season(STORM));
    game.take(&Submission::Dice(4)).unwrap();
    take(&mut game, "\"Seed\"");
    assert_eq!(num(&game, LUCK, ANN), 1);
}

#[test]
fn norms_forbid_and_permit() {
    // Bob's Thorn bars raising Ann's Moss (blue); his Gate permits her Fern (red).
    let mut game = at(vec![lies(FERN), lies(MOSS)], season(WORK));
    let words = offered(&game);
    assert!(
        words.contains(&"raise \"Fern\"".to_string()) && !words.contains(&"raise \"Moss\"".to_string()),
        "{words:?}"
    );
    let raise = Submission::Declare { allowance: AllowanceId(1), this: None, parameters: vec![Value::Thing(MOSS)] };
    let verdict = game.explain(&raise);
    assert_eq!(verdict.reasons.len(), 1);
    assert!(verdict.reasons[0].text.starts_with("the text of T-1 bar"), "{}", verdict.reasons[0].text);
    // What is not declared but only happens is prevented.
    let mut rest = at(vec![lies(FERN), lies(MOSS)], season(REST));
    rest.take(&Submission::Branch(1)).unwrap();
    assert_eq!(rest.value_words(POSTURE, FERN), "Standing");
    assert_eq!(rest.value_words(POSTURE, MOSS), "Lying");
    assert_eq!(texts(&rest, TraceKind::Prevented).len(), 1);
    game.set_tracing(false);
    assert!(game.trace().is_empty());
}

#[test]
fn guards_leave_through_their_step() {
    let mut game = at(vec![attr(ANN, LUCK, Value::Num(4)), lies(MOSS)], season(WORK));
    take(&mut game, "\"Fern\": water");
    take(&mut game, "pass");
    take(&mut game, "pass");
    // Luck is 5: the window is left for `rest`.
    assert!(matches!(game.decision().unwrap().kind, DecisionKind::Branch(2)));
    assert_eq!(game.running(), [(SEASON, Some(REST))]);
    game.take(&Submission::Branch(0)).unwrap();
    // The guard is not asked again in this season.
    assert_eq!(num(&game, LUCK, ANN), 6);
    assert_eq!(game.running(), [(SEASON, Some(FAIR))]);
}

#[test]
fn delayed_triggers_see_later_events() {
    let mut game = at(vec![], season(WORK));
    take(&mut game, "play \"Wind\"");
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(game.place_of(WIND), Some((MULCH, Some(ANN))));
    assert_eq!(game.value_words(POSTURE, FERN2), "Lying");
    take(&mut game, "raise \"Fern\" #2");
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(num(&game, LUCK, BOB), 1);
}

#[test]
fn free_procedures_take_turns() {
    let mut game = at(vec![], season(FAIR));
    take(&mut game, "no");
    assert_eq!(offered(&game), ["perform bargain", "pass"]);
    take(&mut game, "perform bargain");
    take(&mut game, "yes");
    assert_eq!(num(&game, LUCK, BOB), 1);
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(BOB));
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert!(game.decision().is_none(), "{:?}", game.decision());
}

#[test]
fn minted_things_are_described_and_retired() {
    let mut game = at(vec![], season(STORM));
    game.take(&Submission::Dice(6)).unwrap();
    take(&mut game, "\"Fern\"");
    game.take(&Submission::Branch(0)).unwrap();
    take(&mut game, "yes");
    let pebble = ThingId::from_index(game.things() - 1);
    assert_eq!(game.thing_words(pebble), "pebble \"Fern\"");
    assert!(game.exists(pebble));
}

/// A calm answer that lets seasons pass and mints a pebble in each.
fn minting(game: &Game, dice: &mut Dice) -> Submission {
    if let Some(rolled) = game.keyed_roll(3) {
        return rolled;
    }
    let options = game.options();
    let in_season = game.running().last().is_some_and(|r| r.0 == SEASON);
    let yes = options.iter().find(|o| o.submission == Submission::Yes && in_season);
    let quiet =
        |s: &Submission| matches!(s, Submission::Pass | Submission::Branch(1) | Submission::No | Submission::Decline);
    let calm = options.iter().rposition(|o| quiet(&o.submission));
    let n = calm.unwrap_or_else(|| dice.below(options.len()));
    yes.unwrap_or(&options[n]).submission.clone()
}

/// A game that begins with little room goes as one with much: it grows at its decisions.
#[test]
fn room_grows_as_it_is_needed() {
    let program = Arc::new(toy());
    let game = |capacity| {
        let setup = Setup { capacity, ..setup(&program) };
        Game::new(Arc::clone(&program), setup).unwrap()
    };
    let (mut small, mut large) = (game(64), game(2048));
    assert_eq!((small.capacity(), large.capacity()), (64, 2048));
    let mut dice = Dice(5);
    let mut widths = vec![64];
    for n in 0..6_000 {
        let submission = minting(&large, &mut dice);
        if n % 50 == 0 {
            assert_eq!(small.options(), large.options());
            assert_eq!(small.options_in_words(), large.options_in_words());
            for t in (0..large.things()).map(ThingId::from_index) {
                assert_eq!(small.thing_words(t), large.thing_words(t));
                assert_eq!(small.value_words(STRENGTH, t), large.value_words(STRENGTH, t));
            }
            let loaded = Game::load(Arc::clone(&program), &small.save()).unwrap();
            assert_eq!((&loaded, loaded.position_hash()), (&small, small.position_hash()));
        }
        small.take(&submission).unwrap();
        large.take(&submission).unwrap();
        assert!(small.capacity() >= small.things() + 60, "there is always room");
        if widths.last() != Some(&small.capacity()) {
            widths.push(small.capacity());
        }
        if small.things() > 700 {
            break;
        }
    }
    assert_eq!(large.capacity(), 2048, "what has room stays as it is");
    assert!(widths.len() >= 3 && small.things() > 700, "{widths:?}, {} things", small.things());
}

/// Before a storm, after which so many pebbles are minted before the next decision.
fn pebbles(times: i32) -> Game {
    let create = Statement::Create { class: PEBBLE, slot: 4, values: vec![] };
    let program = resting(vec![vec![create]], |ids| {
        vec![Statement::RepeatTimes(Num::Int(times), ids[0]), choose(role(), Sel::Class(GARDENER), 2)]
    });
    let program = Arc::new(program);
    let mut setup = setup(&program);
    setup.start = vec![StartFrame { proc: SEASON, arguments: vec![Value::Thing(ANN)], step: Some(STORM) }];
    Game::new(program, setup).unwrap()
}

#[test]
fn an_answer_that_needs_more_room_than_there_is_gets_it() {
    let mut game = pebbles(600);
    let (before, things) = (game.capacity(), game.things());
    game.set_tracing(true);
    game.take(&Submission::Dice(1)).unwrap();
    assert_eq!(game.things(), things + 600);
    assert!(before < 600 && game.capacity() >= things + 600);
    let minted = game.trace().iter().filter(|e| e.kind == TraceKind::Thing).count();
    assert_eq!(minted, 600, "what was tried in vain is not told");
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(ANN));
}

#[test]
fn room_runs_out_with_an_error() {
    // Twice as many as a loop may make are more than any game has room for.
    let mut game = pebbles(10_000);
    game.take(&Submission::Dice(1)).unwrap();
    assert!(game.capacity() > 10_000);
    let create = vec![Statement::Create { class: PEBBLE, slot: 4, values: vec![] }];
    let program = Arc::new(resting(vec![create], |ids| vec![Statement::RepeatTimes(Num::Int(9_000), ids[0]); 2]));
    let mut setup = setup(&program);
    setup.start = vec![StartFrame { proc: SEASON, arguments: vec![Value::Thing(ANN)], step: Some(STORM) }];
    let mut game = Game::new(program, setup).unwrap();
    let before = game.clone();
    match game.take(&Submission::Dice(1)) {
        Err(Refusal::Failed(error)) => {
            assert_eq!(error.kind, ErrorKind::Overflow);
            assert!(error.text.contains("16384"), "{error}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!((&game, game.capacity()), (&before, before.capacity()));
    assert_eq!(game.options(), before.options());
    assert_eq!(game.position_hash(), before.position_hash());
}

#[test]
fn endless_loops_are_named() {
    let mut program = toy();
    let clause = program.steps[REST.index()].clause;
    program.blocks.push(Block { label: "empty".into(), clause, statements: vec![] });
    let empty = BlockId::from_index(program.blocks.len() - 1);
    let body = program.steps[REST.index()].body;
    program.blocks[body.index()].statements = vec![(Statement::RepeatUntil(empty, Cond::Is(false)), SiteId(0))];
    let program = Arc::new(program);
    let mut setup = setup(&program);
    setup.start = season(REST);
    let errors = Game::new(program, setup).unwrap_err();
    assert!(errors[0].text.contains("10000"), "{errors:?}");
    assert_eq!(errors[0].clause, Some(clause));
}

#[test]
fn conditions_are_asserted_or_refused() {
    let program = Arc::new(toy());
    let fern = || Sel::Named(named(&program, "Fern"));
    let ann = NameId::from_index(program.names.len());
    let facts = vec![
        // Both ferns lie in Ann's keeping, and are strong.
        Fact::Holds(Cond::Every(fern(), and([is(LIES), kept_by(Sel::Named(ann)), in_field()])), "the ferns lie".into()),
        Fact::Holds(
            Cond::Cmp(CmpOp::Ge, Num::Attr(STRENGTH, b(Sel::Named(named(&program, "Moss")))), Num::Int(7)),
            "strong".into(),
        ),
        Fact::Holds(Cond::Every(fern(), Sel::Flag(STURDY)), "the ferns are sturdy".into()),
        Fact::Holds(Cond::Some(and([fern(), Sel::EntryIs(HUES, BLUE)])), "a fern is blue".into()),
    ];
    let mut setup = setup(&program);
    setup.facts.extend(facts.clone());
    setup.start = season(WORK);
    let game = Game::new(Arc::clone(&program), setup.clone()).unwrap();
    for fact in &facts {
        let Fact::Holds(cond, _) = fact else { continue };
        assert!(game.holds(cond));
    }
    // The past cannot be asserted, and an invariant is checked.
    let past = Past { verb: WILT, roles: vec![None], since: None };
    let mut bad = setup.clone();
    bad.facts.push(Fact::Holds(Cond::Did(b(past)), "it has wilted".into()));
    let errors = Game::new(Arc::clone(&program), bad).unwrap_err();
    assert_eq!(errors[0].text, "cannot be made true: it has wilted");
    let mut bad = setup;
    bad.facts.push(attr(FERN2, KEEPER, Value::None));
    bad.facts.remove(bad.facts.len() - 5);
    let errors = Game::new(program, bad).unwrap_err();
    assert!(errors.iter().any(|e| e.clause.is_some() || e.text.contains("another fact undoes it")), "{errors:?}");
}

#[test]
fn history_and_last_known_things() {
    let mut game = at(vec![], season(STORM));
    game.take(&Submission::Dice(6)).unwrap();
    take(&mut game, "\"Fern\"");
    let wilted = |since| Past { verb: WILT, roles: vec![Some(Sel::EntryIs(HUES, RED))], since };
    assert!(game.holds(&Cond::Did(b(wilted(Some(SEASON))))));
    assert_eq!(game.select(&Sel::Happened(b(wilted(None)), 0)).single(), Some(FERN));
    assert!(!game.holds(&Cond::Did(b(Past { verb: RAISE, roles: vec![None], since: None }))));
}

#[test]
fn rolls_depend_on_seed_purpose_subject_and_ordinal() {
    let totals = |seed: u64| {
        let mut game = game();
        let mut totals = Vec::new();
        for _ in 0..60 {
            if let Some(Submission::Dice(n)) = game.keyed_roll(seed) {
                totals.push(n);
                game.take(&Submission::Dice(n)).unwrap();
                continue;
            }
            let n = game.options().len() - 1;
            let option = game.options()[n].submission.clone();
            game.take(&option).unwrap();
        }
        totals
    };
    assert_eq!(totals(1), totals(1));
    assert_ne!(totals(1), totals(2));
    assert!(totals(1).iter().all(|n| (1..=6).contains(n)));
    let game = at(vec![], season(STORM));
    let mut copy = game.clone();
    match copy.take(&Submission::Dice(7)) {
        Err(Refusal::Illegal(v)) => assert_eq!(v.reasons[0].text, "1 dice cannot show 7"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn renaming_changes_no_hash() {
    let mut renamed = toy();
    for attr in &mut renamed.attrs {
        attr.name = format!("x{}", attr.name.len());
    }
    for verb in &mut renamed.verbs {
        verb.forms = ["a".into(), "b".into(), "c".into()];
    }
    let (mut a, mut b) = (with(toy(), vec![], season(WORK)), with(renamed, vec![], season(WORK)));
    for _ in 0..20 {
        if a.decision().is_none() {
            break;
        }
        let submission = a.keyed_roll(4).unwrap_or_else(|| a.options()[0].submission.clone());
        a.take(&submission).unwrap();
        b.take(&submission).unwrap();
        assert_eq!(a.position_hash(), b.position_hash());
    }
}

#[test]
fn loading_says_what_is_gone() {
    let game = at(vec![], season(WORK));
    let text = game.save();
    let mut program = toy();
    program.places[FIELD.index()].name = "meadow".into();
    match Game::load(Arc::new(program), &text) {
        Err(LoadError::Missing(kind, label)) => assert_eq!((kind.as_str(), label.as_str()), ("places", "field")),
        other => panic!("{other:?}"),
    }
    // An edit elsewhere does not break it: other names, and ids that move.
    let mut program = toy();
    program.clauses.push(program.clauses[0].clone());
    program.names.insert(0, "New".into());
    for card in &mut program.cards {
        card.name = NameId(card.name.0 + 1);
    }
    let loaded = Game::load(Arc::new(program), &text).unwrap();
    assert_eq!(offered(&loaded), offered(&game));
    assert!(Game::load(Arc::new(toy()), "{}").is_err());
}

#[test]
fn choices_leave_out_what_is_forbidden() {
    let mut program = toy();
    let clause = ClauseId::from_index(program.clauses.len());
    let decl = ClauseDecl { label: "rule no red".into(), ..program.clauses[1].clone() };
    program.clauses.push(decl);
    let pattern = Pattern { verb: LOWER, roles: vec![(Some(Sel::EntryIs(HUES, RED)), None)] };
    program.norms.push(Norm {
        clause,
        card: None,
        kind: NormKind::Cannot,
        pattern,
        cond: None,
        delayed: false,
        slots: 1,
    });
    let mut game = with(program, vec![], season(FAIR));
    take(&mut game, "no");
    take(&mut game, "pass");
    take(&mut game, "perform haggle");
    assert!(!offered(&game).iter().any(|o| o.contains("Fern")), "{:?}", offered(&game));
    let verdict = game.explain(&Submission::Pick(Value::Thing(FERN)));
    assert_eq!(verdict.reasons[0].clause, clause);
}

#[test]
fn heaps_are_shuffled_and_drawn_from() {
    let mut program = toy();
    let body = program.steps[REST.index()].body;
    let top = || Sel::Top(HEAP, Some(b(role())), b(Num::Int(1)));
    program.blocks[body.index()].statements = vec![
        (Statement::Shuffle { place: HEAP, of: Some(role()) }, SiteId(0)),
        (Statement::Put { what: top(), place: BASKET, of: None, bottom: false }, SiteId(0)),
        (
            Statement::Put {
                what: and([Sel::Class(PLANT), Sel::In(BASKET, Some(b(role()))), is(RED)]),
                place: HEAP,
                of: None,
                bottom: true,
            },
            SiteId(0),
        ),
        (choose(role(), Sel::Class(GARDENER), 2), SiteId(0)),
    ];
    // Ann's heap: Seed, Shell, and her Fern put on top.
    let on_top = Fact::Put { thing: FERN, place: Some(HEAP), owner: Some(ANN) };
    let unkept = attr(FERN, KEEPER, Value::None);
    let game = with(program.clone(), vec![on_top, unkept], season(REST));
    assert_eq!(game.in_place(HEAP, Some(ANN)), [SEED, SHELL, FERN]);
    assert!(matches!(game.decision().unwrap().kind, DecisionKind::Shuffle { .. }));
    // Given: the shell on top, which is drawn; the seed stays lowest.
    let mut given = game.clone();
    assert!(given.take(&Submission::Shuffled(vec![SEED, SHELL])).is_err());
    given.take(&Submission::Shuffled(vec![SEED, FERN, SHELL])).unwrap();
    assert_eq!(given.in_place(HEAP, Some(ANN)), [SEED, FERN]);
    assert_eq!(given.place_of(SHELL), Some((BASKET, Some(ANN))));
    // Red ones go to the bottom.
    let mut given = game.clone();
    given.take(&Submission::Shuffled(vec![SEED, SHELL, FERN])).unwrap();
    assert_eq!(given.in_place(HEAP, Some(ANN)), [FERN, SEED, SHELL]);
    // Keyed: the same seed gives the same order; some seeds differ.
    let order = |seed| game.keyed_roll(seed).unwrap();
    assert_eq!(order(1), order(1));
    assert!((2..20).any(|seed| order(seed) != order(1)));
    // A save in the middle goes on alike.
    let mut loaded = Game::load(Arc::new(program), &game.save()).unwrap();
    let mut other = game.clone();
    loaded.roll_keyed(5).unwrap();
    other.roll_keyed(5).unwrap();
    assert_eq!(loaded, other);
}

/// A season whose step `rest` is these statements; the blocks come first.
fn resting(blocks: Vec<Vec<Statement>>, statements: impl FnOnce(&[BlockId]) -> Vec<Statement>) -> Program {
    let mut toy = Toy { p: toy() };
    let clause = toy.p.steps[REST.index()].clause;
    let ids: Vec<BlockId> = blocks.into_iter().map(|s| toy.block(clause, s)).collect();
    let body = toy.p.steps[REST.index()].body;
    toy.p.blocks[body.index()].statements = statements(&ids).into_iter().map(|s| (s, SiteId(0))).collect();
    toy.p
}

#[test]
fn loops_choosers_and_stops() {
    let each = |body, chooser| Statement::ForEach { of: and([in_field(), kept_by(role())]), slot: 3, body, chooser };
    // In an order that Ann chooses; stopped after the plant that lies already.
    let blocks = vec![vec![Statement::Stop], vec![do_(LOWER, Sel::Slot(3))]];
    let mut program = resting(blocks, |ids| vec![each(ids[1], Some(role()))]);
    let (stop, body) = (program.blocks.len() - 2, program.blocks.len() - 1);
    let lying = Cond::Some(and([Sel::Slot(3), is(LIES)]));
    program.blocks[body].statements.push((Statement::If(lying.clone(), BlockId::from_index(stop), None), SiteId(0)));
    program.blocks[body].statements.swap(0, 1);
    let mut game = with(program, vec![lies(MOSS)], season(REST));
    assert_eq!(offered(&game), ["\"Fern\"", "\"Moss\"", "\"Thorn\"", "\"Gate\""]);
    take(&mut game, "\"Thorn\"");
    take(&mut game, "\"Moss\"");
    assert_eq!(game.value_words(POSTURE, ThingId(2)), "Lying");
    assert_eq!(game.value_words(POSTURE, FERN), "Standing");
    assert_eq!(game.running(), [(SEASON, Some(FAIR))]);
    // So many times, and until.
    let times = resting(vec![vec![do_(PRAISE, role())]], |ids| {
        let until = Cond::Cmp(CmpOp::Ge, Num::Attr(LUCK, b(role())), Num::Int(3));
        vec![Statement::RepeatTimes(Num::Int(2), ids[0]), Statement::RepeatUntil(ids[0], until)]
    });
    let mut luckless = times;
    luckless.procs[SEASON.index()].guard = None;
    let game = with(luckless, vec![], season(REST));
    assert_eq!(num(&game, LUCK, ANN), 3);
}

#[test]
fn an_ended_procedure_waits_for_its_chain() {
    // Watering ends the season, but only when the chain is resolved.
    let mut program = toy();
    let water = program.allowances[3].effect.unwrap();
    let praise = program.blocks[water.index()].statements[0].clone();
    program.blocks[water.index()].statements = vec![(Statement::End(SEASON), SiteId(0)), praise];
    program.procs[SEASON.index()].guard = None;
    let mut game = with(program, vec![], season(WORK));
    take(&mut game, "\"Fern\": water");
    take(&mut game, "pass");
    take(&mut game, "play \"Dew\" on \"Moss\"");
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(num(&game, LUCK, ANN), 1);
    assert!(game.decision().is_none() && game.running().is_empty());
    // The later declaration was resolved first, and its effect ended with the season.
    assert_eq!(game.place_of(DEW), Some((MULCH, Some(ANN))));
    assert_eq!(num(&game, STRENGTH, MOSS), 1);
}

#[test]
fn open_effects_end_with_their_source() {
    // Fern's water gives Moss +5 for as long as Fern functions.
    let mut toy = Toy { p: toy() };
    let clause = toy.p.allowances[3].clause;
    let id = toy.modifier(
        clause,
        STRENGTH,
        Sel::Named(named(&toy.p, "Moss")),
        Change::Add { amount: Num::Int(5), max: None, min: None },
    );
    toy.p.modifiers[id.index()].delayed = true;
    let water = toy.p.allowances[3].effect.unwrap();
    toy.p.blocks[water.index()].statements =
        vec![(Statement::Effect { what: EffectKind::Modifier(id), lasting: Lasting::Open }, SiteId(0))];
    let mut game = with(toy.p, vec![], season(WORK));
    take(&mut game, "\"Fern\": water");
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(num(&game, STRENGTH, MOSS), 6);
    take(&mut game, "pass");
    take(&mut game, "pass");
    game.take(&Submission::Dice(6)).unwrap();
    take(&mut game, "\"Fern\"");
    assert_eq!(num(&game, STRENGTH, MOSS), 1);
}

#[test]
fn positions_begin_in_the_middle() {
    let start = vec![
        StartFrame { proc: YEAR, arguments: vec![], step: Some(StepId(0)) },
        StartFrame { proc: SEASON, arguments: vec![Value::Thing(BOB)], step: Some(FAIR) },
    ];
    let mut game = at(vec![], start);
    assert_eq!(game.running(), [(YEAR, Some(StepId(0))), (SEASON, Some(FAIR))]);
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(BOB));
    take(&mut game, "no");
    take(&mut game, "pass");
    take(&mut game, "pass");
    // The year goes on after the step in which it stood.
    assert!(game.decision().is_none());
}

/// The toy with what one of those who work is admitted to changed, and the clause that opens that window.
fn admitting(seat: usize, change: impl Fn(&mut Admit)) -> (Program, ClauseId) {
    let mut program = toy();
    let found = program.blocks.iter_mut().find_map(|block| {
        let clause = block.clause;
        block.statements.iter_mut().find_map(|(s, _)| match s {
            Statement::Window { admits, .. } if admits.len() == 2 => Some((clause, &mut admits[seat])),
            _ => None,
        })
    });
    let (clause, admit) = found.unwrap();
    change(admit);
    (program, clause)
}

#[test]
fn a_seat_is_there_only_while_something_is_so() {
    let lying = Cond::Some(and([in_field(), is(LIES)]));
    let (program, _) = admitting(1, |others| others.whilst = Some(lying.clone()));
    let mut game = with(program, vec![], season(WORK));
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(ANN));
    // Nothing lies: Ann is alone, and what she declares is resolved at once.
    take(&mut game, "plant \"Dew\"");
    assert_eq!(game.place_of(DEW), Some((FIELD, None)));
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(ANN));
    // What she lowers as a cost brings Bob in, before it is resolved.
    take(&mut game, "\"Fern\": water");
    assert_eq!((game.decision().unwrap().by, num(&game, LUCK, ANN)), (Chooser::Seat(BOB), 0));
    assert_eq!(offered(&game), ["raise \"Fern\"", "pass"]);
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!((game.decision().unwrap().by, num(&game, LUCK, ANN)), (Chooser::Seat(ANN), 1));
    // As long as it lies he may begin, too.
    take(&mut game, "pass");
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(BOB));
    take(&mut game, "raise \"Fern\"");
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(game.value_words(POSTURE, FERN), "Standing");
    // Now it stands: he is out of it again, and when she passes the work is over.
    take(&mut game, "pass");
    assert_ne!(game.running().last(), Some(&(SEASON, Some(WORK))));
}

#[test]
fn a_window_admits_a_kind_of_declaration_and_is_lifted() {
    let offered = |mut program: Program| {
        // Nothing tells what planting does.
        program.allowances.iter_mut().filter(|a| a.action == Some(SLOW)).for_each(|a| a.footprint.clear());
        offered(&with(program, vec![], season(WORK)))
    };
    let kind = toy().actions[SLOW.index()].verb;
    let (program, clause) = admitting(0, |ann| ann.footprints = vec![Footprint::Does(RAISE, None)]);
    assert_eq!(offered(program.clone()), ["pass"], "planting is no raising");
    // It is admitted by its kind.
    let (by_kind, _) = admitting(0, |ann| ann.footprints = vec![Footprint::Does(kind, None)]);
    assert!(offered(by_kind).contains(&"plant \"Wind\"".to_string()));
    // Or because it lifts what the window says, and then it alone.
    let mut lifting = program;
    lifting.allowances.iter_mut().filter(|a| a.action == Some(SLOW)).for_each(|a| a.despite.push(clause));
    assert_eq!(offered(lifting), ["plant \"Dew\"", "plant \"Wind\"", "pass"]);
}

/// A program in which what follows can be answered; `kinds`: with what.
fn answered(kinds: Vec<Footprint>) -> Program {
    let mut t = Toy { p: toy() };
    let reply = t.proc("reply", &[], true);
    let admits = vec![Admit { by: Sel::Class(GARDENER), whilst: None, footprints: kinds }];
    t.step(reply, "words", vec![Statement::Window { admits, response: true }]);
    t.p.services.answers = Some(reply);
    t.p
}

/// The toy's seed and its moss both praise their keeper when a plant wilts; each plant of a kind says it once.
fn with_moss(program: Program) -> Program {
    let mut t = Toy { p: program };
    let moss = t.p.cards.iter().position(|c| c.id == "M-1").map(CardId::from_index);
    let clause = t.clause("M-1 wilt", moss);
    t.trigger(clause, WILT, Sel::All, vec![do_(PRAISE, keeper_of(Sel::This))]);
    t.p
}

fn wilted(program: Program) -> Game {
    let mut game = with(program, into(SEED, FIELD, ANN).to_vec(), season(STORM));
    game.take(&Submission::Dice(5)).unwrap();
    take(&mut game, "\"Fern\"");
    game
}

#[test]
fn what_follows_is_put_in_order_and_answered() {
    // One alone needs no order, and without a procedure for it there is no answer.
    assert_eq!(num(&wilted(toy()), LUCK, ANN), 1);
    let mut game = wilted(with_moss(answered(vec![])));
    assert_eq!(game.decision().unwrap().kind, DecisionKind::Order(2));
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(ANN));
    assert_eq!(offered(&game), ["\"Seed\": S-1 wilt", "\"Moss\": M-1 wilt"]);
    take(&mut game, "\"Moss\": M-1 wilt");
    // Both wait while the two may answer.
    assert_eq!(num(&game, LUCK, ANN), 0);
    let window = game.responding().expect("a window in response");
    take(&mut game, "plant \"Dew\"");
    assert_eq!((game.decision().unwrap().by, game.responding()), (Chooser::Seat(BOB), Some(window)));
    take(&mut game, "pass");
    assert_eq!(game.responding(), Some(window));
    take(&mut game, "pass");
    // The answer is resolved, then both; nobody is asked again, and the order is that which was chosen.
    assert_eq!(game.place_of(DEW), Some((FIELD, None)));
    assert_eq!((num(&game, LUCK, ANN), game.responding()), (2, None));
    let praise: Vec<&str> = texts(&game, TraceKind::Event).into_iter().filter(|e| e.contains("prais")).collect();
    assert!(praise.len() == 2 && praise[0].ends_with("(M-1 wilt)") && praise[1].ends_with("(S-1 wilt)"), "{praise:?}");
}

#[test]
fn an_answer_keeps_to_the_window_around_it() {
    // Lowering Fern as a cost is met by the seed, whose praise follows; in the work of a season others only raise.
    let mut program = answered(vec![]);
    let praise = program.triggers.iter().find(|t| t.pattern.verb == WILT && !t.instead).unwrap().body;
    let mark = program.triggers.iter().position(|t| t.pattern.verb == LOWER).unwrap();
    program.triggers[mark].immediate = false;
    program.triggers[mark].body = praise;
    let mut game = with(program, into(SEED, FIELD, ANN).to_vec(), season(WORK));
    take(&mut game, "\"Fern\": water");
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert!(game.responding().is_some());
    assert_eq!(num(&game, LUCK, ANN), 1);
    assert!(offered(&game).iter().any(|o| o.starts_with("plant")), "{:?}", offered(&game));
    take(&mut game, "pass");
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(BOB));
    assert_eq!(offered(&game), ["raise \"Fern\"", "pass"]);
    // He raises it before she is praised for it.
    take(&mut game, "raise \"Fern\"");
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(game.value_words(POSTURE, FERN), "Standing");
    assert_eq!((num(&game, LUCK, ANN), game.responding()), (2, None));
}

#[test]
fn who_can_have_no_answer_is_not_asked() {
    // Nothing lies to be raised, but something may be hidden in the baskets.
    let raising = vec![Footprint::Does(RAISE, None)];
    assert!(wilted(answered(raising.clone())).responding().is_some());
    let emptied = |thing: u16, who| Fact::Put { thing: ThingId(thing), place: Some(MULCH), owner: Some(who) };
    let mut facts = into(SEED, FIELD, ANN).to_vec();
    facts.extend([emptied(4, ANN), emptied(5, ANN), emptied(12, BOB), emptied(13, BOB)]);
    let mut game = with(answered(raising), facts, season(STORM));
    game.take(&Submission::Dice(5)).unwrap();
    take(&mut game, "\"Fern\"");
    assert_eq!((num(&game, LUCK, ANN), game.responding()), (1, None));
}

#[test]
fn what_follows_lapses_with_its_condition() {
    let mut program = with_moss(toy());
    for trigger in program.triggers.iter_mut().filter(|t| t.pattern.verb == WILT && !t.instead) {
        let luckless = Cond::Cmp(CmpOp::Eq, Num::Attr(LUCK, b(keeper_of(Sel::This))), Num::Int(0));
        trigger.cond = Some(luckless);
    }
    let mut game = wilted(program);
    take(&mut game, "\"Seed\": S-1 wilt");
    assert_eq!(num(&game, LUCK, ANN), 1);
    assert_eq!(texts(&game, TraceKind::Negated), ["it lapses: what it asks for is no longer so (M-1 wilt)"]);
}

#[test]
fn every_prohibition_is_named_and_a_clause_may_lift_it() {
    let mut t = Toy { p: toy() };
    let thorn = t.p.norms.iter().find(|n| n.kind == NormKind::Cannot).unwrap().clone();
    let second = t.clause("T-1 second bar", thorn.card);
    t.p.norms.push(Norm { clause: second, ..thorn });
    let game = with(t.p, vec![lies(MOSS)], season(WORK));
    let raise = Submission::Declare { allowance: AllowanceId(1), this: None, parameters: vec![Value::Thing(MOSS)] };
    let reasons: Vec<String> = game.explain(&raise).reasons.into_iter().map(|r| r.text).collect();
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(reasons[1].starts_with("the text of T-1 second bar"), "{reasons:?}");
    // What a kind of declaration needs is lifted like a norm.
    let mut t = Toy { p: toy() };
    let clause = t.clause("rule needs", None);
    let site = t.site(clause, "never");
    let never = Requirement { cond: Cond::Is(false), clause, site, at_resolution: false };
    t.p.actions[SLOW.index()].requirements.push(never);
    assert!(!offered(&with(t.p.clone(), vec![], season(WORK))).iter().any(|o| o.starts_with("plant")));
    t.p.allowances[0].despite = vec![clause];
    assert!(offered(&with(t.p, vec![], season(WORK))).iter().any(|o| o.starts_with("plant")));
}

/// The toy in which the current gardener may raise a plant at the fair, or may run an errand that does.
fn fair(plant: ThingId, errand: bool) -> Game {
    let mut t = Toy { p: toy() };
    let name = named(&t.p, if plant == FERN { "Fern" } else { "Moss" });
    let own = and([Sel::Named(name), kept_by(role())]);
    let clause = t.p.procs[SEASON.index()].clause;
    let body = match errand {
        false => t.block(clause, vec![do_(RAISE, own)]),
        true => {
            let walk = t.proc("walk", &[(0, PLANT)], true);
            t.step(walk, "walking", vec![do_(RAISE, Sel::Slot(0))]);
            t.block(clause, vec![Statement::Perform { proc: walk, arguments: vec![Val::Things(own)] }])
        }
    };
    for block in &mut t.p.blocks {
        for (statement, _) in &mut block.statements {
            if let Statement::May { body: old, .. } = statement
                && block.label.starts_with("season fair")
            {
                *old = body;
            }
        }
    }
    with(t.p, vec![lies(plant)], season(FAIR))
}

#[test]
fn what_is_forbidden_is_not_left_to_a_player() {
    for errand in [false, true] {
        // Gate lets red plants be raised in spite of Bob's Thorn, so Fern may be; Moss may not.
        assert_eq!(offered(&fair(FERN, errand)), ["yes", "no"]);
        assert_eq!(fair(MOSS, errand).decision().unwrap().kind, DecisionKind::Step);
    }
}

#[test]
fn a_declaration_is_asked_what_it_would_do() {
    let mut t = Toy { p: toy() };
    let water = t.p.allowances.iter().position(|a| a.words == "water").unwrap();
    let clause = t.p.allowances[water].clause;
    let site = t.site(clause, "this would praise nobody");
    let would = |verb| Sel::Would(b(Prospect::Event(Past { verb, roles: vec![None], since: None })));
    let not = |verb| Cond::Not(b(Cond::Some(and([Sel::This, would(verb)]))));
    let requirement = |cond| Requirement { cond, clause, site, at_resolution: false };
    t.p.allowances[water].requirements = vec![requirement(not(WILT))];
    assert!(offered(&with(t.p.clone(), vec![], season(WORK))).contains(&"\"Fern\": water".to_string()));
    t.p.allowances[water].requirements = vec![requirement(not(PRAISE))];
    let game = with(t.p, vec![], season(WORK));
    assert!(!offered(&game).contains(&"\"Fern\": water".to_string()));
    let water = Submission::Declare { allowance: AllowanceId::from_index(water), this: Some(FERN), parameters: vec![] };
    let reasons = game.explain(&water).reasons;
    assert_eq!(reasons.len(), 1);
    assert!(reasons[0].text.starts_with("this would praise nobody"), "{reasons:?}");
}

#[test]
fn what_an_answer_sets_off_waits_for_what_it_answers() {
    let mut t = Toy { p: toy() };
    let praise = t.p.triggers.iter().find(|t| t.pattern.verb == WILT && !t.instead).unwrap().body;
    let lowered = t.p.triggers.iter().position(|t| t.pattern.verb == LOWER).unwrap();
    t.p.triggers[lowered].immediate = false;
    t.p.triggers[lowered].body = praise;
    let check = t.proc("check", &[], true);
    let admits = vec![Admit { by: role(), whilst: None, footprints: vec![] }];
    t.step(check, "words", vec![Statement::Window { admits, response: true }]);
    // Whether the one praise of the answer itself has come, and not yet the other.
    let clause = t.p.procs[check.index()].clause;
    let mark = Statement::Set { attr: MARKED, of: Sel::Named(named(&t.p, "Fern")), value: Val::Flag(true) };
    let mark = t.block(clause, vec![mark]);
    let once = Cond::Cmp(CmpOp::Eq, Num::Attr(LUCK, b(role())), Num::Int(1));
    t.step(check, "count", vec![Statement::If(once, mark, None)]);
    let last = t.step(SEASON, "last", vec![Statement::Perform { proc: check, arguments: vec![] }]);
    let mut game = with(t.p, into(SEED, FIELD, ANN).to_vec(), season(last));
    take(&mut game, "\"Fern\": water");
    // Alone in the window, she may answer herself.
    assert!(game.responding().is_some());
    take(&mut game, "pass");
    assert_eq!((game.value_words(MARKED, FERN).as_str(), num(&game, LUCK, ANN)), ("yes", 2));
}
