//! The parts of a position, of which each is read and written by itself (`position/versions`).
//!
//! A part is a column of the things of some classes, a bit slot, the pairs of an attribute, the rows of a verb, who plays a
//! role, whether a procedure runs, or a list of the state as a whole.

use netrep_ir::{AttrId, ClassId, ProcId, RoleId, VerbId};

/// Where the parts of a game's positions are numbered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    columns: usize,
    slots: usize,
    pairs: usize,
    rows: usize,
    pub roles: usize,
    pub procs: usize,
    pub lists: usize,
}

/// A list of the state as a whole, or what of the stack evaluations read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Effects,
    History,
    Usage,
    Acts,
    Frames,
    Pending,
    Announced,
    Standing,
    Withheld,
    Ordinals,
    Pairs,
    /// How many things there have ever been.
    Ever,
    /// What waits in chains to be resolved.
    Chains,
    /// Which windows are open, one in the other.
    Windows,
    /// Whatever is written.
    All,
}

const LISTS: usize = List::All as usize + 1;

/// The things of a game are told apart by their classes into so many groups: a column is a part for each. (What is made for
/// an attack is of another class than a card, which may have the same attributes.)
const GROUPS: usize = 4;

/// What is stored in a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// A column of the things of a group.
    Column {
        /// Its number.
        column: usize,
        /// The group.
        group: usize,
    },
    /// A bit slot.
    Slot(usize),
}

impl Parts {
    pub(crate) fn new(columns: usize, slots: usize, attrs: usize, verbs: usize, roles: usize, procs: usize) -> Parts {
        let first_slot = columns * GROUPS;
        let pairs = first_slot + slots;
        let rows = pairs + attrs;
        let first_role = rows + verbs;
        let first_proc = first_role + roles;
        Parts {
            columns,
            slots: first_slot,
            pairs,
            rows,
            roles: first_role,
            procs: first_proc,
            lists: first_proc + procs,
        }
    }
    pub(crate) fn len(&self) -> usize {
        self.lists + LISTS
    }
    /// What is stored in a part, if it is a column of things or a bit slot.
    pub(crate) fn stored(&self, part: usize) -> Option<Stored> {
        if part < self.slots {
            return Some(Stored::Column { column: part % self.columns, group: part / self.columns });
        }
        (part < self.pairs).then(|| Stored::Slot(part - self.slots))
    }
    /// The group of the things of a class.
    #[inline]
    pub(crate) fn group(class: Option<&ClassId>) -> usize {
        // total: what is no thing has nothing in a column.
        class.map_or(0, |class| class.index() % GROUPS)
    }
    /// A column of the things of a class.
    #[inline]
    pub(crate) fn column(&self, column: usize, class: Option<&ClassId>) -> usize {
        column + self.columns * Parts::group(class)
    }
    /// A column of all things.
    pub(crate) fn whole_column(&self, column: usize) -> impl Iterator<Item = usize> {
        let columns = self.columns;
        (0..GROUPS).map(move |group| column + columns * group)
    }
    #[inline]
    pub(crate) fn slot(&self, slot: usize) -> usize {
        self.slots + slot
    }
    #[inline]
    pub(crate) fn pairs(&self, attr: AttrId) -> usize {
        self.pairs + attr.index()
    }
    #[inline]
    pub(crate) fn rows(&self, verb: VerbId) -> usize {
        self.rows + verb.index()
    }
    #[inline]
    pub(crate) fn role(&self, role: RoleId) -> usize {
        self.roles + role.index()
    }
    #[inline]
    pub(crate) fn proc(&self, proc: ProcId) -> usize {
        self.procs + proc.index()
    }
    #[inline]
    pub(crate) fn list(&self, list: List) -> usize {
        self.lists + list as usize
    }
}
