//! What a player sees.

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_engine::{Asks, Seen};
use netrep_ir::{AttrId, Program, Source, ValueKind};
use serde::Serialize;

/// What a player may know of a position, in words. Equal views are equal as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Whose view it is.
    pub seat: String,
    /// The things that he knows. One that looks as it did when he was last asked is the same.
    pub things: Vec<Arc<Thing>>,
    /// What is hidden from him, by place and class.
    pub hidden: Vec<Pile>,
    /// What is running, outermost first: procedures, each with its step.
    pub running: Vec<String>,
    /// What is to be decided; nothing at the end.
    pub asked: Option<Asked>,
    /// His options in words, which are distinct; none if another is asked.
    pub options: Vec<String>,
}

/// A thing that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Thing {
    /// The thing in words, which are distinct in this view and mean nothing in another.
    pub words: String,
    /// Its class.
    pub class: String,
    /// True for the players.
    pub is_player: bool,
    /// Where it is; empty if nowhere.
    pub place: String,
    /// Whose it is, if it is somebody's.
    pub whose: Option<String>,
    /// How high it lies in a pile, from 1 for the lowest; 0 if not in a pile, or if its height is not known.
    pub height: i32,
    /// What is so of it, without what is empty.
    pub facts: Vec<Fact>,
}

/// A fact of a thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// Its name.
    pub name: String,
    /// Its value in words.
    pub value: String,
    /// True for what play has made so, and for what the rules want reported: what a board should show.
    pub is_news: bool,
}

/// Things that are hidden in a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pile {
    /// The place.
    pub place: String,
    /// Their class.
    pub class: String,
    /// How many.
    pub count: usize,
}

/// What is to be decided, as far as everyone may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// Who decides; nothing for chance.
    pub by: Option<String>,
    /// Whether it is the player whose view it is.
    pub you: bool,
    /// What kind of decision it is: `choose`, `may`, `branch`, `act`, `step`, `order`, `roll`, `shuffle`.
    pub kind: String,
    /// What he is asked, in words; empty if another decides.
    pub question: String,
    /// The clause that asks him; empty if another decides.
    pub clause: String,
}

/// What is kept of a player's view: the things that it showed, each with what the engine has sent of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown(Vec<(Arc<Seen>, Arc<Thing>)>);

impl Shown {
    /// Things as they are shown: those that were shown before are the same.
    fn show(&mut self, telling: &Telling, things: Vec<Arc<Seen>>) -> Vec<Arc<Thing>> {
        let before = std::mem::take(&mut self.0);
        // Most stand where they stood.
        let (mut at, mut shown) = (0, Vec::with_capacity(things.len()));
        for seen in things {
            let same = |(kept, _): &(Arc<Seen>, Arc<Thing>)| Arc::ptr_eq(kept, &seen);
            let there = before.get(at).filter(|kept| same(kept)).is_some();
            let found = if there { Some(at) } else { before.iter().position(same) };
            let thing = match found.and_then(|found| before.get(found)) {
                Some((_, thing)) => Arc::clone(thing),
                None => Arc::new(telling.thing(&seen)),
            };
            if let Some(found) = found {
                at = found;
            }
            at += 1;
            shown.push(Arc::clone(&thing));
            self.0.push((seen, thing));
        }
        shown
    }
}

impl View {
    pub(crate) fn of(telling: &Telling, shown: &mut Shown, view: netrep_engine::View) -> View {
        let pile = |pile: netrep_engine::Pile| Pile { place: pile.place, class: pile.class, count: pile.count };
        let asked = |asked: netrep_engine::Asked| Asked {
            by: Some(asked.by.trim_matches('"').to_owned()).filter(|by| !by.is_empty()),
            you: asked.you,
            kind: kind(&asked.kind).to_owned(),
            question: asked.question,
            clause: asked.clause,
        };
        View {
            seat: view.seat.trim_matches('"').to_owned(),
            things: shown.show(telling, view.things),
            hidden: view.hidden.into_iter().map(pile).collect(),
            running: view.running,
            asked: view.asked.map(asked),
            options: view.options,
        }
    }
}

fn kind(asks: &Asks) -> &'static str {
    match asks {
        Asks::Choose => "choose",
        Asks::May => "may",
        Asks::Branch => "branch",
        Asks::Act => "act",
        Asks::Step => "step",
        Asks::Order => "order",
        Asks::Roll { .. } => "roll",
        Asks::Shuffle { .. } => "shuffle",
    }
}

/// Which facts are news.
#[derive(Clone, Debug)]
pub(crate) struct Telling {
    /// The class of players, if there is one.
    player: Option<String>,
    /// The fact that says whose a thing is.
    controller: Option<String>,
    /// What the rules want reported of players.
    reports: Vec<String>,
    /// The facts that play can change, each with what it is at the start.
    changing: BTreeMap<String, String>,
}

impl Telling {
    pub(crate) fn of(program: &Program) -> Telling {
        let name = |attr: &AttrId| program.attrs.get(attr.index()).map(|a| a.name.clone());
        let start = |kind: ValueKind, default: i32| match kind {
            ValueKind::Entry(_) => {
                let entry = usize::try_from(default).ok().and_then(|n| n.checked_sub(1));
                match entry {
                    Some(entry) => program.entries[entry].name.clone(),
                    // total: that is how none is told
                    None => String::new(),
                }
            }
            _ => default.to_string(),
        };
        let changing = program.attrs.iter().filter(|attr| attr.dynamic).filter_map(|attr| match &attr.source {
            Source::Stored { default } => Some((attr.name.clone(), start(attr.kind, *default))),
            _ => None,
        });
        let services = &program.services;
        Telling {
            player: program.classes.get(services.player.index()).map(|class| class.name.clone()),
            controller: services.controller.as_ref().and_then(name),
            reports: services.reports.iter().filter_map(name).collect(),
            changing: changing.collect(),
        }
    }

    fn thing(&self, seen: &Seen) -> Thing {
        let controller = self.controller.as_ref();
        let whose = controller.and_then(|name| seen.facts.iter().find(|(own, _)| own == name));
        let fact = |(name, value): &(String, String)| Fact {
            name: name.clone(),
            value: value.clone(),
            is_news: self.is_news(seen, name, value),
        };
        Thing {
            words: seen.words.clone(),
            class: seen.class.clone(),
            is_player: self.player.as_ref() == Some(&seen.class),
            place: seen.place.clone(),
            whose: whose.map(|(_, value)| value.clone()),
            height: seen.rank,
            facts: seen.facts.iter().map(fact).collect(),
        }
    }

    fn is_news(&self, thing: &Seen, name: &str, value: &str) -> bool {
        let placed = !thing.place.is_empty();
        if placed && self.controller.as_deref() == Some(name) {
            return false;
        }
        let reports = |value: &str| value != "0" && self.reports.iter().any(|reported| reported == name);
        let reported = self.player.as_ref() == Some(&thing.class) && reports(value);
        reported || self.changing.get(name).is_some_and(|start| start != value)
    }
}
