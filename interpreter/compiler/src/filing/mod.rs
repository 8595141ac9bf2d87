//! Filing: in which file an item belongs, and in which order the items of a file stand, as the data declare it.
//!
//! ```text
//! filing card {
//!     id AB in "cards/first-set", 120 in all.
//!     id CD in "cards/second-set".
//!     boat in "boats.cards".
//!     bridge with material Stone, Iron in "bridges.cards".
//!     letters W, R.
//! }
//! ```
//!
//! Two things say where an item belongs: how its id begins, and what is printed on it. The part of the path that the
//! longest beginning gives comes first, then that of the first class of which the item is. Items are in the
//! [`natural`] order of their ids. An item with an id of which no beginning is declared stays where it is.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Item, Span};

use crate::finding::Finding;
use crate::layers::words::joined;
use crate::load::{FOLDERS, is_source};
use crate::phrase::data::{header, sentences};
use crate::phrase::declare::limits;
use crate::phrase::forms::Form;
use crate::phrase::outline::Outline;

pub mod natural;

/// How the items with one head are filed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filing {
    /// Their head.
    pub head: Arc<str>,
    /// By how an id begins, in the order of the declaration.
    pub beginnings: Vec<Beginning>,
    /// By what is printed, in the order in which it is asked.
    pub kinds: Vec<Kind>,
    /// The order of letters in ids.
    pub letters: Vec<String>,
}

/// The items with an id that begins so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// The beginning, whole segments of the id.
    pub id: Arc<str>,
    /// The path, or its first part.
    pub path: Arc<str>,
    /// How many such items there are, written or not.
    pub total: Option<usize>,
}

/// The items of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The class.
    pub class: Arc<str>,
    /// The figure that they have besides, with one of these terms.
    pub with: Option<(Arc<str>, Vec<Arc<str>>)>,
    /// The path, or its last part.
    pub path: Arc<str>,
    /// Where the class is named.
    pub span: Span,
}

impl Filing {
    /// The beginning of an id: the longest that is declared.
    pub fn beginning(&self, id: &str) -> Option<&Beginning> {
        let fits = self.beginnings.iter().filter(|one| natural::begins(id, &one.id));
        fits.max_by_key(|one| one.id.len())
    }
}

/// The parts of a path, as one.
pub(crate) fn path_of(first: Option<&str>, last: Option<&str>) -> Option<String> {
    match (first, last) {
        (Some(first), Some(last)) => Some(format!("{first}/{last}")),
        (one, other) => one.or(other).map(str::to_owned),
    }
}

/// Reads a declaration.
pub(crate) fn read_filing(item: &Item) -> (Filing, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut filing = Filing::default();
    let span = item.header.first().map_or(item.head_span, |token| token.span);
    match header(item) {
        // total: the row of the header has a head
        Ok(said) => filing.head = Arc::from(said.word("head").unwrap_or_default()),
        Err(finding) => findings.push(finding),
    }
    for (clause, said) in sentences("filing", &item.clauses, &mut findings) {
        add(clause, &said, &mut filing, &mut findings);
    }
    if let Some(kind) = filing.kinds.first().filter(|_| !matches!(&*filing.head, "" | "card")) {
        let message = format!("no {} is of a class", filing.head);
        findings.push(bad(kind.span, message, "say `id …`: only cards have printed figures"));
    }
    if findings.is_empty() {
        findings.extend(bad_paths(&filing, span));
    }
    (filing, findings)
}

fn bad(span: Span, message: String, help: &str) -> Finding {
    Finding::new(Code::BadFiling, span, message).help(help)
}

/// One sentence of a declaration.
fn add(clause: &Clause, said: &Outline<'_>, filing: &mut Filing, findings: &mut Vec<Finding>) {
    // total: the row has these holes
    let text = |hole| Arc::from(said.tokens(hole).map(joined).unwrap_or_default().replace('"', ""));
    match said.form() {
        Form::DataLetters => filing.letters.extend(said.each_tokens("letters").map(joined)),
        Form::DataBeginning => {
            let id: Arc<str> = text("name");
            if filing.beginnings.iter().any(|one| one.id == id) {
                let span = said.span("name").unwrap_or(clause.span);
                findings.push(bad(span, format!("`{id}` has a place already"), "keep one of the two"));
                return;
            }
            let total = said.number("total").and_then(|number| usize::try_from(number).ok());
            filing.beginnings.push(Beginning { id, path: text("path"), total });
        }
        _ => {
            let span = said.span("class").unwrap_or(clause.span);
            let with = said.part("only").map(limits);
            filing.kinds.push(Kind { class: text("class"), with, path: text("path"), span });
        }
    }
}

/// Paths that are no files of the data.
fn bad_paths(filing: &Filing, span: Span) -> Vec<Finding> {
    let firsts: Vec<Option<&str>> = match filing.beginnings.as_slice() {
        [] => vec![None],
        some => some.iter().map(|one| Some(&*one.path)).collect(),
    };
    let lasts: Vec<Option<&str>> = match filing.kinds.as_slice() {
        [] => vec![None],
        some => some.iter().map(|one| Some(&*one.path)).collect(),
    };
    let paths = firsts.iter().flat_map(|first| lasts.iter().filter_map(|last| path_of(*first, *last)));
    let wrong = paths.filter(|path| !is_data(path));
    let help = format!("a file is in one of the folders {}, and its name ends as theirs do", FOLDERS.join(", "));
    wrong.map(|path| bad(span, format!("\"{path}\" is no file of the data"), &help)).collect()
}

/// True for a path of which every reader of the data takes notice.
fn is_data(path: &str) -> bool {
    let plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':']);
    let folder = path.split_once('/').map(|(folder, _)| folder);
    folder.is_some_and(|folder| FOLDERS.contains(&folder)) && path.split('/').all(plain) && is_source(path)
}
