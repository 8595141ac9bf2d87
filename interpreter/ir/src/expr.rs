//! Pure expressions: selections of things, numbers, entries and conditions.
//!
//! A selection is evaluated set-at-a-time: each node yields the set of things that satisfy it, narrowed
//! by the set that its parent still cares about. The same tree explains itself: per conjunct, who passed.
//! Expressions are total: an attribute of no thing is 0, an empty selection is a value like any other.

use serde::{Deserialize, Serialize};

use crate::ids::*;

/// A comparison of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CmpOp {
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Greater or equal.
    Ge,
    /// Greater.
    Gt,
}

impl CmpOp {
    /// Whether `a op b` holds.
    #[inline]
    pub fn holds(self, a: i32, b: i32) -> bool {
        match self {
            CmpOp::Lt => a < b,
            CmpOp::Le => a <= b,
            CmpOp::Eq => a == b,
            CmpOp::Ne => a != b,
            CmpOp::Ge => a >= b,
            CmpOp::Gt => a > b,
        }
    }
}

/// A selection: a set of things.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Sel {
    /// No thing.
    Empty,
    /// Every thing that exists.
    All,
    /// The things of a base class.
    Class(ClassId),
    /// The thing whose clause this is; empty in a rule.
    This,
    /// The thing that the `n`-th enclosing per-thing expression is about; 0 is the innermost.
    It(u8),
    /// The thing or things in a local slot of the activation.
    Slot(u8),
    /// The group that the enclosing [`Num::Least`] is about.
    Group,
    /// The thing bound to a role by the innermost activation that binds it.
    Role(RoleId),
    /// The things that carry a name.
    Named(NameId),
    /// The values of a thing-valued attribute over the selection.
    Image(AttrId, Box<Sel>),
    /// The things whose thing-valued attribute meets the selection.
    Preimage(AttrId, Box<Sel>),
    /// The things on which an attribute of names prints one of these.
    NameIs(AttrId, Box<Names>),
    /// The things whose entry-valued attribute is or includes an entry.
    EntryIs(AttrId, EntryId),
    /// The same with a computed entry.
    EntryIsValue(AttrId, Box<Ent>),
    /// The things of which a yes-or-no attribute is true.
    Flag(AttrId),
    /// The things whose number compares with a number that does not depend on the thing.
    NumIs(AttrId, CmpOp, Box<Num>),
    /// The things in a place, of the given owners if any are given.
    In(PlaceId, Option<Box<Sel>>),
    /// So many things from the top of an ordered place, of each of the given owners (of each owner, if none are
    /// given); fewer if there are fewer.
    Top(PlaceId, Option<Box<Sel>>, Box<Num>),
    /// Those in all of them. Conjuncts are ordered cheapest and narrowest first by the compiler.
    And(Vec<Sel>),
    /// Those in any of them.
    Or(Vec<Sel>),
    /// Those that exist and are not in it.
    Not(Box<Sel>),
    /// The one thing that is in it, if there is one; several are a fault.
    One(Box<Sel>),
    /// The first of `of` behind a thing in the order of the table, or before it, going round and without the thing itself.
    #[allow(missing_docs, reason = "the variant's comment names its fields")]
    Next { of: Box<Sel>, from: Box<Sel>, after: bool },
    /// The things for which the condition holds with `It(0)` being the thing.
    Where(Box<Cond>),
    /// The things that filled the given role of a matching row of the history.
    Happened(Box<Past>, u8),
    /// The things whose declaration waits in a chain, or is about to be made, and would do such a thing.
    Would(Box<Prospect>),
    /// The first selection if the condition holds, else the second.
    If(Box<Cond>, Box<Sel>, Box<Sel>),
}

/// Names, whether or not anything in the game bears them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Names {
    /// A fixed one.
    One(NameId),
    /// What these things are called.
    Called(Sel),
    /// What an attribute of names prints on these things.
    Printed(AttrId, Sel),
    /// All of them together.
    Any(Vec<Names>),
}

/// A question to the history: rows of a verb whose roles meet the selections.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Past {
    /// The verb.
    pub verb: VerbId,
    /// For each role of the verb's frame, a selection it must meet.
    pub roles: Vec<Option<Sel>>,
    /// Only rows since the innermost running instance of this procedure began.
    pub since: Option<ProcId>,
}

/// What a declaration would do.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Prospect {
    /// Its effect, as things are, says such an event; `since` does not count.
    Event(Past),
    /// Its cost is performed on one of these things.
    Cost(Sel),
    /// One of these things was chosen when it was declared.
    Target(Sel),
    /// It does something to one of these things, or anything at all: found out by trying.
    Effect(Option<Sel>),
    /// The number is another one once it has resolved: found out by trying.
    Change(Num),
}

/// An entry of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ent {
    /// A fixed one.
    Entry(EntryId),
    /// The entry-valued attribute of the (single) thing selected.
    Attr(AttrId, Box<Sel>),
    /// The same as printed or stored, before modifiers.
    Base(AttrId, Box<Sel>),
    /// The entry in a local slot.
    Slot(u8),
}

/// A number. Arithmetic saturates.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Num {
    /// A fixed number.
    Int(i32),
    /// The current (modified) value of an attribute of the selected thing; the first if several, 0 if none.
    Attr(AttrId, Box<Sel>),
    /// The printed or stored value, before modifiers.
    Base(AttrId, Box<Sel>),
    /// The value indexed by an entry.
    AttrFor(AttrId, Box<Sel>, Box<Ent>),
    /// How many things are selected.
    Count(Box<Sel>),
    /// The sum of an attribute over the selection.
    Total(AttrId, Box<Sel>),
    /// The greatest value of an attribute over the selection if true, else the least; 0 if nothing has it.
    Extreme(AttrId, Box<Sel>, bool),
    /// The number in a local slot.
    Slot(u8),
    /// The number bound to a role.
    Role(RoleId),
    /// Sum.
    Add(Box<Num>, Box<Num>),
    /// Difference.
    Sub(Box<Num>, Box<Num>),
    /// Product.
    Mul(Box<Num>, Box<Num>),
    /// The greatest.
    Max(Vec<Num>),
    /// The least.
    Min(Vec<Num>),
    /// The first by the second, rounded up if true; 0 if the second is 0.
    Quotient(Box<Num>, Box<Num>, bool),
    /// The number as it would be if a role were bound to these things: what holds of any of them holds.
    Given(RoleId, Box<Sel>, Box<Num>),
    /// The least that the number is for any group of these things, none and all of them included.
    Least(Box<Sel>, Box<Num>),
    /// The first number, or that of the last alternative whose condition holds.
    Alternatives(Box<Num>, Vec<(Num, Cond)>),
}

impl Sel {
    /// True if it selects the thing whose clause it is, or nothing.
    pub fn is_this(&self) -> bool {
        match self {
            Sel::This => true,
            Sel::And(parts) => parts.iter().any(Sel::is_this),
            _ => false,
        }
    }
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Cond {
    /// Always or never.
    Is(bool),
    /// Some thing is selected.
    Some(Sel),
    /// Every thing of the first selection is in the second.
    Every(Sel, Sel),
    /// Numbers compare.
    Cmp(CmpOp, Num, Num),
    /// Entries are equal.
    Same(Ent, Ent),
    /// A matching row is in the history.
    Did(Box<Past>),
    /// A procedure is running.
    During(ProcId),
    /// The end of a procedure has been announced, and it is not over yet.
    Closing(ProcId),
    /// What is being resolved, its cost and all that answered it have changed nothing but where it lies itself.
    Unchanged,
    /// One of these has been declared and is not resolved yet, or carries a passive condition of which that is so.
    Awaits(Sel),
    /// The event is forbidden, for one of each role's things.
    Barred(VerbId, Vec<Option<Sel>>),
    /// What one of the first has laid down is in force: about one of the second, if they are given.
    InForce(Sel, Option<Sel>),
    /// A modifier in force changes the attribute of one of these: of the given things, if any are given.
    Modified(AttrId, Sel, Option<Sel>),
    /// All of them.
    And(Vec<Cond>),
    /// Any of them.
    Or(Vec<Cond>),
    /// Not.
    Not(Box<Cond>),
}

/// A value to store or bind.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Val {
    /// A number.
    Num(Num),
    /// A thing or things.
    Things(Sel),
    /// An entry.
    Entry(Ent),
    /// Yes or no.
    Flag(bool),
}
