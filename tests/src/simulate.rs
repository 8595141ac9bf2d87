//! Random play in parallel: the game of the repository, Crazy Eights, and rules that are broken on purpose.

use std::path::PathBuf;
use std::sync::Arc;

use crate::support::data::{Lent, library};
use crate::support::eights::{Table, compiler};
use netrep_compiler::Profile;
use netrep_engine::Game;
use netrep_lab::driver::start;
use netrep_lab::prepare::{Prepared, prepare};
use netrep_lab::simulate::{Plan, Trouble, condition, reproduce, simulate};

/// The example game from its set-up, with its library.
fn example() -> (Lent, Prepared) {
    let library = library();
    let parsed = library.scenarios(&[PathBuf::from("tests/games/example.md")], false).expect("the game");
    let scenario = Arc::new(parsed.scenarios.first().expect("a scenario").clone());
    let profile = Profile::default();
    let prepared = prepare(&library.compiler, &scenario, &profile, &profile).expect("a position");
    (library, prepared)
}

/// Games of the two decks under the current rules, each to the end of its sixth turn: `GAMES` says how many, a thousand where time allows.
#[test]
fn the_example_is_played_at_random_to_the_end_of_turn_six() {
    let (library, prepared) = example();
    let game = start(&prepared).expect("a legal position");
    let until = condition(&library.compiler, &prepared, "turns of Jessica + turns of Jason > 6").expect("a condition");
    let games = std::env::var("GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let plan = Plan { games, until: Some(until), sample: 100, again: 25, ..Plan::default() };
    let simulation = simulate(&game, &plan);
    println!("{:?}", simulation.counts);
    assert!(simulation.passed(), "{:#?}", simulation.failures.first());
    let counts = simulation.counts;
    assert_eq!((counts.games, counts.stopped, counts.ended, counts.cut), (games, games, 0, 0));
    assert!(counts.decisions > 100 * games && counts.rolls > 5 * games, "{counts:?}");
    assert!(counts.refusals > 10 * games && counts.samples > games / 10 && counts.acceptances > games, "{counts:?}");
    assert_eq!((counts.replays, counts.loads), (games.div_ceil(25), games.div_ceil(25)));
    assert!(condition(&library.compiler, &prepared, "turns of Nobody > 6").is_err());
}

#[test]
fn crazy_eights_is_played_at_random() {
    for players in 2..=4 {
        let table = Table::new(players);
        let game = table.game();
        let plan = Plan { games: 30, sample: 40, ..Plan::default() };
        let simulation = simulate(&game, &plan);
        println!("{players}: {:?}", simulation.counts);
        assert!(simulation.passed(), "{:#?}", simulation.failures);
        assert_eq!((simulation.counts.ended, simulation.counts.replays), (30, 6));
        // Nothing is minted, so the game needs no more room than it began with.
        assert_eq!(simulation.counts.most_things, u64::try_from(game.things()).unwrap());
        let until = Plan { until: Some(table.cond("score of Ann >= 30")), ..plan };
        let stopped = simulate(&game, &until).counts;
        assert!(stopped.stopped > 10 && stopped.stopped + stopped.ended == 30, "{stopped:?}");
    }
}

/// The result follows from the plan alone.
#[test]
fn threads_change_nothing() {
    let game = Table::new(3).game();
    let of = |threads| simulate(&game, &Plan { games: 12, threads, ..Plan::default() });
    let one = of(1);
    assert_eq!(one, of(2));
    assert_eq!(one, of(5));
    let other = simulate(&game, &Plan { games: 12, seed: 100, threads: 2, ..Plan::default() });
    assert_ne!(one.counts, other.counts);
    let first = simulate(&game, &Plan { games: 6, threads: 2, ..Plan::default() });
    assert!(first.counts.decisions < one.counts.decisions);
}

/// Crazy Eights with one more rule.
fn broken(rule: &str) -> Table {
    let mut compiler = compiler();
    compiler.set_file("rules/sections/broken.rules", rule);
    Table::of(2, compiler)
}

/// Whether a game stands where a transcript says that it goes wrong.
fn stands(game: &Game, table: &Table, sentence: &str) -> bool {
    !game.holds(&table.cond(sentence))
}

#[test]
fn an_invariant_that_play_breaks_is_found_and_shortened() {
    let few = "number of cards in discard pile <= 4";
    let table = broken(&format!("rule 9 \"Broken\" {{ [few] always {few}. }}"));
    let game = table.game();
    let simulation = simulate(&game, &Plan { games: 8, ..Plan::default() });
    assert!(!simulation.passed());
    assert_eq!(simulation.failures.len(), 8, "every game plays more than four cards");
    let seeds: Vec<u64> = simulation.failures.iter().map(|f| f.seed).collect();
    assert_eq!(seeds, (1..=8).collect::<Vec<u64>>());
    for (i, failure) in simulation.failures.iter().enumerate() {
        assert_eq!((failure.trouble, failure.text.as_str()), (Trouble::Invariant, "9 few does not hold"));
        let there = reproduce(&game, failure.seed, &failure.transcript).expect("the transcript can be played");
        assert!(stands(&there, &table, few), "{:?}", failure.transcript);
        // One answer less, and it is not yet so.
        let less = &failure.transcript[..failure.transcript.len() - 1];
        let before = reproduce(&game, failure.seed, less).expect("and so can its beginning");
        assert!(!stands(&before, &table, few));
        if i < 2 {
            assert!(failure.transcript.len() <= failure.played);
            let plays = failure.transcript.iter().filter(|s| s.words.starts_with('"')).count();
            assert_eq!(plays, 4, "four cards beside the starter, and nothing else: {:#?}", failure.transcript);
        }
    }
    // The same transcript under another seed meets other cards.
    let failure = &simulation.failures[0];
    assert!(reproduce(&game, failure.seed + 1, &failure.transcript).is_err());
}

#[test]
fn an_error_of_the_engine_is_found_and_shortened() {
    let endless = "step laying of playing out {
        [lay] P plays C.
        [follow] set wanted suit of board to suit of C.
        [endless] if rank of C is Seven { repeat { set wanted suit of board to suit of C } until there is no card in discard pile }.
    }";
    let rules = include_str!("../eights/eights.rules");
    let from = rules.find("    step laying of playing out {").expect("the rule reads otherwise now");
    let to = from + rules[from..].find("\n    }\n").expect("a step") + "\n    }\n".len();
    let mut compiler = compiler();
    compiler.set_file("rules/sections/eights.rules", &format!("{}    {endless}\n{}", &rules[..from], &rules[to..]));
    let table = Table::of(2, compiler);
    let game = table.game();
    let simulation = simulate(&game, &Plan { games: 6, shorten: 6, ..Plan::default() });
    assert!(!simulation.failures.is_empty());
    for failure in &simulation.failures {
        assert_eq!(failure.trouble, Trouble::Failed);
        assert!(failure.text.contains("3.2 endless"), "{}", failure.text);
        let last = failure.transcript.last().expect("an answer");
        assert!(last.words.starts_with("\"Seven"), "{last:?}");
        let again = reproduce(&game, failure.seed, &failure.transcript).map(|game| game.position_hash());
        let refused = again.expect_err("the last answer fails");
        assert!(refused.contains("3.2 endless"), "{refused}");
    }
    let short = simulation.failures.iter().map(|f| f.transcript.len()).min().unwrap();
    assert!(short <= 12, "the shortest way to a seven takes {short} answers");
}
