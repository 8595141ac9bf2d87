//! What an item, or the whole, has too many of (see [`netrep_ir::limits`]).

use netrep_diagnostics::Code;
use netrep_ir::limits::{IDS, ROLES};

use super::Linker;
use crate::link::LinkItem;
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

    /// Refuses a program with more of a kind than ids can tell apart, at the item that comes last.
    pub(super) fn check_ids(&mut self, items: &[LinkItem]) {
        let program = &self.program;
        let counts = [
            ("classes", program.classes.len()),
            ("lists", program.lists.len()),
            ("entries of lists", program.entries.len()),
            ("facts and figures", program.attrs.len()),
            ("verbs", program.verbs.len()),
            ("roles", program.roles.len()),
            ("places", program.places.len()),
            ("procedures", program.procs.len()),
            ("steps", program.steps.len()),
            ("clauses", program.clauses.len()),
            ("blocks", program.blocks.len()),
            ("sites", program.sites.len()),
            ("allowances", program.allowances.len()),
            ("triggers", program.triggers.len()),
            ("modifiers", program.modifiers.len()),
            ("norms", program.norms.len()),
            ("cards", program.cards.len()),
            ("names", program.names.len()),
        ];
        let Some((what, count)) = counts.into_iter().find(|(_, count)| *count > IDS) else { return };
        let Some(last) = items.last() else { return };
        let message = format!("the data have {count} {what}, and {IDS} is the most");
        let help = Some("leave out items that are not needed together".to_owned());
        self.error(last, last.item.tree.head_span, Code::ItemTooLarge, message, help);
    }
}
