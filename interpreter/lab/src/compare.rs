//! The same scenario under several profiles: who agrees with whom, and where the others part.

use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use serde::Serialize;

use crate::narrate::{happened, step_words};
use crate::report::Report;
use crate::run::{Job, run};
use crate::scenario::{Scenario, profile_words};

/// A scenario under several profiles.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Its name.
    pub scenario: String,
    /// Its file.
    pub file: String,
    /// The profiles that agree with each other, those of the first group first.
    pub groups: Vec<Group>,
    /// Where the first group and each other one part.
    pub partings: Vec<Parting>,
}

/// Profiles under which the same happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The profiles in words.
    pub profiles: Vec<String>,
    /// Whether every expectation held.
    pub passed: bool,
    /// Expectations that did not hold, and what stopped the run.
    pub failures: Vec<String>,
    /// The steps taken.
    pub steps: usize,
}

/// Where two groups part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Parting {
    /// The number of the other group.
    pub group: usize,
    /// The step, counted from 1.
    pub step: usize,
    /// What happens in the first group, with the labels of the clauses.
    pub here: Vec<String>,
    /// What happens in the other.
    pub there: Vec<String>,
}

/// Compares scenarios under profiles.
pub fn compare(
    compiler: &Compiler,
    scenarios: &[Arc<Scenario>],
    profiles: &[Profile],
    threads: usize,
) -> Vec<Comparison> {
    let job = |scenario: &Arc<Scenario>, profile: &Profile| Job {
        scenario: Arc::clone(scenario),
        default: Profile::default(),
        profile: profile.clone(),
    };
    let jobs: Vec<Job> = scenarios.iter().flat_map(|s| profiles.iter().map(move |p| job(s, p))).collect();
    let reports = run(compiler, &jobs, threads, false);
    let each = reports.chunks(profiles.len().max(1)).zip(scenarios);
    each.map(|(reports, scenario)| comparison(scenario, reports, profiles)).collect()
}

fn comparison(scenario: &Scenario, reports: &[Report], profiles: &[Profile]) -> Comparison {
    let mut groups: Vec<(Group, &Report)> = Vec::new();
    for (report, profile) in reports.iter().zip(profiles) {
        let words = profile_words(profile);
        match groups.iter_mut().find(|(_, other)| first_difference(other, report).is_none()) {
            Some((group, _)) => group.profiles.push(words),
            None => {
                let group = Group {
                    profiles: vec![words],
                    passed: report.passed(),
                    failures: report.diags.iter().map(|diag| diag.message.clone()).collect(),
                    steps: report.steps.len(),
                };
                groups.push((group, report));
            }
        }
    }
    let partings = match groups.split_first() {
        Some(((_, first), rest)) => {
            rest.iter().enumerate().filter_map(|(i, (_, other))| parting(first, other, i + 1)).collect()
        }
        None => Vec::new(),
    };
    let groups = groups.into_iter().map(|(group, _)| group).collect();
    Comparison { scenario: scenario.name.clone(), file: scenario.source.file.clone(), groups, partings }
}

fn parting(first: &Report, other: &Report, group: usize) -> Option<Parting> {
    let step = first_difference(first, other)?;
    let lines = |report: &Report| match report.steps.get(step) {
        Some(step) => {
            let mut lines = vec![step_words(step)];
            lines.extend(happened(step, true).into_iter().map(str::to_owned));
            lines
        }
        None => {
            let end = report.diags.first().map_or_else(|| "the script ends".to_owned(), |diag| diag.message.clone());
            let help = report.diags.first().and_then(|diag| diag.help.clone());
            std::iter::once(end).chain(help).collect()
        }
    };
    let (mut here, mut there) = (lines(first), lines(other));
    // What both have in common at the start of the step is no news.
    let same =
        here.iter().zip(&there).take_while(|(a, b)| a == b).count().min(here.len().min(there.len()).saturating_sub(1));
    if same > 1 {
        here.drain(1..same);
        there.drain(1..same);
    }
    Some(Parting { group, step: step + 1, here, there })
}

/// The first step that differs, or the end of the steps if only an expectation does.
fn first_difference(a: &Report, b: &Report) -> Option<usize> {
    for (i, (x, y)) in a.steps.iter().zip(&b.steps).enumerate() {
        let same = x.by == y.by && x.chosen == y.chosen && plain(&happened(x, true)) == plain(&happened(y, true));
        if !same {
            return Some(i);
        }
    }
    if a.steps.len() != b.steps.len() {
        return Some(a.steps.len().min(b.steps.len()));
    }
    let failures = |report: &Report| report.diags.iter().map(|diag| diag.message.clone()).collect::<Vec<_>>();
    (failures(a) != failures(b)).then_some(a.steps.len())
}

/// Entries without the labels of their clauses: a clause of another name that does the same is no difference.
fn plain(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| line.rsplit_once(" (").map_or(*line, |(text, _)| text).to_owned()).collect()
}
