//! Lexemes nested by their brackets, for the formatter and for error messages.

use crate::lex::{Delimiter, Lex, Lexeme};

/// A lexeme, or a group of them in brackets.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A lexeme that is no bracket.
    Leaf(Lexeme),
    /// Brackets and what they hold.
    Group(Group),
}

/// Brackets and what they hold.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The kind of brackets.
    pub(crate) delimiter: Delimiter,
    /// The opening bracket.
    pub(crate) open: Lexeme,
    /// The closing bracket.
    pub(crate) close: Lexeme,
    /// What they hold.
    pub(crate) nodes: Vec<Node>,
    /// True if the nodes are clauses; false if they are words of a sentence.
    pub(crate) is_block: bool,
    /// True if no comment and no line break stands inside.
    pub(crate) one_line: bool,
    /// True if the formatter must spread the group over lines: a comment stands inside, or the author broke the line
    /// behind the opening brace of this group or of one inside.
    pub(crate) spread: bool,
}

/// Why lexemes cannot be nested.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mismatch {
    /// An opening bracket without a closing one. Second: the bracket that closes something around it, if it was that
    /// which showed the gap.
    Unclosed(Lexeme, Option<Lexeme>),
    /// A closing bracket without an opening one. Second: the bracket that closed the last open one before.
    Unopened(Lexeme, Option<Lexeme>),
    /// An opening bracket and a closing one of another kind.
    Crossed(Lexeme, Lexeme),
}

impl Node {
    /// The first lexeme.
    pub(crate) fn first(&self) -> Lexeme {
        match self {
            Node::Leaf(lexeme) => *lexeme,
            Node::Group(group) => group.open,
        }
    }

    /// The last lexeme.
    pub(crate) fn last(&self) -> Lexeme {
        match self {
            Node::Leaf(lexeme) => *lexeme,
            Node::Group(group) => group.close,
        }
    }

    /// The lexeme's kind, if it is no group.
    pub(crate) fn leaf(&self) -> Option<Lex> {
        match self {
            Node::Leaf(lexeme) => Some(lexeme.lex),
            Node::Group(_) => None,
        }
    }

    /// The group, if it is one.
    pub(crate) fn group(&self) -> Option<&Group> {
        match self {
            Node::Leaf(_) => None,
            Node::Group(group) => Some(group),
        }
    }

    /// The group, if it is one in braces that hold clauses.
    pub(crate) fn block(&self) -> Option<&Group> {
        self.group().filter(|group| group.is_block)
    }
}

/// Nests lexemes. Works with a list of open groups, not by recursion.
pub(crate) fn nest(source: &str, lexemes: &[Lexeme]) -> Result<Vec<Node>, Mismatch> {
    let mut open: Vec<(Delimiter, Lexeme, Vec<Node>)> = Vec::new();
    let mut nodes: Vec<Node> = Vec::new();
    let mut suspect = None;
    let mut last_close = None;
    for (index, lexeme) in lexemes.iter().enumerate() {
        match lexeme.lex {
            Lex::Open(delimiter) => open.push((delimiter, *lexeme, std::mem::take(&mut nodes))),
            Lex::Close(delimiter) => {
                let Some((opened, opener, outer)) = open.pop() else {
                    return Err(Mismatch::Unopened(*lexeme, last_close));
                };
                if opened != delimiter {
                    let closes_outer = open.iter().any(|(outer, ..)| *outer == delimiter);
                    return Err(match closes_outer {
                        true => Mismatch::Unclosed(opener, Some(*lexeme)),
                        false => Mismatch::Crossed(opener, *lexeme),
                    });
                }
                if lexeme.breaks > 0 && indent(source, lexeme.start) < indent(source, opener.start) {
                    suspect.get_or_insert((opener, *lexeme));
                }
                let inner = std::mem::replace(&mut nodes, outer);
                nodes.push(Node::Group(group(source, opener, *lexeme, inner, lexemes.get(index + 1))));
                last_close = Some(*lexeme);
            }
            _ => nodes.push(Node::Leaf(*lexeme)),
        }
    }
    match (suspect, open.first()) {
        (_, None) => Ok(nodes),
        (Some((opener, closer)), Some(_)) => Err(Mismatch::Unclosed(opener, Some(closer))),
        (None, Some((_, opener, _))) => Err(Mismatch::Unclosed(*opener, None)),
    }
}

fn group(source: &str, open: Lexeme, close: Lexeme, nodes: Vec<Node>, next: Option<&Lexeme>) -> Group {
    let delimiter = match open.lex {
        Lex::Open(delimiter) => delimiter,
        _ => Delimiter::Brace,
    };
    let broken = delimiter == Delimiter::Brace && nodes.first().is_some_and(|node| node.first().breaks > 0);
    let spread = broken
        || nodes.iter().any(|node| match node {
            Node::Leaf(lexeme) => lexeme.lex == Lex::Comment,
            Node::Group(group) => group.spread,
        });
    let one_line = !spread
        && close.breaks == 0
        && nodes.iter().all(|node| node.first().breaks == 0 && node.group().is_none_or(|group| group.one_line));
    let mut solid = nodes.iter().filter(|node| node.leaf() != Some(Lex::Comment)).peekable();
    let is_block = delimiter == Delimiter::Brace
        && match solid.peek() {
            None => !next.is_some_and(|next| joins(source, next)),
            Some(_) => solid.any(|node| node.leaf() == Some(Lex::Stop) || node.block().is_some()),
        };
    Group { delimiter, open, close, nodes, is_block, one_line, spread }
}

/// True if empty braces before `next` belong to a sentence.
fn joins(source: &str, next: &Lexeme) -> bool {
    match next.lex {
        Lex::Stop | Lex::Semi | Lex::Comma | Lex::Colon => true,
        Lex::Word => matches!(next.text(source), "or" | "otherwise" | "until"),
        _ => false,
    }
}

/// The blanks at the start of the line that holds `at`.
fn indent(source: &str, at: usize) -> usize {
    let line = source.get(..at).unwrap_or_default();
    let line = line.get(line.rfind('\n').map_or(0, |end| end + 1)..).unwrap_or_default();
    line.len() - line.trim_start().len()
}
