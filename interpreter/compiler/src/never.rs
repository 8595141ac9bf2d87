//! Conditions that can never hold, as far as that can be told from the words alone.
//!
//! Told are: numbers whose ranges do not meet (literals, counts below zero), one number in two ranges that do not
//! meet, and one fact of one thing, of which it has a single value, in two terms: also through adjectives, classes and
//! the sort of the thing. Nothing is told of phrases that stand for several things, of `not`, and of histories.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;

use crate::lower::LowerContext;
use crate::phrase::clause::{ClauseKind, ReadClause, nodes};
use crate::phrase::error::PhraseError;
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
pub(crate) fn check<'c>(clauses: impl IntoIterator<Item = &'c ReadClause>, ctx: &dyn LowerContext) -> Vec<PhraseError> {
    let mut judge = Judge { ctx, errors: Vec::new() };
    for clause in clauses {
        judge.clause(clause);
    }
    judge.errors
}

struct Judge<'c> {
    ctx: &'c dyn LowerContext,
    errors: Vec<PhraseError>,
}

impl Judge<'_> {
    fn clause(&mut self, clause: &ReadClause) {
        for node in nodes(&clause.kind) {
            self.visit(node);
        }
        match &clause.kind {
            ClauseKind::Play { conditions, block, .. } | ClauseKind::May { conditions, block, .. } => {
                // The conditions of a block hold together with those of its head.
                let inner = block.iter().filter_map(|c| match &c.kind {
                    ClauseKind::Condition(node) => Some(node),
                    _ => None,
                });
                let all: Vec<&Node> = conditions.iter().chain(inner).collect();
                if all.len() > 1 {
                    self.together(&all);
                }
                block.iter().for_each(|c| self.clause(c));
            }
            ClauseKind::Procedure { block, .. }
            | ClauseKind::Step { block, .. }
            | ClauseKind::Carried { block, .. }
            | ClauseKind::Action { block, .. } => block.iter().for_each(|c| self.clause(c)),
            ClauseKind::Either(modes) => modes.iter().flatten().for_each(|c| self.clause(c)),
            _ => {}
        }
    }

    fn visit(&mut self, node: &Node) {
        let before = self.errors.len();
        match &node.op {
            Op::And if node.sort == Sort::Condition => self.together(&[node]),
            Op::Holds => self.together(&[node]),
            Op::Compare(cmp) => self.compared(*cmp, node),
            Op::Noun(class) => self.noun(class, node),
            _ => {}
        }
        // One cause is told once, at the widest place.
        if self.errors.len() == before {
            node.kids.iter().for_each(|kid| self.visit(kid));
        }
    }

    fn tell(&mut self, span: Span, what: &str, both: Option<(Span, Span)>) {
        let mut error = PhraseError::new(Code::NeverHolds, span, format!("this can never hold: {what}"));
        if let Some((a, b)) = both {
            error = error.and(a, "this").and(b, "and this");
        }
        self.errors.push(error.help("take one of them away, or join what may be either with `or`"));
    }

    // ---- numbers

    fn compared(&mut self, cmp: Cmp, node: &Node) {
        let [a, b] = node.kids.as_slice() else { return };
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
            self.tell(node.span, &format!("{} is compared with {}", range_text(a), range_text(b)), None);
        }
    }

    // ---- facts

    fn noun(&mut self, class: &TermKey, node: &Node) {
        let it = Node { op: Op::It, sort: node.sort.clone(), kids: Vec::new(), span: node.span };
        let mut demands = Vec::new();
        self.of_class(class, &it, node.span, &mut demands);
        for kid in &node.kids {
            self.of_predicate(kid, &it, kid.span, 0, &mut demands);
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
        match (&node.op, node.kids.as_slice()) {
            (Op::And, kids) => kids.iter().for_each(|kid| self.of_condition(kid, depth, out)),
            (Op::Holds, [subject, predicate]) if single(subject) => {
                self.of_predicate(predicate, subject, node.span, depth, out);
            }
            (Op::Compare(cmp), [a, b]) => self.of_comparison(*cmp, a, b, node.span, out),
            _ => {}
        }
    }

    fn of_comparison(&self, cmp: Cmp, a: &Node, b: &Node, span: Span, out: &mut Vec<Demand>) {
        let (Op::Of(attribute), Some(subject)) = (&a.op, a.kids.first()) else { return };
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
        match &node.op {
            Op::Is(key) if key.kind == TermKind::Adjective => {
                let (Some(label), Some(body)) = (self.parameter(key), self.body(key)) else { return };
                let mut inner = Vec::new();
                self.of_condition(&body, depth + 1, &mut inner);
                let mine = |d: &Demand| matches!(&d.subject.op, Op::Label(l) if *l == label);
                out.extend(inner.into_iter().filter(mine).map(|d| demand(&d.attribute, d.must)));
            }
            Op::IsEntry(entry) => {
                let Some(Detail::Entry { list }) = self.ctx.term(entry).map(|t| t.detail.clone()) else { return };
                let attribute = TermKey { kind: TermKind::Attribute, name: list.clone() };
                if self.single_valued(&attribute) {
                    out.push(demand(&list, Must::Terms(vec![entry.name.clone()])));
                }
            }
            Op::IsClass(class) => self.of_class(class, subject, span, out),
            Op::With(attribute, cmp) => {
                let Some(value) = node.kids.first() else { return };
                let must = match value.sort {
                    Sort::Number => bounds(*cmp, value),
                    _ if self.single_valued(attribute) => terms(value).map(Must::Terms),
                    _ => None,
                };
                out.extend(must.map(|must| demand(&attribute.name, must)));
            }
            Op::That => {
                let mut inner = Vec::new();
                node.kids.iter().for_each(|kid| self.of_condition(kid, depth + 1, &mut inner));
                let mine = |d: &Demand| d.subject.op == Op::It;
                out.extend(inner.into_iter().filter(mine).map(|d| demand(&d.attribute, d.must)));
            }
            Op::Or => self.of_either(node, subject, span, depth, out),
            _ => {}
        }
    }

    /// What each of several predicates demands of one fact: any of it.
    fn of_either(&self, node: &Node, subject: &Node, span: Span, depth: u32, out: &mut Vec<Demand>) {
        let mut branches = node.kids.iter().map(|kid| {
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
        match &self.ctx.term(key)?.detail {
            Detail::Adjective { of } => Some(of.label.clone()),
            _ => None,
        }
    }

    fn body(&self, key: &TermKey) -> Option<Node> {
        let item = self.ctx.declaring(key)?;
        item.clauses.iter().find_map(|clause| match &clause.read.kind {
            ClauseKind::Condition(node) => Some(node.clone()),
            _ => None,
        })
    }
}

/// True for a phrase that stands for one and the same thing wherever it is said.
fn single(node: &Node) -> bool {
    match &node.op {
        Op::This | Op::It | Op::Label(_) | Op::Role(_) => true,
        Op::Of(_) => node.kids.iter().all(single),
        _ => false,
    }
}

/// The terms that a phrase names; nothing if it holds anything else.
fn terms(node: &Node) -> Option<Vec<Arc<str>>> {
    match &node.op {
        Op::Entry(key) => Some(vec![key.name.clone()]),
        Op::Either => {
            let each: Option<Vec<Vec<Arc<str>>>> = node.kids.iter().map(terms).collect();
            each.map(|all| all.into_iter().flatten().collect())
        }
        _ => None,
    }
}

fn literal(node: &Node) -> Option<i64> {
    match node.op {
        Op::Int(n) => Some(n),
        _ => None,
    }
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
    let kid = |i: usize| range(&node.kids[i]);
    match &node.op {
        Op::Int(n) => (*n, *n),
        Op::Count => (0, i64::MAX),
        Op::Add => (sum(kid(0).0, kid(1).0), sum(kid(0).1, kid(1).1)),
        Op::Max => node.kids.iter().map(range).fold((i64::MIN, i64::MIN), |a, b| (a.0.max(b.0), a.1.max(b.1))),
        Op::Min => node.kids.iter().map(range).fold((i64::MAX, i64::MAX), |a, b| (a.0.min(b.0), a.1.min(b.1))),
        _ => ANY,
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
