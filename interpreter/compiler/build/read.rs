//! The table of forms as text: categories and rows.

use pest::Parser;
use pest::iterators::Pair;
use pest_derive::Parser;

#[derive(Parser)]
#[grammar = "../../grammar/forms/forms.pest"]
struct Forms;

/// Everything that the files say.
#[derive(Default)]
pub(crate) struct Table {
    pub categories: Vec<Category>,
    pub rows: Vec<Row>,
    /// What holes of noun phrases take.
    pub takings: Vec<Taking>,
    /// Words that the language keeps for itself though no form has them, with the reason.
    pub reserved: Vec<(String, Vec<String>)>,
}

pub(crate) struct Category {
    pub name: String,
    pub shown: String,
    pub sort: String,
    pub binds: u8,
    pub told: bool,
    pub after: Option<String>,
}

pub(crate) struct Taking {
    pub name: String,
    pub meaning: String,
    pub mend: String,
    /// The rows of the determiners.
    pub determiners: Vec<String>,
}

pub(crate) struct Row {
    pub category: String,
    pub name: String,
    /// The row's words and holes as they are written.
    pub pattern: Vec<String>,
    pub parts: Vec<Part>,
    pub made: Option<(String, Vec<String>)>,
    pub children: Vec<Child>,
    pub by: Option<String>,
    /// The kinds of items and blocks that have it; only rows of plain data say so.
    pub within: Vec<String>,
    /// It stands there once.
    pub once: bool,
    pub meaning: String,
    pub example: String,
}

pub(crate) struct Child {
    pub denied: bool,
    /// The hole; `None`: absent; `..`: what stands before.
    pub hole: Option<String>,
    pub many: bool,
    pub maybe: bool,
}

pub(crate) enum Part {
    Before {
        takes: Option<String>,
    },
    Option(Vec<Part>),
    Hole {
        name: String,
        readers: Vec<String>,
        list: bool,
        between: Vec<String>,
        last: Vec<String>,
        takes: Option<String>,
    },
    Words {
        hole: Option<String>,
        any: Vec<String>,
        plural: Option<String>,
    },
}

impl Table {
    /// Adds what a file says.
    pub(crate) fn read(&mut self, text: &str) -> Result<(), String> {
        let file = Forms::parse(Rule::file, text).map_err(|e| e.to_string())?;
        for pair in file.flat_map(Pair::into_inner) {
            match pair.as_rule() {
                Rule::category => self.categories.push(category(pair)),
                Rule::taking => self.takings.push(taking(pair)),
                Rule::reserve => {
                    let mut words = pair.into_inner();
                    let why = words.next().map(|p| unquoted(&p)).unwrap_or_default();
                    self.reserved.push((why, words.map(|w| w.as_str().to_owned()).collect()));
                }
                Rule::row => {
                    let category = self.categories.last().ok_or("a row before the first category")?.name.clone();
                    self.rows.push(row(pair, category));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn unquoted(pair: &Pair<'_, Rule>) -> String {
    pair.as_str().trim_matches('"').to_owned()
}

fn only(pair: Pair<'_, Rule>) -> String {
    pair.into_inner().next().map(|p| p.as_str().to_owned()).unwrap_or_default()
}

fn category(pair: Pair<'_, Rule>) -> Category {
    let mut it = Category {
        name: String::new(),
        shown: String::new(),
        sort: "thing".to_owned(),
        binds: 1,
        told: false,
        after: None,
    };
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::category_name => it.name = part.as_str().to_owned(),
            Rule::quoted => it.shown = unquoted(&part),
            Rule::sort => it.sort = only(part),
            Rule::binds => it.binds = only(part).parse().unwrap_or(1),
            Rule::told => it.told = true,
            Rule::after => it.after = Some(only(part)),
            _ => {}
        }
    }
    it
}

fn taking(pair: Pair<'_, Rule>) -> Taking {
    let mut it = Taking { name: String::new(), meaning: String::new(), mend: String::new(), determiners: Vec::new() };
    let mut texts = Vec::new();
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::word => it.name = part.as_str().to_owned(),
            Rule::quoted => texts.push(unquoted(&part)),
            Rule::name => it.determiners.push(part.as_str().to_owned()),
            _ => {}
        }
    }
    let mut texts = texts.into_iter();
    it.meaning = texts.next().unwrap_or_default();
    it.mend = texts.next().unwrap_or_default();
    it
}

fn row(pair: Pair<'_, Rule>, category: String) -> Row {
    let mut it = Row {
        category,
        name: String::new(),
        pattern: Vec::new(),
        parts: Vec::new(),
        made: None,
        children: Vec::new(),
        by: None,
        within: Vec::new(),
        once: false,
        meaning: String::new(),
        example: String::new(),
    };
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::name => it.name = part.as_str().to_owned(),
            Rule::result => {
                for piece in part.into_inner() {
                    match piece.as_rule() {
                        Rule::made => {
                            let mut inner = piece.into_inner();
                            let operator = inner.next().map(|o| o.as_str().to_owned()).unwrap_or_default();
                            it.made = Some((operator, inner.map(|d| d.as_str().to_owned()).collect()));
                        }
                        _ => it.children.push(child(piece)),
                    }
                }
            }
            Rule::by => it.by = Some(only(part)),
            Rule::within => it.within = part.into_inner().map(|p| p.as_str().to_owned()).collect(),
            Rule::once => it.once = true,
            Rule::quoted => it.meaning = unquoted(&part),
            Rule::example => it.example = part.as_str().trim_matches('`').to_owned(),
            _ => {
                it.pattern.push(part.as_str().trim().to_owned());
                it.parts.push(piece(part));
            }
        }
    }
    it
}

fn child(pair: Pair<'_, Rule>) -> Child {
    let mut it = Child { denied: false, hole: None, many: false, maybe: false };
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::deny => it.denied = true,
            Rule::label | Rule::same => it.hole = Some(part.as_str().to_owned()),
            Rule::many => it.many = true,
            Rule::maybe => it.maybe = true,
            _ => {}
        }
    }
    it
}

fn word(text: &str) -> String {
    text.trim_start_matches('\\').to_owned()
}

fn piece(pair: Pair<'_, Rule>) -> Part {
    match pair.as_rule() {
        Rule::option => Part::Option(pair.into_inner().map(piece).collect()),
        Rule::hole => {
            let (mut name, mut readers, mut between, mut last) = (String::new(), Vec::new(), Vec::new(), Vec::new());
            let list = pair.as_str().contains(" ...");
            let mut takes = None;
            for part in pair.into_inner() {
                match part.as_rule() {
                    Rule::label => name = part.as_str().to_owned(),
                    Rule::reader => readers.push(part.as_str().to_owned()),
                    Rule::parted => between = part.into_inner().map(|p| word(p.as_str())).collect(),
                    Rule::takes => takes = Some(part.as_str().to_owned()),
                    Rule::closing => last = part.into_inner().map(|p| word(p.as_str())).collect(),
                    _ => {}
                }
            }
            Part::Hole { name, readers, list, between, last, takes }
        }
        Rule::words => {
            let plain = pair.as_str().to_owned();
            let (mut hole, mut any) = (None, Vec::new());
            for part in pair.into_inner() {
                match part.as_rule() {
                    Rule::label => hole = Some(part.as_str().to_owned()),
                    _ => any.push(word(part.as_str())),
                }
            }
            // `third/plain`: forms that agree with what stands before them; the third person first.
            let agrees = plain.contains('/') && !plain.contains("\\/");
            let plural = if agrees { any.get(1).cloned() } else { None };
            Part::Words { hole, any, plural }
        }
        _ => Part::Before { takes: pair.into_inner().next().map(|p| p.as_str().to_owned()) },
    }
}
