//! Making facts true in a position.

use netrep_ir::*;

use crate::act::run::Run;
use crate::ask::eval::Cx;
use crate::game::Game;
use crate::game::setup::Fact;
use crate::position::set::{Set, ThingId};
use crate::position::stack::*;
use crate::position::value::{Roles, Value};
use crate::program::layout::Store;

/// How often the edits of a condition are tried again, when one of them disturbs another.
const ROUNDS: u8 = 4;

/// Makes a fact true, or says why it cannot be.
pub(crate) fn assert(game: &mut Game, fact: &Fact) -> Result<(), String> {
    let outcome = match fact {
        Fact::Attr { attr, thing, value } => attribute(game, *attr, *thing, value),
        Fact::Without { attr, thing, entry } => without(game, *attr, *thing, *entry),
        Fact::Put { thing, place, owner } => put(game, *thing, *place, *owner),
        Fact::Holds(cond, words) => holds(game, cond, words),
        Fact::Past(past, words) => happened(game, past, words),
    };
    outcome.and_then(|()| refresh(game))
}

fn known(game: &Game, thing: ThingId) -> Result<(), String> {
    if game.exists(thing) { Ok(()) } else { Err(format!("there is no thing number {}", thing.0)) }
}

fn attribute(game: &mut Game, attr: AttrId, thing: ThingId, value: &Value) -> Result<(), String> {
    known(game, thing)?;
    let eval = game.eval();
    if game.program().attrs.get(attr.index()).is_none() {
        return Err(format!("there is no attribute number {}", attr.0));
    }
    let name = eval.attr_words(attr).to_string();
    let slot = eval.link.layout.attr(attr).clone();
    let width = eval.link.layout.width;
    if eval.having(attr, &Set::one(thing, width)).is_empty() {
        return Err(format!("{} has no {name}", eval.thing_words(thing)));
    }
    let fits = match (slot.kind, value) {
        (_, Value::None) => true,
        (ValueKind::Number | ValueKind::Flag | ValueKind::NumberFor(_), v) => matches!(v, Value::Num(_)),
        (ValueKind::Entry(list) | ValueKind::Entries(list), Value::Entry(e)) => {
            game.program().entries.get(e.index()).is_some_and(|e| e.list == list)
        }
        (ValueKind::Thing(class), Value::Thing(t)) | (ValueKind::Things(class), Value::Thing(t)) => {
            game.class_of(*t) == Some(class)
        }
        (ValueKind::Things(class), Value::Set(s)) => s.iter().all(|t| game.class_of(t) == Some(class)),
        _ => false,
    };
    if !fits {
        return Err(format!("{} cannot be the {name} of {}", eval.any_words(value), eval.thing_words(thing)));
    }
    let write = match (slot.store, value) {
        (Store::Bits(at), Value::Entry(e)) if matches!(slot.kind, ValueKind::Entries(_)) => {
            // Many-valued: an entry is added to those there are.
            let part = eval.link.table.position(*e);
            return change(game, |run| {
                run.state.set_bit(&run.link.layout, at + part, thing, true);
                run.touch();
                Ok(())
            });
        }
        (Store::Pairs, Value::Thing(t)) => {
            let mut now = Set::empty(width);
            eval.values_of(&Cx::clause(ClauseId(0), None, &[]), attr, thing, &eval.universe(false), &mut now);
            now.insert(*t);
            Value::of_set(now)
        }
        (Store::Printed, _) => {
            return Err(format!("the {name} of {} is printed and cannot be given", eval.thing_words(thing)));
        }
        (Store::Derived, _) => {
            return Err(format!(
                "the {name} of {} follows from other facts and cannot be given",
                eval.thing_words(thing)
            ));
        }
        _ => value.clone(),
    };
    change(game, |run| run.store(thing, attr, &write, ClauseId(0)))
}

fn without(game: &mut Game, attr: AttrId, thing: ThingId, entry: EntryId) -> Result<(), String> {
    known(game, thing)?;
    if game.program().attrs.get(attr.index()).is_none() || game.program().entries.get(entry.index()).is_none() {
        return Err(format!("there is no attribute number {} or no entry number {}", attr.0, entry.0));
    }
    let slot = game.link().layout.attr(attr).clone();
    let part = game.link().table.position(entry);
    match (slot.store, slot.kind) {
        (Store::Bits(at), ValueKind::Entries(_)) => change(game, |run| {
            run.state.set_bit(&run.link.layout, at + part, thing, false);
            run.touch();
            Ok(())
        }),
        _ => Err(format!("the {} of {} cannot be taken away", game.eval().attr_words(attr), game.thing_words(thing))),
    }
}

fn put(game: &mut Game, thing: ThingId, place: Option<PlaceId>, owner: Option<ThingId>) -> Result<(), String> {
    known(game, thing)?;
    if let Some(owner) = owner {
        known(game, owner)?;
    }
    let Some(place) = place else {
        return change(game, |run| {
            run.state.put(&run.link.program, &run.link.layout, thing, None, false);
            run.touch();
            Ok(())
        });
    };
    let Some(decl) = game.program().places.get(place.index()) else {
        return Err(format!("there is no place number {}", place.0));
    };
    let (owned, name) = (decl.owned, decl.name.clone());
    change(game, |run| {
        run.put_thing(thing, place, owner, false);
        Ok(())
    })?;
    if owned && game.place_of(thing).and_then(|p| p.1).is_none() {
        return Err(format!("whose {name} is {} in? it belongs to no one", game.thing_words(thing)));
    }
    Ok(())
}

/// The things of which a condition says something, each time that it speaks of all of a kind.
fn spoken_of(game: &Game, cond: &Cond) -> Vec<Set> {
    match cond {
        Cond::Every(of, _) => vec![game.select(of)],
        Cond::And(parts) => parts.iter().flat_map(|part| spoken_of(game, part)).collect(),
        _ => Vec::new(),
    }
}

/// Makes a condition true of those of whom it speaks now: not by their being something else afterwards.
fn holds(game: &mut Game, cond: &Cond, words: &str) -> Result<(), String> {
    let meant = spoken_of(game, cond);
    if meant.iter().any(Set::is_empty) {
        return Err(format!("there is nothing of which it is said: {words}"));
    }
    for _ in 0..ROUNDS {
        if game.eval().cond(&Cx::bare(), cond) {
            let same = spoken_of(game, cond) == meant;
            return if same { Ok(()) } else { Err(format!("cannot be made true of what it is said of: {words}")) };
        }
        let Some(edits) = game.eval().make(&Cx::bare(), cond, true, 0) else {
            return Err(format!("cannot be made true: {words}"));
        };
        for edit in &edits {
            assert(game, edit).map_err(|e| format!("cannot be made true: {words} ({e})"))?;
        }
    }
    Err(format!("cannot be made true: {words}"))
}

/// A row of the history: what it says of itself is done by nobody, and nothing follows from it.
fn happened(game: &mut Game, past: &Past, words: &str) -> Result<(), String> {
    let Some(decl) = game.program().verbs.get(past.verb.index()).cloned() else {
        return Err(format!("there is no verb number {}", past.verb.0));
    };
    let universe = game.eval().universe(true);
    let mut roles = Roles::new();
    for (nth, role) in decl.roles.iter().enumerate() {
        let thing = match past.roles.get(nth).and_then(Option::as_ref) {
            None if role.optional => None,
            None => {
                let said = [decl.forms[2].as_str(), role.word.as_str()].join(" ");
                return Err(format!("{words}: it does not say who or what was {}", said.trim()));
            }
            Some(sel) => match game.eval().sel(&Cx::bare(), sel, &universe).single() {
                Some(thing) => Some(thing),
                None => {
                    return Err(format!(
                        "{words}: what has happened is said of one thing, and there it is none or several"
                    ));
                }
            },
        };
        roles.push(thing);
    }
    change(game, |run| {
        run.state.record(past.verb, &roles, ClauseId(0));
        run.touch();
        Ok(())
    })
}

fn change(game: &mut Game, write: impl FnOnce(&mut Run) -> crate::act::run::Step) -> Result<(), String> {
    game.with_run(|run| write(run).and_then(|()| run.stand())).map_err(|e| e.text)
}

/// The candidates of the choice that is asked, after an edit.
fn refresh(game: &mut Game) -> Result<(), String> {
    if let Some(Decision { kind: DecisionKind::Gather { declaration, .. }, by: Chooser::Seat(seat), .. }) =
        game.decision()
    {
        let (mut declaration, seat) = (Gathering::clone(declaration), *seat);
        return change(game, |run| {
            let eval = run.eval();
            let attempt = eval.gathered(&declaration, seat);
            let next = attempt.and_then(|attempt| eval.next_choice(&attempt, &mut declaration));
            let next = next.map(|next| (next.from, next.optional));
            if let (Some(next), Some(Decision { kind: DecisionKind::Gather { declaration: of, from, optional }, .. })) =
                (next, &mut run.state.ask)
            {
                (**of, (*from, *optional)) = (declaration, next);
            }
            Ok(())
        });
    }
    let asked = matches!(game.decision(), Some(Decision { kind: DecisionKind::Choose { .. }, .. }));
    if !asked {
        return Ok(());
    }
    change(game, |run| {
        let link = run.link;
        let asking = run.state.frames.last().and_then(|frame| match frame.kind {
            Kind::Block(at) => Some((frame.act, link.statement(at.before()).map(|(statement, _)| statement))),
            _ => None,
        });
        let Some((act, Some(Statement::Choose { from, slot, then, .. }))) = asking else {
            return Err(run.unsound("no statement asks for the choice that is open"));
        };
        let candidates = run.candidates(act, from, *slot, then);
        if let Some(Decision { kind: DecisionKind::Choose { from, .. }, .. }) = &mut run.state.ask {
            *from = candidates;
        }
        Ok(())
    })
}
