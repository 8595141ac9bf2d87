//! Reads the table of forms (`grammar/forms/*.forms`) with its own pest grammar and writes it as plain data.

#[path = "build/read.rs"]
mod read;
#[path = "build/write.rs"]
mod write;

use std::path::{Path, PathBuf};
use std::{env, fs, process};

/// The folder of the table.
const TABLE: &str = "../../grammar/forms";

fn main() {
    if let Err(message) = made() {
        // The build ends here; cargo shows the message.
        println!("cargo::error={}", message.replace('\n', " "));
        process::exit(1);
    }
}

fn made() -> Result<(), String> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(|e| e.to_string())?);
    let folder = root.join(TABLE);
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .map_err(|e| format!("{}: {e}", folder.display()))?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "forms"))
        .collect();
    files.sort();
    let mut table = read::Table::default();
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        table.read(&text).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    let out = env::var("OUT_DIR").map_err(|e| e.to_string())?;
    let code = write::written(&table)?;
    fs::write(Path::new(&out).join("table.rs"), code).map_err(|e| e.to_string())
}
