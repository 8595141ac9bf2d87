//! Printed sentences that are equal and that cards say differently, figures apart.
//!
//! Which sentences are equal is known by their hashes. What a card says of a sentence is all its clauses that bear the
//! sentence's number, without labels, with the card's own name and all numbers blotted out: so sisters that differ only in
//! these say the same. Of a clause with a block in which other clauses bear the number, these count; none counts that bears other
//! numbers only. A printed figure that holds several terms may hold more than the sentence says: of it counts what all have.

use std::collections::{BTreeMap, BTreeSet};

use netrep_compiler::phrase::clause::{ClauseKind, FigureValue, ReadClause};
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
    let mut found: BTreeMap<String, Vec<(String, Said)>> = BTreeMap::new();
    for item in compiler.items().iter().filter(|item| item.head == CARD) {
        let Some((card, _)) = compiler.effective(item.head, &item.key, &Profile::default()) else { continue };
        for (number, hash) in (1..).zip(&card.printed) {
            if card.partial.contains(&number) {
                continue;
            }
            let mut says = Said::default();
            for clause in &card.tree.clauses {
                for clause in bearing(clause, number) {
                    let read = card.clauses.iter().find(|one| one.read.span.start == clause.span.start);
                    says.add(clause, read.map(|one| &*one.read), &card.title, number);
                }
            }
            says.lines.sort_unstable();
            found.entry(hash.clone()).or_default().push((item.key.to_string(), says));
        }
    }
    let differ = found.into_iter().map(|(hash, cards)| (hash, ways(cards))).filter(|(_, ways)| ways.len() > 1);
    let told = |ways: BTreeMap<Vec<String>, Vec<String>>| ways.into_iter().map(|(says, cards)| Told { cards, says });
    differ.map(|(printed, ways)| Sisters { printed, told: told(ways).collect() }).collect()
}

/// The clauses that bear the number of a sentence: the innermost.
fn bearing(clause: &Clause, number: u32) -> Vec<&Clause> {
    let inner: Vec<&Clause> = clause.block.iter().flatten().flat_map(|inner| bearing(inner, number)).collect();
    let own = clause.marker.as_ref().is_some_and(|marker| marker.sentences.contains(&number));
    match inner.is_empty() && own {
        true => vec![clause],
        false => inner,
    }
}

/// What a card says of a sentence.
#[derive(Default)]
struct Said {
    /// A line for each clause that is no figure.
    lines: Vec<String>,
    /// The figures, with their terms and names.
    figures: BTreeMap<String, BTreeSet<String>>,
}

impl Said {
    fn add(&mut self, clause: &Clause, read: Option<&ReadClause>, own: &str, number: u32) {
        match read.map(|read| &read.kind) {
            Some(kind @ ClauseKind::Figure { .. }) => self.figure("", kind, own),
            Some(ClauseKind::Part { class, block }) => {
                block.iter().for_each(|inner| self.figure(&format!("{} ", class.name), &inner.kind, own));
            }
            _ => {
                let mut line = String::new();
                say_clause(clause, own, number, &mut line);
                self.lines.push(line);
            }
        }
    }

    fn figure(&mut self, of: &str, kind: &ClauseKind, own: &str) {
        let ClauseKind::Figure { attribute, values } = kind else { return };
        let value = |value: &FigureValue| match value {
            FigureValue::Number(_) => "#".to_owned(),
            FigureValue::Yes => "yes".to_owned(),
            FigureValue::Entry(term) | FigureValue::EntryNumber(term, _) => term.name.to_string(),
            FigureValue::Name(name) if **name == *own => "\"…\"".to_owned(),
            FigureValue::Name(name) => format!("\"{name}\""),
        };
        self.figures.entry(format!("{of}{}", attribute.name)).or_default().extend(values.iter().map(value));
    }
}

/// The ways in which cards say a sentence, each with the cards.
fn ways(cards: Vec<(String, Said)>) -> BTreeMap<Vec<String>, Vec<String>> {
    let mut common: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, values) in cards.iter().flat_map(|(_, said)| &said.figures) {
        match common.get_mut(name) {
            Some(known) => known.retain(|value| values.contains(value)),
            None => drop(common.insert(name.clone(), values.clone())),
        }
    }
    let mut ways: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for (card, said) in cards {
        let mut lines = said.lines;
        for (name, own) in &said.figures {
            let values = common.get(name).filter(|common| !common.is_empty()).unwrap_or(own);
            lines.push(format!("{name} {}", values.iter().map(String::as_str).collect::<Vec<_>>().join(", ")));
        }
        lines.sort_unstable();
        let cards = ways.entry(lines).or_default();
        if !cards.contains(&card) {
            cards.push(card);
        }
    }
    ways
}

/// What a clause says; of those in its block, none that bears other numbers only.
fn say_clause(clause: &Clause, own: &str, number: u32, line: &mut String) {
    clause.tokens.iter().for_each(|token| say(token, own, line));
    let bears = |inner: &&Clause| {
        inner.marker.as_ref().is_none_or(|one| one.sentences.is_empty() || one.sentences.contains(&number))
    };
    let block: Vec<&Clause> = clause.block.iter().flatten().filter(bears).collect();
    if !block.is_empty() {
        add(line, "{");
        for inner in block {
            say_clause(inner, own, number, line);
            line.push('.');
        }
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
        let place = Place { file: file.into(), start: offset(start), end: offset(start + bare.len()) };
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
