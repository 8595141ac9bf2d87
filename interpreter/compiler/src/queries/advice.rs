//! What is no error and may not be meant: words and patterns that nothing uses, states that one item uses alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_diagnostics::Code;
use rustc_hash::FxHashSet;

use super::items::{Item, head_word};
use super::layers::{ruling_outline, target_item};
use super::names::all_items;
use super::patterns::{pattern_name, pattern_uses, patterns};
use super::report::header_place;
use super::reprints::original_of;
use super::terms::{DeclaredTerm, TermName, declaring_item, vocabulary};
use super::used::{all_used_terms, used_terms};
use crate::db::Db;
use crate::finding::Diagnostic;
use crate::layers::Target;
use crate::phrase::term::{Detail, Origin, Term, TypeName};
use crate::phrase::tree::{TermKey, TermKind};

/// Findings beyond errors. Worked out again only if some item uses other words than before: after most edits salsa sees that
/// nothing has changed.
#[salsa::tracked]
pub(crate) fn advice(db: &dyn Db) -> Vec<Diagnostic> {
    let mut advice = idle_patterns(db);
    advice.extend(words_of_one_item(db));
    advice.extend(unused_words(db));
    advice
}

/// Terms that no clause uses.
fn unused_words(db: &dyn Db) -> Vec<Diagnostic> {
    let used = all_used_terms(db);
    let loud = |one: &&DeclaredTerm<'_>| ACTIVE_KINDS.contains(&one.term.key.kind) && !used.contains(&one.term.key);
    let mut unused: Vec<_> = vocabulary(db).order.iter().filter(loud).collect();
    // A state is used by whoever says one of its terms (`X is Lit`), except a declaration, which says its first value.
    let items = all_items(db).iter().filter(|item| item.head(db) != Some("state"));
    let said: FxHashSet<&TermKey> = items.flat_map(|item| used_terms(db, *item)).collect();
    let is_of = |one: &DeclaredTerm<'_>, of: &str| match &one.term.detail {
        Detail::Entry { list } => **list == *of && said.contains(&one.term.key),
        _ => false,
    };
    unused.retain(|one| match &one.term.detail {
        Detail::Attribute { value: TypeName::Named(list), .. } => {
            !vocabulary(db).order.iter().any(|one| is_of(one, list))
        }
        _ => true,
    });
    if unused.is_empty() {
        return Vec::new();
    }
    // The kernel's items name terms outside of phrases.
    let kernel = |item: &&Item<'_>| matches!(head_word(db, **item), "kernel" | "action");
    let named = |one: &DeclaredTerm<'_>| {
        all_items(db).iter().filter(kernel).any(|item| item.text(db).contains(&*one.term.key.name))
    };
    let told = |one: &DeclaredTerm<'_>| {
        let message = format!("no clause uses `{}`", one.term.key.name);
        Diagnostic::new(Code::TermNeverUsed, header_place(db, one.item), message)
            .help("remove it, if it is not meant for cards to come")
    };
    unused.into_iter().filter(|one| !named(one)).map(told).collect()
}

/// Patterns that no card and no rule uses.
fn idle_patterns(db: &dyn Db) -> Vec<Diagnostic> {
    let uses = all_items(db).iter().flat_map(|item| &pattern_uses(db, *item).found);
    let used: FxHashSet<Item<'_>> = uses.map(|(_, pattern)| *pattern).collect();
    let idle = patterns(db).filter(|item| !used.contains(item));
    let told = |item: Item<'_>| {
        let message = format!("nothing uses pattern \"{}\"", pattern_name(db, item));
        Diagnostic::new(Code::PatternNeverUsed, header_place(db, item), message)
            .help("remove it, if it is not meant for cards to come")
    };
    idle.map(told).collect()
}

/// States that one card or rule uses, with what its rulings bring.
fn words_of_one_item(db: &dyn Db) -> Vec<Diagnostic> {
    let name = |item: Item<'_>| (head_word(db, item), Arc::clone(item.key(db)));
    let is_state = |term: &Term| matches!(term.detail, Detail::Attribute { origin: Origin::State, .. });
    let states = || vocabulary(db).order.iter().filter(|one| is_state(&one.term));
    let mut users: BTreeMap<&TermKey, BTreeSet<(&'static str, Arc<str>)>> =
        states().map(|one| (&one.term.key, BTreeSet::new())).collect();
    for item in all_items(db) {
        // A reprint says what its original says.
        let said_by = original_of(db, *item).unwrap_or(*item);
        let mut of: BTreeSet<(&'static str, Arc<str>)> = BTreeSet::from([name(said_by)]);
        if item.head(db) == Some("ruling") {
            let outline = ruling_outline(db, *item).iter().flat_map(|(_, targets)| targets);
            let amended = |target: &Target| Some((target.word(), Arc::clone(target_item(db, target)?.key(db))));
            of = outline.filter_map(amended).collect();
        }
        for key in used_terms(db, *item) {
            if let Some(users) = users.get_mut(key) {
                users.extend(of.iter().cloned());
            }
        }
    }
    let mut told = Vec::new();
    for one in states() {
        let key = &one.term.key;
        // Where a state is declared its first value is said.
        let declares = declaring_item(db, TermName::new(db, key.kind, &*key.name)).map(name);
        let mut users = users.get(key).into_iter().flatten().filter(|user| Some(*user) != declares.as_ref());
        if let (Some((head @ ("card" | "rule"), user)), None) = (users.next(), users.next()) {
            let name = &key.name;
            let mut kernel = all_items(db).iter().filter(|item| item.head(db) == Some("kernel"));
            let message = format!("only {head} {user} uses `{name}`");
            let diag = Diagnostic::new(Code::WordOfOneItem, header_place(db, one.item), message);
            let served = kernel.any(|item| item.text(db).contains(&**name));
            told.extend((!served).then(|| diag.help(format!("declare it there: `fact {name} …`"))));
        }
    }
    told
}

/// Terms of these kinds are there to be used in clauses; classes and lists are used by other declarations.
const ACTIVE_KINDS: [TermKind; 7] = [
    TermKind::Attribute,
    TermKind::Definition,
    TermKind::Role,
    TermKind::Place,
    TermKind::Adjective,
    TermKind::Relation,
    TermKind::Verb,
];
