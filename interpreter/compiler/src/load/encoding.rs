//! In which encoding bytes are that are not UTF-8.

use std::fmt;

/// An encoding that is not UTF-8, as far as bytes tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// What it is called.
    pub name: &'static str,
    /// The first byte that tells.
    pub at: usize,
    /// True if signs of ASCII are the bytes that they are in UTF-8.
    pub holds_ascii: bool,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is {}, not UTF-8", self.name)
    }
}

/// The marks that a text of another encoding may begin with, the longer ones first.
const MARKS: [(&[u8], &str); 4] = [
    (&[0xFF, 0xFE, 0, 0], "UTF-32 (little-endian)"),
    (&[0, 0, 0xFE, 0xFF], "UTF-32 (big-endian)"),
    (&[0xFF, 0xFE], "UTF-16 (little-endian)"),
    (&[0xFE, 0xFF], "UTF-16 (big-endian)"),
];

/// The encoding of bytes; `None` if they are UTF-8.
pub fn encoding(bytes: &[u8]) -> Option<Encoding> {
    let foreign = |name| Some(Encoding { name, at: 0, holds_ascii: false });
    if let Some((_, name)) = MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return foreign(name);
    }
    // Latin letters in two bytes: every other one is zero.
    if let [a, b, c, d, ..] = bytes {
        match (a, b, c, d) {
            (1.., 0, 1.., 0) => return foreign("UTF-16 (little-endian)"),
            (0, 1.., 0, 1..) => return foreign("UTF-16 (big-endian)"),
            _ => {}
        }
    }
    let at = std::str::from_utf8(bytes).err()?.valid_up_to();
    if bytes.contains(&0) {
        return foreign("no text");
    }
    // Latin-1 has no letters and signs there, and Windows-1252 its quotes and dashes.
    let is_windows = bytes.iter().any(|byte| (0x80..0xA0).contains(byte));
    let name = if is_windows { "Windows-1252 or another old encoding" } else { "Latin-1 or another old encoding" };
    Some(Encoding { name, at, holds_ascii: true })
}
