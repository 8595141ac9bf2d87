//! What a condition asks: of which things what must be so, and what must be of each other.

use std::borrow::Cow;
use std::sync::Arc;

use netrep_grammar::tree::Span;

use super::numbers::{bounds, contrary, literal, turned};
use super::{Asked, Claim, DEPTH, Demand, Judge, Must, body, in_terms, single};
use crate::phrase::operators::{Condition, Fact, Logic, Predicate, View};
use crate::phrase::term::Detail;
use crate::phrase::tree::{Cmp, Det, Node, Op, Sort, TermKey, TermKind};

impl Judge<'_> {
    pub(super) fn of_condition<'n>(&self, node: &'n Node, holds: bool, depth: u32, out: &mut Asked<'n>) {
        if depth > DEPTH {
            return;
        }
        let mut claim =
            |what: Cow<'n, Node>, holds| out.claims.push(Claim { subject: None, what, holds, span: node.span });
        match node.view() {
            View::Logic(logic) => match (logic, holds) {
                (Logic::And { each }, true) | (Logic::Or { each }, false) => {
                    each.iter().for_each(|kid| self.of_condition(kid, holds, depth, out));
                }
                // Which of them is so is left open.
                (Logic::And { .. }, false) | (Logic::Or { .. }, true) => claim(Cow::Borrowed(node), holds),
            },
            View::Condition(condition) => match condition {
                Condition::Not { condition } => self.of_condition(condition, !holds, depth, out),
                Condition::Holds { subject, predicate } if single(subject) => {
                    self.of_predicate(predicate, subject, (holds, node.span), depth, out);
                }
                Condition::Compare { cmp, a, b } => {
                    claim(Cow::Borrowed(node), holds);
                    self.of_comparison(if holds { *cmp } else { contrary(*cmp) }, a, b, node.span, out);
                }
                Condition::Between { number, low, high } => {
                    claim(Cow::Borrowed(node), holds);
                    if holds {
                        self.of_comparison(Cmp::Ge, number, low, node.span, out);
                        self.of_comparison(Cmp::Le, number, high, node.span, out);
                    }
                }
                // That there is none is the contrary of that there is one.
                Condition::Exists { things } => match things.det() {
                    Some(Det::No) => {
                        let some = |kid: &Node| Node { op: Op::Quantified(Det::A), ..kid.clone() };
                        claim(Cow::Owned(Node { kids: vec![some(things)], ..node.clone() }), !holds);
                    }
                    _ => claim(Cow::Borrowed(node), holds),
                },
                Condition::Holds { .. }
                | Condition::Would { .. }
                | Condition::Unchanged {}
                | Condition::Awaits { .. }
                | Condition::InForce { .. }
                | Condition::Barred { .. }
                | Condition::Did { .. }
                | Condition::During { .. }
                | Condition::Closing { .. }
                | Condition::Against { .. } => claim(Cow::Borrowed(node), holds),
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

    pub(super) fn of_comparison<'n>(&self, cmp: Cmp, a: &'n Node, b: &'n Node, span: Span, out: &mut Asked<'n>) {
        if literal(a).is_some() && literal(b).is_none() {
            return self.of_comparison(turned(cmp), b, a, span, out);
        }
        let own = match a.view() {
            View::Fact(Fact::Of { fact, owner }) if single(owner) => Some((fact, owner)),
            _ => None,
        };
        match (&a.sort, own) {
            (Sort::Number, Some((fact, owner))) => {
                let attribute = fact.name.clone();
                let demand = |must| Demand { subject: owner, attribute, must, span };
                out.demands.extend(bounds(cmp, b).map(demand));
            }
            // One and the same number, whatever it counts.
            (Sort::Number, None) => {
                let demand = |must| Demand { subject: a, attribute: Arc::from("number"), must, span };
                out.demands.extend(bounds(cmp, b).map(demand));
            }
            (Sort::Entry(_), Some((fact, owner))) if self.single_valued(fact) => {
                let attribute = fact.name.clone();
                let demand = |must| Demand { subject: owner, attribute, must, span };
                out.demands.extend(in_terms(cmp, b).map(demand));
            }
            _ => {}
        }
    }

    pub(super) fn of_predicate<'n>(
        &self,
        node: &'n Node,
        subject: &'n Node,
        (holds, span): (bool, Span),
        depth: u32,
        out: &mut Asked<'n>,
    ) {
        if depth > DEPTH {
            return;
        }
        let demand = |attribute: &Arc<str>, must| Demand { subject, attribute: attribute.clone(), must, span };
        let claim = || Claim { subject: Some(subject), what: Cow::Borrowed(node), holds, span };
        match node.view() {
            View::Predicate(predicate) => match predicate {
                Predicate::NotIs { predicate } => self.of_predicate(predicate, subject, (!holds, span), depth, out),
                Predicate::Is { term: key } if key.kind == TermKind::Adjective => {
                    out.claims.push(claim());
                    if out.contrary && !self.is_there(subject) {
                        return;
                    }
                    let (Some(label), Some(item)) = (self.parameter(key), self.ctx.declaring(key)) else { return };
                    let Some(body) = body(&item) else { return };
                    let mut inner = Asked { contrary: out.contrary, ..Asked::default() };
                    self.of_condition(body, holds, depth + 1, &mut inner);
                    let mine = |d: &Demand<'_>| matches!(&d.subject.op, Op::Label(l) if *l == label);
                    out.demands.extend(inner.demands.into_iter().filter(mine).map(|d| demand(&d.attribute, d.must)));
                }
                Predicate::IsEntry { entry } => {
                    out.claims.push(claim());
                    let Some(Detail::Entry { list }) = self.ctx.term(entry).map(|t| t.detail.clone()) else { return };
                    let attribute = TermKey { kind: TermKind::Attribute, name: list.clone() };
                    if self.single_valued(&attribute) {
                        let term = vec![entry.name.clone()];
                        out.demands.push(demand(&list, if holds { Must::Terms(term) } else { Must::Not(term) }));
                    }
                }
                Predicate::IsClass { class } if holds => self.of_class(class, subject, span, depth, out),
                Predicate::IsClass { class } => out.claims.push(self.is_of(class, subject, false, span)),
                Predicate::With { fact, cmp, value } => {
                    out.claims.push(claim());
                    if out.contrary && !self.is_there(subject) {
                        return;
                    }
                    let cmp = if holds { *cmp } else { contrary(*cmp) };
                    let must = match value.sort {
                        Sort::Number => bounds(cmp, value),
                        _ if self.single_valued(fact) => in_terms(cmp, value),
                        _ => None,
                    };
                    out.demands.extend(must.map(|must| demand(&fact.name, must)));
                }
                Predicate::That { condition } => {
                    if out.contrary && !self.is_there(subject) {
                        return;
                    }
                    let mut inner = Asked { contrary: out.contrary, ..Asked::default() };
                    self.of_condition(condition, holds, depth + 1, &mut inner);
                    let mine = |d: &Demand<'_>| d.subject.op == Op::It;
                    out.demands.extend(inner.demands.into_iter().filter(mine).map(|d| demand(&d.attribute, d.must)));
                }
                Predicate::Is { .. }
                | Predicate::Relates { .. }
                | Predicate::RelatedBy { .. }
                | Predicate::OtherThan { .. }
                | Predicate::Done { .. }
                | Predicate::Same { .. } => out.claims.push(claim()),
            },
            View::Logic(logic) => match (logic, holds) {
                (Logic::Or { each }, true) => self.of_either(each, subject, span, depth, out),
                (Logic::And { each }, true) | (Logic::Or { each }, false) => {
                    each.iter().for_each(|kid| self.of_predicate(kid, subject, (holds, span), depth, out));
                }
                (Logic::And { .. }, false) => {}
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
    pub(super) fn of_either<'n>(
        &self,
        each: &'n [Node],
        subject: &'n Node,
        span: Span,
        depth: u32,
        out: &mut Asked<'n>,
    ) {
        let mut branches = each.iter().map(|kid| {
            let mut inner = Asked { contrary: out.contrary, ..Asked::default() };
            self.of_predicate(kid, subject, (true, span), depth + 1, &mut inner);
            inner.demands
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
        out.demands.extend(common);
    }

    /// What the declaration of a class, and of those above it, says of each of its things.
    pub(super) fn of_class<'n>(&self, class: &TermKey, subject: &'n Node, span: Span, depth: u32, out: &mut Asked<'n>) {
        for term in self.lineage(&class.name) {
            out.claims.push(self.is_of(&term.key, subject, true, span));
            if let Detail::Class { label: Some(label), .. } = &term.detail
                && depth <= DEPTH
                && let Some(item) = self.ctx.declaring(&term.key)
                && let Some(body) = body(&item)
            {
                let mut inner = Asked { contrary: out.contrary, ..Asked::default() };
                self.of_condition(body, true, depth + 1, &mut inner);
                let mine = inner.demands.into_iter().filter(|d| matches!(&d.subject.op, Op::Label(l) if l == label));
                let said = mine.map(|d| Demand { subject, attribute: d.attribute, must: d.must, span });
                out.demands.extend(said);
            }
            if let Some((attribute, entries)) = &term.only {
                let key = TermKey { kind: TermKind::Attribute, name: attribute.clone() };
                let is_term =
                    |name: &Arc<str>| self.ctx.term(&TermKey { kind: TermKind::Entry, name: name.clone() }).is_some();
                // What is not declared keeps nothing out.
                if self.single_valued(&key) && entries.iter().all(is_term) {
                    let must = Must::Terms(entries.clone());
                    out.demands.push(Demand { subject, attribute: attribute.clone(), must, span });
                }
            }
        }
    }

    /// That a thing is of a class, or that it is not.
    pub(super) fn is_of<'n>(&self, class: &TermKey, subject: &'n Node, holds: bool, span: Span) -> Claim<'n> {
        let what = Node { op: Op::IsClass(class.clone()), sort: Sort::Predicate, kids: Vec::new(), span };
        Claim { subject: Some(subject), what: Cow::Owned(what), holds, span }
    }
}
