//! Event patterns, triggers, replacements and norms.

use netrep_diagnostics::Code;
use netrep_ir::{Norm, NormId, NormKind, Pattern, Sel, Trigger, TriggerId, VerbId};

use super::context::{Bound, Cx, Env, Low};
use super::several::Many;
use crate::phrase::clause::Polarity;
use crate::phrase::operators::{Act, Event, View};
use crate::phrase::tree::Node;

impl Cx<'_> {
    /// An event pattern; labels of its roles are bound in `env`.
    pub(crate) fn pattern(&mut self, event: &Node, env: &mut Env) -> Low<Pattern> {
        // How many roles stand before the first that is said.
        let mut before = 0;
        let (verb, phrases): (VerbId, Vec<&Node>) = match event.view() {
            View::Event(Event::Event { verb, roles }) | View::Act(Act::Do { verb, roles }) => {
                (self.out.symbols.verb(&verb.name), roles.iter().collect())
            }
            View::Event(Event::Starts { procedure, whom }) => {
                let (verb, at) = self.bounds(procedure, None, false, whom.first(), event)?;
                before = at;
                (verb, whom.iter().collect())
            }
            View::Event(Event::Ending { procedure, whom }) => {
                let (verb, at) = self.bounds(procedure, None, true, whom.first(), event)?;
                before = at;
                (verb, whom.iter().collect())
            }
            View::Event(Event::StepStarts { step, procedure, whom }) => {
                let (verb, at) = self.bounds(procedure, Some(step), false, whom.first(), event)?;
                before = at;
                (verb, whom.iter().collect())
            }
            View::Event(Event::StepEnding { step, procedure, whom }) => {
                let (verb, at) = self.bounds(procedure, Some(step), true, whom.first(), event)?;
                before = at;
                (verb, whom.iter().collect())
            }
            View::Event(Event::Comes { fact, of, value }) => self.changed(fact, of, value, true, event)?,
            View::Event(Event::Ceases { fact, of, value }) => self.changed(fact, of, value, false, event)?,
            View::Event(
                Event::HaveEffect { .. }
                | Event::ChangeNumber { .. }
                | Event::PaidWith { .. }
                | Event::Targets { .. }
                | Event::Modifies { .. },
            )
            | View::Reference(_)
            | View::Thing(_)
            | View::Fact(_)
            | View::Literal(_)
            | View::Predicate(_)
            | View::Number(_)
            | View::Logic(_)
            | View::Condition(_)
            | View::Act(_)
            | View::Change(_)
            | View::Part(_)
            | View::Malformed => return self.wrong_sort(event, "an event is meant here"),
        };
        // Labels first, so that one role's phrase may speak of another role.
        let mut slots = Vec::new();
        for phrase in &phrases {
            let (label, _) = phrase.labelled();
            slots.push(label.map(|label| env.slot_of(label, |s| Bound::Things(Sel::Slot(s), Many::One))));
        }
        let mut roles = vec![(None, None); before];
        for (phrase, slot) in phrases.iter().zip(slots) {
            let what = phrase.present().map(|phrase| self.sel(phrase.labelled().1, env)).transpose()?;
            roles.push((what, slot));
        }
        Ok(Pattern { verb, roles })
    }

    /// A trigger or replacement.
    #[allow(clippy::too_many_arguments, reason = "the parts of one sentence")]
    pub(crate) fn trigger(
        &mut self,
        event: &Node,
        condition: Option<&Node>,
        body: &Node,
        env: &mut Env,
        delayed: bool,
        immediate: bool,
        instead: bool,
    ) -> Low<TriggerId> {
        if instead && let View::Event(Event::Comes { .. } | Event::Ceases { .. }) = event.view() {
            let help = "say what would be done that changes it: `when … would be VERBed instead`";
            return self.fail(
                Code::NotSupported,
                event.span,
                "a change of a fact is told when it has been made",
                Some(help),
            );
        }
        let pattern = self.pattern(event, env)?;
        let cond = condition.map(|c| self.cond(c, env)).transpose()?;
        let body = self.block_of(body, env)?;
        self.out.triggers.push(Trigger {
            clause: self.clause,
            card: None,
            within: None,
            carriers: None,
            ends: None,
            pattern,
            cond,
            body,
            instead,
            immediate,
            timing: None,
            delayed,
            slots: env.most,
        });
        Ok(TriggerId::from_index(self.out.triggers.len() - 1))
    }

    /// A norm; `delayed`: that an effect lays down.
    pub(crate) fn norm(
        &mut self,
        polarity: Polarity,
        event: &Node,
        condition: Option<&Node>,
        env: &mut Env,
        delayed: bool,
    ) -> Low<NormId> {
        let kind = match polarity {
            Polarity::Cannot => NormKind::Cannot,
            Polarity::Permit => NormKind::Permit,
            Polarity::Must => NormKind::Must,
            Polarity::NeedNot => {
                return self.fail(Code::NotSupported, event.span, "`need not` awaits the rules that use it", None);
            }
        };
        let pattern = self.pattern(event, env)?;
        let around = env.it.clone();
        // `it` in the condition is the thing that the event happens to.
        let object = pattern.roles.iter().position(|(s, _)| s.is_some());
        if let Some(o) = object
            && let Some((_, slot)) = pattern.roles.get(o)
        {
            env.it = slot.map(Sel::Slot);
        }
        let cond = condition.map(|c| self.cond(c, env)).transpose()?;
        env.it = around;
        self.out.norms.push(Norm {
            clause: self.clause,
            card: None,
            within: None,
            carriers: None,
            ends: None,
            kind,
            by: None,
            pattern,
            cond,
            delayed,
            slots: env.most,
        });
        Ok(NormId::from_index(self.out.norms.len() - 1))
    }
}
