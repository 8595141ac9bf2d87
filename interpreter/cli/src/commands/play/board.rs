//! The board as a player sees it: what is where, with the facts that play has made.

use std::collections::BTreeMap;
use std::ops::Deref;

use netrep::{Thing, View};
use netrep_lab::words::{nearest_name, occurs, tokens};

use super::say::Line;

/// Names without facts are written one behind the other, on lines up to this length.
const WIDTH: usize = 100;

/// A heading with what stands below it.
#[derive(Default)]
struct Group<'v> {
    things: Vec<&'v Thing>,
    hidden: Vec<String>,
}

/// The whole board. Of a thing, the facts that play has made are told.
pub(super) fn board(view: &View) -> Vec<Line> {
    // Players first, then what is nowhere, by class, then the places.
    let mut groups: BTreeMap<(u8, String), Group> = BTreeMap::new();
    for thing in &view.things {
        let key = match (thing.place.is_empty(), &thing.whose) {
            (true, _) => (u8::from(!thing.is_player), thing.class.clone()),
            // What lies in a place of everyone is told by whose it is.
            (false, Some(whose)) if !thing.place.ends_with(whose.as_str()) => (2, format!("{}, {whose}", thing.place)),
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
        let told = |thing: &Thing| {
            let news = thing.facts.iter().filter(|fact| fact.is_news);
            let facts: Vec<String> = news.map(|fact| format!("{} {}", fact.name, fact.value)).collect();
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
    let named = |thing: &&Thing| tokens(&thing.words) == said || words(&thing.words) == words(text);
    let mut found: Vec<&Thing> = view.things.iter().map(Deref::deref).filter(named).collect();
    if found.is_empty() {
        found =
            view.things.iter().map(Deref::deref).filter(|thing| occurs(&words(text), &words(&thing.words))).collect();
    }
    let mut lines = Vec::new();
    for thing in &found {
        let place = if thing.place.is_empty() { String::new() } else { format!(", in {}", thing.place) };
        lines.push(Line::title(format!("{}: {}{place}", thing.words, thing.class)));
        if thing.height > 0 {
            lines.push(Line::plain(format!("  height in the pile: {}", thing.height)));
        }
        let facts = thing.facts.iter().filter(|fact| fact.value != "0");
        lines.extend(facts.map(|fact| Line::plain(format!("  {}: {}", fact.name, fact.value))));
    }
    if found.is_empty() {
        let near = nearest_name(text, view.things.iter().map(|thing| thing.words.trim_matches('"')));
        let near: String = near.iter().map(|near| format!("; did you mean `{near}`?")).collect();
        lines.push(Line::refusal(format!("nothing that you can see is called `{text}`{near}")));
    }
    lines
}

/// The words of a name, so that a part of it may be said and quotes may be left out.
fn words(text: &str) -> Vec<String> {
    tokens(&text.replace('"', " "))
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
