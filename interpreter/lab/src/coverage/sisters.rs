//! Printed sentences that are equal and that cards say differently, figures apart.
//!
//! Which sentences are equal is known by their hashes. What a card says of a sentence is all its clauses that bear the
//! sentence's number, without labels, with the card's own name and all numbers blotted out: so sisters that differ only in
//! these say the same.

use std::collections::BTreeMap;

use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Token, TokenKind};
use netrep_ir::Place;
use serde::Serialize;

use crate::problem::offset;

/// The head of the items that express printed sentences.
const CARD: &str = "card";

/// A printed sentence that cards say differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sisters {
    /// Its hash.
    pub printed: String,
    /// The ways in which it is said.
    pub told: Vec<Told>,
}

/// A way in which a sentence is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// The ids of the cards that say it so.
    pub cards: Vec<String>,
    /// What they say: one line for each clause; none, if no clause bears the sentence's number.
    pub says: Vec<String>,
}

/// The sentences that cards share and say differently, by their hashes. Cards that say that they do not express a sentence
/// are left out.
pub fn sisters(compiler: &Compiler) -> Vec<Sisters> {
    let mut found: BTreeMap<String, BTreeMap<Vec<String>, Vec<String>>> = BTreeMap::new();
    for item in compiler.items().iter().filter(|item| item.head == CARD) {
        let Some((card, _)) = compiler.effective(item.head, &item.key, &Profile::default()) else { continue };
        for (number, hash) in (1..).zip(&card.printed) {
            if card.partial.contains(&number) {
                continue;
            }
            let mut says = Vec::new();
            for clause in &card.tree.clauses {
                if clause.marker.as_ref().is_some_and(|marker| marker.sentences.contains(&number)) {
                    let mut line = String::new();
                    say_clause(clause, &card.title, &mut line);
                    says.push(line);
                }
            }
            says.sort_unstable();
            let cards = found.entry(hash.clone()).or_default().entry(says).or_default();
            if !cards.iter().any(|known| **known == *item.key) {
                cards.push(item.key.to_string());
            }
        }
    }
    let differ = found.into_iter().filter(|(_, ways)| ways.len() > 1);
    let told = |ways: BTreeMap<Vec<String>, Vec<String>>| ways.into_iter().map(|(says, cards)| Told { cards, says });
    differ.map(|(printed, ways)| Sisters { printed, told: told(ways).collect() }).collect()
}

fn say_clause(clause: &Clause, own: &str, line: &mut String) {
    clause.tokens.iter().for_each(|token| say(token, own, line));
    if let Some(block) = &clause.block {
        add(line, "{");
        block.iter().for_each(|inner| {
            say_clause(inner, own, line);
            line.push('.');
        });
        add(line, "}");
    }
}

fn say(token: &Token, own: &str, line: &mut String) {
    let mut group = |open: &str, tokens: &[Token], close: &str| {
        add(line, open);
        tokens.iter().for_each(|token| say(token, own, line));
        add(line, close);
    };
    match &token.kind {
        TokenKind::Word(text) | TokenKind::Capital(text) | TokenKind::Op(text) | TokenKind::Reference(text) => {
            add(line, text);
        }
        TokenKind::Quoted(name) if name == own => add(line, "\"…\""),
        TokenKind::Quoted(name) => add(line, &format!("\"{name}\"")),
        TokenKind::Number(_) => add(line, "#"),
        TokenKind::Possessive => line.push_str("'s"),
        TokenKind::Comma => line.push(','),
        TokenKind::Semi => line.push(';'),
        TokenKind::Colon => line.push(':'),
        TokenKind::Paren(tokens) => group("(", tokens, ")"),
        TokenKind::Bracket(tokens) => group("[", tokens, "]"),
        TokenKind::Brace(tokens) => group("{", tokens, "}"),
    }
}

/// Adds a word behind a blank.
fn add(line: &mut String, word: &str) {
    if !line.is_empty() {
        line.push(' ');
    }
    line.push_str(word);
}

/// A sentence that is listed as said differently until there is a concept by which it can be said once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    /// Its hash.
    pub printed: String,
    /// The concept.
    pub concept: String,
    /// Where.
    pub place: Place,
}

/// How a line begins that lists a sentence.
pub(crate) const SENTENCE: &str = "- sentence ";

/// Reads the lines `- sentence HASH awaits CONCEPT` among the exemptions.
///
/// # Errors
/// Lines that begin so and cannot be read.
pub fn awaited(file: &str, text: &str) -> Result<Vec<Awaited>, Vec<Diagnostic>> {
    let (mut found, mut diags) = (Vec::new(), Vec::new());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim_end();
        let Some(entry) = bare.strip_prefix(SENTENCE) else { continue };
        let place = Place { file: file.to_owned(), start: offset(start), end: offset(start + bare.len()) };
        match entry.split_once(" awaits ") {
            Some((printed, concept)) if !concept.trim().is_empty() => {
                found.push(Awaited { printed: printed.trim().to_owned(), concept: concept.trim().to_owned(), place });
            }
            _ => {
                let diag = Diagnostic::new(Code::UnreadExemption, place, "this line cannot be read");
                diags.push(diag.help("write `- sentence HASH awaits CONCEPT`"));
            }
        }
    }
    if diags.is_empty() { Ok(found) } else { Err(diags) }
}

impl Awaited {
    /// The sentence is said in one way.
    pub fn needless(&self) -> Diagnostic {
        let text = format!("all cards with the sentence {} say the same", self.printed);
        Diagnostic::new(Code::NeedlessExemption, self.place.clone(), text).help("remove the line")
    }
}
