//! `netrep why`: a step of a scenario explained.

use std::path::PathBuf;

use netrep_compiler::Profile;
use netrep_lab::Library;
use netrep_lab::why::{Answer, Derived, Question, why};

use crate::citations::{cite, show_tried};
use crate::commands::look_at;
use crate::output::Show;
use crate::scenarios::{one_of, ready, scenarios, tell_own};
use crate::{Outcome, Wrong};

/// Explains a step.
pub(crate) fn explain_step(
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
    tell_own(show, std::slice::from_ref(scenario), default);
    let prepared = ready(library, scenario, default)?;
    let answer = why(&library.compiler, &prepared, question).map_err(Wrong::Diags)?;
    Ok(show.reply(Outcome::Clean, &answer, || show_answer(show, library, &answer)))
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
        show_number(show, library, number, 1);
    }
}

/// A number, and indented below its base the numbers of which that is made.
fn show_number(show: &Show, library: &Library, number: &Derived, depth: usize) {
    let space = "  ".repeat(depth);
    show.line(format!("{space}{:>4}  base", number.base));
    for part in &number.made_of {
        show.line(format!("{space}      {}:", part.words));
        show_number(show, library, part, depth + 4);
    }
    for change in &number.steps {
        let by = cite(library, &change.by);
        show.line(format!("{space}{:>4}  {} (from {}): {by}", change.after, change.words, change.before));
    }
    show.line(format!("{space}{:>4}  in all", number.value));
}
