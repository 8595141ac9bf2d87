//! The one error of a phrase that cannot be read: the farthest place reached, and what was expected there.

use netrep_diagnostics::{Code, distance, nearest};
use netrep_grammar::tree::Token;

use super::chart::Chart;
use super::closed;
use super::draft::Place;
use super::forms::CATEGORIES;
use super::grant::TARGET;
use super::instead;
use super::lexicon::Lexicon;
use super::render::joined_by_or;
use super::repair::{self, Trial};
use super::scope::Scope;
use super::slot::{Slot, SlotKind, flatten, spelled};
use crate::finding::Finding;

/// The error for a phrase without a reading; what it proposes has been tried.
pub(super) fn unreadable(chart: &Chart<'_>, trial: &Trial<'_>) -> Finding {
    if let Some(error) = chart.beyond() {
        return error;
    }
    let (far, expected) = chart.farthest();
    let span = chart.span(far, far + 1);
    let wanted = listed(&expected);
    let slot = chart.slots.get(far);
    // The prefix `non-` is no mistake, but what follows it may be one.
    let at = if matches!(chart.kind(far), Some(SlotKind::Non)) { far + 1 } else { far };
    if let Some(edit) = repair::plain_english(chart, far, trial) {
        return repair::told(chart, &edit);
    }
    if let Some(error) = unknown(chart, at, &expected, trial) {
        return error;
    }
    if let Some(clash) = chart.refused().filter(|c| c.end >= far) {
        let error = Finding::new(clash.code, chart.span(clash.from, clash.to), clash.message);
        return match clash.help {
            Some(help) => error.help(help),
            None => error,
        };
    }
    if let Some(edit) = repair::one_edit(chart, far, &expected, trial) {
        return repair::told(chart, &edit);
    }
    // Another way to say it: of the words here, or of several words before.
    let here = instead::advice(chart.slots, far).map(|(_, advice)| advice);
    let mut before = (0..far.min(chart.slots.len())).rev();
    let other = before.find_map(|at| {
        let (to, advice) = instead::advice(chart.slots, at)?;
        (to > at + 1).then_some((at, to, advice))
    });
    if let (None, Some((at, to, advice))) = (here, other) {
        let written = spelled(chart.slots, at, to);
        let error = Finding::new(Code::UnexpectedWord, chart.span(at, to), format!("`{written}` cannot stand here"));
        return error.help(advice);
    }
    match slot {
        None => {
            let end = chart.slots.last().map_or(span, |s| netrep_grammar::tree::Span::new(s.span.end, s.span.end));
            let error = Finding::new(Code::UnfinishedPhrase, end, "the sentence ends too early");
            if wanted.is_empty() { error } else { error.help(format!("expected here: {wanted}")) }
        }
        Some(slot) => {
            let error = Finding::new(Code::UnexpectedWord, span, format!("{} cannot stand here", slot.shown()));
            let error = match here {
                Some(advice) => error.help(advice),
                None => error,
            };
            let near = slot.word().map(|word| nearest(word, expected.iter().map(String::as_str)));
            // What is joined to a noun is no other spelling of a word.
            match near.iter().flatten().find(|near| !near.starts_with('\'')) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None if wanted.is_empty() => error,
                None => error.help(format!("expected here: {wanted}")),
            }
        }
    }
}

/// The code and the message for a word that nothing declares; nothing for labels.
pub(super) fn undeclared(chart: &Chart<'_>, at: usize) -> Option<(Code, String)> {
    let (word, code, what) = match chart.kind(at)? {
        SlotKind::Word(word) => (word, Code::UnknownWord, "word"),
        SlotKind::Capital(word) => (word, Code::UnknownEntry, "catalogue term"),
        _ => return None,
    };
    // What something is played on is known only where it is.
    let known = chart.forms.is_closed(word) || word == TARGET || closed::is_label(word);
    let known = known || chart.names_target(at) || !chart.lex.terms_with(word).is_empty();
    (!known).then(|| (code, format!("no {what} `{word}` is declared")))
}

/// The error if the word at the farthest place is declared nowhere.
fn unknown(chart: &Chart<'_>, at: usize, expected: &[String], trial: &Trial<'_>) -> Option<Finding> {
    let span = chart.span(at, at + 1);
    let word = chart.slots.get(at).and_then(Slot::word)?;
    if chart.names_target(at) || !chart.lex.terms_with(word).is_empty() {
        return None;
    }
    if word == TARGET {
        let error = Finding::new(Code::UnknownLabel, span, "nothing is played on here, so there is no `target`");
        return Some(error.help("say what it is with `play on … as target.`, or `this`"));
    }
    let capital = matches!(chart.kind(at), Some(SlotKind::Capital(_)));
    if capital && closed::is_label(word) {
        if !chart.label_sorts(word, at).is_empty() {
            return None;
        }
        let error =
            Finding::new(Code::UnknownLabel, span, format!("nothing binds the label `{word}` before this place"));
        return Some(error.help(format!("bind it with `as {word}` where the thing is first named")));
    }
    let (code, message) = undeclared(chart, at)?;
    let error = Finding::new(code, span, message);
    let mut near = nearest(word, expected.iter().map(String::as_str).filter(|e| !e.contains(' ')));
    for other in forms_of(word).into_iter().chain(chart.lex.suggest(word)) {
        if !near.contains(&other) {
            near.push(other);
        }
    }
    // A term of a list is capitalised: what is not, is near only if nothing but that is different.
    let begins = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    near.retain(|other| !capital || begins(other) || other.to_lowercase() == word.to_lowercase());
    let (fits, whole) = trial.fitting(chart.slots, at, &near);
    let meant = |words: &[String]| {
        let words: Vec<String> = words.iter().take(3).map(|word| format!("`{word}`")).collect();
        format!("did you mean {}?", words.join(" or "))
    };
    if whole {
        return Some(error.help(meant(&fits)));
    }
    if let Some(edit) = repair::name(chart, at, trial) {
        return Some(repair::told(chart, &edit));
    }
    if let Some((_, advice)) = instead::advice(chart.slots, at) {
        return Some(error.help(advice));
    }
    // One letter is a slip, whatever else is wrong with the sentence; more is not, if the word cannot stand here either.
    let slips = || near.iter().filter(|other| distance(word, other) == 1).cloned().collect::<Vec<_>>();
    let near = if fits.is_empty() { slips() } else { fits };
    Some(match (near.is_empty(), listed(expected)) {
        (false, _) => error.help(meant(&near)),
        (true, wanted) if wanted.is_empty() => error,
        (true, wanted) => error.help(format!("expected here: {wanted}")),
    })
}

/// The forms that a word may be another form of: its singular, and the same with a small or a capital letter.
pub(super) fn forms_of(word: &str) -> Vec<String> {
    let mut stems = vec![word.to_owned()];
    for (end, stem) in [("ves", "f"), ("ies", "y"), ("es", ""), ("s", "")] {
        stems.extend(word.strip_suffix(end).filter(|rest| rest.len() > 1).map(|rest| format!("{rest}{stem}")));
    }
    let turned = |word: &String| {
        let mut letters = word.chars();
        let first = letters.next()?;
        let first: String = match first.is_uppercase() {
            true => first.to_lowercase().collect(),
            false => first.to_uppercase().collect(),
        };
        Some(format!("{first}{}", letters.as_str()))
    };
    let other: Vec<String> = stems.iter().filter_map(turned).collect();
    stems.remove(0);
    stems.extend(other);
    stems
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
        spelled(self.slots, from, to)
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
