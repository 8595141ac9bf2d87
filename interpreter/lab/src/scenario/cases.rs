//! The clauses of `cases`: what must be so for each of several answers.

use netrep_compiler::Diagnostic;
use netrep_grammar::tree::{Clause, Token, TokenKind};

use super::clauses::{cut, cut_word, misread, parts, span, word};
use super::script::{expected, moved};
use super::{Case, CaseAnswer, Line, What};
use crate::problem::Source;

const SHAPE: &str = "write `dice 5, 6: what must be so.`, `else: …`, or `NAME: the words of a move { … }`; \
                     in braces stand several sentences";

/// Reads the cases of a block.
pub(super) fn cases(inner: &[Clause], clause: &Clause, source: &Source) -> Result<Vec<Case>, Diagnostic> {
    let mut found: Vec<Case> = Vec::new();
    for one in inner {
        let case = case(one, source)?;
        if let Some(twice) = found.iter().find_map(|other| both(other, &case)) {
            let help = "name each case once; `else` is for all totals that are not named";
            return Err(misread(source, one.span, &format!("{twice} is named twice"), help));
        }
        found.push(case);
    }
    if found.is_empty() {
        return Err(misread(source, clause.span, "there is no case in it", SHAPE));
    }
    Ok(found)
}

/// What two cases have in common.
fn both(one: &Case, other: &Case) -> Option<String> {
    match (&one.answer, &other.answer) {
        (CaseAnswer::Else, CaseAnswer::Else) => Some("`else`".to_owned()),
        (CaseAnswer::Dice { totals, .. }, CaseAnswer::Dice { totals: others, .. }) => {
            totals.iter().find(|total| others.contains(total)).map(|total| format!("the total {total}"))
        }
        _ => None,
    }
}

fn case(clause: &Clause, source: &Source) -> Result<Case, Diagnostic> {
    let tokens = clause.tokens.as_slice();
    let wrong = |found: &str| misread(source, clause.span, found, SHAPE);
    let first = tokens.first().and_then(word);
    if clause.block.is_some() && !matches!(first, Some("dice" | "else")) {
        let head = Clause { block: None, ..clause.clone() };
        let answer = match moved(&head, source)? {
            What::Move { by, at: None, words } => CaseAnswer::Move(Box::new(What::Move { by, at: None, words })),
            _ => return Err(wrong("this names no answer to the decision at hand")),
        };
        return Ok(Case { answer, lines: lines(clause, &[], source)?, span: span(tokens, clause.span) });
    }
    let (head, said) = match (&clause.block, cut(tokens, |token| token.kind == TokenKind::Colon)) {
        (Some(_), _) => (tokens, &[] as &[Token]),
        (None, Some(parts)) => parts,
        (None, None) => return Err(wrong("it does not say what comes of it")),
    };
    let answer = match head {
        [one] if word(one) == Some("else") => CaseAnswer::Else,
        [dice, rest @ ..] if word(dice) == Some("dice") => {
            let (rest, subject) = match cut_word(rest, "for") {
                Some((rest, subject)) if !subject.is_empty() => {
                    (rest, Some(source.slice(span(subject, clause.span)).to_owned()))
                }
                _ => (rest, None),
            };
            let mut totals = Vec::new();
            for part in parts(rest) {
                let [Token { kind: TokenKind::Number(total), .. }] = part else {
                    return Err(wrong("the totals are numbers"));
                };
                let total = i32::try_from(*total).map_err(|_| wrong("no dice show so much"))?;
                if totals.contains(&total) {
                    return Err(wrong(&format!("the total {total} is named twice")));
                }
                totals.push(total);
            }
            CaseAnswer::Dice { totals, subject }
        }
        _ => return Err(wrong("this names no case")),
    };
    Ok(Case { answer, lines: lines(clause, said, source)?, span: span(head, clause.span) })
}

/// What comes of a case: the sentences of its block, or the one that stands behind its colon.
fn lines(clause: &Clause, said: &[Token], source: &Source) -> Result<Vec<Line>, Diagnostic> {
    let one = |clause: &Clause| {
        let what = match is_move(&clause.tokens) {
            true => moved(clause, source)?,
            false => What::Expect(expected(clause, source)?),
        };
        Ok(Line { what, under: None, span: clause.span })
    };
    let lines: Vec<Line> = match &clause.block {
        Some(inner) => inner.iter().map(one).collect::<Result<_, Diagnostic>>()?,
        None => {
            let said = Clause { marker: None, tokens: said.to_vec(), block: None, span: span(said, clause.span) };
            vec![one(&said)?]
        }
    };
    if !lines.iter().any(|line| line.what.expects()) {
        let help = "say what must be so in this case";
        return Err(misread(source, clause.span, "the case expects nothing, so it cannot fail", help));
    }
    Ok(lines)
}

/// Whether a sentence makes a move; else it says what must be so.
fn is_move(tokens: &[Token]) -> bool {
    match tokens {
        [first, ..] if matches!(word(first), Some("dice" | "let" | "stack" | "until")) => true,
        [first, second, ..] => {
            super::clauses::name(first).is_some() && (second.kind == TokenKind::Colon || word(second) == Some("at"))
        }
        _ => false,
    }
}
