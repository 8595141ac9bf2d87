//! Numbers.

use netrep_diagnostics::Code;
use netrep_ir::{Num, Sel, ValueKind};

use super::context::{Bound, Cx, Env, Low};
use super::select::body_of;
use crate::phrase::tree::{Node, Op};

impl Cx<'_> {
    /// A number.
    pub fn num(&mut self, node: &Node, env: &Env) -> Low<Num> {
        let kids = node.kids.as_slice();
        let two = |cx: &mut Self, f: fn(Box<Num>, Box<Num>) -> Num| match kids {
            [a, b] => Ok(f(Box::new(cx.num(a, env)?), Box::new(cx.num(b, env)?))),
            _ => cx.fail(Code::WrongSort, node.span, "two numbers are needed here", None),
        };
        match (&node.op, kids.first()) {
            (Op::Int(i), _) => match i32::try_from(*i) {
                Ok(i) => Ok(Num::Int(i)),
                Err(_) => self.fail(
                    Code::NumberTooLarge,
                    node.span,
                    "this number is too large",
                    Some("numbers lie between -2147483648 and 2147483647"),
                ),
            },
            (Op::Of(attr), Some(np)) => {
                let info = self.attribute(attr, node.span)?;
                if info.kind != ValueKind::Number {
                    return self.fail(Code::WrongSort, node.span, format!("`{}` is not a number", attr.name), None);
                }
                // A derived number stays an attribute, so that modifiers of it are folded in.
                Ok(Num::Attr(info.id, Box::new(self.sel(np, env)?)))
            }
            (Op::OfFor(attr), _) => match kids {
                [np, entry] => self.num_for(attr, np, entry, env, node.span),
                _ => self.fail(Code::WrongSort, node.span, "this needs a thing and a term", None),
            },
            (Op::Label(l), _) => match env.get(l) {
                Some(Bound::Number(n)) => Ok(n.clone()),
                Some(_) => self.fail(Code::WrongSort, node.span, format!("`{l}` is not a number"), None),
                None => self.fail(
                    Code::UnboundLabel,
                    node.span,
                    format!("nothing binds `{l}` here"),
                    Some("bind it with `let` or `rolls … as`"),
                ),
            },
            (Op::Role(k), _) => Ok(Num::Role(self.out.symbols.role(&k.name))),
            (Op::Count, Some(np)) => Ok(Num::Count(Box::new(self.sel(np, env)?))),
            (Op::Total(attr), Some(np)) => {
                let info = self.attribute(attr, node.span)?;
                Ok(Num::Total(info.id, Box::new(self.sel(np, env)?)))
            }
            (Op::LowestGroup(label), Some(np)) => {
                let [_, n] = kids else {
                    return self.fail(Code::WrongSort, node.span, "things and a number are needed here", None);
                };
                let of = self.sel(np, env)?;
                let mut inner = env.clone();
                inner.bind(label, Bound::Things(Sel::Group, false));
                Ok(Num::Least(Box::new(of), Box::new(self.num(n, &inner)?)))
            }
            (Op::Add, _) => two(self, Num::Add),
            (Op::Sub, _) => two(self, Num::Sub),
            (Op::Mul, _) => two(self, Num::Mul),
            (Op::Max, _) => Ok(Num::Max(kids.iter().map(|k| self.num(k, env)).collect::<Low<_>>()?)),
            (Op::Min, _) => Ok(Num::Min(kids.iter().map(|k| self.num(k, env)).collect::<Low<_>>()?)),
            (Op::Half(up), Some(k)) => Ok(Num::Quotient(Box::new(self.num(k, env)?), Box::new(Num::Int(2)), *up)),
            (Op::Quotient(up), _) => match kids {
                [a, b] => Ok(Num::Quotient(Box::new(self.num(a, env)?), Box::new(self.num(b, env)?), *up)),
                _ => self.fail(Code::WrongSort, node.span, "two numbers are needed here", None),
            },
            (Op::Printed(attr), Some(np)) => {
                let info = self.attribute(attr, node.span)?;
                if info.kind != ValueKind::Number || info.derived.is_some() {
                    return self.fail(
                        Code::NotSupported,
                        node.span,
                        format!("`{}` is no printed number", attr.name),
                        Some("`printed` is said of a figure that is a number"),
                    );
                }
                Ok(Num::Base(info.id, Box::new(self.sel(np, env)?)))
            }
            (Op::Extreme(attr, greatest), Some(np)) => {
                let info = self.attribute(attr, node.span)?;
                Ok(Num::Extreme(info.id, Box::new(self.sel(np, env)?), *greatest))
            }
            (Op::NumberAgainst, Some(n)) => {
                let [_, side] = kids else {
                    return self.fail(Code::WrongSort, node.span, "a number and a side are needed here", None);
                };
                let role = self.out.symbols.role(super::condition::AGAINST);
                let side = self.sel(side, env)?;
                Ok(Num::Given(role, Box::new(side), Box::new(self.num(n, env)?)))
            }
            (Op::Alternatives, Some(default)) => {
                let base = self.num(default, env)?;
                let mut more = Vec::new();
                for pair in kids.get(1..).unwrap_or(&[]).chunks(2) {
                    if let [n, c] = pair {
                        more.push((self.num(n, env)?, self.cond(c, env)?));
                    }
                }
                Ok(Num::Alternatives(Box::new(base), more))
            }
            (Op::Defined(k), _) => {
                let item = self.declaring(k, node.span)?;
                let Some(body) = body_of(&item.clauses).cloned() else {
                    return self.fail(Code::NoDefinition, node.span, format!("`{}` has no definition", k.name), None);
                };
                self.expand(k, node.span, |cx| cx.num(&body, &Env::default()))
            }
            (Op::Quantified(_) | Op::As(_), Some(k)) => self.num(k, env),
            _ => self.fail(Code::WrongSort, node.span, "a number is meant here, and this is none", None),
        }
    }
}
