//! Cutting a file into items, as `pest/file.pest` says.

use crate::heads;
use crate::parser::{Rule, pairs};
use pest::iterators::Pair;
use std::collections::HashMap;
use std::ops::Range;

/// One item of a file, not yet parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawItem {
    /// The head word; `None` for text outside of items, which [`crate::text_outside`] explains. Such a text is not to be
    /// parsed: where it is indented it may look like an item to [`crate::parse_item`].
    pub head: Option<&'static str>,
    /// What identifies the item in its file across edits: the head and the words behind it, up to the first `:`, `{`
    /// or full stop, with single blanks and without comments. For text outside of items its first word.
    pub key: String,
    /// How many items above have the same key.
    pub ordinal: u32,
    /// The item's text in the file, from its head word to its last token. Spans in its tree and its errors are
    /// relative to the start of this range.
    pub range: Range<usize>,
    /// The comment lines directly above the item (no blank line between); empty if there are none. They are not part
    /// of `range`, so that an edited comment leaves the item's tree as it was.
    pub comments: Range<usize>,
}

/// Cuts a file into its items, in order. Everything between the items' ranges is blank or comment.
pub fn split(text: &str) -> Vec<RawItem> {
    let mut items: Vec<RawItem> = Vec::new();
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut above = 0..0;
    let file = pairs(Rule::file, text).ok().and_then(|mut pairs| pairs.next());
    for part in file.into_iter().flat_map(Pair::into_inner) {
        let place = part.as_span().start()..part.as_span().end();
        let rule = part.as_rule();
        match rule {
            Rule::remarks => above = place,
            Rule::entry | Rule::loose => {
                let (head, key) = named(part, rule == Rule::entry);
                let comments = if above.end == place.start { above.clone() } else { place.start..place.start };
                let ordinal = seen.entry(key.clone()).or_default();
                items.push(RawItem { head, key, ordinal: *ordinal, range: place, comments });
                *ordinal += 1;
            }
            _ => {}
        }
    }
    items
}

/// The first line of a text, without what ends it.
pub(crate) fn first_line(text: &str) -> &str {
    match text.split_once('\n') {
        Some((line, _)) => line,
        None => text,
    }
}

/// The head and the key of an item.
fn named(item: Pair<'_, Rule>, has_head: bool) -> (Option<&'static str>, String) {
    let mut key = String::new();
    let mut head = None;
    let mut end = 0;
    let title = item.into_inner().find(|part| part.as_rule() == Rule::title);
    for piece in title.into_iter().flat_map(Pair::into_inner).filter(|piece| piece.as_rule() == Rule::piece) {
        if key.is_empty() {
            head = if has_head { heads::head(piece.as_str()) } else { None };
        } else if head.is_none() {
            break;
        } else if piece.as_span().start() > end {
            key.push(' ');
        }
        key.push_str(piece.as_str());
        end = piece.as_span().end();
    }
    (head, key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        split(text).into_iter().map(|item| text.get(item.range).unwrap_or("?")).collect()
    }

    #[test]
    fn cuts_at_heads() {
        let text = "// top\n\n// about\n// it\ncard A-1 \"B. {\" { // c\n  x.\n} // after\n// next\nrule 2.IV.iii \"T\" { a. }\nclass a, b.\n";
        assert_eq!(texts(text), ["card A-1 \"B. {\" { // c\n  x.\n}", "rule 2.IV.iii \"T\" { a. }", "class a, b."]);
        let items = split(text);
        assert_eq!(items[0].key, "card A-1 \"B. {\"");
        assert_eq!(&text[items[0].comments.clone()], "// about\n// it\n");
        assert_eq!(&text[items[1].comments.clone()], "// next\n");
        assert_eq!(items[1].key, "rule 2.IV.iii \"T\"");
        assert_eq!(items[2].key, "class a, b");
        assert!(items[2].comments.is_empty());
        assert!(items.iter().all(|item| item.head.is_some()));
    }

    #[test]
    fn keys_stop_at_the_definition() {
        let items = split("define x of (card  C): number = 3.\ndefine x of (card C): number = 4.\n");
        assert_eq!(items[0].key, "define x of (card C)");
        assert_eq!((items[0].ordinal, items[1].ordinal), (0, 1));
    }

    #[test]
    fn a_missing_brace_or_quote_costs_one_item() {
        assert_eq!(texts("card A {\n  x {\n  y.\n\n// c\ncard B { z. }\n"), ["card A {\n  x {\n  y.", "card B { z. }"]);
        assert_eq!(texts("card \"A {\n  x.\n}\ncard B { z. }\n").len(), 2);
        assert_eq!(
            texts("card A ( {\n  x.\n}\nhello\ncard B { z. }\n"),
            ["card A ( {\n  x.\n}", "hello", "card B { z. }"]
        );
    }

    #[test]
    fn a_brace_too_many_stays_with_its_item() {
        assert_eq!(texts("card A {\n  x }.\n  y.\n}\ncard B { z. }\n"), ["card A {\n  x }.\n  y.\n}", "card B { z. }"]);
    }

    #[test]
    fn text_outside() {
        let items = split("crad A {\n  x.\n}\ncrad B {\n}\ncard C { }\n");
        assert_eq!(items.len(), 3);
        assert_eq!((items[0].head, items[0].key.as_str()), (None, "crad"));
        assert_eq!(items[1].ordinal, 1);
        assert_eq!(items[2].head, Some("card"));
        assert!(split("\u{FEFF}// only\n\n").is_empty());
        assert_eq!(split("\u{FEFF}class a, b.")[0].head, Some("class"));
    }
}
