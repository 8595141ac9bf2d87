//! Wrong characters: quotes that do not pair, look-alikes, signs that the language does not use.

use super::error;
use crate::error::{Code, Finding};
use crate::parser::Rule;
use crate::tree::Span;

/// The error about a lexeme that is no token, if it is one.
pub(crate) fn flaw(rule: Rule, span: Span, found: &str) -> Option<Finding> {
    Some(match rule {
        Rule::open_quote => error(
            Code::MissingQuote,
            span,
            "the quotation mark `\"` is not closed on its line",
            "write `\"` where the name ends; every name ends on the line where it begins",
        ),
        Rule::empty_name => {
            error(Code::EmptyName, span, "there is no name between the quotation marks `\"\"`", "write the name")
        }
        Rule::glued => {
            let digits = found.len() - found.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (number, letters) = found.split_at(digits);
            error(
                Code::GluedNumber,
                span,
                format!("letters directly behind a number: `{found}`"),
                format!("write `{number} {letters}` if these are two things"),
            )
        }
        Rule::stray | Rule::accent | Rule::like_blank => character(rule, found.chars().next()?, span),
        _ if meant(rule).is_some() => character(rule, found.chars().next()?, span),
        _ => return None,
    })
}
/// The error about a character that the language does not use.
fn character(rule: Rule, c: char, span: Span) -> Finding {
    let seen = if c.is_ascii_punctuation() { c.to_string() } else { c.escape_debug().to_string() };
    let shown = format!("`{seen}` (U+{:04X})", u32::from(c));
    if let Some((name, plain)) = meant(rule) {
        return error(
            Code::LookAlikeCharacter,
            span,
            format!("{shown} looks like the {name} `{plain}` but is another character"),
            format!("write the plain {name} `{plain}`"),
        );
    }
    if rule == Rule::accent {
        let message = format!("the accent {shown} stands apart from its letter");
        return error(Code::LookAlikeCharacter, span, message, "write the letter and its accent as one character");
    }
    if rule == Rule::like_blank {
        let message = format!("the invisible character U+{:04X} is not used in this language", u32::from(c));
        return error(Code::LookAlikeCharacter, span, message, "write a plain blank, or remove it");
    }
    let help = match c {
        '\'' => {
            "write a name between quotation marks `\"`; an apostrophe stands directly behind its owner: `owner's`; what is not so or may not be is said `not`, `cannot`"
        }
        '!' => "negation is written `not`",
        '_' => "the parts of a word are joined by a hyphen `-`",
        '#' => "a comment begins with two slashes `//`",
        '%' | '^' | '~' | '|' => "the signs of this language are `+ - * = < > <= >= / &`",
        '?' | '`' | '\\' | '@' | '$' => "such a character can stand only in a quoted name or in a comment",
        _ => "remove it, or write the name that contains it between quotation marks `\"`",
    };
    error(Code::StrayCharacter, span, format!("the character {shown} is not used in this language"), help)
}

/// The sign that a character looks like, with its name.
fn meant(rule: Rule) -> Option<(&'static str, &'static str)> {
    Some(match rule {
        Rule::like_quote => ("quotation mark", "\""),
        Rule::like_apostrophe => ("apostrophe", "'"),
        Rule::like_hyphen => ("hyphen", "-"),
        Rule::like_times => ("sign", "*"),
        Rule::like_at_most => ("sign", "<="),
        Rule::like_at_least => ("sign", ">="),
        Rule::like_less => ("sign", "<"),
        Rule::like_more => ("sign", ">"),
        Rule::like_equals => ("sign", "="),
        Rule::like_plus => ("sign", "+"),
        Rule::like_slash => ("sign", "/"),
        Rule::like_and => ("sign", "&"),
        Rule::like_comma => ("comma", ","),
        Rule::like_semi => ("semicolon", ";"),
        Rule::like_colon => ("colon", ":"),
        Rule::like_stop => ("full stop", "."),
        Rule::like_open_paren => ("parenthesis", "("),
        Rule::like_close_paren => ("parenthesis", ")"),
        Rule::like_open_bracket => ("bracket", "["),
        Rule::like_close_bracket => ("bracket", "]"),
        Rule::like_open_brace => ("brace", "{"),
        Rule::like_close_brace => ("brace", "}"),
        _ => return None,
    })
}
