//! The nesting limit, checked before anything recursive sees the text.

use crate::error::{Code, SyntaxError};
use crate::tree::Span;

/// How many brackets of any kind may be open at once.
pub const MAX_DEPTH: usize = 64;

/// The error for the first bracket that goes too deep, if there is one. Closing brackets of any kind close one level,
/// so mismatched brackets cannot hide depth from the parser by more than they mislead it.
pub(crate) fn check(text: &str) -> Result<(), SyntaxError> {
    let mut depth = 0usize;
    for (at, byte) in Scan::new(text) {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    let span = Span::new(at as u32, at as u32 + 1);
                    let message = format!("brackets are nested more than {MAX_DEPTH} deep");
                    return Err(
                        SyntaxError::new(Code::DeepNesting, span, message).help("name the inner parts with `define`")
                    );
                }
            }
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// Walks over the bytes of a text that are neither in a comment nor in a quoted name nor blank (line breaks
/// count). A name ends with its
/// line at the latest, so a missing quote costs one line here. Only ASCII bytes are looked at, hence every position
/// is a character boundary unless the byte is above 127.
pub(crate) struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    /// How many bytes were looked at, for the test that the work is linear.
    #[cfg(test)]
    pub(crate) work: usize,
}

impl<'t> Scan<'t> {
    /// Begins at the start of `text`.
    pub(crate) fn new(text: &'t str) -> Self {
        Scan {
            bytes: text.as_bytes(),
            at: 0,
            #[cfg(test)]
            work: 0,
        }
    }

    /// Where the walk stands: one past the last byte it gave, or past the name or comment it skipped.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    fn give(&mut self, at: usize, byte: u8) -> Option<(usize, u8)> {
        #[cfg(test)]
        {
            self.work += self.at - at;
        }
        Some((at, byte))
    }

    fn skip_to(&mut self, any: &[u8]) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|b| any.contains(b)).unwrap_or(rest.len());
    }
}

impl Iterator for Scan<'_> {
    type Item = (usize, u8);

    /// The next byte that counts and its position. An opening quote is given, with the name behind it skipped.
    fn next(&mut self) -> Option<(usize, u8)> {
        loop {
            let at = self.at;
            let byte = *self.bytes.get(at)?;
            self.at += 1;
            match byte {
                b'/' if self.bytes.get(self.at) == Some(&b'/') => self.skip_to(b"\n"),
                b'"' => {
                    self.skip_to(b"\"\n");
                    if self.bytes.get(self.at) == Some(&b'"') {
                        self.at += 1;
                    }
                    return self.give(at, byte);
                }
                b' ' | b'\t' | b'\r' => {}
                0xEF if self.bytes.get(self.at..self.at + 2) == Some(&[0xBB, 0xBF]) => self.at += 2,
                _ => return self.give(at, byte),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn names_and_comments_do_not_count() {
        let inner = "(".repeat(200);
        check(&format!("rule \"{inner}\" // {inner}\n.")).unwrap();
    }

    #[test]
    fn the_limit_is_exact() {
        check(&"(".repeat(MAX_DEPTH)).unwrap();
        let error = check(&"[".repeat(MAX_DEPTH + 1)).unwrap_err();
        assert_eq!(error.code, Code::DeepNesting);
        assert_eq!(error.place, Span::new(64, 65));
    }
}
