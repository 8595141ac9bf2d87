//! The folder of a store: which of its files are answers, and which go when they are too many.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How the name of a file ends that is being written.
pub(crate) const ASIDE: &str = "writing";

/// How the name of a file with an answer ends.
pub(crate) const ANSWER: &str = "answer";

/// What has been written aside for longer than this was left behind by a process that died.
const LEFT: Duration = Duration::from_secs(60 * 60);

/// What a store holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// By what they are about: how many answers there are, and their bytes together.
    pub kinds: BTreeMap<String, Held>,
}

/// So much of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// How many answers.
    pub entries: u64,
    /// Their bytes together.
    pub bytes: u64,
}

impl Contents {
    /// All of it together.
    pub fn all(&self) -> Held {
        let add = |sum: Held, one: &Held| Held { entries: sum.entries + one.entries, bytes: sum.bytes + one.bytes };
        self.kinds.values().fold(Held::default(), add)
    }
}

/// A file of the store.
struct File {
    path: PathBuf,
    kind: String,
    bytes: u64,
    /// When it was written or last asked for.
    asked: SystemTime,
    is_aside: bool,
}

/// The files of a store; what is called otherwise is not its own.
fn files(folder: &Path) -> io::Result<Vec<File>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some((kind, is_aside)) = name.to_str().and_then(own) else { continue };
        // Another process may have removed it meanwhile.
        let Ok(known) = entry.metadata() else { continue };
        let Ok(asked) = known.modified() else { continue };
        if known.is_file() {
            found.push(File { path: entry.path(), kind: kind.to_owned(), bytes: known.len(), asked, is_aside });
        }
    }
    Ok(found)
}

/// What the answer in a file of this name is about, and whether it is written aside; `None` if it is not the store's.
fn own(name: &str) -> Option<(&str, bool)> {
    let (stem, end) = name.split_once('.')?;
    let (kind, digits) = stem.rsplit_once('-')?;
    let is_ours = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_aside = end != ANSWER && end.rsplit_once('.').is_some_and(|(_, end)| end == ASIDE);
    (is_ours && (is_aside || end == ANSWER)).then_some((kind, is_aside))
}

/// What a folder holds.
pub(crate) fn contents(folder: &Path) -> io::Result<Contents> {
    let mut contents = Contents::default();
    for file in files(folder)?.into_iter().filter(|file| !file.is_aside) {
        let held = contents.kinds.entry(file.kind).or_default();
        held.entries += 1;
        held.bytes += file.bytes;
    }
    Ok(contents)
}

/// Removes all files of the store; how many answers went.
pub(crate) fn clear(folder: &Path) -> io::Result<u64> {
    let mut gone = 0;
    for file in files(folder)? {
        match fs::remove_file(&file.path) {
            Ok(()) => gone += u64::from(!file.is_aside),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(gone)
}

/// Removes what was left behind, and, if there are more bytes than the bound, what was not asked for longest, until a
/// quarter of the bound is free. `newest` stays.
pub(crate) fn sweep(folder: &Path, bound: u64, newest: &Path) -> io::Result<()> {
    let now = SystemTime::now();
    let (aside, mut answers): (Vec<File>, Vec<File>) = files(folder)?.into_iter().partition(|file| file.is_aside);
    for file in aside.iter().filter(|file| now.duration_since(file.asked).is_ok_and(|age| age > LEFT)) {
        fs::remove_file(&file.path)?;
    }
    let mut bytes: u64 = answers.iter().map(|file| file.bytes).sum();
    if bytes <= bound {
        return Ok(());
    }
    answers.sort_by_key(|file| file.asked);
    for file in answers.iter().filter(|file| file.path != newest) {
        if bytes <= bound / 4 * 3 {
            break;
        }
        fs::remove_file(&file.path)?;
        bytes -= file.bytes;
    }
    Ok(())
}
