//! `netrep`, `netrep replay`, `netrep test`: running scenarios.

use std::path::PathBuf;
use std::sync::Arc;

use netrep_compiler::Profile;
use netrep_lab::report::{Check, Report, label};
use netrep_lab::run::{Job, jobs, run};
use netrep_lab::{Library, Scenario, narrate};
use serde_json::json;

use crate::show::{Show, count, summary};
use crate::{Outcome, Wrong};

/// The folder with recorded games, and how the name of the one begins that is replayed when no command is given.
const GAMES: (&str, &str) = ("tests/games", "example");

/// The scenarios of paths; what cannot be read is printed.
pub fn scenarios(
    show: &Show,
    library: &Library,
    paths: &[PathBuf],
    position: bool,
) -> Result<Vec<Arc<Scenario>>, Wrong> {
    let parsed = library.scenarios(paths, position)?;
    if !parsed.diags.is_empty() {
        return Err(Wrong::Diags(parsed.diags));
    }
    if parsed.scenarios.is_empty() {
        show.line("no scenario is there");
    }
    Ok(parsed.scenarios.into_iter().map(Arc::new).collect())
}

/// The example game, in words.
pub fn example(show: &Show, library: &Library) -> Result<Outcome, Wrong> {
    let (folder, start) = GAMES;
    let entries = std::fs::read_dir(library.root.join(folder)).into_iter().flatten().flatten();
    let is_example = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_example).collect();
    files.sort();
    match files.into_iter().next() {
        Some(file) => replay(show, library, file, &Profile::default(), false),
        None => Err(Wrong::Usage(format!("{folder} has no example game; name a command, or see `netrep --help`"))),
    }
}

/// Plays the scenarios of a file.
pub fn replay(show: &Show, library: &Library, file: PathBuf, default: &Profile, all: bool) -> Result<Outcome, Wrong> {
    let scenarios = scenarios(show, library, &[file], false)?;
    let jobs = jobs(&scenarios, default);
    let reports = run(&library.compiler, &jobs, 1, false);
    if show.json() {
        let list: Vec<_> = reports.iter().zip(&jobs).map(|(report, job)| report_json(library, report, job)).collect();
        show.value(&list);
    } else {
        for (report, job) in reports.iter().zip(&jobs) {
            narrate_report(show, library, report, job, all);
        }
    }
    Ok(Outcome::of(reports.iter().all(Report::passed)))
}

fn narrate_report(show: &Show, library: &Library, report: &Report, job: &Job, all: bool) {
    show.line(format!("{}  [{}]", show.paint("1", &report.name), report.profile));
    if !job.scenario.prose.is_empty() {
        show.line(format!("{}\n", job.scenario.prose));
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

fn checks(show: &Show, report: &Report, after: usize) {
    let here = |check: &&Check| check.after == after;
    for check in report.checks.iter().filter(here) {
        let text = check.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mark = if check.held { show.paint("32", "✓") } else { show.paint("31", "✗") };
        show.line(format!("      {mark} {text}"));
    }
}

/// A report as JSON.
pub fn report_json(library: &Library, report: &Report, job: &Job) -> serde_json::Value {
    let program = library.compiler.link(&job.profile).0;
    let steps: Vec<_> = report
        .steps
        .iter()
        .map(|step| {
            json!({
                "step": step.number, "by": step.by, "asked": step.asked, "chosen": step.chosen,
                "licence": label(&program, step.licence), "options": step.options,
                "happened": step.trace.iter().map(|entry| json!({
                    "text": entry.text, "clause": label(&program, entry.clause), "kind": format!("{:?}", entry.kind).to_lowercase(),
                })).collect::<Vec<_>>(),
            })
        })
        .collect();
    let checks: Vec<_> =
        report.checks.iter().map(|c| json!({"after": c.after, "text": c.text, "held": c.held})).collect();
    json!({
        "scenario": report.name, "file": report.file, "profile": report.profile, "passed": report.passed(),
        "steps": steps, "checks": checks, "errors": report.diags, "hash": format!("{:016x}", report.hash),
    })
}

/// Runs scenarios and counts.
pub fn test(
    show: &Show,
    library: &Library,
    paths: &[PathBuf],
    default: &Profile,
    threads: usize,
) -> Result<Outcome, Wrong> {
    let parsed = library.scenarios(paths, false)?;
    let scenarios: Vec<Arc<Scenario>> = parsed.scenarios.into_iter().map(Arc::new).collect();
    let threads = if threads == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { threads };
    let jobs = jobs(&scenarios, default);
    let reports = run(&library.compiler, &jobs, threads, false);
    let failed = reports.iter().filter(|report| !report.passed()).count();
    if show.json() {
        let list: Vec<_> = reports
            .iter()
            .map(|r| json!({"scenario": r.name, "file": r.file, "profile": r.profile, "passed": r.passed(), "steps": r.steps.len(), "checks": r.checks.len(), "errors": r.diags}))
            .collect();
        show.value(&json!({ "runs": list, "unreadable": parsed.diags }));
        return Ok(Outcome::of(failed == 0 && parsed.diags.is_empty()));
    }
    show.diags(&parsed.diags, &|file| library.text(file));
    for report in &reports {
        if !report.passed() {
            show.line(format!(
                "{} {} [{}] in {}",
                show.paint("31", "✗"),
                show.paint("1", &report.name),
                report.profile,
                report.file
            ));
            show.diags(&report.diags, &|file| library.text(file));
        }
    }
    let checks: usize = reports.iter().map(|report| report.checks.len()).sum();
    let words = count(reports.len(), "run", "runs");
    show.line(format!(
        "{words} of {}, {}; {failed} failed",
        count(scenarios.len(), "scenario", "scenarios"),
        count(checks, "expectation", "expectations")
    ));
    if !parsed.diags.is_empty() {
        show.line(format!("{} in blocks that cannot be read", summary(&parsed.diags)));
    }
    Ok(Outcome::of(failed == 0 && parsed.diags.is_empty()))
}
