//! Numbers.

use super::{Writer, kid};
use crate::phrase::tree::{Det, Node, Op};

impl Writer<'_> {
    /// A number.
    pub(super) fn number(&self, node: &Node) -> String {
        match &node.op {
            Op::Add => format!("{} + {}", self.left(kid(node, 0)), self.factor(kid(node, 1))),
            Op::Sub => format!("{} - {}", self.left(kid(node, 0)), self.factor(kid(node, 1))),
            Op::Mul => format!("{} * {}", self.factor(kid(node, 0)), self.atom(kid(node, 1))),
            Op::Int(n) => n.to_string(),
            Op::Count => format!("number of {}", self.plural(kid(node, 0))),
            Op::Total(key) => format!("total {} of {}", self.name(key), self.plural(kid(node, 0))),
            Op::Extreme(key, high) => {
                let word = if *high { "highest" } else { "lowest" };
                format!("{word} {} of {}", self.name(key), self.plural(kid(node, 0)))
            }
            Op::LowestGroup(label) => format!(
                "lowest for any group of {} as {label} of {}",
                self.plural(kid(node, 0)),
                self.atom(kid(node, 1))
            ),
            Op::Quotient(up) => {
                let way = if *up { "up" } else { "down" };
                format!("{} / {} rounded {way}", self.factor(kid(node, 0)), self.atom(kid(node, 1)))
            }
            Op::Max | Op::Min => {
                let parts: Vec<String> = node.kids.iter().map(|k| self.number(k)).collect();
                format!("{}({})", if node.op == Op::Max { "max" } else { "min" }, parts.join(", "))
            }
            Op::NumberAgainst => {
                let side = kid(node, 1);
                format!("{} against {}", self.number(kid(node, 0)), self.grouped(side, side.op == Op::Either))
            }
            Op::Half(up) => format!("half {} rounded {}", self.factor(kid(node, 0)), if *up { "up" } else { "down" }),
            Op::Alternatives => {
                let mut cases = Vec::new();
                for pair in node.kids.get(1..).unwrap_or(&[]).chunks(2) {
                    let [n, c] = pair else { continue };
                    let guard =
                        if c.op == Op::Against { self.condition(c) } else { format!("if {}", self.condition(c)) };
                    cases.push(format!("{} {guard}", self.number(n)));
                }
                format!("{} ({})", self.atom(kid(node, 0)), cases.join(", "))
            }
            _ => self.np(node),
        }
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
        if closed { self.number(node) } else { format!("({})", self.number(node)) }
    }
}
