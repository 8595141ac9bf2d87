//! The questions on the toy: why, ask, compare, ablate.

use std::sync::Arc;

use crate::support::{RULING, WORDS, scenario};
use netrep_compiler::{Compiler, Profile, edit};
use netrep_lab::ablate::{Noticed, Which, ablate, without};
use netrep_lab::ask::{ask, ask_across};
use netrep_lab::compare::compare;
use netrep_lab::exempt::exemptions;
use netrep_lab::memo::Memo;
use netrep_lab::prepare::{Prepared, prepare};
use netrep_lab::scenario::{Scenario, parse};
use netrep_lab::show::{Shown, show};
use netrep_lab::tryout::{Outcome, try_card};
use netrep_lab::vocabulary::words;
use netrep_lab::why::{Question, why};

const EXPECTS: &str = r#"expect { points of Ann is 7. over. }
expect under edition house { height of "Tall Lamp" is 4. }
expect under R-1 long { height of "Tall Lamp" is 5. }
"#;

fn ready() -> (Compiler, Vec<Arc<Scenario>>) {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", WORDS);
    compiler.set_file("rules/toy.rulings", RULING);
    let parsed = parse("toy.md", &scenario("toy", "", EXPECTS), false);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    (compiler, parsed.scenarios.into_iter().map(Arc::new).collect())
}

fn prepared(compiler: &Compiler, scenario: &Arc<Scenario>) -> Prepared {
    prepare(compiler, scenario, &Profile::default(), &Profile::default()).unwrap()
}

#[test]
fn each_profile_is_run() {
    let (compiler, scenarios) = ready();
    let jobs = netrep_lab::run::jobs(&scenarios, &Profile::default());
    let reports = netrep_lab::run::run(&compiler, &jobs, 2, false);
    assert_eq!(
        reports.iter().map(|r| (r.profile.as_str(), r.checks.len())).collect::<Vec<_>>(),
        [("default", 2), ("house", 3), ("default + R-1=long", 3)]
    );
    assert!(reports.iter().all(|r| r.passed()), "{reports:#?}");
}

#[test]
fn why_cites_the_licence_and_derives_numbers() {
    let (compiler, scenarios) = ready();
    let prepared = prepared(&compiler, &scenarios[0]);
    let question = Question {
        step: Some(1),
        number: Some("height of \"Tall Lamp\"".to_owned()),
        attempt: Some("Bob: \"Small Lamp\": kindle".to_owned()),
    };
    let answer = why(&compiler, &prepared, &question).unwrap();
    assert_eq!((answer.by.as_str(), answer.licence.label.as_str()), ("Ann", "L-2 glow"));
    let number = answer.number.unwrap();
    assert_eq!((number.base, number.value, number.steps[0].by.label.as_str()), (3, 4, "2 tall"));
    let tried = answer.attempt.unwrap();
    assert!(!tried.legal && tried.reasons.iter().any(|against| against.by.label == "L-1 own"), "{tried:#?}");
    assert!(why(&compiler, &prepared, &Question { step: Some(99), ..Question::default() }).is_err());
}

#[test]
fn a_position_says_what_it_allows() {
    let (compiler, _) = ready();
    let text = scenario("toy", "", "").split("when {").next().unwrap_or_default().to_owned() + "```\n";
    let parsed = parse("toy.md", &text, true);
    let possible = ask(&prepared(&compiler, &Arc::new(parsed.scenarios.into_iter().next().unwrap()))).unwrap();
    assert_eq!(possible.seats.len(), 2);
    assert!(
        possible.seats[0].options.iter().any(|said| said.words.contains("Tall Lamp") && said.by.label == "L-2 glow")
    );
    assert!(possible.seats[1].nearly.iter().any(|t| t.reasons[0].by.label == "L-1 own"), "{:#?}", possible.seats[1]);
}

/// A reading under which the lamps of others may be kindled.
#[test]
fn who_answers_otherwise_is_told_with_the_ruling() {
    let (mut compiler, _) = ready();
    compiler.set_file(
        "rules/more.rulings",
        "ruling R-7 \"May one kindle what is another's?\" { about L-1. reading yes { authority \"The garden\". \
         replace L-1 own { [own] if owner of this is owner of this. } } }\n\
         ruling R-8 \"And how tall?\" { about 2. reading low { authority \"The garden\". remove 2 tall. } }\n\
         edition open \"Open\" { R-1 short. R-7 yes. R-8 low. }\n",
    );
    let text = scenario("toy", "", "").split("when {").next().unwrap_or_default().to_owned() + "```\n";
    let position = Arc::new(parse("toy.md", &text, true).scenarios.into_iter().next().unwrap());
    let (default, others) = (Profile::default(), ["house", "garden", "open"].map(Profile::edition));
    let found = ask_across(&compiler, &position, &default, &default, &others);
    let [open] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!((open.profiles.as_slice(), open.less.len()), (&["open".to_owned()][..], 0));
    assert!(
        open.more.iter().all(|words| words.starts_with("Bob: \"Small Lamp\"")) && !open.more.is_empty(),
        "{open:#?}"
    );
    assert_eq!(open.because.iter().map(|one| one.ruling.as_str()).collect::<Vec<_>>(), ["R-7"]);
}

#[test]
fn profiles_part_where_the_reading_matters() {
    let (compiler, scenarios) = ready();
    let profiles = [Profile::edition("house"), Profile::edition("garden"), Profile::default()];
    let found = compare(&compiler, &scenarios, &profiles, 2);
    assert_eq!(found.scenarios.len(), 1);
    // What happens is the same; only what is expected of the one edition is not checked under the other.
    assert_eq!(found.scenarios[0].groups.iter().map(|g| g.profiles.len()).sum::<usize>(), 3);
}

#[test]
fn ablation_finds_what_no_scenario_notices() {
    let (compiler, scenarios) = ready();
    let (exemptions, _) = exemptions("exempt.md", "- L-1 own while 1 = 1\n- 2 tall while 1 = 1\n");
    let before = compiler.link(&Profile::default()).0;
    let items = ["L-1".to_owned(), "2".to_owned(), "1".to_owned()];
    let result = ablate(&compiler, &scenarios, Memo::new(), Which::whole(&items), &exemptions, 2, &mut |_| {});
    assert_eq!(compiler.link(&Profile::default()).0, before, "every edit is taken back");
    let of = |item: &str, label: &str, to: Option<i64>| {
        let found = result.changes.iter().find(|c| c.item == item && c.label == label && c.number.map(|n| n.1) == to);
        found.map(|c| c.outcome.clone()).unwrap()
    };
    assert_eq!(of("1", "sum", None), Noticed::By("toy".to_owned()));
    assert_eq!(of("2", "tall", Some(0)), Noticed::By("toy".to_owned()));
    assert_eq!(of("L-1", "glow", None), Noticed::Nobody);
    assert_eq!(of("L-1", "own", None), Noticed::Exempt("1 = 1".to_owned()));
    assert_eq!(of("L-1", "height", Some(2)), Noticed::Nobody);
    assert_eq!(result.needless.len(), 1, "the clause 2 tall is noticed");
    assert!(!result.clean() && result.failing.is_empty());
}

#[test]
fn a_lost_sentence_is_said_to_be_missing() {
    let text = "card A-1 \"Lamp\" {\n    [1] height 3.\n    [glow 1, 2] this gets +1 height.\n}";
    let span = edit::clauses(text).into_iter().find(|c| c.label == "glow").map(|c| c.span);
    let left = span.and_then(|span| without(text, span));
    assert_eq!(left.as_deref(), Some("card A-1 \"Lamp\" { partial 2.\n    [1] height 3.\n}"));
}

#[test]
fn a_card_is_tried_where_it_can_be_declared() {
    let (compiler, scenarios) = ready();
    // Bob may not kindle his own in Ann's evening, so it is put on Ann's shelf.
    let trial = try_card(&compiler, &scenarios, "L-1", &Profile::default()).unwrap();
    let [way] = trial.ways.as_slice() else { panic!("{trial:#?}") };
    let Outcome::Done(done) = &way.outcome else { panic!("{way:#?}") };
    assert_eq!((way.words.as_str(), way.clause.label.as_str()), ("kindle", "L-1 glow"));
    assert!(done.origin.how.ends_with("shelf of Ann") || done.origin.how.contains("in the place"), "{:?}", done.origin);
    assert!(done.changes.is_empty() && done.stopped.is_none());
    assert!(done.differences.iter().any(|one| one.what == "light" && one.after == "Lit"), "{:#?}", done.differences);
    let text = done.scenario.as_ref().unwrap();
    let parsed = parse("pasted.md", text, false);
    assert!(parsed.diags.is_empty(), "{text}");
    let pasted: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
    let jobs = netrep_lab::run::jobs(&pasted, &Profile::default());
    assert!(netrep_lab::run::run(&compiler, &jobs, 1, false).iter().all(|r| r.passed()), "{text}");
}

#[test]
fn what_no_position_offers_is_made_possible_or_refused_with_reasons() {
    let (mut compiler, scenarios) = ready();
    let cards = "card L-3 \"Old Lamp\" { kind Lamp. height 2. [again] you may praise this { [ash] if light of this is Lit. } }\n\
                 card L-4 \"New Lamp\" { kind Lamp. height 2. [never] you may praise this { [high] if height of this > 99. } }\n\
                 card L-5 \"Low Lamp\" { kind Lamp. height 2. [low] each card gets -1 height. }\n";
    compiler.set_file("cards/more.cards", cards);
    let trial = try_card(&compiler, &scenarios, "L-3", &Profile::default()).unwrap();
    let Outcome::Done(done) = &trial.ways[0].outcome else { panic!("{:#?}", trial.ways[0]) };
    assert_eq!(done.changes, ["light of \"Old Lamp\" is Lit"]);
    assert!(done.scenario.as_ref().is_some_and(|text| text.contains("light of \"Old Lamp\" is Lit.")), "{done:#?}");
    let trial = try_card(&compiler, &scenarios, "L-4", &Profile::default()).unwrap();
    let Outcome::Refused(refused) = &trial.ways[0].outcome else { panic!("{:#?}", trial.ways[0]) };
    assert_eq!(refused.tried.reasons.iter().map(|r| r.by.label.as_str()).collect::<Vec<_>>(), ["L-4 high"]);
    // A card that no one declares shows what its modifiers do.
    let trial = try_card(&compiler, &scenarios, "L-5", &Profile::default()).unwrap();
    assert!(trial.ways.is_empty() && trial.by_itself.len() == 1);
    assert!(trial.numbers.iter().any(|n| n.number.steps.iter().any(|s| s.by.label == "L-5 low")), "{trial:#?}");
}

#[test]
fn items_are_shown_in_force_and_words_with_their_users() {
    let (compiler, _) = ready();
    let Shown::Item(rule) = show(&compiler, "praise", &Profile::default().with("R-1", "long")).unwrap().remove(0)
    else {
        panic!("the rule called Praise")
    };
    assert_eq!(rule.parts[0].english.as_deref(), Some("each card gets +2 height"));
    assert_eq!(rule.parts[0].layer.as_ref().map(|layer| layer.reading.as_str()), Some("long"));
    assert_eq!(
        rule.gone.iter().map(|gone| gone.written.as_str()).collect::<Vec<_>>(),
        ["[tall] each card gets +1 height."]
    );
    assert_eq!(show(&compiler, "1 smu", &Profile::default()).unwrap_err(), ["1 sum"]);
    let found = words(&compiler, Some("kindle")).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].users.iter().map(|user| user.key.as_str()).collect::<Vec<_>>(), ["L-1", "L-2"]);
}
