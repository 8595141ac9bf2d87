//! What documents say of the repository: every path that one names is there.

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Folders in which nothing is documented.
const SKIPPED: [&str; 3] = ["target", "samples", "touchstones"];

/// Signs of what stands for a name, or for a file that the reader writes.
const EXAMPLES: [&str; 9] = ["mine", "draft", "NAME", "FILE", "PATH", "DIR", "<", "*", "…"];

fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if name.starts_with('.') || SKIPPED.contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            documents(&path, found);
        } else if ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].contains(&name.as_str()) {
            found.push(path);
        }
    }
}

/// What stands between grave accents outside of fences, and what links lead to.
fn named(text: &str) -> Vec<(String, bool)> {
    let outside: Vec<&str> = text.split("```").step_by(2).collect();
    let mut found = Vec::new();
    for part in outside {
        found.extend(part.split('`').skip(1).step_by(2).map(|name| (name.to_owned(), false)));
        let links = part.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let inside = links.filter(|link| !link.contains("://") && !link.starts_with('#'));
        found.extend(inside.map(|link| (link.split('#').next().unwrap_or_default().to_owned(), true)));
    }
    found
}

/// The folders from which a document may name something.
fn bases(document: &Path) -> Vec<PathBuf> {
    let folder = document.parent().unwrap().to_owned();
    let above = folder.parent().unwrap().to_owned();
    vec![folder.join("src"), folder, above, PathBuf::from(ROOT)]
}

/// Whether a text names a path: it looks like one, and its first part is there.
fn is_path(name: &str, bases: &[PathBuf]) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "._-/".contains(c);
    // `.rs` alone is a kind of file.
    let is_kind = name.starts_with('.') && !name.contains('/');
    if name.is_empty() || is_kind || !name.chars().all(plain) || EXAMPLES.iter().any(|sign| name.contains(sign)) {
        return false;
    }
    let file = [".rs", ".md", ".toml", ".pest", ".sh"].iter().any(|end| name.ends_with(end));
    let first = name.split('/').next().unwrap_or_default();
    let begins = name.contains('/') && bases.iter().any(|base| base.join(first).exists());
    file || begins
}

/// Whether a file of this name is somewhere below a folder.
fn is_below(folder: &Path, name: &str) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().map(|entry| entry.path()).any(|path| {
        let skipped = path.file_name().is_some_and(|own| own == "target");
        path.ends_with(name) || path.is_dir() && !skipped && is_below(&path, name)
    })
}

#[test]
fn every_path_that_a_document_names_is_there() {
    let mut all = Vec::new();
    documents(Path::new(ROOT), &mut all);
    assert!(all.len() > 10, "{all:?}");
    let mut checked = 0;
    let mut missing = Vec::new();
    for document in &all {
        let bases = bases(document);
        let folder = document.parent().unwrap();
        for (name, is_link) in named(&fs::read_to_string(document).unwrap()) {
            let name = name.trim_end_matches('/');
            // `.rs` alone is a kind of file.
            let is_kind = name.starts_with('.') && !name.contains('/');
            if name.is_empty() || is_kind || !is_link && !is_path(name, &bases) {
                continue;
            }
            checked += 1;
            // A module is named without its extension.
            let there = bases.iter().any(|base| base.join(name).exists() || base.join(format!("{name}.rs")).exists());
            // A table need not repeat the folder of its files.
            let told = || is_below(folder, name) || is_below(&Path::new(ROOT).join("interpreter"), name);
            if !there && (is_link || !told()) {
                missing.push(format!("{}: {name}", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(checked > 150, "only {checked} paths were found");
}

/// Every folder at the top, and every crate, says what lives in it.
#[test]
fn every_room_has_a_page() {
    let rooms = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let names = entries.filter(|path| path.is_dir());
        names.filter(|path| !path.ends_with("target") && !path.to_string_lossy().contains("/.")).collect::<Vec<_>>()
    };
    let root = Path::new(ROOT).canonicalize().unwrap();
    for room in rooms(&root).into_iter().chain(rooms(&root.join("interpreter"))) {
        let page = fs::read_to_string(room.join("README.md")).unwrap_or_default();
        assert!(page.lines().count() >= 4, "{} does not say what lives in it", room.display());
    }
}
