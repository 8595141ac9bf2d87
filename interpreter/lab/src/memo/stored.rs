//! Outcomes that outlive their process, each with what it stands on.
//!
//! What runs have read is said once, and each run names it by number. Of the programs only the fingerprints of one are kept,
//! under which most runs are made: see [`Programs`].

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Weak};

use netrep_compiler::{Kept, Profile};
use netrep_store::{Question, Store};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::prints::{Prints, Under};
use super::reach::Reach;
use super::{Key, Memo, Programs, Read, key, key_as};
use crate::report::Consulted;
use crate::run::Job;
use crate::scenario::profile_words;
use crate::verdict::Verdict;

/// The kind of the answers.
const RUNS: &str = "runs";

/// A memo as it is stored.
#[derive(Default, Serialize, Deserialize)]
struct Stored {
    files: u128,
    words: u64,
    reach: Reach,
    /// Everything that some run read.
    reads: Vec<Read>,
    /// The ids of all cards of the games.
    cards: Vec<String>,
    runs: Vec<Run>,
    /// The fingerprints of the program of a profile.
    prints: Option<(Profile, BTreeMap<Read, Under>)>,
}

/// A run; one in which something was wrong only where it is compared, for what is wrong is not kept.
#[derive(Serialize, Deserialize)]
struct Run {
    key: Key,
    /// Where its scenario begins in its file.
    base: u32,
    steps: usize,
    checks: usize,
    hash: u64,
    is_wrong: bool,
    told: u128,
    meaning: u64,
    reads: Vec<u32>,
    cards: Vec<u32>,
}

/// Numbers for things, in the order in which they are met.
struct Numbers<T: ?Sized> {
    by_value: HashMap<Arc<T>, u32>,
    /// Where those are held that were met: runs share most, and are not read again for it.
    by_place: FxHashMap<usize, u32>,
    all: Vec<Arc<T>>,
}

impl<T: ?Sized> Default for Numbers<T> {
    fn default() -> Numbers<T> {
        Numbers { by_value: HashMap::new(), by_place: FxHashMap::default(), all: Vec::new() }
    }
}

impl<T: ?Sized + Eq + std::hash::Hash> Numbers<T> {
    /// The number of something that is held until the last is numbered.
    fn of(&mut self, one: &Arc<T>) -> u32 {
        let place = Arc::as_ptr(one).cast::<u8>().addr();
        if let Some(known) = self.by_place.get(&place) {
            return *known;
        }
        let next = netrep_ir::limits::in_32_bits(self.all.len());
        let number = *self.by_value.entry(Arc::clone(one)).or_insert_with(|| {
            self.all.push(Arc::clone(one));
            next
        });
        self.by_place.insert(place, number);
        number
    }
}

impl Memo<Verdict> {
    /// What an earlier process knew of jobs; nothing, if none did.
    pub(crate) fn recalled(store: &Store, question: &impl Serialize, jobs: &[Job]) -> Memo<Verdict> {
        let stored = Question::of(RUNS, question).and_then(|question| store.answer::<Stored>(&question));
        let by_key: HashMap<Key, &Job> = jobs.iter().map(|job| (key(job), job)).collect();
        match stored.and_then(|stored| stored.memo(&by_key)) {
            Some(memo) => memo,
            None => Memo { programs: Programs { is_sparse: true, ..Programs::default() }, ..Memo::default() },
        }
    }

    /// What an earlier process knew of jobs that are compared, from those that are not: where nothing was wrong they are the same
    /// runs. The other way round that is not so: what means nothing stops a job only if it is not compared.
    pub(crate) fn recalled_as_compared(
        store: &Store,
        question: &impl Serialize,
        jobs: &[Job],
    ) -> Option<Memo<Verdict>> {
        let stored = store.answer::<Stored>(&Question::of(RUNS, question)?)?;
        let alike = jobs.iter().filter(|job| job.compared);
        stored.memo(&alike.map(|job| (key_as(job, false), job)).collect())
    }

    /// Keeps it for later processes; `are_compared`: also runs in which something was wrong.
    pub(crate) fn keep(&self, store: &Store, question: &impl Serialize, are_compared: bool) {
        let stored = Question::of(RUNS, question).zip(Stored::of(self, are_compared));
        if let Some((question, stored)) = stored {
            store.keep(&question, &stored);
        }
    }
}

/// The kind of fingerprints that are kept by themselves.
const PRINTS: &str = "prints";

/// The fingerprints of the program of a profile, if an earlier process has kept them and the files are the same.
pub(crate) fn recalled_prints(kept: &Kept, profile: &Profile) -> Option<Arc<Prints>> {
    let question = Question::of(PRINTS, &(kept.place(), profile))?;
    let (files, by_read) = kept.store().answer::<(u128, BTreeMap<Read, Under>)>(&question)?;
    (files == kept.files()).then(|| shared(by_read))
}

/// Keeps them for later processes, in the place of what was kept before.
pub(crate) fn keep_prints(kept: &Kept, profile: &Profile, prints: &Prints) {
    if let Some(question) = Question::of(PRINTS, &(kept.place(), profile)) {
        let by_read: BTreeMap<&Read, &Under> = prints.by_read.iter().map(|(read, under)| (&**read, &**under)).collect();
        kept.store().keep(&question, &(kept.files(), by_read));
    }
}

fn shared(by_read: BTreeMap<Read, Under>) -> Arc<Prints> {
    let by_read = by_read.into_iter().map(|(read, under)| (Arc::new(read), Arc::new(under)));
    Arc::new(Prints { by_read: by_read.collect() })
}

impl Stored {
    /// `None` if it is not known for which files the outcomes hold.
    fn of(memo: &Memo<Verdict>, are_compared: bool) -> Option<Stored> {
        let (mut reads, mut cards) = (Numbers::default(), Numbers::default());
        let mut keys: Vec<&Key> = memo.outcomes.keys().collect();
        keys.sort_unstable();
        let run = |key: &Key| {
            // Where the places of what is wrong are hangs on more than the scenario: that is asked for anew.
            let (base, verdict) = memo.outcomes.get(key).filter(|(_, verdict)| verdict.passed() || are_compared)?;
            Some(Run {
                key: *key,
                base: *base,
                steps: verdict.steps,
                checks: verdict.checks,
                hash: verdict.hash,
                is_wrong: !verdict.passed(),
                told: verdict.told,
                meaning: verdict.consulted.meaning,
                reads: verdict.consulted.reads.iter().map(|read| reads.of(read)).collect(),
                cards: verdict.consulted.cards.iter().map(|card| cards.of(card)).collect(),
            })
        };
        let runs = keys.into_iter().filter_map(run).collect();
        let own = |prints: &Prints| {
            prints.by_read.iter().map(|(read, under)| ((**read).clone(), (**under).clone())).collect()
        };
        let prints = memo.programs.known.first().map(|(profile, _, prints)| (profile.clone(), own(prints)));
        Some(Stored {
            files: memo.files?,
            words: memo.words,
            reach: memo.reach.clone(),
            reads: reads.all.iter().map(|read: &Arc<Read>| (**read).clone()).collect(),
            cards: cards.all.iter().map(|card: &Arc<str>| card.to_string()).collect(),
            runs,
            prints,
        })
    }

    /// `None` if it says something that it does not hold.
    fn memo(self, jobs: &HashMap<Key, &Job>) -> Option<Memo<Verdict>> {
        let reads: Vec<Arc<Read>> = self.reads.into_iter().map(Arc::new).collect();
        let cards: Vec<Arc<str>> = self.cards.into_iter().map(Arc::from).collect();
        let mut outcomes = HashMap::new();
        for run in self.runs {
            // What is not asked for now is left out.
            let Some(job) = jobs.get(&run.key).filter(|job| job.compared || !run.is_wrong) else { continue };
            let reads = run.reads.into_iter().map(|at| reads.get(at as usize).cloned()).collect::<Option<_>>()?;
            let cards = run.cards.into_iter().map(|at| cards.get(at as usize).cloned()).collect::<Option<_>>()?;
            let verdict = Verdict {
                name: job.scenario.name.clone(),
                file: job.scenario.source.file.clone(),
                profile: profile_words(&job.profile),
                steps: run.steps,
                checks: run.checks,
                diags: Vec::new(),
                is_wrong: run.is_wrong,
                hash: run.hash,
                told: run.told,
                consulted: Consulted { clauses: Vec::new(), reads, cards, meaning: run.meaning },
            };
            outcomes.insert(key(job), (run.base, Arc::new(verdict)));
        }
        let known = |(profile, by_read): (Profile, BTreeMap<Read, Under>)| (profile, Weak::new(), shared(by_read));
        let programs = Programs { known: self.prints.into_iter().map(known).collect(), is_sparse: true };
        let (files, words, reach) = (Some(self.files), self.words, self.reach);
        Some(Memo { outcomes, programs, files, is_news: false, words, reach })
    }
}
