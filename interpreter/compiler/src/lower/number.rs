//! Numbers.

use netrep_diagnostics::Code;
use netrep_ir::{Num, Sel, ValueKind};

use super::context::{Bound, Cx, Env, Low};
use super::several::{Many, Meant};
use crate::phrase::operators::{Fact, Number, Reference, Thing, View};
use crate::phrase::tree::Node;

/// The numbers that a program has.
pub(super) const BOUNDS: &str = "numbers lie between -2147483648 and 2147483647";

impl Cx<'_> {
    /// A number.
    pub(crate) fn num(&mut self, node: &Node, env: &Env) -> Low<Num> {
        match node.view() {
            View::Number(number) => self.own_num(number, node, env),
            View::Fact(fact) => self.num_fact(fact, node, env),
            View::Reference(reference) => match reference {
                Reference::Label { label } => match env.get(label) {
                    Some(Bound::Number(n)) => Ok(n.clone()),
                    Some(Bound::Things(..) | Bound::Entry(_)) => {
                        self.fail(Code::WrongSort, node.span, format!("`{label}` is not a number"), None)
                    }
                    None => self.fail(
                        Code::UnboundLabel,
                        node.span,
                        format!("nothing binds `{label}` here"),
                        Some("bind it with `let` or `rolls … as`"),
                    ),
                },
                Reference::Role { role } => Ok(match env.kept(&role.name) {
                    Some(slot) => Num::Slot(slot),
                    None => Num::Role(self.out.symbols.role(&role.name)),
                }),
                Reference::Defined { term } => {
                    let body = self.definition(term, node.span)?;
                    self.expand(term, node.span, |cx| cx.num(body.body(), &Env::default()))
                }
                Reference::This {} | Reference::It {} | Reference::Name { .. } | Reference::Card { .. } => {
                    self.no_num(node)
                }
            },
            View::Thing(thing) => match thing {
                Thing::Quantified { noun: inner, .. } | Thing::As { inner, .. } => self.num(inner, env),
                Thing::Noun { .. }
                | Thing::Either { .. }
                | Thing::Top { .. }
                | Thing::Next { .. }
                | Thing::New { .. }
                | Thing::Place { .. } => self.no_num(node),
            },
            View::Literal(_)
            | View::Predicate(_)
            | View::Logic(_)
            | View::Condition(_)
            | View::Event(_)
            | View::Act(_)
            | View::Change(_)
            | View::Part(_)
            | View::Malformed => self.no_num(node),
        }
    }

    fn no_num<T>(&mut self, node: &Node) -> Low<T> {
        self.wrong_sort(node, "a number is meant here, and this is none")
    }

    /// A number that is no noun phrase.
    fn own_num(&mut self, number: Number<'_>, node: &Node, env: &Env) -> Low<Num> {
        let boxed = |cx: &mut Self, n: &Node| cx.num(n, env).map(Box::new);
        match number {
            Number::Int { n } => match i32::try_from(*n) {
                Ok(i) => Ok(Num::Int(i)),
                Err(_) => self.fail(Code::NumberTooLarge, node.span, "this number is too large", Some(BOUNDS)),
            },
            Number::Count { things } => Ok(Num::Count(Box::new(self.sel(things, env)?))),
            Number::Total { fact, things } => {
                let info = self.attribute(fact, node.span)?;
                Ok(Num::Total(info.id, Box::new(self.sel(things, env)?)))
            }
            Number::Extreme { fact, greatest, things } => {
                let info = self.attribute(fact, node.span)?;
                Ok(Num::Extreme(info.id, Box::new(self.sel(things, env)?), *greatest))
            }
            Number::LowestGroup { label, things, number } => {
                let of = self.sel(things, env)?;
                let mut inner = env.clone();
                inner.bind(label, Bound::Things(Sel::Group, Many::Several));
                Ok(Num::Least(Box::new(of), Box::new(self.num(number, &inner)?)))
            }
            Number::Add { a, b } => Ok(Num::Add(boxed(self, a)?, boxed(self, b)?)),
            Number::Sub { a, b } => Ok(Num::Sub(boxed(self, a)?, boxed(self, b)?)),
            Number::Mul { a, b } => Ok(Num::Mul(boxed(self, a)?, boxed(self, b)?)),
            Number::Max { each } => Ok(Num::Max(each.iter().map(|k| self.num(k, env)).collect::<Low<_>>()?)),
            Number::Min { each } => Ok(Num::Min(each.iter().map(|k| self.num(k, env)).collect::<Low<_>>()?)),
            Number::Half { up, number } => Ok(Num::Quotient(boxed(self, number)?, Box::new(Num::Int(2)), *up)),
            Number::Quotient { up, a, b } => Ok(Num::Quotient(boxed(self, a)?, boxed(self, b)?, *up)),
            Number::NumberAgainst { number, side } => {
                let role = self.out.symbols.role(super::condition::AGAINST);
                let side = self.sel(side, env)?;
                Ok(Num::Given(role, Box::new(side), boxed(self, number)?))
            }
            Number::Alternatives { default, cases } => {
                let base = self.num(default, env)?;
                let mut more = Vec::new();
                for pair in cases.chunks(2) {
                    let [n, c] = pair else { return self.no_num(node) };
                    more.push((self.num(n, env)?, self.cond(c, env)?));
                }
                Ok(Num::Alternatives(Box::new(base), more))
            }
        }
    }

    /// A number that is a fact.
    fn num_fact(&mut self, fact: Fact<'_>, node: &Node, env: &Env) -> Low<Num> {
        match fact {
            Fact::Of { fact, owner } => {
                let info = self.attribute(fact, node.span)?;
                if info.kind != ValueKind::Number {
                    return self.fail(Code::WrongSort, node.span, format!("`{}` is not a number", fact.name), None);
                }
                // A derived number stays an attribute, so that modifiers of it are folded in.
                Ok(Num::Attr(info.id, Box::new(self.sel_of_one(Meant::Fact, owner, env)?)))
            }
            Fact::OfFor { fact, owner, other } => {
                let info = self.attribute(fact, node.span)?;
                let (s, e) = (self.sel_of_one(Meant::Fact, owner, env)?, self.ent(other, env)?);
                Ok(Num::AttrFor(info.id, Box::new(s), Box::new(e)))
            }
            Fact::Printed { fact, owner } => {
                let info = self.attribute(fact, node.span)?;
                if info.kind != ValueKind::Number || info.derived.is_some() {
                    return self.fail(
                        Code::NotSupported,
                        node.span,
                        format!("`{}` is no printed number", fact.name),
                        Some("`printed` is said of a figure that is a number"),
                    );
                }
                Ok(Num::Base(info.id, Box::new(self.sel_of_one(Meant::Fact, owner, env)?)))
            }
        }
    }
}
