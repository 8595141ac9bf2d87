//! Items by what they are called: the order in which a program's ids are given.
//!
//! It hangs neither on files nor on places in them, so that data can be moved and sorted; and words that have been renamed
//! keep the place that they had under the name of before. Where rules ask for an order of clauses (what follows at once,
//! modifiers of one rank), it is this one: cards by id, rules by number, the clauses of an item as it has them.

use std::sync::Arc;

use netrep_ir::identity::Renamed;

use super::renamed;
use crate::filing::natural;
use crate::link::LinkItem;

/// Sorts items by head and by what they are called.
pub(crate) fn sort(items: &mut [LinkItem]) {
    let pairs = renamed(items);
    let renamed = Renamed::new(&pairs);
    items.sort_by_cached_key(|i| {
        let name = match &*i.item.head {
            "card" | "rule" | "ruling" => i.item.key.to_string(),
            _ => renamed.former(&short(&i.item.key)),
        };
        // At last with its parameters and forms.
        (Arc::clone(&i.item.head), natural::key(&name), renamed.former(&i.item.key))
    });
}

/// A declaration's words up to its further forms, without its parameters: `(thing X) hold, holds` is `hold`.
pub(super) fn short(key: &str) -> String {
    let mut depth = 0u32;
    let mut plain = String::new();
    for c in key.chars() {
        match c {
            ',' if depth == 0 => break,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
