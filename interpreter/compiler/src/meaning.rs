//! What an item means: its program, its sources, what it decides; without its places, its prose and how its words are
//! spelled. Two texts that say the same have the same meaning.

use std::sync::Arc;

use netrep_grammar::tree::{self, Clause, Span, Token, TokenKind};

use crate::Profile;
use crate::compiler::Compiler;
use crate::db::CompilerDb;
use crate::finding::Diagnostic;
use crate::layers::date::Date;
use crate::layers::document::Document;
use crate::layers::pattern::Pattern;
use crate::layers::ruling::{Change, Reading, Status};
use crate::layout::Layout;
use crate::lower::{Lowered, Wording};
use crate::phrase::clause::{ReadClause, blocks, nodes};
use crate::phrase::forms::{Builder, Form, ROWS, Row, Rule};
use crate::phrase::term::Term;
use crate::phrase::tree::Node;
use crate::queries::filing::filing;
use crate::queries::items::{Item, items, of_tree};
use crate::queries::layers::{EditionOutline, ProfileKey, document, edition, edition_outline, ruling, rulings};
use crate::queries::layout::layout;
use crate::queries::patterns::pattern;
use crate::queries::report::{item_diags, item_origin, places, version_diags};
use crate::queries::terms::declared;
use crate::queries::version::{Version, lowered, read, versions_of_reading, versions_under};

/// What an item means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    /// Its head and what names it.
    name: (String, Arc<str>),
    /// What stands in it as plain data.
    data: Data,
    /// What it declares.
    terms: Vec<Arc<Term>>,
    /// Its program; of a ruling those of all that its readings change, each with what names it.
    programs: Vec<(Arc<str>, Expressed, Said)>,
    /// What is told and nothing reads: the form in which it stands, and its words.
    prose: Vec<(Form, String)>,
}

/// Labels of clauses with the printed sentences that they express.
type Expressed = Vec<(String, Vec<u32>)>;

impl Meaning {
    /// The form of the prose in which it differs from another, if it differs in nothing else.
    pub fn differs_in_prose(&self, other: &Meaning) -> Option<Form> {
        let apart = self.prose.iter().zip(&other.prose).find(|(one, other)| one != other);
        let same = Meaning { prose: Vec::new(), ..self.clone() } == Meaning { prose: Vec::new(), ..other.clone() };
        apart.filter(|_| same).map(|((form, _), _)| *form)
    }
}

/// What stands in an item as plain data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Data {
    /// Nothing.
    #[default]
    None,
    /// Of a card, a rule, a word: its sources, the hashes of what is printed, and which of it is missing.
    Cited(Vec<String>, Vec<String>, Vec<u32>),
    /// What a ruling is about, its sources, and its readings.
    Ruling(Vec<String>, Vec<String>, Vec<Answer>),
    /// What an edition chooses, and its day.
    Edition(EditionOutline, Option<Date>),
    /// A pattern: its sentence, what is printed, and its clauses.
    Pattern(Arc<Pattern>, tree::Item),
    /// A document.
    Document(Document),
    /// How positions are written.
    Layout(Layout),
    /// The beginnings of ids with their paths and totals, the classes with theirs, the letters.
    Filing(Vec<(Arc<str>, Arc<str>, Option<usize>)>, Vec<FiledKind>, Vec<String>),
}

/// A class, a figure with its terms, a path.
type FiledKind = (Arc<str>, Option<(Arc<str>, Vec<Arc<str>>)>, Arc<str>);

/// A reading: its name, who reads it so, what it changes, whether it awaits something.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    name: Arc<str>,
    authorities: Vec<Reader>,
    operations: Vec<Changes>,
    awaits: bool,
}

/// Who reads it so: the name, where it is written, since when, how it counts.
type Reader = (String, Option<String>, Option<Date>, Option<Status>);

/// What is changed, how, and which of its clauses.
type Changes = (String, &'static str, Option<Arc<str>>);

/// A program, equal to another that does the same. What words call its clauses is left out where nobody wrote it.
#[derive(Clone, Debug)]
struct Said(Arc<Lowered>);

impl PartialEq for Said {
    fn eq(&self, other: &Said) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || bare(&self.0) == bare(&other.0)
    }
}

impl Eq for Said {}

/// A program without its places and without its words.
fn bare(lowered: &Lowered) -> Lowered {
    let mut bare = lowered.clone();
    for clause in &mut bare.clauses {
        clause.span = Span::default();
        clause.wording = Wording::Clause(0);
        if clause.derived {
            clause.label.clear();
        }
    }
    for site in &mut bare.sites {
        site.span = Span::default();
        site.wording = Wording::Clause(0);
    }
    bare
}

/// The programs of all items under the default edition, and of what each reading changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs(Vec<(Arc<str>, Option<Said>)>);

impl Compiler {
    /// What the items of a file mean, in order; `Err` of one that is wrong, with what is wrong with it by itself.
    pub fn meanings(&self, path: &str) -> Vec<Result<Meaning, Vec<Diagnostic>>> {
        let file = self.source(path);
        let items = file.into_iter().flat_map(|file| items(&self.db, file));
        items.map(|item| meaning(&self.db, *item)).collect()
    }

    /// The programs of all items under the default edition, and of what each reading changes, to be compared with those
    /// after an edit.
    pub fn programs(&self) -> Programs {
        let db = &self.db;
        let key = ProfileKey::new(db, Profile::default());
        let of_edition = versions_under(db, key).map(|(_, version)| version);
        let of_readings = rulings(db).flat_map(|ruling| versions(db, ruling));
        let said = |version: Version<'_>| {
            let lowered = lowered(db, version).as_ref();
            (Arc::clone(version.item(db).key(db)), lowered.map(|one| Said(Arc::clone(&one.lowered))))
        };
        Programs(of_edition.chain(of_readings).map(said).collect())
    }
}

impl Compiler {
    /// The rows that make the smallest phrase which holds a byte of a file, in whatever item it is read; none where no
    /// phrase holds it.
    pub fn forms_at(&self, path: &str, at: usize) -> Vec<Form> {
        let db = &self.db;
        let at = netrep_ir::limits::in_32_bits(at);
        let mut smallest: Option<(u32, &'static str)> = None;
        let items = self.source(path).into_iter().flat_map(|file| items(db, file));
        for version in items.filter(|item| item_origin(db, **item).offset <= at).flat_map(|item| versions(db, *item)) {
            let Some(read) = read(db, version) else { continue };
            let places = places(db, version);
            let mut see = |node: &Node| {
                let place = places.place(node.span);
                let holds = *place.file == *path && place.start <= at && at < place.end;
                let length = place.end.saturating_sub(place.start);
                if holds && smallest.is_none_or(|(before, _)| length < before) {
                    smallest = Some((length, node.op.name()));
                }
            };
            read.item.clauses.iter().for_each(|clause| nodes_in(&clause.read, &mut see));
        }
        // A phrase that is no more than a term or a class is said of a thing by a rule, which the row does not name.
        let is_said = |row: &Row| row.builder == Builder::Rule(Rule::Membership);
        let made = |row: &&Row| match smallest {
            Some((_, "IsEntry" | "IsClass")) => is_said(row),
            Some((_, operator)) => row.operator == operator,
            None => false,
        };
        ROWS.iter().filter(made).map(|row| row.form).collect()
    }
}

/// Shows every phrase of a clause and of its blocks, outer ones first.
fn nodes_in(clause: &ReadClause, see: &mut impl FnMut(&Node)) {
    fn node(one: &Node, see: &mut impl FnMut(&Node)) {
        see(one);
        one.kids.iter().for_each(|kid| node(kid, see));
    }
    nodes(&clause.kind).into_iter().for_each(|one| node(one, see));
    blocks(&clause.kind).into_iter().flatten().for_each(|inner| nodes_in(inner, see));
}

/// An item as it stands; of a ruling what its readings change.
fn versions<'db>(db: &'db CompilerDb, item: Item<'db>) -> Vec<Version<'db>> {
    match item.head(db) {
        Some("ruling") => {
            let readings = 0..ruling(db, item).0.readings.len();
            readings.flat_map(|reading| versions_of_reading(db, item, reading).iter().copied()).collect()
        }
        _ => vec![Version::base(db, item)],
    }
}

/// What an item means, or what is wrong with it.
fn meaning(db: &CompilerDb, item: Item<'_>) -> Result<Meaning, Vec<Diagnostic>> {
    let versions = versions(db, item);
    let diags = item_diags(db, item).iter().chain(versions.iter().flat_map(|version| version_diags(db, *version)));
    let wrong: Vec<Diagnostic> = diags.filter(|diag| diag.is_error()).cloned().collect();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let program = |version: &Version<'_>| {
        let lowered = lowered(db, *version).as_ref()?;
        let mut expressed = Expressed::new();
        let read = read(db, *version).as_ref()?;
        expressed_in(&read.item.tree.clauses, &mut expressed);
        Some((Arc::clone(version.item(db).key(db)), expressed, Said(Arc::clone(&lowered.lowered))))
    };
    let terms = match item.head(db) {
        Some("edition" | "variant" | "document" | "filing" | "layout") => Vec::new(),
        _ => declared(db, item).terms.clone(),
    };
    let key = Arc::clone(item.key(db));
    // total: text outside of all items is wrong, and has been told
    let head = item.head(db).unwrap_or_default().to_owned();
    let programs = versions.iter().filter_map(program).collect();
    let prose = of_tree(db, item, prose);
    Ok(Meaning { name: (head, key), data: data(db, item), terms, programs, prose })
}

/// The printed sentences that clauses express.
fn expressed_in(clauses: &[Clause], found: &mut Expressed) {
    for clause in clauses {
        let marker = clause.marker.iter().filter(|marker| !marker.sentences.is_empty());
        found.extend(marker.map(|marker| (marker.label.clone(), marker.sentences.clone())));
        clause.block.iter().for_each(|block| expressed_in(block, found));
    }
}

/// The titles and notes of an item. The title of a card is its name.
fn prose(tree: &tree::Item) -> Vec<(Form, String)> {
    let title = match tree.head.as_str() {
        "rule" => Some(Form::HeaderRule),
        "ruling" => Some(Form::HeaderRuling),
        "edition" => Some(Form::HeaderEdition),
        "variant" => Some(Form::HeaderVariant),
        "document" => Some(Form::HeaderDocument),
        _ => None,
    };
    let mut found = Vec::new();
    found.extend(title.into_iter().flat_map(|form| quoted(&tree.header).map(move |text| (form, text))));
    prose_in(&tree.clauses, &mut found);
    found
}

fn prose_in(clauses: &[Clause], found: &mut Vec<(Form, String)>) {
    for clause in clauses {
        let form = match clause.head() {
            "note" => Some(Form::DataNote),
            "awaits" => Some(Form::DataAwaits),
            _ => None,
        };
        found.extend(form.into_iter().flat_map(|form| quoted(&clause.tokens).map(move |text| (form, text))));
        clause.block.iter().for_each(|block| prose_in(block, found));
    }
}

fn quoted(tokens: &[Token]) -> impl Iterator<Item = String> {
    tokens.iter().filter_map(|token| match &token.kind {
        TokenKind::Quoted(text) => Some(text.clone()),
        _ => None,
    })
}

/// What stands in an item as plain data.
fn data(db: &CompilerDb, item: Item<'_>) -> Data {
    match item.head(db) {
        Some("ruling") => {
            let ruling = &ruling(db, item).0;
            let about = ruling.about.iter().map(|(target, _)| target.to_string()).collect();
            Data::Ruling(about, ruling.sources.clone(), ruling.readings.iter().map(answer).collect())
        }
        Some("edition" | "variant") => {
            let date = edition(db, item).0.date.map(|(date, _)| date);
            Data::Edition(edition_outline(db, item).clone(), date)
        }
        Some("document") => {
            let document = Document { title: String::new(), ..(*document(db, item).0).clone() };
            Data::Document(document)
        }
        Some("pattern") => {
            let tree = of_tree(db, item, |tree| tree.clone().without_spans());
            Data::Pattern(Arc::clone(&pattern(db, item).0), tree)
        }
        Some("filing") => {
            let filing = &filing(db, item).0;
            let beginnings = filing.beginnings.iter();
            let kinds = filing.kinds.iter();
            Data::Filing(
                beginnings.map(|one| (Arc::clone(&one.id), Arc::clone(&one.path), one.total)).collect(),
                kinds.map(|one| (Arc::clone(&one.class), one.with.clone(), Arc::clone(&one.path))).collect(),
                filing.letters.clone(),
            )
        }
        Some("layout") => Data::Layout((*layout(db, item).0).clone().without_spans()),
        _ => match read(db, Version::base(db, item)) {
            Some(read) => Data::Cited(read.item.sources.clone(), read.item.printed.clone(), read.item.partial.clone()),
            None => Data::None,
        },
    }
}

fn answer(reading: &Reading) -> Answer {
    let authorities = reading.authorities.iter();
    let operation = |change: &Change| match change {
        Change::Replace { label, .. } => ("replace", Some(Arc::clone(label))),
        Change::Amend { label, .. } => ("amend", Some(Arc::clone(label))),
        Change::Remove { label, .. } => ("remove", Some(Arc::clone(label))),
        Change::Add { into, .. } => ("add", into.as_ref().map(|(label, _)| Arc::clone(label))),
    };
    let operations = reading.operations.iter().map(|one| {
        let (what, label) = operation(&one.change);
        (one.target.to_string(), what, label)
    });
    Answer {
        name: Arc::clone(&reading.name),
        authorities: authorities.map(|one| (one.name.clone(), one.document.clone(), one.date, one.status)).collect(),
        operations: operations.collect(),
        awaits: !reading.awaits.is_empty(),
    }
}
