//! How positions are written, and whether its words are there.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::sync::Arc;

use netrep_diagnostics::{Code, suggestion};

use super::items::{Item, of_tree};
use super::layers::with_head;
use crate::db::Db;
use crate::finding::Finding;
use crate::layout::{Layout, Said, label_of, read_layout, tokens};
use crate::phrase::lexicon::Lexicon;
use crate::phrase::read::{Want, read_phrase};
use crate::phrase::scope::Scope;
use crate::phrase::sorts::named_sort;
use crate::phrase::term::{Param, TypeName};
use crate::phrase::tree::{Sort, TermKind};
use crate::queries::lexicon::DbLexicon;
use crate::queries::terms::vocabulary;

/// A layout, and what is wrong with it by itself.
#[salsa::tracked]
pub(crate) fn layout<'db>(db: &'db dyn Db, item: Item<'db>) -> (Arc<Layout>, Vec<Finding>) {
    let (layout, findings) = of_tree(db, item, read_layout);
    (Arc::new(layout), findings)
}

/// All layouts that are whole, in the order of declaration.
#[salsa::tracked]
pub(crate) fn layouts(db: &dyn Db) -> Arc<[Arc<Layout>]> {
    let whole = |item: &Item<'_>| layout(db, *item).1.is_empty() && layout_findings(db, *item).is_empty();
    with_head(db, "layout").filter(whole).map(|item| Arc::clone(&layout(db, item).0)).collect()
}

/// What is wrong with a layout in view of the vocabulary: classes and places that are not there, sentences that no reader
/// understands.
#[salsa::tracked]
pub(crate) fn layout_findings<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Finding> {
    let lexicon = DbLexicon::new(db);
    let own = &layout(db, item).0;
    let mut findings = Vec::new();
    let unknown = |what: &str, name: &str, of: TermKind, span| {
        if lexicon.term_named(of, name).is_some() {
            return None;
        }
        let others = vocabulary(db).order.iter().map(|one| &one.term.key).filter(|key| key.kind == of);
        let near = suggestion(name, others.map(|key| &*key.name));
        let finding = Finding::new(Code::BadLayout, span, format!("no {what} is called `{name}`"));
        Some(finding.help(near.unwrap_or_else(|| format!("name a {what} of the vocabulary"))))
    };
    // A layout without a class is broken by itself.
    if !own.class.is_empty() {
        findings.extend(unknown("class", &own.class, TermKind::Class, own.span));
    }
    if let Some((name, span)) = &own.outermost {
        findings.extend(unknown("procedure", name, TermKind::Procedure, *span));
    }
    let scope = scope_of(db, own, &lexicon);
    for link in &own.links {
        let mut scope = scope.clone();
        if let Some(value) = &link.value {
            for kind in &value.types {
                if let TypeName::Named(name) = kind
                    && named_sort(&lexicon, name).is_none()
                {
                    findings.extend(unknown("class", name, TermKind::Class, link.span));
                }
            }
            bind(&mut scope, value, &lexicon);
        }
        for said in &link.says {
            let unbound = tokens(said)
                .into_iter()
                .find(|token| label_of(token).is_some_and(|label| scope.sorts(label).next().is_none()));
            if let Some(token) = unbound {
                // total: only labels are looked for
                let text = format!("nothing is called `{}` here", label_of(token).unwrap_or_default());
                let help =
                    "the labels are those of the layout, of what stands behind its words, and of the lines around it";
                findings.push(Finding::new(Code::BadLayout, token.span, text).help(help));
                continue;
            }
            match said {
                Said::Fact(tokens) => findings.extend(read_phrase(tokens, Want::Condition, &scope, &lexicon).err()),
                Said::Put { place, card, .. } => {
                    findings.extend(unknown("place", place, TermKind::Place, card.span));
                }
            }
        }
    }
    findings
}

/// The labels that a line of the layout knows: its own, and those of the layouts whose lines may stand around it.
fn scope_of(db: &dyn Db, own: &Layout, lexicon: &DbLexicon<'_>) -> Scope {
    let mut scope = Scope::default();
    for item in with_head(db, "layout") {
        bind_all(&mut scope, &layout(db, item).0, lexicon);
    }
    bind_all(&mut scope, own, lexicon);
    scope
}

fn bind_all(scope: &mut Scope, layout: &Layout, lexicon: &DbLexicon<'_>) {
    scope.bind(Arc::clone(&layout.label), class_sort(&layout.class, lexicon));
    for value in layout.links.iter().filter_map(|link| link.value.as_ref()) {
        bind(scope, value, lexicon);
    }
}

fn bind(scope: &mut Scope, value: &Param, lexicon: &DbLexicon<'_>) {
    let sort = match value.types.as_slice() {
        [TypeName::Number | TypeName::NumberFor(_)] => Sort::Number,
        [TypeName::YesNo] => Sort::Condition,
        [TypeName::Place] => Sort::Place,
        [TypeName::Named(name)] => class_sort(name, lexicon),
        _ => Sort::AnyThing,
    };
    scope.bind(Arc::clone(&value.label), sort);
}

/// The sort of a class or list; that none is called so is told elsewhere.
fn class_sort(name: &str, lexicon: &DbLexicon<'_>) -> Sort {
    // total: as said above
    named_sort(lexicon, name).unwrap_or(Sort::AnyThing)
}
