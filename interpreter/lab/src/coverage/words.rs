//! Whom the words of the vocabulary serve. A word that serves one card is an expense of that card.

use std::collections::{BTreeMap, BTreeSet};

use netrep_compiler::Compiler;
use netrep_compiler::views::ItemView;
use serde::Serialize;

use crate::vocabulary::{self, User, Word};

/// The vocabulary by whom it serves.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Words {
    /// Words.
    pub total: usize,
    /// Words that serve one card and nothing else.
    pub single_card: usize,
    /// Their share of all, from 0 to 1.
    pub single_card_share: f64,
    /// How many words serve how many cards, rules and other items, by that number.
    pub by_users: Vec<Count>,
    /// The words that serve one card.
    pub single: Vec<Single>,
    /// The words that serve nothing.
    pub unused: Vec<String>,
}

/// How many words serve so many items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Items.
    pub users: usize,
    /// Words.
    pub words: usize,
}

/// A word that serves one card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Single {
    /// The word.
    pub word: String,
    /// What kind of term it is.
    pub kind: String,
    /// The card's id.
    pub card: String,
    /// Its name.
    pub title: String,
}

/// The heads of declarations. A word that stands in one serves whom the declared word serves.
const DECLARING: [&str; 10] =
    ["adjective", "class", "define", "figure", "list", "place", "relation", "role", "state", "verb"];
/// The heads of items that say which words serve the engine.
const ENGINE: [&str; 2] = ["action", "kernel"];
/// The head of cards.
const CARD: &str = "card";

/// Head and key of an item.
type Key = (String, String);

/// Counts the words of a vocabulary.
pub(super) fn of(compiler: &Compiler) -> Words {
    let words = vocabulary::all(compiler);
    let items = compiler.items();
    let declared = declared(&items, &words);
    let mut found = Words { total: words.len(), ..Words::default() };
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for word in &words {
        let mut served = served(word, &words, &declared);
        if served.is_empty() {
            served.extend(kernel(&items, word));
        }
        *counts.entry(served.len()).or_default() += 1;
        let mut keys = served.iter();
        match (keys.next(), keys.next()) {
            (None, _) => found.unused.push(word.name.clone()),
            (Some(((head, card), title)), None) if head == CARD => found.single.push(Single {
                word: word.name.clone(),
                kind: word.kind.clone(),
                card: card.clone(),
                title: title.clone(),
            }),
            _ => {}
        }
    }
    found.single_card = found.single.len();
    // Counts of words are far below what a double holds exactly.
    let exact = |n: usize| n as f64;
    found.single_card_share = if words.is_empty() { 0.0 } else { exact(found.single_card) / exact(words.len()) };
    found.by_users = counts.into_iter().map(|(users, words)| Count { users, words }).collect();
    found
}

/// The words that each declaration declares, by their index; also under the word's own kind and name.
fn declared(items: &[ItemView], words: &[Word]) -> BTreeMap<Key, Vec<usize>> {
    let mut declared: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (i, word) in words.iter().enumerate() {
        declared.entry((word.kind.clone(), word.name.clone())).or_default().push(i);
    }
    for item in items.iter().filter(|item| DECLARING.contains(&item.head)) {
        let key = (item.head.to_owned(), item.key.to_string());
        let here = |word: &Word| {
            word.spot.file == item.place.file && item.place.start <= word.spot.start && word.spot.start < item.place.end
        };
        let found = words.iter().enumerate().filter(|(_, word)| here(word)).map(|(i, _)| i);
        declared.entry(key).or_default().extend(found);
    }
    declared
}

/// The items for the engine that name a word: they do so outside of phrases, in which uses are known.
fn kernel(items: &[ItemView], word: &Word) -> Option<(Key, String)> {
    let item = items.iter().find(|item| ENGINE.contains(&item.head) && item.text.contains(&*word.name))?;
    Some(((item.head.to_owned(), item.key.to_string()), String::new()))
}

/// The items that a word serves, with their titles: those that use it, and those that a word serves in whose
/// declaration it stands.
fn served(word: &Word, words: &[Word], declared: &BTreeMap<Key, Vec<usize>>) -> BTreeMap<Key, String> {
    let mut served = BTreeMap::new();
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    let mut open: Vec<&User> = word.users.iter().collect();
    while let Some(user) = open.pop() {
        let key = (user.head.clone(), user.key.clone());
        let through = declared.get(&key).filter(|_| DECLARING.contains(&user.head.as_str()));
        match through {
            Some(others) => {
                let fresh = others.iter().filter(|i| seen.insert(**i)).filter_map(|i| words.get(*i));
                open.extend(fresh.flat_map(|other| &other.users));
            }
            None => drop(served.insert(key, user.title.clone())),
        }
    }
    served
}
