//! What was told stands after an edit only if a compiler that has known nothing else would tell the same: each word and each
//! number of cards, rules, rulings and words in the place of others.

use std::ops::Range;

use crate::common::*;
use netrep_compiler::{Compiler, Diagnostic};

const PATTERNS_PATH: &str = "rules/patterns/lamps.patterns";
const PATTERNS: &str =
    "pattern tall by (number N) { [tall] this gets +N height. }\npattern low { this gets -2 height. }\n";
const MORE_PATH: &str = "cards/c/a.cards";
const MORE: &str = r#"card C-1 "Red lamp" { reprint of A-2. height 6. [break] when "Vase" is washed: wash this. }
card C-2 "Low lamp" { kind Lamp. colour Red. height 2. tall by 3. low. }
card C-3 "Odd lamp" { kind Lamp. colour Red. height 2. fact warmth: number = 1. this gets +warmth of this height. }
"#;
const RULE_PATH: &str = "rules/sections/2.rules";
const RULE: &str = "rule 2 \"Shine\" { [shine] a worn lamp cannot be washed. [low] lamps get -1 height. }\n";
const FURTHER_PATH: &str = "rules/vocabulary/further.words";
const FURTHER: &str = "state wick of card: number.\nadjective worn of (card C): wick of C > 2.\nfiling card { id A in \"cards\". id B in \"cards\". id C in \"cards/c\". lamp in \"a.cards\". vase in \"a.cards\". }\n";

fn all() -> Vec<(&'static str, &'static str)> {
    let further = [(PATTERNS_PATH, PATTERNS), (MORE_PATH, MORE), (RULE_PATH, RULE), (FURTHER_PATH, FURTHER)];
    files().into_iter().chain(further).collect()
}

/// What is told of everything and of all choices.
fn told(compiler: &Compiler) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    (compiler.check(), compiler.check_choices())
}

/// The words and numbers of a text.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        match words.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            _ => words.push(at..at + 1),
        }
    }
    words
}

#[test]
fn whatever_word_is_another_what_is_told_is_what_a_fresh_compiler_tells() {
    let files = all();
    let mut compiler = Compiler::new();
    compiler.set_files(files.iter().copied());
    let first = told(&compiler);
    let (mut stood, mut changed) = (0, 0);
    for (path, text) in &files {
        let all = words(text);
        // Of every three words one, and each number.
        for (nth, at) in all.iter().enumerate() {
            let other = match text[at.clone()].parse::<u32>() {
                Ok(number) => (number + 1).to_string(),
                Err(_) if nth % 3 > 0 => continue,
                Err(_) => text[all[(nth * 7 + 1) % all.len()].clone()].to_owned(),
            };
            let edited = [&text[..at.start], &other, &text[at.end..]].concat();
            compiler.set_file(path, &edited);
            let stands = compiler.stands();
            let mut fresh = Compiler::new();
            let is_edited = |other: &&str| other == path;
            fresh.set_files(
                files.iter().map(|(other, text)| (*other, if is_edited(other) { edited.as_str() } else { *text })),
            );
            let (said, wanted) = (told(&compiler), told(&fresh));
            assert_eq!(said, wanted, "{path}: {edited}");
            stood += usize::from(stands && *text != edited);
            changed += usize::from(wanted != first);
            compiler.set_file(path, text);
            assert_eq!(compiler.check(), first.0);
        }
    }
    assert!(stood > 3 && changed > 100, "{stood}, {changed}");
}

#[test]
fn it_stands_after_a_number_of_a_card_or_a_rule_and_not_after_what_others_see() {
    let mut compiler = Compiler::new();
    compiler.set_files(all());
    compiler.check();
    let edits = [
        // A number is printed higher; a number that a clause adds is what it means.
        (CARDS_PATH, "height 7", "height 8", true),
        (CARDS_PATH, "height 7", "height 71234", true),
        (CARDS_PATH, "+1 height", "+2 height", false),
        (CARDS_PATH, "// Lamps.", "// Lamps and vases.", true),
        // Others say its name, its words, its clauses.
        (CARDS_PATH, "\"Vase\"", "\"Vases\"", false),
        (CARDS_PATH, "card B-1", "card B-2", false),
        (CARDS_PATH, "height 4", "height 5", false),
        (CARDS_PATH, "when this is washed: soil this", "when this is soiled: soil this", false),
        (MORE_PATH, "card C-2", "\ncard C-2", true),
        (MORE_PATH, "by 3", "by 2", false),
        (MORE_PATH, "= 1", "= 2", false),
        (WORDS_PATH, "dust of C is Clean.", "dust of C is Dusty.", false),
        (RULINGS_PATH, "+2 height", "+3 height", false),
    ];
    for (path, from, to, stands) in edits {
        let text = compiler.text(path).unwrap();
        assert!(text.contains(from), "{from}");
        compiler.set_file(path, &text.replacen(from, to, 1));
        assert_eq!(compiler.stands(), stands, "{from} -> {to}");
        compiler.check();
        compiler.set_file(path, &text);
        compiler.check();
    }
}

#[test]
fn it_stands_after_several_files_at_once_and_not_where_one_comes_or_goes() {
    let mut compiler = Compiler::new();
    compiler.set_files(all());
    assert!(!compiler.stands(), "nothing was told");
    compiler.check();
    assert!(compiler.stands());
    let more = MORE.replace("height 2", "height 3");
    let cards = CARDS.replace("height 7", "height 8");
    compiler.set_files([(MORE_PATH, &*more), (CARDS_PATH, &*cards)]);
    assert!(!compiler.stands(), "a fact of one card is no number of another");
    compiler.check();
    compiler.set_files([(CARDS_PATH, CARDS), (PATTERNS_PATH, PATTERNS)]);
    assert!(compiler.stands());
    compiler.set_file("cards/z.cards", "");
    assert!(!compiler.stands());
    compiler.check();
    compiler.remove_file("cards/z.cards");
    assert!(!compiler.stands());
    // Two edits, and nothing was asked between them.
    compiler.check();
    compiler.set_file(CARDS_PATH, &cards);
    compiler.set_file(CARDS_PATH, &cards.replace("soil this", "break this"));
    assert!(!compiler.stands());
}
