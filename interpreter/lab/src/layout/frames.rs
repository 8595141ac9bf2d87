//! Where the game stands: what runs, from the step at which a position says that it is.
//!
//! `at STEP for X` names the step that counts. In which procedure it is, what runs around that, and for whom, follows from the
//! program, as long as there is one way only.

use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_compiler::Diagnostic;
use netrep_diagnostics::{Code, nearest, suggestion};
use netrep_grammar::tree::{Span, Token, TokenKind};
use netrep_ir::{ClassId, ProcId, Program, StepId};

use super::Layout;
use crate::nesting::Courses;
use crate::problem::Source;
use crate::scenario::{Argument, Given, Name, Running};

/// More ways than this are not looked for.
const MOST_WAYS: usize = 8;

/// A procedure, and the step in which it stands.
pub(crate) type Frame = (ProcId, Option<StepId>);

/// What runs: that which a position says, and what is understood around it.
pub(crate) fn frames(
    layouts: &[Arc<Layout>],
    (program, courses): (&Program, &Courses),
    running: &[Running],
    (given, span): (&[Given], Span),
    source: &Source,
) -> Result<Vec<Given>, Diagnostic> {
    let mut begun = Vec::new();
    for (nth, one) in running.iter().enumerate() {
        let (proc, step) = frame(program, one, source)?;
        if nth == 0 {
            let chains = around(layouts, program, courses, proc);
            match chains.as_slice() {
                [] => {}
                [chain] => {
                    for outer in chain {
                        begun.push(begin(program, *outer, understood(program, *outer, one, given, source)?, span));
                    }
                }
                [first, second, ..] => {
                    let text = format!("`{}` may run in several ways", one.said.text);
                    let say = |chain: &[Frame]| written(program, chain);
                    let help = format!("write what runs around it: `at {} …`, or `at {} …`", say(first), say(second));
                    return Err(Diagnostic::new(Code::AmbiguousPhrase, source.place(one.said.span), text).help(help));
                }
            }
        }
        begun.push(begin(program, (proc, step), one.arguments.clone(), one.said.span));
    }
    Ok(begun)
}

fn begin(program: &Program, (proc, step): Frame, arguments: Vec<Argument>, span: Span) -> Given {
    let name = |text: &str| Name { text: text.to_owned(), span };
    let step = step.and_then(|step| program.steps.get(step.index())).map(|step| name(&step.name));
    Given::Begin { procedure: name(proc_name(program, proc)), arguments, step }
}

/// How a row of frames is written.
fn written(program: &Program, chain: &[Frame]) -> String {
    let one = |frame: &Frame| words(program, *frame);
    chain.iter().map(one).collect::<Vec<_>>().join(" …; ")
}

/// How a frame is written: by its step alone, if no other procedure for as many has a step of that name and no procedure is
/// called so.
pub(crate) fn words(program: &Program, (proc, step): Frame) -> String {
    let name = proc_name(program, proc);
    let Some(step) = step.and_then(|step| program.steps.get(step.index())) else { return name.to_owned() };
    let alone = with_step(program, &step.name, parameters(program, proc).len()).len() == 1
        && !program.procs.iter().any(|proc| proc.name == step.name);
    if alone { step.name.clone() } else { format!("{} of {name}", step.name) }
}

fn proc_name(program: &Program, proc: ProcId) -> &str {
    program.proc(proc).name.as_str()
}

/// For what things a procedure is, each with its class.
pub(crate) fn parameters(program: &Program, proc: ProcId) -> &[(u8, ClassId)] {
    program.proc(proc).parameters.as_slice()
}

/// The procedures for so many things with a step of a name.
fn with_step(program: &Program, name: &str, many: usize) -> Vec<Frame> {
    let mut found = Vec::new();
    for (at, proc) in program.procs.iter().enumerate().filter(|(_, proc)| proc.parameters.len() == many) {
        let named = |id: &&StepId| program.steps.get(id.index()).is_some_and(|step| step.name == name);
        found.extend(proc.steps.iter().find(named).map(|step| (ProcId::from_index(at), Some(*step))));
    }
    found
}

/// The procedure and step that words name.
fn frame(program: &Program, one: &Running, source: &Source) -> Result<Frame, Diagnostic> {
    let said = one.said.text.as_str();
    let told = |code, text: String, help: String| Diagnostic::new(code, source.place(one.said.span), text).help(help);
    let called = |name: &str| program.procs.iter().position(|proc| proc.name == name).map(ProcId::from_index);
    if let Some(proc) = called(said) {
        return Ok((proc, None));
    }
    for (at, _) in said.match_indices(" of ") {
        let (step, proc) = (&said[..at], &said[at + " of ".len()..]);
        let Some(proc) = called(proc) else { continue };
        let here = with_step(program, step, parameters(program, proc).len()).into_iter().find(|(own, _)| *own == proc);
        return here.ok_or_else(|| {
            let own = program.procs.get(proc.index()).into_iter().flat_map(|proc| &proc.steps);
            let steps = own.filter_map(|id| program.steps.get(id.index())).map(|step| step.name.as_str());
            let text = format!("no step of {} is called `{step}`", proc_name(program, proc));
            let steps: Vec<&str> = steps.collect();
            let near = suggestion(step, steps.iter().copied());
            told(Code::UnknownStep, text, near.unwrap_or_else(|| format!("its steps are {}", steps.join(", "))))
        });
    }
    if let Some((_, proc)) = said.split_once(" of ") {
        let text = format!("no procedure is called `{proc}`");
        let near = suggestion(proc, program.procs.iter().map(|proc| proc.name.as_str()));
        return Err(told(
            Code::UnknownProcedure,
            text,
            near.unwrap_or_else(|| "write `at STEP of PROCEDURE for NAME.`".to_owned()),
        ));
    }
    match with_step(program, said, one.arguments.len()).as_slice() {
        [frame] => Ok(*frame),
        [] => {
            let procs = program.procs.iter().map(|proc| proc.name.as_str());
            let known: BTreeSet<&str> = procs.chain(program.steps.iter().map(|step| step.name.as_str())).collect();
            let near = nearest(said, known.iter().copied()).into_iter().next();
            let is_proc = near.as_ref().is_some_and(|near| called(near).is_some());
            let code = if is_proc { Code::UnknownProcedure } else { Code::UnknownStep };
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "write `at STEP for NAME.`, `at STEP of PROCEDURE for NAME.` or `at PROCEDURE for NAME.`".to_owned()
                }
            };
            Err(told(code, format!("no step and no procedure is called `{said}`"), help))
        }
        several => {
            let listed: Vec<String> =
                several.iter().map(|(proc, _)| format!("`{said} of {}`", proc_name(program, *proc))).collect();
            let text = format!("{} procedures have a step `{said}`", several.len());
            Err(told(Code::AmbiguousPhrase, text, format!("say which: {}", listed.join(", "))))
        }
    }
}

/// For whom something runs that a position does not say: for the same as what runs in it, or for whoever has that.
fn understood(
    program: &Program,
    (proc, step): Frame,
    inner: &Running,
    given: &[Given],
    source: &Source,
) -> Result<Vec<Argument>, Diagnostic> {
    let wanted = parameters(program, proc);
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let class_name = |class: ClassId| program.classes.get(class.index()).map(|class| class.name.as_str());
    let is_of = |name: &str, class: &str| {
        given.iter().any(|one| match one {
            Given::Mint { class: own, names } => own.text == class && names.iter().any(|one| one.text == name),
            _ => false,
        })
    };
    if let ([(_, class)], Some(Argument::Thing(name))) = (wanted, inner.arguments.first())
        && let Some(class) = class_name(*class)
    {
        if is_of(&name.text, class) {
            return Ok(vec![Argument::Thing(name.clone())]);
        }
        if let Some(owner) = owner(program, name, given).filter(|owner| is_of(&owner.text, class)) {
            return Ok(vec![Argument::Thing(Name { span: name.span, ..owner })]);
        }
    }
    let words = words(program, (proc, step));
    let text = format!("it does not follow for whom `{words}` runs");
    let help = format!("write it before what runs in it: `at {words} for NAME; {} …`", inner.said.text);
    Err(Diagnostic::new(Code::ScenarioClause, source.place(inner.said.span), text).help(help))
}

/// Whose a thing is, as the position says.
pub(crate) fn owner(program: &Program, name: &Name, given: &[Given]) -> Option<Name> {
    let attr = program.services.controller.and_then(|attr| program.attrs.get(attr.index()))?;
    let mut fact: Vec<&str> = attr.name.split(' ').collect();
    fact.push("of");
    given.iter().find_map(|one| match one {
        Given::Fact(tokens, _) if tokens.len() == fact.len() + 3 => {
            let (said, rest) = tokens.split_at(fact.len());
            let same = said.iter().zip(&fact).all(|(token, word)| token.kind == TokenKind::Word((*word).to_owned()));
            let [of, is, owner] = rest else { return None };
            (same && is_name(of, &name.text) && is.kind == TokenKind::Word("is".to_owned())).then(|| name_of(owner))?
        }
        Given::Cards(list) => {
            let here = list.cards.iter().any(|(card, label)| {
                // total: a card without a label goes by its name
                label.as_ref().unwrap_or(card).text == name.text
            });
            list.owner.clone().filter(|_| here)
        }
        _ => None,
    })
}

fn is_name(token: &Token, name: &str) -> bool {
    matches!(&token.kind, TokenKind::Capital(text) | TokenKind::Quoted(text) if text == name)
}

fn name_of(token: &Token) -> Option<Name> {
    match &token.kind {
        TokenKind::Capital(text) => Some(Name { text: text.clone(), span: token.span }),
        _ => None,
    }
}

/// The ways in which the procedure around all others leads to one, each without that: what runs around it, outermost first.
pub(crate) fn around(layouts: &[Arc<Layout>], program: &Program, courses: &Courses, proc: ProcId) -> Vec<Vec<Frame>> {
    let outermost = layouts.iter().find_map(|layout| layout.outermost.as_ref());
    let outermost = outermost.and_then(|(name, _)| program.procs.iter().position(|proc| *proc.name == **name));
    // total: nothing runs around what runs around all others; where no layout says what that is, nothing is understood.
    let Some(outermost) = outermost.map(ProcId::from_index).filter(|outermost| *outermost != proc) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut open: Vec<Vec<Frame>> = vec![Vec::new()];
    while let Some(chain) = open.pop() {
        // The chain is innermost first.
        let inner = chain.last().map_or(proc, |(proc, _)| *proc);
        for (outer, step) in courses.performers(inner) {
            if outer == proc || chain.iter().any(|(own, _)| *own == outer) {
                continue;
            }
            let mut longer = chain.clone();
            longer.push((outer, Some(step)));
            if outer == outermost {
                longer.reverse();
                found.push(longer);
                // Two are told; more say nothing new.
                if found.len() > MOST_WAYS {
                    return found;
                }
            } else {
                open.push(longer);
            }
        }
    }
    found.sort();
    found.dedup();
    found
}
