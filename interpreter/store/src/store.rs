//! What is asked of a store.

use std::fs;
use std::io::{self, BufReader, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use etcetera::BaseStrategy;
use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_128;

use crate::entry::{opened, read_sealed, sealed};
use crate::folder::{ANSWER, ASIDE, Contents, clear, contents, sweep};

/// More bytes than this are not kept together.
const BOUND: u64 = 512 * 1024 * 1024;

/// The folder of the store in the user's folder for such things.
const OWN: &str = "netrep";

/// Answers in a folder.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    /// A fingerprint of the program that asks: what another one has answered is no answer.
    build: String,
    bound: u64,
}

/// A question: what it is about, and all that its answer follows from.
#[derive(Clone, Debug)]
pub struct Question {
    /// What it is about; files are named after it, so that it is a word of small letters.
    kind: &'static str,
    bytes: Vec<u8>,
}

impl Question {
    /// A question about something, whose answer follows from these alone; `None` if they cannot be said in bytes.
    pub fn of<T: Serialize>(kind: &'static str, from: &T) -> Option<Question> {
        Some(Question { kind, bytes: postcard::to_stdvec(from).ok()? })
    }

    /// The question for what has been added to its answer since that was written.
    pub(crate) fn added(&self) -> Question {
        let mut bytes = self.bytes.clone();
        bytes.extend_from_slice(b"\0added");
        Question { kind: self.kind, bytes }
    }
}

impl Store {
    /// The store in a folder, for a program with this fingerprint. The folder is made when the first answer is kept.
    pub fn at(folder: PathBuf, build: &str) -> Store {
        Store { folder, build: build.to_owned(), bound: BOUND }
    }

    /// The same with another bound to the bytes of all answers together.
    #[must_use]
    pub fn bounded(self, bound: u64) -> Store {
        Store { bound, ..self }
    }

    /// The folder for a store in the user's folder for what can be worked out again; `None` if he has none.
    pub fn own_folder() -> Option<PathBuf> {
        Some(etcetera::choose_base_strategy().ok()?.cache_dir().join(OWN))
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// More bytes than this are not kept together.
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// The answer that was kept for a question.
    pub fn answer<T: DeserializeOwned>(&self, question: &Question) -> Option<T> {
        let (path, whole) = self.asked(question);
        let bytes = fs::read(&path).ok()?;
        let answer = postcard::from_bytes(opened(&bytes, &whole)?).ok()?;
        note_asked(&path);
        Some(answer)
    }

    /// The answer that was kept for a question, as bytes, and what stands behind it: the file, and where it begins there.
    pub(crate) fn answer_before(&self, question: &Question) -> Option<(Vec<u8>, fs::File, u64)> {
        let (path, whole) = self.asked(question);
        let mut file = BufReader::new(fs::File::open(&path).ok()?);
        let bytes = read_sealed(&mut file)?;
        let answer = opened(&bytes, &whole)?.to_vec();
        let rest = file.stream_position().ok()?;
        note_asked(&path);
        Some((answer, file.into_inner(), rest))
    }

    /// Forgets the answer to a question. Where that cannot be done, it stays.
    pub(crate) fn forget(&self, question: &Question) {
        let _ = fs::remove_file(self.asked(question).0);
    }

    /// Keeps an answer. Where that cannot be done, nothing is kept.
    pub fn keep<T: Serialize>(&self, question: &Question, answer: &T) {
        let Ok(answer) = postcard::to_stdvec(answer) else { return };
        self.keep_before(question, &answer, &[]);
    }

    /// Keeps an answer, and more behind it.
    pub(crate) fn keep_before(&self, question: &Question, answer: &[u8], rest: &[u8]) {
        let (path, whole) = self.asked(question);
        let mut bytes = sealed(&whole, answer);
        bytes.extend_from_slice(rest);
        if bytes.len() as u64 <= self.bound / 2 && self.write(&path, &bytes).is_ok() {
            // It is as large as before if this fails, and the next one tries again.
            let _ = sweep(&self.folder, self.bound, &path);
        }
    }

    /// What it holds.
    ///
    /// # Errors
    /// If the folder is there and cannot be listed.
    pub fn contents(&self) -> io::Result<Contents> {
        match contents(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Contents::default()),
            found => found,
        }
    }

    /// Removes every answer; how many there were. Files that are not the store's stay.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn clear(&self) -> io::Result<u64> {
        match clear(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
            done => done,
        }
    }

    /// Why nothing can be kept in it.
    ///
    /// # Errors
    /// The reason.
    pub fn can_keep(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let probe = self.aside(&self.folder.join(format!("probe-{:032x}", 0)));
        fs::write(&probe, b"")?;
        fs::remove_file(&probe)
    }

    /// The file of a question, and the whole of the question as it stands in there.
    fn asked(&self, question: &Question) -> (PathBuf, Vec<u8>) {
        let mut whole = Vec::with_capacity(self.build.len() + question.kind.len() + question.bytes.len() + 2);
        for part in [self.build.as_bytes(), question.kind.as_bytes()] {
            whole.extend_from_slice(part);
            whole.push(0);
        }
        whole.extend_from_slice(&question.bytes);
        let name = format!("{}-{:032x}.{ANSWER}", question.kind, xxh3_128(&whole));
        (self.folder.join(name), whole)
    }

    /// Writes a file aside, in the same folder, and puts it in its place.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let aside = self.aside(path);
        // A file of this name that is there already is another's, who may be writing it.
        let mut file = fs::File::create_new(&aside)?;
        let done = file.write_all(bytes).and_then(|()| fs::rename(&aside, path));
        if done.is_err() {
            let _ = fs::remove_file(&aside);
        }
        done
    }

    /// A file beside another one that no other process and no other thread writes.
    fn aside(&self, path: &Path) -> PathBuf {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        path.with_extension(format!("{process}-{count}.{ASIDE}"))
    }
}

/// What is asked for stays longest. Where that cannot be noted, it goes sooner.
fn note_asked(path: &Path) {
    let _ = fs::File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
}
