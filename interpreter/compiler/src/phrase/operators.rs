//! The operators of phrases, and the typed views of nodes by them.
//!
//! One list gives both: an operator with its data and its children makes a variant of [`Op`] and a variant of its view. A
//! stage matches on [`Node::view`] without a catch-all, so that an operator that it forgets is an error of the Rust
//! compiler:
//!
//! ```compile_fail,E0004
//! use netrep_compiler::phrase::operators::{Logic, View};
//! use netrep_compiler::phrase::tree::Node;
//!
//! fn joins(node: &Node) -> bool {
//!     match node.view() {
//!         View::Logic(logic) => match logic {
//!             Logic::And { each } => each.len() > 1,
//!         },
//!         _ => false,
//!     }
//! }
//! ```

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::clause::Polarity;
use super::tree::{Cmp, Det, Lasting, Node, TermKey};

/// What an operator's data name.
trait Names {
    /// Tells the declared terms among them.
    fn tell_terms<'n>(&'n self, tell: &mut dyn FnMut(&'n TermKey));
}

impl Names for TermKey {
    fn tell_terms<'n>(&'n self, tell: &mut dyn FnMut(&'n TermKey)) {
        tell(self);
    }
}

impl Names for Lasting {
    fn tell_terms<'n>(&'n self, tell: &mut dyn FnMut(&'n TermKey)) {
        if let Lasting::Procedure(key) = self {
            tell(key);
        }
    }
}

impl<T: Names> Names for Option<T> {
    fn tell_terms<'n>(&'n self, tell: &mut dyn FnMut(&'n TermKey)) {
        self.iter().for_each(|one| one.tell_terms(tell));
    }
}

impl<T: Names> Names for Vec<T> {
    fn tell_terms<'n>(&'n self, tell: &mut dyn FnMut(&'n TermKey)) {
        self.iter().for_each(|one| one.tell_terms(tell));
    }
}

impl<T: Names> Names for Box<T> {
    fn tell_terms<'n>(&'n self, tell: &mut dyn FnMut(&'n TermKey)) {
        (**self).tell_terms(tell);
    }
}

/// Data without a declared term.
macro_rules! nameless {
    ($($ty:ty),*) => {
        $(impl Names for $ty {
            fn tell_terms<'n>(&'n self, _: &mut dyn FnMut(&'n TermKey)) {}
        })*
    };
}

nameless!(Arc<str>, bool, i64, Det, Cmp, Polarity);

/// Makes the operators and their views.
macro_rules! operators {
    ($(
        $(#[$about:meta])*
        $group:ident {
            $(
                $(#[$doc:meta])*
                $op:ident $(( $($field:ident: $ty:ty),* ))? [ $($kid:ident),* $(; $rest:ident)? ]
            )*
        }
    )*) => {
        /// The operator of a node.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Op {
            $($(
                $(#[$doc])*
                $op $(( $($ty),* ))?,
            )*)*
        }

        impl Op {
            /// Its name, as the table of forms writes it.
            pub(crate) fn name(&self) -> &'static str {
                match self {
                    $($( Op::$op { .. } => stringify!($op), )*)*
                }
            }
        }

        impl Op {
            /// Tells the declared terms that it names.
            pub(crate) fn terms<'n>(&'n self, tell: &mut dyn FnMut(&'n TermKey)) {
                match self {
                    $($(
                        Op::$op $(( $($field),* ))? => { $($( $field.tell_terms(tell); )*)? }
                    )*)*
                }
            }
        }

        $(
            $(#[$about])*
            #[derive(Clone, Copy, Debug)]
            #[allow(missing_docs, reason = "the data and children are told with the operator")]
            pub enum $group<'n> {
                $(
                    $(#[$doc])*
                    $op { $($($field: &'n $ty,)*)? $($kid: &'n Node,)* $($rest: &'n [Node],)? },
                )*
            }
        )*

        /// A node by its operator, with the operator's data and the node's children under their names.
        #[derive(Clone, Copy, Debug)]
        pub enum View<'n> {
            $(
                $(#[$about])*
                $group($group<'n>),
            )*
            /// The node has other children than its operator.
            Malformed,
        }

        impl Node {
            /// The node by its operator.
            #[allow(clippy::redundant_at_rest_pattern, reason = "one pattern for operators with and without fixed children")]
            pub(crate) fn view(&self) -> View<'_> {
                match (&self.op, self.kids.as_slice()) {
                    $($(
                        (Op::$op $(( $($field),* ))?, [ $($kid,)* $($rest @ ..)? ]) => {
                            View::$group($group::$op { $($($field,)*)? $($kid,)* $($rest,)? })
                        }
                    )*)*
                    _ => View::Malformed,
                }
            }
        }
    };
}

operators! {
    /// Words that stand for a value which is known from elsewhere: a thing, a number or a term.
    Reference {
        /// `this`: the thing whose clause it is.
        This []
        /// `it`, `its …`: the thing that the enclosing noun phrase, modifier or definition is about.
        It []
        /// A quoted name (a card, site, region or player, by name).
        Name(name: Arc<str>) []
        /// A card's id: that card and none of its namesakes.
        Card(id: Arc<str>) []
        /// A label (`A`) or the parameter of a declaration.
        Label(label: Arc<str>) []
        /// A role, by its bare noun.
        Role(role: TermKey) []
        /// A parameterless definition (`you`).
        Defined(term: TermKey) []
    }

    /// Noun phrases: things, and places.
    Thing {
        /// A determined noun phrase.
        Quantified(det: Det) [noun]
        /// A noun with its modifiers, sort Thing(class).
        Noun(class: TermKey) [; modifiers]
        /// Several noun phrases joined by `or` or `,`.
        Either [; parts]
        /// Binds a label to the phrase.
        As(label: Arc<str>) [inner]
        /// `the top N cards of PLACE`, things of the class.
        Top(class: TermKey) [count, place]
        /// `the next NOUN after NP` (true), `before NP`: the first of them in the order of the table, going round.
        Next(after: bool) [noun, from]
        /// `a new CLASS with ATTR VALUE, …`: a thing made for the occasion, with these attributes.
        New(class: TermKey, facts: Vec<TermKey>) [from; values]
        /// A place, of a player where it belongs to one.
        Place(place: TermKey) [; owner]
    }

    /// What is so of things: the values of their attributes.
    Fact {
        /// The value of an attribute: a thing, a number or an entry.
        Of(fact: TermKey) [owner]
        /// The number of an attribute for an entry (`keying of C for K`).
        OfFor(fact: TermKey) [owner, other]
        /// `printed ATTR of …`: the value before anything changed it.
        Printed(fact: TermKey) [owner]
    }

    /// Values that are written out.
    Literal {
        /// A catalogue term as a value.
        Entry(entry: TermKey) []
        /// `yes` or `no` as a value.
        Truth(yes: bool) []
        /// `none` as a value: the attribute is absent.
        Nothing []
    }

    /// What is said of one thing: only below noun phrases and copulas.
    Predicate {
        /// An adjective, or a yes-or-no attribute used as one.
        Is(term: TermKey) []
        /// A catalogue term used as a predicate (`Red lamp`, `is Red`).
        IsEntry(entry: TermKey) []
        /// A class used as a predicate (`is an item`).
        IsClass(class: TermKey) []
        /// A relation; the subject is the thing the predicate is about.
        Relates(relation: TermKey) [other]
        /// The same, the other way round: the thing is the relation's second argument.
        RelatedBy(relation: TermKey) [other]
        /// An attribute comparison (`with height > 3`).
        With(fact: TermKey, cmp: Cmp) [value]
        /// `that <condition about it>`.
        That [condition]
        /// `other than`.
        OtherThan [other]
        /// A past participle: the thing was the object of the verb. Role children as in `Do`, object absent.
        Done(verb: TermKey, lasting: Option<Box<Lasting>>) [; roles]
        /// Identity with a noun phrase (`is "Old Lamp"`, `is target`).
        Same [other]
        /// Negation of a predicate.
        NotIs [predicate]
    }

    /// Numbers that are no noun phrases.
    Number {
        /// A number.
        Int(n: i64) []
        /// `number of …`.
        Count [things]
        /// `total ATTR of …`.
        Total(fact: TermKey) [things]
        /// `highest ATTR of …` (true), `lowest ATTR of …`.
        Extreme(fact: TermKey, greatest: bool) [things]
        /// `+`.
        Add [a, b]
        /// `-`.
        Sub [a, b]
        /// `*`.
        Mul [a, b]
        /// `lowest for any group of NP as L of N`: the least that the number is for any group of the things.
        LowestGroup(label: Arc<str>) [things, number]
        /// `max(…)`.
        Max [; each]
        /// `min(…)`.
        Min [; each]
        /// `half … rounded up` (true) or down.
        Half(up: bool) [number]
        /// `A / B rounded up` (true) or down.
        Quotient(up: bool) [a, b]
        /// `1 (2 if C, 3 if D)`; a later alternative overrides an earlier one.
        Alternatives [default; cases]
        /// `NUMBER against NP`: the number as it is when the contest is with that side.
        NumberAgainst [number, side]
    }

    /// What joins conditions, and predicates.
    Logic {
        /// `and`.
        And [; each]
        /// `or`; with sort Predicate a disjunction of predicates (`red or green boat`).
        Or [; each]
    }

    /// Conditions.
    Condition {
        /// A noun phrase satisfies a predicate.
        Holds [subject, predicate]
        /// A comparison of numbers or entries.
        Compare(cmp: Cmp) [a, b]
        /// `NUMBER is between LOW and HIGH`: at least the one and at most the other.
        Between [number, low, high]
        /// `there is …`.
        Exists [things]
        /// `NP would VERB …`: what the effect of a thing would do if it resolved.
        Would [things, deed]
        /// `nothing has changed`, said of what is being resolved.
        Unchanged []
        /// `NP awaits resolution`: it has been declared, or a passive condition of it has.
        Awaits [things]
        /// `NP cannot be VERBed`: it is forbidden.
        Barred [event]
        /// `NP has an effect [on NP]`: what it has laid down is in force, and concerns that.
        InForce [things; on]
        /// A verb in the perfect (`player has washed a Red lamp this turn`); role children as in `Do`.
        Did(verb: TermKey, lasting: Option<Box<Lasting>>) [; roles]
        /// `not`.
        Not [condition]
        /// `during PROCEDURE`: one is running.
        During(procedure: TermKey) []
        /// `at the end of PROCEDURE`: one has come to its end, and is not over yet.
        Closing(procedure: TermKey) []
        /// `against NP`: the other side of the contest that a modifier is asked for.
        Against [side]
    }

    /// Events, and what else a declaration would do or a window admits.
    Event {
        /// What is done in `would have an effect [on NP]`.
        HaveEffect [; what]
        /// What is done in `would change NUMBER`.
        ChangeNumber [number]
        /// What is done in `would be paid with NP`.
        PaidWith [things]
        /// What is done in `would target NP`.
        Targets [things]
        /// `modify NP` as an admitted kind: any modifier of such a thing; `modify FACT of NP`: of this fact.
        Modifies(fact: Option<TermKey>) [things]
        /// A verb as an event pattern; role children as in `Do` (noun phrases constrain, `as L` binds, `Absent` is free).
        Event(verb: TermKey) [; roles]
        /// `at the start of PROCEDURE [of NP]`.
        Starts(procedure: TermKey) [; whom]
        /// `at the end of PROCEDURE [of NP]`.
        Ending(procedure: TermKey) [; whom]
        /// `at the start of step STEP of PROCEDURE [of NP]`.
        StepStarts(step: Arc<str>, procedure: TermKey) [; whom]
        /// `at the end of step STEP of PROCEDURE [of NP]`.
        StepEnding(step: Arc<str>, procedure: TermKey) [; whom]
        /// `FACT of NP becomes VALUE`, as an event.
        Comes(fact: TermKey) [of, value]
        /// `FACT of NP ceases to be VALUE`, as an event.
        Ceases(fact: TermKey) [of, value]
    }

    /// Statements.
    Act {
        /// A verb with its roles in the order of the frame; an absent optional role is `Absent`.
        Do(verb: TermKey) [; roles]
        /// Several statements.
        Sequence [; each]
        /// `if`.
        If [condition, then; otherwise]
        /// `for each NP as L { }`, with the chooser of the order if given.
        ForEach(label: Arc<str>) [things, body; order]
        /// `repeat { } until C`.
        RepeatUntil [body, condition]
        /// `repeat N times { }`.
        RepeatTimes [number, body]
        /// `P chooses NP as L`.
        Choose(label: Arc<str>) [who, what]
        /// `P may choose NP as L { } otherwise { }`.
        MayChoose(label: Arc<str>) [who, what, body; otherwise]
        /// `P may { } otherwise { }`.
        May [who, body; otherwise]
        /// `P chooses one { } or { }`.
        ChooseOne [who; modes]
        /// `P rolls N dice as L for NP as a CLASS`; without a number: `throw the dice as L`.
        Roll(label: Arc<str>, class: Option<TermKey>) [who, count, whom]
        /// `set ATTR of NP to VALUE`.
        Set(fact: TermKey) [thing, value]
        /// `put NP into PLACE`, at the bottom if true.
        Put(bottom: bool) [what, place]
        /// `remove NP`.
        Remove [what]
        /// `let L be VALUE`.
        LetLabel(label: Arc<str>) [value]
        /// `let ROLE be VALUE`.
        LetRole(role: TermKey) [value]
        /// `perform PROCEDURE for …`.
        Perform(procedure: TermKey) [; arguments]
        /// `end PROCEDURE`.
        End(procedure: TermKey) []
        /// `stop`: leave the innermost repeat.
        Stop []
        /// `what lasts for NP lasts for NP too`.
        Extend [of, to]
        /// `cancel effects of NP`: what these have laid down is no longer in force.
        CancelEffects [of]
        /// `window for P to V NP or V NP; for Q while COND to V NP`: players may declare actions; true: `window in response
        /// for …`.
        Window(response: bool) [; admits]
        /// `perform effect`: the effect of the action being resolved (only in the clauses of an action kind).
        ActionEffect []
        /// A norm laid down by an effect: `X cannot be painted this season`.
        Norm(polarity: Polarity, lasting: Option<Lasting>) [event; condition]
        /// A delayed trigger inside an effect; true: it runs `immediately`.
        When(lasting: Option<Lasting>, immediately: bool) [event, condition, body]
    }

    /// Modifiers: statements, and bodies of continuous clauses.
    Change {
        /// `NP gets +N ATTR [max N] [min N]`.
        Gets(fact: TermKey, lasting: Option<Lasting>) [who, amount, most, least]
        /// `NP gains TERM`.
        Gains(term: TermKey, lasting: Option<Lasting>) [who]
        /// `NP gains a new CLASS`: each of them has such a thing in addition.
        Acquires(lasting: Option<Lasting>) [who, what]
        /// `NP loses NP`: of what each of the first has, these are not there.
        Sheds(lasting: Option<Lasting>) [who, what]
        /// `NP loses TERM`.
        Loses(term: TermKey, lasting: Option<Lasting>) [who]
        /// `NP becomes TERM`: it has that term in place of what it had.
        Turns(term: TermKey, lasting: Option<Lasting>) [who]
        /// `ATTR of NP is VALUE` as a modifier.
        Becomes(fact: TermKey, lasting: Option<Lasting>) [thing, value]
        /// `MODIFIER while COND`, `MODIFIER against NP`: holds whenever the condition does.
        While [change, condition]
    }

    /// What stands in a phrase without being one.
    Part {
        /// `modification of ATTR of NP by NP`: what things change in a number. Only where it is asked whether there is any.
        Modification(fact: TermKey) [of, author]
        /// An absent optional role.
        Absent []
        /// In place of who chooses: chance does (`at random`).
        Chance []
        /// In place of who puts in order: the order of the table from there on (true) or backwards.
        Around(onwards: bool) [from]
        /// One player of a window, while what, and what it admits; no event = anything.
        Admit [who, whilst; deeds]
    }
}
