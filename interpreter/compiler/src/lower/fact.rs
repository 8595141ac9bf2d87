//! Facts that a card or rule declares for itself.

use netrep_diagnostics::Code;
use netrep_grammar::tree::Clause;

use super::context::{Cx, Low};
use super::vocabulary::attribute;
use crate::phrase::declare::{fact, fact_item};
use crate::phrase::term::Detail;

impl Cx<'_> {
    /// Declares a fact under a name of its own, which no other item can say.
    pub(super) fn fact(&mut self, clause: &Clause) -> Low<()> {
        let class = self.ctx.card_class();
        let declared = fact(clause, &self.item.key, &class).zip(fact_item(clause));
        let Some((term, tree)) = declared else { return Ok(()) };
        if self.ctx.term(&term.key).is_none() {
            return self.fail(
                Code::NotSupported,
                clause.span,
                "a reading brings no facts",
                Some("declare it in the card or rule, where no other item sees it"),
            );
        }
        let Detail::Attribute { origin, of, value, many, per, .. } = &term.detail else { return Ok(()) };
        attribute(self, &term, (*origin, of, per.as_ref()), value, *many, &tree)
    }
}
