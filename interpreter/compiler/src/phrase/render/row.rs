//! Rows of the table written out: their words, with what stands in their holes.

use super::{Writer, said};
use crate::phrase::forms::{Builder, Category, Form, List, Own, Part, Reader, Row};
use crate::phrase::tree::{Node, Op};

/// What stands in a hole.
pub(super) enum Fill {
    /// One phrase, or one of the row's words; nothing if empty.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl From<String> for Fill {
    fn from(text: String) -> Self {
        Fill::One(text)
    }
}

impl From<&str> for Fill {
    fn from(text: &str) -> Self {
        Fill::One(text.to_owned())
    }
}

impl From<Vec<String>> for Fill {
    fn from(texts: Vec<String>) -> Self {
        Fill::Several(texts)
    }
}

/// A hole's name and what stands there.
pub(super) type Filled<'f> = (&'f str, Fill);

/// A hole with something in it.
pub(super) fn fill<'f>(hole: &'f str, what: impl Into<Fill>) -> Filled<'f> {
    (hole, what.into())
}

impl Writer<'_> {
    /// The row of a form with its holes filled; nothing if the table is without it.
    pub(super) fn say(&self, form: Form, holes: &[Filled<'_>]) -> String {
        self.say_of(form, false, holes)
    }

    /// The same; `many`: words that agree are those behind a plural.
    pub(super) fn say_of(&self, form: Form, many: bool, holes: &[Filled<'_>]) -> String {
        let mut text = Text::default();
        if let Some(row) = self.forms.row(form) {
            write(row, row.parts, many, holes, &mut text);
        }
        text.text
    }

    /// An operator without data of its own, by its row: each child in its hole.
    pub(super) fn by_row(&self, node: &Node) -> String {
        let fits = |row: &&Row| {
            let children = row.children.iter().filter(|c| !c.many).count();
            let plain = row.builder == Builder::Plain;
            plain && !row.children.iter().any(|c| c.many) && children >= node.kids.len()
        };
        said(self.forms.making(node.op.name()).find(fits).map(|row| {
            let mut holes: Vec<Filled<'_>> = Vec::new();
            for (at, child) in row.children.iter().enumerate() {
                if let (Some(name), Some(kid)) = (child.hole.and_then(|h| row.holes.get(h)), node.kids.get(at)) {
                    holes.push((name, Fill::One(self.in_hole(row, name, kid))));
                }
            }
            self.say(row.form, &holes)
        }))
    }

    /// A phrase as the hole that it stands in wants it.
    fn in_hole(&self, row: &Row, name: &str, node: &Node) -> String {
        if node.op == Op::Absent {
            return String::new();
        }
        match reader(row.parts, row.holes.iter().position(|h| *h == name)) {
            Some(Reader::Own(Own::Block)) => self.block(node),
            Some(Reader::Cell(Category::Condition)) => self.condition(node),
            Some(Reader::Cell(Category::Number)) => self.number(node),
            Some(Reader::Cell(Category::Atom)) => self.atom(node),
            _ => self.any(node),
        }
    }

    /// Several joined as the list of a form's hole says.
    pub(super) fn joined_as(&self, form: Form, hole: &str, parts: Vec<String>) -> String {
        let mut text = Text::default();
        if let Some(list) = self.list_of(form, hole) {
            several(list, &parts, &mut text);
        }
        text.text
    }

    /// Two joined by one of the signs of a form's list.
    pub(super) fn say_between(&self, form: Form, hole: &str, sign: &str, parts: &[String; 2]) -> String {
        let known = self.list_of(form, hole).and_then(|list| list.between.iter().find(|w| **w == sign));
        let mut text = Text::default();
        if let (Some(sign), [left, right]) = (known, parts) {
            [left.as_str(), sign, right].into_iter().for_each(|word| text.word(word));
        }
        text.text
    }

    fn list_of(&self, form: Form, hole: &str) -> Option<&List> {
        let row = self.forms.row(form)?;
        list(row.parts, row.holes.iter().position(|h| *h == hole))
    }

    /// The word of a form that is written, such as that of a determiner.
    pub(super) fn word_of(&self, form: Form) -> String {
        self.say(form, &[])
    }
}

fn reader(parts: &[Part], at: Option<usize>) -> Option<Reader> {
    parts.iter().find_map(|part| match part {
        Part::Hole { hole, read, .. } if Some(*hole) == at => read.first().copied(),
        Part::Option(inner) => reader(inner, at),
        _ => None,
    })
}

fn list(parts: &[Part], at: Option<usize>) -> Option<&List> {
    parts.iter().find_map(|part| match part {
        Part::Hole { hole, list, .. } if Some(*hole) == at => list.as_ref(),
        Part::Option(inner) => self::list(inner, at),
        _ => None,
    })
}

/// Text under way: what stands tight has no blank before or behind it.
struct Text {
    text: String,
    /// The next word follows without a blank.
    tight: bool,
}

/// Few phrases are longer, and most are put into others at once.
const ROOM: usize = 64;

impl Default for Text {
    fn default() -> Self {
        Text { text: String::with_capacity(ROOM), tight: false }
    }
}

impl Text {
    fn word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        let close = matches!(word, ")" | "," | ";" | ":" | "'s");
        if !self.text.is_empty() && !self.tight && !close {
            self.text.push(' ');
        }
        self.text.push_str(word);
        self.tight = word == "(" || word == "non-";
    }

    /// A sign in front of what it changes.
    fn sign(&mut self, sign: &str) {
        self.word(sign);
        self.tight = true;
    }
}

/// What stands in a hole of a row, if anything does.
fn filled<'h>(row: &Row, holes: &'h [Filled<'_>], at: usize) -> Option<&'h Fill> {
    let name = row.holes.get(at)?;
    let (_, fill) = holes.iter().find(|(hole, _)| hole == name)?;
    match fill {
        Fill::One(text) => !text.is_empty(),
        Fill::Several(parts) => !parts.is_empty(),
    }
    .then_some(fill)
}

/// True if something stands in a hole of these parts.
fn any_filled(row: &Row, parts: &[Part], holes: &[Filled<'_>]) -> bool {
    parts.iter().any(|part| match part {
        Part::Hole { hole, .. } | Part::Words { hole: Some(hole), .. } => filled(row, holes, *hole).is_some(),
        Part::Option(inner) => any_filled(row, inner, holes),
        Part::Before | Part::Words { hole: None, .. } => false,
    })
}

fn write(row: &Row, parts: &'static [Part], many: bool, holes: &[Filled<'_>], text: &mut Text) {
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Before => {
                if let Some(Fill::One(said)) = filled(row, holes, 0) {
                    text.word(said);
                }
            }
            Part::Option(inner) if any_filled(row, inner, holes) => write(row, inner, many, holes, text),
            Part::Option(_) => {}
            Part::Words { hole, any, plural } => {
                let chosen = match hole.and_then(|hole| filled(row, holes, hole)) {
                    Some(Fill::One(word)) => any.iter().find(|w| *w == word).copied(),
                    _ => None,
                };
                let usual = plural.filter(|_| many).or(any.first().copied());
                match chosen.or(usual) {
                    Some(sign @ ("+" | "-")) if at == 0 => text.sign(sign),
                    Some(word) => text.word(word),
                    None => {}
                }
            }
            Part::Hole { hole, list, .. } => match (filled(row, holes, *hole), list) {
                (Some(Fill::One(said)), _) => text.word(said),
                (Some(Fill::Several(said)), Some(list)) => several(list, said, text),
                (Some(Fill::Several(said)), None) => said.iter().for_each(|one| text.word(one)),
                (None, _) => {}
            },
        }
    }
}

/// Several, with what the list says between them.
fn several(list: &List, parts: &[String], text: &mut Text) {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            let last = at + 1 == parts.len();
            let usual = list.between.iter().find(|w| **w != "/");
            let between = list.last.first().filter(|_| last).or(usual);
            if let Some(between) = between {
                text.word(between);
            }
        }
        text.word(part);
    }
}
