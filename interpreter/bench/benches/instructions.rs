//! How many instructions a fixed set of compiles and games takes, counted by valgrind: what is not measured but counted is the
//! same under any load. Setting up is not counted, but reading the files of what is compiled cold.
//!
//! The data are those of `target/fixed`, which `.ci/fixed` makes, else those of the repository.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(unreachable_pub, reason = "what the macros of gungraun write is public")]

use std::process::{Command, Stdio};

/// What counts: valgrind, and the program that starts it.
const NEEDED: [(&str, &str); 2] = [
    ("valgrind", "install valgrind"),
    ("gungraun-runner", "`cargo install gungraun-runner` in the version of Cargo.lock"),
];

fn main() {
    let is_there =
        |name: &str| Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    // What is started to be counted has been looked for by who started it.
    let is_counted = std::env::args().any(|arg| arg == "--gungraun-run");
    let needed = NEEDED.iter().filter(|_| !is_counted);
    let missing: Vec<&str> = needed.filter(|(name, _)| !is_there(name)).map(|(_, mend)| *mend).collect();
    if missing.is_empty() {
        counted::run();
    } else {
        println!("instructions are not counted: {}", missing.join("; "));
    }
}

mod counted {
    use std::hint::black_box;
    use std::path::{Path, PathBuf};

    use gungraun::prelude::*;
    use gungraun::{Callgrind, EntryPoint};
    use netrep_compiler::{Compiler, Profile, edit};
    use netrep_engine::Game;
    use netrep_lab::Library;
    use netrep_lab::driver::start::start;
    use netrep_lab::simulate::{Chance, Player, answer};

    fn root() -> PathBuf {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let fixed = root.join("target/fixed");
        if fixed.join("cards").is_dir() { fixed } else { root }
    }

    fn texts() -> Vec<(String, String)> {
        netrep_compiler::load::read_folder(&root()).expect("the data").files
    }

    fn compiled(files: &[(String, String)]) -> Compiler {
        let mut compiler = Compiler::new();
        compiler.set_files(files.iter().map(|(p, t)| (p.as_str(), t.as_str())));
        compiler
    }

    /// A compiler that knows everything, and the file of a card with its number moved by one.
    fn edited() -> (Compiler, String, String) {
        let compiler = compiled(&texts());
        compiler.check();
        let cards = compiler.items().into_iter().filter(|item| item.head == "card");
        let nudged = |item: netrep_compiler::views::ItemView| {
            let text = edit::nudged(&item.text, edit::numbers(&item.text).first()?, 1)?;
            let file = item.place.file.to_string();
            compiler.file_with(&item, &text).map(|text| (file, text))
        };
        let (file, text) = cards.filter_map(nudged).next().expect("a card with a number");
        (compiler, file, text)
    }

    /// The start of a game between the two decks.
    fn table() -> Game {
        let library = Library::open(&root()).expect("the data");
        let decks: Vec<_> = ["Rivendell", "Lórien"].iter().map(|name| library.deck(name).expect("a deck")).collect();
        let prepared = library.table(&decks, &Profile::default()).expect("the table");
        start(&prepared).expect("a legal position")
    }

    /// Plays on, on this thread, so that it is counted here: at most so many decisions. How many there were.
    fn played(mut game: Game, player: Player, seed: u64, most: usize) -> usize {
        let mut chance = Chance::new(seed);
        for n in 0..most {
            if game.decision().is_none() {
                return n;
            }
            let rolled = game.keyed_roll(seed);
            let answered = || {
                let options = game.options();
                answer(player, &mut game, &options, &mut chance)
            };
            let submission = rolled.or_else(answered).expect("an option");
            game.take(&submission).expect("what is offered is accepted");
        }
        most
    }

    /// Instructions alone are counted: caches differ from machine to machine.
    fn instructions(counted: EntryPoint) -> LibraryBenchmarkConfig {
        let mut config = LibraryBenchmarkConfig::default();
        config.tool(Callgrind::with_args(["--cache-sim=no"]).entry_point(counted));
        config
    }

    // All that runs, also on other threads.
    #[library_benchmark(config = instructions(EntryPoint::None))]
    #[bench::all(setup = texts)]
    fn check_cold(files: Vec<(String, String)>) -> usize {
        black_box(compiled(&files).check().len())
    }

    #[library_benchmark(config = instructions(EntryPoint::None))]
    #[bench::all(setup = texts)]
    fn link_cold(files: Vec<(String, String)>) -> usize {
        black_box(compiled(&files).link(&Profile::default()).0.clauses.len())
    }

    #[library_benchmark]
    #[bench::number(setup = edited)]
    fn check_after_edit((mut compiler, file, text): (Compiler, String, String)) -> usize {
        compiler.set_file(&file, &text);
        black_box(compiler.check().len())
    }

    #[library_benchmark]
    #[bench::five_games(setup = table)]
    fn random(game: Game) -> usize {
        black_box((1..=5).map(|seed| played(game.clone(), Player::Random, seed, usize::MAX)).sum())
    }

    #[library_benchmark]
    #[bench::two_hundred_decisions(setup = table)]
    fn greedy(game: Game) -> usize {
        black_box(played(game, Player::Greedy, 1, 200))
    }

    library_benchmark_group!(name = compiles, benchmarks = [check_cold, link_cold, check_after_edit]);
    library_benchmark_group!(name = games, benchmarks = [random, greedy]);

    main!(config = instructions(EntryPoint::Default), library_benchmark_groups = [compiles, games]);

    pub(crate) fn run() {
        main();
    }
}
