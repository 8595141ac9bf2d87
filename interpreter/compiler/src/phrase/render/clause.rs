//! Clauses.

use std::sync::Arc;

use netrep_grammar::tree::{Clause, Token, TokenKind};

use super::{Writer, listed, spaced};
use crate::phrase::clause::{ClauseKind, FigureValue, Polarity, ReadClause};
use crate::phrase::grant::TARGET;
use crate::phrase::term::Use;
use crate::phrase::tree::{Node, Op, TermKey};

impl Writer<'_> {
    /// A clause without its full stop.
    pub(super) fn clause(&self, kind: &ClauseKind) -> String {
        match kind {
            ClauseKind::Figure { attribute, values } => {
                let rows = (self.terms)(attribute).is_some_and(|t| t.second().is_some());
                let mut text = self.name(attribute);
                for (i, value) in values.iter().enumerate() {
                    // In a row only a name, which begins the next one, stands after a comma.
                    let comma = i > 0 && (!rows || matches!(value, FigureValue::Name(_)));
                    let value = self.figure(value);
                    text.push_str(if comma { ", " } else { " " });
                    text.push_str(&value);
                }
                text.trim_end().to_owned()
            }
            ClauseKind::Play { targets, during, conditions, choices, block } => {
                let head = spaced(&[
                    "play",
                    &self.targets(targets),
                    &self.choices(choices),
                    &self.during(during),
                    &self.guards(conditions),
                ]);
                self.with_block(head, block)
            }
            ClauseKind::Condition(c) => format!("if {}", self.condition(c)),
            ClauseKind::Always(c) => format!("always {}", self.condition(c)),
            ClauseKind::Leaves(c) => format!("leaves {}", self.condition(c)),
            ClauseKind::Cost(s) => format!("cost {}", self.statement(s)),
            ClauseKind::Effect(s) => format!("effect {}", self.statement(s)),
            ClauseKind::Otherwise(s) => format!("otherwise {}", self.statement(s)),
            ClauseKind::Statement(s) => self.any(s),
            ClauseKind::When { event, condition, immediately, body } => {
                let word = if *immediately { "immediately" } else { "" };
                let head = spaced(&["when", &self.event(event, false), &self.guards(condition.as_slice()), word]);
                format!("{head}: {}", self.body(body))
            }
            ClauseKind::Instead { event, condition, body } => {
                let head = spaced(&["when", &self.event(event, true), &self.guards(condition.as_slice()), "instead"]);
                format!("{head}: {}", self.body(body))
            }
            ClauseKind::Modifier { condition, modifiers } => {
                let text = modifiers.iter().map(|m| self.statement(m)).collect::<Vec<_>>().join("; ");
                match condition {
                    Some(c) if c.op == Op::Against && modifiers.len() == 1 => format!("{text} {}", self.condition(c)),
                    // A condition about something that the modifier names stands behind it.
                    Some(c) if modifiers.iter().any(|m| binds_for(m, c)) => {
                        format!("{text} while {}", self.condition(c))
                    }
                    Some(c) => format!("while {}: {text}", self.condition(c)),
                    None => text,
                }
            }
            ClauseKind::May { by, cost, choices, conditions, during, limit, effect, block } => {
                let by = by.as_ref().map(|b| self.np(b)).unwrap_or_default();
                let cost = cost.as_ref().map(|c| self.statement(c)).unwrap_or_default();
                let limit = limit.as_ref().map(|(n, p)| self.limit(*n, p)).unwrap_or_default();
                let head = spaced(&[
                    &by,
                    "may",
                    &cost,
                    &self.choices(choices),
                    &self.guards(conditions),
                    &self.during(during),
                    &limit,
                ]);
                match effect {
                    Some(effect) => format!("{head}: {}", self.body(effect)),
                    None => self.with_block(head, block),
                }
            }
            ClauseKind::Norm { polarity, event, condition } => {
                let (word, tail) = match polarity {
                    Polarity::Cannot => ("cannot", ""),
                    Polarity::Must => ("must", ""),
                    Polarity::NeedNot => ("need not", ""),
                    Polarity::Permit => ("may", "regardless"),
                };
                spaced(&[&self.normed(event, word), tail, &self.guards(condition.as_slice())])
            }
            ClauseKind::Either(modes) => {
                let modes: Vec<String> = modes.iter().map(|m| self.braces(m)).collect();
                format!("either {}", modes.join(" or "))
            }
            ClauseKind::Procedure { term, parameters, block } => {
                let parameters: Vec<String> = parameters.iter().map(parameter).collect();
                let on = if parameters.is_empty() { String::new() } else { format!("for {}", parameters.join(", ")) };
                spaced(&["procedure", &self.name(term), &on, &self.braces(block)])
            }
            ClauseKind::Steps { names, fixed } => {
                let names: Vec<&str> = names.iter().map(|n| &**n).collect();
                spaced(&["steps", &names.join(", "), if *fixed { "" } else { "in any order" }])
            }
            ClauseKind::Step { name, procedure, block } => {
                let of = procedure.as_ref().map(|p| format!("of {}", self.name(p))).unwrap_or_default();
                spaced(&["step", name, &of, &self.braces(block)])
            }
            ClauseKind::Ends { condition, then } => {
                let then = then.as_ref().map(|t| format!("then {t}")).unwrap_or_default();
                spaced(&["ends if", &self.condition(condition), &then])
            }
            ClauseKind::Part { class, block } => spaced(&[&self.name(class), &self.braces(block)]),
            ClauseKind::Carried { np, block } => spaced(&[&self.np(np), "has", &self.braces(block)]),
            ClauseKind::Action { verb, parameter: p, block } => {
                spaced(&["action", &self.form(verb, Use::Base), "for", &parameter(p), &self.braces(block)])
            }
            ClauseKind::ActionNeeds { verb, condition } => {
                spaced(&["action", &self.form(verb, Use::Base), "needs", &self.condition(condition)])
            }
            ClauseKind::WhenNeeds { event, condition } => {
                spaced(&["when", &self.event(event, false), "needs", &self.condition(condition)])
            }
            ClauseKind::Spares { by, what } => spaced(&["effects of", &self.np(by), "spare", &self.np(what)]),
            ClauseKind::ActionLeaves { verb, condition } => {
                spaced(&["action", &self.form(verb, Use::Base), "leaves", &self.condition(condition)])
            }
            ClauseKind::Limit(times, procedure) => self.limit(*times, procedure),
            ClauseKind::Timing { name, verbs } => {
                let verbs: Vec<String> = verbs.iter().map(|v| self.form(v, Use::Base)).collect();
                format!("timing {name}: {}", verbs.join(", "))
            }
            ClauseKind::Raw { head, tokens, block } => {
                let block = block.as_ref().map(|b| skeleton(b)).unwrap_or_default();
                spaced(&[head, &written(tokens), &block])
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
            let word = if i == 0 { "on" } else { "at" };
            let text = match &target.op {
                Op::As(label) if i == 0 && **label == *TARGET => {
                    format!("{} as {TARGET}", self.np(super::kid(target, 0)))
                }
                Op::As(label) if label.contains(' ') => self.np(super::kid(target, 0)),
                Op::As(label) => format!("{} as {label}", self.np(super::kid(target, 0))),
                _ => self.np(target),
            };
            parts.push(format!("{word} {text}"));
        }
        parts.join(" ")
    }

    fn choices(&self, choices: &[Node]) -> String {
        let said = |c: &Node| match &c.op {
            Op::As(label) => format!("choosing {} as {label}", self.np(super::kid(c, 0))),
            _ => format!("choosing {}", self.np(c)),
        };
        choices.iter().map(said).collect::<Vec<_>>().join(" ")
    }

    fn during(&self, during: &[TermKey]) -> String {
        if during.is_empty() {
            return String::new();
        }
        format!("during {}", listed(&during.iter().map(|k| self.name(k)).collect::<Vec<_>>()))
    }

    fn guards(&self, conditions: &[Node]) -> String {
        conditions.iter().map(|c| format!("if {}", self.condition(c))).collect::<Vec<_>>().join(" ")
    }

    fn limit(&self, times: i64, procedure: &TermKey) -> String {
        match times {
            1 => format!("once per {}", self.name(procedure)),
            n => format!("{n} times per {}", self.name(procedure)),
        }
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
        let mut text = String::from("{ ");
        for clause in block {
            if let Some(marker) = clause.marker.as_ref().filter(|m| !m.label.is_empty()) {
                text.push_str(&format!("[{}] ", marker.label));
            }
            text.push_str(&self.clause(&clause.kind));
            let closed = matches!(&clause.kind, ClauseKind::Raw { block: Some(_), .. })
                || matches!(
                    &clause.kind,
                    ClauseKind::Either(_)
                        | ClauseKind::Part { .. }
                        | ClauseKind::Procedure { .. }
                        | ClauseKind::Step { .. }
                        | ClauseKind::Carried { .. }
                        | ClauseKind::Action { .. }
                );
            let block = match &clause.kind {
                ClauseKind::May { block, .. } | ClauseKind::Play { block, .. } => !block.is_empty(),
                _ => closed,
            };
            text.push_str(if block { " " } else { ". " });
        }
        text.push('}');
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
