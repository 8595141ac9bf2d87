//! The resolved phrase: what a slot's tokens mean in terms of the vocabulary.
//!
//! A uniform, typed tree: an operator, its children, a sort and the tokens it came from. Operators are
//! either of the closed class (determiners, comparisons, connectives, statement forms) or refer to a
//! declared term by its key. Equality ignores spans, so that a phrase and its rendering compare equal.

use std::sync::Arc;

use netrep_grammar::tree::Span;
use serde::{Deserialize, Serialize};

use super::clause::Polarity;

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

/// The operator of a node. The comment names the children, in order.
#[allow(rustdoc::broken_intra_doc_links, reason = "children in brackets are no links")]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Op {
    // ---- noun phrases (sort Thing/AnyThing; some Number/Entry)
    /// `this`: the thing whose clause it is.
    This,
    /// `it`, `its …`: the thing that the enclosing noun phrase, modifier or definition is about.
    It,
    /// A quoted name (a card, site, region or player, by name).
    Name(Arc<str>),
    /// A label (`A`) or the parameter of a declaration.
    Label(Arc<str>),
    /// A role, by its bare noun.
    Role(TermKey),
    /// A parameterless definition (`you`).
    Defined(TermKey),
    /// A determined noun phrase. [noun]
    Quantified(Det),
    /// A noun with its modifiers, sort Thing(class). [modifier predicates…]
    Noun(TermKey),
    /// Several noun phrases joined by `or` or `,`. [np…]
    Either,
    /// The value of an attribute: a thing, a number or an entry. [np]
    Of(TermKey),
    /// The value of an attribute of two things, or of one indexed by an entry (`keying of C for K`). [np, np or entry]
    OfFor(TermKey),
    /// `printed ATTR of …`: the value before anything changed it. [np]
    Printed(TermKey),
    /// Binds a label to the phrase. [np]
    As(Arc<str>),
    /// `the top N cards of PLACE`, things of the class. [number, place]
    Top(TermKey),
    /// `a new CLASS with ATTR VALUE, …`: a thing made for the occasion, with these attributes. [value…]
    New(TermKey, Vec<TermKey>),
    // ---- predicates (sort Predicate)
    /// An adjective, or a yes-or-no attribute used as one.
    Is(TermKey),
    /// A catalogue term used as a predicate (`Red lamp`, `is Red`).
    IsEntry(TermKey),
    /// A class used as a predicate (`is an item`).
    IsClass(TermKey),
    /// A relation; the subject is the thing the predicate is about. [other np]
    Relates(TermKey),
    /// The same, the other way round: the thing is the relation's second argument. [other np]
    RelatedBy(TermKey),
    /// An attribute comparison (`with height > 3`). [number or entry]
    With(TermKey, Cmp),
    /// `that <condition about it>`. [condition]
    That,
    /// `other than`. [np]
    OtherThan,
    /// A past participle: the thing was the object of the verb. Role children as in `Do`, object absent.
    Done(TermKey, Option<Box<Lasting>>),
    /// Identity with a noun phrase (`is "Old Lamp"`, `is target`). [np]
    Same,
    /// Negation of a predicate. [predicate]
    NotIs,
    // ---- numbers
    /// A number.
    Int(i64),
    /// `number of …`. [np]
    Count,
    /// `total ATTR of …`. [np]
    Total(TermKey),
    /// `highest ATTR of …` (true), `lowest ATTR of …`. [np]
    Extreme(TermKey, bool),
    /// `+`. [a, b]
    Add,
    /// `-`. [a, b]
    Sub,
    /// `*`. [a, b]
    Mul,
    /// `lowest for any group of NP as L of N`: the least that the number is for any group of the things. [np, n]
    LowestGroup(Arc<str>),
    /// `max(…)`. [n…]
    Max,
    /// `min(…)`. [n…]
    Min,
    /// `half … rounded up` (true) or down. [n]
    Half(bool),
    /// `A / B rounded up` (true) or down. [a, b]
    Quotient(bool),
    /// `1 (2 if C, 3 if D)`. [default, n, condition, n, condition…]; a later alternative overrides an earlier one.
    Alternatives,
    // ---- entries
    /// A catalogue term as a value.
    Entry(TermKey),
    /// `yes` or `no` as a value.
    Truth(bool),
    /// `none` as a value: the attribute is absent.
    Nothing,
    // ---- conditions
    /// A noun phrase satisfies a predicate. [np, predicate]
    Holds,
    /// A comparison of numbers or entries. [a, b]
    Compare(Cmp),
    /// `there is …`. [np]
    Exists,
    /// `NP would VERB …`: what the effect of a thing would do if it resolved. [np, event]
    Would,
    /// What is done in `would have an effect [on NP]`. [np?]
    HaveEffect,
    /// What is done in `would change NUMBER`. [number]
    ChangeNumber,
    /// What is done in `would be paid with NP`. [np]
    PaidWith,
    /// What is done in `would target NP`. [np]
    Targets,
    /// `nothing has changed`, said of what is being resolved. []
    Unchanged,
    /// `NP awaits resolution`: it has been declared, or a passive condition of it has. [np]
    Awaits,
    /// A verb in the perfect (`player has washed a Red lamp this turn`); role children as in `Do`.
    Did(TermKey, Option<Box<Lasting>>),
    /// `and`. [c…]
    And,
    /// `or`. [c…]; with sort Predicate a disjunction of predicates (`red or green boat`). [predicate…]
    Or,
    /// `not`. [c]
    Not,
    /// `NUMBER against NP`: the number as it is when the contest is with that side. [number, np]
    NumberAgainst,
    /// `during PROCEDURE`: one is running.
    During(TermKey),
    /// `against NP`: the other side of the contest that a modifier is asked for. [np]
    Against,
    /// `modifications of ATTR of NP by NP`: the changes that things make to a number; of any if no attribute is named.
    /// Only where they count N times, and where there are some. [np or Absent, np or Absent]
    Modification(Option<TermKey>),
    // ---- statements
    /// A verb with its roles in the order of the frame; an absent optional role is `Absent`.
    Do(TermKey),
    /// An absent optional role.
    Absent,
    /// In place of who chooses: chance does (`at random`).
    Chance,
    /// Several statements. [s…]
    Sequence,
    /// `if`. [condition, then] or [condition, then, otherwise]
    If,
    /// `for each NP as L { }`, with the chooser of the order if given. [np, body] or [np, body, chooser]
    ForEach(Arc<str>),
    /// `repeat { } until C`. [body, condition]
    RepeatUntil,
    /// `repeat N times { }`. [number, body]
    RepeatTimes,
    /// `P chooses NP as L`. [player, np]
    Choose(Arc<str>),
    /// `P may choose NP as L { } otherwise { }`. [player, np, body] or [player, np, body, otherwise]
    MayChoose(Arc<str>),
    /// `P may { } otherwise { }`. [player, body] or [player, body, otherwise]
    May,
    /// `P chooses one { } or { }`. [player, body…]
    ChooseOne,
    /// `P rolls N dice as L for NP`. [player, count, subject or Absent]
    Roll(Arc<str>),
    /// `set ATTR of NP to VALUE`. [np, value]
    Set(TermKey),
    /// `put NP into PLACE`, at the bottom if true. [np, place]
    Put(bool),
    /// A place, of a player where it belongs to one. [] or [player]
    Place(TermKey),
    /// `create a CLASS as L with ATTR VALUE, …`. [value…]; the attributes, in order.
    Create(TermKey, Arc<str>, Vec<TermKey>),
    /// `remove NP`. [np]
    Remove,
    /// `let L be VALUE`. [value]
    LetLabel(Arc<str>),
    /// `let ROLE be VALUE`. [value]
    LetRole(TermKey),
    /// `perform PROCEDURE for …`. [argument…]
    Perform(TermKey),
    /// `end PROCEDURE`.
    End(TermKey),
    /// `stop`: leave the innermost repeat.
    Stop,
    /// `what lasts for NP lasts for NP too`. [np, np]
    Extend,
    /// `window for P to V NP or V NP; for Q while COND to V NP`: players may declare actions; true: `window in response
    /// for …`. [admit…]
    Window(bool),
    /// One player of a window, while what, and what it admits; no event = anything. [player, cond|Absent, event…]
    Admit,
    /// `perform effect`: the effect of the action being resolved (only in the clauses of an action kind).
    ActionEffect,
    /// `modify NP` as an admitted kind: any modifier of such a thing; `modify FACT of NP`: of this fact. [np]
    Modifies(Option<TermKey>),
    /// A norm laid down by an effect: `X cannot be painted this season`. [event]
    Norm(Polarity, Option<Lasting>),
    // ---- modifiers (statements, and bodies of continuous clauses)
    /// `NP gets +N ATTR [max N] [min N]`. [np, amount, max or Absent, min or Absent]
    Gets(TermKey, Option<Lasting>),
    /// `NP gains TERM`. [np]
    Gains(TermKey, Option<Lasting>),
    /// `NP gains NP`: each of the first has the second in addition. [np, np]
    Acquires(Option<Lasting>),
    /// `NP loses TERM`. [np]
    Loses(TermKey, Option<Lasting>),
    /// `ATTR of NP is VALUE` as a modifier. [np, value], of a fact of two things [np, np, value]
    Becomes(TermKey, Option<Lasting>),
    /// `NP counts as PRED`. [np, predicate]
    CountsAs(Option<Lasting>),
    /// `figures of NP are those of NP except ATTR, ATTR`: the one has what is printed on the other. [np, np]
    TakesOver(Vec<TermKey>, Option<Lasting>),
    /// `modifications … count N times`. [modification, number]
    Scaled(Option<Lasting>),
    /// `MODIFIER while COND`, `MODIFIER against NP`: holds whenever the condition does. [modifier, condition]
    While,
    // ---- events
    /// A verb as an event pattern; role children as in `Do` (noun phrases constrain, `as L` binds, `Absent` is free).
    Event(TermKey),
    /// `at the start of PROCEDURE [for NP]`, `PROCEDURE starts`. [] or [np], the procedure's first argument
    Starts(TermKey),
    /// `at the end of PROCEDURE [for NP]`, `PROCEDURE ends`. [] or [np]
    Ending(TermKey),
    /// A delayed trigger inside an effect; true: it runs `immediately`. [event, condition or Absent, body]
    When(Option<Lasting>, bool),
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
