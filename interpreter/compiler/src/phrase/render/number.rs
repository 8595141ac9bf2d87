//! Numbers.

use super::row::fill;
use super::{Writer, kid};
use crate::phrase::forms::Form;
use crate::phrase::operators::View;
use crate::phrase::tree::{Det, Node, Op, TermKey};

impl Writer<'_> {
    /// A number.
    pub(super) fn number(&self, node: &Node) -> String {
        match &node.op {
            Op::Add | Op::Sub => self.sum(node),
            Op::Mul => {
                let parts = vec![self.factor(kid(node, 0)), self.atom(kid(node, 1))];
                self.say(Form::ProductProduct, &[fill("parts", parts)])
            }
            Op::Int(n) => n.to_string(),
            Op::Count => self.say(Form::AtomCount, &[fill("what", self.plural(kid(node, 0)))]),
            Op::Total(key) => self.over(Form::AtomTotal, key, node),
            Op::Extreme(key, true) => self.over(Form::AtomHighest, key, node),
            Op::Extreme(key, false) => self.over(Form::AtomLowest, key, node),
            Op::LowestGroup(label) => {
                let what = fill("what", self.plural(kid(node, 0)));
                let n = fill("n", self.atom(kid(node, 1)));
                self.say(Form::AtomGroupOf, &[what, fill("l", self.naming(label)), n])
            }
            Op::Quotient(up) => {
                let (a, b) = (fill("a", self.factor(kid(node, 0))), fill("b", self.atom(kid(node, 1))));
                self.say(Form::ProductQuotient, &[a, b, fill("up", way(*up))])
            }
            Op::Max | Op::Min => {
                let form = if node.op == Op::Max { Form::AtomMax } else { Form::AtomMin };
                let each: Vec<String> = node.kids.iter().map(|k| self.number(k)).collect();
                // A function and its parentheses stand without a blank.
                self.say(form, &[fill("each", each)]).replacen(" (", "(", 1)
            }
            Op::NumberAgainst => {
                let side = kid(node, 1);
                let side = fill("side", self.grouped(side, side.op == Op::Either));
                self.say(Form::AfterAtomAgainst, &[fill("..", self.number(kid(node, 0))), side])
            }
            Op::Half(up) => self.say(Form::AtomHalf, &[fill("n", self.factor(kid(node, 0))), fill("up", way(*up))]),
            Op::Alternatives => {
                let mut cases = Vec::new();
                for pair in node.kids.iter().skip(1).collect::<Vec<_>>().chunks(2) {
                    let [n, c] = pair else { continue };
                    let guard = if c.op == Op::Against { self.condition(c) } else { self.guard(c) };
                    cases.push(self.say(Form::CaseCase, &[fill("n", self.number(n)), fill("c", guard)]));
                }
                self.say(Form::AfterAtomCases, &[fill("..", self.atom(kid(node, 0))), fill("cases", cases)])
            }
            _ => match node.view() {
                View::Number(_) => self.by_row(node),
                _ => self.np(node),
            },
        }
    }

    /// A sum or difference, with its sign.
    fn sum(&self, node: &Node) -> String {
        let (left, right) = (self.left(kid(node, 0)), self.factor(kid(node, 1)));
        let sign = if node.op == Op::Add { "+" } else { "-" };
        self.say_between(Form::NumberSum, "parts", sign, &[left, right])
    }

    fn over(&self, form: Form, key: &TermKey, node: &Node) -> String {
        self.say(form, &[fill("a", self.name(key)), fill("what", self.plural(kid(node, 0)))])
    }

    /// A noun phrase for counting: a bare plural where there is one.
    pub(super) fn plural(&self, node: &Node) -> String {
        match &node.op {
            Op::Quantified(Det::Each) => self.quantified(Det::Each, kid(node, 0), true),
            _ => self.np(node),
        }
    }

    fn left(&self, node: &Node) -> String {
        match node.op {
            Op::Add | Op::Sub => self.number(node),
            _ => self.factor(node),
        }
    }

    fn factor(&self, node: &Node) -> String {
        match node.op {
            Op::Mul => self.number(node),
            _ => self.atom(node),
        }
    }

    /// A number that nothing around it can be drawn into.
    pub(super) fn atom(&self, node: &Node) -> String {
        let closed = match &node.op {
            Op::Int(_) | Op::Max | Op::Min | Op::Half(_) | Op::Label(_) | Op::Role(_) | Op::Defined(_) => true,
            Op::Of(_) | Op::Printed(_) => !node.kids.iter().any(super::noun::open),
            _ => false,
        };
        match closed {
            true => self.number(node),
            false => self.say(Form::AtomGroup, &[fill("n", self.number(node))]),
        }
    }
}

/// Which way a number is rounded.
fn way(up: bool) -> &'static str {
    if up { "up" } else { "down" }
}
