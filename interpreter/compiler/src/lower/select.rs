//! Noun phrases to selections.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{CmpOp, Sel, ValueKind};

use super::context::{Bound, Cx, Env, Low};
use super::several::{Many, Meant};
use crate::phrase::operators::{Fact, Literal, Reference, Thing, View};
use crate::phrase::term::Detail;
use crate::phrase::tree::{Cmp, Det, Node, Op, TermKey, TermKind};

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

impl Cx<'_> {
    /// Tells that a phrase is not of the sort that is meant where it stands.
    pub(crate) fn wrong_sort<T>(&mut self, node: &Node, message: &str) -> Low<T> {
        self.fail(Code::WrongSort, node.span, message, None)
    }

    /// The things that a noun phrase selects.
    pub(crate) fn sel(&mut self, node: &Node, env: &Env) -> Low<Sel> {
        match node.view() {
            View::Reference(reference) => self.referred(reference, node, env),
            View::Thing(thing) => self.thing(thing, node, env),
            View::Fact(fact) => match fact {
                Fact::Of { fact, owner } => {
                    let inner = self.sel(owner, env)?;
                    self.image(fact, inner, self.many(owner, env), node.span)
                }
                Fact::OfFor { .. } | Fact::Printed { .. } => self.no_thing(node),
            },
            View::Literal(literal) => match literal {
                Literal::Entry { .. } | Literal::Truth { .. } | Literal::Nothing {} => self.no_thing(node),
            },
            View::Predicate(_)
            | View::Number(_)
            | View::Logic(_)
            | View::Condition(_)
            | View::Event(_)
            | View::Act(_)
            | View::Change(_)
            | View::Part(_)
            | View::Malformed => self.no_thing(node),
        }
    }

    fn no_thing<T>(&mut self, node: &Node) -> Low<T> {
        if node.op == Op::Absent {
            let help = "say who does it: `PLAYER rolls …`, `PLAYER chooses …`";
            return self.fail(Code::SubjectMissing, node.span, "nobody is said to do this", Some(help));
        }
        self.wrong_sort(node, "a thing is meant here, and this is none")
    }

    fn referred(&mut self, reference: Reference<'_>, node: &Node, env: &Env) -> Low<Sel> {
        match reference {
            Reference::This {} => Ok(Sel::This),
            Reference::It {} => match &env.it {
                Some(it) => Ok(it.clone()),
                None => self.fail(
                    Code::UnboundIt,
                    node.span,
                    "`it` refers to nothing here",
                    Some("name the thing, or bind it with `as X`"),
                ),
            },
            Reference::Name { name } | Reference::Card { id: name } => Ok(Sel::Named(self.out.symbols.name(name))),
            Reference::Label { label } => match env.get(label) {
                Some(Bound::Things(s, _)) => Ok(s.clone()),
                Some(Bound::Number(_) | Bound::Entry(_)) => {
                    self.fail(Code::WrongSort, node.span, format!("`{label}` is not a thing"), None)
                }
                None => self.fail(
                    Code::UnboundLabel,
                    node.span,
                    format!("nothing binds `{label}` here"),
                    Some("bind it with `as`"),
                ),
            },
            Reference::Role { role } => Ok(match env.kept(&role.name) {
                Some(slot) => Sel::Slot(slot),
                None => Sel::Role(self.out.symbols.role(&role.name)),
            }),
            Reference::Defined { term } => {
                let body = self.definition(term, node.span)?;
                self.expand(term, node.span, |cx| cx.sel(body.body(), &Env::default()))
            }
        }
    }

    fn thing(&mut self, thing: Thing<'_>, node: &Node, env: &Env) -> Low<Sel> {
        match thing {
            Thing::Quantified { det: Det::The, noun: inner } => Ok(Sel::One(Box::new(self.sel(inner, env)?))),
            Thing::Quantified { noun: inner, .. } | Thing::As { inner, .. } => self.sel(inner, env),
            Thing::Noun { class, modifiers } => {
                let mut parts = vec![self.class(class, node.span)?];
                for k in modifiers {
                    parts.push(self.pred(k, env)?);
                }
                Ok(and(parts))
            }
            Thing::Either { parts } => Ok(Sel::Or(parts.iter().map(|k| self.sel(k, env)).collect::<Low<Vec<_>>>()?)),
            Thing::Next { after, noun, from } => {
                self.means_one(Meant::Start, from, env)?;
                let (of, from) = (self.sel(noun, env)?, self.sel(from, env)?);
                Ok(Sel::Next { of: Box::new(of), from: Box::new(from), after: *after })
            }
            Thing::Top { class, count, place } => {
                let (id, owner, is_ordered) = self.place_of(place, env)?;
                if !is_ordered {
                    let help = Some("let somebody choose, or say `at random`");
                    return self.fail(Code::WrongSort, place.span, "what lies there has no order, and so no top", help);
                }
                let n = self.num(count, env)?;
                let top = Sel::Top(id, owner.map(Box::new), Box::new(n));
                Ok(and(vec![top, self.class(class, node.span)?]))
            }
            Thing::New { .. } | Thing::Place { .. } => self.no_thing(node),
        }
    }

    /// The values of a thing-valued attribute over a selection.
    fn image(&mut self, attr: &TermKey, inner: Sel, many: Many, span: Span) -> Low<Sel> {
        let info = self.attribute(attr, span)?;
        if !matches!(info.kind, ValueKind::Thing(_) | ValueKind::Things(_)) {
            return self.fail(Code::WrongSort, span, format!("`{}` is not a thing", attr.name), None);
        }
        let Some(label) = info.derived else {
            return Ok(Sel::Image(info.id, Box::new(inner)));
        };
        let body = self.definition(attr, span)?;
        self.expand_of(attr, span, many, |cx| {
            let mut env = Env::default();
            env.bind(&label, Bound::Things(inner, many));
            cx.sel(body.body(), &env)
        })
    }

    /// The things of a class: its base class narrowed by what its declaration says.
    pub(crate) fn class(&mut self, class: &TermKey, span: Span) -> Low<Sel> {
        let term = self.term(class, span)?;
        let Detail::Class { superclass, label } = &term.detail else {
            return self.fail(Code::WrongSort, span, format!("`{}` is not a class", class.name), None);
        };
        let Some(superclass) = superclass else {
            return Ok(Sel::Class(self.out.symbols.class(&class.name)));
        };
        let (only, label) = (term.only.clone(), label.clone());
        let above = TermKey { kind: TermKind::Class, name: superclass.clone() };
        let mut parts = vec![self.expand(class, span, |cx| cx.class(&above, span))?];
        if let Some((fact, terms)) = only {
            let fact = self.out.symbols.attr(&fact);
            let is = |term: &Arc<str>| Sel::EntryIs(fact, self.out.symbols.entry(term));
            let mut one: Vec<Sel> = terms.iter().map(is).collect();
            parts.push(if one.len() == 1 { one.remove(0) } else { Sel::Or(one) });
        }
        if let Some(label) = label {
            let body = self.definition(class, span)?;
            parts.push(self.expand(class, span, |cx| cx.set_where(body.body(), &label, &Env::default()))?);
        }
        Ok(and(parts))
    }
}
