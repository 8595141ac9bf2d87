//! A sample of what `fuzz/` does: the same functions, with mutated files and saves that are always the same.

#[path = "../../fuzz/targets.rs"]
pub(crate) mod targets;

use std::sync::Arc;

use crate::pig;
use crate::support::data::files;
use crate::support::play::random;
use netrep_compiler::Profile;
use netrep_grammar::split;

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

/// What is put into texts: what means something to the language or to a saved game, and what means nothing.
const PIECES: &[&str] = &[
    "",
    "",
    "",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ".",
    "\"",
    "'",
    "'s",
    ";",
    ",",
    ":",
    "//",
    "/",
    "-",
    " ",
    "\n",
    "\r\n",
    "\n    ",
    "\ncard A-1 \"x\" {\n",
    "\n}\n",
    "{ }",
    " or ",
    "2.IV.iii",
    "3rd",
    "g.x",
    "99999999999999999999",
    "-1",
    "0",
    "é",
    "“",
    "_",
    "\u{301}",
    "\u{FEFF}",
    "\u{A0}",
    "🙂",
    "\u{0}",
    "null",
    "[]",
    "true",
];

/// A text with up to four places changed.
fn mutated(text: &str, numbers: &mut Numbers) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(chars.len() + 1);
        let end = (at + numbers.below(4)).min(chars.len());
        chars.splice(at..end, PIECES[numbers.below(PIECES.len())].chars());
    }
    chars.into_iter().collect()
}

/// Some items of a file that stand together, mutated.
fn items(files: &[(String, String)], numbers: &mut Numbers) -> String {
    let (_, text) = &files[numbers.below(files.len())];
    let all = split(text);
    let first = numbers.below(all.len());
    let last = (first + numbers.below(3)).min(all.len() - 1);
    mutated(&text[all[first].range.start..all[last].range.end], numbers)
}

#[test]
fn mutated_files_are_parsed_and_laid_out() {
    let files = files();
    let mut numbers = Numbers(0x5eed_0001);
    for _ in 0..3_000 {
        let text = items(&files, &mut numbers);
        targets::parse(&text);
        targets::fmt(&text);
    }
}

#[test]
fn mutated_data_are_compiled() {
    let (mut compiler, _) = pig::table();
    let mut numbers = Numbers(0x5eed_0002);
    let files = [include_str!("../pig/pig.words"), include_str!("../pig/pig.rules")]
        .map(|text| (String::new(), text.to_owned()));
    for _ in 0..1_500 {
        targets::data(&mut compiler, &items(&files, &mut numbers));
    }
}

#[test]
fn mutated_saves_are_loaded_or_refused() {
    let (compiler, mut game) = pig::table();
    let program = compiler.link(&Profile::default()).0;
    let mut saves = Vec::new();
    random(&mut game, 7, 10_000, |game| saves.push(game.save()));
    let mut numbers = Numbers(0x5eed_0003);
    for save in &saves {
        targets::save(&program, save.as_bytes());
        assert!(netrep_engine::Game::load(Arc::clone(&program), save).is_ok());
    }
    for _ in 0..3_000 {
        let save = &saves[numbers.below(saves.len())];
        targets::save(&program, mutated(save, &mut numbers).as_bytes());
    }
}
