//! Which procedures run.

use netrep_ir::*;

use crate::ask::eval::Eval;
use crate::position::stack::Kind;

/// The running procedures, outermost first, each with its step.
pub(crate) fn running(eval: &Eval) -> Vec<(ProcId, Option<StepId>)> {
    let step =
        |proc: ProcId, next: u16| eval.link.program.proc(proc).steps.get(usize::from(next).checked_sub(1)?).copied();
    let frames = eval.state.frames.iter();
    frames
        .filter_map(|f| match &f.kind {
            Kind::Procedure(r) => Some((r.proc, step(r.proc, r.next))),
            _ => None,
        })
        .collect()
}
