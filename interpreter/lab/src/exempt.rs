//! Clauses and numbers that no scenario can show yet, each with its reason: what is so of the cards that there are.
//!
//! A reason is a condition in the language, asked of a position with one of each card. When a card comes that makes it false,
//! the line is wrong at its place: then there is something to be shown. What no such condition says is not exempt but open: it
//! stands in the same list, and says what it waits for.

use std::sync::Arc;

use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_diagnostics::Code;
use netrep_engine::Game;
use netrep_grammar::parse_sentence;
use netrep_grammar::tree::Token;
use netrep_ir::{Cond, Place};

use crate::coverage::SENTENCE;
use crate::files::Files;
use crate::narrate::name_of;
use crate::problem::{Source, offset, sorted};
use crate::words::first_word;

/// Where exemptions stand.
pub const EXEMPTIONS: &str = "tests/exemptions.md";

/// An exemption: `- ITEM LABEL [number N] while CONDITION`, or `… awaits WORDS` of what is open. Of a clause: it takes effect in no scenario, and none notices that
/// it is left out. Of a number: no scenario notices that it is another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exemption {
    /// The item.
    pub item: String,
    /// The clause.
    pub label: String,
    /// The number; else the clause itself is meant.
    pub number: Option<i64>,
    /// Why, as it is written.
    pub reason: String,
    /// Where.
    pub place: Place,
    /// The condition, and the text in whose bytes its spans are counted; nothing, if it is open.
    condition: Option<(Vec<Token>, Source)>,
}

impl Exemption {
    /// Whether it covers a change, or, without a number, that a clause takes no effect.
    pub fn covers(&self, item: &str, label: &str, number: Option<i64>) -> bool {
        self.item == item && self.label == label && self.number == number
    }

    /// Whether no condition over the cards makes it right.
    pub fn is_open(&self) -> bool {
        self.condition.is_none()
    }

    /// It is not needed any more.
    pub(crate) fn needless(&self) -> Diagnostic {
        let text = format!("the exemption of {} {} is not needed any more", self.item, self.label);
        Diagnostic::new(Code::NeedlessExemption, self.place.clone(), text).help("remove the line")
    }
}

/// The exemptions of a library; none, if it has no such file.
///
/// # Errors
/// Lines that cannot be read.
pub fn exemptions_of(files: &Files) -> Result<Vec<Exemption>, Vec<Diagnostic>> {
    // total: without the file nothing is exempt
    let text = files.text(EXEMPTIONS).unwrap_or_default();
    let (found, wrong) = exemptions(EXEMPTIONS, &text);
    if wrong.is_empty() { Ok(found) } else { Err(wrong) }
}

/// Reads the exemptions of a Markdown file: its list items; other lines are prose. Lines that cannot be read are
/// errors.
pub fn exemptions(file: &str, text: &str) -> (Vec<Exemption>, Vec<Diagnostic>) {
    let (mut found, mut diags) = (Vec::new(), Vec::new());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim_end();
        let Some(entry) = bare.strip_prefix("- ").filter(|_| !bare.starts_with(SENTENCE)) else { continue };
        let place = Place { file: file.into(), start: offset(start), end: offset(start + bare.len()) };
        match one(entry, place) {
            Ok(exemption) => found.push(exemption),
            Err(wrong) => diags.extend(wrong),
        }
    }
    (found, diags)
}

/// The word before a condition.
const WHILE: &str = " while ";
/// The word before what something open waits for.
const AWAITS: &str = " awaits ";

fn one(entry: &str, place: Place) -> Result<Exemption, Vec<Diagnostic>> {
    let unread = || {
        let diag = Diagnostic::new(Code::UnreadExemption, place.clone(), "this exemption cannot be read");
        vec![diag.help("write `- ITEM LABEL while CONDITION` or `- ITEM LABEL number N while CONDITION`; `awaits` and words, if it is open")]
    };
    let (what, reason, is_open) = match (entry.split_once(WHILE), entry.split_once(AWAITS)) {
        (Some((what, reason)), _) => (what, reason, false),
        (None, Some((what, reason))) => (what, reason, true),
        (None, None) => return Err(unread()),
    };
    let (item, rest) = first_word(what.trim());
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (label, number) = match words.as_slice() {
        [label @ .., "number", number] => (label.join(" "), Some(number.parse().map_err(|_| unread())?)),
        label => (label.join(" "), None),
    };
    if item.is_empty() || label.is_empty() {
        return Err(unread());
    }
    let base = place.end - offset(reason.len());
    let source = Source { file: place.file.to_string(), base, text: reason.to_owned() };
    let condition = match parse_sentence(reason) {
        _ if is_open => None,
        Ok(tokens) => Some((tokens, source)),
        Err(wrong) => return Err(wrong.into_iter().map(|one| source.placed(one)).collect()),
    };
    Ok(Exemption { item: item.to_owned(), label, number, reason: reason.to_owned(), place, condition })
}

/// What is wrong with the reasons of exemptions: those that mean nothing, and those that are not so.
pub fn check_reasons(compiler: &Compiler, exemptions: &[Exemption]) -> Vec<Diagnostic> {
    if exemptions.is_empty() {
        return Vec::new();
    }
    let phrases = compiler.phrases(&Profile::default());
    let cards = Game::of_each_card(Arc::clone(&phrases.program));
    let cards = match cards {
        Ok(cards) => cards,
        Err(errors) => {
            let place = || exemptions.first().map_or_else(Place::nowhere, |first| first.place.clone());
            let wrong = errors.into_iter().map(|error| Diagnostic::new(Code::ImpossiblePosition, place(), error.text));
            return wrong.collect();
        }
    };
    let wrong = |one: &Exemption| {
        let (tokens, source) = one.condition.as_ref()?;
        match phrases.condition(tokens, &[]) {
            Err(found) => Some(source.placed(found)),
            Ok((cond, _)) if cards.holds(&cond) => None,
            Ok((cond, text)) => {
                let mut said = format!("the reason of {} {} is not so any more: {text}", one.item, one.label);
                if let Some(against) = against(&cards, &cond) {
                    said = format!("{said} ({against})");
                }
                let help = "write the scenario that can now show it, and remove the line";
                Some(Diagnostic::new(Code::ReasonNotSo, one.place.clone(), said).help(help))
            }
        }
    };
    sorted(exemptions.iter().filter_map(wrong).collect())
}

/// What there is, if a condition says that there is no such thing.
fn against(cards: &Game, cond: &Cond) -> Option<String> {
    let Cond::Not(inner) = cond else { return None };
    let Cond::Some(things) = &**inner else { return None };
    let first = cards.select(things).first()?;
    Some(format!("there is {}", name_of(cards, first)))
}
