//! What an item has too many of (see [`netrep_ir::limits`]).

use netrep_diagnostics::Code;
use netrep_ir::limits::ROLES;

use super::Linker;
use crate::linking::LinkItem;
use crate::lower::LowTerm;

impl Linker {
    /// Refuses a verb with more roles than a row of the history has cells.
    pub(super) fn check_roles(&mut self, items: &[LinkItem]) {
        for item in items {
            for term in &item.lowered.terms {
                if let LowTerm::Verb(name, decl) = term
                    && decl.roles.len() > ROLES
                {
                    let message = format!("`{name}` has {} roles, and {ROLES} is the most", decl.roles.len());
                    let help = Some("let one thing stand for several, or say it with two verbs".to_owned());
                    self.error(item, item.item.tree.head_span, Code::ItemTooLarge, message, help);
                }
            }
        }
    }
}
