//! The data of the repository as the tests read it.

use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use netrep_compiler::{Compiler, Diagnostic, Profile, load};
use netrep_ir::Program;
use netrep_lab::scenario::parse;
use netrep_lab::{Library, Scenario};

/// A file of the language: its path below the root, and its text.
pub(crate) type File = (String, String);

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// All files below `rules/` and `cards/`, sorted by path.
pub(crate) fn files() -> Vec<File> {
    load::read_folder(&root()).expect("the data can be read").files
}

/// The scenarios of a file, which is named from the root.
pub(crate) fn scenarios_in(path: &str) -> Vec<Arc<Scenario>> {
    let text = std::fs::read_to_string(root().join(path)).expect("a file of scenarios");
    let parsed = parse(path, &text, false);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    parsed.scenarios.into_iter().map(Arc::new).collect()
}

/// A compiler with these files, set one after the other.
pub(crate) fn compiler_of<'a>(files: impl IntoIterator<Item = &'a File>) -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_files(files.into_iter().map(|(path, text)| (path.as_str(), text.as_str())));
    compiler
}

/// A compiler with the data of the repository, of the test's own: nothing is compiled yet.
pub(crate) fn compiler() -> Compiler {
    compiler_of(&files())
}

/// The data of the repository, of the test's own: nothing is compiled yet.
pub(crate) fn own_library() -> Library {
    Library::open(&root()).expect("the data can be read")
}

/// The data of the repository, lent to a test: compiled and linked as far as those wanted it who had it before. As many are
/// made as tests have one at a time. What a test edits is put right when it gives them back.
pub(crate) struct Lent {
    library: Option<Library>,
    edited: bool,
}

/// Those that nobody has now.
static SHELF: Mutex<Vec<Library>> = Mutex::new(Vec::new());

/// See [`Lent`].
pub(crate) fn library() -> Lent {
    let kept = SHELF.lock().unwrap_or_else(PoisonError::into_inner).pop();
    Lent { library: Some(kept.unwrap_or_else(own_library)), edited: false }
}

impl Lent {
    /// For somebody who keeps it.
    pub(crate) fn taken(mut self) -> Library {
        self.library.take().expect("it is given back when it is dropped")
    }
}

impl Deref for Lent {
    type Target = Library;

    fn deref(&self) -> &Library {
        self.library.as_ref().expect("it is given back when it is dropped")
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Library {
        self.edited = true;
        self.library.as_mut().expect("it is given back when it is dropped")
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // What a failing test leaves behind is nobody else's.
        if std::thread::panicking() {
            return;
        }
        if let Some(library) = self.library.as_mut().filter(|_| self.edited) {
            library.compiler.take(load::read_folder(&root()).expect("the data can be read"));
        }
        SHELF.lock().unwrap_or_else(PoisonError::into_inner).extend(self.library.take());
    }
}

/// The program of a profile; there must be no error in the data.
pub(crate) fn program(compiler: &Compiler, profile: &Profile) -> Arc<Program> {
    let (program, diags) = compiler.link(profile);
    let wrong = errors(&diags);
    assert!(wrong.is_empty(), "the data does not compile: {wrong:#?}");
    program
}

/// The errors, without advice.
pub(crate) fn errors(diags: &[Diagnostic]) -> Vec<&Diagnostic> {
    diags.iter().filter(|diag| diag.is_error()).collect()
}

/// Of how many positions (decisions, scenarios) that are much alike one is looked at: so many, or as the variable `EVERY`
/// says (`EVERY=1`: all).
pub(crate) fn one_in(usual: usize) -> usize {
    std::env::var("EVERY").ok().and_then(|n| n.parse().ok()).filter(|n| *n > 0).unwrap_or(usual)
}
