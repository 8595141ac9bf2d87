//! Many small answers in one file, each by a fingerprint of its question; only those that are asked for are read.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::store::{Question, Store};

/// An answer that so many processes in a row have written the file without asking for is left out by the next.
const FORGOTTEN: u8 = 4;

/// What was added is written aside as long as the rest has so many times its bytes.
const SMALL: usize = 8;

/// Answers of which one file holds all that are about one thing, and a smaller one beside it what was added since. What is new is
/// written when the pack is dropped.
#[derive(Debug)]
pub struct Pack {
    store: Store,
    question: Question,
    held: Held,
    added: Held,
    now: Mutex<Now>,
}

/// What a file held.
#[derive(Debug, Default)]
struct Held {
    /// Where each answer is among the bytes.
    places: FxHashMap<u128, Entry>,
    /// The bytes of the file, and where in it those of the answers begin.
    bytes: Vec<u8>,
    start: usize,
}

/// Where an answer is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Entry {
    start: u32,
    length: u32,
    /// How often in a row the file was written by somebody who had not asked for it.
    idle: u8,
}

/// What has come of it in this process.
#[derive(Debug, Default)]
struct Now {
    asked: FxHashSet<u128>,
    /// Answers that are new, in the order of their fingerprints: a file of the same answers has the same bytes.
    new: BTreeMap<u128, Vec<u8>>,
}

/// The file, to be written.
#[derive(Serialize)]
struct Written<'p> {
    places: Vec<(u128, Entry)>,
    #[serde(with = "serde_bytes")]
    bytes: &'p [u8],
}

impl Pack {
    /// The answers that are kept under a question.
    pub fn open(store: Store, question: Question) -> Pack {
        let (held, added) = (Held::of(&store, &question), Held::of(&store, &question.added()));
        let mut pack = Pack { store, question, held: Held::default(), added: Held::default(), now: Mutex::default() };
        if let Some(held) = held {
            pack.held = held;
        }
        if let Some(added) = added {
            pack.added = added;
        }
        pack
    }

    /// The answer to a question of which this is the fingerprint; else it is worked out, and kept.
    pub fn or_else<T: Serialize + DeserializeOwned>(&self, print: u128, work_out: impl FnOnce() -> T) -> T {
        let held = [&self.held, &self.added].into_iter().find_map(|held| held.get(print));
        if let Some(known) = held.and_then(|bytes| postcard::from_bytes(bytes).ok()) {
            self.now().asked.insert(print);
            return known;
        }
        let found = work_out();
        if let Ok(bytes) = postcard::to_stdvec(&found) {
            self.now().new.insert(print, bytes);
        }
        found
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what is new, if there is something: aside, or where that has become too much with all the rest.
    fn write(&self) {
        let now = self.now();
        if now.new.is_empty() {
            return;
        }
        let mut all: BTreeMap<u128, (&[u8], u8)> = BTreeMap::new();
        all.extend(self.added.all(&now).filter(|(_, (_, idle))| *idle < FORGOTTEN));
        all.extend(now.new.iter().map(|(print, bytes)| (*print, (&**bytes, 0))));
        let added: usize = all.values().map(|(bytes, _)| bytes.len()).sum();
        if added < self.held.bytes.len() / SMALL {
            return self.written(&self.question.added(), &all);
        }
        for (print, (bytes, idle)) in self.held.all(&now).filter(|(_, (_, idle))| *idle < FORGOTTEN) {
            all.entry(print).or_insert((bytes, idle));
        }
        self.written(&self.question, &all);
        self.store.forget(&self.question.added());
    }

    fn written(&self, question: &Question, all: &BTreeMap<u128, (&[u8], u8)>) {
        let mut bytes = Vec::with_capacity(all.values().map(|(bytes, _)| bytes.len()).sum());
        let mut places = Vec::with_capacity(all.len());
        for (print, (own, idle)) in all {
            let (Ok(start), Ok(length)) = (u32::try_from(bytes.len()), u32::try_from(own.len())) else { return };
            places.push((*print, Entry { start, length, idle: *idle }));
            bytes.extend_from_slice(own);
        }
        self.store.keep(question, &Written { places, bytes: &bytes });
    }
}

impl Drop for Pack {
    fn drop(&mut self) {
        self.write();
    }
}

impl Held {
    /// What is kept for a question.
    fn of(store: &Store, question: &Question) -> Option<Held> {
        let (bytes, answer) = store.bytes(question)?;
        let (places, rest) = postcard::take_from_bytes::<Vec<(u128, Entry)>>(bytes.get(answer..)?).ok()?;
        // What stands behind them is the length of all answers, and these.
        let (length, rest) = postcard::take_from_bytes::<usize>(rest).ok()?;
        let start = rest.as_ptr().addr() - bytes.as_ptr().addr();
        rest.get(..length)?;
        Some(Held { places: places.into_iter().collect(), bytes, start })
    }

    fn get(&self, print: u128) -> Option<&[u8]> {
        self.bytes_of(self.places.get(&print)?)
    }

    fn bytes_of(&self, entry: &Entry) -> Option<&[u8]> {
        let start = self.start.checked_add(usize::try_from(entry.start).ok()?)?;
        self.bytes.get(start..start.checked_add(usize::try_from(entry.length).ok()?)?)
    }

    /// All answers, and how often in a row the file was written by somebody who had not asked for each.
    fn all<'h>(&'h self, now: &Now) -> impl Iterator<Item = (u128, (&'h [u8], u8))> {
        let all = self.places.iter().filter_map(|(print, entry)| {
            let idle = if now.asked.contains(print) { 0 } else { entry.idle + 1 };
            Some((*print, (self.bytes_of(entry)?, idle)))
        });
        all.collect::<Vec<_>>().into_iter()
    }
}
