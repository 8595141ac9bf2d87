//! The tree of an item, as it is kept.

use std::ops::Deref;

use netrep_grammar::tree::{Item, Span, Token};
use netrep_store::Late;
use serde::{Deserialize, Serialize};

/// The tree of an item: who links a program looks at the clauses of few.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// The head word.
    pub head: String,
    /// Where the head word stands.
    pub head_span: Span,
    /// The tokens between the head word and the body.
    pub header: Vec<Token>,
    /// The whole item.
    pub span: Span,
    item: Late<Item>,
}

impl From<Item> for Tree {
    fn from(item: Item) -> Tree {
        let Item { head, head_span, header, span, .. } = &item;
        let (head, header) = (head.clone(), header.clone());
        Tree { head, head_span: *head_span, header, span: *span, item: item.into() }
    }
}

impl Deref for Tree {
    type Target = Item;

    fn deref(&self) -> &Item {
        &self.item
    }
}
