//! The commands on the data of the repository, through the functions behind them: `show`, `words`, `try`, `watch`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::support::data::{library, one_in, root};
use crate::support::runs::runs;
use netrep_compiler::{Profile, edit};
use netrep_lab::run::{jobs, run};
use netrep_lab::show::{Shown, show};
use netrep_lab::tryout::{Outcome, Trial, try_card};
use netrep_lab::vocabulary::words;
use netrep_lab::watch::{Saved, Watcher};
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

fn tried(library: &Library, card: &str) -> Trial {
    try_card(&library.compiler, &scenarios(library), card, &Profile::default()).unwrap_or_else(|e| panic!("{e:#?}"))
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
    for (card, words) in [("MY-1", "play"), ("MY-2", "play")] {
        let trial = tried(&library, card);
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
    let cloak = tried(&library, "MY-3");
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
    // One card in ninety-seven, in the positions of one scenario in three: a trial plays all that it is given.
    let all: Vec<_> = all.into_iter().step_by(one_in(6)).collect();
    for card in program.cards.iter().step_by(97) {
        let trial = try_card(&library.compiler, &all, &card.id, &Profile::default()).unwrap();
        done += holds(&library, &trial);
    }
    assert!(done > 0, "no card can be declared anywhere");
    assert!(try_card(&library.compiler, &all, "NO-1", &Profile::default()).is_err());
}

// ---- watch

/// What is watched: enough for every kind of edit to touch something, not all, which takes long.
fn watched() -> Vec<PathBuf> {
    ["rules/3-combat", "rules/3-strike-sequence", "cards/the-wizards/creatures", "rulings/items"]
        .map(|name| format!("tests/scenarios/{name}.md").into())
        .to_vec()
}

/// A watcher, lent to a test: it knows what its runs come to. As many are made as tests have one at a time. What a test saves
/// is taken back when it gives it back.
struct Watching(Option<Watcher>);

/// Those that nobody has now.
static SHELF: Mutex<Vec<Watcher>> = Mutex::new(Vec::new());

impl Deref for Watching {
    type Target = Watcher;

    fn deref(&self) -> &Watcher {
        self.0.as_ref().expect("it is given back when it is dropped")
    }
}

impl DerefMut for Watching {
    fn deref_mut(&mut self) -> &mut Watcher {
        self.0.as_mut().expect("it is given back when it is dropped")
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // What a failing test leaves behind is nobody else's.
        let Some(mut watcher) = self.0.take().filter(|_| !std::thread::panicking()) else { return };
        let others = watcher.saves().expect("the data can be read");
        if !others.is_empty() {
            let round = watcher.changed(&others, &|_| ());
            assert!(round.clean() && round.held.is_empty(), "what is on the disk is fine: {:#?}", round.diagnostics);
        }
        SHELF.lock().unwrap_or_else(PoisonError::into_inner).push(watcher);
    }
}

/// A watcher that knows nothing yet.
fn new_watcher() -> Watcher {
    Watcher::of(library().taken(), &watched(), &Profile::default(), 2).unwrap()
}

/// See [`Watching`].
fn watcher() -> Watching {
    let kept = SHELF.lock().unwrap_or_else(PoisonError::into_inner).pop();
    Watching(Some(kept.unwrap_or_else(|| {
        let mut watcher = new_watcher().knowing(runs().memo.clone());
        let round = watcher.start(&|_| ());
        assert!(round.clean() && watcher.runs() > 0, "{:#?}", round.diagnostics);
        assert_eq!((round.ran.len(), round.skipped), (0, watcher.runs()));
        watcher
    })))
}

#[test]
fn who_knows_nothing_runs_everything() {
    let mut watcher = Watching(Some(new_watcher()));
    let round = watcher.start(&|_| ());
    assert!(round.clean(), "{:#?}", round.ran.iter().filter(|ran| !ran.passed).collect::<Vec<_>>());
    assert_eq!((round.ran.len(), round.skipped), (watcher.runs(), 0));
    let mut made: Vec<_> = round.ran.iter().map(|ran| (&ran.file, &ran.scenario, &ran.profile, ran.passed)).collect();
    let known = runs().reports.iter().filter(|report| round.ran.iter().any(|ran| ran.file == report.file));
    let mut known: Vec<_> = known.map(|r| (&r.file, &r.name, &r.profile, r.passed())).collect();
    made.sort_unstable();
    known.sort_unstable();
    assert_eq!(made, known, "what is known is what a run from nothing finds");
}

fn saved(path: &str, text: impl Into<String>) -> Vec<Saved> {
    vec![Saved { path: path.to_owned(), text: Some(text.into()) }]
}

/// The file of an item, and its text with the item's own text changed.
fn edited(library: &Library, head: &str, key: &str, change: impl Fn(&str) -> String) -> Vec<Saved> {
    let item = library.compiler.item(head, key).expect("the item");
    let text = library.compiler.file_with(&item, &change(&item.text)).expect("its file");
    saved(&item.place.file, text)
}

/// The verdicts of everything, run anew.
fn anew(library: &Library) -> BTreeMap<(String, String), bool> {
    let all: Vec<_> = library.scenarios(&watched(), false).unwrap().scenarios.into_iter().map(Arc::new).collect();
    let reports = run(&library.compiler, &jobs(&all, &Profile::default()), 2, false);
    reports.into_iter().map(|report| ((report.name.clone(), report.profile.clone()), report.passed())).collect()
}

#[test]
fn a_comment_runs_nothing() {
    let mut watcher = watcher();
    let items = [("rule", "3.iv.6"), ("card", "TW-120")];
    let above = |(head, key): (&str, &str)| {
        let item = watcher.library().compiler.item(head, key).unwrap();
        let file = watcher.library().text(&item.place.file).unwrap();
        saved(&item.place.file, format!("// A remark.\n\n{file}"))
    };
    let within = |(head, key): (&str, &str)| {
        edited(watcher.library(), head, key, |text| text.replacen("{\n", "{\n    // Another.\n", 1))
    };
    let rounds: [Vec<Saved>; 2] =
        [items.into_iter().flat_map(above).collect(), items.into_iter().flat_map(within).collect()];
    for saves in rounds {
        let round = watcher.changed(&saves, &|_| ());
        assert!(round.clean() && round.held.is_empty());
        assert_eq!((round.ran.len(), round.skipped), (0, watcher.runs()), "{:#?}", round.ran);
    }
}

#[test]
fn a_number_runs_only_those_that_consulted_it() {
    let mut watcher = watcher();
    let key = ("rule", "3.iv.6");
    let number = |text: &str| {
        let numbers = edit::numbers(text);
        let last = numbers.last().expect("a number");
        edit::nudged(text, last, 1).expect("another text")
    };
    let good = edited(watcher.library(), key.0, key.1, str::to_owned);
    let saves = edited(watcher.library(), key.0, key.1, number);
    let round = watcher.changed(&saves, &|_| ());
    assert!(!round.ran.is_empty() && round.skipped > 0, "{} ran, {} skipped", round.ran.len(), round.skipped);
    assert_eq!(round.ran.len() + round.skipped, watcher.runs());
    assert!(round.ran.iter().any(|ran| ran.turned() && !ran.passed), "some expectation notices");
    let fresh = anew(watcher.library());
    for ran in &round.ran {
        assert_eq!(fresh.get(&(ran.scenario.clone(), ran.profile.clone())), Some(&ran.passed), "{}", ran.scenario);
    }
    let failing = fresh.values().filter(|passed| !**passed).count();
    assert_eq!(round.ran.iter().filter(|ran| !ran.passed).count(), failing, "nothing that fails was skipped");
    let back = watcher.changed(&good, &|_| ());
    assert!(back.clean() && back.ran.iter().filter(|ran| ran.turned()).count() == failing);
}

#[test]
fn a_card_runs_only_those_in_which_it_is() {
    let mut watcher = watcher();
    let new = "card MY-6 \"Wind\" { type Short-event. frame Resource. play during long-event phase. effect stop. }\n\
               card MY-7 \"Horn\" { type Ally. frame Resource. mind 1. each character gets +1 prowess. when a card is discarded: discard this. }\n";
    let added = new.replace("effect stop. ", "");
    let round = watcher.changed(&saved("cards/aaa.cards", added), &|_| ());
    assert!(round.held.is_empty(), "{:#?}", round.diagnostics);
    assert_eq!(round.ran.len(), 0, "a card that is in no position: {:#?}", round.ran);
    let gone = watcher.changed(&[Saved { path: "cards/aaa.cards".to_owned(), text: None }], &|_| ());
    assert_eq!((gone.ran.len(), gone.held.len()), (0, 0));
}

#[test]
fn a_broken_file_loses_nothing_and_the_next_save_recovers() {
    let mut watcher = watcher();
    let runs = watcher.runs();
    let path = watcher.library().compiler.item("rule", "3.iv.6").unwrap().place.file;
    let good = watcher.library().text(&path).unwrap();
    let program = watcher.library().compiler.link(&Profile::default()).0;
    // Broken: the file is held back, and the program in force is the one before.
    let saves = edited(watcher.library(), "rule", "3.iv.6", |text| text.replace('}', ""));
    let round = watcher.changed(&saves, &|_| ());
    assert!(!round.clean() && round.held == [path.clone()], "{:?}", round.held);
    assert_eq!((round.ran.len(), round.skipped), (0, runs));
    assert_eq!(watcher.library().compiler.link(&Profile::default()).0, program);
    // Meanwhile another file is edited and its runs are made.
    let stronger = |text: &str| {
        let numbers = edit::numbers(text);
        edit::nudged(text, numbers.first().expect("a printed number"), 1).expect("another text")
    };
    let other = edited(watcher.library(), "card", "TW-120", stronger);
    let round = watcher.changed(&other, &|_| ());
    assert_eq!(round.held, std::slice::from_ref(&path));
    assert!(round.ran.iter().any(|ran| ran.turned()) && round.skipped > 0);
    // A file that is fine by itself, but breaks another, is held back too.
    let lost = watcher.library().compiler.item("card", "TW-120").unwrap().place.file;
    let words = watcher.library().compiler.paths().into_iter().find(|path| path.ends_with("agents.words")).unwrap();
    let round = watcher.changed(&[Saved { path: words.to_string(), text: None }], &|_| ());
    assert!(round.held.contains(&words.to_string()) && !round.clean() && round.ran.is_empty(), "{:?}", round.held);
    let verbs = std::fs::read_to_string(root().join(&*words)).unwrap();
    watcher.changed(&saved(&words, verbs), &|_| ());
    // The next good saves put everything right.
    let card = std::fs::read_to_string(root().join(&lost)).unwrap();
    let both = [saved(&lost, card), saved(&path, good)].concat();
    let round = watcher.changed(&both, &|_| ());
    assert!(round.clean() && round.held.is_empty(), "{:?}", round.held);
    assert_eq!(watcher.library().compiler.link(&Profile::default()).0, program);
}

#[test]
fn a_new_scenario_is_run_and_nothing_else() {
    let mut watcher = watcher();
    let (path, text) = watcher.library().scenario_files(&watched()).unwrap().remove(0);
    let block = text.split("```scenario").nth(1).unwrap().split("```").next().unwrap();
    let new = format!("# New\n\n```scenario{}```\n", block.replacen('\n', " once more\n", 1));
    let round = watcher.changed(&saved("tests/scenarios/new.md", new), &|_| ());
    assert!(round.clean() && !round.ran.is_empty() && round.ran.iter().all(|ran| ran.before.is_none()), "{round:#?}");
    assert!(round.ran.iter().all(|ran| ran.file == "tests/scenarios/new.md"));
    // Prose above a scenario runs nothing; one that cannot be read is said and hides no other.
    let round = watcher.changed(&saved(&path, format!("Prose.\n\n{text}")), &|_| ());
    assert_eq!(round.ran.len(), 0);
    let round = watcher.changed(&saved(&path, format!("{text}\n```scenario broken\ngiven {{\n```\n")), &|_| ());
    assert!(!round.clean() && round.ran.is_empty() && !round.diagnostics.is_empty());
}

/// What is skipped would have come to the same: after edits of all kinds, also of words that the scenarios use, a run of
/// everything finds nothing that the watcher has not found.
#[test]
fn what_is_skipped_would_come_to_the_same() {
    let mut watcher = watcher();
    let paths: Vec<String> = watched().iter().map(|path| path.display().to_string()).collect();
    let known = runs().reports.iter().filter(|report| paths.contains(&report.file));
    let mut verdicts: BTreeMap<(String, String), bool> =
        known.map(|report| ((report.name.clone(), report.profile.clone()), report.passed())).collect();
    let mut edits: Vec<Vec<Saved>> = Vec::new();
    let items = watcher.library().compiler.items();
    let nudged = |item: &netrep_compiler::views::ItemView| {
        let last = edit::numbers(&item.text).pop()?;
        edit::nudged(&item.text, &last, 1)
    };
    let heads = ["card", "rule", "define", "adjective", "verb", "state"];
    let with_number: Vec<_> =
        items.iter().filter(|item| heads.contains(&item.head)).filter_map(|item| Some((item, nudged(item)?))).collect();
    for (item, text) in with_number.iter().step_by((with_number.len() / 2 + 1).max(1)) {
        edits.push(edited(watcher.library(), item.head, &item.key, |_| text.clone()));
    }
    // Clauses that are not there any more.
    let shorter = |item: &netrep_compiler::views::ItemView| {
        let labelled =
            edit::clauses(&item.text).into_iter().rfind(|clause| !clause.label.is_empty() && clause.depth == 0);
        edit::without(&item.text, labelled?.span)
    };
    let rules: Vec<_> =
        items.iter().filter(|item| item.head == "rule").filter_map(|i| Some((i, shorter(i)?))).collect();
    for (item, text) in rules.iter().step_by((rules.len() / 2 + 1).max(1)) {
        edits.push(edited(watcher.library(), item.head, &item.key, |_| text.clone()));
    }
    // A word that comes to mean its opposite.
    let adjective =
        items.iter().find(|item| item.head == "adjective" && item.text.contains(" is ")).expect("an adjective");
    edits.push(edited(watcher.library(), "adjective", &adjective.key, |text| text.replacen(" is ", " is not ", 1)));
    assert!(edits.len() >= 4, "only {} edits", edits.len());
    let mut turned = 0;
    let before = verdicts.clone();
    let good = |saves: &Vec<Saved>| {
        let path = &saves[0].path;
        saved(path, watcher.library().text(path).unwrap())
    };
    let goods: Vec<Vec<Saved>> = edits.iter().map(good).collect();
    // With each edit the one before it is taken back; in the end the last.
    let mut taken_back: Vec<Saved> = Vec::new();
    for (saves, good) in edits.into_iter().zip(goods).chain([(Vec::new(), Vec::new())]) {
        let is_end = saves.is_empty();
        let others = taken_back.into_iter().filter(|save| saves.iter().all(|one| one.path != save.path));
        let saves: Vec<Saved> = others.chain(saves.clone()).collect();
        let round = watcher.changed(&saves, &|_| ());
        turned += round.ran.iter().filter(|ran| ran.turned()).count();
        verdicts.extend(round.ran.iter().map(|ran| ((ran.scenario.clone(), ran.profile.clone()), ran.passed)));
        let expected = if is_end { before.clone() } else { anew(watcher.library()) };
        let paths: Vec<&String> = saves.iter().map(|save| &save.path).collect();
        assert_eq!(verdicts, expected, "after a change of {paths:?}");
        taken_back = good;
    }
    assert!(turned > 0, "some edit must be noticed");
}
