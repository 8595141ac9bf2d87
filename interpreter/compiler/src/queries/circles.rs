//! Circles among words: classes, definitions, adjectives, relations and derived facts that lead back to themselves.
//!
//! They are put where they are used, so that what uses one would never be whole; the circle is found before that.

use std::collections::BTreeMap;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Item as Tree, Span, Token, TokenKind};

use super::items::{Item, head_word, of_tree};
use super::names::all_items;
use super::report::places;
use super::terms::declared;
use super::version::{Version, read};
use crate::db::Db;
use crate::finding::Diagnostic;
use crate::graph::{Graph, told};
use crate::phrase::clause::{ReadClause, blocks, nodes};
use crate::phrase::operators::{Fact, View};
use crate::phrase::term::Detail;
use crate::phrase::tree::{Node, TermKey, TermKind};

/// Where the declaration of a word uses another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    /// The word that is declared.
    pub word: TermKey,
    /// The one that it uses.
    pub uses: TermKey,
    /// Where.
    pub span: Span,
}

/// A word of a circle: the item that declares it, and where that uses the next one.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Turn<'db> {
    /// The word.
    pub word: TermKey,
    /// The item.
    pub item: Item<'db>,
    /// Where.
    pub span: Span,
}

/// The kinds of word that stand for what their declaration says.
pub(crate) const SAID: [TermKind; 5] =
    [TermKind::Class, TermKind::Definition, TermKind::Adjective, TermKind::Relation, TermKind::Attribute];

/// The words that the declaration of an item uses.
#[salsa::tracked]
pub(crate) fn word_uses<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Use> {
    if !matches!(head_word(db, item), "class" | "define" | "adjective" | "relation") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for term in &declared(db, item).terms {
        let word = &term.key;
        let mut tell = |uses: &TermKey, span| found.push(Use { word: word.clone(), uses: uses.clone(), span });
        if let Detail::Class { superclass: Some(above), .. } = &term.detail {
            let span = of_tree(db, item, |tree| Some(behind_colon(tree, above))).flatten();
            let above = TermKey { kind: TermKind::Class, name: above.clone() };
            tell(&above, span.unwrap_or_else(|| of_tree(db, item, |tree| tree.span)));
        }
        if let Some(read) = read(db, Version::base(db, item)) {
            mentions(read.item.clauses.iter().map(|clause| &*clause.read), Some(word), &mut tell);
        }
    }
    found
}

/// Where the words of the class above stand in a header: in parentheses, or behind the colon.
fn behind_colon(tree: &Tree, words: &str) -> Option<Span> {
    let of_things = tree.header.iter().find_map(|token| match &token.kind {
        TokenKind::Paren(inner) => Some(inner.as_slice()),
        _ => None,
    });
    let colon = || tree.header.iter().position(|token| token.kind == TokenKind::Colon);
    let behind: &[Token] = match of_things {
        Some(inner) => inner,
        None => tree.header.get(colon()? + 1..)?,
    };
    let last = behind.get(words.split(' ').count() - 1)?;
    Some(behind.first()?.span.to(last.span))
}

/// The words of the kinds of [`SAID`] that clauses use, with their places. A derived number or truth may ask itself of
/// another thing that a fact names: that ends where no fact names another.
pub(crate) fn mentions<'c>(
    clauses: impl IntoIterator<Item = &'c ReadClause>,
    own: Option<&TermKey>,
    tell: &mut dyn FnMut(&TermKey, Span),
) {
    for clause in clauses {
        nodes(&clause.kind).into_iter().for_each(|node| mentioned(node, own, tell));
        blocks(&clause.kind).into_iter().for_each(|block| mentions(block, own, tell));
    }
}

fn mentioned(node: &Node, own: Option<&TermKey>, tell: &mut dyn FnMut(&TermKey, Span)) {
    let of_another = match node.view() {
        View::Fact(Fact::Of { fact, owner }) => {
            Some(fact) == own && matches!(owner.view(), View::Fact(Fact::Of { .. }))
        }
        _ => false,
    };
    // A modifier names the fact that it changes, and does not read it.
    let changed = matches!(node.view(), View::Change(_));
    if !of_another && !changed {
        node.op.terms(&mut |key| {
            if SAID.contains(&key.kind) {
                tell(key, node.span);
            }
        });
    }
    node.kids.iter().for_each(|kid| mentioned(kid, own, tell));
}

/// The circles among the words.
#[salsa::tracked]
pub(crate) fn word_circles<'db>(db: &'db dyn Db) -> Vec<Vec<Turn<'db>>> {
    let mut graph: Graph<&TermKey, Span> = Graph::default();
    let mut items: BTreeMap<&TermKey, Item<'db>> = BTreeMap::new();
    for item in all_items(db) {
        for one in word_uses(db, *item) {
            items.entry(&one.word).or_insert(*item);
            graph.link(&one.word, &one.uses, one.span);
        }
    }
    let turn =
        |(word, span): (&TermKey, Span)| items.get(word).map(|item| Turn { word: word.clone(), item: *item, span });
    graph.circles().into_iter().map(|circle| circle.into_iter().filter_map(turn).collect()).collect()
}

/// The circles among the words, as they are told.
#[salsa::tracked]
pub(crate) fn circle_diags(db: &dyn Db) -> Vec<Diagnostic> {
    let place = |turn: &Turn<'_>| {
        let name = format!("`{}`", turn.word.name);
        (name, places(db, Version::base(db, turn.item)).place(turn.span))
    };
    let circles = word_circles(db).iter().map(|circle| circle.iter().map(place).collect::<Vec<_>>());
    let help = "say one of them by facts that do not need the others";
    circles.filter_map(|circle| told(Code::CircularDefinition, "leads back to itself", &circle, help)).collect()
}

/// True if an item declares a word of a circle.
pub(crate) fn is_circular<'db>(db: &'db dyn Db, item: Item<'db>) -> bool {
    word_circles(db).iter().flatten().any(|turn| turn.item == item)
}
