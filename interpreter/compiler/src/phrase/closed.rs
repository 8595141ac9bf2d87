//! The closed class: the words that the language itself knows.

/// Words of the language, in the order of the alphabet. Everything else is declared.
pub const WORDS: &[&str] = &[
    "a", "act", "after", "against", "all", "always", "an", "and", "another", "any", "are", "as", "at", "be", "becomes",
    "been", "before", "bottom", "by", "cannot", "choose", "chooses", "choosing", "chosen", "cost", "counts", "create",
    "dice", "die", "does", "down", "during", "each", "effect", "either", "end", "ends", "even", "every", "for", "from", "gain",
    "gains", "game", "get", "gets", "half", "has", "have", "if", "immediately", "in", "instead", "into", "is", "it", "its", "least",
    "leaves", "less", "let", "lose", "loses", "may", "max", "min", "modify", "more", "most", "must", "named", "need", "new", "needs", "no", "none",
    "not", "number", "of", "on", "once", "one", "only", "or", "order", "other", "otherwise", "per", "perform", "play", "put",
    "regardless", "remove", "repeat", "rest", "roll", "rolls", "rounded", "set", "start", "step", "steps", "stop", "than",
    "that", "the", "their", "then", "there", "this", "times", "to", "top", "total", "unless", "until", "up", "when", "while", "window",
    "with", "would", "yes", "your", "yours",
];

/// True if the language itself knows the word.
pub fn is_closed(word: &str) -> bool {
    WORDS.contains(&word)
}

/// True for a label: one capital letter, with at most one digit.
pub fn is_label(word: &str) -> bool {
    let mut chars = word.chars();
    matches!(chars.next(), Some('A'..='Z'))
        && match chars.next() {
            None => true,
            Some(c) => c.is_ascii_digit() && chars.next().is_none(),
        }
}
