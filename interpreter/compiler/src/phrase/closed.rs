//! The closed class: the words that the language itself knows.

use super::forms::Forms;

/// True if the language itself knows the word.
pub fn is_closed(word: &str) -> bool {
    Forms::all().is_closed(word)
}

/// True for a label: one capital letter, with at most one digit.
pub(crate) fn is_label(word: &str) -> bool {
    let mut chars = word.chars();
    matches!(chars.next(), Some('A'..='Z'))
        && match chars.next() {
            None => true,
            Some(c) => c.is_ascii_digit() && chars.next().is_none(),
        }
}
