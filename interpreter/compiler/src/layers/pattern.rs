//! Patterns: sentences with parameters that stand for clauses.
//!
//! ```text
//! pattern adrift for (number N) {
//!     printed "5e1f09aa" N.
//!     [drift] when this is untied: lose N boats.
//! }
//! ```
//!
//! A clause of a card or rule that reads like the header stands for the clauses of the block, with what stands in the place of
//! each parameter put in. They are put there before anything is resolved: what is read, amended, cited and run are they. Each
//! keeps the place in the pattern where it is written, and the layer that set it; what was put in, its place in the item.

use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Item, Marker, Span, Token, TokenKind};

use super::compose::Composed;
use super::labels;
use super::reprint::Reprint;
use super::words::joined;
use crate::coords::{Anchor, MAX_CLAUSES, clause_start, move_clause};
use crate::finding::Finding;
use crate::phrase::closed::is_label;
use crate::phrase::data::{is_data, sentence};
use crate::phrase::declare::declares;
use crate::phrase::forms::Form;
use crate::phrase::outline::Outline;

/// A pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// How a sentence reads that stands for its clauses.
    pub parts: Vec<Part>,
    /// The printed sentences that such a sentence expresses, in each of the ways in which they are printed.
    pub printed: Vec<Vec<Masked>>,
}

/// A part of a pattern's sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A word or sign that stands there.
    Fixed(TokenKind),
    /// What varies.
    Parameter(Kind, Arc<str>),
}

/// What may stand in the place of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A term, in capitals.
    Term,
    /// A name in quotation marks.
    Name,
    /// Any words.
    Words,
}

impl Kind {
    const ALL: [(Kind, &'static str); 4] =
        [(Kind::Number, "number"), (Kind::Term, "term"), (Kind::Name, "name"), (Kind::Words, "words")];

    /// As it is written in a header.
    pub fn word(self) -> &'static str {
        // total: the table has all of them
        Kind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, word)| word)
    }

    /// How many of the tokens it may take, the fewest first.
    fn ends(self, tokens: &[Token]) -> std::ops::RangeInclusive<usize> {
        let capital = |token: &&Token| match &token.kind {
            TokenKind::Capital(word) => !is_label(word),
            TokenKind::Op(sign) => sign == "&",
            _ => false,
        };
        let one = |is: bool| usize::from(is);
        match self {
            Kind::Number => 1..=one(matches!(tokens.first().map(|t| &t.kind), Some(TokenKind::Number(_)))),
            Kind::Name => 1..=one(matches!(tokens.first().map(|t| &t.kind), Some(TokenKind::Quoted(_)))),
            Kind::Term => 1..=tokens.iter().take_while(capital).count(),
            Kind::Words => 1..=tokens.len(),
        }
    }
}

/// A printed sentence with its numbers and names masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masked {
    /// The first digits of the SHA-256 of what is left.
    pub hash: Arc<str>,
    /// What was masked, in order.
    pub slots: Vec<Slot>,
}

/// What was masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// What stands for a parameter.
    Parameter(Arc<str>),
    /// A number that is always the same.
    Number(i64),
    /// A name that is always the same.
    Name(Arc<str>),
}

/// What stands in the place of each parameter.
pub type Arguments<'t> = Vec<(Arc<str>, &'t [Token])>;

impl Pattern {
    /// The words of its sentence, without parameters: what the pattern is called.
    pub fn name(&self) -> String {
        let fixed = self.parts.iter().filter_map(|part| match part {
            Part::Fixed(kind) => Some(Token { kind: kind.clone(), span: Span::default() }),
            Part::Parameter(..) => None,
        });
        joined(&fixed.collect::<Vec<_>>())
    }

    /// Its sentence, as it is written in the header.
    pub fn sentence(&self) -> String {
        sentence_of(&self.parts)
    }
}

/// A row of parts as it is written in a header.
pub fn sentence_of(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        let (word, tight) = match part {
            Part::Fixed(kind) => {
                let tight = matches!(kind, TokenKind::Comma | TokenKind::Colon | TokenKind::Possessive);
                (joined(&[Token { kind: kind.clone(), span: Span::default() }]), tight)
            }
            Part::Parameter(kind, label) => (format!("({} {label})", kind.word()), false),
        };
        if !text.is_empty() && !tight {
            text.push(' ');
        }
        text.push_str(&word);
    }
    text
}

/// The word with which a row of tokens begins.
pub fn first_word(tokens: &[Token]) -> Option<&str> {
    match &tokens.first()?.kind {
        TokenKind::Word(word) | TokenKind::Capital(word) => Some(word),
        _ => None,
    }
}

/// What stands in the place of each parameter if a sentence reads like these parts. Of several ways the first words that may
/// stand for parameters are the fewest.
pub fn matched<'t>(parts: &[Part], tokens: &'t [Token]) -> Option<Arguments<'t>> {
    // Ways that are still open: how many parts are found, up to which token, with what.
    let mut open: Vec<(usize, usize, Arguments<'t>)> = vec![(0, 0, Vec::new())];
    while let Some((part, at, found)) = open.pop() {
        let rest = tokens.get(at..)?;
        match parts.get(part) {
            None if rest.is_empty() => return Some(found),
            None => {}
            Some(Part::Fixed(kind)) if rest.first().is_some_and(|token| token.kind == *kind) => {
                open.push((part + 1, at + 1, found));
            }
            Some(Part::Fixed(_)) => {}
            Some(Part::Parameter(kind, label)) => {
                // A parameter of a pattern around this one stands for what will be put in for it.
                let is_open = matches!(rest.first().map(|t| &t.kind), Some(TokenKind::Capital(word)) if is_label(word));
                let ends = if is_open && *kind != Kind::Words { 1..=1 } else { kind.ends(rest) };
                for end in ends.rev() {
                    let mut found = found.clone();
                    found.extend(rest.get(..end).map(|taken| (Arc::clone(label), taken)));
                    open.push((part + 1, at + end, found));
                }
            }
        }
    }
    None
}

/// Reads the pattern of an item, and what is wrong with it by itself.
pub(crate) fn read_pattern(item: &Item) -> (Pattern, Vec<Finding>) {
    let mut findings = Vec::new();
    let parts = parts_of(item, &mut findings);
    let mut pattern = Pattern { parts, printed: Vec::new() };
    let mut clauses = 0;
    for clause in &item.clauses {
        match Holds::of(clause) {
            Holds::Printed => match sentence("pattern", clause) {
                Ok(said) => pattern.printed.push(printed(&said)),
                Err(finding) => findings.push(finding),
            },
            Holds::Clause => clauses += 1,
            Holds::Other => findings.push(bad(
                clause.span,
                format!("a pattern holds clauses, and no sentence that begins with `{}`", clause.head()),
                "write it in an item of its own, or in the rule or card",
            )),
        }
    }
    if item.faulty.is_empty() && clauses == 0 {
        let help = "write the clauses for which the sentence stands in its braces";
        findings.push(bad(item.head_span, "this pattern stands for no clause".to_owned(), help));
    }
    if findings.is_empty() && item.faulty.is_empty() {
        findings.extend(wrong_labels(item, &pattern));
    }
    (pattern, findings)
}

/// What a clause in the block of a pattern is.
enum Holds {
    Printed,
    Clause,
    Other,
}

impl Holds {
    fn of(clause: &Clause) -> Holds {
        match clause.head() {
            "printed" => Holds::Printed,
            head if is_data("card", head) || declares(clause) => Holds::Other,
            _ => Holds::Clause,
        }
    }
}

fn bad(span: Span, text: String, help: &str) -> Finding {
    Finding::new(Code::BadPattern, span, text).help(help)
}

/// The parts of the header.
fn parts_of(item: &Item, findings: &mut Vec<Finding>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for token in &item.header {
        let varies = matches!(parts.last(), Some(Part::Parameter(Kind::Words, _)));
        match &token.kind {
            TokenKind::Paren(inner) => {
                let Some((kind, label)) = parameter(inner) else {
                    let kinds: Vec<&str> = Kind::ALL.iter().map(|(_, word)| *word).collect();
                    let text = "a parameter is a kind and a label: one capital letter".to_owned();
                    let help = format!("write it like `(number N)`; the kinds are {}", kinds.join(", "));
                    findings.push(bad(token.span, text, &help));
                    continue;
                };
                if parts.iter().any(|part| matches!(part, Part::Parameter(_, known) if *known == label)) {
                    findings.push(bad(token.span, format!("`{label}` is the label of two parameters"), "rename one"));
                }
                if varies {
                    let text = "where the words before this parameter end cannot be seen".to_owned();
                    findings.push(bad(token.span, text, "write a word between the two parameters"));
                }
                parts.push(Part::Parameter(kind, label));
            }
            TokenKind::Capital(word) if is_label(word) => {
                let help = "write a parameter with its kind, in parentheses: `(number N)`";
                findings.push(bad(token.span, format!("`{word}` is a label"), help));
            }
            kind @ (TokenKind::Word(_) | TokenKind::Capital(_) | TokenKind::Comma | TokenKind::Colon) => {
                parts.push(Part::Fixed(kind.clone()));
            }
            kind @ (TokenKind::Possessive | TokenKind::Op(_)) => parts.push(Part::Fixed(kind.clone())),
            _ => findings.push(bad(
                token.span,
                "the sentence of a pattern consists of words and parameters".to_owned(),
                "write what varies as a parameter: `(number N)`, `(name N)`",
            )),
        }
    }
    if !matches!(parts.first(), Some(Part::Fixed(TokenKind::Word(_) | TokenKind::Capital(_)))) && findings.is_empty() {
        let help = "write it like `pattern adrift for (number N) { … }`";
        findings.push(bad(item.head_span, "the sentence of a pattern begins with a word".to_owned(), help));
    }
    parts
}

fn parameter(inner: &[Token]) -> Option<(Kind, Arc<str>)> {
    match inner {
        [Token { kind: TokenKind::Word(kind), .. }, Token { kind: TokenKind::Capital(label), .. }]
            if is_label(label) =>
        {
            let (kind, _) = Kind::ALL.iter().find(|(_, word)| word == kind)?;
            Some((*kind, Arc::from(label.as_str())))
        }
        _ => None,
    }
}

fn printed(said: &Outline<'_>) -> Vec<Masked> {
    let slot = |slot: &Outline<'_>| match slot.form() {
        Form::SlotParameter => Some(Slot::Parameter(slot.text("l"))),
        Form::SlotNumber => slot.number("n").map(Slot::Number),
        _ => slot.quoted("name").map(|name| Slot::Name(Arc::from(name))),
    };
    let masked = |one: &Outline<'_>| {
        // total: the row has a hash
        let hash = one.quoted("hash").unwrap_or_default();
        Masked { hash: Arc::from(hash), slots: one.parts("slots").filter_map(slot).collect() }
    };
    said.parts("sentences").map(masked).collect()
}

/// Parameters that no clause uses, labels that are no parameters where printed sentences are named, and ways of printing that
/// are of different length.
fn wrong_labels(item: &Item, pattern: &Pattern) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut used = BTreeSet::new();
    let clauses = item.clauses.iter().filter(|clause| matches!(Holds::of(clause), Holds::Clause));
    clauses.for_each(|clause| labels_in(clause, &mut used));
    let parameters: Vec<&Arc<str>> = pattern
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Parameter(_, label) => Some(label),
            Part::Fixed(_) => None,
        })
        .collect();
    for label in &parameters {
        if !used.contains(&***label) {
            let help = "use it in a clause, or take it out of the sentence";
            findings.push(bad(item.head_span, format!("no clause of the pattern says `{label}`"), help));
        }
    }
    let lines = item.clauses.iter().filter(|clause| matches!(Holds::of(clause), Holds::Printed));
    for (line, sentences) in lines.zip(&pattern.printed) {
        let slots = sentences.iter().flat_map(|one| &one.slots);
        let unknown = slots.filter_map(|slot| match slot {
            Slot::Parameter(label) => Some(label),
            Slot::Number(_) | Slot::Name(_) => None,
        });
        if let Some(label) = unknown.into_iter().find(|label| !parameters.contains(label)) {
            findings.push(bad(line.span, format!("`{label}` is no parameter"), "name one, or a number or name"));
        }
        if Some(sentences.len()) != pattern.printed.first().map(Vec::len) {
            let text = "the ways in which a pattern is printed have equally many sentences".to_owned();
            findings.push(bad(line.span, text, "write one hash for each sentence that it expresses"));
        }
    }
    findings
}

/// The labels that a clause says.
fn labels_in(clause: &Clause, found: &mut BTreeSet<String>) {
    labels_of(&clause.tokens, found);
    clause.block.iter().flatten().for_each(|inner| labels_in(inner, found));
}

fn labels_of(tokens: &[Token], found: &mut BTreeSet<String>) {
    for token in tokens {
        match &token.kind {
            TokenKind::Capital(word) if is_label(word) => {
                found.insert(word.clone());
            }
            TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) => labels_of(inner, found),
            _ => {}
        }
    }
}

/// A clause that stands for those of a pattern.
pub(crate) struct Use<'a> {
    /// The clause's index in the item.
    pub clause: usize,
    /// The pattern.
    pub pattern: &'a Pattern,
    /// Its clauses, as they are in force.
    pub composed: &'a Composed,
    /// For each text that these come from, which one it is of the item.
    pub origins: Vec<u16>,
}

/// An item with the clauses of patterns put in, and where each region of its coordinates comes from.
#[derive(Clone, Debug)]
pub(crate) struct Expanded {
    /// The item.
    pub item: Item,
    /// For each region, the text that it comes from.
    pub anchors: Vec<Anchor>,
    /// For each region, the layer that set it.
    pub setters: Vec<Arc<str>>,
    /// For each region, the clause of the item that stands for what is there, by its place.
    pub stands: Vec<Option<usize>>,
    /// What is wrong with the uses.
    pub findings: Vec<Finding>,
    /// What of it comes from the original of a reprint.
    pub reprint: Option<Reprint>,
    /// Labels of clauses that amendments of the original have left no clause with.
    pub gone: Vec<Arc<str>>,
}

/// Puts the clauses of patterns in the places of those that stand for them.
pub(crate) fn expand(base: &Item, uses: &[Use<'_>]) -> Expanded {
    let own = |(index, clause): (usize, &Clause)| Anchor {
        origin: 0,
        start: clause_start(index),
        length: clause.span.end.saturating_sub(clause.span.start),
    };
    // Of an item into which something is put the clauses are copied one by one.
    let item = match uses {
        [] => base.clone(),
        _ => Item {
            head: base.head.clone(),
            head_span: base.head_span,
            header: base.header.clone(),
            clauses: Vec::new(),
            faulty: base.faulty.clone(),
            has_body: base.has_body,
            span: base.span,
        },
    };
    let mut expanded = Expanded {
        item,
        anchors: base.clauses.iter().enumerate().map(own).collect(),
        setters: vec![Arc::from(""); base.clauses.len()],
        stands: vec![None; base.clauses.len()],
        findings: Vec::new(),
        reprint: None,
        gone: Vec::new(),
    };
    if uses.is_empty() {
        return expanded;
    }
    let stays = |(index, _): &(usize, &Clause)| !uses.iter().any(|one| one.clause == *index);
    let staying = base.clauses.iter().enumerate().filter(stays);
    let mut taken: BTreeSet<String> =
        staying.filter_map(|(_, clause)| labels::written(clause)).map(str::to_owned).collect();
    let mut clauses = Vec::new();
    for (index, clause) in base.clauses.iter().enumerate() {
        let one = uses.iter().find(|one| one.clause == index);
        match one.and_then(|one| Some((one, matched(&one.pattern.parts, &clause.tokens)?))) {
            Some((one, arguments)) => clauses.extend(expanded.put_in(clause, one, &arguments, &mut taken)),
            None => clauses.push(clause.clone()),
        }
    }
    expanded.item.clauses = clauses;
    expanded
}

impl Expanded {
    /// The clauses for which one stands.
    fn put_in(
        &mut self,
        clause: &Clause,
        one: &Use<'_>,
        arguments: &Arguments<'_>,
        taken: &mut BTreeSet<String>,
    ) -> Vec<Clause> {
        let first = self.anchors.len();
        if first + one.composed.anchors.len() > MAX_CLAUSES {
            let finding = Finding::new(Code::ItemTooLarge, clause.span, "too many clauses of patterns in one item");
            self.findings.push(finding.help("split the item"));
            return Vec::new();
        }
        let amended = &one.composed.amended;
        for (anchor, setter) in one.composed.anchors.iter().zip(amended.setters.iter()) {
            // total: each text of a pattern is one of the item
            let origin = one.origins.get(usize::from(anchor.origin)).copied().unwrap_or_default();
            self.anchors.push(Anchor { origin, ..*anchor });
            self.setters.push(Arc::clone(setter));
            self.stands.push(Some(one.clause));
        }
        let mut inner: Vec<Clause> =
            amended.item.clauses.iter().filter(|clause| matches!(Holds::of(clause), Holds::Clause)).cloned().collect();
        self.captured(clause, &inner, arguments);
        // total: without a marker no label is written and no sentence cited.
        let marker = clause.marker.clone().unwrap_or_default();
        // total: a sentence that reads like a pattern begins with a word
        let begins = labels::written(clause).or_else(|| first_word(&clause.tokens)).unwrap_or_default().to_owned();
        let alone = inner.len() == 1;
        for one in &mut inner {
            move_clause(one, clause_start(0), clause_start(first));
            put_arguments(one, arguments);
            // total: as above; what is amended has labels, derived if none is written.
            let own = one.marker.take().unwrap_or_default();
            let derived = own.label.is_empty() || own.derived;
            let label = if derived && alone { begins.clone() } else { format!("{begins} {}", own.label) };
            let label = free(&label, taken);
            taken.insert(label.clone());
            let sentences = self.sentences(&marker, &own, clause.span);
            one.marker = Some(Marker { label, derived: derived && marker.label.is_empty(), sentences, span: own.span });
        }
        inner
    }

    /// The printed sentences of the item that a clause expresses: all that are cited by the one that stands for it, or those of
    /// them that the pattern counts off.
    fn sentences(&mut self, cited: &Marker, own: &Marker, span: Span) -> Vec<u32> {
        if own.sentences.is_empty() {
            return cited.sentences.clone();
        }
        let mut found = Vec::new();
        for nth in &own.sentences {
            let at = usize::try_from(*nth).ok().and_then(|nth| nth.checked_sub(1));
            match at.and_then(|at| cited.sentences.get(at)) {
                Some(sentence) => found.push(*sentence),
                None => {
                    let text = format!("this pattern expresses {nth} printed sentences, of which fewer are cited here");
                    self.findings.push(
                        Finding::new(Code::BadPatternUse, span, text)
                            .help("cite as many sentences, in their order: `[4, 5]`"),
                    );
                    return cited.sentences.clone();
                }
            }
        }
        found
    }

    /// A label in an argument that the pattern binds itself would mean what the pattern binds.
    fn captured(&mut self, clause: &Clause, inner: &[Clause], arguments: &Arguments<'_>) {
        let mut bound = BTreeSet::new();
        inner.iter().for_each(|one| labels_in(one, &mut bound));
        for (label, _) in arguments {
            bound.remove(&**label);
        }
        let mut said = BTreeSet::new();
        arguments.iter().for_each(|(_, tokens)| labels_of(tokens, &mut said));
        if let Some(label) = said.intersection(&bound).next() {
            let text = format!("`{label}` is a label of the pattern, too");
            self.findings.push(
                Finding::new(Code::BadPatternUse, clause.span, text)
                    .help("use another capital letter, or one with a digit"),
            );
        }
    }
}

/// A label that no other clause has.
fn free(label: &str, taken: &BTreeSet<String>) -> String {
    if !taken.contains(label) {
        return label.to_owned();
    }
    let numbered = (2..).map(|nth| format!("{label} {nth}"));
    // total: of so many labels one is free
    numbered.take(taken.len() + 2).find(|label| !taken.contains(label)).unwrap_or_else(|| label.to_owned())
}

/// Puts arguments in the place of parameters.
fn put_arguments(clause: &mut Clause, arguments: &Arguments<'_>) {
    put_in_tokens(&mut clause.tokens, arguments);
    clause.block.iter_mut().flatten().for_each(|inner| put_arguments(inner, arguments));
}

fn put_in_tokens(tokens: &mut Vec<Token>, arguments: &Arguments<'_>) {
    let mut put = Vec::with_capacity(tokens.len());
    for mut token in tokens.drain(..) {
        let argument = match &mut token.kind {
            TokenKind::Capital(word) => arguments.iter().find(|(label, _)| **label == **word).map(|(_, taken)| *taken),
            TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) => {
                put_in_tokens(inner, arguments);
                None
            }
            _ => None,
        };
        match argument {
            Some(taken) => put.extend_from_slice(taken),
            None => put.push(token),
        }
    }
    *tokens = put;
}
