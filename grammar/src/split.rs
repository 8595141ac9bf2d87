//! Cutting a file into items without parsing it, so that a mistake costs one item.
//!
//! An item begins where an item head stands at the start of a line, whatever is still open above it: a missing brace
//! or quote cannot swallow the next item. It ends with the full stop or the closing brace that balances its first
//! one. What stands between that end and the next head belongs to the item as well when it is indented or begins
//! with a closing bracket (the likely cause is a bracket too many in this very item, and the parser says so); any
//! other text is an item without a head, which never parses.

use crate::depth::{self, Scan};
use crate::error::{Code, SyntaxError};
use crate::heads;
use crate::tree::Span;
use std::collections::HashMap;
use std::ops::Range;

/// One item of a file, not yet parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawItem {
    /// The head word; `None` for text outside of items.
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
    /// What the splitter refuses: too deep nesting, or text outside of items. An item with an error is not to be
    /// parsed: text that follows no item and is indented may look like an item to [`crate::parse_item`].
    pub error: Option<SyntaxError>,
}

/// Cuts a file into its items, in order. Everything between the items' ranges is blank or comment.
pub fn split(text: &str) -> Vec<RawItem> {
    let mut splitter = Splitter { text, items: Vec::new(), seen: HashMap::new(), open: None };
    let mut scan = Scan::new(text);
    let mut line_start = true;
    while let Some((at, byte)) = scan.next() {
        if byte == b'\n' {
            line_start = true;
            continue;
        }
        let flush_left = line_start && starts_line(text, at);
        line_start = false;
        splitter.see(at, byte, scan.position(), flush_left);
    }
    splitter.close();
    splitter.items
}

/// The error for text that belongs to no item; places relative to `text`.
pub(crate) fn outside_error(text: &str) -> SyntaxError {
    let line = text.lines().next().unwrap_or_default().trim_end();
    let word = line.split_whitespace().next().unwrap_or_default();
    let help = match heads::guess(word) {
        Some(head) if head == word => format!("begin `{head}` at the start of its line"),
        Some(head) => format!("did you mean `{head}`?"),
        None => format!("an item begins at the start of a line with one of: {}", heads::HEADS.join(", ")),
    };
    let span = Span::new(0, line.len() as u32);
    SyntaxError::new(Code::TextOutsideItem, span, "this text belongs to no item").help(help)
}

fn starts_line(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    matches!(before, [] | [.., b'\n'] | [0xEF, 0xBB, 0xBF])
}

/// The item that is being read.
struct Open {
    head: Option<&'static str>,
    start: usize,
    end: usize,
    /// Where the part that makes the key ends, once known.
    key_end: Option<usize>,
    /// Brackets that are open.
    stack: Vec<u8>,
    /// True once the full stop or the balancing brace was seen.
    ended: bool,
}

impl Open {
    fn bracket(&mut self, byte: u8) {
        match byte {
            b'(' | b'[' | b'{' => self.stack.push(byte),
            b'}' => {
                if let Some(open) = self.stack.iter().rposition(|b| *b == b'{') {
                    self.stack.truncate(open);
                    if !self.stack.contains(&b'{') {
                        self.stack.clear();
                        self.ended = true;
                    }
                }
            }
            b')' if self.stack.last() == Some(&b'(') => drop(self.stack.pop()),
            b']' if self.stack.last() == Some(&b'[') => drop(self.stack.pop()),
            _ => {}
        }
    }
}

struct Splitter<'t> {
    text: &'t str,
    items: Vec<RawItem>,
    seen: HashMap<String, u32>,
    open: Option<Open>,
}

impl Splitter<'_> {
    /// Takes notice of the byte at `at`; what it stands for ends at `end`.
    fn see(&mut self, at: usize, byte: u8, end: usize, flush_left: bool) {
        let head = if flush_left { self.text.get(at..).and_then(heads::head_of) } else { None };
        let apart = flush_left && !matches!(byte, b'}' | b')' | b']' | b'.');
        let fresh = match &self.open {
            None => true,
            Some(open) => head.is_some() || open.ended && apart,
        };
        if fresh {
            self.close();
        }
        let is_stop = byte == b'.' && self.ends_sentence(at);
        let open = self.open.get_or_insert_with(|| Open {
            head,
            start: at,
            end,
            key_end: None,
            stack: Vec::new(),
            ended: false,
        });
        let top = open.stack.is_empty();
        if top && (is_stop || matches!(byte, b'{' | b':')) {
            open.key_end.get_or_insert(at);
        }
        open.ended |= top && is_stop;
        open.bracket(byte);
        open.end = end;
    }

    /// True unless the dot joins the parts of a section number.
    fn ends_sentence(&self, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        let letter = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
        !(letter(at.checked_sub(1)) && letter(at.checked_add(1)))
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let range = open.start..open.end;
        let body = self.text.get(range.clone()).unwrap_or_default();
        let key = match open.head {
            Some(_) => normal(self.text.get(open.start..open.key_end.unwrap_or(open.end)).unwrap_or_default()),
            None => body.split_whitespace().next().unwrap_or_default().to_owned(),
        };
        let comments = self.comments_above(open.start);
        let seen = self.seen.entry(key.clone()).or_default();
        let ordinal = *seen;
        *seen += 1;
        let error = match open.head {
            Some(_) => depth::check(body).err(),
            None => Some(outside_error(body)),
        };
        self.items.push(RawItem { head: open.head, key, ordinal, range, comments, error });
    }

    fn comments_above(&self, start: usize) -> Range<usize> {
        let floor = self.items.last().map_or(0, |item| item.range.end);
        let above = self.text.get(floor..start).unwrap_or_default();
        let mut first = start;
        // The piece before the first line break stands on the line where the item above ends.
        let mut lines = above.split_inclusive('\n').rev().peekable();
        while let Some(line) = lines.next() {
            let own_line = lines.peek().is_some() || floor == 0;
            if !own_line || !line.trim_start().starts_with("//") || !line.ends_with('\n') {
                break;
            }
            first -= line.len();
        }
        first..start
    }
}

/// The text without comments, with single blanks.
fn normal(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut scan = Scan::new(text);
    let mut last = 0;
    while let Some((at, byte)) = scan.next() {
        if byte == b'\n' {
            continue;
        }
        if at > last && !bytes.is_empty() {
            bytes.push(b' ');
        }
        last = scan.position();
        bytes.extend_from_slice(text.as_bytes().get(at..last).unwrap_or_default());
    }
    String::from_utf8_lossy(&bytes).into_owned()
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
        assert!(items.iter().all(|item| item.error.is_none()));
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
        assert_eq!(
            items[0].error.as_ref().map(|e| (e.code, e.help.as_deref())),
            Some((Code::TextOutsideItem, Some("did you mean `card`?")))
        );
        assert_eq!(items[1].ordinal, 1);
        assert_eq!(items[2].head, Some("card"));
        assert!(split("\u{FEFF}// only\n\n").is_empty());
        assert_eq!(split("\u{FEFF}class a, b.")[0].head, Some("class"));
    }
}
