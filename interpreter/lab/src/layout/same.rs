//! Whether two ways to write a position set up the same, up to the numbers of its things.

use std::collections::BTreeMap;

use netrep_engine::{Fact, ThingId, Value};
use netrep_ir::Program;

use crate::narrate::title;
use crate::position::Position;

/// What a position sets up, in words: what comes in any order is sorted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Told {
    minted: Vec<String>,
    /// Where cards lie, place by place, in the order in which they come there.
    places: BTreeMap<String, Vec<String>>,
    /// Of cards of one name that have no label, where each lies, in the order in which a name finds them.
    namesakes: BTreeMap<String, Vec<String>>,
    facts: Vec<String>,
    running: Vec<String>,
}

/// What a position sets up.
pub(crate) fn told(program: &Program, position: &Position) -> Told {
    let setup = &position.setup;
    let labels: BTreeMap<ThingId, &str> = position.labels.iter().map(|(label, thing)| (*thing, label.as_str())).collect();
    let name = |thing: ThingId| match labels.get(&thing) {
        Some(label) => (*label).to_owned(),
        None => {
            let card = setup.cards.get(thing.index()).and_then(|id| program.cards.get(id.index()));
            card.map_or_else(|| format!("thing {}", thing.index()), |card| format!("\"{}\"", title(program, card)))
        }
    };
    let value = |value: &Value| match value {
        Value::Thing(thing) => name(*thing),
        other => format!("{other:?}"),
    };
    let mut told = Told {
        minted: Vec::new(),
        places: BTreeMap::new(),
        namesakes: BTreeMap::new(),
        facts: Vec::new(),
        running: Vec::new(),
    };
    for (nth, (class, _)) in setup.minted.iter().enumerate() {
        told.minted.push(format!("{class:?} {}", name(ThingId::from_index(setup.cards.len() + nth))));
    }
    // Companies and the like are found by their names; players sit as they are named.
    let is_player = |text: &String| text.starts_with(&format!("{:?} ", program.services.player));
    let (players, mut others): (Vec<String>, Vec<String>) = told.minted.drain(..).partition(is_player);
    others.sort();
    told.minted.extend(players.into_iter().chain(others));
    for fact in &setup.facts {
        match fact {
            Fact::Put { thing, place, owner } => {
                let card = setup.cards.get(thing.index()).and_then(|id| program.cards.get(id.index()));
                // total: what is put is a card of the program
                let id = card.map(|card| card.id.clone()).unwrap_or_default();
                let whose = owner.map(name).unwrap_or_default();
                let ordered = place.and_then(|place| program.places.get(place.index())).is_some_and(|place| place.ordered);
                let place = format!("{place:?} {whose}");
                told.places.entry(format!("{ordered} {place}")).or_default().push(format!("{} {id}", name(*thing)));
                if !labels.contains_key(thing) {
                    told.namesakes.entry(name(*thing)).or_default().push(place);
                }
            }
            Fact::Attr { attr, thing, value: is } => {
                told.facts.push(format!("{attr:?} {} {}", name(*thing), value(is)));
            }
            Fact::Without { attr, thing, entry } => {
                told.facts.push(format!("without {attr:?} {} {entry:?}", name(*thing)));
            }
            Fact::Holds(_, words) => told.facts.push(words.clone()),
        }
    }
    told.facts.sort();
    for (place, cards) in &mut told.places {
        if place.starts_with("false") {
            cards.sort();
        }
    }
    for frame in &setup.start {
        let arguments: Vec<String> = frame.arguments.iter().map(value).collect();
        told.running.push(format!("{:?} {:?} {}", frame.proc, frame.step, arguments.join(", ")));
    }
    told
}
