//! Positions that the rules do not know are refused, with the clause that says so, and nothing is played in them.

use std::sync::Arc;

use netrep_compiler::{Diagnostic, Profile};
use netrep_diagnostics::Code;
use netrep_lab::driver::start;
use netrep_lab::prepare::prepare;
use netrep_lab::scenario::parse;

use crate::support::data::library;

/// What is wrong with a position of Jessica and Jason in which, beside this, a turn is in its long-event phase.
fn wrong_with(given: &str) -> Vec<Diagnostic> {
    wrong_in(given).1
}

/// The same with the text in which it is wrong.
fn wrong_in(given: &str) -> (String, Vec<Diagnostic>) {
    let players = if given.contains("player ") { "" } else { "player Jessica, Jason." };
    let begin = if given.contains("at ") { "" } else { "at long-events of turn for Jessica." };
    let text = format!("```position x\ngiven {{ {players} {given} {begin} }}\n```\n");
    let mut parsed = parse("x.md", &text, true);
    assert!(parsed.diags.is_empty(), "{given}: {:?}", parsed.diags);
    let scenario = Arc::new(parsed.scenarios.remove(0));
    let (library, default) = (library(), Profile::default());
    let prepared = prepare(&library.compiler, &scenario, &default, &default);
    let wrong = prepared.and_then(|prepared| start(&prepared)).err().unwrap_or_default();
    (text, wrong)
}

/// A chain of characters, or of what they bear, in which the last leads back to the first.
fn circle(fact: &str, names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let next = quoted.iter().cycle().skip(1);
    let facts: Vec<String> = quoted.iter().zip(next).map(|(one, next)| format!("{fact} of {one} is {next}.")).collect();
    format!("Jessica: play {}. {}", quoted.join(", "), facts.concat())
}

#[test]
fn what_the_rules_exclude_is_refused() {
    const ITEMS: [&str; 4] = ["Elven Cloak", "Healing Herbs", "Sword of Gondolin", "Dagger of Westernesse"];
    const PEOPLE: [&str; 4] = ["Elladan", "Annalena", "Bombur", "Haldir"];
    let mut all: Vec<(String, &str)> = vec![
        // One of a kind, whoever has it.
        ("Jessica: play \"Aragorn II\" as A, \"Aragorn II\" as B.".to_owned(), "g.unique single"),
        ("Jessica: play \"Elladan\" as A. Jason: play \"Elladan\" as B.".to_owned(), "g.unique single"),
        // The phases are those of a turn.
        ("company J. owner of J is Jessica. at game for Jessica; movement/hazard phase for J.".to_owned(), "2 phases"),
        ("company J. owner of J is Jessica. at game for Jessica; site phase for J.".to_owned(), "2 phases"),
        ("at game for Jessica; organization phase for Jessica.".to_owned(), "2 phases"),
        ("at game for Jessica; long-event phase for Jessica.".to_owned(), "2 phases"),
        // Two play, and both are Wizards.
        ("player Jessica, Jason, Joan.".to_owned(), "2 two"),
        ("side of Jason is Ringwraith-side.".to_owned(), "1.2 awaited"),
        // No site is a member of a company.
        ("company J. owner of J is Jessica. Jessica: play \"Bree\". \"Bree\" is in J.".to_owned(), "2.II.3.1 members"),
        // Who does not go together, and two leaders.
        (
            "company J. owner of J is Jessica. Jessica: play \"Orc Veteran\", \"Elladan\". \
             \"Orc Veteran\", \"Elladan\" are in J."
                .to_owned(),
            "2.II.3.1.2 together",
        ),
        (
            "company J. owner of J is Jessica. Jessica: play \"Orc Captain\", \"Mauhúr\". \
             \"Orc Captain\", \"Mauhúr\" are in J."
                .to_owned(),
            "2.II.3.1.3 one",
        ),
        // Sites lie in the location deck, and what takes no strikes is not wounded.
        ("Jessica: hand \"Bree\".".to_owned(), "1.4 apart"),
        ("Jessica: play \"Bree\". \"Bree\" is wounded.".to_owned(), "3.iv.7 whole"),
        ("Jessica: play \"Elven Cloak\". \"Elven Cloak\" is wounded.".to_owned(), "3.iv.7 whole"),
    ];
    for n in 1..=4 {
        all.push((circle("bearer", &ITEMS[..n]), "5.3.1 borne"));
        all.push((circle("controlling character", &PEOPLE[..n]), "2.II.3.2 leading"));
    }
    for (given, clause) in all {
        let found = wrong_with(&given);
        let labels: Vec<&str> = found.iter().flat_map(|diag| &diag.labels).map(|label| label.text.as_str()).collect();
        assert!(found.iter().all(|diag| diag.code == Code::ImpossiblePosition), "{given}: {found:#?}");
        assert!(labels.contains(&clause), "{given}: {labels:?} instead of {clause}");
    }
}

/// A clause that is broken is told at the fact without which it would not be.
#[test]
fn what_is_excluded_is_told_where_it_is_written() {
    for (given, fact) in [
        ("side of Jason is Balrog-side. turns of Jason is 2.", "side of Jason is Balrog-side."),
        ("Jessica: play \"Elladan\" as A. Jason: play \"Elladan\" as B.", "\"Elladan\""),
        (
            "Jessica: play \"Elven Cloak\", \"Healing Herbs\". bearer of \"Elven Cloak\" is \"Healing Herbs\". \
             bearer of \"Healing Herbs\" is \"Elven Cloak\".",
            "bearer of \"Healing Herbs\" is \"Elven Cloak\".",
        ),
    ] {
        let (text, found) = wrong_in(given);
        let place = &found.first().expect("it is impossible").place;
        let told = text.get(place.start as usize..place.end as usize);
        assert_eq!(told, Some(fact), "{found:#?}");
    }
}

/// The same facts where the rules know them.
#[test]
fn what_the_rules_know_is_not_refused() {
    for given in [
        "Jessica: play \"Aragorn II\", \"Elladan\", \"Annalena\". company J. owner of J is Jessica.
         \"Aragorn II\", \"Elladan\", \"Annalena\" are in J. controlling character of \"Annalena\" is \"Elladan\".
         Jason: play \"Elven Cloak\" as A, \"Elven Cloak\" as B.",
        "company J. owner of J is Jessica. at movement of turn for Jessica; movement/hazard phase for J.",
        "Jessica: play \"Elladan\". Jason: discard pile \"Elladan\" as E.",
    ] {
        let found = wrong_with(given);
        assert!(found.is_empty(), "{given}: {found:#?}");
    }
}
