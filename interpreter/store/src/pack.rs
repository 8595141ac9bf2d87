//! Many small answers in one file, each by a fingerprint of its question; only those that are asked for are read.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::store::{Question, Store};

/// An answer that so many processes in a row have written the file without asking for is left out by the next.
const FORGOTTEN: u8 = 4;

/// Answers of which one file holds all that are about one thing. What is new is written when the pack is dropped.
#[derive(Debug)]
pub struct Pack {
    store: Store,
    question: Question,
    held: Held,
    now: Mutex<Now>,
}

/// What the file held.
#[derive(Debug, Default)]
struct Held {
    /// Where each answer is among the bytes.
    places: FxHashMap<u128, Entry>,
    bytes: Vec<u8>,
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

/// The file, as it is read.
#[derive(Deserialize)]
struct Read {
    places: Vec<(u128, Entry)>,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
}

impl Pack {
    /// The answers that are kept under a question.
    pub fn open(store: Store, question: Question) -> Pack {
        let held = match store.answer::<Read>(&question) {
            Some(read) => Held { places: read.places.into_iter().collect(), bytes: read.bytes },
            None => Held::default(),
        };
        Pack { store, question, held, now: Mutex::default() }
    }

    /// The answer to a question of which this is the fingerprint; else it is worked out, and kept.
    pub fn or_else<T: Serialize + DeserializeOwned>(&self, print: u128, work_out: impl FnOnce() -> T) -> T {
        if let Some(known) = self.held.get(print).and_then(|bytes| postcard::from_bytes(bytes).ok()) {
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

    /// Writes the file if there is something new.
    fn write(&self) {
        let now = self.now();
        if now.new.is_empty() {
            return;
        }
        let mut all: BTreeMap<u128, (&[u8], u8)> = BTreeMap::new();
        #[expect(clippy::iter_over_hash_type, reason = "a map in order is made of it")]
        for (print, entry) in &self.held.places {
            let idle = if now.asked.contains(print) { 0 } else { entry.idle + 1 };
            if let Some(bytes) = self.held.bytes_of(entry).filter(|_| idle < FORGOTTEN) {
                all.insert(*print, (bytes, idle));
            }
        }
        all.extend(now.new.iter().map(|(print, bytes)| (*print, (&**bytes, 0))));
        let mut bytes = Vec::with_capacity(all.values().map(|(bytes, _)| bytes.len()).sum());
        let mut places = Vec::with_capacity(all.len());
        for (print, (own, idle)) in all {
            let (Ok(start), Ok(length)) = (u32::try_from(bytes.len()), u32::try_from(own.len())) else { return };
            places.push((print, Entry { start, length, idle }));
            bytes.extend_from_slice(own);
        }
        self.store.keep(&self.question, &Written { places, bytes: &bytes });
    }
}

impl Drop for Pack {
    fn drop(&mut self) {
        self.write();
    }
}

impl Held {
    fn get(&self, print: u128) -> Option<&[u8]> {
        self.bytes_of(self.places.get(&print)?)
    }

    fn bytes_of(&self, entry: &Entry) -> Option<&[u8]> {
        let start = usize::try_from(entry.start).ok()?;
        self.bytes.get(start..start.checked_add(usize::try_from(entry.length).ok()?)?)
    }
}
