//! Outcomes that are still valid: a run need not be repeated while nothing that it read has changed.
//!
//! A run remembers the clauses that it consulted, and the indexes that it looked up (so that a clause that appears
//! under one of them counts as a change), each with a fingerprint of its meaning in the program of the run; and what
//! the phrases of its scenario meant. [`Memo::refresh`] runs what is not valid any more, and nothing else.

use std::collections::HashMap;
use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use netrep_ir::Program;

use crate::prepare::prepare;
use crate::report::Report;
use crate::run::{Job, run_heard};

mod meaning;
mod prints;

pub use meaning::meaning;
pub use prints::{Prints, Read};

/// A profile, the fingerprints of its program as it is now, and as it was.
type Compared<'a> = (&'a Profile, Arc<Prints>, Option<&'a Arc<Prints>>);

/// What names a job: where its scenario stands, its name and text, and the profile.
type Key = (String, String, String, Profile);

/// Outcomes by scenario and profile.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    outcomes: HashMap<Key, (u32, Arc<Report>)>,
    /// The fingerprints under which the outcomes are valid.
    programs: Programs,
    /// What phrases meant then, see [`Compiler::phrases_print`].
    words: u64,
}

/// What became of a job.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The report, of this run or of an earlier one that is still valid.
    pub report: Arc<Report>,
    /// True if it was run now.
    pub ran: bool,
}

/// The programs of profiles with their fingerprints, each worked out once.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    known: Vec<(Profile, Arc<Program>, Arc<Prints>)>,
}

impl Programs {
    /// The fingerprints of a profile's program as it is now.
    pub fn prints(&mut self, compiler: &Compiler, profile: &Profile) -> Arc<Prints> {
        let program = compiler.link(profile).0;
        let same = self.known.iter().find(|(_, other, _)| Arc::ptr_eq(other, &program));
        let prints = same.map_or_else(|| Arc::new(Prints::of(&program)), |(.., prints)| Arc::clone(prints));
        self.known.retain(|(known, ..)| known != profile);
        self.known.push((profile.clone(), program, Arc::clone(&prints)));
        prints
    }

    fn get(&self, profile: &Profile) -> Option<&Arc<Prints>> {
        self.known.iter().find(|(known, ..)| known == profile).map(|(.., prints)| prints)
    }
}

fn key(job: &Job) -> Key {
    let source = &job.scenario.source;
    (source.file.clone(), job.scenario.name.clone(), source.text.clone(), job.profile.clone())
}

impl Memo {
    /// No outcomes.
    pub fn new() -> Memo {
        Memo::default()
    }

    /// The reports of jobs, in their order. Runs only those whose kept report is not valid any more, on so many threads;
    /// `each` hears of every run as it ends.
    pub fn refresh(
        &mut self,
        compiler: &Compiler,
        jobs: &[Job],
        threads: usize,
        each: &(dyn Fn(&Report) + Sync),
    ) -> Vec<Outcome> {
        let mut programs = self.programs.clone();
        let valid = self.examined(compiler, jobs, &mut programs);
        let stale: Vec<Job> =
            jobs.iter().zip(&valid).filter(|(_, valid)| valid.is_none()).map(|(job, _)| job.clone()).collect();
        let mut ran = run_heard(compiler, &stale, threads, Some(&mut programs), each).into_iter();
        self.words = compiler.phrases_print();
        self.programs = programs;
        // What is not asked for now is not known to be valid any more.
        self.retain(jobs);
        let mut outcomes = Vec::with_capacity(jobs.len());
        for (job, valid) in jobs.iter().zip(valid) {
            if let Some(report) = valid {
                outcomes.push(Outcome { report, ran: false });
            } else if let Some(report) = ran.next().map(Arc::new) {
                self.outcomes.insert(key(job), (job.scenario.source.base, Arc::clone(&report)));
                outcomes.push(Outcome { report, ran: true });
            }
        }
        outcomes
    }

    /// Keeps the outcomes of these jobs only.
    fn retain(&mut self, jobs: &[Job]) {
        let keys: std::collections::HashSet<Key> = jobs.iter().map(key).collect();
        self.outcomes.retain(|key, _| keys.contains(key));
    }

    /// For each job its kept report, if that is still valid.
    pub fn valid(&self, compiler: &Compiler, jobs: &[Job]) -> Vec<Option<Arc<Report>>> {
        self.examined(compiler, jobs, &mut self.programs.clone())
    }

    /// The same; leaves the fingerprints as they are now.
    fn examined(&self, compiler: &Compiler, jobs: &[Job], now: &mut Programs) -> Vec<Option<Arc<Report>>> {
        let same_words = compiler.phrases_print() == self.words;
        // What has changed is worked out once for each program; most edits change little.
        let mut known: Vec<Compared<'_>> = Vec::new();
        for job in jobs {
            if !known.iter().any(|(profile, ..)| **profile == job.profile) {
                let after = now.prints(compiler, &job.profile);
                known.push((&job.profile, after, self.programs.get(&job.profile)));
            }
        }
        let changes: Vec<_> = known
            .iter()
            .map(|(profile, after, before)| (*profile, before.map(|before| before.changes(after))))
            .collect();
        let one = |job: &Job| {
            let (base, report) = self.outcomes.get(&key(job))?;
            let (_, changes) = changes.iter().find(|(profile, _)| **profile == job.profile)?;
            let holds = report.consulted.is_untouched(changes.as_ref()?);
            // The places of what is wrong move with the text above the scenario.
            let placed = report.passed() || *base == job.scenario.source.base;
            let means = || {
                let prepared = prepare(compiler, &job.scenario, &job.default, &job.profile);
                prepared.is_ok_and(|prepared| meaning(&prepared) == report.consulted.meaning)
            };
            (holds && placed && (same_words || means())).then(|| Arc::clone(report))
        };
        jobs.iter().map(one).collect()
    }
}
