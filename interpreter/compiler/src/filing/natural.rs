//! The order in which people expect ids and numbers of rules: `AB-9` before `AB-10`, `2.IV.ii` before `2.IV.iii`
//! before `2.V`, `9.2` before `9.10`.
//!
//! An id is read as a row of segments: runs of digits and runs of letters, cut at everything else. Two ids are compared
//! segment by segment, and a row that has ended comes first. A part that is a roman numeral counts as its number:
//! in small letters it is a step of what it stands in and comes before numbers, in capitals it is a part and comes
//! after them. Other letters come last, in the order that the [`Letters`] give, then by the alphabet.

use std::cmp::Ordering;

/// Letters with an order of their own: `W, R` sorts `1.W2` before `1.R1`.
pub type Letters = [String];

/// Where a segment stands among others at its place; the order of the variants is that of the comparison.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Segment<T> {
    /// A roman numeral in small letters.
    Step(u32),
    /// Digits without leading zeros: shorter ones are smaller numbers.
    Number(usize, T),
    /// A roman numeral in capitals.
    Part(u32),
    /// Other letters: their place in the order that is given, and themselves.
    Letters(usize, T),
}

/// Compares two ids. Ids that differ only in how they are written (`A-07`, `A-7`) are ordered by their letters, so that
/// no two different ids are equal.
pub fn compare(one: &str, other: &str, letters: &Letters) -> Ordering {
    segments(one, letters).cmp(&segments(other, letters)).then_with(|| one.cmp(other))
}

/// What sorts an id as [`compare`] does, where no letters have an order of their own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(Vec<Segment<Box<str>>>, Box<str>);

/// The key of an id: for many comparisons it is cut once.
pub(crate) fn key(id: &str) -> Key {
    let owned = |segment| match segment {
        Segment::Step(n) => Segment::Step(n),
        Segment::Number(n, digits) => Segment::Number(n, Box::from(digits)),
        Segment::Part(n) => Segment::Part(n),
        Segment::Letters(n, run) => Segment::Letters(n, Box::from(run)),
    };
    Key(segments(id, &[]).into_iter().map(owned).collect(), Box::from(id))
}

/// True if an id is `beginning` or goes on behind it with another segment: `2.IV` begins `2.IV.i`, but not `2.IVa`.
pub fn begins(id: &str, beginning: &str) -> bool {
    let goes_on = |next: char, last: char| next.is_alphanumeric() && next.is_ascii_digit() == last.is_ascii_digit();
    id.strip_prefix(beginning).zip(beginning.chars().next_back()).is_some_and(|(rest, last)| {
        // What goes on with the same kind of sign is the same segment.
        !rest.chars().next().is_some_and(|next| goes_on(next, last))
    })
}

fn segments<'a>(id: &'a str, letters: &Letters) -> Vec<Segment<&'a str>> {
    let mut found = Vec::new();
    for part in id.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
        if let Some((value, capital)) = roman(part) {
            found.push(if capital { Segment::Part(value) } else { Segment::Step(value) });
            continue;
        }
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let digits = first.is_ascii_digit();
            let end = rest.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(rest.len());
            let (run, after) = rest.split_at(end);
            rest = after;
            found.push(if digits {
                let number = run.trim_start_matches('0');
                Segment::Number(number.len(), number)
            } else {
                Segment::Letters(letters.iter().position(|one| one == run).unwrap_or(letters.len()), run)
            });
        }
    }
    found
}

/// The value of a roman numeral below forty, as numbers of rules have them, and whether it is written in capitals.
/// What is not written as that number is written is none: `iiii`, `vx`, `Iv`.
fn roman(part: &str) -> Option<(u32, bool)> {
    let capital = part.chars().all(|c| matches!(c, 'I' | 'V' | 'X'));
    if !capital && !part.chars().all(|c| matches!(c, 'i' | 'v' | 'x')) {
        return None;
    }
    let lower = part.to_ascii_lowercase();
    let units = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
    let tens = lower.len() - lower.trim_start_matches('x').len();
    let unit = units.iter().position(|unit| Some(*unit) == lower.get(tens..)).filter(|_| tens < 4)?;
    u32::try_from(tens * 10 + unit).ok().map(|value| (value, capital))
}
