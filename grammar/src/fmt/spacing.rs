//! Which lexemes stand together without a blank, and how good a place for a line break each blank is.

use crate::lex::{Delimiter, Lex, Lexeme};

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
    let Some(cur) = lexemes.get(at) else { return Gap::Joined };
    let Some(prev) = at.checked_sub(1).and_then(|at| lexemes.get(at)) else { return Gap::Joined };
    let brace = |lexeme: &Lexeme| matches!(lexeme.lex, Lex::Open(Delimiter::Brace) | Lex::Close(Delimiter::Brace));
    match (prev.lex, cur.lex) {
        (_, Lex::Possessive) => Gap::Joined,
        (_, Lex::Comment | Lex::Open(Delimiter::Brace)) => Gap::Glued,
        (Lex::Open(_), _) if !brace(prev) => Gap::Joined,
        (_, Lex::Close(_)) if !brace(cur) => Gap::Joined,
        // A line break behind an opening brace is the author's sign for statements on lines of their own.
        (Lex::Open(_), _) => Gap::Glued,
        (_, Lex::Comma | Lex::Semi | Lex::Colon | Lex::Stop) => Gap::Joined,
        (_, Lex::Op) if cur.text(source) == "/" => slash(lexemes, at),
        (_, Lex::Op) if is_date_dash(source, lexemes, at) => Gap::Joined,
        (Lex::Op, _) => behind_sign(source, lexemes, at),
        (_, Lex::Op | Lex::Close(_)) => Gap::Blank(0),
        (
            Lex::Word | Lex::Capital | Lex::Quoted | Lex::Possessive | Lex::Close(Delimiter::Paren),
            Lex::Open(Delimiter::Paren),
        ) if cur.tight => Gap::Joined,
        (Lex::Colon, _) => Gap::Blank(4),
        (Lex::Semi, _) => Gap::Blank(3),
        (Lex::Comma, _) => Gap::Blank(2),
        (_, Lex::Word) if is_connective(cur.text(source)) => Gap::Blank(2),
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
            next.lex,
            Lex::Word
                | Lex::Capital
                | Lex::Section
                | Lex::Number
                | Lex::Quoted
                | Lex::Open(Delimiter::Paren | Delimiter::Bracket)
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
    let tight_number = |at: usize| lexemes.get(at).is_some_and(|lexeme| lexeme.tight && lexeme.lex == Lex::Number);
    let number = |at: usize| lexemes.get(at).is_some_and(|lexeme| lexeme.lex == Lex::Number);
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
        !matches!(lexeme.lex, Lex::Open(_) | Lex::Comma | Lex::Semi | Lex::Colon | Lex::Stop | Lex::Op | Lex::Comment)
    })
}
