//! Conditions.

use netrep_diagnostics::Code;
use netrep_ir::{CmpOp, Cond, Num, Sel};

use super::context::{Cx, Env, Low};
use super::select::{and, cmp_op, is_single};
use crate::phrase::tree::{Cmp, Det, Node, Op, Sort};

impl Cx<'_> {
    /// A condition.
    pub fn cond(&mut self, node: &Node, env: &Env) -> Low<Cond> {
        let kids = node.kids.as_slice();
        match (&node.op, kids) {
            (Op::And, _) => Ok(Cond::And(kids.iter().map(|k| self.cond(k, env)).collect::<Low<_>>()?)),
            (Op::Or, _) => Ok(Cond::Or(kids.iter().map(|k| self.cond(k, env)).collect::<Low<_>>()?)),
            (Op::Not, [k]) => Ok(Cond::Not(Box::new(self.cond(k, env)?))),
            (Op::Holds, [np, pred]) => self.holds(np, pred, env),
            (Op::Compare(cmp), [a, b]) => self.compare(*cmp, a, b, env),
            (Op::Exists, [Node { op: Op::Modification(Some(fact)), kids, span, .. }]) => {
                let [of, by] = kids.as_slice() else {
                    return self.fail(Code::WrongSort, *span, "a fact of things is meant here", None);
                };
                let info = self.attribute(fact, *span)?;
                let of = if of.op == Op::Absent { Sel::All } else { self.sel(of, env)? };
                let by = if by.op == Op::Absent { None } else { Some(self.sel(by, env)?) };
                Ok(Cond::Modified(info.id, of, by))
            }
            (Op::Exists, [np]) => {
                let s = self.sel(np, env)?;
                Ok(match det(np) {
                    Some(Det::No) => Cond::Not(Box::new(Cond::Some(s))),
                    Some(Det::Exactly(n)) => count(CmpOp::Eq, s, n),
                    Some(Det::AtLeast(n)) => count(CmpOp::Ge, s, n),
                    Some(Det::UpTo(n)) => count(CmpOp::Le, s, n),
                    _ => Cond::Some(s),
                })
            }
            (Op::Did(verb, lasting), _) => {
                let (past, _) = self.past(verb, lasting.as_deref(), kids, env, node.span)?;
                Ok(Cond::Did(Box::new(past)))
            }
            (Op::Would, [np, event]) => {
                let (s, would) = (self.sel(np, env)?, self.would(event, env)?);
                Ok(Cond::Some(and(vec![s, would])))
            }
            (Op::Unchanged, _) => Ok(Cond::Unchanged),
            (Op::Awaits, [np]) => Ok(Cond::Awaits(self.sel(np, env)?)),
            (Op::During(procedure), _) => Ok(Cond::During(self.out.symbols.proc(&procedure.name))),
            // The other side of a contest is bound by whatever procedure holds the contest.
            (Op::Against, [np]) => {
                let s = self.sel(np, env)?;
                Ok(Cond::Some(and(vec![Sel::Role(self.out.symbols.role(AGAINST)), s])))
            }
            _ => self.fail(Code::WrongSort, node.span, "a condition is meant here", None),
        }
    }

    fn holds(&mut self, np: &Node, pred: &Node, env: &Env) -> Low<Cond> {
        // `X is not …` is true of a thing that is not there.
        if let (Op::NotIs, Some(p)) = (&pred.op, pred.kids.first())
            && is_single(np, env)
        {
            return Ok(Cond::Not(Box::new(self.holds(np, p, env)?)));
        }
        let s = self.sel(np, env)?;
        let p = self.pred(pred, env)?;
        Ok(match det(np) {
            Some(Det::Each) => Cond::Every(s, p),
            Some(Det::No) => Cond::Not(Box::new(Cond::Some(and(vec![s, p])))),
            Some(Det::Exactly(n)) => count(CmpOp::Eq, and(vec![s, p]), n),
            Some(Det::AtLeast(n)) => count(CmpOp::Ge, and(vec![s, p]), n),
            Some(Det::UpTo(n)) => count(CmpOp::Le, and(vec![s, p]), n),
            // A list of names means all of them.
            _ if np.op == Op::Either => Cond::And(
                np.kids.iter().map(|k| Ok(Cond::Some(and(vec![self.sel(k, env)?, p.clone()])))).collect::<Low<_>>()?,
            ),
            _ => Cond::Some(and(vec![s, p])),
        })
    }

    fn compare(&mut self, cmp: Cmp, a: &Node, b: &Node, env: &Env) -> Low<Cond> {
        if a.sort == Sort::Number || b.sort == Sort::Number {
            return Ok(Cond::Cmp(cmp_op(cmp), self.num(a, env)?, self.num(b, env)?));
        }
        if matches!(a.sort, Sort::Entry(_)) || matches!(b.sort, Sort::Entry(_)) {
            let same = Cond::Same(self.ent(a, env)?, self.ent(b, env)?);
            return Ok(if cmp == Cmp::Ne { Cond::Not(Box::new(same)) } else { same });
        }
        let same = Cond::Some(and(vec![self.sel(a, env)?, self.sel(b, env)?]));
        Ok(if cmp == Cmp::Ne { Cond::Not(Box::new(same)) } else { same })
    }
}

/// The role that a procedure binds when two sides are weighed against each other, whatever it is called: the
/// service `against`.
pub const AGAINST: &str = "";

/// The determiner of a noun phrase.
pub fn det(np: &Node) -> Option<Det> {
    match &np.op {
        Op::Quantified(d) => Some(*d),
        Op::As(_) => np.kids.first().and_then(det),
        _ => None,
    }
}

fn count(op: CmpOp, s: Sel, n: i64) -> Cond {
    Cond::Cmp(op, Num::Count(Box::new(s)), Num::Int(i32::try_from(n).unwrap_or(i32::MAX)))
}
