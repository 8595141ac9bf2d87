//! Ways to look at a game as a player, worlds that he cannot tell apart, and leaks.
//!
//! A player may know what lies in open places, in his own, and what his options name. Two worlds that agree in that
//! must look the same to him: the same game with hidden cards put in other hidden places ([`swapped`]) or turned into
//! other cards ([`disguised`]), and the same game with all its things numbered otherwise ([`Renumbering`]).

use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_engine::{Chooser, DecisionKind, Fact, Game, Setup, Submission, ThingId, Value};
use netrep_ir::{AttrId, CardId, Program, Secrecy};
use serde_json::{Value as Json, json};

use crate::support::play::Chance;

/// What a client of a player is sent.
pub(crate) type Look = fn(&Game, ThingId) -> Json;

/// The view of the engine.
pub(crate) fn view(game: &Game, seat: ThingId) -> Json {
    serde_json::to_value(game.view(seat)).expect("a view is plain data")
}

/// The players of a game.
pub(crate) fn seats(game: &Game) -> Vec<ThingId> {
    things(game).filter(|t| game.class_of(*t) == Some(game.program().services.player)).collect()
}

/// The things that exist.
pub(crate) fn things(game: &Game) -> impl Iterator<Item = ThingId> {
    (0..game.things()).map(ThingId::from_index).filter(|t| game.exists(*t))
}

/// Whether a player may know what a thing is: by where it lies. Written anew here, not asked of the engine.
pub(crate) fn lies_open(game: &Game, seat: ThingId, thing: ThingId) -> bool {
    // What is printed on a card is seen by whoever sees the card.
    let thing = game.printed_on(thing).unwrap_or(thing);
    let Some((place, owner)) = game.place_of(thing) else { return true };
    let kept = |attr| game.value_words(attr, thing).contains(&game.thing_words(seat));
    match game.program().places[place.index()].secrecy {
        Secrecy::Open => !game.program().services.concealed.is_some_and(kept),
        Secrecy::Owner => owner == Some(seat),
        Secrecy::Hidden => false,
    }
}

/// The cards that a player may not know now: those that lie hidden and that none of his options names.
pub(crate) fn unknown(game: &Game, seat: ThingId) -> Vec<ThingId> {
    let mut named = BTreeSet::new();
    if game.decision().is_some_and(|d| d.by == Chooser::Seat(seat)) {
        game.options().iter().for_each(|o| named_in(o, &mut named));
    }
    let hidden = |t: &ThingId| game.card_of(*t).is_some() && !lies_open(game, seat, *t) && !named.contains(t);
    things(game).filter(hidden).collect()
}

/// The things that a submission names.
pub(crate) fn named(submission: &Submission) -> BTreeSet<ThingId> {
    let mut found = BTreeSet::new();
    if !matches!(submission, Submission::Shuffled(_)) {
        named_in(submission, &mut found);
    }
    found
}

fn named_in(submission: &Submission, into: &mut BTreeSet<ThingId>) {
    let mut add = |value: &Value| match value {
        Value::Thing(t) => {
            into.insert(*t);
        }
        Value::Set(set) => into.extend(set.iter()),
        _ => {}
    };
    match submission {
        Submission::Pick(value) => add(value),
        Submission::Declare { this, parameters, .. } => {
            parameters.iter().for_each(&mut add);
            into.extend(*this);
        }
        _ => {}
    }
}

fn edited(game: &Game, program: &Arc<Program>, edit: impl FnOnce(&mut Json)) -> Game {
    let mut saved: Json = serde_json::from_str(&game.save()).expect("a saved game is JSON");
    edit(&mut saved);
    Game::load(Arc::clone(program), &saved.to_string()).unwrap_or_else(|e| panic!("another world: {e}"))
}

/// The same game with hidden cards in each other's places: whatever is stored of a card changes with its place, and
/// only the card is another. `pairs` are the cards that change places.
pub(crate) fn swapped(game: &Game, program: &Arc<Program>, pairs: &[(ThingId, ThingId)]) -> Game {
    let other = |n: u64| {
        let thing = ThingId(u16::try_from(n).expect("a thing"));
        let found = pairs.iter().find_map(|(a, b)| match thing {
            t if t == *a => Some(*b),
            t if t == *b => Some(*a),
            _ => None,
        });
        u64::from(found.unwrap_or(thing).0)
    };
    let rename = |cell: &mut Json| *cell = json!(other(cell.as_u64().expect("a thing")));
    // What is printed goes with the card.
    let printed = |label: &str| {
        let attr = program.attrs.iter().position(|a| a.name == label).map(AttrId::from_index);
        program.cards.iter().any(|card| card.figures.iter().any(|f| Some(f.0) == attr))
    };
    edited(game, program, |saved| {
        let labels: Vec<bool> = saved["labels"]["attributes"]
            .as_array()
            .expect("labels")
            .iter()
            .map(|l| printed(l.as_str().expect("a label")))
            .collect();
        let stays = |label: &Json| labels[usize::try_from(label.as_u64().expect("a number")).expect("a number")];
        for rows in ["places", "homes", "since"] {
            saved[rows].as_array_mut().expect("rows").iter_mut().for_each(|row| rename(&mut row[0]));
        }
        for tables in ["numbers", "entries", "many"] {
            for table in saved[tables].as_array_mut().expect("tables").iter_mut().filter(|t| !stays(&t[0])) {
                table[1].as_array_mut().expect("rows").iter_mut().for_each(|row| rename(&mut row[0]));
            }
        }
        for pair in saved["pairs"].as_array_mut().expect("pairs").iter_mut().filter(|p| !stays(&p[0])) {
            rename(&mut pair[1]);
            rename(&mut pair[2]);
        }
    })
}

/// The same game in which hidden cards are others: each thing stays where it is and is another card.
pub(crate) fn disguised(game: &Game, program: &Arc<Program>, as_others: &[(ThingId, CardId)]) -> Game {
    edited(game, program, |saved| {
        for (thing, card) in as_others {
            saved["cards"][thing.index()] = json!(program.cards[card.index()].id);
        }
    })
}

/// Some pairs of different things, each thing once.
pub(crate) fn pairs(things: &[ThingId], most: usize, chance: &mut Chance) -> Vec<(ThingId, ThingId)> {
    let mut left = things.to_vec();
    let mut found = Vec::new();
    while left.len() > 1 && found.len() < most {
        let a = left.swap_remove(chance.below(left.len()));
        let b = left.swap_remove(chance.below(left.len()));
        found.push((a, b));
    }
    found
}

/// What the labels of all that runs stand for.
fn bound(saved: &Json, things: &mut BTreeSet<ThingId>) {
    match (serde_json::from_value(saved.clone()), saved) {
        (Ok(Value::Thing(thing)), _) => things.extend([thing]),
        (Ok(Value::Set(set)), _) => things.extend(set.iter()),
        (_, Json::Array(parts)) => parts.iter().for_each(|part| bound(part, things)),
        (_, Json::Object(parts)) => parts.values().for_each(|part| bound(part, things)),
        _ => {}
    }
}

/// Worlds that a player cannot tell from this one.
pub(crate) fn worlds(game: &Game, program: &Arc<Program>, seat: ThingId, chance: &mut Chance) -> Vec<Game> {
    let unknown = unknown(game, seat);
    let mut worlds = Vec::new();
    if unknown.is_empty() {
        return worlds;
    }
    let most = 1 + chance.below(unknown.len());
    // A question that another player is asked names things by number, and so does what has been chosen or named: those
    // stay where they are.
    let mut fixed = BTreeSet::new();
    let saved: Json = serde_json::from_str(&game.save()).expect("a saved game is JSON");
    bound(&saved["rest"]["acts"], &mut fixed);
    match game.decision().map(|d| &d.kind) {
        Some(DecisionKind::Choose { from, .. } | DecisionKind::Next { from }) => fixed.extend(from.iter()),
        Some(DecisionKind::Gather { declaration, from, .. }) => {
            fixed.extend(from.iter());
            fixed.extend(declaration.this);
            for value in &declaration.parameters {
                match value {
                    Value::Thing(thing) => fixed.extend([*thing]),
                    Value::Set(set) => fixed.extend(set.iter()),
                    _ => {}
                }
            }
        }
        _ => {}
    }
    let movable: Vec<ThingId> = unknown.iter().copied().filter(|t| !fixed.contains(t)).collect();
    worlds.push(swapped(game, program, &pairs(&movable, most, chance)));
    // Cards that change places with cards of the same hidden pile or hand, or of others: by card.
    let card = |t: ThingId| game.card_of(t).expect("a card");
    // A card that prints things of its own brings them along: a world in which it is another card has other things.
    let bare = |c: CardId| program.cards[c.index()].parts.is_empty();
    let unknown: Vec<ThingId> = unknown.into_iter().filter(|t| bare(card(*t))).collect();
    let both: Vec<(ThingId, CardId)> =
        pairs(&unknown, most, chance).into_iter().flat_map(|(a, b)| [(a, card(b)), (b, card(a))]).collect();
    worlds.push(disguised(game, program, &both));
    // Cards of which this game has none, or more than it has.
    let any: Vec<(ThingId, CardId)> = unknown
        .iter()
        .map(|t| (*t, CardId::from_index(chance.below(program.cards.len()))))
        .filter(|(_, c)| bare(*c))
        .collect();
    worlds.push(disguised(game, program, &any));
    worlds
}

/// A way to number the cards of a set-up: where each card of it comes in another.
#[derive(Clone, Debug)]
pub(crate) struct Renumbering {
    to: Vec<usize>,
}

impl Renumbering {
    /// A random one of so many cards.
    pub(crate) fn random(cards: usize, chance: &mut Chance) -> Renumbering {
        let mut to: Vec<usize> = (0..cards).collect();
        for i in (1..cards).rev() {
            to.swap(i, chance.below(i + 1));
        }
        Renumbering { to }
    }

    /// A thing's number in the other game.
    pub(crate) fn thing(&self, thing: ThingId) -> ThingId {
        self.to.get(thing.index()).map_or(thing, |n| ThingId::from_index(*n))
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Thing(t) => Value::Thing(self.thing(*t)),
            Value::Set(_) => panic!("a set-up and a submission name things one by one"),
            other => other.clone(),
        }
    }

    /// The set-up of the other game.
    pub(crate) fn setup(&self, setup: &Setup) -> Setup {
        let mut other = setup.clone();
        for (i, card) in setup.cards.iter().enumerate() {
            other.cards[self.to[i]] = *card;
        }
        for fact in &mut other.facts {
            match fact {
                Fact::Attr { thing, value, .. } => {
                    *thing = self.thing(*thing);
                    *value = self.value(value);
                }
                Fact::Without { thing, .. } => *thing = self.thing(*thing),
                Fact::Put { thing, owner, .. } => {
                    *thing = self.thing(*thing);
                    *owner = owner.map(|o| self.thing(o));
                }
                Fact::Holds(..) | Fact::Past(..) => {}
            }
        }
        other.roles.iter_mut().for_each(|(_, value)| *value = self.value(value));
        for frame in &mut other.start {
            frame.arguments.iter_mut().for_each(|value| *value = self.value(value));
        }
        other
    }

    /// What is submitted in the other game for what is submitted in this one.
    pub(crate) fn submission(&self, submission: &Submission) -> Submission {
        match submission {
            Submission::Declare { allowance, this, effect, parameters } => Submission::Declare {
                allowance: *allowance,
                this: this.map(|t| self.thing(t)),
                effect: *effect,
                parameters: parameters.iter().map(|v| self.value(v)).collect(),
            },
            Submission::Pick(value) => Submission::Pick(self.value(value)),
            Submission::Shuffled(order) => Submission::Shuffled(order.iter().map(|t| self.thing(*t)).collect()),
            other => other.clone(),
        }
    }
}

/// Looks that tell more than they may. Each must be caught by the property.
pub(crate) fn leaks() -> Vec<(&'static str, Look)> {
    fn with(game: &Game, seat: ThingId, more: Json) -> Json {
        json!({ "view": view(game, seat), "more": more })
    }
    fn of_hidden(game: &Game, seat: ThingId, tell: impl Fn(ThingId) -> Json) -> Json {
        unknown(game, seat).into_iter().map(tell).collect()
    }
    vec![
        ("numbers of hidden things", |game, seat| {
            let place = |t: ThingId| game.place_of(t).map(|p| (p.0.0, p.1.map(|o| o.0)));
            with(game, seat, of_hidden(game, seat, |t| json!([t.0, place(t)])))
        }),
        ("numbers of known things", |game, seat| {
            let known: Vec<(String, u16)> =
                things(game).filter(|t| lies_open(game, seat, *t)).map(|t| (game.thing_words(t), t.0)).collect();
            with(game, seat, json!(known))
        }),
        ("known things in the order of their numbers", |game, seat| {
            let known = things(game).filter(|t| game.card_of(*t).is_some() && lies_open(game, seat, *t));
            let name = |t: ThingId| game.card_of(t).map(|c| game.program().cards[c.index()].id.clone());
            with(game, seat, known.map(|t| json!(name(t))).collect())
        }),
        ("hidden things in the order of their numbers, by place", |game, seat| {
            let place = |t: ThingId| json!(game.place_of(t).map(|p| (p.0.0, p.1.map(|o| o.0))));
            with(game, seat, of_hidden(game, seat, place))
        }),
        ("the options of whoever decides", |game, seat| {
            let words: Vec<String> = game.options_in_words().into_iter().map(|o| o.0).collect();
            with(game, seat, json!(words))
        }),
        ("how many options whoever decides has", |game, seat| with(game, seat, json!(game.options().len()))),
        ("a hash of the position", |game, seat| with(game, seat, json!(game.position_hash()))),
        ("what the game calls things", |game, seat| {
            let known: BTreeSet<String> =
                things(game).filter(|t| lies_open(game, seat, *t)).map(|t| game.thing_words(t)).collect();
            with(game, seat, json!(known))
        }),
        ("every fact of the players", |game, seat| {
            let attrs = (0..game.program().attrs.len()).map(netrep_ir::AttrId::from_index);
            let player = game.program().services.player;
            let of_player: Vec<_> =
                attrs.filter(|a| game.program().attrs[a.index()].classes.contains(&player)).collect();
            let facts = |p: ThingId| of_player.iter().map(|a| game.value_words(*a, p)).collect::<Vec<_>>();
            with(game, seat, seats(game).into_iter().map(|p| json!(facts(p))).collect())
        }),
        ("the top of a hidden pile", |game, seat| {
            let places = game.program().places.iter().enumerate();
            let piles = places.filter(|p| p.1.secrecy == Secrecy::Hidden).map(|p| netrep_ir::PlaceId::from_index(p.0));
            let top = |p| game.in_place(p, None).last().map(|t| game.thing_words(*t));
            with(game, seat, piles.map(|p| json!(top(p))).collect())
        }),
        ("what is known, and what was shuffled, in one saved game", |game, seat| with(game, seat, json!(game.save()))),
        ("the trace of the rules", |game, seat| {
            let lines: Vec<&str> = game.trace().iter().map(|e| e.text.as_str()).collect();
            with(game, seat, json!(lines))
        }),
    ]
}
