//! The words that begin an item, and the guess at a misspelt one.

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

/// The head word that the author may have meant by `word`: one letter wrong, missing, too many, or two swapped.
pub(crate) fn guess(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    HEADS.iter().find(|head| near(&lower, head)).copied()
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '/' | '\'' | '’')
}

/// True if at most one edit (change, insertion, deletion, swap of neighbours) leads from `a` to `b`.
fn near(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    match (a, b) {
        ([], rest) | (rest, []) => rest.len() <= 1,
        ([x, y, a @ ..], [p, q, b @ ..]) if x == q && y == p && a == b => true,
        ([_, a1 @ ..], [_, b1 @ ..]) => a1 == b1 || a1 == b || a == b1,
    }
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
    fn guesses_are_one_edit_away() {
        assert_eq!(guess("crad"), Some("card"));
        assert_eq!(guess("Card"), Some("card"));
        assert_eq!(guess("rul"), Some("rule"));
        assert_eq!(guess("adjectives"), Some("adjective"));
        assert_eq!(guess("house"), None);
    }
}
