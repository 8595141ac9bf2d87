//! Items by what they are called: the order in which a program's ids are given.
//!
//! It hangs neither on files nor on places in them, so that data can be moved and sorted; and words that have been renamed
//! keep the place that they had under the name of before. Where rules ask for an order of clauses (what follows at once,
//! modifiers of one rank), it is this one: cards by id, rules by number, the clauses of an item as it has them.

use std::cmp::Ordering;

use netrep_ir::identity::former;

use super::renamed;
use crate::linking::LinkItem;

/// Sorts items by head and by what they are called.
pub(crate) fn sort(items: &mut [LinkItem]) {
    let renamed = renamed(items);
    items.sort_by_cached_key(|i| Called {
        head: i.item.head.to_string(),
        name: match &*i.item.head {
            "card" | "rule" | "ruling" => i.item.key.to_string(),
            _ => former(&renamed, short(&i.item.key).as_str()),
        },
        whole: former(&renamed, &i.item.key),
    });
}

/// What an item is called.
#[derive(PartialEq, Eq)]
struct Called {
    head: String,
    name: String,
    /// With its parameters and forms.
    whole: String,
}

impl Ord for Called {
    fn cmp(&self, other: &Self) -> Ordering {
        let heads = self.head.cmp(&other.head);
        heads.then_with(|| natural(&self.name, &other.name)).then_with(|| self.whole.cmp(&other.whole))
    }
}

impl PartialOrd for Called {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares ids and numbers of rules as people do: `A-9` before `A-10`, `2.IV.ii` before `2.IV.iii` and `2.V`, `9.2` before
/// `9.10`, and a number before what stands under it. What looks equal is compared by its letters.
pub fn natural(a: &str, b: &str) -> Ordering {
    parts(a).cmp(parts(b)).then_with(|| a.cmp(b))
}

/// A part of an id.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'t> {
    Number(u64),
    Word(&'t str),
}

/// The parts of an id: runs of digits, and runs of letters, of which Roman numerals count as numbers where they are a whole
/// segment.
fn parts(id: &str) -> impl Iterator<Item = Part<'_>> {
    id.split(['.', '-', ' ']).flat_map(|segment| {
        let mut rest = segment;
        std::iter::from_fn(move || {
            let first = rest.chars().next()?;
            let same = |c: char| c.is_ascii_digit() == first.is_ascii_digit();
            let (run, behind) = rest.split_at(rest.find(|c| !same(c)).unwrap_or(rest.len()));
            rest = behind;
            let number = run.parse().ok().or_else(|| roman(run).filter(|_| run == segment));
            Some(number.map_or(Part::Word(run), Part::Number))
        })
    })
}

/// The value of a Roman numeral, all in capitals or all small.
fn roman(text: &str) -> Option<u64> {
    let mut total = 0;
    let mut last = 0;
    for c in text.chars().rev() {
        let value = match c.to_ascii_lowercase() {
            'i' => 1,
            'v' => 5,
            'x' => 10,
            _ => return None,
        };
        if value < last {
            total -= value
        } else {
            total += value
        }
        last = last.max(value);
    }
    let one_case = text.chars().all(char::is_uppercase) || text.chars().all(char::is_lowercase);
    (total > 0 && one_case).then_some(total)
}

/// A declaration's words up to its further forms, without its parameters: `(thing X) hold, holds` is `hold`.
pub(super) fn short(key: &str) -> String {
    let mut depth = 0u32;
    let mut plain = String::new();
    for c in key.chars() {
        match c {
            ',' if depth == 0 => break,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_in_the_order_in_which_people_read_them() {
        let read = [
            "1.2",
            "1.10",
            "2",
            "2.I",
            "2.II.1",
            "2.II.2.B1",
            "2.II.2.W1",
            "2.IV.i",
            "2.IV.ii",
            "2.IV.iv",
            "2.IV.ix",
            "2.V",
            "3.4",
            "3.i",
            "3.i.4",
            "10",
            "A-1",
            "A-9",
            "A-10",
            "B-2",
            "g.man",
            "g.man.2",
            "g.word",
        ];
        let mut sorted = read;
        sorted.reverse();
        sorted.sort_by(|a, b| natural(a, b));
        assert_eq!(sorted, read);
    }

    #[test]
    fn what_a_word_is_called_is_short() {
        assert_eq!(short("(thing X) hold, holds, held"), "hold");
        assert_eq!(short("weight of (thing X)"), "weight of");
    }
}
