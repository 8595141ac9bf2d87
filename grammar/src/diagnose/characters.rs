//! Wrong characters: quotes that do not pair, look-alikes, signs that the language does not use.

use crate::error::{Code, SyntaxError};
use crate::lex::{Lex, Lexeme};

/// No more than this many are reported at once; a text with more is no text of this language.
const MOST: usize = 8;

/// The wrong characters among `lexemes`.
pub(super) fn check(text: &str, lexemes: &[Lexeme]) -> Vec<SyntaxError> {
    lexemes.iter().filter_map(|lexeme| wrong(text, lexeme)).take(MOST).collect()
}

fn wrong(text: &str, lexeme: &Lexeme) -> Option<SyntaxError> {
    let span = lexeme.span();
    let found = lexeme.text(text);
    Some(match lexeme.lex {
        Lex::OpenQuote => {
            SyntaxError::new(Code::MissingQuote, span, "the quotation mark `\"` is not closed on its line")
                .help("write `\"` where the name ends; every name ends on the line where it begins")
        }
        Lex::EmptyName => {
            SyntaxError::new(Code::EmptyName, span, "there is no name between the quotation marks `\"\"`")
                .help("write the name")
        }
        Lex::Glued => {
            let digits = found.len() - found.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (number, letters) = (found.get(..digits).unwrap_or_default(), found.get(digits..).unwrap_or_default());
            SyntaxError::new(Code::GluedNumber, span, format!("letters directly behind a number: `{found}`"))
                .help(format!("write `{number} {letters}` if these are two things"))
        }
        Lex::Stray(c) => stray(c, span),
        _ => return None,
    })
}

fn stray(c: char, span: crate::tree::Span) -> SyntaxError {
    let shown = format!("`{}` (U+{:04X})", c.escape_debug(), u32::from(c));
    if let Some(plain) = plain(c) {
        let name = sign_name(plain);
        return SyntaxError::new(
            Code::LookAlikeCharacter,
            span,
            format!("{shown} looks like the {name} `{plain}` but is another character"),
        )
        .help(format!("write the plain {name} `{plain}`"));
    }
    if unicode_mark(c) {
        let message = format!("the accent {shown} stands apart from its letter");
        return SyntaxError::new(Code::LookAlikeCharacter, span, message)
            .help("write the letter and its accent as one character");
    }
    if c.is_whitespace() || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{00AD}') {
        let message = format!("the invisible character U+{:04X} is not used in this language", u32::from(c));
        return SyntaxError::new(Code::LookAlikeCharacter, span, message).help("write a plain blank, or remove it");
    }
    let help = match c {
        '\'' => "write a name between quotation marks `\"`; an apostrophe stands directly behind its owner: `owner's`",
        '!' => "negation is written `not`",
        '_' => "the parts of a word are joined by a hyphen `-`",
        '#' => "a comment begins with two slashes `//`",
        '%' | '^' | '~' | '|' => "the signs of this language are `+ - * = < > <= >= / &`",
        '?' | '`' | '\\' | '@' | '$' => "such a character can stand only in a quoted name or in a comment",
        _ => "remove it, or write the name that contains it between quotation marks `\"`",
    };
    SyntaxError::new(Code::StrayCharacter, span, format!("the character {shown} is not used in this language"))
        .help(help)
}

/// The plain sign that `c` looks like.
fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' | '＂' => "\"",
        '‘' | '’' | '‚' | '‛' | '′' | '´' | 'ʼ' | '＇' => "'",
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '－' => "-",
        '×' | '∗' | '＊' => "*",
        '≤' | '⩽' => "<=",
        '≥' | '⩾' => ">=",
        '‹' | '〈' | '＜' => "<",
        '›' | '〉' | '＞' => ">",
        '＝' => "=",
        '＋' => "+",
        '⁄' | '∕' | '／' => "/",
        '＆' => "&",
        '，' | '、' => ",",
        '；' | '\u{37E}' => ";",
        '：' | '∶' => ":",
        '。' | '．' | '…' | '․' => ".",
        '（' => "(",
        '）' => ")",
        '［' => "[",
        '］' => "]",
        '｛' => "{",
        '｝' => "}",
        _ => return None,
    })
}

fn sign_name(sign: &str) -> &'static str {
    match sign {
        "\"" => "quotation mark",
        "'" => "apostrophe",
        "-" => "hyphen",
        "," => "comma",
        ";" => "semicolon",
        ":" => "colon",
        "." => "full stop",
        "(" | ")" => "parenthesis",
        "[" | "]" => "bracket",
        "{" | "}" => "brace",
        _ => "sign",
    }
}

fn unicode_mark(c: char) -> bool {
    !c.is_ascii() && pest::unicode::MARK(c)
}
