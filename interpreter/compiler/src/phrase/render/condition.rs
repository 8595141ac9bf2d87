//! Conditions.

use super::row::fill;
use super::{Writer, kid};
use crate::phrase::forms::Form;
use crate::phrase::operators::View;
use crate::phrase::term::Use;
use crate::phrase::tree::{Cmp, Det, Node, Op, Sort};

/// The form of a comparison by a sign; there is none for another number.
pub(super) fn sign(cmp: Cmp) -> Option<Form> {
    match cmp {
        Cmp::Lt => Some(Form::ComparingLess),
        Cmp::Le => Some(Form::ComparingMost),
        Cmp::Eq => Some(Form::ComparingSame),
        Cmp::Ne => None,
        Cmp::Ge => Some(Form::ComparingLeast),
        Cmp::Gt => Some(Form::ComparingMore),
    }
}

impl Writer<'_> {
    /// A condition.
    pub(super) fn condition(&self, node: &Node) -> String {
        match &node.op {
            Op::And => {
                let part = |k: &Node| match k.op {
                    Op::And | Op::Or => self.group(k),
                    _ => self.condition(k),
                };
                self.joined_as(Form::ConjunctionAnd, "each", node.kids.iter().map(part).collect())
            }
            Op::Or => {
                let last = node.kids.len().saturating_sub(1);
                let part = |(i, k): (usize, &Node)| match k.op == Op::Or
                    || i < last && ends_open(k)
                    || i > 0 && starts_joined(k)
                {
                    true => self.group(k),
                    false => self.condition(k),
                };
                self.joined_as(Form::ConditionOr, "each", node.kids.iter().enumerate().map(part).collect())
            }
            Op::Not => self.denied(kid(node, 0)),
            Op::Exists if matches!(kid(node, 0).op, Op::Modification(_)) => self.modified(kid(node, 0), "a"),
            Op::Exists => self.there(self.np(kid(node, 0))),
            Op::During(key) => self.say(Form::SimpleDuring, &[fill("p", self.name(key))]),
            Op::Closing(key) => self.say(Form::SimpleClosing, &[fill("p", self.name(key))]),
            Op::Compare(cmp) => self.compared(*cmp, kid(node, 0), kid(node, 1)),
            Op::Holds => self.said(&self.np(kid(node, 0)), super::verb::plural(kid(node, 0)), kid(node, 1)),
            Op::Did(..) => self.did(node, true),
            Op::Would => self.would(node, true, true),
            Op::Barred => self.barred(node, true),
            // The default of a yes-or-no fact.
            Op::Truth(_) | Op::Nothing => self.value(node),
            _ => match node.view() {
                View::Condition(_) => self.by_row(node),
                _ => self.np(node),
            },
        }
    }

    /// A condition in parentheses.
    fn group(&self, node: &Node) -> String {
        self.say(Form::SimpleGroup, &[fill("c", self.condition(node))])
    }

    fn there(&self, what: String) -> String {
        self.say(Form::SimpleThere, &[fill("what", what)])
    }

    fn modified(&self, modification: &Node, some: &str) -> String {
        let m = self.modification(modification);
        self.say(Form::SimpleModified, &[fill("some", some), fill("m", m)])
    }

    /// `there is no X`, `X has not …`, `not …`.
    fn denied(&self, node: &Node) -> String {
        match (&node.op, &kid(node, 0).op) {
            (Op::Exists, Op::Quantified(Det::A)) => {
                let noun = kid(kid(node, 0), 0);
                self.there(self.quantified(Det::No, noun, false))
            }
            (Op::Exists, Op::Modification(_)) => self.modified(kid(node, 0), "no"),
            (Op::Exists, Op::Label(_) | Op::Role(_)) => {
                self.say(Form::SimpleNone, &[fill("what", self.np(kid(node, 0)))])
            }
            (Op::Would, _) => self.would(node, true, false),
            (Op::Did(..), _) => self.did(node, false),
            (Op::And | Op::Or, _) => self.say(Form::SimpleNot, &[fill("c", self.group(node))]),
            _ => self.say(Form::SimpleNot, &[fill("c", self.condition(node))]),
        }
    }

    /// What a thing would do; `whole`: with its subject.
    fn would(&self, node: &Node, whole: bool, yes: bool) -> String {
        let subject = if whole { self.np(kid(node, 0)) } else { String::new() };
        let not = if yes { "" } else { "not" };
        self.say(Form::FiniteWould, &[fill("..", subject), fill("not", not), fill("e", self.admitted(kid(node, 1)))])
    }

    /// What is forbidden; `whole`: with its subject.
    fn barred(&self, node: &Node, whole: bool) -> String {
        let (subject, deed) = self.deed(kid(node, 0));
        let subject = if whole { subject } else { String::new() };
        self.say(Form::FiniteBarred, &[fill("..", subject), fill("e", deed)])
    }

    fn compared(&self, cmp: Cmp, a: &Node, b: &Node) -> String {
        if a.sort == Sort::Number {
            let (a, b) = (fill("..", self.number(a)), self.number(b));
            return match sign(cmp) {
                Some(sign) => self.say(Form::ComparedSign, &[a, fill("b", self.say(sign, &[fill("n", b)]))]),
                None => self.say(Form::ComparedDiffers, &[a, fill("b", b)]),
            };
        }
        let form = if cmp == Cmp::Ne { Form::SameDiffers } else { Form::SameIs };
        self.say(form, &[fill("..", self.np(a)), fill("b", self.np(b))])
    }

    /// What is said of a subject, of which verbs stand in the plural if it is `many`.
    pub(super) fn said(&self, subject: &str, many: bool, predicate: &Node) -> String {
        let finite = match &predicate.op {
            Op::Relates(key) => self.form_of(key, Use::Finite),
            Op::RelatedBy(key) => self.form_of(key, Use::InverseFinite),
            _ => None,
        };
        match finite {
            Some(finite) => {
                let p = format!("{finite} {}", self.np(kid(predicate, 0)));
                self.say(Form::FiniteRelated, &[fill("..", subject), fill("p", p)])
            }
            None => self.say_of(Form::FiniteIs, many, &[fill("..", subject), fill("p", self.predicate(predicate))]),
        }
    }

    /// A condition whose subject is the thing before `that`.
    pub(super) fn finite(&self, node: &Node) -> String {
        match &node.op {
            Op::Holds => self.said("", false, kid(node, 1)),
            Op::Did(..) => self.did_tail(node, true),
            Op::Would => self.would(node, false, true),
            Op::Barred => self.barred(node, false),
            Op::Awaits => self.say(Form::FiniteAwaits, &[]),
            Op::InForce => {
                let on: String = node.kids.iter().skip(1).map(|on| self.np(on)).collect();
                self.say(Form::FiniteEffective, &[fill("what", on)])
            }
            Op::Not if kid(node, 0).op == Op::Would => self.would(kid(node, 0), false, false),
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
        Op::Label(_) | Op::Defined(_) | Op::Name(_) | Op::Card(_) | Op::Half(_) | Op::Max | Op::Min => false,
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
