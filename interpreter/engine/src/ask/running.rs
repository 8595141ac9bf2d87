//! Which procedures run.

use netrep_ir::*;

use crate::ask::eval::Eval;
use crate::position::set::ThingId;
use crate::position::stack::{Frame, Kind};

/// A procedure that is running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// Which.
    pub proc: ProcId,
    /// The step in which it stands.
    pub step: Option<StepId>,
    /// The things that it is performed for.
    pub of: Vec<ThingId>,
    /// A number that no other running of a procedure has in this game.
    pub serial: u32,
}

/// The running procedures, outermost first.
pub(crate) fn running(eval: &Eval) -> Vec<Running> {
    let one = |frame: &Frame| {
        let Kind::Procedure(running) = &frame.kind else { return None };
        let decl = eval.link.program.proc(running.proc);
        let step = usize::from(running.next).checked_sub(1).and_then(|at| decl.steps.get(at)).copied();
        let act = eval.state.acts.get(usize::from(frame.act))?;
        let argument = |(slot, _): &(u8, ClassId)| act.locals.get(usize::from(*slot))?.thing();
        let of = decl.parameters.iter().filter_map(argument).collect();
        Some(Running { proc: running.proc, step, of, serial: act.serial })
    };
    eval.state.frames.iter().filter_map(one).collect()
}
