//! What has happened, and what would.

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{Past, Prospect, Sel};

use super::context::{Cx, Env, Low};
use crate::phrase::operators::{Event, View};
use crate::phrase::term::Detail;
use crate::phrase::tree::{Lasting, Node, TermKey};

impl Cx<'_> {
    /// A question to the history; also the index of the verb's object.
    pub(crate) fn past(
        &mut self,
        verb: &TermKey,
        lasting: Option<&Lasting>,
        kids: &[Node],
        env: &Env,
        span: Span,
    ) -> Low<(Past, Option<u8>)> {
        let term = self.term(verb, span)?;
        let Detail::Verb { frame } = &term.detail else {
            return self.fail(Code::WrongSort, span, format!("`{}` is not a verb", verb.name), None);
        };
        let mut roles = Vec::new();
        for k in kids {
            roles.push(k.present().map(|k| self.sel(k, env)).transpose()?);
        }
        let since = match lasting {
            Some(Lasting::Procedure(p)) => Some(self.out.symbols.proc(&p.name)),
            Some(Lasting::Game) | None => None,
        };
        let object = frame.object().and_then(|i| u8::try_from(i).ok());
        Ok((Past { verb: self.out.symbols.verb(&verb.name), roles, since }, object))
    }

    /// The things whose declaration would do something.
    pub(crate) fn would(&mut self, deed: &Node, env: &Env) -> Low<Sel> {
        let View::Event(event) = deed.view() else {
            return self.wrong_sort(deed, "what would happen is a verb");
        };
        let prospect = match event {
            Event::Event { verb, roles } => Prospect::Event(self.past(verb, None, roles, env, deed.span)?.0),
            Event::Targets { things } => Prospect::Target(self.sel(things, env)?),
            Event::PaidWith { things } => Prospect::Cost(self.sel(things, env)?),
            Event::HaveEffect { what } => {
                Prospect::Effect(what.first().map(|things| self.sel(things, env)).transpose()?)
            }
            Event::ChangeNumber { number } => Prospect::Change(self.num(number, env)?),
            Event::Starts { .. }
            | Event::Ending { .. }
            | Event::StepStarts { .. }
            | Event::StepEnding { .. }
            | Event::Comes { .. }
            | Event::Ceases { .. }
            | Event::Modifies { .. } => {
                return self.wrong_sort(deed, "what would happen is a verb");
            }
        };
        Ok(Sel::Would(Box::new(prospect)))
    }
}
