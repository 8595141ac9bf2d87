//! The data of the repository as the tests read it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use netrep_compiler::{Compiler, Diagnostic, Profile, load};
use netrep_ir::Program;

/// A file of the language: its path below the root, and its text.
pub type File = (String, String);

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// All files below `rules/` and `cards/`, sorted by path.
pub fn files() -> Vec<File> {
    load::read_folder(&root()).expect("the data can be read")
}

/// A compiler with these files, set one after the other.
pub fn compiler_of<'a>(files: impl IntoIterator<Item = &'a File>) -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_files(files.into_iter().map(|(path, text)| (path.as_str(), text.as_str())));
    compiler
}

/// A compiler with the data of the repository.
pub fn compiler() -> Compiler {
    compiler_of(&files())
}

/// The program of a profile; there must be no error in the data.
pub fn program(compiler: &Compiler, profile: &Profile) -> Arc<Program> {
    let (program, diags) = compiler.link(profile);
    let wrong = errors(&diags);
    assert!(wrong.is_empty(), "the data does not compile: {wrong:#?}");
    program
}

/// The path of the file in which an item stands.
pub fn path_of(compiler: &Compiler, head: &str, key: &str) -> String {
    compiler.item(head, key).unwrap_or_else(|| panic!("there is no {head} {key}")).place.file
}

/// The errors, without advice.
pub fn errors(diags: &[Diagnostic]) -> Vec<&Diagnostic> {
    diags.iter().filter(|diag| diag.is_error()).collect()
}
