//! The order in which people expect ids and numbers of rules: `AB-9` before `AB-10`, `2.IV.ii` before `2.IV.iii`
//! before `2.V`, `9.2` before `9.10`.
//!
//! An id is read as a row of segments: runs of digits and runs of letters, cut at everything else. Two ids are compared
//! segment by segment, and a row that has ended comes first. A part that is a roman numeral counts as its number:
//! in small letters it is a step of what it stands in and comes before numbers, in capitals it is a part and comes
//! after them. Other letters come last, in the order that the [`Letters`] give, then by the alphabet.

use std::cmp::Ordering;

/// Letters with an order of their own: `W, R` sorts `1.W2` before `1.R1`.
pub(crate) type Letters = [String];

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
pub(crate) fn compare(one: &str, other: &str, letters: &Letters) -> Ordering {
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
pub(crate) fn begins(id: &str, beginning: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(ids: &[&str], letters: &Letters) -> bool {
        ids.windows(2).all(|pair| compare(pair[0], pair[1], letters) == Ordering::Less)
    }

    #[test]
    fn ids_and_numbers_are_in_natural_order() {
        assert!(sorted(&["AB-9", "AB-10", "AB-100", "AC-1"], &[]));
        assert!(sorted(&["2.IV.ii", "2.IV.iii", "2.IV.iv", "2.IV.ix", "2.IV.x", "2.V", "2.IX", "2.X"], &[]));
        assert!(sorted(&["9", "9.1", "9.2", "9.2.1", "9.10", "9.10.3", "10", "g.a.1", "g.b.1"], &[]));
        assert!(sorted(&["3", "3.i", "3.v", "3.1", "3.1.1", "3.2", "3.I.1", "3.V", "3.V.i", "3.V.1", "3.V.W1"], &[]));
        assert!(sorted(&["1.B1", "1.F1", "1.R1", "1.W1", "1.W2", "1.W10"], &[]));
        let letters = ["W", "R", "F", "B"].map(str::to_owned);
        assert!(sorted(&["1.4", "1.W1", "1.W2", "1.R1", "1.F1", "1.B1", "1.A1", "1.Z1"], &letters));
        assert!(sorted(&["A-007", "A-07", "A-7", "A-8"], &[]), "the same number is ordered by its letters");
    }

    #[test]
    fn only_numerals_as_they_are_written_count() {
        assert_eq!(roman("xxxix"), Some((39, false)));
        assert_eq!(roman("IV"), Some((4, true)));
        for other in ["iiii", "vx", "Iv", "iva", "xxxx", "W"] {
            assert_eq!(roman(other), None, "{other}");
        }
    }

    #[test]
    fn a_beginning_ends_with_a_segment() {
        assert!(begins("2.IV", "2.IV") && begins("2.IV.i", "2.IV") && begins("AB-12", "AB") && begins("1.3", "1"));
        assert!(begins("AB12", "AB") && begins("1a", "1"));
        assert!(!begins("2.IVa", "2.IV") && !begins("10.1", "1") && !begins("ABC-1", "AB") && !begins("AB-1", ""));
    }
}
