//! The same scenarios under several profiles: who agrees with whom, where the others part, and which rulings do it.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

use crate::across::{Across, job, played_as};
use crate::narrate::{happened, step_words};
use crate::report::{Answer, Report, Step};
use crate::run::{Job, run};
use crate::scenario::{Scenario, profile_words};
use crate::switches::{Switch, Switches};

/// Scenarios under profiles.
#[derive(Clone, Debug, Serialize)]
pub struct Matrix {
    /// The profiles in words, in the order of the columns.
    pub profiles: Vec<String>,
    /// The scenarios, in the order of the rows.
    pub scenarios: Vec<Comparison>,
    /// What parts each other profile from the first one.
    pub against: Vec<Against>,
    /// Which profiles agree against which others, in how many scenarios, because of what; the most frequent first.
    pub sides: Vec<Sides>,
    /// How many runs were made.
    pub ran: usize,
    /// How many were not needed, because the first run read nothing in which the profiles differ.
    pub spared: usize,
}

/// A scenario under several profiles.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Its name.
    pub scenario: String,
    /// Its file.
    pub file: String,
    /// For each profile, in order, the number of its group.
    pub row: Vec<usize>,
    /// The profiles that agree with each other, those of the first group first.
    pub groups: Vec<Group>,
    /// Where the first group and each other one part.
    pub partings: Vec<Parting>,
}

/// Profiles under which the same happens, and the questions of the script have the same answers.
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
    /// What comes of it where it parts from the first group, or of the first group where another parts from it.
    pub outcome: String,
}

/// Where two groups part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Parting {
    /// The number of the other group.
    pub group: usize,
    /// The step, counted from 1. Of a question the one after which it is asked; 0 at the start.
    pub step: usize,
    /// The question of the script that is answered otherwise, if that is the first difference.
    pub asked: Option<String>,
    /// What happens in the first group, with the labels of the clauses; or its answer.
    pub here: Vec<String>,
    /// What happens in the other.
    pub there: Vec<String>,
    /// A smallest set of rulings that makes the difference: the first group has the other's outcome as soon as these are
    /// switched, and not if one of them is not. Empty if no set of rulings does, as when only the script asks otherwise.
    pub because: Vec<Switch>,
}

impl Parting {
    /// What comes of the first group and of the other one, each in a line.
    pub(crate) fn outcomes(&self) -> [String; 2] {
        let of = |lines, others| outcome(self.asked.as_deref(), lines, others);
        [of(&self.here, &self.there), of(&self.there, &self.here)]
    }

    /// Where, in words.
    pub fn place(&self) -> String {
        match (&self.asked, self.step) {
            (None, step) => format!("at step {step}"),
            (Some(question), 0) => format!("at the start, asked `{question}`"),
            (Some(question), step) => format!("after step {step}, asked `{question}`"),
        }
    }
}

/// Profiles that agree, and those that do not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sides {
    /// The groups of profiles, in words.
    pub groups: Vec<Vec<String>>,
    /// In how many scenarios.
    pub count: usize,
    /// In how many of them an expectation fails on one side only.
    pub verdicts: usize,
    /// The sets of rulings behind it, those behind most scenarios first.
    pub because: Vec<Because>,
    /// The names of the scenarios.
    pub scenarios: Vec<String>,
}

/// Rulings that are behind differences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Because {
    /// The rulings; none if no set of them makes the difference.
    pub rulings: Vec<String>,
    /// In how many scenarios.
    pub count: usize,
}

/// What parts a profile from the first one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Against {
    /// The profile.
    pub profile: String,
    /// In how many scenarios something else happens.
    pub count: usize,
    /// In how many of them an expectation fails on one side only.
    pub verdicts: usize,
    /// The sets of rulings behind it.
    pub because: Vec<Because>,
}

impl Comparison {
    /// True if an expectation fails under some of the profiles and not under others.
    pub fn flips(&self) -> bool {
        self.groups.iter().any(|group| group.passed) && self.groups.iter().any(|group| !group.passed)
    }
}

/// Compares scenarios under profiles.
pub fn compare(compiler: &Compiler, scenarios: &[Arc<Scenario>], profiles: &[Profile], threads: usize) -> Matrix {
    // total: without profiles there are no columns, and none is run.
    let first = profiles.first().cloned().unwrap_or_default();
    let mut across = Across::of(compiler, scenarios, &first, threads);
    let columns: Vec<Vec<Arc<Report>>> = profiles.iter().map(|profile| across.under(profile)).collect();
    let mut causes = Causes { compiler, profiles, known: BTreeMap::new(), ran: 0 };
    let row = |(at, scenario): (usize, &Arc<Scenario>)| {
        let reports: Vec<&Arc<Report>> = columns.iter().filter_map(|column| column.get(at)).collect();
        comparison(scenario, &reports, &mut causes)
    };
    let scenarios: Vec<Comparison> = scenarios.iter().enumerate().map(row).collect();
    Matrix {
        profiles: profiles.iter().map(profile_words).collect(),
        against: against(profiles, &scenarios),
        sides: sides(&scenarios),
        scenarios,
        ran: across.ran + causes.ran,
        spared: across.spared,
    }
}

fn comparison(scenario: &Arc<Scenario>, reports: &[&Arc<Report>], causes: &mut Causes<'_>) -> Comparison {
    // For each group its profiles' columns; the first one stands for all.
    let mut members: Vec<Vec<usize>> = Vec::new();
    let mut row = Vec::new();
    for (column, report) in reports.iter().enumerate() {
        let same = |group: &Vec<usize>| {
            let other = group.first().and_then(|one| reports.get(*one));
            other.is_some_and(|other| Arc::ptr_eq(other, report) || difference(other, report).is_none())
        };
        match members.iter().position(same) {
            Some(at) => {
                members[at].push(column);
                row.push(at);
            }
            None => {
                row.push(members.len());
                members.push(vec![column]);
            }
        }
    }
    let words = |column: &usize| profile_words(&causes.profiles[*column]);
    let group = |columns: &Vec<usize>| {
        let report = reports[columns[0]];
        Group {
            profiles: columns.iter().map(words).collect(),
            passed: report.passed(),
            failures: report.diags.iter().map(|diag| diag.message.clone()).collect(),
            steps: report.steps.len(),
            outcome: String::new(),
        }
    };
    let mut groups: Vec<Group> = members.iter().map(group).collect();
    let firsts: Vec<usize> = members.iter().filter_map(|group| group.first().copied()).collect();
    let mut partings = Vec::new();
    if let Some((first, others)) = firsts.split_first() {
        for (group, other) in others.iter().enumerate() {
            let (Some(here), Some(there)) = (reports.get(*first), reports.get(*other)) else { continue };
            if let Some(mut parting) = parting(here, there, group + 1) {
                parting.because = causes.of(scenario, (*first, here), (*other, there));
                partings.push(parting);
            }
        }
    }
    for parting in partings.iter().rev() {
        for (group, outcome) in [0, parting.group].into_iter().zip(parting.outcomes()) {
            if let Some(group) = groups.get_mut(group) {
                group.outcome = outcome;
            }
        }
    }
    Comparison { scenario: scenario.name.clone(), file: scenario.source.file.clone(), row, groups, partings }
}

/// What comes of one side where two part, in a line: its answer, or the first thing that does not happen on the other side too.
fn outcome(asked: Option<&str>, lines: &[String], others: &[String]) -> String {
    let own = lines.iter().find(|line| !others.contains(line)).or_else(|| lines.last());
    // total: where nothing happens, that is what comes of it.
    let own = own.map_or("nothing", String::as_str);
    match asked {
        Some(question) => format!("`{question}`: {own}"),
        None => own.to_owned(),
    }
}

/// The rulings in which two profiles differ, and the sets of them that were found behind differences.
type Known = (Switches, Vec<Vec<Switch>>);

/// The rulings behind differences.
struct Causes<'c> {
    compiler: &'c Compiler,
    profiles: &'c [Profile],
    /// What was found for two profiles before: it is tried first, because one ruling is behind many scenarios.
    known: BTreeMap<(usize, usize), Known>,
    ran: usize,
}

impl Causes<'_> {
    /// A smallest set of rulings by which one profile's outcome becomes another's.
    fn of(
        &mut self,
        scenario: &Arc<Scenario>,
        (from, here): (usize, &Report),
        (to, there): (usize, &Report),
    ) -> Vec<Switch> {
        let (one, other) = (&self.profiles[from], &self.profiles[to]);
        let compiler = self.compiler;
        let (switches, found) =
            self.known.entry((from, to)).or_insert_with(|| (Switches::between(compiler, one, other), Vec::new()));
        let ran = &mut self.ran;
        // The script is played as it is under the other profile, whatever part of that is switched.
        let (played, asks_otherwise) = played_as(scenario, one, other);
        let mut holds = |profile: Profile| {
            *ran += 1;
            let report = run(compiler, &[Job { scenario: Arc::clone(&played), ..job(scenario, &profile) }], 1, false);
            report.first().is_some_and(|report| difference(report, there).is_none())
        };
        if asks_otherwise && holds(switches.profile(&[])) {
            return Vec::new();
        }
        switches.behind(&[&here.consulted, &there.consulted], found, &mut holds)
    }
}

/// Who agrees with whom, over all scenarios that are not the same under all profiles.
fn sides(scenarios: &[Comparison]) -> Vec<Sides> {
    let mut found: Vec<Sides> = Vec::new();
    for one in scenarios.iter().filter(|one| one.groups.len() > 1) {
        let groups: Vec<Vec<String>> = one.groups.iter().map(|group| group.profiles.clone()).collect();
        let at = match found.iter().position(|other| other.groups == groups) {
            Some(at) => at,
            None => {
                found.push(Sides { groups, count: 0, verdicts: 0, because: Vec::new(), scenarios: Vec::new() });
                found.len() - 1
            }
        };
        let sides = &mut found[at];
        sides.count += 1;
        sides.verdicts += usize::from(one.flips());
        sides.scenarios.push(one.scenario.clone());
        one.partings.iter().for_each(|parting| add(&mut sides.because, parting));
    }
    found.iter_mut().for_each(|sides| sort(&mut sides.because));
    found.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.groups.cmp(&b.groups)));
    found
}

/// What parts each profile from the first one.
fn against(profiles: &[Profile], scenarios: &[Comparison]) -> Vec<Against> {
    let of = |(column, profile): (usize, &Profile)| {
        let mut found = Against { profile: profile_words(profile), count: 0, verdicts: 0, because: Vec::new() };
        for one in scenarios {
            let group = one.row[column];
            let Some(parting) = one.partings.iter().find(|parting| parting.group == group && group > 0) else {
                continue;
            };
            let passed = |group: usize| one.groups.get(group).is_some_and(|group| group.passed);
            found.count += 1;
            found.verdicts += usize::from(passed(0) != passed(group));
            add(&mut found.because, parting);
        }
        sort(&mut found.because);
        found
    };
    profiles.iter().enumerate().skip(1).map(of).collect()
}

fn add(because: &mut Vec<Because>, parting: &Parting) {
    let rulings: Vec<String> = parting.because.iter().map(|switch| switch.ruling.clone()).collect();
    match because.iter_mut().find(|one| one.rulings == rulings) {
        Some(one) => one.count += 1,
        None => because.push(Because { rulings, count: 1 }),
    }
}

fn sort(because: &mut [Because]) {
    because.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.rulings.cmp(&b.rulings)));
}

/// The first difference of two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// So many steps are the same; something else happens in the next one, or one of the runs ends.
    Step(usize),
    /// Question number so many of the script is answered otherwise, counted from 0.
    Question(usize),
}

/// Where two runs part; `None` if the same happens and is answered in both.
pub(crate) fn parting(first: &Report, other: &Report, group: usize) -> Option<Parting> {
    let step = match difference(first, other)? {
        Difference::Step(step) => step,
        Difference::Question(at) => {
            let (here, there) = (first.answers.get(at)?, other.answers.get(at)?);
            let words = |answer: &Answer| vec![answer.verdict.to_string()];
            let asked = Some(here.question.clone());
            let because = Vec::new();
            return Some(Parting { group, step: here.after, asked, here: words(here), there: words(there), because });
        }
    };
    let lines = |report: &Report| match report.steps.get(step) {
        Some(step) => {
            let mut lines = vec![step_words(step)];
            lines.extend(happened(step, true).into_iter().map(str::to_owned));
            lines
        }
        None => match report.diags.first() {
            Some(diag) => std::iter::once(diag.message.clone()).chain(diag.help.clone()).collect(),
            None => vec!["the script ends".to_owned()],
        },
    };
    let (mut here, mut there) = (lines(first), lines(other));
    // What both have in common at the start of the step is no news.
    let same =
        here.iter().zip(&there).take_while(|(a, b)| a == b).count().min(here.len().min(there.len()).saturating_sub(1));
    if same > 1 {
        here.drain(1..same);
        there.drain(1..same);
    }
    Some(Parting { group, step: step + 1, asked: None, here, there, because: Vec::new() })
}

/// The first step or answer that differs, or the end of the steps if only what is wrong does; `None` if there is no
/// difference.
pub fn difference(a: &Report, b: &Report) -> Option<Difference> {
    let same = |(x, y): (&Step, &Step)| {
        x.by == y.by && x.chosen == y.chosen && plain(&happened(x, true)) == plain(&happened(y, true))
    };
    let shorter = a.steps.len().min(b.steps.len());
    let step = a.steps.iter().zip(&b.steps).position(|pair| !same(pair));
    let step = step.or((a.steps.len() != b.steps.len()).then_some(shorter));
    // Both were asked the same; but where one run stops, the other's last questions have no counterpart, and where the script
    // makes moves for one of them only, they are not asked at the same point.
    let other = |(x, y): (&Answer, &Answer)| (x.span, x.after) == (y.span, y.after) && x.verdict != y.verdict;
    let question = a.answers.iter().zip(&b.answers).position(other);
    let is_first = |at: &usize| a.answers.get(*at).is_some_and(|answer| step.is_none_or(|step| answer.after <= step));
    if let Some(question) = question.filter(is_first) {
        return Some(Difference::Question(question));
    }
    let failures = |report: &Report| report.diags.iter().map(|diag| diag.message.clone()).collect::<Vec<_>>();
    step.or_else(|| (failures(a) != failures(b)).then_some(shorter)).map(Difference::Step)
}

/// A fingerprint of all that [`difference`] looks at: where two runs have the same, there is no difference.
pub fn told(report: &Report) -> u128 {
    let mut hasher = Xxh3::new();
    for step in &report.steps {
        let lines = happened(step, true);
        (&step.by, &step.chosen, lines.len()).hash(&mut hasher);
        lines.iter().for_each(|line| bare(line).hash(&mut hasher));
    }
    for answer in &report.answers {
        (answer.span, answer.after, &answer.verdict).hash(&mut hasher);
    }
    report.diags.iter().for_each(|diag| diag.message.hash(&mut hasher));
    hasher.digest128()
}

/// Entries without the labels of their clauses: a clause of another name that does the same is no difference.
fn plain<'l>(lines: &[&'l str]) -> Vec<&'l str> {
    lines.iter().map(|line| bare(line)).collect()
}

fn bare(line: &str) -> &str {
    line.rsplit_once(" (").map_or(line, |(text, _)| text)
}
