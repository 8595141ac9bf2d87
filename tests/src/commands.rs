//! The commands on the data of the repository, through the functions behind them: `show`, `words`, `try`.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::support::data::{library, one_in};
use netrep_compiler::Profile;
use netrep_lab::run::{jobs, run};
use netrep_lab::show::{Shown, show};
use netrep_lab::tryout::{Outcome, Trial, try_card};
use netrep_lab::vocabulary::words;
use netrep_lab::{Library, Scenario};

// ---- show

#[test]
fn a_card_is_shown_by_name_and_by_id() {
    let library = library();
    let by_name = show(&library.compiler, "aragorn ii", &Profile::default()).unwrap();
    let Some(Shown::Item(card)) = by_name.first() else { panic!("a card") };
    assert_eq!((card.head.as_str(), card.title.as_str()), ("card", "Aragorn II"));
    assert!(card.parts.iter().all(|part| part.english.is_some() && part.layer.is_none()));
    let by_id = show(&library.compiler, &card.key, &Profile::default()).unwrap();
    assert_eq!(serde_json::to_value(&by_name).unwrap(), serde_json::to_value(&by_id).unwrap());
}

#[test]
fn each_part_says_which_layer_set_it() {
    let library = library();
    let rule = |profile: &Profile| match show(&library.compiler, "3.iv", profile).unwrap().remove(0) {
        Shown::Item(rule) => rule,
        other => panic!("a rule: {other:?}"),
    };
    let base = rule(&Profile::default());
    assert!(base.parts.iter().all(|part| part.layer.is_none()) && base.gone.is_empty());
    assert!(base.otherwise.contains(&"combat-order-of-actions=free".to_owned()));
    let free = rule(&Profile::default().with("combat-order-of-actions", "free"));
    let order = free.parts.iter().find(|part| part.label == "order").expect("the amended clause");
    let layer = order.layer.as_ref().expect("its layer");
    assert_eq!((layer.ruling.as_str(), layer.reading.as_str()), ("combat-order-of-actions", "free"));
    assert!(!layer.authorities.is_empty() && order.spot.file.contains("rulings"), "{order:#?}");
    assert!(order.parts.iter().all(|part| part.layer.is_some()), "what stands in it is of the same layer");
    let sequence = free.parts.iter().find(|part| part.label == "sequence").expect("another clause");
    assert_eq!(sequence.layer, None);
    let gone = free.gone.iter().find(|gone| gone.label == "order").expect("what it replaces");
    assert!(gone.layer.is_some() && gone.spot.file.contains("sections"), "{gone:#?}");
}

#[test]
fn a_clause_a_ruling_an_edition_and_a_word_are_shown() {
    let library = library();
    let one = |name: &str| show(&library.compiler, name, &Profile::default()).unwrap().remove(0);
    let Shown::Item(clause) = one("3.iv.6 tapped") else { panic!("a clause") };
    assert_eq!(clause.parts.iter().map(|part| part.label.as_str()).collect::<Vec<_>>(), ["tapped"]);
    let Shown::Ruling(ruling) = one("Combat-Order-of-Actions") else { panic!("a ruling") };
    assert_eq!(ruling.readings.iter().filter(|reading| reading.in_force).count(), 1);
    assert!(ruling.readings.iter().any(|reading| !reading.amendments.is_empty()));
    let chosen: Vec<&String> = ruling.readings.iter().flat_map(|reading| &reading.editions).collect();
    let Shown::Edition(edition) = one(chosen[0]) else { panic!("an edition") };
    assert!(edition.choices.iter().any(|(id, _)| id == "combat-order-of-actions"));
    let Shown::Term(term) = one("tap") else { panic!("a word") };
    assert_eq!(term.kind, "verb");
    assert!(term.parts.iter().any(|part| part.label == "does") && !term.users.is_empty(), "{term:#?}");
    let near = show(&library.compiler, "Aragon II", &Profile::default()).unwrap_err();
    assert_eq!(near.first().map(String::as_str), Some("Aragorn II"));
}

#[test]
fn all_cards_of_a_name_and_a_broken_one_are_shown() {
    let mut library = library();
    library.compiler.set_file("cards/x.cards", "card X-1 \"Aragorn II\" { type Character. prowes 3. }\n");
    let shown = show(&library.compiler, "Aragorn II", &Profile::default()).unwrap();
    assert_eq!(shown.len(), 2);
    let Some(Shown::Item(broken)) = shown.iter().find(|one| matches!(one, Shown::Item(item) if item.key == "X-1"))
    else {
        panic!("the broken card")
    };
    assert!(!broken.diagnostics.is_empty());
    let unread = broken.parts.iter().filter(|part| part.english.is_none()).collect::<Vec<_>>();
    assert_eq!(unread.iter().map(|part| part.written.as_str()).collect::<Vec<_>>(), ["prowes 3."]);
}

/// Nothing that can be cited cannot be shown: one in twelve here, all with `EVERY=1`.
#[test]
fn every_item_clause_and_word_can_be_shown() {
    let library = library();
    let shown = |name: &str| show(&library.compiler, name, &Profile::default()).is_ok_and(|shown| !shown.is_empty());
    let program = library.compiler.link(&Profile::default()).0;
    let hidden: Vec<&str> = program
        .clauses
        .iter()
        .filter(|clause| {
            program.cards.iter().any(|card| card.id == clause.item)
                || clause.item.starts_with(|c: char| c.is_ascii_digit())
        })
        .map(|clause| clause.item.as_str())
        .collect::<BTreeSet<&str>>()
        .into_iter()
        .step_by(one_in(12))
        .filter(|item| !shown(item))
        .collect();
    assert!(hidden.is_empty(), "{hidden:?}");
    for word in words(&library.compiler, None).unwrap().into_iter().step_by(one_in(12)) {
        assert!(word.forms.iter().all(|form| shown(form)), "{word:?}");
    }
}

// ---- words

#[test]
fn words_are_found_by_a_part_or_a_glob() {
    let library = library();
    let names = |pattern: &str| -> Vec<String> {
        words(&library.compiler, Some(pattern)).unwrap().into_iter().map(|word| word.signature).collect()
    };
    let all = words(&library.compiler, None).unwrap();
    assert!(all.len() > 150, "only {} words", all.len());
    let part = names("prow");
    assert!(!part.is_empty() && part.len() < all.len() && part.iter().all(|word| word.contains("prow")), "{part:?}");
    assert!(names("prow*").len() <= part.len() && words(&library.compiler, Some("prow?")).is_err());
    let verb =
        all.iter().find(|word| word.kind == "verb" && word.forms.first().is_some_and(|form| form == "tap")).unwrap();
    assert!(verb.signature.starts_with("verb tap"), "{}", verb.signature);
    assert!(verb.users.iter().any(|user| user.head == "rule"), "{verb:?}");
    assert_eq!(words(&library.compiler, Some("taap")).unwrap_err(), ["tap"]);
}

// ---- what follows

#[test]
fn what_a_position_leaves_open_is_told_where_steps_decide_it() {
    let library = library();
    let follows = |given: &str| {
        let company = "company J1 of Jessica through \"Rhudaur\"";
        let text = format!(
            "```position x\ngiven {{ {company} {given}: \"Elladan\", \"Haldir\", \"Annalena\". at hazards for J1. }}\n```\n"
        );
        let parsed = netrep_lab::scenario::parse("x.md", &text, true);
        let scenario = Arc::new(parsed.scenarios.into_iter().next().unwrap());
        let default = Profile::default();
        let prepared = netrep_lab::prepare::prepare(&library.compiler, &scenario, &default, &default).unwrap();
        netrep_lab::follows::follows(&prepared)
    };
    // Rule 2.IV.iii: as many as there are characters, and at least two.
    let limit = "hazard limit of \"J1\" is 3".to_owned();
    assert!(follows("").contains(&limit), "{:?}", follows(""));
    assert!(follows("limit 1").iter().all(|fact| !fact.starts_with("hazard limit")), "{:?}", follows("limit 1"));
}

// ---- try

fn scenarios(library: &Library) -> Vec<Arc<Scenario>> {
    library.scenarios(&[], true).unwrap().scenarios.into_iter().map(Arc::new).collect()
}

/// A card in the positions of some scenarios.
fn tried(library: &Library, among: &[Arc<Scenario>], card: &str) -> Trial {
    try_card(&library.compiler, among, card, &Profile::default()).unwrap_or_else(|e| panic!("{e:#?}"))
}

/// One in four of the scenarios: what is tried there needs no position of its own.
fn some(library: &Library) -> Vec<Arc<Scenario>> {
    scenarios(library).into_iter().step_by(one_in(4)).collect()
}

/// The scenarios of a trial hold: pasted into a file they pass.
fn holds(library: &Library, trial: &Trial) -> usize {
    let mut held = 0;
    for way in &trial.ways {
        let Outcome::Done(done) = &way.outcome else { continue };
        let Some(text) = &done.scenario else { continue };
        let parsed = netrep_lab::scenario::parse("pasted.md", text, false);
        assert!(parsed.diags.is_empty() && parsed.scenarios.len() == 1, "{text}\n{:#?}", parsed.diags);
        let all: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
        let reports = run(&library.compiler, &jobs(&all, &Profile::default()), 1, false);
        assert!(reports.iter().all(|report| report.passed()), "{text}\n{:#?}", reports[0].diags);
        held += 1;
    }
    held
}

#[test]
fn a_card_that_has_just_been_written_can_be_tried() {
    let mut library = library();
    let cards = r#"
card MY-1 "Cave-troll" {
    type Creature. frame Hazard. alignment Neutral. race Troll. strikes 1. prowess 12. kill points 1.
    keying Wilderness.
    [tired] when a strike of this fails: discard each card on defending character of strike.
}
card MY-2 "Second Wind" {
    type Short-event. frame Resource. alignment Hero.
    play on a wounded Warrior in company as target during movement/hazard phase.
    effect set orientation of target to Tapped.
}
"#;
    library.compiler.set_file("cards/mine.cards", cards);
    let among = some(&library);
    for (card, words) in [("MY-1", "play"), ("MY-2", "play")] {
        let trial = tried(&library, &among, card);
        let way = trial.ways.iter().find(|way| way.words == words).expect("the way");
        let Outcome::Done(done) = &way.outcome else { panic!("{card}: {:#?}", way.outcome) };
        assert!(done.steps.first().is_some_and(|step| step.chosen.contains(&trial.title)), "{:#?}", done.steps);
        assert!(done.steps.iter().any(|step| !step.happened.is_empty()) && !done.differences.is_empty());
        assert!(holds(&library, &trial) > 0, "{card} has a scenario to paste");
    }
}

/// A second card of a name: the other lends it its positions.
#[test]
fn a_card_that_is_called_like_another_can_be_tried() {
    let mut library = library();
    let cards = r#"
card MY-3 "Elven Cloak" {
    type Minor-item. frame Resource. alignment Hero. corruption 1.
    [hide] you may tap bearer of this if there is an attack that is not Assigned: cancel attack.
    [strong] bearer of this gets +1 body.
}
"#;
    library.compiler.set_file("cards/mine.cards", cards);
    let cloak = tried(&library, &some(&library), "MY-3");
    let way = cloak.ways.iter().find(|way| way.words == "tap").expect("the way");
    assert!(matches!(way.outcome, Outcome::Done(_)), "{:#?}", way.outcome);
    assert!(cloak.numbers.iter().any(|number| number.number.words.starts_with("body")), "{:#?}", cloak.numbers);
    assert_eq!(cloak.by_itself.iter().map(|clause| clause.label.as_str()).collect::<Vec<_>>(), ["MY-3 strong"]);
}

#[test]
fn what_is_in_the_way_is_changed_and_said() {
    let mut library = library();
    // Where a card stands can be changed; what has happened cannot.
    let cards = r#"
card MY-4 "Rally" {
    type Short-event. frame Resource. alignment Hero.
    play on a tapped Sage in company as target during long-event phase.
    effect set orientation of target to Untapped.
}
card MY-5 "Hopeless" {
    type Short-event. frame Resource. alignment Hero.
    play on a character as target during long-event phase {
        [past] if target has been wounded by a strike this turn.
    }
    effect tap target.
}
"#;
    library.compiler.set_file("cards/mine.cards", cards);
    // Only positions in which no Sage is tapped are known.
    let text = r#"```scenario a quiet phase
given {
    player Ann, Bob.
    company A1.
    Ann: play "Annalena".
    Ann: hand "Lapse of Will".
    owner of A1 is Ann.
    "Annalena" is in A1.
    at long-events of turn for Ann; actions of long-event phase for Ann.
}
expect { offered Ann: play "Lapse of Will". }
```
"#;
    let one: Vec<_> = netrep_lab::scenario::parse("x.md", text, true).scenarios.into_iter().map(Arc::new).collect();
    let trial = try_card(&library.compiler, &one, "MY-4", &Profile::default()).unwrap();
    match &trial.ways[0].outcome {
        Outcome::Done(done) => {
            assert!(!done.changes.is_empty(), "{done:#?}");
            assert!(done.differences.iter().any(|one| one.thing.contains("Annalena")), "{:#?}", done.differences);
        }
        Outcome::Refused(refused) => {
            // `company` names nothing in this phase, which no fact can change.
            assert!(!refused.tried.reasons.is_empty() && !refused.scenario.is_empty());
        }
        Outcome::Untried => panic!("it can at least be tried"),
    }
    let trial = try_card(&library.compiler, &one, "MY-5", &Profile::default()).unwrap();
    let Outcome::Refused(refused) = &trial.ways[0].outcome else { panic!("{:#?}", trial.ways[0]) };
    assert!(refused.tried.reasons.iter().any(|reason| reason.by.label == "MY-5 past"), "{refused:#?}");
}

#[test]
fn the_cards_of_the_repository_can_be_tried() {
    let library = library();
    let all = scenarios(&library);
    let program = library.compiler.link(&Profile::default()).0;
    let mut done = 0;
    // One card in ninety-seven, in the positions of one scenario in twenty-four: a trial plays all that it is given.
    let all: Vec<_> = all.into_iter().step_by(one_in(24)).collect();
    for card in program.cards.iter().step_by(97) {
        let trial = try_card(&library.compiler, &all, &card.id, &Profile::default()).unwrap();
        done += holds(&library, &trial);
    }
    assert!(done > 0, "no card can be declared anywhere");
    assert!(try_card(&library.compiler, &all, "NO-1", &Profile::default()).is_err());
}
