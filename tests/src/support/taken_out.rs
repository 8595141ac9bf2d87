//! Texts without one of their tokens: a full stop, a comma, a semicolon, a word or a number; of a name in quotes each word.

use std::ops::Range;

/// The signs that are taken out.
const SIGNS: [char; 3] = ['.', ',', ';'];

/// The tokens of a text, without those of its comments.
pub(crate) fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if text[at..].starts_with("//") {
            while chars.next_if(|(_, c)| *c != '\n').is_some() {}
        } else if c.is_alphanumeric() {
            let mut end = at + c.len_utf8();
            let goes_on = |(next, c): &(usize, char)| {
                let behind = text[next + c.len_utf8()..].chars().next();
                let joins = matches!(c, '-' | '.' | '/' | '\'' | '’') && behind.is_some_and(char::is_alphanumeric);
                c.is_alphanumeric() || joins
            };
            while let Some((next, c)) = chars.next_if(goes_on) {
                end = next + c.len_utf8();
            }
            found.push(at..end);
        } else if SIGNS.contains(&c) {
            found.push(at..at + 1);
        }
    }
    found
}

/// True for a token between the quotes of a name.
pub(crate) fn is_quoted(text: &str, token: &Range<usize>) -> bool {
    let line = text[..token.start].rfind('\n').map_or(0, |at| at + 1);
    text[line..token.start].matches('"').count() % 2 == 1
}

/// The text without a token. With a word goes the blank before it, or behind it where a quote stands before.
pub(crate) fn without(text: &str, token: &Range<usize>) -> String {
    let (before, after) = (&text[..token.start], &text[token.end..]);
    let is_word = !text[token.clone()].starts_with(SIGNS);
    match before.strip_suffix(' ') {
        Some(before) if is_word => format!("{before}{after}"),
        None if is_word && before.ends_with('"') => format!("{before}{}", after.strip_prefix(' ').unwrap_or(after)),
        _ => format!("{before}{after}"),
    }
}

#[test]
fn each_token_is_taken_out_with_its_blank() {
    let text = "card A-1 \"Old Lamp\" { length 3. } // not this.";
    let found: Vec<&str> = tokens(text).into_iter().map(|token| &text[token]).collect();
    assert_eq!(found, ["card", "A-1", "Old", "Lamp", "length", "3", "."]);
    let left: Vec<String> = tokens(text).iter().map(|token| without(text, token)).collect();
    assert!(left[2].contains("\"Lamp\" {") && left[3].contains("\"Old\" {"), "{left:?}");
    assert!(left[5].contains("{ length. }") && left[6].contains("{ length 3 }"), "{left:?}");
    assert!(is_quoted(text, &tokens(text)[2]) && !is_quoted(text, &tokens(text)[4]));
}
