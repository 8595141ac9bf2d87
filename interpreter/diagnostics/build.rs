//! Lists the pages, so that the Rust compiler can hold them against the codes.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=pages");
    println!("cargo::rerun-if-changed=build.rs");
    let mut names = Vec::new();
    for entry in fs::read_dir("pages")? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        // Anything that is no page is listed whole, and so found to be without a code.
        names.push(file.strip_suffix(".md").unwrap_or(&file).to_owned());
    }
    names.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    fs::write(out.join("folder.rs"), format!("const FOLDER: &[&str] = &{names:?};\n"))
}
