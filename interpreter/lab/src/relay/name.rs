//! A name for a position, in words that say what it is: who is in it, where, and at what the game stands; and what tells it
//! from another one of which that is so too.

use std::collections::BTreeMap;

use netrep_grammar::tree::{Token, TokenKind};

use crate::layout::plain;

/// The positions that have a name, with their sentences.
pub(super) type Named = BTreeMap<String, Vec<String>>;

/// A name for a position that no other one of the file has.
pub(super) fn name_of(lines: &[String], taken: &Named) -> String {
    let read: Vec<Vec<Token>> = lines.iter().filter_map(|line| netrep_grammar::parse_sentence(line).ok()).collect();
    let standing = standing(&read);
    let base = match read.iter().find(|tokens| is_of_a_thing(tokens)) {
        Some(thing) => who_and_where(thing, standing.as_deref()),
        None => read.iter().find_map(|tokens| listed(tokens)).or_else(|| standing.clone()),
    };
    let base = match base {
        Some(base) if !base.is_empty() => base,
        _ => "the start".to_owned(),
    };
    let at = standing.filter(|at| !base.contains(at.as_str())).map(|at| format!("{base} {at}"));
    // What the one does not say that has the name already comes before what it says, too.
    let mut others = quoted(&read);
    let known = taken.get(&base).into_iter().flatten().filter_map(|line| netrep_grammar::parse_sentence(line).ok());
    let known = quoted(&known.collect::<Vec<_>>());
    others.sort_by_key(|name| known.contains(name));
    let with = |base: &String| {
        let names = others.iter().filter(|name| !base.contains(name.as_str()));
        names.map(|name| format!("{base} with {name}")).collect::<Vec<_>>()
    };
    let longer: Vec<String> = at.iter().flat_map(with).collect();
    let worded = std::iter::once(base.clone()).chain(at.clone()).chain(with(&base)).chain(longer);
    let numbered = (2..).map(|n| format!("{base} {n}"));
    // total: there are more numbers than positions
    worded.chain(numbered).find(|name| !taken.contains_key(name)).unwrap_or(base)
}

/// True for the line of a thing that is no card, with a name in it: a word and a label, and what is said of it.
pub(super) fn is_of_a_thing(tokens: &[Token]) -> bool {
    let begins = match tokens {
        [Token { kind: TokenKind::Word(class), .. }, Token { kind: TokenKind::Capital(_), .. }, ..] => {
            !matches!(class.as_str(), "at" | "from")
        }
        _ => false,
    };
    begins && !quoted(&[tokens.to_vec()]).is_empty()
}

/// The place of which a sentence lists many cards, and the first of them.
fn listed(tokens: &[Token]) -> Option<String> {
    let colon = tokens.iter().position(|token| token.kind == TokenKind::Colon)?;
    let list = tokens.get(colon + 1..)?;
    let place: Vec<&str> = list.iter().map_while(plain).collect();
    let (first, others) = quoted(&[list.to_vec()]).split_first().map(|(first, rest)| (first.clone(), rest.len()))?;
    (others > 1 && !place.is_empty()).then(|| format!("{} with {first} and {others} more", place.join(" ")))
}

/// Who is listed in the line of a thing, and what its words say of where: the first two. Else where the game stands.
fn who_and_where(tokens: &[Token], standing: Option<&str>) -> Option<String> {
    let colon = tokens.iter().position(|token| token.kind == TokenKind::Colon);
    let (head, list) = tokens.split_at(colon.unwrap_or(tokens.len()));
    let listed: Vec<String> =
        list.split(|token| matches!(token.kind, TokenKind::Comma | TokenKind::Colon)).filter_map(member).collect();
    let who = match listed.as_slice() {
        [] => head.first().and_then(plain)?.to_owned(),
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [one, more @ ..] => format!("{one} and {} more", more.len()),
    };
    let said = head.windows(2).filter_map(|pair| match pair {
        [Token { kind: TokenKind::Word(word), .. }, Token { kind: TokenKind::Quoted(name), .. }] => {
            Some(format!("{word} {}", in_words(name)?))
        }
        _ => None,
    });
    // Of a name that is said in two ways, the first.
    let mut whole: Vec<String> = vec![who];
    for one in said.take(2) {
        let name = one.split_once(' ').map(|(_, name)| name.to_owned());
        if !whole.iter().any(|said| name.as_ref().is_some_and(|name| said.ends_with(name.as_str()))) {
            whole.push(one);
        }
    }
    if let ([_], Some(at)) = (whole.as_slice(), standing) {
        whole.push(at.to_owned());
    }
    Some(whole.join(" "))
}

/// A card of a list, with the word that is said of it first.
fn member(part: &[Token]) -> Option<String> {
    let name = part.iter().find_map(|token| match &token.kind {
        TokenKind::Quoted(name) => in_words(name),
        _ => None,
    })?;
    let said = part.iter().find_map(|token| match &token.kind {
        TokenKind::Paren(inner) => Some(inner.split(|token| token.kind == TokenKind::Semi).next()?),
        _ => None,
    });
    match said {
        Some([Token { kind: TokenKind::Word(word), .. }]) => Some(format!("{word} {name}")),
        _ => Some(name),
    }
}

/// Where the game stands: the innermost, and the card for which that runs.
fn standing(read: &[Vec<Token>]) -> Option<String> {
    let line = read.iter().rev().find(|tokens| tokens.first().and_then(plain) == Some("at"))?;
    let last = line.get(1..)?.rsplit(|token| token.kind == TokenKind::Semi).next()?;
    let link = last.iter().position(|token| plain(token) == Some("for"));
    let (what, whom) = last.split_at(link.unwrap_or(last.len()));
    let what: Vec<&str> = what.iter().filter_map(plain).collect();
    let whom = whom.get(1).and_then(|token| match &token.kind {
        TokenKind::Quoted(name) => in_words(name),
        TokenKind::Capital(label) => labelled(read, label),
        _ => None,
    });
    let whom: String = whom.iter().map(|name| format!(" for {name}")).collect();
    Some(format!("at {}{whom}", what.join(" ")))
}

/// The card that has a label.
fn labelled(read: &[Vec<Token>], label: &str) -> Option<String> {
    let is_it = |tokens: &[Token]| match tokens {
        [Token { kind: TokenKind::Quoted(name), .. }, link, own]
            if plain(link) == Some("as") && plain(own) == Some(label) =>
        {
            in_words(name)
        }
        _ => None,
    };
    let mut open: Vec<&[Token]> = read.iter().map(Vec::as_slice).collect();
    while let Some(tokens) = open.pop() {
        if let Some(name) = tokens.windows(3).find_map(is_it) {
            return Some(name);
        }
        open.extend(tokens.iter().filter_map(|token| match &token.kind {
            TokenKind::Paren(inner) => Some(inner.as_slice()),
            _ => None,
        }));
    }
    None
}

/// The names in quotes, at any depth, in their order.
fn quoted(read: &[Vec<Token>]) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<&Token> = read.iter().flatten().rev().collect();
    while let Some(token) = open.pop() {
        match &token.kind {
            TokenKind::Quoted(name) => found.extend(in_words(name)),
            TokenKind::Paren(inner) => open.extend(inner.iter().rev()),
            _ => {}
        }
    }
    found
}

/// A name in words that the language reads as words; `None` if it has none.
fn in_words(name: &str) -> Option<String> {
    let words = netrep_grammar::parse_sentence(&format!("{}.", name.replace(['“', '”', '’', '\''], ""))).ok()?;
    let words: Vec<&str> = words.iter().filter_map(plain).collect();
    (!words.is_empty()).then(|| words.join(" "))
}
