//! The mistakes of authors, made in the data of the repository one at a time: each is told once, at its place, with its mend.
//! `mistakes.md` holds them, a table for each kind of item.

use std::fmt::Write;
use std::sync::Arc;

use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::{Scenario, parse};

use crate::support::data;

/// The tables: item, what stands there, what the author writes, the code, the words pointed at, words of the mend.
const MISTAKES: &str = include_str!("../mistakes.md");
/// The scenario in which the mistakes of scenarios are made.
const SCENARIO: &str = "tests/mistakes.md";

/// A row of a table.
struct Mistake {
    item: String,
    was: String,
    is: String,
    code: String,
    at: String,
    mend: String,
}

/// The words between grave accents of a cell; `⏎` is the end of a line.
fn cell(text: &str) -> String {
    text.trim().trim_matches('`').replace('⏎', "\n")
}

fn mistakes() -> Vec<Mistake> {
    let row = |line: &str| {
        let cells: Vec<String> = line.trim().trim_matches('|').split('|').map(cell).collect();
        let [item, was, is, code, at, mend] = cells.try_into().ok()?;
        Some(Mistake { item, was, is, code, at, mend })
    };
    let lines = MISTAKES.lines().filter(|line| line.starts_with("| `"));
    lines.map(|line| row(line).unwrap_or_else(|| panic!("no row of six cells: {line}"))).collect()
}

/// The item in a text: from its header, which begins so at the beginning of a line, to the next item or the end.
fn item_in(text: &str, item: &str) -> Option<(usize, usize)> {
    let header = |at: &usize| {
        let behind = text[at + item.len()..].chars().next();
        (*at == 0 || text[..*at].ends_with('\n')) && behind.is_none_or(|c| !c.is_alphanumeric() && c != '.' && c != '-')
    };
    let start = text.match_indices(item).map(|(at, _)| at).find(header)?;
    let end = text[start..].find("\n}\n").map_or(text.len(), |at| start + at + 3);
    let line = text[start..].find('\n').map_or(text.len(), |at| start + at + 1);
    Some((start, if text[start..line].trim_end().ends_with('.') { line } else { end }))
}

/// The text with the mistake in its item.
fn broken(text: &str, (start, end): (usize, usize), mistake: &Mistake) -> Option<String> {
    let body = &text[start..end];
    body.contains(&mistake.was)
        .then(|| format!("{}{}{}", &text[..start], body.replacen(&mistake.was, &mistake.is, 1), &text[end..]))
}

/// What is said of a mistake in a scenario: the block in this file, with the mistake.
fn told_of_scenario(compiler: &Compiler, mistake: &Mistake) -> Option<(String, Vec<Diagnostic>)> {
    let start = MISTAKES.find("```scenario")?;
    let end = start + MISTAKES[start..].find("\n```\n")? + 5;
    let text = broken(MISTAKES, (start, end), mistake)?;
    let text = text[start..].to_owned();
    let parsed = parse(SCENARIO, &text, false);
    let mut diags = parsed.diags;
    let scenarios: Vec<Arc<Scenario>> = parsed.scenarios.into_iter().take(1).map(Arc::new).collect();
    let jobs = jobs(&scenarios, &Profile::default());
    diags.extend(run(compiler, &jobs, 1, false).into_iter().flat_map(|report| report.diags));
    Some((text, diags))
}

/// What is wrong with what is said of a mistake in a file; nothing, if it is told once, with its code, its place and its mend.
fn amiss(mistake: &Mistake, (file, text): (&str, &str), errors: &[&Diagnostic]) -> Option<String> {
    let pointed = |diag: &Diagnostic| {
        let within = diag.place.start as usize..diag.place.end as usize;
        if *diag.place.file == *file { text.get(within).unwrap_or("?").to_owned() } else { diag.place.file.to_string() }
    };
    let told = |diag: &&Diagnostic| {
        let at = pointed(diag);
        let help = diag.help.as_deref().unwrap_or("");
        format!("{} at `{at}`: {} ({help})", diag.code, diag.message)
    };
    let all = || errors.iter().map(told).collect::<Vec<_>>().join("\n    ");
    let [one] = errors else { return Some(format!("{} messages:\n    {}", errors.len(), all())) };
    let said = format!("{} {}", one.message, one.help.as_deref().unwrap_or(""));
    let right = one.code.to_string() == mistake.code && pointed(one) == mistake.at && said.contains(&mistake.mend);
    (!right).then(all)
}

#[test]
fn each_mistake_is_told_once_at_its_place_with_its_mend() {
    let mistakes = mistakes();
    assert!(mistakes.len() >= 250, "{} mistakes", mistakes.len());
    let mut library = data::library();
    let compiler = &mut library.compiler;
    let files = data::files();
    let every = data::one_in(18);
    let mut wrong = String::new();
    for mistake in mistakes.iter().step_by(every) {
        let is_scenario = mistake.item == "scenario";
        let of = files.iter().find_map(|(path, text)| Some((path, text, item_in(text, &mistake.item)?)));
        let (file, text, diags) = match of {
            None if is_scenario => {
                let told = told_of_scenario(compiler, mistake);
                let (text, diags) = told.unwrap_or_else(|| panic!("the scenario holds no `{}`", mistake.was));
                (SCENARIO, text, diags)
            }
            None => panic!("there is no {}", mistake.item),
            Some((path, whole, place)) => {
                let text = broken(whole, place, mistake)
                    .unwrap_or_else(|| panic!("{} holds no `{}`", mistake.item, mistake.was));
                compiler.set_file(path, &text);
                let diags = compiler.check();
                compiler.set_file(path, whole);
                (path.as_str(), text, diags)
            }
        };
        // Some mistakes are told as advice.
        let is_meant = |diag: &&Diagnostic| diag.is_error() || diag.code.to_string() == mistake.code;
        let errors: Vec<&Diagnostic> = diags.iter().filter(is_meant).collect();
        if let Some(told) = amiss(mistake, (file, &text), &errors) {
            let Mistake { item, was, is, code, at, mend } = mistake;
            writeln!(wrong, "{item}: `{was}` -> `{is}` wants {code} at `{at}` with `{mend}`, and is told\n    {told}")
                .unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
