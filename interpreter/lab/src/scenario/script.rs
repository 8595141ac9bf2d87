//! The clauses of `when` and `expect`.

use netrep_compiler::Diagnostic;
use netrep_grammar::tree::{Clause, Token, TokenKind};

use super::clauses::{cut, cut_word, day, misread, name, parts, span, word, words};
use super::{Cite, Expect, Given, Moment, Name, UNDER, Under, Until, What};
use crate::problem::Source;

/// Reads a line of `when`: a move or a roll.
pub(crate) fn moved(clause: &Clause, source: &Source) -> Result<What, Diagnostic> {
    let tokens = clause.tokens.as_slice();
    let shape = "write `NAME: the words of the move.`, `dice 7.`, `until STEP.` or `stack NAME: \"CARD\", \"CARD\".`";
    let wrong = |found: &str| misread(source, clause.span, found, shape);
    if clause.block.is_some() {
        return Err(wrong("a line of `when` is one sentence"));
    }
    if let [first, rest @ ..] = tokens
        && word(first) == Some("dice")
    {
        let (total, subject) = match rest {
            [total] => (total, None),
            [total, link, subject @ ..] if word(link) == Some("for") && !subject.is_empty() => {
                (total, Some(source.slice(span(subject, clause.span)).to_owned()))
            }
            _ => return Err(wrong("a roll is a number, and perhaps what it is for")),
        };
        let TokenKind::Number(total) = total.kind else { return Err(wrong("the total of a roll is a number")) };
        let total = i32::try_from(total).map_err(|_| wrong("no dice show so much"))?;
        return Ok(What::Dice { total, subject });
    }
    if let [first, label, link, phrase @ ..] = tokens
        && (word(first), word(link)) == (Some("let"), Some("be"))
        && let Some(label) = name(label)
    {
        return Ok(What::Let { label, phrase: phrase.to_vec() });
    }
    if let [first, rest @ ..] = tokens
        && word(first) == Some("stack")
    {
        let (by, cards) = pile(rest, source, clause)?;
        return Ok(What::Stack { by, cards });
    }
    if let [first, rest @ ..] = tokens
        && word(first) == Some("until")
    {
        return until(rest, source, clause).map(What::Until);
    }
    let wrong_move = || wrong("this is neither a move nor a roll");
    let (head, words) = cut(tokens, |token| token.kind == TokenKind::Colon).ok_or_else(wrong_move)?;
    let (by, at) = match head {
        [by] => (by, None),
        [by, link, rest @ ..] if word(link) == Some("at") && !rest.is_empty() => {
            (by, Some(moment(rest, source, clause)))
        }
        _ => return Err(wrong_move()),
    };
    let by = name(by).ok_or_else(wrong_move)?;
    match words {
        [] => Err(wrong_move()),
        [first, second] if (word(first), word(second)) == (Some("decline"), Some("all")) => match at {
            None => Ok(What::DeclineAll { by }),
            Some(_) => Err(wrong("`decline all` is about the step at hand: go there by `until STEP.`")),
        },
        words => Ok(What::Move { by, at, words: source.slice(span(words, clause.span)).to_owned() }),
    }
}

/// `STEP`, `PROCEDURE`, or one of them `of NAME`.
fn moment(tokens: &[Token], source: &Source, clause: &Clause) -> Moment {
    if let [rest @ .., link, of] = tokens
        && word(link) == Some("of")
        && !rest.is_empty()
        && let Some(of) = name(of)
    {
        return Moment { name: words(rest, source, clause.span), of: Some(of) };
    }
    Moment { name: words(tokens, source, clause.span), of: None }
}

/// What stands behind `until`.
fn until(tokens: &[Token], source: &Source, clause: &Clause) -> Result<Until, Diagnostic> {
    match tokens {
        [] => {
            let shape = "write `until STEP.`, `until STEP of NAME.`, `until NAME is asked.` or `until over.`";
            Err(misread(source, clause.span, "it does not say how far", shape))
        }
        [over] if word(over) == Some("over") => Ok(Until::Over),
        [by, is, asked] if (word(is), word(asked)) == (Some("is"), Some("asked")) => match name(by) {
            Some(by) => Ok(Until::Asked(by)),
            None => Err(misread(source, clause.span, "it does not say who is asked", "write `until NAME is asked.`")),
        },
        tokens => Ok(Until::Moment(moment(tokens, source, clause))),
    }
}

/// `NAME: "CARD", "CARD" #2`
fn pile(tokens: &[Token], source: &Source, clause: &Clause) -> Result<(Name, Vec<String>), Diagnostic> {
    let wrong = |found: &str| misread(source, clause.span, found, "write `NAME: \"CARD\", \"CARD\".`");
    let (by, list) =
        cut(tokens, |token| token.kind == TokenKind::Colon).ok_or_else(|| wrong("it does not say whose cards"))?;
    let by = match by {
        [by] => name(by),
        _ => None,
    };
    let by = by.ok_or_else(|| wrong("it does not say whose cards"))?;
    let card = |part: &[Token]| match part {
        [Token { kind: TokenKind::Quoted(card), .. }] => Ok(format!("\"{card}\"")),
        [Token { kind: TokenKind::Quoted(card), .. }, Token { kind: TokenKind::Op(which), .. }]
            if which.starts_with('#') =>
        {
            Ok(format!("\"{card}\" {which}"))
        }
        _ => Err(wrong("the cards are a list of names in quotes")),
    };
    Ok((by, parts(list).into_iter().map(card).collect::<Result<_, _>>()?))
}

/// Reads a line of `expect`.
pub(crate) fn expected(clause: &Clause, source: &Source) -> Result<Expect, Diagnostic> {
    let tokens = clause.tokens.as_slice();
    if clause.block.is_some() {
        return Err(misread(source, clause.span, "an expectation is one sentence", "end it with a full stop"));
    }
    if let Some(seen) = seen(tokens) {
        return Ok(seen);
    }
    let (next, tokens) = match tokens {
        [when, what, ..] if word(when) == Some("next") && matches!(word(what), Some("offered" | "refused")) => {
            (true, &tokens[1..])
        }
        [when, what, ..] if word(when) == Some("now") && matches!(word(what), Some("offered" | "refused")) => {
            let help = "leave `now` out; what is offered later is `next offered`";
            return Err(misread(source, when.span, "what is offered is what is offered now", help));
        }
        _ => (false, tokens),
    };
    match tokens.split_first().map(|(first, rest)| (word(first), rest)) {
        Some((Some("over"), [])) => Ok(Expect::Over),
        Some((Some("drew"), rest)) if cut(rest, |token| token.kind == TokenKind::Colon).is_some() => {
            let (by, cards) = pile(rest, source, clause)?;
            Ok(Expect::Drew { by, cards })
        }
        Some((Some(_), _))
            if cut(tokens, |t| t.kind == TokenKind::Colon).is_some_and(|(h, _)| cut_word(h, "in").is_some()) =>
        {
            match super::given::given(clause, source)? {
                Given::Cards(cards) => Ok(Expect::Contents(cards)),
                _ => Err(misread(
                    source,
                    clause.span,
                    "this names no place",
                    "write `cards of NAME in PLACE: \"NAME\".`",
                )),
            }
        }
        Some((Some("offered"), rest)) => match said(rest, source, clause) {
            Some((by, words)) => Ok(Expect::Offered { by, next, words }),
            None => Ok(Expect::Holds(tokens.to_vec())),
        },
        Some((Some("refused"), rest)) if said(rest, source, clause).is_some() => {
            let (attempt, because) =
                cut_word(rest, "because").map_or((rest, None), |(attempt, because)| (attempt, Some(because)));
            let shape = "write `refused NAME: the words of the move because ITEM LABEL.`";
            let (by, words) = said(attempt, source, clause)
                .ok_or_else(|| misread(source, clause.span, "it does not say what is refused", shape))?;
            let because = match because {
                Some(because) => cites(because, source, clause)?,
                // Where no reason is asked for, any will do.
                None => Vec::default(),
            };
            Ok(Expect::Refused { by, next, words, because })
        }
        Some(_) => Ok(Expect::Holds(tokens.to_vec())),
        None => Err(misread(source, clause.span, "nothing is expected", "write a condition")),
    }
}

/// `NAME: words`
fn said(tokens: &[Token], source: &Source, clause: &Clause) -> Option<(Name, String)> {
    let (by, words) = cut(tokens, |token| token.kind == TokenKind::Colon)?;
    let [by]: &[Token; 1] = by.try_into().ok()?;
    (!words.is_empty()).then_some(())?;
    Some((name(by)?, source.slice(span(words, clause.span)).to_owned()))
}

/// `seen by NAME: condition`, or `unseen`
fn seen(tokens: &[Token]) -> Option<Expect> {
    let (head, cond) = cut(tokens, |token| token.kind == TokenKind::Colon)?;
    let [kind, preposition, by]: &[Token; 3] = head.try_into().ok()?;
    let tells = match word(kind)? {
        "seen" => true,
        "unseen" => false,
        _ => return None,
    };
    (word(preposition) == Some("by") && !cond.is_empty()).then_some(())?;
    Some(Expect::Seen { by: name(by)?, cond: cond.to_vec(), tells })
}

/// A list of citations.
pub(crate) fn cites(tokens: &[Token], source: &Source, clause: &Clause) -> Result<Vec<Cite>, Diagnostic> {
    let cite = |part: &[Token]| {
        let Name { text, span } = words(part, source, clause.span);
        let missing = || misread(source, clause.span, "a citation is missing here", "write `ITEM`, or `ITEM LABEL`");
        (!part.is_empty()).then_some(Cite { text, span }).ok_or_else(missing)
    };
    parts(tokens).into_iter().map(cite).collect()
}

/// What stands behind `under`: `edition ID`, `RULING READING` or `without RULING`.
pub(crate) fn under(tokens: &[Token], source: &Source, clause: &Clause) -> Result<Option<Under>, Diagnostic> {
    // total: where nothing is said, it is so under every profile.
    let Some((first, rest)) = tokens.split_first() else { return Ok(None) };
    let shape = "write `under RULING READING`, `under edition ID` or `under without RULING`";
    let wrong = || misread(source, span(tokens, clause.span), "this names no reading and no edition", shape);
    if word(first) != Some(UNDER) {
        return Err(wrong());
    }
    let text = |tokens: &[Token]| words(tokens, source, clause.span).text;
    match rest {
        [kind, of, date @ ..] if word(kind) == Some("as") && word(of) == Some("of") => {
            Ok(Some(Under::AsOf(day(date, source, clause)?)))
        }
        [kind, id @ ..] if word(kind) == Some("edition") && !id.is_empty() => Ok(Some(Under::Edition(text(id)))),
        [kind, id @ ..] if word(kind) == Some("without") && !id.is_empty() => Ok(Some(Under::Without(text(id)))),
        [ruling, reading @ ..] if !reading.is_empty() => {
            Ok(Some(Under::Reading(text(std::slice::from_ref(ruling)), text(reading))))
        }
        _ => Err(wrong()),
    }
}
