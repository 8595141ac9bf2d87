//! Statements and modifiers.

use super::{Writer, absent, kid, spaced};
use crate::phrase::clause::Polarity;
use crate::phrase::tree::{Det, Node, Op};

impl Writer<'_> {
    /// A statement, or several joined by `;`.
    pub(super) fn statement(&self, node: &Node) -> String {
        let np = |i: usize| self.np(kid(node, i));
        match &node.op {
            Op::Sequence => node.kids.iter().map(|k| self.statement(k)).collect::<Vec<_>>().join("; "),
            Op::Do(key) => self.act(key, node),
            Op::If => {
                let (word, condition) = (("if"), self.condition(kid(node, 0)));
                let head = format!("{word} {condition} {}", self.block(kid(node, 1)));
                self.otherwise(head, node.kids.get(2))
            }
            Op::ForEach(label) => {
                let each = match &kid(node, 0).op {
                    Op::Quantified(Det::Each) => format!("for {}", np(0)),
                    _ => format!("for each {}", np(0)),
                };
                let order = match node.kids.get(2) {
                    Some(Node { op: Op::Chance, .. }) => "in a random order".to_owned(),
                    Some(chooser) => format!("in an order chosen by {}", self.np(chooser)),
                    None => String::new(),
                };
                spaced(&[&each, "as", label, &order, &self.block(kid(node, 1))])
            }
            Op::RepeatUntil => format!("repeat {} until {}", self.block(kid(node, 0)), self.condition(kid(node, 1))),
            Op::RepeatTimes => format!("repeat {} times {}", self.number(kid(node, 0)), self.block(kid(node, 1))),
            Op::Choose(label) if kid(node, 0).op == Op::Chance => spaced(&["choose", &np(1), "as", label, "at random"]),
            Op::Choose(label) => spaced(&[&self.doing(kid(node, 0), "choose", "chooses"), &np(1), "as", label]),
            Op::MayChoose(label) => {
                let head = spaced(&[&np(0), "may choose", &np(1), "as", label, &self.block(kid(node, 2))]);
                self.otherwise(head, node.kids.get(3))
            }
            Op::May => {
                let head = spaced(&[&np(0), "may", &self.block(kid(node, 1))]);
                self.otherwise(head, node.kids.get(2))
            }
            Op::ChooseOne => {
                let modes: Vec<String> = node.kids.iter().skip(1).map(|k| self.block(k)).collect();
                spaced(&[&self.doing(kid(node, 0), "choose", "chooses"), "one", &modes.join(" or ")])
            }
            Op::Roll(label) => {
                let count = match &kid(node, 1).op {
                    Op::Int(1) => "1 die".to_owned(),
                    _ => format!("{} dice", self.atom(kid(node, 1))),
                };
                let subject = if absent(kid(node, 2)) { String::new() } else { format!("for {}", np(2)) };
                spaced(&[&self.doing(kid(node, 0), "roll", "rolls"), &count, "as", label, &subject])
            }
            Op::Set(key) => {
                let of = Node {
                    op: if node.kids.len() > 2 { Op::OfFor(key.clone()) } else { Op::Of(key.clone()) },
                    kids: node.kids.iter().take(node.kids.len().saturating_sub(1)).cloned().collect(),
                    ..node.clone()
                };
                format!("set {} to {}", self.np(&of), node.kids.last().map(|v| self.value(v)).unwrap_or_default())
            }
            Op::Put(bottom) => {
                let end = if *bottom { " at the bottom" } else { "" };
                format!("put {} into {}{end}", np(0), np(1))
            }
            Op::Create(class, label, keys) => {
                let facts: Vec<String> = keys.iter().zip(&node.kids).map(|(k, v)| self.fact(k, v)).collect();
                let with = if facts.is_empty() { String::new() } else { format!("with {}", facts.join(", ")) };
                let noun = crate::phrase::sorts::article(&self.name(class));
                spaced(&["create", &noun, "as", label, &with])
            }
            Op::Remove => format!("remove {}", np(0)),
            Op::LetLabel(label) => format!("let {label} be {}", self.value(kid(node, 0))),
            Op::LetRole(key) => format!("let {} be {}", self.name(key), self.value(kid(node, 0))),
            Op::Perform(key) => {
                let arguments: Vec<String> = node.kids.iter().map(|k| self.value(k)).collect();
                let on = if arguments.is_empty() { String::new() } else { format!("for {}", arguments.join(", ")) };
                spaced(&["perform", &self.name(key), &on])
            }
            Op::ActionEffect => "perform effect".to_owned(),
            Op::End(key) => format!("end {}", self.name(key)),
            Op::Stop => "stop".to_owned(),
            Op::Extend => format!("what lasts for {} lasts for {} too", np(0), np(1)),
            Op::Window(response) => {
                let admits: Vec<String> = node.kids.iter().map(|k| self.admit(k)).collect();
                let how = if *response { "in response" } else { "" };
                spaced(&["window", how, &admits.join("; ")])
            }
            Op::When(lasting, immediately) => {
                let condition = match absent(kid(node, 1)) {
                    true => String::new(),
                    false => format!("if {}", self.condition(kid(node, 1))),
                };
                let event = self.event(kid(node, 0), false);
                let at_once = if *immediately { "immediately" } else { "" };
                spaced(&[
                    "when",
                    &event,
                    &condition,
                    at_once,
                    &self.block(kid(node, 2)),
                    &self.lasting(lasting.as_ref()),
                ])
            }
            Op::Norm(polarity, lasting) => {
                let word = match polarity {
                    Polarity::Cannot => "cannot",
                    Polarity::Must => "must",
                    Polarity::NeedNot => "need not",
                    Polarity::Permit => "may",
                };
                spaced(&[&self.normed(kid(node, 0), word), &self.lasting(lasting.as_ref())])
            }
            _ => self.modifier(node),
        }
    }

    /// One player of a window.
    pub(super) fn admit(&self, node: &Node) -> String {
        let events: Vec<String> = node.kids.iter().skip(2).map(|k| self.admitted(k)).collect();
        let to = if events.is_empty() { String::new() } else { format!("to {}", super::listed(&events)) };
        let whilst = match kid(node, 1) {
            c if absent(c) => String::new(),
            c => format!("while {}", self.condition(c)),
        };
        spaced(&["for", &self.np(kid(node, 0)), &whilst, &to])
    }

    /// The subject with its verb; the plain verb without one.
    fn doing(&self, player: &Node, plain: &str, third: &str) -> String {
        if absent(player) {
            return plain.to_owned();
        }
        let verb = if super::verb::plural(player) { plain } else { third };
        format!("{} {verb}", self.np(player))
    }

    /// Statements in braces.
    pub(super) fn block(&self, node: &Node) -> String {
        match self.statement(node) {
            empty if empty.is_empty() => "{ }".to_owned(),
            text => format!("{{ {text} }}"),
        }
    }

    fn otherwise(&self, head: String, other: Option<&Node>) -> String {
        match other {
            Some(other) if other.op == Op::If => format!("{head} otherwise {}", self.statement(other)),
            Some(other) => format!("{head} otherwise {}", self.block(other)),
            None => head,
        }
    }

    // ---- modifiers

    pub(super) fn modifier(&self, node: &Node) -> String {
        let np = || self.np(kid(node, 0));
        let plural = super::verb::plural(kid(node, 0));
        let agree = |many: &'static str, one: &'static str| if plural { many } else { one };
        match &node.op {
            Op::Gets(key, lasting) => {
                let bound = |word: &str, n: &Node| match absent(n) {
                    true => String::new(),
                    false if super::verb::eventful(n) => format!("{word} ({})", self.number(n)),
                    false => format!("{word} {}", self.number(n)),
                };
                spaced(&[
                    &np(),
                    agree("get", "gets"),
                    &self.change(kid(node, 1)),
                    &self.name(key),
                    &bound("max", kid(node, 2)),
                    &bound("min", kid(node, 3)),
                    &self.lasting(lasting.as_ref()),
                ])
            }
            Op::Gains(key, lasting) => {
                spaced(&[&np(), agree("gain", "gains"), &self.name(key), &self.lasting(lasting.as_ref())])
            }
            Op::Acquires(lasting) => {
                let thing = kid(node, 1);
                let what = self.grouped(thing, matches!(thing.op, Op::New(..)) && lasting.is_some());
                spaced(&[&np(), agree("gain", "gains"), &what, &self.lasting(lasting.as_ref())])
            }
            Op::Loses(key, lasting) => {
                spaced(&[&np(), agree("lose", "loses"), &self.name(key), &self.lasting(lasting.as_ref())])
            }
            Op::CountsAs(lasting) => spaced(&[
                &np(),
                agree("count", "counts"),
                "as",
                &self.predicate(kid(node, 1)),
                &self.lasting(lasting.as_ref()),
            ]),
            Op::Becomes(key, lasting) => {
                let Some((value, owners)) = node.kids.split_last() else { return String::new() };
                let op = if owners.len() > 1 { Op::OfFor(key.clone()) } else { Op::Of(key.clone()) };
                let of = Node { op, kids: owners.to_vec(), ..node.clone() };
                let value = match super::verb::eventful(value) {
                    true => format!("({})", self.value(value)),
                    false => self.value(value),
                };
                spaced(&[&self.np(&of), "is", &value, &self.lasting(lasting.as_ref())])
            }
            Op::TakesOver(except, lasting) => {
                let except: Vec<String> = except.iter().map(|k| self.name(k)).collect();
                let but = if except.is_empty() { String::new() } else { format!("except {}", except.join(", ")) };
                let other = kid(node, 1);
                let other = self.grouped(other, lasting.is_some() && super::verb::eventful(other));
                let lasting = self.lasting(lasting.as_ref());
                spaced(&["figures of", &np(), "are those of", &other, &but, &lasting])
            }
            Op::Scaled(lasting) => spaced(&[
                &format!("modifications {}", self.modification(kid(node, 0))),
                "count",
                &self.number(kid(node, 1)),
                "times",
                &self.lasting(lasting.as_ref()),
            ]),
            Op::While => {
                let condition = kid(node, 1);
                let guard = match &condition.op {
                    Op::Against => self.condition(condition),
                    _ => format!("while {}", self.condition(condition)),
                };
                format!("{} {guard}", self.joined(kid(node, 0)))
            }
            _ => String::new(),
        }
    }

    /// `of ATTR of NP by NP`, without its noun.
    pub(super) fn modification(&self, node: &Node) -> String {
        let Op::Modification(key) = &node.op else { return String::new() };
        let key = key.as_ref().map(|k| format!("of {}", self.name(k))).unwrap_or_default();
        let part = |word: &str, n: &Node, last: bool| match absent(n) {
            true => String::new(),
            false => format!("{word} {}", self.grouped(n, n.op == Op::Either || !last && super::noun::open(n))),
        };
        let by = kid(node, 1);
        spaced(&[&key, &part("of", kid(node, 0), absent(by)), &part("by", by, true)])
    }

    /// Changes of one thing under one condition, said with one subject.
    fn joined(&self, node: &Node) -> String {
        if node.op != Op::Sequence {
            return self.statement(node);
        }
        let mut text = String::new();
        for (i, part) in node.kids.iter().enumerate() {
            let whole = self.statement(part);
            if i == 0 {
                // The duration is said once, after the last change.
                text = whole;
                if node.kids.len() > 1 {
                    text = self.without_duration(part);
                }
                continue;
            }
            let head = format!("{} ", spaced(&[&self.np(kid(part, 0)), self.verb_of(part)]));
            let tail = if i + 1 < node.kids.len() { self.without_duration(part) } else { whole };
            text.push_str(", ");
            text.push_str(tail.strip_prefix(&head).unwrap_or(&tail));
        }
        text
    }

    fn verb_of(&self, node: &Node) -> &'static str {
        match (&node.op, super::verb::plural(kid(node, 0))) {
            (Op::Gets(..), false) => "gets",
            (Op::Gets(..), true) => "get",
            (Op::Gains(..), false) => "gains",
            (Op::Gains(..), true) => "gain",
            (Op::Loses(..), false) => "loses",
            (Op::Loses(..), true) => "lose",
            _ => "",
        }
    }

    fn without_duration(&self, node: &Node) -> String {
        let op = match &node.op {
            Op::Gets(key, _) => Op::Gets(key.clone(), None),
            Op::Gains(key, _) => Op::Gains(key.clone(), None),
            Op::Loses(key, _) => Op::Loses(key.clone(), None),
            other => other.clone(),
        };
        self.modifier(&Node { op, ..node.clone() })
    }

    /// `+3`, `-1`, `-(number of …)`.
    fn change(&self, node: &Node) -> String {
        match (&node.op, node.kids.as_slice()) {
            (Op::Int(n), _) if *n < 0 => n.to_string(),
            (Op::Mul, [Node { op: Op::Int(-1), .. }, n]) if !matches!(n.op, Op::Int(_)) => match n.op {
                Op::Alternatives => format!("-{}", self.number(n)),
                _ => format!("-{}", self.atom(n)),
            },
            (Op::Alternatives | Op::Mul, _) => format!("+{}", self.number(node)),
            _ => format!("+{}", self.atom(node)),
        }
    }
}
