//! Printed texts: their sentences, and what is left of one when numbers and names are masked.
//!
//! - Blanks are one blank. A line break ends a sentence, unless the next line goes on with a small letter, a bullet or a parenthesis, or the one before ends
//!   with a comma.
//! - A sentence ends behind `.`, `!` or `?`, also with a quotation mark behind it, where a blank follows.
//! - Masked are, from left to right and the longest first: the card's own name, as `~`; the names of other cards of the same
//!   database, as `@`; numbers in digits, as `#`. A name counts where no letter and no digit stands at its ends.

/// A card as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A printed sentence with its numbers and names masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masked {
    /// What is left.
    pub text: String,
    /// What was masked, in order; the card's own name is left out.
    pub slots: Vec<Printed>,
}

/// What was masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Printed {
    /// A number.
    Number(i64),
    /// The name of a card.
    Name(String),
}

/// The sentences of a text, in order.
pub fn sentences(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")) {
        let Some(first) = line.chars().next() else { continue };
        match lines.last_mut() {
            Some(last) if first.is_lowercase() || matches!(first, '•' | '(') || last.ends_with(',') => {
                last.push(' ');
                last.push_str(&line);
            }
            _ => lines.push(line),
        }
    }
    lines.iter().flat_map(|line| in_line(line)).collect()
}

fn in_line(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line;
    let mut from = 0;
    while let Some(at) = rest[from..].find(' ') {
        let at = from + at;
        let before = rest[..at].trim_end_matches(['"', '”']);
        if before.ends_with(['.', '!', '?']) && at - before.len() <= '”'.len_utf8() {
            found.push(rest[..at].to_owned());
            rest = &rest[at + 1..];
            from = 0;
        } else {
            from = at + 1;
        }
    }
    if !rest.is_empty() {
        found.push(rest.to_owned());
    }
    found
}

/// Masks the numbers and names in a sentence of the card `own`. `names`: all that may be named, the longest first.
pub fn mask(sentence: &str, own: &str, names: &[String]) -> Masked {
    let mut masked = Masked { text: String::new(), slots: Vec::new() };
    let mut rest = sentence;
    while let Some(first) = rest.chars().next() {
        let free = !masked.text.ends_with(|c: char| c.is_alphanumeric());
        let named = |name: &&String| {
            let behind = rest.strip_prefix(name.as_str()).map(|behind| behind.chars().next());
            behind.is_some_and(|next| next.is_none_or(|next| !next.is_alphanumeric()))
        };
        if free && let Some(name) = names.iter().find(named) {
            rest = &rest[name.len()..];
            if name == own {
                masked.text.push('~');
            } else {
                masked.text.push('@');
                masked.slots.push(Printed::Name(name.clone()));
            }
        } else if first.is_ascii_digit() {
            let digits = rest.find(|c: char| !c.is_ascii_digit());
            let (number, behind) = rest.split_at(digits.unwrap_or(rest.len()));
            masked.text.push('#');
            masked.slots.extend(number.parse().ok().map(Printed::Number));
            rest = behind;
        } else {
            masked.text.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    masked
}

/// The names of cards by which sentences are masked, the longest first.
pub fn names(cards: &[Card]) -> Vec<String> {
    let mut names: Vec<String> = cards.iter().map(|card| card.name.clone()).filter(|name| name.len() > 2).collect();
    names.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    names.dedup();
    names
}
