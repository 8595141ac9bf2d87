//! Conditions that can never hold, as far as that can be told from the words alone.
//!
//! Told are: numbers whose ranges do not meet (literals, counts below zero), one number in two ranges that do not
//! meet, and one fact of one thing, of which it has a single value, in two terms: also through adjectives, classes and
//! the sort of the thing. Nothing is told of phrases that stand for several things, of `not`, and of histories.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;

use crate::finding::Finding;
use crate::lower::LowerContext;
use crate::phrase::clause::{ClauseKind, ReadClause, blocks, nodes};
use crate::phrase::operators::{Condition, Fact, Literal, Logic, Number, Predicate, Reference, Thing, View};
use crate::phrase::term::{Detail, TypeName};
use crate::phrase::tree::{Cmp, Node, Op, Sort, TermKey, TermKind};

/// Adjectives are looked into so deep.
const DEPTH: u32 = 8;

/// What must be so of a fact.
#[derive(Clone, Debug, PartialEq)]
enum Must {
    /// It is one of these terms.
    Terms(Vec<Arc<str>>),
    /// It lies between these numbers, both included.
    Between(i64, i64),
}

/// A demand on a fact of a thing.
#[derive(Clone, Debug)]
struct Demand {
    subject: Node,
    attribute: Arc<str>,
    must: Must,
    span: Span,
}

/// What is wrong with the conditions of some clauses.
pub(crate) fn check<'c>(clauses: impl IntoIterator<Item = &'c ReadClause>, ctx: &dyn LowerContext) -> Vec<Finding> {
    let mut judge = Judge { ctx, errors: Vec::new() };
    for clause in clauses {
        judge.clause(clause);
    }
    judge.errors
}

struct Judge<'c> {
    ctx: &'c dyn LowerContext,
    errors: Vec<Finding>,
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
            View::Logic(logic) => match logic {
                Logic::And { .. } if node.sort == Sort::Condition => self.together(&[node]),
                Logic::And { .. } | Logic::Or { .. } => {}
            },
            View::Condition(condition) => match condition {
                Condition::Holds { .. } => self.together(&[node]),
                Condition::Compare { cmp, a, b } => self.compared(*cmp, a, b, node.span),
                Condition::Between { .. }
                | Condition::Exists { .. }
                | Condition::Would { .. }
                | Condition::Unchanged {}
                | Condition::Awaits { .. }
                | Condition::Did { .. }
                | Condition::Not { .. }
                | Condition::During { .. }
                | Condition::Against { .. } => {}
            },
            View::Thing(thing) => match thing {
                Thing::Noun { class, modifiers } => self.noun(class, modifiers, node),
                Thing::Quantified { .. }
                | Thing::Either { .. }
                | Thing::As { .. }
                | Thing::Top { .. }
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
        let (a, b) = (range(a), range(b));
        let possible = match cmp {
            Cmp::Lt => a.0 < b.1,
            Cmp::Le => a.0 <= b.1,
            Cmp::Gt => a.1 > b.0,
            Cmp::Ge => a.1 >= b.0,
            Cmp::Eq => a.0 <= b.1 && b.0 <= a.1,
            Cmp::Ne => a.0 != a.1 || a != b,
        };
        if !possible {
            self.tell(span, &format!("{} is compared with {}", range_text(a), range_text(b)), None);
        }
    }

    // ---- facts

    fn noun(&mut self, class: &TermKey, modifiers: &[Node], node: &Node) {
        let it = Node { op: Op::It, sort: node.sort.clone(), kids: Vec::new(), span: node.span };
        let mut demands = Vec::new();
        self.of_class(class, &it, node.span, &mut demands);
        for modifier in modifiers {
            self.of_predicate(modifier, &it, modifier.span, 0, &mut demands);
        }
        self.conflict(node.span, &demands);
    }

    /// Conditions that hold together.
    fn together(&mut self, conditions: &[&Node]) {
        let mut demands = Vec::new();
        for condition in conditions {
            self.of_condition(condition, 0, &mut demands);
        }
        let subjects: Vec<Node> = demands.iter().map(|d: &Demand| d.subject.clone()).collect();
        for subject in subjects {
            if let Sort::Thing(class) = &subject.sort {
                let class = TermKey { kind: TermKind::Class, name: class.clone() };
                self.of_class(&class, &subject, subject.span, &mut demands);
            }
        }
        if let (Some(first), Some(last)) = (conditions.first(), conditions.last()) {
            self.conflict(first.span.to(last.span), &demands);
        }
    }

    fn conflict(&mut self, span: Span, demands: &[Demand]) {
        for (i, a) in demands.iter().enumerate() {
            for b in demands.iter().skip(i + 1) {
                if a.attribute != b.attribute || a.subject != b.subject {
                    continue;
                }
                let what = match (&a.must, &b.must) {
                    (Must::Terms(x), Must::Terms(y)) if !x.iter().any(|e| y.contains(e)) => {
                        format!("one {} cannot be {} and {}", a.attribute, x.join(" or "), y.join(" or "))
                    }
                    (Must::Between(x, y), Must::Between(v, w)) if y < v || w < x => {
                        let (x, y) = (range_text((*x, *y)), range_text((*v, *w)));
                        format!("one {} cannot be {x} and {y}", a.attribute)
                    }
                    _ => continue,
                };
                // Both places, or the whole where one is not known better.
                let both = (a.span != b.span).then_some((a.span, b.span));
                let place = both.map_or(span, |(a, b)| Span::new(a.start.min(b.start), a.end.max(b.end)));
                self.tell(place, &what, both);
                return;
            }
        }
    }

    fn of_condition(&self, node: &Node, depth: u32, out: &mut Vec<Demand>) {
        match node.view() {
            View::Logic(logic) => match logic {
                Logic::And { each } => each.iter().for_each(|kid| self.of_condition(kid, depth, out)),
                Logic::Or { .. } => {}
            },
            View::Condition(condition) => match condition {
                Condition::Holds { subject, predicate } if single(subject) => {
                    self.of_predicate(predicate, subject, node.span, depth, out);
                }
                Condition::Compare { cmp, a, b } => self.of_comparison(*cmp, a, b, node.span, out),
                // Nothing is told of `not`, of histories, and of what is said of several things.
                Condition::Holds { .. }
                | Condition::Between { .. }
                | Condition::Exists { .. }
                | Condition::Would { .. }
                | Condition::Unchanged {}
                | Condition::Awaits { .. }
                | Condition::Did { .. }
                | Condition::Not { .. }
                | Condition::During { .. }
                | Condition::Against { .. } => {}
            },
            View::Reference(_)
            | View::Thing(_)
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
    }

    fn of_comparison(&self, cmp: Cmp, a: &Node, b: &Node, span: Span, out: &mut Vec<Demand>) {
        let View::Fact(Fact::Of { fact: attribute, owner: subject }) = a.view() else { return };
        if !single(subject) {
            return;
        }
        let must = match (&a.sort, cmp) {
            (Sort::Number, _) => bounds(cmp, b),
            (Sort::Entry(_), Cmp::Eq) if self.single_valued(attribute) => terms(b).map(Must::Terms),
            _ => None,
        };
        let attribute = attribute.name.clone();
        out.extend(must.map(|must| Demand { subject: subject.clone(), attribute, must, span }));
    }

    fn of_predicate(&self, node: &Node, subject: &Node, span: Span, depth: u32, out: &mut Vec<Demand>) {
        if depth > DEPTH {
            return;
        }
        let demand =
            |attribute: &Arc<str>, must| Demand { subject: subject.clone(), attribute: attribute.clone(), must, span };
        match node.view() {
            View::Predicate(predicate) => match predicate {
                Predicate::Is { term: key } if key.kind == TermKind::Adjective => {
                    let (Some(label), Some(body)) = (self.parameter(key), self.body(key)) else { return };
                    let mut inner = Vec::new();
                    self.of_condition(&body, depth + 1, &mut inner);
                    let mine = |d: &Demand| matches!(&d.subject.op, Op::Label(l) if *l == label);
                    out.extend(inner.into_iter().filter(mine).map(|d| demand(&d.attribute, d.must)));
                }
                Predicate::IsEntry { entry } => {
                    let Some(Detail::Entry { list }) = self.ctx.term(entry).map(|t| t.detail.clone()) else { return };
                    let attribute = TermKey { kind: TermKind::Attribute, name: list.clone() };
                    if self.single_valued(&attribute) {
                        out.push(demand(&list, Must::Terms(vec![entry.name.clone()])));
                    }
                }
                Predicate::IsClass { class } => self.of_class(class, subject, span, out),
                Predicate::With { fact, cmp, value } => {
                    let must = match value.sort {
                        Sort::Number => bounds(*cmp, value),
                        _ if self.single_valued(fact) => terms(value).map(Must::Terms),
                        _ => None,
                    };
                    out.extend(must.map(|must| demand(&fact.name, must)));
                }
                Predicate::That { condition } => {
                    let mut inner = Vec::new();
                    self.of_condition(condition, depth + 1, &mut inner);
                    let mine = |d: &Demand| d.subject.op == Op::It;
                    out.extend(inner.into_iter().filter(mine).map(|d| demand(&d.attribute, d.must)));
                }
                Predicate::Is { .. }
                | Predicate::Relates { .. }
                | Predicate::RelatedBy { .. }
                | Predicate::OtherThan { .. }
                | Predicate::Done { .. }
                | Predicate::Same { .. }
                | Predicate::NotIs { .. } => {}
            },
            View::Logic(logic) => match logic {
                Logic::Or { each } => self.of_either(each, subject, span, depth, out),
                Logic::And { .. } => {}
            },
            // A noun phrase that stands bare is that very thing, which has no demand.
            View::Reference(_)
            | View::Thing(_)
            | View::Fact(_)
            | View::Literal(_)
            | View::Number(_)
            | View::Condition(_)
            | View::Event(_)
            | View::Act(_)
            | View::Change(_)
            | View::Part(_)
            | View::Malformed => {}
        }
    }

    /// What each of several predicates demands of one fact: any of it.
    fn of_either(&self, each: &[Node], subject: &Node, span: Span, depth: u32, out: &mut Vec<Demand>) {
        let mut branches = each.iter().map(|kid| {
            let mut inner = Vec::new();
            self.of_predicate(kid, subject, span, depth + 1, &mut inner);
            inner
        });
        let Some(mut common) = branches.next() else { return };
        for branch in branches {
            common.retain_mut(|demand| {
                let other = branch.iter().find(|d| d.attribute == demand.attribute && d.subject == demand.subject);
                match (&mut demand.must, other.map(|d| &d.must)) {
                    (Must::Terms(mine), Some(Must::Terms(more))) => {
                        mine.extend(more.iter().cloned());
                        true
                    }
                    _ => false,
                }
            });
        }
        out.extend(common);
    }

    /// What the declaration of a class, and of those above it, says of each of its things.
    fn of_class(&self, class: &TermKey, subject: &Node, span: Span, out: &mut Vec<Demand>) {
        let mut at = class.clone();
        for _ in 0..64 {
            let Some(term) = self.ctx.term(&at) else { return };
            if let Some((attribute, entries)) = &term.only {
                let key = TermKey { kind: TermKind::Attribute, name: attribute.clone() };
                if self.single_valued(&key) {
                    let must = Must::Terms(entries.clone());
                    out.push(Demand { subject: subject.clone(), attribute: attribute.clone(), must, span });
                }
            }
            let Detail::Class { superclass: Some(above) } = &term.detail else { return };
            at.name = above.clone();
        }
    }

    // ---- declarations

    /// True for a fact of which a thing has one term.
    fn single_valued(&self, key: &TermKey) -> bool {
        let term = self.ctx.term(key);
        matches!(
            term.as_deref().map(|t| &t.detail),
            Some(Detail::Attribute { value: TypeName::Named(_), many: false, second: None, .. })
        )
    }

    fn parameter(&self, key: &TermKey) -> Option<Arc<str>> {
        let Detail::Adjective { of } = &self.ctx.term(key)?.detail else { return None };
        Some(of.label.clone())
    }

    fn body(&self, key: &TermKey) -> Option<Node> {
        let item = self.ctx.declaring(key)?;
        item.clauses.iter().find_map(|clause| clause.read.kind.condition()).cloned()
    }
}

/// True for a phrase that stands for one and the same thing wherever it is said.
fn single(node: &Node) -> bool {
    match node.view() {
        View::Reference(reference) => match reference {
            Reference::This {} | Reference::It {} | Reference::Label { .. } | Reference::Role { .. } => true,
            Reference::Name { .. } | Reference::Defined { .. } => false,
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

fn literal(node: &Node) -> Option<i64> {
    let View::Number(Number::Int { n }) = node.view() else { return None };
    Some(*n)
}

/// The range that a comparison with a literal leaves.
fn bounds(cmp: Cmp, with: &Node) -> Option<Must> {
    let n = literal(with)?;
    Some(match cmp {
        Cmp::Lt => Must::Between(i64::MIN, n.saturating_sub(1)),
        Cmp::Le => Must::Between(i64::MIN, n),
        Cmp::Eq => Must::Between(n, n),
        Cmp::Ge => Must::Between(n, i64::MAX),
        Cmp::Gt => Must::Between(n.saturating_add(1), i64::MAX),
        Cmp::Ne => return None,
    })
}

/// The numbers that a phrase can come to.
fn range(node: &Node) -> (i64, i64) {
    const ANY: (i64, i64) = (i64::MIN, i64::MAX);
    let number = match node.view() {
        View::Number(number) => number,
        View::Reference(_)
        | View::Thing(_)
        | View::Fact(_)
        | View::Literal(_)
        | View::Predicate(_)
        | View::Logic(_)
        | View::Condition(_)
        | View::Event(_)
        | View::Act(_)
        | View::Change(_)
        | View::Part(_)
        | View::Malformed => return ANY,
    };
    match number {
        Number::Int { n } => (*n, *n),
        Number::Count { .. } => (0, i64::MAX),
        Number::Add { a, b } => {
            let (a, b) = (range(a), range(b));
            (sum(a.0, b.0), sum(a.1, b.1))
        }
        Number::Max { each } => each.iter().map(range).fold((i64::MIN, i64::MIN), |a, b| (a.0.max(b.0), a.1.max(b.1))),
        Number::Min { each } => each.iter().map(range).fold((i64::MAX, i64::MAX), |a, b| (a.0.min(b.0), a.1.min(b.1))),
        Number::Total { .. }
        | Number::Extreme { .. }
        | Number::Sub { .. }
        | Number::Mul { .. }
        | Number::LowestGroup { .. }
        | Number::Half { .. }
        | Number::Quotient { .. }
        | Number::Alternatives { .. }
        | Number::NumberAgainst { .. } => ANY,
    }
}

/// A sum in which what is without bounds stays so.
fn sum(a: i64, b: i64) -> i64 {
    match (a, b) {
        (i64::MIN, _) | (_, i64::MIN) => i64::MIN,
        (i64::MAX, _) | (_, i64::MAX) => i64::MAX,
        _ => a.saturating_add(b),
    }
}

fn range_text(range: (i64, i64)) -> String {
    match range {
        (a, b) if a == b => a.to_string(),
        (i64::MIN, i64::MAX) => "any number".to_owned(),
        (i64::MIN, b) => format!("at most {b}"),
        (a, i64::MAX) => format!("at least {a}"),
        (a, b) => format!("{a} to {b}"),
    }
}
