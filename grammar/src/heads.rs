//! The words that begin an item, as `pest/heads.pest` says them, and the guess at a misspelt one.

use std::sync::LazyLock;

use netrep_diagnostics::nearest;

/// The head words of items, in alphabetical order. An item begins where one of them stands at the start of a line.
pub static HEADS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("../pest/heads.pest").lines().filter(|line| !line.starts_with("//"));
    // Between two quotation marks stands a word; what is around them is pest's.
    let mut heads: Vec<&str> = lines.flat_map(|line| line.split('"').skip(1).step_by(2)).collect();
    heads.sort_unstable();
    heads
});

/// True if the item's body is a list of terms, which the formatter fills into lines instead of giving a line to each.
pub(crate) fn is_list(head: &str) -> bool {
    head == "list"
}

/// The head word itself, if it is one.
pub(crate) fn head(word: &str) -> Option<&'static str> {
    HEADS.iter().find(|head| **head == word).copied()
}

/// The head word that the author may have meant by `word`, which may be one.
pub(crate) fn guess(word: &str) -> Option<&'static str> {
    let near = nearest(word, HEADS.iter().copied()).into_iter().next();
    let meant = if HEADS.contains(&word) { word } else { near.as_deref()? };
    HEADS.iter().find(|head| **head == meant).copied()
}
