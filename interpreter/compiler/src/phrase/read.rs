//! Reading the clauses of an item.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Item, Span, Token, TokenKind};

use super::chart::Chart;
use super::clause::{ClauseKind, ReadClause};
use super::declare;
use super::draft::Place;
use super::forms::{Category, Form, Forms};
use super::grant::TARGET;
use super::lexicon::Lexicon;
use super::scope::Scope;
use super::term::{Detail, Param, Term, TypeName};
use super::tree::{Node, Sort, TermKey, TermKind};
use crate::finding::Finding;

/// True for the head of a clause that is kept as tokens.
pub(super) fn is_raw(forms: &Forms, head: &str) -> bool {
    forms.begins(Category::Data, head)
}

/// Heads of items whose clauses are data of other readers.
const RAW_ITEMS: &[&str] =
    &["class", "ruling", "edition", "document", "kernel", "deck", "position", "scenario", "list"];

/// Reads all clauses of an item, and the body that stands in its header. Every clause is read on its own, so
/// that one that cannot be read hides no other.
pub fn read_item(item: &Item, lexicon: &dyn Lexicon) -> (Vec<ReadClause>, Vec<Finding>) {
    let mut reader = Reader::new(lexicon, Scope::default());
    let mut clauses = Vec::new();
    if RAW_ITEMS.contains(&item.head.as_str()) {
        clauses.extend(item.clauses.iter().map(raw));
        return (clauses, reader.errors);
    }
    reader.enter(&item.head, &item.header);
    clauses.extend(reader.header_body(&item.head, &item.header));
    let steps = item.head == "procedure";
    clauses.extend(reader.clauses(&item.clauses, steps));
    (clauses, reader.errors)
}

/// Reads one sentence as a clause, such as a line of a scenario.
pub fn read_sentence(
    tokens: &[Token],
    scope: &Scope,
    steps: bool,
    lexicon: &dyn Lexicon,
) -> Result<ClauseKind, Finding> {
    let mut reader = Reader::new(lexicon, scope.clone());
    let kind = reader.sentence(tokens, Place { steps, block: false });
    match (kind, reader.errors.pop()) {
        (Some(kind), None) => Ok(kind),
        (_, Some(error)) => Err(error),
        (None, None) => Err(Finding::new(Code::EmptySentence, Span::default(), "there is nothing to read")),
    }
}

/// Reads a phrase of one category.
pub fn read_phrase(tokens: &[Token], want: Want, scope: &Scope, lexicon: &dyn Lexicon) -> Result<Node, Finding> {
    let mut reader = Reader::new(lexicon, scope.clone());
    let node = reader.phrase(tokens, want);
    match (node, reader.errors.pop()) {
        (Some(node), None) => Ok(node),
        (_, Some(error)) => Err(error),
        (None, None) => Err(Finding::new(Code::EmptySentence, Span::default(), "there is nothing to read")),
    }
}

/// All readings of a phrase of a category, as the preferences leave them.
pub fn readings(tokens: &[Token], category: Category, scope: &Scope, lexicon: &dyn Lexicon) -> Vec<Node> {
    let slots = super::slot::flatten(tokens);
    let chart = Chart::new(&slots, lexicon, scope, true, false);
    if slots.is_empty() || category.info().after.is_some() {
        return Vec::new();
    }
    let found = chart.cell(category, 0);
    found.iter().filter(|(end, _)| *end == slots.len()).map(|(_, tree)| chart.node(tree)).collect()
}

/// What may stand behind the beginning of a sentence: words of the language, and what kinds of phrases are called.
/// `steps`: statements are sentences.
pub fn completions(tokens: &[Token], scope: &Scope, steps: bool, lexicon: &dyn Lexicon) -> Vec<String> {
    super::explain::completions(tokens, Place { steps, block: true }, scope, lexicon)
}

/// What a phrase is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// A condition.
    Condition,
    /// Statements.
    Statement,
    /// An event.
    Event,
    /// Things, a number, an entry or a place.
    Value,
}

/// Counts of what the resolver met; for tests and tuning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ambiguity {
    /// Sentences read.
    pub sentences: usize,
    /// Sentences with several readings before the preferences.
    pub before: usize,
    /// Sentences with several readings after them.
    pub after: usize,
}

/// Counts the sentences of an item that have several readings, before and after the preferences.
pub fn count_ambiguities(item: &Item, lexicon: &dyn Lexicon) -> Ambiguity {
    let mut reader = Reader::new(lexicon, Scope::default());
    reader.count = Some(Ambiguity::default());
    if !RAW_ITEMS.contains(&item.head.as_str()) {
        reader.enter(&item.head, &item.header);
        reader.header_body(&item.head, &item.header);
        reader.clauses(&item.clauses, item.head == "procedure");
    }
    // total: it was set above, and nothing takes it
    reader.count.unwrap_or_default()
}

fn raw(clause: &Clause) -> ReadClause {
    let head: Arc<str> = match clause.tokens.first().map(|t| &t.kind) {
        Some(TokenKind::Word(w) | TokenKind::Capital(w)) => Arc::from(w.as_str()),
        _ => Arc::from(""),
    };
    let tokens = if head.is_empty() { clause.tokens.clone() } else { clause.tokens.iter().skip(1).cloned().collect() };
    let kind = ClauseKind::Raw { head, tokens, block: clause.block.clone() };
    ReadClause { marker: clause.marker.clone(), kind, span: clause.span }
}

/// The error of a clause of plain data that goes on behind its data: the full stop between the two is missing.
fn run_on(head: &str, clause: &Clause) -> Option<Finding> {
    let data: fn(&TokenKind) -> bool = match head {
        "printed" | "note" | "awaits" | "authority" => |kind| matches!(kind, TokenKind::Quoted(_)),
        "partial" => |kind| matches!(kind, TokenKind::Number(_)),
        "cites" => |kind| matches!(kind, TokenKind::Quoted(_) | TokenKind::Capital(_) | TokenKind::Number(_)),
        _ => return None,
    };
    // The first token that is neither a datum nor a comma, and the datum in front of it.
    let rest = clause.tokens.get(1..)?;
    let end = rest.iter().position(|t| t.kind != TokenKind::Comma && !data(&t.kind))?;
    let last = rest.get(end.checked_sub(1)?).filter(|t| t.kind != TokenKind::Comma)?;
    let said = match &last.kind {
        TokenKind::Quoted(name) => format!("\"{name}\""),
        TokenKind::Number(number) => format!("`{number}`"),
        TokenKind::Capital(word) => format!("`{word}`"),
        _ => "this".to_owned(),
    };
    let error = Finding::new(Code::MissingFullStop, last.span, format!("a full stop `.` is missing after {said}"));
    Some(error.help("end every clause with a full stop `.`; semicolons `;` part statements"))
}

fn head_word(tokens: &[Token]) -> &str {
    match tokens.first().map(|t| &t.kind) {
        Some(TokenKind::Word(w)) => w,
        _ => "",
    }
}

pub(super) struct Reader<'a> {
    pub(super) lex: &'a dyn Lexicon,
    pub(super) scope: Scope,
    pub(super) errors: Vec<Finding>,
    /// Labels that only sentences bind which could not be read.
    pub(super) lost: Vec<Arc<str>>,
    pub(super) count: Option<Ambiguity>,
}

impl<'a> Reader<'a> {
    /// True if the table has the form.
    fn knows(&self, form: Form) -> bool {
        self.lex.forms().row(form).is_some()
    }

    fn new(lex: &'a dyn Lexicon, scope: Scope) -> Self {
        Reader { lex, scope, errors: Vec::new(), lost: Vec::new(), count: None }
    }

    /// Binds the parameters of a declaration.
    fn enter(&mut self, head: &str, header: &[Token]) {
        let item = Item {
            head: head.to_owned(),
            head_span: Span::default(),
            header: header.to_vec(),
            clauses: Vec::new(),
            faulty: Vec::new(),
            has_body: true,
            span: Span::default(),
        };
        let class = self.lex.card_class();
        if head == "card" && self.lex.term_named(TermKind::Class, &class).is_some() {
            self.scope.bind("this", Sort::Thing(class));
        }
        if matches!(head, "card" | "rule" | "ruling") {
            return;
        }
        for term in declare::declare(&item).0 {
            self.bind_params(&term);
        }
        if head == "action" {
            self.action_params(header);
        }
    }

    fn bind_params(&mut self, term: &Term) {
        match &term.detail {
            Detail::Attribute { of, value, per, .. } => {
                self.bind(of);
                if let (Some(label), TypeName::NumberFor(list)) = (per, value) {
                    self.scope.bind(label.clone(), Sort::Entry(list.clone()));
                }
            }
            Detail::Adjective { of } => self.bind(of),
            Detail::Relation { subject, object } => {
                self.bind(subject);
                self.bind(object);
            }
            Detail::Verb { frame } => frame.roles.iter().for_each(|r| self.bind(&r.param)),
            Detail::Procedure { params } => params.iter().for_each(|p| self.bind(p)),
            _ => {}
        }
    }

    fn bind(&mut self, param: &Param) {
        if !param.label.is_empty() {
            let scope = Scope::default();
            let sort = Chart::new(&[], self.lex, &scope, true, false).param_sort(param);
            self.scope.bind(param.label.clone(), sort);
        }
    }

    fn action_params(&mut self, tokens: &[Token]) -> Vec<(Arc<str>, Arc<str>)> {
        let params: Vec<Param> = tokens
            .iter()
            .filter_map(|t| match &t.kind {
                TokenKind::Paren(inner) => declare::param(inner),
                _ => None,
            })
            .collect();
        self.scope.bind(TARGET, Sort::AnyThing);
        params.iter().for_each(|p| self.bind(p));
        params.iter().map(|p| (p.label.clone(), Arc::from(declare::types_text(p)))).collect()
    }

    /// The phrase in a header: the body of an adjective, relation or definition, the default of a fact.
    fn header_body(&mut self, head: &str, header: &[Token]) -> Option<ReadClause> {
        let (tokens, want) = match head {
            "adjective" | "relation" => (declare::after_colon(header), Want::Condition),
            "define" | "figure" | "state" => (declare::after_equals(header), Want::Value),
            _ => return None,
        };
        let (first, last) = (tokens.first()?, tokens.last()?);
        let condition = head == "define" && declare::is_yes_or_no(header);
        let node = self.phrase(tokens, if condition { Want::Condition } else { want })?;
        let span = first.span.to(last.span);
        let kind = if node.sort == Sort::Condition { ClauseKind::Condition(node) } else { ClauseKind::Statement(node) };
        Some(ReadClause { marker: None, kind, span })
    }

    fn clauses(&mut self, clauses: &[Clause], steps: bool) -> Vec<ReadClause> {
        let mut read: Vec<ReadClause> = Vec::new();
        for clause in clauses {
            let head = head_word(&clause.tokens);
            let form = if head == "or" { Form::BlocksOr } else { Form::BlocksEither };
            if let (Some(block), "either" | "or", 1, true) =
                (&clause.block, head, clause.tokens.len(), self.knows(form))
            {
                let inner = self.clauses(block, steps);
                match read.last_mut() {
                    Some(ReadClause { kind: ClauseKind::Either(modes), span, .. }) if head == "or" => {
                        modes.push(inner);
                        *span = span.to(clause.span);
                    }
                    _ if head == "or" => self.errors.push(
                        Finding::new(Code::OrWithoutEither, clause.span, "this `or` follows no `either`")
                            .help("write `either { … } or { … }`"),
                    ),
                    _ => read.push(ReadClause {
                        marker: clause.marker.clone(),
                        kind: ClauseKind::Either(vec![inner]),
                        span: clause.span,
                    }),
                }
                continue;
            }
            if let Some(kind) = self.clause(clause, steps) {
                read.push(ReadClause { marker: clause.marker.clone(), kind, span: clause.span });
            }
        }
        read
    }

    fn clause(&mut self, clause: &Clause, steps: bool) -> Option<ClauseKind> {
        let head = head_word(&clause.tokens);
        if is_raw(self.lex.forms(), head) {
            self.errors.extend(run_on(head, clause));
            return Some(raw(clause).kind);
        }
        // total: without a first word nothing stands behind it
        let (first, rest) =
            clause.tokens.split_first().map_or((clause.span, &[][..]), |(head, rest)| (head.span, rest));
        match (head, &clause.block) {
            ("procedure", Some(block)) if self.knows(Form::BlocksProcedure) => {
                return self.procedure(rest, block, first);
            }
            ("step", Some(block)) if self.knows(Form::BlocksStep) => return self.step(rest, block, first),
            ("action", Some(block)) if self.knows(Form::BlocksAction) => return self.action(rest, block),
            ("steps", None) if self.knows(Form::BlocksSteps) => return self.steps(rest, first),
            ("timing", None) if self.knows(Form::BlocksTiming) => return self.timing(rest),
            (_, Some(block)) if self.class_named(&clause.tokens).is_some() => {
                let class = self.class_named(&clause.tokens)?;
                return Some(ClauseKind::Part { class, block: self.clauses(block, false) });
            }
            (head, _) if self.lex.forms().begins(Category::Declaration, head) && declares(head, rest) => {
                self.enter(head, rest);
                if let Some(body) = self.header_body(head, rest) {
                    return Some(body.kind);
                }
                return Some(raw(clause).kind);
            }
            _ => {}
        }
        if head == "action" {
            self.scope.bind(TARGET, Sort::AnyThing);
        }
        let kind = self.sentence(&clause.tokens, Place { steps, block: clause.block.is_some() })?;
        let Some(block) = &clause.block else { return Some(kind) };
        match kind {
            ClauseKind::May { by, cost, choices, conditions, during, limit, effect, .. } => {
                let block = self.clauses(block, false);
                Some(ClauseKind::May { by, cost, choices, conditions, during, limit, effect, block })
            }
            ClauseKind::Play { targets, during, conditions, choices, .. } => {
                let block = self.clauses(block, false);
                Some(ClauseKind::Play { targets, during, conditions, choices, block })
            }
            ClauseKind::Carried { np, .. } => {
                let before = self.scope.clone();
                self.scope.bind("this", np.sort.clone());
                let block = self.clauses(block, false);
                self.scope = before;
                Some(ClauseKind::Carried { np, block })
            }
            _ => {
                self.errors.push(
                    Finding::new(Code::BlockNotExpected, clause.span, "this kind of clause has no block")
                        .help("end the sentence with a full stop"),
                );
                None
            }
        }
    }

    // ---- blocks

    fn procedure(&mut self, tokens: &[Token], block: &[Clause], at: Span) -> Option<ClauseKind> {
        let item = declare::pretend("procedure", tokens, at);
        let (terms, errors) = declare::declare(&item);
        self.errors.extend(errors);
        let term = terms.into_iter().next()?;
        self.bind_params(&term);
        let params = match &term.detail {
            Detail::Procedure { params } => params,
            _ => return None,
        };
        let parameters = params.iter().map(|p| (p.label.clone(), Arc::from(declare::types_text(p)))).collect();
        Some(ClauseKind::Procedure { term: term.key.clone(), parameters, block: self.clauses(block, true) })
    }

    /// `NAME of PROCEDURE`, `NAME`.
    fn step(&mut self, tokens: &[Token], block: &[Clause], at: Span) -> Option<ClauseKind> {
        let is_of = |t: &Token| matches!(&t.kind, TokenKind::Word(w) if w == "of");
        let of = tokens.iter().rposition(is_of);
        // The name of a procedure, or of a step, may itself hold an `of`.
        let places = tokens.iter().enumerate().filter(|(_, t)| is_of(t)).map(|(i, _)| i);
        let named = places.into_iter().find_map(|of| {
            let words = declare::words_of(tokens.get(of + 1..)?)?;
            self.lex.term_named(TermKind::Procedure, &words.join(" ")).map(|t| (of, t))
        });
        let name = declare::words_of(tokens.get(..named.as_ref().map_or(tokens.len(), |(of, _)| *of))?);
        let Some(name) = name else {
            let span = tokens.first().map_or(at, |t| t.span);
            self.errors.push(
                Finding::new(Code::BadStep, span, "a step has a name").help("write `step NAME of PROCEDURE { … }`"),
            );
            return None;
        };
        if let (Some(of), None) = (of, &named) {
            let span = tokens.get(of + 1).map_or(tokens[of].span, |t| t.span);
            self.errors.push(Finding::new(Code::UnknownProcedure, span, "no procedure of this name is declared"));
        }
        if let Some((_, term)) = &named {
            self.bind_params(term);
        }
        Some(ClauseKind::Step {
            name: Arc::from(name.join(" ")),
            procedure: named.map(|(_, t)| t.key.clone()),
            block: self.clauses(block, true),
        })
    }

    fn steps(&mut self, tokens: &[Token], at: Span) -> Option<ClauseKind> {
        let mut names: Vec<Arc<str>> = Vec::new();
        for part in tokens.split(|t| t.kind == TokenKind::Comma) {
            match declare::words_of(part) {
                Some(words) => names.push(Arc::from(words.join(" "))),
                None => {
                    let span = part.first().or(tokens.first()).map_or(at, |t| t.span);
                    let error = Finding::new(Code::BadStep, span, "the names of steps are words");
                    self.errors.push(error.help("write `steps NAME, NAME.`"));
                    return None;
                }
            }
        }
        let mut fixed = true;
        if let Some(last) = names.last_mut()
            && let Some(name) = last.strip_suffix(" in any order")
        {
            *last = Arc::from(name);
            fixed = false;
        }
        Some(ClauseKind::Steps { names, fixed })
    }

    /// `VERB for (CLASS X)`.
    fn action(&mut self, tokens: &[Token], block: &[Clause]) -> Option<ClauseKind> {
        let end = tokens.iter().take_while(|t| !matches!(&t.kind, TokenKind::Word(w) if w == "for")).count();
        let verb = self.verb_named(tokens.get(..end)?)?;
        // total: without a thing that it is about, no class has this name, which lowering says
        let parameter = self.action_params(tokens).into_iter().next().unwrap_or_else(|| (Arc::from(""), Arc::from("")));
        Some(ClauseKind::Action { verb, parameter, block: self.clauses(block, false) })
    }

    fn timing(&mut self, tokens: &[Token]) -> Option<ClauseKind> {
        let name = declare::words_of(declare::head_part(tokens))?;
        let verbs = declare::after_colon(tokens)
            .split(|t| t.kind == TokenKind::Comma)
            .map(|part| self.verb_named(part))
            .collect::<Option<Vec<_>>>()?;
        Some(ClauseKind::Timing { name: Arc::from(name.join(" ")), verbs })
    }

    /// The class of these words, if they are nothing else.
    fn class_named(&self, tokens: &[Token]) -> Option<TermKey> {
        let words = declare::words_of(tokens)?;
        self.lex.term_named(TermKind::Class, &words.join(" ")).map(|t| t.key.clone())
    }

    /// The verb with this plain form; the first declared if there are several.
    fn verb_named(&mut self, tokens: &[Token]) -> Option<TermKey> {
        let words = declare::words_of(tokens)?;
        let span = tokens.first()?.span;
        let terms = self.lex.terms_with(words.first()?);
        let is_it = |t: &&Arc<Term>| {
            t.key.kind == TermKind::Verb && t.form(super::term::Use::Base).is_some_and(|f| f.words == words)
        };
        let found = terms.iter().find(is_it).map(|t| t.key.clone());
        if found.is_none() {
            self.errors.push(Finding::new(
                Code::UnknownWord,
                span,
                format!("no verb `{}` is declared", words.join(" ")),
            ));
        }
        found
    }
}

/// A head like `role` or `verb` begins a declaration only if a declaration follows; a sentence may begin with
/// a noun of the same spelling.
fn declares(head: &str, rest: &[Token]) -> bool {
    let item = declare::pretend(head, rest, Span::default());
    let (terms, errors) = declare::declare(&item);
    !terms.is_empty() && errors.is_empty()
}
