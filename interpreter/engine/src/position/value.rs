//! Values of local slots, roles and facts.

use netrep_ir::{EntryId, VerbDecl};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::position::set::{Set, ThingId};

/// What a slot holds. Normal form: no thing is `None`, one thing is `Thing`, `Set` holds two or more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Value {
    /// Nothing, or not yet bound.
    #[default]
    None,
    /// A number; flags are 0 and 1.
    Num(i32),
    /// One thing.
    Thing(ThingId),
    /// An entry of an enumeration.
    Entry(EntryId),
    /// Several things.
    Set(Box<Set>),
}

impl Value {
    /// The normal form of a set.
    pub(crate) fn of_set(set: Set) -> Value {
        match set.len() {
            0 => Value::None,
            1 => Value::of_thing(set.first()),
            _ => Value::Set(Box::new(set)),
        }
    }
    /// A thing or nothing.
    pub fn of_thing(thing: Option<ThingId>) -> Value {
        match thing {
            Some(thing) => Value::Thing(thing),
            None => Value::None,
        }
    }
    /// An entry or nothing.
    pub(crate) fn of_entry(entry: Option<EntryId>) -> Value {
        match entry {
            Some(entry) => Value::Entry(entry),
            None => Value::None,
        }
    }
    /// The set, if several things are in it.
    pub(crate) fn several(&self) -> Option<&Set> {
        match self {
            Value::Set(set) if set.len() > 1 => Some(set),
            _ => None,
        }
    }
    /// The things in it.
    pub(crate) fn things(&self, width: usize) -> Set {
        match self {
            Value::Thing(t) => Set::one(*t, width),
            Value::Set(s) => Set::clone(s),
            Value::None | Value::Num(_) | Value::Entry(_) => Set::empty(width),
        }
    }
    /// The first thing in it.
    pub fn thing(&self) -> Option<ThingId> {
        match self {
            Value::Thing(t) => Some(*t),
            Value::Set(s) => s.first(),
            Value::None | Value::Num(_) | Value::Entry(_) => None,
        }
    }
    /// The number in it, else 0.
    pub fn num(&self) -> i32 {
        if let Value::Num(n) = self { *n } else { 0 }
    }
    /// The entry in it.
    pub fn entry(&self) -> Option<EntryId> {
        if let Value::Entry(e) = self { Some(*e) } else { None }
    }
}

/// The local slots of an activation.
pub(crate) type Locals = SmallVec<[Value; 4]>;

/// The things in the roles of an event, in the order of the verb's frame.
pub(crate) type Roles = SmallVec<[Option<ThingId>; 4]>;

/// Slots, all unbound.
pub(crate) fn locals(slots: u8) -> Locals {
    SmallVec::from_elem(Value::None, usize::from(slots))
}

/// Binds a slot, growing the locals if a slot lies beyond what was declared.
pub(crate) fn bind(locals: &mut Locals, slot: u8, value: Value) {
    let slot = usize::from(slot);
    if slot >= locals.len() {
        locals.resize(slot + 1, Value::None);
    }
    locals[slot] = value;
}

/// Locals of a verb's blocks with its roles in their slots.
pub(crate) fn verb_locals(decl: &VerbDecl, roles: &[Option<ThingId>]) -> Locals {
    let mut own = locals(decl.slots);
    for (role, thing) in decl.roles.iter().zip(roles) {
        bind(&mut own, role.slot, Value::of_thing(*thing));
    }
    own
}

/// An id as a column holds it: plus one, 0 for none.
pub(crate) fn plus_one(id: Option<u16>) -> i32 {
    match id {
        Some(id) => i32::from(id) + 1,
        // total: that is how none is held
        None => 0,
    }
}

/// A number of things, frames, statements, columns or copies as it is stored.
pub(crate) fn short(n: usize) -> u16 {
    netrep_ir::limits::in_16_bits(n)
}

/// How many there are, as a number of the rules.
pub(crate) fn number(n: usize) -> i32 {
    // total: memory ends before 31 bits of things or serials do.
    i32::try_from(n).unwrap_or(i32::MAX)
}

/// How many there are, as rows and dice are counted.
pub(crate) fn count(n: usize) -> u32 {
    netrep_ir::limits::in_32_bits(n)
}

/// Whose turn is next among so many seats.
pub(crate) fn next_seat(seat: usize, seats: usize) -> u8 {
    // total: less than the number of seats; a game of more than 256 players would go back to the first.
    u8::try_from((seat + 1) % seats.max(1)).unwrap_or(0)
}
