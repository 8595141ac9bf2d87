//! Outcomes that are still valid: a run need not be repeated while nothing that it read has changed.
//!
//! A run remembers the clauses that it consulted, and the indexes that it looked up (so that a clause that appears
//! under one of them counts as a change), each with a fingerprint of its meaning in the program of the run; and what
//! the phrases of its scenario meant. [`Memo::refresh`] runs what is not valid any more, and nothing else.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Arc, Weak};

use netrep_compiler::{Compiler, Kept, Profile};
use netrep_ir::Program;
use xxhash_rust::xxh3::Xxh3;

use crate::coverage::Watching;
use crate::prepare::ready;
use crate::report::{Consulted, Report};
use crate::run::{Job, by_profile, run_watched};
use crate::verdict::Verdict;

mod meaning;
mod names;
mod printing;
mod prints;
mod reach;
mod required;
mod stored;

use meaning::words_print;
use prints::Whose;
use reach::Reach;

pub use meaning::meaning;
pub(crate) use names::hash;
pub use prints::{Prints, Read};
pub(crate) use stored::{keep_prints, recalled_prints};

/// The fingerprints of a profile's program as it is now, and as it was.
type Compared<'a> = (Arc<Prints>, &'a Arc<Prints>);

/// Something that is not the same in two programs.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    /// What can be read of it.
    read: Cow<'a, Read>,
    /// It makes a difference where one of each has been read too.
    needs: Vec<Vec<Read>>,
    /// In which games it makes a difference.
    whose: Cow<'a, Whose>,
}

impl<'a> Change<'a> {
    fn of(read: Cow<'a, Read>, whose: Cow<'a, Whose>) -> Change<'a> {
        Change { read, needs: Vec::new(), whose }
    }

    /// Whether a position may stand in something else by it, which decides what it means, and nothing of how it is played.
    pub(crate) fn is_of_courses(&self) -> bool {
        matches!(*self.read, Read::Courses(_))
    }

    /// False if nothing but the hash of a position hangs on it, by which runs that are compared are not told apart.
    pub(crate) fn is_told(&self) -> bool {
        !matches!(*self.read, Read::Labels(_) | Read::Held(_))
    }
}

/// The fingerprints of the programs of some profiles.
pub(crate) type Printed = Vec<(Profile, Arc<Prints>)>;

/// What is not the same in two programs.
pub(crate) type Changes<'a> = Vec<Change<'a>>;

/// A job, by a fingerprint of where its scenario stands, its name and text, the profile, and whether it is compared: texts
/// are long, and every round asks for all of them.
type Key = u128;

/// What is remembered of a run: all of it, or a little.
pub trait Ran: From<Report> + Send + Sync {
    /// The scenario's name.
    fn name(&self) -> &str;
    /// How many decisions there were.
    fn steps(&self) -> usize;
    /// What it read.
    fn consulted(&self) -> &Consulted;
    /// True if nothing was wrong.
    fn passed(&self) -> bool;
}

impl Ran for Report {
    fn name(&self) -> &str {
        &self.name
    }

    fn steps(&self) -> usize {
        self.steps.len()
    }

    fn consulted(&self) -> &Consulted {
        &self.consulted
    }

    fn passed(&self) -> bool {
        self.passed()
    }
}

impl Ran for Verdict {
    fn name(&self) -> &str {
        &self.name
    }

    fn steps(&self) -> usize {
        self.steps
    }

    fn consulted(&self) -> &Consulted {
        &self.consulted
    }

    fn passed(&self) -> bool {
        self.passed()
    }
}

/// Outcomes by scenario and profile.
#[derive(Clone, Debug)]
pub struct Memo<R = Report> {
    outcomes: HashMap<Key, (u32, Arc<R>)>,
    /// The fingerprints under which the outcomes are valid.
    programs: Programs,
    /// A fingerprint of the files, if the outcomes come from an earlier process: they are valid for the same files.
    files: Option<u128>,
    /// True if something is known that an earlier process did not know.
    is_news: bool,
    /// What phrases meant then, see [`words_print`].
    words: u64,
    /// What decides how far an edit reaches, as it was then.
    reach: Reach,
}

impl<R> Default for Memo<R> {
    fn default() -> Self {
        Memo {
            outcomes: HashMap::new(),
            programs: Programs::default(),
            files: None,
            is_news: false,
            words: 0,
            reach: Reach::default(),
        }
    }
}

/// What became of a job.
#[derive(Clone, Debug)]
pub struct Outcome<R = Report> {
    /// The report, of this run or of an earlier one that is still valid.
    pub report: Arc<R>,
    /// True if it was run now.
    pub ran: bool,
}

/// The fingerprints of the programs of profiles. Programs are large and hundreds: they are not held.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    known: Vec<(Profile, Weak<Program>, Arc<Prints>)>,
    /// Only those of the first are worked out: what is stored is to be small, and is made in the course of a run that somebody
    /// waits for. Runs under profiles that an edit reaches in another way than the first are then made again.
    is_sparse: bool,
}

impl Programs {
    /// The fingerprints of a profile's program as it is now.
    pub(crate) fn prints(&mut self, compiler: &Compiler, profile: &Profile) -> Arc<Prints> {
        let program = compiler.link(profile).0;
        let same =
            self.known.iter().find(|(_, other, _)| other.upgrade().is_some_and(|one| Arc::ptr_eq(&one, &program)));
        let prints = match (same, self.known.first()) {
            (Some((.., prints)), _) => Arc::clone(prints),
            (None, Some((.., others))) => Arc::new(Prints::of(&program).sharing(others)),
            (None, None) => Arc::new(Prints::of(&program)),
        };
        let known = (profile.clone(), Arc::downgrade(&program), Arc::clone(&prints));
        match self.known.iter_mut().find(|(other, ..)| other == profile) {
            Some(place) => *place = known,
            None => self.known.push(known),
        }
        prints
    }

    /// By which runs under a profile note what they read.
    pub(crate) fn noting(&mut self, compiler: &Compiler, profile: &Profile) -> Arc<Prints> {
        match self.known.first().filter(|_| self.is_sparse) {
            Some((.., first)) => Arc::clone(first),
            None => self.prints(compiler, profile),
        }
    }

    fn get(&self, profile: &Profile) -> Option<&Arc<Prints>> {
        self.known.iter().find(|(known, ..)| known == profile).map(|(.., prints)| prints)
    }
}

fn key(job: &Job) -> Key {
    key_as(job, job.compared)
}

/// The same, whether or not it is compared.
fn key_as(job: &Job, compared: bool) -> Key {
    let source = &job.scenario.source;
    let mut hasher = Xxh3::new();
    (&source.file, &job.scenario.name, &source.text, &job.scenario.given_lines, &job.profile, compared)
        .hash(&mut hasher);
    hasher.digest128()
}

/// What is not the same in two programs.
fn changes<'a>((after, before): &'a Compared<'a>) -> Changes<'a> {
    before.changes(after)
}

/// The profile of most jobs.
fn common(jobs: &[Job]) -> Option<&Profile> {
    let mut counts: HashMap<&Profile, usize> = HashMap::new();
    jobs.iter().for_each(|job| *counts.entry(&job.profile).or_default() += 1);
    counts.into_iter().max_by_key(|(profile, count)| (*count, std::cmp::Reverse(*profile))).map(|(profile, _)| profile)
}

/// What decides how far an edit reaches for these jobs; `then`: as it was known before.
fn reach(compiler: &Compiler, jobs: &[Job], then: &Reach) -> Reach {
    let profiles: BTreeSet<&Profile> = jobs.iter().map(|job| &job.profile).collect();
    // total: without jobs there is no profile that an edit could reach.
    common(jobs).map(|common| Reach::of(compiler, common, &profiles, then)).unwrap_or_default()
}

impl Memo {
    /// No outcomes.
    pub fn new() -> Memo {
        Memo::default()
    }
}

impl<R: Ran> Memo<R> {
    /// True if nothing is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// The fingerprints of the programs under which what is known holds.
    pub(crate) fn prints(&self) -> Printed {
        self.programs.known.iter().map(|(profile, _, prints)| (profile.clone(), Arc::clone(prints))).collect()
    }

    /// True if something is known that the store does not know from which this came.
    pub(crate) fn is_news(&self) -> bool {
        self.is_news
    }

    /// The reports of jobs, in their order. Runs only those whose kept report is not valid any more, on so many threads;
    /// `each` hears of every run as it ends.
    pub fn refresh(
        &mut self,
        compiler: &Compiler,
        jobs: &[Job],
        threads: usize,
        each: &(dyn Fn(&Report) + Sync),
    ) -> Vec<Outcome<R>> {
        self.refresh_watched(compiler, jobs, threads, None, each)
    }

    /// The same; with `watching`, it is noted what takes effect in those that are run.
    pub fn refresh_watched(
        &mut self,
        compiler: &Compiler,
        jobs: &[Job],
        threads: usize,
        watching: Option<&mut Watching>,
        each: &(dyn Fn(&Report) + Sync),
    ) -> Vec<Outcome<R>> {
        let keys: Vec<Key> = jobs.iter().map(key).collect();
        let files = compiler.kept().map(Kept::files);
        let is_same = files.is_some() && files == self.files;
        let mut programs = self.programs.clone();
        // Where no file is another, nothing need be compared, nor even compiled.
        let now = (!is_same).then(|| reach(compiler, jobs, &self.reach));
        let valid = match &now {
            None => jobs.iter().zip(&keys).map(|one| self.placed(one).map(|(_, kept)| Arc::clone(kept))).collect(),
            Some(now) => self.examined(compiler, (jobs, &keys), &mut programs, now),
        };
        if let Some(now) = now.as_ref().and_then(Reach::common).filter(|_| programs.is_sparse) {
            // Runs under the others do not see to it that what is known of these is so now.
            programs.known.retain(|(profile, ..)| profile == now);
        }
        let stale: Vec<Job> =
            jobs.iter().zip(&valid).filter(|(_, valid)| valid.is_none()).map(|(job, _)| job.clone()).collect();
        let noting = (Some(&mut programs), watching);
        let mut ran = run_watched::<R>(compiler, &stale, threads, noting, each).into_iter();
        if !stale.is_empty() || !is_same {
            self.words = words_print(compiler);
            self.programs = programs;
            self.reach = match now {
                Some(now) => now,
                None => reach(compiler, jobs, &self.reach),
            };
        }
        self.is_news = !is_same;
        self.files = files;
        // What is not asked for now is not known to be valid any more.
        let asked: HashSet<&Key> = keys.iter().collect();
        self.outcomes.retain(|key, _| asked.contains(key));
        let mut outcomes = Vec::with_capacity(jobs.len());
        for ((job, key), valid) in jobs.iter().zip(keys).zip(valid) {
            if let Some(report) = valid {
                outcomes.push(Outcome { report, ran: false });
            } else if let Some(report) = ran.next().map(Arc::new) {
                self.is_news |= report.passed();
                self.outcomes.insert(key, (job.scenario.source.base, Arc::clone(&report)));
                outcomes.push(Outcome { report, ran: true });
            }
        }
        outcomes
    }

    /// What is kept of a job, if what it says of places still holds: those of what is wrong move with the text above.
    fn placed(&self, (job, key): (&Job, &Key)) -> Option<&(u32, Arc<R>)> {
        let kept = self.outcomes.get(key)?;
        (kept.1.passed() || kept.0 == job.scenario.source.base).then_some(kept)
    }

    /// For each job its kept report, if its run read nothing that has changed: what its own phrases mean now may be something
    /// else, see [`Memo::is_meant`].
    pub(crate) fn untouched(&self, compiler: &Compiler, jobs: &[Job]) -> Vec<Option<Arc<R>>> {
        let keys: Vec<Key> = jobs.iter().map(key).collect();
        self.compared(compiler, (jobs, &keys), &mut self.programs.clone(), &reach(compiler, jobs, &self.reach))
    }

    /// True if no phrase of any scenario can mean something else than when the kept runs were made.
    pub(crate) fn has_same_words(&self, compiler: &Compiler) -> bool {
        words_print(compiler) == self.words
    }

    /// Whether the phrases of a job mean what they meant when its kept run was made.
    pub(crate) fn is_meant(compiler: &Compiler, job: &Job, kept: &R) -> bool {
        ready(compiler, job).is_ok_and(|prepared| meaning(&prepared) == kept.consulted().meaning)
    }

    /// For each job its kept report, if that is still valid; leaves the fingerprints as they are now.
    fn examined(
        &self,
        compiler: &Compiler,
        (jobs, keys): (&[Job], &[Key]),
        now: &mut Programs,
        reach: &Reach,
    ) -> Vec<Option<Arc<R>>> {
        let mut valid = self.compared(compiler, (jobs, keys), now, reach);
        if !self.has_same_words(compiler) {
            // By profile: what is made ready needs its program, and few programs are held.
            for at in by_profile(jobs) {
                valid[at] = valid[at].take().filter(|kept| Self::is_meant(compiler, &jobs[at], kept));
            }
        }
        valid
    }

    /// For each job its kept report, if nothing that it read has changed; leaves the fingerprints as they are now.
    fn compared(
        &self,
        compiler: &Compiler,
        (jobs, keys): (&[Job], &[Key]),
        now: &mut Programs,
        reach: &Reach,
    ) -> Vec<Option<Arc<R>>> {
        // total: without jobs nothing is kept.
        let Some(common) = reach.common() else { return vec![None; jobs.len()] };
        // By these runs note what they read, whatever is known. Else nothing is worked out of a program that has no past.
        now.prints(compiler, common);
        let mut compare = |profile: &Profile| -> Option<Compared<'_>> {
            let then = self.programs.get(profile)?;
            Some((now.prints(compiler, profile), then))
        };
        // What has changed is worked out once for each program, and under the common profile for all under which the
        // edit makes the same difference.
        let changed = self.reach.changed(reach);
        let is_alike =
            |profile: &Profile| changed.as_ref().is_some_and(|changed| self.reach.is_alike(reach, profile, changed));
        let shared = compare(common);
        let mut own: HashMap<&Profile, Option<Option<Compared<'_>>>> = HashMap::new();
        for job in jobs.iter().filter(|job| job.profile != *common) {
            own.entry(&job.profile).or_insert_with(|| (!is_alike(&job.profile)).then(|| compare(&job.profile)));
        }
        let shared = shared.as_ref().map(changes);
        let own: HashMap<_, _> =
            own.iter().map(|(profile, one)| (*profile, one.as_ref().map(|one| one.as_ref().map(changes)))).collect();
        let one = |(job, key): (&Job, &Key)| {
            let (_, report) = self.placed((job, key))?;
            let (changes, apart) = match own.get(&job.profile) {
                Some(Some(own)) => (own.as_ref()?, false),
                _ => (shared.as_ref()?, job.profile != *common),
            };
            report.consulted().is_untouched(changes, apart).then(|| Arc::clone(report))
        };
        jobs.iter().zip(keys).map(one).collect()
    }
}
