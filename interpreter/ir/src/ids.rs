//! Dense ids of everything that a linked program declares.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u16);

        impl $name {
            /// The id as an index into the program's table.
            #[inline]
            pub fn index(self) -> usize {
                usize::from(self.0)
            }
            /// The id of the entry at `index`; saturates, which link refuses as an overflow.
            #[inline]
            pub fn from_index(index: usize) -> Self {
                $name(crate::limits::in_16_bits(index))
            }
        }
    )*};
}

ids! {
    /// A base class of things (every thing has exactly one). Subclasses are compiled to predicates.
    ClassId,
    /// An enumeration.
    ListId,
    /// A member of an enumeration; unique over all enumerations.
    EntryId,
    /// A fact about things.
    AttrId,
    /// A verb: an action that can be proposed, replaced, committed and observed.
    VerbId,
    /// A dynamically bound name.
    RoleId,
    /// A kind of zone.
    PlaceId,
    /// A procedure.
    ProcId,
    /// A step of a procedure, counted over all procedures.
    StepId,
    /// A labelled clause: what an explanation cites and an amendment replaces.
    ClauseId,
    /// An allowance.
    AllowanceId,
    /// A trigger.
    TriggerId,
    /// A modifier.
    ModifierId,
    /// A norm.
    NormId,
    /// What spares things.
    SpareId,
    /// A kind of declaration with clauses around it (how a card is played).
    ActionId,
    /// A block of statements.
    BlockId,
    /// A definition of a card (one per printed card).
    CardId,
    /// A name that things carry.
    NameId,
    /// A place in the source that a statement or condition came from.
    SiteId,
}
