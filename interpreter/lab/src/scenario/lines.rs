//! The lines of a position as a table shows it: things with what is said of them, cards of players, where the game stands.
//!
//! They are read without a vocabulary; what their words mean is declared by layouts (see [`crate::layout`]).

use netrep_compiler::Diagnostic;
use netrep_grammar::tree::{Clause, Span, Token, TokenKind};
use netrep_ir::limits::{COPIES, GIVEN};

use super::clauses::{beyond, cut, misread, name, parts, span, word, words};
use super::given::quoted;
use super::{Argument, Described, Entry, Given, Name, Pile, Running};
use crate::problem::Source;

/// Reads such a line, if it is one.
pub(super) fn line(clause: &Clause, source: &Source) -> Option<Result<Given, Diagnostic>> {
    let tokens = clause.tokens.as_slice();
    match tokens {
        [at, rest @ ..] if word(at) == Some("at") => Some(at_line(clause, rest, source)),
        [from, rest @ ..] if word(from) == Some("from") && !rest.is_empty() => {
            let shape = "write `from NAME.` with the name of a block `position` of this file";
            let plain = rest
                .iter()
                .all(|token| matches!(token.kind, TokenKind::Word(_) | TokenKind::Capital(_) | TokenKind::Number(_)));
            Some(match plain {
                true => Ok(Given::From(words(rest, source, clause.span))),
                false => Err(misread(source, clause.span, "this is no name of a position", shape)),
            })
        }
        [owner, colon, list @ ..] if colon.kind == TokenKind::Colon => {
            let owner = name(owner)?;
            Some(player(clause, owner, Vec::new(), list, source))
        }
        [owner, Token { kind: TokenKind::Paren(said), .. }, rest @ ..] => {
            let owner = name(owner).filter(|_| quoted(owner).is_none())?;
            Some(match rest {
                [] => Ok(Given::Player { name: owner, said: said.clone(), piles: Vec::new() }),
                [colon, list @ ..] if colon.kind == TokenKind::Colon => {
                    player(clause, owner, said.clone(), list, source)
                }
                [wrong, ..] => {
                    let help = "write `NAME (…).`, or `NAME (…): PLACE \"NAME\".`";
                    Err(misread(source, wrong.span, "behind the brackets stands a colon, or nothing", help))
                }
            })
        }
        [class, thing, rest @ ..] => {
            let (class_word, thing) = (word(class)?, name(thing)?);
            if thing_is_listed(rest) || !is_thing_line(rest) {
                return None;
            }
            let class = Name { text: class_word.to_owned(), span: class.span };
            let (links, list) = match cut(rest, |token| token.kind == TokenKind::Colon) {
                Some((links, list)) => (links.to_vec(), Some(list.to_vec())),
                None => (rest.to_vec(), None),
            };
            Some(Ok(Given::Thing(Described { class, name: thing, links, list, span: clause.span })))
        }
        _ => None,
    }
}

/// `CLASS NAME, NAME`: nothing is said of them.
fn thing_is_listed(rest: &[Token]) -> bool {
    rest.first().is_none_or(|next| next.kind == TokenKind::Comma)
}

/// What makes a sentence a fact.
const VERBS: [&str; 8] = ["is", "are", "has", "have", "was", "were", "does", "there"];

/// A colon, or words that are no sentence: something is said of the thing that is named.
fn is_thing_line(rest: &[Token]) -> bool {
    let before = rest.split(|token| token.kind == TokenKind::Colon).next();
    // total: a split has a first part
    before.unwrap_or(rest).iter().all(|token| word(token).is_none_or(|word| !VERBS.contains(&word)))
}

/// What is said of a player, and what lies in his places: `[deck of NAME; ]PLACE "NAME"; PLACE "NAME"`.
fn player(
    clause: &Clause,
    owner: Name,
    said: Vec<Token>,
    list: &[Token],
    source: &Source,
) -> Result<Given, Diagnostic> {
    let (first, rest) = match cut(list, |token| token.kind == TokenKind::Semi) {
        Some((first, rest)) => (first, Some(rest)),
        None => (list, None),
    };
    if !is_deck(first) {
        let piles = piles(clause, &owner, list, source)?;
        return Ok(Given::Player { name: owner, said, piles });
    }
    let named = first.get(2..).filter(|named| !named.is_empty());
    let whole = span(first, clause.span);
    let text = named.map(|named| words(named, source, whole).text).ok_or_else(|| {
        misread(
            source,
            whole,
            "it does not say which deck",
            "write `NAME: deck of DECK.`, as it stands behind `deck` on its opening fence",
        )
    })?;
    let piles =
        rest.map(|rest| piles(clause, &owner, rest, source)).transpose()?.into_iter().flatten().collect::<Vec<_>>();
    let more = !piles.is_empty() || !said.is_empty();
    let name = Name { text, span: whole };
    let more = more.then(|| Box::new(Given::Player { name: owner.clone(), said, piles }));
    Ok(Given::Deck { owner, name, more })
}

/// True for `deck of NAME`, whose name is no quoted one.
fn is_deck(part: &[Token]) -> bool {
    let plain = |token: &Token| {
        matches!(token.kind, TokenKind::Word(_) | TokenKind::Capital(_) | TokenKind::Number(_) | TokenKind::Possessive)
    };
    matches!(part, [deck, of, named @ ..] if word(deck) == Some("deck") && word(of) == Some("of") && named.iter().all(plain))
}

/// `PLACE "NAME", 3 "NAME"; PLACE "NAME" as L (…)`
fn piles(clause: &Clause, owner: &Name, list: &[Token], source: &Source) -> Result<Vec<Pile>, Diagnostic> {
    let shape = "write `NAME: PLACE \"NAME\", 3 \"NAME\"; PLACE \"NAME\" as LABEL.`";
    let mut found = Vec::new();
    let mut cards = 0;
    for part in list.split(|token| token.kind == TokenKind::Semi) {
        let names = |token: &Token| word(token).is_none_or(is_others);
        let end = part.iter().position(names).unwrap_or(part.len());
        let (place, listed) = part.split_at(end);
        let at = span(part, clause.span);
        if is_deck(part) {
            let help = "write `NAME: deck of DECK; PLACE \"NAME\".`, with one deck";
            return Err(misread(source, at, "a deck stands first in the line of its player", help));
        }
        if place.is_empty() {
            return Err(misread(source, at, "it does not say in which place the cards are", shape));
        }
        if listed.is_empty() {
            return Err(misread(source, at, "no card is listed for this place", shape));
        }
        let one = |part| match others(part, source) {
            Some(others) => others,
            None => entry(part, at, source),
        };
        let entries = parts(listed).into_iter().map(one).collect::<Result<Vec<Entry>, _>>()?;
        cards += entries.iter().map(|entry| entry.copies).sum::<usize>();
        if cards > GIVEN {
            return Err(beyond(source.place(clause.span), "cards in the position", GIVEN));
        }
        found.push(Pile { owner: owner.clone(), place: words(place, source, clause.span), entries });
    }
    Ok(found)
}

/// The word for cards that nobody names.
fn is_others(word: &str) -> bool {
    matches!(word, "other" | "others")
}

/// `3 others`, if that is what is written.
fn others(part: &[Token], source: &Source) -> Option<Result<Entry, Diagnostic>> {
    let (last, before) = part.split_last().filter(|(last, _)| word(last).is_some_and(is_others))?;
    let shape = "write `3 others`";
    Some(match before {
        [Token { kind: TokenKind::Number(n), span }] => match usize::try_from(*n) {
            Ok(copies @ 1..=COPIES) => {
                let card = Name { text: source.slice(last.span).to_owned(), span: span.to(last.span) };
                Ok(Entry { copies, card, is_card: true, label: None, said: Vec::new(), others: true })
            }
            Ok(0) => Err(misread(source, *span, "others that are listed are at least one", "take the entry away")),
            _ => Err(beyond(source.place(*span), "copies of a card in one entry", COPIES)),
        },
        _ => Err(misread(source, last.span, "it does not say how many others", shape)),
    })
}

/// Cards with commas between.
pub(crate) fn entries(list: &[Token], at: Span, source: &Source) -> Result<Vec<Entry>, Diagnostic> {
    parts(list).into_iter().map(|part| entry(part, at, source)).collect()
}

/// `"NAME"`, `3 "NAME"`, `"NAME" as L`, each perhaps with what is said of it in brackets; or a label.
pub(crate) fn entry(part: &[Token], at: Span, source: &Source) -> Result<Entry, Diagnostic> {
    let whole = span(part, at);
    let (copies, rest) = match part {
        [Token { kind: TokenKind::Number(n), span }, rest @ ..] => match usize::try_from(*n) {
            Ok(copies @ 1..=COPIES) => (copies, rest),
            Ok(0) => {
                let help = "take the entry away";
                return Err(misread(source, *span, "a card that is listed is there at least once", help));
            }
            _ => return Err(beyond(source.place(*span), "copies of a card in one entry", COPIES)),
        },
        rest => (1, rest),
    };
    let (rest, said) = match rest.split_last() {
        Some((Token { kind: TokenKind::Paren(said), .. }, rest)) => (rest, said.clone()),
        _ => (rest, Vec::new()),
    };
    let card = match rest {
        [card] => name(card).map(|name| (name, quoted(card).is_some(), None)),
        [card, link, label] if word(link) == Some("as") && quoted(card).is_some() => {
            name(label).filter(|_| quoted(label).is_none()).and_then(|label| Some((quoted(card)?, true, Some(label))))
        }
        _ => None,
    };
    match card {
        None => {
            let (at, found, help) = super::given::uncarded(part);
            Err(misread(source, at.map_or(whole, |at| at.span), found, help))
        }
        Some((_, _, label)) if copies > 1 && (label.is_some() || !said.is_empty()) => {
            let help = "list the one that is meant by itself";
            Err(misread(source, whole, "of several copies at once nothing else is said", help))
        }
        Some((card, is_card, label)) => Ok(Entry { copies, card, is_card, label, said, others: false }),
    }
}

/// `[STEP of] PROCEDURE for NAME, 3; …`, outermost first.
fn at_line(clause: &Clause, rest: &[Token], source: &Source) -> Result<Given, Diagnostic> {
    let shape = "write `at STEP for NAME.`, and what runs in it behind a semicolon";
    let wrong = |at: Span, found: &str| misread(source, at, found, shape);
    let mut frames = Vec::new();
    for part in rest.split(|token| token.kind == TokenKind::Semi) {
        let at = span(part, clause.span);
        let link = part.iter().position(|token| word(token) == Some("for"));
        let (said, list) = match link {
            Some(link) => (&part[..link], Some(&part[link + 1..])),
            None => (part, None),
        };
        if said.is_empty() || !said.iter().all(|token| matches!(token.kind, TokenKind::Word(_) | TokenKind::Capital(_)))
        {
            return Err(wrong(at, "it does not say at which step, or in what"));
        }
        let arguments = arguments(list).map_err(|one| wrong(span(one, at), NO_ARGUMENT))?;
        frames.push(Running { said: words(said, source, clause.span), arguments });
    }
    Ok(Given::At(frames, clause.span))
}

/// What is wrong with an argument that is none.
pub(super) const NO_ARGUMENT: &str = "this is neither a name nor a number";

/// What something runs for, with commas between: names and numbers. Else the part that is neither.
pub(super) fn arguments(list: Option<&[Token]>) -> Result<Vec<Argument>, &[Token]> {
    let number = |n: i64| i32::try_from(n).ok().map(Argument::Number);
    let argument = |part: &[Token]| match part {
        [Token { kind: TokenKind::Number(n), .. }] => number(*n),
        [one] => name(one).map(Argument::Thing),
        [Token { kind: TokenKind::Op(sign), .. }, Token { kind: TokenKind::Number(n), .. }] if *sign == "-" => {
            number(-*n)
        }
        _ => None,
    };
    list.map(parts).into_iter().flatten().map(|part| argument(part).ok_or(part)).collect()
}
