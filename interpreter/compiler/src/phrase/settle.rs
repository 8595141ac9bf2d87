//! Settling on a reading: the chart is asked, the preferences decide, and what is left is an error.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Span, Token, TokenKind};

use super::chart::Chart;
use super::clause::{ClauseKind, Lasts, ReadClause};
use super::draft::{Draft, Place, Shape};
use super::explain;
use super::forms::Category;
use super::grant::TARGET;
use super::read::{Reader, Want};
use super::render;
use super::repair::Trial;
use super::sentence::Sentence;
use super::slot::{Slot, SlotKind, flatten};
use super::tree::{Node, Op, Sort};
use crate::determiners;
use crate::finding::Finding;

impl Reader<'_> {
    /// Reads the slots with a chart; if nothing can be read, once more to explain why.
    /// `sound`: what a sentence that a message proposes must be besides readable.
    fn chart<R>(
        &self,
        slots: &[Slot],
        prefer: bool,
        read: impl Fn(&Chart<'_>) -> Vec<R>,
        sound: impl Fn(&R) -> bool,
    ) -> Attempt<R> {
        let quiet = Chart::new(slots, self.lex, &self.scope, prefer, false);
        let readings = settled(&quiet, &read);
        let beyond = quiet.beyond();
        let error = match (&beyond, readings.is_empty() && prefer) {
            (Some(error), _) => Some(error.clone()),
            (None, true) => {
                let noting = Chart::new(slots, self.lex, &self.scope, prefer, true);
                settled(&noting, &read);
                let reads = |row: &[Slot]| {
                    let other = Chart::new(row, self.lex, &self.scope, prefer, false);
                    settled(&other, &read).iter().any(&sound) && other.beyond().is_none()
                };
                let reaches = |row: &[Slot]| {
                    let other = Chart::new(row, self.lex, &self.scope, prefer, true);
                    settled(&other, &read);
                    other.farthest().0
                };
                Some(explain::unreadable(&noting, &Trial::new(&noting, &self.trials, &reads, &reaches)))
            }
            (None, false) => None,
        };
        Attempt { readings, bound: quiet.bindings(), error }
    }

    pub(super) fn sentence(&mut self, tokens: &[Token], place: Place) -> Option<ClauseKind> {
        let mut slots = flatten(tokens);
        let lex = self.lex;
        if self.count.is_none() {
            let (sentence, spans) = Sentence::of(slots, &self.scope, place);
            if let Some(said) = lex.said(&sentence) {
                for (label, sort) in &said.bound {
                    self.scope.bind_also(label.clone(), sort.clone());
                }
                let kind = said.standing(&spans);
                self.rebind(&kind);
                return Some(kind);
            }
            slots = sentence.slots(spans);
        }
        let read = |chart: &Chart<'_>| clauses_of(chart, place);
        let sound = |kind: &ClauseKind| {
            let misplaced = !place.steps && matches!(kind, ClauseKind::Statement(_));
            let clause = ReadClause { marker: None, kind: kind.clone(), span: Span::default() };
            !misplaced && determiners::check("", [&clause]).is_empty()
        };
        if let Some(mut count) = self.count {
            count.sentences += 1;
            count.before += usize::from(self.chart(&slots, false, read, |_| true).readings.len() > 1);
            self.count = Some(count);
        }
        let Attempt { readings: mut kinds, bound, error } = self.chart(&slots, true, read, sound);
        for (label, sort) in bound {
            self.scope.bind_also(label, sort);
        }
        if let Some(count) = &mut self.count {
            count.after += usize::from(kinds.len() > 1);
        }
        if let Some(error) = error {
            let beyond = [Code::PhraseTooDeep, Code::TooManyReadings].contains(&error.code);
            let error = if beyond { error } else { self.missing_stop(&slots, place).unwrap_or(error) };
            self.fail(tokens, error);
            return None;
        }
        if kinds.len() > 1 {
            let span = whole(tokens);
            let mut texts: Vec<String> =
                kinds.iter().map(|k| render::render_kind(k, &|key| lex.term_named(key.kind, &key.name))).collect();
            if let [a, b, ..] = kinds.as_slice() {
                tell_apart(&super::clause::nodes(a), &super::clause::nodes(b), &mut texts);
            }
            self.fail(tokens, ambiguous(&texts, span));
            return None;
        }
        let kind = kinds.pop()?;
        self.rebind(&kind);
        Some(kind)
    }

    /// Notes the error of a sentence, unless the sentence uses a label that a broken one before it binds. The labels
    /// that it would bind itself are lost.
    fn fail(&mut self, tokens: &[Token], error: Finding) {
        let (mut bound, mut used) = (Vec::new(), Vec::new());
        spoken_labels(tokens, &mut bound, &mut used);
        if !used.iter().any(|label| self.lost.contains(label) && !bound.contains(label)) {
            self.errors.push(error);
        }
        for label in bound {
            if self.scope.sorts(&label).next().is_none() {
                self.scope.bind(label.clone(), Sort::AnyThing);
                self.lost.push(label);
            }
        }
    }

    /// The error for two sentences that no full stop parts: both can be read, each alone.
    fn missing_stop(&self, slots: &[Slot], place: Place) -> Option<Finding> {
        let chart = Chart::new(slots, self.lex, &self.scope, true, false);
        let mut ends: Vec<usize> = chart.drafts(place).iter().map(|d| d.end).filter(|end| *end < slots.len()).collect();
        ends.sort_unstable();
        ends.dedup();
        let mut scope = self.scope.clone();
        for (label, sort) in chart.bindings() {
            scope.bind_also(label, sort);
        }
        let end = ends.into_iter().rev().take(MOST_STOPS).find(|end| {
            let rest = behind_stop(&slots[*end..]);
            let second = Chart::new(rest, self.lex, &scope, true, false);
            let raw = rest
                .first()
                .and_then(Slot::word)
                .is_some_and(|head| super::data::begins(self.lex.forms(), self.item, head));
            raw || !rest.is_empty() && second.drafts(place).iter().any(|d| d.end == rest.len())
        })?;
        if let Some(semicolon) = slots.get(end).filter(|slot| slot.kind == SlotKind::Sign(";")) {
            let error = Finding::new(Code::MissingFullStop, semicolon.span, "a full stop `.` is meant here, not `;`");
            return Some(error.help("end every clause with a full stop `.`; semicolons `;` part statements"));
        }
        let last = slots.get(end.checked_sub(1)?)?;
        let message = format!("a full stop `.` is missing after {}", last.shown());
        let error = Finding::new(Code::MissingFullStop, last.span, message);
        Some(error.help("end every clause with a full stop `.`; semicolons `;` part statements"))
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

    pub(super) fn phrase(&mut self, tokens: &[Token], want: Want) -> Option<Node> {
        let slots = flatten(tokens);
        let lex = self.lex;
        let read = |chart: &Chart<'_>| {
            let end = chart.slots.len();
            let cats: &[Category] = match want {
                Want::Condition => &[Category::Condition],
                Want::Statement => &[Category::Sequence],
                Want::Event => &[Category::Event],
                Want::Value => &[Category::Np, Category::Number],
            };
            let mut found: Vec<(usize, super::chart::T)> = Vec::new();
            for cat in cats {
                found.extend(chart.cell(*cat, 0).iter().filter(|(e, _)| *e == end).cloned());
            }
            if want == Want::Value {
                for sort in [Sort::Condition, Sort::AnyThing] {
                    found.extend(
                        chart
                            .values(0, &sort)
                            .into_iter()
                            .filter(|(e, t)| *e == end && matches!(t.op, Op::Truth(_) | Op::Nothing)),
                    );
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
            count.before += usize::from(self.chart(&slots, false, read, |_| true).readings.len() > 1);
            self.count = Some(count);
        }
        let Attempt { readings: mut nodes, error, .. } =
            self.chart(&slots, true, read, |node| determiners::check_phrase(node).is_empty());
        if let Some(count) = &mut self.count {
            count.after += usize::from(nodes.len() > 1);
        }
        if nodes.len() > 1 {
            let mut texts: Vec<String> =
                nodes.iter().map(|n| render::render(n, &|key| lex.term_named(key.kind, &key.name))).collect();
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

/// What begins a sentence behind another one: not the semicolon that stands for the full stop, nor a marker.
fn behind_stop(slots: &[Slot]) -> &[Slot] {
    let Some((Slot { kind: SlotKind::Sign(";"), .. }, rest)) = slots.split_first() else { return slots };
    match rest.first().map(|slot| &slot.kind) {
        Some(SlotKind::Sign("[")) => {
            let close = rest.iter().position(|slot| slot.kind == SlotKind::Sign("]"));
            close.and_then(|close| rest.get(close + 1..)).unwrap_or(rest)
        }
        _ => rest,
    }
}

/// So many places are tried for a missing full stop.
const MOST_STOPS: usize = 8;

/// The labels that a sentence binds and uses, as far as its tokens tell.
fn spoken_labels(tokens: &[Token], bound: &mut Vec<Arc<str>>, used: &mut Vec<Arc<str>>) {
    let mut before = "";
    for (i, token) in tokens.iter().enumerate() {
        match &token.kind {
            TokenKind::Word(w) | TokenKind::Capital(w) => {
                if (before == "as" || before == "let") && (super::closed::is_label(w) || w == TARGET) {
                    bound.push(Arc::from(w.as_str()));
                }
                if i == 0 && w == "play" {
                    bound.push(Arc::from(TARGET));
                }
                used.push(Arc::from(w.as_str()));
                before = w;
                continue;
            }
            TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) => {
                spoken_labels(inner, bound, used);
            }
            _ => {}
        }
        before = "";
    }
}

/// What came of reading a row of slots.
struct Attempt<R> {
    readings: Vec<R>,
    /// Labels bound on the way.
    bound: Vec<(Arc<str>, Sort)>,
    /// Why there is no reading.
    error: Option<Finding>,
}

/// Reads, again if a label was used before its binding was read.
pub(super) fn settled<R>(chart: &Chart<'_>, read: &impl Fn(&Chart<'_>) -> Vec<R>) -> Vec<R> {
    let mut readings = read(chart);
    for _ in 0..3 {
        if !chart.wants_again() {
            break;
        }
        readings = read(chart);
    }
    readings
}

/// What a sentence says, by all readings that the preferences leave.
pub(super) fn clauses_of(chart: &Chart<'_>, place: Place) -> Vec<ClauseKind> {
    let drafts = chart.preferred(chart.drafts(place));
    let kinds: Vec<ClauseKind> = drafts.iter().map(|d| built(chart, d)).collect();
    dedup(kinds)
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

fn ambiguous(texts: &[String], span: Span) -> Finding {
    let mut error = Finding::new(Code::AmbiguousPhrase, span, "this can be read in more than one way");
    for (i, text) in texts.iter().take(2).enumerate() {
        let which = if i == 0 { "either" } else { "or" };
        error = error.and(span, format!("{which}: {text}"));
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
        Op::Choose(label) | Op::MayChoose(label) => {
            bound.extend(node.kids.get(1).map(|k| (label.clone(), k.sort.clone())))
        }
        Op::Roll(label, _) => bound.push((label.clone(), Sort::Number)),
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
    // total: a part that the form of a sentence does without is nothing to be done
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
        Shape::Norm(polarity) => ClauseKind::Norm {
            polarity: *polarity,
            by: draft.by.as_ref().map(node),
            event: first(),
            condition: condition(),
        },
        Shape::Carried => ClauseKind::Carried { np: draft.by.as_ref().map_or_else(empty, node), block: Vec::new() },
        Shape::In(places) => ClauseKind::In { places: places.clone(), block: Vec::new() },
        Shape::Lasts(lasting) => ClauseKind::Lasts { long: Lasts::As(lasting.clone()), block: Vec::new() },
        Shape::LastsUntil => ClauseKind::Lasts { long: Lasts::Until(first()), block: Vec::new() },
        Shape::LastsWhile => ClauseKind::Lasts { long: Lasts::While(first()), block: Vec::new() },
        Shape::Limit(times, procedure) => ClauseKind::Limit(*times, procedure.clone()),
        Shape::WhenNeeds => ClauseKind::WhenNeeds { event: first(), condition: condition().unwrap_or_else(empty) },
        Shape::Spares => ClauseKind::Spares { by: draft.by.as_ref().map_or_else(empty, node), what: first() },
        Shape::Canceled => {
            ClauseKind::Canceled { by: draft.by.as_ref().map_or_else(empty, node), condition: condition() }
        }
        Shape::Lent => {
            ClauseKind::Lent { who: draft.by.as_ref().map_or_else(empty, node), of: first(), condition: condition() }
        }
        Shape::ActionLeaves(verb) => ClauseKind::ActionLeaves { verb: verb.clone(), condition: first() },
        Shape::ActionNeeds(verb) => ClauseKind::ActionNeeds { verb: verb.clone(), condition: first() },
    }
}
