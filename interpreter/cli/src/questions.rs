//! `netrep why`, `netrep ask`, `netrep ablate`: questions about scenarios.

use std::path::PathBuf;
use std::sync::Arc;

use netrep_compiler::Profile;
use netrep_lab::ablate::{Ablated, Exemption, Noticed, Which, ablate, exemptions};
use netrep_lab::ask::{Otherwise, Possible, ask, ask_across};
use netrep_lab::prepare::{Prepared, prepare};
use netrep_lab::report::Citation;
use netrep_lab::why::{Answer, Question, Tried, why};
use netrep_lab::{Library, Scenario};
use serde::Serialize;

use crate::play::{scenarios, threads};
use crate::show::{Show, count};
use crate::{Outcome, Wrong, look_at};

/// So many options that an edition has more or less are named.
const OTHERWISE: usize = 6;

/// Where exemptions from ablation stand.
const EXEMPT: &str = "tests/ablation-exempt.md";

pub fn ready(library: &Library, scenario: &Arc<Scenario>, default: &Profile) -> Result<Prepared, Wrong> {
    let profile = scenario.profiles(default).into_iter().next().unwrap_or_default();
    prepare(&library.compiler, scenario, default, &profile).map_err(Wrong::Diags)
}

/// The one scenario of a file, or the one with a part of its name.
pub fn one_of<'s>(all: &'s [Arc<Scenario>], name: Option<&str>) -> Result<&'s Arc<Scenario>, Wrong> {
    let found: Vec<&Arc<Scenario>> = all.iter().filter(|s| name.is_none_or(|name| s.name.contains(name))).collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] => Err(Wrong::Usage("no scenario of the file has this name".to_owned())),
        several => {
            let names: Vec<String> = several.iter().map(|s| format!("\n  {}", s.name)).collect();
            Err(Wrong::Usage(format!(
                "the file has {} scenarios; name one with --scenario:{}",
                several.len(),
                names.concat()
            )))
        }
    }
}

/// Explains a step.
pub fn explain_step(
    show: &Show,
    library: &Library,
    file: PathBuf,
    name: Option<&str>,
    question: &Question,
    default: &Profile,
) -> Result<Outcome, Wrong> {
    look_at(show, library, default)?;
    let all = scenarios(show, library, &[file], true)?;
    let scenario = one_of(&all, name)?;
    let prepared = ready(library, scenario, default)?;
    let answer = why(&library.compiler, &prepared, question).map_err(Wrong::Diags)?;
    Ok(show.reply(Outcome::Clean, &answer, || show_answer(show, library, &answer)))
}

/// A citation in one line: label, title, layer, place, documents.
fn cite(library: &Library, citation: &Citation) -> String {
    let start = usize::try_from(citation.start).unwrap_or_default();
    let line =
        library.text(&citation.file).and_then(|text| text.get(..start).map(|before| before.matches('\n').count() + 1));
    let mut words = format!("{} — {}", citation.label, citation.title);
    if !citation.setter.is_empty() {
        words.push_str(&format!(", set by {}", citation.setter));
    }
    words.push_str(&format!(", {}:{}", citation.file, line.unwrap_or(1)));
    if !citation.sources.is_empty() {
        words.push_str(&format!(", after {}", citation.sources.join(", ")));
    }
    words
}

fn show_answer(show: &Show, library: &Library, answer: &Answer) {
    show.line(format!("{}  [{}]", show.paint("1", &answer.scenario), answer.profile));
    show.line(format!("Step {}: {}", answer.step, answer.asked));
    show.line(format!("  {} submits {}", answer.by, show.paint("1", &answer.chosen)));
    show.line(format!("  allowed by {}", cite(library, &answer.licence)));
    show.line(format!("    {}", answer.licence.text));
    for said in &answer.happened {
        show.line(format!("    → {}", said.words));
    }
    if !answer.others.is_empty() {
        show.line("Also offered:");
        for said in &answer.others {
            show.line(format!("  {}  ({})", said.words, said.by.label));
        }
    }
    if let Some(tried) = &answer.attempt {
        show_tried(show, library, tried, "");
    }
    if let Some(number) = &answer.number {
        show.line(format!("{} after this step:", number.words));
        show.line(format!("  {:>4}  base", number.base));
        for change in &number.steps {
            let by = cite(library, &change.by);
            show.line(format!("  {:>4}  {} (from {}): {by}", change.after, change.words, change.before));
        }
        show.line(format!("  {:>4}  in all", number.value));
    }
}

pub fn show_tried(show: &Show, library: &Library, tried: &Tried, indent: &str) {
    if tried.legal {
        show.line(format!("{indent}{} is allowed: {}", tried.words, cite(library, &tried.licence)));
        return;
    }
    show.line(format!("{indent}{} is refused ({})", tried.words, tried.asked));
    for against in &tried.reasons {
        show.line(format!("{indent}  because {}: {}", against.words, cite(library, &against.by)));
    }
    if !tried.would_be_legal_if.is_empty() {
        show.line(format!("{indent}  it would be legal if {}", tried.would_be_legal_if.join(" and ")));
    }
}

/// The result of `ask`.
#[derive(Serialize)]
struct Asked {
    positions: Vec<Possible>,
}

/// Says what positions allow.
pub fn ask_file(
    show: &Show,
    library: &Library,
    file: PathBuf,
    default: &Profile,
    alone: bool,
) -> Result<Outcome, Wrong> {
    look_at(show, library, default)?;
    let mut positions: Vec<Possible> = Vec::new();
    for scenario in scenarios(show, library, &[file], true)? {
        let prepared = ready(library, &scenario, default)?;
        let mut found = ask(&prepared).map_err(Wrong::Diags)?;
        if !alone {
            let editions = library.compiler.editions();
            let under = |id: &Arc<str>| Profile { edition: Some(Arc::clone(id)), ..prepared.profile.clone() };
            let others: Vec<Profile> = editions.iter().map(|(edition, _)| under(&edition.id)).collect();
            found.otherwise = ask_across(&library.compiler, &scenario, default, &prepared.profile, &others);
        }
        positions.push(found);
    }
    let asked = Asked { positions };
    Ok(show.reply(Outcome::Clean, &asked, || {
        for position in &asked.positions {
            show_position(show, library, position);
        }
    }))
}

fn show_position(show: &Show, library: &Library, position: &Possible) {
    show.line(show.paint("1", &position.name));
    for running in &position.running {
        show.line(format!("  in {running}"));
    }
    if position.seats.is_empty() {
        show.line("  no player is asked");
        if position.running.is_empty() {
            show.line("  nothing is running: say where the game stands with `begin PROCEDURE for NAME at step STEP.` in `given`;");
            show.line("  `netrep words step` lists the steps, and the positions below tests/ show how others begin");
        }
    }
    for seat in &position.seats {
        show.line(&seat.asked);
        for said in &seat.options {
            show.line(format!("  {}  ({})", show.paint("32", &said.words), said.by.label));
        }
        for tried in &seat.nearly {
            show_tried(show, library, tried, "  ");
        }
    }
    position.otherwise.iter().for_each(|one| otherwise_lines(show, one));
}

fn otherwise_lines(show: &Show, one: &Otherwise) {
    show.line(format!("Otherwise under {}:", show.paint("1", &one.profiles.join(", "))));
    if let Some(stopped) = &one.stopped {
        show.line(format!("  {stopped}"));
    }
    for (words, sign, colour) in [(&one.more, '+', "32"), (&one.less, '-', "31")] {
        words.iter().take(OTHERWISE).for_each(|words| show.line(format!("  {sign} {}", show.paint(colour, words))));
        if words.len() > OTHERWISE {
            show.line(format!("  {sign} … and {} more", words.len() - OTHERWISE));
        }
    }
    match one.because.as_slice() {
        [] => show.line("  no set of rulings alone is behind it"),
        rulings => rulings.iter().for_each(|switch| show.line(format!("  because of {switch}"))),
    }
}

/// The exemptions from ablation.
pub fn exempt(library: &Library) -> Result<Vec<Exemption>, Wrong> {
    let text = std::fs::read_to_string(library.root.join(EXEMPT)).unwrap_or_default();
    let (exempt, wrong) = exemptions(EXEMPT, &text);
    if wrong.is_empty() { Ok(exempt) } else { Err(Wrong::Diags(wrong)) }
}

/// Ablates items.
pub fn ablate_items(show: &Show, library: &Library, which: Which<'_>) -> Result<Outcome, Wrong> {
    let all = scenarios(show, library, &[], false)?;
    let exempt = exempt(library)?;
    if let Some(item) = which.items.iter().find(|key| library.compiler.items().iter().all(|item| *item.key != ***key)) {
        return Err(Wrong::Usage(format!("no item is called `{item}`")));
    }
    let json = show.json();
    let mut progress = |one: &Ablated| {
        if !json {
            show.line(ablated_words(show, one));
        }
    };
    let result = ablate(&library.compiler, &all, which, &exempt, threads(0), &mut progress);
    Ok(show.reply(Outcome::of(result.clean()), &result, || {
        for name in &result.failing {
            show.line(format!("left out, because it fails as it is: {name}"));
        }
        show.diags(&result.needless, &|file| library.text(file));
        let of = |test: &dyn Fn(&Noticed) -> bool| result.changes.iter().filter(|one| test(&one.outcome)).count();
        let unnoticed = of(&|outcome| *outcome == Noticed::Nobody);
        let exempt = of(&|outcome| matches!(outcome, Noticed::Exempt(_)));
        let changes = count(result.changes.len(), "change", "changes");
        show.line(format!("{changes}: {unnoticed} unnoticed, {exempt} exempt"));
    }))
}

fn ablated_words(show: &Show, one: &Ablated) -> String {
    let what = match one.number {
        Some((from, to)) => format!("{} {}: {from} → {to}", one.item, one.label),
        None => format!("{} {}: left out", one.item, one.label),
    };
    match &one.outcome {
        Noticed::By(name) => format!("{} {what}, noticed by “{name}”", show.paint("32", "✓")),
        Noticed::Compiler(error) => format!("{} {what}, does not compile: {error}", show.paint("32", "✓")),
        Noticed::Exempt(reason) => format!("{} {what}, exempt: {reason}", show.paint("33", "–")),
        Noticed::Nobody => format!("{} {what}, unnoticed", show.paint("31", "✗")),
    }
}
