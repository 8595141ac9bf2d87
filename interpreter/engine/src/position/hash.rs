//! The hash of a position: over what things are called, never over the numbers that a program gives them.
//!
//! Facts are summed up, so that it does not matter in which order a program has them, and a fact that has its default counts
//! for nothing, so that one more word changes no hash. The stack and the history are hashed in their order.

use std::hash::{Hash, Hasher};

use netrep_ir::identity::mixed;
use netrep_ir::{AttrId, IdKind, Identities, ListId, Program, ValueKind};
use xxhash_rust::xxh3::xxh3_64;

use crate::position::labels;
use crate::position::link::Link;
use crate::position::set::ThingId;
use crate::position::stack::Kind;
use crate::position::state::State;
use crate::program::layout::{CAME, HOME, OWNER, PLACE, RANK, SINCE, Store};

/// Collects what is hashed, little-endian, lengths as 64 bits: the same on every platform of that order.
#[derive(Default)]
struct Bytes(Vec<u8>);

macro_rules! little {
    ($($name:ident: $type:ty),*) => {$(
        #[inline]
        fn $name(&mut self, n: $type) {
            self.0.extend_from_slice(&n.to_le_bytes());
        }
    )*};
}

impl Hasher for Bytes {
    fn finish(&self) -> u64 {
        xxh3_64(&self.0)
    }
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    little!(write_u16: u16, write_u32: u32, write_u64: u64, write_i16: i16, write_i32: i32, write_i64: i64);
    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
    #[inline]
    fn write_isize(&mut self, n: isize) {
        self.write_i64(n as i64);
    }
}

/// How the values of a column are called.
#[derive(Clone, Copy, Debug)]
enum Cells {
    /// By themselves.
    Plain,
    /// Entries, from 1; 0 is none.
    Entries,
    /// Places, from 1; 0 is nowhere.
    Places,
}

/// A column of the state under its name.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    at: usize,
    name: u64,
    default: i32,
    cells: Cells,
    /// The column says where a thing lies among others or since when, not what is stored of it.
    moves: bool,
}

/// A bit slot of the state under its name.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    at: usize,
    name: u64,
    default: bool,
}

/// What of the state is hashed, under its names.
#[derive(Debug)]
pub(crate) struct Called {
    /// What the things are that are there from the start: their cards and names.
    given: u64,
    /// By class what is stored of its things.
    of_class: Vec<Stored>,
    /// What is stored of things of any class: by it the others are proved.
    all: Stored,
}

/// What is stored of the things of a class: of things of other classes it is what it is by default.
#[derive(Clone, Debug, Default)]
struct Stored {
    columns: Vec<Column>,
    slots: Vec<Slot>,
}

impl Called {
    pub(crate) fn new(link: &Link) -> Called {
        let (program, identities) = (&*link.program, link.program.identities());
        let fixed = |(at, cells, moves): (usize, Cells, bool)| Column { at, name: at as u64, default: 0, cells, moves };
        let fixed = [
            (PLACE, Cells::Places, false),
            (OWNER, Cells::Plain, false),
            (HOME, Cells::Plain, false),
            (RANK, Cells::Plain, true),
            (SINCE, Cells::Plain, true),
        ]
        .map(fixed);
        let mut given = Bytes::default();
        for one in &link.table.given {
            one.card.map(|card| program.card(card).id.as_str()).hash(&mut given);
            one.name.map(|name| link.table.name(program, name)).hash(&mut given);
        }
        let mut all = Stored { columns: fixed.into(), slots: Vec::new() };
        // What came first counts only where something is canceled.
        if link.analysis.cancels {
            let name = CAME as u64;
            all.columns.push(Column { at: CAME, name, default: 0, cells: Cells::Plain, moves: true });
        }
        all.slots.push(Slot { at: link.layout.existing(), name: 0, default: false });
        let mut of_class = vec![all.clone(); program.classes.len()];
        for i in 0..program.attrs.len() {
            let attr = AttrId::from_index(i);
            let (slot, name) = (link.layout.attr(attr), identities.of(IdKind::Attr, attr.0));
            let part = |list: ListId| {
                let entries = &program.list(list).entries;
                entries.iter().map(move |entry| mixed(name, identities.of(IdKind::Entry, entry.0))).enumerate()
            };
            let column = |at, name, cells| Column { at, name, default: slot.default, cells, moves: false };
            let mut own = Stored::default();
            match (slot.store, slot.kind) {
                (Store::Column(at), ValueKind::NumberFor(list)) => {
                    own.columns.extend(part(list).map(|(n, name)| column(at + n, name, Cells::Plain)));
                }
                (Store::Column(at), ValueKind::Entry(_)) => own.columns.push(column(at, name, Cells::Entries)),
                (Store::Column(at), _) => own.columns.push(column(at, name, Cells::Plain)),
                (Store::Bits(at), ValueKind::Entries(list)) => {
                    own.slots.extend(part(list).map(|(n, name)| Slot { at: at + n, name, default: false }));
                }
                (Store::Bits(at), _) => own.slots.push(Slot { at, name, default: slot.default != 0 }),
                (Store::Pairs | Store::Printed | Store::Derived, _) => {}
            }
            all.columns.extend_from_slice(&own.columns);
            all.slots.extend_from_slice(&own.slots);
            for class in &program.attr(attr).classes {
                if let Some(of_class) = of_class.get_mut(class.index()) {
                    of_class.columns.extend_from_slice(&own.columns);
                    of_class.slots.extend_from_slice(&own.slots);
                }
            }
        }
        Called { given: given.finish(), of_class, all }
    }

    /// The sum of all facts but those of one thing; without what says only where things lie among others, if `still`.
    fn facts(
        &self,
        identities: &Identities,
        state: &State,
        layout: &crate::program::layout::Layout,
        but: Option<ThingId>,
        still: bool,
    ) -> u64 {
        let mut sum = 0u64;
        let mut sums = state.sums.borrow_mut();
        sums.resize(state.ever());
        for n in 0..state.ever() {
            let thing = ThingId::from_index(n);
            let stored = &self.of_class[state.classes[n].index()];
            let (of_thing, moves) = sums.of(thing, || stored.of_thing(identities, state, layout, thing));
            if Some(thing) != but {
                sum = sum.wrapping_add(of_thing).wrapping_add(if still { 0 } else { moves });
            }
        }
        for (attr, thing, other) in state.pairs.iter().filter(|pair| Some(pair.1) != but) {
            let name = identities.of(IdKind::Attr, attr.0);
            sum = sum.wrapping_add(term(name, *thing, u64::from(other.0) + 1));
        }
        for ordinal in &state.ordinals {
            sum = sum.wrapping_add(mixed(mixed(ordinal.purpose, ordinal.subject), u64::from(ordinal.count)));
        }
        sum
    }
}

impl Stored {
    /// The sum of the facts of one thing in columns and bit slots, and of those that say only where it lies among others.
    fn of_thing(
        &self,
        identities: &Identities,
        state: &State,
        layout: &crate::program::layout::Layout,
        thing: ThingId,
    ) -> (u64, u64) {
        let (mut sum, mut moves) = (0u64, 0u64);
        for column in &self.columns {
            let cell = state.values.get(thing.index() * layout.columns + column.at).copied();
            let Some(cell) = cell.filter(|cell| *cell != column.default) else { continue };
            let value = match (column.cells, u16::try_from(cell - 1)) {
                (Cells::Entries, Ok(id)) => identities.of(IdKind::Entry, id),
                (Cells::Places, Ok(id)) => identities.of(IdKind::Place, id),
                _ => i64::from(cell) as u64,
            };
            let sum = if column.moves { &mut moves } else { &mut sum };
            *sum = sum.wrapping_add(term(column.name, thing, value));
        }
        let (word, mask) = (thing.index() / 64, 1 << (thing.index() % 64));
        for slot in &self.slots {
            let is_so = state.bits.get(slot.at * layout.width + word).is_some_and(|bits| bits & mask != 0);
            if is_so != slot.default {
                sum = sum.wrapping_add(term(slot.name, thing, 1));
            }
        }
        (sum, moves)
    }
}

/// What a fact of a thing adds.
fn term(name: u64, thing: ThingId, value: u64) -> u64 {
    mixed(mixed(name, u64::from(thing.0) + 1), value)
}

/// The sums of the facts of each thing, as far as nothing of it has been written since. They are no part of the position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    of: Vec<Option<(u64, u64)>>,
    /// What is written is not noticed (see [`Planted`](crate::Planted)): for these sums, for copies.
    pub stuck: bool,
    pub is_uncopied: bool,
}

impl Sums {
    fn resize(&mut self, things: usize) {
        self.of.resize(things, None);
    }
    fn of(&mut self, thing: ThingId, sum: impl FnOnce() -> (u64, u64)) -> (u64, u64) {
        *self.of[thing.index()].get_or_insert_with(sum)
    }
    /// A fact of a thing is written.
    #[inline]
    pub(crate) fn forget(&mut self, thing: ThingId) {
        if let Some(known) = self.of.get_mut(thing.index()).filter(|_| !self.stuck) {
            *known = None;
        }
    }
    /// Takes over those of another position.
    pub(crate) fn copy_from(&mut self, from: &Sums) {
        self.of.clone_from(&from.of);
    }
}

/// Whether the sums of the facts are what they are when they are worked out again, of each thing from all that could be stored.
pub(crate) fn sums_hold(link: &Link, state: &State) -> bool {
    let (called, identities) = (link.called(), link.program.identities());
    let sum = || called.facts(identities, state, &link.layout, None, false);
    let known = sum();
    let things = (0..state.ever()).map(ThingId::from_index);
    let of = things.map(|thing| Some(called.all.of_thing(identities, state, &link.layout, thing))).collect();
    let sums = state.sums.replace(Sums { of, ..Sums::default() });
    let anew = sum();
    state.sums.replace(sums);
    known == anew
}

/// The hash of a position.
pub(crate) fn position(link: &Link, state: &State) -> u64 {
    let (program, identities) = (&*link.program, link.program.identities());
    let mut bytes = Bytes::default();
    bytes.write_u64(link.called().given);
    bytes.write_u64(link.called().facts(identities, state, &link.layout, None, false));
    let classes = state.classes.iter().map(|class| identities.of(IdKind::Class, class.0));
    classes.for_each(|class| bytes.write_u64(class));
    for row in &state.history {
        bytes.write_u64(identities.of(IdKind::Verb, row.verb.0));
        bytes.write_u64(identities.of(IdKind::Clause, row.clause.0));
        row.roles.hash(&mut bytes);
        bytes.write_u32(row.serial);
    }
    let usage = state.usage.iter().map(|usage| {
        let mut one = Bytes::default();
        one.write_u64(identities.of(IdKind::Allowance, usage.allowance.0));
        (usage.this, usage.proc, usage.count).hash(&mut one);
        one.finish()
    });
    bytes.write_u64(usage.fold(0, u64::wrapping_add));
    // Ids go by their names, and what is left by itself.
    macro_rules! each {
        ($($field:ident $visit:ident),*) => {$(
            bytes.write_usize(state.$field.iter().count());
            for one in state.$field.iter() {
                let mut one = one.clone();
                labels::$visit(&mut one, &mut |kind, id| {
                    bytes.write_u64(identities.of(kind, *id));
                    *id = 0;
                });
                one.hash(&mut bytes);
            }
        )*};
    }
    each!(effects effect, acts activation, pending pending, ask decision, announced announced);
    bytes.write_usize(state.frames.len());
    for frame in &state.frames {
        let mut frame = frame.clone();
        if let Kind::Procedure(running) = &mut frame.kind {
            bytes.write_u64(step_name(program, identities, running.proc, running.next));
            running.next = 0;
        }
        labels::frame(&mut frame, &mut |kind, id| {
            bytes.write_u64(identities.of(kind, *id));
            *id = 0;
        });
        frame.hash(&mut bytes);
    }
    bytes.write_u32(state.serial);
    // What nothing gives or withholds counts for nothing.
    for one in &state.standing {
        bytes.write_u64(identities.of(IdKind::Modifier, one.modifier.0));
        (one.giver, one.effect, one.host, one.thing, one.removed).hash(&mut bytes);
    }
    if !state.withheld.is_empty() {
        state.withheld.hash(&mut bytes);
    }
    bytes.finish()
}

/// The step of a procedure that comes next, by its name; 0 behind the last.
fn step_name(program: &Program, identities: &Identities, proc: netrep_ir::ProcId, next: u16) -> u64 {
    match program.proc(proc).steps.get(usize::from(next)) {
        Some(step) => identities.of(IdKind::Step, step.0),
        // total: behind the last step there is none
        None => 0,
    }
}

/// A fingerprint of everything that can be changed but the history, except where one thing lies and what is stored of it.
pub(crate) fn without(link: &Link, state: &State, this: Option<ThingId>) -> u64 {
    let mut bytes = Bytes::default();
    // That something was rolled, or left to chance otherwise, is a change too.
    bytes.write_u64(link.called().facts(link.program.identities(), state, &link.layout, this, true));
    state.effects.iter().for_each(|effect| bytes.write_u32(effect.serial));
    bytes.finish()
}
