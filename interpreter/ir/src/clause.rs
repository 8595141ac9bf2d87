//! Clauses: what an explanation cites, an amendment replaces and an ablation removes.

use serde::{Deserialize, Serialize};

use crate::expr::*;
use crate::ids::*;
use crate::place::Place;
use crate::statement::*;
use crate::text::{Text, shared};

/// Where a clause stands and who set it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClauseDecl {
    /// Item and label, as cited: `3.iv.6 late`, `A-73 bonus`. Unique.
    pub label: Text,
    /// The label was taken from the clause's words, not written by its author.
    #[serde(default)]
    pub derived: bool,
    /// The item: a rule number or a card's id.
    #[serde(deserialize_with = "shared")]
    pub item: Text,
    /// How the item is called: a rule's title or a card's name.
    #[serde(deserialize_with = "shared")]
    pub title: Text,
    /// The layer that set it: the empty string for the base text, else `R-1=late`.
    #[serde(deserialize_with = "shared")]
    pub setter: Text,
    /// The file and the range of the clause.
    pub place: Place,
    /// The clause as English.
    pub text: Text,
    /// The sources that it or its rule cites (`METW`, `CRF 8`).
    pub sources: Vec<Text>,
    /// The card that carries it, if it is a card's.
    pub card: Option<CardId>,
    /// How it is cited on the card of which that one is a reprint, if it is said there.
    #[serde(default)]
    pub reprints: Option<Text>,
}

impl ClauseDecl {
    /// Whether a citation means it: by its label or its item, or by those of what it reprints.
    pub fn is_cited_as(&self, cite: &str) -> bool {
        let reprints = |label: &Text| *label == *cite || label.split(' ').next() == Some(cite);
        *self.label == *cite || *self.item == *cite || self.reprints.as_ref().is_some_and(reprints)
    }
}

/// A condition of an action, and when it is checked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Requirement {
    /// What must hold.
    pub cond: Cond,
    /// The clause that asks for it.
    pub clause: ClauseId,
    /// Its place in the source.
    pub site: SiteId,
    /// Checked when the action resolves; else when it is declared.
    pub at_resolution: bool,
}

/// A choice made at declaration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Parameter {
    /// The slot that it fills.
    pub slot: u8,
    /// Where it is chosen from; may depend on earlier parameters.
    pub from: Pool,
    /// Its place in the source.
    pub site: SiteId,
    /// How the option says it, before the chosen thing's name: `on`, `at`, `keyed to`, or empty.
    pub word: String,
    /// How many different things are chosen together, if not one. Such choices come behind all others.
    #[serde(default)]
    pub several: Option<Several>,
}

/// How many different things a choice takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Several {
    /// Not fewer.
    pub least: u16,
    /// Not more, if that is bounded.
    pub most: Option<u16>,
}

impl Several {
    /// Whether so many are too few.
    pub fn lacks(self, many: usize) -> bool {
        many < usize::from(self.least)
    }

    /// Whether one more may be chosen when so many are.
    pub fn takes_more_than(self, many: usize) -> bool {
        self.most.is_none_or(|most| many < usize::from(most))
    }
}

/// What a parameter is chosen from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Pool {
    /// Things. The conjuncts are kept apart, so that a refusal can say which one failed.
    Things(Vec<Sel>),
    /// Entries of an enumeration for which a condition holds (with the entry in the slot).
    Entries(ListId, Cond),
}

/// An action that a player can declare: condition, cost and effect written once, read by offer, refusal,
/// re-check and execution alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Allowance {
    /// The clause.
    pub clause: ClauseId,
    /// The card whose things carry it, or `None` for a rule's.
    pub card: Option<CardId>,
    /// Where the card must be for the clause to function; `None`: where clauses of cards do.
    #[serde(default)]
    pub within: Option<Sel>,
    /// What carries it in place of what says it (`X has { … }`): in this selection `This` is the card that says it, in all
    /// else the thing that carries it.
    pub carriers: Option<Sel>,
    /// When it is over, where an effect lays it down and a procedure does not end it.
    #[serde(default)]
    pub ends: Option<Ends>,
    /// How it is wrapped (playing a card from hand); `None` for a plain allowance of something that functions.
    pub action: Option<ActionId>,
    /// Who may.
    pub by: Sel,
    /// What the option is called, before its parameters: `play`, `wash`.
    pub words: String,
    /// The choices.
    pub parameters: Vec<Parameter>,
    /// State conditions.
    pub requirements: Vec<Requirement>,
    /// Procedures or steps during which it may be declared; empty = any.
    pub during: Vec<ProcId>,
    /// How often in each instance of a procedure.
    pub limit: Option<(u16, ProcId)>,
    /// Performed at declaration.
    pub cost: Option<BlockId>,
    /// Performed at resolution.
    pub effect: Option<BlockId>,
    /// The verbs that cost and effect perform, for norms; roles by frame order.
    pub acts: Vec<Act>,
    /// What kinds of effect it has, for windows. Sorted.
    pub footprint: Vec<Footprint>,
    /// Norm clauses that do not bind it (`despite`).
    pub despite: Vec<ClauseId>,
    /// Only as an effect, not while the card functions.
    #[serde(default)]
    pub delayed: bool,
    /// Number of local slots.
    pub slots: u8,
}

/// A verb that an action would perform.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Act {
    /// The verb.
    pub verb: VerbId,
    /// Its roles.
    pub roles: Vec<Option<Sel>>,
    /// True for the cost.
    pub cost: bool,
    /// The statement.
    pub site: SiteId,
}

/// How a kind of declaration is wrapped: playing a card, from hand to chain to play or discard.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ActionDecl {
    /// The verb that it performs when it resolves (`play`); its only required role is the card.
    pub verb: VerbId,
    /// Where `this` must be for it to be offered. `This` is the card.
    pub from: Sel,
    /// Who may, unless the clause says otherwise. `This` is the card.
    pub by: Sel,
    /// The clause.
    pub clause: ClauseId,
    /// Performed at declaration, before the cost.
    pub declare: Option<BlockId>,
    /// Performed at resolution; contains [`Statement::ActionEffect`].
    pub resolve: BlockId,
    /// Performed in place of `resolve` if the action is negated.
    pub negate: Option<BlockId>,
    /// Requirements on every declaration of the kind.
    pub requirements: Vec<Requirement>,
    /// The rule by which what was required, and still held when the cost was paid, must hold when it resolves.
    pub lasting: Option<ClauseId>,
    /// Slots of its blocks.
    pub slots: u8,
}

/// An event pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pattern {
    /// The verb.
    pub verb: VerbId,
    /// Per role: what it must meet, and the slot that it binds.
    pub roles: Vec<(Option<Sel>, Option<u8>)>,
}

impl Pattern {
    /// The role that the thing whose clause it is plays itself.
    pub fn about_this(&self) -> Option<usize> {
        self.roles.iter().position(|(role, _)| role.as_ref().is_some_and(Sel::is_this))
    }
}

/// What ends an effect for good. What was captured when it was laid down is in its slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ends {
    /// That this is not so, the first time.
    Not(Cond),
    /// Such an event.
    After(Pattern),
}

/// A passive condition or a replacement.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trigger {
    /// The clause.
    pub clause: ClauseId,
    /// The card whose things carry it, or `None`.
    pub card: Option<CardId>,
    /// Where the card must be for the clause to function; `None`: where clauses of cards do.
    #[serde(default)]
    pub within: Option<Sel>,
    /// What carries it in place of what says it (`X has { … }`): in this selection `This` is the card that says it, in all
    /// else the thing that carries it. Such a card carries it where clauses of cards function, but for an event that
    /// befalls itself.
    #[serde(default)]
    pub carriers: Option<Sel>,
    /// When it is over, where an effect lays it down and a procedure does not end it.
    #[serde(default)]
    pub ends: Option<Ends>,
    /// The event.
    pub pattern: Pattern,
    /// A condition on the moment.
    pub cond: Option<Cond>,
    /// What is done.
    pub body: BlockId,
    /// In place of the proposed event.
    pub instead: bool,
    /// At once, not in the following chain.
    pub immediate: bool,
    /// The rule that makes it immediate, if its own words do not.
    pub timing: Option<ClauseId>,
    /// Only as an effect, not while the card functions.
    pub delayed: bool,
    /// Number of local slots.
    pub slots: u8,
}

/// What a modifier does to a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Change {
    /// Adds a number, but not beyond the caps (a value already beyond a cap stays).
    Add {
        /// How much; `It(0)` is the thing.
        amount: Num,
        /// Not above.
        max: Option<Num>,
        /// Not below.
        min: Option<Num>,
    },
    /// Sets the number.
    Set(Num),
    /// Adds an entry.
    Gain(EntryId),
    /// Takes an entry away.
    Lose(EntryId),
    /// Puts an entry in place of all others.
    Become(EntryId),
    /// Puts these things in place of all others; `It(0)` is the thing that holds them.
    Hold(Sel),
    /// Each of the things has one thing more as long as this is in force: the attribute leads from it to the one that has it.
    Bring(Box<Brought>),
    /// What the attribute leads from to one of the things is not there as long as this is in force, if it is among these.
    Withhold(Sel),
}

impl Change {
    /// It makes something be there or not, and changes no value.
    pub fn stands(&self) -> bool {
        matches!(self, Change::Bring(_) | Change::Withhold(_))
    }
}

/// What a thing has more while a clause is in force; in its values `It(0)` is the thing that has it. They are reckoned when it
/// comes to be.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Brought {
    /// Its base class.
    pub class: ClassId,
    /// The values with which it begins.
    pub values: Vec<(AttrId, Val)>,
    /// From what it takes over figures beside.
    pub from: Option<Taken>,
}

/// A continuous modifier.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Modifier {
    /// The clause.
    pub clause: ClauseId,
    /// The card whose things carry it, or `None`.
    pub card: Option<CardId>,
    /// Where the card must be for the clause to function; `None`: where clauses of cards do.
    #[serde(default)]
    pub within: Option<Sel>,
    /// What carries it in place of what says it (`X has { … }`): in this selection `This` is the card that says it, in all
    /// else the thing that carries it. Such a card carries it where clauses of cards function, but for an event that
    /// befalls itself.
    #[serde(default)]
    pub carriers: Option<Sel>,
    /// When it is over, where an effect lays it down and a procedure does not end it.
    #[serde(default)]
    pub ends: Option<Ends>,
    /// The attribute.
    pub attr: AttrId,
    /// What it applies to.
    pub subject: Sel,
    /// When.
    pub cond: Option<Cond>,
    /// What it does.
    pub change: Change,
    /// Only as an effect, not while the card functions.
    pub delayed: bool,
    /// Number of local slots.
    pub slots: u8,
}

/// What a norm says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NormKind {
    /// Forbids.
    Cannot,
    /// Lifts a prohibition for the events it matches.
    Permit,
    /// As long as a decision offers something by which such an event comes about, nothing else in it may be done.
    Must,
}

/// A restriction or its exception.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Norm {
    /// The clause.
    pub clause: ClauseId,
    /// The card whose things carry it, or `None`.
    pub card: Option<CardId>,
    /// Where the card must be for the clause to function; `None`: where clauses of cards do.
    #[serde(default)]
    pub within: Option<Sel>,
    /// What carries it in place of what says it (`X has { … }`): in this selection `This` is the card that says it, in all
    /// else the thing that carries it. Such a card carries it where clauses of cards function, but for an event that
    /// befalls itself.
    #[serde(default)]
    pub carriers: Option<Sel>,
    /// When it is over, where an effect lays it down and a procedure does not end it.
    #[serde(default)]
    pub ends: Option<Ends>,
    /// Which.
    pub kind: NormKind,
    /// Whose clauses may not do it; `None`: whatever does it.
    #[serde(default)]
    pub by: Option<Sel>,
    /// What it is about.
    pub pattern: Pattern,
    /// When.
    pub cond: Option<Cond>,
    /// Only as an effect.
    pub delayed: bool,
    /// Number of local slots.
    pub slots: u8,
}

/// What a rule asks of all passive conditions that things carry and that an event meets.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Guard {
    /// The clause.
    pub clause: ClauseId,
    /// The event.
    pub pattern: Pattern,
    /// Without it, the event does not meet them.
    pub cond: Cond,
    /// Number of local slots.
    pub slots: u8,
}

/// What the effects of some things leave as it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Spare {
    /// The clause.
    pub clause: ClauseId,
    /// The card whose things carry it, or `None`.
    #[serde(default)]
    pub card: Option<CardId>,
    /// Where the card must be for the clause to function; `None`: where clauses of cards do.
    #[serde(default)]
    pub within: Option<Sel>,
    /// Whose effects.
    pub by: Sel,
    /// The slot that holds the thing whose effect it is.
    #[serde(default)]
    pub slot: Option<u8>,
    /// What they spare; `None`: everything, for they are canceled as long as this holds.
    pub what: Option<Sel>,
    /// When.
    #[serde(default)]
    pub cond: Option<Cond>,
    /// Only as an effect.
    #[serde(default)]
    pub delayed: bool,
    /// What ends it, as an effect.
    #[serde(default)]
    pub ends: Option<Ends>,
    /// Number of local slots.
    #[serde(default)]
    pub slots: u8,
}

impl Spare {
    /// It cancels what some things do, and spares nothing in particular.
    pub fn cancels(&self) -> bool {
        self.what.is_none()
    }
}

/// A rule that is expressed by clauses of other items: to cite it is to cite them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rest {
    /// The rule's number.
    pub item: String,
    /// Items, or items and labels, as they are cited: `3.iv`, `3.iv.6 late`.
    pub on: Vec<String>,
}

/// An invariant of legal positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Invariant {
    /// The clause.
    pub clause: ClauseId,
    /// What always holds.
    pub cond: Cond,
}
