//! `netrep replay`, and `netrep` alone: a scenario or game, told step by step.

use std::path::PathBuf;

use netrep_compiler::{Diagnostic, Profile};
use netrep_lab::follows::follows;
use netrep_lab::prepare::prepare;
use netrep_lab::report::{Check, Report, label};
use netrep_lab::run::{Job, jobs, run};
use netrep_lab::{Library, narrate};
use serde::Serialize;

use crate::commands::look_at;
use crate::output::{Show, count, summary};
use crate::scenarios::{scenarios, tell_own};
use crate::{Outcome, Wrong};

/// The example game, in words.
pub(crate) fn example(show: &Show, library: &Library) -> Result<Outcome, Wrong> {
    match library.example() {
        Some(file) => replay(show, library, file, &Profile::default(), false),
        None => Err(Wrong::Usage("there is no example game; name a command, or see `netrep --help`".to_owned())),
    }
}

/// The result of `replay`, and of `netrep` alone.
#[derive(Serialize)]
struct Replayed {
    runs: Vec<Replay>,
}

/// A scenario under a profile, step by step.
#[derive(Serialize)]
struct Replay {
    scenario: String,
    file: String,
    profile: String,
    /// What the position does not say and the steps that it has behind it have made so.
    follows: Vec<String>,
    passed: bool,
    steps: Vec<Step>,
    checks: Vec<Checked>,
    diagnostics: Vec<Diagnostic>,
    /// The hash of the last position, in hexadecimal digits.
    hash: String,
    /// For each player the numbers that the rules want reported.
    scores: Vec<Score>,
}

/// What the rules want reported of a player.
#[derive(Serialize)]
struct Score {
    player: String,
    numbers: std::collections::BTreeMap<String, i32>,
}

/// A decision and what came of it.
#[derive(Serialize)]
struct Step {
    step: usize,
    by: String,
    asked: String,
    chosen: String,
    /// The label of the clause that allowed it.
    licence: String,
    options: Vec<String>,
    happened: Vec<Happened>,
}

/// Something that happened.
#[derive(Serialize)]
struct Happened {
    text: String,
    /// The label of the clause that made it so.
    clause: String,
    kind: String,
}

/// An expectation.
#[derive(Serialize)]
struct Checked {
    /// The step after which it was checked; 0 at the start.
    after: usize,
    text: String,
    held: bool,
}

/// Plays the scenarios of a file.
pub(crate) fn replay(
    show: &Show,
    library: &Library,
    file: PathBuf,
    default: &Profile,
    all: bool,
) -> Result<Outcome, Wrong> {
    look_at(show, library, default)?;
    let scenarios = scenarios(show, library, &[file], false)?;
    tell_own(show, &scenarios, default);
    let jobs = jobs(&scenarios, default);
    let reports = run(&library.compiler, &jobs, 1, false);
    let follow = |job: &Job| {
        // total: nothing follows from what cannot be set up, which the run has told
        prepare(&library.compiler, &job.scenario, &job.default, &job.profile)
            .iter()
            .flat_map(follows)
            .collect::<Vec<_>>()
    };
    let told: Vec<Vec<String>> = jobs.iter().map(follow).collect();
    let all_runs = || reports.iter().zip(&jobs).zip(&told);
    let runs = all_runs().map(|((report, job), follows)| replayed(library, report, job, follows)).collect();
    let outcome = Outcome::of(reports.iter().all(Report::passed));
    Ok(show.reply(outcome, &Replayed { runs }, || {
        for ((report, job), follows) in all_runs() {
            narrate_report(show, library, (report, follows), job, all);
        }
    }))
}

fn narrate_report(show: &Show, library: &Library, (report, follows): (&Report, &[String]), job: &Job, all: bool) {
    show.line(format!("{}  [{}]", show.paint("1", &report.name), report.profile));
    if !job.scenario.prose.is_empty() {
        show.line(format!("{}\n", job.scenario.prose));
    }
    for fact in follows {
        show.line(format!("      it follows that {fact}"));
    }
    checks(show, report, 0);
    for step in &report.steps {
        let quiet = !matches!(step.from, netrep_lab::report::From::Script(_));
        let news = narrate::happened(step, all);
        // What the driver passed over is told only if something came of it.
        if !quiet || all || !news.is_empty() {
            show.line(format!("{:>4}  {}", step.number, show.paint("1", &narrate::step_words(step))));
        }
        for line in news {
            show.line(format!("        {line}"));
        }
        checks(show, report, step.number);
    }
    show.line("");
    scores(show, report);
    if report.passed() {
        show.line(format!(
            "{} in {}, every one as stated.",
            count(report.checks.len(), "fact", "facts"),
            count(report.steps.len(), "step", "steps")
        ));
    } else {
        show.diags(&report.diags, &|file| library.text(file));
        if let Some(first) = report.checks.iter().find(|check| !check.held) {
            show.line(format!("Play departs from what is stated after step {}: {}", first.after, first.text));
        }
        show.line(summary(&report.diags));
    }
}

/// The numbers that the rules want reported, a row for each, a column for each player.
fn scores(show: &Show, report: &Report) {
    let Some((_, rows)) = report.scores.first().filter(|(_, rows)| !rows.is_empty()) else { return };
    let width = rows.iter().map(|(name, _)| name.chars().count()).fold(0, usize::max);
    let cell = |player: &str, said: &str| format!("  {said:>wide$}", wide = player.chars().count().max(4));
    let heads: String = report.scores.iter().map(|(player, _)| cell(player, player)).collect();
    show.line(format!("{:width$}{heads}", ""));
    for (row, (name, _)) in rows.iter().enumerate() {
        // The same is reported of every player.
        let of = |(player, numbers): &(String, Vec<(String, i32)>)| cell(player, &numbers[row].1.to_string());
        show.line(format!("{name:width$}{}", report.scores.iter().map(of).collect::<String>()));
    }
    show.line("");
}

fn checks(show: &Show, report: &Report, after: usize) {
    let here = |check: &&Check| check.after == after;
    for check in report.checks.iter().filter(here) {
        let text = check.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mark = if check.held { show.paint("32", "✓") } else { show.paint("31", "✗") };
        show.line(format!("      {mark} {text}"));
    }
}

fn replayed(library: &Library, report: &Report, job: &Job, follows: &[String]) -> Replay {
    let program = library.compiler.link(&job.profile).0;
    let happened = |entry: &netrep_engine::TraceEntry| Happened {
        text: entry.text.clone(),
        clause: label(&program, entry.clause).to_owned(),
        kind: format!("{:?}", entry.kind).to_lowercase(),
    };
    let step = |step: &netrep_lab::report::Step| Step {
        step: step.number,
        by: step.by.clone(),
        asked: step.asked.clone(),
        chosen: step.chosen.clone(),
        licence: label(&program, step.licence).to_owned(),
        options: step.options.clone(),
        happened: step.trace.iter().map(happened).collect(),
    };
    let check = |check: &Check| Checked { after: check.after, text: check.text.clone(), held: check.held };
    Replay {
        scenario: report.name.clone(),
        file: report.file.clone(),
        profile: report.profile.clone(),
        follows: follows.to_vec(),
        passed: report.passed(),
        steps: report.steps.iter().map(step).collect(),
        checks: report.checks.iter().map(check).collect(),
        diagnostics: report.diags.clone(),
        hash: format!("{:016x}", report.hash),
        scores: (report.scores.iter())
            .map(|(player, numbers)| Score { player: player.clone(), numbers: numbers.iter().cloned().collect() })
            .collect(),
    }
}
