//! Pages that explain a diagnostic: what it means, an example that triggers it, how to mend it.
//!
//! An example stands in a fence, ```` ```netrep ```` for a text of the language and ```` ```scenario ```` for a position.
//! Tests of those who give the code compile or play it, and find this code and no other.

/// A page of `netrep explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The text, in Markdown.
    pub text: &'static str,
}

impl Page {
    /// What the code means, in one line: the first paragraph.
    pub fn meaning(self) -> &'static str {
        // total: a page without it does not compile (`stands_alone`).
        self.text.lines().nth(2).unwrap_or_default()
    }

    /// How to mend it: the last paragraph before any second heading. Serves as the help line of a diagnostic that has none of
    /// its own.
    pub fn mend(self) -> &'static str {
        let first = match self.text.split_once("\n\n## ") {
            Some((first, _)) => first.trim_end(),
            None => self.text.trim_end(),
        };
        match first.rsplit_once("\n\n") {
            Some((_, last)) => last,
            None => first,
        }
    }

    /// The example in a fence of this language, if there is one.
    pub fn example(self, language: &str) -> Option<&'static str> {
        let opening = format!("```{language}\n");
        let (_, rest) = self.text.split_once(opening.as_str())?;
        rest.split_once("\n```").map(|(example, _)| example)
    }
}

/// True if a page begins with `# NAME`, a blank line, a line, and a blank line.
pub const fn stands_alone(name: &str, page: &str) -> bool {
    let (name, page) = (name.as_bytes(), page.as_bytes());
    let start = name.len() + 4;
    if page.len() <= start || page[0] != b'#' || page[1] != b' ' || page[start - 2] != b'\n' || page[start - 1] != b'\n'
    {
        return false;
    }
    let mut at = 0;
    while at < name.len() {
        if page[at + 2] != name[at] {
            return false;
        }
        at += 1;
    }
    at = start;
    while at + 1 < page.len() && page[at] != b'\n' {
        at += 1;
    }
    at > start && at + 1 < page.len() && page[at + 1] == b'\n'
}

/// True if two lists of names are equal.
pub const fn same_names(a: &[&str], b: &[&str]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        let (x, y) = (a[i].as_bytes(), b[i].as_bytes());
        if x.len() != y.len() {
            return false;
        }
        let mut j = 0;
        while j < x.len() {
            if x[j] != y[j] {
                return false;
            }
            j += 1;
        }
        i += 1;
    }
    true
}
