//! What holds at every decision of random play.

use std::sync::Arc;

use crate::toy::*;
use netrep_engine::*;

fn play(seed: u64, decisions: usize, mut at_each: impl FnMut(&Game, usize)) -> Game {
    let mut game = game();
    let mut dice = Dice(seed);
    for n in 0..decisions {
        if game.decision().is_none() {
            break;
        }
        at_each(&game, n);
        if game.answer_chance(seed).unwrap() {
            continue;
        }
        let options = game.options();
        assert!(!options.is_empty(), "a decision without options");
        // Passing less often makes for longer chains.
        let mut pick = options[dice.below(options.len())].clone();
        if pick == Submission::Pass && dice.below(2) == 0 {
            pick = options[dice.below(options.len())].clone();
        }
        game.take(&pick).unwrap_or_else(|e| panic!("offered and refused: {pick:?}: {e}"));
    }
    game
}

#[test]
fn offered_is_taken_and_explained() {
    for seed in 0..12 {
        play(seed, 150, |game, n| {
            let options: Vec<Submission> = game.options();
            let words = game.options_in_words();
            let mut distinct: Vec<&String> = words.iter().map(|w| &w.0).collect();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), words.len(), "{words:?}");
            if n % 5 != 0 {
                return;
            }
            let mut legal = 0;
            for candidate in game.candidates(20_000) {
                let offered = options.contains(&candidate);
                assert_eq!(game.is_legal(&candidate), offered, "{candidate:?}");
                legal += usize::from(offered);
            }
            assert_eq!(legal, options.len());
        });
    }
}

#[test]
fn refusals_cite_and_mends_mend() {
    let mut mended = 0;
    for seed in 0..6 {
        play(seed, 120, |game, n| {
            if n % 12 != 0 {
                return;
            }
            let all = game.candidates(20_000);
            for candidate in all.iter().step_by(7) {
                let verdict = game.explain(candidate);
                assert_eq!(verdict.legal, game.is_legal(candidate));
                assert_eq!(verdict.legal, verdict.reasons.is_empty());
                for reason in &verdict.reasons {
                    assert!(!reason.text.is_empty(), "{candidate:?}: {reason:?}");
                }
                if !verdict.would_be_legal_if.is_empty() {
                    let mut other = game.clone();
                    verdict.would_be_legal_if.iter().try_for_each(|fact| other.assert(fact)).unwrap();
                    assert!(other.is_legal(candidate));
                    assert!(other.explain(candidate).legal);
                    mended += 1;
                }
            }
        });
    }
    assert!(mended > 100, "only {mended} refusals had mends");
}

#[test]
fn saved_and_loaded_goes_on_alike() {
    for seed in 0..8 {
        let mut others: Vec<Game> = Vec::new();
        let program = Arc::new(toy());
        play(seed, 200, |game, _| {
            let text = game.save();
            let loaded = Game::load(Arc::clone(&program), &text).unwrap();
            assert_eq!(&loaded, game);
            assert_eq!(loaded.position_hash(), game.position_hash());
            assert_eq!(loaded.save(), text);
            assert_eq!(loaded.options(), game.options());
            assert_eq!(loaded.decision(), game.decision());
            if others.len() < 20 {
                others.push(loaded);
            }
        });
        // Every loaded game goes on as a clone does.
        for game in others {
            let mut a = game.clone();
            let mut b = Game::load(Arc::clone(&program), &game.save()).unwrap();
            let mut dice = Dice(seed);
            for _ in 0..30 {
                if a.decision().is_none() {
                    break;
                }
                let submission = a.keyed_roll(7).unwrap_or_else(|| {
                    let options = a.options();
                    options[dice.below(options.len())].clone()
                });
                a.take(&submission).unwrap();
                b.take(&submission).unwrap();
                assert_eq!(a, b);
                assert_eq!(a.position_hash(), b.position_hash());
            }
        }
    }
}

#[test]
fn same_input_same_game() {
    for seed in 0..6 {
        let a = play(seed, 300, |game, _| {
            let copy = game.clone();
            assert_eq!(&copy, game);
            assert_eq!(copy.position_hash(), game.position_hash());
        });
        let b = std::thread::spawn(move || play(seed, 300, |_, _| {})).join().unwrap();
        assert_eq!(a.position_hash(), b.position_hash());
        assert_eq!(a, b);
    }
}

#[test]
fn tracing_and_consulting_change_nothing() {
    for seed in 0..4 {
        let quiet = play(seed, 200, |_, _| {});
        let mut game = game();
        game.set_tracing(true);
        let mut dice = Dice(seed);
        for _ in 0..200 {
            if game.decision().is_none() {
                break;
            }
            if game.answer_chance(seed).unwrap() {
                continue;
            }
            let options = game.options();
            let mut pick = options[dice.below(options.len())].clone();
            if pick == Submission::Pass && dice.below(2) == 0 {
                pick = options[dice.below(options.len())].clone();
            }
            game.clear_consulted();
            game.take(&pick).unwrap();
        }
        assert_eq!(quiet, game);
        assert!(game.trace().iter().all(|e| e.text.ends_with(')')));
        assert!(game.trace().iter().any(|e| e.kind == TraceKind::Event));
        assert!(!game.consulted().clauses.is_empty());
    }
}
