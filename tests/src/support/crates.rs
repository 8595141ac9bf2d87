//! The crates of the workspace as the tests read their Rust files.

use std::fs;
use std::path::Path;

/// The crates, by their folders.
pub(crate) const CRATES: [&str; 9] = [
    "grammar",
    "interpreter/cli",
    "interpreter/compiler",
    "interpreter/diagnostics",
    "interpreter/engine",
    "interpreter/ir",
    "interpreter/lab",
    "interpreter/netrep",
    "interpreter/store",
];

/// Shows each Rust file below a folder, with its text.
pub(crate) fn each_rust_file(folder: &Path, see: &mut impl FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            each_rust_file(&entry, see);
        } else if entry.extension().is_some_and(|ending| ending == "rs") {
            see(&entry, &fs::read_to_string(&entry).expect("a file"));
        }
    }
}
