//! Where each attribute of a game lies: a column of the state, bits of the state, or the printed table.
//!
//! The state is two flat vectors. `values` is thing-major (a row per thing, so that its length follows the
//! things that exist, not the capacity); `bits` is set-major (one set of the game's width per slot).

use netrep_ir::{AttrId, ClassId, PlaceId, Program, Source, ValueKind};

use crate::program::parts::Parts;

/// So many words of a set lie inline, without a list of their own: 512 things.
pub(crate) const INLINE: usize = 8;

/// Column of the place (id plus one; 0 = nowhere).
pub(crate) const PLACE: usize = 0;
/// Column of the place's owner (thing plus one; 0 = none).
pub(crate) const OWNER: usize = 1;
/// Column of the rank in an ordered place (1 = lowest; 0 = not in one).
pub(crate) const RANK: usize = 2;
/// Column of the player whose thing it is (thing plus one; 0 = none): set by the first owned place.
pub(crate) const HOME: usize = 3;
/// Column of the serial at which it last came into or out of a place that someone may not look into: what happened
/// to it before cannot be told of it by those who saw it only since.
pub(crate) const SINCE: usize = 4;
/// Column of the serial at which it came into its place: what came first cancels first.
pub(crate) const CAME: usize = 5;
const FIXED: usize = 6;

/// Where the stored values of an attribute are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    /// In the state: the first of its columns.
    Column(usize),
    /// In the state: the first of its bit slots.
    Bits(usize),
    /// In the state: sorted pairs.
    Pairs,
    /// Only printed.
    Printed,
    /// Nowhere: derived.
    Derived,
}

/// One attribute's place.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub store: Store,
    pub kind: ValueKind,
    /// How many numbers or sets it has for each thing: the length of its list, else 1.
    pub parts: usize,
    pub default: i32,
}

/// The layout of a game's state.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Words per set.
    pub width: usize,
    /// Things that the game can hold.
    pub capacity: usize,
    /// Columns per thing.
    pub columns: usize,
    /// Bit slots.
    pub slots: usize,
    class0: usize,
    place0: usize,
    attrs: Vec<Slot>,
    pub parts: Parts,
}

impl Layout {
    pub(crate) fn new(program: &Program, capacity: usize) -> Layout {
        let mut columns = FIXED;
        let class0 = 1;
        let place0 = class0 + program.classes.len();
        let mut slots = place0 + program.places.len();
        let attrs = program
            .attrs
            .iter()
            .map(|attr| {
                let parts = match attr.kind {
                    ValueKind::Entries(l) | ValueKind::NumberFor(l) | ValueKind::Entry(l) => {
                        program.list(l).entries.len()
                    }
                    _ => 1,
                };
                let default = if let Source::Stored { default } = attr.source { default } else { 0 };
                let store = match (&attr.source, attr.kind) {
                    (Source::Number(_) | Source::Things(_) | Source::Flag(_), _) => Store::Derived,
                    (Source::Stored { .. }, _) if !attr.dynamic => Store::Printed,
                    (_, ValueKind::Flag) => {
                        slots += 1;
                        Store::Bits(slots - 1)
                    }
                    (_, ValueKind::Entries(_)) => {
                        slots += parts;
                        Store::Bits(slots - parts)
                    }
                    (_, ValueKind::Things(_)) => Store::Pairs,
                    (_, ValueKind::NumberFor(_)) => {
                        columns += parts;
                        Store::Column(columns - parts)
                    }
                    (_, ValueKind::Number | ValueKind::Entry(_) | ValueKind::Thing(_)) => {
                        columns += 1;
                        Store::Column(columns - 1)
                    }
                };
                Slot { store, kind: attr.kind, parts, default }
            })
            .collect();
        let parts = Parts::new(
            columns,
            slots,
            program.attrs.len(),
            program.verbs.len(),
            program.roles.len(),
            program.procs.len(),
        );
        // Sets that lie inline are all of the same width, for which loops over them are made.
        Layout { width: (capacity / 64).max(INLINE), capacity, columns, slots, class0, place0, attrs, parts }
    }

    /// The bit slot of what exists.
    pub(crate) fn existing(&self) -> usize {
        0
    }
    /// The bit slot of a class.
    pub(crate) fn class(&self, class: ClassId) -> usize {
        self.class0 + class.index()
    }
    /// The bit slot of a place.
    pub(crate) fn place(&self, place: PlaceId) -> usize {
        self.place0 + place.index()
    }
    /// Where an attribute is.
    pub(crate) fn attr(&self, attr: AttrId) -> &Slot {
        &self.attrs[attr.index()]
    }
}
