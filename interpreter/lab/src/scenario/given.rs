//! The clauses of `given`.

use netrep_compiler::Diagnostic;
use netrep_grammar::tree::{Clause, Token, TokenKind};
use netrep_ir::limits::{COPIES, GIVEN};

use super::clauses::{beyond, cut, cut_word, misread, name, parts, word, words};
use super::{Argument, CardsIn, Given, Name};
use crate::problem::Source;

/// Reads a clause of `given`.
pub(crate) fn given(clause: &Clause, source: &Source) -> Result<Given, Diagnostic> {
    let tokens = clause.tokens.as_slice();
    if clause.block.is_some() {
        return Err(misread(source, clause.span, "a given is one sentence", "end it with a full stop"));
    }
    if let Some((first, rest)) = tokens.split_first()
        && word(first) == Some("begin")
    {
        return begin(clause, rest, source);
    }
    if let Some((head, list)) = cut(tokens, |token| token.kind == TokenKind::Colon) {
        return cards(clause, head, list, source);
    }
    Ok(match mint(tokens) {
        Some(minted) => minted,
        None => Given::Fact(tokens.to_vec(), clause.span),
    })
}

/// `CLASS NAME, NAME`: nothing but a word and names.
fn mint(tokens: &[Token]) -> Option<Given> {
    let (class, rest) = tokens.split_first()?;
    let text = word(class)?.to_owned();
    let names: Vec<Name> = parts(rest).into_iter().map(|part| single(part).and_then(name)).collect::<Option<_>>()?;
    Some(Given::Mint { class: Name { text, span: class.span }, names })
}

fn single(tokens: &[Token]) -> Option<&Token> {
    if let [one] = tokens { Some(one) } else { None }
}

/// `CARDS [of NAME] in PLACE: "NAME" [as LABEL], 3 "NAME", …`
fn cards(clause: &Clause, head: &[Token], list: &[Token], source: &Source) -> Result<Given, Diagnostic> {
    let shape = "write `cards of NAME in PLACE: \"NAME\", \"NAME\" as LABEL, 3 \"NAME\".`";
    let wrong = |found: &str| misread(source, clause.span, found, shape);
    let (class, rest) = head.split_first().ok_or_else(|| wrong("nothing stands before the colon"))?;
    let (before, place) = cut_word(rest, "in").ok_or_else(|| wrong("it does not say in which place the cards are"))?;
    // The owner may stand before or after the place.
    let (place, behind) = cut_word(place, "of").map_or((place, None), |(place, behind)| (place, Some(behind)));
    let before = match before {
        [] => None,
        [link, owner @ ..] if word(link) == Some("of") => Some(owner),
        _ => return Err(wrong("it is not clear whose cards these are")),
    };
    let owner = match (before, behind) {
        (None, None) => None,
        (Some([owner]), None) | (None, Some([owner])) => {
            Some(name(owner).ok_or_else(|| wrong("the owner is not a name"))?)
        }
        _ => return Err(wrong("it is not clear whose cards these are")),
    };
    if place.is_empty() {
        return Err(wrong("it does not say in which place the cards are"));
    }
    let mut cards = Vec::new();
    for part in parts(list) {
        // `3 "NAME"`: so many copies.
        let (copies, part) = match part.split_first() {
            Some((Token { kind: TokenKind::Number(n), .. }, rest)) if rest.len() == 1 => (*n, rest),
            _ => (1, part),
        };
        let copies = match usize::try_from(copies) {
            Ok(copies @ 1..=COPIES) => copies,
            Ok(0) => return Err(wrong("a card that is listed is there at least once")),
            _ => return Err(beyond(source.place(clause.span), "copies of a card in one entry", COPIES)),
        };
        let card = match part {
            [card] => (quoted(card), None),
            [card, link, label] if word(link) == Some("as") => (quoted(card), name(label)),
            _ => (None, None),
        };
        if cards.len() > GIVEN {
            return Err(beyond(source.place(clause.span), "cards in the position", GIVEN));
        }
        match card {
            (Some(card), label) if label.is_some() == (part.len() == 3) => {
                cards.extend(std::iter::repeat_n((card, label), copies));
            }
            _ => return Err(wrong("a card is a quoted name, and perhaps a label")),
        }
    }
    let class = Name { text: source.slice(class.span).to_owned(), span: class.span };
    Ok(Given::Cards(CardsIn { class, owner, place: words(place, source, clause.span), cards }))
}

fn quoted(token: &Token) -> Option<Name> {
    name(token).filter(|_| matches!(token.kind, TokenKind::Quoted(_)))
}

/// `begin PROCEDURE [for NAME, 3] [at step STEP]`
fn begin(clause: &Clause, rest: &[Token], source: &Source) -> Result<Given, Diagnostic> {
    let wrong = |found: &str| misread(source, clause.span, found, "write `begin PROCEDURE for NAME at step STEP.`");
    let is_step = |pair: &[Token]| matches!(pair, [a, b] if word(a) == Some("at") && word(b) == Some("step"));
    let at = rest.windows(2).position(is_step);
    let (rest, step) = match at {
        Some(at) => (&rest[..at], Some(&rest[at + 2..])),
        None => (rest, None),
    };
    let step = match step {
        Some([]) => return Err(wrong("it does not say at which step")),
        Some(step) => Some(words(step, source, clause.span)),
        None => None,
    };
    let (procedure, list) = cut_word(rest, "for").map_or((rest, None), |(procedure, list)| (procedure, Some(list)));
    if procedure.is_empty() {
        return Err(wrong("it does not say what begins"));
    }
    let mut arguments = Vec::new();
    for part in list.map(parts).unwrap_or_default() {
        let argument = match part {
            [one] => match (&one.kind, name(one)) {
                (_, Some(name)) => Some(Argument::Thing(name)),
                (TokenKind::Number(n), _) => i32::try_from(*n).ok().map(Argument::Number),
                _ => None,
            },
            [sign, one] if sign.kind == TokenKind::Op("-".to_owned()) => match one.kind {
                TokenKind::Number(n) => i32::try_from(-n).ok().map(Argument::Number),
                _ => None,
            },
            _ => None,
        };
        arguments.push(argument.ok_or_else(|| wrong("an argument is a name or a number"))?);
    }
    Ok(Given::Begin { procedure: words(procedure, source, clause.span), arguments, step })
}
