//! Predicates to the sets of things that satisfy them.
//!
//! Conditions on a thing are turned round into look-ups wherever they can be (`owner of C is X` is the pre-image of X),
//! because the engine evaluates sets; only what cannot be turned round is tested thing by thing ([`Sel::Where`]).

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{Cond, Ent, Sel, ValueKind};

use super::context::{Bound, Cx, Env, Low, shifted};
use super::select::{and, cmp_op};
use super::several::Many;
use crate::phrase::operators::{Fact, Logic, Predicate, Thing, View};
use crate::phrase::term::Detail;
use crate::phrase::tree::{Cmp, Det, Node, Op, Sort, TermKey, TermKind};

impl Cx<'_> {
    /// The things of which a predicate is true.
    pub(crate) fn pred(&mut self, node: &Node, env: &Env) -> Low<Sel> {
        match node.view() {
            View::Predicate(predicate) => self.pred_of(predicate, node, env),
            View::Logic(Logic::Or { each }) => Ok(Sel::Or(each.iter().map(|k| self.pred(k, env)).collect::<Low<_>>()?)),
            View::Logic(Logic::And { each }) => Ok(and(each.iter().map(|k| self.pred(k, env)).collect::<Low<_>>()?)),
            // `is "A"`, `is target`: resolvers may leave the noun phrase bare.
            View::Reference(_) | View::Thing(_) | View::Fact(_) | View::Literal(_)
                if matches!(node.sort, Sort::Thing(_) | Sort::AnyThing) =>
            {
                self.sel(node, env)
            }
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
            | View::Malformed => self.wrong_sort(node, "this does not say anything about a thing"),
        }
    }

    fn pred_of(&mut self, predicate: Predicate<'_>, node: &Node, env: &Env) -> Low<Sel> {
        match predicate {
            Predicate::Is { term } if term.kind == TermKind::Attribute => {
                let info = self.attribute(term, node.span)?;
                Ok(Sel::Flag(info.id))
            }
            Predicate::Is { term } => {
                let Detail::Adjective { of } = &self.term(term, node.span)?.detail else {
                    return self.fail(Code::WrongSort, node.span, format!("`{}` is not an adjective", term.name), None);
                };
                let label = of.label.clone();
                let body = self.definition(term, node.span)?;
                self.expand(term, node.span, |cx| cx.set_where(body.body(), &label, &Env::default()))
            }
            Predicate::IsEntry { entry } => {
                let list = self.list_of(entry, node.span)?;
                let attr = self.out.symbols.attr(&list);
                Ok(Sel::EntryIs(attr, self.out.symbols.entry(&entry.name)))
            }
            Predicate::IsClass { class } => self.class(class, node.span),
            Predicate::Relates { relation, other } => self.relation(relation, other, true, env, node.span),
            Predicate::RelatedBy { relation, other } => self.relation(relation, other, false, env, node.span),
            Predicate::With { fact, cmp, value } => self.with(fact, *cmp, value, env, node.span),
            Predicate::That { condition } => {
                let mut inner = env.clone();
                inner.it = None;
                self.set_of_it(condition, &inner)
            }
            Predicate::OtherThan { other } => Ok(Sel::Not(Box::new(self.sel(other, env)?))),
            Predicate::Done { verb, lasting, roles } => {
                let (past, object) = self.past(verb, lasting.as_deref(), roles, env, node.span)?;
                match object {
                    Some(o) => Ok(Sel::Happened(Box::new(past), o)),
                    None => self.fail(Code::WrongSort, node.span, format!("`{}` is done to nothing", verb.name), None),
                }
            }
            Predicate::Same { other } => {
                let these = self.sel(other, env)?;
                Ok(if other.det() == Some(Det::No) { Sel::Not(Box::new(these)) } else { these })
            }
            Predicate::NotIs { predicate } => Ok(Sel::Not(Box::new(self.pred(predicate, env)?))),
        }
    }

    /// `with ATTR cmp VALUE`.
    pub(super) fn with(&mut self, attr: &TermKey, cmp: Cmp, value: &Node, env: &Env, span: Span) -> Low<Sel> {
        let info = self.attribute(attr, span)?;
        let sel = match info.kind {
            ValueKind::Number => return Ok(Sel::NumIs(info.id, cmp_op(cmp), Box::new(self.num(value, env)?))),
            ValueKind::Entry(_) | ValueKind::Entries(_) => self.entry_is(info.id, value, env)?,
            ValueKind::Thing(_) | ValueKind::Things(_) if info.names => self.name_is(info.id, value, env)?,
            ValueKind::Thing(_) | ValueKind::Things(_) => Sel::Preimage(info.id, Box::new(self.sel(value, env)?)),
            ValueKind::Flag | ValueKind::NumberFor(_) => {
                return self.fail(Code::WrongSort, span, format!("`{}` cannot be compared", attr.name), None);
            }
        };
        Ok(if cmp == Cmp::Ne { Sel::Not(Box::new(sel)) } else { sel })
    }

    fn entry_is(&mut self, attr: netrep_ir::AttrId, value: &Node, env: &Env) -> Low<Sel> {
        // `is A or B`: one of them.
        if let View::Thing(Thing::Either { parts }) = value.view() {
            return Ok(Sel::Or(parts.iter().map(|part| self.entry_is(attr, part, env)).collect::<Low<_>>()?));
        }
        Ok(match self.ent(value, env)? {
            Ent::Entry(e) => Sel::EntryIs(attr, e),
            other => Sel::EntryIsValue(attr, Box::new(other)),
        })
    }

    /// `X rel Y` as a set of its subjects (`of_subject`) or of its objects.
    fn relation(&mut self, k: &TermKey, np: &Node, of_subject: bool, env: &Env, span: Span) -> Low<Sel> {
        let Detail::Relation { subject, object } = &self.term(k, span)?.detail else {
            return self.fail(Code::WrongSort, span, format!("`{}` is not a relation", k.name), None);
        };
        if let View::Thing(Thing::Quantified { det: Det::No, .. }) = np.view() {
            let any = Node { op: Op::Quantified(Det::A), ..np.clone() };
            let some = self.relation(k, &any, of_subject, env, span)?;
            return Ok(Sel::Not(Box::new(some)));
        }
        if let Some((place, owner)) = np.place() {
            // Lying in a place is no declared relation: the engine knows where things lie.
            let owner = owner.map(|o| self.sel(o, env)).transpose()?;
            return Ok(Sel::In(self.out.symbols.place(&place.name), owner.map(Box::new)));
        }
        let (about, other) = if of_subject { (subject, object) } else { (object, subject) };
        let (about, other) = (about.label.clone(), other.label.clone());
        let body = self.definition(k, span)?;
        if matches!(np.sort, Sort::Entry(_)) {
            // A relation to a term of a list: the term is a value, not a set of things.
            let entry = self.ent(np, env)?;
            return self.expand(k, span, |cx| {
                let mut env = Env::default();
                env.bind(&other, Bound::Entry(entry));
                cx.set_where(body.body(), &about, &env)
            });
        }
        let given = self.sel(np, env)?;
        let many = self.many(np, env);
        self.expand_of(k, span, many, |cx| cx.set_related(body.body(), &about, &other, given, many))
    }

    /// The things `about` for which the body holds with some thing of `given` as `other`.
    fn set_related(&mut self, body: &Node, about: &str, other: &str, given: Sel, many: Many) -> Low<Sel> {
        let (only_other, rest): (Vec<&Node>, Vec<&Node>) =
            body.conjuncts().iter().partition(|c| c.mentions(other) && !c.mentions(about));
        let mut narrowed = vec![given];
        for c in only_other {
            narrowed.push(self.set_where(c, other, &Env::default())?);
        }
        let given = and(narrowed);
        let both = rest.iter().filter(|c| c.mentions(other)).count();
        let is_tied = both > 1 || rest.iter().any(|c| asks_for_one(c, other));
        if many == Many::One || !is_tied {
            let mut env = Env::default();
            env.bind(other, Bound::Things(given, many));
            let mut parts = Vec::new();
            for c in rest {
                parts.push(self.set_where(c, about, &env)?);
            }
            return Ok(and(parts));
        }
        // Several conditions tie the two together, or a number that each has for itself: some one thing must satisfy them all.
        let mut env = Env::default();
        env.bind(about, Bound::Things(Sel::It(0), Many::One));
        let mut parts = vec![shifted(given)];
        for c in rest {
            parts.push(self.set_where(c, other, &env)?);
        }
        Ok(Sel::Where(Box::new(Cond::Some(and(parts)))))
    }
}

/// Whether a phrase asks something of a label that can be asked of one thing only: its number or term, or what comes next to it.
fn asks_for_one(node: &Node, label: &str) -> bool {
    let asked = match node.view() {
        View::Fact(Fact::Of { owner, .. } | Fact::OfFor { owner, .. } | Fact::Printed { owner, .. }) => {
            (!matches!(node.sort, Sort::Thing(_) | Sort::AnyThing)).then_some(owner)
        }
        View::Thing(Thing::Next { from, .. }) => Some(from),
        _ => None,
    };
    asked.is_some_and(|of| of.mentions(label)) || node.kids.iter().any(|kid| asks_for_one(kid, label))
}
