//! What came of a run: steps, checks, what is wrong.

use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_compiler::Diagnostic;
use netrep_engine::{TraceEntry, TraceKind};
use netrep_grammar::tree::Span;
use netrep_ir::{ClauseId, Program};
use serde::Serialize;

use crate::memo::Read;

/// The result of running a scenario under a profile.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The scenario's name.
    pub name: String,
    /// Its file.
    pub file: String,
    /// The profile in words.
    pub profile: String,
    /// What was decided, in order.
    pub steps: Vec<Step>,
    /// What was checked, in order.
    pub checks: Vec<Check>,
    /// What was asked, in order, whether or not an answer was expected.
    pub answers: Vec<Answer>,
    /// What is wrong.
    pub diags: Vec<Diagnostic>,
    /// Labels and fingerprints of the clauses that were consulted.
    pub consulted: Consulted,
    /// The hash of the last position.
    pub hash: u64,
    /// For each player the numbers that the kernel's `report` services name, at the last position.
    pub scores: Vec<(String, Vec<(String, i32)>)>,
}

impl Report {
    /// True if nothing is wrong.
    pub fn passed(&self) -> bool {
        self.diags.is_empty()
    }
}

/// The clauses that a run consulted, and what else its outcome stands on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consulted {
    /// The clauses, by id in the program of the run.
    pub clauses: Vec<ClauseId>,
    /// What the run read, sorted; empty if no one asked for it.
    pub reads: Vec<Arc<Read>>,
    /// The ids of the cards in the game, sorted.
    pub cards: Vec<Arc<str>>,
    /// What the phrases of the scenario meant, see [`crate::memo::meaning`].
    pub meaning: u64,
}

impl Consulted {
    /// The items of which a clause was consulted, by the labels of what was read: `3.iv.6 sum` is a clause of `3.iv.6`.
    pub(crate) fn items(&self) -> impl Iterator<Item = &str> {
        let items = self.labels().filter_map(|label| label.split(' ').next());
        items.chain(self.cards.iter().map(|card| &**card))
    }

    /// The labels of the clauses that were consulted.
    pub(crate) fn labels(&self) -> impl Iterator<Item = &str> {
        self.reads.iter().filter_map(|read| match &**read {
            Read::Clause(label) | Read::Asked(label) | Read::Weighed(label) => Some(label.as_str()),
            _ => None,
        })
    }
}

/// A decision and what was submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Counted from 1.
    pub number: usize,
    /// Who decided; `chance` for dice.
    pub by: String,
    /// What was to be decided.
    pub asked: String,
    /// The clause that asks.
    pub clause: ClauseId,
    /// The clause that licences what was submitted.
    pub licence: ClauseId,
    /// What was offered.
    pub options: Vec<String>,
    /// What was submitted.
    pub chosen: String,
    /// The line of a script that says so.
    pub line: String,
    /// Where that came from.
    pub from: From,
    /// What happened until the next decision.
    pub trace: Vec<TraceEntry>,
}

/// Where a submission came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// A line of the script.
    Script(Span),
    /// The driver passed, or took the only option.
    Driver,
    /// A roll keyed by the scenario's seed.
    Seed,
}

/// An expectation and whether it held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The step after which it was checked; 0 at the start.
    pub after: usize,
    /// Where it stands.
    pub span: Span,
    /// What was expected.
    pub text: String,
    /// Whether it was so.
    pub held: bool,
}

/// A question of the script and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The step after which it was asked; 0 at the start.
    pub after: usize,
    /// Where it stands: the same in every run of the scenario.
    pub span: Span,
    /// What was asked.
    pub question: String,
    /// The answer.
    pub verdict: Verdict,
}

/// What came of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The player may do it.
    Offered,
    /// He may not, because of the clauses with these labels.
    Refused(BTreeSet<String>),
    /// He is not asked any more, or it is nothing that he might try.
    #[default]
    Untried,
    /// It is so, or not.
    So(bool),
    /// Its words mean nothing here.
    Unsaid,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::Offered => f.write_str("offered"),
            Verdict::Refused(clauses) if clauses.is_empty() => f.write_str("not offered"),
            Verdict::Refused(clauses) => {
                let clauses: Vec<&str> = clauses.iter().map(String::as_str).collect();
                write!(f, "refused because {}", clauses.join(", "))
            }
            Verdict::Untried => f.write_str("nothing that can be tried"),
            Verdict::So(true) => f.write_str("so"),
            Verdict::So(false) => f.write_str("not so"),
            Verdict::Unsaid => f.write_str("words that mean nothing here"),
        }
    }
}

/// How a clause is cited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Citation {
    /// Its label.
    pub label: String,
    /// How it is cited on the card of which that one is a reprint, if it is said there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reprints: Option<String>,
    /// The title of its item.
    pub title: String,
    /// The layer that set it; empty for the base text.
    pub setter: String,
    /// The clause in words.
    pub text: String,
    /// Its file and first byte.
    pub file: String,
    /// The first byte in the file.
    pub start: u32,
    /// The documents that it cites.
    pub sources: Vec<String>,
}

/// Cites a clause.
pub fn citation(program: &Program, clause: ClauseId) -> Citation {
    match program.clauses.get(clause.index()) {
        Some(decl) => Citation {
            label: decl.label.to_string(),
            reprints: decl.reprints.as_deref().map(str::to_owned),
            title: decl.title.to_string(),
            setter: decl.setter.to_string(),
            text: decl.text.to_string(),
            file: decl.place.file.to_string(),
            start: decl.place.start,
            sources: decl.sources.iter().map(ToString::to_string).collect(),
        },
        None => Citation {
            label: "?".to_owned(),
            reprints: None,
            title: String::new(),
            setter: String::new(),
            text: String::new(),
            file: String::new(),
            start: 0,
            sources: Vec::new(),
        },
    }
}

/// The label of a clause.
pub fn label(program: &Program, clause: ClauseId) -> &str {
    // total: what no clause of the program did (a position can be saved without) is told as such.
    program.clauses.get(clause.index()).map_or("?", |decl| decl.label.as_str())
}

/// True for entries that a reader of a game wants to see; the others are for tracing in detail.
pub fn is_news(entry: &TraceEntry) -> bool {
    use TraceKind::{Began, Declared, Event, Negated, Prevented, Put, Replaced, Resolves, Rolled, Shuffled};
    matches!(entry.kind, Began | Declared | Event | Negated | Prevented | Put | Replaced | Resolves | Rolled | Shuffled)
}

/// Something said, with the clause behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// What.
    pub words: String,
    /// The clause.
    pub by: Citation,
}
