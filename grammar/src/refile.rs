//! Moving items between files and into an order, with everything that belongs to them and without a change of a letter.
//!
//! What moves is a *piece*: an item, the comments above it, and the comment on the line where it ends. The comment with
//! which a file begins, set apart by a blank line, stays with the file, and so does what stands below the last item.
//! Where items belong is asked of the caller; what nobody says anything about stays in its file.

use crate::split::{first_line, split};
use crate::{RawItem, parse_item};
use std::collections::{BTreeMap, BTreeSet};

/// Where an item belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The path of its file.
    pub file: String,
    /// Its place among the items of that file: the items with a seat stand there by this number.
    pub place: usize,
}

/// A file that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refiled {
    /// Its path.
    pub path: String,
    /// Its text; `None` if nothing is left in it, so that it is to be removed.
    pub text: Option<String>,
    /// True if all its items have left it, and only comments stay.
    pub comments_only: bool,
}

/// What becomes of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refiling {
    /// The files that change, by path.
    pub changed: Vec<Refiled>,
    /// Files that cannot be read as they stand: no item leaves or enters them.
    pub broken: Vec<String>,
}

/// Files of which one, written anew, would not read as the same items: nothing may be moved. Holds its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotTheSame(pub String);

impl std::fmt::Display for NotTheSame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} would not read as the same items; nothing is moved", self.0)
    }
}

impl std::error::Error for NotTheSame {}

/// Moves the items of files (path and text) to where they belong. `seat` is asked with the path of a file and the
/// number of an item in it, as [`crate::split()`] counts them.
///
/// A file in which all items stand where they belong stays as it is. In one that changes, the items without a seat that
/// stand before all others stay there; the others follow those with a seat, in the order in which they stood.
///
/// # Errors
/// If a file would not read as the same items with the same comments.
pub fn refile(files: &[(&str, &str)], seat: &dyn Fn(&str, usize) -> Option<Seat>) -> Result<Refiling, NotTheSame> {
    let mut cut: BTreeMap<&str, Parts<'_>> = BTreeMap::new();
    let mut broken = BTreeSet::new();
    for (path, text) in files {
        let items = split(text);
        if items.iter().all(|item| reads(text, item)) {
            cut.insert(path, Parts::new(text, &items));
        } else {
            broken.insert((*path).to_owned());
        }
    }
    // A file from which everything goes is written too.
    let mut now: BTreeMap<String, Vec<Placed<'_>>> = cut.keys().map(|path| ((*path).to_owned(), Vec::new())).collect();
    let mut arrived: BTreeSet<String> = BTreeSet::new();
    for (path, parts) in &cut {
        for (nth, piece) in parts.pieces.iter().enumerate() {
            let due = seat(path, nth).filter(|seat| !broken.contains(&seat.file));
            let placed = Placed { piece, place: due.as_ref().map(|seat| seat.place) };
            let file = due.map_or_else(|| (*path).to_owned(), |seat| seat.file);
            if file != *path {
                arrived.insert(file.clone());
            }
            now.entry(file).or_default().push(placed);
        }
    }
    let mut changed = Vec::new();
    for (path, mut pieces) in now {
        let parts = cut.get(path.as_str());
        let in_order = pieces.iter().filter_map(|one| one.place).is_sorted();
        let all_here = parts.is_some_and(|parts| parts.pieces.len() == pieces.len()) && !arrived.contains(&path);
        if in_order && all_here {
            continue;
        }
        if !in_order || arrived.contains(&path) {
            in_turn(&mut pieces);
        }
        changed.push(written(&path, parts, &pieces)?);
    }
    Ok(Refiling { changed, broken: broken.into_iter().collect() })
}

/// An item with what belongs to it.
struct Piece<'t> {
    /// The comments above it, also those that a blank line sets apart, the item, and the comment on its last line.
    text: &'t str,
    /// The item alone.
    item: &'t str,
    /// The comments directly above it.
    comments: &'t str,
    /// True if the author left a blank line above.
    apart: bool,
}

/// A piece and its place among those of its file, if it has one.
#[derive(Clone, Copy)]
struct Placed<'p> {
    piece: &'p Piece<'p>,
    place: Option<usize>,
}

/// A file, cut into what moves and what stays.
struct Parts<'t> {
    /// The comment with which it begins.
    head: &'t str,
    pieces: Vec<Piece<'t>>,
    /// The comments below the last item, with the blank lines above them.
    tail: &'t str,
}

/// The mark that some editors put at the start of a file.
const BYTE_ORDER_MARK: char = '\u{FEFF}';

impl<'t> Parts<'t> {
    fn new(text: &'t str, items: &[RawItem]) -> Parts<'t> {
        let part = |from: usize, to: usize| &text[from..to];
        let mut parts = Parts { head: "", pieces: Vec::new(), tail: "" };
        let mut from = 0;
        for item in items {
            let above = part(from, item.comments.start);
            // What is set apart at the top of a file is about the file.
            let own = if parts.pieces.is_empty() {
                parts.head = above.trim_matches(|c: char| c.is_whitespace() || c == BYTE_ORDER_MARK);
                item.comments.start
            } else {
                from + (above.len() - above.trim_start().len())
            };
            let gap = part(from, own);
            let line = first_line(part(item.range.end, text.len()));
            let behind = if line.trim_start().starts_with("//") { line.trim_end().len() } else { 0 };
            let end = item.range.end + behind;
            parts.pieces.push(Piece {
                text: part(own, end),
                item: part(item.range.start, item.range.end),
                comments: part(item.comments.start, item.range.start),
                apart: gap.matches('\n').count() > 1,
            });
            from = end;
        }
        // Nothing stands above the first item: it is as far apart as the next one is from it.
        let next = parts.pieces.get(1).is_none_or(|next| next.apart);
        if let Some(first) = parts.pieces.first_mut().filter(|_| parts.head.is_empty()) {
            first.apart = next;
        }
        let rest = part(from, text.len()).trim_end();
        (parts.head, parts.tail) = if items.is_empty() { (rest.trim_start(), "") } else { (parts.head, rest) };
        parts
    }
}

/// True if an item can be cut out of its file and put into another one.
fn reads(text: &str, item: &RawItem) -> bool {
    let body = &text[item.range.clone()];
    item.head.is_some() && parse_item(body).1.is_empty()
}

/// Puts pieces in order: those without a place that stand before all others, those with one, the rest.
fn in_turn(pieces: &mut Vec<Placed<'_>>) {
    let first = pieces.iter().position(|one| one.place.is_some()).unwrap_or(pieces.len());
    let mut rest = pieces.split_off(first);
    // Sorting is stable: what has no place keeps its order.
    rest.sort_by_key(|one| (one.place.is_none(), one.place));
    pieces.append(&mut rest);
}

/// The file with these pieces.
fn written(path: &str, parts: Option<&Parts<'_>>, pieces: &[Placed<'_>]) -> Result<Refiled, NotTheSame> {
    let (head, tail) = match parts {
        Some(parts) => (parts.head, parts.tail),
        None => ("", ""),
    };
    let mut text = String::new();
    let mut below_tall = !head.is_empty();
    if !head.is_empty() {
        text.push_str(head);
        text.push('\n');
    }
    for Placed { piece, .. } in pieces {
        let tall = piece.item.contains('\n');
        if !text.is_empty() && (piece.apart || tall || below_tall) {
            text.push('\n');
        }
        below_tall = tall;
        text.push_str(piece.text);
        text.push('\n');
    }
    if text.is_empty() {
        text.push_str(tail.trim_start());
    } else if !tail.is_empty() {
        // The line break that ends the last item's line is there already.
        text.push_str(tail.strip_prefix("\r\n").or_else(|| tail.strip_prefix('\n')).unwrap_or(tail));
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let again = split(&text);
    let same = |(item, one): (&RawItem, &Placed<'_>)| {
        text.get(item.range.clone()) == Some(one.piece.item)
            && text.get(item.comments.clone()).map(lines) == Some(lines(one.piece.comments))
    };
    if again.len() != pieces.len() || !again.iter().zip(pieces).all(same) {
        return Err(NotTheSame(path.to_owned()));
    }
    let comments_only = pieces.is_empty() && !text.is_empty();
    Ok(Refiled { path: path.to_owned(), text: Some(text).filter(|text| !text.is_empty()), comments_only })
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}
