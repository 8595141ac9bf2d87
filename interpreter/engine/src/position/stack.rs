//! What is suspended: activations, frames, the chain, the question asked. All of it plain data.

use netrep_ir::*;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::position::set::{Set, ThingId};
use crate::position::value::{Locals, Roles, Value};

/// One running instance of a procedure, a verb, a trigger, an action: its slots and its roles.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Activation {
    pub clause: ClauseId,
    pub this: Option<ThingId>,
    pub locals: Locals,
    pub roles: SmallVec<[(RoleId, Value); 1]>,
    pub proc: Option<ProcId>,
    /// The allowance whose cost or effect it is: what its `despite` lifts holds while it runs.
    pub allowance: Option<AllowanceId>,
    /// True for a cost: what it does leaves receipts.
    pub cost: bool,
    pub serial: u32,
}

/// A statement: block and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct At {
    pub block: BlockId,
    pub pc: u16,
}

impl At {
    /// The statement before this one: what asked, because frames stand at the one after it.
    pub(crate) fn before(self) -> At {
        At { pc: self.pc.saturating_sub(1), ..self }
    }
}

/// One entry of the stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Frame {
    /// The activation in which it runs.
    pub act: u16,
    /// The activation goes when the frame goes.
    pub owns: bool,
    pub kind: Kind,
}

/// The kinds of frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// A block, at its next statement.
    Block(At),
    /// For each of the remaining things.
    Each { at: At, remaining: Box<Set> },
    /// A for-each in an order that is settled: what is still to come, the last first.
    Around { at: At, remaining: Vec<ThingId> },
    /// Repeat until; how often it ran.
    Until { at: At, count: u32 },
    /// Repeat; how often it still runs.
    Times { at: At, left: u32 },
    /// One shuffling for each of the remaining owners; true for a place without owners that is still to be shuffled.
    Shuffle { at: At, owners: Box<Set>, shared: bool },
    /// One event for each of the remaining things, in the role `object`.
    Distribute { verb: VerbId, roles: Roles, object: u8, remaining: Box<Set>, clause: ClauseId, cost: bool },
    /// A roll, with the procedure around it on top.
    Rolling(Box<Rolled>),
    /// One event.
    Event(Box<Event>),
    /// Triggers to run at once; true when their order is settled.
    Immediate { items: Vec<Pending>, settled: bool },
    /// A following chain. A collector.
    Following(Box<Following>),
    /// A procedure. A collector.
    Procedure(Running),
    /// A window with its chain. A collector.
    Window(Box<Window>),
    /// A declaration in progress.
    Declare { item: Box<ChainItem>, stage: u8 },
    /// An item of the chain being resolved.
    Resolve { item: Box<ChainItem>, stage: u8 },
}

/// How far an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum EventStage {
    Propose,
    Body,
    Replaced,
    Commit,
}

/// A proposed event.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Event {
    pub verb: VerbId,
    pub roles: Roles,
    /// The clause that proposes it.
    pub clause: ClauseId,
    pub stage: EventStage,
    /// The replacements that were applied to it, by trigger, source and effect.
    pub applied: Vec<TriggerSource>,
    /// Triggers of cards that functioned when it was proposed.
    pub before: Vec<(TriggerId, ThingId)>,
    pub cost: bool,
}

/// A roll that is a thing, until what it is rolled for knows its total.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Rolled {
    /// The statement that rolls.
    pub at: At,
    /// The thing.
    pub roll: ThingId,
    pub dice: u8,
    pub by: ThingId,
    pub subject: Option<ThingId>,
    /// Dice have fallen.
    pub thrown: bool,
}

/// What identifies a trigger in force: itself, its thing, its effect's serial.
pub(crate) type TriggerSource = (TriggerId, Option<ThingId>, u32);

/// A trigger that has been met.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Pending {
    pub trigger: TriggerId,
    pub this: Option<ThingId>,
    pub locals: Locals,
    /// The effect's serial, 0 for a standing trigger.
    pub effect: u32,
    /// The serial of the collector that it waits for.
    pub collector: u32,
    /// The thing that it is while it waits in a chain.
    #[serde(default)]
    pub thing: Option<ThingId>,
}

/// What follows: put in order, answered, resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Following {
    /// As they were declared: the last is resolved first.
    pub items: Vec<Pending>,
    /// Those whose order is still to be chosen, as they occurred.
    pub open: Vec<Pending>,
    /// How many of the items come before all those that are put in order.
    pub first: usize,
    /// Those who may answer have been asked.
    pub answered: bool,
    pub serial: u32,
    /// How many chains came before it in a row.
    pub rounds: u32,
}

impl Following {
    /// The `n`-th of those without an order is the next to be resolved after those that were placed before.
    pub(crate) fn place(&mut self, n: usize) {
        if n < self.open.len() {
            let pending = self.open.remove(n);
            self.items.insert(self.first.min(self.items.len()), pending);
        }
    }
}

/// A procedure of a game that was saved before beginnings were announced is behind its own.
fn begun() -> bool {
    true
}

/// What is still to be announced: that something has been left, or that a fact has changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Announced {
    pub verb: VerbId,
    pub roles: Roles,
    /// As soon as the stack is no higher than this.
    pub after: u16,
}

/// A running procedure. Its arguments and serial are the activation's.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Running {
    pub proc: ProcId,
    /// The prologue has been run.
    pub started: bool,
    /// The prologue is over: the guard counts.
    pub ready: bool,
    /// The next step, by its number in the procedure.
    pub next: u16,
    /// Steps in order from here on, although the procedure is not fixed.
    pub ordered: bool,
    /// No more steps.
    pub over: bool,
    /// Ended by a statement, as soon as no chain is being resolved above it.
    pub ending: bool,
    pub guard_used: bool,
    /// Its beginning is behind it, and has been announced if anybody waits for it.
    #[serde(default = "begun")]
    pub begun: bool,
    /// Its end has been announced.
    #[serde(default)]
    pub closing: bool,
    /// The step whose beginning has been announced, and which is to be carried out when what that set off is over.
    #[serde(default)]
    pub entering: Option<StepId>,
    /// The step that is being carried out, if somebody waits for its end.
    #[serde(default)]
    pub under_way: Option<StepId>,
    pub turn: u8,
    pub passes: u8,
}

/// An open window.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Window {
    pub at: At,
    pub seats: SmallVec<[ThingId; 4]>,
    pub turn: u8,
    pub passes: u8,
    pub chain: Vec<ChainItem>,
    pub resolving: bool,
    /// Open in response to what waits: its chain is resolved once, and what that sets off waits with the rest.
    pub response: bool,
    pub serial: u32,
}

/// A declared action.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct ChainItem {
    pub allowance: AllowanceId,
    pub by: ThingId,
    pub this: Option<ThingId>,
    pub locals: Locals,
    /// What was performed as its cost.
    pub receipts: Vec<(VerbId, Roles)>,
    /// Which of its conditions held when it had been declared, if they must hold to the end.
    #[serde(default)]
    pub held: Vec<bool>,
    /// The fingerprint of everything but itself before its cost was paid, if some clause asks whether anything has changed
    /// since; else 0.
    #[serde(default)]
    pub print: u64,
    /// How many rows the history had then.
    #[serde(default)]
    pub rows: u32,
    pub serial: u32,
    /// The thing that it is while it waits in the chain.
    #[serde(default)]
    pub thing: Option<ThingId>,
}

/// A modifier, trigger, norm, ability or what is spared, in force for a while.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Effect {
    pub what: EffectKind,
    pub this: Option<ThingId>,
    pub locals: Locals,
    /// The serial of the procedure instance with which it ends.
    pub until: Option<u32>,
    /// Its source has functioned since, so that it ends when its source no longer does.
    pub rooted: bool,
    /// It does not end with its source.
    #[serde(default)]
    pub outlasts: bool,
    pub serial: u32,
    pub clause: ClauseId,
}

/// A declaration of which only what it chooses several of is still to be chosen. Nothing of it has happened yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Gathering {
    /// What is declared.
    pub allowance: AllowanceId,
    /// The thing that carries it.
    pub this: Option<ThingId>,
    /// Which of the effects in force that allow this to this thing, the oldest first.
    pub effect: u16,
    /// The choices in the order of its parameters, as far as they are made.
    pub parameters: Vec<Value>,
    /// The parameter for which things are chosen now, by its number.
    pub at: u16,
}

/// Who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Chooser {
    /// A player.
    Seat(ThingId),
    /// Dice, shuffling, or a choice at random.
    Chance,
}

/// What is to be decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DecisionKind {
    /// One thing of these; `optional`: or none.
    Choose {
        /// The candidates.
        from: Set,
        /// Whether it may be declined.
        optional: bool,
    },
    /// The next thing of a for-each.
    Next {
        /// Those that remain.
        from: Set,
    },
    /// Yes or no.
    May,
    /// One of so many branches.
    Branch(u16),
    /// Declare an action or pass.
    Act,
    /// Perform a step or pass.
    Step,
    /// Which of so many simultaneous triggers comes next.
    Order(u16),
    /// Which of so many replacements applies.
    Replace(u16),
    /// Dice.
    Roll {
        /// How many dice of six sides.
        dice: u8,
        /// Who rolls.
        by: ThingId,
        /// What for.
        subject: Option<ThingId>,
        /// The block that asks, whose label keys the roll.
        purpose: BlockId,
    },
    /// The new order of the things in a place, lowest first.
    Shuffle {
        /// The place.
        place: PlaceId,
        /// Whose.
        owner: Option<ThingId>,
        /// The block that asks.
        purpose: BlockId,
    },
    /// One more of the things that a declaration chooses together; `optional`: or no more.
    Gather {
        /// What is about to be declared.
        declaration: Box<Gathering>,
        /// The candidates.
        from: Set,
        /// Whether enough are chosen.
        optional: bool,
    },
}

/// A suspended choice.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Decision {
    /// Who decides.
    pub by: Chooser,
    /// What.
    pub kind: DecisionKind,
    /// The clause that asks.
    pub clause: ClauseId,
    /// The statement that asks.
    pub site: SiteId,
}
