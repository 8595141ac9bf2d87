//! Which procedure runs inside of which: a position begins the outermost first, and each in the step that performs it.

use std::collections::BTreeSet;

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_engine::StartFrame;
use netrep_grammar::tree::Span;
use netrep_ir::{AttrId, BlockId, ProcId, Program, Statement};

use crate::problem::Source;
use crate::scenario::Given;

/// Where a procedure of a position is begun.
pub(crate) struct Begun<'a> {
    name: &'a str,
    span: Span,
    step: Option<(&'a str, Span)>,
}

impl<'a> Begun<'a> {
    /// What a line of a position begins.
    pub(crate) fn of(given: &'a Given) -> Option<Begun<'a>> {
        let Given::Begin { procedure, step, .. } = given else { return None };
        let step = step.as_ref().map(|step| (step.text.as_str(), step.span));
        Some(Begun { name: &procedure.text, span: procedure.span, step })
    }
}

/// What is begun inside of something that it performs itself, or in another step than those that perform it.
pub(crate) fn misplaced(
    program: &Program,
    frames: &[StartFrame],
    begun: &[Begun<'_>],
    source: &Source,
) -> Option<Diagnostic> {
    let pairs = frames.iter().zip(begun).zip(frames.iter().zip(begun).skip(1));
    for ((outer, outer_begun), (inner, inner_begun)) in pairs {
        let told = |span, text: String, help: String| {
            Some(Diagnostic::new(Code::ImpossiblePosition, source.place(span), text).help(help))
        };
        if outer.proc != inner.proc
            && performs(program, inner.proc).contains(&outer.proc)
            && !performs(program, outer.proc).contains(&inner.proc)
        {
            let text = format!("the {} runs inside of the {}, not around it", outer_begun.name, inner_begun.name);
            let help = format!("what is outermost stands first: `at {} …; {} …`", inner_begun.name, outer_begun.name);
            return told(inner_begun.span, text, help);
        }
        let Some((own, (step, span))) = outer.step.zip(outer_begun.step) else { continue };
        let by_step = steps(program, outer.proc);
        let within = |blocks: &BTreeSet<BlockId>| blocks.iter().any(|block| does(program, *block, inner.proc));
        let right: Vec<&str> =
            by_step.iter().filter(|(_, _, blocks)| within(blocks)).map(|(_, name, _)| name.as_str()).collect();
        // What something else performs as well may run in any step.
        let all: BTreeSet<BlockId> = by_step.iter().flat_map(|(_, _, blocks)| blocks.iter().copied()).collect();
        let elsewhere = (0..program.blocks.len()).map(BlockId::from_index);
        let elsewhere = elsewhere.filter(|block| !all.contains(block)).any(|block| does(program, block, inner.proc));
        let here = by_step.iter().any(|(id, _, blocks)| *id == own && within(blocks));
        if !here && !elsewhere && !right.is_empty() {
            let text = format!("the {} does not run in the step {step} of the {}", inner_begun.name, outer_begun.name);
            let listed: Vec<String> =
                right.iter().map(|step| format!("`at {step} of {} …`", outer_begun.name)).collect();
            return told(span, text, format!("it runs in another: {}", listed.join(", ")));
        }
    }
    None
}

/// The procedures that one performs, directly or not.
fn performs(program: &Program, proc: ProcId) -> BTreeSet<ProcId> {
    let blocks = steps(program, proc).into_iter().flat_map(|(_, _, blocks)| blocks);
    blocks.flat_map(|block| performed(program, block)).collect()
}

/// The steps of a procedure with all blocks to which they lead by themselves: without what follows from events.
fn steps(program: &Program, proc: ProcId) -> Vec<(netrep_ir::StepId, String, BTreeSet<BlockId>)> {
    let own = program.procs.get(proc.index()).into_iter().flat_map(|decl| &decl.steps);
    let all = own.filter_map(|id| Some((*id, program.steps.get(id.index())?)));
    all.map(|(id, step)| (id, step.name.clone(), reached(program, step.body))).collect()
}

/// The facts that steps set of which a position shows what they have done.
pub(crate) fn evident(program: &Program) -> BTreeSet<AttrId> {
    let bodies = program.services.evident.iter().filter_map(|step| program.steps.get(step.index()));
    let blocks = bodies.flat_map(|step| reached(program, step.body));
    let statements = blocks.filter_map(|block| program.blocks.get(block.index())).flat_map(|block| &block.statements);
    let set = statements.filter_map(|(statement, _)| match statement {
        Statement::Set { attr, .. } => Some(*attr),
        _ => None,
    });
    set.collect()
}

/// The blocks to which one leads: those in it, those of the verbs that it does and of the procedures that it performs.
fn reached(program: &Program, first: BlockId) -> BTreeSet<BlockId> {
    let (mut found, mut open) = (BTreeSet::new(), vec![first]);
    while let Some(block) = open.pop() {
        if !found.insert(block) {
            continue;
        }
        let Some(decl) = program.blocks.get(block.index()) else { continue };
        for (statement, _) in &decl.statements {
            match statement {
                Statement::Do { verb, .. } => {
                    open.extend(program.verbs.get(verb.index()).and_then(|verb| verb.body));
                }
                Statement::If(_, yes, no) => open.extend(std::iter::once(*yes).chain(*no)),
                Statement::ForEach { body, .. } | Statement::RepeatUntil(body, _) | Statement::RepeatTimes(_, body) => {
                    open.push(*body)
                }
                Statement::Choose { optional: Some((yes, no)), .. } => {
                    open.extend(std::iter::once(*yes).chain(*no));
                }
                Statement::May { body, otherwise, .. } => open.extend(std::iter::once(*body).chain(*otherwise)),
                Statement::ChooseOne { branches, .. } => open.extend(branches),
                Statement::Perform { proc, .. } => {
                    let Some(proc) = program.procs.get(proc.index()) else { continue };
                    let bodies = proc.steps.iter().filter_map(|id| program.steps.get(id.index())).map(|step| step.body);
                    open.extend(bodies.chain(proc.prologue));
                }
                _ => {}
            }
        }
    }
    found
}

fn performed(program: &Program, block: BlockId) -> impl Iterator<Item = ProcId> {
    let statements = program.blocks.get(block.index()).into_iter().flat_map(|block| &block.statements);
    statements.filter_map(|(statement, _)| match statement {
        Statement::Perform { proc, .. } => Some(*proc),
        _ => None,
    })
}

fn does(program: &Program, block: BlockId, proc: ProcId) -> bool {
    performed(program, block).any(|one| one == proc)
}
