//! The questions on the toy: why, ask, compare, ablate.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use netrep_ir::Place;
use netrep_lab::ablate::{Exemption, Noticed, ablate};
use netrep_lab::ask::ask;
use netrep_lab::compare::compare;
use netrep_lab::prepare::{Prepared, prepare};
use netrep_lab::scenario::{Scenario, parse};
use netrep_lab::why::{Question, why};

const TOY: &str = include_str!("toy.words");
const RULING: &str = r#"
ruling R-1 "How tall is tall?" {
    about 2.
    reading short { authority "The house". status in force. }
    reading long { authority "The garden". status superseded. replace 2 tall { [tall] each card gets +2 height. } }
}
edition house "House rules" { default. R-1 short. }
edition garden "Garden rules" { R-1 long. }
"#;
const FILE: &str = r#"```scenario toy
given {
    player Ann, Bob.
    cards of Ann in shelf: "Tall Lamp".
    cards of Bob in shelf: "Small Lamp".
    begin evening for Ann at step lighting.
}
when { Ann: "Tall Lamp": kindle. dice 5. Ann: "Tall Lamp". }
expect { points of Ann is 7. over. }
expect under edition house { height of "Tall Lamp" is 4. }
expect under R-1 long { height of "Tall Lamp" is 5. }
```
"#;

fn ready() -> (Compiler, Vec<Arc<Scenario>>) {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", TOY);
    compiler.set_file("rules/toy.rulings", RULING);
    let parsed = parse("toy.md", FILE, false);
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
    let text = FILE.split("when {").next().unwrap_or_default().to_owned() + "```\n";
    let parsed = parse("toy.md", &text, true);
    let possible = ask(&prepared(&compiler, &Arc::new(parsed.scenarios.into_iter().next().unwrap()))).unwrap();
    assert_eq!(possible.seats.len(), 2);
    assert!(
        possible.seats[0].options.iter().any(|said| said.words.contains("Tall Lamp") && said.by.label == "L-2 glow")
    );
    assert!(possible.seats[1].nearly.iter().any(|t| t.reasons[0].by.label == "L-1 own"), "{:#?}", possible.seats[1]);
}

#[test]
fn profiles_part_where_the_reading_matters() {
    let (compiler, scenarios) = ready();
    let profiles = [Profile::edition("house"), Profile::edition("garden"), Profile::default()];
    let found = compare(&compiler, &scenarios, &profiles, 2);
    assert_eq!(found.len(), 1);
    // What happens is the same; only what is expected of the one edition is not checked under the other.
    assert_eq!(found[0].groups.iter().map(|g| g.profiles.len()).sum::<usize>(), 3);
}

#[test]
fn ablation_finds_what_no_scenario_notices() {
    let (mut compiler, scenarios) = ready();
    let place = Place { file: "x.md".to_owned(), start: 0, end: 1 };
    let exempt = |item: &str, label: &str| Exemption {
        item: item.to_owned(),
        label: label.to_owned(),
        number: None,
        reason: "a test".to_owned(),
        place: place.clone(),
    };
    let exemptions = [exempt("L-1", "own"), exempt("2", "tall")];
    let before = compiler.link(&Profile::default()).0;
    let items = ["L-1".to_owned(), "2".to_owned(), "1".to_owned()];
    let result = ablate(&mut compiler, &scenarios, &items, &exemptions, 2, &mut |_| {});
    assert_eq!(compiler.link(&Profile::default()).0, before, "every edit is taken back");
    let of = |item: &str, label: &str, to: Option<i64>| {
        let found = result.changes.iter().find(|c| c.item == item && c.label == label && c.number.map(|n| n.1) == to);
        found.map(|c| c.outcome.clone()).unwrap()
    };
    assert_eq!(of("1", "sum", None), Noticed::By("toy".to_owned()));
    assert_eq!(of("2", "tall", Some(0)), Noticed::By("toy".to_owned()));
    assert_eq!(of("L-1", "glow", None), Noticed::Nobody);
    assert_eq!(of("L-1", "own", None), Noticed::Exempt("a test".to_owned()));
    assert_eq!(of("L-1", "height", Some(2)), Noticed::Nobody);
    assert_eq!(result.needless.len(), 1, "the clause 2 tall is noticed");
    assert!(!result.clean() && result.failing.is_empty());
}
