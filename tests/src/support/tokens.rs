//! Walking the tokens of a text, with their bytes.

use netrep_grammar::tree::{Clause, Item, Token, TokenKind};
use netrep_grammar::{parse_item, split};

/// The items of a file that parse, each with the place of its first byte. What belongs to no item is left out.
pub(crate) fn items(text: &str) -> Vec<(usize, Item)> {
    let parse = |raw: netrep_grammar::RawItem| {
        let (item, errors) = parse_item(text.get(raw.range.clone())?);
        item.filter(|_| raw.head.is_some() && errors.is_empty()).map(|item| (raw.range.start, item))
    };
    split(text).into_iter().filter_map(parse).collect()
}

/// The bytes of a token of an item that begins at `start`.
pub(crate) fn range(start: usize, token: &Token) -> std::ops::Range<usize> {
    start + token.span.start as usize..start + token.span.end as usize
}

/// Shows every token that is no group, groups' contents in order.
pub(crate) fn leaves<'t>(tokens: &'t [Token], see: &mut dyn FnMut(&'t Token)) {
    for token in tokens {
        match &token.kind {
            TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) => leaves(inner, see),
            _ => see(token),
        }
    }
}

/// Shows the tokens of every clause and of the clauses in its block, clause by clause.
pub(crate) fn clauses<'t>(list: &'t [Clause], see: &mut dyn FnMut(&'t Clause)) {
    for clause in list {
        see(clause);
        clauses(clause.block.as_deref().unwrap_or_default(), see);
    }
}

/// The text with ranges replaced; they must not overlap.
pub(crate) fn replaced(text: &str, mut changes: Vec<(std::ops::Range<usize>, String)>) -> String {
    changes.sort_by_key(|c| c.0.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, new) in changes {
        out.push_str(&text[at..range.start]);
        out.push_str(&new);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}
