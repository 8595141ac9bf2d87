//! What a player sees.

use std::collections::BTreeMap;

use netrep_engine::{Asks, Game, Seen};
use netrep_ir::{AttrId, Program, Source, ValueKind};
use serde::Serialize;

/// What a player may know of a position, in words. Equal views are equal as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Whose view it is.
    pub seat: String,
    /// The things that he knows.
    pub things: Vec<Thing>,
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

impl View {
    pub(crate) fn of(game: &Game, view: &netrep_engine::View) -> View {
        let telling = Telling::of(game.program());
        let pile = |pile: &netrep_engine::Pile| Pile {
            place: pile.place.clone(),
            class: pile.class.clone(),
            count: pile.count,
        };
        let asked = |asked: &netrep_engine::Asked| Asked {
            by: Some(asked.by.trim_matches('"').to_owned()).filter(|by| !by.is_empty()),
            you: asked.you,
            kind: kind(&asked.kind).to_owned(),
            question: asked.question.clone(),
            clause: asked.clause.clone(),
        };
        View {
            seat: view.seat.trim_matches('"').to_owned(),
            things: view.things.iter().map(|seen| telling.thing(seen)).collect(),
            hidden: view.hidden.iter().map(pile).collect(),
            running: view.running.clone(),
            asked: view.asked.as_ref().map(asked),
            options: view.options.clone(),
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
struct Telling<'p> {
    /// The class of players, if there is one.
    player: Option<&'p str>,
    /// The fact that says whose a thing is.
    controller: Option<&'p str>,
    /// What the rules want reported of players.
    reports: Vec<&'p str>,
    /// The facts that play can change, each with what it is at the start.
    changing: BTreeMap<&'p str, String>,
}

impl<'p> Telling<'p> {
    fn of(program: &'p Program) -> Telling<'p> {
        let name = |attr: &AttrId| program.attrs.get(attr.index()).map(|a| a.name.as_str());
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
            Source::Stored { default } => Some((attr.name.as_str(), start(attr.kind, *default))),
            _ => None,
        });
        let services = &program.services;
        Telling {
            player: program.classes.get(services.player.index()).map(|class| class.name.as_str()),
            controller: services.controller.as_ref().and_then(name),
            reports: services.reports.iter().filter_map(name).collect(),
            changing: changing.collect(),
        }
    }

    fn thing(&self, seen: &Seen) -> Thing {
        let whose = self.controller.and_then(|name| seen.facts.iter().find(|(own, _)| own == name));
        let fact = |(name, value): &(String, String)| Fact {
            name: name.clone(),
            value: value.clone(),
            is_news: self.is_news(seen, name, value),
        };
        Thing {
            words: seen.words.clone(),
            class: seen.class.clone(),
            is_player: Some(seen.class.as_str()) == self.player,
            place: seen.place.clone(),
            whose: whose.map(|(_, value)| value.clone()),
            height: seen.rank,
            facts: seen.facts.iter().map(fact).collect(),
        }
    }

    fn is_news(&self, thing: &Seen, name: &str, value: &str) -> bool {
        let placed = !thing.place.is_empty();
        if placed && self.controller == Some(name) {
            return false;
        }
        let reported = Some(thing.class.as_str()) == self.player && value != "0" && self.reports.contains(&name);
        reported || self.changing.get(name).is_some_and(|start| start != value)
    }
}
