//! Noun phrases and predicates to set algebra.
//!
//! A predicate of one thing becomes the set of things that satisfy it. Conditions on a thing are turned
//! round into look-ups wherever they can be (`owner of C is X` is the pre-image of X), because the engine
//! evaluates sets; only what cannot be turned round is tested thing by thing ([`Sel::Where`]).

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{CmpOp, Cond, Ent, Num, Past, Prospect, Sel, ValueKind};

use super::context::{Bound, Cx, Env, Low, shifted};
use crate::phrase::clause::ClauseKind;
use crate::phrase::operators::{Event, Logic, Predicate, Value, View};
use crate::phrase::term::Detail;
use crate::phrase::tree::{Cmp, Det, Lasting, Node, Op, Sort, TermKey, TermKind};

/// The program's comparison of a phrase's.
pub(super) fn cmp_op(cmp: Cmp) -> CmpOp {
    match cmp {
        Cmp::Lt => CmpOp::Lt,
        Cmp::Le => CmpOp::Le,
        Cmp::Eq => CmpOp::Eq,
        Cmp::Ne => CmpOp::Ne,
        Cmp::Ge => CmpOp::Ge,
        Cmp::Gt => CmpOp::Gt,
    }
}

/// Intersects, without useless nesting.
pub(super) fn and(mut parts: Vec<Sel>) -> Sel {
    parts.retain(|s| *s != Sel::All);
    let mut flat = Vec::with_capacity(parts.len());
    for p in parts {
        match p {
            Sel::And(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => Sel::All,
        1 => flat.remove(0),
        _ => Sel::And(flat),
    }
}

/// Whether a phrase never denotes more than one thing.
pub(super) fn is_single(node: &Node, env: &Env) -> bool {
    match &node.op {
        Op::This | Op::It | Op::Role(_) => true,
        Op::Label(l) => matches!(env.get(l), Some(Bound::Things(_, true))),
        Op::Of(_) | Op::As(_) => node.kids.first().is_some_and(|k| is_single(k, env)),
        _ => false,
    }
}

/// The phrase of an item's only clause: a definition's body.
pub(super) fn body_of(clauses: &[crate::layers::effective::EffectiveClause]) -> Option<&Node> {
    clauses.iter().find_map(|c| match &c.read.kind {
        ClauseKind::Condition(n) | ClauseKind::Statement(n) | ClauseKind::Effect(n) | ClauseKind::Always(n) => Some(n),
        _ => None,
    })
}

impl Cx<'_> {
    /// The things that a noun phrase selects.
    pub(crate) fn sel(&mut self, node: &Node, env: &Env) -> Low<Sel> {
        match node.view() {
            View::Value(value) => self.sel_value(value, node, env),
            View::Predicate(_)
            | View::Number(_)
            | View::Logic(_)
            | View::Condition(_)
            | View::Event(_)
            | View::Act(_)
            | View::Change(_)
            | View::Part(_)
            | View::Malformed => self.no_sel(node),
        }
    }

    fn no_sel<T>(&mut self, node: &Node) -> Low<T> {
        self.fail(Code::WrongSort, node.span, "a thing is meant here, and this is none", None)
    }

    fn sel_value(&mut self, value: Value<'_>, node: &Node, env: &Env) -> Low<Sel> {
        match value {
            Value::This {} => Ok(Sel::This),
            Value::It {} => match &env.it {
                Some(it) => Ok(it.clone()),
                None => self.fail(
                    Code::UnboundIt,
                    node.span,
                    "`it` refers to nothing here",
                    Some("name the thing, or bind it with `as X`"),
                ),
            },
            Value::Name { name } => Ok(Sel::Named(self.out.symbols.name(name))),
            Value::Label { label } => match env.get(label) {
                Some(Bound::Things(s, _)) => Ok(s.clone()),
                Some(_) => self.fail(Code::WrongSort, node.span, format!("`{label}` is not a thing"), None),
                None => self.fail(
                    Code::UnboundLabel,
                    node.span,
                    format!("nothing binds `{label}` here"),
                    Some("bind it with `as`"),
                ),
            },
            Value::Role { role } => Ok(Sel::Role(self.out.symbols.role(&role.name))),
            Value::Defined { term } => {
                let item = self.declaring(term, node.span)?;
                let Some(body) = body_of(&item.clauses).cloned() else {
                    return self.fail(
                        Code::NoDefinition,
                        node.span,
                        format!("`{}` has no definition", term.name),
                        None,
                    );
                };
                self.expand(term, node.span, |cx| cx.sel(&body, &Env::default()))
            }
            Value::Quantified { noun: inner, .. } | Value::As { inner, .. } => self.sel(inner, env),
            Value::Noun { class, modifiers } => {
                let mut parts = vec![self.class(class, node.span)?];
                for k in modifiers {
                    parts.push(self.pred(k, env)?);
                }
                Ok(and(parts))
            }
            Value::Either { parts } => Ok(Sel::Or(parts.iter().map(|k| self.sel(k, env)).collect::<Low<Vec<_>>>()?)),
            Value::Top { class, count, place } => {
                let View::Value(Value::Place { place: p, owner }) = place.view() else {
                    return self.fail(Code::WrongSort, node.span, "a place is meant here", None);
                };
                let owner = owner.first().map(|o| self.sel(o, env)).transpose()?;
                let n = self.num(count, env)?;
                let top = Sel::Top(self.out.symbols.place(&p.name), owner.map(Box::new), Box::new(n));
                Ok(and(vec![top, self.class(class, node.span)?]))
            }
            Value::Of { fact, owner } => {
                let inner = self.sel(owner, env)?;
                self.image(fact, inner, is_single(owner, env), node.span)
            }
            Value::OfFor { .. }
            | Value::Printed { .. }
            | Value::New { .. }
            | Value::Place { .. }
            | Value::Entry { .. }
            | Value::Truth { .. }
            | Value::Nothing {} => self.no_sel(node),
        }
    }

    /// The values of a thing-valued attribute over a selection.
    fn image(&mut self, attr: &TermKey, inner: Sel, single: bool, span: Span) -> Low<Sel> {
        let info = self.attribute(attr, span)?;
        if !matches!(info.kind, ValueKind::Thing(_) | ValueKind::Things(_)) {
            return self.fail(Code::WrongSort, span, format!("`{}` is not a thing", attr.name), None);
        }
        let Some((label, item)) = info.derived else {
            return Ok(Sel::Image(info.id, Box::new(inner)));
        };
        let Some(body) = body_of(&item.clauses).cloned() else {
            return self.fail(Code::NoDefinition, span, format!("`{}` has no definition", attr.name), None);
        };
        self.expand(attr, span, |cx| {
            let mut env = Env::default();
            env.bind(&label, Bound::Things(inner, single));
            cx.sel(&body, &env)
        })
    }

    /// The things of a class: its base class narrowed by what its declaration says.
    pub(crate) fn class(&mut self, class: &TermKey, span: Span) -> Low<Sel> {
        let term = self.term(class, span)?;
        let Detail::Class { superclass } = &term.detail else {
            return self.fail(Code::WrongSort, span, format!("`{}` is not a class", class.name), None);
        };
        let Some(superclass) = superclass else {
            return Ok(Sel::Class(self.out.symbols.class(&class.name)));
        };
        let only = term.only.clone();
        let above = TermKey { kind: TermKind::Class, name: superclass.clone() };
        let mut parts = vec![self.expand(class, span, |cx| cx.class(&above, span))?];
        if let Some((fact, terms)) = only {
            let fact = self.out.symbols.attr(&fact);
            let is = |term: &Arc<str>| Sel::EntryIs(fact, self.out.symbols.entry(term));
            let mut one: Vec<Sel> = terms.iter().map(is).collect();
            parts.push(if one.len() == 1 { one.remove(0) } else { Sel::Or(one) });
        }
        Ok(and(parts))
    }

    /// The things of which a predicate is true.
    pub(crate) fn pred(&mut self, node: &Node, env: &Env) -> Low<Sel> {
        match node.view() {
            View::Predicate(predicate) => self.pred_of(predicate, node, env),
            View::Logic(Logic::Or { each }) => Ok(Sel::Or(each.iter().map(|k| self.pred(k, env)).collect::<Low<_>>()?)),
            View::Logic(Logic::And { each }) => Ok(and(each.iter().map(|k| self.pred(k, env)).collect::<Low<_>>()?)),
            // `is "A"`, `is target`: resolvers may leave the noun phrase bare.
            View::Value(_) if matches!(node.sort, Sort::Thing(_) | Sort::AnyThing) => self.sel(node, env),
            View::Value(_)
            | View::Number(_)
            | View::Condition(_)
            | View::Event(_)
            | View::Act(_)
            | View::Change(_)
            | View::Part(_)
            | View::Malformed => {
                self.fail(Code::WrongSort, node.span, "this does not say anything about a thing", None)
            }
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
                let item = self.declaring(term, node.span)?;
                let Some(body) = body_of(&item.clauses).cloned() else {
                    return self.fail(
                        Code::NoDefinition,
                        node.span,
                        format!("`{}` has no definition", term.name),
                        None,
                    );
                };
                self.expand(term, node.span, |cx| cx.set_where(&body, &label, &Env::default()))
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
            Predicate::Same { other } => self.sel(other, env),
            Predicate::NotIs { predicate } => Ok(Sel::Not(Box::new(self.pred(predicate, env)?))),
        }
    }

    /// `with ATTR cmp VALUE`.
    fn with(&mut self, attr: &TermKey, cmp: Cmp, value: &Node, env: &Env, span: Span) -> Low<Sel> {
        let info = self.attribute(attr, span)?;
        let sel = match info.kind {
            ValueKind::Number => return Ok(Sel::NumIs(info.id, cmp_op(cmp), Box::new(self.num(value, env)?))),
            ValueKind::Entry(_) | ValueKind::Entries(_) => self.entry_is(info.id, value, env)?,
            ValueKind::Thing(_) | ValueKind::Things(_) => Sel::Preimage(info.id, Box::new(self.sel(value, env)?)),
            ValueKind::Flag | ValueKind::NumberFor(_) => {
                return self.fail(Code::WrongSort, span, format!("`{}` cannot be compared", attr.name), None);
            }
        };
        Ok(if cmp == Cmp::Ne { Sel::Not(Box::new(sel)) } else { sel })
    }

    fn entry_is(&mut self, attr: netrep_ir::AttrId, value: &Node, env: &Env) -> Low<Sel> {
        Ok(match self.ent(value, env)? {
            Ent::Entry(e) => Sel::EntryIs(attr, e),
            other => Sel::EntryIsValue(attr, Box::new(other)),
        })
    }

    /// An entry.
    pub(crate) fn ent(&mut self, node: &Node, env: &Env) -> Low<Ent> {
        match node.view() {
            View::Value(value) => self.ent_value(value, node, env),
            View::Predicate(Predicate::IsEntry { entry }) => Ok(Ent::Entry(self.out.symbols.entry(&entry.name))),
            View::Predicate(_)
            | View::Number(_)
            | View::Logic(_)
            | View::Condition(_)
            | View::Event(_)
            | View::Act(_)
            | View::Change(_)
            | View::Part(_)
            | View::Malformed => self.no_ent(node),
        }
    }

    fn no_ent<T>(&mut self, node: &Node) -> Low<T> {
        self.fail(Code::WrongSort, node.span, "a catalogue term is meant here", None)
    }

    fn ent_value(&mut self, value: Value<'_>, node: &Node, env: &Env) -> Low<Ent> {
        match value {
            Value::Entry { entry } => Ok(Ent::Entry(self.out.symbols.entry(&entry.name))),
            Value::Of { fact, owner } => {
                let s = self.sel(owner, env)?;
                let info = self.attribute(fact, node.span)?;
                Ok(Ent::Attr(info.id, Box::new(s)))
            }
            Value::Printed { fact, owner } => {
                let s = self.sel(owner, env)?;
                let info = self.attribute(fact, node.span)?;
                Ok(Ent::Base(info.id, Box::new(s)))
            }
            Value::Label { label } => match env.get(label) {
                Some(Bound::Entry(e)) => Ok(e.clone()),
                Some(Bound::Things(..) | Bound::Number(_)) | None => {
                    self.fail(Code::UnboundLabel, node.span, format!("`{label}` is not a term here"), None)
                }
            },
            Value::Quantified { noun: inner, .. } | Value::As { inner, .. } => self.ent(inner, env),
            Value::This {}
            | Value::It {}
            | Value::Name { .. }
            | Value::Role { .. }
            | Value::Defined { .. }
            | Value::Noun { .. }
            | Value::Either { .. }
            | Value::OfFor { .. }
            | Value::Top { .. }
            | Value::New { .. }
            | Value::Place { .. }
            | Value::Truth { .. }
            | Value::Nothing {} => self.no_ent(node),
        }
    }

    /// `X rel Y` as a set of its subjects (`of_subject`) or of its objects.
    fn relation(&mut self, k: &TermKey, np: &Node, of_subject: bool, env: &Env, span: Span) -> Low<Sel> {
        let Detail::Relation { subject, object } = &self.term(k, span)?.detail else {
            return self.fail(Code::WrongSort, span, format!("`{}` is not a relation", k.name), None);
        };
        if let Op::Quantified(det) = &np.op {
            match det {
                Det::No => {
                    let any = Node { op: Op::Quantified(Det::A), ..np.clone() };
                    let some = self.relation(k, &any, of_subject, env, span)?;
                    return Ok(Sel::Not(Box::new(some)));
                }
                Det::Exactly(n) | Det::AtLeast(n) | Det::UpTo(n) if *n != 1 => {
                    return self.fail(
                        Code::NotSupported,
                        np.span,
                        "a relation is to one thing, or to none",
                        Some("compare a number: `number of …`"),
                    );
                }
                _ => {}
            }
        }
        if let Op::Place(p) = &np.op {
            // Lying in a place is no declared relation: the engine knows where things lie.
            let owner = np.kids.first().map(|o| self.sel(o, env)).transpose()?;
            return Ok(Sel::In(self.out.symbols.place(&p.name), owner.map(Box::new)));
        }
        let (about, other) = if of_subject { (subject, object) } else { (object, subject) };
        let (about, other) = (about.label.clone(), other.label.clone());
        let item = self.declaring(k, span)?;
        let Some(body) = body_of(&item.clauses).cloned() else {
            return self.fail(Code::NoDefinition, span, format!("`{}` has no definition", k.name), None);
        };
        if matches!(np.sort, Sort::Entry(_)) {
            // A relation to a term of a list: the term is a value, not a set of things.
            let entry = self.ent(np, env)?;
            return self.expand(k, span, |cx| {
                let mut env = Env::default();
                env.bind(&other, Bound::Entry(entry));
                cx.set_where(&body, &about, &env)
            });
        }
        let given = self.sel(np, env)?;
        let single = is_single(np, env);
        self.expand(k, span, |cx| cx.set_related(&body, &about, &other, given, single))
    }

    /// The things `about` for which the body holds with some thing of `given` as `other`.
    fn set_related(&mut self, body: &Node, about: &str, other: &str, given: Sel, single: bool) -> Low<Sel> {
        let conjuncts: Vec<&Node> = if body.op == Op::And { body.kids.iter().collect() } else { vec![body] };
        let (only_other, rest): (Vec<&Node>, Vec<&Node>) =
            conjuncts.into_iter().partition(|c| mentions(c, other) && !mentions(c, about));
        let mut narrowed = vec![given];
        for c in only_other {
            narrowed.push(self.set_where(c, other, &Env::default())?);
        }
        let given = and(narrowed);
        let both = rest.iter().filter(|c| mentions(c, other)).count();
        if single || both <= 1 {
            let mut env = Env::default();
            env.bind(other, Bound::Things(given, single));
            let mut parts = Vec::new();
            for c in rest {
                parts.push(self.set_where(c, about, &env)?);
            }
            return Ok(and(parts));
        }
        // Several conditions tie the two together: some one thing must satisfy all of them at once.
        let mut env = Env::default();
        env.bind(about, Bound::Things(Sel::It(0), true));
        let mut parts = vec![shifted(given)];
        for c in rest {
            parts.push(self.set_where(c, other, &env)?);
        }
        Ok(Sel::Where(Box::new(Cond::Some(and(parts)))))
    }

    /// The things for which a condition on the label `x` holds.
    pub(crate) fn set_where(&mut self, cond: &Node, x: &str, env: &Env) -> Low<Sel> {
        match &cond.op {
            Op::And => {
                let parts = cond.kids.iter().map(|k| self.set_where(k, x, env)).collect::<Low<Vec<_>>>()?;
                return Ok(and(parts));
            }
            Op::Or => {
                let parts = cond.kids.iter().map(|k| self.set_where(k, x, env)).collect::<Low<Vec<_>>>()?;
                return Ok(Sel::Or(parts));
            }
            Op::Not => {
                if let Some(k) = cond.kids.first() {
                    return Ok(Sel::Not(Box::new(self.set_where(k, x, env)?)));
                }
            }
            Op::Holds => {
                if let [np, pred] = cond.kids.as_slice()
                    && let Some(s) = self.turned(np, pred, x, env)?
                {
                    return Ok(s);
                }
            }
            Op::Would => {
                if let [np, event] = cond.kids.as_slice()
                    && !mentions(event, x)
                    && let Some(path) = self.path(np, x)?
                {
                    let would = self.would(event, env)?;
                    return Ok(self.along(&path, would));
                }
            }
            Op::Compare(cmp) => {
                if let [a, b] = cond.kids.as_slice()
                    && let Some(s) = self.turned_compare(*cmp, a, b, x, env)?
                {
                    return Ok(s);
                }
            }
            _ => {}
        }
        let mut inner = env.under_binder();
        inner.bind(x, Bound::Things(Sel::It(0), true));
        Ok(Sel::Where(Box::new(self.cond(cond, &inner)?)))
    }

    /// The things for which a condition on `it` holds.
    fn set_of_it(&mut self, cond: &Node, env: &Env) -> Low<Sel> {
        // `it` is treated as a label that no author can write.
        const IT: &str = " it";
        let renamed = rename_it(cond, IT);
        self.set_where(&renamed, IT, env)
    }

    /// `NP is PRED` about `x`, turned round.
    fn turned(&mut self, np: &Node, pred: &Node, x: &str, env: &Env) -> Low<Option<Sel>> {
        let (pred, negated) = match (&pred.op, pred.kids.first()) {
            (Op::NotIs, Some(p)) => (p, true),
            _ => (pred, false),
        };
        if matches!(np.op, Op::Quantified(Det::No | Det::Each)) {
            return Ok(None);
        }
        let found = if !mentions(pred, x) {
            match self.path(np, x)? {
                Some(path) => {
                    let target = self.pred(pred, env)?;
                    Some(self.along(&path, target))
                }
                None => None,
            }
        } else if pred.op == Op::Same
            && !mentions(np, x)
            && pred.kids.first().is_some_and(|k| k.op == Op::Label(x.into()))
        {
            // `A is X`: X is among what A selects.
            Some(self.sel(np, env)?)
        } else {
            None
        };
        Ok(found.map(|s| if negated { Sel::Not(Box::new(s)) } else { s }))
    }

    /// A comparison about `x`, turned round.
    fn turned_compare(&mut self, cmp: Cmp, a: &Node, b: &Node, x: &str, env: &Env) -> Low<Option<Sel>> {
        // total: what cannot be turned round is asked of each thing
        let (Op::Of(attr), Some(np)) = (&a.op, a.kids.first()) else { return Ok(None) };
        if mentions(b, x) {
            return Ok(None);
        }
        match self.path(np, x)? {
            Some(path) => {
                let target = self.with(attr, cmp, b, env, a.span)?;
                Ok(Some(self.along(&path, target)))
            }
            None => Ok(None),
        }
    }

    /// The attributes that lead from `x` to what a phrase denotes, outermost last; `None` if it is no such path.
    fn path(&mut self, np: &Node, x: &str) -> Low<Option<Vec<netrep_ir::AttrId>>> {
        match (&np.op, np.kids.first()) {
            (Op::Label(l), _) if **l == *x => Ok(Some(Vec::new())),
            (Op::Of(attr), Some(inner)) => {
                let path = self.path(inner, x)?;
                path.map(|path| self.longer(path, attr, np.span)).transpose().map(Option::flatten)
            }
            _ => Ok(None),
        }
    }

    fn longer(
        &mut self,
        mut path: Vec<netrep_ir::AttrId>,
        attr: &TermKey,
        span: Span,
    ) -> Low<Option<Vec<netrep_ir::AttrId>>> {
        let info = self.attribute(attr, span)?;
        let leads = info.derived.is_none() && matches!(info.kind, ValueKind::Thing(_) | ValueKind::Things(_));
        path.push(info.id);
        Ok(leads.then_some(path))
    }

    fn along(&self, path: &[netrep_ir::AttrId], target: Sel) -> Sel {
        path.iter().rev().fold(target, |t, a| Sel::Preimage(*a, Box::new(t)))
    }

    /// A question to the history; also the index of the verb's object.
    pub(crate) fn past(
        &mut self,
        verb: &TermKey,
        lasting: Option<&Lasting>,
        kids: &[Node],
        env: &Env,
        span: Span,
    ) -> Low<(Past, Option<u8>)> {
        let term = self.term(verb, span)?;
        let Detail::Verb { frame } = &term.detail else {
            return self.fail(Code::WrongSort, span, format!("`{}` is not a verb", verb.name), None);
        };
        let mut roles = Vec::new();
        for k in kids {
            roles.push(if k.op == Op::Absent { None } else { Some(self.sel(k, env)?) });
        }
        let since = match lasting {
            Some(Lasting::Procedure(p)) => Some(self.out.symbols.proc(&p.name)),
            _ => None,
        };
        let object = frame.object().and_then(|i| u8::try_from(i).ok());
        Ok((Past { verb: self.out.symbols.verb(&verb.name), roles, since }, object))
    }

    /// The things whose declaration would do something.
    pub(crate) fn would(&mut self, deed: &Node, env: &Env) -> Low<Sel> {
        let View::Event(event) = deed.view() else {
            return self.fail(Code::WrongSort, deed.span, "what would happen is a verb", None);
        };
        let prospect = match event {
            Event::Event { verb, roles } => Prospect::Event(self.past(verb, None, roles, env, deed.span)?.0),
            Event::Targets { things } => Prospect::Target(self.sel(things, env)?),
            Event::PaidWith { things } => Prospect::Cost(self.sel(things, env)?),
            Event::HaveEffect { what } => {
                Prospect::Effect(what.first().map(|things| self.sel(things, env)).transpose()?)
            }
            Event::ChangeNumber { number } => Prospect::Change(self.num(number, env)?),
            Event::Starts { .. } | Event::Ending { .. } | Event::Modifies { .. } => {
                return self.fail(Code::WrongSort, deed.span, "what would happen is a verb", None);
            }
        };
        Ok(Sel::Would(Box::new(prospect)))
    }

    /// A number attribute's value index, used where a phrase has `for ENTRY`.
    pub(crate) fn num_for(&mut self, attr: &TermKey, np: &Node, entry: &Node, env: &Env, span: Span) -> Low<Num> {
        let info = self.attribute(attr, span)?;
        let s = self.sel(np, env)?;
        let e = self.ent(entry, env)?;
        Ok(Num::AttrFor(info.id, Box::new(s), Box::new(e)))
    }
}

/// Whether a phrase uses a label.
pub(super) fn mentions(node: &Node, label: &str) -> bool {
    matches!(&node.op, Op::Label(l) if **l == *label) || node.kids.iter().any(|k| mentions(k, label))
}

/// The phrase with the `it` of this level (not of inner `that` clauses) as a label.
fn rename_it(node: &Node, label: &str) -> Node {
    if node.op == Op::It {
        return Node { op: Op::Label(label.into()), ..node.clone() };
    }
    if node.op == Op::That {
        return node.clone();
    }
    Node {
        op: node.op.clone(),
        sort: node.sort.clone(),
        kids: node.kids.iter().map(|k| rename_it(k, label)).collect(),
        span: node.span,
    }
}
