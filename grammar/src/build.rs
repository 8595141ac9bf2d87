//! From pest's pairs to the tree. The grammar guarantees the shapes; the only refusals are numbers out of range.

use crate::error::{Code, SyntaxError};
use crate::parser::Rule;
use crate::tree::{Clause, Item, Marker, Span, Token, TokenKind};
use pest::iterators::Pair;

type Built<T> = Result<T, SyntaxError>;

/// The item of a pair of `Rule::item`.
pub(crate) fn item(pair: Pair<'_, Rule>) -> Built<Item> {
    let mut item = Item::default();
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::head => {
                item.head = part.as_str().to_owned();
                item.head_span = span(&part);
                item.span = item.head_span;
            }
            Rule::body => {
                item.has_body = true;
                let (clauses, end) = block(part)?;
                item.clauses = clauses;
                item.span = item.span.to(end);
            }
            Rule::stop => item.span = item.span.to(span(&part)),
            _ => token(part, &mut item.header)?,
        }
    }
    Ok(item)
}

/// The clauses among the parts of a pair.
pub(crate) fn clauses(pair: Pair<'_, Rule>) -> Built<Vec<Clause>> {
    pair.into_inner().filter(|part| part.as_rule() == Rule::clause).map(clause).collect()
}

/// The tokens among the parts of a pair.
pub(crate) fn tokens(pair: Pair<'_, Rule>) -> Built<Vec<Token>> {
    let mut tokens = Vec::new();
    for part in pair.into_inner() {
        token(part, &mut tokens)?;
    }
    Ok(tokens)
}

/// The clauses of a block or body, and the span of its closing brace.
fn block(pair: Pair<'_, Rule>) -> Built<(Vec<Clause>, Span)> {
    let mut end = span(&pair);
    let mut clauses = Vec::new();
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::close => end = span(&part),
            _ => clauses.push(clause(part)?),
        }
    }
    Ok((clauses, end))
}

fn clause(pair: Pair<'_, Rule>) -> Built<Clause> {
    let start = span(&pair).start;
    let mut clause = Clause { marker: None, tokens: Vec::new(), block: None, span: Span::new(start, start) };
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::marker => clause.marker = Some(marker(part)?),
            Rule::block => {
                let (clauses, end) = block(part)?;
                clause.block = Some(clauses);
                clause.span = clause.span.to(end);
            }
            Rule::stop => clause.span = clause.span.to(span(&part)),
            _ => token(part, &mut clause.tokens)?,
        }
    }
    Ok(clause)
}

fn marker(pair: Pair<'_, Rule>) -> Built<Marker> {
    let mut marker = Marker { span: span(&pair), ..Marker::default() };
    for part in pair.into_inner() {
        if part.as_rule() == Rule::number {
            marker.sentences.push(sentence_number(&part)?);
        } else {
            if !marker.label.is_empty() {
                marker.label.push(' ');
            }
            marker.label.push_str(part.as_str());
        }
    }
    Ok(marker)
}

fn sentence_number(part: &Pair<'_, Rule>) -> Built<u32> {
    match part.as_str().parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(SyntaxError::new(
            Code::BadMarker,
            span(part),
            format!("`{}` is no number of a printed sentence", part.as_str()),
        )
        .help("printed sentences are counted from 1")),
    }
}

/// Adds the token of `pair` to `tokens`: two of them for a word with its possessive ending, none for what is no token.
fn token(pair: Pair<'_, Rule>, tokens: &mut Vec<Token>) -> Built<()> {
    let place = span(&pair);
    let text = || pair.as_str().to_owned();
    let kind = match pair.as_rule() {
        Rule::owned => {
            for part in pair.into_inner() {
                token(part, tokens)?;
            }
            return Ok(());
        }
        Rule::word => TokenKind::Word(text()),
        Rule::section => TokenKind::Reference(text()),
        Rule::capital => TokenKind::Capital(text()),
        Rule::quoted => TokenKind::Quoted(pair.into_inner().map(|name| name.as_str()).collect()),
        Rule::number => TokenKind::Number(number(&pair)?),
        Rule::op => TokenKind::Op(text()),
        Rule::possessive => TokenKind::Possessive,
        Rule::comma => TokenKind::Comma,
        Rule::semi => TokenKind::Semi,
        Rule::colon => TokenKind::Colon,
        Rule::paren => TokenKind::Paren(self::tokens(pair)?),
        Rule::bracket => TokenKind::Bracket(self::tokens(pair)?),
        Rule::brace => TokenKind::Brace(self::tokens(pair)?),
        _ => return Ok(()),
    };
    tokens.push(Token { kind, span: place });
    Ok(())
}

fn number(pair: &Pair<'_, Rule>) -> Built<i64> {
    pair.as_str().parse().map_err(|_| {
        SyntaxError::new(Code::LargeNumber, span(pair), "this number is too large")
            .help(format!("the largest number is {}", i64::MAX))
    })
}

fn span(pair: &Pair<'_, Rule>) -> Span {
    let place = pair.as_span();
    Span::new(place.start() as u32, place.end() as u32)
}
