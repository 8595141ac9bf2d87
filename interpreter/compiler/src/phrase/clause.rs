//! Clauses: which kind of sentence a clause of the skeleton is, and its slots as resolved phrases.

use std::sync::Arc;

use netrep_grammar::tree::{Clause, Marker, Span};
use serde::{Deserialize, Serialize};

use super::tree::{Lasting, Node, TermKey};

/// How long clauses hold that an effect lays down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lasts {
    /// As long as a procedure, or the game.
    As(Lasting),
    /// Until an event.
    Until(Node),
    /// As long as a condition holds; over for good when it does not.
    While(Node),
}

/// A value of a printed figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FigureValue {
    /// `height 7`, `height -1`.
    Number(i64),
    /// `unique.`
    Yes,
    /// `colour Red`.
    Entry(TermKey),
    /// `keying Wilderness 2`; the number is 1 if it is left out.
    EntryNumber(TermKey, i64),
    /// `home site "Bree"`.
    Name(Arc<str>),
}

/// What a norm says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Polarity {
    /// `cannot`.
    Cannot,
    /// `must`.
    Must,
    /// `need not`.
    NeedNot,
    /// `may … even if` / `may … regardless`: lifts a `cannot`.
    Permit,
}

/// A read clause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadClause {
    /// Its marker.
    pub marker: Option<Marker>,
    /// What it says.
    pub kind: ClauseKind,
    /// The whole clause in the item.
    pub span: Span,
}

/// The kinds of clauses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClauseKind {
    /// A printed figure.
    Figure {
        /// Which one.
        attribute: TermKey,
        /// Its values.
        values: Vec<FigureValue>,
    },
    /// `play [on NP] [at NP] [during PROCEDURE] [if COND].` The target's noun phrase binds the label `target`
    /// unless it has one of its own.
    Play {
        /// The targets, each an `As` node.
        targets: Vec<Node>,
        /// Procedures or steps during which it may be played.
        during: Vec<TermKey>,
        /// Conditions.
        conditions: Vec<Node>,
        /// What is chosen besides the targets (`choosing NP as L`), each an `As` node.
        choices: Vec<Node>,
        /// The clauses of the block, if it has one: conditions, costs, effects.
        block: Vec<ReadClause>,
    },
    /// `timing WORD: VERB, VERB.`: the timing of events.
    Timing {
        /// The word.
        name: Arc<str>,
        /// The verbs.
        verbs: Vec<TermKey>,
    },
    /// `if COND.` in an allowance's block, or `needs COND.` in a verb.
    Condition(Node),
    /// `cost STATEMENTS.`
    Cost(Node),
    /// `effect STATEMENTS.` (also `does` in a verb)
    Effect(Node),
    /// `leaves COND.` in a verb: what must still hold at resolution after it was performed as a cost.
    Leaves(Node),
    /// `when EVENT [if COND] [immediately]: STATEMENTS.`
    When {
        /// The event pattern.
        event: Node,
        /// A condition on the moment of the event.
        condition: Option<Node>,
        /// Resolves at once, without a chain.
        immediately: bool,
        /// What is done.
        body: Node,
    },
    /// `when EVENT would happen: … instead` — written `when EVENT [if COND] instead: STATEMENTS.`
    Instead {
        /// The proposed event.
        event: Node,
        /// A condition on the moment.
        condition: Option<Node>,
        /// What is done in its place.
        body: Node,
    },
    /// A continuous modifier, with its `while` condition if it has one; several modifiers joined by `;` or `,`.
    Modifier {
        /// `while COND:`
        condition: Option<Node>,
        /// The modifiers.
        modifiers: Vec<Node>,
    },
    /// `[NP] may STATEMENTS [choosing NP as L, …] [if COND] [during PROCEDURE] [N times per PROCEDURE]: STATEMENTS.`, or with a block.
    May {
        /// Who may; absent = the controller of `this`.
        by: Option<Node>,
        /// What is done as the cost, or `None`.
        cost: Option<Node>,
        /// The choices, each an `As` node.
        choices: Vec<Node>,
        /// Conditions.
        conditions: Vec<Node>,
        /// Procedures or steps during which it may be used.
        during: Vec<TermKey>,
        /// How often, in each instance of the procedure.
        limit: Option<(i64, TermKey)>,
        /// The effect after the colon.
        effect: Option<Node>,
        /// The clauses of the block: conditions, costs, effects.
        block: Vec<ReadClause>,
    },
    /// `NP cannot VERB … [if|unless COND]`, `must`, `need not`.
    Norm {
        /// Which.
        polarity: Polarity,
        /// Whose clauses may not do it (`effects of NP cannot VERB`).
        by: Option<Node>,
        /// The event that is forbidden, required or exempt.
        event: Node,
        /// When it applies (an `unless` is negated).
        condition: Option<Node>,
    },
    /// `procedure WORDS for (CLASS X), … { … }` in a rule: its own term; the block holds `steps …`, `step NAME { }`, `ends if COND.`, statements.
    Procedure {
        /// The procedure's term.
        term: TermKey,
        /// The labels of its parameters, with their classes.
        parameters: Vec<(Arc<str>, Arc<str>)>,
        /// Its clauses.
        block: Vec<ReadClause>,
    },
    /// `steps NAME, NAME, … [in any order].` in a procedure: the order of its steps.
    Steps {
        /// The names, words joined by a space.
        names: Vec<Arc<str>>,
        /// False for `in any order`.
        fixed: bool,
    },
    /// `step NAME of PROCEDURE { statements }` (in a rule), or `step NAME { }` in a procedure.
    Step {
        /// The step's name.
        name: Arc<str>,
        /// The procedure, if named.
        procedure: Option<TermKey>,
        /// Statements, one clause each.
        block: Vec<ReadClause>,
    },
    /// `ends if COND.` in a procedure: the exit guard; the steps named after `then` still run.
    Ends {
        /// The guard.
        condition: Node,
        /// The step at which it goes on, if any.
        then: Option<Arc<str>>,
    },
    /// A statement as a clause of a step.
    Statement(Node),
    /// `always COND.` in a rule: an invariant of legal positions.
    Always(Node),
    /// `CLASS { figures }` in a card: a thing printed on it.
    Part {
        /// Its class.
        class: TermKey,
        /// Its figures.
        block: Vec<ReadClause>,
    },
    /// `X as L has { clauses }`: clauses that each such thing carries as its own; in them `this` is the thing.
    Carried {
        /// Which things.
        np: Node,
        /// Their clauses.
        block: Vec<ReadClause>,
    },
    /// `X has the abilities of Y`: what cards of these names may do, is X's own too, as long as they function.
    Lent {
        /// Who has them too.
        who: Node,
        /// Whose they are.
        of: Node,
        /// When.
        condition: Option<Node>,
    },
    /// `in PLACE, PLACE { clauses }` in a card: clauses that function there, and nowhere else.
    In {
        /// The places.
        places: Vec<TermKey>,
        /// The clauses.
        block: Vec<ReadClause>,
    },
    /// `effect SPAN { clauses }` in a card or an allowance: clauses that hold from then on for so long, with what was chosen
    /// then.
    Lasts {
        /// How long.
        long: Lasts,
        /// The clauses.
        block: Vec<ReadClause>,
    },
    /// `action VERB for (CLASS X) { needs COND. cost S. effect S. otherwise S. }` in a rule: how a kind of declaration is
    /// wrapped; `needs` is where the thing must be, `cost` what declaring does, `effect` what resolving does (it holds
    /// `perform effect`), `otherwise` what happens to it if it is negated.
    Action {
        /// The verb.
        verb: TermKey,
        /// The label and class of the thing.
        parameter: (Arc<str>, Arc<str>),
        /// Its clauses (`Condition`, `Cost`, `Effect`, `Otherwise`).
        block: Vec<ReadClause>,
    },
    /// `action VERB needs COND.` in a rule: a requirement on every declaration of the kind; `this` is the thing and
    /// `target` its first target.
    ActionNeeds {
        /// The verb.
        verb: TermKey,
        /// The requirement.
        condition: Node,
    },
    /// `action VERB leaves COND.` in a rule: what must still be so when a declaration of the kind resolves, or it is negated.
    ActionLeaves {
        /// The verb.
        verb: TermKey,
        /// The requirement.
        condition: Node,
    },
    /// `when EVENT needs COND.` in a rule: what is asked of every passive condition of a thing that the event meets.
    WhenNeeds {
        /// The event.
        event: Node,
        /// What must hold.
        condition: Node,
    },
    /// `effects of NP as L spare NP.` in a rule: whose effects leave what as it is.
    Spares {
        /// Whose effects, an `As` node.
        by: Node,
        /// What they spare.
        what: Node,
    },
    /// `effects of NP are canceled while COND.`: whose effects rest as long as it is so.
    Canceled {
        /// Whose effects.
        by: Node,
        /// When.
        condition: Option<Node>,
    },
    /// `otherwise STATEMENTS.` in an action: what is done if it is negated.
    Otherwise(Node),
    /// `despite ITEM LABEL.` in an allowance's block, `N times per PROCEDURE.` is `Limit`.
    Limit(i64, TermKey),
    /// A sentence of plain data (`cites METW, "CRF 8".`, `printed …`; see [`super::data`]), or a line of a declaration.
    Raw {
        /// The first word.
        head: Arc<str>,
        /// The whole, unread.
        clause: Clause,
    },
}

/// The phrases of a clause, in the order of reading, without those of its block; to be read or to be changed, as the clause is.
macro_rules! nodes_of {
    ($kind:expr) => {{
        let all = std::iter::empty;
        match $kind {
            ClauseKind::Play { targets, conditions, choices, .. } => {
                all().chain(targets).chain(choices).chain(conditions).collect()
            }
            ClauseKind::Condition(n)
            | ClauseKind::Cost(n)
            | ClauseKind::Effect(n)
            | ClauseKind::Leaves(n)
            | ClauseKind::Otherwise(n)
            | ClauseKind::Statement(n)
            | ClauseKind::Always(n) => vec![n],
            ClauseKind::When { event, condition, body, .. } | ClauseKind::Instead { event, condition, body } => {
                all().chain([event]).chain(condition).chain([body]).collect()
            }
            ClauseKind::Modifier { condition, modifiers } => all().chain(condition).chain(modifiers).collect(),
            ClauseKind::May { by, cost, choices, conditions, effect, .. } => {
                all().chain(by).chain(choices).chain(cost).chain(conditions).chain(effect).collect()
            }
            ClauseKind::Norm { by, event, condition, .. } => all().chain(by).chain([event]).chain(condition).collect(),
            ClauseKind::Ends { condition, .. }
            | ClauseKind::ActionNeeds { condition, .. }
            | ClauseKind::ActionLeaves { condition, .. } => vec![condition],
            ClauseKind::WhenNeeds { event: a, condition: b } | ClauseKind::Spares { by: a, what: b } => vec![a, b],
            ClauseKind::Canceled { by, condition } => all().chain([by]).chain(condition).collect(),
            ClauseKind::Carried { np, .. } => vec![np],
            ClauseKind::Lent { who, of, condition } => all().chain([who, of]).chain(condition).collect(),
            ClauseKind::Lasts { long, .. } => match long {
                Lasts::As(_) => Vec::new(),
                Lasts::Until(node) | Lasts::While(node) => vec![node],
            },
            ClauseKind::Figure { .. }
            | ClauseKind::Timing { .. }
            | ClauseKind::Procedure { .. }
            | ClauseKind::Steps { .. }
            | ClauseKind::Step { .. }
            | ClauseKind::Part { .. }
            | ClauseKind::Action { .. }
            | ClauseKind::In { .. }
            | ClauseKind::Limit(..)
            | ClauseKind::Raw { .. } => Vec::new(),
        }
    }};
}

/// The phrases of a clause, in the order of reading, without those of its block.
pub(crate) fn nodes(kind: &ClauseKind) -> Vec<&Node> {
    nodes_of!(kind)
}

/// The same, to be changed.
pub(super) fn nodes_mut(kind: &mut ClauseKind) -> Vec<&mut Node> {
    nodes_of!(kind)
}

/// The blocks of a clause that hold clauses, in the order of reading.
pub(crate) fn blocks(kind: &ClauseKind) -> Vec<&[ReadClause]> {
    match kind {
        ClauseKind::May { block, .. }
        | ClauseKind::Play { block, .. }
        | ClauseKind::Procedure { block, .. }
        | ClauseKind::Carried { block, .. }
        | ClauseKind::Lasts { block, .. }
        | ClauseKind::In { block, .. }
        | ClauseKind::Part { block, .. }
        | ClauseKind::Action { block, .. }
        | ClauseKind::Step { block, .. } => vec![block],
        ClauseKind::Figure { .. }
        | ClauseKind::Timing { .. }
        | ClauseKind::Condition(_)
        | ClauseKind::Cost(_)
        | ClauseKind::Effect(_)
        | ClauseKind::Leaves(_)
        | ClauseKind::When { .. }
        | ClauseKind::Instead { .. }
        | ClauseKind::Modifier { .. }
        | ClauseKind::Norm { .. }
        | ClauseKind::Steps { .. }
        | ClauseKind::Ends { .. }
        | ClauseKind::Statement(_)
        | ClauseKind::Always(_)
        | ClauseKind::ActionNeeds { .. }
        | ClauseKind::ActionLeaves { .. }
        | ClauseKind::WhenNeeds { .. }
        | ClauseKind::Spares { .. }
        | ClauseKind::Canceled { .. }
        | ClauseKind::Lent { .. }
        | ClauseKind::Otherwise(_)
        | ClauseKind::Limit(..)
        | ClauseKind::Raw { .. } => Vec::new(),
    }
}

/// A clause by what it says in the block of another, or of a declaration.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InBlock<'c> {
    /// `if COND.`, `needs COND.`
    Condition(&'c Node),
    /// `cost STATEMENTS.`
    Cost(&'c Node),
    /// `effect STATEMENTS.`, `does STATEMENTS.`
    Effect(&'c Node),
    /// `leaves COND.`
    Leaves(&'c Node),
    /// `otherwise STATEMENTS.`
    Otherwise(&'c Node),
    /// A statement.
    Statement(&'c Node),
    /// `N times per PROCEDURE.`
    Limit(i64, &'c TermKey),
    /// `effect SPAN { clauses }`.
    Lasts(&'c Lasts, &'c [ReadClause]),
    /// `steps NAME, NAME.`, and whether the order is fixed.
    Steps(&'c [Arc<str>], bool),
    /// `step NAME { }`, with its block.
    Step(&'c Arc<str>, &'c [ReadClause]),
    /// `ends if COND.`, with the step at which it goes on.
    Ends(&'c Node, Option<&'c Arc<str>>),
    /// A sentence of plain data.
    Raw(&'c Clause),
    /// A printed figure, a thing printed on a card, alternatives, or a sentence of its own: those who take one ask for it
    /// by its kind.
    Other,
}

impl ClauseKind {
    /// What it asks, if it is a condition.
    pub(crate) fn condition(&self) -> Option<&Node> {
        let ClauseKind::Condition(node) = self else { return None };
        Some(node)
    }

    /// The clause by what it says in a block.
    pub(crate) fn in_block(&self) -> InBlock<'_> {
        match self {
            ClauseKind::Condition(node) => InBlock::Condition(node),
            ClauseKind::Cost(node) => InBlock::Cost(node),
            ClauseKind::Effect(node) => InBlock::Effect(node),
            ClauseKind::Leaves(node) => InBlock::Leaves(node),
            ClauseKind::Otherwise(node) => InBlock::Otherwise(node),
            ClauseKind::Statement(node) => InBlock::Statement(node),
            ClauseKind::Limit(times, procedure) => InBlock::Limit(*times, procedure),
            ClauseKind::Steps { names, fixed } => InBlock::Steps(names, *fixed),
            ClauseKind::Step { name, block, .. } => InBlock::Step(name, block),
            ClauseKind::Ends { condition, then } => InBlock::Ends(condition, then.as_ref()),
            ClauseKind::Raw { clause, .. } => InBlock::Raw(clause),
            ClauseKind::Lasts { long, block } => InBlock::Lasts(long, block),
            ClauseKind::Figure { .. }
            | ClauseKind::Part { .. }
            | ClauseKind::Play { .. }
            | ClauseKind::Timing { .. }
            | ClauseKind::When { .. }
            | ClauseKind::Instead { .. }
            | ClauseKind::Modifier { .. }
            | ClauseKind::May { .. }
            | ClauseKind::Norm { .. }
            | ClauseKind::Procedure { .. }
            | ClauseKind::Always(_)
            | ClauseKind::Carried { .. }
            | ClauseKind::In { .. }
            | ClauseKind::Action { .. }
            | ClauseKind::ActionNeeds { .. }
            | ClauseKind::ActionLeaves { .. }
            | ClauseKind::WhenNeeds { .. }
            | ClauseKind::Spares { .. }
            | ClauseKind::Canceled { .. }
            | ClauseKind::Lent { .. } => InBlock::Other,
        }
    }
}
