//! Running many scenarios, each under its profiles, on several threads.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, TrySendError};
use std::sync::{Arc, LockResult, Mutex, PoisonError};

use netrep_compiler::{Compiler, Diagnostic, Profile};

use crate::coverage::Watching;
use crate::driver::drive;
use crate::memo::{Prints, Programs, meaning};
use crate::prepare::{Prepared, ready};
use crate::report::Report;
use crate::scenario::{Scenario, profile_words};

/// A scenario and the profiles under which to run it.
#[derive(Clone, Debug)]
pub struct Job {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// What it leaves open.
    pub default: Profile,
    /// The profile.
    pub profile: Profile,
    /// True if other runs of it are compared with this one: then each answers all questions of the script, also those that
    /// are stated for other readings, whether or not something is expected of the answer.
    pub compared: bool,
}

/// The jobs of scenarios: one for each profile that a scenario names.
pub fn jobs(scenarios: &[Arc<Scenario>], default: &Profile) -> Vec<Job> {
    let each = |scenario: &Arc<Scenario>| {
        let profiles = scenario.profiles(default).into_iter();
        let job = |profile| Job { scenario: Arc::clone(scenario), default: default.clone(), profile, compared: false };
        profiles.map(job).collect::<Vec<_>>()
    };
    scenarios.iter().flat_map(each).collect()
}

/// Runs jobs on so many threads; the reports are in the order of the jobs. With `reads`, each says what it read.
pub fn run(compiler: &Compiler, jobs: &[Job], threads: usize, reads: bool) -> Vec<Report> {
    let mut programs = Programs::default();
    run_heard(compiler, jobs, threads, reads.then_some(&mut programs), &|_| ())
}

/// The same; with `programs`, each says what it read of them. `each` hears of every run as it ends, in any order.
pub fn run_heard(
    compiler: &Compiler,
    jobs: &[Job],
    threads: usize,
    programs: Option<&mut Programs>,
    each: &(dyn Fn(&Report) + Sync),
) -> Vec<Report> {
    run_as(compiler, jobs, threads, programs, each)
}

/// The same, of which this is told. Reports are large: of each only that is held, from its end on.
pub(crate) fn run_as<R: From<Report> + Send>(
    compiler: &Compiler,
    jobs: &[Job],
    threads: usize,
    programs: Option<&mut Programs>,
    each: &(dyn Fn(&Report) + Sync),
) -> Vec<R> {
    run_watched(compiler, jobs, threads, (programs, None), each)
}

/// The same; with `watching`, it is also noted what takes effect.
pub(crate) fn run_watched<R: From<Report> + Send>(
    compiler: &Compiler,
    jobs: &[Job],
    threads: usize,
    (mut programs, mut watching): (Option<&mut Programs>, Option<&mut Watching>),
    each: &(dyn Fn(&Report) + Sync),
) -> Vec<R> {
    let order = by_profile(jobs);
    let made = order.iter().map(|at| {
        let job = &jobs[*at];
        let prints: Option<Arc<Prints>> = programs.as_mut().map(|programs| programs.noting(compiler, &job.profile));
        let mut one = ready(compiler, job);
        if let (Some(watching), Ok(one)) = (watching.as_mut(), &mut one) {
            watching.watch(one);
        }
        (job, prints, one)
    });
    let reports = made_and_driven(made, threads, &|(job, prints, one)| {
        let report = match &one {
            Ok(prepared) => driven(prepared, prints.as_deref()),
            Err(diags) => unprepared(job, diags),
        };
        each(&report);
        R::from(report)
    });
    let in_order: BTreeMap<usize, R> = order.into_iter().zip(reports).collect();
    in_order.into_values().collect()
}

/// The numbers of jobs in the order in which they are made: programs are large, and few of them are held at a time, so those under
/// one profile are made one after the other.
pub(crate) fn by_profile(jobs: &[Job]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by(|one, other| jobs[*one].profile.cmp(&jobs[*other].profile));
    order
}

/// So many things wait for each thread to be driven.
const WAITING: usize = 4;

/// What comes of each thing that is made, in their order. They are made on this thread, on which the compiler stays; the
/// others drive what is made already. Where enough waits for them, and in the end, this one helps.
pub(crate) fn made_and_driven<T: Send, R: Send>(
    made: impl Iterator<Item = T>,
    threads: usize,
    drive: &(dyn Fn(T) -> R + Sync),
) -> Vec<R> {
    let done: Mutex<BTreeMap<usize, R>> = Mutex::default();
    let (tell, told) = mpsc::sync_channel::<(usize, T)>(WAITING * threads.max(1));
    let told = Mutex::new(told);
    let finish = |(i, one): (usize, T)| {
        let found = drive(one);
        whole(done.lock()).insert(i, found);
    };
    let work = || {
        loop {
            let Ok(one) = whole(told.lock()).recv() else { return };
            finish(one);
        }
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(work)));
        for one in made.enumerate() {
            // Whoever takes them waits for as long as there are more to come.
            if let Err(TrySendError::Full(one) | TrySendError::Disconnected(one)) = tell.try_send(one) {
                finish(one);
            }
        }
        drop(tell);
        work();
    });
    whole(done.into_inner()).into_values().collect()
}

/// What threads share, however one of them ended.
pub fn whole<T>(shared: LockResult<T>) -> T {
    // total: where a thread has panicked, so does the scope in which it ran, and no one reads what it left.
    shared.unwrap_or_else(PoisonError::into_inner)
}

/// So many threads; 0 = one for each processor.
pub fn threads(wanted: usize) -> usize {
    match wanted {
        // total: where the system does not say how many processors it has, one thread does the work.
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    }
}

fn driven(prepared: &Prepared, prints: Option<&Prints>) -> Report {
    let mut report = drive(prepared, prints);
    if let Some(prints) = prints {
        report.consulted.meaning = meaning(prepared);
        prints.note_courses(prepared, &mut report.consulted);
    }
    report
}

fn unprepared(job: &Job, diags: &[Diagnostic]) -> Report {
    Report {
        name: job.scenario.name.clone(),
        file: job.scenario.source.file.clone(),
        profile: profile_words(&job.profile),
        diags: diags.to_vec(),
        ..Report::default()
    }
}
