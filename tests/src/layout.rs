//! Every Rust file of the tests is part of its program: one that no `mod` names would never run. And every example in the
//! documentation of a crate is: where they are not run, none is a program. Nor would a test that stands in a library.

use std::fs;
use std::path::Path;

use crate::support::crates::{CRATES, each_rust_file};
use crate::support::data::root;

#[test]
fn every_file_of_tests_is_in_its_program() {
    let mut lost = Vec::new();
    for folder in [
        "tests/src",
        "grammar/tests",
        "interpreter/cli/tests",
        "interpreter/compiler/tests",
        "interpreter/diagnostics/tests",
        "interpreter/engine/tests",
        "interpreter/lab/tests",
        "interpreter/netrep/tests",
    ] {
        modules(&root().join(folder), "main.rs", &mut lost);
    }
    assert!(lost.is_empty(), "no `mod` names {lost:?}");
}

/// Adds the files of a folder that the module in it does not name.
fn modules(folder: &Path, named_in: &str, lost: &mut Vec<String>) {
    let text = fs::read_to_string(folder.join(named_in)).expect("the file that names the others");
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let is_module = entry.join("mod.rs").is_file();
        let is_file = entry.extension().is_some_and(|ending| ending == "rs") && !entry.ends_with(named_in);
        if (is_file || is_module)
            && !text.lines().any(|line| line.trim_start_matches("pub(crate) ") == format!("mod {name};"))
        {
            lost.push(entry.display().to_string());
        }
        if is_module {
            modules(&entry, "mod.rs", lost);
        }
    }
}

#[test]
fn where_examples_are_not_run_none_is_a_program() {
    let mut unrun = Vec::new();
    for krate in [
        "grammar",
        "interpreter/diagnostics",
        "interpreter/ir",
        "interpreter/engine",
        "interpreter/lab",
        "interpreter/cli",
    ] {
        let manifest = fs::read_to_string(root().join(krate).join("Cargo.toml")).expect("a manifest");
        assert!(manifest.contains("doctest = false"), "{krate} runs its examples: leave it out here");
        each_rust_file(&root().join(krate).join("src"), &mut |path, text| {
            let fences = text.lines().filter_map(|line| {
                let line = line.trim_start();
                line.strip_prefix("//! ```").or_else(|| line.strip_prefix("/// ```"))
            });
            // The second fence of two closes what the first has opened.
            if fences.step_by(2).any(|language| !matches!(language, "text" | "json" | "netrep")) {
                unrun.push(path.display().to_string());
            }
        });
    }
    assert!(unrun.is_empty(), "an example of these is never run: {unrun:?}");
}

/// A library with tests would be compiled a second time for them, so none is compiled with its tests.
#[test]
fn no_test_stands_in_a_library() {
    let mut unrun = Vec::new();
    for krate in CRATES {
        let manifest = fs::read_to_string(root().join(krate).join("Cargo.toml")).expect("a manifest");
        let library = manifest.split("\n[").find_map(|part| part.strip_prefix("lib]\n"));
        assert!(
            library.is_some_and(|said| said.lines().any(|line| line == "test = false")),
            "{krate} is compiled twice"
        );
        each_rust_file(&root().join(krate).join("src"), &mut |path, text| {
            if text.contains("#[test]") || text.contains("cfg(test)") {
                unrun.push(path.display().to_string());
            }
        });
    }
    assert!(unrun.is_empty(), "tests belong into the `tests/` of a crate; these would never run: {unrun:?}");
}
