//! Decks, scripts and whole folders that come from elsewhere: they are refused with places, or mean something.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::support::data::{library, root};
use crate::support::writer::words_of_letters;
use netrep_compiler::{Compiler, Diagnostic, Profile, load};
use netrep_grammar::fences;
use netrep_lab::decks::decks;
use netrep_lab::driver::drive_to;
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::parse;

use super::{Numbers, for_seeds, mutated};

/// Every place of a diagnostic about a text lies in it.
fn placed(diags: &[Diagnostic], file: &str, text: &str) {
    for diag in diags.iter().filter(|diag| *diag.place.file == *file) {
        let place = diag.place.start as usize..diag.place.end as usize;
        assert!(text.get(place).is_some(), "a place outside of the text: {diag:?}\n{text}");
    }
}

/// The whole blocks of the Markdown files below a folder of the repository, each with its fence.
fn blocks(folder: &str, kind: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        open.extend(paths.iter().filter(|path| path.is_dir()).cloned());
        for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "md")) {
            let text = load::read_text(path).unwrap();
            let wanted = |fence: &netrep_grammar::Fence| fence.info.split_whitespace().next() == Some(kind);
            let whole = fences(&text).into_iter().filter(wanted);
            found.extend(whole.map(|fence| format!("```{}\n{}```\n", fence.info, &text[fence.content.clone()])));
        }
    }
    assert!(!found.is_empty());
    found
}

/// A block with some signs changed, or with some of its sentences twice, elsewhere or from another block.
fn shaken(all: &[String], numbers: &mut Numbers) -> String {
    let block = &all[numbers.below(all.len())];
    if numbers.below(2) == 0 {
        return mutated(block, numbers);
    }
    let mut lines: Vec<&str> = block.lines().collect();
    let others: Vec<&str> = all[numbers.below(all.len())].lines().collect();
    for _ in 0..=numbers.below(3) {
        let (from, to) = (numbers.below(lines.len()), numbers.below(lines.len()));
        match numbers.below(4) {
            0 => lines.insert(to, lines[from]),
            1 => lines.swap(from, to),
            2 => lines.insert(to, others[numbers.below(others.len())]),
            _ if lines.len() > 1 => _ = lines.remove(from),
            _ => {}
        }
    }
    lines.join("\n") + "\n"
}

/// Scenarios of the repository, changed: positions and scripts are refused where they are wrong, or run to an end.
#[test]
fn changed_scripts_are_refused_or_run() {
    const FILE: &str = "changed.md";
    let all = blocks("tests/scenarios", "scenario");
    let library = library();
    let totals = for_seeds("scripts", 60, |_, numbers| {
        let text = shaken(&all, numbers);
        let parsed = parse(FILE, &text, true);
        placed(&parsed.diags, FILE, &text);
        let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
        let mut came = if scenarios.is_empty() { "refused" } else { "passed" };
        for report in run(&library.compiler, &jobs(&scenarios, &Profile::default()), 1, false) {
            placed(&report.diags, FILE, &text);
            if !report.passed() {
                came = if report.steps.is_empty() { "refused" } else { "failed" };
            }
        }
        came
    });
    let some = |what: &str| totals.contains_key(what);
    assert!(some("refused") && (some("failed") || some("passed")), "some are refused and some run: {totals:?}");
}

/// Decks of the repository, changed: they are refused, or the game with them begins.
#[test]
fn changed_decks_are_refused_or_begin() {
    const FILE: &str = "changed.md";
    let all = blocks("decks", "deck");
    let library = library();
    let whole = decks(FILE, &all[0]).unwrap().remove(0);
    let totals = for_seeds("decks", 30, |_, numbers| {
        let text = shaken(&all, numbers);
        let changed = match decks(FILE, &text) {
            Ok(changed) => changed,
            Err(diags) => {
                placed(&diags, FILE, &text);
                return "refused as a text";
            }
        };
        let Some(deck) = changed.into_iter().next() else { return "none" };
        match library.table(&[deck, whole.clone()], &Profile::default()) {
            Ok(prepared) => {
                assert!(drive_to(&prepared, None, None).1.is_some(), "an admitted deck begins:\n{text}");
                "begun"
            }
            Err(diags) => {
                placed(&diags, FILE, &text);
                "refused"
            }
        }
    });
    assert!(totals.contains_key("refused") && totals.contains_key("begun"), "{totals:?}");
}

/// A folder of its own that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let path = std::env::temp_dir().join(format!("netrep-fuzzed-{}", std::process::id()));
        _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// Names of files and folders: as they should be, nearly so, and such as no one should give.
const NAMES: &[&str] = &[
    "a.cards",
    "b.words",
    "c.rules",
    "d.rulings",
    "e.editions",
    "f.CARDS",
    "g.card",
    "h.cards.bak",
    ".cards",
    "..rules",
    "no end",
    "é\u{301}.words",
    "\u{202e}sdrac.cards",
    "new\nline.rules",
    "-rf.cards",
    "`quoted`.rules",
];

/// Folders in which they lie.
const FOLDERS: &[&str] = &["", "cards", "rules", "cards/deep", "rules/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r", "rulse"];

/// A small game that the files stand beside.
const GAME: [(&str, &str); 2] = [
    ("rules/pig.words", include_str!("../../pig/pig.words")),
    ("rules/pig.rules", include_str!("../../pig/pig.rules")),
];

/// Folders with files of all names and contents beside a small game: what is there is read or named, and what is wrong
/// has its place.
#[test]
fn odd_folders_are_read_or_named() {
    let totals = for_seeds("folders", 25, |seed, numbers| {
        let folder = Folder::new();
        let mut written = 0;
        for (path, text) in GAME {
            // Now and then the game itself is not whole.
            let text = if numbers.below(4) == 0 { mutated(text, numbers) } else { text.to_owned() };
            written += usize::from(write(&folder.0.join(path), text.as_bytes()));
        }
        for nth in 0..numbers.below(6) {
            let place = folder.0.join(FOLDERS[numbers.below(FOLDERS.len())]);
            let name = format!("{nth}{}", NAMES[numbers.below(NAMES.len())]);
            written += usize::from(write(&place.join(name), &contents(seed, numbers)));
        }
        let inventory = load::read_folder(&folder.0).expect("it can be listed");
        assert!(written >= inventory.files.len(), "{inventory:?}");
        let mut compiler = Compiler::new();
        compiler.take(inventory);
        let diags = compiler.check();
        for diag in &diags {
            if let Some(text) = compiler.text(&diag.place.file) {
                placed(std::slice::from_ref(diag), &diag.place.file, &text);
            }
        }
        compiler.check_choices();
        compiler.link(&Profile::default());
        if diags.iter().any(Diagnostic::is_error) { "with errors" } else { "whole" }
    });
    assert!(totals.contains_key("with errors") && totals.contains_key("whole"), "{totals:?}");
}

/// Writes a file, if the system takes its name.
fn write(path: &Path, bytes: &[u8]) -> bool {
    path.parent().is_some_and(|folder| fs::create_dir_all(folder).is_ok()) && fs::write(path, bytes).is_ok()
}

/// What a file holds: bytes, or much of something that means something.
fn contents(seed: u64, numbers: &mut Numbers) -> Vec<u8> {
    let many = [3, 30, 300, 3_000][numbers.below(4)];
    let (_, game) = GAME[numbers.below(GAME.len())];
    let name = words_of_letters(seed);
    let text = match numbers.below(12) {
        0 => return (0..many).map(|_| numbers.below(256) as u8).collect(),
        1 => return game.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        2 => return game.bytes().map(|byte| if byte == b'e' { 0xE9 } else { byte }).collect(),
        3 => format!("rule 7 \"Deep\" {{ [deep] {} stop {}. }}\n", "{ ".repeat(many), " }".repeat(many)),
        4 => format!("adjective {name} of (player P): {}1 = 1{}.\n", "(".repeat(many), ")".repeat(many)),
        5 => format!("define {name}: number = {}1.\n", "1 + ".repeat(many)),
        6 => format!("define {name}: number = {}.\n", "9".repeat(many)),
        7 => format!(
            "list {name} {{ {} }}\n",
            (0..many).map(|n| format!("Z{}. ", words_of_letters(n as u64))).collect::<String>()
        ),
        8 => (0..many).map(|n| format!("figure {name}{} of player: number.\n", words_of_letters(n as u64))).collect(),
        9 => (0..many).map(|n| format!("rule 8.{n} \"Many\" {{ [x] when a player rolls: stop. }}\n")).collect(),
        10 => format!("class {name}: {}.\n", vec!["player"; many].join(", ")),
        _ => mutated(&game.repeat(1 + many / 300), numbers),
    };
    text.into_bytes()
}
