//! On which of its choices it hangs whether a declaration is legal as a whole, when each choice has been found by itself:
//! what it pays and does at once, and what forbids that.

use netrep_ir::*;

use crate::program::analysis::Asked;
use crate::program::walk::{self, Phase};

/// The slots of the choices that are read, unless they are all or that cannot be told.
pub(crate) fn choices_read<'r>(
    program: &Program,
    allowance: &Allowance,
    mut requirements: impl Iterator<Item = Asked<'r>>,
    foreseeing: &[bool],
) -> Option<Vec<u8>> {
    let parameters = &allowance.parameters;
    // What it would do hangs on all choices, and so does what is chosen together.
    let foreseen = requirements.any(|asked| asked.phase > Phase::Chosen);
    let performs = allowance.effect.is_some_and(|effect| begins_by_performing(program, effect, 0));
    if foreseen || performs || parameters.iter().any(|parameter| parameter.several.is_some()) {
        return None;
    }
    let action = allowance.action.map(|action| program.action(action).verb);
    let verbs: Vec<VerbId> = allowance.acts.iter().map(|act| act.verb).chain(action).collect();
    let forbids = |norm: &&Norm| norm.kind != NormKind::Must && verbs.contains(&norm.pattern.verb);
    if program.norms.iter().filter(forbids).any(|norm| norm_foresees(norm, foreseeing)) {
        return None;
    }
    let said = || allowance.acts.iter().flat_map(|act| act.roles.iter().flatten());
    if said().any(|sel| walk::sel_foresees(sel, foreseeing)) {
        return None;
    }
    let mut read: Vec<u8> = said().flat_map(walk::slots_of).collect();
    // The first choice is the target of what is declared.
    read.extend(parameters.first().filter(|_| action.is_some()).map(|target| target.slot));
    fewer(parameters.iter(), &read)
}

/// Of some choices the slots that are read, unless all of them are.
pub(super) fn fewer<'p>(choices: impl Iterator<Item = &'p Parameter>, read: &[u8]) -> Option<Vec<u8>> {
    let (read, others): (Vec<u8>, Vec<u8>) = choices.map(|choice| choice.slot).partition(|slot| read.contains(slot));
    (!others.is_empty()).then_some(read)
}

/// Whether it hangs on what a declaration would do whether a norm speaks of something.
fn norm_foresees(norm: &Norm, foreseeing: &[bool]) -> bool {
    let Norm { within, carriers, by, pattern, cond, .. } = norm;
    let roles = pattern.roles.iter().flat_map(|(role, _)| role);
    let mut said = [within, carriers, by].into_iter().flatten().chain(roles);
    said.any(|sel| walk::sel_foresees(sel, foreseeing))
        || cond.as_ref().is_some_and(|cond| walk::foresees(cond, foreseeing))
}

/// Whether a block may begin by performing a procedure, of which it is looked ahead what it begins with.
fn begins_by_performing(program: &Program, block: BlockId, depth: u8) -> bool {
    // Deeper than anything is looked into.
    if depth > 16 {
        return true;
    }
    for (statement, _) in &program.block(block).statements {
        match statement {
            Statement::Do { .. } => {}
            Statement::If(Cond::Is(true), then, _) => {
                if begins_by_performing(program, *then, depth + 1) {
                    return true;
                }
            }
            other => return matches!(other, Statement::Perform { .. }),
        }
    }
    false
}
