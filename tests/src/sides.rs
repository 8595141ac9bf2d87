//! A side that no rulebook knows plays by words, rules and cards of its own: those in `sides/`, beside the data as they are.

use std::sync::Arc;

use netrep_compiler::Profile;
use netrep_lab::Scenario;
use netrep_lab::ablate::{Noticed, Which, ablate};
use netrep_lab::decks::decks;
use netrep_lab::driver::start;
use netrep_lab::memo::Memo;
use netrep_lab::run::{jobs, run};
use netrep_lab::simulate::{End, Plan, simulate};

use crate::support::data::{Lent, errors, library, scenarios_in};

/// The file of the Stewards: their deck, beside their scenarios.
const STEWARDS: &str = include_str!("../sides/stewards.md");

/// The data with the Stewards among them.
fn with_stewards() -> Lent {
    let mut library = library();
    for (path, text) in [
        ("rules/vocabulary/stewards.words", include_str!("../sides/stewards.words")),
        ("rules/sections/stewards.rules", include_str!("../sides/stewards.rules")),
        ("cards/stewards.cards", include_str!("../sides/stewards.cards")),
    ] {
        library.compiler.set_file(path, text);
    }
    library
}

fn scenarios() -> Vec<Arc<Scenario>> {
    scenarios_in("tests/sides/stewards.md")
}

/// The Stewards draft, hold their characters, come home, rest there, and count their points, as their rules say and those of the
/// Wizards do not.
#[test]
fn a_side_of_its_own_plays_by_its_own_rules() {
    let library = with_stewards();
    let diags = library.compiler.check_under(&Profile::default());
    assert!(errors(&diags).is_empty(), "{diags:#?}");
    let scenarios = scenarios();
    let reports = run(&library.compiler, &jobs(&scenarios, &Profile::default()), 2, false);
    assert!(reports.len() >= 10);
    let failed: Vec<_> = reports.iter().filter(|report| !report.passed()).map(|r| (&r.name, &r.diags)).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Each of their rules is noticed when it is left out, and each of its numbers when it is another.
#[test]
fn every_rule_of_the_side_is_noticed() {
    let library = with_stewards();
    let items = ["1.3.S1", "1.9.S1", "1.10.S1", "1.11.S1", "1.12.S1", "10.S1", "g.hav.S1"].map(str::to_owned);
    let which = Which { items: &items, one_in: 1 };
    let result = ablate(&library.compiler, &scenarios(), Memo::new(), which, &[], 2, &mut |_| {});
    let unnoticed: Vec<_> = result.changes.iter().filter(|one| one.outcome == Noticed::Nobody).collect();
    assert!(result.changes.len() > items.len(), "only {} changes", result.changes.len());
    assert!(unnoticed.is_empty(), "no scenario notices: {unnoticed:#?}");
}

/// Whole games of Stewards against a Wizard end by the rules, whoever of the two begins.
#[test]
fn stewards_play_whole_games() {
    let library = with_stewards();
    let stewards = decks("tests/sides/stewards.md", STEWARDS).expect("it can be read").remove(0);
    let wizard = library.deck("Rivendell").expect("a deck");
    let games = std::env::var("WHOLE_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    for decks in [[stewards.clone(), wizard.clone()], [wizard, stewards]] {
        let prepared = library.table(&decks, &Profile::default()).expect("the table");
        let plan = Plan { games, sample: 800, again: 1, ..Plan::default() };
        let simulation = simulate(&start(&prepared).expect("a legal position"), &plan);
        assert!(simulation.passed(), "{:#?}", simulation.failures.first());
        assert!(simulation.played.iter().all(|game| game.end == End::Over));
    }
}
