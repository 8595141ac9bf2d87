//! Renaming a vocabulary: every declared word becomes nonsense, everywhere, by tokens.
//!
//! What stays is the language: the closed class, the words of a skeleton (`of player` and `hidden` of a place, the
//! heads of the kernel's services), names in quotes, ids, numbers of rules, labels of clauses and of things, and the
//! data of rulings (readings, statuses, sources).

use std::collections::{BTreeMap, BTreeSet};

use netrep_compiler::Compiler;
use netrep_compiler::phrase::closed::is_closed;
use netrep_grammar::tree::{Clause, Item, Token, TokenKind};
use netrep_grammar::{fences, parse_clauses, parse_sentence};

use crate::support::data::File;
use crate::support::tokens::{clauses, items, leaves, range, replaced};

/// Heads of clauses whose words are data, not vocabulary.
const DATA: [&str; 19] = [
    "cites",
    "printed",
    "partial",
    "note",
    "awaits",
    "despite",
    "rests",
    "about",
    "reading",
    "authority",
    "document",
    "date",
    "status",
    "replace",
    "amend",
    "add",
    "remove",
    "default",
    "order",
];

/// A word of the skeleton that is a word of the data too: it begins a line of a `layout`, and counts cards in a position.
const HEAD: &str = "others";

/// Words that begin an edit inside of a clause.
const EDITS: [&str; 5] = ["read", "without", "before", "after", "move"];

/// A renaming of words.
#[derive(Clone, Debug)]
pub(crate) struct Renaming {
    words: BTreeMap<String, String>,
}

impl Renaming {
    /// Nonsense for every word of every term and every step of these files, except those of the closed class. New
    /// words sort the other way round, so that an order by spelling would show.
    pub(crate) fn new(compiler: &Compiler, files: &[File]) -> Renaming {
        let mut known: BTreeSet<String> = BTreeSet::new();
        for view in compiler.terms() {
            for form in &view.term.forms {
                known.extend(form.words.iter().map(ToString::to_string));
            }
            known.extend(view.term.index_words().iter().map(ToString::to_string));
        }
        for (_, text) in files {
            for (_, item) in items(text) {
                clauses(&item.clauses, &mut |clause| known.extend(step_words(clause)));
            }
        }
        known.retain(|word| !is_closed(word) && word != "&" && word != HEAD);
        let count = known.len();
        let nonsense = |(i, word): (usize, String)| {
            let new = nonsense(count - i, word.starts_with(char::is_uppercase));
            (word, new)
        };
        Renaming { words: known.into_iter().enumerate().map(nonsense).collect() }
    }

    /// How many words are renamed.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The new word for a token's word.
    fn word(&self, word: &str) -> Option<String> {
        if let Some(new) = self.words.get(word) {
            return Some(new.clone());
        }
        if let Some(rest) = word.strip_prefix("non-") {
            return self.word(rest).map(|new| format!("non-{new}"));
        }
        // `finite/participle` in the declaration of a relation.
        let (first, second) = word.split_once('/')?;
        let new = |part: &str| self.word(part).unwrap_or_else(|| part.to_owned());
        Some(format!("{}/{}", new(first), new(second)))
    }

    fn tokens(&self, start: usize, tokens: &[Token], changes: &mut Vec<(std::ops::Range<usize>, String)>) {
        leaves(tokens, &mut |token| {
            if let TokenKind::Word(word) | TokenKind::Capital(word) = &token.kind
                && let Some(new) = self.word(word)
            {
                changes.push((range(start, token), new));
            }
        });
    }

    /// A file under the new words.
    pub(crate) fn file(&self, text: &str) -> String {
        let mut changes = Vec::new();
        for (start, item) in items(text) {
            self.item(start, &item, &mut changes);
        }
        replaced(text, changes)
    }

    /// The label of a step, which is its words: `add to 3 step washing { … }`.
    fn label(&self, start: usize, tokens: &[Token], changes: &mut Vec<(std::ops::Range<usize>, String)>) {
        let step = tokens.iter().position(|token| token.kind == TokenKind::Word("step".to_owned()));
        if let (Some(TokenKind::Word(head)), Some(step)) = (tokens.first().map(|token| &token.kind), step)
            && ["add", "amend", "remove", "replace"].contains(&head.as_str())
        {
            self.tokens(start, &tokens[step..], changes);
        }
        // `amend adjective "dusty" { … }`: a word is named in quotes.
        if let [head, _, name, ..] = tokens
            && head.kind == TokenKind::Word("amend".to_owned())
            && let TokenKind::Quoted(words) = &name.kind
        {
            let new = words.split(' ').map(|word| self.word(word).unwrap_or_else(|| word.to_owned()));
            changes.push((range(start, name), format!("\"{}\"", new.collect::<Vec<_>>().join(" "))));
        }
    }

    fn item(&self, start: usize, item: &Item, changes: &mut Vec<(std::ops::Range<usize>, String)>) {
        let name_ends = item.header.iter().position(|t| t.kind == TokenKind::Comma).unwrap_or(item.header.len());
        match item.head.as_str() {
            "card" | "rule" | "ruling" | "edition" | "document" | "kernel" | "filing" => {}
            // The kinds of its parameters are words of the skeleton.
            "pattern" => {
                let groups = |token: &&Token| matches!(token.kind, TokenKind::Paren(_));
                for token in item.header.iter().filter(|token| !groups(token)) {
                    self.tokens(start, std::slice::from_ref(token), changes);
                }
            }
            // After the name come features of the skeleton.
            "place" => self.tokens(start, &item.header[..name_ends], changes),
            _ => self.tokens(start, &item.header, changes),
        }
        clauses(&item.clauses, &mut |clause| {
            let head = match clause.tokens.first().map(|t| &t.kind) {
                Some(TokenKind::Word(word)) => word.as_str(),
                _ => "",
            };
            match item.head.as_str() {
                "edition" | "document" => {}
                // The beginnings of ids, and letters in them.
                "filing" if matches!(head, "id" | "letters") => {}
                // What a term serves as is a word of the kernel.
                "kernel" => self.tokens(start, &clause.tokens[1..], changes),
                _ if DATA.contains(&head) => self.label(start, &clause.tokens, changes),
                // Its fragments are said in the vocabulary; `move` is a word of a game, too.
                "ruling" if clause.marker.is_none() && EDITS.contains(&head) => {
                    let tokens = &clause.tokens;
                    // Which of several is meant: `the second { … }`.
                    let is_ordinal = |at: usize| {
                        matches!(tokens.get(at + 1).map(|token| &token.kind), Some(TokenKind::Brace(_)))
                            && at > 0
                            && tokens[at - 1].kind == TokenKind::Word("the".to_owned())
                    };
                    for at in (1..tokens.len()).filter(|at| !is_ordinal(*at)) {
                        self.tokens(start, &tokens[at..=at], changes);
                    }
                }
                _ => self.tokens(start, &clause.tokens, changes),
            }
        });
    }

    /// All files under the new words.
    pub(crate) fn files(&self, files: &[File]) -> Vec<File> {
        let renamed = files.iter().map(|(path, text)| (path.clone(), self.file(text)));
        renamed.chain([("rules/vocabulary/former.words".to_owned(), self.former(files))]).collect()
    }

    /// The item that tells how each new word was called before. What these files say of words that had another name even
    /// earlier is said of the new words, so that both programs go by the same names.
    fn former(&self, files: &[File]) -> String {
        let mut lines: BTreeMap<String, String> = self.pairs().map(|(old, new)| (new.into(), old.into())).collect();
        for (now, before) in files.iter().flat_map(|(_, text)| former_rows(text)) {
            let row = now.split(' ').map(|word| self.word(word).unwrap_or_else(|| word.to_owned()));
            lines.insert(row.collect::<Vec<_>>().join(" "), before);
        }
        let lines = lines.iter().map(|(now, before)| format!("    \"{now}\" was \"{before}\".\n"));
        format!("kernel former {{\n{}}}\n", lines.collect::<String>())
    }

    /// The tokens of a scenario's sentence: what cites a labelled clause of a rule or a card stays up to the comma, but
    /// a verb is cited by its words.
    fn said(&self, start: usize, tokens: &[Token], changes: &mut Vec<(std::ops::Range<usize>, String)>) {
        let ends = |token: &Token| matches!(token.kind, TokenKind::Comma | TokenKind::Colon | TokenKind::Semi);
        let is = |token: &Token, word: &str| token.kind == TokenKind::Word(word.to_owned());
        // `cites 3 combat, …` and `… because 3.i late, …` go on with citations.
        let mut list = tokens.first().is_some_and(|token| is(token, "cites"));
        for part in tokens.split_inclusive(ends) {
            let cites = |token: &Token| match &token.kind {
                TokenKind::Reference(_) => true,
                TokenKind::Capital(id) => id.ends_with(|c: char| c.is_ascii_digit()) && id.contains('-'),
                TokenKind::Word(word) => word == "because",
                _ => false,
            };
            let from = if list { 0 } else { part.iter().position(cites).unwrap_or(part.len()) };
            list |= part.iter().any(|token| is(token, "because"));
            let (said, cited) = part.split_at(from);
            // `pass` is an answer of the notation, whatever figure has a word that is spelt so.
            if matches!(said, [token] | [token, _] if is(token, "pass")) {
                continue;
            }
            self.tokens(start, said, changes);
            if let Some(verb) = cited.iter().position(|token| is(token, "verb")) {
                self.tokens(start, &cited[verb..], changes);
            }
        }
    }

    /// A Markdown file with its scenarios under the new words. What cites clauses stays, and so do editions.
    pub(crate) fn scenarios(&self, text: &str) -> String {
        let mut changes = Vec::new();
        let is_block = |kind: &str| ["scenario", "position", "deck"].contains(&kind);
        for fence in fences(text).into_iter().filter(|fence| fence.info.split(' ').next().is_some_and(is_block)) {
            let Ok(list) = parse_clauses(&text[fence.content.clone()]) else { continue };
            clauses(&list, &mut |clause| {
                let word = |token: &Token| match &token.kind {
                    TokenKind::Word(word) => word.clone(),
                    _ => String::new(),
                };
                // `given`, `when` and `expect under …` introduce sentences; these heads take data.
                let head = clause.tokens.first().map(word).unwrap_or_default();
                // A case may be headed by a move.
                let is_answer = clause.tokens.iter().any(|token| token.kind == TokenKind::Colon);
                let data = ["edition", "with", "without", "as", "seed", "from"];
                if clause.block.is_some() && !is_answer || data.contains(&head.as_str()) {
                    return;
                }
                // `drew P:`, `over.`, `at …`, `until …` and `P at …:` are of the notation, whatever verbs are spelt so.
                let named = matches!(clause.tokens.get(1).map(|t| &t.kind), Some(TokenKind::Capital(_)));
                let alone = clause.tokens.len() == 1;
                let notation = ["at", "until", "next"].contains(&head.as_str())
                    || head == "over" && alone
                    || ["drew", "stack"].contains(&head.as_str()) && named;
                let bound = is_answer && clause.tokens.get(1).map(word).as_deref() == Some("at");
                let from = if bound { 2 } else { usize::from(notation) };
                self.said(fence.content.start, &clause.tokens[from..], &mut changes);
            });
        }
        replaced(text, changes)
    }

    /// A sentence (without full stop) under the new words.
    pub(crate) fn sentence(&self, sentence: &str) -> String {
        let text = format!("{sentence}.");
        let tokens = parse_sentence(&text).unwrap_or_else(|e| panic!("`{sentence}`: {e:?}"));
        let mut changes = Vec::new();
        self.tokens(0, &tokens, &mut changes);
        replaced(sentence, changes)
    }

    /// Whether two labels are the same: as written, or, where the compiler took them from the vocabulary (the figure
    /// that a clause gives, the verb that an item declares, the first word of a pattern), renamed.
    pub(crate) fn same_label(&self, old: &str, new: &str) -> bool {
        let same = |(old, new): (&str, &str)| old == new || self.word(old).is_some_and(|word| word == new);
        old.split(' ').count() == new.split(' ').count() && old.split(' ').zip(new.split(' ')).all(same)
    }

    /// The words themselves, old and new.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.words.iter().map(|(old, new)| (old.as_str(), new.as_str()))
    }
}

/// What a file's `"now" was "before".` sentences say.
fn former_rows(text: &str) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for (_, item) in items(text).iter().filter(|(_, item)| item.head == "kernel") {
        clauses(&item.clauses, &mut |clause| {
            let kinds: Vec<&TokenKind> = clause.tokens.iter().map(|token| &token.kind).collect();
            if let [TokenKind::Quoted(now), TokenKind::Word(was), TokenKind::Quoted(before)] = kinds.as_slice()
                && was == "was"
            {
                rows.push((now.to_string(), before.to_string()));
            }
        });
    }
    rows
}

/// The words of step names in `steps a, b` and `step a of …`.
fn step_words(clause: &Clause) -> Vec<String> {
    let mut words = clause.tokens.iter().map(|t| match &t.kind {
        TokenKind::Word(word) => word.as_str(),
        _ => "",
    });
    match words.next() {
        Some("steps") => words.filter(|w| !w.is_empty()).map(str::to_owned).collect(),
        Some("step") => words.take_while(|w| *w != "of").filter(|w| !w.is_empty()).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// The `n`-th nonsense word; they sort as their numbers do.
fn nonsense(n: usize, capital: bool) -> String {
    let syllables = ["bla", "dro", "fli", "gru", "kli", "mro", "plu", "sno", "tri", "zwu"];
    let digits = [n / 1000 % 10, n / 100 % 10, n / 10 % 10, n % 10];
    let word: String = digits.iter().map(|d| syllables[*d]).collect();
    if capital { format!("{}{}", word[..1].to_uppercase(), &word[1..]) } else { word }
}
