//! Decks on a table: a deck is written once, and comes to a seat of a position that says how a game begins.
//!
//! A deck is a fenced block `deck NAME` of a Markdown file with sentences `cards in PLACE: 3 "NAME", "NAME".`, and `FACT is VALUE.`
//! of whoever plays it; the table is a block `position`. Both are put together as text, so that one reader reads all; what is wrong is said with its
//! place in the file in which it stands.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use netrep_compiler::{Diagnostic, Profile};
use netrep_diagnostics::Code;
use netrep_grammar::tree::{Span, Token, TokenKind};
use netrep_grammar::{Fence, fences, parse_clauses};
use netrep_ir::Place;

use crate::driver::drive;
use crate::layout::spread::spread;
use crate::library::Library;
use crate::prepare::{Action, Prepared, recalled};
use crate::problem::{Source, offset};
use crate::scenario::{Given, Scenario, cut, cut_word, misspelt, parse};
use crate::words::{first_word, folded};

/// The folder with decks and the table, relative to the root.
pub(crate) const FOLDER: &str = "decks";

/// The file of the table.
const TABLE: &str = "table.md";

/// A deck as it is written.
#[derive(Clone, Debug)]
pub struct Deck {
    /// Its name: what stands behind `deck` on the opening fence.
    pub name: String,
    /// Its text and place.
    source: Source,
}

/// The decks of a file.
///
/// # Errors
/// What cannot be read, with its place.
pub fn decks(file: &str, text: &str) -> Result<Vec<Deck>, Vec<Diagnostic>> {
    let is_deck = |fence: &Fence| fence.info.split_whitespace().next() == Some("deck");
    let mut found = Vec::new();
    let mut diags = Vec::new();
    let all = fences(text);
    diags.extend(all.iter().filter_map(|fence| misspelt(file, fence, first_word(&fence.info).0)));
    for fence in all.into_iter().filter(is_deck) {
        let source = Source {
            file: file.to_owned(),
            base: offset(fence.content.start),
            text: text[fence.content.clone()].to_owned(),
        };
        let name = first_word(&fence.info).1.trim().to_owned();
        match parse_clauses(&source.text) {
            Ok(_) => found.push(Deck { name, source }),
            Err(errors) => diags.extend(errors.into_iter().map(|e| source.placed(e))),
        }
    }
    if diags.is_empty() { Ok(found) } else { Err(diags) }
}

/// Decks that positions may name, or why they cannot be read.
#[derive(Clone, Debug, Default)]
pub struct Decks {
    all: Vec<Deck>,
    wrong: Vec<Diagnostic>,
}

impl Decks {
    /// All of them.
    pub(crate) fn all(&self) -> Result<&[Deck], Vec<Diagnostic>> {
        if self.wrong.is_empty() { Ok(&self.all) } else { Err(self.wrong.clone()) }
    }
}

impl Deck {
    /// What it says of whoever plays it, as lines of a position.
    ///
    /// # Errors
    /// What is wrong with it, at its place.
    pub(crate) fn of(&self, player: &str) -> Result<Scenario, Vec<Diagnostic>> {
        let mut whole = Composed::default();
        whole.own("```position deck\ngiven {\n");
        whole.deck(self, player)?;
        whole.own("\n}\n```\n");
        let mut parsed = parse(COMPOSED, &whole.text, true);
        match parsed.scenarios.pop().filter(|_| parsed.diags.is_empty()) {
            Some(said) => Ok(said),
            None => Err(parsed.diags.into_iter().map(|diag| whole.back(diag)).collect()),
        }
    }
}

impl Library {
    /// The decks of the folder of decks, for positions that name them.
    pub fn decks(&self) -> Decks {
        match self.all_decks() {
            Ok(all) => Decks { all, wrong: Vec::new() },
            Err(wrong) => Decks { all: Vec::new(), wrong },
        }
    }

    /// The files in which these are, with their texts.
    pub(crate) fn deck_texts(&self) -> BTreeMap<String, String> {
        // total: without them no position may name a deck, and that is told where one does
        self.deck_files().into_iter().flatten().collect()
    }

    /// A deck by the path of its file, or by its name in the folder of decks.
    ///
    /// # Errors
    /// If there is no such deck, several, or one that cannot be read.
    pub fn deck(&self, wanted: &str) -> Result<Deck, Vec<Diagnostic>> {
        let file = self.files.named(Path::new(wanted)).ok().filter(|files| files.len() == 1);
        let named = file.is_none();
        let mut all = Vec::new();
        let files = match file {
            Some(files) => files,
            None => self.deck_files()?,
        };
        for (name, text) in files {
            all.extend(decks(&name, &text)?);
        }
        let fits = |deck: &&Deck| !named || folded(&deck.name) == folded(wanted);
        let mut found: Vec<Deck> = all.iter().filter(fits).cloned().collect();
        let nowhere = Place { file: wanted.into(), start: 0, end: 0 };
        match found.len() {
            1 => Ok(found.remove(0)),
            0 => {
                let names: Vec<&str> = all.iter().map(|deck| deck.name.as_str()).collect();
                let text = format!("there is no deck `{wanted}`");
                Err(vec![
                    Diagnostic::new(Code::UnknownDeck, nowhere, text).help(format!("there are: {}", names.join(", "))),
                ])
            }
            _ => {
                let text = format!("`{wanted}` may mean several decks");
                Err(vec![
                    Diagnostic::new(Code::UnknownDeck, nowhere, text).help("name the file with one deck, or the deck"),
                ])
            }
        }
    }

    /// The decks of the folder of decks, by file and place in it.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn all_decks(&self) -> Result<Vec<Deck>, Vec<Diagnostic>> {
        let mut found = Vec::new();
        for (name, text) in self.deck_files()? {
            found.extend(decks(&name, &text)?);
        }
        Ok(found)
    }

    /// The files of the folder of decks.
    fn deck_files(&self) -> Result<Vec<(String, String)>, Vec<Diagnostic>> {
        let nowhere = || Place { file: FOLDER.into(), start: 0, end: 0 };
        let unread = |error: io::Error| vec![Diagnostic::new(Code::UnknownDeck, nowhere(), error.to_string())];
        let found = self.files.markdown(FOLDER).map_err(unread)?;
        if found.wrong.is_empty() { Ok(found.files) } else { Err(found.wrong) }
    }

    /// For how many players there are tables, in the order in which they are written.
    pub(crate) fn seats(&self) -> Vec<usize> {
        let name = format!("{FOLDER}/{TABLE}");
        let text = self.text(&name);
        let tables = text.iter().flat_map(|text| parse(&name, text, true).scenarios);
        tables.map(|table| self.players(&table).len()).filter(|seats| *seats > 0).collect()
    }

    /// The names of those who play at a table; none if it cannot be read.
    fn players(&self, table: &Scenario) -> Vec<String> {
        let program = self.compiler.link(&Profile::default()).0;
        let player = program.classes.get(program.services.player.index()).map(|class| class.name.as_str());
        // total: what is wrong with the table is told when it is set up
        let given = spread(&self.compiler.layouts(), &program, &table.given, &table.source).unwrap_or_default();
        let named = given.into_iter().filter_map(|one| match one {
            Given::Mint { class, names } if Some(class.text.as_str()) == player => Some(names),
            _ => None,
        });
        named.flatten().map(|name| name.text).collect()
    }

    /// The position in which a game of these decks begins: the table for so many players, with a deck for each, in order.
    ///
    /// # Errors
    /// What is wrong with the table or a deck, at its place.
    pub fn table(&self, decks: &[Deck], profile: &Profile) -> Result<Prepared, Vec<Diagnostic>> {
        let name = format!("{FOLDER}/{TABLE}");
        let nowhere = || Place { file: name.as_str().into(), start: 0, end: 0 };
        let Some(text) = self.text(&name) else {
            return Err(vec![
                Diagnostic::new(Code::NoTable, nowhere(), "there is no table")
                    .help("a block `position` that says who plays and how a game begins"),
            ]);
        };
        let is_position = |fence: &Fence| fence.info.split_whitespace().next() == Some("position");
        let tables = || fences(&text).into_iter().filter(is_position);
        if tables().next().is_none() {
            return Err(vec![Diagnostic::new(Code::NoTable, nowhere(), "the file has no block `position`")]);
        }
        let parsed = parse(&name, &text, true).scenarios;
        let seated = |table: &Scenario| self.players(table).len() == decks.len();
        let of = |table: &Scenario| {
            tables().find(|fence| (fence.content.start..=fence.content.end).contains(&(table.source.base as usize)))
        };
        let Some((table, fence)) = parsed.iter().find(|table| seated(table)).and_then(|one| Some((one, of(one)?)))
        else {
            let seats: Vec<String> = self.seats().iter().map(usize::to_string).collect();
            let text = format!("there is no table for {} decks, but for {} players", decks.len(), seats.join(", "));
            return Err(vec![
                Diagnostic::new(Code::OtherNumberOfDecks, nowhere(), text).help("give each player a deck"),
            ]);
        };
        let players = self.players(table);
        let mut whole = Composed::default();
        whole.own("```position table\n");
        whole.part(&name, fence.content.start, &text[fence.content.clone()]);
        for (player, deck) in players.iter().zip(decks) {
            whole.own("\ngiven {\n");
            whole.deck(deck, player)?;
            whole.own("\n}\n");
        }
        whole.own("```\n");
        let back = |diags: Vec<Diagnostic>| diags.into_iter().map(|diag| whole.back(diag)).collect::<Vec<_>>();
        let mut parsed = parse(COMPOSED, &whole.text, true);
        if !parsed.diags.is_empty() {
            return Err(back(parsed.diags));
        }
        let Some(scenario) = parsed.scenarios.pop() else {
            return Err(vec![Diagnostic::new(Code::NoTable, nowhere(), "the table is empty")]);
        };
        // The table may say itself with which variants so many play.
        let profile = &scenario.base_profile(profile);
        let prepared = recalled(&self.compiler, &Arc::new(scenario), profile, profile).map_err(back)?;
        admit(&prepared, decks, &players).map_err(back)?;
        Ok(prepared)
    }
}

/// Refuses decks with which the table's own script does not go as it expects: what a player cannot do there, he cannot
/// do because of his deck.
fn admit(prepared: &Prepared, decks: &[Deck], players: &[String]) -> Result<(), Vec<Diagnostic>> {
    if prepared.script.is_empty() {
        return Ok(());
    }
    let report = drive(prepared, None);
    let of = |diag: &Diagnostic| {
        let task = prepared.script.iter().find(|task| prepared.scenario.source.place(task.span) == diag.place)?;
        let Action::Offered { by, .. } = &task.action else { return None };
        let at = players.iter().position(|player| player == by)?;
        Some((decks.get(at)?, players.get(at)?))
    };
    // Who is not asked at all is not, because the game ended with the deck of another.
    let is_refused = |diag: &Diagnostic| of(diag).is_some() && diag.help.is_some();
    let some = report.diags.iter().any(is_refused);
    let refused = |diag: Diagnostic| match of(&diag).filter(|_| diag.help.is_some()) {
        Some((deck, player)) => {
            let text = format!("the deck `{}` of {player} is not legal", deck.name);
            let whole = Span::new(0, offset(deck.source.text.len()));
            let illegal = Diagnostic::new(Code::IllegalDeck, deck.source.place(whole), text);
            let illegal = illegal.and(diag.place, diag.message);
            Diagnostic { help: diag.help, ..illegal }
        }
        None => diag,
    };
    let told: Vec<Diagnostic> = report.diags.iter().filter(|diag| !some || is_refused(diag)).cloned().collect();
    if told.is_empty() { Ok(()) } else { Err(told.into_iter().map(refused).collect()) }
}

/// The file that a composed text is said to be.
const COMPOSED: &str = "table and decks";

/// A text of parts from several files.
#[derive(Default)]
struct Composed {
    text: String,
    /// Where a part begins, how long it is, and the file and offset from which it comes.
    parts: Vec<(usize, usize, String, usize)>,
}

impl Composed {
    fn own(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn part(&mut self, file: &str, offset: usize, text: &str) {
        self.parts.push((self.text.len(), text.len(), file.to_owned(), offset));
        self.text.push_str(text);
    }

    /// A deck's sentences, each said of a player: a list of cards in a place of his, in front of the `is` of a fact.
    fn deck(&mut self, deck: &Deck, player: &str) -> Result<(), Vec<Diagnostic>> {
        let source = &deck.source;
        let clauses = parse_clauses(&source.text)
            .map_err(|errors| errors.into_iter().map(|e| source.placed(e)).collect::<Vec<_>>())?;
        let mut at = 0;
        for clause in &clauses {
            if let Some((head, list)) = cut(&clause.tokens, |t| t.kind == TokenKind::Colon)
                && let Some((_, place)) = cut_word(head, "in")
                && let (Some(first), Some(last), Some(listed)) = (place.first(), place.last(), list.first())
            {
                self.part(&source.file, source.base as usize + at, &source.text[at..clause.span.start as usize]);
                self.own(&format!("{player}: "));
                let words = first.span.start as usize..last.span.end as usize;
                self.part(&source.file, source.base as usize + words.start, &source.text[words]);
                self.own(" ");
                at = listed.span.start as usize;
                continue;
            }
            let is = |t: &Token| matches!(&t.kind, TokenKind::Word(word) if word == "is");
            // The name of a fact: the words in front of its `is`.
            let fact: Vec<&Token> = clause.tokens.iter().take_while(|t| !is(t)).collect();
            let is_fact = fact.len() < clause.tokens.len() && fact.iter().all(|t| matches!(t.kind, TokenKind::Word(_)));
            let named = fact.last().copied().filter(|_| is_fact);
            let Some(last) = named.filter(|_| clause.block.is_none()) else {
                let text = "a deck says which cards are where, and facts of whoever plays it";
                let diag = Diagnostic::new(Code::DeckSentence, source.place(clause.span), text);
                return Err(vec![diag.help("write `cards in PLACE: 3 \"NAME\", \"NAME\".`, or `FACT is VALUE.`")]);
            };
            let end = last.span.end as usize;
            self.part(&source.file, source.base as usize + at, &source.text[at..end]);
            self.own(&format!(" of {player}"));
            at = end;
        }
        self.part(&source.file, source.base as usize + at, &source.text[at..]);
        Ok(())
    }

    /// A finding with its place in the file from which the part comes.
    fn back(&self, diag: Diagnostic) -> Diagnostic {
        let place = |place: Place| {
            let start = place.start as usize;
            let holds = |at: usize| self.parts.iter().find(|(from, length, ..)| (*from..*from + *length).contains(&at));
            // What begins with words that are put in front of a part is told at the part.
            let first = |to: usize| self.parts.iter().find(|(from, ..)| (start..to).contains(from));
            let part = holds(start).or_else(|| first(place.end as usize));
            match part {
                Some((from, _, file, offset)) if place.file == COMPOSED => {
                    let moved = |at: u32| crate::problem::offset((at as usize).max(*from) + offset - from);
                    Place { file: file.as_str().into(), start: moved(place.start), end: moved(place.end) }
                }
                _ => place,
            }
        };
        let labels = diag.labels.into_iter().map(|mut label| {
            label.place = place(label.place);
            label
        });
        Diagnostic { labels: labels.collect(), place: place(diag.place.clone()), ..diag }
    }
}
