//! The table of forms: every row is read, written, told, and on the pages; with a row missing each of them notices.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use netrep_compiler::phrase::declare::declare;
use netrep_compiler::phrase::forms::{Builder, CATEGORIES, Form, Forms, ROWS, Row, pages};
use netrep_compiler::phrase::lexicon::{Lexicon, Words};
use netrep_compiler::phrase::read::{completions, read_item, read_sentence, readings};
use netrep_compiler::phrase::render::{render_kind_with, render_with};
use netrep_compiler::phrase::scope::Scope;
use netrep_compiler::phrase::term::Term;
use netrep_compiler::phrase::tree::Sort;
use netrep_grammar::{parse_item, parse_sentence, split};

/// The vocabulary of the examples.
pub const VOCABULARY: &str = include_str!("../../../grammar/forms/example.words");

/// The words of the examples with a table of their own.
struct Spoken<'w> {
    words: &'w Words,
    forms: Forms,
}

impl Lexicon for Spoken<'_> {
    fn terms_with(&self, word: &str) -> Arc<[Arc<Term>]> {
        self.words.terms_with(word)
    }

    fn suggest(&self, word: &str) -> Vec<String> {
        self.words.suggest(word)
    }

    fn forms(&self) -> &Forms {
        &self.forms
    }
}

fn words() -> Words {
    let items = split(VOCABULARY).into_iter().map(|raw| parse_item(&VOCABULARY[raw.range]).0.unwrap());
    Words::new(items.flat_map(|item| declare(&item).0))
}

fn scope() -> Scope {
    let mut scope = Scope::default();
    for (label, class) in [("B", "boat"), ("C", "boat"), ("K", "crate"), ("P", "player"), ("this", "card")] {
        scope.bind(label, Sort::Thing(class.into()));
    }
    scope
}

/// Everything that an example is heard as: the readings, and how they are written.
fn heard(example: &str, lexicon: &Spoken<'_>, written: &Forms) -> (Vec<String>, Vec<String>) {
    let (mut read, mut said) = (Vec::new(), Vec::new());
    let terms = |key: &_| term(lexicon, key);
    for end in [".", ""] {
        let (item, errors) = parse_item(&format!("rule 99 \"Form\" {{ {example}{end} }}"));
        if let (Some(item), true) = (item, errors.is_empty()) {
            let (clauses, errors) = read_item(&item, lexicon);
            read.push(format!("{:?} {}", clauses.iter().map(|c| &c.kind).collect::<Vec<_>>(), errors.len()));
            said.extend(clauses.iter().map(|c| render_kind_with(written, &c.kind, &terms)));
        }
    }
    let Ok(tokens) = parse_sentence(example) else { return (read, said) };
    for steps in [false, true] {
        if let Ok(kind) = read_sentence(&tokens, &scope(), steps, lexicon) {
            said.push(render_kind_with(written, &kind, &terms));
            read.push(format!("{kind:?}"));
        }
    }
    for info in CATEGORIES {
        for node in readings(&tokens, info.category, &scope(), lexicon) {
            said.push(render_with(written, &node, &terms));
            read.push(format!("{} {node:?}", info.name));
        }
    }
    (read, said)
}

fn term(lexicon: &dyn Lexicon, key: &netrep_compiler::phrase::tree::TermKey) -> Option<Arc<Term>> {
    lexicon.term_named(key.kind, &key.name)
}

/// What may follow each beginning of an example.
fn told(example: &str, lexicon: &Spoken<'_>) -> Vec<Vec<String>> {
    let Ok(tokens) = parse_sentence(example) else { return Vec::new() };
    let ends = 0..=tokens.len();
    ends.map(|end| completions(&tokens[..end], &scope(), true, lexicon)).collect()
}

/// True for the heads of blocks, data and declarations, whose tokens are kept.
fn is_head(row: &Row) -> bool {
    row.builder == Builder::Data
}

#[test]
fn every_example_is_read() {
    let words = words();
    let whole = Spoken { words: &words, forms: Forms::all().clone() };
    let mut mute = Vec::new();
    for row in ROWS.iter().filter(|row| !is_head(row)) {
        let (read, _) = heard(row.example, &whole, Forms::all());
        if read.iter().all(|r| r.ends_with(" 1") || r.starts_with("[] ")) {
            mute.push(format!("{:?} `{}`", row.form, row.example));
        }
    }
    assert!(mute.is_empty(), "{} examples are not read:\n{}", mute.len(), mute.join("\n"));
}

#[test]
fn the_reader_misses_each_row() {
    let words = words();
    let whole = Spoken { words: &words, forms: Forms::all().clone() };
    let mut same = Vec::new();
    for row in ROWS {
        let less = Spoken { words: &words, forms: Forms::without(row.form) };
        if heard(row.example, &whole, Forms::all()).0 == heard(row.example, &less, Forms::all()).0 {
            same.push(format!("{:?} `{}`", row.form, row.example));
        }
    }
    assert!(same.is_empty(), "{} rows are not missed:\n{}", same.len(), same.join("\n"));
}

/// Forms that are read and never written: what they say is written in another form.
const READ_ONLY: &[Form] = &[];

#[test]
fn the_renderer_misses_each_row_that_it_writes() {
    let words = words();
    let whole = Spoken { words: &words, forms: Forms::all().clone() };
    let mut unwritten = BTreeSet::new();
    for row in ROWS {
        let less = Forms::without(row.form);
        if heard(row.example, &whole, Forms::all()).1 == heard(row.example, &whole, &less).1 {
            unwritten.insert(format!("{:?}", row.form));
        }
    }
    let known: BTreeSet<String> = READ_ONLY.iter().map(|form| format!("{form:?}")).collect();
    assert_eq!(unwritten, known);
}

#[test]
fn closed_words_and_pages_miss_each_row() {
    let whole = Forms::all();
    for row in ROWS {
        let less = Forms::without(row.form);
        let gone = whole.closed().into_iter().filter(|word| !less.is_closed(word));
        for word in gone {
            assert!(row.pattern.contains(word), "`{word}` went with {:?}", row.form);
        }
        assert_ne!(pages::grammar(whole), pages::grammar(&less), "{:?}", row.form);
        assert_ne!(pages::cheat_sheet(whole), pages::cheat_sheet(&less), "{:?}", row.form);
    }
    // A word of one form alone is no word of the language without it.
    assert!(whole.is_closed("spare") && !Forms::without(Form::ClauseSpare).is_closed("spare"));
}

/// Forms without a word of their own at any place that is told.
const UNTOLD: &[Form] = &[];

#[test]
fn what_is_expected_misses_each_row() {
    let words = words();
    let whole = Spoken { words: &words, forms: Forms::all().clone() };
    let mut untold = BTreeSet::new();
    for row in ROWS.iter().filter(|row| !is_head(row)) {
        let less = Spoken { words: &words, forms: Forms::without(row.form) };
        if told(row.example, &whole) == told(row.example, &less) {
            untold.insert(format!("{:?}", row.form));
        }
    }
    let known: BTreeSet<String> = UNTOLD.iter().map(|form| format!("{form:?}")).collect();
    assert_eq!(untold, known);
}

/// The pages in `grammar/forms` are those of the table; `PAGES=write` writes them.
#[test]
fn the_pages_are_those_of_the_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grammar/forms");
    assert!(pages::unlisted().is_empty(), "no chapter has {:?}", pages::unlisted());
    for (file, page) in
        [("GRAMMAR.md", pages::grammar(Forms::all())), ("CHEATSHEET.md", pages::cheat_sheet(Forms::all()))]
    {
        let path = folder.join(file);
        if std::env::var("PAGES").is_ok_and(|how| how == "write") {
            fs::write(&path, &page).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), page, "{file} is out of date: run this test with PAGES=write");
    }
}
