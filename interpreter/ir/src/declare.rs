//! Declarations: classes, enumerations, attributes, verbs, roles, places, procedures, cards.

use serde::{Deserialize, Serialize};

use crate::expr::*;
use crate::ids::*;

/// A base class.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClassDecl {
    /// Its word.
    pub name: String,
}

/// An enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ListDecl {
    /// Its word.
    pub name: String,
    /// Its members, in order.
    pub entries: Vec<EntryId>,
}

/// A member of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EntryDecl {
    /// Its word.
    pub name: String,
    /// Its enumeration.
    pub list: ListId,
}

/// What the values of an attribute are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ValueKind {
    /// A number.
    Number,
    /// Yes or no.
    Flag,
    /// An entry of an enumeration.
    Entry(ListId),
    /// Any number of entries.
    Entries(ListId),
    /// A thing (or none) of a base class.
    Thing(ClassId),
    /// Any number of things.
    Things(ClassId),
    /// A number for each entry.
    NumberFor(ListId),
}

/// Where an attribute's value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Source {
    /// Printed on the card, or stored for minted things; `default` where neither says anything
    /// (numbers and flags: the number or 0/1; entries: the entry's id plus one; 0 = none).
    Stored {
        /// The default.
        default: i32,
    },
    /// Derived: a number with `It(0)` being the thing.
    Number(Num),
    /// Derived: a selection with `It(0)` being the thing.
    Things(Sel),
    /// Derived: the things of which it is true.
    Flag(Sel),
}

/// A fact about things. One attribute may be printed on cards and stored on minted things.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AttrDecl {
    /// Its words.
    pub name: String,
    /// What its values are.
    pub kind: ValueKind,
    /// Where they come from.
    pub source: Source,
    /// True if some things of it are dynamic (`state`), so that a column is kept in the state.
    pub dynamic: bool,
    /// The classes that have it.
    pub classes: Vec<ClassId>,
    /// Its values are names, which hold whether or not anything in the game is called so; as things they are all that bear
    /// them.
    #[serde(default)]
    pub names: bool,
    /// A stored one begins anew whenever its thing comes into this place.
    pub anew: Option<PlaceId>,
}

/// A role in a verb's frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FrameRole {
    /// The local slot of the verb's blocks that holds it.
    pub slot: u8,
    /// How it is said: empty for subject and object, else the preposition.
    pub word: String,
    /// The base class.
    pub class: ClassId,
    /// May be left out.
    pub optional: bool,
}

/// What the engine announces by itself, so that triggers can wait for it as for a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Moment {
    /// A procedure has begun: its roles are bound, its first step is still to come.
    Starts(ProcId),
    /// A procedure is about to be over, or has been left.
    Ends(ProcId),
    /// A step is about to be carried out.
    StepStarts(StepId),
    /// A step has been carried out, and what it set off.
    StepEnds(StepId),
    /// A stored attribute of a thing has come to hold this entry (a thing, or yes, if there is none).
    Becomes(AttrId, Option<EntryId>),
    /// It holds that no longer.
    Ceases(AttrId, Option<EntryId>),
}

/// A verb.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct VerbDecl {
    /// Its unique name: the words of its frame.
    pub name: String,
    /// Base form, third person, participle.
    pub forms: [String; 3],
    /// The roles: the subject first if there is one, then the object, then the others.
    pub roles: Vec<FrameRole>,
    /// Index of the subject in `roles`.
    pub subject: Option<u8>,
    /// Index of the object in `roles`.
    pub object: Option<u8>,
    /// The clause that declares it.
    pub clause: ClauseId,
    /// What must hold for it to be performed as a cost. The roles are in their slots.
    pub needs: Vec<(Cond, SiteId)>,
    /// What it does; `None` if it is only an event.
    pub body: Option<BlockId>,
    /// What must still hold at resolution after it was performed as a cost.
    pub leaves: Vec<(Cond, SiteId)>,
    /// Number of local slots of its blocks.
    pub slots: u8,
    /// It is no word: the engine announces it at this moment. The roles are the parameters of the procedure, or the thing
    /// whose attribute it is and, of an attribute that holds things, what it holds.
    #[serde(default)]
    pub moment: Option<Moment>,
}

/// A dynamically bound name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RoleDecl {
    /// Its words.
    pub name: String,
    /// True if it names a number, not a thing.
    pub number: bool,
}

/// A kind of zone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PlaceDecl {
    /// Its words.
    pub name: String,
    /// Each player has one; else there is one for all.
    pub owned: bool,
    /// The order of its contents matters.
    pub ordered: bool,
    /// Who knows what lies in it.
    pub secrecy: Secrecy,
}

/// Who knows the contents of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Secrecy {
    /// Everyone.
    Open,
    /// Its owner.
    Owner,
    /// No one.
    Hidden,
}

/// A step of a procedure.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StepDecl {
    /// Its name.
    pub name: String,
    /// Its procedure.
    pub proc: ProcId,
    /// What is done.
    pub body: BlockId,
    /// The clause that gives the body.
    pub clause: ClauseId,
}

/// A suspended procedure: labelled steps, an exit guard, a collector of following chains.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ProcDecl {
    /// Its words.
    pub name: String,
    /// The clause that declares it.
    pub clause: ClauseId,
    /// The slots that its arguments fill.
    pub parameters: Vec<(u8, ClassId)>,
    /// Runs before the first step (role bindings).
    pub prologue: Option<BlockId>,
    /// The steps, in order.
    pub steps: Vec<StepId>,
    /// False: players take turns to perform any step in which they act, or pass, until all have passed.
    pub fixed: bool,
    /// When it ends early, and the step at which it then goes on.
    pub guard: Option<(Cond, Option<StepId>, SiteId)>,
    /// Number of local slots.
    pub slots: u8,
}

/// A printed value of a card.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Printed {
    /// A number or a flag.
    Number(i32),
    /// Entries.
    Entries(Vec<EntryId>),
    /// Numbers by entry.
    Numbers(Vec<(EntryId, i32)>),
    /// Names of things.
    Names(Vec<NameId>),
}

/// A card's definition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CardDecl {
    /// Its id (`A-120`).
    pub id: String,
    /// Its name.
    pub name: NameId,
    /// The base class of its things.
    pub class: ClassId,
    /// Its printed figures.
    pub figures: Vec<(AttrId, Printed)>,
    /// The things printed on it: each thing of the card has its own.
    pub parts: Vec<PartDecl>,
    /// Its clauses, as they are in force.
    pub clauses: Vec<ClauseId>,
    /// The id of the card of which it is a reprint.
    #[serde(default)]
    pub reprint_of: Option<String>,
    /// The sentences that it does not express (`partial:`); empty if it is complete.
    pub partial: Vec<u32>,
}

/// A thing printed on a card, such as one of several attacks or roads.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PartDecl {
    /// Its base class.
    pub class: ClassId,
    /// The attribute that leads from it to the card (a `host` service).
    pub host: AttrId,
    /// Its figures: printed ones, and the values with which stored ones begin.
    pub figures: Vec<(AttrId, Printed)>,
    /// The clause that prints it.
    pub clause: ClauseId,
}
