//! Windows and what may be declared in them; what follows, and how it is answered.

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

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
    assert_ne!(game.running().last().map(|r| (r.proc, r.step)), Some((SEASON, Some(WORK))));
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
fn guards_are_asked_when_what_follows_is_over() {
    let mut program = toy();
    // Luck of 5 ends the season at once, without its rest.
    program.procs[SEASON.index()].guard.as_mut().unwrap().1 = None;
    let mut facts = into(SEED, FIELD, ANN).to_vec();
    facts.push(attr(ANN, LUCK, Value::Num(4)));
    let mut game = with(program, facts, season(STORM));
    game.take(&Submission::Dice(5)).unwrap();
    take(&mut game, "\"Fern\"");
    assert_eq!(num(&game, LUCK, ANN), 5);
    assert_eq!(game.running(), []);
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
    let raise =
        Submission::Declare { allowance: AllowanceId(1), this: None, effect: 0, parameters: vec![Value::Thing(MOSS)] };
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
fn what_asks_what_it_would_do_itself_is_answered() {
    // Fern, watered, praises its keeper if something in the chain would.
    let mut t = Toy { p: toy() };
    let water = t.p.allowances.iter().position(|a| a.words == "water").unwrap();
    let (clause, effect) = (t.p.allowances[water].clause, t.p.allowances[water].effect.unwrap());
    let would = |verb| Cond::Some(Sel::Would(b(Prospect::Event(Past { verb, roles: vec![None], since: None }))));
    let praise = t.block(clause, vec![do_(PRAISE, keeper_of(Sel::This))]);
    t.p.blocks[effect.index()].statements = vec![(Statement::If(would(PRAISE), praise, None), SiteId(0))];
    let mut game = with(t.p, vec![], season(WORK));
    take(&mut game, "\"Fern\": water");
    assert!(game.holds(&would(PRAISE)), "it is possible, because it waits");
    assert!(!game.holds(&would(WILT)));
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
    let water = Submission::Declare {
        allowance: AllowanceId::from_index(water),
        this: Some(FERN),
        effect: 0,
        parameters: vec![],
    };
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

#[test]
fn an_entry_of_another_list_or_of_none_is_refused() {
    let mut t = Toy { p: toy() };
    let clause = t.p.allowances[1].clause;
    // Modifiers make the sets of entries a column, in which an entry has a place.
    t.modifier(clause, HUES, Sel::Empty, Change::Gain(RED));
    let site = t.site(clause, "in a hue");
    let hued = Cond::Some(Sel::EntryIsValue(HUES, Box::new(Ent::Slot(3))));
    let hue = Parameter { slot: 3, from: Pool::Entries(ListId(1), hued), site, word: "in".into(), several: None };
    t.p.allowances[1].parameters.push(hue);
    let mut game = with(t.p, vec![lies(FERN)], season(WORK));
    let raise = |hue: EntryId| {
        let parameters = vec![Value::Thing(FERN), Value::Entry(hue)];
        Submission::Declare { allowance: AllowanceId(1), this: None, effect: 0, parameters }
    };
    assert!(game.is_legal(&raise(RED)));
    for hue in [STANDS, EntryId(9), EntryId(u16::MAX)] {
        assert!(matches!(game.take(&raise(hue)), Err(Refusal::Illegal(_))), "{hue:?}");
        assert_eq!(game.explain_to(ANN, &[raise(hue)]).len(), 1);
        assert_eq!(game.words_for(ANN, &[raise(hue)]).len(), 1);
    }
}
