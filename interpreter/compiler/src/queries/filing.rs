//! Where items belong, and whether they are there.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::cmp::Ordering;
use std::sync::Arc;

use netrep_diagnostics::{Code, suggestion};

use super::items::{Item, head_word, items, of_tree};
use super::names::{Name, all_items, named};
use super::report::header_place;
use super::version::{Version, read};
use crate::db::Db;
use crate::filing::{Filing, natural, path_of, read_filing};
use crate::finding::{Diagnostic, Finding};
use crate::inputs::{SourceFile, Workspace};
use crate::phrase::figures::{has_term, is_of, printed};
use crate::phrase::lexicon::Lexicon;
use crate::phrase::tree::TermKind;
use crate::queries::lexicon::DbLexicon;
use crate::queries::terms::vocabulary;

/// A declaration of where items belong, and what is wrong with it by itself.
#[salsa::tracked]
pub(crate) fn filing<'db>(db: &'db dyn Db, item: Item<'db>) -> (Arc<Filing>, Vec<Finding>) {
    let (filing, findings) = of_tree(db, item, read_filing);
    (Arc::new(filing), findings)
}

/// What is wrong with a declaration in view of the vocabulary.
#[salsa::tracked]
pub(crate) fn filing_findings<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Finding> {
    let lexicon = DbLexicon::new(db);
    let mut findings = Vec::new();
    for kind in &filing(db, item).0.kinds {
        let mut unknown = |what: &str, name: &str, of: TermKind| {
            if lexicon.term_named(of, name).is_some() {
                return;
            }
            let others = vocabulary(db).order.iter().map(|one| &one.term.key).filter(|key| key.kind == of);
            let finding = Finding::new(Code::BadFiling, kind.span, format!("no {what} is called `{name}`"));
            let near = suggestion(name, others.map(|key| &*key.name));
            findings.push(finding.help(near.unwrap_or_else(|| format!("name a {what} of the vocabulary"))));
        };
        unknown("class", &kind.class, TermKind::Class);
        if let Some((figure, terms)) = &kind.with {
            unknown("figure", figure, TermKind::Attribute);
            terms.iter().for_each(|term| unknown("term", term, TermKind::Entry));
        }
    }
    findings
}

/// How the items with the head of an item are filed: the declaration.
fn filed<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<(Item<'db>, &'db Filing)> {
    let declaration = named(db, Name::new(db, "filing", item.head(db)?))?;
    let sound = filing(db, declaration).1.is_empty() && filing_findings(db, declaration).is_empty();
    sound.then(|| (declaration, &*filing(db, declaration).0))
}

/// What is known of the place of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// Nothing is said about it.
    Anywhere,
    /// It is one of those that have a place, and of none of the classes that are filed.
    Nowhere,
    /// Its order counts, in whatever file it stands.
    Here,
    /// The path of its file.
    File(Arc<str>),
}

/// Where an item belongs.
#[salsa::tracked]
pub(crate) fn due<'db>(db: &'db dyn Db, item: Item<'db>) -> Due {
    // total: what no `filing` speaks of may stand in any file
    let Some((_, filing)) = filed(db, item) else { return Due::Anywhere };
    let beginning = filing.beginning(item.key(db));
    if beginning.is_none() && !filing.beginnings.is_empty() {
        return Due::Anywhere;
    }
    let first = beginning.map(|one| &*one.path);
    let last = match filing.kinds.as_slice() {
        [] => None,
        kinds => {
            // total: an item that cannot be read is told of as such, not as misplaced
            let Some(read) = read(db, Version::base(db, item)) else { return Due::Anywhere };
            let printed = printed(read.item.clauses.iter().map(|clause| &*clause.read));
            let lexicon = DbLexicon::new(db);
            let fits = |class: &str, with: &Option<(Arc<str>, Vec<Arc<str>>)>| {
                is_of(class, &printed, &lexicon)
                    && with.as_ref().is_none_or(|(figure, terms)| has_term(figure, terms, &printed))
            };
            match kinds.iter().find(|kind| fits(&kind.class, &kind.with)) {
                Some(kind) => Some(&*kind.path),
                None if read.findings.iter().any(Finding::is_error) => return Due::Anywhere,
                None => return Due::Nowhere,
            }
        }
    };
    match path_of(first, last) {
        Some(path) => Due::File(Arc::from(path)),
        None => Due::Here,
    }
}

/// Compares two items that belong into one file: by head, then by id.
pub(crate) fn before<'db>(db: &'db dyn Db, one: Item<'db>, other: Item<'db>) -> Ordering {
    // total: ids of an item that is not filed have no letters of an own order
    let letters = filed(db, one).map_or(&[][..], |(_, filing)| &filing.letters);
    let ids = || natural::compare(one.key(db), other.key(db), letters);
    one.head(db).cmp(&other.head(db)).then_with(ids)
}

/// The file in which an item belongs, if its place is known.
pub(crate) fn due_file<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Arc<str>> {
    match due(db, item) {
        Due::File(path) => Some(Arc::clone(path)),
        Due::Here => Some(Arc::clone(item.file(db).path(db))),
        Due::Anywhere | Due::Nowhere => None,
    }
}

/// Items that do not stand where they belong.
pub(crate) fn misplaced(db: &dyn Db) -> impl Iterator<Item = &Diagnostic> {
    Workspace::get(db).files(db).iter().flat_map(|file| misplaced_in(db, *file))
}

/// The items of a file that do not stand where they belong.
#[salsa::tracked]
fn misplaced_in(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut diags = Vec::new();
    let mut above: Option<Item<'_>> = None;
    for item in items(db, file).iter().copied() {
        let name = || format!("{} {}", head_word(db, item), item.key(db));
        if *due(db, item) == Due::Nowhere
            && let Some((declaration, _)) = filed(db, item)
        {
            let help = format!("add a line to `filing {}`", head_word(db, item));
            let advice = advice(db, item, format!("nothing says where {} belongs", name()));
            diags.push(advice.and(header_place(db, declaration), "it is of none of these classes").help(help));
        }
        let Some(path) = due_file(db, item) else { continue };
        if *path != **file.path(db) {
            let advice = advice(db, item, format!("{} belongs in {path}", name()));
            diags.push(advice.help("`netrep fmt --sort` moves it there"));
            continue;
        }
        match above {
            Some(above) if before(db, above, item) == Ordering::Greater => {
                let advice = advice(db, item, format!("{} stands behind {}", name(), above.key(db)));
                let advice = advice.and(header_place(db, above), "the one above it");
                diags.push(advice.help("`netrep fmt --sort` puts them in order"));
            }
            _ => {}
        }
        above = Some(item);
    }
    diags
}

fn advice<'db>(db: &'db dyn Db, item: Item<'db>, message: String) -> Diagnostic {
    Diagnostic::new(Code::MisplacedItem, header_place(db, item), message)
}

/// Every item that has a place: its file, its number there, and where it belongs.
pub(crate) fn seats(db: &dyn Db) -> Vec<(Arc<str>, usize, netrep_grammar::Seat)> {
    let mut placed: Vec<(Item<'_>, Arc<str>)> =
        all_items(db).iter().filter_map(|item| Some((*item, due_file(db, *item)?))).collect();
    placed.sort_by(|(one, to), (other, there)| to.cmp(there).then_with(|| before(db, *one, *other)));
    let mut numbers = rustc_hash::FxHashMap::default();
    for file in Workspace::get(db).files(db) {
        for (nth, item) in items(db, *file).iter().enumerate() {
            numbers.insert(*item, nth);
        }
    }
    let seat = |(place, (item, to)): (usize, (Item<'_>, Arc<str>))| {
        let nth = numbers.get(&item).copied()?;
        Some((Arc::clone(item.file(db).path(db)), nth, netrep_grammar::Seat { file: to.to_string(), place }))
    };
    placed.into_iter().enumerate().filter_map(seat).collect()
}
