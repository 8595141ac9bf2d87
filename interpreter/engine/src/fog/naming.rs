//! What a view calls things, and in which order it tells them.

use std::borrow::Cow;

use netrep_ir::CardId;
use rustc_hash::FxHashMap;

use crate::ask::eval::Eval;
use crate::ask::eyes::{hidden_words, is_hidden_words};
use crate::fog::likeness::arranged;
use crate::position::set::{Set, ThingId};
use crate::position::sight::{Answering, Portrait};
use crate::position::submission::Submission;
use crate::position::value::Value;

/// Things with what is seen of them.
pub(crate) type Seen<'p> = [(ThingId, &'p Portrait)];

/// What can be answered with which things: what is asked and what may be answered is seen too.
pub(crate) fn answering(eval: &Eval, mine: &[Submission]) -> Vec<Answering> {
    let one = |submission: &Submission| match submission {
        Submission::Pick(value) => Some((value.thing()?, "pick".to_string(), Vec::new())),
        Submission::Declare { allowance, this, effect, parameters } => {
            let things: Vec<ThingId> = parameters.iter().filter_map(Value::thing).collect();
            let this = this.or(things.first().copied())?;
            let entries = parameters.iter().filter_map(|p| p.entry()).map(|e| eval.entry_words(e));
            let how = entries.fold(format!("declare {} {effect}", allowance.0), |how, entry| format!("{how} {entry}"));
            Some((this, how, things))
        }
        _ => None,
    };
    mine.iter().filter_map(one).collect()
}

/// The order of things by what is seen of them.
pub(crate) fn ordered(eval: &Eval, seen: &Seen, answering: &[Answering], rolled: Option<ThingId>) -> Vec<ThingId> {
    let mut answers: FxHashMap<ThingId, Vec<&str>> = FxHashMap::default();
    for (thing, how, _) in answering {
        answers.entry(*thing).or_default().push(how);
    }
    answers.values_mut().for_each(|answers| answers.sort_unstable());
    let mut looks: Vec<Cow<str>> = Vec::with_capacity(seen.len());
    for (thing, portrait) in seen {
        let is_rolled = rolled == Some(*thing);
        looks.push(if is_rolled { format!("{}rolled for\0", portrait.looks).into() } else { (&portrait.looks).into() });
    }
    // Nothing can be answered with most things.
    let keys: Vec<_> = seen.iter().zip(&looks).map(|((thing, _), looks)| (looks, answers.get(thing))).collect();
    let own = seen.iter().enumerate().flat_map(|(i, (_, portrait))| {
        let held = portrait.held.iter().map(|(attr, thing)| (eval.attr_words(*attr), *thing));
        let by = portrait.by.filter(|by| !by.is_hidden).map(|by| ("by", by.by));
        let owner = portrait.lies.place.and_then(|place| place.1).map(|owner| ("in the place of", owner));
        held.chain(by).chain(owner).map(move |(how, thing)| (i, how, thing))
    });
    // Which of them is meant is said by its place.
    let index: FxHashMap<ThingId, usize> = seen.iter().enumerate().map(|(i, (thing, _))| (*thing, i)).collect();
    let with = |(thing, how, others): &Answering| {
        let nth = |(n, other): (usize, &ThingId)| (*thing, format!("{how} {n}"), *other);
        others.iter().enumerate().map(nth).collect::<Vec<_>>()
    };
    let with: Vec<(ThingId, String, ThingId)> = answering.iter().flat_map(with).collect();
    let with = with.iter().filter_map(|(thing, how, other)| Some((*index.get(thing)?, how.as_str(), *other)));
    let things: Vec<Option<ThingId>> = seen.iter().map(|(thing, _)| Some(*thing)).collect();
    let order = arranged(&keys, &things, own.chain(with));
    order.into_iter().filter_map(|i| Some(seen.get(i)?.0)).collect()
}

/// Calls every thing by words: names, or what describes the nameless, with numbers where several are called alike. Answers
/// which are called otherwise than before.
pub(crate) fn call(eval: &Eval, ordered: &Seen, words: &mut Vec<String>) -> Set {
    let mut renamed = Set::empty(eval.link.layout.width);
    let mut seen = Set::empty(eval.link.layout.width);
    ordered.iter().for_each(|(thing, _)| seen.insert(*thing));
    let known = words.len().min(eval.state.ever());
    words.resize(eval.state.ever(), String::new());
    for (at, words) in words.iter_mut().enumerate() {
        let thing = ThingId::from_index(at);
        let class = eval.class_word(thing);
        if !seen.contains(thing) && (at >= known || !is_hidden_words(words, class)) {
            *words = hidden_words(class);
            renamed.insert(thing);
        }
    }
    let shared = shared(eval, ordered);
    let mut open: Vec<(ThingId, &Portrait)> = ordered.to_vec();
    let mut said: FxHashMap<Cow<str>, u32> = FxHashMap::default();
    // Whoever describes another is named first; a ring of descriptions is cut where it is entered.
    while !open.is_empty() {
        let mut still = Set::empty(eval.link.layout.width);
        open.iter().for_each(|(thing, _)| still.insert(*thing));
        let waits = |(thing, p): &(ThingId, &Portrait)| p.by.is_some_and(|by| by.by != *thing && still.contains(by.by));
        let (mut ready, mut rest): (Vec<_>, Vec<_>) = open.into_iter().partition(|one| !waits(one));
        if ready.is_empty() {
            ready.push(rest.remove(0));
        }
        let mut waiting = Set::empty(eval.link.layout.width);
        rest.iter().for_each(|(thing, _)| waiting.insert(*thing));
        for (thing, p) in ready {
            let by = p.by.filter(|by| !waiting.contains(by.by)).and_then(|by| words.get(by.by.index()));
            let stem: Cow<str> = match (&p.name, by) {
                // Of different cards that share a name, each is told by its id.
                (Some(name), _) if shared.get(name.as_str()).is_some_and(|cards| cards.1) => {
                    // total: what shares its name and is no card has no id
                    let id = eval.link.card_of(thing).map_or("", |card| eval.link.program.card(card).id.as_str());
                    format!("{name} {id}").into()
                }
                (Some(name), _) => name.into(),
                (None, Some(by)) => format!("{} {by}", eval.class_word(thing)).into(),
                (None, None) => eval.class_word(thing).into(),
            };
            let so_far = said.entry(stem.clone()).or_insert(0);
            *so_far += 1;
            let n = *so_far;
            let slot = words.get_mut(thing.index());
            if let Some(slot) = slot.filter(|slot| !is_numbered(slot, &stem, n)) {
                *slot = if n > 1 { format!("{stem} #{n}") } else { stem.to_string() };
                renamed.insert(thing);
            }
        }
        open = rest;
    }
    renamed
}

/// Whether words are those of the n-th thing that is called so.
fn is_numbered(words: &str, stem: &str, n: u32) -> bool {
    words.strip_prefix(stem).is_some_and(|rest| match rest.strip_prefix(" #") {
        Some(number) => n > 1 && number.parse() == Ok(n),
        None => n == 1 && rest.is_empty(),
    })
}

/// By name a card that is seen, and whether another one is seen that has the same name.
fn shared<'p>(eval: &Eval, seen: &Seen<'p>) -> FxHashMap<&'p str, (Option<CardId>, bool)> {
    let mut cards: FxHashMap<&'p str, (Option<CardId>, bool)> = FxHashMap::default();
    for (thing, portrait) in seen {
        let Some(name) = &portrait.name else { continue };
        let card = eval.link.card_of(*thing);
        let known = cards.entry(name).or_insert((card, false));
        known.1 |= known.0 != card;
    }
    cards
}
