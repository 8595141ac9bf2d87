//! The words that begin an item, and the guess at a misspelt one.

use netrep_diagnostics::nearest;

/// The head words of items, in alphabetical order. An item begins where one of them stands at the start of a line.
pub const HEADS: &[&str] = &[
    "action",
    "adjective",
    "card",
    "class",
    "deck",
    "define",
    "document",
    "edition",
    "figure",
    "filing",
    "kernel",
    "list",
    "place",
    "position",
    "procedure",
    "relation",
    "role",
    "rule",
    "ruling",
    "scenario",
    "state",
    "verb",
];

/// True if the item's body is a list of terms, which the formatter fills into lines instead of giving a line to each.
pub(crate) fn is_list(head: &str) -> bool {
    head == "list"
}

/// The head word at the start of `line`, if the word there is one.
pub(crate) fn head_of(line: &str) -> Option<&'static str> {
    let first = line.split(|c: char| !is_word_char(c)).next()?;
    HEADS.iter().find(|head| **head == first).copied()
}

/// The head word that the author may have meant by `word`, which may be one.
pub(crate) fn guess(word: &str) -> Option<&'static str> {
    let near = nearest(word, HEADS.iter().copied()).into_iter().next();
    let meant = if HEADS.contains(&word) { word } else { near.as_deref()? };
    HEADS.iter().find(|head| **head == meant).copied()
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '/' | '\'' | '’')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_sorted_and_whole_words() {
        assert!(HEADS.is_sorted());
        assert_eq!(head_of("rule 2.I.1 {"), Some("rule"));
        assert_eq!(head_of("rule{"), Some("rule"));
        for line in ["rules of play", "rule-bound", "rule's", " rule 1", "", "ruleé"] {
            assert_eq!(head_of(line), None, "{line}");
        }
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
