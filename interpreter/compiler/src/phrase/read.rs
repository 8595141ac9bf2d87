//! Reading the clauses of an item.

use std::sync::Arc;

use netrep_grammar::tree::{Clause, Item, Span, Token, TokenKind};

use super::chart::Chart;
use super::clause::{ClauseKind, ReadClause};
use super::declare;
use super::draft::{Draft, Place, Shape, TARGET};
use super::error::PhraseError;
use super::explain;
use super::lexicon::Lexicon;
use super::render;
use super::scope::Scope;
use super::slot::{Slot, flatten};
use super::term::{Detail, Param, Term};
use super::tree::{Node, Op, Sort, TermKey, TermKind};

/// Heads of clauses that are no phrases: they are kept as tokens.
const RAW: &[&str] = &[
    "cites", "printed", "partial", "source", "sources", "despite", "about", "question", "reading", "authority", "awaits",
    "document", "date", "status", "amend", "replace", "add", "default", "order", "names", "note", "awaits",
];

/// Heads of items whose clauses are data of other readers.
const RAW_ITEMS: &[&str] = &["ruling", "edition", "kernel", "deck", "position", "scenario", "list"];

/// Heads of sentences in rules that declare a term.
const DECLARING: &[&str] = &["adjective", "relation", "define", "role", "state", "place", "verb", "class", "figure"];

/// Reads all clauses of an item, and the body that stands in its header. Every clause is read on its own, so
/// that one that cannot be read hides no other.
pub fn read_item(item: &Item, lexicon: &dyn Lexicon) -> (Vec<ReadClause>, Vec<PhraseError>) {
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

/// Reads clauses with labels in scope, such as those of an amendment. `steps`: statements are sentences.
pub fn read_clauses(
    clauses: &[Clause],
    scope: &Scope,
    steps: bool,
    lexicon: &dyn Lexicon,
) -> (Vec<ReadClause>, Vec<PhraseError>) {
    let mut reader = Reader::new(lexicon, scope.clone());
    let read = reader.clauses(clauses, steps);
    (read, reader.errors)
}

/// Reads one sentence as a clause, such as a line of a scenario.
pub fn read_sentence(
    tokens: &[Token],
    scope: &Scope,
    steps: bool,
    lexicon: &dyn Lexicon,
) -> Result<ClauseKind, PhraseError> {
    let mut reader = Reader::new(lexicon, scope.clone());
    let kind = reader.sentence(tokens, Place { steps, block: false });
    match (kind, reader.errors.pop()) {
        (Some(kind), None) => Ok(kind),
        (_, Some(error)) => Err(error),
        (None, None) => Err(PhraseError::new("empty-sentence", "there is nothing to read", Span::default())),
    }
}

/// Reads a phrase of one category.
pub fn read_phrase(
    tokens: &[Token],
    want: Want,
    scope: &Scope,
    lexicon: &dyn Lexicon,
) -> Result<Node, PhraseError> {
    let mut reader = Reader::new(lexicon, scope.clone());
    let node = reader.phrase(tokens, want);
    match (node, reader.errors.pop()) {
        (Some(node), None) => Ok(node),
        (_, Some(error)) => Err(error),
        (None, None) => Err(PhraseError::new("empty-sentence", "there is nothing to read", Span::default())),
    }
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

fn head_word(tokens: &[Token]) -> &str {
    match tokens.first().map(|t| &t.kind) {
        Some(TokenKind::Word(w)) => w,
        _ => "",
    }
}

struct Reader<'a> {
    lex: &'a dyn Lexicon,
    scope: Scope,
    errors: Vec<PhraseError>,
    count: Option<Ambiguity>,
}

impl<'a> Reader<'a> {
    fn new(lex: &'a dyn Lexicon, scope: Scope) -> Self {
        Reader { lex, scope, errors: Vec::new(), count: None }
    }

    /// Binds the parameters of a declaration.
    fn enter(&mut self, head: &str, header: &[Token]) {
        let item = Item {
            head: head.to_owned(),
            head_span: Span::default(),
            header: header.to_vec(),
            clauses: Vec::new(),
            has_body: true,
            span: Span::default(),
        };
        if self.lex.term_named(TermKind::Class, head).is_some() {
            self.scope.bind("this", Sort::Thing(Arc::from(head)));
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
            Detail::Attribute { of, .. } | Detail::Adjective { of } => self.bind(of),
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
            if let (Some(block), "either" | "or", 1) = (&clause.block, head, clause.tokens.len()) {
                let inner = self.clauses(block, steps);
                match read.last_mut() {
                    Some(ReadClause { kind: ClauseKind::Either(modes), span, .. }) if head == "or" => {
                        modes.push(inner);
                        *span = span.to(clause.span);
                    }
                    _ if head == "or" => self.errors.push(
                        PhraseError::new("or-without-either", "this `or` follows no `either`", clause.span)
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
        if RAW.contains(&head) {
            return Some(raw(clause).kind);
        }
        let rest = clause.tokens.get(1..).unwrap_or(&[]);
        match (head, &clause.block) {
            ("procedure", Some(block)) => return self.procedure(rest, block),
            ("step", Some(block)) => return self.step(rest, block),
            ("action", Some(block)) => return self.action(rest, block),
            ("steps", None) => return self.steps(rest),
            ("timing", None) => return self.timing(rest),
            (head, _) if DECLARING.contains(&head) && declares(head, rest) => {
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
                    PhraseError::new("block-not-expected", "this kind of clause has no block", clause.span)
                        .help("end the sentence with a full stop"),
                );
                None
            }
        }
    }

    // ---- blocks

    fn procedure(&mut self, tokens: &[Token], block: &[Clause]) -> Option<ClauseKind> {
        let item = declare::pretend("procedure", tokens);
        let (terms, errors) = declare::declare(&item);
        self.errors.extend(errors);
        let term = terms.into_iter().next()?;
        self.bind_params(&term);
        let Detail::Procedure { params } = &term.detail else { return None };
        let parameters = params.iter().map(|p| (p.label.clone(), Arc::from(declare::types_text(p)))).collect();
        Some(ClauseKind::Procedure { term: term.key.clone(), parameters, block: self.clauses(block, true) })
    }

    /// `NAME of PROCEDURE`, `NAME`.
    fn step(&mut self, tokens: &[Token], block: &[Clause]) -> Option<ClauseKind> {
        let of = tokens.iter().rposition(|t| matches!(&t.kind, TokenKind::Word(w) if w == "of"));
        let named = of.and_then(|of| {
            let words = declare::words_of(tokens.get(of + 1..)?)?;
            self.lex.term_named(TermKind::Procedure, &words.join(" ")).map(|t| (of, t))
        });
        let name = declare::words_of(tokens.get(..named.as_ref().map_or(tokens.len(), |(of, _)| *of))?);
        let Some(name) = name else {
            let span = tokens.first().map_or(Span::default(), |t| t.span);
            self.errors.push(PhraseError::new("bad-step", "a step has a name", span).help("write `step NAME of PROCEDURE { … }`"));
            return None;
        };
        if let (Some(of), None) = (of, &named) {
            let span = tokens.get(of + 1).map_or(Span::default(), |t| t.span);
            self.errors.push(PhraseError::new("unknown-procedure", "no procedure of this name is declared", span));
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

    fn steps(&mut self, tokens: &[Token]) -> Option<ClauseKind> {
        let mut names: Vec<Arc<str>> = Vec::new();
        for part in tokens.split(|t| t.kind == TokenKind::Comma) {
            match declare::words_of(part) {
                Some(words) => names.push(Arc::from(words.join(" "))),
                None => {
                    let span = part.first().or(tokens.first()).map_or(Span::default(), |t| t.span);
                    let error = PhraseError::new("bad-step", "the names of steps are words", span);
                    self.errors.push(error.help("write `steps NAME, NAME.`"));
                    return None;
                }
            }
        }
        let mut fixed = true;
        if let Some(last) = names.last_mut()
            && let Some(name) = last.strip_suffix(" in any order") {
                *last = Arc::from(name);
                fixed = false;
            }
        Some(ClauseKind::Steps { names, fixed })
    }

    /// `VERB for (CLASS X)`.
    fn action(&mut self, tokens: &[Token], block: &[Clause]) -> Option<ClauseKind> {
        let end = tokens.iter().position(|t| matches!(&t.kind, TokenKind::Word(w) if w == "for")).unwrap_or(tokens.len());
        let verb = self.verb_named(tokens.get(..end)?)?;
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

    /// The verb with this plain form; the first declared if there are several.
    fn verb_named(&mut self, tokens: &[Token]) -> Option<TermKey> {
        let words = declare::words_of(tokens)?;
        let first = words.first()?;
        let terms = self.lex.terms_with(first);
        let is_it = |t: &&Arc<Term>| {
            t.key.kind == TermKind::Verb && t.form(super::term::Use::Base).is_some_and(|f| f.words == words)
        };
        let found = terms.iter().find(is_it).map(|t| t.key.clone());
        if found.is_none() {
            let span = tokens.first().map_or(Span::default(), |t| t.span);
            self.errors.push(PhraseError::new("unknown-word", format!("no verb `{}` is declared", words.join(" ")), span));
        }
        found
    }

    // ---- sentences

    /// Reads the slots with a chart; if nothing can be read, once more to explain why.
    fn chart<R>(&self, slots: &[Slot], prefer: bool, read: impl Fn(&Chart<'_>) -> Vec<R>) -> Attempt<R> {
        let quiet = Chart::new(slots, self.lex, &self.scope, prefer, false);
        let readings = settled(&quiet, &read);
        let beyond = quiet.beyond();
        let error = match (&beyond, readings.is_empty() && prefer) {
            (Some(error), _) => Some(error.clone()),
            (None, true) => {
                let noting = Chart::new(slots, self.lex, &self.scope, prefer, true);
                settled(&noting, &read);
                Some(explain::unreadable(&noting))
            }
            (None, false) => None,
        };
        Attempt { readings, bound: quiet.bindings(), error }
    }

    fn sentence(&mut self, tokens: &[Token], place: Place) -> Option<ClauseKind> {
        let slots = flatten(tokens);
        let lex = self.lex;
        let read = |chart: &Chart<'_>| {
            let drafts = chart.preferred(chart.drafts(place));
            let kinds: Vec<ClauseKind> = drafts.iter().map(|d| built(chart, d)).collect();
            dedup(kinds)
        };
        if let Some(mut count) = self.count {
            count.sentences += 1;
            count.before += usize::from(self.chart(&slots, false, read).readings.len() > 1);
            self.count = Some(count);
        }
        let Attempt { readings: mut kinds, bound, error } = self.chart(&slots, true, read);
        for (label, sort) in bound {
            self.scope.bind_also(label, sort);
        }
        if let Some(count) = &mut self.count {
            count.after += usize::from(kinds.len() > 1);
        }
        if let Some(error) = error {
            self.errors.push(error);
            return None;
        }
        if kinds.len() > 1 {
            let span = whole(tokens);
            let mut texts: Vec<String> = kinds.iter().map(|k| render::render_kind(k, &|key| lex.term_named(key.kind, &key.name))).collect();
            if let [a, b, ..] = kinds.as_slice() {
                tell_apart(&super::clause::nodes(a), &super::clause::nodes(b), &mut texts);
            }
            self.errors.push(ambiguous(&texts, span));
            return None;
        }
        let kind = kinds.pop()?;
        self.rebind(&kind);
        Some(kind)
    }

    /// Makes the labels of the chosen reading those in scope.
    fn rebind(&mut self, kind: &ClauseKind) {
        let mut bound = Vec::new();
        for node in super::clause::nodes(kind) {
            bindings(node, &mut bound);
        }
        for (label, sort) in bound {
            self.scope.bind(label, sort);
        }
    }

    fn phrase(&mut self, tokens: &[Token], want: Want) -> Option<Node> {
        let slots = flatten(tokens);
        let lex = self.lex;
        let read = |chart: &Chart<'_>| {
            let end = chart.slots.len();
            let cats: &[super::chart::Cat] = match want {
                Want::Condition => &[super::chart::Cat::Cond],
                Want::Statement => &[super::chart::Cat::Seq],
                Want::Event => &[super::chart::Cat::Event],
                Want::Value => &[super::chart::Cat::Np, super::chart::Cat::Num],
            };
            let mut found: Vec<(usize, super::chart::T)> = Vec::new();
            for cat in cats {
                found.extend(chart.cell(*cat, 0).iter().filter(|(e, _)| *e == end).cloned());
            }
            if want == Want::Value {
                for sort in [Sort::Condition, Sort::AnyThing] {
                    found.extend(chart.values(0, &sort).into_iter().filter(|(e, t)| *e == end && matches!(t.op, Op::Truth(_) | Op::Nothing)));
                }
            }
            let best = best(found);
            let mut nodes: Vec<Node> = Vec::new();
            for tree in best {
                let node = chart.node(&tree);
                if !nodes.contains(&node) {
                    nodes.push(node);
                }
            }
            nodes
        };
        if let Some(mut count) = self.count {
            count.sentences += 1;
            count.before += usize::from(self.chart(&slots, false, read).readings.len() > 1);
            self.count = Some(count);
        }
        let Attempt { readings: mut nodes, error, .. } = self.chart(&slots, true, read);
        if let Some(count) = &mut self.count {
            count.after += usize::from(nodes.len() > 1);
        }
        if nodes.len() > 1 {
            let mut texts: Vec<String> = nodes.iter().map(|n| render::render(n, &|key| lex.term_named(key.kind, &key.name))).collect();
            if let [a, b, ..] = nodes.as_slice() {
                tell_apart(&[a], &[b], &mut texts);
            }
            self.errors.push(ambiguous(&texts, whole(tokens)));
            return None;
        }
        self.errors.extend(error);
        nodes.pop()
    }
}

/// What came of reading a row of slots.
struct Attempt<R> {
    readings: Vec<R>,
    /// Labels bound on the way.
    bound: Vec<(Arc<str>, Sort)>,
    /// Why there is no reading.
    error: Option<PhraseError>,
}

/// Reads, again if a label was used before its binding was read.
fn settled<R>(chart: &Chart<'_>, read: &impl Fn(&Chart<'_>) -> Vec<R>) -> Vec<R> {
    let mut readings = read(chart);
    for _ in 0..3 {
        if !chart.wants_again() {
            break;
        }
        readings = read(chart);
    }
    readings
}

/// The trees that no other is preferred to.
fn best(found: Vec<(usize, super::chart::T)>) -> Vec<super::chart::T> {
    let trees: Vec<super::chart::T> = found.into_iter().map(|(_, t)| t).collect();
    trees.iter().filter(|t| !trees.iter().any(|o| super::chart::better(o, t))).cloned().collect()
}

fn whole(tokens: &[Token]) -> Span {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => Span::default(),
    }
}

fn ambiguous(texts: &[String], span: Span) -> PhraseError {
    let mut error = PhraseError::new("ambiguous-phrase", "this can be read in more than one way", span);
    for (i, text) in texts.iter().take(2).enumerate() {
        let which = if i == 0 { "either" } else { "or" };
        error = error.label(span, format!("{which}: {text}"));
    }
    error.help("group with parentheses, or give the thing meant a label with `as` and use the label")
}

/// Two readings may be the same English by different terms: then the terms are named.
fn tell_apart(a: &[&Node], b: &[&Node], texts: &mut [String]) {
    let [x, y, ..] = texts else { return };
    if x != y {
        return;
    }
    let differ = a.iter().zip(b).find_map(|(a, b)| first_difference(a, b));
    if let Some((this, other)) = differ {
        x.push_str(&format!(" (where {this})"));
        y.push_str(&format!(" (where {other})"));
    }
}

fn first_difference(a: &Node, b: &Node) -> Option<(String, String)> {
    let said = |n: &Node| match &n.op {
        Op::Relates(k) | Op::RelatedBy(k) | Op::Do(k) | Op::Event(k) | Op::Did(k, _) | Op::Done(k, _) | Op::Of(k) => {
            format!("`{}` is meant", k.name)
        }
        Op::Noun(k) => format!("{} is meant", super::sorts::article(&k.name)),
        _ => format!("it is {}", super::sorts::sort_text(&n.sort)),
    };
    if a.op != b.op || a.kids.len() != b.kids.len() {
        return Some((said(a), said(b)));
    }
    let inner = a.kids.iter().zip(&b.kids).find_map(|(a, b)| first_difference(a, b));
    inner.or_else(|| (a.sort != b.sort).then(|| (said(a), said(b))))
}

/// A head like `role` or `verb` begins a declaration only if a declaration follows; a sentence may begin with
/// a noun of the same spelling.
fn declares(head: &str, rest: &[Token]) -> bool {
    let item = declare::pretend(head, rest);
    let (terms, errors) = declare::declare(&item);
    !terms.is_empty() && errors.is_empty()
}

fn dedup(kinds: Vec<ClauseKind>) -> Vec<ClauseKind> {
    let mut unique: Vec<ClauseKind> = Vec::new();
    for kind in kinds {
        if !unique.contains(&kind) {
            unique.push(kind);
        }
    }
    unique
}

/// The labels that a phrase binds, in order.
fn bindings(node: &Node, bound: &mut Vec<(Arc<str>, Sort)>) {
    match &node.op {
        Op::As(label) | Op::LetLabel(label) => {
            bound.extend(node.kids.first().map(|k| (label.clone(), k.sort.clone())));
        }
        Op::ForEach(label) => bound.extend(node.kids.first().map(|k| (label.clone(), k.sort.clone()))),
        Op::Choose(label) | Op::MayChoose(label) => bound.extend(node.kids.get(1).map(|k| (label.clone(), k.sort.clone()))),
        Op::Roll(label) => bound.push((label.clone(), Sort::Number)),
        Op::Create(class, label, _) => bound.push((label.clone(), Sort::Thing(class.name.clone()))),
        _ => {}
    }
    for kid in &node.kids {
        bindings(kid, bound);
    }
}

/// The clause of a draft.
fn built(chart: &Chart<'_>, draft: &Draft) -> ClauseKind {
    let node = |t: &super::chart::T| chart.node(t);
    let nodes = |ts: &[super::chart::T]| ts.iter().map(|t| chart.node(t)).collect::<Vec<_>>();
    let empty = || Node { op: Op::Sequence, sort: Sort::Statement, kids: Vec::new(), span: Span::default() };
    let first = || draft.first.as_ref().map_or_else(empty, node);
    let body = || draft.body.as_ref().map_or_else(empty, node);
    let condition = || draft.conditions.first().map(node);
    match &draft.shape {
        Shape::Figure(attribute, values) => ClauseKind::Figure { attribute: attribute.clone(), values: values.clone() },
        Shape::Play => ClauseKind::Play {
            targets: nodes(&draft.targets),
            during: draft.during.clone(),
            conditions: nodes(&draft.conditions),
            choices: nodes(&draft.choices),
            block: Vec::new(),
        },
        Shape::Condition => ClauseKind::Condition(first()),
        Shape::Always => ClauseKind::Always(first()),
        Shape::Leaves => ClauseKind::Leaves(first()),
        Shape::Cost => ClauseKind::Cost(body()),
        Shape::Effect => ClauseKind::Effect(body()),
        Shape::Otherwise => ClauseKind::Otherwise(body()),
        Shape::Statement => ClauseKind::Statement(body()),
        Shape::Ends(then) => ClauseKind::Ends { condition: first(), then: then.clone() },
        Shape::When { immediately } => {
            ClauseKind::When { event: first(), condition: condition(), immediately: *immediately, body: body() }
        }
        Shape::Instead => ClauseKind::Instead { event: first(), condition: condition(), body: body() },
        Shape::Modifier => {
            let body = body();
            let modifiers = if body.op == Op::Sequence { body.kids } else { vec![body] };
            ClauseKind::Modifier { condition: condition(), modifiers }
        }
        Shape::May => ClauseKind::May {
            by: draft.by.as_ref().map(node),
            cost: draft.first.as_ref().map(node),
            choices: nodes(&draft.choices),
            conditions: nodes(&draft.conditions),
            during: draft.during.clone(),
            limit: draft.limit.clone(),
            effect: draft.body.as_ref().map(node),
            block: Vec::new(),
        },
        Shape::Norm(polarity) => ClauseKind::Norm { polarity: *polarity, event: first(), condition: condition() },
        Shape::Carried => ClauseKind::Carried { np: draft.by.as_ref().map_or_else(empty, node), block: Vec::new() },
        Shape::Limit => {
            let nothing = || (0, TermKey { kind: TermKind::Procedure, name: Arc::from("") });
            let (times, procedure) = draft.limit.clone().unwrap_or_else(nothing);
            ClauseKind::Limit(times, procedure)
        }
        Shape::ActionNeeds(verb) => ClauseKind::ActionNeeds { verb: verb.clone(), condition: first() },
    }
}
