//! `netrep test`: runs scenarios and counts.

use std::path::PathBuf;
use std::sync::Arc;

use netrep_compiler::{Diagnostic, Profile};
use netrep_lab::report::Report;
use netrep_lab::run::jobs;
use netrep_lab::{Library, Scenario, Verdict};
use serde::Serialize;

use crate::commands::look_at;
use crate::output::{Show, count, summary};
use crate::scenarios::{tell_own, threads};
use crate::{Outcome, Wrong};

/// The result of `test`.
#[derive(Serialize)]
struct Tested {
    /// Everything passed, every block could be read, and the data have no errors.
    clean: bool,
    scenarios: usize,
    failed: usize,
    runs: Vec<Run>,
    /// Errors in the data, and in blocks that cannot be read.
    diagnostics: Vec<Diagnostic>,
}

/// A scenario under a profile.
#[derive(Serialize)]
struct Run {
    scenario: String,
    file: String,
    profile: String,
    passed: bool,
    steps: usize,
    checks: usize,
    diagnostics: Vec<Diagnostic>,
    /// The hash of the last position, in hexadecimal digits.
    hash: String,
}

/// Runs scenarios and counts.
pub(crate) fn test(
    show: &Show,
    library: &Library,
    paths: &[PathBuf],
    default: &Profile,
    jobs_wanted: usize,
) -> Result<Outcome, Wrong> {
    look_at(show, library, default)?;
    let parsed = library.scenarios(paths, false)?;
    let scenarios: Vec<Arc<Scenario>> = parsed.scenarios.into_iter().map(Arc::new).collect();
    if scenarios.is_empty() && parsed.diags.is_empty() {
        show.warn("no scenario is there".to_owned());
    }
    tell_own(show, &scenarios, default);
    let jobs = jobs(&scenarios, default);
    let bar = show.progress(jobs.len() as u64);
    let each = |report: &Report| {
        bar.set_message(report.name.clone());
        bar.inc(1);
    };
    let reports = library.verdicts(&jobs, (paths, default), threads(jobs_wanted), &each);
    bar.finish_and_clear();
    let failed = reports.iter().filter(|report| !report.passed()).count();
    // A rule that does not compile is left out, so that its scenarios prove nothing.
    let mut diagnostics: Vec<Diagnostic> = library.compiler.check();
    diagnostics.extend(library.compiler.check_choices());
    diagnostics.retain(|diag| diag.is_error());
    diagnostics.extend(parsed.diags);
    let row = |report: &Arc<Verdict>| Run {
        scenario: report.name.clone(),
        file: report.file.clone(),
        profile: report.profile.clone(),
        passed: report.passed(),
        steps: report.steps,
        checks: report.checks,
        diagnostics: report.diags.clone(),
        hash: format!("{:016x}", report.hash),
    };
    let clean = failed == 0 && diagnostics.is_empty();
    let runs = reports.iter().map(row).collect();
    let tested = Tested { clean, scenarios: scenarios.len(), failed, runs, diagnostics };
    Ok(show.reply(Outcome::of(clean), &tested, || {
        show.diags(&tested.diagnostics, &|file| library.text(file));
        for run in tested.runs.iter().filter(|run| !run.passed) {
            let name = show.paint("1", &run.scenario);
            show.line(format!("{} {name} [{}] in {}", show.paint("31", "✗"), run.profile, run.file));
            show.diags(&run.diagnostics, &|file| library.text(file));
        }
        let checks: usize = tested.runs.iter().map(|run| run.checks).sum();
        show.line(format!(
            "{} of {}, {}; {failed} failed",
            count(tested.runs.len(), "run", "runs"),
            count(tested.scenarios, "scenario", "scenarios"),
            count(checks, "expectation", "expectations")
        ));
        if !tested.diagnostics.is_empty() {
            show.line(format!("{} in the data and in blocks that cannot be read", summary(&tested.diagnostics)));
        }
    }))
}
