//! The examples: they do what they say, are short, and need nothing but this crate.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// An example as cargo has built it beside this test.
fn example(name: &str) -> Command {
    let deps = std::env::current_exe().unwrap();
    let folder = deps.ancestors().nth(2).unwrap().join("examples");
    let path: PathBuf = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(path.is_file(), "{} is not built: run `cargo test -p netrep`", path.display());
    let mut command = Command::new(path);
    // They need no folder.
    command.current_dir(std::env::temp_dir());
    command
}

fn printed(command: &mut Command, typed: &str) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_bot_plays_and_the_same_game_again() {
    let played = |seed: &str| printed(example("random_bot").args([seed, "60"]), "");
    let [first, again, other] = std::thread::scope(|scope| {
        ["3", "3", "4"].map(|seed| scope.spawn(move || played(seed))).map(|played| played.join().unwrap())
    });
    assert!(first.starts_with("60 answers, position ") && first.lines().count() == 3, "{first}");
    assert_eq!(again, first);
    assert_ne!(other, first);
}

#[test]
fn two_players_play_at_a_terminal() {
    let shown = printed(&mut example("two_players"), "1\nno such thing\nwhy 1\nundo\n1\nsave\n");
    assert!(shown.contains("   1. ") && shown.contains("taken back"), "{shown}");
    assert!(shown.contains("`no such thing` is no option"), "{shown}");
    assert!(shown.contains("hidden") && shown.contains(" bytes\n"), "{shown}");
}

#[test]
fn a_judge_hears_what_the_editions_answer() {
    let shown = printed(&mut example("judge"), "");
    let answers = |word: &str| shown.lines().filter(|line| line.contains(word)).count();
    assert!(answers(" is possible by ") > 0 && answers(" is not possible") > 0, "{shown}");
    assert!(shown.contains("\n  because ") && shown.contains(" — "), "{shown}");
}

/// So many lines that say something an example has at most: no remarks, no empty lines.
const LINES: [(&str, usize); 3] = [("random_bot", 30), ("two_players", 60), ("judge", 30)];

#[test]
fn examples_are_short_and_need_nothing_else() {
    for (name, most) in LINES {
        let text = std::fs::read_to_string(format!("examples/{name}.rs")).unwrap();
        let says = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        let lines = text.lines().filter(says).count();
        assert!(lines <= most, "{name} has {lines} lines, and should have {most} at most");
        let uses: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("use ")).collect();
        assert!(uses.iter().all(|path| path.starts_with("std::") || path.starts_with("netrep::")), "{name}: {uses:?}");
        assert!(!text.contains("netrep_"), "{name} names an inner crate");
    }
}
