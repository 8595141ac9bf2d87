//! Items and the comments between them: what stands together, and where blank lines go.

use super::layout::{self, Printer};
use crate::lex::{Lex, Lexeme};
use crate::nest::{Group, Node};

/// Own-line comments with the item directly below them; either may be missing, but not both.
#[derive(Default)]
struct Unit<'n> {
    /// True if the author left a blank line above.
    apart: bool,
    comments: Vec<Lexeme>,
    item: Option<(&'n [Node], Option<&'n Group>)>,
    /// A comment on the line where the item ends.
    trailing: Option<Lexeme>,
}

/// The layout of a whole file, and the work it took.
pub(super) fn file(source: &str, nodes: &[Node]) -> (String, usize) {
    let mut text = String::new();
    let mut work = 0;
    let mut tall_above = false;
    for unit in units(nodes) {
        let mut printer = Printer::new(source);
        for comment in &unit.comments {
            printer.line(0, false);
            printer.push(comment.text(source).trim_end());
        }
        let mut tall = false;
        if let Some((words, body)) = unit.item {
            printer.line(0, false);
            let lines = printer.lines();
            layout::item(&mut printer, words, body);
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

fn units(nodes: &[Node]) -> Vec<Unit<'_>> {
    let mut units: Vec<Unit<'_>> = Vec::new();
    let mut rest = nodes;
    while let Some(first) = rest.first() {
        let breaks = first.first().breaks;
        let open = units.last_mut().filter(|unit| unit.item.is_none() && breaks <= 1);
        if let Node::Leaf(comment) = first
            && comment.lex == Lex::Comment
        {
            rest = rest.get(1..).unwrap_or_default();
            if let Some(unit) = open {
                unit.comments.push(*comment);
            } else if let Some(unit) = units.last_mut().filter(|_| breaks == 0) {
                unit.trailing = Some(*comment);
            } else {
                units.push(Unit { apart: breaks > 1, comments: vec![*comment], ..Unit::default() });
            }
            continue;
        }
        let end = rest.iter().position(|node| node.leaf() == Some(Lex::Stop) || layout::braces(node).is_some());
        let (item, below) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
        rest = below;
        let item = match item.split_last() {
            Some((last, words)) if layout::braces(last).is_some() => (words, layout::braces(last)),
            _ => (item, None),
        };
        match open {
            Some(unit) => unit.item = Some(item),
            None => units.push(Unit { apart: breaks > 1, item: Some(item), ..Unit::default() }),
        }
    }
    units
}
