//! Lowering: from resolved clauses to the program's plain data, one item at a time.
//!
//! An item is lowered alone. It names everything by local ids that index its own tables of symbols
//! ([`Symbols`]), so that its result changes only when its own text or a definition that it uses changes;
//! [`link`](crate::link) turns the local ids of all items into the program's dense ones.
//!
//! Definitions (adjectives, relations, derived selections) are inlined: the engine sees set algebra over
//! facts, never a call.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{
    ActionDecl, Allowance, Block, ClassId, ClauseId, Cond, Guard, Invariant, Modifier, NameId, Norm, Printed, Secrecy,
    SiteId, Source, Spare, Trigger, ValueKind, VerbDecl,
};
use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::layers::effective::EffectiveItem;
use crate::phrase::term::Term;
use crate::phrase::tree::TermKey;

mod action;
mod card;
mod carried;
mod clause;
mod condition;
mod context;
mod entry;
mod event;
mod fact;
mod groups;
mod history;
mod kept;
mod lent;
mod modifier;
mod moment;
mod names;
mod new_thing;
mod number;
mod of_this;
mod predicate;
mod procedure;
mod select;
mod several;
mod slots;
mod statement;
mod stored;
mod symbols;
mod turned;
mod vocabulary;
mod wording;

pub(crate) use condition::AGAINST;
pub(crate) use context::{Bound, Cx, Env, Follows, Low};
pub(crate) use lent::{LowLent, names_in};
pub(crate) use moment::{Awaited, LowMoment};
pub(crate) use procedure::always;
pub(crate) use several::Many;
pub(crate) use symbols::Symbols;
pub(crate) use wording::{Worded, worded};

/// What lowering may ask beyond the item itself.
pub(crate) trait LowerContext {
    /// The term of a key.
    fn term(&self, key: &TermKey) -> Option<Arc<Term>>;
    /// The item that declares it, with its body read.
    fn declaring(&self, key: &TermKey) -> Option<Arc<EffectiveItem>>;
    /// A name of the same kind that is almost that of a key which nothing declares, as a question.
    fn near(&self, key: &TermKey) -> Option<String>;
    /// The class of those who play, if it is known.
    fn player_class(&self) -> Option<Arc<str>>;
    /// The class of rolls, if they are things.
    fn roll_class(&self) -> Option<Arc<str>>;
    /// The class of cards.
    fn card_class(&self) -> Arc<str>;
    /// The fact by which a thing of a base class knows the card to which it belongs, if a `kernel` item says which.
    fn host_of(&self, class: &str) -> Option<Arc<str>>;
    /// The terms of a list.
    fn entries(&self, list: &str) -> Vec<Arc<str>>;
    /// The figures and states that hold terms of a list.
    fn holders(&self, list: &str) -> Vec<Arc<Term>>;
}

/// A labelled clause of the item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LowClause {
    /// Its label in the item.
    pub label: String,
    /// The label was taken from its words.
    pub derived: bool,
    /// Where it stands.
    pub span: Span,
    /// What it says.
    pub wording: Wording,
}

/// What a clause or a phrase says. It is made English where somebody reads it ([`worded`]): who checks items does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Wording {
    /// These words.
    These(String),
    /// Those of the clause that is this one of the item in the order of reading.
    Clause(u32),
    /// Those of the phrase that is this one of the item in the order of reading.
    Phrase(u32),
}

/// A place that an explanation can point to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LowSite {
    /// The local clause.
    pub clause: ClauseId,
    /// Where.
    pub span: Span,
    /// What it says.
    pub wording: Wording,
}

/// A procedure; its steps come from any item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LowProc {
    /// Its name.
    pub name: Arc<str>,
    /// The local clause.
    pub clause: ClauseId,
    /// Slots and classes of its parameters.
    pub parameters: Vec<(u8, ClassId)>,
    /// Role bindings before the first step.
    pub prologue: Option<netrep_ir::BlockId>,
    /// Its steps, in order.
    pub steps: Vec<Arc<str>>,
    /// Whether the order is fixed.
    pub fixed: bool,
    /// The exit guard and the step at which it goes on.
    pub guard: Option<(Cond, Option<Arc<str>>, SiteId)>,
    /// Slots.
    pub slots: u8,
}

/// A step's body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LowStep {
    /// Its name.
    pub name: Arc<str>,
    /// Its procedure's name.
    pub proc: Arc<str>,
    /// What is done.
    pub body: netrep_ir::BlockId,
    /// The local clause.
    pub clause: ClauseId,
    /// Where.
    pub span: Span,
    /// Slots.
    pub slots: u8,
}

/// What a vocabulary item declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum LowTerm {
    /// A base class.
    Class(Arc<str>),
    /// An enumeration with its entries.
    List(Arc<str>, Vec<Arc<str>>),
    /// Further entries of an enumeration that another item declares.
    Entries(Arc<str>, Vec<Arc<str>>),
    /// A fact; several items may declare the same for different classes.
    Attribute {
        /// Its name.
        name: Arc<str>,
        /// What its values are (local ids).
        kind: ValueKind,
        /// Where they come from.
        source: Source,
        /// Stored in the state.
        dynamic: bool,
        /// Its values are names.
        names: bool,
        /// The base classes that have it.
        classes: Vec<ClassId>,
        /// The place in which it begins anew.
        anew: Option<Arc<str>>,
    },
    /// A role; true if it names a number.
    Role(Arc<str>, bool),
    /// A place.
    Place {
        /// Its name.
        name: Arc<str>,
        /// Each player has one.
        owned: bool,
        /// Its order matters.
        ordered: bool,
        /// Who knows it.
        secrecy: Secrecy,
    },
    /// A verb.
    Verb(Arc<str>, Box<VerbDecl>),
}

/// The name under which `may` clauses of cards ask for their kind of declaration.
pub(crate) const ABILITY: &str = "ability";

/// A thing printed on a card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LowPart {
    /// The base class.
    pub class: ClassId,
    /// Its figures by attribute name.
    pub figures: Vec<(Arc<str>, Printed)>,
    /// The local clause.
    pub clause: ClauseId,
}

/// A card's own data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LowCard {
    /// Its name.
    pub name: NameId,
    /// Its printed figures by attribute name.
    pub figures: Vec<(Arc<str>, Printed)>,
    /// The things printed on it.
    pub parts: Vec<LowPart>,
}

/// A kind of declaration, and further requirements on one (`action play needs …`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LowAction {
    /// Its name: the verb that it performs.
    pub name: Arc<str>,
    /// The declaration; `None` if the item only adds requirements.
    pub decl: Option<ActionDecl>,
    /// The requirements.
    pub requirements: Vec<netrep_ir::Requirement>,
}

/// A line of a `kernel` item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LowService {
    /// The service.
    pub serves: String,
    /// The names that serve it.
    pub words: Vec<String>,
    /// Where the line stands.
    pub span: netrep_grammar::tree::Span,
}

/// One item, lowered. All ids are local.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lowered {
    /// The names that the local ids stand for.
    pub symbols: Symbols,
    /// Labelled clauses.
    pub clauses: Vec<LowClause>,
    /// Blocks.
    pub blocks: Vec<Block>,
    /// Sites.
    pub sites: Vec<LowSite>,
    /// Allowances.
    pub allowances: Vec<Allowance>,
    /// The abilities that things have of others.
    pub lents: Vec<LowLent>,
    /// Triggers.
    pub triggers: Vec<Trigger>,
    /// Modifiers.
    pub modifiers: Vec<Modifier>,
    /// Norms.
    pub norms: Vec<Norm>,
    /// The moments that it waits for.
    pub moments: Vec<LowMoment>,
    /// What is asked of passive conditions.
    pub guards: Vec<Guard>,
    /// What effects spare.
    pub spares: Vec<Spare>,
    /// Invariants.
    pub invariants: Vec<Invariant>,
    /// Procedures.
    pub procs: Vec<LowProc>,
    /// Steps.
    pub steps: Vec<LowStep>,
    /// Declared terms.
    pub terms: Vec<LowTerm>,
    /// Kinds of declaration.
    pub actions: Vec<LowAction>,
    /// Services.
    pub services: Vec<LowService>,
    /// Selections that serve the engine, by service.
    pub service_sels: Vec<(String, netrep_ir::Sel)>,
    /// Verbs whose triggers are immediate by rule (`timing immediate: …`).
    pub immediate: Vec<(netrep_ir::VerbId, ClauseId)>,
    /// Verbs whose declarations must meet their requirements to the end (`timing lasting: …`).
    pub lasting: Vec<(netrep_ir::VerbId, ClauseId)>,
    /// Names that may stay without a card.
    pub expected: Vec<Arc<str>>,
    /// The sets of which the cards are meant where several have a name.
    pub sets: Vec<Arc<str>>,
    /// Words that were renamed: what they are called now, and what they were called before.
    pub former: Vec<(String, String)>,
    /// Words that are no longer said, what to say instead, and true if that is a sentence and no advice.
    pub retired: Vec<(String, String, bool)>,
    /// The plain forms of declared verbs that are done to a place.
    pub place_verbs: Vec<String>,
    /// `despite ITEM LABEL`: allowance index, item, label.
    pub despite: Vec<(usize, String, String, SiteId)>,
    /// `rests on ITEM LABEL`: an item, or one of its clauses as it is cited.
    pub rests: Vec<(String, SiteId)>,
    /// What a card says of itself.
    pub of_this: Vec<of_this::OfThis>,
    /// The card's own data.
    pub card: Option<LowCard>,
}

/// Lowers one item. Errors leave out the clause that they are in; last, what is wrong only because a word is.
pub(crate) fn lower_item(item: &EffectiveItem, ctx: &dyn LowerContext) -> (Lowered, Vec<Finding>, Vec<Follows>) {
    let mut cx = context::Cx::new(item, ctx);
    match &*item.head {
        "card" => card::lower(&mut cx),
        "rule" => clause::lower_rule(&mut cx),
        "kernel" => vocabulary::kernel(&mut cx),
        // They have a meaning only where a rule cites them.
        head @ ("action" | "procedure") => {
            let message = format!("{head} stands outside of a rule");
            let _ = cx.fail::<()>(
                Code::MisplacedClause,
                item.tree.head_span,
                message,
                Some("put it into the rule that says so"),
            );
        }
        _ => vocabulary::lower(&mut cx),
    }
    cx.finish()
}
