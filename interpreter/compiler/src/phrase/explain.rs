//! The one error of a phrase that cannot be read: the farthest place reached, and what was expected there.

use netrep_diagnostics::{Code, nearest};
use netrep_grammar::tree::Token;

use super::chart::Chart;
use super::closed;
use super::draft::Place;
use super::forms::CATEGORIES;
use super::grant::TARGET;
use super::lexicon::Lexicon;
use super::render::joined_by_or;
use super::scope::Scope;
use super::slot::{SlotKind, flatten};
use crate::finding::Finding;

/// The error for a phrase without a reading.
pub(super) fn unreadable(chart: &Chart<'_>) -> Finding {
    if let Some(error) = chart.beyond() {
        return error;
    }
    let (far, expected) = chart.farthest();
    let span = chart.span(far, far + 1);
    let wanted = listed(&expected);
    let slot = chart.slots.get(far);
    // The prefix `non-` is no mistake, but what follows it may be one.
    let at = if matches!(chart.kind(far), Some(SlotKind::Non)) { far + 1 } else { far };
    if let Some(error) = unknown(chart, at, &expected) {
        return error;
    }
    if let Some(clash) = chart.refused().filter(|c| c.end >= far) {
        let error = Finding::new(clash.code, chart.span(clash.from, clash.to), clash.message);
        return match clash.help {
            Some(help) => error.help(help),
            None => error,
        };
    }
    match slot {
        None => {
            let end = chart.slots.last().map_or(span, |s| netrep_grammar::tree::Span::new(s.span.end, s.span.end));
            let error = Finding::new(Code::UnfinishedPhrase, end, "the sentence ends too early");
            if wanted.is_empty() { error } else { error.help(format!("expected here: {wanted}")) }
        }
        Some(slot) => {
            let error = Finding::new(Code::UnexpectedWord, span, format!("{} cannot stand here", slot.shown()));
            let near = slot.word().map(|word| nearest(word, expected.iter().map(String::as_str)));
            let error = match slot.word().and_then(instead) {
                Some(instead) => error.help(instead),
                None => error,
            };
            match near.iter().flatten().next() {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None if wanted.is_empty() => error,
                None => error.help(format!("expected here: {wanted}")),
            }
        }
    }
}

/// What to say instead of a word of plain English that the language has no use for, from a table of such words.
fn instead(word: &str) -> Option<&'static str> {
    let rows = include_str!("instead.txt").lines().filter(|row| !row.starts_with('#'));
    let row = |row: &'static str| row.split_once(": ").filter(|(words, _)| words.split(", ").any(|one| one == word));
    rows.filter_map(row).map(|(_, help)| help).next()
}

/// The error if the word at the farthest place is declared nowhere.
fn unknown(chart: &Chart<'_>, at: usize, expected: &[String]) -> Option<Finding> {
    let (word, capital) = match chart.kind(at)? {
        SlotKind::Word(word) => (word.as_str(), false),
        SlotKind::Capital(word) => (word.as_str(), true),
        _ => return None,
    };
    // What something is played on is known only where it is.
    let known = chart.forms.is_closed(word) && word != TARGET;
    if chart.names_target(at) || known || !chart.lex.terms_with(word).is_empty() {
        return None;
    }
    let span = chart.span(at, at + 1);
    if word == TARGET {
        let error = Finding::new(Code::UnknownLabel, span, "nothing is played on here, so there is no `target`");
        return Some(error.help("say what it is with `play on … as target.`, or `this`"));
    }
    if capital && closed::is_label(word) {
        if !chart.label_sorts(word, at).is_empty() {
            return None;
        }
        let error =
            Finding::new(Code::UnknownLabel, span, format!("nothing binds the label `{word}` before this place"));
        return Some(error.help(format!("bind it with `as {word}` where the thing is first named")));
    }
    let mut near = nearest(word, expected.iter().map(String::as_str).filter(|e| !e.contains(' ')));
    for other in chart.lex.suggest(word) {
        if !near.contains(&other) {
            near.push(other);
        }
    }
    // A term of a list is capitalised: what is not, is near only if nothing but that is different.
    let begins = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    near.retain(|other| !capital || begins(other) || other.to_lowercase() == word.to_lowercase());
    let (code, what) = if capital { (Code::UnknownEntry, "catalogue term") } else { (Code::UnknownWord, "word") };
    let error = Finding::new(code, span, format!("no {what} `{word}` is declared"));
    if let Some(instead) = instead(word) {
        return Some(error.help(instead));
    }
    let near: Vec<String> = near.iter().take(3).map(|n| format!("`{n}`")).collect();
    Some(match (near.is_empty(), listed(expected)) {
        (false, _) => error.help(format!("did you mean {}?", near.join(" or "))),
        (true, wanted) if wanted.is_empty() => error,
        (true, wanted) => error.help(format!("expected here: {wanted}")),
    })
}

/// The expectations in plain words: kinds of phrases first, then at most five words.
fn listed(expected: &[String]) -> String {
    let (kinds, words): (Vec<&String>, Vec<&String>) = expected.iter().partition(|e| e.contains(' '));
    let mut parts: Vec<String> = kinds.into_iter().take(4).cloned().collect();
    parts.extend(words.into_iter().take(5).map(|w| format!("`{w}`")));
    joined_by_or(&parts)
}

impl Chart<'_> {
    /// The words of a part of the phrase, as they were written.
    pub(super) fn source(&self, from: usize, to: usize) -> String {
        let mut text = String::new();
        let mut glue = true;
        for slot in self.slots.iter().take(to).skip(from) {
            let (word, tight) = match &slot.kind {
                SlotKind::Word(w) | SlotKind::Capital(w) => (w.clone(), false),
                SlotKind::Quoted(q) => (format!("\"{q}\""), false),
                SlotKind::Number(n) => (n.to_string(), false),
                SlotKind::Non => ("non-".to_owned(), false),
                SlotKind::Sign(s) => ((*s).to_owned(), matches!(*s, "'s" | "," | ";" | ":" | ")" | "/")),
                SlotKind::Other => ("?".to_owned(), false),
            };
            if !glue && !tight {
                text.push(' ');
            }
            glue = matches!(slot.kind, SlotKind::Non | SlotKind::Sign("(" | "/"));
            text.push_str(&word);
        }
        text
    }
}

/// What may stand behind the beginning of a sentence: words of the language, and what kinds of phrases are called.
pub(super) fn completions(tokens: &[Token], place: Place, scope: &Scope, lexicon: &dyn Lexicon) -> Vec<String> {
    let slots = flatten(tokens);
    let chart = Chart::new(&slots, lexicon, scope, true, true);
    chart.drafts(place);
    let (far, expected) = chart.farthest();
    if far < slots.len() {
        return Vec::new();
    }
    let mut words: Vec<String> = Vec::new();
    for one in expected {
        let kinds = CATEGORIES.iter().filter(|info| info.shown == one);
        let openings: Vec<&str> = kinds.flat_map(|info| chart.forms.openings(info.category)).collect();
        words.extend(openings.into_iter().map(str::to_owned));
        words.push(one);
    }
    let mut seen = Vec::new();
    words.retain(|word| match seen.contains(word) {
        true => false,
        false => {
            seen.push(word.clone());
            true
        }
    });
    words
}
