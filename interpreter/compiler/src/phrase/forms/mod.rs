//! The table of forms as a value: what the reader, the renderer, the closed words, what is expected, completion and the
//! pages of the language are made from.
//!
//! Its rows are written in `grammar/forms/*.forms` and read when the compiler is built. [`Forms::all`] is the whole table;
//! [`Forms::without`] is one with a row taken out, by which tests see that everything takes notice of each row.

pub mod pages;
mod table;

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

pub use table::{CATEGORIES, Category, ClauseRule, Form, Kept, Own, RESERVED, ROWS, Rule, TAKINGS, Takes};
pub(super) use table::{Caught, Match, Piece, duration, operator};

/// A form of the language.
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub form: Form,
    /// Where it may stand.
    pub category: Category,
    /// Its name in the category.
    pub name: &'static str,
    /// Its words and holes as the table writes them.
    pub pattern: &'static str,
    /// Words and holes, in order.
    pub parts: &'static [Part],
    /// The names of the holes.
    pub holes: &'static [&'static str],
    /// The operator that it makes; empty if it hands on what a hole holds.
    pub operator: &'static str,
    /// The children of the operator.
    pub children: &'static [Child],
    /// Which determiners its holes take, by their places among the holes.
    pub takes: &'static [(usize, Takes)],
    /// How its tree is built.
    pub builder: Builder,
    /// The kinds of items and blocks that have it, of plain data; empty for all else.
    pub within: &'static [&'static str],
    /// It stands there once.
    pub once: bool,
    /// One line.
    pub meaning: &'static str,
    /// A phrase of the form, with the vocabulary of `grammar/forms/example.words`.
    pub example: &'static str,
}

/// How the tree of a form is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builder {
    /// As the row says.
    Plain,
    /// By a rule in code, which rows cannot say.
    Rule(Rule),
    /// The same, of a clause.
    Clause(ClauseRule),
    /// It is found in the tokens of the skeleton, and makes no tree.
    Data,
}

/// A child of a form's operator.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The hole that it is from; `None`: absent.
    pub hole: Option<usize>,
    /// Its contrary is meant.
    pub denied: bool,
    /// The hole holds several.
    pub many: bool,
    /// It is left out where the hole is empty; else something absent stands for it.
    pub maybe: bool,
}

/// A part of a row.
#[derive(Debug)]
pub enum Part {
    /// What has been read already.
    Before,
    /// What may be left out.
    Option(&'static [Part]),
    /// Something that varies.
    Hole {
        /// Its place among the row's holes.
        hole: usize,
        /// What it may hold.
        read: &'static [Reader],
        /// Several may stand there.
        list: Option<List>,
    },
    /// One of several words or signs.
    Words {
        /// Its place among the holes, if it matters which word stands there.
        hole: Option<usize>,
        /// The words; the first is the one that is written.
        any: &'static [&'static str],
        /// The word that is written after a plural.
        plural: Option<&'static str>,
    },
}

/// What stands between several.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// Between any two.
    pub between: &'static [&'static str],
    /// Only before the last.
    pub last: &'static [&'static str],
}

/// What the table says of the determiners that a hole takes.
#[derive(Debug)]
pub struct Taking {
    /// Its name in the table.
    pub name: &'static str,
    /// How many things are meant.
    pub meaning: &'static str,
    /// What to say instead of another determiner.
    pub mend: &'static str,
    /// The determiners.
    pub determiners: &'static [Form],
}

impl Takes {
    /// What the table says of it.
    pub fn info(self) -> &'static Taking {
        &TAKINGS[self as usize]
    }
}

/// What a hole may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A phrase of a category.
    Cell(Category),
    /// Something that is no category: a declared term, a label, a list, a category with a condition on its sort.
    Own(Own),
    /// Words, clauses and other tokens of a block, data or a declaration.
    Kept(Kept),
}

/// What the table says of a category.
#[derive(Debug)]
pub struct Info {
    /// The category.
    pub category: Category,
    /// Its name in the table.
    pub name: &'static str,
    /// What a message calls it; empty if messages name what it consists of.
    pub shown: &'static str,
    /// The sort of its phrases.
    pub sort: &'static str,
    /// How tightly its forms bind: more is tighter.
    pub binds: u8,
    /// Messages tell the first words of its forms.
    pub told: bool,
    /// What has been read before, for the categories that go on from something.
    pub after: Option<&'static str>,
}

impl Category {
    /// What the table says of it.
    pub(crate) fn info(self) -> &'static Info {
        &CATEGORIES[self as usize]
    }
}

impl Form {
    /// What its hole of a name takes.
    pub(crate) fn takes(self, hole: &str) -> Option<Takes> {
        let row = self.row();
        let at = row.holes.iter().position(|h| *h == hole)?;
        row.takes.iter().find(|(place, _)| *place == at).map(|(_, takes)| *takes)
    }

    /// Its row in the whole table.
    pub(crate) fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

/// The rows of a category.
#[derive(Clone, Debug, Default)]
struct Shelf {
    /// All of them, in order.
    all: Vec<&'static Row>,
    /// Those that may begin with a word of the language, by the word.
    by_word: FxHashMap<&'static str, Vec<&'static Row>>,
    /// Those that may begin with something else.
    others: Vec<&'static Row>,
}

/// A table of forms.
#[derive(Clone, Debug)]
pub struct Forms {
    rows: Vec<&'static Row>,
    shelves: Vec<Shelf>,
    by_operator: FxHashMap<&'static str, Vec<&'static Row>>,
    /// The rows of plain data, by the kinds of items in which they stand.
    by_kind: FxHashMap<&'static str, Vec<&'static Row>>,
    known: Vec<bool>,
    closed: FxHashSet<&'static str>,
}

impl Forms {
    /// The whole table.
    pub fn all() -> &'static Forms {
        static ALL: OnceLock<Forms> = OnceLock::new();
        ALL.get_or_init(|| Forms::of(ROWS.iter().collect()))
    }

    /// The table without a row.
    pub fn without(form: Form) -> Forms {
        Forms::of(ROWS.iter().filter(|row| row.form != form).collect())
    }

    fn of(rows: Vec<&'static Row>) -> Forms {
        let mut shelves: Vec<Shelf> = vec![Shelf::default(); CATEGORIES.len()];
        let mut by_operator: FxHashMap<&'static str, Vec<&'static Row>> = FxHashMap::default();
        let mut by_kind: FxHashMap<&'static str, Vec<&'static Row>> = FxHashMap::default();
        let mut known = vec![false; ROWS.len()];
        let mut closed = FxHashSet::default();
        for row in &rows {
            shelves[row.category as usize].all.push(row);
            by_operator.entry(row.operator).or_default().push(row);
            if row.category == Category::Data {
                row.within.iter().for_each(|kind| by_kind.entry(kind).or_default().push(row));
            }
            known[row.form as usize] = true;
            // The heads of blocks, data and declarations are known where they stand first, and free words elsewhere.
            if row.builder != Builder::Data {
                words(row.parts, &mut |word| {
                    closed.insert(word);
                });
            }
        }
        closed.extend(RESERVED.iter().flat_map(|(_, words)| words.iter().copied()));
        for shelf in &mut shelves {
            let mut firsts: Vec<(&'static Row, Option<Vec<&'static str>>)> = Vec::new();
            for row in &shelf.all {
                let mut words = Vec::new();
                let free = first(&rows, row.parts, &mut words, 0);
                firsts.push((row, (!free).then_some(words)));
            }
            for (_, words) in &firsts {
                for word in words.iter().flatten() {
                    let rows = firsts.iter().filter(|(_, w)| w.as_ref().is_none_or(|w| w.contains(word)));
                    shelf.by_word.entry(word).or_insert_with(|| rows.map(|(row, _)| *row).collect());
                }
            }
            shelf.others = firsts.iter().filter(|(_, w)| w.is_none()).map(|(row, _)| *row).collect();
        }
        Forms { rows, shelves, by_operator, by_kind, known, closed }
    }

    /// The rows of a category, in order.
    pub(crate) fn of_category(&self, category: Category) -> &[&'static Row] {
        &self.shelves[category as usize].all
    }

    /// The rows of a category that may begin with a word or sign.
    pub(crate) fn beginning(&self, category: Category, word: Option<&str>) -> &[&'static Row] {
        let shelf = &self.shelves[category as usize];
        word.and_then(|w| shelf.by_word.get(w)).unwrap_or(&shelf.others)
    }

    /// The rows of plain data that stand in a kind of item, in order.
    pub(crate) fn of_kind(&self, kind: &str) -> impl Iterator<Item = &'static Row> + '_ {
        self.by_kind.get(kind).into_iter().flatten().copied()
    }

    /// True if a form of the category may begin with the word.
    pub(crate) fn begins(&self, category: Category, word: &str) -> bool {
        self.shelves[category as usize].by_word.contains_key(word)
    }

    /// The rows that make an operator, by its name.
    pub(crate) fn making(&self, operator: &str) -> impl Iterator<Item = &'static Row> {
        self.by_operator.get(operator).into_iter().flatten().copied()
    }

    /// The row of a form, unless the table is without it.
    pub(crate) fn row(&self, form: Form) -> Option<&'static Row> {
        self.known.get(form as usize).filter(|known| **known).map(|_| form.row())
    }

    /// True if the language itself knows the word.
    pub fn is_closed(&self, word: &str) -> bool {
        self.closed.contains(word)
    }

    /// The words that the language itself knows, in the order of the alphabet. Everything else is declared.
    pub fn closed(&self) -> Vec<&'static str> {
        let mut words: Vec<&'static str> =
            self.closed.iter().copied().filter(|w| w.starts_with(|c: char| c.is_ascii_lowercase())).collect();
        words.sort_unstable();
        words
    }

    /// The words and signs with which a phrase of a category may begin, in the order of the rows.
    pub(crate) fn openings(&self, category: Category) -> Vec<&'static str> {
        let mut words = Vec::new();
        for row in self.of_category(category) {
            first(&self.rows, row.parts, &mut words, 0);
        }
        let mut seen = FxHashSet::default();
        words.retain(|w| seen.insert(*w));
        words
    }
}

/// The words and signs of a row's parts.
fn words(parts: &'static [Part], out: &mut impl FnMut(&'static str)) {
    for part in parts {
        match part {
            Part::Words { any, .. } => any.iter().for_each(|w| out(w)),
            Part::Option(inner) => words(inner, out),
            Part::Hole { list: Some(list), .. } => list.between.iter().chain(list.last).for_each(|w| out(w)),
            Part::Hole { .. } | Part::Before => {}
        }
    }
}

/// So deep are categories looked into for their first words.
const DEPTH: u32 = 6;

/// Collects the words with which parts may begin; true if they may begin with anything else.
fn first(rows: &[&'static Row], parts: &'static [Part], out: &mut Vec<&'static str>, depth: u32) -> bool {
    let mut free = false;
    for part in parts {
        match part {
            Part::Before => {}
            Part::Words { any, .. } => {
                out.extend(any.iter());
                return free;
            }
            Part::Option(inner) => free |= first(rows, inner, out, depth),
            Part::Hole { read, .. } => {
                free |= read.is_empty();
                for reader in *read {
                    match reader {
                        Reader::Cell(category) if depth < DEPTH => {
                            for row in rows.iter().filter(|row| row.category == *category) {
                                free |= first(rows, row.parts, out, depth + 1);
                            }
                        }
                        _ => free = true,
                    }
                }
                return free;
            }
        }
    }
    true
}
