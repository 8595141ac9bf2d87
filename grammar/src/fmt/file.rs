//! Items and the comments between them: what stands together, and where blank lines go.

use super::layout::{self, Printer};
use super::nodes::{Lexeme, Node, Part, breaks};

/// Own-line comments with the item directly below them; either may be missing, but not both.
#[derive(Default)]
struct Unit<'n> {
    /// True if the author left a blank line above.
    apart: bool,
    comments: Vec<Lexeme>,
    item: Option<&'n [Node]>,
    /// A comment on the line where the item ends.
    trailing: Option<Lexeme>,
}

/// The layout of a whole file, and the work it took.
pub(super) fn file(source: &str, parts: &[Part]) -> (String, usize) {
    let mut text = String::new();
    let mut work = 0;
    let mut tall_above = false;
    for unit in units(parts) {
        let mut printer = Printer::new(source);
        for comment in &unit.comments {
            printer.line(0, false);
            printer.push(comment.text(source).trim_end());
        }
        let mut tall = false;
        if let Some(nodes) = unit.item {
            printer.line(0, false);
            let lines = printer.lines();
            layout::item(&mut printer, nodes);
            tall = printer.lines() > lines;
        }
        if let Some(comment) = unit.trailing {
            printer.trailing(&comment);
        }
        if !text.is_empty() && (unit.apart || tall || tall_above) {
            text.push('\n');
        }
        tall_above = tall;
        work += printer.work;
        text.push_str(&printer.text);
        text.push('\n');
    }
    (text, work)
}

fn units(parts: &[Part]) -> Vec<Unit<'_>> {
    let mut units: Vec<Unit<'_>> = Vec::new();
    for part in parts {
        let breaks = match part {
            Part::Comment(comment) => comment.breaks,
            Part::Item(nodes) => breaks(nodes),
        };
        let last = units.last_mut();
        match part {
            Part::Comment(comment) => match last {
                Some(unit) if unit.item.is_none() && breaks <= 1 => unit.comments.push(*comment),
                Some(unit) if breaks == 0 => unit.trailing = Some(*comment),
                _ => units.push(Unit { apart: breaks > 1, comments: vec![*comment], ..Unit::default() }),
            },
            Part::Item(nodes) => match last {
                Some(unit) if unit.item.is_none() && breaks <= 1 => unit.item = Some(nodes),
                _ => units.push(Unit { apart: breaks > 1, item: Some(nodes), ..Unit::default() }),
            },
        }
    }
    units
}
