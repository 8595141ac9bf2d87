//! Derived columns, outside the state's hash and save: one dirty mark, filled lazily at the first read after a write.

use std::cell::{Cell, RefCell};

use crate::error::Fault;
use crate::set::Set;

/// A column and the moment for which it holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column<T> {
    pub epoch: u64,
    pub busy: bool,
    pub data: Vec<T>,
}

/// A column of this epoch, filled if it is older; `None` while it is being filled, which a fold that depends on
/// itself would ask for.
pub(crate) fn fresh<'a, T>(
    cell: &'a RefCell<Column<T>>,
    epoch: u64,
    fill: impl FnOnce(&mut Vec<T>),
) -> Option<std::cell::Ref<'a, Column<T>>> {
    {
        let column = cell.try_borrow().ok()?;
        if column.busy {
            return None;
        }
        if column.epoch == epoch {
            return Some(column);
        }
    }
    let mut data = {
        let mut column = cell.try_borrow_mut().ok()?;
        column.busy = true;
        std::mem::take(&mut column.data)
    };
    fill(&mut data);
    {
        let mut column = cell.try_borrow_mut().ok()?;
        column.busy = false;
        column.epoch = epoch;
        column.data = data;
    }
    cell.try_borrow().ok()
}

/// The derived values of a position.
#[derive(Debug)]
pub(crate) struct Cache {
    /// Changes with every write.
    pub epoch: u64,
    /// Per attribute that needs it (see [`crate::link::Link::kept`]): current numbers, thing-major.
    pub numbers: Vec<RefCell<Column<i32>>>,
    /// The same for current sets, one for each entry (or one for a flag).
    pub sets: Vec<RefCell<Column<u64>>>,
    /// The things whose clauses function.
    pub functioning: RefCell<(u64, bool, Option<Set>)>,
    /// How deep derived definitions are nested at this moment.
    pub depth: Cell<u16>,
    /// The first fault met by an evaluation; reported when the statement ends.
    pub fault: RefCell<Option<Fault>>,
    /// What was consulted.
    pub log: crate::consulted::Log,
}

impl Cache {
    pub fn new(link: &crate::link::Link) -> Cache {
        Cache { log: crate::consulted::Log::new(&link.program), ..Cache::empty(link) }
    }

    /// Without a log.
    pub fn empty(link: &crate::link::Link) -> Cache {
        let attrs = link.columns;
        Cache {
            epoch: 1,
            numbers: (0..attrs).map(|_| RefCell::default()).collect(),
            sets: (0..attrs).map(|_| RefCell::default()).collect(),
            functioning: RefCell::default(),
            depth: Cell::new(0),
            fault: RefCell::new(None),
            log: crate::consulted::Log::default(),
        }
    }

    /// Marks every derived value as stale.
    #[inline]
    pub fn touch(&mut self) {
        self.epoch += 1;
    }

    /// Notes a fault; the first one stands.
    pub fn fail(&self, fault: Fault) {
        if let Ok(mut slot) = self.fault.try_borrow_mut() {
            slot.get_or_insert(fault);
        }
    }
}
