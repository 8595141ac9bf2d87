//! The syntax tree: items, clauses and token trees, with spans relative to their item.
//!
//! The skeleton knows no vocabulary. A clause is a list of tokens, some of which are groups; what the
//! words mean is decided by the compiler's phrase resolver. Spans are relative to the start of the item,
//! so that an edit above an item leaves its tree unchanged.

use serde::{Deserialize, Serialize};

/// A byte range, relative to the start of the item's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to and excluding `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }
    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
    /// The same range, `offset` bytes further on: from an item's text to its file.
    pub fn shifted(self, offset: u32) -> Self {
        Span { start: self.start.saturating_add(offset), end: self.end.saturating_add(offset) }
    }
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TokenKind {
    /// A lower-case word: language or vocabulary (`untapped`, `finite/participle`).
    Word(String),
    /// A capitalised word: catalogue term, or a label when it is one capital letter and at most one digit.
    Capital(String),
    /// A quoted name, without its quotes.
    Quoted(String),
    /// A number without sign.
    Number(i64),
    /// A section number of a document: digits, then parts joined by full stops (`3.iv.6`, `2.IV.vii.2.1`), or an entry
    /// of a lettered part (`g.some-word`). A full stop that is followed by white space ends the sentence instead.
    Reference(String),
    /// An operator or connective sign: `+ - * = < > <= >= / &`; or which of things that are called alike: `#2`.
    Op(String),
    /// The possessive ending of the token before: `'s`, or `'` after a plural.
    Possessive,
    /// `,`
    Comma,
    /// `;`
    Semi,
    /// `:`
    Colon,
    /// `( … )`
    Paren(Vec<Token>),
    /// `[ … ]` inside a sentence.
    Bracket(Vec<Token>),
    /// `{ … }` inside a sentence.
    Brace(Vec<Token>),
}

/// A token with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands in the item.
    pub span: Span,
}

/// The marker in front of a clause: `[label 1, 2]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Marker {
    /// The clause's label, words joined by one space; empty if it has none.
    pub label: String,
    /// The label was derived from the clause's words; the author wrote none.
    pub derived: bool,
    /// The printed sentences that the clause expresses, counted from 1.
    pub sentences: Vec<u32>,
    /// Where the marker stands.
    pub span: Span,
}

/// A clause: a sentence, or a head with clauses in braces.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Clause {
    /// The marker, if there is one.
    pub marker: Option<Marker>,
    /// The words of the sentence or of the block's head.
    pub tokens: Vec<Token>,
    /// The clauses of a block; `None` for a sentence.
    pub block: Option<Vec<Clause>>,
    /// The whole clause, marker included.
    pub span: Span,
}

impl Clause {
    /// The word with which it begins; empty if that is no word in lower case.
    pub fn head(&self) -> &str {
        match self.tokens.first().map(|token| &token.kind) {
            Some(TokenKind::Word(word)) => word,
            _ => "",
        }
    }
}

/// One top-level item: a term, card, rule, ruling, edition, scenario ...
#[derive(Clone, Default, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Item {
    /// The head word (`card`, `rule`, `verb` ...).
    pub head: String,
    /// Where the head word stands.
    pub head_span: Span,
    /// The tokens between the head word and the body.
    pub header: Vec<Token>,
    /// The clauses of the body that are whole; empty if the item ends with a full stop. A block with whole words before
    /// its brace is among them, with those of its clauses that are whole.
    pub clauses: Vec<Clause>,
    /// The clauses that hold errors, at any depth, with what could be read of them: for the names that they bring,
    /// never for what they say.
    pub faulty: Vec<Clause>,
    /// True if the item has a body in braces.
    pub has_body: bool,
    /// The whole item.
    pub span: Span,
}

impl Item {
    /// The same tree with every span zero, for comparing two layouts of one text.
    pub fn without_spans(mut self) -> Self {
        self.span = Span::default();
        self.head_span = Span::default();
        erase_tokens(&mut self.header);
        erase_clauses(&mut self.clauses);
        erase_clauses(&mut self.faulty);
        self
    }
}

fn erase_clauses(clauses: &mut [Clause]) {
    for clause in clauses {
        clause.span = Span::default();
        if let Some(marker) = &mut clause.marker {
            marker.span = Span::default();
        }
        erase_tokens(&mut clause.tokens);
        if let Some(block) = &mut clause.block {
            erase_clauses(block);
        }
    }
}

fn erase_tokens(tokens: &mut [Token]) {
    for token in tokens {
        token.span = Span::default();
        if let TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) = &mut token.kind {
            erase_tokens(inner);
        }
    }
}
