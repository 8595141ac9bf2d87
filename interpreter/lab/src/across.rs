//! Runs under a profile, and under others only where these differ in something that the first run read.
//!
//! Two profiles differ in a few clauses; a run that consulted none of them, absences included, has the same outcome under
//! both. So what is known of one is known of the other, and only the rest is run.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_compiler::views::{ItemKey, ItemView};
use netrep_compiler::{Compiler, Profile};

use crate::compare::told;
use crate::memo::{Change, Changes, Printed, Prints, Programs, keep_prints, meaning, recalled_prints};
use crate::prepare::ready;
use crate::report::{Consulted, Report};
use crate::run::{Job, run_heard};
use crate::scenario::{Line, Scenario};
use crate::verdict::{Verdict, about, verdicts};

/// Runs of scenarios under a profile, and what is worked out from them.
pub(crate) struct Across<'c> {
    compiler: &'c Compiler,
    scenarios: Vec<Arc<Scenario>>,
    base: Profile,
    /// The fingerprints of the programs under the base profile.
    programs: Programs,
    /// Those that are known from an earlier process.
    known: Printed,
    /// The items by whose amendment words may come to mean something else.
    declaring: BTreeSet<ItemKey>,
    /// What came of each under the base profile, if that is known from before; then not every one has a report.
    verdicts: Vec<Arc<Verdict>>,
    reports: Vec<OnceCell<Arc<Report>>>,
    threads: usize,
    /// How many runs were made, those under the base profile included.
    pub ran: usize,
    /// How many runs were not needed.
    pub spared: usize,
}

/// A profile and another one.
type Pair = (Profile, Profile);

/// Two profiles that were compared.
struct Compared {
    pair: Pair,
    /// The items that they amend otherwise.
    items: BTreeSet<ItemKey>,
    prints: (Arc<Prints>, Arc<Prints>),
}

impl Compared {
    /// Whether two others amend these items otherwise, and each of them as the one of these does.
    fn is_alike(&self, compiler: &Compiler, (one, own): (&Profile, &Profile), items: &BTreeSet<ItemKey>) -> bool {
        let same = |mine: &Profile, other: &Profile| compiler.apart(mine, other).is_disjoint(items);
        self.items == *items && same(&self.pair.0, one) && same(&self.pair.1, own)
    }
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
        let mut across = Across::empty(compiler, scenarios, base, threads);
        let reports = run_heard(compiler, &across.jobs(), threads, Some(&mut across.programs), &|_| ());
        across.reports = reports.into_iter().map(|report| OnceCell::from(Arc::new(report))).collect();
        across
    }

    /// The same, without those runs of which it is known from an earlier process what they read; see [`Across::filled`]. What
    /// others read is not noted.
    pub(crate) fn recalled(
        compiler: &'c Compiler,
        scenarios: &[Arc<Scenario>],
        base: &Profile,
        threads: usize,
    ) -> Across<'c> {
        let Some(kept) = compiler.kept() else { return Across::of(compiler, scenarios, base, threads) };
        let mut across = Across::empty(compiler, scenarios, base, threads);
        let about = (("across", base), Some(about(&[], base)));
        (across.verdicts, across.known) = verdicts(compiler, kept, &across.jobs(), about, (threads, &|_| ()));
        across.reports = vec![OnceCell::new(); scenarios.len()];
        across
    }

    fn empty(compiler: &'c Compiler, scenarios: &[Arc<Scenario>], base: &Profile, threads: usize) -> Across<'c> {
        let declared = compiler.declared();
        // What a rule or card declares is meant as it stands in its file, under all readings.
        let is_word = |item: &ItemView| !["rule", "card"].contains(&item.head);
        let declaring = declared.iter().filter_map(|term| compiler.declaring(&term.key)).filter(is_word);
        Across {
            compiler,
            scenarios: scenarios.to_vec(),
            base: base.clone(),
            programs: Programs::default(),
            known: Vec::new(),
            declaring: declaring.map(|item| (item.head, item.key)).collect(),
            verdicts: Vec::new(),
            reports: Vec::new(),
            threads,
            ran: scenarios.len(),
            spared: 0,
        }
    }

    /// Every scenario under the base profile.
    fn jobs(&self) -> Vec<Job> {
        self.scenarios.iter().map(|scenario| job(scenario, &self.base)).collect()
    }

    /// The reports under the base profile, in the order of the scenarios; of all, if this was made by [`Across::of`].
    pub(crate) fn base(&self) -> impl Iterator<Item = &Arc<Report>> {
        self.reports.iter().filter_map(OnceCell::get)
    }

    /// The report of a scenario under the base profile, if it was run.
    pub(crate) fn report(&self, at: usize) -> Option<&Arc<Report>> {
        self.reports.get(at)?.get()
    }

    /// Runs those of these scenarios under the base profile that were not.
    pub(crate) fn filled(&self, wanted: impl Iterator<Item = usize>) {
        let places: Vec<usize> = wanted.filter(|at| self.report(*at).is_none()).collect();
        let scenarios = places.iter().filter_map(|at| self.scenarios.get(*at));
        let jobs: Vec<Job> = scenarios.map(|scenario| job(scenario, &self.base)).collect();
        let reports = run_heard(self.compiler, &jobs, self.threads, None, &|_| ());
        for (at, report) in places.into_iter().zip(reports) {
            if let Some(place) = self.reports.get(at) {
                place.get_or_init(|| Arc::new(report));
            }
        }
    }

    /// A fingerprint of all by which what came of a scenario under the base profile is told from other runs of it.
    pub(crate) fn told(&self, at: usize) -> Option<u128> {
        let known = self.verdicts.get(at).map(|verdict| verdict.told);
        known.or_else(|| self.report(at).map(|report| told(report)))
    }

    /// What a scenario read under the base profile.
    fn consulted(&self, at: usize) -> Option<&Consulted> {
        let known = self.verdicts.get(at).map(|verdict| &verdict.consulted);
        known.or_else(|| self.report(at).map(|report| &report.consulted))
    }

    /// Of these scenarios, those whose run under the base profile read something that is not the same under another one, of
    /// whose programs these are the fingerprints.
    fn touched(&mut self, other: &Profile, wanted: &dyn Fn(usize) -> bool, programs: &mut Programs) -> Vec<usize> {
        let mut by_pair: BTreeMap<Pair, Vec<usize>> = BTreeMap::new();
        for (at, scenario) in self.scenarios.iter().enumerate().filter(|(at, _)| wanted(*at)) {
            let pair = (meant(scenario, &self.base), meant(scenario, other));
            by_pair.entry(pair).or_default().push(at);
        }
        let mut found = Vec::new();
        let mut pairs: Vec<(Pair, Vec<usize>)> = by_pair.into_iter().filter(|((one, own), _)| one != own).collect();
        pairs.sort_by_key(|(_, among)| std::cmp::Reverse(among.len()));
        let mut compared: Vec<Compared> = Vec::new();
        for ((one, own), among) in pairs {
            let items = self.compiler.apart(&one, &own);
            let declares = items.iter().any(|item| self.declaring.contains(item));
            // Where both have everything as it is, neither need be looked at; and where the same items are amended in the same
            // way as between two others, what is found there is found here.
            let alike = compared.iter().find(|others| others.is_alike(self.compiler, (&one, &own), &items));
            let apart = alike.is_some();
            let prints = match alike {
                _ if items.is_empty() => None,
                Some(others) => Some(others.prints.clone()),
                None => {
                    let prints = (self.prints(&one), programs.prints(self.compiler, &own));
                    compared.push(Compared { pair: (one.clone(), own.clone()), items, prints: prints.clone() });
                    Some(prints)
                }
            };
            // total: between two that have everything as it is nothing is another.
            let mut changes: Changes<'_> =
                prints.as_ref().map_or_else(Changes::default, |(here, there)| here.changes(there));
            // Phrases mean something else only if what declares a word is amended; and what runs around a procedure is known by
            // what performs it.
            changes.retain(Change::is_told);
            let (courses, changes): (Changes<'_>, Changes<'_>) = changes.into_iter().partition(Change::is_of_courses);
            let is_touched = |at: &usize| {
                let (scenario, consulted) = (&self.scenarios[*at], self.consulted(*at));
                let job_there = job(scenario, other);
                // total: of a run of which nothing is known anything may have been read.
                let untouched = consulted.is_some_and(|consulted| consulted.is_untouched(&changes, apart));
                if asked(&job(scenario, &self.base)) != asked(&job_there) || !untouched {
                    return true;
                }
                let known = consulted.map(|consulted| consulted.meaning);
                // total: of a run of which nothing is known it has been said already that it is touched.
                let stands = consulted.is_none_or(|consulted| consulted.is_untouched(&courses, apart));
                (declares || !stands)
                    && !ready(self.compiler, &job_there).is_ok_and(|prepared| Some(meaning(&prepared)) == known)
            };
            found.extend(among.into_iter().filter(is_touched));
        }
        found.sort_unstable();
        found
    }

    /// The fingerprints of a program under which scenarios are run to be compared with others: those are few, and all ask for them.
    fn prints(&mut self, profile: &Profile) -> Arc<Prints> {
        if let Some((_, prints)) = self.known.iter().find(|(known, _)| known == profile) {
            return Arc::clone(prints);
        }
        let kept = self.compiler.kept();
        let prints = kept.and_then(|kept| recalled_prints(kept, profile)).unwrap_or_else(|| {
            let prints = self.programs.prints(self.compiler, profile);
            kept.into_iter().for_each(|kept| keep_prints(kept, profile, &prints));
            prints
        });
        self.known.push((profile.clone(), Arc::clone(&prints)));
        prints
    }

    /// The reports under another profile, in the order of the scenarios; only what is touched is run.
    pub(crate) fn under(&mut self, other: &Profile) -> Vec<Arc<Report>> {
        let mut reports: Vec<Arc<Report>> = self.base().cloned().collect();
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
        // Readings are many: what is known of the programs under one is not held for the next.
        let mut programs = self.programs.clone();
        let touched = self.touched(other, wanted, &mut programs);
        let jobs: Vec<Job> =
            touched.iter().filter_map(|at| self.scenarios.get(*at)).map(|scenario| job(scenario, other)).collect();
        // The fingerprints of what was read are wanted when the rulings behind a difference are looked for.
        let noting = self.verdicts.is_empty().then_some(&mut programs);
        let ran = run_heard(self.compiler, &jobs, self.threads, noting, &|_| ());
        self.ran += jobs.len();
        touched.into_iter().zip(ran.into_iter().map(Arc::new)).collect()
    }
}
