//! All scenarios and games of the repository, run once for all tests that ask what came of them.

use std::sync::{Arc, LazyLock};

use netrep_compiler::Profile;
use netrep_lab::Scenario;
use netrep_lab::coverage::Watching;
use netrep_lab::memo::Memo;
use netrep_lab::report::Report;
use netrep_lab::run::jobs;

use super::data::library;

/// What came of the scenarios and games with the data as they are.
pub(crate) struct Runs {
    /// The scenarios.
    pub scenarios: Vec<Arc<Scenario>>,
    /// What each run came to, in the order of the scenarios.
    pub reports: Vec<Arc<Report>>,
    /// The same, with what each run read.
    pub memo: Memo,
    /// What took effect in them.
    pub watching: Watching,
}

/// See [`Runs`]; the first who asks waits for them.
pub(crate) fn runs() -> &'static Runs {
    static RUNS: LazyLock<Runs> = LazyLock::new(|| {
        let library = library();
        let parsed = library.scenarios(&[], false).expect("the scenarios can be read");
        assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
        let scenarios: Vec<Arc<Scenario>> = parsed.scenarios.into_iter().map(Arc::new).collect();
        let (mut memo, mut watching) = (Memo::new(), Watching::default());
        let jobs = jobs(&scenarios, &Profile::default());
        let outcomes = memo.refresh_watched(&library.compiler, &jobs, 2, Some(&mut watching), &|_| ());
        Runs { scenarios, reports: outcomes.into_iter().map(|outcome| outcome.report).collect(), memo, watching }
    });
    &RUNS
}
