//! Answers to decisions in words.

use netrep_ir::*;

use crate::ask::eval::Eval;
use crate::position::set::ThingId;
use crate::position::stack::{Kind, Pending};
use crate::position::submission::Submission;
use crate::position::value::Value;

impl Eval<'_> {
    /// A submission in words.
    pub(crate) fn submission_words(&self, submission: &Submission) -> String {
        match submission {
            Submission::Declare { .. } => match self.attempt(submission) {
                Some(a) => declare_words(self, a.id, a.this, &a.locals),
                None => "declare".to_string(),
            },
            Submission::Pick(value) => self.any_words(value),
            Submission::Pass => "pass".to_string(),
            Submission::Decline => "decline".to_string(),
            Submission::Yes => "yes".to_string(),
            Submission::No => "no".to_string(),
            Submission::Branch(n) => self.branch_words(*n),
            Submission::Step(step) => {
                format!("perform {}", self.link.step_name(*step))
            }
            Submission::Order(n) => self.order_words(usize::from(*n)),
            Submission::Dice(n) => n.to_string(),
            Submission::Shuffled(things) => things.iter().map(|t| self.thing_words(*t)).collect::<Vec<_>>().join(", "),
        }
    }

    fn branch_words(&self, n: u16) -> String {
        let here = match self.state.frames.last().map(|f| &f.kind) {
            Some(Kind::Block(at)) => self.link.statement(at.before()),
            _ => None,
        };
        let branch = match here {
            Some((Statement::ChooseOne { branches, .. }, _)) => branches.get(usize::from(n)),
            _ => None,
        };
        let texts =
            branch.map(|b| self.link.block(*b).iter().map(|(_, site)| self.link.site_text(*site)).collect::<Vec<_>>());
        match texts.map(|t| t.join("; ")) {
            Some(text) if !text.is_empty() => text,
            _ => format!("branch {}", n + 1),
        }
    }

    fn order_words(&self, n: usize) -> String {
        let replacements;
        let alike = |p: &Pending, q: &Pending| (p.trigger, p.this) == (q.trigger, q.this);
        let waiting = match self.state.frames.last().map(|f| &f.kind) {
            Some(Kind::Immediate { items, .. }) => items.as_slice(),
            Some(Kind::Following(f)) => f.open.as_slice(),
            Some(Kind::Event(_)) => {
                replacements = self.replacements().into_iter().map(|m| m.pending(0)).collect::<Vec<_>>();
                replacements.as_slice()
            }
            _ => &[],
        };
        let Some(one) = waiting.get(n) else { return format!("number {}", n + 1) };
        let trigger = self.link.program.trigger(one.trigger);
        let label = self.link.label(trigger.clause);
        let mut words = match one.this {
            Some(t) => format!("{}: {label}", self.thing_words(t)),
            None => label.to_string(),
        };
        // What one clause of one thing says of several is told apart by them.
        if waiting.iter().filter(|p| alike(p, one)).count() > 1 {
            let slots = trigger.pattern.roles.iter().filter_map(|r| r.1);
            for about in slots.filter_map(|s| one.locals.get(usize::from(s)).and_then(Value::thing)) {
                words.push_str(&format!(" {}", self.thing_words(about)));
            }
        }
        words
    }
}

/// A declaration in words: `play "Block" on "Ann"`, `"Well": draw`.
pub(crate) fn declare_words(eval: &Eval, id: AllowanceId, this: Option<ThingId>, own: &[Value]) -> String {
    let allowance = eval.link.program.allowance(id);
    // A play is said of the card; what a thing can do is said after the thing.
    let play =
        allowance.action.is_some_and(|a| Some(eval.link.program.action(a).verb) != eval.link.program.services.ability);
    let mut words = match (this, play) {
        (Some(t), true) => format!("{} {}", allowance.words, eval.thing_words(t)),
        (Some(t), false) => format!("{}: {}", eval.thing_words(t), allowance.words),
        (None, _) => allowance.words.clone(),
    };
    for p in &allowance.parameters {
        if let Some(value) = own.get(usize::from(p.slot)) {
            // Of what is chosen with others nothing is said before it is chosen.
            if p.several.is_some() && *value == Value::None {
                continue;
            }
            if !p.word.is_empty() {
                words.push(' ');
                words.push_str(&p.word);
            }
            words.push(' ');
            words.push_str(&eval.any_words(value));
        }
    }
    words
}
