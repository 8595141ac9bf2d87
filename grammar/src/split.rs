//! Cutting a file into items, as `pest/file.pest` says.

use crate::heads;
use crate::parser::{Rule, Rules};
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
    Rules::default().split(text)
}

impl Rules {
    /// Cuts a file into its items by these rules, as [`split()`] does.
    pub fn split(self, text: &str) -> Vec<RawItem> {
        let mut items: Vec<RawItem> = Vec::new();
        let mut seen: HashMap<String, u32> = HashMap::new();
        let mut above = 0..0;
        let file = self.pairs(Rule::file, text).ok().and_then(|mut pairs| pairs.next());
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
