//! Room for more things: the width of a game's sets grows at a decision when little of it is left, and an answer that
//! needs more than there is is taken again with more.
//!
//! Things are never used twice, so that the history can speak of them; a long game mints many. How wide a game is
//! follows from what happened in it alone, so games that go the same way stay equal.

use std::sync::Arc;

use netrep_ir::CardId;
use netrep_ir::limits::THINGS;

use crate::position::cache::Cache;
use crate::position::link::Link;
use crate::position::set::Set;
use crate::position::stack::{DecisionKind, Kind};
use crate::position::state::State;
use crate::position::table::Table;
use crate::position::value::Value;
use crate::program::layout::Layout;

/// So many things may be minted before a game grows at least.
const ROOM: usize = 64;
/// By so many things a game grows at least.
const STEP: usize = 256;
/// Sets of so many things lie inline: wider games take a little more than half as long again.
const NARROW: usize = 512;

/// The capacity of a game that begins with so many things.
pub(crate) fn at_first(given: usize) -> usize {
    (given + STEP).min(NARROW).max(given + 2 * ROOM)
}

/// Whether little room is left.
pub(crate) fn is_tight(link: &Link, state: &State) -> bool {
    state.ever() + ROOM > link.layout.capacity
}

/// Widens a game: its other side, its state and its derived values. False if it is as wide as can be.
pub(crate) fn grow(link: &mut Arc<Link>, state: &mut State, cache: &mut Cache) -> bool {
    let capacity = link.layout.capacity;
    if capacity >= THINGS {
        return false;
    }
    let capacity = (capacity + STEP.max(capacity / 2)).next_multiple_of(64).min(THINGS);
    let layout = Layout::new(&link.program, capacity);
    let cards: Vec<CardId> = link.table.given.iter().filter_map(|g| g.card).collect();
    // What cards print comes with the cards.
    let minted: Vec<_> = link.table.minted().map(|g| (g.class, g.name)).collect();
    let table = Table::new(&link.program, &layout, &cards, &minted, link.table.names.clone());
    let (old, new) = (link.layout.width, layout.width);
    let mut bits = vec![0; layout.slots * new];
    for (wide, narrow) in bits.chunks_exact_mut(new).zip(state.bits.chunks_exact(old)) {
        wide[..old].copy_from_slice(narrow);
    }
    state.bits = bits;
    sets(state, &mut |set| set.widen(new));
    *link = Arc::new(Link::new(Arc::clone(&link.program), layout, table));
    *cache = cache.emptied(link);
    true
}

/// Visits every set that the state holds beside its bits.
fn sets(state: &mut State, f: &mut dyn FnMut(&mut Set)) {
    let mut values = |values: &mut dyn Iterator<Item = &mut Value>| {
        for value in values {
            if let Value::Set(set) = value {
                f(set);
            }
        }
    };
    for act in &mut state.acts {
        values(&mut act.locals.iter_mut().chain(act.roles.iter_mut().map(|r| &mut r.1)));
    }
    state.pending.iter_mut().for_each(|p| values(&mut p.locals.iter_mut()));
    state.effects.iter_mut().for_each(|e| values(&mut e.locals.iter_mut()));
    for frame in &mut state.frames {
        match &mut frame.kind {
            Kind::Immediate { items, .. } => items.iter_mut().for_each(|p| values(&mut p.locals.iter_mut())),
            Kind::Following(w) => {
                w.items.iter_mut().chain(&mut w.open).for_each(|p| values(&mut p.locals.iter_mut()));
            }
            Kind::Window(w) => w.chain.iter_mut().for_each(|i| values(&mut i.locals.iter_mut())),
            Kind::Declare { item, .. } | Kind::Resolve { item, .. } => values(&mut item.locals.iter_mut()),
            Kind::Each { .. }
            | Kind::Around { .. }
            | Kind::Shuffle { .. }
            | Kind::Distribute { .. }
            | Kind::Block(_)
            | Kind::Until { .. }
            | Kind::Times { .. }
            | Kind::Rolling(_)
            | Kind::Event(_)
            | Kind::Procedure(_) => {}
        }
    }
    for frame in &mut state.frames {
        match &mut frame.kind {
            Kind::Each { remaining, .. } | Kind::Distribute { remaining, .. } => f(remaining),
            Kind::Shuffle { owners, .. } => f(owners),
            _ => {}
        }
    }
    match state.ask.as_mut().map(|d| &mut d.kind) {
        Some(DecisionKind::Choose { from, .. } | DecisionKind::Next { from }) => f(from),
        Some(DecisionKind::Gather { declaration, from, .. }) => {
            f(from);
            for value in &mut declaration.parameters {
                if let Value::Set(set) = value {
                    f(set);
                }
            }
        }
        _ => {}
    }
}
