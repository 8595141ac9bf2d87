//! What `fuzz/` does with mutated files and saves: the same functions, by seeds, so that every run is the same and a long one
//! can be divided and resumed.
//!
//! `SEEDS=FROM..TO` says which seeds; without it a sample is made. Every ten thousandth seed it is told how far it is and what has
//! come of the inputs so far (`--nocapture`), so that a run which was stopped goes on from there.

#[path = "../../fuzz/targets.rs"]
pub(crate) mod targets;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::pig;
use crate::support::data::{compiler_of, files};
use crate::support::play::random;
use netrep_compiler::Profile;
use netrep_engine::Game;
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

/// What came of the inputs of some seeds: how many there were of each kind.
type Totals = BTreeMap<&'static str, u64>;

/// Calls a function for each seed that is asked for, with numbers of its own, and tells the totals of what it answers.
fn for_seeds(what: &str, sample: u64, mut one: impl FnMut(u64, &mut Numbers) -> &'static str) -> Totals {
    let asked = std::env::var("SEEDS").ok();
    let range = asked.as_deref().map(|seeds| {
        let (from, to) = seeds.split_once("..").expect("SEEDS=FROM..TO");
        from.parse().expect("a number")..to.parse().expect("a number")
    });
    let range: Range<u64> = range.unwrap_or(0..sample);
    let mut totals = Totals::new();
    let tell = |to: u64, totals: &Totals| println!("{what} {}..{to}: {totals:?}", range.start);
    for seed in range.clone() {
        // Seeds that follow each other have nothing in common.
        let mut numbers = Numbers((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..4).for_each(|_| _ = numbers.below(2));
        *totals.entry(one(seed, &mut numbers)).or_default() += 1;
        if (seed + 1).is_multiple_of(10_000) {
            tell(seed + 1, &totals);
        }
    }
    tell(range.end, &totals);
    assert!(!totals.is_empty(), "no seed was asked for");
    totals
}

/// Item-sized inputs through the parser and the formatter: ten million are `SEEDS=0..10000000`.
#[test]
fn mutated_items_are_parsed_and_laid_out() {
    let files = files();
    let totals = for_seeds("parsed and laid out", 3_000, |_, numbers| {
        let text = items(&files, numbers);
        targets::parse(&text);
        targets::fmt(&text);
        if netrep_grammar::fmt(&text).is_ok() { "whole" } else { "broken" }
    });
    assert_eq!(totals.len(), 2, "some are whole and some are broken");
}

/// Each is one edit of the loaded data: of an item, of any kind, in its file; 200,000 are `SEEDS=0..200000`. What is wrong with
/// its file is asked each time, now and then what is wrong with all, and what is linked without it.
#[test]
fn mutated_items_are_compiled_as_edits() {
    /// So many edits, then a new compiler: it remembers every text that it has seen.
    const KEPT: u64 = 4_000;
    let files = files();
    let mut compiler = compiler_of(&files);
    compiler.check();
    let totals = for_seeds("compiled as edits", 40, |seed, numbers| {
        if (seed + 1).is_multiple_of(KEPT) {
            compiler = compiler_of(&files);
        }
        let (path, text) = &files[numbers.below(files.len())];
        let all = split(text);
        let Some(item) = all.get(numbers.below(all.len())) else { return "empty" };
        let broken = mutated(&text[item.range.clone()], numbers);
        let edited = format!("{}{broken}{}", &text[..item.range.start], &text[item.range.end..]);
        compiler.set_file(path, &edited);
        let whole = seed.is_multiple_of(50);
        let diags = if whole { compiler.check() } else { compiler.check_file(path) };
        for diag in &diags {
            let Some(text) = compiler.text(&diag.place.file) else { continue };
            let place = diag.place.start as usize..diag.place.end as usize;
            assert!(text.get(place).is_some(), "seed {seed}: a place outside of the text: {diag:?}");
        }
        if whole {
            compiler.link(&Profile::default());
        }
        compiler.set_file(path, text);
        if diags.iter().any(netrep_compiler::Diagnostic::is_error) { "refused" } else { "accepted" }
    });
    assert!(totals.contains_key("refused"));
}

/// Edits of a small game, each with all that there is to ask.
#[test]
fn mutated_data_are_compiled() {
    let (mut compiler, _) = pig::table();
    let files = [include_str!("../pig/pig.words"), include_str!("../pig/pig.rules")]
        .map(|text| (String::new(), text.to_owned()));
    for_seeds("edits of a small game", 600, |_, numbers| {
        targets::data(&mut compiler, &items(&files, numbers));
        "compiled"
    });
}

/// A saved game with some values changed: it is refused, or can be played on without a panic.
#[test]
fn mutated_saves_are_refused_or_played_on() {
    let (compiler, mut game) = pig::table();
    let program = compiler.link(&Profile::default()).0;
    let mut saves = Vec::new();
    random(&mut game, 7, 10_000, |game| saves.push(game.save()));
    for save in &saves {
        targets::save(&program, save.as_bytes());
        assert!(Game::load(Arc::clone(&program), save).is_ok());
    }
    let totals = for_seeds("saves", 1_000, |seed, numbers| {
        let save = &saves[numbers.below(saves.len())];
        let text = if seed % 2 == 0 { mutated(save, numbers) } else { with_other_numbers(save, numbers) };
        targets::save(&program, text.as_bytes());
        let Ok(mut game) = Game::load(Arc::clone(&program), &text) else { return "refused" };
        for _ in 0..20 {
            let options = game.options();
            let answer = match options.get(numbers.below(options.len())) {
                Some(option) => option.clone(),
                None => match game.keyed_roll(seed) {
                    Some(roll) => roll,
                    None => break,
                },
            };
            if game.take(&answer).is_err() {
                return "stopped";
            }
        }
        "played on"
    });
    assert!(totals.contains_key("refused") && totals.contains_key("played on"), "{totals:?}");
}

/// A saved game with up to three of its numbers changed.
fn with_other_numbers(save: &str, numbers: &mut Numbers) -> String {
    let mut text = save.to_owned();
    for _ in 0..=numbers.below(3) {
        let digits: Vec<usize> = text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
        let at = digits[numbers.below(digits.len())];
        let other = ["0", "1", "2", "7", "9", "65535", "4294967295", "-1"][numbers.below(8)];
        text.replace_range(at..=at, other);
    }
    text
}
