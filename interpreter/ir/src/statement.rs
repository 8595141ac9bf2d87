//! Statements: what a suspended procedure, a verb, a cost or an effect does.
//!
//! Statements stand in blocks; control statements name their inner blocks. The engine keeps an explicit
//! stack of (block, position), so that a choice anywhere suspends as plain data and a saved position is
//! the block's label and the statement's number.

use serde::{Deserialize, Serialize};

use crate::clause::Act;
use crate::expr::*;
use crate::ids::*;

/// A block of statements, with a label that survives edits elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Block {
    /// The clause's label and the path inside it (`3.iv.7 resolve/then`); unique.
    pub label: String,
    /// The clause it belongs to.
    pub clause: ClauseId,
    /// The statements, each with its place in the source.
    pub statements: Vec<(Statement, SiteId)>,
}

/// How long an effect lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Lasting {
    /// Until the innermost running instance of the procedure ends.
    Procedure(ProcId),
    /// As long as the thing that made it functions, else the rest of the game.
    Open,
    /// The rest of the game, whatever becomes of the thing that made it, or until the clause's own end ([`Ends`](crate::clause::Ends)).
    Game,
}

/// Who may act in a window, and what it admits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Admit {
    /// The players, in order; each is a seat of the window.
    pub by: Sel,
    /// They are asked, and may declare, only while this is so.
    #[serde(default)]
    pub whilst: Option<Cond>,
    /// The footprints admitted; empty admits every action.
    pub footprints: Vec<Footprint>,
}

/// In which order the rounds of a for-each come.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Order {
    /// That in which the things came to be.
    Age,
    /// As somebody chooses, round by round.
    Chosen(Sel),
    /// As they stand at the table, beginning with a thing and going round: onwards if true, else backwards.
    Around(Sel, bool),
}

/// A kind of effect, derived from the statements of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Footprint {
    /// Performs a verb on a thing of a class (`None`: whatever the class).
    Does(VerbId, Option<ClassId>),
    /// Modifies or sets an attribute of a thing of a class (`None`: any attribute).
    Modifies(ClassId, Option<AttrId>),
}

/// What a new thing takes over from another: a figure as it is then, with all that modifies it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Taken {
    /// The other thing: one, which is there.
    pub of: Sel,
    /// Its base class.
    pub class: ClassId,
    /// The figures that things of both classes have, without those of which the value is given.
    pub figures: Vec<AttrId>,
}

/// A statement. The fields are described by the variant's comment.
#[allow(missing_docs, reason = "the variant's comment names its fields")]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Statement {
    /// Propose an event: a verb with its roles in frame order. If a role selects several things, once for
    /// each, in the order of ids; if a required role selects none, nothing happens.
    Do { verb: VerbId, roles: Vec<Option<Sel>> },
    /// Store a value in an attribute of each selected thing.
    Set { attr: AttrId, of: Sel, value: Val },
    /// Move each selected thing to a place (of its owner's if `of` is absent and the place has owners).
    Put { what: Sel, place: PlaceId, of: Option<Sel>, bottom: bool },
    /// Mint a thing of a base class and bind it. It takes over figures of another, and has these values beside.
    Create { class: ClassId, slot: u8, values: Vec<(AttrId, Val)>, from: Option<Box<Taken>> },
    /// Retire minted things: they leave every selection but stay readable to the history.
    Remove(Sel),
    /// Bind a local slot.
    LetSlot(u8, Val),
    /// Bind a role for this activation and all above it.
    LetRole(RoleId, Val),
    /// Condition.
    If(Cond, BlockId, Option<BlockId>),
    /// For each thing of the selection as it is now, in an order.
    ForEach { of: Sel, slot: u8, body: BlockId, order: Order },
    /// Repeat until the condition holds after a pass, at most [`REPETITIONS`](crate::limits::REPETITIONS) times.
    RepeatUntil(BlockId, Cond),
    /// Repeat so many times.
    RepeatTimes(Num, BlockId),
    /// A player chooses one thing of the selection. With `optional`, may decline: the first block runs
    /// after a choice, the second after a refusal; an empty selection counts as a refusal.
    /// Without, an empty selection leaves the slot empty. A thing is offered only if no norm forbids the
    /// verbs that the choice leads to (`then`, with the thing in the slot). If nobody chooses, chance does; keyed by the
    /// block's label and an ordinal.
    Choose { by: Option<Sel>, from: Sel, slot: u8, optional: Option<(BlockId, Option<BlockId>)>, then: Vec<Act> },
    /// A player may run a block.
    May { by: Sel, body: BlockId, otherwise: Option<BlockId> },
    /// A player chooses one of several blocks.
    ChooseOne { by: Sel, branches: Vec<BlockId> },
    /// A player rolls dice; the total is bound. Keyed by the block's label, the subject and an ordinal. If the program has
    /// rolls as things ([`Rolling`](crate::program::Rolling)), a new one with these values is there until that is done; without
    /// a number of dice it is the one around which the procedure is performed that is thrown.
    Roll { by: Sel, dice: Option<u8>, slot: u8, subject: Option<Sel>, values: Vec<(AttrId, Val)> },
    /// Put the contents of an ordered place (of each selected owner) into an order of chance. Keyed by the block's
    /// label, the owner and an ordinal.
    Shuffle { place: PlaceId, of: Option<Sel> },
    /// Run a procedure.
    Perform { proc: ProcId, arguments: Vec<Val> },
    /// End the innermost running instance of a procedure, through its last guard step if it has one.
    End(ProcId),
    /// Leave the innermost repeat or for-each.
    Stop,
    /// Players may declare actions, in turn, until all pass in succession. In response: to what waits to be resolved, so
    /// there is one chain, and nothing that the enclosing window would not admit.
    Window { admits: Vec<Admit>, response: bool },
    /// Put a modifier, trigger, norm or ability in force, with who plays these roles now in its slots; that nobody does is a
    /// fault.
    Effect { what: EffectKind, lasting: Lasting, kept: Vec<(RoleId, u8)> },
    /// Whatever was put in force about a thing of the first selection is in force about each thing of the second too.
    Extend { of: Sel, to: Sel },
    /// What these things have put in force is over.
    CancelEffects(Sel),
    /// The effect of the action being resolved (only in the blocks of an action kind).
    ActionEffect,
}

/// What a statement puts in force. The clause's locals are captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EffectKind {
    /// A modifier.
    Modifier(ModifierId),
    /// A delayed trigger.
    Trigger(TriggerId),
    /// A norm.
    Norm(NormId),
    /// What somebody may do.
    Allowance(AllowanceId),
    /// What is spared, or canceled meanwhile.
    Spare(SpareId),
}
