//! The counts in the documents are those of the data.
//!
//! A number that stands in a document beside what it counts has a row here. When the data have moved on, the failing test
//! says which line to mend; `COUNTS_WRITE=1` mends them all.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use netrep_grammar::{fences, parse_item, split};
use netrep_lab::coverage::{Reach, Totals, coverage};

use crate::support::data::{library, root};

/// The documents; one without rows counts nothing.
const DOCUMENTS: [&str; 11] = [
    "README.md",
    "cards/README.md",
    "decks/README.md",
    "grammar/README.md",
    "interpreter/README.md",
    "interpreter/compiler/README.md",
    "interpreter/lab/README.md",
    "interpreter/engine/README.md",
    "rules/README.md",
    "tests/README.md",
    "tests/touchstones/README.md",
];

/// Behind one of these a count is no count of what is there now: the rest is measurements.
const MEASURED: &str = "\n## Benchmarks";

/// What is counted by a number before it.
const COUNTED: [&str; 8] =
    ["cards", "editions", "numbers", "rule sections", "rulings", "scenarios", "sets", "touchstones"];

/// A count: the document, what stands around the number there (`{}`), and the number.
type Row = (&'static str, &'static str, usize);

fn rows() -> Vec<Row> {
    let library = library();
    let totals = Totals::read(&library.files).expect("the totals can be read");
    let found = coverage(&library.compiler, &totals, Reach::default(), None);
    let cards = |count: fn(&netrep_lab::coverage::Cards) -> usize| -> usize {
        found.cards.iter().map(|(_, set)| count(set)).sum()
    };
    let items = library.compiler.items();
    let heads = |head: &str| items.iter().filter(|item| item.head == head).count();
    let (touchstones, running) = (heads_below("tests/touchstones"), heads_below("tests/touchstones/cards"));
    let samples = heads_below("tests/samples");
    let of = |heads: &[String], head: &str| heads.iter().filter(|one| *one == head).count();
    vec![
        ("README.md", "{} of the hardest cards", of(&touchstones, "card")),
        ("README.md", "and plays {} of them", of(&running, "card")),
        ("README.md", "rules under {} of", found.rules.data),
        ("README.md", "of {} numbers", found.rules.total),
        ("README.md", "- {} of", cards(|set| set.complete + set.partial)),
        ("README.md", "of {} cards", cards(|set| set.total)),
        ("README.md", "cards, {} of them not whole", cards(|set| set.partial)),
        ("README.md", "- {} rulings", heads("ruling")),
        ("README.md", "and {} editions", heads("edition")),
        ("grammar/README.md", "the same {} cards", of(&samples, "card")),
        ("grammar/README.md", "cards and {} rule sections (`tests/samples/`)", of(&samples, "rule")),
    ]
}

/// The heads of all items in the files below a folder.
fn heads_below(folder: &str) -> Vec<String> {
    let mut heads = Vec::new();
    below(&root().join(folder), &mut heads);
    heads
}

fn below(folder: &Path, heads: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let ending = entry.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if entry.is_dir() {
            below(&entry, heads);
        } else if ["cards", "rules"].contains(&ending) {
            let text = fs::read_to_string(&entry).expect("a file of items");
            heads.extend(split(&text).into_iter().filter_map(|raw| Some(parse_item(&text[raw.range]).0?.head)));
        }
    }
}

/// A number as the documents write it.
fn written(number: usize) -> String {
    let digits = number.to_string();
    let grouped: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|part| std::str::from_utf8(part).unwrap()).collect();
    grouped.join(",")
}

/// The numbers of a text that stand between two pieces of text: where, and how they are written.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Vec<(usize, &'t str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|start| at + start) {
        let end = text[start..].find(|c: char| !c.is_ascii_digit() && c != ',').map_or(text.len(), |end| start + end);
        // A comma behind the last digit is the sentence's.
        let end = start + text[start..end].trim_end_matches(',').len();
        if text[..start].ends_with(before) && text[end..].starts_with(after) {
            found.push((start, &text[start..end]));
        }
        at = end;
    }
    found
}

#[test]
fn every_count_is_that_of_the_data() {
    let mend = std::env::var_os("COUNTS_WRITE").is_some();
    let mut wrong = Vec::new();
    let mut pinned: BTreeSet<(&str, usize)> = BTreeSet::new();
    let rows = rows();
    for document in DOCUMENTS {
        let path = root().join(document);
        let mut text = fs::read_to_string(&path).expect("the document can be read");
        for (_, around, number) in rows.iter().filter(|row| row.0 == document) {
            let (before, after) = around.split_once("{}").expect("a place for the number");
            let present = text.find(MEASURED).unwrap_or(text.len());
            let places = between(&text[..present], before, after);
            let [(at, said)] = places[..] else {
                wrong.push(format!("{document}: `{around}` stands there {} times", places.len()));
                continue;
            };
            let number = written(*number);
            let line = text[..at].matches('\n').count() + 1;
            if said != number && mend {
                text.replace_range(at..at + said.len(), &number);
            } else if said != number {
                wrong.push(format!("{document}:{line}: write {number} for {said} in `{around}`"));
            }
            pinned.insert((document, at));
        }
        if mend {
            fs::write(&path, &text).expect("the document can be written");
            continue;
        }
        let present = text.split_once(MEASURED).map_or(&*text, |(present, _)| present);
        let fences = fences(&text);
        for counted in COUNTED {
            for (at, said) in between(present, "", &format!(" {counted}")) {
                let is_example = fences.iter().any(|fence| fence.content.contains(&at));
                if !is_example && !pinned.contains(&(document, at)) {
                    let line = text[..at].matches('\n').count() + 1;
                    wrong.push(format!("{document}:{line}: `{said} {counted}` has no row in this test"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn numbers_are_found_as_they_are_written() {
    assert_eq!([7, 999, 1_683, 12_000, 1_234_567].map(written), ["7", "999", "1,683", "12,000", "1,234,567"]);
    let text = "of 1,683 cards, 9 of them; 12, and 3 cards";
    assert_eq!(between(text, "of ", " cards"), [(3, "1,683")]);
    assert_eq!(between(text, "", " cards"), [(3, "1,683"), (35, "3")]);
    assert_eq!(between(text, "; ", ","), [(27, "12")]);
}
