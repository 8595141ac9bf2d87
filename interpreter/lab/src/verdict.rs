//! What is told of a run when its steps are not: whether all was as expected, how much was done, what was read.

use std::path::PathBuf;
use std::sync::Arc;

use netrep_compiler::{Compiler, Diagnostic, Kept, Profile};
use serde::Serialize;

use crate::compare::told;
use crate::library::Library;
use crate::memo::{Memo, Printed};
use crate::report::{Consulted, Report};
use crate::run::{Job, run_as};

/// What came of a run. A report holds every step with its trace, and there are thousands of runs.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The scenario's name.
    pub name: String,
    /// Its file.
    pub file: String,
    /// The profile in words.
    pub profile: String,
    /// How many decisions there were.
    pub steps: usize,
    /// How much was checked.
    pub checks: usize,
    /// What is wrong.
    pub diags: Vec<Diagnostic>,
    /// Something is wrong of which only that is known: what is compared is not told for itself.
    pub(crate) is_wrong: bool,
    /// The hash of the last position.
    pub hash: u64,
    /// A fingerprint of all by which it is told from other runs of the scenario.
    pub(crate) told: u128,
    /// What the run read.
    pub(crate) consulted: Consulted,
}

impl Verdict {
    /// True if nothing is wrong.
    pub fn passed(&self) -> bool {
        self.diags.is_empty() && !self.is_wrong
    }
}

impl From<Report> for Verdict {
    fn from(report: Report) -> Verdict {
        let told = told(&report);
        Verdict {
            name: report.name,
            file: report.file,
            profile: report.profile,
            told,
            steps: report.steps.len(),
            checks: report.checks.len(),
            diags: report.diags,
            is_wrong: false,
            hash: report.hash,
            consulted: report.consulted,
        }
    }
}

/// What comes of jobs, in their order, on so many threads. Only those are run of which nothing is known in a store that still
/// holds; and the fingerprints of programs under which that is so. `about` says which jobs these are, and what scenarios leave
/// open, so that what is known of others is not forgotten; `others` of which jobs what is known is taken where nothing is known
/// of these.
pub(crate) fn verdicts(
    compiler: &Compiler,
    kept: &Kept,
    jobs: &[Job],
    (about, others): (impl Serialize, Option<impl Serialize>),
    (threads, each): (usize, &(dyn Fn(&Report) + Sync)),
) -> (Vec<Arc<Verdict>>, Printed) {
    let (question, are_compared) = ((kept.place(), about), jobs.iter().all(|job| job.compared));
    let mut memo: Memo<Verdict> = Memo::recalled(kept.store(), &question, jobs);
    if memo.is_empty()
        && let Some(others) = others
        && let Some(known) = Memo::recalled_as_compared(kept.store(), &(kept.place(), others), jobs)
    {
        memo = known;
    }
    let outcomes = memo.refresh(compiler, jobs, threads, each);
    if memo.is_news() || (are_compared && outcomes.iter().any(|outcome| outcome.ran)) {
        memo.keep(kept.store(), &question, are_compared);
    }
    (outcomes.into_iter().map(|outcome| outcome.report).collect(), memo.prints())
}

/// What is said of the jobs of the scenarios of some paths, under what they leave open.
pub(crate) fn about<'a>(paths: &'a [PathBuf], default: &'a Profile) -> impl Serialize + 'a {
    (paths, default)
}

/// No other jobs.
const NONE: Option<()> = None;

impl Library {
    /// What comes of the jobs of the scenarios of some paths, in their order, on so many threads; `each` hears of every run as
    /// it ends. Where the library has a store, only those are run of which nothing is known that still holds.
    pub fn verdicts(
        &self,
        jobs: &[Job],
        (paths, default): (&[PathBuf], &Profile),
        threads: usize,
        each: &(dyn Fn(&Report) + Sync),
    ) -> Vec<Arc<Verdict>> {
        match self.compiler.kept() {
            Some(kept) => verdicts(&self.compiler, kept, jobs, (about(paths, default), NONE), (threads, each)).0,
            None => run_as(&self.compiler, jobs, threads, None, each).into_iter().map(Arc::new).collect(),
        }
    }
}
