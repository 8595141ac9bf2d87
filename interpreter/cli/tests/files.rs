//! Data on the disk: what is read, formatted, sorted and watched, and ends that must be clean.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::Folder;
use crate::play::PLAY;
use crate::support::WORDS;

/// `check` counts what it reads and names what it does not; what was meant to be read is an error.
#[test]
fn an_inventory_is_shown() {
    let folder = Folder::new();
    folder.write("cards/README.md", "");
    let (value, status) = folder.json(&["check"]);
    let result = &value["result"];
    assert_eq!(
        (status, &result["files"], &result["not_read"]),
        (0, &Value::from(7), &serde_json::json!(["cards/README.md"]))
    );
    let said = String::from_utf8(folder.run(&["check"]).stdout).unwrap();
    assert!(said.contains("7 files, 1 not read: cards/README.md"), "{said}");
    for (path, text, code) in [
        ("cards/mine.card", "", "not-read"),
        ("decks/mine.deck", "", "not-read"),
        ("tests/scenarios/mine.scenario", "", "not-read"),
        ("tests/scenarios/mine.md", "```scenari x\n```\n", "not-read"),
        (
            "tests/scenarios/mine.md",
            "```position x\ngiven { player Ann. Ann: shelf \"Tal Lamp\". }\n```\n",
            "unknown-card",
        ),
        ("decks/other.md", "```deck Three\ncards in shelf: \"Tal Lamp\".\n```\n", "unknown-card"),
        ("decks/other.md", "```deck Three\ncards in shelf: 1000000 \"Tall Lamp\".\n```\n", "too-much"),
    ] {
        folder.write(path, text);
        let (value, status) = folder.json(&["check"]);
        let codes: Vec<&Value> =
            value["result"]["diagnostics"].as_array().unwrap().iter().map(|d| &d["code"]).collect();
        assert_eq!((status, codes), (1, vec![&Value::from(code)]), "{path}: {value:#}");
        fs::remove_file(folder.0.join(path)).unwrap();
    }
    fs::remove_dir_all(folder.0.join("cards")).unwrap();
    fs::remove_dir_all(folder.0.join("rules")).unwrap();
    let (value, status) = folder.json(&["--root", ".", "check"]);
    assert_eq!(status, 1, "{value:#}");
    assert!(value.to_string().contains("no-data"), "{value:#}");
}

#[test]
fn outside_of_a_data_folder_the_built_in_data_are_used() {
    let folder = Folder::new();
    let empty = folder.0.join("tests/empty");
    fs::create_dir_all(&empty).unwrap();
    let outside = |args: &[&str]| folder.command(args).current_dir(std::env::temp_dir()).output().unwrap();
    let said = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    // From within the folder the root is found upwards; from beside it, it is not.
    let inside = folder.command(&["show", "Tall Lamp"]).current_dir(&empty).output().unwrap();
    assert!(inside.status.success() && said(&inside).contains("Tall Lamp"));
    assert_eq!(outside(&["show", "Tall Lamp"]).status.code(), Some(2), "no such thing is built in");
    let root = folder.0.to_string_lossy().into_owned();
    assert!(outside(&["--root", &root, "show", "Tall Lamp"]).status.success(), "the folder that is named wins");
    let rulings = outside(&["rulings"]);
    assert!(rulings.status.success() && said(&rulings).lines().count() > 100, "{}", said(&rulings));
    // What writes files needs some.
    for args in [&["fmt"][..], &["watch", "--once"]] {
        let output = outside(args);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("--root"), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_refused() {
    use std::os::unix::ffi::OsStringExt;
    let folder = Folder::new();
    let bytes = || OsString::from_vec(b"L\xffmp".to_vec());
    for args in
        [vec!["show".into(), bytes()], vec!["replay".into(), bytes()], vec!["--root".into(), bytes(), "check".into()]]
    {
        let output = folder.command(&args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!said.is_empty() && !said.contains("panicked"), "{said}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_nothing_badly() {
    let folder = Folder::new();
    for args in
        [&["words"][..], &["explain"], &["replay", "tests/games/example.md", "--trace"], &["test"], &["check"], PLAY]
    {
        let mut child = folder.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(0), "{args:?}: {said}");
        assert!(!said.contains("panicked"), "{args:?}: {said}");
    }
}

#[test]
fn formatting_leaves_what_it_cannot_read_and_goes_on() {
    let folder = Folder::new();
    folder.write("cards/a.cards", "card A-1 \"Lamp\" {");
    folder.write("cards/b.cards", "card   B-1    \"Lamp\" { kind Lamp.   height 1. }\n");
    let (value, code) = folder.json(&["fmt", "cards"]);
    assert_eq!(code, 1);
    let result = &value["result"];
    assert_eq!(
        (result["changed"].as_array().map(Vec::len), result["broken"].as_array().map(Vec::len)),
        (Some(1), Some(1))
    );
    assert_eq!(fs::read_to_string(folder.0.join("cards/a.cards")).unwrap(), "card A-1 \"Lamp\" {");
    assert!(fs::read_to_string(folder.0.join("cards/b.cards")).unwrap().starts_with("card B-1 \"Lamp\""));
}

/// Items go to the file and the place that the data declare, and nothing is left to do after it.
#[test]
fn sorting_moves_items_to_where_they_belong() {
    let folder = Folder::new();
    folder.write("rules/filing.words", "filing card { id A in \"cards/a.cards\". }\n");
    folder.write(
        "cards/mine.cards",
        "// About ten.\ncard A-10 \"Ten\" { kind Lamp. }\n\ncard A-9 \"Nine\" { kind Lamp. }\n",
    );
    assert_eq!(folder.json(&["fmt"]).1, 0);
    let changed = |value: &Value| value["result"]["changed"].as_array().map(Vec::len);
    let (value, code) = folder.json(&["fmt", "--sort", "--check"]);
    assert_eq!((code, changed(&value)), (1, Some(2)), "{value:#}");
    assert!(folder.0.join("cards/mine.cards").is_file(), "nothing is written");
    assert_eq!(folder.json(&["fmt", "--sort"]).1, 0);
    assert!(!folder.0.join("cards/mine.cards").exists());
    let sorted = fs::read_to_string(folder.0.join("cards/a.cards")).unwrap();
    assert_eq!(sorted, "card A-9 \"Nine\" { kind Lamp. }\n\n// About ten.\ncard A-10 \"Ten\" { kind Lamp. }\n");
    let (value, code) = folder.json(&["fmt", "--sort", "--check"]);
    assert_eq!((code, changed(&value)), (0, Some(0)), "{value:#}");
    assert_eq!(folder.json(&["fmt", "--sort", "cards"]).1, 2, "items move between files, so all are sorted");
}

/// A save on the disk starts a round: one line with one value.
#[test]
fn a_save_is_seen() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new();
    let mut child = folder.command(&["--format", "json", "watch"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut round = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    let first = round();
    assert_eq!((first["result"]["ran"].as_array().map(Vec::len), first["status"].as_i64()), (Some(2), Some(0)));
    folder.write("rules/toy.words", &WORDS.replace("gets +1 height", "gets +1 heigth"));
    let broken = round();
    assert_eq!((broken["result"]["held"][0].as_str(), broken["status"].as_i64()), (Some("rules/toy.words"), Some(1)));
    folder.write("rules/toy.words", &WORDS.replace("points of P + R", "points of P + R + 1"));
    let mended = round();
    assert_eq!(mended["result"]["held"].as_array().map(Vec::len), Some(0));
    assert!(mended["result"]["ran"].as_array().is_some_and(|ran| ran.iter().all(|one| one["passed"] == false)));
    // The temporary files of editors are no saves.
    folder.write("rules/.toy.words.swp", "x");
    folder.write("rules/toy.words", WORDS);
    let back = round();
    assert_eq!((back["status"].as_i64(), back["result"]["changed"][0].as_str()), (Some(0), Some("rules/toy.words")));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(Path::new(&folder.0).is_dir());
}
