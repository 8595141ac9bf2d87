//! A data folder on disk: the compiler with its files, and the files with scenarios.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use netrep_compiler::Compiler;
use netrep_compiler::load::read_text;

use crate::problem::sorted;
use crate::scenario::{Parsed, parse};

/// The folders with scenarios, relative to the root.
pub const FOLDERS: [&str; 2] = ["tests/scenarios", "tests/games"];

/// How the name of the file begins that is replayed when nothing else is asked for; it is in the second of the folders.
const EXAMPLE: &str = "example";

/// A data folder.
pub struct Library {
    /// Its root.
    pub root: PathBuf,
    /// The compiler with its files.
    pub compiler: Compiler,
}

impl Library {
    /// Loads the data below a root.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn open(root: &Path) -> io::Result<Library> {
        let mut compiler = Compiler::new();
        compiler.load_dir(root)?;
        Ok(Library { root: root.to_owned(), compiler })
    }

    /// The nearest folder, from `start` upwards, that has rules and cards.
    pub fn find_root(start: &Path) -> Option<PathBuf> {
        start
            .ancestors()
            .find(|folder| folder.join("rules").is_dir() && folder.join("cards").is_dir())
            .map(Path::to_owned)
    }

    /// The text of a file of the data or of its tests; paths of diagnostics are relative to the root.
    pub fn text(&self, path: &str) -> Option<String> {
        self.compiler.text(path).map(|text| text.to_string()).or_else(|| read_text(&self.root.join(path)).ok())
    }

    /// The scenarios of files and folders; of the folders for tests if no path is given. With `position`, positions
    /// without expectations count too.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn scenarios(&self, paths: &[PathBuf], position: bool) -> io::Result<Parsed> {
        let mut parsed = Parsed::default();
        for (file, text) in self.scenario_files(paths)? {
            let found = parse(&file, &text, position);
            parsed.scenarios.extend(found.scenarios);
            parsed.diags.extend(found.diags);
        }
        parsed.diags = sorted(parsed.diags);
        Ok(parsed)
    }

    /// The files that may hold scenarios: of these files and folders, or of the folders for tests if no path is given.
    /// Each with its path as diagnostics show it, and its text.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn scenario_files(&self, paths: &[PathBuf]) -> io::Result<Vec<(String, String)>> {
        let mut files = Vec::new();
        if paths.is_empty() {
            for folder in FOLDERS.map(|folder| self.root.join(folder)) {
                if folder.is_dir() {
                    walk(&folder, &mut files)?;
                }
            }
        }
        for path in paths {
            // A path is relative to where the user stands, or else to the root.
            let path = if path.exists() { path.clone() } else { self.root.join(path) };
            if path.is_dir() { walk(&path, &mut files)? } else { files.push(path) }
        }
        files.into_iter().map(|file| Ok((self.relative(&file), read_text(&file)?))).collect()
    }

    /// The file with the example game.
    pub fn example(&self) -> Option<PathBuf> {
        let entries = fs::read_dir(self.root.join(FOLDERS[1])).ok()?.flatten().map(|entry| entry.path());
        let is_it = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(EXAMPLE));
        entries.filter(is_it).min()
    }

    /// A path as diagnostics show it.
    fn relative(&self, file: &Path) -> String {
        let whole = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let file = whole(file);
        let short = file.strip_prefix(whole(&self.root)).unwrap_or(&file);
        short.to_string_lossy().replace('\\', "/")
    }
}

/// The Markdown files below a folder, sorted.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
    Ok(())
}
