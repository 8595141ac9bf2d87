//! Line breaking: greedy, with a look back for the best place in the last part of each line.

use super::layout::Printer;
use super::sentence::{Break, Piece};
use super::spacing::Gap;
use super::{STEP, WIDTH};

/// Prints pieces at the current place of `printer`, whose line is indented by `indent`.
pub(super) fn wrap(printer: &mut Printer<'_>, pieces: &[Piece<'_>], indent: usize) {
    // The indents of statements that stand on lines of their own, innermost last.
    let mut levels = vec![indent];
    let mut rest = pieces;
    let mut before = None;
    while !rest.is_empty() {
        let end = rest.iter().skip(1).position(|piece| !matches!(piece.before, Break::After(_)));
        let (segment, behind) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
        rest = behind;
        let level = levels.last().copied().unwrap_or(indent);
        let start = match before {
            None => indent,
            Some(Break::Forced) => level + STEP,
            Some(Break::Close) if levels.len() > 1 => {
                levels.pop();
                level - STEP
            }
            _ => level,
        };
        let continued = if before == Some(Break::Forced) { start } else { start + STEP };
        if before.is_some() {
            printer.line(start, false);
        }
        let statement = line_by_line(printer, segment, start, continued);
        if segment.iter().any(|piece| piece.opens) {
            levels.push(statement + STEP);
        }
        before = rest.first().map(|piece| piece.before);
    }
}

/// Prints pieces as a paragraph whose lines all have the same indent.
pub(super) fn fill(printer: &mut Printer<'_>, pieces: &[Piece<'_>], indent: usize) {
    line_by_line(printer, pieces, indent, indent);
}

/// Prints a segment without forced breaks. Gives the indent of the line on which the statement begins that the segment
/// leads to: what its braces hold stands one level deeper than that, however many lines come before the brace.
fn line_by_line(printer: &mut Printer<'_>, mut segment: &[Piece<'_>], start: usize, continued: usize) -> usize {
    let mut indent = start;
    // Of the statement inside each open bracket, innermost last; and whether one has just ended.
    let mut begun = vec![start];
    let mut ended = false;
    loop {
        let cut = cut(printer, segment, indent);
        let (line, behind) = segment.split_at(cut);
        for (at, piece) in line.iter().enumerate() {
            if at > 0 && piece.before != Break::After(Gap::Joined) {
                printer.push(" ");
            }
            printer.push(piece.text);
            // A brace behind a colon belongs to the words before it.
            if std::mem::replace(&mut ended, matches!(piece.text, ":" | ";"))
                && piece.text != "{"
                && let Some(statement) = begun.last_mut()
            {
                *statement = indent;
            }
            match piece.text {
                "(" | "[" | "{" if !piece.opens => begun.push(indent),
                ")" | "]" | "}" if begun.len() > 1 => drop(begun.pop()),
                _ => {}
            }
        }
        if behind.is_empty() {
            return begun.last().copied().unwrap_or(start);
        }
        segment = behind;
        indent = continued;
        printer.line(indent, false);
    }
}

/// How many pieces go on this line.
fn cut(printer: &mut Printer<'_>, segment: &[Piece<'_>], indent: usize) -> usize {
    let late = indent + (WIDTH.saturating_sub(indent)) * 11 / 20;
    let mut column = indent;
    let mut best: Option<(u8, usize)> = None;
    for (at, piece) in segment.iter().enumerate() {
        printer.work += 1;
        if let (Break::After(Gap::Blank(worth)), true) = (piece.before, at > 0) {
            // Early in the line any break is as bad as any other.
            let worth = if column >= late { worth + 1 } else { 0 };
            if best.is_none_or(|(other, _)| worth >= other) && column <= WIDTH {
                best = Some((worth, at));
            }
        }
        let blank = usize::from(at > 0 && piece.before != Break::After(Gap::Joined));
        column += if piece.comment { 0 } else { blank + piece.text.chars().count() };
        if column > WIDTH {
            match best {
                Some((_, at)) => return at,
                // A single long token: break at the first place behind it.
                None => continue,
            }
        }
    }
    segment.len()
}
