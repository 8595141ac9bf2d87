//! From findings to diagnostics: the only reader of [`Item::offset`] besides the linker.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::Place;

use super::filing::{filing, filing_findings};
use super::items::{Item, anchors, head_word, of_tree, skeleton, syntax_findings};
use super::layers::{document, edition, edition_outline, editions, layer_findings, ruling};
use super::layout::{layout, layout_findings};
use super::names::names;
use super::patterns::pattern;
use super::terms::{declared, extension_findings, fact_findings, vocabulary};
use super::version::{Version, composed, lowered, read};
use crate::coords::{Origin, Places, clause_index};
use crate::db::Db;
use crate::finding::Diagnostic;
use crate::finding::Finding;

/// Where an item stands in its file.
#[salsa::tracked]
pub(crate) fn item_origin<'db>(db: &'db dyn Db, item: Item<'db>) -> Origin {
    Origin { path: Arc::clone(item.file(db).path(db)), offset: item.offset(db), anchors: anchors(db, item).clone() }
}

/// Where the clauses of an item under amendments stand.
#[salsa::tracked]
pub(crate) fn places<'db>(db: &'db dyn Db, version: Version<'db>) -> Arc<Places> {
    let origins = version.origins(db).into_iter().map(|item| item_origin(db, item).clone()).collect();
    let clauses = composed(db, version).as_ref().map(|composed| Arc::clone(&composed.anchors));
    // total: an item without a tree has no clauses
    Arc::new(Places { origins, clauses: clauses.unwrap_or_default() })
}

/// What is wrong with an item before its clauses are read: syntax, declaration, layers.
#[salsa::tracked]
pub(crate) fn item_diags<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Diagnostic> {
    let syntax = syntax_findings(db, item);
    let mut findings: Vec<&Finding> = Vec::new();
    match item.head(db) {
        Some("ruling") => findings.extend(&ruling(db, item).1),
        Some("edition" | "variant") => findings.extend(&edition(db, item).1),
        Some("document") => findings.extend(&document(db, item).1),
        Some("pattern") => findings.extend(&pattern(db, item).1),
        Some("filing") => {
            findings.extend(&filing(db, item).1);
            findings.extend(filing_findings(db, item));
        }
        Some("layout") => {
            findings.extend(&layout(db, item).1);
            findings.extend(layout_findings(db, item));
        }
        Some("list") => {
            findings.extend(&declared(db, item).findings);
            findings.extend(extension_findings(db, item));
        }
        _ => findings.extend(&declared(db, item).findings),
    }
    findings.extend(layer_findings(db, item));
    findings.extend(fact_findings(db, item));
    // What an item with syntax errors lacks may be in the clauses that they spoil; what its other clauses say wrongly, they
    // say wrongly.
    findings.retain(|finding| syntax.is_empty() || clause_index(finding.place.start).is_some());
    findings.extend(syntax);
    if findings.is_empty() {
        return Vec::new();
    }
    let origin = item_origin(db, item);
    findings.into_iter().map(|finding| finding.clone().map(|span| origin.place(span))).collect()
}

/// What is wrong with the clauses of an item under amendments.
#[salsa::tracked]
pub(crate) fn version_diags<'db>(db: &'db dyn Db, version: Version<'db>) -> Vec<Diagnostic> {
    let mut findings: Vec<&Finding> = Vec::new();
    if let Some(read) = read(db, version) {
        findings.extend(&read.findings);
    }
    if let Some(lowered) = lowered(db, version) {
        findings.extend(&lowered.findings);
    }
    if findings.is_empty() {
        return Vec::new();
    }
    let places = places(db, version);
    let told = |finding: &Finding| {
        let stands = stands_for(db, version, finding.place);
        let diag = finding.clone().map(|span| places.place(span));
        match stands {
            Some(span) => diag.and(places.place(span), format!("{STANDS}{}", version.item(db).key(db))),
            None => diag,
        }
    };
    findings.into_iter().map(told).collect()
}

/// What is told at the sentence that stands for the clauses of a pattern, before the item's name.
pub(crate) const STANDS: &str = "this sentence stands for it in ";

/// The clause that stands for those of a pattern, if a place is in one of these.
fn stands_for<'db>(db: &'db dyn Db, version: Version<'db>, place: Span) -> Option<Span> {
    let base = skeleton(db, version.item(db)).as_ref()?;
    let region = clause_index(place.start)?;
    let of = composed(db, version).as_ref()?.stands.get(region).copied().flatten()?;
    base.clauses.get(of).map(|clause| clause.span)
}

/// Names and terms that are declared twice, and editions that are both the default.
#[salsa::tracked]
pub(crate) fn index_diags(db: &dyn Db) -> Vec<Diagnostic> {
    let mut diags = Vec::new();
    for (first, again) in &names(db).repeated {
        let what = format!("{} {}", head_word(db, *again), again.key(db));
        diags.push(clash(db, Code::NameRepeated, format!("{what} is declared twice"), *again, *first));
    }
    for one in &vocabulary(db).repeated {
        diags.push(clash(
            db,
            Code::TermRepeated,
            format!("`{}` is declared twice", one.key.name),
            one.again,
            one.first,
        ));
    }
    let mut defaults = editions(db).filter(|item| edition_outline(db, *item).default);
    if let Some(first) = defaults.next() {
        let place = |item| edition(db, item).0.default.map(|span| item_origin(db, item).place(span));
        for again in defaults {
            let message = "two editions are the default".to_owned();
            let mut diag = clash(db, Code::TwoDefaults, message, again, first);
            diag.place = place(again).unwrap_or(diag.place);
            if let (Some(label), Some(place)) = (diag.labels.first_mut(), place(first)) {
                label.place = place;
            }
            diag.help = Some("keep `default.` in one edition".to_owned());
            diags.push(diag);
        }
    }
    diags
}

/// Two items that cannot both stand.
fn clash<'db>(db: &'db dyn Db, code: Code, message: String, again: Item<'db>, first: Item<'db>) -> Diagnostic {
    Diagnostic::new(code, header_place(db, again), message)
        .and(header_place(db, first), "the first one")
        .help("rename one of the two, or remove it")
}

/// Where the head and header of an item stand.
pub(crate) fn header_place<'db>(db: &'db dyn Db, item: Item<'db>) -> Place {
    let span = of_tree(db, item, |tree| tree.span);
    item_origin(db, item).place(span)
}
