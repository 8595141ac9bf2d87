//! Items, blocks and clauses.

use super::sentence::{self, Break, Piece};
use super::spacing::Gap;
use super::wrap::wrap;
use super::{STEP, WIDTH};
use crate::heads;
use crate::lex::{Delimiter, Lex, Lexeme};
use crate::nest::{Group, Node};

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

/// The group in braces that `node` is, if it is one.
pub(super) fn braces(node: &Node) -> Option<&Group> {
    node.group().filter(|group| group.delimiter == Delimiter::Brace)
}

/// Prints an item: its head and header, then its body or nothing more.
pub(super) fn item(printer: &mut Printer<'_>, words: &[Node], body: Option<&Group>) {
    let Some(body) = body else {
        let pieces = sentence::pieces(printer.source, words, None);
        return wrap(printer, &pieces, 0);
    };
    let head = words.first().map(|node| node.first().text(printer.source)).unwrap_or_default();
    if one_line(printer, words, body, 0) {
        return;
    }
    headed(printer, words, body, 0, |printer| {
        if heads::is_list(head) && is_plain_list(&body.nodes) {
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
    let start = words.first().map_or(body.open, Node::first).start;
    let plain =
        words.iter().all(|node| node.leaf() != Some(Lex::Comment) && !node.group().is_some_and(|group| group.spread));
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
    let mut rest = nodes;
    let mut first = true;
    while let Some(next) = rest.first().map(Node::first) {
        if next.lex == Lex::Comment {
            if next.breaks == 0 {
                printer.trailing(&next);
            } else {
                printer.line(indent, next.breaks > 1 && !first);
                printer.push(next.text(printer.source).trim_end());
                first = false;
            }
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        printer.line(indent, next.breaks > 1 && !first);
        first = false;
        let (clause, below) = split_clause(rest);
        self::clause(printer, clause, indent);
        rest = below;
    }
}

fn split_clause(nodes: &[Node]) -> (&[Node], &[Node]) {
    let end = nodes.iter().position(|node| node.leaf() == Some(Lex::Stop) || node.block().is_some());
    nodes.split_at(end.map_or(nodes.len(), |end| end + 1))
}

fn clause(printer: &mut Printer<'_>, nodes: &[Node], indent: usize) {
    match nodes.split_last() {
        Some((Node::Group(block), words)) if block.is_block => {
            if !one_line(printer, words, block, indent) {
                headed(printer, words, block, indent, |printer| clauses(printer, &block.nodes, indent + STEP));
            }
        }
        _ => {
            let pieces = sentence::pieces(printer.source, nodes, None);
            wrap(printer, &pieces, indent);
        }
    }
}

/// True if nothing but sentences without comments stands in the list.
fn is_plain_list(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| {
        node.leaf() != Some(Lex::Comment) && node.group().is_none_or(|group| !group.spread && !group.is_block)
    })
}

/// Prints the entries of a list, as many to a line as fit.
fn list(printer: &mut Printer<'_>, nodes: &[Node]) {
    let mut entries = Vec::new();
    let mut rest = nodes;
    while !rest.is_empty() {
        let (entry, below) = split_clause(rest);
        entries.push(sentence::flat(printer.source, entry));
        rest = below;
    }
    let piece = |text| Piece { before: Break::After(Gap::Blank(1)), text, opens: false, comment: false };
    let pieces: Vec<Piece<'_>> = entries.iter().map(|entry| piece(entry.as_str())).collect();
    // One flat paragraph: its lines all have the same indent.
    printer.line(STEP, false);
    super::wrap::fill(printer, &pieces, STEP);
}
