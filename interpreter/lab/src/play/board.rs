//! The board as a player sees it: what is where, with the facts that play has made.

use std::collections::BTreeMap;

use netrep_engine::{Seen, View};
use netrep_ir::{Program, Source, ValueKind};

use super::say::Line;
use crate::words::{nearest_name, occurs, tokens};

/// Names without facts are written one behind the other, on lines up to this length.
const WIDTH: usize = 100;

/// A heading with what stands below it.
#[derive(Default)]
struct Group<'v> {
    things: Vec<&'v Seen>,
    hidden: Vec<String>,
}

/// The whole board. Of a thing, the facts that play can change are told, unless they are as at the start.
pub(super) fn board(view: &View, program: &Program) -> Vec<Line> {
    let telling = Telling::of(program);
    // Players first, then what is nowhere, by class, then the places.
    let mut groups: BTreeMap<(u8, String), Group> = BTreeMap::new();
    for thing in &view.things {
        let whose = telling.controller.as_ref().and_then(|name| fact(thing, name));
        let key = match (thing.place.is_empty(), whose) {
            (true, _) => (u8::from(thing.class != telling.player), thing.class.clone()),
            // What lies in a place of everyone is told by whose it is.
            (false, Some(whose)) if !thing.place.ends_with(whose) => (2, format!("{}, {whose}", thing.place)),
            (false, _) => (2, thing.place.clone()),
        };
        groups.entry(key).or_default().things.push(thing);
    }
    for pile in &view.hidden {
        let text = format!("  {} × {}, hidden", pile.count, pile.class);
        groups.entry((2, pile.place.clone())).or_default().hidden.push(text);
    }
    let mut lines = Vec::new();
    for ((_, name), group) in &groups {
        lines.push(Line::title(name.as_str()));
        let told = |thing: &Seen| {
            let facts: Vec<String> = thing
                .facts
                .iter()
                .filter(|(name, value)| telling.tells(thing, name, value))
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            facts.join("; ")
        };
        let mut bare: Vec<&str> = Vec::new();
        for thing in &group.things {
            match told(thing) {
                facts if facts.is_empty() => bare.push(&thing.words),
                facts => lines.push(Line::plain(format!("  {}: {facts}", thing.words))),
            }
        }
        lines.extend(filled(&bare));
        lines.extend(group.hidden.iter().map(Line::plain));
    }
    lines
}

/// All that is known of the things that a text names.
pub(super) fn details(view: &View, text: &str) -> Vec<Line> {
    let said = tokens(text);
    let named = |thing: &&Seen| tokens(&thing.words) == said || words(&thing.words) == words(text);
    let mut found: Vec<&Seen> = view.things.iter().filter(named).collect();
    if found.is_empty() {
        found = view.things.iter().filter(|thing| occurs(&words(text), &words(&thing.words))).collect();
    }
    let mut lines = Vec::new();
    for thing in &found {
        let place = if thing.place.is_empty() { String::new() } else { format!(", in {}", thing.place) };
        lines.push(Line::title(format!("{}: {}{place}", thing.words, thing.class)));
        if thing.rank > 0 {
            lines.push(Line::plain(format!("  height in the pile: {}", thing.rank)));
        }
        let facts = thing.facts.iter().filter(|(_, value)| value != "0");
        lines.extend(facts.map(|(name, value)| Line::plain(format!("  {name}: {value}"))));
    }
    if found.is_empty() {
        let near = nearest_name(text, view.things.iter().map(|thing| thing.words.trim_matches('"')));
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        lines.push(Line::refusal(format!("nothing that you can see is called `{text}`{near}")));
    }
    lines
}

/// The words of a name, so that a part of it may be said and quotes may be left out.
fn words(text: &str) -> Vec<String> {
    tokens(&text.replace('"', " "))
}

fn fact<'v>(thing: &'v Seen, name: &str) -> Option<&'v str> {
    thing.facts.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
}

/// Names on as few lines as they need.
fn filled(names: &[&str]) -> Vec<Line> {
    let mut lines: Vec<String> = Vec::new();
    for name in names {
        match lines.last_mut() {
            Some(line) if line.chars().count() + name.chars().count() + 2 <= WIDTH => {
                line.push_str(", ");
                line.push_str(name);
            }
            _ => lines.push(format!("  {name}")),
        }
    }
    lines.into_iter().map(Line::plain).collect()
}

/// Which facts are told.
struct Telling {
    /// The class of players.
    player: String,
    /// The fact that says whose a thing is; the heading says it.
    controller: Option<String>,
    /// What the rules want reported of players.
    reports: Vec<String>,
    /// The facts that play can change, each with what it is at the start.
    changing: Vec<(String, String)>,
}

impl Telling {
    fn of(program: &Program) -> Telling {
        let name = |attr: &netrep_ir::AttrId| program.attrs.get(attr.index()).map(|a| a.name.clone());
        let start = |kind: ValueKind, default: i32| match kind {
            ValueKind::Entry(_) => {
                let entry = usize::try_from(default).ok().and_then(|n| n.checked_sub(1));
                entry.and_then(|n| program.entries.get(n)).map(|e| e.name.clone()).unwrap_or_default()
            }
            _ => default.to_string(),
        };
        let changing = program.attrs.iter().filter(|attr| attr.dynamic).filter_map(|attr| match &attr.source {
            Source::Stored { default } => Some((attr.name.clone(), start(attr.kind, *default))),
            _ => None,
        });
        let services = &program.services;
        Telling {
            player: program.classes.get(services.player.index()).map(|c| c.name.clone()).unwrap_or_default(),
            controller: services.controller.as_ref().and_then(name),
            reports: services.reports.iter().filter_map(name).collect(),
            changing: changing.collect(),
        }
    }

    fn tells(&self, thing: &Seen, name: &str, value: &str) -> bool {
        let placed = !thing.place.is_empty();
        if placed && self.controller.as_deref() == Some(name) {
            return false;
        }
        let reported = thing.class == self.player && value != "0" && self.reports.iter().any(|one| one == name);
        reported || self.changing.iter().any(|(own, start)| own == name && start != value)
    }
}
