//! Games that are typed into the program.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use crate::{Folder, game};

pub(crate) const PLAY: &[&str] = &["play", "tests/games/example.md", "--seed", "7"];

#[test]
fn a_short_game_is_played() {
    let folder = Folder::new();
    let lines = b"why 1\nwhy kindle small lamp\nkindle\nboard\nboard tall lamp\n\npass\nundo\npass\n\n\n\n\nquit\n";
    let (said, code) = folder.played(PLAY, lines);
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
    assert_eq!(folder.played(PLAY, lines).0, said, "the same seed and the same answers");
}

#[test]
fn words_that_may_mean_several_options_are_told() {
    let folder = Folder::new();
    let two = game().replace("\"Tall Lamp\".\n    Bob: shelf \"Small Lamp\"", "\"Tall Lamp\", \"Small Lamp\"");
    folder.write("tests/games/two.md", &two);
    let (said, _) = folder.played(&["play", "tests/games/two.md"], b"kindle\n");
    assert!(said.contains("may mean any of these") && said.contains("Small Lamp\": kindle"), "{said}");
}

#[test]
fn a_game_against_a_random_player_is_saved_and_gone_on_with() {
    let folder = Folder::new();
    let args = [PLAY, &["--seats", "Ann=me,Bob=random"]].concat();
    let (said, code) = folder.played(&args, b"kindle\nsave game.json\nsave tests/games/example.md\n");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("saved as game.json") && said.contains("no saved game"), "{said}");
    assert!(!said.contains("Bob: "), "a random player is not asked: {said}");
    assert!(fs::read_to_string(folder.0.join("tests/games/example.md")).unwrap().contains("scenario"));
    let (value, code) = folder.json(&["play", "game.json"]);
    let result = &value["result"];
    assert_eq!((code, result["seed"].as_u64(), result["seats"][1]["who"].as_str()), (0, Some(7), Some("random")));
    let (said, code) = folder.played(&["play", "game.json", "--seed", "8"], b"");
    assert_eq!(code, Some(2), "{said}");
    let (said, code) = folder.played(&["play", "game.json", "--edition", "garden"], b"");
    assert!(code == Some(2) && said.contains("played under default"), "{said}");
}

#[test]
fn a_game_is_recorded_and_replayed() {
    let folder = Folder::new();
    let own = [PLAY, &["--record", "game.md"]].concat();
    let (said, code) = folder.played(&own, b"kindle\nundo\nkindle\nquit\n");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("written to game.md"), "{said}");
    let text = fs::read_to_string(folder.0.join("game.md")).unwrap();
    assert_eq!(text.matches(": kindle.").count(), 1, "what was taken back is not written: {text}");
    let (value, code) = folder.json(&["replay", "game.md"]);
    assert_eq!((code, value["result"]["runs"][0]["passed"].as_bool()), (0, Some(true)), "{text}");
    // Whole games between decks, with what a random player does.
    let decks =
        ["play", "--decks", "One", "Two", "--seed", "3", "--seats", "Ann=me,Bob=random", "--record", "whole.md"];
    let (said, code) = folder.played(&decks, b"\n\n\n1\n1\nquit\n");
    assert_eq!(code, Some(0), "{said}");
    let (value, code) = folder.json(&["test", "whole.md"]);
    assert_eq!((code, value["result"]["failed"].as_u64()), (0, Some(0)), "{value}");
    for (args, part) in [
        (own.as_slice(), "is there already"),
        (&["play", "--record", "other.md"], "required"),
        (&["play", "tests/games/example.md", "--decks", "One"], "cannot be used with"),
    ] {
        let (said, code) = folder.played(args, b"");
        assert!(code == Some(2) && said.contains(part), "{part}: {said}");
    }
    folder.played(PLAY, b"save game.json\n");
    let (said, code) = folder.played(&["play", "game.json", "--record", "other.md"], b"");
    assert!(code == Some(2) && said.contains("how a saved game came about"), "{said}");
}

#[test]
fn play_begins_after_so_many_steps() {
    let folder = Folder::new();
    let (said, code) = folder.played(&["play", "tests/games/example.md", "--after", "1"], b"");
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
        let (said, code) = folder.played(PLAY, typed);
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
