//! A refusal made legal: the facts that the engine names are made true, and it is tried again.

use netrep_engine::{Fact, Game, ThingId, Value};
use netrep_ir::ValueKind;

use super::Demonstration;
use super::near::Near;
use super::perform::{Play, perform, submit};
use super::said::{offered_and_done, option_words, seat_words};
use super::search::Search;
use crate::narrate::{asked, fact_words};
use crate::report::From;

/// What happens once the nearest refusal has been made legal; `None` if it cannot be.
pub(crate) fn mended(search: &Search<'_>, near: &Near) -> Option<Demonstration> {
    let stage = search.stages.get(near.stage)?;
    let mends = &near.verdict.would_be_legal_if;
    if mends.is_empty() {
        return None;
    }
    let changes: Vec<String> =
        mends.iter().map(|fact| fact_words(&near.game, fact).replacen(" were ", " is ", 1)).collect();
    let mut game = near.game.clone();
    mends.iter().try_for_each(|mend| game.assert(mend)).ok()?;
    if !game.is_legal(&near.submission) {
        return None;
    }
    // As a text, if the changes can be said and the position with them still leads there.
    let facts: Option<Vec<String>> = mends.iter().map(|fact| fact_line(&near.game, fact)).collect();
    let words = option_words(&game, &near.submission, stage)?;
    if let Some(facts) = facts {
        let text = stage.text(near.lines, &facts, &offered_and_done(&seat_words(&game), &words));
        if let Some(done) = search.played(stage, &text, &near.submission, changes.clone()) {
            return Some(done);
        }
    }
    let before = game.clone();
    game.set_tracing(true);
    let first = submit(&mut game, &near.submission, From::Driver).ok()?;
    let seat = before.decision().map(|decision| decision.by);
    let play = Play { seed: Some(1), seat, submission: &near.submission };
    let asked = asked(&before);
    let played = perform(&play, &before, game, first);
    Some(Demonstration {
        origin: stage.origin.clone(),
        changes,
        scenario: None,
        asked,
        also: Vec::new(),
        steps: played.steps,
        differences: played.differences,
        stopped: played.stopped,
    })
}

/// A fact as a line of `given`; `None` if no line says it.
fn fact_line(game: &Game, fact: &Fact) -> Option<String> {
    let program = game.program();
    let named = |thing: &ThingId| Some(game.thing_words(*thing)).filter(|words| !words.contains('#'));
    let attr_name = |attr: &netrep_ir::AttrId| program.attrs.get(attr.index()).map(|attr| attr.name.as_str());
    let entry_name = |id: &netrep_ir::EntryId| program.entries.get(id.index()).map(|entry| entry.name.as_str());
    match fact {
        Fact::Attr { attr, thing, value } => {
            let (name, of) = (attr_name(attr)?, named(thing)?);
            let kind = program.attrs.get(attr.index()).map(|attr| attr.kind);
            match (kind, value) {
                (Some(ValueKind::Flag), Value::Num(n)) => {
                    Some(format!("{of} is {}{name}", if *n == 0 { "not " } else { "" }))
                }
                (_, Value::Num(n)) => Some(format!("{name} of {of} is {n}")),
                (_, Value::Entry(entry)) => Some(format!("{name} of {of} is {}", entry_name(entry)?)),
                (_, Value::Thing(other)) => Some(format!("{name} of {of} is {}", named(other)?)),
                (_, Value::None | Value::Set(_)) => None,
            }
        }
        Fact::Without { attr, thing, entry } => {
            Some(format!("{} of {} is not {}", attr_name(attr)?, named(thing)?, entry_name(entry)?))
        }
        Fact::Put { thing, place, owner } => {
            let place = program.places.get((*place)?.index()).map(|place| place.name.as_str())?;
            Some(match owner {
                Some(owner) => format!("{} is in {place} of {}", named(thing)?, named(owner)?),
                None => format!("{} is in {place}", named(thing)?),
            })
        }
        Fact::Holds(_, words) | Fact::Past(_, words) => Some(words.clone()),
    }
}
