//! An item as it is in force: its clauses, read, each with its label and the layer that set it.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Item, Span, Token, TokenKind};
use netrep_store::Late;
use serde::{Deserialize, Serialize};

use super::compose::{Amended, setter_at};
use super::labels::label_of;
use super::reprint::Reprint;
use super::ruling::sources;
use crate::finding::Finding;
use crate::phrase::clause::{ClauseKind, ReadClause};
use crate::phrase::data::{is_data, may_be, sentence};
use crate::phrase::forms::Form;
use crate::tree::Tree;

/// An item as it is in force under some amendments. What the lowering reads.
///
/// Equality includes the places of all tokens (through the skeleton), which that of phrases does not: an
/// item that is equal can stand for another without any place going stale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectiveItem {
    /// The head word.
    pub head: Arc<str>,
    /// A card's id, a rule's number, the words of a declaration.
    pub key: Arc<str>,
    /// A rule's title or a card's name; the key where there is none.
    pub title: Arc<str>,
    /// The skeleton with the amendments applied, in canonical coordinates.
    pub tree: Arc<Tree>,
    /// The clauses that could be read, in order.
    pub clauses: Late<Vec<EffectiveClause>>,
    /// The sources that it cites.
    pub sources: Vec<String>,
    /// The hashes of a card's printed sentences.
    pub printed: Vec<String>,
    /// The printed sentences that the card does not express.
    pub partial: Vec<u32>,
    setters: Arc<[Arc<str>]>,
    /// What of it comes from the original of a reprint.
    pub reprint: Option<Reprint>,
    /// Labels of clauses that a reading has removed.
    pub gone: Arc<[Arc<str>]>,
}

/// A clause in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectiveClause {
    /// What it says.
    pub read: Arc<ReadClause>,
    /// Its label, unique in the item.
    pub label: Arc<str>,
    /// The layer that set it: empty for the base text, else `RULING=READING`.
    pub setter: Arc<str>,
}

/// See [`EffectiveItem::said_above`].
pub(crate) type SaidAbove = (Vec<String>, Vec<String>, Vec<u32>);

impl EffectiveItem {
    /// Joins an amended item with what the reader made of its clauses.
    pub fn new(key: Arc<str>, amended: &Amended, read: Vec<ReadClause>) -> Self {
        let tree = &amended.item;
        let mut item = EffectiveItem::unread(key, amended);
        for clause in &tree.clauses {
            item.note_source(clause);
        }
        let mut clauses = Vec::with_capacity(read.len());
        for clause in read {
            let of = tree.clauses.iter().find(|one| one.span.start == clause.span.start);
            // total: the body of a header is no clause of the tree; it is amended without a label
            let label = of.map_or_else(|| Arc::from(""), label_of);
            let setter = if of.is_some() { amended.setter(clause.span) } else { Arc::clone(&amended.header) };
            clauses.push(EffectiveClause { read: Arc::new(clause), label, setter });
        }
        item.clauses = clauses.into();
        item
    }

    /// An amended item of whose clauses nothing has been made yet.
    pub(crate) fn unread(key: Arc<str>, amended: &Amended) -> Self {
        let tree = &amended.item;
        let quoted = tree.header.iter().find_map(|token| match &token.kind {
            TokenKind::Quoted(title) => Some(Arc::from(title.as_str())),
            _ => None,
        });
        EffectiveItem {
            head: Arc::from(tree.head.as_str()),
            title: quoted.unwrap_or_else(|| Arc::clone(&key)),
            key,
            tree: Arc::clone(tree),
            clauses: Late::default(),
            sources: Vec::new(),
            printed: Vec::new(),
            partial: Vec::new(),
            setters: Arc::clone(&amended.setters),
            reprint: amended.reprint.clone(),
            gone: Arc::clone(&amended.gone),
        }
    }

    /// The same with what the reader made of it before.
    pub(crate) fn with(self, clauses: Late<Vec<EffectiveClause>>, said: SaidAbove) -> Self {
        let (sources, printed, partial) = said;
        EffectiveItem { clauses, sources, printed, partial, ..self }
    }

    /// What is said of the item, not by it: what it cites, the hashes of what is printed, and what of that it does not express.
    pub(crate) fn said_above(&self) -> SaidAbove {
        (self.sources.clone(), self.printed.clone(), self.partial.clone())
    }

    /// An item of its own without clauses, for phrases that stand in no file.
    pub(crate) fn bare(tree: Item) -> Self {
        EffectiveItem {
            head: Arc::from(tree.head.as_str()),
            key: Arc::from(""),
            title: Arc::from(""),
            tree: Arc::new(tree.into()),
            clauses: Late::default(),
            sources: Vec::new(),
            printed: Vec::new(),
            partial: Vec::new(),
            setters: Arc::from(Vec::new()),
            reprint: None,
            gone: Arc::from(Vec::new()),
        }
    }

    /// The layer that set what stands at a span; also right for clauses within blocks.
    pub(crate) fn setter(&self, span: Span) -> &str {
        setter_at(&self.setters, span)
    }

    /// The original of a reprint, where what stands at a span is said by it.
    pub(crate) fn original(&self, span: Span) -> Option<&str> {
        self.reprint.as_ref().filter(|reprint| reprint.brings(span)).map(|reprint| &*reprint.original)
    }

    fn note_source(&mut self, clause: &Clause) {
        // What is no plain data costs much to be refused as such, and what is other plain data to be read.
        let wanted = [Form::DataCites, Form::DataPrinted, Form::DataPartial];
        if !is_data(&self.head, clause.head()) || !may_be(&self.head, clause.head(), &wanted) {
            return;
        }
        let Ok(said) = sentence(&self.head, clause) else { return };
        match said.form() {
            Form::DataCites => self.sources.extend(sources(&said)),
            Form::DataPrinted => self.printed.extend(said.each_quoted("hashes").map(str::to_owned)),
            Form::DataPartial => {
                self.partial.extend(said.each_number("sentences").filter_map(|number| u32::try_from(number).ok()));
            }
            _ => {}
        }
    }
}

/// Clauses that say what another clause of the item says already.
pub(crate) fn check_repeats(item: &EffectiveItem) -> Vec<Finding> {
    let says = |clause: &EffectiveClause| !matches!(clause.read.kind, ClauseKind::Raw { .. });
    let mut findings = Vec::new();
    for (index, clause) in item.clauses.iter().enumerate().filter(|(_, clause)| says(clause)) {
        let before = item.clauses.iter().take(index).find(|before| before.read.kind == clause.read.kind);
        if let Some(before) = before {
            let message = format!("clause `{}` says what `{}` says", clause.label, before.label);
            findings.push(
                Finding::new(Code::ClauseSaidTwice, clause.read.span, message)
                    .and(before.read.span, "the first one")
                    .help("remove one of them, unless it is meant to happen twice"),
            );
        }
    }
    findings
}

/// Checks that every printed sentence of a card is expressed by a clause or admitted as missing. Where a sentence is cited that
/// is not there, another may be missing for it alone, and what is printed twice is told as such.
pub(crate) fn check_sentences(item: &EffectiveItem) -> Vec<Finding> {
    let wrong = wrong_markers(&item.tree.clauses, item.tree.head == "card");
    if !wrong.is_empty() {
        return wrong;
    }
    let count = netrep_ir::limits::in_32_bits(item.printed.len());
    let said = |head: &'static str| item.tree.clauses.iter().filter(move |clause| clause.head() == head);
    if count == 0 || said("printed").count() > 1 {
        return Vec::new();
    }
    let quoted = |token: &&Token| matches!(token.kind, TokenKind::Quoted(_));
    let hashes: Vec<Span> =
        said("printed").flat_map(|clause| clause.tokens.iter().filter(quoted)).map(|token| token.span).collect();
    let mut cited = Vec::new();
    cited_sentences(&item.tree.clauses, &mut cited);
    for token in said("partial").flat_map(|clause| &clause.tokens) {
        if let TokenKind::Number(number) = token.kind {
            cited.extend(u32::try_from(number).ok().map(|number| (number, token.span)));
        }
    }
    let unknown: Vec<Finding> = (cited.iter())
        .filter(|(number, _)| *number > count)
        .map(|(number, span)| {
            Finding::new(Code::UnknownSentence, *span, format!("there is no printed sentence {number}"))
                .help(format!("the card has {count} printed sentences, counted from 1"))
        })
        .collect();
    if !unknown.is_empty() {
        return unknown;
    }
    (1..=count)
        .filter(|number| !cited.iter().any(|(one, _)| one == number))
        .map(|number| {
            // total: each printed sentence has its hash, unless a reading says it
            let span = hashes.get(number as usize - 1).copied().unwrap_or(item.tree.head_span);
            Finding::new(Code::SentenceNotExpressed, span, format!("no clause expresses printed sentence {number}"))
                .help(format!("cite it in a marker, as in `[label {number}]`, or admit it with `partial {number}.`"))
        })
        .collect()
}

/// Markers that cite a sentence twice, or that cite one where none is printed.
fn wrong_markers(clauses: &[Clause], prints: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    for clause in clauses {
        if let Some(marker) = &clause.marker {
            let numbers = &marker.sentences;
            let twice = numbers.iter().enumerate().find(|(nth, number)| numbers[..*nth].contains(number));
            let error = match (prints, twice) {
                (false, _) if !numbers.is_empty() => Some((
                    "nothing is printed here that a clause could express".to_owned(),
                    "take the numbers away: the sentences of a card are cited by it, those of the rulebook with `cites`",
                )),
                (true, Some((_, number))) => {
                    Some((format!("sentence {number} is cited twice here"), "cite each sentence once"))
                }
                _ => None,
            };
            found.extend(error.map(|(text, help)| Finding::new(Code::BadMarker, marker.span, text).help(help)));
        }
        found.extend(clause.block.iter().flat_map(|block| wrong_markers(block, prints)));
    }
    found
}

fn cited_sentences(clauses: &[Clause], cited: &mut Vec<(u32, Span)>) {
    for clause in clauses {
        if let Some(marker) = &clause.marker {
            cited.extend(marker.sentences.iter().map(|number| (*number, marker.span)));
        }
        if let Some(block) = &clause.block {
            cited_sentences(block, cited);
        }
    }
}
