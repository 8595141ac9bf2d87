//! The positions of a Markdown file, written as a table shows them.
//!
//! Nothing is written that does not set up the same position.

use std::sync::Arc;

use netrep_compiler::layout::Layout;
use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_diagnostics::Code;
use netrep_grammar::tree::Clause;
use netrep_grammar::{Fence, fences, parse_clauses};

use crate::layout::fold::fold;
use crate::layout::same::told;
use crate::layout::spread::spread;
use crate::position::position;
use crate::scenario::{Given, Scenario, parse_old};

/// Lines of positions are not longer than this, except for a single sentence of one card.
const WIDTH: usize = 140;

/// A file with its positions laid out.
///
/// # Errors
/// What in it cannot be read; then nothing may be written.
pub fn laid_out(compiler: &Compiler, file: &str, text: &str) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse_old(file, text, true);
    if !parsed.diags.is_empty() {
        return Err(parsed.diags);
    }
    let layouts = compiler.layouts();
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    let mut written: Vec<(usize, Vec<String>)> = Vec::new();
    for fence in fences(text) {
        let here = |scenario: &&Scenario| scenario.source.base as usize == fence.content.start;
        let Some(scenario) = parsed.scenarios.iter().find(here) else { continue };
        for (range, lines) in blocks(compiler, &layouts, scenario, &fence, text)? {
            out.push_str(&text[done..range.start]);
            out.push_str(&block(&lines));
            done = range.end;
            written.push((fence.content.start, lines));
        }
    }
    out.push_str(&text[done..]);
    same(compiler, file, (text, &out))?;
    Ok(out)
}

/// A profile under which a scenario is read.
fn profile(scenario: &Scenario) -> Profile {
    let default = Profile::default();
    scenario.profiles(&default).into_iter().next().unwrap_or(default)
}

/// The blocks `given` of a scenario that are written anew, each with its place in the file.
#[allow(clippy::type_complexity, reason = "it is taken apart at once")]
fn blocks(
    compiler: &Compiler,
    layouts: &[Arc<Layout>],
    scenario: &Scenario,
    fence: &Fence,
    text: &str,
) -> Result<Vec<(std::ops::Range<usize>, Vec<String>)>, Vec<Diagnostic>> {
    let inside = &text[fence.content.clone()];
    let clauses = parse_clauses(inside).unwrap_or_default();
    let given: Vec<&Clause> = clauses.iter().filter(|clause| clause.head() == "given").collect();
    // What starts from a position, or has remarks in it, is left as its author wrote it.
    let [one] = given.as_slice() else { return Ok(Vec::new()) };
    let range = fence.content.start + one.span.start as usize..fence.content.start + one.span.end as usize;
    let from = scenario.given_lines.iter().any(|line| line.of.is_some());
    if from || text[range.clone()].contains("//") {
        return Ok(Vec::new());
    }
    let program = compiler.link(&profile(scenario)).0;
    let flat = spread(layouts, &program, &scenario.given, &scenario.source)?;
    let named = flat.iter().any(|one| matches!(one, Given::Mint { .. } | Given::Cards(_)));
    if !named {
        return Ok(Vec::new());
    }
    Ok(vec![(range, fold(layouts, &program, &flat))])
}

/// A block with these lines: on one line if it fits.
fn block(lines: &[String]) -> String {
    let one = format!("given {{ {} }}", lines.join(" "));
    if one.chars().count() <= ONE_LINE {
        return one;
    }
    let mut out = "given {\n".to_owned();
    for line in lines {
        for part in wrapped(line) {
            out.push_str(&part);
            out.push('\n');
        }
    }
    out.push('}');
    out
}

/// A block stands on one line if that is not longer.
const ONE_LINE: usize = 120;

/// A sentence in lines that are not too long, broken behind a comma or semicolon.
fn wrapped(line: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut now = String::new();
    for piece in line.split_inclusive([',', ';']) {
        let quotes = now.matches('"').count();
        let fits = now.chars().count() + piece.chars().count() + 4 <= WIDTH;
        if !now.is_empty() && !fits && quotes % 2 == 0 {
            parts.push(std::mem::take(&mut now));
        }
        now.push_str(piece);
    }
    parts.push(now);
    let indent = |(nth, part): (usize, String)| {
        let blanks = if nth == 0 { 4 } else { 8 };
        format!("{}{}", " ".repeat(blanks), part.trim())
    };
    parts.into_iter().enumerate().map(indent).collect()
}

/// Refuses a text whose positions are not those of another.
fn same(compiler: &Compiler, file: &str, (before, after): (&str, &str)) -> Result<(), Vec<Diagnostic>> {
    if before == after {
        return Ok(());
    }
    let (old, new) = (parse_old(file, before, true), parse_old(file, after, true));
    if !new.diags.is_empty() {
        return Err(new.diags);
    }
    for (one, other) in old.scenarios.iter().zip(&new.scenarios) {
        let phrases = compiler.phrases(&profile(one));
        let set_up = |scenario: &Scenario| position(compiler, &phrases, &scenario.given, &scenario.source);
        // A position that cannot be set up stays as it is, and is told when it is run.
        let Ok(before) = set_up(one) else { continue };
        let after = set_up(other)?;
        if told(&phrases.program, &before) != told(&phrases.program, &after) {
            let text = format!("the position of `{}` would not be the same", one.name);
            let diag = Diagnostic::new(Code::ScenarioClause, one.place(), text);
            return Err(vec![diag.help("this is a mistake in the formatter; the file is left as it is")]);
        }
    }
    Ok(())
}
