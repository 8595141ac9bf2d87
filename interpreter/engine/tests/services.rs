//! Each service of the engine, alone.

use std::sync::Arc;

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

/// The running procedures, each with its step.
fn standing(game: &Game) -> Vec<(ProcId, Option<StepId>)> {
    game.running().into_iter().map(|running| (running.proc, running.step)).collect()
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
    let again = Submission::Declare { allowance: AllowanceId(3), this: Some(FERN), effect: 0, parameters: vec![] };
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
        if !game.answer_chance(1).unwrap() {
            let option = game.options().pop().unwrap();
            game.take(&option).unwrap();
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
fn copies_say_the_same_once() {
    let twin = ThingId::from_index(SEED.index() + 8);
    let facts = [into(SEED, FIELD, ANN).to_vec(), into(twin, FIELD, ANN).to_vec()].concat();
    let mut game = at(facts, season(STORM));
    game.take(&Submission::Dice(5)).unwrap();
    take(&mut game, "\"Fern\"");
    assert_eq!(game.place_of(FERN), Some((MULCH, Some(ANN))));
    assert_eq!(num(&game, LUCK, ANN), 1, "both Seeds praise their keeper for the same thing");
}

/// What things are called is compared, and no view tells it beside their names.
#[test]
fn a_figure_of_names_means_whatever_bears_them() {
    let mut t = Toy { p: toy() };
    let title = t.attr("title", ValueKind::Things(PLANT), false, 0, &[PLANT]);
    t.p.attrs[title.index()].names = true;
    t.p.cards.iter_mut().for_each(|card| card.figures.push((title, Printed::Names(vec![card.name]))));
    let plain = with(t.p.clone(), vec![], season(WORK));
    t.p.services.called = Some(title);
    let game = with(t.p, vec![], season(WORK));
    let fern = Sel::Named(named(game.program(), "Fern"));
    let ferns = [FERN, FERN2];
    assert_eq!(game.select(&fern).iter().collect::<Vec<_>>(), ferns);
    let alike = Sel::NameIs(title, Box::new(Names::Called(fern.clone())));
    assert_eq!(game.select(&alike).iter().collect::<Vec<_>>(), ferns);
    let borne = Sel::Image(title, Box::new(fern.clone()));
    assert_eq!(game.select(&borne).iter().collect::<Vec<_>>(), ferns);
    let bearing = Sel::Preimage(title, Box::new(fern));
    assert_eq!(game.select(&bearing).iter().collect::<Vec<_>>(), ferns);
    let told = |game: &Game| {
        let view = game.view(ANN);
        view.things.iter().flat_map(|thing| &thing.facts).filter(|(name, _)| name == "title").count()
    };
    assert!(told(&plain) > 0, "another figure is told");
    assert_eq!(told(&game), 0);
}

#[test]
fn copies_are_alike_where_nothing_tells_them_apart() {
    let twin = ThingId::from_index(SEED.index() + 8);
    let facts = |more: &[Fact]| [&into(SEED, FIELD, ANN), &into(twin, FIELD, ANN), more].concat();
    let alike = |more: &[Fact]| at(facts(more), season(WORK)).alike(SEED, twin);
    assert!(alike(&[]));
    assert!(!alike(&[lies(twin)]), "one lies");
    assert!(!alike(&into(twin, FIELD, BOB)), "another keeps it");
    assert!(!at(vec![], season(WORK)).alike(FERN, MOSS), "they are different cards");
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
    let raise =
        Submission::Declare { allowance: AllowanceId(1), this: None, effect: 0, parameters: vec![Value::Thing(MOSS)] };
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
    assert_eq!(standing(&game), [(SEASON, Some(REST))]);
    game.take(&Submission::Branch(0)).unwrap();
    // The guard is not asked again in this season.
    assert_eq!(num(&game, LUCK, ANN), 6);
    assert_eq!(standing(&game), [(SEASON, Some(FAIR))]);
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
    let moss = and([Sel::Named(named(&program, "Moss")), kept_by(Sel::Named(ann))]);
    let facts = vec![
        // Both ferns lie in Ann's keeping, and are strong.
        Fact::Holds(Cond::Every(fern(), and([is(LIES), kept_by(Sel::Named(ann)), in_field()])), "the ferns lie".into()),
        Fact::Holds(Cond::Cmp(CmpOp::Ge, Num::Attr(STRENGTH, b(moss)), Num::Int(7)), "strong".into()),
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
            let option = game.options()[n].clone();
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
    for (n, attr) in renamed.attrs.iter_mut().enumerate() {
        let new = format!("x{n}");
        renamed.former.push((new.clone(), std::mem::replace(&mut attr.name, new)));
    }
    for (n, verb) in renamed.verbs.iter_mut().enumerate() {
        let new = [format!("a{n}"), format!("b{n}"), format!("c{n}")];
        renamed.former.push((new[0].clone(), std::mem::replace(&mut verb.forms, new)[0].clone()));
    }
    let (mut a, mut b) = (with(toy(), vec![], season(WORK)), with(renamed, vec![], season(WORK)));
    for _ in 0..20 {
        if a.decision().is_none() {
            break;
        }
        let submission = a.keyed_roll(4).unwrap_or_else(|| a.options()[0].clone());
        a.take(&submission).unwrap();
        b.take(&submission).unwrap();
        assert_eq!(a.position_hash(), b.position_hash());
    }
}

/// A version that is not read is named, also if nothing else of it can be read.
#[test]
fn loading_names_the_version_that_is_not_read() {
    for text in [r#"{"version":1}"#, r#"{"version":2,"cards":[]}"#] {
        let version = if text.contains(":1}") { 1 } else { 2 };
        match Game::load(Arc::new(toy()), text) {
            Err(error @ LoadError::Version(found)) => {
                assert_eq!(found, version);
                assert!(error.to_string().contains(&format!("version {version}, and version ")), "{error}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(Game::load(Arc::new(toy()), "{}"), Err(LoadError::Malformed(_))));
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
        within: None,
        carriers: None,
        ends: None,
        clause,
        card: None,
        kind: NormKind::Cannot,
        by: None,
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
    loaded.answer_chance(5).unwrap();
    other.answer_chance(5).unwrap();
    assert_eq!(loaded, other);
}

#[test]
fn loops_choosers_and_stops() {
    let each = |body, order| Statement::ForEach { of: and([in_field(), kept_by(role())]), slot: 3, body, order };
    // In an order that Ann chooses; stopped after the plant that lies already.
    let blocks = vec![vec![Statement::Stop], vec![do_(LOWER, Sel::Slot(3))]];
    let mut program = resting(blocks, |ids| vec![each(ids[1], Order::Chosen(role()))]);
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
    assert_eq!(standing(&game), [(SEASON, Some(FAIR))]);
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

/// A statement whose surroundings are not there stops the game at the decision before, and says what is missing.
#[test]
fn what_a_statement_needs_and_is_not_there_is_a_fault() {
    let unsound = [
        (Statement::Stop, "`stop` stands in no repetition that runs"),
        (Statement::ActionEffect, "no action is being resolved here"),
        (Statement::ChooseOne { by: role(), branches: vec![] }, "there is nothing to choose one of"),
    ];
    for (statement, missing) in unsound {
        let may = |ids: &[BlockId]| vec![Statement::May { by: role(), body: ids[0], otherwise: None }];
        let mut game = with(resting(vec![vec![statement]], may), vec![], season(REST));
        let before = game.clone();
        match game.take(&Submission::Yes) {
            Err(Refusal::Failed(error)) => assert_eq!((error.kind, error.text.as_str()), (ErrorKind::Unsound, missing)),
            other => panic!("{missing}: {other:?}"),
        }
        assert_eq!(game, before);
    }
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
    assert_eq!(after_the_fern(Lasting::Open), 1);
    // For the rest of the game it lasts without Fern.
    assert_eq!(after_the_fern(Lasting::Game), 6);
}

fn after_the_fern(lasting: Lasting) -> i32 {
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
        vec![(Statement::Effect { what: EffectKind::Modifier(id), lasting, kept: vec![] }, SiteId(0))];
    let mut game = with(toy.p, vec![], season(WORK));
    take(&mut game, "\"Fern\": water");
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(num(&game, STRENGTH, MOSS), 6);
    take(&mut game, "pass");
    take(&mut game, "pass");
    game.take(&Submission::Dice(6)).unwrap();
    take(&mut game, "\"Fern\"");
    num(&game, STRENGTH, MOSS)
}
