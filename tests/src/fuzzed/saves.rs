//! Saved games with some values changed.

use std::ops::Range;
use std::sync::Arc;

use crate::pig;
use crate::support::board::Board;
use crate::support::data::library;
use crate::support::play::random;
use crate::support::positions;
use netrep_compiler::Profile;
use netrep_engine::Game;
use netrep_ir::Program;

use super::{Numbers, for_seeds, mutated, targets};

/// Saved games of Pig with some values changed: each is refused, or can be played on without a panic.
#[test]
fn mutated_saves_are_refused_or_played_on() {
    let (compiler, mut game) = pig::table();
    let program = compiler.link(&Profile::default()).0;
    let mut saves = Vec::new();
    random(&mut game, 7, 10_000, |game| saves.push(game.save()));
    changed("saves", 1_000, &program, &saves);
}

/// The same of an attack on a company, with all that the rules of the repository keep account of.
#[test]
fn mutated_saves_of_a_journey_are_refused_or_played_on() {
    let library = library();
    let phrases = library.compiler.phrases(&Profile::default());
    let mut game = Board::new(&phrases, &positions::journey()).game(&phrases);
    let mut saves = Vec::new();
    random(&mut game, 7, 60, |game| saves.push(game.save()));
    changed("saves of a journey", 60, &phrases.program, &saves);
}

/// Changes saves by seeds and plays on with those that are taken.
fn changed(what: &str, sample: u64, program: &Arc<Program>, saves: &[String]) {
    for save in saves {
        targets::save(program, save.as_bytes());
        assert!(Game::load(Arc::clone(program), save).is_ok());
    }
    let totals = for_seeds(what, sample, |seed, numbers| {
        let save = &saves[numbers.below(saves.len())];
        let text = match seed % 4 {
            0 => mutated(save, numbers),
            1 => with_other_lists(save, numbers),
            _ => with_other_numbers(save, numbers),
        };
        targets::save(program, text.as_bytes());
        let Ok(mut game) = Game::load(Arc::clone(program), &text) else { return "refused" };
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

/// A saved game in which a list is shorter or longer, or holds what another list does.
fn with_other_lists(save: &str, numbers: &mut Numbers) -> String {
    let mut lists: Vec<Range<usize>> = Vec::new();
    let mut open = Vec::new();
    for (at, c) in save.char_indices() {
        match c {
            '[' => open.push(at),
            ']' => lists.extend(open.pop().map(|start: usize| start..at + 1)),
            _ => {}
        }
    }
    let list = lists[numbers.below(lists.len())].clone();
    let other = &save[lists[numbers.below(lists.len())].clone()];
    let own = save[list.clone()].trim_start_matches('[').trim_end_matches(']').to_owned();
    let new = match numbers.below(3) {
        0 => "[]".to_owned(),
        1 => format!("[{own},{own}]"),
        _ => other.to_owned(),
    };
    format!("{}{new}{}", &save[..list.start], &save[list.end..])
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
