//! Verbs: statements, events, perfects, participles.

use super::row::fill;
use super::{Writer, absent, kid, said, spaced};
use crate::phrase::clause::Polarity;
use crate::phrase::forms::Form;
use crate::phrase::noun::YOU;
use crate::phrase::term::{Detail, Frame, Seat, Use};
use crate::phrase::tree::{Det, Lasting, Node, Op, TermKey};

/// A verb phrase taken apart.
struct Parts {
    /// What stands before the verb.
    subject: Option<String>,
    plural: bool,
    passive: bool,
    /// What stands after it.
    rest: String,
}

impl Writer<'_> {
    fn frame(&self, key: &TermKey) -> Frame {
        match (self.terms)(key).map(|t| t.detail.clone()) {
            Some(Detail::Verb { frame }) => frame,
            _ => Frame::default(),
        }
    }

    /// The subject and the rest; passive if the object is known and the subject is not.
    fn parts(&self, key: &TermKey, node: &Node, may_be_passive: bool) -> Parts {
        let frame = self.frame(key);
        let role = |i: Option<usize>| i.map(|i| kid(node, i)).filter(|k| !absent(k));
        let subject = role(frame.subject());
        let object = role(frame.object());
        let passive = may_be_passive && subject.is_none() && object.is_some();
        let leading = if passive { object } else { subject };
        let mut rest = Vec::new();
        for group in &frame.groups {
            let value = match group.role {
                Some(i) if passive && frame.object() == Some(i) => continue,
                Some(i) => match role(Some(i)) {
                    Some(value) => self.value_after(value, lasts(node)),
                    None => continue,
                },
                // total: such a group has words alone
                None => String::new(),
            };
            rest.push(spaced(&[&group.before.join(" "), &value, &group.after.join(" ")]));
        }
        Parts {
            subject: leading.map(|n| self.np(n)),
            plural: leading.is_some_and(plural),
            passive,
            rest: rest.join(" "),
        }
    }

    /// A role after the verb; a duration behind the verb phrase must not be drawn into it.
    fn value_after(&self, node: &Node, lasts: bool) -> String {
        match node.op {
            _ if lasts && eventful(node) => self.closed(self.value(node)),
            Op::Add | Op::Sub | Op::Mul | Op::Count | Op::Total(_) | Op::Alternatives => self.atom(node),
            _ => self.value(node),
        }
    }

    /// A statement: imperative, or with a subject.
    pub(super) fn act(&self, key: &TermKey, node: &Node) -> String {
        let parts = self.parts(key, node, false);
        match &parts.subject {
            Some(subject) => {
                let used = if parts.plural { Use::Base } else { Use::Third };
                let act = spaced(&[&self.form(key, used), &parts.rest]);
                self.say(Form::StatementDo, &[fill("who", subject.as_str()), fill("act", act)])
            }
            None => {
                let act = spaced(&[&self.form(key, Use::Base), &parts.rest]);
                self.say(Form::StatementAct, &[fill("act", act)])
            }
        }
    }

    /// An event; `proposed` with `would`.
    pub(super) fn event(&self, node: &Node, proposed: bool) -> String {
        let key = match &node.op {
            Op::Event(key) => key,
            Op::Modifies(None) => return self.say(Form::AdmittedModify, &[fill("of", self.np(kid(node, 0)))]),
            Op::Modifies(Some(fact)) => {
                let of = fill("of", self.np(kid(node, 0)));
                return self.say(Form::AdmittedFact, &[fill("a", self.name(fact)), of]);
            }
            Op::Starts(key) => return self.boundary(Form::MomentStart, key, "", node),
            Op::Ending(key) => return self.boundary(Form::MomentEnd, key, "", node),
            Op::StepStarts(step, key) => return self.boundary(Form::MomentStepStart, key, step, node),
            Op::StepEnding(step, key) => return self.boundary(Form::MomentStepEnd, key, step, node),
            Op::Comes(fact) | Op::Ceases(fact) => {
                let form = if matches!(node.op, Op::Comes(_)) { Form::EventBecomes } else { Form::EventCeases };
                let of = fill("of", self.np(kid(node, 0)));
                return self.say(form, &[fill("a", self.name(fact)), of, fill("value", self.value(kid(node, 1)))]);
            }
            _ => return self.by_row(node),
        };
        let parts = self.parts(key, node, true);
        let verb = |used| spaced(&[&self.form(key, used), &parts.rest]);
        let Some(subject) = &parts.subject else { return self.say(Form::AdmittedAct, &[fill("act", verb(Use::Base))]) };
        let (form, used) = match (parts.passive, proposed) {
            (true, true) => (Form::ProposedPassive, Use::Past),
            (true, false) => (Form::EventPassive, Use::Past),
            (false, true) => (Form::ProposedActive, Use::Base),
            (false, false) => (Form::EventActive, if parts.plural { Use::Base } else { Use::Third }),
        };
        let who = if parts.passive { "what" } else { "who" };
        self.say_of(form, parts.plural, &[fill(who, subject.as_str()), fill("act", verb(used))])
    }

    /// Whether an event is a moment of a procedure, so that it is said without `when`.
    pub(super) fn is_moment(node: &Node) -> bool {
        matches!(node.op, Op::Starts(_) | Op::Ending(_) | Op::StepStarts(..) | Op::StepEnding(..))
    }

    /// The start or the end of a procedure as the end of a span.
    pub(super) fn bound(&self, node: &Node) -> String {
        match &node.op {
            Op::Starts(key) => self.boundary(Form::BoundaryStart, key, "", node),
            Op::Ending(key) => self.boundary(Form::BoundaryEnd, key, "", node),
            _ => self.event(node, false),
        }
    }

    fn boundary(&self, form: Form, key: &TermKey, step: &str, node: &Node) -> String {
        let whom = said(node.kids.first().map(|np| self.np(np)));
        self.say(form, &[fill("p", self.name(key)), fill("s", step), fill("whom", whom)])
    }

    /// A norm as a statement with its duration.
    pub(super) fn normed(&self, node: &Node, polarity: Polarity, guard: &str, long: &str) -> String {
        let form = match polarity {
            Polarity::Cannot => Form::StatementCannot,
            Polarity::Must => Form::StatementMust,
            Polarity::NeedNot => Form::StatementNeed,
            Polarity::Permit => Form::StatementRegardless,
        };
        let (subject, deed) = self.deed(node);
        self.say(form, &[fill("who", subject), fill("e", deed), fill("c", guard), fill("long", long)])
    }

    /// A norm as a clause with its condition.
    pub(super) fn norm_clause(&self, node: &Node, polarity: Polarity, guard: &str) -> String {
        let form = match polarity {
            Polarity::Cannot => Form::ClauseCannot,
            Polarity::Must => Form::ClauseMust,
            Polarity::NeedNot => Form::ClauseNeed,
            Polarity::Permit => Form::ClauseRegardless,
        };
        let (subject, deed) = self.deed(node);
        self.say(form, &[fill("who", subject), fill("e", deed), fill("c", guard)])
    }

    /// The subject of an event that a norm speaks of, and what is said of it.
    pub(super) fn deed(&self, node: &Node) -> (String, String) {
        let key = match &node.op {
            Op::Event(key) => key,
            _ => return (String::new(), self.event(node, false)),
        };
        let parts = self.parts(key, node, true);
        let used = if parts.passive { Use::Past } else { Use::Base };
        let act = fill("act", spaced(&[&self.form(key, used), &parts.rest]));
        let form = if parts.passive { Form::DeedPassive } else { Form::DeedActive };
        (said(parts.subject), self.say(form, &[act]))
    }

    /// An event without its subject, as a window admits it.
    pub(super) fn admitted(&self, node: &Node) -> String {
        match &node.op {
            Op::Event(key) => {
                let act = spaced(&[&self.form(key, Use::Base), &self.parts(key, node, false).rest]);
                self.say(Form::AdmittedAct, &[fill("act", act)])
            }
            Op::HaveEffect | Op::ChangeNumber | Op::Targets | Op::PaidWith => self.by_row(node),
            _ => self.event(node, false),
        }
    }

    /// A verb in the perfect, with its subject.
    pub(super) fn did(&self, node: &Node, yes: bool) -> String {
        match &node.op {
            Op::Did(key, lasting) => {
                let parts = self.parts(key, node, true);
                self.perfect(key, parts, lasting.as_deref(), yes)
            }
            _ => self.condition(node),
        }
    }

    /// The same without its subject.
    pub(super) fn did_tail(&self, node: &Node, yes: bool) -> String {
        match &node.op {
            Op::Did(key, lasting) => {
                let parts = Parts { subject: None, ..self.parts(key, node, true) };
                self.perfect(key, parts, lasting.as_deref(), yes)
            }
            _ => self.condition(node),
        }
    }

    fn perfect(&self, key: &TermKey, parts: Parts, lasting: Option<&Lasting>, yes: bool) -> String {
        let form = if parts.passive { Form::FiniteSuffered } else { Form::FiniteDone };
        let holes = [
            fill("..", said(parts.subject)),
            fill("not", if yes { "" } else { "not" }),
            fill("act", spaced(&[&self.form(key, Use::Past), &parts.rest])),
            fill("long", self.lasting(lasting)),
        ];
        self.say_of(form, parts.plural, &holes)
    }

    /// A participle after a noun.
    pub(super) fn done(&self, key: &TermKey, lasting: Option<&Lasting>, node: &Node) -> String {
        let frame = self.frame(key);
        let mut rest = Vec::new();
        for group in &frame.groups {
            let Some(i) = group.role.filter(|i| frame.object() != Some(*i)) else {
                if group.role.is_none() {
                    rest.push(group.before.join(" "));
                }
                continue;
            };
            if !absent(kid(node, i)) {
                rest.push(spaced(&[
                    &group.before.join(" "),
                    &self.value_after(kid(node, i), lasts(node)),
                    &group.after.join(" "),
                ]));
            }
        }
        let by = frame
            .roles
            .iter()
            .position(|r| r.seat == Seat::Subject)
            .map(|i| kid(node, i))
            .filter(|k| !absent(k))
            .map(|k| format!("by {}", self.value_after(k, lasts(node))));
        spaced(&[&self.form(key, Use::Past), &rest.join(" "), &said(by), &self.lasting(lasting)])
    }
}

/// True if a verb after the phrase stands in the plural.
pub(super) fn plural(node: &Node) -> bool {
    match &node.op {
        Op::Defined(key) => *key.name == *YOU,
        Op::Quantified(det) => {
            matches!(det, Det::AtLeast(_) | Det::UpTo(_) | Det::AnyNumber) || matches!(det, Det::Exactly(n) if *n != 1)
        }
        Op::As(_) => node.kids.first().is_some_and(plural),
        _ => false,
    }
}

/// True if the verb has a duration of its own.
fn lasts(node: &Node) -> bool {
    matches!(node.op, Op::Did(_, Some(_)) | Op::Done(_, Some(_)))
}

/// True if a duration behind the phrase could belong to a verb in it.
pub(super) fn eventful(node: &Node) -> bool {
    matches!(node.op, Op::Did(..) | Op::Done(..)) || node.kids.iter().any(eventful)
}
