//! Who plays a role, and what it means that nobody does.
//!
//! What is asked (a condition, what may be chosen, a sentence that holds as long as its card functions) is asked of nobody
//! then: there is no such thing. What is done (a statement with all that it names, a cost) stops with its clause.

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::position::error::{ErrorKind, Fault};
use crate::position::value::Value;

impl<'a> Cx<'a> {
    /// The same for what is only asked.
    pub(crate) fn asked(self) -> Cx<'a> {
        Cx { done: false, ..self }
    }
    /// The same for what is done.
    pub(crate) fn done(self) -> Cx<'a> {
        Cx { done: true, ..self }
    }
}

impl<'a> Eval<'a> {
    /// Who plays a role, or which number it is: the innermost binding. That there is none is a fault in what is done.
    pub(crate) fn player(&self, cx: &Cx, role: RoleId) -> Option<&'a Value> {
        self.state.note_stack(cx.acts, self.state.versions.parts.role(role));
        if let Some(veil) = self.veil {
            veil.asks_for(role);
        }
        let mut acts = self.state.acts.peek().iter().take(cx.acts).rev();
        let bound = acts.find_map(|a| a.roles.iter().rev().find(|r| r.0 == role).map(|r| &r.1));
        let bound = bound.filter(|value| **value != Value::None);
        if bound.is_none() && cx.done && self.veil.is_none() {
            self.cache.fail_once(|| {
                let text = format!("nothing is the {} when this is done", self.link.role_name(role));
                Fault::new(ErrorKind::Unplayed, cx.clause, text)
            });
        }
        bound
    }

    /// The number that a role holds.
    pub(crate) fn number_of(&self, cx: &Cx, role: RoleId) -> i32 {
        // total: the number of nobody is 0 where it is only asked, like the number in what is none.
        self.player(cx, role).map_or(0, Value::num)
    }
}
