//! The clauses of `given`.

use netrep_compiler::Diagnostic;
use netrep_compiler::phrase::lexicon::is_id;
use netrep_grammar::tree::{Clause, Token, TokenKind};
use netrep_ir::limits::GIVEN;

use super::clauses::{beyond, cut, cut_word, misread, name, parts, span, word, words};
use super::lines::{NO_ARGUMENT, arguments, entry};
use super::{CardsIn, Entry, Given, Name};
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
    if let Some(line) = super::lines::line(clause, source) {
        return line;
    }
    if let Some((head, list)) = cut(tokens, |token| token.kind == TokenKind::Colon) {
        return cards(clause, head, list, source);
    }
    if let Some(link) = uncoloned(tokens) {
        let help = "write `cards of NAME in PLACE: \"NAME\", \"NAME\".`";
        return Err(misread(source, link.span, "the cards of a place are listed behind a colon", help));
    }
    match mint(tokens) {
        Some(minted) => Ok(minted),
        None => match unmintable(tokens) {
            Some(at) => Err(misread(
                source,
                at.span,
                "this is no name",
                "write `CLASS NAME, NAME.`: a name begins with a capital letter",
            )),
            None => Ok(Given::Fact(tokens.to_vec(), clause.span)),
        },
    }
}

/// How cards are listed in a position, said of a list that is not understood: whose they are stands before the colon.
pub(super) fn in_position(diag: Diagnostic) -> Diagnostic {
    let now = "write `NAME: PLACE \"NAME\", 3 \"NAME\".`, or `cards in PLACE: \"NAME\".` if they are nobody's";
    let is_other = |help: &String| help.starts_with("write `cards of NAME in PLACE");
    let help = diag.help.map(|help| if is_other(&help) { now.to_owned() } else { help });
    Diagnostic { help, ..diag }
}

/// The verb of a list of cards that has one in the place of its colon: `CARDS of NAME in PLACE are "NAME"`.
fn uncoloned(tokens: &[Token]) -> Option<&Token> {
    let (class, rest) = tokens.split_first()?;
    word(class)?;
    let at = rest.iter().position(|token| matches!(word(token), Some("is" | "are")))?;
    let (head, list) = rest.split_at(at);
    let is_place = matches!(head, [first, ..] if word(first) == Some("in"))
        || matches!(head, [of, owner, link, ..] if word(of) == Some("of") && name(owner).is_some() && word(link) == Some("in"));
    let is_list =
        list.get(1).is_some_and(|first| quoted(first).is_some() || matches!(first.kind, TokenKind::Number(_)));
    list.first().filter(|_| is_place && is_list)
}

/// Where `CLASS NAME, NAME` goes wrong: names and words without a verb, the first that is no name or stands without a comma.
fn unmintable(tokens: &[Token]) -> Option<&Token> {
    let [class, first, ..] = tokens else { return None };
    let begins = word(class).is_some() && (name(first).is_some() || tokens.get(2).is_some_and(is_comma));
    let plain = |token: &Token| {
        name(token).is_some() || is_comma(token) || word(token).is_some_and(|word| !LINKS.contains(&word))
    };
    if !begins || !tokens.iter().all(plain) {
        return None;
    }
    parts(&tokens[1..]).into_iter().find_map(|part| match part {
        [one] if name(one).is_some() => None,
        [one, wrong, ..] if name(one).is_some() => Some(wrong),
        [wrong, ..] => Some(wrong),
        [] => None,
    })
}

/// What makes a sentence of names and words a fact.
const LINKS: [&str; 12] = ["is", "are", "has", "have", "was", "were", "does", "of", "in", "with", "by", "there"];

fn is_comma(token: &Token) -> bool {
    token.kind == TokenKind::Comma
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
        let Entry { copies, card, is_card, label, said, .. } = entry(part, clause.span, source)?;
        if !is_card || !said.is_empty() {
            let at = if is_card { said.first() } else { part.first() }.map_or(clause.span, |at| at.span);
            return Err(misread(source, at, "in this list a card is a quoted name, and perhaps a label", shape));
        }
        if cards.len() + copies > GIVEN {
            return Err(beyond(source.place(clause.span), "cards in the position", GIVEN));
        }
        cards.extend(std::iter::repeat_n((card, label), copies));
    }
    let class = Name { text: source.slice(class.span).to_owned(), span: class.span };
    Ok(Given::Cards(CardsIn {
        class: Some(class),
        owner,
        place: words(place, source, clause.span),
        cards,
        others: false,
    }))
}

/// Where an entry of a list of cards goes wrong, what is wrong, and what to write.
pub(super) fn uncarded(part: &[Token]) -> (Option<&Token>, &'static str, &'static str) {
    match part {
        [] => (None, "a card is missing between commas", "take one comma away"),
        [card, rest @ ..] if quoted(card).is_some() => match rest {
            [next, ..] if quoted(next).is_some() => {
                (Some(next), "a comma is missing before this card", "write `\"NAME\", \"NAME\"`")
            }
            [link, label, ..] if word(link) == Some("as") => {
                (Some(label), "a label begins with a capital letter", "write `\"NAME\" as LABEL`")
            }
            [next, ..] => (
                Some(next),
                "this does not belong to a card",
                "write `3 \"NAME\"` for three of them, `\"NAME\" as LABEL` for one with a label",
            ),
            [] => (Some(card), "a card is a quoted name, and perhaps a label", "write `\"NAME\" as LABEL`"),
        },
        [first, ..] => (
            Some(first),
            "a card is named by its name in quotes",
            "write `\"NAME\"`, or `3 \"NAME\"` for three of them",
        ),
    }
}

/// A card, by its name in quotes or by its id.
pub(super) fn quoted(token: &Token) -> Option<Name> {
    name(token).filter(|name| match &token.kind {
        TokenKind::Quoted(_) => true,
        TokenKind::Capital(_) => is_id(&name.text),
        _ => false,
    })
}

/// How what runs was begun once.
const BEGIN: &str = "write `begin PROCEDURE for NAME at step STEP.`";

/// `begin PROCEDURE [for NAME, 3] [at step STEP]`
fn begin(clause: &Clause, rest: &[Token], source: &Source) -> Result<Given, Diagnostic> {
    let wrong = |found: &str| misread(source, clause.span, found, BEGIN);
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
    let arguments = arguments(list).map_err(|part| misread(source, span(part, clause.span), NO_ARGUMENT, BEGIN))?;
    Ok(Given::Begin { procedure: words(procedure, source, clause.span), arguments, step })
}
