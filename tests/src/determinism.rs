//! Same input, same game: in every file order, process, copy and saved position, whatever else is rolled.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::{Arc, LazyLock};

use crate::support::board::Board;
use crate::support::data::{File, compiler, compiler_of, files, library, one_in, program};
use crate::support::play::{Chance, next, random, take};
use crate::support::positions;
use netrep_compiler::{Compiler, Profile, edit};
use netrep_engine::{DecisionKind, Game, Submission};
use netrep_grammar::split;

/// Decisions of one game at most.
const MOST: usize = 150;
/// The files are set in so many other orders at most.
const ORDERS: u64 = 4;
/// Set for the process that only prints its hashes.
const CHILD: &str = "NETREP_TESTS_PRINT_HASHES";

/// The game of a position.
fn game(compiler: &Compiler, position: &str) -> Game {
    let phrases = compiler.phrases(&Profile::default());
    Board::new(&phrases, position).game(&phrases)
}

/// The hashes at every decision of keyed random play from every position, the last position's included.
fn hashes(compiler: &Compiler) -> Vec<u64> {
    let mut all = Vec::new();
    for (_, position) in positions::all() {
        for seed in 0..3 {
            let mut game = game(compiler, &position);
            random(&mut game, seed, MOST, |game| all.push(game.position_hash()));
            all.push(game.position_hash());
        }
    }
    all
}

/// The hashes of the data as they are.
fn expected() -> &'static Vec<u64> {
    static EXPECTED: LazyLock<Vec<u64>> = LazyLock::new(|| hashes(&library().compiler));
    &EXPECTED
}

fn printed(hashes: &[u64]) -> String {
    hashes.iter().map(|hash| format!("{hash:016x}\n")).collect()
}

#[test]
fn files_in_any_order_give_the_same_program_and_games() {
    let files = files();
    let expected = expected();
    let distinct: BTreeSet<u64> = expected.iter().copied().collect();
    assert!(distinct.len() > expected.len() / 2, "the games do not move");
    for seed in 0..ORDERS.div_ceil(one_in(4) as u64) {
        // Shuffled, and set one by one, with everything asked for now and then in between.
        let mut chance = Chance::new(seed);
        let mut order = files.clone();
        for i in (1..order.len()).rev() {
            order.swap(i, chance.below(i + 1));
        }
        let mut compiler = Compiler::new();
        for (i, (path, text)) in order.iter().enumerate() {
            compiler.set_file(path, text);
            if i % 96 == seed as usize {
                let _half = compiler.link(&Profile::default());
            }
        }
        assert_eq!(hashes(&compiler), *expected, "loaded in the order {seed}");
    }
}

/// The items of all files, each in a file of its kind (by ending) that chance has picked, in an order that chance has made.
fn moved(files: &[File], seed: u64) -> Vec<File> {
    let mut chance = Chance::new(seed);
    let mut items: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, text) in files {
        let ending = path.rsplit_once('.').unwrap().1;
        items.entry(ending).or_default().extend(split(text).into_iter().map(|item| &text[item.range]));
    }
    let mut moved: BTreeMap<String, String> = BTreeMap::new();
    for (ending, mut items) in items {
        while !items.is_empty() {
            let item = items.swap_remove(chance.below(items.len()));
            let folder = ["a", "m/n", "z"][chance.below(3)];
            let file = moved.entry(format!("{folder}/{}.{ending}", chance.below(5))).or_default();
            file.push_str(item);
            file.push_str("\n\n");
        }
    }
    moved.into_iter().collect()
}

/// What things are called decides, not where they stand: hashes, rolls and the order of everything stay.
#[test]
fn moved_and_sorted_otherwise_the_data_play_the_same_games() {
    let files = files();
    let expected = expected();
    let (_, position) = &positions::all()[0];
    let mut trunk = game(&library().compiler, position);
    random(&mut trunk, 7, 20, |_| {});
    let saved = trunk.save();
    for seed in 0..2u64.div_ceil(one_in(2) as u64) {
        let moved = moved(&files, seed);
        assert_ne!(moved.len(), files.len());
        let other = compiler_of(&moved);
        assert_eq!(hashes(&other), *expected, "moved by {seed}");
        let loaded = Game::load(program(&other, &Profile::default()), &saved).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(loaded.position_hash(), trunk.position_hash());
        assert_eq!((loaded.save(), loaded.options_in_words()), (saved.clone(), trunk.options_in_words()));
    }
}

/// Prints the hashes when it is asked to by [`another_process_plays_the_same_games`]; holds nothing otherwise.
#[test]
fn child_prints_its_hashes() {
    if std::env::var_os(CHILD).is_some() {
        println!("hashes:\n{}end", printed(&hashes(&compiler())));
    }
}

#[test]
fn another_process_plays_the_same_games() {
    let expected = printed(expected());
    let me = std::env::current_exe().unwrap();
    let child = Command::new(me)
        .args(["determinism::child_prints_its_hashes", "--exact", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let text = String::from_utf8(child.stdout).unwrap();
    let found = text.split_once("hashes:\n").and_then(|(_, rest)| rest.split_once("end")).map(|(found, _)| found);
    assert_eq!(found, Some(expected.as_str()), "{}", String::from_utf8_lossy(&child.stderr));
}

/// There they are loaded backwards, too.
#[test]
fn another_thread_plays_the_same_games() {
    let expected = expected();
    let mut backwards = files();
    backwards.reverse();
    assert_eq!(std::thread::spawn(move || hashes(&compiler_of(&backwards))).join().unwrap(), *expected);
}

/// A fork at any decision goes its own way and leaves the trunk alone; taken the same way it ends in the same place.
#[test]
fn forks_at_every_decision() {
    let library = library();
    let compiler = &library.compiler;
    for (name, position) in positions::all() {
        let mut trunk = game(compiler, &position);
        let mut chance = Chance::new(3);
        let mut parted = 0;
        for n in 0..MOST {
            let Some(submission) = next(&trunk, &mut chance, 3) else { break };
            let before = trunk.position_hash();
            let mut fork = trunk.clone();
            assert_eq!((&fork, fork.position_hash()), (&trunk, before));
            random(&mut fork, 1_000 + n as u64, 6, |_| {});
            assert_eq!(trunk.position_hash(), before, "{name}, decision {n}: a fork moved its trunk");
            parted += u32::from(fork.position_hash() != before);
            let mut same = trunk.clone();
            take(&mut trunk, &submission);
            take(&mut same, &submission);
            assert_eq!((&same, same.position_hash()), (&trunk, trunk.position_hash()), "{name}, decision {n}");
        }
        assert!(parted > 5, "{name}: only {parted} forks moved");
    }
}

/// At every decision the saved and loaded game is the game; at one in four it is seen that it goes on as that does.
#[test]
fn saved_loaded_and_continued_is_continued() {
    let library = library();
    let compiler = &library.compiler;
    let program = program(compiler, &Profile::default());
    for (name, position) in positions::all() {
        for seed in 0..2 {
            let mut trunk = game(compiler, &position);
            let mut n = seed as usize;
            random(&mut trunk, seed, MOST, |game| {
                n += 1;
                let text = game.save();
                let mut loaded = Game::load(Arc::clone(&program), &text).unwrap_or_else(|e| panic!("{name}: {e}"));
                assert_eq!((&loaded, loaded.position_hash()), (game, game.position_hash()), "{name}, seed {seed}");
                assert_eq!((loaded.options(), loaded.decision()), (game.options(), game.decision()), "{name}");
                assert_eq!(loaded.save(), text, "{name}, seed {seed}");
                if !n.is_multiple_of(one_in(4)) {
                    return;
                }
                let mut continued = game.clone();
                for game in [&mut continued, &mut loaded] {
                    random(game, seed + 77, 8, |_| {});
                }
                assert_eq!(
                    (&loaded, loaded.position_hash()),
                    (&continued, continued.position_hash()),
                    "{name}, seed {seed}"
                );
            });
        }
    }
}

/// A game loaded under data in which another card was edited goes on as before.
#[test]
fn a_saved_game_outlives_an_edit_elsewhere() {
    let mut other_library = library();
    let edited = &mut other_library.compiler;
    // Its first clause once more: what that is does not matter, only that the card is another one now.
    let card = edited.item("card", "TW-1").expect("the card");
    let first = edit::clauses(&card.text).first().expect("a clause").span;
    let without = edit::without(&card.text, first).expect("the card without it");
    let nobody = without.replacen("TW-1 ", "TW-0 ", 1);
    let other = edited.file_with(&card, &format!("{nobody}\n\n{}", card.text)).expect("its file");
    let library = library();
    let compiler = &library.compiler;
    let position = positions::journey().replace(" Abductor,", "");
    let mut trunk = game(compiler, &position);
    random(&mut trunk, 5, 12, |_| {});
    let saved = trunk.save();
    edited.set_file(&card.place.file, &other);
    let mut loaded = Game::load(program(edited, &Profile::default()), &saved).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(loaded.options_in_words().len(), trunk.options_in_words().len());
    let mut chances = [Chance::new(5), Chance::new(5)];
    for n in 0..40 {
        let (Some(a), Some(b)) = (next(&trunk, &mut chances[0], 5), next(&loaded, &mut chances[1], 5)) else { break };
        assert_eq!(trunk.submission_words(&a), loaded.submission_words(&b), "after {n} decisions");
        take(&mut trunk, &a);
        take(&mut loaded, &b);
    }
    assert_eq!(trunk.decision().is_none(), loaded.decision().is_none());
}

/// A roll, by the label of what asks for it, its subject, and how many of them came before.
type Roll = (String, String, usize);

/// Plays by a fixed script of choices (the first active option, passes after `active` of them), keyed dice; gives
/// each roll's total.
fn rolls(compiler: &Compiler, position: &str, seed: u64, active: usize) -> BTreeMap<Roll, i32> {
    let mut game = game(compiler, position);
    let mut found = BTreeMap::new();
    let mut count: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut acted = 0;
    for _ in 0..2_000 {
        let Some(decision) = game.decision().cloned() else { return found };
        if let (DecisionKind::Roll { subject, purpose, .. }, Some(submission)) = (&decision.kind, game.keyed_roll(seed))
        {
            let Submission::Dice(total) = submission else { panic!("{submission:?}") };
            let purpose = game.program().blocks[purpose.index()].label.clone();
            let subject = subject.map_or_else(String::new, |t| game.thing_words(t));
            let ordinal = count.entry((purpose.clone(), subject.clone())).or_default();
            *ordinal += 1;
            found.insert((purpose, subject, *ordinal), total);
            take(&mut game, &submission);
            continue;
        }
        let options: Vec<Submission> = game.options();
        let declines = |s: &&Submission| matches!(s, Submission::Pass | Submission::Decline | Submission::No);
        let acts = options.iter().find(|s| !declines(s)).filter(|_| acted < active);
        acted += usize::from(acts.is_some());
        let submission = acts.or_else(|| options.iter().find(declines)).unwrap_or(&options[0]).clone();
        take(&mut game, &submission);
    }
    panic!("the game does not end");
}

/// One more roll in the rules: an omen in front of the first statement of each attack.
fn with_omens(compiler: &mut Compiler) {
    let rule = compiler.item("rule", "3.i.1").expect("the rule");
    let inside = edit::clauses(&rule.text).into_iter().find(|clause| clause.depth > 0).expect("a step's statement");
    let (before, after) = rule.text.split_at(inside.span.start as usize);
    let omen = "[omen] defender rolls 2 dice as R for source of attack.";
    let file = compiler.file_with(&rule, &format!("{before}{omen}\n{after}")).expect("its file");
    compiler.set_file(&rule.place.file, &file);
}

#[test]
fn a_roll_more_shifts_no_other() {
    let (library, mut other) = (library(), library());
    let omens = &mut other.compiler;
    with_omens(omens);
    let _fine = program(omens, &Profile::default());
    let (mut same, mut more) = (0, 0);
    for (name, position) in [("journey", positions::journey()), ("assassin", positions::assassin())] {
        for seed in 0..10 {
            let before = rolls(&library.compiler, &position, seed, 40);
            let after = rolls(omens, &position, seed, 40);
            let (omens, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
                after.into_iter().partition(|((purpose, _, _), _)| purpose.starts_with("3.i.1 "));
            assert_eq!(others, before, "{name}, seed {seed}");
            same += before.len();
            more += omens.len();
        }
    }
    println!("{same} rolls kept their totals beside {more} new ones");
    assert!(same >= 40 && more >= 20, "{same} rolls, {more} omens");
}

/// Nor does a card more in the game, although it shifts the numbers of all things.
#[test]
fn a_card_more_shifts_no_roll() {
    let library = library();
    let compiler = &library.compiler;
    let position = positions::journey();
    let more = position.replace("Ann in play: Aragorn II", "- in play: Andrast, Anfalas\nAnn in play: Aragorn II");
    assert_ne!(more, position);
    for seed in 0..10 {
        let before = rolls(compiler, &position, seed, 40);
        assert!(!before.is_empty());
        assert_eq!(rolls(compiler, &more, seed, 40), before, "seed {seed}");
    }
}

/// The seed matters, and dice of two look like dice of two.
#[test]
fn keyed_dice_are_dice() {
    let library = library();
    let compiler = &library.compiler;
    let mut totals: BTreeMap<i32, u32> = BTreeMap::new();
    let (mut again, mut alike) = (0u32, 0u32);
    for seed in 0..150 {
        let rolled = rolls(compiler, &positions::journey(), seed, 40);
        for ((purpose, subject, ordinal), total) in &rolled {
            if let Some(next) = rolled.get(&(purpose.clone(), subject.clone(), ordinal + 1)) {
                again += 1;
                alike += u32::from(next == total);
            }
        }
        for ((purpose, _, _), total) in rolled {
            if purpose.starts_with("3.iv.6 ") {
                *totals.entry(total).or_default() += 1;
            }
        }
    }
    // The next roll of one purpose for one subject is another roll: two totals of two dice are alike in 146 of 1,296.
    assert!(again >= 50 && alike * 3 < again, "{alike} of {again} rolls repeat the one before");
    let n: u32 = totals.values().sum();
    assert!(n >= 300, "only {n} strike rolls");
    assert!(totals.keys().all(|t| (2..=12).contains(t)), "{totals:?}");
    // The mean of two dice is 7 with a deviation of 2.42: over n rolls, 5 deviations of the mean are a wide gate.
    let mean = totals.iter().map(|(t, k)| f64::from(*t) * f64::from(*k)).sum::<f64>() / f64::from(n);
    assert!((mean - 7.0).abs() < 5.0 * 2.42 / f64::from(n).sqrt(), "mean {mean} of {n}");
    assert!(totals.len() >= 9, "{totals:?}");
}
