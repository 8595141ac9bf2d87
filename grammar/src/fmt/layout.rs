//! Items, blocks and clauses.

use super::nodes::{Group, Lexeme, Node, without_clauses};
use super::sentence::{self, Break, Piece};
use super::spacing::Gap;
use super::wrap::wrap;
use super::{STEP, WIDTH};
use crate::heads;

/// A block longer than this in the source is not tried on one line: it could only fit if it were mostly blanks.
const TRY: usize = 8 * WIDTH;

/// The text so far.
pub(super) struct Printer<'s> {
    source: &'s str,
    /// What was printed.
    pub(super) text: String,
    /// How many pieces were looked at.
    pub(super) work: usize,
    lines: usize,
}

impl<'s> Printer<'s> {
    /// With nothing printed yet.
    pub(super) fn new(source: &'s str) -> Self {
        Printer { source, text: String::new(), work: 0, lines: 0 }
    }

    /// Begins a line, below a blank one if `apart`.
    pub(super) fn line(&mut self, indent: usize, apart: bool) {
        if !self.text.is_empty() {
            self.text.push('\n');
            self.lines += 1;
            if apart {
                self.text.push('\n');
            }
        }
        self.text.extend(std::iter::repeat_n(' ', indent));
    }

    /// Adds to the line.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a comment to the line.
    pub(super) fn trailing(&mut self, comment: &Lexeme) {
        self.text.push(' ');
        self.text.push_str(comment.text(self.source).trim_end());
    }

    /// How many lines are finished.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }
}

/// Prints an item: its head and header, then its body or nothing more.
pub(super) fn item(printer: &mut Printer<'_>, nodes: &[Node]) {
    let Some((body, words)) = nodes.split_last().and_then(|(last, words)| Some((last.block()?, words))) else {
        let pieces = sentence::pieces(printer.source, nodes, None);
        return wrap(printer, &pieces, 0);
    };
    let is_list = words.first().and_then(Node::first).is_some_and(|head| heads::is_list(head.text(printer.source)));
    if one_line(printer, words, body, 0) {
        return;
    }
    headed(printer, words, body, 0, |printer| {
        if is_list && is_plain_list(&body.nodes) {
            list(printer, &body.nodes);
        } else {
            clauses(printer, &body.nodes, STEP);
        }
    });
}

/// Prints a head, an opening brace, what `inner` prints, and the closing brace on its own line.
fn headed(
    printer: &mut Printer<'_>,
    words: &[Node],
    body: &Group,
    indent: usize,
    inner: impl FnOnce(&mut Printer<'_>),
) {
    let pieces = sentence::pieces(printer.source, words, Some(body.open));
    wrap(printer, &pieces, indent);
    if body.nodes.is_empty() {
        return printer.push(" }");
    }
    inner(printer);
    printer.line(indent, false);
    printer.push("}");
}

/// Prints a block on one line if the author did and it fits.
fn one_line(printer: &mut Printer<'_>, words: &[Node], body: &Group, indent: usize) -> bool {
    let start = words.first().and_then(Node::first).unwrap_or(body.open).start;
    let plain = words.iter().all(|node| !node.is_comment() && !node.group().is_some_and(|group| group.spread));
    if !body.one_line || !plain || body.close.end - start > TRY {
        return false;
    }
    let mut text = sentence::flat(printer.source, words);
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(&sentence::flat(printer.source, &[Node::Group(body.clone())]));
    let fits = indent + text.chars().count() <= WIDTH;
    if fits {
        printer.push(&text);
    }
    fits
}

/// Prints the clauses of a body, each on a new line.
fn clauses(printer: &mut Printer<'_>, nodes: &[Node], indent: usize) {
    let mut first = true;
    for node in nodes {
        let Some(next) = node.first() else { continue };
        if next.is_comment() && next.breaks == 0 {
            printer.trailing(&next);
            continue;
        }
        printer.line(indent, next.breaks > 1 && !first);
        first = false;
        match node {
            Node::Clause(nodes) => clause(printer, nodes, indent),
            _ => printer.push(next.text(printer.source).trim_end()),
        }
    }
}

fn clause(printer: &mut Printer<'_>, nodes: &[Node], indent: usize) {
    match nodes.split_last().and_then(|(last, words)| Some((last.block()?, words))) {
        Some((block, words)) => {
            if !one_line(printer, words, block, indent) {
                headed(printer, words, block, indent, |printer| clauses(printer, &block.nodes, indent + STEP));
            }
        }
        None => {
            let pieces = sentence::pieces(printer.source, nodes, None);
            wrap(printer, &pieces, indent);
        }
    }
}

/// True if nothing but sentences without comments stands in the list.
fn is_plain_list(nodes: &[Node]) -> bool {
    without_clauses(nodes)
        .all(|node| !node.is_comment() && node.group().is_none_or(|group| !group.spread && !group.is_block))
}

/// Prints the entries of a list, as many to a line as fit.
fn list(printer: &mut Printer<'_>, nodes: &[Node]) {
    let entries: Vec<String> =
        nodes.iter().map(|entry| sentence::flat(printer.source, std::slice::from_ref(entry))).collect();
    let piece = |text| Piece { before: Break::After(Gap::Blank(1)), text, opens: false, comment: false };
    let pieces: Vec<Piece<'_>> = entries.iter().map(|entry| piece(entry.as_str())).collect();
    // One flat paragraph: its lines all have the same indent.
    printer.line(STEP, false);
    super::wrap::fill(printer, &pieces, STEP);
}
