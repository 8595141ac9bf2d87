//! From vocabulary items to terms.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Item, Span, Token, TokenKind};

use super::forms::{Category, Form as TableForm, Forms};
use super::term::{Detail, Form, Origin, Param, Second, Term, TypeName, Use};
use super::tree::{TermKey, TermKind};
use crate::finding::Finding;

/// The terms that an item declares. Items that declare nothing (cards, rulings …) give no terms.
pub fn declare(item: &Item) -> (Vec<Term>, Vec<Finding>) {
    let mut out = Declared { terms: Vec::new(), errors: Vec::new(), at: item.head_span };
    match item.head.as_str() {
        "class" => out.class(item),
        "list" => out.list(item),
        "figure" => out.attribute(&item.header, Origin::Figure),
        "state" => out.attribute(&item.header, Origin::State),
        "define" => out.define(&item.header),
        "role" => out.role(&item.header),
        "place" => out.place(&item.header),
        "adjective" => out.adjective(&item.header),
        "relation" => out.relation(&item.header),
        "verb" => out.verb(&item.header),
        "procedure" => out.procedure(&item.header),
        _ => {
            for clause in &item.clauses {
                out.nested(clause);
            }
        }
    }
    (out.terms, out.errors)
}

/// What an item declares that can be read and said, and that no stage after this one knows yet.
pub(crate) fn unsupported(item: &Item, terms: &[Term]) -> Vec<Finding> {
    let of_two = terms.iter().filter(|t| t.second().is_some());
    of_two
        .map(|term| {
            let message = format!("`{}` is a fact of two things, which is read but not run yet", term.key.name);
            Finding::new(Code::NotSupported, item.head_span, message)
                .help("say it of one thing with a state or a definition")
        })
        .collect()
}

/// The list that an item extends with terms, `list NAME also { … }`, wherever that list is declared.
pub(crate) fn extended_list(item: &Item) -> Option<Arc<str>> {
    let (also, name) = item.header.split_last().filter(|_| item.head == "list")?;
    words_of(name).filter(|_| is_word(also, "also")).map(|name| joined(&name))
}

/// The tokens of a header up to the body: before the first `:` or, in front of it, `=`.
pub(super) fn head_part(tokens: &[Token]) -> &[Token] {
    let cut = tokens.iter().take_while(|t| t.kind != TokenKind::Colon).count();
    &tokens[..cut]
}

/// The tokens after the first `:`.
pub(super) fn after_colon(tokens: &[Token]) -> &[Token] {
    behind(tokens, |t| t.kind == TokenKind::Colon)
}

/// The tokens after the first `=` that follows the first `:`.
pub(super) fn after_equals(tokens: &[Token]) -> &[Token] {
    behind(after_colon(tokens), |t| is_op(t, "="))
}

/// What stands behind the first sign of a kind.
pub(super) fn behind<T>(all: &[T], sign: impl Fn(&T) -> bool) -> &[T] {
    // total: nothing stands behind a sign that is not there
    all.iter().position(sign).map_or(&[], |at| &all[at + 1..])
}

fn is_op(token: &Token, op: &str) -> bool {
    matches!(&token.kind, TokenKind::Op(o) if o == op)
}

fn is_word(token: &Token, word: &str) -> bool {
    matches!(&token.kind, TokenKind::Word(w) if w == word)
}

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

/// The parameter in `(CLASS X)` or `(CLASS, CLASS X)`.
pub(super) fn param(inner: &[Token]) -> Option<Param> {
    let (label, types) = match inner.last() {
        Some(Token { kind: TokenKind::Capital(c), .. }) if super::closed::is_label(c) => {
            (Arc::from(c.as_str()), inner.get(..inner.len() - 1)?)
        }
        _ => (Arc::from(""), inner),
    };
    let types = types
        .split(|t| t.kind == TokenKind::Comma || is_word(t, "or"))
        .map(|part| words_of(part).map(|w| type_name(&w)))
        .collect::<Option<Vec<_>>>()?;
    Some(Param { label, types })
}

fn type_name(words: &[Arc<str>]) -> TypeName {
    let text = joined(words);
    match &*text {
        "number" => TypeName::Number,
        "yes or no" => TypeName::YesNo,
        "place" => TypeName::Place,
        "thing" => TypeName::Thing,
        _ => match text.strip_prefix("number for each ").or_else(|| text.strip_prefix("number for a ")) {
            Some(list) => TypeName::NumberFor(Arc::from(list)),
            None => TypeName::Named(text),
        },
    }
}

/// A type with its features: `number, or none`, `skill, many`.
struct Typed {
    value: TypeName,
    many: bool,
    optional: bool,
    /// `many for each CLASS`: a row of values for each such thing.
    each: Option<Second>,
}

/// How a figure is declared that has a row of values for each thing of a class.
const MANY_FOR_EACH: &str = "many for each ";

/// `NAME WORD (CLASS X) WORDS (CLASS Y)`: a fact of two things.
fn two_owners(head: &[Token]) -> Option<(Vec<Arc<str>>, Param, Second)> {
    let paren = |t: &Token| match &t.kind {
        TokenKind::Paren(inner) => param(inner),
        _ => None,
    };
    let first = head.iter().position(|t| matches!(t.kind, TokenKind::Paren(_)))?;
    let (second, between) = head.get(first + 1..)?.split_last()?;
    let mut name = words_of(head.get(..first)?)?;
    let before = name.pop().filter(|_| !name.is_empty())?;
    let words = words_of(between)?;
    Some((name, paren(head.get(first)?)?, Second { before, words, param: paren(second)? }))
}

/// A figure and its terms, as they stand behind `with`: `FIGURE Term, Term`.
pub(crate) fn limits(tokens: &[Token]) -> Option<(Arc<str>, Vec<Arc<str>>)> {
    let first = tokens.iter().position(|t| matches!(t.kind, TokenKind::Capital(_)))?;
    let attribute = joined(&words_of(tokens.get(..first)?)?);
    let entries = tokens.get(first..)?.split(|t| t.kind == TokenKind::Comma);
    let entries = entries.map(|part| words_of(part).map(|w| joined(&w))).collect::<Option<Vec<_>>>()?;
    Some((attribute, entries))
}

pub(super) struct Declared {
    terms: Vec<Term>,
    errors: Vec<Finding>,
    at: Span,
}

impl Declared {
    pub(super) fn fail(&mut self, at: Option<&Token>, wanted: &str, example: &str) {
        let span = at.map_or(self.at, |t| t.span);
        self.errors.push(
            Finding::new(Code::BadDeclaration, span, format!("this declaration needs {wanted}"))
                .help(format!("write it like `{example}`")),
        );
    }

    pub(super) fn push(&mut self, kind: TermKind, name: Arc<str>, forms: Vec<Form>, detail: Detail) {
        self.terms.push(Term { key: TermKey { kind, name }, forms, detail, only: None, needs: Vec::new() });
    }

    /// `NAME, PLURAL` as two forms.
    fn noun_forms(&mut self, tokens: &[Token], example: &str) -> Option<(Arc<str>, Vec<Form>)> {
        let mut parts = tokens.split(|t| t.kind == TokenKind::Comma);
        let name = parts.next().and_then(words_of);
        let Some(name) = name else {
            self.fail(tokens.first(), "a name", example);
            return None;
        };
        let mut forms = vec![Form { words: name.clone(), used: Use::Name }];
        for plural in parts {
            match words_of(plural) {
                Some(words) => forms.push(Form { words, used: Use::Plural }),
                None => self.fail(plural.first(), "a plural after the comma", example),
            }
        }
        Some((joined(&name), forms))
    }

    fn class(&mut self, item: &Item) {
        let example = TableForm::DeclarationClass.row().example;
        let header = item.header.as_slice();
        let Some((name, forms)) = self.noun_forms(head_part(header), example) else { return };
        let rest = after_colon(header);
        let end = rest.iter().take_while(|t| !is_word(t, "with")).count();
        let (above, facts) = rest.split_at(end);
        let superclass = words_of(above).map(|w| joined(&w));
        if superclass.is_none() && !rest.is_empty() {
            self.fail(rest.first(), "the name of a class after `:`", example);
        }
        self.push(TermKind::Class, name, forms, Detail::Class { superclass });
        if let (Some(term), Some((_with, facts))) = (self.terms.last_mut(), facts.split_first()) {
            term.only = limits(facts);
        }
        for clause in &item.clauses {
            match clause.tokens.split_first() {
                Some((first, names)) if is_word(first, "needs") => {
                    for part in names.split(|t| t.kind == TokenKind::Comma) {
                        match words_of(part) {
                            Some(words) => self.need(joined(&words)),
                            None => {
                                self.fail(part.first().or(Some(first)), "the names of figures after `needs`", example)
                            }
                        }
                    }
                }
                first => self.fail(first.map(|(t, _)| t), "nothing but `needs FIGURE, FIGURE.` in its braces", example),
            }
        }
    }

    fn need(&mut self, figure: Arc<str>) {
        if let Some(term) = self.terms.last_mut() {
            term.needs.push(figure);
        }
    }

    fn list(&mut self, item: &Item) {
        let example = "list colour { Red. Green, Greens. }";
        let list = match extended_list(item) {
            Some(name) => name,
            None => {
                let Some((name, forms)) = self.noun_forms(head_part(&item.header), example) else { return };
                self.push(TermKind::List, name.clone(), forms, Detail::List);
                name
            }
        };
        for clause in &item.clauses {
            if let Some((entry, forms)) = self.noun_forms(&clause.tokens, example) {
                self.push(TermKind::Entry, entry, forms, Detail::Entry { list: list.clone() });
            }
        }
    }

    fn typed(&mut self, tokens: &[Token], example: &str) -> Option<Typed> {
        let end = tokens.iter().take_while(|t| !is_op(t, "=")).count();
        let mut parts = tokens[..end].split(|t| t.kind == TokenKind::Comma);
        let Some(words) = parts.next().and_then(words_of) else {
            self.fail(tokens.first(), "a type after `:` (`number`, `yes or no`, a list or a class)", example);
            return None;
        };
        let mut typed = Typed { value: type_name(&words), many: false, optional: false, each: None };
        for part in parts {
            match words_of(part).map(|w| joined(&w)).as_deref() {
                Some("many") => typed.many = true,
                Some("or none") => typed.optional = true,
                Some(other) if other.starts_with(MANY_FOR_EACH) => {
                    typed.many = true;
                    let types = vec![TypeName::Named(Arc::from(&other[MANY_FOR_EACH.len()..]))];
                    let param = Param { label: Arc::from(""), types };
                    typed.each = Some(Second { before: Arc::from("of"), words: vec![Arc::from("for")], param });
                }
                // Where the fact begins anew; read by the lowering.
                Some(place) if place.starts_with("in ") => {}
                _ => {
                    self.fail(
                        part.first(),
                        "`many`, `many for each CLASS`, `or none` or `in PLACE` after the comma",
                        example,
                    );
                }
            }
        }
        Some(typed)
    }

    fn attribute(&mut self, header: &[Token], origin: Origin) {
        let example = TableForm::DeclarationFigure.row().example;
        let head = head_part(header);
        let mut per = None;
        let (name, owner, second) = match two_owners(head) {
            Some((name, owner, second)) => (name, owner, Some(second)),
            None => {
                let Some(of) = head.iter().rposition(|t| is_word(t, "of")) else {
                    self.fail(head.last(), "`of` and the class that has it", example);
                    return;
                };
                let (name, owner) = (&head[..of], &head[of + 1..]);
                let owner = match owner {
                    [Token { kind: TokenKind::Paren(inner), .. }] => param(inner),
                    [
                        Token { kind: TokenKind::Paren(inner), .. },
                        Token { kind: TokenKind::Comma, .. },
                        Token { kind: TokenKind::Paren(entry), .. },
                    ] if origin == Origin::Define => {
                        per = param(entry);
                        param(inner)
                    }
                    plain => param(plain),
                };
                let (Some(name), Some(owner)) = (words_of(name), owner) else {
                    self.fail(head.first(), "a name, `of` and a class", example);
                    return;
                };
                (name, owner, None)
            }
        };
        let Some(typed) = self.typed(after_colon(header), example) else { return };
        let Typed { mut value, many, optional, each } = typed;
        if let Some(TypeName::Named(list)) = per.as_ref().and_then(|p: &Param| p.types.first())
            && value == TypeName::Number
        {
            value = TypeName::NumberFor(list.clone());
        }
        let per = per.map(|p| p.label);
        let detail = Detail::Attribute { origin, of: owner, value, many, optional, per, second: second.or(each) };
        let forms = vec![Form { words: name.clone(), used: Use::Name }];
        self.push(TermKind::Attribute, joined(&name), forms, detail);
    }

    fn define(&mut self, header: &[Token]) {
        let head = head_part(header);
        if matches!(head.last(), Some(Token { kind: TokenKind::Paren(_), .. })) {
            self.attribute(header, Origin::Define);
            return;
        }
        let example = TableForm::DeclarationDefine.row().example;
        let Some((name, forms)) = self.noun_forms(head, example) else { return };
        let Some(typed) = self.typed(after_colon(header), example) else { return };
        self.push(TermKind::Definition, name, forms, Detail::Definition { value: typed.value });
    }

    fn role(&mut self, header: &[Token]) {
        let example = TableForm::DeclarationRole.row().example;
        let Some((name, forms)) = self.noun_forms(head_part(header), example) else { return };
        let Some(typed) = self.typed(after_colon(header), example) else { return };
        self.push(TermKind::Role, name, forms, Detail::Role { value: typed.value });
    }

    fn place(&mut self, header: &[Token]) {
        let example = TableForm::DeclarationPlace.row().example;
        let flat: Vec<Token> = header.iter().filter(|t| t.kind != TokenKind::Colon).cloned().collect();
        let mut parts = flat.split(|t| t.kind == TokenKind::Comma);
        let Some(words) = parts.next().and_then(words_of) else {
            self.fail(header.first(), "a name", example);
            return;
        };
        let features: Vec<Arc<str>> = parts.filter_map(words_of).map(|w| joined(&w)).collect();
        let of_player = features.iter().any(|f| &**f == "owned");
        let forms = vec![Form { words: words.clone(), used: Use::Name }];
        self.push(TermKind::Place, joined(&words), forms, Detail::Place { of_player, features });
    }

    fn adjective(&mut self, header: &[Token]) {
        let example = TableForm::DeclarationAdjective.row().example;
        let head = head_part(header);
        let parts = match head {
            [words @ .., of, Token { kind: TokenKind::Paren(inner), .. }] if is_word(of, "of") => {
                words_of(words).zip(param(inner))
            }
            _ => None,
        };
        let Some((words, of)) = parts else {
            self.fail(head.first(), "its words, `of` and `(CLASS X)`", example);
            return;
        };
        let forms = vec![Form { words: words.clone(), used: Use::Name }];
        self.push(TermKind::Adjective, joined(&words), forms, Detail::Adjective { of });
    }

    /// `WORDS for (CLASS X), (CLASS Y)`.
    fn procedure(&mut self, tokens: &[Token]) {
        let example = "procedure long check for (boat X), (player Y) { … }";
        let ends = |t: &Token| is_word(t, "for") || matches!(t.kind, TokenKind::Colon | TokenKind::Paren(_));
        let end = tokens.iter().take_while(|t| !ends(t)).count();
        let Some(words) = words_of(&tokens[..end]) else {
            self.fail(tokens.first(), "a name", example);
            return;
        };
        let params: Vec<Param> = tokens
            .iter()
            .skip(end)
            .filter_map(|t| match &t.kind {
                TokenKind::Paren(inner) => param(inner),
                _ => None,
            })
            .collect();
        let forms = vec![Form { words: words.clone(), used: Use::Name }];
        self.push(TermKind::Procedure, joined(&words), forms, Detail::Procedure { params });
    }

    /// Terms declared inside rules and readings: procedures with their block, others as sentences.
    fn nested(&mut self, clause: &Clause) {
        let [Token { kind: TokenKind::Word(head), span }, rest @ ..] = clause.tokens.as_slice() else { return };
        match (head.as_str(), &clause.block) {
            ("procedure", Some(_)) => {
                self.at = *span;
                self.procedure(rest);
            }
            (head, None) if Forms::all().begins(Category::Declaration, head) => {
                // A sentence may begin with a noun of the same spelling: only what declares is taken.
                let (terms, errors) = declare(&pretend(head, rest, *span));
                if errors.is_empty() {
                    self.terms.extend(terms);
                }
            }
            (_, Some(block)) => block.iter().for_each(|inner| self.nested(inner)),
            _ => {}
        }
    }
}

pub(super) fn types_text(param: &Param) -> String {
    param.types.iter().map(TypeName::text).collect::<Vec<_>>().join("/")
}

/// An item of a declaration that stands inside another item; `at`: where, if there is nothing behind its head.
pub(super) fn pretend(head: &str, tokens: &[Token], at: Span) -> Item {
    Item {
        head: head.to_owned(),
        head_span: tokens.first().map_or(at, |t| t.span),
        header: tokens.to_vec(),
        clauses: Vec::new(),
        faulty: Vec::new(),
        has_body: true,
        span: Span::default(),
    }
}

/// True for a definition of type `yes or no`.
pub(super) fn is_yes_or_no(header: &[Token]) -> bool {
    let rest = after_colon(header);
    let end = rest.iter().take_while(|t| !is_op(t, "=")).count();
    words_of(&rest[..end]).is_some_and(|w| w.join(" ") == "yes or no")
}
