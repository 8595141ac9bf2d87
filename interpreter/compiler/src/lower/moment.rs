//! Events that no verb says: that a procedure or a step begins or is over, that a fact changes.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{ValueKind, VerbId};
use serde::{Deserialize, Serialize};

use super::context::{Cx, Low};
use crate::phrase::operators::{Literal, View};
use crate::phrase::sorts::article;
use crate::phrase::term::{Detail, Origin, TypeName};
use crate::phrase::tree::{Node, Sort, TermKey};

/// A moment that an item waits for. The engine announces it as a verb that no word says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LowMoment {
    /// The name of the verb, which no declared verb can have.
    pub name: Arc<str>,
    /// Which moment.
    pub what: Awaited,
    /// Where it is said.
    pub span: Span,
}

/// Which moment it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Awaited {
    /// The beginning of a procedure or of a step of it, or the end.
    Bounds { procedure: Arc<str>, step: Option<Arc<str>>, end: bool },
    /// An attribute comes to hold a thing (or this entry, or yes), or holds it no longer.
    Change { fact: Arc<str>, entry: Option<Arc<str>>, becomes: bool },
}

impl Cx<'_> {
    /// The verb of a moment.
    fn moment(&mut self, name: &str, what: Awaited, span: Span) -> VerbId {
        if !self.out.moments.iter().any(|moment| *moment.name == *name) {
            self.out.moments.push(LowMoment { name: Arc::from(name), what, span });
        }
        self.out.symbols.verb(name)
    }

    /// The beginning or the end of a procedure or of a step, and which of its parameters `of` names.
    pub(super) fn bounds(
        &mut self,
        procedure: &TermKey,
        step: Option<&Arc<str>>,
        end: bool,
        whom: Option<&Node>,
        event: &Node,
    ) -> Low<(VerbId, usize)> {
        let params = self.procedure_params(procedure, event.span)?;
        let is_thing = |types: &[TypeName]| types.first() != Some(&TypeName::Number);
        let before = params.iter().take_while(|param| !is_thing(&param.types)).count();
        if let Some(whom) = whom {
            let Some(param) = params.get(before) else {
                let text = format!("the {} is of nothing", procedure.name);
                return self.fail(Code::WrongSort, whom.span, text, Some("leave out what stands behind `of`"));
            };
            let of = whom.labelled().1;
            let wanted = param.types.iter().filter_map(|one| match one {
                TypeName::Named(class) => Some(class),
                _ => None,
            });
            let wanted: Vec<&Arc<str>> = wanted.collect();
            if let Sort::Thing(class) = &of.sort
                && !wanted.is_empty()
                && !wanted.iter().any(|one| self.base_name(one) == self.base_name(class))
            {
                let wanted: Vec<&str> = wanted.iter().map(|one| &***one).collect();
                let wanted = article(&wanted.join(" or "));
                let text = format!("the {} is of {wanted}, and this is {}", procedure.name, article(class));
                let help = format!("say whose it is: `of {wanted}`");
                return self.fail(Code::WrongSort, of.span, text, Some(&help));
            }
        }
        // So that an unknown procedure is told as such.
        self.out.symbols.proc(&procedure.name);
        let of = step.iter().map(|step| &***step).chain([&*procedure.name]);
        let name = [if end { "@end" } else { "@start" }].into_iter().chain(of).collect::<Vec<_>>().join(" / ");
        let what = Awaited::Bounds { procedure: procedure.name.clone(), step: step.cloned(), end };
        Ok((self.moment(&name, what, event.span), before))
    }

    /// The change of a fact, and the phrases of its roles.
    pub(super) fn changed<'n>(
        &mut self,
        fact: &TermKey,
        of: &'n Node,
        value: &'n Node,
        becomes: bool,
        event: &Node,
    ) -> Low<(VerbId, Vec<&'n Node>)> {
        let info = self.attribute(fact, event.span)?;
        let origin = match &self.term(fact, event.span)?.detail {
            Detail::Attribute { origin, .. } => *origin,
            _ => Origin::Figure,
        };
        if origin != Origin::State {
            let text = format!("`{}` is not stored: it is never set to anything", fact.name);
            return self.fail(Code::WrongFigure, event.span, text, Some("name a `state`"));
        }
        let mut phrases = vec![of];
        let mut becomes = becomes;
        let entry = match (info.kind, value.view()) {
            (_, View::Literal(Literal::Nothing {})) => {
                let help = "say what it was before: `FACT of X ceases to be a …`";
                return self.fail(Code::NotSupported, value.span, "that nothing is left is no value", Some(help));
            }
            (ValueKind::Flag, View::Literal(Literal::Truth { yes })) => {
                becomes = becomes == *yes;
                None
            }
            (ValueKind::Entry(_) | ValueKind::Entries(_), _) => match self.entry_said(value) {
                Some(entry) => Some(entry),
                None => {
                    let text = "one term is meant here";
                    return self.fail(
                        Code::NotSupported,
                        value.span,
                        text,
                        Some("name the term: `FACT of X becomes TERM`"),
                    );
                }
            },
            (ValueKind::Thing(_) | ValueKind::Things(_), _) => {
                phrases.push(value);
                None
            }
            (ValueKind::Flag | ValueKind::Number | ValueKind::NumberFor(_), _) => {
                let text = "a thing, a term, yes or no is meant here";
                let help = "say what is done that changes it: `when a … is VERBed`";
                return self.fail(Code::NotSupported, value.span, text, Some(help));
            }
        };
        let mut verb = None;
        // Each with its contrary: what is taken back was no change.
        for one in [true, false] {
            let what = [if one { "@becomes" } else { "@ceases" }, &*fact.name];
            let name = what.into_iter().chain(entry.as_deref()).collect::<Vec<_>>().join(" / ");
            let what = Awaited::Change { fact: fact.name.clone(), entry: entry.clone(), becomes: one };
            let id = self.moment(&name, what, event.span);
            if one == becomes {
                verb = Some(id);
            }
        }
        match verb {
            Some(verb) => Ok((verb, phrases)),
            None => self.fail(Code::WrongSort, event.span, "an event is meant here", None),
        }
    }

    /// The term that a phrase names.
    fn entry_said(&self, value: &Node) -> Option<Arc<str>> {
        match value.view() {
            View::Literal(Literal::Entry { entry }) => Some(entry.name.clone()),
            _ => None,
        }
    }
}
