//! Clauses.

use std::sync::Arc;

use netrep_grammar::tree::{Clause, Token, TokenKind};

use super::row::fill;
use super::{Writer, joined_by_or, said, spaced};
use crate::phrase::clause::{ClauseKind, FigureValue, Lasts, ReadClause};
use crate::phrase::forms::Form;
use crate::phrase::grant::TARGET;
use crate::phrase::term::Use;
use crate::phrase::tree::{Node, Op, TermKey};

impl Writer<'_> {
    /// A clause without its full stop.
    pub(super) fn clause(&self, kind: &ClauseKind) -> String {
        match kind {
            ClauseKind::Figure { attribute, values } => {
                let values: Vec<String> = values.iter().map(|value| self.figure(value)).collect();
                spaced(&[&self.name(attribute), &values.join(", ")]).trim_end().to_owned()
            }
            ClauseKind::Play { targets, during, conditions, choices, block } => {
                let head = spaced(&[
                    &self.word_of(Form::ClausePlay),
                    &self.targets(targets),
                    &self.choices(choices),
                    &self.during(during),
                    &self.guards(conditions),
                ]);
                self.with_block(head, block)
            }
            ClauseKind::Condition(c) => self.say(Form::ClauseIf, &[fill("c", self.condition(c))]),
            ClauseKind::Always(c) => self.say(Form::ClauseAlways, &[fill("c", self.condition(c))]),
            ClauseKind::Leaves(c) => self.say(Form::ClauseLeaves, &[fill("c", self.condition(c))]),
            ClauseKind::Cost(s) => self.say(Form::ClauseCost, &[fill("s", self.statement(s))]),
            ClauseKind::Effect(s) => self.say(Form::ClauseEffect, &[fill("s", self.statement(s))]),
            ClauseKind::Otherwise(s) => self.say(Form::ClauseOtherwise, &[fill("s", self.statement(s))]),
            ClauseKind::Statement(s) => self.say(Form::ClauseStatement, &[fill("s", self.any(s))]),
            ClauseKind::When { event, condition, immediately, body } => self.say(
                if Self::is_moment(event) { Form::ClauseAt } else { Form::ClauseWhen },
                &[
                    fill("e", self.event(event, false)),
                    fill("c", self.guards(condition.as_slice())),
                    fill("now", if *immediately { "immediately" } else { "" }),
                    fill("s", self.body(body)),
                ],
            ),
            ClauseKind::Instead { event, condition, body } => self.say(
                Form::ClauseInstead,
                &[
                    fill("e", self.event(event, true)),
                    fill("c", self.guards(condition.as_slice())),
                    fill("s", self.body(body)),
                ],
            ),
            ClauseKind::Modifier { condition, modifiers } => {
                let text =
                    self.joined_as(Form::SequenceJoined, "each", modifiers.iter().map(|m| self.statement(m)).collect());
                let m = fill("m", text.as_str());
                match condition {
                    Some(c) if c.op == Op::Against && modifiers.len() == 1 => {
                        self.say(Form::ModifierAgainst, &[m, fill("c", self.condition(c))])
                    }
                    // A condition about something that the modifier names stands behind it.
                    Some(c) if modifiers.iter().any(|m| binds_for(m, c)) => {
                        let c = self.say(Form::StandingWhile, &[fill("c", self.condition(c))]);
                        self.say(Form::ModifierWhile, &[m, fill("c", c)])
                    }
                    Some(c) => self.say(Form::ClauseWhile, &[fill("c", self.condition(c)), fill("s", text)]),
                    None => self.say(Form::ModifierChange, &[m]),
                }
            }
            ClauseKind::May { by, cost, choices, conditions, during, limit, effect, block } => {
                let by = said(by.as_ref().map(|b| self.np(b)));
                let cost = said(cost.as_ref().map(|c| self.statement(c)));
                let limit = said(limit.as_ref().map(|(n, p)| self.limit(*n, p)));
                let may = match by.is_empty() {
                    true => self.word_of(Form::ClauseMay),
                    false => self.say(Form::ClauseSubjectMay, &[fill("who", by)]),
                };
                let head = spaced(&[
                    &may,
                    &cost,
                    &self.choices(choices),
                    &self.guards(conditions),
                    &self.during(during),
                    &limit,
                ]);
                match effect {
                    Some(effect) => self.say(Form::PartDoes, &[fill("..", head), fill("s", self.body(effect))]),
                    None => self.with_block(head, block),
                }
            }
            ClauseKind::Norm { by: Some(by), event, condition, .. } => {
                let guards = self.guards(condition.as_slice());
                let act = match &event.op {
                    Op::Event(verb) => self.act(verb, event),
                    _ => self.event(event, false),
                };
                let holes = [fill("who", self.np(by)), fill("e", act), fill("c", guards)];
                self.say(Form::ClauseEffectsCannot, &holes)
            }
            ClauseKind::Norm { polarity, event, condition, by: None } => {
                self.norm_clause(event, *polarity, &self.guards(condition.as_slice()))
            }
            ClauseKind::Procedure { term, parameters, block } => {
                let parameters: Vec<String> = parameters.iter().map(parameter).collect();
                let holes = [fill("name", self.name(term)), fill("of", parameters), fill("clauses", self.lines(block))];
                self.say(Form::BlocksProcedure, &holes)
            }
            ClauseKind::Steps { names, fixed } => {
                let names: Vec<String> = names.iter().map(ToString::to_string).collect();
                self.say(Form::BlocksSteps, &[fill("names", names), fill("any", if *fixed { "" } else { "in" })])
            }
            ClauseKind::Step { name, procedure, block } => {
                let of = said(procedure.as_ref().map(|p| self.name(p)));
                let clauses = fill("clauses", self.lines(block));
                self.say(Form::BlocksStep, &[fill("name", &**name), fill("p", of), clauses])
            }
            ClauseKind::Ends { condition, then } => {
                let step = said(then.as_ref().map(ToString::to_string));
                self.say(Form::ClauseEnds, &[fill("c", self.condition(condition)), fill("step", step)])
            }
            ClauseKind::Part { class, block } => spaced(&[&self.name(class), &self.braces(block)]),
            ClauseKind::Carried { np, block } => {
                spaced(&[&self.say(Form::ClauseHas, &[fill("who", self.np(np))]), &self.braces(block)])
            }
            ClauseKind::In { places, block } => {
                let places: Vec<String> = places.iter().map(|place| self.name(place)).collect();
                spaced(&[&self.say(Form::ClauseIn, &[fill("ps", places)]), &self.braces(block)])
            }
            ClauseKind::Lasts { long, block } => {
                let head = match long {
                    Lasts::As(lasting) => self.say(Form::ClauseLasts, &[fill("long", self.lasting(Some(lasting)))]),
                    Lasts::Until(event) if Self::is_moment(event) => {
                        self.say(Form::ClauseLastsUntilMoment, &[fill("e", self.bound(event))])
                    }
                    Lasts::Until(event) => self.say(Form::ClauseLastsUntil, &[fill("e", self.event(event, false))]),
                    Lasts::While(so) => self.say(Form::ClauseLastsWhile, &[fill("c", self.condition(so))]),
                };
                spaced(&[&head, &self.braces(block)])
            }
            ClauseKind::Action { verb, parameter: p, block } => self.say(
                Form::BlocksAction,
                &[fill("v", self.form(verb, Use::Base)), fill("of", parameter(p)), fill("clauses", self.lines(block))],
            ),
            ClauseKind::ActionNeeds { verb, condition } => self.asked(verb, "needs", condition),
            ClauseKind::ActionLeaves { verb, condition } => self.asked(verb, "leaves", condition),
            ClauseKind::WhenNeeds { event, condition } => {
                let holes = [fill("e", self.event(event, false)), fill("c", self.condition(condition))];
                let form = if Self::is_moment(event) { Form::ClauseAtNeeds } else { Form::ClauseWhenNeeds };
                self.say(form, &holes)
            }
            ClauseKind::Spares { by, what } => {
                self.say(Form::ClauseSpare, &[fill("who", self.np(by)), fill("what", self.np(what))])
            }
            ClauseKind::Lent { who, of, condition } => {
                let holes = [fill("who", self.np(who)), fill("of", self.np(of))];
                let guards = fill("c", self.guards(condition.as_slice()));
                self.say(Form::ClauseAbilities, &holes.into_iter().chain([guards]).collect::<Vec<_>>())
            }
            ClauseKind::Canceled { by, condition } => self
                .say(Form::ClauseCanceled, &[fill("who", self.np(by)), fill("c", self.guards(condition.as_slice()))]),
            ClauseKind::Limit(times, procedure) => self.limit(*times, procedure),
            ClauseKind::Timing { name, verbs } => {
                let verbs: Vec<String> = verbs.iter().map(|v| self.form(v, Use::Base)).collect();
                self.say(Form::BlocksTiming, &[fill("name", &**name), fill("verbs", verbs)])
            }
            ClauseKind::Raw { clause, .. } => {
                let block = said(clause.block.as_ref().map(|b| skeleton(b)));
                spaced(&[&written(&clause.tokens), &block])
            }
        }
    }

    fn figure(&self, value: &FigureValue) -> String {
        match value {
            FigureValue::Number(n) => n.to_string(),
            FigureValue::Yes => String::new(),
            FigureValue::Entry(key) => self.name(key),
            FigureValue::EntryNumber(key, 1) => self.name(key),
            FigureValue::EntryNumber(key, n) => format!("{} {n}", self.name(key)),
            FigureValue::Name(name) => format!("\"{name}\""),
        }
    }

    fn targets(&self, targets: &[Node]) -> String {
        let mut parts = Vec::new();
        for (i, target) in targets.iter().enumerate() {
            let (np, label) = match &target.op {
                Op::As(label) if i == 0 && **label == *TARGET => (super::kid(target, 0), TARGET),
                Op::As(label) if label.contains(' ') => (super::kid(target, 0), ""),
                Op::As(label) => (super::kid(target, 0), &**label),
                _ => (target, ""),
            };
            let at = fill("at", if i == 0 { "on" } else { "at" });
            parts.push(self.say(Form::PartTarget, &[at, fill("x", self.np(np)), fill("l", label)]));
        }
        parts.join(" ")
    }

    fn choices(&self, choices: &[Node]) -> String {
        let said = |c: &Node| {
            let (np, label) = match &c.op {
                Op::As(label) => (super::kid(c, 0), &**label),
                _ => (c, ""),
            };
            self.say(Form::PartChoosing, &[fill("x", self.np(np)), fill("l", label)])
        };
        choices.iter().map(said).collect::<Vec<_>>().join(" ")
    }

    fn during(&self, during: &[TermKey]) -> String {
        if during.is_empty() {
            return String::new();
        }
        let names = joined_by_or(&during.iter().map(|k| self.name(k)).collect::<Vec<_>>());
        self.say(Form::PartDuring, &[fill("ps", names)])
    }

    fn guards(&self, conditions: &[Node]) -> String {
        conditions.iter().map(|c| self.guard(c)).collect::<Vec<_>>().join(" ")
    }

    fn limit(&self, times: i64, procedure: &TermKey) -> String {
        let p = fill("p", self.name(procedure));
        match times {
            1 => self.say(Form::LimitOnce, &[p]),
            n => self.say(Form::LimitOften, &[fill("n", n.to_string()), p]),
        }
    }

    fn asked(&self, verb: &TermKey, asks: &str, condition: &Node) -> String {
        let c = fill("c", self.condition(condition));
        self.say(Form::ClauseAction, &[fill("v", self.form(verb, Use::Base)), fill("asks", asks), c])
    }

    /// The statements after a colon.
    fn body(&self, node: &Node) -> String {
        match node.kids.is_empty() && node.op == Op::Sequence {
            true => "{ }".to_owned(),
            false => self.statement(node),
        }
    }

    fn with_block(&self, head: String, block: &[ReadClause]) -> String {
        if block.is_empty() { head } else { format!("{head} {}", self.braces(block)) }
    }

    /// Clauses in braces, with their markers.
    fn braces(&self, block: &[ReadClause]) -> String {
        spaced(&["{", &self.lines(block), "}"])
    }

    /// The clauses of a block, with their markers.
    fn lines(&self, block: &[ReadClause]) -> String {
        let mut text = String::new();
        for clause in block {
            if let Some(marker) = clause.marker.as_ref().filter(|m| !m.label.is_empty()) {
                text.push_str(&format!("[{}] ", marker.label));
            }
            text.push_str(&self.clause(&clause.kind));
            let closed = matches!(&clause.kind, ClauseKind::Raw { clause: Clause { block: Some(_), .. }, .. })
                || matches!(
                    &clause.kind,
                    ClauseKind::Part { .. }
                        | ClauseKind::Procedure { .. }
                        | ClauseKind::Step { .. }
                        | ClauseKind::Carried { .. }
                        | ClauseKind::Lasts { .. }
                        | ClauseKind::In { .. }
                        | ClauseKind::Action { .. }
                );
            let block = match &clause.kind {
                ClauseKind::May { block, .. } | ClauseKind::Play { block, .. } => !block.is_empty(),
                _ => closed,
            };
            text.push_str(if block { " " } else { ". " });
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// True if the phrase binds a label that the other uses.
fn binds_for(node: &Node, other: &Node) -> bool {
    fn uses(node: &Node, label: &str) -> bool {
        matches!(&node.op, Op::Label(l) if **l == *label) || node.kids.iter().any(|k| uses(k, label))
    }
    matches!(&node.op, Op::As(label) if uses(other, label)) || node.kids.iter().any(|k| binds_for(k, other))
}

fn parameter((label, class): &(Arc<str>, Arc<str>)) -> String {
    let types = class.replace('/', ", ");
    if label.is_empty() { format!("({types})") } else { format!("({types} {label})") }
}

/// Tokens as text.
fn written(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        let (word, tight) = match &token.kind {
            TokenKind::Word(w) | TokenKind::Capital(w) | TokenKind::Reference(w) | TokenKind::Op(w) => {
                (w.clone(), false)
            }
            TokenKind::Quoted(q) => (format!("\"{q}\""), false),
            TokenKind::Number(n) => (n.to_string(), false),
            TokenKind::Possessive => ("'s".to_owned(), true),
            TokenKind::Comma => (",".to_owned(), true),
            TokenKind::Semi => (";".to_owned(), true),
            TokenKind::Colon => (":".to_owned(), true),
            TokenKind::Paren(inner) => (format!("({})", written(inner)), false),
            TokenKind::Bracket(inner) => (format!("[{}]", written(inner)), false),
            TokenKind::Brace(inner) => (format!("{{ {} }}", written(inner)), false),
        };
        if !text.is_empty() && !tight {
            text.push(' ');
        }
        text.push_str(&word);
    }
    text
}

/// Unread clauses in braces.
fn skeleton(clauses: &[Clause]) -> String {
    let mut text = String::from("{ ");
    for clause in clauses {
        text.push_str(&written(&clause.tokens));
        match &clause.block {
            Some(block) => text.push_str(&format!(" {} ", skeleton(block))),
            None => text.push_str(". "),
        }
    }
    text.push('}');
    text
}
