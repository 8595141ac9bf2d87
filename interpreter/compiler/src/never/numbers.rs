//! Numbers in conditions: which range a phrase can come to, and which one a comparison leaves.

use super::Must;
use crate::phrase::operators::{Number, View};
use crate::phrase::tree::{Cmp, Node};

/// The comparison that holds where this one does not.
pub(super) fn contrary(cmp: Cmp) -> Cmp {
    match cmp {
        Cmp::Lt => Cmp::Ge,
        Cmp::Le => Cmp::Gt,
        Cmp::Eq => Cmp::Ne,
        Cmp::Ne => Cmp::Eq,
        Cmp::Ge => Cmp::Lt,
        Cmp::Gt => Cmp::Le,
    }
}

/// The comparison with its sides exchanged.
pub(super) fn turned(cmp: Cmp) -> Cmp {
    match cmp {
        Cmp::Lt => Cmp::Gt,
        Cmp::Le => Cmp::Ge,
        Cmp::Ge => Cmp::Le,
        Cmp::Gt => Cmp::Lt,
        Cmp::Eq | Cmp::Ne => cmp,
    }
}

/// True if numbers of two ranges can be so to each other.
pub(super) fn is_possible(cmp: Cmp, a: (i64, i64), b: (i64, i64)) -> bool {
    match cmp {
        Cmp::Lt => a.0 < b.1,
        Cmp::Le => a.0 <= b.1,
        Cmp::Gt => a.1 > b.0,
        Cmp::Ge => a.1 >= b.0,
        Cmp::Eq => a.0 <= b.1 && b.0 <= a.1,
        Cmp::Ne => a.0 != a.1 || a != b,
    }
}

/// The number that is written.
pub(super) fn literal(node: &Node) -> Option<i64> {
    let View::Number(Number::Int { n }) = node.view() else { return None };
    Some(*n)
}

/// The range that a comparison with a literal leaves.
pub(super) fn bounds(cmp: Cmp, with: &Node) -> Option<Must> {
    let n = literal(with)?;
    Some(match cmp {
        Cmp::Lt => Must::Between(i64::MIN, n.saturating_sub(1)),
        Cmp::Le => Must::Between(i64::MIN, n),
        Cmp::Eq => Must::Between(n, n),
        Cmp::Ge => Must::Between(n, i64::MAX),
        Cmp::Gt => Must::Between(n.saturating_add(1), i64::MAX),
        Cmp::Ne => Must::Other(n),
    })
}

/// The numbers that a phrase can come to.
pub(super) fn range(node: &Node) -> (i64, i64) {
    const ANY: (i64, i64) = (i64::MIN, i64::MAX);
    let number = match node.view() {
        View::Number(number) => number,
        View::Reference(_)
        | View::Thing(_)
        | View::Fact(_)
        | View::Literal(_)
        | View::Predicate(_)
        | View::Logic(_)
        | View::Condition(_)
        | View::Event(_)
        | View::Act(_)
        | View::Change(_)
        | View::Part(_)
        | View::Malformed => return ANY,
    };
    match number {
        Number::Int { n } => (*n, *n),
        Number::Count { .. } => (0, i64::MAX),
        Number::Add { a, b } => {
            let (a, b) = (range(a), range(b));
            (sum(a.0, b.0), sum(a.1, b.1))
        }
        Number::Max { each } => each.iter().map(range).fold((i64::MIN, i64::MIN), |a, b| (a.0.max(b.0), a.1.max(b.1))),
        Number::Min { each } => each.iter().map(range).fold((i64::MAX, i64::MAX), |a, b| (a.0.min(b.0), a.1.min(b.1))),
        Number::Total { .. }
        | Number::Extreme { .. }
        | Number::Sub { .. }
        | Number::Mul { .. }
        | Number::LowestGroup { .. }
        | Number::Half { .. }
        | Number::Quotient { .. }
        | Number::Alternatives { .. }
        | Number::NumberAgainst { .. } => ANY,
    }
}

/// A sum in which what is without bounds stays so.
fn sum(a: i64, b: i64) -> i64 {
    match (a, b) {
        (i64::MIN, _) | (_, i64::MIN) => i64::MIN,
        (i64::MAX, _) | (_, i64::MAX) => i64::MAX,
        _ => a.saturating_add(b),
    }
}

/// A range in words.
pub(super) fn range_text(range: (i64, i64)) -> String {
    match range {
        (a, b) if a == b => a.to_string(),
        (i64::MIN, i64::MAX) => "any number".to_owned(),
        (i64::MIN, b) => format!("at most {b}"),
        (a, i64::MAX) => format!("at least {a}"),
        (a, b) => format!("{a} to {b}"),
    }
}
