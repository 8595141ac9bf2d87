//! Plain English that is another form here: the rows of `instead.txt`.

use std::sync::LazyLock;

use super::closed;
use super::slot::{Slot, SlotKind, sign_of};

/// A part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// A word or sign as it stands.
    Said(&'static str),
    /// A number.
    Number,
    /// One word, capitalised or not.
    Word,
    /// A label.
    Label,
    /// A few slots, as few as possible.
    Run,
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
    /// Words and the advice of those that are no other words, but another way to say it.
    advice: Vec<(Vec<&'static str>, &'static str)>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { rows: Vec::new(), advice: Vec::new() };
    for line in include_str!("instead.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        if let Some((written, meant)) = line.split_once(" => ") {
            let (meant, why) = match meant.split_once(" -- ") {
                Some((meant, why)) => (meant, Some(why)),
                None => (meant, None),
            };
            let meant = meant.split(" | ").map(pieces).collect();
            table.rows.push(Row { written: pieces(written), meant, why });
        } else if let Some((words, advice)) = line.split_once(": ") {
            table.advice.push((words.split(", ").collect(), advice));
        }
    }
    table
});

fn pieces(text: &'static str) -> Vec<Piece> {
    let piece = |one| match one {
        "#" => Piece::Number,
        "*" => Piece::Word,
        "^" => Piece::Label,
        ".." => Piece::Run,
        "{..}" => Piece::Braced,
        said => Piece::Said(said),
    };
    text.split(' ').filter(|one| !one.is_empty()).map(piece).collect()
}

/// What to say instead of a word of plain English that the language has no use for.
pub(super) fn advice(word: &str) -> Option<&'static str> {
    let row = TABLE.advice.iter().find(|(words, _)| words.contains(&word))?;
    Some(row.1)
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

/// What the rows make of the words that begin at a place, in the order of the table.
pub(super) fn others(slots: &[Slot], at: usize) -> Vec<Other> {
    let mut found = Vec::new();
    for row in &TABLE.rows {
        let Some((to, caught)) = matched(&row.written, slots, at) else { continue };
        for meant in &row.meant {
            let mut taken = [0usize; 4];
            let mut put: Vec<SlotKind> = Vec::new();
            let mut close = false;
            for piece in meant {
                let kind = match piece {
                    Piece::Said(said) => {
                        put.push(slot_of(said));
                        continue;
                    }
                    Piece::Braced => {
                        put.push(SlotKind::Sign("{"));
                        close = true;
                        continue;
                    }
                    Piece::Number => 0,
                    Piece::Word => 1,
                    Piece::Label => 2,
                    Piece::Run => 3,
                };
                let nth = taken.get(kind).copied().unwrap_or_default();
                if let Some(count) = taken.get_mut(kind) {
                    *count += 1;
                }
                let range = caught.iter().filter(|(one, ..)| one == piece).nth(nth);
                put.extend(range.into_iter().flat_map(|(_, a, b)| slots[*a..*b].iter().map(|s| s.kind.clone())));
            }
            found.push(trimmed(slots, Other { from: at, to, put, close, why: row.why }));
        }
    }
    found
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

/// What a pattern catches at a place: where it ends, and what its open parts hold.
fn matched(pattern: &[Piece], slots: &[Slot], at: usize) -> Option<(usize, Vec<(Piece, usize, usize)>)> {
    let Some((piece, rest)) = pattern.split_first() else { return Some((at, Vec::new())) };
    if *piece == Piece::Run {
        return (at + 1..=slots.len().min(at + LONGEST_RUN)).find_map(|end| {
            let (to, mut caught) = matched(rest, slots, end)?;
            caught.insert(0, (Piece::Run, at, end));
            Some((to, caught))
        });
    }
    let here = &slots.get(at)?.kind;
    let fits = match (piece, here) {
        (Piece::Said(said), kind) => *kind == slot_of(said),
        (Piece::Number, SlotKind::Number(_)) => true,
        (Piece::Label, SlotKind::Capital(word)) => closed::is_label(word),
        (Piece::Word, SlotKind::Word(_) | SlotKind::Capital(_)) => true,
        _ => false,
    };
    let (to, mut caught) = matched(rest, slots, at + 1).filter(|_| fits)?;
    if !matches!(piece, Piece::Said(_)) {
        caught.insert(0, (*piece, at, at + 1));
    }
    Some((to, caught))
}
