//! What the engine works out faster than it is said, in random games: kept answers, columns and sums, the way back from an
//! answer, what is offered. Each of these proofs notices a mistake that is made on purpose.

use netrep_compiler::Profile;
use netrep_engine::{Planted, Verify};
use netrep_lab::driver::start::start;
use netrep_lab::simulate::{Plan, Simulation, simulate};

use crate::support::data::library;

/// Random games between the two decks of the repository.
fn played(plan: &Plan) -> Simulation {
    let library = library();
    let decks: Vec<_> = ["Rivendell", "Lórien"].iter().map(|name| library.deck(name).expect("a deck")).collect();
    let prepared = library.table(&decks, &Profile::default()).expect("the table");
    simulate(&start(&prepared).expect("a legal position"), plan)
}

fn plan(games: u64, verify: Verify) -> Plan {
    Plan { games, seed: 1, laws: false, verify, sample: 0, again: 0, shorten: 0, ..Plan::default() }
}

/// Twenty games, in which every seventeenth is worked out again; `VERIFIED=N` plays so many, and works out every fifth.
#[test]
fn what_is_kept_is_what_is_worked_out_again() {
    let games = std::env::var("VERIFIED").ok().and_then(|n| n.parse().ok());
    let (games, every) = games.map_or((20, 17), |games| (games, 5));
    let simulation = played(&plan(games, Verify { every, planted: None }));
    assert!(simulation.passed(), "{:#?}", simulation.failures.first());
}

#[test]
fn each_mistake_is_noticed() {
    for planted in Planted::ALL {
        // In most the first game is enough.
        let is_noticed = |seed| {
            let plan = Plan { seed, ..plan(1, Verify { every: 3, planted: Some(planted) }) };
            !played(&plan).failures.is_empty()
        };
        assert!((1..=2).any(is_noticed), "{planted:?} is not noticed");
    }
}
