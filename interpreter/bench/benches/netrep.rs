//! The benchmarks of the README: compiling, editing, deciding, listing, explaining, copying, tracing.
//!
//! Decisions are counted only if they have two options or more; a decision's time holds listing its options,
//! choosing one by a keyed number and taking it.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use netrep_compiler::{Compiler, Profile, edit};
use netrep_engine::{DecisionKind, Game};
use netrep_grammar::split;
use netrep_lab::decks::Deck;
use netrep_lab::driver::start::start;
use netrep_lab::prepare::prepare;
use netrep_lab::run::{jobs, run};
use netrep_lab::simulate::{Plan, Player, condition, simulate};
use netrep_lab::watch::{Saved, Watcher};
use netrep_lab::{Library, Scenario};

/// What the program has.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(compiler: &Compiler) -> Vec<(String, String)> {
    compiler.paths().iter().map(|p| (p.to_string(), compiler.text(p).expect("a loaded file").to_string())).collect()
}

/// The data with its cards, but for the regions, copied under other ids until there are about 1,700.
fn multiplied(files: &[(String, String)]) -> Vec<(String, String)> {
    let cards: Vec<_> = files.iter().filter(|(p, _)| p.ends_with(".cards") && !p.contains("regions")).collect();
    // The first card of a file stands after no line.
    let lines = |text: &str| format!("\n{text}");
    let header = "\ncard ";
    let written: usize = cards.iter().map(|(_, text)| lines(text).matches(header).count()).sum();
    let mut all = files.to_vec();
    for copy in 1..1_700 / written {
        for (path, text) in &cards {
            all.push((
                path.replace("cards/", &format!("cards/copy-{copy}/")),
                lines(text).replace(header, &format!("{header}X{copy}-")),
            ));
        }
    }
    all
}

fn compiled(files: &[(String, String)]) -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_files(files.iter().map(|(p, t)| (p.as_str(), t.as_str())));
    compiler
}

fn compile(c: &mut Criterion) {
    let mut loaded = Compiler::new();
    loaded.load_dir(&root()).expect("the data");
    let small = files(&loaded);
    let large = multiplied(&small);
    let mut group = c.benchmark_group("compile");
    group.sample_size(10).measurement_time(Duration::from_secs(4));
    group.bench_function("cold, the data", |b| b.iter(|| compiled(&small).check().len()));
    group.bench_function("cold, 1,700 cards", |b| b.iter(|| compiled(&large).check().len()));
    group.bench_function("cold and linked, 1,700 cards", |b| {
        b.iter(|| compiled(&large).link(&Profile::default()).1.len())
    });
    let path = "cards/copy-1/the-wizards/creatures.cards";
    let text = large.iter().find(|(p, _)| p == path).map(|(_, t)| t.clone()).expect("a copy");
    let number = split(&text).into_iter().find_map(|raw| {
        let item = text.get(raw.range.clone())?;
        let nudged = edit::nudged(item, edit::numbers(item).first()?, 1)?;
        Some([&text[..raw.range.start], &nudged, &text[raw.range.end..]].concat())
    });
    let edits = [text.clone(), number.expect("a number")];
    let mut warm = compiled(&large);
    warm.check();
    let mut turn = 0;
    group.bench_function("edit a number: that file's diagnostics", |b| {
        b.iter(|| {
            turn += 1;
            warm.set_file(path, &edits[turn % 2]);
            warm.check_file(path).len()
        });
    });
    group.bench_function("edit a number: everything's diagnostics", |b| {
        b.iter(|| {
            turn += 1;
            warm.set_file(path, &edits[turn % 2]);
            warm.check().len()
        });
    });
    group.bench_function("edit a number: linked again", |b| {
        b.iter(|| {
            turn += 1;
            warm.set_file(path, &edits[turn % 2]);
            warm.link(&Profile::default()).1.len()
        });
    });
    group.finish();
}

/// The start of the example's attacks.
fn position() -> Game {
    let library = Library::open(&root()).expect("the data");
    let parsed = library.scenarios(&[PathBuf::from("tests/games/attacks-of-the-example.md")], false).expect("the game");
    let scenario = std::sync::Arc::new(parsed.scenarios.first().expect("a scenario").clone());
    let profile = Profile::default();
    let prepared = prepare(&library.compiler, &scenario, &profile, &profile).expect("a position");
    start(&prepared).expect("a legal position")
}

/// A keyed number below `n`, without a generator's state.
fn keyed(seed: u64, n: usize) -> usize {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^= x >> 29;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 32;
    usize::try_from(x % n.max(1) as u64).unwrap_or(0)
}

/// How long a decision took: listing its options, and all of it.
struct Took {
    listing: Duration,
    all: Duration,
}

/// Plays on at random to the end; answers how many decisions had a choice, and calls `each` with their time.
fn play(mut game: Game, seed: u64, mut each: impl FnMut(Took)) -> u64 {
    let mut count = 0;
    let mut step = 0;
    while let Some(decision) = game.decision() {
        step += 1;
        if matches!(decision.kind, DecisionKind::Roll { .. } | DecisionKind::Shuffle { .. }) {
            game.answer_chance(seed).expect("a roll");
            continue;
        }
        let at = Instant::now();
        let options = game.options();
        let listing = at.elapsed();
        let choice = &options[keyed(seed.wrapping_mul(1_000_003).wrapping_add(step), options.len())];
        game.take(choice).expect("what is offered is accepted");
        if options.len() > 1 {
            count += 1;
            each(Took { listing, all: at.elapsed() });
        }
    }
    count
}

/// Figures that criterion does not give: decisions a second, their median and 99th percentile, the share of listing.
fn decisions(what: &str, game: &Game, games: u64) {
    let mut times = Vec::new();
    let mut listing = Duration::ZERO;
    let begun = Instant::now();
    let mut decisions = 0;
    for seed in 0..games {
        decisions += play(game.clone(), seed, |took| {
            times.push(took.all);
            listing += took.listing;
        });
    }
    let total = begun.elapsed();
    let own: Duration = times.iter().sum();
    times.sort();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    println!(
        "{what}: {decisions} decisions with a choice in {games} games, {:.0} a second of their own time, {:.0} a second \
         of all (with rolls, passes and set-up); median {:?}, 99 in 100 within {:?}; {:.0} % of it lists options; \
         {:.2} games a second",
        decisions as f64 / own.as_secs_f64(),
        decisions as f64 / total.as_secs_f64(),
        at(50),
        at(99),
        100.0 * listing.as_secs_f64() / own.as_secs_f64(),
        games as f64 / total.as_secs_f64()
    );
}

/// Whole games between the two decks of the repository, on one thread.
fn whole(c: &mut Criterion) {
    let library = Library::open(&root()).expect("the data");
    let decks: Vec<Deck> = ["Rivendell", "Lórien"].iter().map(|name| library.deck(name).expect("a deck")).collect();
    let prepared = library.table(&decks, &Profile::default()).expect("the table");
    let game = start(&prepared).expect("a legal position");
    decisions("whole games", &game, 40);
    let mut group = c.benchmark_group("whole games");
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    for (name, player) in [("random", Player::Random), ("greedy", Player::Greedy)] {
        let mut seed = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                seed += 1;
                let plan = Plan { games: 1, seed, threads: 1, player, sample: 0, again: 0, ..Plan::default() };
                simulate(&game, &plan).counts.decisions
            });
        });
    }
    group.finish();
}

fn decide(c: &mut Criterion) {
    let game = position();
    let mut group = c.benchmark_group("play");
    group.sample_size(20).measurement_time(Duration::from_secs(4));
    group.bench_function("random attacks, one game", |b| {
        let mut seed = 0;
        b.iter_batched(
            || {
                seed += 1;
                (game.clone(), seed)
            },
            |(g, s)| play(g, s, |_| {}),
            BatchSize::SmallInput,
        );
    });
    group.bench_function("random attacks, one game, traced", |b| {
        let mut seed = 0;
        b.iter_batched(
            || {
                seed += 1;
                let mut g = game.clone();
                g.set_tracing(true);
                (g, seed)
            },
            |(g, s)| play(g, s, |_| {}),
            BatchSize::SmallInput,
        );
    });
    // The second player's first decision: two creatures, each by two keys, and a pass.
    let mut open = game.clone();
    let pass = open.options().into_iter().last().expect("a pass");
    open.take(&pass).expect("a pass");
    group.bench_function("list options", |b| b.iter(|| open.options().len()));
    let offered = open.options();
    group.bench_function("explain every option", |b| {
        b.iter(|| offered.iter().filter(|o| open.explain(o).legal).count());
    });
    group.bench_function("clone", |b| b.iter(|| open.clone()));
    group.bench_function("clone, take an option, drop", |b| {
        let option = open.options().swap_remove(0);
        b.iter(|| open.clone().take(&option).is_ok());
    });
    group.bench_function("suppose an option", |b| {
        let option = open.options().swap_remove(0);
        b.iter(|| open.suppose(|copy| copy.take(&option).is_ok()));
    });
    group.bench_function("hash", |b| b.iter(|| open.position_hash()));
    group.finish();

    decisions("random attacks", &game, 400);
}

/// The erratum of a card that touches the fewest scenarios, but at least one: the file before and after it, and how many.
fn erratum(watcher: &mut Watcher) -> ([Vec<Saved>; 2], usize) {
    let saved = |path: &str, text: String| vec![Saved { path: path.to_owned(), text: Some(text) }];
    let mut best: Option<([Vec<Saved>; 2], usize)> = None;
    let cards = watcher.library().compiler.items().into_iter().filter(|item| item.head == "card");
    for item in cards.collect::<Vec<_>>() {
        let Some(number) = edit::numbers(&item.text).pop() else { continue };
        let Some(text) = edit::nudged(&item.text, &number, 1) else { continue };
        let compiler = &watcher.library().compiler;
        let before = compiler.text(&item.place.file).expect("its file").to_string();
        let after = compiler.file_with(&item, &text).expect("its file");
        let saves = [saved(&item.place.file, before), saved(&item.place.file, after)];
        let ran = watcher.changed(&saves[1], &|_| ()).ran.len();
        watcher.changed(&saves[0], &|_| ());
        if ran > 0 && best.as_ref().is_none_or(|(_, least)| ran < *least) {
            best = Some((saves, ran));
        }
        if ran == 1 {
            break;
        }
    }
    best.expect("some erratum touches a scenario")
}

fn lab(c: &mut Criterion) {
    let mut group = c.benchmark_group("lab");
    group.sample_size(20).measurement_time(Duration::from_secs(4));
    let mut watcher = Watcher::open(&root(), &[], &Profile::default(), 2).expect("the data");
    // Once is enough: it takes seconds.
    let begun = Instant::now();
    watcher.start(&|_| ());
    println!("all_scenarios: {} runs from nothing on two threads in {:?}", watcher.runs(), begun.elapsed());
    let (saves, ran) = erratum(&mut watcher);
    println!("erratum_one_scenario: {ran} of {} runs are repeated", watcher.runs());
    let mut turn = 0;
    group.bench_function("erratum_one_scenario", |b| {
        b.iter(|| {
            turn += 1;
            watcher.changed(&saves[turn % 2], &|_| ()).ran.len()
        });
    });
    let library = Library::open(&root()).expect("the data");
    let file = library.example().expect("the example game");
    group.bench_function("replay_example", |b| {
        b.iter(|| {
            let parsed = library.scenarios(std::slice::from_ref(&file), false).expect("the game");
            let scenarios: Vec<std::sync::Arc<Scenario>> =
                parsed.scenarios.into_iter().map(std::sync::Arc::new).collect();
            run(&library.compiler, &jobs(&scenarios, &Profile::default()), 1, false).len()
        });
    });
    group.bench_function("replay_example, cold", |b| {
        b.iter(|| {
            let library = Library::open(&root()).expect("the data");
            let parsed = library.scenarios(std::slice::from_ref(&file), false).expect("the game");
            let scenarios: Vec<std::sync::Arc<Scenario>> =
                parsed.scenarios.into_iter().map(std::sync::Arc::new).collect();
            run(&library.compiler, &jobs(&scenarios, &Profile::default()), 1, false).len()
        });
    });
    let parsed = library.scenarios(std::slice::from_ref(&file), false).expect("the game");
    let scenario = std::sync::Arc::new(parsed.scenarios.into_iter().next().expect("the example"));
    let prepared =
        prepare(&library.compiler, &scenario, &Profile::default(), &Profile::default()).expect("its position");
    let opening = start(&prepared).expect("a legal position");
    let until = condition(&library.compiler, &prepared, "turns of Jessica + turns of Jason > 6").expect("a condition");
    let mut seed = 0;
    group.bench_function("random play to the end of turn six", |b| {
        b.iter(|| {
            seed += 1;
            let plan =
                Plan { games: 1, seed, threads: 1, until: Some(until.clone()), sample: 0, again: 0, ..Plan::default() };
            simulate(&opening, &plan).counts.decisions
        });
    });
    group.finish();
}

criterion_group!(benches, compile, decide, lab, whole);
criterion_main!(benches);
