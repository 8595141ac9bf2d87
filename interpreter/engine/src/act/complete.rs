//! The choices of several that a declaration makes, one thing after the other, before anything of it happens.

use netrep_ir::Parameter;

use crate::act::run::{Run, Step};
use crate::legal::groups::Next;
use crate::position::set::ThingId;
use crate::position::stack::{Chooser, Decision, DecisionKind, Gathering};
use crate::position::value::Value;

impl Run<'_> {
    /// Asks what is to be chosen next for a declaration, or makes it, if all is chosen.
    pub(crate) fn complete(&mut self, mut declaration: Gathering, seat: ThingId) -> Step {
        let eval = self.eval();
        let Some(attempt) = eval.gathered(&declaration, seat) else {
            return Err(self.unsound("what is declared is not in the program"));
        };
        let next = eval.next_choice(&attempt, &mut declaration);
        self.faults()?;
        match next {
            None => {
                let locals = attempt.locals;
                self.declare(declaration.allowance, seat, declaration.this, locals)
            }
            // It is offered only if it can be completed.
            Some(Next { from, optional: false, .. }) if from.is_empty() => {
                Err(self.unsound("what is declared cannot be completed"))
            }
            Some(Next { parameter: Parameter { site, .. }, from, optional, .. }) => {
                let clause = attempt.allowance.clause;
                let kind = DecisionKind::Gather { declaration: Box::new(declaration), from, optional };
                self.state.ask = Some(Decision { by: Chooser::Seat(seat), kind, clause, site: *site });
                Ok(())
            }
        }
    }

    /// One more thing is chosen for a declaration, or no more.
    pub(crate) fn choose_more(&mut self, mut declaration: Gathering, seat: ThingId, more: Option<ThingId>) -> Step {
        let width = self.link.layout.width;
        match (more, declaration.parameters.get_mut(usize::from(declaration.at))) {
            (Some(thing), Some(chosen)) => {
                let mut all = chosen.things(width);
                all.insert(thing);
                *chosen = Value::of_set(all);
            }
            (None, _) => declaration.at = declaration.at.saturating_add(1),
            (Some(_), None) => return Err(self.unsound("nothing is chosen here for what is declared")),
        }
        self.complete(declaration, seat)
    }
}
