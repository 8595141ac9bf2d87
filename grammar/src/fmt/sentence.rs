//! The lexemes of a sentence or head as boxes for line breaking.

use super::nodes::{Group, Lexeme, Node};
use super::spacing::{self, Gap};
use crate::parser::Rule;

/// What a box does to the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Break {
    /// Stands behind the box before, with this gap.
    After(Gap),
    /// Begins a statement on a line of its own.
    Statement,
    /// Begins a line because a comment forces it.
    Forced,
    /// Closes statements that stand on lines of their own.
    Close,
}

/// Text that is never broken.
#[derive(Clone, Debug)]
pub(super) struct Piece<'s> {
    /// How it follows what stands before.
    pub(super) before: Break,
    /// The text.
    pub(super) text: &'s str,
    /// True if it opens statements that stand on lines of their own.
    pub(super) opens: bool,
    /// True for a comment: it does not count for the width.
    pub(super) comment: bool,
}

/// A lexeme's part in the statements that stand on lines of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    None,
    Open,
    Part,
    Close,
}

/// The pieces of `nodes`, and then of `open`, the brace of the block whose head they are.
pub(super) fn pieces<'s>(source: &'s str, nodes: &[Node], open: Option<Lexeme>) -> Vec<Piece<'s>> {
    let mut flattened = Flat::default();
    flattened.add(nodes, false, 0);
    if let Some(open) = open {
        flattened.push(open, Role::None, 0);
    }
    let Flat { lexemes, marks } = flattened;
    let mut pieces = Vec::with_capacity(lexemes.len());
    let mut fresh = false;
    for (at, (lexeme, (role, depth))) in lexemes.iter().zip(marks).enumerate() {
        let behind_comment = at > 0 && lexemes.get(at - 1).is_some_and(Lexeme::is_comment);
        let comment = lexeme.is_comment();
        let own_line = comment && lexeme.breaks > 0 && at > 0;
        let before = match role {
            _ if comment && !own_line => Break::After(Gap::Glued),
            Role::Close => Break::Close,
            _ if fresh => Break::Statement,
            _ if behind_comment || own_line => Break::Forced,
            _ => Break::After(spacing::gap(source, &lexemes, at).inside(depth)),
        };
        if !comment {
            fresh = matches!(role, Role::Open | Role::Part);
        }
        let text = if comment { lexeme.text(source).trim_end() } else { lexeme.text(source) };
        pieces.push(Piece { before, text, opens: role == Role::Open, comment });
    }
    pieces
}

/// The sentence on one line. Only for nodes without comments.
pub(super) fn flat(source: &str, nodes: &[Node]) -> String {
    let mut flattened = Flat::default();
    flattened.add(nodes, false, 0);
    let lexemes = flattened.lexemes;
    let mut text = String::new();
    for (at, lexeme) in lexemes.iter().enumerate() {
        if at > 0 && spacing::gap(source, &lexemes, at) != Gap::Joined {
            text.push(' ');
        }
        text.push_str(lexeme.text(source));
    }
    text
}

/// Lexemes in a row, each with its role and with what its depth costs a line break before it.
#[derive(Default)]
struct Flat {
    lexemes: Vec<Lexeme>,
    marks: Vec<(Role, u8)>,
}

impl Flat {
    fn push(&mut self, lexeme: Lexeme, role: Role, depth: u8) {
        self.lexemes.push(lexeme);
        self.marks.push((role, depth));
    }

    fn add(&mut self, nodes: &[Node], spread: bool, depth: u8) {
        for node in nodes {
            match node {
                Node::Leaf(lexeme) => {
                    let parts = spread && lexeme.rule == Rule::semi;
                    self.push(*lexeme, if parts { Role::Part } else { Role::None }, depth);
                }
                Node::Clause(nodes) => self.add(nodes, spread, depth),
                Node::Group(group) => {
                    let spread = is_spread(group);
                    let inner = match group.open.is_brace() {
                        _ if spread => depth,
                        true => depth.saturating_add(2),
                        false => u8::MAX,
                    };
                    self.push(group.open, if spread { Role::Open } else { Role::None }, depth);
                    self.add(&group.nodes, spread, inner);
                    self.push(group.close, if spread { Role::Close } else { Role::None }, inner);
                }
            }
        }
    }
}

fn is_spread(group: &Group) -> bool {
    group.spread && group.open.is_brace()
}
