//! What was stored in a position when it was last looked at: much of what has been written since is as it was.

use std::collections::BTreeMap;

use netrep_ir::ClassId;
use smallvec::SmallVec;

use crate::position::grounds::bits;
use crate::position::set::ThingId;
use crate::position::state::State;
use crate::program::layout::{INLINE, Layout};
use crate::program::parts::{Parts, Stored};

/// A part that holds something else of a thing than before: of a bit slot, whether it held the thing, and whether it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Other {
    pub part: usize,
    pub was: bool,
    pub is: bool,
}

/// What was stored in columns and bit slots, and what existed.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    classes: Vec<ClassId>,
    values: Vec<i32>,
    bits: Vec<u64>,
    living: Vec<u64>,
    /// By thing, what is another than before.
    others: BTreeMap<ThingId, Vec<Other>>,
}

impl Snapshot {
    /// Of parts that have been written, a bit for each, those that hold something else than when this was last asked.
    pub(crate) fn keep_others(&mut self, layout: &Layout, state: &State, written: &mut [u64]) {
        self.others.clear();
        if self.bits.len() != state.bits.len() {
            self.bits = vec![!0; state.bits.len()];
        }
        self.values.resize(self.classes.len() * layout.columns, 0);
        let come = state.classes.get(self.classes.len()..).into_iter().flatten();
        let come = come.fold(0u64, |groups, class| groups | 1 << Parts::group(Some(class)));
        let known = self.classes.len();
        for (at, word) in written.iter_mut().enumerate() {
            for bit in bits(*word) {
                let part = at * 64 + bit;
                let other = match layout.parts.stored(part) {
                    None => true,
                    Some(Stored::Slot(slot)) => self.is_other_slot(layout, state, (part, slot)),
                    Some(Stored::Column { column, group }) => {
                        self.is_other_column(layout, state, (part, column, group), known) | (come >> group & 1 == 1)
                    }
                };
                if !other {
                    *word &= !(1 << bit);
                }
            }
        }
        // What has come is another in every column.
        for (thing, class) in state.classes.iter().enumerate().skip(known).filter(|_| known > 0) {
            let parts = (0..layout.columns).map(|column| layout.parts.column(column, Some(class)));
            let others = parts.map(|part| Other { part, was: false, is: false });
            self.others.entry(ThingId::from_index(thing)).or_default().extend(others);
        }
        self.values.resize(state.values.len(), 0);
        let first = known * layout.columns;
        if let (Some(own), Some(new)) = (self.values.get_mut(first..), state.values.get(first..)) {
            own.copy_from_slice(new);
        }
        self.classes.extend(state.classes.iter().skip(known));
        self.living.clear();
        self.living.extend_from_slice(state.living(layout));
    }

    /// What of each thing is another than before, of the things that were there.
    pub(crate) fn others(&self) -> impl Iterator<Item = (ThingId, &[Other])> {
        self.others.iter().map(|(thing, others)| (*thing, others.as_slice()))
    }

    /// Whether a slot holds other things, or of the same others exist.
    fn is_other_slot(&mut self, layout: &Layout, state: &State, (part, slot): (usize, usize)) -> bool {
        let first = slot * layout.width;
        // Nothing rests yet on what is looked at for the first time.
        let anew = self.living.is_empty();
        let mut other = anew;
        let existed = self.living.iter().zip(state.living(layout)).map(|(was, is)| was ^ is);
        let existed: SmallVec<[u64; INLINE]> = existed.chain(std::iter::repeat(0)).take(layout.width).collect();
        for (at, (now, existence)) in state.peek_words(layout, slot).iter().zip(existed).enumerate() {
            let Some(own) = self.bits.get_mut(first + at) else { continue };
            let was = std::mem::replace(own, *now);
            let differ = (was ^ now) | existence & (was | now);
            other |= differ != 0;
            for bit in bits(differ).filter(|_| !anew) {
                let of = self.others.entry(ThingId::from_index(at * 64 + bit)).or_default();
                of.push(Other { part, was: was >> bit & 1 == 1, is: now >> bit & 1 == 1 });
            }
        }
        other
    }

    /// Whether a column holds something else of the things of a group that were known.
    fn is_other_column(
        &mut self,
        layout: &Layout,
        state: &State,
        (part, column, group): (usize, usize, usize),
        known: usize,
    ) -> bool {
        let mut other = false;
        for (thing, class) in state.classes.iter().take(known).enumerate() {
            let at = thing * layout.columns + column;
            if Parts::group(Some(class)) == group
                && let (Some(own), Some(new)) = (self.values.get_mut(at), state.values.get(at))
                && *own != *new
            {
                other = true;
                *own = *new;
                let of = self.others.entry(ThingId::from_index(thing)).or_default();
                of.push(Other { part, was: false, is: false });
            }
        }
        other
    }
}
