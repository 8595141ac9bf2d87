//! Reading a data folder: the files of the language under `rules/` and `cards/`, and what else lies there.
//!
//! All that is there is read or named. What was meant to be read and is not (a file whose name nearly ends as those of the
//! language do, text in another encoding, a link, what is larger than [`netrep_ir::limits`] allow) is an error.

use std::fs;
use std::io;
use std::path::Path;

use netrep_diagnostics::{Code, nearest};
use netrep_ir::Place;
use netrep_ir::limits::{DATA_BYTES, FILE_BYTES, FILES, FOLDERS_DEEP};

use crate::finding::Diagnostic;

mod encoding;

pub use encoding::{Encoding, encoding};

/// The folders of the data, in the order of declaration.
pub const FOLDERS: [&str; 2] = ["cards", "rules"];
/// The extensions of files in the language.
pub const EXTENSIONS: [&str; 7] = ["words", "rules", "patterns", "cards", "rulings", "editions", "variants"];

/// A file of the data: path relative to the root with forward slashes, and text.
pub type Loaded = (String, String);

/// What lies below a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// The files that are read, sorted by path.
    pub files: Vec<Loaded>,
    /// The paths of those that are not, sorted.
    pub others: Vec<String>,
    /// Why some of these should have been; also what is wrong with the encoding of one that is read.
    pub wrong: Vec<Diagnostic>,
    bytes: usize,
}

/// What is looked for in a folder.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How the names of the files end.
    pub extensions: &'static [&'static str],
    /// Other endings that are nearly so.
    pub mistaken: &'static [&'static str],
    /// What the files are, for messages.
    pub what: &'static str,
}

/// The files of the language.
pub const SOURCES: Wanted = Wanted { extensions: &EXTENSIONS, mistaken: &[], what: "files of the language" };

/// Reads all files of the data below a root. Folders that do not exist are empty.
///
/// # Errors
/// When a folder cannot be listed.
pub fn read_folder(root: &Path) -> io::Result<Inventory> {
    let mut inventory = Inventory::default();
    for folder in FOLDERS {
        inventory.add(root, folder, &SOURCES)?;
    }
    inventory.look_beside(root)?;
    if inventory.files.is_empty() {
        let help =
            format!("name the folder in which {} are with --root", FOLDERS.map(|f| format!("`{f}/`")).join(" and "));
        let found = if inventory.others.is_empty() { "nothing to read" } else { "no file that can be read" };
        inventory.wrong.push(Diagnostic::new(Code::NoData, Place::nowhere(), format!("there is {found}")).help(help));
    }
    Ok(inventory)
}

impl Inventory {
    /// Of files that are held in memory.
    pub fn held(files: Vec<Loaded>) -> Inventory {
        Inventory { files, ..Inventory::default() }
    }

    /// Reads what is wanted below a folder of a root, if it is there.
    ///
    /// # Errors
    /// When a folder cannot be listed.
    pub fn add(&mut self, root: &Path, folder: &str, wanted: &Wanted) -> io::Result<()> {
        let path = root.join(folder);
        if is_link(&path) {
            self.unread(folder, "it is a link, and links are not followed", "put the folder itself there");
        } else if path.is_dir() {
            self.walk(&path, folder, wanted, 0)?;
        }
        // Sorted as whole strings, so that the order is the same whatever the separators of the system are.
        self.files.sort();
        self.others.sort();
        self.wrong.sort();
        Ok(())
    }

    fn walk(&mut self, folder: &Path, relative: &str, wanted: &Wanted, depth: usize) -> io::Result<()> {
        if depth > FOLDERS_DEEP {
            let why = format!("folders lie more than {FOLDERS_DEEP} deep in each other");
            self.unread(relative, &why, "put it further up");
            return Ok(());
        }
        for entry in fs::read_dir(folder).map_err(|error| named(folder, &error))? {
            let entry = entry?;
            let path = entry.path();
            let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
                let lossy = entry.file_name().to_string_lossy().into_owned();
                self.unread(&format!("{relative}/{lossy}"), "its name is not UTF-8", "rename it");
                continue;
            };
            let relative = format!("{relative}/{name}");
            let kind = entry.file_type()?;
            let is_wanted = ends_with(&name, wanted.extensions);
            if self.files.len() + self.others.len() >= FILES {
                let why = format!("there are more than {FILES} files");
                self.unread(&relative, &why, "leave out what is not needed");
                return Ok(());
            }
            if name.starts_with('.') {
                // What editors and tools keep beside the files, unless it is called as one of them.
                if is_wanted {
                    self.unread(&relative, "its name begins with a full stop", "rename it, or remove it");
                }
            } else if kind.is_symlink() {
                self.unread(&relative, "it is a link, and links are not followed", "put what it leads to itself there");
            } else if kind.is_dir() {
                self.walk(&path, &relative, wanted, depth + 1)?;
            } else if is_wanted {
                self.read(&path, &relative);
            } else {
                self.pass_over(&path, &relative, wanted);
            }
        }
        Ok(())
    }

    /// Reads a file that is wanted.
    fn read(&mut self, path: &Path, relative: &str) {
        let bytes = match read_bytes(path) {
            Ok(bytes) if self.bytes + bytes.len() > DATA_BYTES => {
                let why = format!("with it the files are larger than {DATA_BYTES} bytes together");
                return self.unread(relative, &why, "leave out what is not needed");
            }
            Ok(bytes) => bytes,
            Err(error) => return self.unread(relative, &error.to_string(), "make it a plain file that can be read"),
        };
        self.bytes += bytes.len();
        let Some(found) = encoding(&bytes) else {
            self.files.push((relative.to_owned(), String::from_utf8_lossy(&bytes).into_owned()));
            return;
        };
        if found.holds_ascii {
            // What is not spoilt of it is there for other files; no item is taken that has a spoilt sign.
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let at = netrep_ir::limits::in_32_bits(found.at);
            let place = Place { file: relative.into(), start: at, end: at };
            self.files.push((relative.to_owned(), text));
            self.wrong.push(Diagnostic { place, ..unread(relative, &found.to_string(), "save it as UTF-8") });
        } else {
            self.unread(relative, &found.to_string(), "save it as UTF-8");
        }
    }

    /// Looks whether a file that is not wanted was meant to be.
    fn pass_over(&mut self, path: &Path, relative: &str, wanted: &Wanted) {
        // total: a name without a full stop ends as nothing does
        let extension = relative.rsplit_once('.').map(|(_, extension)| extension).unwrap_or_default();
        let meant = match nearest(extension, wanted.extensions.iter().copied()).into_iter().next() {
            Some(near) => Some(near),
            None if wanted.mistaken.contains(&extension.to_lowercase().as_str()) => {
                wanted.extensions.first().map(|first| (*first).to_owned())
            }
            None => None,
        };
        if let Some(meant) = meant {
            let why = format!("the names of {} end with `.{}`", wanted.what, wanted.extensions.join("`, `."));
            return self.unread(relative, &why, &format!("did you mean `.{meant}`?"));
        }
        let is_prose = extension.eq_ignore_ascii_case("md");
        if wanted.extensions == EXTENSIONS && !is_prose && holds_items(path) {
            let why =
                format!("it holds items, and the names of {} end with `.{}`", wanted.what, EXTENSIONS.join("`, `."));
            return self.unread(relative, &why, "rename it, or take the items out");
        }
        self.others.push(relative.to_owned());
    }

    /// What lies beside the folders of the data and was meant to be in them.
    fn look_beside(&mut self, root: &Path) -> io::Result<()> {
        let mut names: Vec<(String, bool)> = Vec::new();
        for entry in fs::read_dir(root).map_err(|error| named(root, &error))?.take(FILES) {
            let entry = entry?;
            names.extend(entry.file_name().to_str().map(|name| (name.to_owned(), entry.path().is_dir())));
        }
        names.sort();
        for (name, is_folder) in names {
            let near = nearest(&name, FOLDERS).into_iter().next().filter(|near| !root.join(near).is_dir());
            match (is_folder, near) {
                (true, Some(near)) => {
                    let why = format!("the data are in {}", FOLDERS.map(|f| format!("`{f}/`")).join(" and "));
                    self.unread(&name, &why, &format!("did you mean `{near}/`?"));
                }
                (false, _) if ends_with(&name, &EXTENSIONS) && !name.starts_with('.') => {
                    let why = format!("it lies beside {}", FOLDERS.map(|f| format!("`{f}/`")).join(" and "));
                    self.unread(&name, &why, "put it into one of them");
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn unread(&mut self, relative: &str, why: &str, mend: &str) {
        self.wrong.push(unread(relative, why, mend));
        self.others.push(relative.to_owned());
    }
}

fn unread(relative: &str, why: &str, mend: &str) -> Diagnostic {
    // There is nothing in the file to be shown, so that the message names it.
    let place = Place { file: relative.into(), start: 0, end: 0 };
    Diagnostic::new(Code::NotRead, place, format!("{relative} is not read: {why}")).help(mend)
}

fn ends_with(name: &str, extensions: &[&str]) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink())
}

/// True for a text with a whole item of the language.
fn holds_items(path: &Path) -> bool {
    // total: a file that cannot be read is told where it is read; it holds nothing
    let Ok(text) = read_text(path) else { return false };
    let is_item = |raw: &netrep_grammar::RawItem| {
        let part = text.get(raw.range.clone()).filter(|_| raw.head.is_some());
        part.is_some_and(|part| matches!(netrep_grammar::parse_item(part), (Some(_), errors) if errors.is_empty()))
    };
    netrep_grammar::split(&text).iter().any(is_item)
}

/// Writes files below a root: a path and its text, or nothing for a file that goes. Every text is on the disk before
/// the first file is replaced, and all are in place before one is removed, so that no item is lost on the way.
pub fn write_files<'f>(root: &Path, files: impl IntoIterator<Item = (&'f str, Option<&'f str>)>) -> io::Result<()> {
    let named = |path: &Path, error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let (mut fresh, mut gone) = (Vec::new(), Vec::new());
    for (path, text) in files {
        let path = root.join(path);
        let Some(text) = text else {
            gone.push(path);
            continue;
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
        }
        let beside = path.with_extension("writing");
        fs::write(&beside, text).map_err(|error| named(&beside, error))?;
        fresh.push((beside, path));
    }
    for (beside, path) in fresh {
        fs::rename(&beside, &path).map_err(|error| named(&path, error))?;
    }
    gone.iter().try_for_each(|path| fs::remove_file(path).map_err(|error| named(path, error)))
}

/// The text of a file.
///
/// # Errors
/// If it cannot be read, is larger than [`FILE_BYTES`], or is not UTF-8: then with the encoding that it seems to have.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read_bytes(path).map_err(|error| named(path, &error))?;
    match encoding(&bytes) {
        None => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Some(found) => {
            let error = io::Error::new(io::ErrorKind::InvalidData, format!("{found}; save it as UTF-8"));
            Err(named(path, &error))
        }
    }
}

/// The bytes of a file that is not too large. What is no file, such as a device, may have no end.
fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    use io::Read;
    let mut bytes = Vec::new();
    let most = FILE_BYTES as u64 + 1;
    fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    if bytes.len() > FILE_BYTES {
        let text = format!("it is larger than {FILE_BYTES} bytes, which is the most for a file");
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    Ok(bytes)
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// True if a path names a file of the language, by its extension.
pub fn is_source(path: &str) -> bool {
    ends_with(path, &EXTENSIONS)
}
