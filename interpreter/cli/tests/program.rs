//! The program itself, on a small data folder about lamps: JSON, exit status, and ends that must be clean.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../lab/tests/support/mod.rs"]
mod support;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use support::{RULING, WORDS, scenario};

const TABLE: &str = "```position table\ngiven { player Ann, Bob. begin evening for Ann. }\n```\n";
const DECKS: &str =
    "```deck One\ncards in shelf: 2 \"Tall Lamp\".\n```\n\n```deck Two\ncards in shelf: \"Small Lamp\".\n```\n";

/// The example, as a file.
fn game() -> String {
    format!("# An evening\n\n{}", scenario("an evening", "", "expect { points of Ann is 7. over. }\n"))
}

/// A data folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("netrep-program-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Folder(std::env::temp_dir().join(name));
        folder.write("rules/toy.words", WORDS);
        folder.write("rules/toy.rulings", RULING);
        folder.write("cards/none.cards", "");
        folder.write("decks/table.md", TABLE);
        folder.write("decks/mine.md", DECKS);
        folder.write("tests/games/example.md", &game());
        folder.write("tests/scenarios/one.md", &game().replace("an evening", "the same again"));
        folder
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_netrep"));
        command.current_dir(&self.0).args(args).env_remove("NO_COLOR").stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// The one JSON value that a command prints, and its exit status.
    fn json(&self, args: &[&str]) -> (Value, i32) {
        let output = self.run(&[&["--format", "json"], args].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e}\n{text}"));
        (value, output.status.code().expect("an exit status"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().map(|object| object.keys().map(String::as_str).collect()).unwrap_or_default()
}

/// Commands with their exit status and the fields of their result, as the README documents them.
const COMMANDS: &[(&[&str], i32, &[&str])] = &[
    (&[], 0, &["runs"]),
    (&["check"], 0, &["clean", "diagnostics", "files", "not_read"]),
    (&["fmt", "--check"], 1, &["broken", "changed", "clean", "comments_only", "files"]),
    (&["test"], 0, &["clean", "diagnostics", "failed", "runs", "scenarios"]),
    (&["test", "--edition", "garden", "tests/games"], 0, &["clean", "diagnostics", "failed", "runs", "scenarios"]),
    (&["replay", "tests/games/example.md"], 0, &["runs"]),
    (&["show", "Tall", "Lamp"], 0, &["name", "shown"]),
    (&["show", "2", "--with", "R-1=long"], 0, &["name", "shown"]),
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
    (&["coverage"], 0, &["cards", "failing", "quick", "reach", "rules", "sisters", "words"]),
    (&["coverage", "--quick"], 0, &["cards", "failing", "quick", "reach", "rules", "sisters", "words"]),
    (
        &["play", "tests/games/example.md"],
        0,
        &["answers", "over", "profile", "scenario", "seats", "seed", "stopped", "talk"],
    ),
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
    assert_eq!(count, 18);
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
            "```position x\ngiven { player Ann. cards of Ann in shelf: \"Tal Lamp\". }\n```\n",
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

/// The rules and cards that are written, measured against the files that say what there is.
#[test]
fn coverage_counts_and_says_what_it_left_out() {
    let folder = Folder::new();
    let (value, _) = folder.json(&["coverage", "--quick"]);
    let rules = &value["result"]["rules"];
    assert_eq!((rules["total"].as_u64(), rules["data"].as_u64(), rules["tested"].is_null()), (Some(2), Some(2), true));
    assert_eq!(value["warnings"].as_array().map(Vec::len), Some(2), "{value:#}");
    folder.write("rules/numbers.txt", "1\n2\n3\n");
    folder.write("rules/sets.words", "filing card { id L in \"cards/l.cards\", 8 in all. }\n");
    let (value, _) = folder.json(&["coverage"]);
    let result = &value["result"];
    for (path, number) in [
        ("/rules/total", 3),
        ("/rules/data", 2),
        ("/rules/not_mechanical", 0),
        ("/rules/missing", 1),
        ("/cards/L/total", 8),
        ("/cards/L/complete", 2),
        ("/cards/L/partial", 0),
    ] {
        assert_eq!(result.pointer(path).and_then(Value::as_u64), Some(number), "{path}: {result:#}");
    }
    assert!(result["rules"]["tested"].is_u64() && result["cards"]["L"]["tested"].is_u64());
    let text = String::from_utf8(folder.run(&["coverage", "--quick"]).stdout).unwrap();
    for part in ["Rules", "missing", "33 %", "Cards", "25 %", "Words", "serve one card"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    folder.write("rules/numbers.txt", "1 and 2\n");
    let (value, code) = folder.json(&["coverage"]);
    assert_eq!((code, value["error"]["diagnostics"][0]["code"].as_str()), (1, Some("unread-total")));
}

/// A draft is tried without a save: from a file, from standard input, and in the place of a file.
#[test]
fn the_impact_of_a_draft_is_told() {
    let folder = Folder::new();
    let height = "rule 2 \"Praise\" {\n    [tall] each card gets +5 height.\n}\n";
    folder.write("draft.rules", height);
    let (value, code) = folder.json(&["impact", "draft.rules"]);
    let result = &value["result"];
    assert_eq!((code, result["draft"][0]["replaces"].as_str()), (0, Some("rules/toy.words")), "{value:#}");
    assert_eq!((result["edit"]["ran"].as_u64(), result["edit"]["spared"].as_u64()), (Some(0), Some(2)));
    let more = "ruling R-9 \"One more?\" {\n    about 1.\n    reading more { authority \"A draft\". \
                replace 1 sum { [sum] set points of P to points of P + R + 1. } }\n}\n";
    let (said, code) = played(&folder, &["impact", "-"], more.as_bytes());
    assert_eq!(code, Some(0), "{said}");
    for part in ["ruling R-9 One more?: new", "changes rule 1", "an evening", "fails now", "from step 6 on"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!fs::read_to_string(folder.0.join("rules/toy.rulings")).unwrap().contains("R-9"));
    let (said, code) = played(&folder, &["impact", "-", "--as", "rules/toy.txt"], b"");
    assert!(code == Some(2) && said.contains("no file of the language"), "{said}");
    let (said, code) = played(&folder, &["impact", "-"], b"rule 2 \"Praise\" { [tall] each card gets +5 heigth. }\n");
    assert!(code == Some(1) && said.contains("did you mean"), "{said}");
    let (said, _) = played(&folder, &["impact", "R-1", "--games", "4"], b"");
    assert!(
        said.contains("R-1 long in place of short") && said.contains("no scenario shows what it changes"),
        "{said}"
    );
    assert!(said.contains("4 games by the same seeds"), "{said}");
}

/// Of a few scenarios it is told where they part, and by which rulings.
#[test]
fn a_comparison_is_a_table_with_its_reasons() {
    let folder = Folder::new();
    folder.write(
        "rules/more.rulings",
        "ruling R-2 \"One more?\" { about 1. reading more { authority \"The garden\". date 1999. \
         replace 1 sum { [sum] set points of P to points of P + R + 1. } } }\nedition park \"Park\" { R-1 long. R-2 more. }\n",
    );
    let said = String::from_utf8(folder.run(&["compare"]).stdout).unwrap();
    for part in [
        " A  b  A  an evening",
        "park against house: 2 scenarios, the verdict in 2",
        "because of R-2 (2)",
        "part at step 6",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let text = String::from_utf8(folder.run(&["rulings", "--edition", "park", "--as-of", "1998"]).stdout).unwrap();
    assert!(
        text.contains("1 question is answered by no text as of 1998-12-31") && text.contains("later more"),
        "{text}"
    );
    let (value, _) = folder.json(&["compare", "--edition", "park", "--as-of", "1998"]);
    assert_eq!(value["result"]["profiles"][1].as_str(), Some("park + as of 1998-12-31"));
    assert_eq!(value["result"]["scenarios"][0]["partings"][0]["because"][0]["ruling"].as_str(), Some("R-2"));
}

/// Readings that part only in what is offered part in an answer, and it is told in words.
#[test]
fn what_is_offered_under_one_reading_only_is_told() {
    let folder = Folder::new();
    folder.write(
        "rules/more.rulings",
        "ruling R-2 \"May it be kindled?\" { about 1. reading yes { authority \"The house\". } \
         reading no { authority \"The garden\". replace L-2 glow { [glow] you may kindle this { [never] if points of host is 9. } } } }\n",
    );
    let asks = "```scenario asks\ngiven { player Ann, Bob. cards of Ann in shelf: \"Tall Lamp\". begin evening for Ann at step lighting. }\n\
                expect under R-2 yes { offered Ann: \"Tall Lamp\": kindle. }\n```\n";
    folder.write("tests/scenarios/asks.md", asks);
    let words = |args: &[&str]| String::from_utf8(folder.run(args).stdout).unwrap();
    let said = words(&["compare", "tests/scenarios/asks.md", "--ruling", "R-2"]);
    for part in [
        "A  B  asks",
        "part at the start, asked `Ann: \"Tall Lamp\": kindle`:",
        "A | offered",
        "B | refused because L-2 never",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let said = words(&["impact", "R-2"]);
    for part in [
        "asks  tests/scenarios/asks.md",
        "still holds\n    at the start, asked",
        "- offered",
        "+ refused because L-2 never",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let (value, _) = folder.json(&["compare", "tests/scenarios/asks.md", "--ruling", "R-2"]);
    let parting = &value["result"]["scenarios"][0]["partings"][0];
    assert_eq!((parting["asked"].as_str(), parting["step"].as_u64()), (Some("Ann: \"Tall Lamp\": kindle"), Some(0)));
    assert_eq!(keys(parting), ["asked", "because", "group", "here", "step", "there"]);
}

/// A document says since when it is known, and who cites it.
#[test]
fn a_document_is_shown_with_the_readings_that_cite_it() {
    let folder = Folder::new();
    folder.write(
        "rules/papers.rulings",
        "document paper \"The evening paper\" { date 1999-05. part L date 1998. }\n\
         document other \"Another\" { }\n\
         ruling R-2 \"One more?\" { about 1. reading no { authority \"The house\". document other \"1\". } \
         reading more { authority \"The garden\". document paper \"L-1\". authority \"The park\". document other \"1\". \
         replace 1 sum { [sum] set points of P to points of P + R + 1. } } }\nedition park \"Park\" { R-2 more. }\n",
    );
    let said = String::from_utf8(folder.run(&["show", "paper", "--edition", "park"]).stdout).unwrap();
    for part in [
        "document paper \"The evening paper\"  1999-05-31  rules/papers.rulings:1",
        "  L  1998-12-31",
        "  R-2 more  in force  One more?\n    The garden, paper L-1, 1998-12-31",
        "cited by 1 reading",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("The park"), "who cites another document: {said}");
    let (value, code) = folder.json(&["show", "The Evening Paper"]);
    let shown = &value["result"]["shown"][0];
    assert_eq!((code, shown["is"].as_str(), shown["date"].as_str()), (0, Some("document"), Some("1999-05-31")));
    assert_eq!(keys(shown), ["cited_by", "date", "diagnostics", "is", "key", "parts", "spot", "title"], "{value:#}");
    assert_eq!(keys(&shown["cited_by"][0]), ["by", "in_force", "question", "reading", "ruling"]);
    assert_eq!(shown["cited_by"][0]["in_force"].as_bool(), Some(false));
}

/// What a game prints for lines that are typed into it.
fn played(folder: &Folder, args: &[&str], typed: &[u8]) -> (String, Option<i32>) {
    use std::io::Write;
    let mut child =
        folder.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A game that has ended reads no more.
    let _ = child.stdin.take().unwrap().write_all(typed);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(!said.contains("panicked"), "{said}");
    (said, output.status.code())
}

const PLAY: &[&str] = &["play", "tests/games/example.md", "--seed", "7"];

#[test]
fn a_short_game_is_played() {
    let folder = Folder::new();
    let lines = b"why 1\nwhy kindle small lamp\nkindle\nboard\nboard tall lamp\n\npass\nundo\npass\n\n\n\n\nquit\n";
    let (said, code) = played(&folder, PLAY, lines);
    assert_eq!(code, Some(0), "{said}");
    for part in [
        "an evening  [default]  seed 7",
        "evening: lighting",
        "Ann: ",
        "   1. pass",
        "is possible by",
        "`\"Small Lamp\": kindle` is not possible",
        "L-1 own",
        "> kindle\n",
        "\"Tall Lamp\": light Lit",
        "height: 4",
        "Bob: ",
        "the last answer is taken back",
        "Nothing is left to decide.",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains('\u{1b}'), "no colours where no one sees them: {said}");
    assert_eq!(played(&folder, PLAY, lines).0, said, "the same seed and the same answers");
}

#[test]
fn words_that_may_mean_several_options_are_told() {
    let folder = Folder::new();
    let two =
        game().replace("\"Tall Lamp\".\n    cards of Bob in shelf: \"Small Lamp\"", "\"Tall Lamp\", \"Small Lamp\"");
    folder.write("tests/games/two.md", &two);
    let (said, _) = played(&folder, &["play", "tests/games/two.md"], b"kindle\n");
    assert!(said.contains("may mean any of these") && said.contains("Small Lamp\": kindle"), "{said}");
}

#[test]
fn a_game_against_a_random_player_is_saved_and_gone_on_with() {
    let folder = Folder::new();
    let args = [PLAY, &["--seats", "Ann=me,Bob=random"]].concat();
    let (said, code) = played(&folder, &args, b"kindle\nsave game.json\nsave tests/games/example.md\n");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("saved as game.json") && said.contains("no saved game"), "{said}");
    assert!(!said.contains("Bob: "), "a random player is not asked: {said}");
    assert!(fs::read_to_string(folder.0.join("tests/games/example.md")).unwrap().contains("scenario"));
    let (value, code) = folder.json(&["play", "game.json"]);
    let result = &value["result"];
    assert_eq!((code, result["seed"].as_u64(), result["seats"][1]["who"].as_str()), (0, Some(7), Some("random")));
    let (said, code) = played(&folder, &["play", "game.json", "--seed", "8"], b"");
    assert_eq!(code, Some(2), "{said}");
    let (said, code) = played(&folder, &["play", "game.json", "--edition", "garden"], b"");
    assert!(code == Some(2) && said.contains("played under default"), "{said}");
}

#[test]
fn play_begins_after_so_many_steps() {
    let folder = Folder::new();
    let (said, code) = played(&folder, &["play", "tests/games/example.md", "--after", "1"], b"");
    assert!(code == Some(0) && said.contains("\"Tall Lamp\": light Lit"), "{said}");
}

#[test]
fn whatever_is_typed_a_game_ends_cleanly() {
    let folder = Folder::new();
    let nonsense: Vec<u8> =
        (0..20_000u32).map(|i| u8::try_from(i.wrapping_mul(2_654_435_761) >> 24).unwrap()).collect();
    for typed in
        [&b""[..], b"\n", b"kindle", b"\xff\xfe\n\"\n", b"load tests\nload \nsave /\nboard \"\nwhy \"\n", &nonsense]
    {
        let (said, code) = played(&folder, PLAY, typed);
        assert_eq!(code, Some(0), "{said}");
    }
    let mut command = folder.command(&["--format", "json", "play", "tests/games/example.md"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    {
        use std::io::Write;
        child.stdin.take().unwrap().write_all(b"kindle\nwhy 1\nquit\n").unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let result = &value["result"];
    assert_eq!(result["answers"][0]["by"].as_str(), Some("Ann"));
    let typed: Vec<_> = result["talk"].as_array().unwrap().iter().map(|one| one["typed"].as_str()).collect();
    assert_eq!(typed, [None, Some("kindle"), Some("why 1"), Some("quit")]);
    assert!(result["talk"][0]["shown"][0]["text"].is_string());
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
