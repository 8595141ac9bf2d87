//! Conditions.

use super::{Writer, kid};
use crate::phrase::term::Use;
use crate::phrase::tree::{Cmp, Det, Node, Op, Sort};

/// The sign of a comparison.
pub(super) fn sign(cmp: Cmp) -> &'static str {
    match cmp {
        Cmp::Lt => "<",
        Cmp::Le => "<=",
        Cmp::Eq => "=",
        Cmp::Ne => "is not",
        Cmp::Ge => ">=",
        Cmp::Gt => ">",
    }
}

impl Writer<'_> {
    /// A condition.
    pub(super) fn condition(&self, node: &Node) -> String {
        match &node.op {
            Op::And => {
                let part = |k: &Node| {
                    if matches!(k.op, Op::And | Op::Or) {
                        format!("({})", self.condition(k))
                    } else {
                        self.condition(k)
                    }
                };
                node.kids.iter().map(part).collect::<Vec<_>>().join(" and ")
            }
            Op::Or => {
                let last = node.kids.len().saturating_sub(1);
                let part = |(i, k): (usize, &Node)| match k.op == Op::Or
                    || i < last && ends_open(k)
                    || i > 0 && starts_joined(k)
                {
                    true => format!("({})", self.condition(k)),
                    false => self.condition(k),
                };
                node.kids.iter().enumerate().map(part).collect::<Vec<_>>().join(" or ")
            }
            Op::Not => self.denied(kid(node, 0)),
            Op::Exists if matches!(kid(node, 0).op, Op::Modification(_)) => {
                format!("there is a modification {}", self.modification(kid(node, 0)))
            }
            Op::Exists => format!("there is {}", self.np(kid(node, 0))),
            Op::During(key) => format!("during {}", self.name(key)),
            Op::Against => format!("against {}", self.np(kid(node, 0))),
            Op::Compare(cmp) => self.compared(*cmp, kid(node, 0), kid(node, 1)),
            Op::Holds => format!("{} {}", self.np(kid(node, 0)), self.said(kid(node, 1))),
            Op::Did(..) => self.did(node, true),
            Op::Would => format!("{} {}", self.np(kid(node, 0)), self.finite(node)),
            Op::Unchanged => "nothing has changed".to_string(),
            // The default of a yes-or-no fact.
            Op::Truth(_) | Op::Nothing => self.value(node),
            Op::Awaits => format!("{} awaits resolution", self.np(kid(node, 0))),
            _ => self.np(node),
        }
    }

    /// `there is no X`, `X has not …`, `not …`.
    fn denied(&self, node: &Node) -> String {
        match (&node.op, &kid(node, 0).op) {
            (Op::Exists, Op::Quantified(Det::A)) => {
                let noun = kid(kid(node, 0), 0);
                format!("there is {}", self.quantified(Det::No, noun, false))
            }
            (Op::Exists, Op::Modification(_)) => {
                format!("there is no modification {}", self.modification(kid(node, 0)))
            }
            (Op::Exists, Op::Label(_) | Op::Role(_)) => format!("there is no {}", self.np(kid(node, 0))),
            (Op::Would, _) => format!("{} would not {}", self.np(kid(node, 0)), self.admitted(kid(node, 1))),
            (Op::And | Op::Or, _) => format!("not ({})", self.condition(node)),
            (Op::Did(..), _) => self.did(node, false),
            _ => format!("not {}", self.condition(node)),
        }
    }

    fn compared(&self, cmp: Cmp, a: &Node, b: &Node) -> String {
        if a.sort == Sort::Number {
            return format!("{} {} {}", self.number(a), sign(cmp), self.number(b));
        }
        let copula = if cmp == Cmp::Ne { "is not" } else { "is" };
        format!("{} {copula} {}", self.np(a), self.np(b))
    }

    /// What is said of a subject, with its copula.
    pub(super) fn said(&self, predicate: &Node) -> String {
        match &predicate.op {
            Op::Relates(key) => match self.form_of(key, Use::Finite) {
                Some(finite) => format!("{finite} {}", self.np(kid(predicate, 0))),
                None => format!("is {}", self.predicate(predicate)),
            },
            Op::RelatedBy(key) => match self.form_of(key, Use::InverseFinite) {
                Some(finite) => format!("{finite} {}", self.np(kid(predicate, 0))),
                None => format!("is {}", self.predicate(predicate)),
            },
            _ => format!("is {}", self.predicate(predicate)),
        }
    }

    /// A condition whose subject is the thing before `that`.
    pub(super) fn finite(&self, node: &Node) -> String {
        match &node.op {
            Op::Holds => self.said(kid(node, 1)),
            Op::Did(..) => self.did_tail(node, true),
            Op::Would => format!("would {}", self.admitted(kid(node, 1))),
            Op::Not if kid(node, 0).op == Op::Would => format!("would not {}", self.admitted(kid(kid(node, 0), 1))),
            Op::Not => self.did_tail(kid(node, 0), false),
            _ => self.condition(node),
        }
    }
}

/// True if the condition ends in a noun phrase, which a following `or` could join first.
fn ends_open(node: &Node) -> bool {
    let last = || node.kids.iter().rev().find(|k| k.op != Op::Absent).is_some_and(ends_open);
    match &node.op {
        Op::Int(_) | Op::Role(_) | Op::This | Op::It | Op::Is(_) | Op::IsEntry(_) | Op::IsClass(_) | Op::Entry(_) => {
            false
        }
        Op::Did(_, lasting) => lasting.is_none(),
        Op::Quantified(_) | Op::Either | Op::Noun(_) | Op::Done(..) | Op::That => true,
        Op::Label(_) | Op::Defined(_) | Op::Name(_) | Op::Half(_) | Op::Max | Op::Min => false,
        _ => last(),
    }
}

/// True if the condition may begin with a phrase that holds a join, which an `or` before it could draw apart.
fn starts_joined(node: &Node) -> bool {
    match node.op {
        Op::Holds | Op::Did(..) | Op::Compare(_) => node.kids.iter().any(joined),
        Op::And | Op::Not => node.kids.first().is_some_and(starts_joined),
        _ => false,
    }
}

fn joined(node: &Node) -> bool {
    node.op == Op::Either || node.kids.iter().any(joined)
}
