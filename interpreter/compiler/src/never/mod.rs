//! Conditions that can never hold, and conditions that always do, as far as that can be told from the words alone.
//!
//! Told are: numbers whose ranges do not meet (literals, counts below zero), one number in two ranges that do not
//! meet, one fact of one thing, of which it has a single value, in two terms or in none of those that it can have, and
//! anything that is asked together with its contrary: also through `not`, adjectives, classes and the sort of the thing.
//! Nothing is told of phrases that stand for several things, and of what `or` leaves open.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;

use crate::finding::Finding;
use crate::layers::effective::EffectiveItem;
use crate::lower::LowerContext;
use crate::phrase::clause::{ClauseKind, ReadClause, blocks, nodes};
use crate::phrase::operators::{Condition, Fact, Literal, Reference, Thing, View};
use crate::phrase::tree::{Cmp, Node, Op, Sort, TermKey, TermKind};

mod always;
mod asked;
mod declared;
mod numbers;

use always::may_be_absent;
use numbers::{contrary, is_possible, range, range_text};

/// Adjectives are looked into so deep.
const DEPTH: u32 = 8;

/// What must be so of a fact.
#[derive(Clone, Debug, PartialEq)]
enum Must {
    /// It is one of these terms.
    Terms(Vec<Arc<str>>),
    /// It is none of these terms.
    Not(Vec<Arc<str>>),
    /// It lies between these numbers, both included.
    Between(i64, i64),
    /// It is not this number.
    Other(i64),
}

/// A demand on a fact of a thing.
#[derive(Clone, Debug)]
struct Demand<'n> {
    subject: &'n Node,
    attribute: Arc<str>,
    must: Must,
    span: Span,
}

/// What is asked, or its contrary, of a thing or at large.
#[derive(Clone, Debug)]
struct Claim<'n> {
    /// The thing; nothing for what is asked at large.
    subject: Option<&'n Node>,
    /// What is asked.
    what: Cow<'n, Node>,
    /// Or that it is not so.
    holds: bool,
    span: Span,
}

/// All that is asked together.
#[derive(Clone, Debug, Default)]
struct Asked<'n> {
    demands: Vec<Demand<'n>>,
    claims: Vec<Claim<'n>>,
    /// It is the contrary of what is said: where that also asks whether a thing is there, nothing is known of a thing
    /// that may be absent.
    contrary: bool,
}

/// Two things that are asked and cannot both be so.
struct Conflict {
    a: Span,
    b: Span,
    what: String,
}

/// What is wrong with the conditions of some clauses.
pub(crate) fn check<'c>(clauses: impl IntoIterator<Item = &'c ReadClause>, ctx: &dyn LowerContext) -> Vec<Finding> {
    let clauses: Vec<&ReadClause> = clauses.into_iter().collect();
    let mut judge = Judge { ctx, errors: Vec::new(), open: BTreeSet::new() };
    clauses.iter().for_each(|clause| may_be_absent(clause, &mut judge.open));
    clauses.iter().for_each(|clause| judge.clause(clause));
    judge.errors
}

/// What is wrong with the conditions of a phrase that stands alone.
pub(crate) fn check_phrase(node: &Node, ctx: &dyn LowerContext) -> Vec<Finding> {
    let mut judge = Judge { ctx, errors: Vec::new(), open: BTreeSet::new() };
    judge.visit(node);
    judge.errors
}

struct Judge<'c> {
    ctx: &'c dyn LowerContext,
    errors: Vec<Finding>,
    /// The labels that may stand for nothing.
    open: BTreeSet<Arc<str>>,
}

impl Judge<'_> {
    fn clause(&mut self, clause: &ReadClause) {
        for node in nodes(&clause.kind) {
            self.visit(node);
        }
        if let ClauseKind::Play { conditions, block, .. } | ClauseKind::May { conditions, block, .. } = &clause.kind {
            // The conditions of a block hold together with those of its head.
            let inner = block.iter().filter_map(|c| c.kind.condition());
            let all: Vec<&Node> = conditions.iter().chain(inner).collect();
            if all.len() > 1 {
                self.together(&all);
            }
        }
        blocks(&clause.kind).into_iter().flatten().for_each(|inner| self.clause(inner));
    }

    fn visit(&mut self, node: &Node) {
        let before = self.errors.len();
        match node.view() {
            View::Logic(_) if node.sort == Sort::Condition => {
                self.together(&[node]);
                self.always(node);
            }
            View::Logic(_) => {}
            View::Condition(condition) => match condition {
                Condition::Compare { cmp, a, b } => self.compared(*cmp, a, b, node.span),
                Condition::Holds { .. }
                | Condition::Between { .. }
                | Condition::Exists { .. }
                | Condition::Would { .. }
                | Condition::Unchanged {}
                | Condition::Awaits { .. }
                | Condition::InForce { .. }
                | Condition::Barred { .. }
                | Condition::Did { .. }
                | Condition::Not { .. }
                | Condition::During { .. }
                | Condition::Closing { .. }
                | Condition::Against { .. } => {
                    self.together(&[node]);
                    self.always(node);
                }
            },
            View::Thing(thing) => match thing {
                Thing::Noun { class, modifiers } => self.noun(class, modifiers, node),
                Thing::Quantified { .. }
                | Thing::Either { .. }
                | Thing::As { .. }
                | Thing::Top { .. }
                | Thing::Next { .. }
                | Thing::New { .. }
                | Thing::Place { .. } => {}
            },
            // They demand nothing themselves; what is within them may.
            View::Reference(_)
            | View::Fact(_)
            | View::Literal(_)
            | View::Predicate(_)
            | View::Number(_)
            | View::Event(_)
            | View::Act(_)
            | View::Change(_)
            | View::Part(_)
            | View::Malformed => {}
        }
        // One cause is told once, at the widest place.
        if self.errors.len() == before {
            node.kids.iter().for_each(|kid| self.visit(kid));
        }
    }

    fn tell(&mut self, span: Span, what: &str, both: Option<(Span, Span)>) {
        let mut error = Finding::new(Code::NeverHolds, span, format!("this can never hold: {what}"));
        if let Some((a, b)) = both {
            error = error.and(a, "this").and(b, "and this");
        }
        self.errors.push(error.help("take one of them away, or join what may be either with `or`"));
    }

    // ---- numbers

    fn compared(&mut self, cmp: Cmp, a: &Node, b: &Node, span: Span) {
        if a.sort != Sort::Number || b.sort != Sort::Number {
            return;
        }
        if a == b {
            let what = "a number is compared with itself";
            return match cmp {
                Cmp::Le | Cmp::Ge | Cmp::Eq => self.tell_always(span, what),
                Cmp::Lt | Cmp::Gt | Cmp::Ne => self.tell(span, what, None),
            };
        }
        let (a, b) = (range(a), range(b));
        let what = format!("{} is compared with {}", range_text(a), range_text(b));
        if !is_possible(cmp, a, b) {
            self.tell(span, &what, None);
        } else if !is_possible(contrary(cmp), a, b) {
            self.tell_always(span, &what);
        }
    }

    // ---- facts

    fn noun(&mut self, class: &TermKey, modifiers: &[Node], node: &Node) {
        let it = Node { op: Op::It, sort: node.sort.clone(), kids: Vec::new(), span: node.span };
        let mut asked = Asked::default();
        self.of_class(class, &it, node.span, 0, &mut asked);
        for modifier in modifiers {
            self.of_predicate(modifier, &it, (true, modifier.span), 0, &mut asked);
        }
        self.tell_conflict(node.span, &asked);
    }

    /// Conditions that hold together.
    fn together(&mut self, conditions: &[&Node]) {
        let mut asked = Asked::default();
        for condition in conditions {
            self.of_condition(condition, true, 0, &mut asked);
        }
        self.of_sorts(&mut asked);
        if let (Some(first), Some(last)) = (conditions.first(), conditions.last()) {
            self.tell_conflict(first.span.to(last.span), &asked);
        }
    }

    /// What the sorts of the things say of which something is asked.
    fn of_sorts(&self, asked: &mut Asked<'_>) {
        let of_demands = asked.demands.iter().map(|demand| demand.subject);
        let mut subjects: Vec<&Node> = Vec::new();
        for subject in of_demands.chain(asked.claims.iter().filter_map(|claim| claim.subject)) {
            if !subjects.contains(&subject) {
                subjects.push(subject);
            }
        }
        for subject in subjects {
            if let Sort::Thing(class) = &subject.sort
                && (!asked.contrary || self.is_there(subject))
            {
                let class = TermKey { kind: TermKind::Class, name: class.clone() };
                self.of_class(&class, subject, subject.span, 0, asked);
            }
        }
    }

    /// Tells what cannot be so, at both places, or at the whole where one is not known better.
    fn tell_conflict(&mut self, span: Span, asked: &Asked<'_>) {
        if let Some(Conflict { a, b, what }) = self.conflict(asked) {
            let both = (a != b).then_some((a, b));
            let place = both.map_or(span, |(a, b)| Span::new(a.start.min(b.start), a.end.max(b.end)));
            self.tell(place, &what, both);
        }
    }

    fn conflict(&self, asked: &Asked<'_>) -> Option<Conflict> {
        let demands = &asked.demands;
        for (i, a) in demands.iter().enumerate() {
            for b in demands.iter().skip(i + 1) {
                if a.attribute != b.attribute || a.subject != b.subject {
                    continue;
                }
                let what = match (&a.must, &b.must) {
                    (Must::Terms(x), Must::Terms(y)) if !x.iter().any(|e| y.contains(e)) => {
                        format!("one {} cannot be {} and {}", a.attribute, x.join(" or "), y.join(" or "))
                    }
                    (Must::Terms(x), Must::Not(y)) | (Must::Not(y), Must::Terms(x))
                        if x.iter().all(|e| y.contains(e)) =>
                    {
                        format!("one {} cannot be {} and not {}", a.attribute, x.join(" or "), y.join(" or "))
                    }
                    (Must::Between(x, y), Must::Other(n)) | (Must::Other(n), Must::Between(x, y))
                        if x == n && y == n =>
                    {
                        format!("one {} cannot be {n} and another number", a.attribute)
                    }
                    (Must::Between(x, y), Must::Between(v, w)) if y < v || w < x => {
                        let (x, y) = (range_text((*x, *y)), range_text((*v, *w)));
                        format!("one {} cannot be {x} and {y}", a.attribute)
                    }
                    _ => continue,
                };
                return Some(Conflict { a: a.span, b: b.span, what });
            }
        }
        for (i, a) in demands.iter().enumerate() {
            if asked.contrary && !self.is_there(a.subject) {
                continue;
            }
            // total: behind the last there are no more
            if let Some((none, last)) = self.nothing_left(a, demands.get(i + 1..).unwrap_or_default()) {
                let what = format!("one {} is always {}", a.attribute, none.join(" or "));
                return Some(Conflict { a: a.span, b: last, what });
            }
        }
        for (i, a) in asked.claims.iter().enumerate() {
            let contrary =
                |b: &&Claim<'_>| a.holds != b.holds && a.subject == b.subject && a.what == b.what && a.span != b.span;
            if let Some(b) = asked.claims.iter().skip(i + 1).find(contrary) {
                let what = "the one is the contrary of the other".to_owned();
                return Some(Conflict { a: a.span, b: b.span, what });
            }
        }
        None
    }

    /// All terms of a fact, if a demand and those behind it leave none of them; and the place of the last one. A fact
    /// that begins with a term always has one.
    fn nothing_left(&self, first: &Demand<'_>, others: &[Demand<'_>]) -> Option<(Vec<Arc<str>>, Span)> {
        let Must::Not(terms) = &first.must else { return None };
        let list = self.always_filled(&first.attribute, &first.subject.sort)?;
        let all = self.ctx.entries(&list);
        let (mut denied, mut last) = (terms.clone(), first.span);
        for other in others.iter().filter(|b| b.attribute == first.attribute && b.subject == first.subject) {
            if let Must::Not(more) = &other.must {
                denied.extend(more.iter().cloned());
                last = other.span;
            }
        }
        (!all.is_empty() && all.iter().all(|term| denied.contains(term))).then_some((all, last))
    }
}

/// The condition by which an item defines its word.
fn body(item: &EffectiveItem) -> Option<&Node> {
    item.clauses.iter().find_map(|clause| clause.read.kind.condition())
}

/// True for a phrase that stands for one and the same thing wherever it is said.
fn single(node: &Node) -> bool {
    match node.view() {
        View::Reference(reference) => match reference {
            Reference::This {} | Reference::It {} | Reference::Label { .. } | Reference::Role { .. } => true,
            Reference::Name { .. } | Reference::Card { .. } | Reference::Defined { .. } => false,
        },
        View::Fact(fact) => match fact {
            Fact::Of { owner, .. } => single(owner),
            Fact::OfFor { .. } | Fact::Printed { .. } => false,
        },
        View::Thing(_)
        | View::Literal(_)
        | View::Predicate(_)
        | View::Number(_)
        | View::Logic(_)
        | View::Condition(_)
        | View::Event(_)
        | View::Act(_)
        | View::Change(_)
        | View::Part(_)
        | View::Malformed => false,
    }
}

/// The terms that a phrase names; nothing if it holds anything else.
fn terms(node: &Node) -> Option<Vec<Arc<str>>> {
    if let View::Thing(Thing::Either { parts }) = node.view() {
        let each: Option<Vec<Vec<Arc<str>>>> = parts.iter().map(terms).collect();
        return each.map(|all| all.into_iter().flatten().collect());
    }
    let View::Literal(Literal::Entry { entry }) = node.view() else { return None };
    Some(vec![entry.name.clone()])
}

/// What a comparison with a term leaves of a fact.
fn in_terms(cmp: Cmp, with: &Node) -> Option<Must> {
    match cmp {
        Cmp::Eq => terms(with).map(Must::Terms),
        Cmp::Ne => terms(with).map(Must::Not),
        Cmp::Lt | Cmp::Le | Cmp::Ge | Cmp::Gt => None,
    }
}
