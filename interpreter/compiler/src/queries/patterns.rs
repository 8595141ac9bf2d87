//! Which clauses stand for those of patterns.
#![allow(missing_docs, reason = "salsa's macros generate functions without comments")]

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_diagnostics::{Code, nearest};
use netrep_grammar::tree::{Clause, Span, Token, TokenKind};

use super::items::{Item, is_whole, of_tree, skeleton};
use super::names::all_items;
use super::terms::Word;
use crate::db::Db;
use crate::finding::Finding;
use crate::layers::pattern::{Part, Pattern, first_word, matched, read_pattern, sentence_of};

/// The head of patterns.
pub(crate) const PATTERN: &str = "pattern";

/// The heads of items whose clauses may stand for those of patterns. A pattern may use others, which use none.
const USERS: [&str; 3] = ["card", PATTERN, "rule"];

/// A pattern and what is wrong with it by itself.
#[salsa::tracked]
pub(crate) fn pattern<'db>(db: &'db dyn Db, item: Item<'db>) -> (Arc<Pattern>, Vec<Finding>) {
    let (pattern, findings) = of_tree(db, item, read_pattern);
    (Arc::new(pattern), findings)
}

/// How the sentence of a pattern reads: the firewall in front of [`pattern`].
#[salsa::tracked]
fn shape<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Part> {
    pattern(db, item).0.parts.clone()
}

/// The patterns, in the order of declaration.
pub(crate) fn patterns(db: &dyn Db) -> impl Iterator<Item = Item<'_>> {
    all_items(db).iter().copied().filter(|item| item.head(db) == Some(PATTERN))
}

/// What a pattern is called: the words of its sentence.
#[salsa::tracked]
pub(crate) fn pattern_name<'db>(db: &'db dyn Db, item: Item<'db>) -> Arc<str> {
    Arc::from(pattern(db, item).0.name())
}

/// The patterns by the first words of their sentences.
#[salsa::tracked]
fn by_beginning<'db>(db: &'db dyn Db) -> BTreeMap<Arc<str>, Vec<Item<'db>>> {
    let mut found: BTreeMap<Arc<str>, Vec<Item<'db>>> = BTreeMap::new();
    for item in patterns(db) {
        if let Some(Part::Fixed(TokenKind::Word(word) | TokenKind::Capital(word))) = shape(db, item).first() {
            found.entry(Arc::from(word.as_str())).or_default().push(item);
        }
    }
    found
}

/// The patterns whose sentences begin with a word: the firewall in front of [`by_beginning`].
#[salsa::tracked]
fn beginning_with<'db>(db: &'db dyn Db, word: Word<'db>) -> Vec<Item<'db>> {
    // total: a word with which no pattern begins is no beginning
    by_beginning(db).get(word.text(db).as_str()).cloned().unwrap_or_default()
}

/// The clauses of an item that stand for those of patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Uses<'db> {
    /// The clause, by its place in the item, and the pattern.
    pub found: Vec<(usize, Item<'db>)>,
    /// What is wrong with them.
    pub findings: Vec<Finding>,
}

/// The pattern that a clause which cannot be read may be meant to use.
pub(crate) struct Near {
    /// How the pattern reads.
    pub sentence: String,
    /// A word of the clause that the pattern does not say, and the one that may be meant.
    pub slip: Option<(Span, String, String)>,
}

/// The only word that is none of a pattern, where it is near to the only one of the pattern that the clause does not say.
fn slip(shape: &[Part], tokens: &[Token]) -> Option<(Span, String, String)> {
    let fixed = |part: &Part| match part {
        Part::Fixed(TokenKind::Word(word)) => Some(word.clone()),
        _ => None,
    };
    let said = |token: &Token| match &token.kind {
        TokenKind::Word(word) => Some((token.span, word.clone())),
        _ => None,
    };
    let pattern: Vec<String> = shape.iter().filter_map(fixed).collect();
    let words: Vec<(Span, String)> = tokens.iter().filter_map(said).collect();
    let missing: Vec<&String> = pattern.iter().filter(|one| !words.iter().any(|(_, word)| word == *one)).collect();
    let others: Vec<&(Span, String)> = words.iter().filter(|(_, word)| !pattern.contains(word)).collect();
    match (missing.as_slice(), others.as_slice()) {
        ([meant], [(span, word)]) if !nearest(word, [meant.as_str()]).is_empty() => {
            Some((*span, word.clone(), (*meant).clone()))
        }
        _ => None,
    }
}

/// The pattern that is meant by what cannot be read at a place of an item: one that begins like the clause there and of which that
/// is no use; one of whose words it misspells, if there is such a one.
pub(crate) fn near<'db>(db: &'db dyn Db, item: Item<'db>, at: u32) -> Option<Near> {
    let uses_patterns = item.head(db).is_some_and(|head| USERS.contains(&head));
    let tree = skeleton(db, item).as_ref().filter(|_| uses_patterns)?;
    let here = |clause: &&Clause| clause.block.is_none() && clause.span.start <= at && at < clause.span.end;
    let clause = tree.clauses.iter().find(here)?;
    let known = beginning_with(db, Word::new(db, first_word(&clause.tokens)?));
    if known.iter().any(|item| matched(shape(db, *item), &clause.tokens).is_some()) {
        return None;
    }
    let near = |item: &Item<'db>| Near {
        sentence: sentence_of(shape(db, *item)),
        slip: slip(shape(db, *item), &clause.tokens),
    };
    let mut all = known.iter().map(near);
    let first = all.next()?;
    let slipped = first.slip.is_none().then(|| all.find(|near| near.slip.is_some())).flatten();
    Some(slipped.unwrap_or(first))
}

/// The uses in an item, however deep its patterns are.
#[salsa::tracked]
fn all_uses<'db>(db: &'db dyn Db, item: Item<'db>) -> Uses<'db> {
    let mut uses = Uses::default();
    let Some(tree) = skeleton(db, item).as_ref().filter(|_| item.head(db).is_some_and(|head| USERS.contains(&head)))
    else {
        return uses;
    };
    for (index, clause) in tree.clauses.iter().enumerate().filter(|(_, clause)| clause.block.is_none()) {
        let Some(word) = first_word(&clause.tokens) else { continue };
        let known = beginning_with(db, Word::new(db, word));
        let fixed = |item: &Item<'db>| shape(db, *item).iter().filter(|p| matches!(p, Part::Fixed(_))).count();
        let mut fitting: Vec<Item<'db>> =
            known.iter().copied().filter(|item| matched(shape(db, *item), &clause.tokens).is_some()).collect();
        fitting.sort_by_key(|item| std::cmp::Reverse(fixed(item)));
        match fitting.as_slice() {
            [] => {}
            [first, second, ..] if fixed(first) == fixed(second) => {
                let text = format!(
                    "this reads like two patterns: `{}`, `{}`",
                    sentence_of(shape(db, *first)),
                    sentence_of(shape(db, *second))
                );
                let finding = Finding::new(Code::BadPatternUse, clause.span, text);
                uses.findings.push(finding.help("give one of the patterns other words"));
            }
            [first, ..] => uses.found.push((index, *first)),
        }
    }
    uses
}

/// The uses in an item. A pattern that uses others is used by cards and rules only.
#[salsa::tracked]
pub(crate) fn pattern_uses<'db>(db: &'db dyn Db, item: Item<'db>) -> Uses<'db> {
    let mut uses = all_uses(db, item).clone();
    let mut findings = Vec::new();
    uses.found.retain(|(index, used)| {
        // total: where a use was found there is a clause.
        let Some(clause) = skeleton(db, item).as_ref().and_then(|tree| tree.clauses.get(*index)) else { return false };
        let name = pattern_name(db, *used);
        let refused = |text: String, help: &str| Finding::new(Code::BadPatternUse, clause.span, text).help(help);
        if item.head(db) == Some(PATTERN) && !all_uses(db, *used).found.is_empty() {
            let text = format!("pattern \"{name}\" uses others, and so may be used by cards and rules only");
            findings.push(refused(text, "write the clauses for which it stands"));
            return false;
        }
        if !is_whole(db, *used) || pattern(db, *used).1.iter().any(Finding::is_error) {
            let text = format!("pattern \"{name}\" cannot be read");
            findings.push(refused(text, "mend what is told of the pattern"));
            return false;
        }
        true
    });
    uses.findings.extend(findings);
    uses
}
