//! Which procedure runs inside of which: a position begins the outermost first, and each in the step that performs it.

use std::collections::{BTreeMap, BTreeSet};

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_engine::StartFrame;
use netrep_grammar::tree::Span;
use netrep_ir::{AttrId, BlockId, ClassId, ProcId, Program, Statement, StepId};

use crate::memo::hash;
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
    courses: &Courses,
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
            && courses.performs(inner.proc, outer.proc)
            && !courses.performs(outer.proc, inner.proc)
        {
            let text = format!("the {} runs inside of the {}, not around it", outer_begun.name, inner_begun.name);
            let help = format!("what is outermost stands first: `at {} …; {} …`", inner_begun.name, outer_begun.name);
            return told(inner_begun.span, text, help);
        }
        let Some((own, (step, span))) = outer.step.zip(outer_begun.step) else { continue };
        let Some(course) = courses.of_procs.get(outer.proc.index()) else { continue };
        let within = |step: &&Led| step.performs.contains(&inner.proc);
        let name = |step: &Led| program.steps.get(step.step.index()).map(|step| step.name.as_str());
        let right: Vec<&str> = course.steps.iter().filter(within).filter_map(name).collect();
        // What something else performs as well may run in any step.
        let elsewhere = course.elsewhere.contains(&inner.proc);
        let here = course.steps.iter().filter(within).any(|step| step.step == own);
        if !here && !elsewhere && !right.is_empty() {
            let text = format!("the {} does not run in the step {step} of the {}", inner_begun.name, outer_begun.name);
            let listed: Vec<String> =
                right.iter().map(|step| format!("`at {step} of {} …`", outer_begun.name)).collect();
            return told(span, text, format!("it runs in another: {}", listed.join(", ")));
        }
    }
    None
}

/// What performs what in a program: all that a position can rest on of what rules and cards do.
#[derive(Debug, Default)]
pub(crate) struct Courses {
    of_procs: Vec<Course>,
    /// The facts that steps set of which a position shows what they have done.
    evident: BTreeSet<AttrId>,
}

/// Of a procedure.
#[derive(Debug)]
struct Course {
    /// Its steps, in order.
    steps: Vec<Led>,
    /// What is performed by something to which none of them leads.
    elsewhere: BTreeSet<ProcId>,
}

/// Of a step.
#[derive(Debug)]
struct Led {
    step: StepId,
    /// What it performs by itself or by verbs that it does.
    itself: BTreeSet<ProcId>,
    /// What it performs, directly or not.
    performs: BTreeSet<ProcId>,
}

/// Blocks that perform something.
type Performing = BTreeSet<BlockId>;

impl Courses {
    /// Those of a program.
    pub(crate) fn of(program: &Program) -> Courses {
        let all: Performing = (0..program.blocks.len())
            .map(BlockId::from_index)
            .filter(|b| performed(program, *b).next().is_some())
            .collect();
        let performing =
            |first: BlockId| led_to(program, first).into_iter().filter(|b| all.contains(b)).collect::<Performing>();
        let step_of = |id: &StepId| Some((*id, program.steps.get(id.index())?.body));
        let own: Vec<(Vec<(StepId, Performing)>, Performing)> = (program.procs.iter())
            .map(|proc| {
                let steps = proc.steps.iter().filter_map(step_of);
                let steps: Vec<_> = steps.map(|(id, body)| (id, performing(body))).collect();
                (steps, proc.prologue.into_iter().flat_map(performing).collect())
            })
            .collect();
        // What performs something wherever a procedure leads: its own, and that of what it performs.
        let mut whole: Vec<Performing> = (own.iter())
            .map(|(steps, prologue)| steps.iter().flat_map(|(_, blocks)| blocks).chain(prologue).copied().collect())
            .collect();
        let below = |blocks: &Performing, whole: &[Performing]| -> Performing {
            let procs = blocks.iter().flat_map(|block| performed(program, *block));
            procs.filter_map(|proc| whole.get(proc.index())).flatten().copied().collect()
        };
        loop {
            let mut is_more = false;
            for at in 0..whole.len() {
                let more = below(&whole[at], &whole);
                let before = whole[at].len();
                whole[at].extend(more);
                is_more |= whole[at].len() > before;
            }
            if !is_more {
                break;
            }
        }
        let procs = |blocks: &Performing| blocks.iter().flat_map(|block| performed(program, *block)).collect();
        let course = |(steps, _): (Vec<(StepId, Performing)>, Performing)| {
            let mut reached = Performing::new();
            let led = |(step, own): (StepId, Performing)| {
                let blocks: Performing = own.iter().copied().chain(below(&own, &whole)).collect();
                reached.extend(&blocks);
                Led { step, itself: procs(&own), performs: procs(&blocks) }
            };
            let steps = steps.into_iter().map(led).collect();
            Course { steps, elsewhere: procs(&all.difference(&reached).copied().collect()) }
        };
        let of_procs = own.into_iter().map(course).collect();
        Courses { of_procs, evident: evident(program) }
    }

    /// Whether a procedure performs another one, directly or not.
    fn performs(&self, proc: ProcId, other: ProcId) -> bool {
        let steps = self.of_procs.get(proc.index()).into_iter().flat_map(|course| &course.steps);
        steps.into_iter().any(|step| step.performs.contains(&other))
    }

    /// The steps that perform a procedure, by themselves or by verbs that they do.
    pub(crate) fn performers(&self, inner: ProcId) -> impl Iterator<Item = (ProcId, StepId)> {
        let steps = self.of_procs.iter().enumerate();
        let steps = steps.flat_map(|(at, course)| course.steps.iter().map(move |step| (ProcId::from_index(at), step)));
        steps.filter(move |(_, step)| step.itself.contains(&inner)).map(|(proc, step)| (proc, step.step))
    }

    /// Whether a step sets a fact of which a position shows what it has done.
    pub(crate) fn is_evident(&self, attr: AttrId) -> bool {
        self.evident.contains(&attr)
    }

    /// Fingerprints by the names of procedures and steps: what a name stands for, what a procedure is for, and what runs around it. Where
    /// two programs have the same for what runs in a position, the same runs in it in both. Without a name: what is evident.
    pub(crate) fn prints(&self, program: &Program) -> BTreeMap<Option<String>, u64> {
        let name = |at: usize| program.procs.get(at).map(|proc| proc.name.as_str());
        let class = |id: ClassId| program.classes.get(id.index()).map(|class| class.name.as_str());
        let mut columns: Vec<(u64, BTreeSet<usize>)> = Vec::with_capacity(program.procs.len());
        let mut by_name: BTreeMap<&str, BTreeSet<(&str, usize)>> = BTreeMap::new();
        for (at, proc) in program.procs.iter().enumerate() {
            let own = ProcId::from_index(at);
            let mut within = BTreeSet::new();
            let mut performers = BTreeSet::new();
            for (outer, course) in self.of_procs.iter().enumerate() {
                for led in course.steps.iter().filter(|led| led.performs.contains(&own)) {
                    let step = program.steps.get(led.step.index()).map(|step| step.name.as_str());
                    let by_itself = led.itself.contains(&own);
                    // Whether something is performed elsewhere too is asked only of what a step performs.
                    within.insert((name(outer), step, by_itself, course.elsewhere.contains(&own)));
                    if by_itself {
                        performers.insert(outer);
                    }
                }
            }
            let parameters: Vec<_> = proc.parameters.iter().map(|(slot, of)| (slot, class(*of))).collect();
            columns.push((hash(&(&proc.name, parameters, within)), performers));
            let steps = proc.steps.iter().filter_map(|id| program.steps.get(id.index()));
            for step in steps {
                by_name.entry(&step.name).or_default().insert((&proc.name, proc.parameters.len()));
            }
        }
        let around = |at: usize| -> u64 {
            let (mut found, mut open) = (BTreeSet::new(), vec![at]);
            while let Some(at) = open.pop() {
                if found.insert(at) {
                    open.extend(&columns[at].1);
                }
            }
            hash(&found.into_iter().map(|at| columns[at].0).collect::<BTreeSet<_>>())
        };
        let procs: BTreeMap<&str, u64> =
            program.procs.iter().enumerate().map(|(at, proc)| (proc.name.as_str(), around(at))).collect();
        let names: BTreeSet<&str> = procs.keys().chain(by_name.keys()).copied().collect();
        let of_name = |name: &str| hash(&(procs.get(name), by_name.get(name)));
        let attr = |id: &AttrId| program.attrs.get(id.index()).map(|attr| attr.name.as_str());
        let evident = hash(&self.evident.iter().map(attr).collect::<BTreeSet<_>>());
        let named = names.into_iter().map(|name| (Some(name.to_owned()), of_name(name)));
        named.chain([(None, evident)]).collect()
    }
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
        if found.insert(block) {
            open.extend(next(program, block));
            for proc in performed(program, block).filter_map(|proc| program.procs.get(proc.index())) {
                let bodies = proc.steps.iter().filter_map(|id| program.steps.get(id.index())).map(|step| step.body);
                open.extend(bodies.chain(proc.prologue));
            }
        }
    }
    found
}

/// The same, without those of the procedures that it performs.
fn led_to(program: &Program, first: BlockId) -> BTreeSet<BlockId> {
    let (mut found, mut open) = (BTreeSet::new(), vec![first]);
    while let Some(block) = open.pop() {
        if found.insert(block) {
            open.extend(next(program, block));
        }
    }
    found
}

/// The blocks in one, and those of the verbs that it does.
fn next(program: &Program, block: BlockId) -> Vec<BlockId> {
    let mut open = Vec::new();
    let statements = program.blocks.get(block.index()).into_iter().flat_map(|block| &block.statements);
    for (statement, _) in statements {
        match statement {
            Statement::Do { verb, .. } => open.extend(program.verbs.get(verb.index()).and_then(|verb| verb.body)),
            Statement::If(_, yes, no) => open.extend(std::iter::once(*yes).chain(*no)),
            Statement::ForEach { body, .. } | Statement::RepeatUntil(body, _) | Statement::RepeatTimes(_, body) => {
                open.push(*body);
            }
            Statement::Choose { optional: Some((yes, no)), .. } => open.extend(std::iter::once(*yes).chain(*no)),
            Statement::May { body, otherwise, .. } => open.extend(std::iter::once(*body).chain(*otherwise)),
            Statement::ChooseOne { branches, .. } => open.extend(branches),
            _ => {}
        }
    }
    open
}

fn performed(program: &Program, block: BlockId) -> impl Iterator<Item = ProcId> {
    let statements = program.blocks.get(block.index()).into_iter().flat_map(|block| &block.statements);
    statements.filter_map(|(statement, _)| match statement {
        Statement::Perform { proc, .. } => Some(*proc),
        _ => None,
    })
}
