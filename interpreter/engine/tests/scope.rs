//! What reaches whom: passive conditions that a rule guards, effects that spare, groups, ranks, what is printed, chains
//! that end.

use crate::toy::positions::*;
use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

const THORN: ThingId = ThingId(2);
const GATE: ThingId = ThingId(3);

fn clause(program: &mut Program, label: &str, card: &str) -> ClauseId {
    let name = named(program, card);
    let card = program.cards.iter().position(|c| c.name == name).map(CardId::from_index);
    let mut t = Toy { p: std::mem::take(program) };
    let id = t.clause(label, card);
    *program = t.p;
    id
}

/// A standing modifier of a card's.
fn modify(program: &mut Program, card: &str, attr: AttrId, subject: Sel, change: Change) {
    let clause = clause(program, &format!("{card} {}", program.clauses.len()), card);
    let mut t = Toy { p: std::mem::take(program) };
    t.modifier(clause, attr, subject, change);
    *program = t.p;
}

fn plus(amount: i32) -> Change {
    Change::Add { amount: Num::Int(amount), max: None, min: None }
}

#[test]
fn what_waits_and_what_it_aims_at_can_be_asked() {
    let mut game = with(toy(), vec![], season(WORK));
    let aims = |game: &Game, at: &str| {
        game.select(&Sel::Would(b(Prospect::Target(Sel::Named(named(&toy(), at)))))).iter().collect::<Vec<_>>()
    };
    assert!(!game.holds(&Cond::Awaits(Sel::All)));
    take(&mut game, "play \"Dew\" on \"Fern\"");
    assert!(game.holds(&Cond::Awaits(her("Dew"))));
    assert!(!game.holds(&Cond::Awaits(her("Fern"))));
    assert_eq!(aims(&game, "Fern"), [DEW]);
    assert!(aims(&game, "Moss").is_empty());
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert!(!game.holds(&Cond::Awaits(Sel::All)));
}

#[test]
fn a_modification_is_told_by_its_source() {
    let game = with(toy(), vec![], season(WORK));
    let modified = |of: &str, by: Option<&str>| {
        game.holds(&Cond::Modified(STRENGTH, her(of), by.map(|by| Sel::Named(named(&toy(), by)))))
    };
    assert!(modified("Fern", None) && modified("Fern", Some("Moss")));
    assert!(!modified("Fern", Some("Thorn")));
    assert!(!modified("Moss", None), "what is on the heap or stands alone is changed by nobody");
}

#[test]
fn ranks_order_modifiers_within_a_stage() {
    let strength = |thorn: i32, gate: i32| {
        let mut program = toy();
        modify(&mut program, "Thorn", STRENGTH, her("Fern"), Change::Set(Num::Int(1)));
        modify(&mut program, "Gate", STRENGTH, her("Fern"), plus(5));
        let rank = AttrId::from_index(program.attrs.len());
        let mut t = Toy { p: program };
        t.attr("rank", ValueKind::Number, true, 0, &[PLANT]);
        t.p.services.rank = Some(rank);
        let ranked = |thing, n| Fact::Attr { attr: rank, thing, value: Value::Num(n) };
        let twin = |thing: ThingId| ThingId::from_index(thing.index() + 8);
        let facts = [(THORN, thorn), (twin(THORN), thorn), (GATE, gate), (twin(GATE), gate)];
        let game = with(t.p, facts.into_iter().map(|(thing, n)| ranked(thing, n)).collect(), season(WORK));
        game.derive(STRENGTH, FERN).value
    };
    assert_eq!(strength(2, 1), 1, "what is set last holds");
    assert_eq!(strength(1, 2), 11, "both Gates add to it");
    assert_eq!(strength(0, 1), 1, "without a rank it comes last");
}

/// Moss's clause gives +2, not above 4, to all in the field; nothing has a stage here.
fn with_modifiers(changes: &[(&str, Change)], strength: i32, greatest: bool) -> Game {
    let mut program = toy();
    program.services.stages.clear();
    for (card, change) in changes {
        modify(&mut program, card, STRENGTH, her("Fern"), change.clone());
    }
    if greatest {
        program.services.greatest.push((PLANT, STRENGTH));
    }
    with(program, vec![Fact::Attr { attr: STRENGTH, thing: FERN, value: Value::Num(strength) }], season(WORK))
}

#[test]
fn an_order_of_standing_modifiers_that_matters_is_refused() {
    let mut game = with_modifiers(&[("Thorn", plus(1))], 3, false);
    let pick = game.find("pass").unwrap();
    let _ = game.holds(&Cond::Cmp(CmpOp::Gt, Num::Attr(STRENGTH, b(her("Fern"))), Num::Int(0)));
    match game.take(&pick) {
        Err(Refusal::Failed(e)) => {
            assert_eq!(e.kind, ErrorKind::OrderUndecided);
            assert!(e.text.contains("M-1 bonus") && e.text.contains("Thorn"), "{e}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn effects_come_after_what_stands() {
    let mut program = toy();
    program.services.stages.clear();
    let facts = vec![Fact::Attr { attr: STRENGTH, thing: FERN, value: Value::Num(2) }];
    let mut game = with(program, facts, season(WORK));
    for words in ["play \"Dew\" on \"Fern\"", "pass", "pass"] {
        take(&mut game, words);
    }
    // 2 + 2, not above 4, and then + 1: the other way round it would be 4.
    assert_eq!(game.derive(STRENGTH, FERN).value, 5);
    assert!(game.holds(&Cond::Cmp(CmpOp::Eq, Num::Attr(STRENGTH, b(her("Fern"))), Num::Int(5))));
}

/// An amount and its bounds, from above and from below.
type Bounded = (i32, Option<i32>, Option<i32>);

/// The greatest value that any order of some changes gives.
fn best(value: i32, left: &[Bounded]) -> i32 {
    let apply = |(amount, max, min): Bounded| {
        let sum = value + amount;
        let capped = max.map_or(sum, |max| sum.min(max.max(value)));
        min.map_or(capped, |min| capped.max(min.min(value)))
    };
    let after = |n: usize| {
        let rest: Vec<_> = left.iter().enumerate().filter(|(m, _)| *m != n).map(|(_, one)| *one).collect();
        best(apply(left[n]), &rest)
    };
    (0..left.len()).map(after).max().unwrap_or(value)
}

/// Every order of what changes a number gives at most what the order of `greatest` gives, and one of them gives that.
#[test]
fn the_greatest_of_all_orders() {
    let bounded = |amount: i32, max: Option<i32>, min: Option<i32>| {
        let number = |n: Option<i32>| n.map(Num::Int);
        Change::Add { amount: Num::Int(amount), max: number(max), min: number(min) }
    };
    let cards = ["Thorn", "Gate", "Seed", "Dew"];
    let kinds = [
        plus(2),
        plus(-2),
        bounded(3, Some(7), None),
        bounded(2, Some(5), None),
        bounded(-3, None, Some(2)),
        bounded(-2, None, Some(4)),
    ];
    let mut orders = 0;
    for strength in [1, 4, 6, 9] {
        for one in 0..kinds.len() {
            for two in 0..kinds.len() {
                for three in 0..kinds.len() {
                    let chosen = [one, two, three].map(|n| &kinds[n]);
                    let changes: Vec<_> = cards.iter().zip(chosen).map(|(card, kind)| (*card, kind.clone())).collect();
                    let game = with_modifiers(&changes, strength, true);
                    let derived = game.derive(STRENGTH, FERN);
                    // What is in force on cards that function: theirs, and Moss's.
                    let in_force: Vec<_> = derived.steps.iter().map(|step| told(&step.change)).collect();
                    let wanted = best(strength, &in_force);
                    assert_eq!(derived.value, wanted, "{strength} {in_force:?}");
                    orders += usize::from(in_force.len() > 2);
                    let same = Cond::Cmp(CmpOp::Eq, Num::Attr(STRENGTH, b(her("Fern"))), Num::Int(wanted));
                    assert!(game.holds(&same), "the column says the same");
                }
            }
        }
    }
    assert!(orders > 500, "{orders}");
}

/// The amount and the bounds in the words of a step.
fn told(change: &str) -> Bounded {
    let number = |after: &str| {
        let rest = change.split_once(after)?.1;
        rest.split_once(')')?.0.parse().ok()
    };
    let amount = change.split(' ').next().and_then(|n| n.parse().ok()).unwrap();
    (amount, number("not above "), number("not below "))
}

#[test]
fn the_least_for_any_group() {
    let game = with(toy(), vec![], season(WORK));
    let mine = || and([in_field(), kept_by(Sel::Role(CURRENT))]);
    let least = |number: Num| Num::Least(b(mine()), b(number));
    let is = |number: Num, n: i32| game.holds(&Cond::Cmp(CmpOp::Eq, number, Num::Int(n)));
    assert!(is(least(Num::Total(STRENGTH, b(Sel::Group))), 0), "nobody");
    let left = Num::Sub(b(Num::Int(20)), b(Num::Total(STRENGTH, b(Sel::Group))));
    let all = [FERN, MOSS, THORN, GATE].map(|t| game.derive(STRENGTH, t).value).iter().sum::<i32>();
    assert!(is(least(left), 20 - all), "everybody");
    // 3 for nobody, less 2 for each of up to two, and more again for others.
    let count = || b(Num::Count(b(Sel::Group)));
    let valley = Num::Max(vec![
        Num::Sub(b(Num::Int(3)), b(Num::Mul(b(Num::Int(2)), count()))),
        Num::Sub(b(Num::Mul(b(Num::Int(2)), count())), b(Num::Int(5))),
    ]);
    assert!(is(least(valley), -1), "some of them");
}

#[test]
fn a_rule_guards_the_passive_conditions_of_things() {
    let luck = |allowed: Option<bool>| {
        let mut program = toy();
        let rest = program.steps[REST.index()].body;
        program.blocks[rest.index()].statements = vec![(do_(WILT, her("Fern")), SiteId(0))];
        if let Some(allowed) = allowed {
            let mut t = Toy { p: program };
            let clause = t.clause("rule guard", None);
            let pattern = Pattern { verb: WILT, roles: vec![(Some(Sel::All), Some(0))] };
            let cond = Cond::Every(Sel::Slot(0), if allowed { her("Fern") } else { Sel::Empty });
            t.p.guards.push(Guard { clause, pattern, cond, slots: 1 });
            // A rule's own passive condition is not asked.
            let own = t.clause("rule own", None);
            t.trigger(own, WILT, Sel::All, vec![do_(PRAISE, Sel::Role(CURRENT))]);
            program = t.p;
        }
        let seed = [
            Fact::Put { thing: SEED, place: Some(FIELD), owner: None },
            Fact::Attr { attr: KEEPER, thing: SEED, value: Value::Thing(ANN) },
        ];
        with(program, seed.to_vec(), season(REST)).derive(LUCK, ANN).value
    };
    assert_eq!(luck(None), 1, "the seed praises her");
    assert_eq!(luck(Some(true)), 2, "the rule does, too");
    assert_eq!(luck(Some(false)), 1, "only the rule does");
}

#[test]
fn effects_spare_what_a_rule_says() {
    let game = |spares: bool| {
        let mut program = toy();
        if spares {
            for (by, what) in [("Wind", "Thorn"), ("Moss", "Fern")] {
                let mut t = Toy { p: program };
                let clause = t.clause(&format!("rule spare {by}"), None);
                let named = |name| Sel::Named(named(&t.p, name));
                let (by, what) = (named(by), Some(named(what)));
                let spare = Spare {
                    clause,
                    card: None,
                    within: None,
                    by,
                    slot: None,
                    what,
                    cond: None,
                    delayed: false,
                    ends: None,
                    slots: 0,
                };
                t.p.spares.push(spare);
                program = t.p;
            }
        }
        let mut game = with(program, vec![], season(WORK));
        take(&mut game, "play \"Wind\"");
        take(&mut game, "pass");
        take(&mut game, "pass");
        game
    };
    let (with, without) = (game(true), game(false));
    let lies = |game: &Game, thing| game.value_words(POSTURE, thing) == "Lying";
    assert!(lies(&without, THORN) && lies(&without, FERN));
    assert!(!lies(&with, THORN) && lies(&with, FERN), "each but the spared one");
    let strength = |game: &Game, thing| game.derive(STRENGTH, thing).value;
    assert_eq!((strength(&without, FERN), strength(&with, FERN)), (4, 3), "no modifier is about it");
    assert_eq!(strength(&without, THORN), strength(&with, THORN));
}

#[test]
fn the_end_of_a_chain_happens_once() {
    let mut t = Toy { p: toy() };
    let verb = t.verb(["settle", "settles", "settled"], GARDENER, vec![]);
    (t.p.verbs[verb.index()].subject, t.p.verbs[verb.index()].object) = (Some(0), None);
    t.p.services.resolved = Some(verb);
    let clause = t.clause("rule settle", None);
    let id = t.trigger(clause, verb, Sel::All, vec![do_(PRAISE, Sel::Slot(0))]);
    t.p.triggers[id.index()].immediate = true;
    let mut game = with(t.p, vec![], season(WORK));
    take(&mut game, "play \"Dew\" on \"Fern\"");
    take(&mut game, "pass");
    take(&mut game, "play \"Wind\"");
    assert_eq!(game.derive(LUCK, ANN).value, 0);
    take(&mut game, "pass");
    take(&mut game, "pass");
    assert_eq!(game.derive(LUCK, ANN).value, 1, "one chain of two, by the one who orders");
}

#[test]
fn what_lasts_for_one_lasts_for_another_too() {
    let mut program = toy();
    let dew = program.allowances.iter().find(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
    let effect = dew.effect.unwrap();
    let extend = Statement::Extend { of: Sel::Slot(0), to: her("Thorn") };
    program.blocks[effect.index()].statements.push((extend, SiteId(0)));
    let mut game = with(program, vec![], season(WORK));
    let before = [FERN, MOSS, THORN].map(|t| game.derive(STRENGTH, t).value);
    take(&mut game, "play \"Dew\" on \"Fern\"");
    take(&mut game, "pass");
    take(&mut game, "pass");
    let after = [FERN, MOSS, THORN].map(|t| game.derive(STRENGTH, t).value);
    assert_eq!(after, [before[0] + 1, before[1], before[2] + 1]);
}

/// A toy game in which Dew is played on Fern, with its effect as `change` leaves it.
fn dew_on_fern(change: impl FnOnce(&mut Vec<(Statement, SiteId)>)) -> Game {
    dew_on_fern_in(toy(), change)
}

fn dew_on_fern_in(mut program: Program, change: impl FnOnce(&mut Vec<(Statement, SiteId)>)) -> Game {
    let dew = program.allowances.iter().find(|a| a.action == Some(HASTY) && !a.parameters.is_empty()).unwrap();
    let effect = dew.effect.unwrap();
    change(&mut program.blocks[effect.index()].statements);
    let mut game = with(program, vec![], season(WORK));
    take(&mut game, "play \"Dew\" on \"Fern\"");
    take(&mut game, "pass");
    take(&mut game, "pass");
    game
}

#[test]
fn what_has_an_effect_has_it_on_what_it_is_about() {
    let game = dew_on_fern(|_| {});
    let has = |by: &str, on: Option<Sel>| game.holds(&Cond::InForce(her(by), on));
    assert!(has("Dew", None) && has("Dew", Some(her("Fern"))) && has("Dew", Some(Sel::All)));
    assert!(!has("Dew", Some(her("Moss"))) && !has("Fern", None) && !has("Fern", Some(her("Fern"))));
}

#[test]
fn a_canceled_effect_leaves_nothing_behind() {
    let then = |cancel: &str| dew_on_fern(|effect| effect.push((Statement::CancelEffects(her(cancel)), SiteId(0))));
    let (kept, canceled) = (then("Moss"), then("Dew"));
    assert_eq!(kept.derive(STRENGTH, FERN).value, canceled.derive(STRENGTH, FERN).value + 1);
    let never = dew_on_fern(Vec::clear);
    let saved = |game: &Game| {
        let mut saved: serde_json::Value = serde_json::from_str(&game.save()).unwrap();
        // That a number was used up is history.
        assert!(saved["rest"]["serial"].take().is_number());
        saved.to_string()
    };
    assert!(saved(&never) == saved(&canceled) && saved(&never) != saved(&kept));
}

/// Dew, played on Fern, allows to lower it for so long, and after that to lower Moss.
fn dew_allows(canceled: bool) -> Game {
    let mut program = toy();
    let clause = clause(&mut program, "D-1 lower", "Dew");
    let mut t = Toy { p: program };
    let cost = t.block(clause, vec![do_(LOWER, Sel::Slot(0))]);
    let acts = vec![Act { verb: LOWER, roles: vec![Some(Sel::Slot(0))], cost: true, site: SiteId(0) }];
    let plain = t.allowance(clause, "lower");
    let dew = t.p.clauses[clause.index()].card;
    let by = Sel::Named(NameId::from_index(t.p.names.len()));
    t.p.allowances.push(Allowance { card: dew, by, cost: Some(cost), acts, delayed: true, ..plain });
    let id = AllowanceId::from_index(t.p.allowances.len() - 1);
    dew_on_fern_in(t.p, |effect| {
        let lasting = Lasting::Procedure(SEASON);
        let lay = (Statement::Effect { what: EffectKind::Allowance(id), lasting, kept: vec![] }, SiteId(0));
        *effect = vec![lay.clone(), (Statement::LetSlot(0, Val::Things(her("Moss"))), SiteId(0)), lay];
        if canceled {
            effect.push((Statement::CancelEffects(her("Dew")), SiteId(0)));
        }
    })
}

#[test]
fn what_an_effect_allows_is_allowed_with_what_was_known_then() {
    let mut game = dew_allows(false);
    let allowed = |game: &Game| -> Vec<u16> {
        let of = |s: Submission| match s {
            Submission::Declare { allowance, effect, .. } if game.program().allowance(allowance).delayed => {
                Some(effect)
            }
            _ => None,
        };
        let all = game.options();
        let declared: Vec<Submission> =
            all.iter().filter(|s| matches!(s, Submission::Declare { .. })).cloned().collect();
        assert_eq!(declared, game.declarations_tried());
        all.into_iter().filter_map(of).collect()
    };
    assert_eq!(allowed(&game), [0, 1], "once for each effect");
    let second = game.options().into_iter().find(|s| matches!(s, Submission::Declare { effect: 1, .. })).unwrap();
    let posture = |game: &Game, of: &str| game.holds(&Cond::Same(Ent::Attr(POSTURE, b(her(of))), Ent::Entry(STANDS)));
    assert!(posture(&game, "Moss"));
    game.take(&second).unwrap();
    assert!(!posture(&game, "Moss") && posture(&game, "Fern"));
    let Submission::Declare { allowance, this, parameters, .. } = second else { unreachable!() };
    let third = Submission::Declare { allowance, this, effect: 2, parameters };
    assert!(game.take(&third).is_err(), "no effect allows it a third time");
    // It is saved, and what is canceled allows nothing.
    let again = Game::load(game.program().clone(), &game.save()).unwrap();
    assert_eq!(again, game);
    assert_eq!(allowed(&dew_allows(true)), [0u16; 0]);
}

#[test]
fn a_term_is_known_as_it_was_before_modifiers() {
    let mut program = toy();
    modify(&mut program, "Gate", POSTURE, her("Fern"), Change::Gain(LIES));
    let game = with(program, vec![], season(WORK));
    let same = |ent: Ent, entry| game.holds(&Cond::Same(ent, Ent::Entry(entry)));
    assert!(same(Ent::Attr(POSTURE, b(her("Fern"))), LIES));
    assert!(same(Ent::Base(POSTURE, b(her("Fern"))), STANDS));
    assert!(!same(Ent::Base(POSTURE, b(her("Fern"))), LIES));
    // Of several, each.
    let seed = Ent::Base(HUES, b(her("Seed")));
    assert!(same(seed.clone(), RED) && same(seed, BLUE));
}

#[test]
fn nobody_is_asked_for_the_order_of_what_rules_say_at_once() {
    let asked = |of_cards: usize| {
        let mut program = toy();
        let rest = program.steps[REST.index()].body;
        program.blocks[rest.index()].statements = vec![(do_(WILT, her("Fern")), SiteId(0))];
        let mut t = Toy { p: program };
        for n in 0..2 {
            let clause = t.clause(&format!("rule at once {n}"), None);
            let id = t.trigger(clause, WILT, Sel::All, vec![do_(PRAISE, Sel::Role(CURRENT))]);
            t.p.triggers[id.index()].immediate = true;
        }
        program = t.p;
        for n in 0..of_cards {
            let clause = clause(&mut program, &format!("M-1 at once {n}"), "Moss");
            let mut t = Toy { p: program };
            let mine = kept_by(keeper_of(Sel::This));
            let id = t.trigger(clause, WILT, mine, vec![do_(PRAISE, keeper_of(Sel::This))]);
            t.p.triggers[id.index()].immediate = true;
            program = t.p;
        }
        let game = with(program, vec![], season(REST));
        let order = game.decision().map(|d| d.kind.clone()).filter(|kind| matches!(kind, DecisionKind::Order(_)));
        (order, game.derive(LUCK, ANN).value)
    };
    assert_eq!(asked(1), (None, 3), "one card's comes after them");
    assert_eq!(
        asked(2),
        (Some(DecisionKind::Order(2)), 2),
        "the rules' are done, and the order of two of a card's is asked"
    );
}
