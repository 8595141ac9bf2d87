//! Items by what they are called: the order in which a program's ids are given.
//!
//! It hangs neither on files nor on places in them, so that data can be moved and sorted; and words that have been renamed
//! keep the place that they had under the name of before. Where rules ask for an order of clauses (what follows at once,
//! modifiers of one rank, what several rules say of one step), it is this one: cards by id, rules by number, the clauses of
//! an item as it has them.

use std::sync::Arc;

use netrep_ir::identity::Renamed;

use super::renamed;
use crate::filing::natural;
use crate::link::LinkItem;

/// The order of the items that were sorted last: most profiles have items of the same names.
#[derive(Debug, Default)]
pub(crate) struct Order {
    names: Vec<(Arc<str>, Arc<str>)>,
    renamed: Vec<(String, String)>,
    /// Which item is the first, the second, …
    order: Vec<usize>,
}

impl Order {
    /// The items by head and by what they are called.
    pub(crate) fn sorted(&mut self, items: &[LinkItem]) -> Vec<LinkItem> {
        let renamed = renamed(items);
        let name = |i: &LinkItem| (Arc::clone(&i.item.head), Arc::clone(&i.item.key));
        if self.renamed != renamed || !items.iter().map(name).eq(self.names.iter().cloned()) {
            *self = Order { names: items.iter().map(name).collect(), order: order(items, &renamed), renamed };
        }
        self.order.iter().map(|nth| items[*nth].clone()).collect()
    }
}

fn order(items: &[LinkItem], renamed: &[(String, String)]) -> Vec<usize> {
    let renamed = Renamed::new(renamed);
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_cached_key(|nth| {
        let i = &items[*nth];
        let name = match &*i.item.head {
            "card" | "rule" | "ruling" => i.item.key.to_string(),
            _ => renamed.former(&short(&i.item.key)).into_owned(),
        };
        // At last with its parameters and forms.
        (Arc::clone(&i.item.head), natural::key(&name), renamed.former(&i.item.key).into_owned())
    });
    order
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
