//! A lexer by hand, for the formatter (which needs comments and line breaks) and for error messages (which need to go
//! on where pest stops). It follows `pest/lexical.pest` and gives a lexeme for every part of any text.

use crate::tree::Span;
use pest::unicode;

/// The three kinds of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delimiter {
    Paren,
    Bracket,
    Brace,
}

/// What a lexeme is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lex {
    Word,
    Capital,
    Section,
    Number,
    Quoted,
    Op,
    Possessive,
    Comma,
    Semi,
    Colon,
    Stop,
    Open(Delimiter),
    Close(Delimiter),
    Comment,
    /// A name without its closing quote; reaches to the end of the line.
    OpenQuote,
    /// `""`
    EmptyName,
    /// A number with letters directly behind it.
    Glued,
    /// A character that the language does not use.
    Stray(char),
}

/// A lexeme and what stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme {
    /// What it is.
    pub(crate) lex: Lex,
    /// First byte.
    pub(crate) start: usize,
    /// One past the last byte.
    pub(crate) end: usize,
    /// Line breaks between the lexeme before and this one; 2 stands for any more.
    pub(crate) breaks: u8,
    /// True if nothing stands between the lexeme before and this one.
    pub(crate) tight: bool,
}

impl Lexeme {
    /// Where it stands.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.start as u32, self.end as u32)
    }

    /// Its text.
    pub(crate) fn text<'t>(&self, source: &'t str) -> &'t str {
        source.get(self.start..self.end).unwrap_or_default()
    }
}

/// All lexemes of a text. Between them is only blank space.
pub(crate) fn lex(source: &str) -> Vec<Lexeme> {
    let mut lexemes: Vec<Lexeme> = Vec::new();
    let mut at = 0;
    loop {
        let rest = source.get(at..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start_matches(is_blank).len();
        let breaks = rest.get(..blank).unwrap_or_default().bytes().filter(|b| *b == b'\n').count().min(2) as u8;
        let start = at + blank;
        let rest = rest.get(blank..).unwrap_or_default();
        let before = lexemes.last().filter(|_| blank == 0);
        let owner = before
            .is_some_and(|l| matches!(l.lex, Lex::Word | Lex::Capital | Lex::Quoted | Lex::Close(Delimiter::Paren)));
        let Some((lex, length)) = first(rest, owner) else { return lexemes };
        at = start + length;
        lexemes.push(Lexeme { lex, start, end: at, breaks, tight: blank == 0 });
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\n' | '\t' | '\r' | '\u{FEFF}')
}

fn is_upper(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_uppercase() } else { unicode::UPPERCASE_LETTER(c) || unicode::TITLECASE_LETTER(c) }
}

fn is_letter(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphabetic() } else { unicode::LETTER(c) }
}

fn is_lower(c: char) -> bool {
    is_letter(c) && !is_upper(c)
}

fn is_tail(c: char) -> bool {
    c.is_ascii_digit() || is_letter(c)
}

fn starts(rest: &str, test: fn(char) -> bool) -> bool {
    rest.chars().next().is_some_and(test)
}

/// The length of the longest prefix whose characters all pass `test`.
fn run(rest: &str, test: fn(char) -> bool) -> usize {
    rest.find(|c| !test(c)).unwrap_or(rest.len())
}

fn from(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

/// The first lexeme of `rest` and its length. `owner`: the lexeme directly before can have a possessive ending.
fn first(rest: &str, owner: bool) -> Option<(Lex, usize)> {
    let c = rest.chars().next()?;
    Some(match c {
        '/' if rest.starts_with("//") => (Lex::Comment, rest.find('\n').unwrap_or(rest.len())),
        '"' => name(rest),
        '\'' if owner => possessive(rest),
        ',' => (Lex::Comma, 1),
        ';' => (Lex::Semi, 1),
        ':' => (Lex::Colon, 1),
        '.' => (Lex::Stop, 1),
        '(' => (Lex::Open(Delimiter::Paren), 1),
        '[' => (Lex::Open(Delimiter::Bracket), 1),
        '{' => (Lex::Open(Delimiter::Brace), 1),
        ')' => (Lex::Close(Delimiter::Paren), 1),
        ']' => (Lex::Close(Delimiter::Bracket), 1),
        '}' => (Lex::Close(Delimiter::Brace), 1),
        '<' | '>' if from(rest, 1).starts_with('=') => (Lex::Op, 2),
        '+' | '-' | '*' | '=' | '<' | '>' | '&' | '/' => (Lex::Op, 1),
        c if c.is_ascii_digit() => number(rest),
        c if c.is_ascii_lowercase() && entry(rest) > 1 => (Lex::Section, entry(rest)),
        c if is_upper(c) => (Lex::Capital, word(rest, false)),
        c if is_letter(c) => (Lex::Word, word(rest, true)),
        c => (Lex::Stray(c), c.len_utf8()),
    })
}

fn name(rest: &str) -> (Lex, usize) {
    let inner = run(from(rest, 1), |c| !matches!(c, '"' | '\n' | '\r'));
    match (inner, from(rest, 1 + inner).starts_with('"')) {
        (_, false) => (Lex::OpenQuote, 1 + inner),
        (0, true) => (Lex::EmptyName, 2),
        (_, true) => (Lex::Quoted, inner + 2),
    }
}

fn possessive(rest: &str) -> (Lex, usize) {
    let behind = from(rest, 1);
    if behind.starts_with('s') && !starts(from(behind, 1), is_tail) {
        (Lex::Possessive, 2)
    } else if !starts(behind, is_tail) {
        (Lex::Possessive, 1)
    } else {
        (Lex::Stray('\''), 1)
    }
}

fn word(rest: &str, slashes: bool) -> usize {
    let mut length = run(rest, is_tail);
    loop {
        let behind = from(rest, length);
        let next = from(behind, 1);
        let joined = behind.starts_with('-') && starts(next, is_tail)
            || slashes && behind.starts_with('/') && starts(next, is_lower);
        if !joined {
            return length;
        }
        length += 1 + run(next, is_tail);
    }
}

fn number(rest: &str) -> (Lex, usize) {
    let digits = run(rest, |c| c.is_ascii_digit());
    let mut length = digits;
    while from(rest, length).starts_with('.') {
        match segment(from(rest, length + 1)) {
            0 => break,
            more => length += 1 + more,
        }
    }
    let whole = length > digits && !starts(from(rest, length), is_tail);
    if whole {
        (Lex::Section, length)
    } else if starts(from(rest, digits), is_letter) {
        (Lex::Glued, digits + run(from(rest, digits), is_tail))
    } else {
        (Lex::Number, digits)
    }
}

/// The length of an entry of a lettered part: one letter, then words behind dots. 1 if there is none.
fn entry(rest: &str) -> usize {
    let mut length = 1;
    while from(rest, length).starts_with('.') && starts(from(rest, length + 1), is_tail) {
        length += 1 + word(from(rest, length + 1), false);
    }
    length
}

/// The length of one part of a section number, 0 if there is none.
fn segment(rest: &str) -> usize {
    let digits = run(rest, |c| c.is_ascii_digit());
    if digits == 0 {
        // A variant: one capital letter and its number.
        let variant = run(from(rest, 1), |c| c.is_ascii_digit());
        if starts(rest, |c| c.is_ascii_uppercase()) && variant > 0 {
            return 1 + variant;
        }
        return run(rest, |c| matches!(c, 'i' | 'v' | 'x' | 'I' | 'V' | 'X'));
    }
    let letter = from(rest, digits);
    let lettered = letter.starts_with(|c: char| c.is_ascii_lowercase()) && !starts(from(letter, 1), is_tail);
    digits + usize::from(lettered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::parse_sentence;
    use crate::tree::{Token, TokenKind};
    use proptest::prelude::*;

    fn kinds(text: &str) -> Vec<Lex> {
        lex(text).iter().map(|lexeme| lexeme.lex).collect()
    }

    #[test]
    fn words_and_numbers() {
        use Lex::*;
        assert_eq!(
            kinds("low/high on-guard Free-land non-Big Ruins&Rocks"),
            [Word, Word, Capital, Word, Capital, Op, Capital]
        );
        assert_eq!(
            kinds("A/B a/B é/è 2.IV.iii 3.i.4. g.some-word 3.word"),
            [Capital, Op, Capital, Word, Op, Capital, Word, Section, Section, Stop, Section, Number, Stop, Word]
        );
        assert_eq!(kinds("8's 3rd 10-3"), [Number, Stray('\''), Word, Glued, Number, Op, Number]);
        assert_eq!(
            kinds("dog's dogs' \"D\"'s (x)'s dog'x <=>= \"\" \"x"),
            [
                Word,
                Possessive,
                Word,
                Possessive,
                Quoted,
                Possessive,
                Open(Delimiter::Paren),
                Word,
                Close(Delimiter::Paren),
                Possessive,
                Word,
                Stray('\''),
                Word,
                Op,
                Op,
                EmptyName,
                OpenQuote
            ]
        );
    }

    fn leaves(tokens: &[Token], spans: &mut Vec<Span>) {
        for token in tokens {
            match &token.kind {
                TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) => {
                    spans.push(Span::new(token.span.start, token.span.start + 1));
                    leaves(inner, spans);
                    spans.push(Span::new(token.span.end - 1, token.span.end));
                }
                _ => spans.push(token.span),
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn lexer_and_grammar_agree(text in "([a-cs]|[ABÉé3.]|[-/'+<=&]|[ ,;:]|\\(|\\)|\"x\"|//|\n| x ){0,14}") {
            let lexemes: Vec<Lexeme> = lex(&text).into_iter().filter(|l| l.lex != Lex::Comment).collect();
            match parse_sentence(&text) {
                Ok(tokens) => {
                    let mut spans = Vec::new();
                    leaves(&tokens, &mut spans);
                    let mut ours: Vec<Span> = lexemes.iter().map(Lexeme::span).collect();
                    if lexemes.last().is_some_and(|l| l.lex == Lex::Stop) {
                        ours.pop();
                    }
                    prop_assert_eq!(spans, ours);
                }
                Err(errors) => {
                    // A refusal always has a cause that the lexer sees as well.
                    prop_assert!(errors.iter().all(|e| e.code != netrep_diagnostics::Code::UnexpectedText), "{text:?} {errors:?}");
                }
            }
        }
    }
}
