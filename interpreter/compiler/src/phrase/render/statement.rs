//! Statements and modifiers.

use super::row::fill;
use super::{Writer, absent, kid, said};
use crate::phrase::forms::Form;
use crate::phrase::tree::{Det, Lasting, Node, Op, TermKey};

impl Writer<'_> {
    /// A statement, or several joined by `;`.
    pub(super) fn statement(&self, node: &Node) -> String {
        let np = |i: usize| self.np(kid(node, i));
        let block = |i: usize| self.block(kid(node, i));
        let other = |i: usize| said(node.kids.get(i).map(|other| self.other(other)));
        let who = kid(node, 0);
        let many = super::verb::plural(who);
        match &node.op {
            Op::Sequence => {
                self.joined_as(Form::SequenceJoined, "each", node.kids.iter().map(|k| self.statement(k)).collect())
            }
            Op::Do(key) => self.act(key, node),
            Op::If => self.say(
                Form::BranchIf,
                &[fill("c", self.condition(who)), fill("then", block(1)), fill("other", other(2))],
            ),
            Op::ForEach(label) => {
                let several = match &who.op {
                    Op::Quantified(Det::Each) => np(0),
                    _ => self
                        .say(Form::OneDetermined, &[fill("d", self.word_of(Form::DeterminerEach)), fill("n", np(0))]),
                };
                let order = match node.kids.get(2) {
                    Some(around @ Node { op: Op::Around(onwards), .. }) => {
                        let on = fill("on", if *onwards { "onwards" } else { "backwards" });
                        self.say(Form::OrderAround, &[fill("who", self.np(kid(around, 0))), on])
                    }
                    Some(chooser) => self.say(Form::OrderChosen, &[fill("who", self.np(chooser))]),
                    // total: an order that nobody said is not written
                    None => String::new(),
                };
                let holes =
                    [fill("of", several), fill("l", self.naming(label)), fill("order", order), fill("body", block(1))];
                self.say(Form::StatementEach, &holes)
            }
            Op::Choose(label) => {
                let (what, naming) = (fill("what", np(1)), fill("l", self.naming(label)));
                match who.op {
                    Op::Chance => {
                        let by = fill("who", self.word_of(Form::ChanceChance));
                        self.say(Form::StatementRandom, &[what, naming, by])
                    }
                    Op::Absent => self.say(Form::StatementChoose, &[what, naming]),
                    _ => self.say_of(Form::StatementChooses, many, &[fill("who", np(0)), what, naming]),
                }
            }
            Op::MayChoose(label) => self.say(
                Form::StatementPick,
                &[
                    fill("who", np(0)),
                    fill("what", np(1)),
                    fill("l", self.naming(label)),
                    fill("body", block(2)),
                    fill("other", other(3)),
                ],
            ),
            Op::May => {
                self.say(Form::StatementMay, &[fill("who", np(0)), fill("body", block(1)), fill("other", other(2))])
            }
            Op::ChooseOne => {
                let modes: Vec<String> = node.kids.iter().skip(1).map(|k| self.block(k)).collect();
                match absent(who) {
                    true => self.say(Form::StatementModes, &[fill("modes", modes)]),
                    false => self.say_of(Form::StatementOffers, many, &[fill("who", np(0)), fill("modes", modes)]),
                }
            }
            Op::Roll(label, _) if absent(kid(node, 1)) => {
                self.say(Form::StatementThrow, &[fill("l", self.naming(label))])
            }
            Op::Roll(label, class) => {
                let (article, class) =
                    // total: a roll that is of no class is written without one
                    class.as_ref().map(|class| self.with_article(&self.name(class))).unwrap_or_default();
                let one = kid(node, 1).op == Op::Int(1);
                let count = if one { self.number(kid(node, 1)) } else { self.atom(kid(node, 1)) };
                let whom = if absent(kid(node, 2)) { String::new() } else { np(2) };
                let mut holes = vec![
                    fill("n", count),
                    fill("dice", if one { "die" } else { "" }),
                    fill("l", self.naming(label)),
                    fill("whom", whom),
                    fill("article", article),
                    fill("class", class),
                ];
                match absent(who) {
                    true => self.say(Form::StatementRoll, &holes),
                    false => {
                        holes.push(fill("who", np(0)));
                        self.say_of(Form::StatementRolls, many, &holes)
                    }
                }
            }
            Op::Set(key) => {
                let of =
                    Node { op: Op::Of(key.clone()), kids: node.kids.iter().take(1).cloned().collect(), ..node.clone() };
                let value = said(node.kids.last().map(|v| self.value(v)));
                self.say(Form::StatementSet, &[fill("fact", self.np(&of)), fill("value", value)])
            }
            Op::Put(bottom) => {
                let form = if *bottom { Form::StatementBottom } else { Form::StatementPut };
                self.say(form, &[fill("what", np(0)), fill("place", np(1))])
            }
            Op::LetLabel(label) => {
                self.say(Form::StatementName, &[fill("l", &**label), fill("value", self.value(who))])
            }
            Op::LetRole(key) => {
                self.say(Form::StatementBind, &[fill("r", self.name(key)), fill("value", self.value(who))])
            }
            Op::Perform(key) => {
                let arguments: Vec<String> = node.kids.iter().map(|k| self.value(k)).collect();
                let values = fill("values", arguments.join(", "));
                self.say(Form::StatementPerform, &[fill("p", self.name(key)), values])
            }
            Op::End(key) => self.say(Form::StatementEnd, &[fill("p", self.name(key))]),
            Op::Window(response) => {
                let admits: Vec<String> = node.kids.iter().map(|k| self.admit(k)).collect();
                let response = fill("response", if *response { "in" } else { "" });
                self.say(Form::StatementWindow, &[response, fill("admits", admits)])
            }
            Op::When(lasting, immediately) => self.say(
                if Self::is_moment(who) { Form::StatementAt } else { Form::StatementWhen },
                &[
                    fill("e", self.event(who, false)),
                    fill("c", self.guard(kid(node, 1))),
                    fill("now", if *immediately { "immediately" } else { "" }),
                    fill("body", block(2)),
                    fill("long", self.lasting(lasting.as_ref())),
                ],
            ),
            Op::Norm(polarity, lasting) => {
                let guard: String = node.kids.iter().skip(1).map(|guard| self.guard(guard)).collect();
                self.normed(who, *polarity, &guard, &self.lasting(lasting.as_ref()))
            }
            Op::RepeatUntil
            | Op::RepeatTimes
            | Op::Remove
            | Op::ActionEffect
            | Op::Stop
            | Op::Extend
            | Op::CancelEffects => self.by_row(node),
            _ => self.modifier(node),
        }
    }

    /// A label as it is given.
    pub(super) fn naming(&self, label: &str) -> String {
        self.say(Form::AfterOneLabelled, &[fill("l", label)])
    }

    /// The facts of a new thing.
    pub(super) fn facts<'n>(&self, keys: &[TermKey], values: impl IntoIterator<Item = &'n Node>) -> String {
        let facts: Vec<String> = keys.iter().zip(values).map(|(k, v)| self.fact(k, v)).collect();
        facts.join(", ")
    }

    /// A condition behind `if`; nothing if it is absent.
    pub(super) fn guard(&self, condition: &Node) -> String {
        match absent(condition) {
            true => String::new(),
            false => self.say(Form::GuardIf, &[fill("c", self.condition(condition))]),
        }
    }

    /// One player of a window.
    pub(super) fn admit(&self, node: &Node) -> String {
        let events: Vec<String> = node.kids.iter().skip(2).map(|k| self.admitted(k)).collect();
        let whilst = match kid(node, 1) {
            c if absent(c) => String::new(),
            c => self.say(Form::WhilstWhile, &[fill("c", self.condition(c))]),
        };
        let deeds = fill("deeds", super::joined_by_or(&events));
        self.say(Form::AdmitAdmit, &[fill("who", self.np(kid(node, 0))), fill("c", whilst), deeds])
    }

    /// Statements in braces.
    pub(super) fn block(&self, node: &Node) -> String {
        match self.statement(node) {
            empty if empty.is_empty() => "{ }".to_owned(),
            text => format!("{{ {text} }}"),
        }
    }

    /// What stands behind `otherwise`.
    fn other(&self, other: &Node) -> String {
        match other.op {
            Op::If => self.statement(other),
            _ => self.block(other),
        }
    }

    // ---- modifiers

    pub(super) fn modifier(&self, node: &Node) -> String {
        let who = kid(node, 0);
        let many = super::verb::plural(who);
        let np = || fill("who", self.np(who));
        let long = |lasting: &Option<Lasting>| fill("long", self.lasting(lasting.as_ref()));
        match &node.op {
            Op::Gets(key, lasting) => {
                let changes = fill("changes", vec![self.difference(key, node)]);
                self.say_of(Form::ChangeGets, many, &[np(), changes, long(lasting)])
            }
            Op::Gains(key, lasting) => {
                self.say_of(Form::ChangeGains, many, &[np(), fill("traits", self.name(key)), long(lasting)])
            }
            Op::Loses(key, lasting) => {
                self.say_of(Form::ChangeLoses, many, &[np(), fill("traits", self.name(key)), long(lasting)])
            }
            Op::Turns(key, lasting) => {
                self.say_of(Form::ChangeTurns, many, &[np(), fill("what", self.name(key)), long(lasting)])
            }
            Op::Acquires(lasting) => {
                let thing = kid(node, 1);
                let what = self.grouped(thing, matches!(thing.op, Op::New(..)) && lasting.is_some());
                self.say_of(Form::ChangeAcquires, many, &[np(), fill("what", what), long(lasting)])
            }
            Op::Sheds(lasting) => {
                self.say_of(Form::ChangeSheds, many, &[np(), fill("what", self.np(kid(node, 1))), long(lasting)])
            }
            Op::Becomes(key, lasting) => {
                let value = kid(node, 1);
                let of = Node { op: Op::Of(key.clone()), kids: vec![who.clone()], ..node.clone() };
                let said = match super::verb::eventful(value) {
                    true => self.closed(self.value(value)),
                    false => self.value(value),
                };
                self.say(Form::ChangeBecomes, &[fill("fact", self.np(&of)), fill("value", said), long(lasting)])
            }
            Op::While => {
                let (change, condition) = (fill("m", self.joined(who)), kid(node, 1));
                match &condition.op {
                    Op::Against => self.say(Form::ModifierAgainst, &[change, fill("c", self.condition(condition))]),
                    _ => {
                        let c = self.say(Form::StandingWhile, &[fill("c", self.condition(condition))]);
                        self.say(Form::ModifierWhile, &[change, fill("c", c)])
                    }
                }
            }
            _ => self.by_row(node),
        }
    }

    /// `+N ATTR [max N] [min N]`.
    fn difference(&self, key: &TermKey, node: &Node) -> String {
        let bound = |n: &Node| match absent(n) {
            true => String::new(),
            false if super::verb::eventful(n) => self.closed(self.number(n)),
            false => self.number(n),
        };
        let (less, n) = self.amount(kid(node, 1));
        let form = if less { Form::DifferenceLess } else { Form::DifferenceMore };
        let (most, least) = (bound(kid(node, 2)), bound(kid(node, 3)));
        self.say(form, &[fill("n", n), fill("a", self.name(key)), fill("most", most), fill("least", least)])
    }

    /// `modification of ATTR of NP by NP`.
    pub(super) fn modification(&self, node: &Node) -> String {
        let Op::Modification(key) = &node.op else { return self.np(node) };
        let part = |n: &Node, last: bool| match absent(n) {
            true => String::new(),
            false => self.grouped(n, n.op == Op::Either || !last && super::noun::open(n)),
        };
        let by = kid(node, 1);
        let (of, author) = (part(kid(node, 0), absent(by)), part(by, true));
        self.say(Form::ModificationFact, &[fill("a", self.name(key)), fill("of", of), fill("author", author)])
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
            let head = format!("{} ", self.opening(part));
            let tail = if i + 1 < node.kids.len() { self.without_duration(part) } else { whole };
            text.push_str(", ");
            text.push_str(tail.strip_prefix(&head).unwrap_or(&tail));
        }
        text
    }

    /// The subject of a change with its verb.
    fn opening(&self, part: &Node) -> String {
        let who = kid(part, 0);
        let form = match part.op {
            Op::Gets(..) => Form::ChangeGets,
            Op::Gains(..) => Form::ChangeGains,
            Op::Loses(..) => Form::ChangeLoses,
            _ => return self.np(who),
        };
        self.say_of(form, super::verb::plural(who), &[fill("who", self.np(who))])
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

    /// The amount of a change without its sign, and whether it is less.
    fn amount(&self, node: &Node) -> (bool, String) {
        match (&node.op, node.kids.as_slice()) {
            (Op::Int(n), _) if *n < 0 => (true, n.unsigned_abs().to_string()),
            (Op::Mul, [Node { op: Op::Int(-1), .. }, n]) if !matches!(n.op, Op::Int(_)) => match n.op {
                Op::Alternatives => (true, self.number(n)),
                _ => (true, self.atom(n)),
            },
            (Op::Alternatives | Op::Mul, _) => (false, self.number(node)),
            _ => (false, self.atom(node)),
        }
    }
}
