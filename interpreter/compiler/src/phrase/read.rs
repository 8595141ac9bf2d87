//! Reading the clauses of an item.

use std::cell::Cell;
use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Item, Span, Token, TokenKind};

use super::chart::Chart;
use super::clause::{ClauseKind, ReadClause};
use super::data;
use super::declare::{self, Declaration};
use super::draft::Place;
use super::forms::{Category, Form};
use super::grant::TARGET;
use super::lexicon::Lexicon;
use super::outline::{Header, Outline, outline, outlines};
use super::repair::MOST_SLOTS_OF_ITEM;
use super::scope::Scope;
use super::term::{Detail, Param, Term, TypeName};
use super::tree::{Node, Sort, TermKey, TermKind};
use crate::finding::Finding;

/// Heads of items all of whose clauses are plain data, or lines of a declaration.
const RAW_ITEMS: &[&str] = &["class", "ruling", "edition", "variant", "document", "filing", "kernel", "layout", "list"];

/// Reads all clauses of an item, and the body that stands in its header. Every clause is read on its own, so
/// that one that cannot be read hides no other.
pub fn read_item(item: &Item, lexicon: &dyn Lexicon) -> (Vec<ReadClause>, Vec<Finding>) {
    let mut reader = Reader::new(lexicon, Scope::default());
    reader.item = &item.head;
    let mut clauses = Vec::new();
    if RAW_ITEMS.contains(&item.head.as_str()) {
        // They have readers of their own, which tell what is wrong; but what a class is by a condition is a phrase.
        if item.head == "class" {
            let header =
                Header { tokens: &item.header, at: item.head_span, block: item.has_body.then_some(&item.clauses) };
            clauses.extend(reader.enter(&item.head, header));
        }
        clauses.extend(item.clauses.iter().map(raw));
        return (clauses, reader.errors);
    }
    reader.errors.extend(data::repeated(lexicon.forms(), &item.head, &item.clauses));
    let header = Header { tokens: &item.header, at: item.head_span, block: item.has_body.then_some(&item.clauses) };
    clauses.extend(reader.enter(&item.head, header));
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
        let header = Header { tokens: &item.header, at: item.head_span, block: item.has_body.then_some(&item.clauses) };
        reader.enter(&item.head, header);
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
    let kind = ClauseKind::Raw { head, clause: clause.clone() };
    ReadClause { marker: clause.marker.clone(), kind, span: clause.span }
}

fn head_word(tokens: &[Token]) -> &str {
    match tokens.first().map(|t| &t.kind) {
        Some(TokenKind::Word(w)) => w,
        _ => "",
    }
}

pub(super) struct Reader<'a> {
    pub(super) lex: &'a dyn Lexicon,
    /// The head of the item; empty for what stands in none.
    pub(super) item: &'a str,
    pub(super) scope: Scope,
    pub(super) errors: Vec<Finding>,
    /// Labels that only sentences bind which could not be read.
    pub(super) lost: Vec<Arc<str>>,
    pub(super) count: Option<Ambiguity>,
    /// How many slots may still be read to propose how a sentence is mended.
    pub(super) trials: Cell<usize>,
}

impl<'a> Reader<'a> {
    /// True if the table has the form.
    fn knows(&self, form: Form) -> bool {
        self.lex.forms().row(form).is_some()
    }

    fn new(lex: &'a dyn Lexicon, scope: Scope) -> Self {
        let trials = Cell::new(MOST_SLOTS_OF_ITEM);
        Reader { lex, item: "", scope, errors: Vec::new(), lost: Vec::new(), count: None, trials }
    }

    /// Binds the parameters of a declaration, and reads the phrase in its header.
    fn enter(&mut self, head: &str, header: Header<'_>) -> Option<ReadClause> {
        let class = self.lex.card_class();
        if head == "card" && self.lex.term_named(TermKind::Class, &class).is_some() {
            self.scope.bind("this", Sort::Thing(class));
        }
        let Some(declaration) = declare::declaration(self.lex.forms(), head, header) else {
            declare::kept(self.lex.forms(), head, header).iter().for_each(|term| self.bind_params(term));
            return None;
        };
        self.declared(&declaration)
    }

    fn declared(&mut self, declaration: &Declaration<'_>) -> Option<ReadClause> {
        declaration.terms.iter().for_each(|term| self.bind_params(term));
        let (tokens, want) = declaration.body?;
        let (first, last) = (tokens.first()?, tokens.last()?);
        let node = self.phrase(tokens, want)?;
        let span = first.span.to(last.span);
        let kind = if node.sort == Sort::Condition { ClauseKind::Condition(node) } else { ClauseKind::Statement(node) };
        Some(ReadClause { marker: None, kind, span })
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
            Detail::Class { superclass: Some(above), label: Some(label) } => {
                self.bind(&Param { label: label.clone(), types: vec![TypeName::Named(above.clone())] });
            }
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

    fn clauses(&mut self, clauses: &[Clause], steps: bool) -> Vec<ReadClause> {
        let mut read: Vec<ReadClause> = Vec::new();
        for clause in clauses {
            if let Some(kind) = self.clause(clause, steps) {
                read.push(ReadClause { marker: clause.marker.clone(), kind, span: clause.span });
            }
        }
        read
    }

    fn clause(&mut self, clause: &Clause, steps: bool) -> Option<ClauseKind> {
        let head = head_word(&clause.tokens);
        if data::begins(self.lex.forms(), self.item, head) {
            self.errors.extend(data::sentence_by(self.lex.forms(), self.item, clause).err());
            return Some(raw(clause).kind);
        }
        if matches!(self.item, "card" | "rule")
            && let Some(item) = declare::fact_item(clause)
        {
            let wrong = declare::wrong_fact(self.lex.forms(), self.item, clause, &item);
            let is_whole = !wrong.iter().any(Finding::is_error);
            self.errors.extend(wrong);
            return is_whole.then(|| raw(clause).kind);
        }
        let head = match declare::near_head(self.lex, head, clause.block.is_some()) {
            Some(meant) => {
                let at = clause.tokens.first().map_or(clause.span, |token| token.span);
                let error = Finding::new(Code::UnknownWord, at, format!("no word `{head}` is declared"));
                self.errors.push(error.help(format!("did you mean `{meant}`?")));
                meant
            }
            None => head,
        };
        // total: without a first word nothing stands behind it
        let (first, rest) =
            clause.tokens.split_first().map_or((clause.span, &[][..]), |(head, rest)| (head.span, rest));
        let header = Header { tokens: rest, at: first, block: clause.block.as_deref() };
        match (head, &clause.block) {
            ("procedure", Some(_)) if self.knows(Form::BlocksProcedure) => return self.procedure(header),
            ("step", Some(_)) if self.knows(Form::BlocksStep) => return self.step(header),
            ("action", Some(_)) if self.knows(Form::BlocksAction) => return self.action(header),
            ("steps", None) if self.knows(Form::BlocksSteps) => return self.steps(header),
            ("timing", None) if self.knows(Form::BlocksTiming) => return self.timing(header),
            (_, Some(block)) if self.class_named(&clause.tokens).is_some() => {
                let class = self.class_named(&clause.tokens)?;
                return Some(ClauseKind::Part { class, block: self.clauses(block, false) });
            }
            // A head like `role` or `verb` begins a declaration only if a declaration follows; a sentence may begin
            // with a noun of the same spelling.
            (head, None) if self.lex.forms().begins(Category::Declaration, head) => {
                if let Some(declaration) = declare::declaration(self.lex.forms(), head, header) {
                    return Some(match self.declared(&declaration) {
                        Some(body) => body.kind,
                        None => raw(clause).kind,
                    });
                }
            }
            _ => {}
        }
        if head == "action" {
            self.scope.bind(TARGET, Sort::AnyThing);
        }
        let told = self.errors.len();
        let outer = self.scope.clone();
        let Some(kind) = self.sentence(&clause.tokens, Place { steps, block: clause.block.is_some() }) else {
            if let Some(misplaced) = data::misplaced(self.lex.forms(), self.item, clause) {
                self.errors.truncate(told);
                self.errors.push(misplaced);
            }
            return None;
        };
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
            ClauseKind::Lasts { long, .. } => {
                // What is named in its end is not known in what ends.
                self.scope = outer.clone();
                let block = self.clauses(block, false);
                self.scope = outer;
                Some(ClauseKind::Lasts { long, block })
            }
            ClauseKind::In { places, .. } => {
                let before = self.scope.clone();
                let block = self.clauses(block, false);
                self.scope = before;
                Some(ClauseKind::In { places, block })
            }
            ClauseKind::Carried { np, .. } => {
                self.scope = outer.clone();
                self.scope.bind("this", np.sort.clone());
                if let (Some(label), _) = np.labelled() {
                    self.scope.bind(label.clone(), np.sort.clone());
                }
                let block = self.clauses(block, false);
                self.scope = outer;
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

    /// The form of a block, or the error that says what it needs.
    fn block<'t>(&mut self, head: &str, header: Header<'t>) -> Option<Outline<'t>> {
        match outline(self.lex.forms(), Category::Blocks, head, header) {
            Ok(found) => Some(found),
            Err(missed) => {
                self.errors.push(missed.miss.error(Code::BadDeclaration));
                None
            }
        }
    }

    fn procedure(&mut self, header: Header<'_>) -> Option<ClauseKind> {
        let found = self.block("procedure", header)?;
        let term = declare::declaration(self.lex.forms(), "procedure", header)?.terms.into_iter().next()?;
        self.bind_params(&term);
        let parameters = found.parts("of").map(|of| labelled(&declare::param(of))).collect();
        Some(ClauseKind::Procedure { term: term.key, parameters, block: self.clauses(found.clauses("clauses"), true) })
    }

    fn step(&mut self, header: Header<'_>) -> Option<ClauseKind> {
        let found = match outlines(self.lex.forms(), Category::Blocks, "step", header) {
            Ok(found) => found,
            Err(missed) => {
                let error = Finding::new(Code::BadStep, missed.miss.span, "a step has a name");
                self.errors.push(error.help("write `step NAME of PROCEDURE { … }`"));
                return None;
            }
        };
        // The name of a procedure, or of a step, may itself hold an `of`: the shortest name of a step is meant behind
        // which a procedure stands.
        let procedure = |one: &Outline<'_>| {
            let name = one.has("p").then(|| one.text("p"))?;
            self.lex.term_named(TermKind::Procedure, &name)
        };
        let term = found.iter().rev().find_map(procedure);
        if let (None, Some(unknown)) = (&term, found.first().and_then(|one| one.tokens("p")?.first())) {
            let message = "no procedure of this name is declared";
            self.errors.push(Finding::new(Code::UnknownProcedure, unknown.span, message));
        }
        let is_it = |one: &&Outline<'_>| {
            one.has("p") == term.is_some() && term.as_ref().is_none_or(|t| t.key.name == one.text("p"))
        };
        let named = found.iter().rev().find(is_it)?;
        if let Some(term) = &term {
            self.bind_params(term);
        }
        Some(ClauseKind::Step {
            name: named.text("name"),
            procedure: term.map(|term| term.key.clone()),
            block: self.clauses(named.clauses("clauses"), true),
        })
    }

    fn steps(&mut self, header: Header<'_>) -> Option<ClauseKind> {
        match outline(self.lex.forms(), Category::Blocks, "steps", header) {
            Ok(found) => {
                self.errors.extend(found.said_twice(Code::BadStep));
                let names = found.each("names").map(|name| declare::joined(&name)).collect();
                Some(ClauseKind::Steps { names, fixed: !found.has("any") })
            }
            Err(missed) => {
                let error = Finding::new(Code::BadStep, missed.miss.span, "the names of steps are words");
                self.errors.push(error.help("write `steps NAME, NAME.`"));
                None
            }
        }
    }

    fn action(&mut self, header: Header<'_>) -> Option<ClauseKind> {
        let found = self.block("action", header)?;
        let verb = self.verb_named(found.tokens("v")?)?;
        let thing = declare::param(found.part("of")?);
        self.scope.bind(TARGET, Sort::AnyThing);
        self.bind(&thing);
        let parameter = labelled(&thing);
        Some(ClauseKind::Action { verb, parameter, block: self.clauses(found.clauses("clauses"), false) })
    }

    fn timing(&mut self, header: Header<'_>) -> Option<ClauseKind> {
        let found = self.block("timing", header)?;
        self.errors.extend(found.said_twice(Code::BadDeclaration));
        let verbs = found.each_tokens("verbs").map(|verb| self.verb_named(verb)).collect::<Option<Vec<_>>>()?;
        Some(ClauseKind::Timing { name: found.text("name"), verbs })
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

/// The label and the classes of a parameter.
fn labelled(param: &Param) -> (Arc<str>, Arc<str>) {
    (param.label.clone(), Arc::from(declare::types_text(param)))
}
