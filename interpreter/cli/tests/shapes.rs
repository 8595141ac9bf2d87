//! What every command prints: one JSON value of its shape, an exit status, and clean words where something is wrong.

use std::fs;

use crate::{Folder, game, keys};

/// Commands with their exit status and the fields of their result, as the README documents them.
pub(crate) const COMMANDS: &[(&[&str], i32, &[&str])] = &[
    (&[], 0, &["runs"]),
    (&["check"], 0, &["clean", "diagnostics", "files", "not_read"]),
    (&["fmt", "--check"], 1, &["broken", "by_hand", "changed", "clean", "comments_only", "files", "rewritten"]),
    (&["test"], 0, &["clean", "diagnostics", "failed", "runs", "scenarios"]),
    (&["test", "--edition", "garden", "tests/games"], 0, &["clean", "diagnostics", "failed", "runs", "scenarios"]),
    (&["replay", "tests/games/example.md"], 0, &["runs"]),
    (&["show", "Tall", "Lamp"], 0, &["name", "shown"]),
    (&["show", "2", "--with", "R-1=long"], 0, &["name", "shown"]),
    (&["show", "Tall Lamp", "--expanded"], 0, &["expanded", "name"]),
    (&["printed", "printed.jsonl"], 1, &["differences"]),
    (&["printed", "printed.jsonl", "L-9"], 0, &["card", "id", "unknown"]),
    (&["words", "kind*"], 0, &["pattern", "words"]),
    (&["rulings", "--as-of", "1999"], 0, &["about", "later", "rulings"]),
    (&["words"], 0, &["pattern", "words"]),
    (&["words", "--after", "when a"], 0, &["after", "next"]),
    (&["try", "tall lamp"], 0, &["clean", "trials"]),
    (&["ask", "tests/games/example.md"], 0, &["positions"]),
    (
        &["why", "tests/games/example.md", "1"],
        0,
        &[
            "asked", "asked_by", "attempt", "by", "chosen", "happened", "licence", "number", "others", "profile",
            "scenario", "step",
        ],
    ),
    (&["compare", "tests/games"], 0, &["against", "profiles", "ran", "scenarios", "sides", "spared"]),
    (&["impact"], 0, &["draft", "edit", "readings", "simulated"]),
    (&["impact", "R-1", "--games", "3"], 0, &["draft", "edit", "readings", "simulated"]),
    (&["check", "--as-of", "1999"], 0, &["clean", "diagnostics", "files", "not_read"]),
    (&["ablate", "2"], 1, &["changes", "failing", "needless"]),
    (&["simulate", "--games", "2", "--decks", "One", "Two"], 0, &["failures", "games", "summary"]),
    (&["cost", "Tall Lamp", "--games", "2", "--decks", "One", "Two"], 0, &["clauses", "counts", "listing", "rest"]),
    (&["coverage"], 0, &["cards", "failing", "quick", "reach", "rules", "sisters", "words"]),
    (&["coverage", "--quick"], 0, &["cards", "failing", "quick", "reach", "rules", "sisters", "words"]),
    (
        &["play", "tests/games/example.md"],
        0,
        &["answers", "over", "profile", "recorded", "scenario", "seats", "seed", "stopped", "talk"],
    ),
    (&["cache"], 0, &["bound", "bytes", "cleared", "closed", "entries", "folder", "kinds"]),
    (&["cache", "clear"], 0, &["bound", "bytes", "cleared", "closed", "entries", "folder", "kinds"]),
    (&["explain", "unknown-word"], 0, &["code", "text"]),
    (&["explain"], 0, &["codes"]),
    (&["watch", "--once"], 0, &["changed", "diagnostics", "held", "ran", "skipped"]),
    (&["--help"], 0, &["text"]),
    (&["show", "--help"], 0, &["text"]),
];

#[test]
fn every_command_prints_one_json_value_of_its_shape() {
    let folder = Folder::new();
    for (args, status, fields) in COMMANDS {
        let (value, code) = folder.json(args);
        assert_eq!((code, value["status"].as_i64()), (*status, Some(i64::from(*status))), "{args:?}: {value:#}");
        assert_eq!(keys(&value), ["command", "format", "result", "status", "warnings"], "{args:?}");
        assert_eq!(value["format"], 1, "the README tells of this format");
        assert_eq!(keys(&value["result"]), *fields, "{args:?}");
    }
}

/// Every command of the help has its place in the list above.
#[test]
fn no_command_is_forgotten() {
    let folder = Folder::new();
    let help = String::from_utf8(folder.run(&["--help"]).stdout).unwrap();
    let list = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let names = list.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let mut count = 0;
    for name in names {
        assert!(COMMANDS.iter().any(|(args, ..)| args.first() == Some(&name)), "`{name}` is not tested");
        let help = folder.run(&[name, "--help"]);
        assert!(help.status.success());
        let help = String::from_utf8(help.stdout).unwrap();
        assert!(help.contains("Usage:") && help.lines().count() > 8, "{help}");
        count += 1;
    }
    assert_eq!(count, 21);
    assert!(help.contains("Exit status") && help.contains("First steps"));
}

#[test]
fn errors_are_one_json_value_too() {
    let folder = Folder::new();
    folder.write("tests/scenarios/broken.md", "```scenario x\ngiven { nonsense\n```\n");
    folder.write("tests/scenarios/wrong.md", &game().replace("is 7", "is 8"));
    let wrong: &[(&[&str], i32)] = &[
        (&["frobnicate"], 2),
        (&["test", "--jobs", "many"], 2),
        (&["show"], 2),
        (&["show", "Tal Lamp"], 2),
        (&["words", "xyzzy"], 2),
        (&["words", "--after", "when when"], 2),
        (&["try", "No Lamp"], 2),
        (&["explain", "no-such-code"], 2),
        (&["replay", "no-such-file.md"], 2),
        (&["replay", "tests/scenarios/broken.md"], 1),
        (&["replay", "rules"], 0),
        (&["test", "--edition", "nowhere"], 2),
        (&["show", "2", "--with", "R-9=x"], 2),
        (&["ask", "tests/scenarios/broken.md"], 1),
        (&["why", "tests/games/example.md", "99"], 1),
        (&["compare", "tests/games", "--ruling", "R-9"], 2),
        (&["compare", "tests/games", "--as-of", "May"], 2),
        (&["impact", "R-9"], 2),
        (&["impact", "--games", "3"], 2),
        (&["ablate", "no-such-item"], 1),
        (&["cost", "no-such-item", "--decks", "One", "Two"], 2),
        (&["cost", "Tall Lamp"], 2),
        (&["fmt", "no-such-file.cards"], 1),
        (&["play", "no-such-file.md"], 2),
        (&["play", "tests/scenarios/broken.md"], 1),
        (&["play", "tests/games/example.md", "--seats", "Ann"], 2),
        (&["play", "tests/games/example.md", "--seats", "Zed=me"], 2),
        (&["play", "tests/games/example.md", "--seats", "Ann=random,Bob=random"], 2),
        (&["play", "tests/games/example.md", "--after", "99"], 2),
        (&["play", "tests/games/example.md", "--scenario", "another"], 2),
        (&["--root", "no-such-folder", "check"], 2),
        (&["watch", "--once"], 1),
        (&["test"], 1),
    ];
    for (args, status) in wrong {
        let (value, code) = folder.json(args);
        assert_eq!((code, value["status"].as_i64()), (*status, Some(i64::from(*status))), "{args:?}: {value:#}");
        let (result, error) = (value.get("result").is_some(), value.get("error"));
        assert!(result != error.is_some(), "{args:?}: a result or an error: {value:#}");
        if let Some(error) = error {
            assert_eq!(keys(error), ["diagnostics", "message"], "{args:?}");
            assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{args:?}");
        }
    }
}

/// What is said in words on the same occasions: a line with a mend, never the inside of the program.
#[test]
fn errors_in_words_are_clean() {
    let folder = Folder::new();
    fs::create_dir_all(folder.0.join("tests/scenarios/folder.md")).unwrap();
    fs::write(folder.0.join("cards/bytes.cards"), b"card A-1 \xff \"Lamp\" { }\n").unwrap();
    for (args, status, says) in [
        (&["show", "Tal Lamp"][..], 2, "did you mean `Tall Lamp`"),
        (&["try", "Tal Lamp"], 2, "did you mean `Tall Lamp`"),
        (&["words", "kindel"], 2, "did you mean `kindle`"),
        (&["rulings", "--about", "kindel"], 2, "did you mean `kindle`"),
        (&["test", "--edition", "hous"], 2, "did you mean `house`"),
        (&["replay", "no-such-file.md"], 2, "no-such-file.md"),
        (&["explain", "unknown-wrod"], 2, "did you mean `unknown-word`"),
        (&["frobnicate"], 2, "frobnicate"),
        (&["--root", "nowhere", "check"], 2, "nowhere is not a folder"),
        (&["check"], 1, "bytes.cards"),
        (&["fmt", "--check"], 1, "bytes.cards"),
        (&["test"], 1, "bytes.cards"),
        (&["watch", "--once"], 1, "bytes.cards"),
        (&["replay", "tests/games/example.md"], 0, "the data have 1 error"),
    ] {
        let output = folder.run(args);
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(status), "{args:?}: {said}");
        assert!(said.contains(says), "{args:?}: {said}");
        assert!(!said.contains("panicked") && !said.contains("backtrace") && !said.contains("Os {"), "{said}");
        assert!(!said.contains('\u{1b}'), "no colours where no one sees them: {said}");
    }
}
