//! Items and clauses that do not end, say nothing, or go on where they should have ended.

use super::Goal;
use crate::error::{Code, SyntaxError};
use crate::heads;
use crate::lex::{Delimiter, Lex, Lexeme};
use crate::nest::{Group, Node};
use crate::split;
use crate::tree::Span;

/// The mistakes in the order of nodes.
pub(super) fn check(text: &str, nodes: &[Node], goal: Goal) -> Vec<SyntaxError> {
    let mut checker = Checker { text, errors: Vec::new() };
    match goal {
        Goal::Item => checker.item(nodes),
        Goal::Clauses => checker.clauses(nodes),
        Goal::Words => checker.words(nodes),
    }
    checker.errors
}

struct Checker<'t> {
    text: &'t str,
    errors: Vec<SyntaxError>,
}

impl Checker<'_> {
    fn item(&mut self, nodes: &[Node]) {
        let Some(first) = nodes.first().map(Node::first) else {
            let help = format!("an item begins with one of: {}", heads::HEADS.join(", "));
            self.errors
                .push(SyntaxError::new(Code::TextOutsideItem, Span::default(), "there is no item here").help(help));
            return;
        };
        if !heads::HEADS.contains(&first.text(self.text)) {
            let rest = self.text.get(first.start..).unwrap_or_default();
            self.errors.push(split::outside_error(rest).map(|span| span.shifted(first.start as u32)));
            return;
        }
        let end = nodes.iter().position(|node| is_stop(node) || is_brace(node));
        let header = nodes.get(..end.unwrap_or(nodes.len())).unwrap_or_default();
        self.no_stops_within(header);
        let Some(end) = end else {
            let last = nodes.last().map_or(first, Node::last);
            let help = "end the item with a full stop `.`, or give it a body in braces `{ }`";
            self.missing_stop(last, help);
            return;
        };
        if let Some(body) = nodes.get(end).and_then(Node::group) {
            self.clauses(&body.nodes);
        }
        if let Some(extra) = nodes.get(end + 1) {
            let ended = nodes.get(end).map_or(first, Node::last);
            self.outside(extra.first(), nodes.last().map_or(first, Node::last), ended);
        }
    }

    fn outside(&mut self, first: Lexeme, last: Lexeme, ended: Lexeme) {
        let (message, help) = if first.lex == Lex::Stop && first.start == last.start {
            ("a full stop `.` follows the closing brace `}` of the item", "remove the full stop")
        } else {
            (
                "this text stands behind the end of its item",
                "begin an item at the start of a line, or move the end of this one",
            )
        };
        let error = SyntaxError::new(Code::TextOutsideItem, first.span().to(last.span()), message).help(help);
        self.errors.push(error.and(ended.span(), "the item ends here"));
    }

    fn clauses(&mut self, mut nodes: &[Node]) {
        while !nodes.is_empty() {
            let end = nodes.iter().position(|node| is_stop(node) || node.block().is_some());
            let (clause, rest) = nodes.split_at(end.map_or(nodes.len(), |end| end + 1));
            let before = self.errors.len();
            self.clause(clause);
            nodes = match rest.split_first() {
                // The full stop of a sentence whose braces were taken for a block.
                Some((stop, behind))
                    if is_stop(stop) && !clause.last().is_some_and(is_stop) && self.errors.len() > before =>
                {
                    behind
                }
                _ => rest,
            };
        }
    }

    fn clause(&mut self, clause: &[Node]) {
        let words = self.marker(clause);
        let Some((last, before)) = words.split_last() else {
            if let Some(marker) = clause.last() {
                self.empty(marker.last(), "nothing stands behind the marker");
            }
            return;
        };
        self.no_stops_within(before);
        match (last, before) {
            (Node::Leaf(stop), []) if stop.lex == Lex::Stop => {
                self.empty(*stop, "there is no sentence before this full stop `.`");
            }
            (Node::Leaf(stop), _) if stop.lex == Lex::Stop => {}
            (Node::Group(block), []) if block.is_block => {
                self.empty(block.open, "no words stand before this brace `{`");
                self.clauses(&block.nodes);
            }
            (Node::Group(block), _) if block.is_block => self.block(block, before),
            _ => {
                self.no_stops_within(std::slice::from_ref(last));
                self.missing_stop(last.last(), "end every clause with a full stop `.`; semicolons `;` part statements");
            }
        }
    }

    /// A block, with the words before it. Statement braces among them mean that two clauses ran together, or that a
    /// full stop slipped into a statement.
    fn block(&mut self, block: &Group, before: &[Node]) {
        let Some(at) = before.iter().rposition(is_brace) else {
            return self.clauses(&block.nodes);
        };
        let next = before.get(at + 1).map_or(block.open, Node::first);
        if next.breaks > 0 && !matches!(next.text(self.text), "or" | "otherwise" | "until") {
            let last = before.get(at).map_or(next, Node::last);
            self.missing_stop(last, "end every clause with a full stop `.`");
            return self.clauses(&block.nodes);
        }
        if let Some(stop) = block.nodes.iter().find(|node| is_stop(node)) {
            self.misplaced(stop.first(), "braces inside a sentence hold statements, parted by semicolons `;`");
        }
    }

    /// Checks the marker and gives what follows it.
    fn marker<'n>(&mut self, clause: &'n [Node]) -> &'n [Node] {
        let Some((Node::Group(first), rest)) = clause.split_first() else { return clause };
        if first.delimiter != Delimiter::Bracket {
            return clause;
        }
        let second = rest.first().and_then(Node::group).filter(|next| next.delimiter == Delimiter::Bracket);
        for bracket in [Some(first).filter(|first| !is_marker(&first.nodes)), second].into_iter().flatten() {
            let span = bracket.open.span().to(bracket.close.span());
            let message = if second.is_some_and(|second| second.open == bracket.open) {
                "a clause has one marker only"
            } else {
                "brackets `[ ]` at the start of a clause must be a marker"
            };
            let help = "a marker holds a label, the numbers of printed sentences, or both: `[label 1, 2]`";
            self.errors.push(SyntaxError::new(Code::BadMarker, span, message).help(help));
        }
        rest
    }

    fn words(&mut self, nodes: &[Node]) {
        self.no_stops_within(nodes);
        match nodes.iter().position(is_stop) {
            _ if nodes.is_empty() => {
                self.errors.push(
                    SyntaxError::new(Code::EmptyClause, Span::default(), "there are no words here")
                        .help("write a sentence"),
                );
            }
            Some(0) => {
                let stop = nodes.first().map(Node::first);
                self.empty_at(
                    stop.map(|stop| stop.span()).unwrap_or_default(),
                    "there is no sentence before this full stop `.`",
                );
            }
            Some(at) if at + 1 < nodes.len() => {
                if let Some(stop) = nodes.get(at) {
                    self.misplaced(stop.first(), "only one sentence can stand here");
                }
            }
            _ => {}
        }
    }

    /// Reports full stops inside the groups of a sentence.
    fn no_stops_within(&mut self, nodes: &[Node]) {
        for group in nodes.iter().filter_map(Node::group) {
            match group.nodes.iter().find(|node| is_stop(node)) {
                Some(stop) if group.delimiter == Delimiter::Brace => {
                    self.misplaced(stop.first(), "braces inside a sentence hold statements, parted by semicolons `;`");
                }
                Some(stop) => self.misplaced(stop.first(), "close the bracket before the sentence ends"),
                None => self.no_stops_within(&group.nodes),
            }
        }
    }

    fn misplaced(&mut self, stop: Lexeme, help: &str) {
        let message = "no sentence can end at this full stop `.`";
        self.errors.push(SyntaxError::new(Code::MisplacedFullStop, stop.span(), message).help(help));
    }

    fn missing_stop(&mut self, last: Lexeme, help: &str) {
        let message = format!("a full stop `.` is missing after `{}`", last.text(self.text));
        self.errors.push(SyntaxError::new(Code::MissingFullStop, last.span(), message).help(help));
    }

    fn empty(&mut self, at: Lexeme, message: &str) {
        self.empty_at(at.span(), message);
    }

    fn empty_at(&mut self, span: Span, message: &str) {
        let help = "write the clause, or remove what is left of it";
        self.errors.push(SyntaxError::new(Code::EmptyClause, span, message).help(help));
    }
}

fn is_stop(node: &Node) -> bool {
    node.leaf() == Some(Lex::Stop)
}

fn is_brace(node: &Node) -> bool {
    node.group().is_some_and(|group| group.delimiter == Delimiter::Brace)
}

/// True for a label, numbers parted by commas, or both.
fn is_marker(nodes: &[Node]) -> bool {
    let labels = nodes.iter().take_while(|node| matches!(node.leaf(), Some(Lex::Word | Lex::Capital))).count();
    let mut rest = nodes.get(labels..).unwrap_or_default();
    if rest.is_empty() {
        return labels > 0;
    }
    if let (1.., [comma, more @ ..]) = (labels, rest)
        && comma.leaf() == Some(Lex::Comma)
    {
        rest = more;
    }
    rest.len() % 2 == 1
        && rest
            .iter()
            .enumerate()
            .all(|(index, node)| node.leaf() == Some(if index % 2 == 0 { Lex::Number } else { Lex::Comma }))
}
