//! What holes of rows that are found in tokens may hold: how many of the tokens, and what messages call it.

use netrep_grammar::tree::{Token, TokenKind};

use super::closed::is_label;
use super::forms::Kept;

/// So many words may be in one name.
const MOST_WORDS: usize = 64;

/// A word of a name: in lower case, with a capital, or `&`.
pub(super) fn spelled(token: &Token) -> Option<&str> {
    match &token.kind {
        TokenKind::Word(w) | TokenKind::Capital(w) => Some(w),
        TokenKind::Op(op) if op == "&" => Some("&"),
        _ => None,
    }
}

/// True if the token is this word or sign of a row.
pub(super) fn is(token: &Token, what: &str) -> bool {
    match &token.kind {
        TokenKind::Word(w) => w == what,
        TokenKind::Op(op) => op == what,
        TokenKind::Comma => what == ",",
        TokenKind::Colon => what == ":",
        TokenKind::Semi => what == ";",
        _ => false,
    }
}

/// The tokens in a group of this opening sign.
pub(super) fn inside<'t>(token: &'t Token, open: &str) -> Option<&'t [Token]> {
    match (&token.kind, open) {
        (TokenKind::Paren(inner), "(") | (TokenKind::Bracket(inner), "[") => Some(inner),
        _ => None,
    }
}

/// What messages call what a hole holds.
pub(super) fn shown(kept: Kept) -> &'static str {
    match kept {
        Kept::Class => "the name of a class",
        Kept::Clauses => "a block in braces",
        Kept::Figure => "the name of a figure",
        Kept::Label => "a label",
        Kept::Term => "a term",
        Kept::Value => "a value",
        Kept::Word | Kept::Words | Kept::Id | Kept::Key => "a name",
        Kept::Quoted => "words in quotes",
        Kept::Book => "a name in capitals",
        Kept::CardId => "a card's id",
        Kept::RuleNumber => "a rule's number",
        Kept::Item => "a rule's number or a card's id",
        Kept::ClauseName => "the label of a clause",
        Kept::Count => "a number from 1 up",
        Kept::Date => "a date such as `1999-05-29`",
        Kept::Hash => "eight hexadecimal digits in quotes",
    }
}

/// How many of the tokens a hole may hold, the most first.
pub(super) fn ends(kept: Kept, tokens: &[Token]) -> Vec<usize> {
    let run = |is: fn(&Token) -> bool| tokens.iter().take(MOST_WORDS).take_while(|t| is(t)).count();
    let word: fn(&Token) -> bool = |t| spelled(t).is_some();
    let lower: fn(&Token) -> bool = |t| spelled(t).is_some() && !matches!(t.kind, TokenKind::Capital(_));
    let capital = |t: &Token| matches!(t.kind, TokenKind::Capital(_));
    let labels = |t: &Token| matches!(&t.kind, TokenKind::Capital(w) if is_label(w));
    match kept {
        Kept::Words => (1..=run(word)).rev().collect(),
        Kept::Word => (1..=run(word).min(1)).collect(),
        // A label behind the name is none of its words.
        Kept::Class => (1..=run(word)).rev().filter(|len| !tokens.get(len - 1).is_some_and(labels)).collect(),
        Kept::Figure => (1..=run(lower)).rev().collect(),
        Kept::Term if tokens.first().is_some_and(capital) => (1..=run(word)).rev().collect(),
        Kept::Label if tokens.first().is_some_and(labels) => vec![1],
        Kept::Term | Kept::Label | Kept::Clauses => Vec::new(),
        Kept::Value => (1..=tokens.len()).rev().take(1).collect(),
        Kept::ClauseName => {
            let words = run(|t| matches!(t.kind, TokenKind::Word(_) | TokenKind::Capital(_)));
            // Those that are derived from words are numbered.
            let numbered = words > 0 && matches!(tokens.get(words).map(|t| &t.kind), Some(TokenKind::Number(_)));
            (1..=words + usize::from(numbered)).rev().collect()
        }
        Kept::Date => day(tokens).into_iter().collect(),
        Kept::Quoted
        | Kept::Book
        | Kept::CardId
        | Kept::RuleNumber
        | Kept::Item
        | Kept::Key
        | Kept::Id
        | Kept::Count
        | Kept::Hash => tokens.first().filter(|token| is_one(kept, token)).map(|_| 1).into_iter().collect(),
    }
}

/// True if a token by itself is what such a hole holds.
fn is_one(kept: Kept, token: &Token) -> bool {
    use TokenKind::{Capital, Number, Quoted, Reference, Word};
    match (kept, &token.kind) {
        (Kept::Quoted | Kept::Key, Quoted(_)) => true,
        (Kept::Book | Kept::CardId | Kept::Item | Kept::Key | Kept::Id, Capital(_)) => true,
        (Kept::RuleNumber | Kept::Item | Kept::Key, Reference(_) | Number(_)) => true,
        (Kept::Key | Kept::Id, Word(_)) => true,
        (Kept::Count, Number(n)) => *n > 0,
        (Kept::Hash, Quoted(hash)) => hash.len() == 8 && hash.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f')),
        _ => false,
    }
}

/// A year, a month or a day: numbers with `-` between them and no blanks.
fn day(tokens: &[Token]) -> Option<usize> {
    let number = |at: usize| matches!(tokens.get(at).map(|t| &t.kind), Some(TokenKind::Number(_)));
    let close = |at: usize| tokens.get(at).zip(tokens.get(at + 1)).is_some_and(|(a, b)| a.span.end == b.span.start);
    let goes_on =
        |at: usize| tokens.get(at + 1).is_some_and(|t| is(t, "-")) && number(at + 2) && close(at) && close(at + 1);
    number(0).then(|| 1 + 2 * [0, 2].into_iter().take_while(|at| goes_on(*at)).count())
}
