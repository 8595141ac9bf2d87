//! From files to items and their skeletons.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::{HEADS, tree};

use super::names::NAMED_HEADS;
use super::prints::{known, print_of, text_print};
use crate::coords::{Anchors, bytes, canonical};
use crate::db::Db;
use crate::finding::Finding;
use crate::inputs::SourceFile;
use crate::tree::Tree;

/// One item of a file.
///
/// Identity: the file, the head word and the key, counted among equals. It survives edits of the item's
/// text and of everything around it, also a changed title; a changed id makes a new item.
#[salsa::tracked(debug)]
pub struct Item<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// The head word; `None` for text that belongs to no item.
    #[returns(copy)]
    pub head: Option<&'static str>,
    /// What names it: a card's id, a rule's number, the words of a declaration.
    pub key: Arc<str>,
    /// How many items above in the file have the same head and key.
    #[returns(copy)]
    pub nth: u32,
    /// The text.
    #[tracked]
    pub text: Arc<str>,
    /// Where the text begins in the file. WARNING: moves with every edit above; only reports and the
    /// linker may read it.
    #[tracked]
    #[returns(copy)]
    pub offset: u32,
}

/// The items of a file, in order.
#[salsa::tracked]
pub(crate) fn items<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Item<'db>> {
    let text = file.text(db);
    let mut seen: BTreeMap<(Option<&'static str>, Arc<str>), u32> = BTreeMap::new();
    let mut list = Vec::new();
    for (head, key, range) in known(db, "cut", || print_of(db, text), || cut(text)) {
        // Heads are few, and each is known by its place in the program.
        let head = head.and_then(|head| HEADS.iter().find(|one| **one == head).copied());
        let key: Arc<str> = Arc::from(key);
        let nth = seen.entry((head, Arc::clone(&key))).or_default();
        let offset = bytes(range.start);
        let body = &text[range];
        list.push(Item::new(db, file, head, key, *nth, Arc::from(body), offset));
        *nth += 1;
    }
    list
}

/// The items of a text: head, what names it, and its bytes.
fn cut(text: &str) -> Vec<(Option<String>, String, Range<usize>)> {
    let cut = netrep_grammar::split(text).into_iter();
    cut.map(|raw| (raw.head.map(str::to_owned), short_key(raw.head, &raw.key).to_owned(), raw.range)).collect()
}

/// The word that an item begins with, as it is shown.
pub(crate) fn head_word<'db>(db: &'db dyn Db, item: Item<'db>) -> &'static str {
    // total: text that stands outside of all items begins with none
    item.head(db).unwrap_or_default()
}

/// What can be read of an item's tree.
pub(crate) fn of_tree<'db, T: Default>(db: &'db dyn Db, item: Item<'db>, read: impl FnOnce(&tree::Item) -> T) -> T {
    // total: an item without a tree says nothing; its syntax errors say why
    skeleton(db, item).as_ref().map(|tree| read(tree)).unwrap_or_default()
}

/// The part of a raw key that identifies: no head word, and no title where there is something before it. Of items with an id
/// it is the first word, whatever stands behind it: one whose title is broken keeps its name.
fn short_key<'a>(head: Option<&str>, raw: &'a str) -> &'a str {
    let words = head.and_then(|head| raw.strip_prefix(head)).unwrap_or(raw).trim();
    let has_id = head.is_some_and(|head| NAMED_HEADS.contains(&head));
    match words.split_once('"') {
        Some(("", title)) => title.split('"').next().unwrap_or(title),
        // total: what is not empty has a first word
        _ if has_id => words.split([' ', '\t', '\n', '"', '{']).next().unwrap_or(words),
        Some((id, _)) => id.trim(),
        None => words,
    }
}

/// What the grammar makes of an item: a tree and errors, either or both.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    /// The tree in canonical coordinates, of what is whole.
    pub tree: Option<Arc<Tree>>,
    /// Where its clauses really are.
    pub anchors: Anchors,
    /// Syntax errors.
    pub findings: Vec<Finding>,
}

/// Parses an item. Not compared: [`skeleton`] and [`anchors`] are, each on its own.
#[salsa::tracked(no_eq)]
pub(crate) fn parsed<'db>(db: &'db dyn Db, item: Item<'db>) -> Parsed {
    let text = item.text(db);
    let (tree, errors) = match item.head(db) {
        Some(_) => netrep_grammar::parse_item(text),
        None => (None, vec![netrep_grammar::text_outside(text)]),
    };
    let mut findings = errors;
    let (tree, anchors) = match tree.map(canonical) {
        Some(Ok((tree, anchors))) => (Some(Arc::new(tree.into())), anchors),
        Some(Err(span)) => {
            findings.push(
                Finding::new(Code::ItemTooLarge, span, "this item is too large").help("split it into several items"),
            );
            (None, Anchors::default())
        }
        None => (None, Anchors::default()),
    };
    Parsed { tree, anchors, findings }
}

/// The tree of an item, or of what is whole in it (see [`is_whole`]); `None` if there is nothing to read.
#[salsa::tracked]
pub fn skeleton<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Arc<Tree>> {
    known(db, "tree", || text_print(db, item), || parsed(db, item).tree.clone())
}

/// Where the clauses of an item are; read only by reports and the linker.
#[salsa::tracked]
pub(crate) fn anchors<'db>(db: &'db dyn Db, item: Item<'db>) -> Anchors {
    known(db, "anchors", || text_print(db, item), || parsed(db, item).anchors.clone())
}

/// True if an item has no syntax errors. One that has some is read as far as it goes, and is no part of a program.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_whole<'db>(db: &'db dyn Db, item: Item<'db>) -> bool {
    syntax_findings(db, item).is_empty()
}

/// The syntax errors of an item. In a query of their own, so that their reader does not depend on the tree.
#[salsa::tracked]
pub(crate) fn syntax_findings<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Finding> {
    known(db, "syntax", || text_print(db, item), || parsed(db, item).findings.clone())
}

/// The name in an item's header, read off the text, because the item may be broken.
pub(crate) fn title_of(text: &str) -> Option<&str> {
    let header = text.split(['{', '\n']).next()?;
    let title = match header.split_once('"') {
        Some((_, rest)) => rest.split('"').next()?,
        // Without quotation marks it is what stands behind the head and the id.
        None => header.splitn(3, ' ').nth(2)?,
    };
    Some(title.trim()).filter(|title| !title.is_empty())
}
