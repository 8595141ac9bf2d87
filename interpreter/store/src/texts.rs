//! A fingerprint of files and folders as they are on the disk: of what they are called, and of every byte in them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

/// So many files at most, and so many bytes: more are not looked at.
const FILES: usize = 20_000;
const BYTES: u64 = 128 * 1024 * 1024;

/// A fingerprint under way.
pub struct Texts {
    hasher: Xxh3,
    files: usize,
    bytes: u64,
}

impl Default for Texts {
    fn default() -> Texts {
        Texts { hasher: Xxh3::new(), files: 0, bytes: 0 }
    }
}

impl Texts {
    /// The fingerprint of all that was added, in its order.
    pub fn print(&self) -> u128 {
        self.hasher.digest128()
    }

    /// Adds words.
    pub fn add(&mut self, text: &[u8]) {
        self.hasher.update(&(text.len() as u64).to_le_bytes());
        self.hasher.update(text);
    }

    /// Adds what a path leads to: a file, a folder with all that is in it, or that nothing is there. A link is followed if the
    /// path itself is one, and else only noted: it is not what it leads to that is told of then.
    ///
    /// # Errors
    /// If it cannot be read, or is too much.
    pub fn add_path(&mut self, path: &Path) -> io::Result<()> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => self.add_folder(path),
            Ok(found) if found.is_file() => self.add_file(path),
            Ok(_) => Err(io::Error::from(io::ErrorKind::InvalidInput)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.add(b"nothing");
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Adds the names in a folder, each with whether it is a folder, a file or a link.
    ///
    /// # Errors
    /// If it cannot be listed.
    pub fn add_names(&mut self, folder: &Path) -> io::Result<()> {
        for (path, kind) in listed(folder)? {
            self.add_name(&path, kind);
        }
        Ok(())
    }

    fn add_name(&mut self, path: &Path, kind: fs::FileType) {
        if let Some(name) = path.file_name() {
            self.add(name.as_encoded_bytes());
        }
        self.add(&[u8::from(kind.is_dir()), u8::from(kind.is_file()), u8::from(kind.is_symlink())]);
    }

    fn add_folder(&mut self, folder: &Path) -> io::Result<()> {
        let mut waiting = vec![folder.to_owned()];
        while let Some(folder) = waiting.pop() {
            self.add(b"folder");
            for (path, kind) in listed(&folder)? {
                self.add_name(&path, kind);
                if kind.is_dir() {
                    waiting.push(path);
                } else if kind.is_file() {
                    self.add_file(&path)?;
                }
            }
        }
        Ok(())
    }

    fn add_file(&mut self, path: &Path) -> io::Result<()> {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(fs::metadata(path)?.len());
        if self.files > FILES || self.bytes > BYTES {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        let bytes = fs::read(path)?;
        self.add(&bytes);
        Ok(())
    }
}

/// What is in a folder, sorted by name.
fn listed(folder: &Path) -> io::Result<Vec<(PathBuf, fs::FileType)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        found.push((entry.path(), entry.file_type()?));
        if found.len() > FILES {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(found)
}
