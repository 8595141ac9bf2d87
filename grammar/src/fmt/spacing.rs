//! Which lexemes stand together without a blank, and how good a place for a line break each blank is.

use super::nodes::Lexeme;
use crate::parser::Rule;

/// What stands between two lexemes that are not forced onto different lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing.
    Joined,
    /// A blank that never becomes a line break.
    Glued,
    /// A blank that can become a line break; the higher, the better.
    Blank(u8),
}

impl Gap {
    /// The same gap inside groups: a line break there is worth less by `cost`.
    pub(super) fn inside(self, cost: u8) -> Gap {
        match self {
            Gap::Blank(worth) => Gap::Blank(worth.saturating_sub(cost)),
            other => other,
        }
    }
}

/// The gap before `lexemes[at]`. Where both ways are usual (signs before numbers, `Term/Term`, an argument list
/// directly behind its word), the author's choice stays.
pub(super) fn gap(source: &str, lexemes: &[Lexeme], at: usize) -> Gap {
    let cur = &lexemes[at];
    // total: nothing stands before the first, so there is nothing between.
    let Some(prev) = at.checked_sub(1).map(|at| &lexemes[at]) else { return Gap::Joined };
    match (prev.rule, cur.rule) {
        (_, Rule::possessive) => Gap::Joined,
        (_, Rule::COMMENT | Rule::open_brace) => Gap::Glued,
        _ if prev.opens() && !prev.is_brace() || cur.closes() && !cur.is_brace() => Gap::Joined,
        // A line break behind an opening brace is the author's sign for statements on lines of their own.
        (Rule::open_brace, _) => Gap::Glued,
        (_, Rule::comma | Rule::semi | Rule::colon | Rule::stop) => Gap::Joined,
        (_, Rule::op) if cur.text(source) == "/" => slash(lexemes, at),
        (_, Rule::op) if is_date_dash(source, lexemes, at) => Gap::Joined,
        (Rule::op, _) => behind_sign(source, lexemes, at),
        (_, Rule::op | Rule::close_brace) => Gap::Blank(0),
        (
            Rule::word | Rule::capital | Rule::label | Rule::quoted | Rule::possessive | Rule::close_paren,
            Rule::open_paren,
        ) if cur.tight => Gap::Joined,
        (Rule::colon, _) => Gap::Blank(4),
        (Rule::semi, _) => Gap::Blank(3),
        (Rule::comma, _) => Gap::Blank(2),
        (_, Rule::word) if is_connective(cur.text(source)) => Gap::Blank(2),
        _ => Gap::Blank(1),
    }
}

/// The words of the language's closed class before which a sentence breaks well.
fn is_connective(word: &str) -> bool {
    matches!(word, "and" | "or" | "if" | "unless" | "while" | "when" | "until" | "otherwise" | "instead")
}

/// `Term/Term` stays joined; any other slash has a blank on both sides.
fn slash(lexemes: &[Lexeme], at: usize) -> Gap {
    let tight = |at: usize| lexemes.get(at).is_some_and(|lexeme| lexeme.tight);
    let before_operand = lexemes.get(at + 1).is_some_and(|next| {
        matches!(
            next.rule,
            Rule::word
                | Rule::capital
                | Rule::section
                | Rule::number
                | Rule::quoted
                | Rule::open_paren
                | Rule::open_bracket
        )
    });
    if tight(at) && tight(at + 1) && follows_operand(lexemes, at) && before_operand {
        Gap::Joined
    } else {
        Gap::Blank(0)
    }
}

/// A dash that its author wrote closely between two numbers, as in a date.
fn is_date_dash(source: &str, lexemes: &[Lexeme], at: usize) -> bool {
    let tight_number = |at: usize| lexemes.get(at).is_some_and(|lexeme| lexeme.tight && lexeme.rule == Rule::number);
    let number = |at: usize| lexemes.get(at).is_some_and(|lexeme| lexeme.rule == Rule::number);
    let dash = lexemes.get(at).is_some_and(|lexeme| lexeme.tight && lexeme.text(source) == "-");
    dash && tight_number(at + 1) && at.checked_sub(1).is_some_and(number)
}

fn behind_sign(source: &str, lexemes: &[Lexeme], at: usize) -> Gap {
    let sign = at - 1;
    let is_tight = |at: usize| lexemes.get(at).is_some_and(|lexeme| lexeme.tight);
    match lexemes.get(sign).map(|lexeme| lexeme.text(source)) {
        Some("/") => match slash(lexemes, sign) {
            Gap::Joined => Gap::Joined,
            _ => Gap::Blank(0),
        },
        Some("-") if is_date_dash(source, lexemes, sign) => Gap::Joined,
        Some("+" | "-") if is_tight(at) && !(is_tight(sign) && follows_operand(lexemes, sign)) => Gap::Joined,
        _ => Gap::Blank(0),
    }
}

/// True if what stands before `lexemes[at]` can be the left side of a sum.
fn follows_operand(lexemes: &[Lexeme], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| lexemes.get(at));
    before.is_some_and(|lexeme| {
        !lexeme.opens()
            && !matches!(lexeme.rule, Rule::comma | Rule::semi | Rule::colon | Rule::stop | Rule::op | Rule::COMMENT)
    })
}
