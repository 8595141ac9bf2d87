//! The smallest edit that makes a sentence readable: what a message proposes has been read.
//!
//! Where a sentence breaks off, the slip stands there or before it. So edits are tried from there towards its beginning: those
//! that the table of plain English names, then one word or sign put in, changed for another of its kind, or left out.

use std::cell::Cell;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;

use super::chart::Chart;
use super::closed;
use super::explain::undeclared;
use super::instead::{self, Other};
use super::slot::{Slot, SlotKind, sign_of, spelled};
use super::term::Use;
use crate::finding::Finding;

/// So many places before the one that could not be read are tried.
const BACK: usize = 24;
/// So many slots may be read for one sentence, all edits together,
const MOST_SLOTS: usize = 6_000;
/// and so many for all sentences of an item: where many cannot be read, their cause is elsewhere.
pub(super) const MOST_SLOTS_OF_ITEM: usize = 8_000;
/// So many words at most are a name.
const LONGEST_NAME: usize = 6;
/// So many slots around an edit are shown of a long sentence.
const AROUND: usize = 3;
/// A sentence of so many slots is shown whole.
const SHORT: usize = 12;

/// Words and signs that are left out or put in by mistake, likeliest first.
const FORGOTTEN: [&str; 17] = [
    "a",
    "+",
    ":",
    ";",
    ",",
    "of",
    "each",
    "the",
    "if",
    "may",
    "to",
    "is",
    "at",
    "times",
    "on",
    "instead",
    "regardless",
];
/// Words and signs without which a sentence says the same, or nothing else that could be meant.
const TOO_MUCH: [&str; 22] = [
    "the", "a", "an", "then", "that", "is", "are", "to", "of", "for", "in", "on", "at", "with", "by", "as", "yes",
    "and", ",", ";", ":", "this",
];

/// Words and signs that are written for one another.
const ALIKE: [&[&str]; 6] = [
    &["into", "to", "on", "at", "in", "of", "with", "by", "from", "for", "against", "during"],
    &["if", "when", "while"],
    &["a", "an", "the", "each", "no", "all"],
    &[":", ",", ";", "and", "or", "then"],
    &["is", "are", "=", "to"],
    &["gets", "gains", "has"],
];

/// Reads edited sentences, as long as the bound allows.
pub(super) struct Trial<'t> {
    reads: &'t dyn Fn(&[Slot]) -> bool,
    reaches: &'t dyn Fn(&[Slot]) -> usize,
    /// The words of the sentence that nothing declares: what leaves one of them where it is, cannot be read.
    unknown: Vec<usize>,
    left: Cell<usize>,
    of_item: &'t Cell<usize>,
}

impl<'t> Trial<'t> {
    /// `reads`: true if a row can be read as what it is to be; `reaches`: how far it can be.
    /// `of_item`: how much is left for the item ([`MOST_SLOTS_OF_ITEM`]).
    pub(super) fn new(
        chart: &Chart<'_>,
        of_item: &'t Cell<usize>,
        reads: &'t dyn Fn(&[Slot]) -> bool,
        reaches: &'t dyn Fn(&[Slot]) -> usize,
    ) -> Self {
        let unknown = (0..chart.slots.len()).filter(|at| undeclared(chart, *at).is_some()).collect();
        Trial { reads, reaches, unknown, left: Cell::new(MOST_SLOTS), of_item }
    }

    fn spend(&self, slots: usize) -> bool {
        [&self.left, self.of_item].into_iter().all(|bound| {
            let left = bound.get();
            bound.set(left.saturating_sub(slots + 8));
            left > 0
        })
    }

    fn accepts(&self, slots: &[Slot], edit: &Other) -> bool {
        let known = self.unknown.iter().all(|at| (edit.from..edit.to).contains(at));
        known && self.spend(slots.len()) && (self.reads)(&edited(slots, edit))
    }

    /// Which of these words may stand at a place: those with which the sentence can be read, which is told, else those with
    /// which it can be read farther.
    pub(super) fn fitting(&self, slots: &[Slot], at: usize, words: &[String]) -> (Vec<String>, bool) {
        let with = |word: &String| simple(at, at + 1, word.split(' ').map(said).collect());
        let whole: Vec<String> = words.iter().filter(|word| self.accepts(slots, &with(word))).cloned().collect();
        if !whole.is_empty() {
            return (whole, true);
        }
        // What can stand there is read on behind it.
        let beyond = |far: usize| far > at + 1 || far >= slots.len();
        let farther = |word: &&String| self.spend(slots.len()) && beyond((self.reaches)(&edited(slots, &with(word))));
        (words.iter().filter(farther).cloned().collect(), false)
    }
}

/// A name without its quotation marks, or a term whose parts no hyphen joins, that begins at a place.
pub(super) fn name(chart: &Chart<'_>, at: usize, trial: &Trial<'_>) -> Option<Other> {
    let slots = chart.slots;
    for to in (at + 1..=slots.len().min(at + LONGEST_NAME)).rev() {
        let words: Option<Vec<&str>> = slots[at..to].iter().map(Slot::word).collect();
        let Some(words) = words else { continue };
        let mut edits = Vec::new();
        if chart.lex.is_name(&words.join(" ")) {
            edits.push(simple(at, to, vec![SlotKind::Quoted(words.join(" "))]));
        }
        if words.len() > 1 && !chart.lex.terms_with(&words.join("-")).is_empty() {
            edits.push(simple(at, to, vec![said(&words.join("-"))]));
        }
        if let Some(edit) = edits.into_iter().find(|edit| trial.accepts(slots, edit)) {
            return Some(edit);
        }
    }
    None
}

fn edited(slots: &[Slot], edit: &Other) -> Vec<Slot> {
    // Where it stands is of no matter while it is tried.
    let put = |kind: &SlotKind| Slot { kind: kind.clone(), span: Span::default() };
    let mut row: Vec<Slot> = slots.iter().take(edit.from).cloned().collect();
    row.extend(edit.put.iter().map(put));
    row.extend(slots.iter().skip(edit.to).cloned());
    if edit.close {
        row.push(put(&SlotKind::Sign("}")));
    }
    row
}

/// The edit that the table of plain English has for the sentence, nearest to where it breaks off.
pub(super) fn plain_english(chart: &Chart<'_>, far: usize, trial: &Trial<'_>) -> Option<Other> {
    let places: Vec<usize> = (0..=far.min(chart.slots.len())).rev().chain([far + 1, far + 2]).collect();
    instead::others(chart.slots, &places).find(|edit| trial.accepts(chart.slots, edit))
}

/// The edit of one word or sign with which the sentence can be read, nearest to where it breaks off.
pub(super) fn one_edit(chart: &Chart<'_>, far: usize, expected: &[String], trial: &Trial<'_>) -> Option<Other> {
    let slots = chart.slots;
    let first = far.saturating_sub(BACK);
    for at in (first..=far.min(slots.len())).rev() {
        if let Some(edit) = respelt(chart, at, far).into_iter().flatten().find(|edit| trial.accepts(slots, edit)) {
            return Some(edit);
        }
        let edits =
            told_as_act(chart, at).into_iter().chain(swapped(slots, at)).chain(put_in(chart, at, far, expected));
        let edits = edits.chain(changed(chart, at, far, expected).into_iter().flatten()).chain(left_out(chart, at));
        if let Some(edit) = edits.into_iter().find(|edit| trial.accepts(slots, edit)) {
            return Some(edit);
        }
    }
    None
}

/// A declared word for another form of it, or for another one that is near; what is called by more words than stand there.
fn respelt(chart: &Chart<'_>, at: usize, far: usize) -> Option<Vec<Other>> {
    let word = chart.slots.get(at).and_then(Slot::word).filter(|_| at + 2 > far)?;
    if closed::is_label(word) {
        return None;
    }
    let mut edits: Vec<Other> = Vec::new();
    // A term of a list is no form of a class, nor a class of a term.
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let mut near = super::explain::forms_of(word);
    near.retain(|other| capital(other) == capital(word));
    near.extend(chart.lex.suggest(word).into_iter().filter(|other| netrep_diagnostics::distance(word, other) == 1));
    near.retain(|other| chart.forms.is_closed(other) || !chart.lex.terms_with(other).is_empty());
    edits.extend(near.iter().map(|other| simple(at, at + 1, vec![said(other)])));
    if let Some(next) = chart.slots.get(at + 1).and_then(Slot::word) {
        let joined = format!("{word}-{next}");
        let known = !chart.lex.terms_with(&joined).is_empty();
        edits.extend(known.then(|| simple(at, at + 2, vec![said(&joined)])));
    }
    let mut longer: Vec<(usize, usize, String)> = Vec::new();
    for from in [at, at.saturating_sub(1)] {
        let written = spelled(chart.slots, from, at + 1);
        for term in chart.lex.terms_with(word).iter() {
            for form in term.forms.iter().filter(|form| form.words.len() > 1) {
                let text = form.text();
                if text != written {
                    longer.push((netrep_diagnostics::distance(&written, &text), from, text));
                }
            }
        }
    }
    longer.sort();
    longer.dedup();
    let whole = |(_, from, text): (usize, usize, String)| simple(from, at + 1, text.split(' ').map(said).collect());
    edits.extend(longer.into_iter().take(MOST_LONGER).map(whole));
    Some(edits)
}

/// So many longer names of a word are tried.
const MOST_LONGER: usize = 6;

fn simple(from: usize, to: usize, put: Vec<SlotKind>) -> Other {
    Other { from, to, put, close: false, why: None }
}

fn said(word: &str) -> SlotKind {
    match sign_of(word) {
        Some(sign) => SlotKind::Sign(sign),
        None if word.starts_with(char::is_uppercase) => SlotKind::Capital(word.to_owned()),
        None => SlotKind::Word(word.to_owned()),
    }
}

/// Two neighbours in the other order.
fn swapped(slots: &[Slot], at: usize) -> Vec<Other> {
    match (at.checked_sub(1).and_then(|before| slots.get(before)), slots.get(at)) {
        (Some(one), Some(two)) if one.kind != two.kind => {
            vec![simple(at - 1, at + 1, vec![two.kind.clone(), one.kind.clone()])]
        }
        _ => Vec::new(),
    }
}

/// A word or sign that may have been forgotten, and the label of a thing that is used and never named.
fn put_in(chart: &Chart<'_>, at: usize, far: usize, expected: &[String]) -> Vec<Other> {
    let known = |word: &&str| chart.forms.is_closed(word) || sign_of(word).is_some();
    let here = expected.iter().map(String::as_str).filter(|_| at == far).filter(known);
    let words = FORGOTTEN.iter().copied().chain(here.filter(|word| !FORGOTTEN.contains(word)));
    let mut edits: Vec<Other> = words.map(|word| simple(at, at, vec![said(word)])).collect();
    if at < chart.slots.len() {
        edits.push(simple(at, at, vec![said("of"), said("this")]));
    }
    for label in unbound(chart) {
        edits.push(simple(at, at, vec![said("as"), SlotKind::Capital(label)]));
    }
    edits
}

/// Labels that stand in the sentence and that nothing binds; a new one, if there is none.
fn unbound(chart: &Chart<'_>) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for (at, slot) in chart.slots.iter().enumerate() {
        if let SlotKind::Capital(word) = &slot.kind
            && closed::is_label(word)
            && !labels.contains(word)
            && !matches!(chart.kind(at.wrapping_sub(1)), Some(SlotKind::Word(before)) if before == "as")
        {
            labels.push(word.clone());
        }
    }
    labels.truncate(2);
    if labels.is_empty() { vec!["X".to_owned()] } else { labels }
}

/// A word or sign that is written for another, or for one that is expected there.
fn changed(chart: &Chart<'_>, at: usize, far: usize, expected: &[String]) -> Option<Vec<Other>> {
    let here = chart.slots.get(at)?;
    let written = match &here.kind {
        SlotKind::Word(word) => word.as_str(),
        SlotKind::Sign(sign) => sign,
        _ => return None,
    };
    let kinds = ALIKE.iter().filter(|kind| kind.contains(&written)).flat_map(|kind| kind.iter().copied());
    let own = chart.forms.is_closed(written) && at == far;
    let wanted = expected.iter().map(String::as_str).filter(|word| own && !word.contains(' ') && !is_name_like(word));
    let words = kinds.chain(wanted).filter(|word| *word != written);
    Some(words.map(|word| simple(at, at + 1, vec![said(word)])).collect())
}

/// True for what is a term or a label, which no word of the language stands for.
fn is_name_like(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// Without a word or sign that adds nothing, or that stands twice.
fn left_out(chart: &Chart<'_>, at: usize) -> Option<Other> {
    let too_much = match chart.kind(at)? {
        SlotKind::Word(word) => TOO_MUCH.contains(&word.as_str()) && chart.slots.len() > 1,
        SlotKind::Sign(sign) => TOO_MUCH.contains(sign),
        _ => false,
    };
    let twice = at > 0 && chart.kind(at - 1) == chart.kind(at);
    (too_much || twice).then(|| simple(at, at + 1, Vec::new()))
}

/// What is said of a thing as a state, where it is to be done: `a lamp is lit` for `light a lamp`.
fn told_as_act(chart: &Chart<'_>, at: usize) -> Vec<Other> {
    if !matches!(chart.kind(at), Some(SlotKind::Word(word)) if word == "is" || word == "are") {
        return Vec::new();
    }
    let mut edits = Vec::new();
    for hit in chart.hits(at + 1).iter().filter(|hit| hit.used == Use::Past) {
        let form = |used| hit.term.forms.iter().find(|form| form.used == used);
        let (Some(base), Some(third)) = (form(Use::Base), form(Use::Third)) else { continue };
        let words = |form: &super::term::Form| form.words.iter().map(|word| said(word)).collect::<Vec<_>>();
        for from in (at.saturating_sub(BACK)..at).rev() {
            let thing: Vec<SlotKind> = chart.slots[from..at].iter().map(|slot| slot.kind.clone()).collect();
            let mut by_this = vec![said("this")];
            by_this.extend(words(third));
            for mut put in [words(base), by_this] {
                put.extend(thing.clone());
                edits.push(simple(from, hit.end, put));
            }
        }
    }
    edits
}

/// A sentence, or of a long one what stands around some of its slots.
fn around(slots: &[Slot], from: usize, to: usize) -> String {
    if slots.len() <= SHORT {
        return spelled(slots, 0, slots.len());
    }
    let (from, to) = (from.saturating_sub(AROUND), (to + AROUND).min(slots.len()));
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{}{}", cut(from > 0), spelled(slots, from, to), cut(to < slots.len()))
}

/// The message that proposes an edit.
pub(super) fn told(chart: &Chart<'_>, edit: &Other) -> Finding {
    let slots = chart.slots;
    let after = edited(slots, edit);
    let shown = around(&after, edit.from, edit.from + edit.put.len());
    let help = |how: String| match edit.why {
        Some(why) => format!("{how}: `{shown}`; {why}"),
        None => format!("{how}: `{shown}`"),
    };
    let whole = |range: &[SlotKind]| {
        let row: Vec<Slot> = range.iter().map(|kind| Slot { kind: kind.clone(), span: Default::default() }).collect();
        spelled(&row, 0, row.len())
    };
    let put = named(&whole(&edit.put));
    let Some(here) = slots.get(edit.from) else {
        let end = slots.iter().fold(Span::default(), |_, slot| Span::new(slot.span.end, slot.span.end));
        let error = Finding::new(Code::UnfinishedPhrase, end, "the sentence ends too early");
        return error.help(help(format!("{put} is missing at its end")));
    };
    let span = chart.span(edit.from, edit.to.max(edit.from + 1));
    let written = match edit.to > edit.from {
        true => format!("`{}`", spelled(slots, edit.from, edit.to)),
        false => here.shown(),
    };
    let error = match undeclared(chart, edit.from) {
        Some((code, message)) if edit.to > edit.from => {
            Finding::new(code, chart.span(edit.from, edit.from + 1), message)
        }
        _ if edit.put.is_empty() => Finding::new(Code::UnexpectedWord, span, format!("{written} is too much here")),
        _ => Finding::new(Code::UnexpectedWord, span, format!("{written} cannot stand here")),
    };
    error.help(help(match (edit.put.is_empty(), edit.to > edit.from) {
        (true, _) => "leave it out".to_owned(),
        (false, true) => format!("say {put} instead"),
        (false, false) => format!("put {put} before it"),
    }))
}

/// Words in the quotation marks of messages, signs with their names.
fn named(words: &str) -> String {
    match words {
        ":" => "a colon `:`".to_owned(),
        ";" => "a semicolon `;`".to_owned(),
        "," => "a comma `,`".to_owned(),
        words => format!("`{words}`"),
    }
}
