//! What happened, entry by entry, when asked for. Off, it costs one test per event.

use netrep_ir::*;

use crate::position::set::ThingId;

/// The kinds of entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TraceKind {
    /// An event was committed.
    Event,
    /// A norm prevented an event; the clause is the norm's.
    Prevented,
    /// A replacement took an event's place; the clause is the replacement's.
    Replaced,
    /// A trigger was met; the clause is its own.
    MetTrigger,
    /// A trigger or an action was negated; the clause is the one that failed.
    Negated,
    /// An action was declared.
    Declared,
    /// An action resolves.
    Resolves,
    /// A choice was made.
    Chosen,
    /// Dice were rolled.
    Rolled,
    /// Things were shuffled.
    Shuffled,
    /// An effect began.
    Began,
    /// An effect ended.
    Ended,
    /// A procedure began.
    Opened,
    /// A procedure ended, by its steps or by a guard.
    Closed,
    /// A step of a procedure begins.
    Step,
    /// A value was stored.
    Set,
    /// A thing was moved.
    Put,
    /// A thing was minted or retired.
    Thing,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TraceEntry {
    /// The engine's serial at that moment; entries of one serial belong together.
    pub serial: u32,
    /// What kind of entry.
    pub kind: TraceKind,
    /// The clause that licences it.
    pub clause: ClauseId,
    /// The verb, for events.
    pub verb: Option<VerbId>,
    /// The roles, in the order of the verb's frame.
    pub roles: Vec<Option<ThingId>>,
    /// The number rolled or stored.
    pub value: Option<i32>,
    /// The whole in words, with the clause's label in parentheses.
    pub text: String,
    /// The same as it was told to each player, who may not know every thing in it.
    pub told: Vec<(ThingId, String)>,
}

impl TraceEntry {
    pub(crate) fn new(kind: TraceKind, clause: ClauseId, text: String) -> TraceEntry {
        TraceEntry { serial: 0, kind, clause, verb: None, roles: Vec::new(), value: None, text, told: Vec::new() }
    }
}
