//! What was stored in a position when it was last looked at: much of what has been written since is as it was.

use netrep_ir::ClassId;

use crate::position::state::State;
use crate::program::layout::Layout;
use crate::program::parts::{Parts, Stored};

/// What was stored in columns and bit slots, and what existed.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    classes: Vec<ClassId>,
    values: Vec<i32>,
    bits: Vec<u64>,
    living: Vec<u64>,
}

impl Snapshot {
    /// Of parts that have been written, a bit for each, those that hold something else than when this was last asked.
    pub(crate) fn keep_others(&mut self, layout: &Layout, state: &State, written: &mut [u64]) {
        if self.bits.len() != state.bits.len() {
            self.bits = vec![!0; state.bits.len()];
        }
        self.values.resize(self.classes.len() * layout.columns, 0);
        let come = state.classes.get(self.classes.len()..).into_iter().flatten();
        let come = come.fold(0u64, |groups, class| groups | 1 << Parts::group(Some(class)));
        let known = self.classes.len();
        for (at, word) in written.iter_mut().enumerate() {
            let bits = crate::position::grounds::bits(*word);
            for bit in bits {
                let other = match layout.parts.stored(at * 64 + bit) {
                    None => true,
                    Some(Stored::Slot(slot)) => self.is_other_slot(layout, state, slot),
                    Some(Stored::Column { column, group }) => {
                        self.is_other_column(layout, state, (column, group), known) | (come >> group & 1 == 1)
                    }
                };
                if !other {
                    *word &= !(1 << bit);
                }
            }
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

    /// Whether a slot holds other things, or of the same others exist.
    fn is_other_slot(&mut self, layout: &Layout, state: &State, slot: usize) -> bool {
        let range = slot * layout.width..(slot + 1) * layout.width;
        let new = state.peek_words(layout, slot);
        let mut existed = self.living.iter().zip(state.living(layout)).zip(new);
        let exist_otherwise = self.living.is_empty() || existed.any(|((was, is), held)| (was ^ is) & held != 0);
        self.bits.get_mut(range).is_none_or(|own| {
            let other = own != new;
            own.copy_from_slice(new);
            other || exist_otherwise
        })
    }

    /// Whether a column holds something else of the things of a group that were known.
    fn is_other_column(
        &mut self,
        layout: &Layout,
        state: &State,
        (column, group): (usize, usize),
        known: usize,
    ) -> bool {
        let mut other = false;
        for (thing, class) in state.classes.iter().take(known).enumerate() {
            let at = thing * layout.columns + column;
            if Parts::group(Some(class)) == group
                && let (Some(own), Some(new)) = (self.values.get_mut(at), state.values.get(at))
            {
                other |= own != new;
                *own = *new;
            }
        }
        other
    }
}
