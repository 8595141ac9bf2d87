//! What is said and changes nothing, as far as that can be told from the words alone.
//!
//! Told are: modifiers by nothing, twice the same or by as much as another takes away, and within bounds that exclude each
//! other, facts that are set to themselves, branches and repetitions without statements, labels of values, rolls and choices
//! that nothing uses, the effect of a declaration where none is wrapped, and durations of what always holds. An empty
//! `otherwise` says what it means.

use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;

use crate::finding::Finding;
use crate::phrase::clause::{ClauseKind, ReadClause, blocks, nodes};
use crate::phrase::operators::{Act, Change, Fact, Number, View};
use crate::phrase::tree::{Node, Op};

/// What changes nothing in the clauses of an item.
pub(crate) fn check<'c>(clauses: impl IntoIterator<Item = &'c ReadClause>) -> Vec<Finding> {
    let mut found = Found { errors: Vec::new(), in_action: false };
    for clause in clauses {
        found.clause(clause);
    }
    found.errors
}

struct Found {
    errors: Vec<Finding>,
    /// Inside of a sentence that wraps a kind of declaration.
    in_action: bool,
}

impl Found {
    fn clause(&mut self, clause: &ReadClause) {
        match &clause.kind {
            ClauseKind::Modifier { modifiers, .. } => {
                modifiers.iter().for_each(|one| self.standing(one));
                self.listed(modifiers);
            }
            ClauseKind::When { body, .. } if is_empty(body) => {
                self.tell(
                    clause.span,
                    "nothing is done when this happens",
                    "say what is done, or take the clause away",
                );
            }
            ClauseKind::Effect(body) | ClauseKind::Cost(body) if is_empty(body) => {
                self.tell(clause.span, "nothing is done here", "say what is done, or take the clause away");
            }
            _ => {}
        }
        nodes(&clause.kind).into_iter().for_each(|node| self.node(node));
        let outer = self.in_action;
        self.in_action |= matches!(clause.kind, ClauseKind::Action { .. });
        blocks(&clause.kind).into_iter().flatten().for_each(|inner| self.clause(inner));
        self.in_action = outer;
    }

    fn tell(&mut self, span: Span, text: &str, help: &str) {
        self.errors.push(Finding::new(Code::NothingFollows, span, text).help(help));
    }

    /// A modifier that holds as long as its card functions.
    fn standing(&mut self, node: &Node) {
        let lasting = match node.view() {
            View::Change(Change::While { change, .. }) => return self.standing(change),
            View::Change(
                Change::Gets { lasting, .. }
                | Change::Gains { lasting, .. }
                | Change::Loses { lasting, .. }
                | Change::Becomes { lasting, .. }
                | Change::Turns { lasting, .. }
                | Change::Acquires { lasting, .. }
                | Change::Sheds { lasting, .. },
            ) => lasting,
            _ => return,
        };
        if lasting.is_some() {
            let text = "what is so as long as its card functions ends with it, and not sooner";
            let help = "take the duration away, or say when it begins: `effect …`, `when EVENT: …`";
            self.errors.push(Finding::new(Code::MisplacedClause, node.span, text).help(help));
        }
    }

    /// Changes in one list: what is gained already, and what is taken away again.
    fn listed(&mut self, changes: &[Node]) {
        for (change, next) in changes.iter().zip(changes.iter().skip(1)) {
            let text = match (change.view(), next.view()) {
                (View::Change(Change::Gains { .. } | Change::Loses { .. }), _) if change == next => {
                    "this changes nothing: it is said already"
                }
                (
                    View::Change(Change::Gets { fact, who, amount, most, least, .. }),
                    View::Change(Change::Gets { fact: again, who: of, amount: more, most: top, least: bottom, .. }),
                ) if fact == again
                    && who == of
                    && [most, least, top, bottom].into_iter().all(|bound| literal(bound).is_none())
                    && literal(amount).zip(literal(more)).is_some_and(|(a, b)| a.saturating_add(b) == 0) =>
                {
                    "this changes nothing: it takes away what the change before it adds"
                }
                _ => continue,
            };
            let found = Finding::new(Code::ChangesNothing, next.span, text);
            self.errors.push(found.help("say each change once, or take both away"));
        }
    }

    fn node(&mut self, node: &Node) {
        if node.op == Op::Sequence {
            self.listed(&node.kids);
        }
        match node.view() {
            View::Act(act) => self.act(act, node.span),
            View::Change(Change::Gets { amount, most, least, .. }) => {
                if literal(amount) == Some(0) {
                    let found = Finding::new(Code::ChangesNothing, node.span, "this changes nothing: it adds 0");
                    self.errors.push(found.help("say how much it adds, or take it away"));
                } else if let (Some(most), Some(least)) = (literal(most), literal(least))
                    && most < least
                {
                    let text = format!("this can never hold: no number is at most {most} and at least {least}");
                    let help = "take one of the bounds away, or exchange them";
                    self.errors.push(Finding::new(Code::NeverHolds, node.span, text).help(help));
                }
            }
            _ => {}
        }
        node.kids.iter().for_each(|kid| self.node(kid));
    }

    fn act(&mut self, act: Act<'_>, span: Span) {
        let no_statements = "say what is done, or leave it out";
        match act {
            Act::If { then, otherwise, .. } if is_empty(then) && otherwise.iter().all(is_empty) => {
                self.tell(span, "nothing is done, whether this is so or not", no_statements);
            }
            Act::ForEach { body, .. } | Act::RepeatUntil { body, .. } | Act::RepeatTimes { body, .. }
                if is_empty(body) =>
            {
                self.tell(span, "nothing is repeated", no_statements);
            }
            Act::May { body, otherwise, .. } | Act::MayChoose { body, otherwise, .. }
                if is_empty(body) && otherwise.iter().all(is_empty) =>
            {
                self.tell(span, "nothing is done, whatever is chosen", no_statements);
            }
            Act::ChooseOne { modes, .. } if modes.iter().all(is_empty) => {
                self.tell(span, "nothing is done, whatever is chosen", no_statements);
            }
            Act::When { body, .. } if is_empty(body) => {
                self.tell(span, "nothing is done when this happens", no_statements);
            }
            Act::Set { fact, thing, value } => {
                if let View::Fact(Fact::Of { fact: of, owner }) = value.view()
                    && of == fact
                    && owner == thing
                {
                    let text = format!("`{}` is set to what it is", fact.name);
                    self.tell(span, &text, "say what it becomes, or leave it out");
                }
            }
            Act::ActionEffect {} if !self.in_action => {
                let text = "no declaration is wrapped here, so there is no effect of one to perform";
                self.tell(span, text, "say what is done; `perform effect` stands in `action VERB for (CLASS X) { … }`");
            }
            _ => {}
        }
    }
}

/// True for statements that are none.
fn is_empty(body: &Node) -> bool {
    body.statements().is_empty()
}

/// The number that is written.
fn literal(node: &Node) -> Option<i64> {
    let View::Number(Number::Int { n }) = node.view() else { return None };
    Some(*n)
}

/// The labels of values, rolls and choices that nothing uses, of an item that is right otherwise: what is wrong with it
/// may be what should use them.
pub(crate) fn unused<'c>(clauses: impl IntoIterator<Item = &'c ReadClause>) -> Vec<Finding> {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut bound: Vec<(&Arc<str>, Span, &str)> = Vec::new();
    let mut open: Vec<&ReadClause> = clauses.into_iter().collect();
    while let Some(clause) = open.pop() {
        nodes(&clause.kind).into_iter().for_each(|node| labels(node, &mut used, &mut bound));
        open.extend(blocks(&clause.kind).into_iter().flatten());
    }
    let idle = bound.into_iter().filter(|(label, ..)| !used.contains(&***label));
    let tell = |(label, span, what): (&Arc<str>, Span, &str)| {
        let text = format!("{what} is called `{label}`, and nothing uses it");
        Finding::new(Code::UnusedLabel, span, text).help("say what it is for, or leave it out")
    };
    idle.map(tell).collect()
}

fn labels<'n>(node: &'n Node, used: &mut BTreeSet<&'n str>, bound: &mut Vec<(&'n Arc<str>, Span, &'static str)>) {
    match node.view() {
        // What is made is there, whether or not it is spoken of.
        View::Act(Act::LetLabel { value, .. }) if matches!(value.op, Op::New(..)) => {}
        View::Act(Act::LetLabel { label, .. }) => bound.push((label, node.span, "a value")),
        View::Act(Act::Roll { label, .. }) => bound.push((label, node.span, "what is rolled")),
        View::Act(Act::Choose { label, .. }) => bound.push((label, node.span, "what is chosen")),
        _ => {}
    }
    if let Op::Label(label) = &node.op {
        used.insert(label);
    }
    node.kids.iter().for_each(|kid| labels(kid, used, bound));
}
