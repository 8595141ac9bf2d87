//! What an answer leads to that is forbidden: a look at what would be done first, so that it is not offered.

use std::ops::ControlFlow;

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::position::set::ThingId;
use crate::position::value::{Locals, Roles, Value, bind, locals};

/// Deeper blocks than this are not looked into.
pub(crate) const DEEP: u8 = 16;

impl Eval<'_> {
    /// The norm that forbids all that an act would do once a thing is chosen into a slot.
    pub(crate) fn leads_to_forbidden(
        &self,
        cx: &Cx,
        slot: u8,
        thing: ThingId,
        then: &[Act],
        lifted: &dyn Fn(ClauseId) -> bool,
    ) -> Option<(ClauseId, VerbId, Roles)> {
        let mut own: Locals = cx.locals.into();
        bind(&mut own, slot, Value::Thing(thing));
        let cx = Cx { locals: &own, ..*cx };
        self.acts_forbidden(&cx, then, lifted)
    }

    /// The norm that forbids all that an act would do, of those acts of which it is known.
    fn acts_forbidden(
        &self,
        cx: &Cx,
        acts: &[Act],
        lifted: &dyn Fn(ClauseId) -> bool,
    ) -> Option<(ClauseId, VerbId, Roles)> {
        let bound = |s: u8| cx.locals.get(usize::from(s)).is_some_and(|v| *v != Value::None);
        for act in acts {
            // What is not known yet is not forbidden.
            let Some(events) = self.events_of(cx, act, self.link.program.verb(act.verb), &bound) else { continue };
            let mut first = None;
            let free = events.iter().any(|roles| {
                match self.forbidden(act.verb, roles, cx.this.filter(|_| !act.cost), lifted) {
                    Some(norm) => {
                        first.get_or_insert((norm, act.verb, roles.clone()));
                        false
                    }
                    None => true,
                }
            });
            if !free && first.is_some() {
                return first;
            }
        }
        None
    }

    /// The norm that forbids what a block begins with, or what it performs begins with (`own`: both).
    pub(crate) fn led_to_forbidden(
        &self,
        cx: &Cx,
        block: BlockId,
        lifted: &dyn Fn(ClauseId) -> bool,
        own: bool,
    ) -> Option<(ClauseId, VerbId, Roles)> {
        let mut found = None;
        self.begins_with(cx, block, own, &mut |cx, act| {
            found = self.acts_forbidden(cx, std::slice::from_ref(act), lifted);
            found.is_some()
        });
        found
    }

    /// Shows what a block begins with, or what it performs begins with (`own`: both), until the visitor says true: up to the
    /// first statement that asks, rolls or decides, because nothing is known of what comes after it.
    pub(crate) fn begins_with(
        &self,
        cx: &Cx,
        block: BlockId,
        own: bool,
        see: &mut dyn FnMut(&Cx, &Act) -> bool,
    ) -> bool {
        matches!(self.begins(cx, block, own, 0, see), ControlFlow::Break(true))
    }

    /// The same; going on if the block is known to its end.
    fn begins(
        &self,
        cx: &Cx,
        block: BlockId,
        own: bool,
        depth: u8,
        see: &mut dyn FnMut(&Cx, &Act) -> bool,
    ) -> ControlFlow<bool> {
        if depth > DEEP {
            return ControlFlow::Break(false);
        }
        for (statement, site) in self.link.block(block) {
            match statement {
                Statement::Do { .. } if !own => {}
                Statement::Do { verb, roles } => {
                    let act = Act { verb: *verb, roles: roles.clone(), cost: false, site: *site };
                    if see(cx, &act) {
                        return ControlFlow::Break(true);
                    }
                }
                Statement::If(Cond::Is(true), then, _) => self.begins(cx, *then, own, depth + 1, see)?,
                Statement::Perform { proc, arguments } => {
                    let decl = self.link.program.procs.get(proc.index());
                    // What it binds before it begins is not bound yet.
                    // total: an answer is held to begin nothing where that cannot be seen ahead
                    let Some(decl) = decl.filter(|d| d.prologue.is_none()) else { return ControlFlow::Break(false) };
                    let first = decl.steps.first().and_then(|s| self.link.program.steps.get(s.index()));
                    // total: a procedure without steps begins nothing
                    let Some(first) = first else { return ControlFlow::Break(false) };
                    let mut given = locals(decl.slots);
                    for ((slot, _), value) in decl.parameters.iter().zip(arguments) {
                        bind(&mut given, *slot, self.val(cx, value));
                    }
                    let inner = Cx { this: None, locals: &given, clause: decl.clause, ..*cx };
                    self.begins(&inner, first.body, true, depth + 1, see)?;
                    return ControlFlow::Break(false);
                }
                _ => return ControlFlow::Break(false),
            }
        }
        ControlFlow::Continue(())
    }
}
