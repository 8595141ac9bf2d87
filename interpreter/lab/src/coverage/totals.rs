//! What there is to be covered: the numbers of the rulebook and the sizes of the sets. Facts, kept beside the data.

use netrep_ir::{Diag, Place};

use crate::files::Files;
use crate::problem::{Mended, error};

/// Where the numbers of the rulebook stand, one on a line.
pub const NUMBERS: &str = "rules/numbers.txt";
/// Where the sets stand, each with the number of its cards.
pub const SETS: &str = "cards/sets.txt";

/// What there is to be covered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The numbers of the rulebook, in its order; `None` if no file names them.
    pub numbers: Option<Vec<String>>,
    /// The sets in their order, each with the number of its cards.
    pub sets: Vec<(String, usize)>,
}

impl Totals {
    /// Reads the files of the data; one that is not there names nothing.
    ///
    /// # Errors
    /// Lines that cannot be read.
    pub fn read(files: &Files) -> Result<Totals, Vec<Diag>> {
        let text = |path: &str| files.text(path);
        let mut diags = Vec::new();
        let numbers = text(NUMBERS).map(|text| lines(NUMBERS, &text, &mut diags, number));
        let sets = text(SETS).map(|text| lines(SETS, &text, &mut diags, set)).unwrap_or_default();
        if diags.is_empty() { Ok(Totals { numbers, sets }) } else { Err(diags) }
    }
}

/// What the lines of a file say; those that are empty or remarks say nothing.
fn lines<T>(file: &str, text: &str, diags: &mut Vec<Diag>, read: fn(&str) -> Option<T>) -> Vec<T> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = u32::try_from(at).unwrap_or(u32::MAX);
        at += line.len();
        let bare = line.trim_end();
        if bare.trim_start().is_empty() || bare.starts_with('#') {
            continue;
        }
        match read(bare) {
            Some(one) => found.push(one),
            None => {
                let end = start.saturating_add(u32::try_from(bare.len()).unwrap_or(u32::MAX));
                let place = Place { file: file.to_owned(), start, end };
                let diag = error("unread-total", place, "this line cannot be read");
                diags.push(diag.help("write a rule's number, or the code of a set and the number of its cards"));
            }
        }
    }
    found
}

fn number(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let number = words.next()?;
    words.next().is_none().then(|| number.to_owned())
}

fn set(line: &str) -> Option<(String, usize)> {
    let (code, total) = line.trim().split_once(char::is_whitespace)?;
    Some((code.to_owned(), total.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_remarks_are_not() {
        let mut diags = Vec::new();
        assert_eq!(lines("n.txt", "# All\n1\n\n1.i.2\n", &mut diags, number), ["1", "1.i.2"]);
        assert_eq!(lines("s.txt", "AB 12\nCD\t3\n", &mut diags, set), [("AB".to_owned(), 12), ("CD".to_owned(), 3)]);
        assert!(diags.is_empty());
        assert_eq!(lines("s.txt", "AB 1\nCD three\nEF\n", &mut diags, set).len(), 1);
        let places: Vec<(u32, u32)> = diags.iter().map(|diag| (diag.place.start, diag.place.end)).collect();
        assert_eq!(places, [(5, 13), (14, 16)]);
        assert_eq!(lines("n.txt", "1 2\n", &mut diags, number), Vec::<String>::new());
    }
}
