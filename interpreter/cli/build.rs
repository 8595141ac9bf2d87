//! A fingerprint of the program, without which it would take answers of another build for its own: of every source of its
//! crates, of the versions of all others, and of the compiler.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository, from the folder of this crate.
const ROOT: &str = "../..";

/// Where the crates of the program are: one, and a folder of them.
const GRAMMAR: &str = "grammar";
const CRATES: &str = "interpreter";

/// What of a crate is no part of the program.
const BESIDE: [&str; 3] = ["tests", "benches", "examples"];

fn main() -> io::Result<()> {
    let root = Path::new(ROOT);
    let mut crates: BTreeSet<PathBuf> = BTreeSet::from([root.join(GRAMMAR)]);
    for entry in fs::read_dir(root.join(CRATES))? {
        crates.insert(entry?.path());
    }
    let mut files = BTreeSet::from([root.join("Cargo.lock"), root.join("Cargo.toml")]);
    for path in crates {
        files.extend(if path.is_dir() { parts(&path)? } else { Vec::new() });
    }
    let mut hashers = [DefaultHasher::new(), DefaultHasher::new()];
    1_u8.hash(&mut hashers[1]);
    let mut add = |bytes: &[u8]| hashers.iter_mut().for_each(|hasher| bytes.hash(hasher));
    for path in files.iter().filter(|path| path.is_file()) {
        println!("cargo::rerun-if-changed={}", path.display());
        add(path.to_string_lossy().as_bytes());
        add(&fs::read(path)?);
    }
    for name in ["TARGET", "PROFILE", "OPT_LEVEL", "DEBUG", "CARGO_CFG_OVERFLOW_CHECKS", "CARGO_ENCODED_RUSTFLAGS"] {
        add(name.as_bytes());
        add(std::env::var_os(name).unwrap_or_default().as_encoded_bytes());
    }
    let rustc = std::env::var_os("RUSTC").ok_or(io::ErrorKind::NotFound)?;
    add(&Command::new(rustc).arg("-vV").output()?.stdout);
    let [one, other] = hashers.map(|hasher| hasher.finish());
    println!("cargo::rustc-env=NETREP_BUILD={one:016x}{other:016x}");
    Ok(())
}

/// The files of a crate that the program is made of. Each folder is named, too, so that a new file is noticed.
fn parts(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![path.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            match path.is_dir() {
                true if name.is_none_or(|name| !BESIDE.contains(&&*name)) => {
                    println!("cargo::rerun-if-changed={}", path.display());
                    waiting.push(path);
                }
                true => {}
                false => found.push(path),
            }
        }
    }
    Ok(found)
}
