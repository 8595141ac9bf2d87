//! Layouts: what a line of a position says about a thing, as the data declare it.
//!
//! ```text
//! layout boat X {
//!     of (player P) { owner of X is P. }
//!     in (card H) { P: quay H. harbour of X is H. }
//!     each (card M) { P: quay M. boat of M is X. }
//! }
//! ```
//!
//! So `boat B1 of Ann in "Old Port": "Pilot".` says all of that of `B1`. The sentences are those of a position: a fact, or
//! where a card lies that is named and given nowhere else. They are read forwards by whoever sets a position up, and backwards
//! by whoever writes one.

use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Item, Span, Token, TokenKind};

use crate::finding::Finding;
use crate::phrase::closed::is_label;
use crate::phrase::data::{header, sentences};
use crate::phrase::declare::param;
use crate::phrase::forms::Form;
use crate::phrase::outline::Outline;
use crate::phrase::term::Param;

/// How a thing of a class is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The class.
    pub class: Arc<str>,
    /// What its sentences call the thing.
    pub label: Arc<str>,
    /// What may be said of it, in the order in which it is written.
    pub links: Vec<Link>,
    /// The names of the things that are there if a position names none of the class.
    pub otherwise: Vec<Arc<str>>,
    /// The cards that stand for those that a position does not name.
    pub others: Vec<Arc<str>>,
    /// The procedure around all others, if it is said here.
    pub outermost: Option<(Arc<str>, Span)>,
    /// Where it stands.
    pub span: Span,
}

/// Words of a line and what they mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The words; none for what is listed behind the colon or in brackets.
    pub words: Vec<Arc<str>>,
    /// What stands behind the words.
    pub value: Option<Param>,
    /// True if several may stand there.
    pub each: bool,
    /// What is so then.
    pub says: Vec<Said>,
    /// Where it stands.
    pub span: Span,
}

/// A sentence of a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A fact.
    Fact(Vec<Token>),
    /// Where a card lies if it is given nowhere else.
    Put {
        /// Whose place; none if it is shared.
        owner: Option<Token>,
        /// The place.
        place: Arc<str>,
        /// The card.
        card: Token,
    },
}

/// The label that a token is.
pub fn label_of(token: &Token) -> Option<&str> {
    match &token.kind {
        TokenKind::Capital(text) if is_label(text) => Some(text),
        _ => None,
    }
}

impl Layout {
    /// The same with every span zero, to be compared after an edit.
    #[must_use]
    pub(crate) fn without_spans(mut self) -> Layout {
        self.span = Span::default();
        self.outermost = self.outermost.map(|(name, _)| (name, Span::default()));
        for link in &mut self.links {
            link.span = Span::default();
            for said in &mut link.says {
                match said {
                    Said::Fact(tokens) => tokens.iter_mut().for_each(erase),
                    Said::Put { owner, card, .. } => {
                        owner.iter_mut().for_each(erase);
                        erase(card);
                    }
                }
            }
        }
        self
    }
}

fn erase(token: &mut Token) {
    token.span = Span::default();
}

fn bad(span: Span, message: impl Into<String>, help: &str) -> Finding {
    Finding::new(Code::BadLayout, span, message.into()).help(help)
}

/// Reads a layout.
pub(crate) fn read_layout(item: &Item) -> (Layout, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut layout =
        Layout { span: item.header.first().map_or(item.head_span, |token| token.span), ..Layout::default() };
    match header(item) {
        Ok(said) => {
            layout.class = said.text("of");
            layout.label = said.text("l");
        }
        Err(finding) => findings.push(finding),
    }
    for (clause, said) in sentences("layout", &item.clauses, &mut findings) {
        match said.form() {
            Form::DataOtherwise => layout.otherwise.extend(said.each_tokens("names").flat_map(names)),
            Form::DataOthers => layout.others.extend(said.each_quoted("names").map(Arc::from)),
            // total: the row has these words
            Form::DataOutermost => {
                layout.outermost = Some((said.text("words"), said.span("words").unwrap_or(clause.span)));
            }
            _ => layout.links.push(link(clause, &said, &mut findings)),
        }
    }
    findings.extend(twice(&layout));
    findings.extend(unbound(&layout));
    (layout, findings)
}

fn names(tokens: &[Token]) -> impl Iterator<Item = Arc<str>> {
    tokens.iter().filter_map(|token| match &token.kind {
        TokenKind::Word(text) | TokenKind::Capital(text) => Some(Arc::from(text.as_str())),
        _ => None,
    })
}

fn link(clause: &Clause, said: &Outline<'_>, findings: &mut Vec<Finding>) -> Link {
    let value = said.part("value").map(param);
    if value.as_ref().is_some_and(|value| value.label.is_empty()) {
        findings.push(bad(clause.span, "what stands behind these words has no label", "write `(CLASS L)`"));
    }
    let mut says = Vec::new();
    for sentence in said.clauses("says") {
        match read_sentence(sentence) {
            Ok(one) => says.push(one),
            Err(finding) => findings.push(finding),
        }
    }
    // What is listed without words, and words in brackets, would say nothing; words with a value bind its label.
    if says.is_empty() && (value.is_none() || said.form() == Form::DataListed) {
        let help = "write what is so: `{ FACT. }`, or where a card lies: `{ P: PLACE L. }`";
        findings.push(bad(clause.span, "these words say nothing", help));
    }
    Link { words: said.words("words"), value, each: said.form() == Form::DataListed, says, span: clause.span }
}

/// A sentence: with a colon it says where a card lies, without one that something is so.
fn read_sentence(clause: &Clause) -> Result<Said, Finding> {
    let put = "write `P: PLACE L.`, or `cards in PLACE: L.` if the place is nobody's";
    if clause.block.is_some() || clause.marker.is_some() {
        return Err(bad(clause.span, "this is no sentence of a position", "write a fact, with a full stop"));
    }
    let Some(colon) = clause.tokens.iter().position(|token| token.kind == TokenKind::Colon) else {
        return Ok(Said::Fact(clause.tokens.clone()));
    };
    let (head, behind) = (&clause.tokens[..colon], &clause.tokens[colon + 1..]);
    let Some((card, place)) = behind.split_last().filter(|(card, _)| label_of(card).is_some()) else {
        return Err(bad(clause.span, "it does not say which card lies there", put));
    };
    let text = |tokens: &[Token]| {
        let words: Vec<Arc<str>> = names(tokens).collect();
        (words.len() == tokens.len() && !words.is_empty()).then(|| Arc::from(words.join(" ")))
    };
    let is_in = |token: &Token| token.kind == TokenKind::Word("in".to_owned());
    let found = match (head, head.iter().position(is_in)) {
        ([owner], _) if label_of(owner).is_some() => text(place).map(|place| (Some(owner.clone()), place)),
        (_, Some(at)) if place.is_empty() => text(&head[at + 1..]).map(|place| (None, place)),
        _ => None,
    };
    let (owner, place) = found.ok_or_else(|| bad(clause.span, "it does not say in which place the card lies", put))?;
    Ok(Said::Put { owner, place, card: card.clone() })
}

/// Words that are given twice.
fn twice(layout: &Layout) -> Option<Finding> {
    let mut seen = BTreeSet::new();
    let again = layout.links.iter().find(|link| !seen.insert(&link.words))?;
    let text = match again.words.is_empty() {
        true => "what is listed without words is said twice".to_owned(),
        false => format!("`{}` is said twice", again.words.join(" ")),
    };
    Some(bad(again.span, text, "keep one of the two"))
}

/// A label that nothing binds: the thing, what stands behind the words, and what stands behind the other words of the line
/// or of the line around it.
fn unbound(layout: &Layout) -> Option<Finding> {
    layout.links.iter().find_map(|link| {
        // Of several, one by one.
        let several = layout.links.iter().filter(|other| other.each && !std::ptr::eq(*other, link));
        let foreign: Vec<&Arc<str>> =
            several.filter_map(|other| other.value.as_ref()).map(|value| &value.label).collect();
        let tokens = link.says.iter().flat_map(tokens);
        let wrong =
            tokens.filter(|token| label_of(token).is_some_and(|own| foreign.iter().any(|other| ***other == *own)));
        let token = wrong.into_iter().next()?;
        let text = format!("which `{}` is meant is not known here", label_of(token)?);
        Some(bad(token.span, text, "several may be listed there; say it where they are listed"))
    })
}

/// The tokens of a sentence.
pub(crate) fn tokens(said: &Said) -> Vec<&Token> {
    match said {
        Said::Fact(tokens) => tokens.iter().collect(),
        Said::Put { owner, card, .. } => owner.iter().chain([card]).collect(),
    }
}
