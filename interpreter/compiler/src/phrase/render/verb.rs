//! Verbs: statements, events, perfects, participles.

use super::{Writer, absent, kid, spaced};
use crate::phrase::noun::YOU;
use crate::phrase::term::{Detail, Frame, Seat, Use};
use crate::phrase::tree::{Det, Node, Op, TermKey};

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
            _ if lasts && eventful(node) => format!("({})", self.value(node)),
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
                spaced(&[subject, &self.form(key, used), &parts.rest])
            }
            None => spaced(&[&self.form(key, Use::Base), &parts.rest]),
        }
    }

    /// An event; `proposed` with `would`.
    pub(super) fn event(&self, node: &Node, proposed: bool) -> String {
        let key = match &node.op {
            Op::Event(key) => key,
            Op::Modifies(None) => return format!("modify {}", self.np(kid(node, 0))),
            Op::Modifies(Some(fact)) => return format!("modify {} of {}", self.name(fact), self.np(kid(node, 0))),
            Op::Starts(key) => return self.boundary(key, node, "starts"),
            Op::Ending(key) => return self.boundary(key, node, "ends"),
            _ => return String::new(),
        };
        let parts = self.parts(key, node, true);
        let Some(subject) = &parts.subject else { return spaced(&[&self.form(key, Use::Base), &parts.rest]) };
        let verb = match (parts.passive, proposed) {
            (true, true) => format!("would be {}", self.form(key, Use::Past)),
            (true, false) => format!("{} {}", if parts.plural { "are" } else { "is" }, self.form(key, Use::Past)),
            (false, true) => format!("would {}", self.form(key, Use::Base)),
            (false, false) => self.form(key, if parts.plural { Use::Base } else { Use::Third }),
        };
        spaced(&[subject, &verb, &parts.rest])
    }

    fn boundary(&self, key: &TermKey, node: &Node, word: &str) -> String {
        match node.kids.first() {
            Some(np) => format!("{} for {} {word}", self.name(key), self.np(np)),
            None => format!("{} {word}", self.name(key)),
        }
    }

    /// An event that a norm speaks of, after `cannot` or the like.
    pub(super) fn normed(&self, node: &Node, word: &str) -> String {
        let Op::Event(key) = &node.op else { return String::new() };
        let parts = self.parts(key, node, true);
        let subject = parts.subject.clone().unwrap_or_default();
        if parts.passive {
            return spaced(&[&subject, word, "be", &self.form(key, Use::Past), &parts.rest]);
        }
        spaced(&[&subject, word, &self.form(key, Use::Base), &parts.rest])
    }

    /// An event without its subject, as a window admits it.
    pub(super) fn admitted(&self, node: &Node) -> String {
        match &node.op {
            Op::Event(key) => spaced(&[&self.form(key, Use::Base), &self.parts(key, node, false).rest]),
            Op::HaveEffect if node.kids.is_empty() => "have an effect".to_string(),
            Op::HaveEffect => format!("have an effect on {}", self.np(kid(node, 0))),
            Op::ChangeNumber => format!("change {}", self.number(kid(node, 0))),
            Op::Targets => format!("target {}", self.np(kid(node, 0))),
            Op::PaidWith => format!("be paid with {}", self.np(kid(node, 0))),
            _ => self.event(node, false),
        }
    }

    /// A verb in the perfect, with its subject.
    pub(super) fn did(&self, node: &Node, yes: bool) -> String {
        let Op::Did(key, _) = &node.op else { return String::new() };
        let subject = self.parts(key, node, true).subject.unwrap_or_default();
        spaced(&[&subject, &self.did_tail(node, yes)])
    }

    /// The same without its subject.
    pub(super) fn did_tail(&self, node: &Node, yes: bool) -> String {
        let Op::Did(key, lasting) = &node.op else { return self.condition(node) };
        let parts = self.parts(key, node, true);
        let have = if parts.plural { "have" } else { "has" };
        let not = if yes { "" } else { "not" };
        let been = if parts.passive { "been" } else { "" };
        spaced(&[have, not, been, &self.form(key, Use::Past), &parts.rest, &self.lasting(lasting.as_deref())])
    }

    /// A participle after a noun.
    pub(super) fn done(&self, node: &Node) -> String {
        let Op::Done(key, lasting) = &node.op else { return String::new() };
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
            .map(|k| format!("by {}", self.value_after(k, lasts(node))))
            .unwrap_or_default();
        spaced(&[&self.form(key, Use::Past), &rest.join(" "), &by, &self.lasting(lasting.as_deref())])
    }
}

/// True if a verb after the phrase stands in the plural.
pub(super) fn plural(node: &Node) -> bool {
    match &node.op {
        Op::Defined(key) => *key.name == *YOU,
        Op::Quantified(det) => {
            matches!(det, Det::AtLeast(_) | Det::UpTo(_)) || matches!(det, Det::Exactly(n) if *n != 1)
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
