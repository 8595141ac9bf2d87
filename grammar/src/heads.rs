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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::split;

    #[test]
    fn every_head_begins_an_item_and_nothing_longer_does() {
        assert!(HEADS.len() > 10);
        let head_of = |line: &str| split(line).first().and_then(|raw| raw.head);
        for head in HEADS.iter() {
            assert_eq!(head_of(&format!("{head} 2.I.1 {{")), Some(*head));
            assert_eq!(head_of(&format!("{head}{{")), Some(*head));
            for line in ["X of play", "X-bound", "X's", "Xé"].map(|line| line.replace('X', &format!("{head}s"))) {
                assert_eq!(head_of(&line), None, "{line}");
            }
            assert_eq!(head_of(&format!(" {head} 1")), None);
        }
        assert_eq!(head_of(""), None);
    }

    #[test]
    fn guesses_are_near() {
        assert_eq!(guess("crad"), Some("card"));
        assert_eq!(guess("Card"), Some("card"));
        assert_eq!(guess("rul"), Some("rule"));
        assert_eq!(guess("adjectives"), Some("adjective"));
        assert_eq!(guess("house"), None);
    }
}
