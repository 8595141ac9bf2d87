//! Runs under a profile, and under others only where these differ in something that the first run read.
//!
//! Two profiles differ in a few clauses; a run that consulted none of them, absences included, has the same outcome under
//! both. So what is known of one is known of the other, and only the rest is run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_compiler::views::ItemKey;
use netrep_compiler::{Compiler, Profile};

use crate::memo::{Programs, meaning};
use crate::prepare::ready;
use crate::report::Report;
use crate::run::{Job, run_heard};
use crate::scenario::{Line, Scenario};

/// Runs of scenarios under a profile, and what is worked out from them.
pub(crate) struct Across<'c> {
    compiler: &'c Compiler,
    scenarios: Vec<Arc<Scenario>>,
    base: Profile,
    programs: Programs,
    /// The items that declare words.
    declaring: BTreeSet<ItemKey>,
    reports: Vec<Arc<Report>>,
    threads: usize,
    /// How many runs were made, those under the base profile included.
    pub ran: usize,
    /// How many runs were not needed.
    pub spared: usize,
}

/// A profile for a scenario: one that names an edition as it is, else what the scenario asks for itself with the readings of
/// the profile on top.
pub(crate) fn meant(scenario: &Scenario, profile: &Profile) -> Profile {
    if profile.edition.is_some() {
        return profile.clone();
    }
    let mut own = scenario.base_profile(&Profile { as_of: profile.as_of, ..Profile::default() });
    let named =
        |ruling: &Arc<str>| profile.with.iter().any(|(other, _)| other == ruling) || profile.without.contains(ruling);
    own.with.retain(|(ruling, _)| !named(ruling));
    own.without.retain(|ruling| !named(ruling));
    own.variants.extend(profile.variants.iter().filter(|one| !scenario.profile.variants.contains(one)).cloned());
    own.with.extend(profile.with.iter().cloned());
    own.without.extend(profile.without.iter().cloned());
    own.as_of = profile.as_of.or(own.as_of);
    own
}

/// A run of a scenario. Where a profile leaves the edition to the scenario, what the script says for the scenario's own one
/// is said under it. What is expected under other readings is asked too, so that every run answers the same questions.
pub(crate) fn job(scenario: &Arc<Scenario>, profile: &Profile) -> Job {
    let base = scenario.base_profile(&Profile::default());
    let own = |line: &Line| line.under.as_ref().is_some_and(|under| under.applied(&base) == base);
    let mut played = Arc::clone(scenario);
    if profile.edition.is_none() && scenario.script.iter().any(own) {
        let lines = &mut Arc::make_mut(&mut played).script;
        lines.iter_mut().filter(|line| own(line)).for_each(|line| line.under = None);
    }
    Job { scenario: played, default: Profile::default(), profile: meant(scenario, profile), compared: true }
}

/// The lines of a script that are played, and those of which something is expected, in a job.
fn asked(job: &Job) -> Vec<usize> {
    let base = job.scenario.base_profile(&job.default);
    let lines = job.scenario.script.iter().enumerate();
    let meant = lines.filter(|(_, line)| line.under.as_ref().is_none_or(|under| under.applied(&base) == job.profile));
    meant.map(|(at, _)| at).collect()
}

/// A scenario with its script as it is played under a profile, for runs under profiles between that one and another; and
/// whether the other one plays or expects anything else.
pub(crate) fn played_as(scenario: &Arc<Scenario>, other: &Profile, profile: &Profile) -> (Arc<Scenario>, bool) {
    let job_there = job(scenario, profile);
    let lines = asked(&job_there);
    let asks_otherwise = asked(&job(scenario, other)) != lines;
    let mut played = job_there.scenario;
    if asks_otherwise {
        let script = &mut Arc::make_mut(&mut played).script;
        for at in lines {
            if let Some(line) = script.get_mut(at) {
                line.under = None;
            }
        }
        script.retain(|line| line.under.is_none() || line.what.expects());
    }
    (played, asks_otherwise)
}

impl<'c> Across<'c> {
    /// Runs scenarios under a profile.
    pub(crate) fn of(
        compiler: &'c Compiler,
        scenarios: &[Arc<Scenario>],
        base: &Profile,
        threads: usize,
    ) -> Across<'c> {
        let mut programs = Programs::default();
        let jobs: Vec<Job> = scenarios.iter().map(|scenario| job(scenario, base)).collect();
        let reports = run_heard(compiler, &jobs, threads, Some(&mut programs), &|_| ());
        let reports: Vec<Arc<Report>> = reports.into_iter().map(Arc::new).collect();
        let ran = reports.len();
        let (scenarios, base, spared) = (scenarios.to_vec(), base.clone(), 0);
        let declared = compiler.terms();
        let declaring = declared.iter().filter_map(|term| compiler.declaring(&term.term.key));
        let declaring = declaring.map(|item| (item.head, item.key)).collect();
        Across { compiler, scenarios, base, programs, declaring, reports, threads, ran, spared }
    }

    /// The reports under the base profile, in the order of the scenarios.
    pub(crate) fn base(&self) -> &[Arc<Report>] {
        &self.reports
    }

    /// Of these scenarios, those whose run under the base profile read something that is not the same under another one.
    pub(crate) fn touched(&mut self, other: &Profile, wanted: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let mut by_pair: BTreeMap<(Profile, Profile), Vec<usize>> = BTreeMap::new();
        for (at, scenario) in self.scenarios.iter().enumerate().filter(|(at, _)| wanted(*at)) {
            let pair = (meant(scenario, &self.base), meant(scenario, other));
            by_pair.entry(pair).or_default().push(at);
        }
        let mut found = Vec::new();
        for ((one, own), among) in by_pair.into_iter().filter(|((one, own), _)| one != own) {
            let (here, there) = (self.programs.prints(self.compiler, &one), self.programs.prints(self.compiler, &own));
            let changes = here.changes(&there);
            // Phrases mean something else only if what declares a word is amended.
            let words = self.compiler.apart(&one, &own).iter().any(|item| self.declaring.contains(item));
            let is_touched = |at: &usize| {
                let (report, scenario) = (&self.reports[*at], &self.scenarios[*at]);
                let job_there = job(scenario, other);
                if asked(&job(scenario, &self.base)) != asked(&job_there) || !report.consulted.is_untouched(&changes) {
                    return true;
                }
                words
                    && !ready(self.compiler, &job_there)
                        .is_ok_and(|prepared| meaning(&prepared) == report.consulted.meaning)
            };
            found.extend(among.into_iter().filter(is_touched));
        }
        found.sort_unstable();
        found
    }

    /// The reports under another profile, in the order of the scenarios; only what is touched is run.
    pub(crate) fn under(&mut self, other: &Profile) -> Vec<Arc<Report>> {
        let mut reports = self.reports.clone();
        if *other == self.base {
            return reports;
        }
        let anew = self.anew(other, &|_| true);
        self.spared += self.scenarios.len() - anew.len();
        for (at, report) in anew {
            if let Some(slot) = reports.get_mut(at) {
                *slot = report;
            }
        }
        reports
    }

    /// The reports of what is touched by another profile, of the scenarios that are wanted.
    pub(crate) fn anew(&mut self, other: &Profile, wanted: &dyn Fn(usize) -> bool) -> Vec<(usize, Arc<Report>)> {
        if *other == self.base {
            return Vec::new();
        }
        let touched = self.touched(other, wanted);
        let jobs: Vec<Job> =
            touched.iter().filter_map(|at| self.scenarios.get(*at)).map(|scenario| job(scenario, other)).collect();
        // The fingerprints of what was read are wanted when the rulings behind a difference are looked for.
        let ran = run_heard(self.compiler, &jobs, self.threads, Some(&mut self.programs), &|_| ());
        self.ran += jobs.len();
        touched.into_iter().zip(ran.into_iter().map(Arc::new)).collect()
    }
}
