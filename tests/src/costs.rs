//! What clauses cost in play: counted, so the same in every run and on any number of threads, and nothing is played otherwise.

use crate::support::data::library;
use netrep_compiler::Profile;
use netrep_engine::Game;
use netrep_lab::driver::start::start;
use netrep_lab::simulate::{Plan, clauses_named, costs, simulate};

/// The start of a game between the two decks of the repository.
fn table() -> Game {
    let library = library();
    let decks: Vec<_> = ["Rivendell", "Lórien"].iter().map(|name| library.deck(name).expect("a deck")).collect();
    let prepared = library.table(&decks, &Profile::default()).expect("the table");
    start(&prepared).expect("a legal position")
}

/// The first answers of two games.
fn plan(threads: usize) -> Plan {
    Plan { games: 2, threads, most: 300, laws: false, sample: 0, again: 0, ..Plan::default() }
}

#[test]
fn what_is_counted_is_the_same_in_every_run() {
    let game = table();
    let found = costs(&game, &plan(1), &|_| ());
    assert_eq!(found, costs(&game, &plan(2), &|_| ()), "on two threads");
    let sum: u64 = found.clauses.iter().map(|one| one.conditions).sum();
    let rest: u64 = found.clauses.iter().map(|one| one.rest_conditions).sum();
    assert_eq!((sum, rest), (found.listing, found.rest), "what is asked is asked for some clause");
    assert!(found.listing > 1_000 && found.rest > 1_000, "{} and {}", found.listing, found.rest);
    let dear: Vec<u64> = found.clauses.iter().map(|one| one.conditions).collect();
    assert!(dear.is_sorted_by(|a, b| a >= b) && dear[0] > 0, "the dearest first");
    let share: f64 = found.clauses.iter().map(|one| one.share).sum();
    assert!((share - 100.0).abs() < 0.001, "{share}");
    // To count changes nothing.
    let plain = simulate(&game, &plan(2));
    assert_eq!(found.counts, plain.counts);
    assert!(plain.counts.windows > 0 && plain.counts.windows < plain.counts.decisions, "{:?}", plain.counts);
}

#[test]
fn clauses_are_found_by_item_title_and_label() {
    let game = table();
    let of = |name: &str| clauses_named(game.program(), name).expect("it has clauses");
    let all = of("3.iv.6");
    assert!(all.len() > 1 && all.contains(&"3.iv.6 tapped".to_owned()), "{all:?}");
    assert_eq!(of("3.iv.6 Tapped"), ["3.iv.6 tapped"]);
    let card = of("gandalf");
    assert!(!card.is_empty() && card.iter().all(|label| label.contains(' ')), "{card:?}");
    assert_eq!(clauses_named(game.program(), "Gandal"), Err(vec!["Gandalf".to_owned()]));
}
