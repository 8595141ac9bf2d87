//! From vocabulary items to terms. What a declaration looks like is said by its row of the table.

use std::sync::Arc;

use netrep_diagnostics::{Code, distance};
use netrep_grammar::tree::{Clause, Item, Span, Token, TokenKind};

use super::forms::{Category, Form as TableForm, Forms};
use super::lexicon::Lexicon;
use super::outline::{Header, Miss, Missed, Outline, outline};
use super::read::Want;
use super::term::{Detail, Form, Origin, Param, Term, TypeName, Use};
use super::tree::{TermKey, TermKind};
use crate::finding::Finding;

/// The terms that an item declares. Items that declare nothing (cards, rulings …) give no terms.
pub fn declare(item: &Item) -> (Vec<Term>, Vec<Finding>) {
    declare_by(Forms::all(), item)
}

/// The same with a table of forms.
pub fn declare_by(forms: &Forms, item: &Item) -> (Vec<Term>, Vec<Finding>) {
    let mut out = Declared::default();
    match head_of(forms, &item.head) {
        Some(category) => out.header(forms, category, &item.head, header(item)),
        None => item.clauses.iter().for_each(|clause| out.nested(forms, clause)),
    }
    (out.terms, out.errors)
}

/// The category of the forms that declare with this head.
fn head_of(forms: &Forms, head: &str) -> Option<Category> {
    match head {
        "procedure" => Some(Category::Blocks),
        _ => forms.begins(Category::Declaration, head).then_some(Category::Declaration),
    }
}

fn header(item: &Item) -> Header<'_> {
    let block = item.has_body.then_some(item.clauses.as_slice());
    Header { tokens: &item.header, at: item.head_span, block }
}

/// Where what an item says in its header begins: the body of an adjective, a relation or a definition.
pub(crate) fn body_place(item: &Item) -> Option<Span> {
    let (body, _) = declaration(Forms::all(), &item.head, header(item))?.body?;
    body.first().map(|token| token.span)
}

/// What a clause or an item declares by its head, and the phrase in its header.
pub(super) struct Declaration<'t> {
    pub terms: Vec<Term>,
    /// The body of an adjective, relation or definition, the default of a fact.
    pub body: Option<(&'t [Token], Want)>,
}

/// What a head and what follows it declare, if they are a declaration and nothing else.
pub(super) fn declaration<'t>(forms: &Forms, head: &str, header: Header<'t>) -> Option<Declaration<'t>> {
    let found = outline(forms, head_of(forms, head)?, head, header).ok()?;
    let mut out = Declared::default();
    out.declared(&found);
    let truth = || found.part("type").is_some_and(|of| of.row.form == TableForm::TypeTruth);
    let body = match (found.tokens("c"), found.tokens("value"), found.tokens("default")) {
        (Some(condition), _, _) => Some((condition, Want::Condition)),
        (_, Some(value), _) => Some((value, if truth() { Want::Condition } else { Want::Value })),
        (_, _, default) => default.map(|value| (value, Want::Value)),
    };
    out.errors.is_empty().then_some(Declaration { terms: out.terms, body })
}

/// So many words and signs are put in where a header breaks off, to see what it declares.
const MOST_PUT_IN: usize = 3;

/// The terms of a header that breaks off, with what it needs there put in: a broken declaration keeps its names.
pub(super) fn kept(forms: &Forms, head: &str, header: Header<'_>) -> Vec<Term> {
    let broken =
        head_of(forms, head).and_then(|category| Some((category, outline(forms, category, head, header).err()?)));
    let alone = broken.filter(|(_, missed)| missed.before.is_none());
    let terms = alone.map(|(category, missed)| mended(forms, category, head, (header, &missed.miss), MOST_PUT_IN));
    terms.into_iter().flatten().collect()
}

fn mended(
    forms: &Forms,
    category: Category,
    head: &str,
    (header, miss): (Header<'_>, &Miss),
    more: usize,
) -> Vec<Term> {
    // total: what breaks off behind the last of them has no other place
    let at = header.tokens.iter().position(|token| token.span.start >= miss.span.start).unwrap_or(header.tokens.len());
    let name = || at.checked_sub(1).and_then(|before| header.tokens.get(before)).map(|token| token.kind.clone());
    for needed in &miss.expected {
        let put = match needed.trim_matches('`') {
            "," => Some(TokenKind::Comma),
            ":" => Some(TokenKind::Colon),
            // A name that is missing: the one before it is of the same thing.
            bare if bare == needed => name().filter(|kind| matches!(kind, TokenKind::Word(_))).or_else(|| {
                let comma = matches!(name(), Some(TokenKind::Comma));
                let before = at.checked_sub(2).and_then(|before| header.tokens.get(before));
                before.filter(|_| comma).map(|token| token.kind.clone())
            }),
            word if word.chars().all(char::is_alphabetic) => Some(TokenKind::Word(word.to_owned())),
            _ => None,
        };
        let Some(kind) = put else { continue };
        let mut tokens = header.tokens.to_vec();
        // Behind the word before it, so that what is put in next stands behind it.
        // total: at the beginning that is the head
        let end = at.checked_sub(1).and_then(|before| header.tokens.get(before)).map_or(header.at.end, |t| t.span.end);
        tokens.insert(at, Token { kind, span: Span::new(end, end) });
        let whole = Header { tokens: &tokens, ..header };
        match outline(forms, category, head, whole) {
            Ok(found) => {
                let mut out = Declared::default();
                out.declared(&found);
                return out.terms;
            }
            Err(Missed { miss, before: None }) if more > 1 => {
                let terms = mended(forms, category, head, (whole, &miss), more - 1);
                if !terms.is_empty() {
                    return terms;
                }
            }
            Err(_) => {}
        }
    }
    Vec::new()
}

/// The word with which a card or rule declares a fact for itself.
pub(crate) const FACT: &str = "fact";

/// A clause with which a card or rule declares a fact for itself, as an item.
pub(crate) fn fact_item(clause: &Clause) -> Option<Item> {
    let [Token { kind: TokenKind::Word(head), span }, rest @ ..] = clause.tokens.as_slice() else { return None };
    let is_fact = head == FACT && clause.block.is_none();
    is_fact.then(|| Item {
        head: head.clone(),
        head_span: *span,
        header: rest.to_vec(),
        span: clause.span,
        ..Item::default()
    })
}

/// The fact that a clause declares for its item, of the card on which it is written unless it says of what. Its name begins
/// with that of the item, so that it is no other's.
pub(crate) fn fact(clause: &Clause, key: &str, card: &Arc<str>) -> Option<Term> {
    let item = fact_item(clause)?;
    let mut term = declaration(Forms::all(), FACT, header(&item))?.terms.pop()?;
    if let Detail::Attribute { of, .. } = &mut term.detail
        && of.types.is_empty()
    {
        of.types.push(TypeName::Named(Arc::clone(card)));
    }
    term.key.name = Arc::from(format!("{key} {}", term.key.name));
    Some(term)
}

/// What is wrong with a clause that declares a fact, as this item, for an item of this kind.
pub(super) fn wrong_fact(forms: &Forms, kind: &str, clause: &Clause, item: &Item) -> Vec<Finding> {
    let found = match outline(forms, Category::Declaration, FACT, header(item)) {
        Ok(found) => found,
        Err(missed) => return vec![missed.miss.error(Code::BadDeclaration)],
    };
    let mut findings = super::contrary::contrary(item);
    if kind != "card" && found.part("what").is_some_and(|what| what.form() == TableForm::BareName) {
        let help = "say of what it is a fact: `fact NAME of CLASS: …`";
        findings.push(Finding::new(Code::BadDeclaration, clause.span, "no card is written here").help(help));
    }
    if let Some(marker) = clause.marker.as_ref().filter(|marker| !marker.sentences.is_empty()) {
        let text = "a fact expresses no printed sentence";
        findings
            .push(Finding::new(Code::BadMarker, marker.span, text).help("cite it in the clauses that set the fact"));
    }
    findings
}

/// True if a clause declares a word, or is a block that has a name.
pub(crate) fn declares(clause: &Clause) -> bool {
    // total: what does not begin with a word declares none.
    let [Token { kind: TokenKind::Word(head), span }, rest @ ..] = clause.tokens.as_slice() else { return false };
    let header = Header { tokens: rest, at: *span, block: clause.block.as_deref() };
    let forms = Forms::all();
    let named =
        clause.block.is_some() && BLOCKS.contains(&head.as_str()) || matches!(head.as_str(), "steps" | "timing");
    named || forms.begins(Category::Declaration, head) && declaration(forms, head, header).is_some()
}

/// The list that an item extends with terms, `list NAME also { … }`, wherever that list is declared.
pub(crate) fn extended_list(item: &Item) -> Option<Arc<str>> {
    let found = of_item(item).filter(|found| found.row.form == TableForm::DeclarationExtend)?;
    Some(found.text("name"))
}

/// The place of `, in PLACE`: whenever a thing comes there, the fact that the item declares begins anew.
pub(crate) fn begins_anew_in(item: &Item) -> Option<Arc<str>> {
    let found = of_item(item)?;
    let place = found.parts("features").find(|feature| feature.row.form == TableForm::FeaturePlace)?;
    Some(place.text("place"))
}

pub(super) fn of_item(item: &Item) -> Option<Outline<'_>> {
    let forms = Forms::all();
    outline(forms, head_of(forms, &item.head)?, &item.head, header(item)).ok()
}

/// A figure and its terms: `with FIGURE Term, Term`.
pub(crate) fn limits(found: &Outline<'_>) -> (Arc<str>, Vec<Arc<str>>) {
    (found.text("fact"), found.each("terms").map(|words| joined(&words)).collect())
}

/// The figures of which a class needs one, as one text: `FIGURE or FIGURE`.
fn needed(found: &Outline<'_>) -> Arc<str> {
    Arc::from(found.each("figures").map(|words| joined(&words)).collect::<Vec<_>>().join(OR))
}

/// Stands between the figures of which a class needs one.
pub(crate) const OR: &str = " or ";

/// The words of a token list; `None` if it holds anything but words, capitalised words and `&`.
pub(super) fn words_of(tokens: &[Token]) -> Option<Vec<Arc<str>>> {
    if tokens.is_empty() {
        return None;
    }
    tokens
        .iter()
        .map(|t| match &t.kind {
            TokenKind::Word(w) | TokenKind::Capital(w) => Some(Arc::from(w.as_str())),
            TokenKind::Op(o) if o == "&" => Some(Arc::from("&")),
            _ => None,
        })
        .collect()
}

pub(super) fn joined(words: &[Arc<str>]) -> Arc<str> {
    Arc::from(words.join(" "))
}

/// A thing that a row of parameters speaks of.
pub(crate) fn param(found: &Outline<'_>) -> Param {
    Param { label: found.text("l"), types: found.parts("types").map(type_name).collect() }
}

fn type_name(found: &Outline<'_>) -> TypeName {
    match found.row.form {
        TableForm::TypeNumber => TypeName::Number,
        TableForm::TypeTruth => TypeName::YesNo,
        TableForm::TypePlace => TypeName::Place,
        TableForm::TypeThing => TypeName::Thing,
        TableForm::TypeTally => TypeName::NumberFor(found.text("of")),
        TableForm::TypeCalled => TypeName::NameOf(found.text("of")),
        _ => TypeName::Named(found.text("of")),
    }
}

#[derive(Default)]
pub(super) struct Declared {
    terms: Vec<Term>,
    errors: Vec<Finding>,
}

impl Declared {
    pub(super) fn push(&mut self, kind: TermKind, name: Arc<str>, forms: Vec<Form>, detail: Detail) {
        self.terms.push(Term {
            key: TermKey { kind, name },
            forms,
            detail,
            only: None,
            needs: Vec::new(),
            lacks: Vec::new(),
        });
    }

    fn miss(&mut self, miss: &Miss) {
        self.errors.push(miss.error(Code::BadDeclaration));
    }

    fn header(&mut self, forms: &Forms, category: Category, head: &str, header: Header<'_>) {
        match outline(forms, category, head, header) {
            Ok(found) => self.declared(&found),
            Err(Missed { miss, before }) => {
                // What is whole is declared, so that those that use it stay whole.
                match before {
                    Some(found) => self.declared(&found),
                    None => self.terms.extend(mended(forms, category, head, (header, &miss), MOST_PUT_IN)),
                }
                self.miss(&miss);
            }
        }
    }

    fn declared(&mut self, found: &Outline<'_>) {
        match found.row.form {
            TableForm::DeclarationClass => self.class(found),
            TableForm::DeclarationKind => {
                let (superclass, label) = (Some(found.text("of")), Some(found.text("l")));
                self.named(TermKind::Class, found, "names", Detail::Class { superclass, label });
            }
            TableForm::DeclarationList | TableForm::DeclarationExtend => self.list(found),
            TableForm::DeclarationFigure => self.attribute(found, Origin::Figure),
            TableForm::DeclarationState | TableForm::DeclarationLocal => self.attribute(found, Origin::State),
            TableForm::DeclarationFact | TableForm::DeclarationEach => self.attribute(found, Origin::Define),
            TableForm::DeclarationDefine => {
                let value = value_of(found);
                self.named(TermKind::Definition, found, "names", Detail::Definition { value });
            }
            TableForm::DeclarationRole => {
                let value = value_of(found);
                self.named(TermKind::Role, found, "name", Detail::Role { value });
            }
            TableForm::DeclarationPlace => {
                let features = ["whose", "order", "seen"].iter().filter_map(|hole| found.word(hole)).map(Arc::from);
                let detail =
                    Detail::Place { of_player: found.word("whose") == Some("owned"), features: features.collect() };
                self.named(TermKind::Place, found, "name", detail);
            }
            TableForm::DeclarationAdjective => {
                if let Some(of) = found.part("of").map(param) {
                    self.named(TermKind::Adjective, found, "name", Detail::Adjective { of });
                }
            }
            TableForm::DeclarationRelation => self.relation(found),
            TableForm::DeclarationVerb => self.verb(found),
            TableForm::BlocksProcedure => {
                let params = found.parts("of").map(param).collect();
                self.named(TermKind::Procedure, found, "name", Detail::Procedure { params });
            }
            _ => {}
        }
    }

    /// A term with the names of a hole: the first is its own, the others are plurals.
    fn named(&mut self, kind: TermKind, found: &Outline<'_>, hole: &str, detail: Detail) {
        let mut names = found.each(hole);
        let first = names.next().unwrap_or_else(|| found.words(hole));
        let name = joined(&first);
        let mut forms = vec![Form { words: first, used: Use::Name }];
        forms.extend(names.map(|words| Form { words, used: Use::Plural }));
        self.push(kind, name, forms, detail);
    }

    fn class(&mut self, found: &Outline<'_>) {
        let superclass = found.has("of").then(|| found.text("of"));
        self.named(TermKind::Class, found, "names", Detail::Class { superclass, label: None });
        for line in found.lines("needs") {
            match (line, self.terms.last_mut()) {
                (Ok(line), Some(term)) => {
                    term.needs.extend(line.parts("figures").map(needed));
                    term.lacks.extend(line.each("none").map(|words| joined(&words)));
                }
                (Err(miss), _) => self.miss(miss),
                (Ok(_), None) => {}
            }
        }
        if let Some(term) = self.terms.last_mut() {
            term.only = found.part("only").map(limits);
        }
    }

    fn list(&mut self, found: &Outline<'_>) {
        let list = match found.each("names").next() {
            Some(name) => {
                self.named(TermKind::List, found, "names", Detail::List);
                joined(&name)
            }
            // More of a list that is declared elsewhere.
            None => found.text("name"),
        };
        for line in found.lines("terms") {
            match line {
                Ok(line) => self.named(TermKind::Entry, line, "names", Detail::Entry { list: list.clone() }),
                Err(miss) => self.miss(miss),
            }
        }
    }

    fn attribute(&mut self, found: &Outline<'_>, origin: Origin) {
        let mut value = value_of(found);
        let (mut many, mut optional) = (false, false);
        let (mut on, mut least) = (Vec::new(), None);
        for feature in found.parts("features") {
            match feature.row.form {
                TableForm::FeatureMany => many = true,
                TableForm::FeatureNone => optional = true,
                TableForm::FeaturePrinted => on.extend(feature.each("classes").map(|words| joined(&words))),
                TableForm::FeatureLeast => least = feature.number("least"),
                // Where the fact begins anew is asked of the item; see `begins_anew_in`.
                _ => {}
            }
        }
        // `define NAME of (CLASS X), (LIST T)`: a number for each term.
        let per = found.part("per").map(param);
        if let Some(TypeName::Named(list)) = per.as_ref().and_then(|p| p.types.first())
            && value == TypeName::Number
        {
            value = TypeName::NumberFor(list.clone());
        }
        let owned = found.part("what").unwrap_or(found);
        let of = match owned.part("thing").or_else(|| owned.part("of")) {
            Some(thing) => param(thing),
            None => Param { label: Arc::from(""), types: owned.parts("of").map(type_name).collect() },
        };
        let per = per.map(|p| p.label);
        let words = owned.words("name");
        let detail = Detail::Attribute { origin, of, value, many, optional, on, least, per };
        self.push(TermKind::Attribute, joined(&words), vec![Form { words, used: Use::Name }], detail);
    }

    /// Terms declared inside rules and readings: procedures with their block, others as sentences.
    fn nested(&mut self, forms: &Forms, clause: &Clause) {
        let [Token { kind: TokenKind::Word(head), span }, rest @ ..] = clause.tokens.as_slice() else { return };
        let header = Header { tokens: rest, at: *span, block: clause.block.as_deref() };
        // total: a word that is near none is meant as it stands
        let head = near(head, clause.block.is_some()).unwrap_or(head);
        match (head, &clause.block) {
            ("procedure", Some(_)) => self.header(forms, Category::Blocks, head, header),
            // A sentence may begin with a noun of the same spelling: only what declares is taken.
            // What an item declares for itself is no word.
            (head, None) if head != FACT && forms.begins(Category::Declaration, head) => {
                self.terms.extend(declaration(forms, head, header).into_iter().flat_map(|found| found.terms));
            }
            (_, Some(block)) => block.iter().for_each(|inner| self.nested(forms, inner)),
            _ => {}
        }
    }
}

/// The words with which a block begins that says what is done.
const BLOCKS: [&str; 3] = ["action", "procedure", "step"];

/// The word with which a block begins, if it is spelled with a slip.
fn near(head: &str, block: bool) -> Option<&'static str> {
    let known = !block || head.len() < 4 || head == "steps" || BLOCKS.contains(&head);
    BLOCKS.into_iter().find(|word| !known && distance(head, word) == 1)
}

/// The same of a word that is no other either.
pub(super) fn near_head(lex: &dyn Lexicon, head: &str, block: bool) -> Option<&'static str> {
    near(head, block).filter(|_| lex.terms_with(head).is_empty() && !lex.forms().is_closed(head))
}

/// The type behind the colon.
fn value_of(found: &Outline<'_>) -> TypeName {
    // total: every row that declares a value has a type
    found.part("type").map_or(TypeName::Thing, type_name)
}

pub(super) fn types_text(param: &Param) -> String {
    param.types.iter().map(TypeName::text).collect::<Vec<_>>().join("/")
}
