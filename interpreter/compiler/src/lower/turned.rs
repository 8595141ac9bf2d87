//! Conditions on a thing, turned round: the set of things for which they hold.

use netrep_grammar::tree::Span;
use netrep_ir::{AttrId, Sel, ValueKind};

use super::context::{Bound, Cx, Env, Low};
use super::names::is_same;
use super::select::and;
use super::several::Many;
use crate::phrase::operators::{Condition, Fact, Logic, Predicate, Reference, Thing, View};
use crate::phrase::tree::{Cmp, Det, Node, Op, TermKey};

impl Cx<'_> {
    /// The things for which a condition on the label `x` holds.
    pub(crate) fn set_where(&mut self, cond: &Node, x: &str, env: &Env) -> Low<Sel> {
        let turned = match cond.view() {
            View::Logic(Logic::And { each }) => {
                return Ok(and(each.iter().map(|k| self.set_where(k, x, env)).collect::<Low<Vec<_>>>()?));
            }
            View::Logic(Logic::Or { each }) => {
                return Ok(Sel::Or(each.iter().map(|k| self.set_where(k, x, env)).collect::<Low<Vec<_>>>()?));
            }
            View::Condition(condition) => match condition {
                Condition::Not { condition } => return Ok(Sel::Not(Box::new(self.set_where(condition, x, env)?))),
                Condition::Holds { subject, predicate } => self.turned(subject, predicate, x, env)?,
                Condition::Would { things, deed } if !deed.mentions(x) => match self.path(things, x)? {
                    Some(path) => {
                        let would = self.would(deed, env)?;
                        Some(self.along(&path, would))
                    }
                    None => None,
                },
                Condition::Compare { cmp, a, b } => self.turned_compare(*cmp, a, b, x, env)?,
                Condition::Between { .. }
                | Condition::Exists { .. }
                | Condition::Would { .. }
                | Condition::Unchanged {}
                | Condition::Awaits { .. }
                | Condition::InForce { .. }
                | Condition::Barred { .. }
                | Condition::Did { .. }
                | Condition::During { .. }
                | Condition::Closing { .. }
                | Condition::Against { .. } => None,
            },
            // They are no conditions, which is told when they are read as one.
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
            | View::Malformed => None,
        };
        if let Some(set) = turned {
            return Ok(set);
        }
        // What cannot be turned round is asked of each thing.
        let mut inner = env.under_binder();
        inner.bind(x, Bound::Things(Sel::It(0), Many::One));
        Ok(Sel::Where(Box::new(self.cond(cond, &inner)?)))
    }

    /// The things for which a condition on `it` holds.
    pub(super) fn set_of_it(&mut self, cond: &Node, env: &Env) -> Low<Sel> {
        // `it` is treated as a label that no author can write.
        const IT: &str = " it";
        let renamed = rename_it(cond, IT);
        self.set_where(&renamed, IT, env)
    }

    /// `NP is PRED` about `x`, turned round.
    fn turned(&mut self, np: &Node, pred: &Node, x: &str, env: &Env) -> Low<Option<Sel>> {
        let (pred, negated) = pred.negated();
        if let View::Thing(Thing::Quantified { det: Det::No | Det::Each, .. }) = np.view() {
            return Ok(None);
        }
        let found = if !pred.mentions(x) {
            match self.path(np, x)? {
                Some(path) => Some(match self.last_names(&path, np) {
                    Some((last, before)) if is_same(pred) => {
                        let named = self.name_is(last, pred, env)?;
                        self.along(before, named)
                    }
                    _ => {
                        let target = self.pred(pred, env)?;
                        self.along(&path, target)
                    }
                }),
                None => None,
            }
        } else if let View::Predicate(Predicate::Same { other }) = pred.view()
            && !np.mentions(x)
            && other.op == Op::Label(x.into())
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
        let View::Fact(Fact::Of { fact: attr, owner: np }) = a.view() else { return Ok(None) };
        if b.mentions(x) {
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
    fn path(&mut self, np: &Node, x: &str) -> Low<Option<Vec<AttrId>>> {
        match np.view() {
            View::Reference(Reference::Label { label }) => Ok((**label == *x).then(Vec::new)),
            View::Fact(fact) => match fact {
                Fact::Of { fact, owner } => match self.path(owner, x)? {
                    Some(path) => self.longer(path, fact, np.span),
                    None => Ok(None),
                },
                Fact::OfFor { .. } | Fact::Printed { .. } => Ok(None),
            },
            View::Reference(_)
            | View::Thing(_)
            | View::Literal(_)
            | View::Predicate(_)
            | View::Number(_)
            | View::Logic(_)
            | View::Condition(_)
            | View::Event(_)
            | View::Act(_)
            | View::Change(_)
            | View::Part(_)
            | View::Malformed => Ok(None),
        }
    }

    fn longer(&mut self, mut path: Vec<AttrId>, attr: &TermKey, span: Span) -> Low<Option<Vec<AttrId>>> {
        let info = self.attribute(attr, span)?;
        let leads = info.derived.is_none() && matches!(info.kind, ValueKind::Thing(_) | ValueKind::Things(_));
        path.push(info.id);
        Ok(leads.then_some(path))
    }

    /// The last fact of a path, if it holds names, and those before it.
    fn last_names<'p>(&mut self, path: &'p [AttrId], np: &Node) -> Option<(AttrId, &'p [AttrId])> {
        let View::Fact(Fact::Of { fact, .. }) = np.view() else { return None };
        let names = self.attribute(fact, np.span).ok()?.names;
        path.split_last().filter(|_| names).map(|(last, before)| (*last, before))
    }

    fn along(&self, path: &[netrep_ir::AttrId], target: Sel) -> Sel {
        path.iter().rev().fold(target, |t, a| Sel::Preimage(*a, Box::new(t)))
    }
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
