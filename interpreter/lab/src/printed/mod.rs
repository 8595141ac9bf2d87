//! What cards say beside what is printed on them, for who has the printed texts: a card is drafted from its text, and the data
//! are compared with the texts. Texts are read, hashed and forgotten.

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_compiler::layers::pattern::{Masked as Form, Part, Pattern, Slot};
use netrep_compiler::{Compiler, Profile};
use serde::Serialize;

use crate::spot::text_at;

pub mod digest;
pub mod text;

pub use digest::short_hash;
pub use text::{Card, Masked, Printed, mask, names, sentences};

/// A card drafted from its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Draft {
    /// Its id.
    pub id: String,
    /// It in the language, as far as it is known.
    pub card: String,
    /// The sentences for which no pattern and no other card is known, counted from 1.
    pub unknown: Vec<u32>,
}

/// Something in which the data and the printed texts do not agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The card's id.
    pub card: String,
    /// The sentences, counted from 1.
    pub sentences: Vec<u32>,
    /// What.
    pub what: String,
    /// The data are right, but a pattern would say the same.
    pub advice: bool,
}

/// A sentence with its hashes.
struct Sentence {
    hash: String,
    masked: String,
    slots: Vec<Printed>,
}

fn hashed(card: &Card, names: &[String]) -> Vec<Sentence> {
    let one = |sentence: &String| {
        let masked = mask(sentence, &card.name, names);
        Sentence { hash: short_hash(sentence), masked: short_hash(&masked.text), slots: masked.slots }
    };
    sentences(&card.text).iter().map(one).collect()
}

/// Drafts a card of a database; `None` if it has none of this id.
pub fn draft(compiler: &Compiler, cards: &[Card], id: &str) -> Option<Draft> {
    let card = cards.iter().find(|card| card.id == id)?;
    let printed = hashed(card, &names(cards));
    if let Some(original) = reprinted(compiler, card, &printed) {
        let text = format!("card {} \"{}\" {{\n    reprint of {original}.\n}}\n", card.id, card.name);
        return Some(Draft { id: card.id.clone(), card: text, unknown: Vec::new() });
    }
    let patterns = compiler.patterns();
    let known = said_alone(compiler);
    let mut lines = Vec::new();
    let mut unknown = Vec::new();
    let mut at = 0;
    while let Some(rest @ [sentence, ..]) = printed.get(at..) {
        let found = patterns.iter().filter_map(|one| fitting(&one.pattern, rest)).max_by_key(|(length, _)| *length);
        let number = numbered(at);
        if let Some((length, said)) = found {
            let numbers: Vec<String> = (at..at + length).map(|at| numbered(at).to_string()).collect();
            lines.push(format!("    [{}] {said}.", numbers.join(", ")));
            at += length;
            continue;
        }
        match known.get(&sentence.hash) {
            Some(clauses) => lines.extend(clauses.iter().map(|(label, clause)| match label.is_empty() {
                true => format!("    [{number}] {clause}"),
                false => format!("    [{label} {number}] {clause}"),
            })),
            None => unknown.push(number),
        }
        at += 1;
    }
    let hashes: Vec<String> = printed.iter().map(|one| format!("\"{}\"", one.hash)).collect();
    let mut text = format!("card {} \"{}\" {{\n", card.id, card.name);
    if !hashes.is_empty() {
        text.push_str(&format!("    printed {}.\n", hashes.join(", ")));
    }
    if !unknown.is_empty() {
        let numbers: Vec<String> = unknown.iter().map(u32::to_string).collect();
        text.push_str(&format!("    partial {}.\n", numbers.join(", ")));
    }
    lines.iter().for_each(|line| text.extend([line.as_str(), "\n"]));
    text.push_str("}\n");
    Some(Draft { id: card.id.clone(), card: text, unknown })
}

/// The card of the data with the name and the sentences of another one, if it is no reprint itself.
fn reprinted(compiler: &Compiler, card: &Card, printed: &[Sentence]) -> Option<Arc<str>> {
    let cards = compiler.items().into_iter().filter(|item| item.head == "card" && *item.key != *card.id);
    let says_so = |item: &netrep_compiler::views::ItemView| {
        let effective = compiler.effective(item.head, &item.key, &Profile::default());
        effective.is_some_and(|(one, _)| {
            *one.title == *card.name
                && one.reprint.is_none()
                && !printed.is_empty()
                && one.printed.iter().eq(printed.iter().map(|sentence| &sentence.hash))
        })
    };
    cards.into_iter().find(says_so).map(|item| item.key)
}

/// A place in a list as sentences are counted.
fn numbered(at: usize) -> u32 {
    netrep_ir::limits::in_32_bits(at + 1)
}

/// How many of the sentences a pattern stands for, and how it is said.
fn fitting(pattern: &Pattern, printed: &[Sentence]) -> Option<(usize, String)> {
    let form = pattern.printed.iter().find(|form| is_printed(form, printed))?;
    let found = arguments(form, printed)?;
    let mut said = String::new();
    for part in &pattern.parts {
        let (word, tight) = match part {
            Part::Fixed(_) => {
                let text = netrep_compiler::layers::pattern::sentence_of(std::slice::from_ref(part));
                let tight = matches!(text.as_str(), "," | ":" | "'s");
                (text, tight)
            }
            // What is not masked is not known from the text: its label stands for it.
            Part::Parameter(_, label) => (found.get(label).cloned().unwrap_or_else(|| label.to_string()), false),
        };
        if !said.is_empty() && !tight {
            said.push(' ');
        }
        said.push_str(&word);
    }
    Some((form.len(), said))
}

/// True if the first of the sentences are these.
fn is_printed(form: &[Form], printed: &[Sentence]) -> bool {
    let begins = printed.get(..form.len());
    !form.is_empty() && begins.is_some_and(|begins| begins.iter().zip(form).all(|(one, of)| one.masked == *of.hash))
}

/// What stands for each parameter in the sentences; `None` if one stands for two things, or if what is always the same is not.
fn arguments(form: &[Form], printed: &[Sentence]) -> Option<BTreeMap<Arc<str>, String>> {
    let mut found: BTreeMap<Arc<str>, String> = BTreeMap::new();
    for (of, sentence) in form.iter().zip(printed) {
        if of.slots.len() != sentence.slots.len() {
            return None;
        }
        for (slot, value) in of.slots.iter().zip(&sentence.slots) {
            let value = match value {
                Printed::Number(number) => number.to_string(),
                Printed::Name(name) => format!("\"{name}\""),
            };
            match slot {
                Slot::Parameter(label) => {
                    if found.insert(Arc::clone(label), value.clone()).is_some_and(|before| before != value) {
                        return None;
                    }
                }
                Slot::Number(number) if number.to_string() == value => {}
                Slot::Name(name) if format!("\"{name}\"") == value => {}
                Slot::Number(_) | Slot::Name(_) => return None,
            }
        }
    }
    Some(found)
}

/// For printed sentences the clauses of a card that express them and nothing else, each with its label.
fn said_alone(compiler: &Compiler) -> BTreeMap<String, Vec<(String, String)>> {
    let mut found: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for item in compiler.items().into_iter().filter(|item| item.head == "card") {
        let Some(card) = compiler.in_force("card", &item.key, &Profile::default()) else { continue };
        for (number, hash) in (1..).zip(&card.item.printed) {
            if found.contains_key(hash) {
                continue;
            }
            let of = |part: &&netrep_compiler::browse::Part| part.sentences.contains(&number);
            let parts: Vec<_> = card.parts.iter().filter(of).collect();
            let alone = |part: &&netrep_compiler::browse::Part| {
                part.sentences == [number] && part.setter.is_empty() && part.place.file == item.place.file
            };
            if !parts.is_empty() && parts.iter().all(alone) {
                let clause = |part: &&netrep_compiler::browse::Part| {
                    let written = text_at(compiler, &part.place);
                    // total: what has no marker is all clause
                    let bare =
                        written.split_once("] ").filter(|_| written.starts_with('[')).map_or(&*written, |(_, b)| b);
                    let label = written.strip_prefix('[').and_then(|rest| rest.split(']').next());
                    let words = label.into_iter().flat_map(|label| label.split([' ', ',']));
                    let label: Vec<&str> =
                        words.filter(|word| !word.is_empty() && word.parse::<u32>().is_err()).collect();
                    (label.join(" "), bare.to_owned())
                };
                found.insert(hash.clone(), parts.iter().map(clause).collect());
            }
        }
    }
    found
}

/// Compares the cards of the data with the texts of a database.
pub fn differences(compiler: &Compiler, cards: &[Card]) -> Vec<Difference> {
    let names = names(cards);
    let patterns = compiler.patterns();
    let mut found = Vec::new();
    for item in compiler.items().into_iter().filter(|item| item.head == "card") {
        let Some(card) = cards.iter().find(|card| *card.id == *item.key) else { continue };
        let Some((effective, _)) = compiler.effective("card", &item.key, &Profile::default()) else { continue };
        let printed = hashed(card, &names);
        let mut tell = |sentences: Vec<u32>, what: String, advice: bool| {
            found.push(Difference { card: card.id.clone(), sentences, what, advice });
        };
        if effective.printed.iter().ne(printed.iter().map(|one| &one.hash)) {
            let other = |at: &usize| effective.printed.get(*at) != printed.get(*at).map(|one| &one.hash);
            let most = effective.printed.len().max(printed.len());
            let which: Vec<u32> = (0..most).filter(other).map(numbered).collect();
            tell(which, "the text has other sentences than the card says are printed".to_owned(), false);
            continue;
        }
        let mut uses = compiler.pattern_uses(&item);
        let original = compiler.original(&item.key).and_then(|original| compiler.item(item.head, &original));
        uses.extend(original.iter().flat_map(|original| compiler.pattern_uses(original)));
        for one in &uses {
            let of = |number: &u32| usize::try_from(*number).ok()?.checked_sub(1);
            let Some(first) = one.sentences.first().and_then(of) else { continue };
            let numbers = one.sentences.clone();
            let fit = printed.get(first..).and_then(|rest| {
                let form = one.pattern.printed.iter().find(|form| is_printed(form, rest))?;
                Some((form, rest))
            });
            let Some((form, rest)) = fit else {
                if !one.pattern.printed.is_empty() {
                    tell(numbers, format!("pattern \"{}\" is printed otherwise", one.name), false);
                }
                continue;
            };
            let Some(values) = arguments(form, rest) else {
                tell(numbers, format!("pattern \"{}\" is printed with other numbers or names", one.name), false);
                continue;
            };
            for (label, written) in &one.arguments {
                if let Some(value) = values.get(label).filter(|value| *value != written) {
                    tell(numbers.clone(), format!("`{written}` is printed as `{value}`"), false);
                }
            }
        }
        for at in 0..printed.len() {
            let rest = &printed[at..];
            let fits = |one: &&netrep_compiler::views::PatternView| fitting(&one.pattern, rest).is_some();
            let said = uses.iter().any(|one| one.sentences.contains(&numbered(at)));
            if let Some(one) =
                patterns.iter().find(fits).filter(|_| !said && !effective.partial.contains(&numbered(at)))
            {
                tell(vec![numbered(at)], format!("pattern \"{}\" would say it", one.name), true);
            }
        }
    }
    found
}
