//! Many small answers in one file, each by a fingerprint of its question; only those that are asked for are read.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashSet;
use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_128;

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
    held: Option<Held>,
    added: Option<Held>,
    now: Mutex<Now>,
}

/// What a file holds: first, and sealed, where each answer is, in the order of their fingerprints; behind it the answers.
#[derive(Debug)]
struct Held {
    entries: Vec<u8>,
    answers: Mutex<File>,
    /// Where the answers begin in the file.
    start: u64,
}

/// Where an answer is.
#[derive(Clone, Copy, Debug)]
struct Entry {
    print: u128,
    /// The sum over its bytes.
    sum: u128,
    /// Its first byte, behind where the answers begin.
    start: u64,
    length: u32,
    /// How often in a row the file was written by somebody who had not asked for it.
    idle: u8,
}

/// So many bytes is an entry long.
const ENTRY: usize = 2 * size_of::<u128>() + size_of::<u64>() + size_of::<u32>() + size_of::<u8>();

/// What has come of it in this process.
#[derive(Debug, Default)]
struct Now {
    asked: FxHashSet<u128>,
    /// Answers that are new, in the order of their fingerprints: a file of the same answers has the same bytes.
    new: BTreeMap<u128, Vec<u8>>,
}

impl Pack {
    /// The answers that are kept under a question.
    pub fn open(store: Store, question: Question) -> Pack {
        let [held, added] = [&question, &question.added()].map(|of| Held::of(&store, of));
        Pack { store, question, held, added, now: Mutex::default() }
    }

    /// The answer to a question of which this is the fingerprint; else it is worked out, and kept.
    pub fn or_else<T: Serialize + DeserializeOwned>(&self, print: u128, work_out: impl FnOnce() -> T) -> T {
        let held = [&self.held, &self.added].into_iter().flatten().find_map(|held| held.answer(print));
        if let Some(known) = held.and_then(|bytes| postcard::from_bytes(&bytes).ok()) {
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
        let with_bytes = |held| (held, Held::bytes(held));
        let added = self.added.as_ref().map(with_bytes);
        let mut all: BTreeMap<u128, (&[u8], u8)> = now.new.iter().map(|(print, own)| (*print, (&**own, 0))).collect();
        if let Some((added, bytes)) = &added {
            added.add_to(&mut all, bytes, &now);
        }
        let size: usize = all.values().map(|(own, _)| own.len()).sum();
        if size < self.held.iter().map(Held::size).sum::<usize>() / SMALL {
            return self.keep(&self.question.added(), &all);
        }
        let held = self.held.as_ref().map(with_bytes);
        if let Some((held, bytes)) = &held {
            held.add_to(&mut all, bytes, &now);
        }
        self.keep(&self.question, &all);
        self.store.forget(&self.question.added());
    }

    fn keep(&self, question: &Question, all: &BTreeMap<u128, (&[u8], u8)>) {
        let mut answers = Vec::with_capacity(all.values().map(|(bytes, _)| bytes.len()).sum());
        let mut entries = Vec::with_capacity(all.len() * ENTRY);
        for (print, (bytes, idle)) in all {
            let Ok(length) = u32::try_from(bytes.len()) else { continue };
            let entry = Entry { print: *print, sum: xxh3_128(bytes), start: answers.len() as u64, length, idle: *idle };
            entries.extend_from_slice(&entry.to_bytes());
            answers.extend_from_slice(bytes);
        }
        self.store.keep_before(question, &entries, &answers);
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
        let (entries, file, start) = store.answer_before(question)?;
        Some(Held { entries, answers: Mutex::new(file), start })
    }

    /// How many bytes all answers have.
    fn size(&self) -> usize {
        self.entries().filter_map(|entry| usize::try_from(entry.length).ok()).sum()
    }

    /// Adds those answers that are not there yet, are as they were written, and have been asked for not too long ago.
    fn add_to<'b>(&self, all: &mut BTreeMap<u128, (&'b [u8], u8)>, bytes: &'b [u8], now: &Now) {
        for entry in self.entries() {
            let idle = if now.asked.contains(&entry.print) { 0 } else { entry.idle + 1 };
            if let Some(own) = entry.within(bytes).filter(|_| idle < FORGOTTEN) {
                all.entry(entry.print).or_insert((own, idle));
            }
        }
    }

    fn entries(&self) -> impl Iterator<Item = Entry> {
        let (entries, _) = self.entries.as_chunks::<ENTRY>();
        entries.iter().map(Entry::of_bytes)
    }

    /// The bytes of an answer.
    fn answer(&self, print: u128) -> Option<Vec<u8>> {
        let (entries, _) = self.entries.as_chunks::<ENTRY>();
        let at = entries.binary_search_by_key(&print, |entry| Entry::of_bytes(entry).print).ok()?;
        let entry = Entry::of_bytes(&entries[at]);
        let mut file = self.file();
        file.seek(SeekFrom::Start(self.start.checked_add(entry.start)?)).ok()?;
        // What is sealed is right, so that there is room for all of it at once, and it is read at once.
        let mut bytes = Vec::with_capacity(usize::try_from(entry.length).ok()?);
        (&*file).take(entry.length.into()).read_to_end(&mut bytes).ok()?;
        (xxh3_128(&bytes) == entry.sum).then_some(bytes)
    }

    /// The bytes of all answers, as far as the file can be read.
    fn bytes(&self) -> Vec<u8> {
        let mut file = self.file();
        let mut bytes = Vec::new();
        // What cannot be read is left out by its sum.
        let _ = file.seek(SeekFrom::Start(self.start)).and_then(|_| file.read_to_end(&mut bytes));
        bytes
    }

    fn file(&self) -> MutexGuard<'_, File> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    fn to_bytes(self) -> [u8; ENTRY] {
        let mut bytes = [0; ENTRY];
        let mut rest = &mut bytes[..];
        let parts: [&[u8]; 5] = [
            &self.print.to_le_bytes(),
            &self.sum.to_le_bytes(),
            &self.start.to_le_bytes(),
            &self.length.to_le_bytes(),
            &self.idle.to_le_bytes(),
        ];
        for part in parts {
            let (own, behind) = rest.split_at_mut(part.len());
            own.copy_from_slice(part);
            rest = behind;
        }
        bytes
    }

    fn of_bytes(bytes: &[u8; ENTRY]) -> Entry {
        let mut rest = &bytes[..];
        Entry {
            print: u128::from_le_bytes(cut(&mut rest)),
            sum: u128::from_le_bytes(cut(&mut rest)),
            start: u64::from_le_bytes(cut(&mut rest)),
            length: u32::from_le_bytes(cut(&mut rest)),
            idle: u8::from_le_bytes(cut(&mut rest)),
        }
    }

    /// Its answer among the bytes of all, if that is as it was written.
    fn within(self, answers: &[u8]) -> Option<&[u8]> {
        let start = usize::try_from(self.start).ok()?;
        let bytes = answers.get(start..start.checked_add(usize::try_from(self.length).ok()?)?)?;
        (xxh3_128(bytes) == self.sum).then_some(bytes)
    }
}

/// The first bytes, which are taken away.
fn cut<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let (own, rest) = bytes.split_at(N);
    *bytes = rest;
    let mut cut = [0; N];
    cut.copy_from_slice(own);
    cut
}
