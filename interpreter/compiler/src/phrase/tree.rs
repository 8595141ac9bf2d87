//! The resolved phrase: what a slot's tokens mean in terms of the vocabulary.
//!
//! A uniform, typed tree: an operator, its children, a sort and the tokens it came from. Operators are
//! either of the closed class (determiners, comparisons, connectives, statement forms) or refer to a
//! declared term by its key. Equality ignores spans, so that a phrase and its rendering compare equal.

use std::sync::Arc;

use netrep_grammar::tree::Span;
use serde::{Deserialize, Serialize};

pub use super::operators::Op;
use super::operators::{Act, Condition, Logic, Predicate, Thing, View};

/// The key of a declared term: its kind and its name. Unique in a vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TermKey {
    /// Which kind of declaration it is.
    pub kind: TermKind,
    /// The canonical name: the words of the declaration, joined by a space.
    pub name: Arc<str>,
}

/// The kinds of declarations that give words a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TermKind {
    /// A sort of things.
    Class,
    /// An enumeration.
    List,
    /// A member of an enumeration.
    Entry,
    /// A fact about a thing: printed (`figure`), stored (`state`) or derived (`define … of`).
    Attribute,
    /// A derived selection or number without a parameter (`define you`).
    Definition,
    /// A dynamically bound name.
    Role,
    /// A zone.
    Place,
    /// A predicate of one thing.
    Adjective,
    /// A predicate of two things.
    Relation,
    /// An action or event with a frame.
    Verb,
    /// A suspended procedure with steps.
    Procedure,
}

impl TermKind {
    /// How many kinds there are: as numbers they are those below it.
    pub const COUNT: usize = TermKind::Procedure as usize + 1;
}

/// What a phrase denotes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Sort {
    /// A selection of things of a class (the class's term name).
    Thing(Arc<str>),
    /// A thing of any class (`this`, an unnarrowed quoted name, `it` where unknown).
    AnyThing,
    /// A number.
    Number,
    /// A term of an enumeration (the list's name).
    Entry(Arc<str>),
    /// A condition.
    Condition,
    /// A predicate of one thing (adjective phrase, relation phrase): only below noun phrases and copulas.
    Predicate,
    /// A statement.
    Statement,
    /// An event pattern.
    Event,
    /// A place, possibly of a player.
    Place,
    /// Something auxiliary that the parent's operator explains (duration, frame).
    Part,
}

/// A determiner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Det {
    /// `a`, `an`.
    A,
    /// `another` (other than the thing the clause is about, or the subject).
    Another,
    /// `each`, `every`, `all`, or a bare plural.
    Each,
    /// `any`.
    Any,
    /// `no`.
    No,
    /// `the`.
    The,
    /// `2 characters`.
    Exactly(i64),
    /// `at least 2 characters`.
    AtLeast(i64),
    /// `up to 2 characters`.
    UpTo(i64),
    /// `any number of characters`.
    AnyNumber,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Cmp {
    /// `<`, `is less than`.
    Lt,
    /// `<=`, `is at most`, `or less`.
    Le,
    /// `=`, `is`.
    Eq,
    /// `is not`.
    Ne,
    /// `>=`, `is at least`, `or more`.
    Ge,
    /// `>`, `is more than`.
    Gt,
}

/// How long an effect lasts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Lasting {
    /// `this turn`, `until the end of the round`: the innermost running instance of the procedure.
    Procedure(TermKey),
    /// `rest of the game`.
    Game,
}

/// A node of the resolved phrase.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Node {
    /// The operator.
    pub op: Op,
    /// What the phrase denotes.
    pub sort: Sort,
    /// The children, as the operator's comment says.
    pub kids: Vec<Node>,
    /// The tokens it came from, relative to the item.
    pub span: Span,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.op == other.op && self.sort == other.sort && self.kids == other.kids
    }
}

impl Eq for Node {}

/// What stages ask of any phrase. Each asks for one operator by name; what is done for every operator is a match on
/// [`Node::view`] without a catch-all.
impl Node {
    /// The phrase; nothing if a role was left out.
    pub(crate) fn present(&self) -> Option<&Node> {
        (self.op != Op::Absent).then_some(self)
    }

    /// A phrase that was left out.
    pub(crate) fn absent() -> &'static Node {
        static ABSENT: Node =
            Node { op: Op::Absent, sort: Sort::Part, kids: Vec::new(), span: Span { start: 0, end: 0 } };
        &ABSENT
    }

    /// The label that the phrase binds, and the phrase without it.
    pub(crate) fn labelled(&self) -> (Option<&Arc<str>>, &Node) {
        let View::Thing(Thing::As { label, inner }) = self.view() else { return (None, self) };
        (Some(label), inner)
    }

    /// The place that the phrase is, and whose it is.
    pub(crate) fn place(&self) -> Option<(&TermKey, Option<&Node>)> {
        let View::Thing(Thing::Place { place, owner }) = self.view() else { return None };
        Some((place, owner.first()))
    }

    /// The determiner of a noun phrase, with a label or without.
    pub(crate) fn det(&self) -> Option<Det> {
        let View::Thing(Thing::Quantified { det, .. }) = self.labelled().1.view() else { return None };
        Some(*det)
    }

    /// The predicate without its `not`, and whether it had one.
    pub(crate) fn negated(&self) -> (&Node, bool) {
        let View::Predicate(Predicate::NotIs { predicate }) = self.view() else { return (self, false) };
        (predicate, true)
    }

    /// The conditions that hold together: those that `and` joins, else itself.
    pub(crate) fn conjuncts(&self) -> &[Node] {
        let View::Logic(Logic::And { each }) = self.view() else { return std::slice::from_ref(self) };
        each
    }

    /// The statements one after the other: those of a sequence, else itself.
    pub(crate) fn statements(&self) -> &[Node] {
        let View::Act(Act::Sequence { each }) = self.view() else { return std::slice::from_ref(self) };
        each
    }

    /// True for a phrase that uses the label.
    pub(crate) fn mentions(&self, label: &str) -> bool {
        matches!(&self.op, Op::Label(used) if **used == *label) || self.kids.iter().any(|kid| kid.mentions(label))
    }
}

/// The relation by which a `play` sentence says a choice, with its place: `play in a harbour as H` chooses `H` and asks
/// that the card is in it.
pub(crate) fn relation_of_choice<'n>(choice: &Node, conditions: &'n [Node]) -> Option<(&'n TermKey, Span)> {
    let (Some(label), _) = choice.labelled() else { return None };
    conditions.iter().find_map(|condition| {
        let View::Condition(Condition::Holds { predicate, .. }) = condition.view() else { return None };
        let View::Predicate(Predicate::Relates { relation, other }) = predicate.view() else { return None };
        (other.op == Op::Label(label.clone())).then_some((relation, condition.span))
    })
}
