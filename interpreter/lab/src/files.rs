//! The files of a library: those of a folder, or texts that are held in memory. Paths are relative to the root, with
//! forward slashes.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use netrep_compiler::load::{self, Inventory, Loaded, Wanted, read_text};

/// The files with scenarios, positions and decks.
const MARKDOWN: Wanted = Wanted {
    extensions: &["md"],
    mistaken: &["markdown", "mdown", "mkd", "deck", "decks", "scenario", "scenarios", "position", "positions", "game"],
    what: "files with scenarios, positions and decks",
};

/// Where the files of a library are.
#[derive(Clone, Debug)]
pub enum Files {
    /// Below a folder.
    Folder(PathBuf),
    /// In memory, by path.
    Held(Arc<BTreeMap<String, String>>),
}

impl Files {
    /// The folder, if there is one.
    pub(crate) fn root(&self) -> Option<&Path> {
        match self {
            Files::Folder(root) => Some(root),
            Files::Held(_) => None,
        }
    }

    /// The text of a file; `None` if it is not there.
    pub fn text(&self, path: &str) -> Option<String> {
        match self {
            Files::Folder(root) => read_text(&root.join(path)).ok(),
            Files::Held(texts) => texts.get(path).cloned(),
        }
    }

    /// The files of the language, sorted by path.
    pub(crate) fn sources(&self) -> io::Result<Inventory> {
        match self {
            Files::Folder(root) => load::read_folder(root),
            Files::Held(texts) => Ok(Inventory::held(sources_of(texts))),
        }
    }

    /// The Markdown files below a folder of the library, sorted by path; none if it is not there.
    pub(crate) fn markdown(&self, folder: &str) -> io::Result<Inventory> {
        match self {
            Files::Folder(root) => {
                let mut found = Inventory::default();
                found.add(root, folder, &MARKDOWN)?;
                Ok(found)
            }
            Files::Held(texts) => {
                let is_below = |path: &str| {
                    let rest = path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
                    rest.is_some_and(|rest| rest.ends_with(".md"))
                };
                let found = texts.iter().filter(|(path, _)| is_below(path));
                let files = found.map(|(path, text)| (path.clone(), text.clone())).collect();
                Ok(Inventory::held(files))
            }
        }
    }

    /// The Markdown files that a user names: a file or folder where he stands, else one of the library.
    pub(crate) fn named(&self, path: &Path) -> io::Result<Vec<Loaded>> {
        let inside = self.root().map(|root| root.join(path)).filter(|_| !path.exists());
        match (inside, self) {
            (None, Files::Held(_)) if !path.exists() => {
                let name = path.to_string_lossy().replace('\\', "/");
                match self.text(&name) {
                    Some(text) => Ok(vec![(name, text)]),
                    None => match self.markdown(name.trim_end_matches('/'))?.files {
                        found if found.is_empty() => {
                            Err(io::Error::new(io::ErrorKind::NotFound, format!("{name}: there is no such file")))
                        }
                        found => Ok(found),
                    },
                }
            }
            (inside, _) => {
                let path = match inside {
                    Some(inside) => inside,
                    None => path.to_owned(),
                };
                if !path.is_dir() {
                    return Ok(vec![(self.relative(&path), read_text(&path)?)]);
                }
                let mut found = Inventory::default();
                found.add(&path, ".", &MARKDOWN)?;
                if let Some(first) = found.wrong.first() {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, first.message.clone()));
                }
                Ok(found.files.into_iter().map(|(file, text)| (self.relative(&path.join(file)), text)).collect())
            }
        }
    }

    /// A path as diagnostics show it.
    fn relative(&self, file: &Path) -> String {
        // total: a path that is not there is told as it was said.
        let whole = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let file = whole(file);
        let short = match self.root().and_then(|root| file.strip_prefix(whole(root)).ok()) {
            Some(inside) => inside,
            None => &file,
        };
        short.to_string_lossy().replace('\\', "/")
    }
}

/// The files of the language among texts that are held, sorted by path.
pub(crate) fn sources_of(texts: &BTreeMap<String, String>) -> Vec<Loaded> {
    let is_source = |path: &str| {
        let is_inside = path.split_once('/').is_some_and(|(folder, _)| load::FOLDERS.contains(&folder));
        is_inside && load::is_source(path)
    };
    let found = texts.iter().filter(|(path, _)| is_source(path));
    found.map(|(path, text)| (path.clone(), text.clone())).collect()
}
