//! The positions of a Markdown file, written as a table shows them.
//!
//! Nothing is written that does not set up the same position.

mod factor;
mod name;
mod respell;
mod thin;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use netrep_compiler::layout::Layout;
use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Token, TokenKind};
use netrep_grammar::{Fence, fences, parse_clauses};
use netrep_ir::Program;

use crate::decks::Decks;
use crate::layout::fold::fold;
use crate::layout::of_players;
use crate::layout::same::told;
use crate::layout::spread::spread;
use crate::scenario::{Argument, Given, Scenario, parse, parse_old};
use crate::words::folded;

/// Lines of positions are not longer than this, except for a single sentence of one card.
const WIDTH: usize = 150;

/// A file with its positions laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaidOut {
    /// The file.
    pub text: String,
    /// The positions that are left as they were: what is wrong with them, or would be.
    pub left: Vec<Diagnostic>,
}

/// Lays the positions of a file out.
///
/// # Errors
/// What in it cannot be read; then nothing may be written.
pub fn laid_out(compiler: &Compiler, file: &str, text: &str, decks: &Decks) -> Result<LaidOut, Vec<Diagnostic>> {
    let parsed = parse_old(file, text, true, decks);
    if !parsed.diags.is_empty() {
        return Err(parsed.diags);
    }
    let layouts = compiler.layouts();
    let mut laid = LaidOut { text: String::with_capacity(text.len()), left: Vec::new() };
    let starts = parsed.scenarios.iter().flat_map(|scenario| &scenario.given_lines);
    let bases: BTreeSet<&str> = starts.filter_map(|line| line.of.as_deref()).collect();
    let mut done = 0;
    for fence in fences(text) {
        let here = |scenario: &&Scenario| scenario.source.base as usize == fence.content.start;
        let Some(scenario) = parsed.scenarios.iter().find(here) else { continue };
        match anew(compiler, &layouts, scenario, &fence, text) {
            Ok(Some((range, block))) => {
                laid.text.push_str(&text[done..range.start]);
                laid.text.push_str(&block);
                done = range.end;
            }
            Ok(None) => {}
            // It is whole only with what the blocks say that start from it.
            Err(_) if scenario.script.is_empty() && bases.contains(&*scenario.name) => {}
            Err(diags) => laid.left.extend(diags),
        }
    }
    laid.text.push_str(&text[done..]);
    Ok(laid)
}

/// A file with what the blocks of a section have in common in positions from which they start.
///
/// # Errors
/// What in it cannot be read, or would not be the same; then nothing may be written.
pub fn factored(compiler: &Compiler, file: &str, text: &str, decks: &Decks) -> Result<String, Vec<Diagnostic>> {
    let before = parse_old(file, text, true, decks);
    if !before.diags.is_empty() {
        return Err(before.diags);
    }
    let new = factor::factored(text);
    let after = parse_old(file, &new, true, decks);
    if !after.diags.is_empty() {
        return Err(after.diags);
    }
    let layouts = compiler.layouts();
    // A position is whole only with what the blocks say that start from it, and stays as it is.
    let starts = before.scenarios.iter().flat_map(|scenario| &scenario.given_lines);
    let bases: BTreeSet<&str> = starts.filter_map(|line| line.of.as_deref()).collect();
    let is_base = |one: &Scenario| one.script.is_empty() && bases.contains(&*one.name);
    for one in before.scenarios.iter().filter(|one| !is_base(one)) {
        let other = after.scenarios.iter().find(|other| other.name == one.name && other.headings == one.headings);
        let other = other.ok_or_else(|| vec![unlike(one, "it is gone")])?;
        let program = compiler.link(&profile(one)).0;
        let flat = |scenario: &Scenario| spread(&layouts, &program, &scenario.given, &scenario.source);
        let (old, new) = (told(&program, &flat(one)?), told(&program, &flat(other)?));
        if old != new {
            let only: Vec<String> = old.beyond(&new).into_iter().chain(new.beyond(&old)).collect();
            return Err(vec![unlike(one, &only.join(" / "))]);
        }
    }
    Ok(new)
}

/// A profile under which a scenario is read.
fn profile(scenario: &Scenario) -> Profile {
    let default = Profile::default();
    // total: a scenario has one profile at least.
    scenario.profiles(&default).into_iter().next().unwrap_or(default)
}

/// The block `given` of a scenario as it is to be written, and its place in the file; none if it stays as it is.
fn anew(
    compiler: &Compiler,
    layouts: &[Arc<Layout>],
    scenario: &Scenario,
    fence: &Fence,
    text: &str,
) -> Result<Option<(Range<usize>, String)>, Vec<Diagnostic>> {
    let Ok(clauses) = parse_clauses(&text[fence.content.clone()]) else { return Ok(None) };
    let given: Vec<&Clause> = clauses.iter().filter(|clause| clause.head() == "given").collect();
    let [one] = given.as_slice() else { return Ok(None) };
    let range = fence.content.start + one.span.start as usize..fence.content.start + one.span.end as usize;
    // What starts from a position, names a deck, or has remarks in it, is left as its author wrote it.
    let from = scenario.given_lines.iter().any(|line| line.of.is_some());
    if from || text[range.clone()].contains("//") {
        return Ok(None);
    }
    let program = compiler.link(&profile(scenario)).0;
    let whole = spread(layouts, &program, &scenario.given, &scenario.source)?;
    let thinned = thin::thinned(compiler, scenario, whole);
    let flat = respell::respelled(compiler, layouts, scenario, thinned);
    let around = [&text[fence.content.start..range.start], &text[range.end..fence.content.end]].concat();
    // What a position is for that others start from, these say.
    let other = uncounted(layouts, &program, &flat, &around).filter(|_| !scenario.script.is_empty());
    let block = block(&fold(layouts, &program, &flat, other));
    // What is written must stand for the same.
    let fenced = format!("```position written\n{block}\n```\n");
    let written = parse(&scenario.source.file, &fenced, true);
    let again = match written.scenarios.as_slice() {
        [again] => spread(layouts, &program, &again.given, &again.source).map_err(|diags| (again, diags)),
        _ => return Err(vec![unlike(scenario, &first(&written.diags))]),
    };
    let again = again.map_err(|(_, diags)| vec![unlike(scenario, &first(&diags))])?;
    let (before, after) = (told(&program, &flat), told(&program, &again));
    if before != after {
        let only: Vec<String> = before.beyond(&after).into_iter().chain(after.beyond(&before)).collect();
        return Err(vec![unlike(scenario, &only.join(" / "))]);
    }
    Ok((text[range.clone()] != block).then_some((range, block)))
}

/// The card that stands for those that nobody names, if nothing in the block names it but lists of cards whose order counts.
fn uncounted<'l>(layouts: &'l [Arc<Layout>], program: &Program, given: &[Given], around: &str) -> Option<&'l str> {
    let card: &str = of_players(layouts, program)?.others.first()?;
    let is_it = |name: &str| folded(name) == folded(card);
    let names = |token: &Token| matches!(&token.kind, TokenKind::Quoted(name) if is_it(name));
    let is_pile = |place: &str| program.places.iter().any(|decl| decl.name == place && decl.ordered && decl.owned);
    let named = given.iter().any(|one| match one {
        Given::Cards(list) => {
            let own = list.cards.iter().filter(|(name, _)| is_it(&name.text));
            own.into_iter().any(|(_, label)| label.is_some() || !is_pile(&list.place.text))
        }
        Given::Fact(tokens, _) => tokens.iter().any(names),
        Given::Begin { arguments, .. } => {
            arguments.iter().any(|argument| matches!(argument, Argument::Thing(name) if is_it(&name.text)))
        }
        _ => false,
    });
    (!named && !folded(around).contains(&folded(card))).then_some(card)
}

fn first(diags: &[Diagnostic]) -> String {
    diags.first().map(|diag| diag.message.clone()).into_iter().collect()
}

/// A position that would not be the same.
fn unlike(scenario: &Scenario, how: &str) -> Diagnostic {
    let text = format!("the position of `{}` would not be the same: {how}", scenario.name);
    let diag = Diagnostic::new(Code::ScenarioClause, scenario.place(), text);
    diag.help("it is left as it is; what is not written as it was meant is a mistake in the formatter")
}

/// A block with these lines: on one line if it fits.
fn block(lines: &[String]) -> String {
    let one = format!("given {{ {} }}", lines.join(" "));
    if one.chars().count() <= WIDTH {
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

/// A sentence in lines that are not too long, broken behind a comma or semicolon.
fn wrapped(line: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut now = String::new();
    for piece in line.split_inclusive([',', ';']) {
        let quotes = now.matches('"').count();
        let fits = now.chars().count() + piece.chars().count() + 4 <= WIDTH;
        if !now.is_empty() && !fits && quotes.is_multiple_of(2) {
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
