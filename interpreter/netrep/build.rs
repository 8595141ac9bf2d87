//! Lists the data of the repository, so that it is built into the crate: for each file its path from the root, and its
//! text. The list is sorted and names no folder of the machine on which it is made.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The root of the repository, from the folder of this crate.
const ROOT: &str = "../..";

/// What belongs to the data: folders, or single files.
const DATA: [&str; 3] = ["cards", "rules", "decks"];

/// What shows it: positions and games.
const TESTS: [&str; 3] = ["tests/scenarios", "tests/games", "tests/exemptions.md"];

/// The kinds of file that are read.
const EXTENSIONS: [&str; 9] = ["words", "rules", "patterns", "cards", "rulings", "editions", "variants", "md", "txt"];

fn main() -> io::Result<()> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?).join("built_in.rs");
    let mut file = io::BufWriter::new(fs::File::create(out)?);
    list(&mut file, "DATA", "The rules, cards, decks and tables", &DATA)?;
    list(&mut file, "TESTS", "Scenarios, games, and what is exempt from ablation", &TESTS)?;
    file.flush()
}

fn list(out: &mut impl Write, name: &str, what: &str, of: &[&str]) -> io::Result<()> {
    let mut found = Vec::new();
    for path in of {
        println!("cargo::rerun-if-changed={ROOT}/{path}");
        collect(&Path::new(ROOT).join(path), path, &mut found)?;
    }
    found.sort();
    writeln!(out, "/// {what}: for each file its path from the root, and its text.")?;
    writeln!(out, "pub static {name}: &[(&str, &str)] = &[")?;
    for path in found {
        writeln!(
            out,
            "    ({path:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))),",
            format!("/{ROOT}/{path}")
        )?;
    }
    writeln!(out, "];")
}

fn collect(at: &Path, path: &str, found: &mut Vec<String>) -> io::Result<()> {
    if !at.is_dir() {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        if EXTENSIONS.contains(&extension) {
            found.push(path.to_owned());
        }
        return Ok(());
    }
    for entry in fs::read_dir(at)? {
        let entry = entry?;
        let name = entry.file_name();
        // What an editor leaves lying around is no data.
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        collect(&entry.path(), &format!("{path}/{name}"), found)?;
    }
    Ok(())
}
