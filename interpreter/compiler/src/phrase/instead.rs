//! Plain English that is another form here: the rows of `instead.txt`.

use std::sync::LazyLock;

use super::closed;
use super::slot::{Slot, SlotKind, sign_of};

/// A part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// A word or sign as it stands.
    Said(&'static str),
    /// A number, and which of those that are written.
    Number(usize),
    /// One word, capitalised or not.
    Word(usize),
    /// A label.
    Label(usize),
    /// A few slots, as few as possible.
    Run(usize),
    /// All that is left, and a closing brace behind it.
    Braced,
}

/// What authors write, and what they mean by it.
struct Row {
    written: Vec<Piece>,
    meant: Vec<Vec<Piece>>,
    why: Option<&'static str>,
}

/// The table, read.
struct Table {
    rows: Vec<Row>,
    /// Patterns, and the advice for what is no other words, but another way to say it.
    advice: Vec<(Vec<Piece>, &'static str)>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { rows: Vec::new(), advice: Vec::new() };
    for line in include_str!("instead.txt").lines().filter(|line| !line.starts_with("//") && !line.is_empty()) {
        if let Some((written, meant)) = line.split_once(" => ") {
            let (meant, why) = match meant.split_once(" -- ") {
                Some((meant, why)) => (meant, Some(why)),
                None => (meant, None),
            };
            let meant = meant.split(" | ").map(pieces).collect();
            table.rows.push(Row { written: pieces(written), meant, why });
        } else if let Some((words, advice)) = line.split_once(": ") {
            table.advice.extend(words.split(", ").map(|words| (pieces(words), advice)));
        }
    }
    table
});

fn pieces(text: &'static str) -> Vec<Piece> {
    let mut counts = [0usize; 4];
    let mut next = |kind: usize| {
        let count = &mut counts[kind];
        *count += 1;
        *count - 1
    };
    let mut piece = |one: &'static str| match one {
        "#" => Piece::Number(next(0)),
        "#2" => Piece::Number(1),
        "*" => Piece::Word(next(1)),
        "*2" => Piece::Word(1),
        "^" => Piece::Label(next(2)),
        ".." => Piece::Run(next(3)),
        "{..}" => Piece::Braced,
        said => Piece::Said(said.strip_prefix('\\').unwrap_or(said)),
    };
    text.split(' ').filter(|one| !one.is_empty()).map(&mut piece).collect()
}

/// What to say instead of the plain English that begins at a place, and where it ends.
pub(super) fn advice(slots: &[Slot], at: usize) -> Option<(usize, &'static str)> {
    TABLE.advice.iter().find_map(|(pattern, advice)| Some((matched(pattern, slots, at)?.0, *advice)))
}

/// A part of a sentence, and what may be meant by it.
pub(super) struct Other {
    /// The slots that are replaced.
    pub from: usize,
    /// Up to here.
    pub to: usize,
    /// What stands there then.
    pub put: Vec<SlotKind>,
    /// A closing brace ends the sentence.
    pub close: bool,
    /// The reason, where the words do not tell.
    pub why: Option<&'static str>,
}

/// So many slots at most are moved as one.
const LONGEST_RUN: usize = 12;

/// What the rows make of the words at these places: row for row, in the order of the table.
pub(super) fn others<'s>(slots: &'s [Slot], places: &'s [usize]) -> impl Iterator<Item = Other> + 's {
    TABLE.rows.iter().flat_map(move |row| {
        places.iter().filter_map(move |at| Some((*at, matched(&row.written, slots, *at)?))).flat_map(
            move |(at, (to, caught))| {
                let meant = row.meant.iter().map(move |meant| (meant, caught.clone()));
                meant.map(move |(meant, caught)| {
                    let (put, close) = filled(meant, slots, &caught);
                    trimmed(slots, Other { from: at, to, put, close, why: row.why })
                })
            },
        )
    })
}

/// What a pattern catches: its open parts, with where each begins and ends.
type Catch = Vec<(Piece, usize, usize)>;

/// What is meant, with what was caught in its open parts, and whether a brace closes it.
fn filled(meant: &[Piece], slots: &[Slot], caught: &Catch) -> (Vec<SlotKind>, bool) {
    let mut put: Vec<SlotKind> = Vec::new();
    for piece in meant {
        match piece {
            Piece::Said(said) => put.push(slot_of(said)),
            Piece::Braced => put.push(SlotKind::Sign("{")),
            open => {
                let range = caught.iter().find(|(one, ..)| one == open);
                put.extend(range.into_iter().flat_map(|(_, a, b)| slots[*a..*b].iter().map(|s| s.kind.clone())));
            }
        }
    }
    (put, meant.contains(&Piece::Braced))
}

/// Without the slots at both ends that stay as they are.
fn trimmed(slots: &[Slot], mut other: Other) -> Other {
    while other.from < other.to && other.put.first() == Some(&slots[other.from].kind) {
        other.put.remove(0);
        other.from += 1;
    }
    while other.from < other.to && other.put.last() == Some(&slots[other.to - 1].kind) {
        other.put.pop();
        other.to -= 1;
    }
    other
}

fn slot_of(said: &'static str) -> SlotKind {
    match (said.parse::<i64>(), sign_of(said)) {
        (Ok(number), _) => SlotKind::Number(number),
        (_, Some(sign)) => SlotKind::Sign(sign),
        _ if said.starts_with(char::is_uppercase) => SlotKind::Capital(said.to_owned()),
        _ => SlotKind::Word(said.to_owned()),
    }
}

/// Where a pattern that fits at a place ends, and what it catches.
fn matched(pattern: &[Piece], slots: &[Slot], at: usize) -> Option<(usize, Catch)> {
    let Some((piece, rest)) = pattern.split_first() else { return Some((at, Vec::new())) };
    if let Piece::Run(_) = piece {
        return (at + 1..=slots.len().min(at + LONGEST_RUN)).find_map(|end| {
            let (to, mut caught) = matched(rest, slots, end)?;
            caught.insert(0, (*piece, at, end));
            Some((to, caught))
        });
    }
    let fits = match (piece, &slots.get(at)?.kind) {
        (Piece::Said(said), SlotKind::Other) => *said == "?",
        (Piece::Said(said), kind) => *kind == slot_of(said),
        (Piece::Number(_), SlotKind::Number(_)) => true,
        (Piece::Label(_), SlotKind::Capital(word)) => closed::is_label(word),
        (Piece::Word(_), SlotKind::Word(_) | SlotKind::Capital(_)) => true,
        _ => false,
    };
    let (to, mut caught) = matched(rest, slots, at + 1).filter(|_| fits)?;
    if !matches!(piece, Piece::Said(_)) {
        caught.insert(0, (*piece, at, at + 1));
    }
    Some((to, caught))
}
