//! What a view shows and what it does not, on the toy: places, revealed things, derived facts, the history, words.

use std::sync::Arc;

use crate::toy::*;
use netrep_engine::*;
use netrep_ir::*;

fn play(program: Program, seed: u64, decisions: usize, mut see: impl FnMut(&Game)) -> Game {
    let program = Arc::new(program);
    let setup = setup(&program);
    let mut game = Game::new(program, setup).unwrap();
    game.set_tracing(true);
    let mut dice = Dice(seed);
    for _ in 0..decisions {
        if game.decision().is_none() {
            break;
        }
        see(&game);
        if game.answer_chance(seed).unwrap() {
            continue;
        }
        let options = game.options();
        game.take(&options[dice.below(options.len())]).unwrap();
    }
    game
}

/// A game at a quiet moment: the season's rest.
fn quiet(program: Program, facts: Vec<Fact>) -> Game {
    let program = Arc::new(program);
    let mut setup = setup(&program);
    setup.facts.extend(facts);
    setup.start = vec![StartFrame { proc: SEASON, arguments: vec![Value::Thing(ANN)], step: Some(REST) }];
    Game::new(program, setup).unwrap()
}

fn other(seat: ThingId) -> ThingId {
    if seat == ANN { BOB } else { ANN }
}

fn sees(view: &View, name: &str) -> bool {
    view.things.iter().any(|t| t.words == format!("\"{name}\""))
}

fn fact<'v>(view: &'v View, thing: &str, name: &str) -> Option<&'v str> {
    let thing = view.things.iter().find(|t| t.words == format!("\"{thing}\""))?;
    thing.facts.iter().find(|f| f.0 == name).map(|f| f.1.as_str())
}

/// The things of a submission.
fn names(submission: &Submission, thing: ThingId) -> bool {
    let of = |v: &Value| matches!(v, Value::Thing(t) if *t == thing);
    match submission {
        Submission::Pick(value) => of(value),
        Submission::Declare { this, parameters, .. } => *this == Some(thing) || parameters.iter().any(of),
        _ => false,
    }
}

/// How often what is kept of what a seat sees is another thing than what is seen from nothing, in random games.
fn kept_otherwise(planted: Option<Planted>) -> (usize, usize) {
    let (mut looked, mut otherwise) = (0, 0);
    for seed in 0..6 {
        let (program, mut dice) = (Arc::new(toy()), Dice(seed));
        let mut game = Game::new(Arc::clone(&program), setup(&program)).unwrap();
        game.verify(Verify { every: 0, planted });
        for n in 0..200 {
            if game.decision().is_none() {
                break;
            }
            for seat in [ANN, BOB].into_iter().filter(|seat| (n + usize::from(seat.0)) % 3 > 0) {
                // Of a copy nothing is kept.
                let anew = game.clone();
                let same = game.view(seat) == anew.view(seat) && game.choices(seat) == anew.choices(seat);
                (looked, otherwise) = (looked + 1, otherwise + usize::from(!same));
            }
            if !game.answer_chance(seed).unwrap() {
                let options = game.options();
                game.take(&options[dice.below(options.len())]).unwrap();
            }
        }
    }
    (looked, otherwise)
}

#[test]
fn what_is_kept_of_a_view_is_the_view_from_nothing() {
    let (looked, otherwise) = kept_otherwise(None);
    assert!(looked > 500 && otherwise == 0, "{otherwise} of {looked}");
    for planted in [Planted::Views, Planted::Apiece] {
        let (_, otherwise) = kept_otherwise(Some(planted));
        assert!(otherwise > 0, "{planted:?}: a mistake on purpose is not noticed");
    }
}

/// What leads back to what is being worked out is cut off there, and what was answered so is told to nobody who asks from
/// elsewhere: a mistake on purpose, that it is, is noticed. What functions hangs here on a mark, and a fern that has one gives
/// it to blue plants. Whoever asks what functions is told of no mark that a card gives; whoever asks for marks is.
#[test]
fn what_was_cut_off_is_told_to_nobody_else() {
    let mut program = toy();
    let fern = program.cards.iter().position(|card| program.names[card.name.index()] == "Fern").map(CardId::from_index);
    let of_fern = program.clauses.iter().position(|clause| clause.card == fern).map(ClauseId::from_index);
    program.modifiers.push(Modifier {
        card: fern,
        clause: of_fern.unwrap(),
        attr: MARKED,
        subject: and([in_field(), is(BLUE)]),
        change: Change::Set(Num::Int(1)),
        ..program.modifiers[0].clone()
    });
    program.services.functioning = Some(and([in_field(), Sel::Flag(MARKED)]));
    let mark = Fact::Attr { attr: MARKED, thing: ThingId(0), value: Value::Num(1) };
    let moss = |planted| {
        let mut game = quiet(program.clone(), vec![mark.clone()]);
        game.verify(Verify { every: 0, planted });
        fact(&game.view(ANN), "Moss", "marked").map(str::to_owned)
    };
    assert_eq!(moss(None).as_deref(), Some("yes"));
    assert_eq!(moss(Some(Planted::Cut)), None);
}

#[test]
fn views_hide_what_is_hidden() {
    for seed in 0..4 {
        play(toy(), seed, 200, |game| {
            for seat in [ANN, BOB] {
                let view = game.view(seat);
                let hidden: Vec<ThingId> =
                    [game.in_place(BASKET, Some(other(seat))), game.in_place(HEAP, None)].concat();
                let choices = game.choices(seat);
                let unknown = hidden.iter().filter(|t| !choices.iter().any(|c| names(&c.1, **t))).count();
                assert_eq!(view.hidden.iter().map(|p| p.count).sum::<usize>(), unknown);
                let things = (0..game.things()).filter(|t| game.exists(ThingId::from_index(*t))).count();
                assert_eq!(view.things.len() + unknown, things);
                let decides = game.decision().map(|d| d.by) == Some(Chooser::Seat(seat));
                assert_eq!(view.asked.as_ref().is_some_and(|a| a.you), decides);
                assert_eq!(view.options.is_empty(), !decides);
                let mut words: Vec<&str> = view.things.iter().map(|t| t.words.as_str()).collect();
                words.sort_unstable();
                words.dedup();
                assert_eq!(words.len(), view.things.len(), "a view calls things by distinct words");
            }
        });
    }
}

/// Whatever is offered can be found by the words of the view, and nothing else is there.
#[test]
fn the_options_of_a_view_are_the_options() {
    play(toy(), 5, 300, |game| {
        let Some(Chooser::Seat(seat)) = game.decision().map(|d| d.by) else { return };
        let choices = game.choices(seat);
        let words: std::collections::BTreeSet<&String> = choices.iter().map(|c| &c.0).collect();
        assert_eq!(words.len(), choices.len(), "{choices:?}");
        let mut submissions: Vec<String> = choices.iter().map(|c| format!("{:?}", c.1)).collect();
        let mut options: Vec<String> = game.options().iter().map(|o| format!("{o:?}")).collect();
        submissions.sort();
        options.sort();
        assert_eq!(submissions, options);
        assert!(game.choices(other(seat)).is_empty());
    });
}

/// Why something is legal or not is told of what a player may know, in his words, and speaks of nothing else.
#[test]
fn counsel_speaks_of_what_is_seen() {
    let (mut told, mut kept) = (0, 0);
    for seed in 0..4 {
        play(toy(), seed, 60, |game| {
            let Some(Chooser::Seat(seat)) = game.decision().map(|d| d.by) else { return };
            let view = game.view(seat);
            let choices = game.choices(seat);
            let candidates = game.candidates(400);
            let lying = [game.in_place(BASKET, Some(other(seat))), game.in_place(HEAP, None)].concat();
            let hidden: Vec<ThingId> = lying.into_iter().filter(|t| !choices.iter().any(|c| names(&c.1, *t))).collect();
            let verdicts = game.explain_to(seat, &candidates);
            let words = game.words_for(seat, &candidates);
            for ((submission, verdict), words) in candidates.iter().zip(verdicts).zip(words) {
                let open = !hidden.iter().any(|t| names(submission, *t));
                assert_eq!((verdict.is_some(), words.is_some()), (open, open), "{submission:?}");
                let (Some(verdict), Some(words)) = (verdict, words) else {
                    kept += 1;
                    continue;
                };
                assert_eq!(verdict.legal, game.is_legal(submission), "{words}");
                assert_eq!(verdict.licence, game.explain(submission).licence);
                assert!(verdict.would_be_legal_if.is_empty());
                assert!(verdict.legal || !verdict.reasons.is_empty());
                let reasons = verdict.reasons.iter().map(|r| format!("{} {:?} {:?}", r.text, r.values, r.mends));
                let all = reasons.chain([words]).collect::<String>();
                for name in hidden.iter().filter_map(|t| game.thing_words(*t).split('"').nth(1).map(str::to_owned)) {
                    assert!(sees(&view, &name) || !all.contains(&format!("\"{name}\"")), "{all}");
                }
                told += 1;
            }
            let offered: Vec<Submission> = choices.iter().map(|c| c.1.clone()).collect();
            assert!(game.explain_to(seat, &offered).iter().all(|v| v.as_ref().is_some_and(|v| v.legal)));
        });
    }
    assert!(told > 500 && kept > 50, "{told} told, {kept} kept back");
}

#[test]
fn what_is_revealed_is_known_where_it_lies_and_no_longer() {
    let seed = ThingId(6);
    let reveal = Fact::Attr { attr: SHOWN, thing: seed, value: Value::Thing(BOB) };
    let mut game = quiet(toy(), vec![]);
    assert_eq!(game.place_of(seed), Some((HEAP, Some(ANN))));
    assert!(!sees(&game.view(BOB), "Seed") && !sees(&game.view(ANN), "Seed"));
    game.assert(&reveal).unwrap();
    assert!(sees(&game.view(BOB), "Seed"), "revealed to Bob");
    assert!(!sees(&game.view(ANN), "Seed"), "not to Ann, whose heap it is");
    // Into another hidden place: forgotten, and not known again when it comes back.
    let put = |place| Fact::Put { thing: seed, place: Some(place), owner: Some(ANN) };
    for place in [BASKET, HEAP] {
        game.assert(&put(place)).unwrap();
        assert!(!sees(&game.view(BOB), "Seed"));
    }
    // Everyone sees it in the open, and no one remembers.
    game.assert(&put(MULCH)).unwrap();
    assert!(sees(&game.view(BOB), "Seed") && sees(&game.view(ANN), "Seed"));
    game.assert(&put(HEAP)).unwrap();
    assert!(!sees(&game.view(BOB), "Seed") && !sees(&game.view(ANN), "Seed"));
}

#[test]
fn what_is_concealed_lies_open_and_is_not_seen() {
    let seed = ThingId(6);
    let mut program = toy();
    program.services.revealed = None;
    program.services.concealed = Some(SHOWN);
    let conceal = Fact::Attr { attr: SHOWN, thing: seed, value: Value::Thing(BOB) };
    let put = |place| Fact::Put { thing: seed, place: Some(place), owner: Some(ANN) };
    let marked = Cond::Some(and([Sel::In(MULCH, Some(b(Sel::Class(GARDENER)))), is(RED)]));
    let mut game = quiet(program, vec![]);
    // It keeps what was said of it in a hidden place when it comes into an open one.
    game.assert(&conceal).unwrap();
    game.assert(&put(MULCH)).unwrap();
    assert!(sees(&game.view(ANN), "Seed"));
    assert!(!sees(&game.view(BOB), "Seed"));
    assert_eq!((game.seen_by(ANN, &marked), game.seen_by(BOB, &marked)), (Some(true), None));
    // Once it has lain hidden again, it is like any other.
    for place in [HEAP, MULCH] {
        game.assert(&put(place)).unwrap();
    }
    assert!(sees(&game.view(ANN), "Seed") && sees(&game.view(BOB), "Seed"));
    assert_eq!(game.seen_by(BOB, &marked), Some(true));
    // And when it leaves one open place for another.
    game.assert(&conceal).unwrap();
    assert!(!sees(&game.view(BOB), "Seed"));
    game.assert(&Fact::Put { thing: seed, place: Some(FIELD), owner: None }).unwrap();
    assert!(sees(&game.view(BOB), "Seed"));
}

#[test]
fn a_shuffled_thing_is_known_no_longer() {
    let mut program = toy();
    let body = program.steps[REST.index()].body;
    program.blocks[body.index()].statements = vec![
        (Statement::Shuffle { place: HEAP, of: Some(role()) }, SiteId(0)),
        (choose(role(), Sel::Class(GARDENER), 2), SiteId(0)),
    ];
    let reveal = Fact::Attr { attr: SHOWN, thing: ThingId(6), value: Value::Thing(BOB) };
    let mut game = quiet(program, vec![reveal]);
    let before = game.view(BOB);
    assert!(sees(&before, "Seed"));
    assert_eq!(before.asked.unwrap().kind, Asks::Shuffle { place: "the heap of \"Ann\"".to_string() });
    game.answer_chance(1).unwrap();
    assert!(!sees(&game.view(BOB), "Seed"));
}

/// A number over hidden things is shown to no one who may not know them; what it is worked out from being his own, the
/// owner sees it.
#[test]
fn derived_facts_that_hang_on_hidden_things_are_left_out() {
    let mut program = toy();
    let hand = |seat| Num::Total(STRENGTH, b(Sel::In(BASKET, Some(b(seat)))));
    program.attrs[WEALTH.index()].source = Source::Number(hand(Sel::It(0)));
    let game = quiet(program.clone(), vec![]);
    let own = game.value_words(WEALTH, ANN);
    assert_eq!(fact(&game.view(ANN), "Ann", "wealth"), Some(own.as_str()));
    assert_eq!(fact(&game.view(ANN), "Bob", "wealth"), None);
    assert_eq!(fact(&game.view(BOB), "Ann", "wealth"), None);
    // How many there are, everyone may know.
    program.attrs[WEALTH.index()].source = Source::Number(Num::Count(b(Sel::In(BASKET, Some(b(Sel::It(0)))))));
    let game = quiet(program.clone(), vec![]);
    assert_eq!(fact(&game.view(BOB), "Ann", "wealth"), Some("2"));
    // A condition on hidden things counts too, also where it decides between two numbers.
    let red = Cond::Some(and([Sel::In(HEAP, Some(b(Sel::It(0)))), is(RED)]));
    program.attrs[WEALTH.index()].source = Source::Number(Num::Alternatives(b(Num::Int(1)), vec![(Num::Int(2), red)]));
    let game = quiet(program, vec![]);
    assert_eq!(fact(&game.view(ANN), "Ann", "wealth"), None);
}

/// What was left out because it hung on hidden things is shown as soon as the last of them has come to light, although nothing
/// is written of which it speaks; a mistake on purpose, that it stays left out, is noticed.
#[test]
fn what_hung_on_hidden_things_is_shown_when_they_have_come_to_light() {
    let mut program = toy();
    let unmarked = and([Sel::Class(PLANT), Sel::Not(b(Sel::Flag(MARKED)))]);
    program.attrs[WEALTH.index()].source = Source::Number(Num::Total(STRENGTH, b(unmarked)));
    for planted in [None, Some(Planted::Light)] {
        let mut game = quiet(program.clone(), vec![]);
        game.verify(Verify { every: 0, planted });
        // Which plants are unmarked, hangs on all that are hidden.
        let hidden = [game.in_place(HEAP, None), game.in_place(BASKET, Some(ANN))].concat();
        assert!(hidden.len() > 1, "{hidden:?}");
        for thing in hidden {
            assert_eq!(fact(&game.view(BOB), "Ann", "wealth"), None);
            game.assert(&Fact::Attr { attr: SHOWN, thing, value: Value::Thing(BOB) }).unwrap();
        }
        let all = game.value_words(WEALTH, ANN);
        let shown = planted.is_none().then_some(all.as_str());
        assert_eq!(fact(&game.view(BOB), "Ann", "wealth"), shown, "{planted:?}");
    }
}

/// Modified numbers of visible things are what they are; a modifier that hangs on hidden things hides the number.
#[test]
fn modified_numbers_are_seen_unless_they_hang_on_hidden_things() {
    let game = quiet(toy(), vec![]);
    assert_eq!(game.value_words(STRENGTH, ThingId(0)), "4");
    let plain = game.view(BOB);
    let fern = plain.things.iter().find(|t| t.words.starts_with("\"Fern\"")).unwrap();
    assert!(fern.facts.contains(&("strength".to_string(), "4".to_string())), "{fern:?}");
    let mut program = toy();
    let hidden = Num::Count(b(and([Sel::In(BASKET, Some(b(keeper_of(Sel::It(0))))), is(RED)])));
    program.modifiers[0].change = Change::Add { amount: hidden, max: None, min: None };
    let game = quiet(program, vec![]);
    let strength = |seat: ThingId, owner: &str| {
        let view = game.view(seat);
        let of = |t: &&Arc<Seen>| {
            t.words.starts_with("\"Fern\"") && t.facts.contains(&("keeper".to_string(), format!("\"{owner}\"")))
        };
        let fern = view.things.iter().find(of).unwrap();
        fern.facts.iter().find(|f| f.0 == "strength").map(|f| f.1.clone())
    };
    assert_eq!(strength(ANN, "Ann"), Some("3".to_string()), "her own basket");
    assert_eq!(strength(ANN, "Bob"), None);
    assert_eq!(strength(BOB, "Ann"), None);
}

/// What happened to a thing while it could not be seen is not told of it when it is seen again.
#[test]
fn history_does_not_follow_a_thing_through_a_hidden_place() {
    let mut program = toy();
    let past = Past { verb: LOWER, roles: vec![None], since: None };
    program.attrs[STURDY.index()].source = Source::Flag(Sel::Happened(b(past), 0));
    let body = program.steps[REST.index()].body;
    let fern = || Sel::Named(named(&program, "Fern"));
    let put = |place| Statement::Put { what: fern(), place, of: Some(keeper_of(fern())), bottom: false };
    let script = |middle: Vec<Statement>| {
        let mut program = program.clone();
        let mut all = vec![do_(LOWER, fern())];
        all.extend(middle);
        all.push(choose(role(), Sel::Class(GARDENER), 2));
        program.blocks[body.index()].statements = all.into_iter().map(|s| (s, SiteId(0))).collect();
        // One fern only, so that there is no doubt which.
        let gone = Fact::Put { thing: ThingId(8), place: Some(LIMBO), owner: None };
        let named = Fact::Attr { attr: KEEPER, thing: ThingId(8), value: Value::None };
        quiet(program, vec![named, gone])
    };
    let sturdy = |game: &Game| {
        let view = game.view(BOB);
        let fern = view.things.iter().find(|t| t.words.starts_with("\"Fern\"") && t.place == "the mulch of \"Ann\"");
        fern.map(|t| t.facts.iter().any(|f| f.0 == "sturdy"))
    };
    assert_eq!(sturdy(&script(vec![put(MULCH)])), Some(true), "seen all the time");
    assert_eq!(sturdy(&script(vec![put(BASKET), put(MULCH)])), Some(false), "hidden in between");
}

/// What was so of a thing where it lay before is not shown where all may look: it would tell two things apart of which
/// nobody saw which came from where.
#[test]
fn what_was_so_elsewhere_is_not_shown_in_the_open() {
    let mut program = toy();
    program.attrs[POSTURE.index()].anew = Some(FIELD);
    let body = program.steps[REST.index()].body;
    let fern = || Sel::Named(named(&program, "Fern"));
    let put = |place| Statement::Put { what: fern(), place, of: Some(keeper_of(fern())), bottom: false };
    let posture = |seat, places: &[PlaceId]| {
        let mut program = program.clone();
        let mut all = vec![do_(LOWER, fern())];
        all.extend(places.iter().map(|place| put(*place)));
        all.push(choose(role(), Sel::Class(GARDENER), 2));
        program.blocks[body.index()].statements = all.into_iter().map(|s| (s, SiteId(0))).collect();
        // One fern only, so that there is no doubt which.
        let gone = Fact::Put { thing: ThingId(8), place: Some(LIMBO), owner: None };
        let named = Fact::Attr { attr: KEEPER, thing: ThingId(8), value: Value::None };
        let view = quiet(program, vec![named, gone]).view(seat);
        let fern = view.things.iter().find(|t| t.words.starts_with("\"Fern\"") && t.place != "the limbo");
        fern.and_then(|t| t.facts.iter().find(|f| f.0 == "posture").map(|f| f.1.clone()))
    };
    let said = |words: &str| Some(words.to_owned());
    assert_eq!(posture(BOB, &[]), said("Lying"), "where it counts");
    assert_eq!(posture(BOB, &[MULCH, FIELD]), said("Standing"), "it has begun anew");
    assert_eq!(posture(BOB, &[BASKET, MULCH]), None, "hidden in between");
    assert_eq!(posture(BOB, &[MULCH]), None, "as little when it was seen all the time");
    assert_eq!(posture(ANN, &[BASKET]), said("Lying"), "who may look into a hidden place follows what lies there");
}

/// Copies are told apart by what is seen of them; how many hidden ones there are shows in no number.
#[test]
fn copies_have_no_numbers_of_their_own() {
    // Ann's Seed is hidden in her heap; Bob's, the second of the game, lies in the open.
    let open = Fact::Put { thing: ThingId(14), place: Some(MULCH), owner: Some(BOB) };
    let game = quiet(toy(), vec![open]);
    assert_eq!(game.thing_words(ThingId(14)), "\"Seed\" #2");
    assert!(sees(&game.view(ANN), "Seed"));
    let json = serde_json::to_string(&game.view(ANN)).unwrap();
    assert!(!json.contains("\\\"Seed\\\" #2"), "{json}");
}

/// The log that is told to a player names no card that he could not know at the time.
#[test]
fn what_is_told_names_nothing_hidden() {
    let (mut told, mut hidden) = (0, 0);
    for seed in 0..6 {
        // What was known to whom before the last decision.
        let mut before: Vec<(ThingId, Vec<String>, usize)> = Vec::new();
        play(toy(), seed, 300, |game| {
            for seat in [ANN, BOB] {
                let names = |view: &View| view.things.iter().map(|t| stem(&t.words)).collect::<Vec<String>>();
                let mut known = names(&game.view(seat));
                let now = known.clone();
                if let Some((_, old, _)) = before.iter().find(|b| b.0 == seat) {
                    known.extend(old.iter().cloned());
                }
                let from = before.iter().find(|b| b.0 == seat).map_or(0, |b| b.2);
                let lines = game.told(seat);
                for line in &lines[from.min(lines.len())..] {
                    told += 1;
                    hidden += usize::from(line.contains("a plant"));
                    for name in line.split('"').skip(1).step_by(2) {
                        assert!(known.contains(&name.to_string()), "{line}: {name} is not known to {seat:?}");
                    }
                }
                let count = lines.len();
                before.retain(|b| b.0 != seat);
                before.push((seat, now, count));
            }
        });
    }
    assert!(told > 500 && hidden > 10, "{told} lines, {hidden} of them about hidden things");
}

fn stem(words: &str) -> String {
    words.split('"').nth(1).unwrap_or(words).to_string()
}

/// Not asking whether to take a hidden thing would tell the others that there is none.
#[test]
fn an_offer_among_hidden_things_is_made_even_if_there_is_none() {
    let empty: Vec<Fact> =
        (6..8).map(|t| Fact::Put { thing: ThingId(t), place: Some(MULCH), owner: Some(ANN) }).collect();
    let program = Arc::new(toy());
    let mut setup = setup(&program);
    setup.facts.extend(empty);
    setup.start = vec![StartFrame { proc: SEASON, arguments: vec![Value::Thing(ANN)], step: Some(SOW) }];
    let mut game = Game::new(program, setup).unwrap();
    assert_eq!(offered(&game), ["decline"]);
    assert!(game.take(&Submission::Pick(Value::Thing(ThingId(6)))).is_err());
    game.take(&Submission::Decline).unwrap();
    assert!(matches!(game.decision().unwrap().kind, DecisionKind::Act));
}

/// Several cards are taken from the top of a pile, and keep their order where they are put.
#[test]
fn the_top_of_a_pile_keeps_its_order() {
    let mut program = toy();
    let body = program.steps[REST.index()].body;
    let top = |n| Sel::Top(HEAP, Some(b(role())), b(Num::Int(n)));
    let put = |bottom| Statement::Put { what: top(2), place: HEAP, of: Some(role()), bottom };
    for (bottom, wanted) in
        [(false, [ThingId(6), ThingId(7), ThingId(0)]), (true, [ThingId(7), ThingId(0), ThingId(6)])]
    {
        program.blocks[body.index()].statements =
            vec![(put(bottom), SiteId(0)), (choose(role(), Sel::Class(GARDENER), 2), SiteId(0))];
        let facts = vec![
            Fact::Attr { attr: KEEPER, thing: ThingId(0), value: Value::None },
            Fact::Put { thing: ThingId(0), place: Some(HEAP), owner: Some(ANN) },
        ];
        let game = quiet(program.clone(), facts);
        assert_eq!(game.in_place(HEAP, Some(ANN)), wanted, "bottom: {bottom}");
        let count =
            |n| game.select(&Sel::Top(HEAP, Some(b(Sel::Named(named_player(&game, "Ann")))), b(Num::Int(n)))).len();
        assert_eq!([0, 1, 2, 3, 9].map(count), [0, 1, 2, 3, 3]);
    }
}

fn named_player(game: &Game, name: &str) -> NameId {
    let all = (0..game.program().names.len() + 2).map(NameId::from_index);
    all.into_iter().find(|n| game.name(*n) == name).unwrap()
}
