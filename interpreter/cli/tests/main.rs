//! The program itself, on a small data folder about lamps.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod cache;
mod files;
mod play;
mod reports;
mod shapes;
#[path = "../../lab/tests/support/mod.rs"]
mod support;
mod talk;
mod upgrade;

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use support::{RULING, WORDS, scenario};

const TABLE: &str = "```position table\ngiven { player Ann, Bob. at evening for Ann. }\n```\n";
const DECKS: &str =
    "```deck One\ncards in shelf: 2 \"Tall Lamp\".\n```\n\n```deck Two\ncards in shelf: \"Small Lamp\".\n```\n";

/// The example, as a file.
fn game() -> String {
    format!("# An evening\n\n{}", scenario("an evening", "", "expect { points of Ann is 7. over. }\n"))
}

/// A data folder of its own for each test.
struct Folder(PathBuf);

/// A database of printed texts.
const PRINTED: &str = "{\"id\": \"L-1\", \"name\": \"Tall Lamp\", \"text\": \"It shines.\"}\n\n\
                       {\"id\": \"L-9\", \"name\": \"Lost Lamp\"}\n";

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("netrep-program-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Folder(std::env::temp_dir().join(name));
        folder.write("rules/toy.words", WORDS);
        folder.write("rules/toy.rulings", RULING);
        folder.write("cards/none.cards", "");
        folder.write("printed.jsonl", PRINTED);
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
        command.env("NETREP_CACHE", self.cache());
        command
    }

    /// Where its answers are kept: not among its files, and not with those of the user.
    fn cache(&self) -> PathBuf {
        self.0.with_extension("cache")
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

    /// What the program prints for lines that are typed into it, and its exit status.
    pub(crate) fn played(&self, args: &[&str], typed: &[u8]) -> (String, Option<i32>) {
        let mut child =
            self.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A game that has ended reads no more.
        let _ = child.stdin.take().unwrap().write_all(typed);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!said.contains("panicked"), "{said}");
        (said, output.status.code())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
        let _ = fs::remove_dir_all(self.cache());
    }
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().map(|object| object.keys().map(String::as_str).collect()).unwrap_or_default()
}
