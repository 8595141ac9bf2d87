//! Conditions.

use netrep_grammar::tree::Span;
use netrep_ir::{CmpOp, Cond, Num, Sel};

use super::context::{Cx, Env, Low};
use super::select::{and, cmp_op};
use crate::phrase::operators::{Condition, Event, Logic, Part, Thing, View};
use crate::phrase::tree::{Cmp, Det, Node, Sort};

impl Cx<'_> {
    /// A condition.
    pub(crate) fn cond(&mut self, node: &Node, env: &Env) -> Low<Cond> {
        match node.view() {
            View::Logic(Logic::And { each }) => {
                Ok(Cond::And(each.iter().map(|k| self.cond(k, env)).collect::<Low<_>>()?))
            }
            View::Logic(Logic::Or { each }) => {
                Ok(Cond::Or(each.iter().map(|k| self.cond(k, env)).collect::<Low<_>>()?))
            }
            View::Condition(condition) => self.single_cond(condition, node, env),
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
            | View::Malformed => self.wrong_sort(node, "a condition is meant here"),
        }
    }

    fn single_cond(&mut self, condition: Condition<'_>, node: &Node, env: &Env) -> Low<Cond> {
        match condition {
            Condition::Not { condition } => Ok(Cond::Not(Box::new(self.cond(condition, env)?))),
            Condition::Holds { subject, predicate } => self.holds(subject, predicate, env),
            Condition::Compare { cmp, a, b } => self.compare(*cmp, a, b, env),
            Condition::Between { number, low, high } => {
                let (n, low, high) = (self.num(number, env)?, self.num(low, env)?, self.num(high, env)?);
                Ok(Cond::And(vec![Cond::Cmp(CmpOp::Ge, n.clone(), low), Cond::Cmp(CmpOp::Le, n, high)]))
            }
            Condition::Exists { things } => self.exists(things, env),
            Condition::Did { verb, lasting, roles } => {
                let (past, _) = self.past(verb, lasting.as_deref(), roles, env, node.span)?;
                Ok(Cond::Did(Box::new(past)))
            }
            Condition::Would { things, deed } => {
                let (s, would) = (self.sel(things, env)?, self.would(deed, env)?);
                Ok(Cond::Some(and(vec![s, would])))
            }
            Condition::Unchanged {} => Ok(Cond::Unchanged),
            Condition::Awaits { things } => Ok(Cond::Awaits(self.sel(things, env)?)),
            Condition::Barred { event } => {
                let View::Event(Event::Event { verb, roles }) = event.view() else {
                    return self.wrong_sort(event, "what is forbidden is a verb");
                };
                let roles = roles.iter().map(|role| role.present().map(|role| self.sel(role, env)).transpose());
                let roles = roles.collect::<Low<_>>()?;
                Ok(Cond::Barred(self.out.symbols.verb(&verb.name), roles))
            }
            Condition::InForce { things, on } => {
                let by = self.sel(things, env)?;
                let on = on.first().map(|on| self.sel(on, env)).transpose()?;
                Ok(Cond::InForce(by, on))
            }
            Condition::Closing { procedure } => Ok(Cond::Closing(self.out.symbols.proc(&procedure.name))),
            Condition::During { procedure } => Ok(Cond::During(self.out.symbols.proc(&procedure.name))),
            // The other side of a contest is bound by whatever procedure holds the contest.
            Condition::Against { side } => {
                let s = self.sel(side, env)?;
                Ok(Cond::Some(and(vec![Sel::Role(self.out.symbols.role(AGAINST)), s])))
            }
        }
    }

    /// `there is …`: of things, so many, or of changes that things make to a fact.
    fn exists(&mut self, np: &Node, env: &Env) -> Low<Cond> {
        if let View::Part(Part::Modification { fact, of, author }) = np.view() {
            let info = self.attribute(fact, np.span)?;
            // Of anything, and by anything, where nothing is named.
            let of = match of.present() {
                Some(of) => self.sel(of, env)?,
                None => Sel::All,
            };
            let by = author.present().map(|author| self.sel(author, env)).transpose()?;
            return Ok(Cond::Modified(info.id, of, by));
        }
        let s = self.sel(np, env)?;
        Ok(match np.det() {
            Some(Det::No) => Cond::Not(Box::new(Cond::Some(s))),
            Some(Det::Exactly(n)) => self.count(CmpOp::Eq, s, n, np.span)?,
            Some(Det::AtLeast(n)) => self.count(CmpOp::Ge, s, n, np.span)?,
            Some(Det::UpTo(n)) => self.count(CmpOp::Le, s, n, np.span)?,
            Some(Det::A | Det::Another | Det::Each | Det::Any | Det::The | Det::AnyNumber) | None => Cond::Some(s),
        })
    }

    fn holds(&mut self, np: &Node, pred: &Node, env: &Env) -> Low<Cond> {
        // `X is not …` is true of a thing that is not there.
        if let (said, true) = pred.negated()
            && self.is_spoken_of_as_one(np, env)
        {
            return Ok(Cond::Not(Box::new(self.holds(np, said, env)?)));
        }
        if let Some(named) = self.names_hold(np, pred, env)? {
            return Ok(named);
        }
        let s = self.sel(np, env)?;
        let p = self.pred(pred, env)?;
        // A list of names means all of them.
        if let View::Thing(Thing::Either { parts }) = np.view() {
            let each = parts.iter().map(|k| Ok(Cond::Some(and(vec![self.sel(k, env)?, p.clone()]))));
            return Ok(Cond::And(each.collect::<Low<_>>()?));
        }
        Ok(match np.det() {
            Some(Det::Each) => Cond::Every(s, p),
            Some(Det::No) => Cond::Not(Box::new(Cond::Some(and(vec![s, p])))),
            Some(Det::Exactly(n)) => self.count(CmpOp::Eq, and(vec![s, p]), n, np.span)?,
            Some(Det::AtLeast(n)) => self.count(CmpOp::Ge, and(vec![s, p]), n, np.span)?,
            Some(Det::UpTo(n)) => self.count(CmpOp::Le, and(vec![s, p]), n, np.span)?,
            Some(Det::A | Det::Another | Det::Any | Det::The | Det::AnyNumber) | None => Cond::Some(and(vec![s, p])),
        })
    }

    fn count(&mut self, op: CmpOp, s: Sel, n: i64, span: Span) -> Low<Cond> {
        Ok(Cond::Cmp(op, Num::Count(Box::new(s)), Num::Int(self.fitting(n, span)?)))
    }

    fn compare(&mut self, cmp: Cmp, a: &Node, b: &Node, env: &Env) -> Low<Cond> {
        if a.sort == Sort::Number || b.sort == Sort::Number {
            return Ok(Cond::Cmp(cmp_op(cmp), self.num(a, env)?, self.num(b, env)?));
        }
        if matches!(a.sort, Sort::Entry(_)) || matches!(b.sort, Sort::Entry(_)) {
            let same = Cond::Same(self.ent(a, env)?, self.ent(b, env)?);
            return Ok(if cmp == Cmp::Ne { Cond::Not(Box::new(same)) } else { same });
        }
        let same = match self.names_hold(a, b, env)? {
            Some(same) => same,
            None => Cond::Some(and(vec![self.sel(a, env)?, self.sel(b, env)?])),
        };
        Ok(if cmp == Cmp::Ne { Cond::Not(Box::new(same)) } else { same })
    }
}

/// The role that a procedure binds when two sides are weighed against each other, whatever it is called: the
/// service `against`.
pub(crate) const AGAINST: &str = "";
