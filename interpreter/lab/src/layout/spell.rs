//! Tokens as they are written in a position.

use netrep_grammar::tree::{Token, TokenKind};

/// Tokens as text: a blank between words, none before what parts them.
pub(crate) fn spell<'t>(tokens: impl IntoIterator<Item = &'t Token>) -> String {
    let mut text = String::new();
    for token in tokens {
        let tight = matches!(token.kind, TokenKind::Comma | TokenKind::Semi | TokenKind::Colon | TokenKind::Possessive);
        let after_sign = text.ends_with('-');
        if !text.is_empty() && !tight && !after_sign {
            text.push(' ');
        }
        text.push_str(&one(token));
    }
    text
}

fn one(token: &Token) -> String {
    match &token.kind {
        TokenKind::Word(text) | TokenKind::Capital(text) | TokenKind::Reference(text) | TokenKind::Op(text) => {
            text.clone()
        }
        TokenKind::Quoted(text) => format!("\"{text}\""),
        TokenKind::Number(number) => number.to_string(),
        TokenKind::Possessive => "'s".to_owned(),
        TokenKind::Comma => ",".to_owned(),
        TokenKind::Semi => ";".to_owned(),
        TokenKind::Colon => ":".to_owned(),
        TokenKind::Paren(inner) => format!("({})", spell(inner)),
        TokenKind::Bracket(inner) => format!("[{}]", spell(inner)),
        TokenKind::Brace(inner) => format!("{{ {} }}", spell(inner)),
    }
}
