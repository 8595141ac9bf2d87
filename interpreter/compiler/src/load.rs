//! Reading a data folder: the files of the language under `rules/` and `cards/`.

use std::fs;
use std::io;
use std::path::Path;

/// The folders of the data, in the order of declaration.
pub const FOLDERS: [&str; 2] = ["cards", "rules"];
/// The extensions of files in the language.
pub const EXTENSIONS: [&str; 5] = ["words", "rules", "cards", "rulings", "editions"];

/// A file of the data: path relative to the root with forward slashes, and text.
pub type Loaded = (String, String);

/// Reads all files of the data below a root, sorted by path. Folders that do not exist are empty.
pub fn read_folder(root: &Path) -> io::Result<Vec<Loaded>> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        let path = root.join(folder);
        if path.is_dir() {
            walk(&path, folder, &mut files)?;
        }
    }
    // Sorted as whole strings, so that the order is the same whatever the separators of the system are.
    files.sort();
    Ok(files)
}

fn walk(folder: &Path, relative: &str, files: &mut Vec<Loaded>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let path = entry.path();
        let relative = format!("{relative}/{name}");
        if path.is_dir() {
            walk(&path, &relative, files)?;
        } else if is_source(&relative) {
            files.push((relative, read_text(&path)?));
        }
    }
    Ok(())
}

/// Writes files below a root: a path and its text, or nothing for a file that goes. Every text is on the disk before
/// the first file is replaced, and all are in place before one is removed, so that no item is lost on the way.
pub fn write_files<'f>(root: &Path, files: impl IntoIterator<Item = (&'f str, Option<&'f str>)>) -> io::Result<()> {
    let named = |path: &Path, error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let (mut fresh, mut gone) = (Vec::new(), Vec::new());
    for (path, text) in files {
        let path = root.join(path);
        let Some(text) = text else {
            gone.push(path);
            continue;
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
        }
        let beside = path.with_extension("writing");
        fs::write(&beside, text).map_err(|error| named(&beside, error))?;
        fresh.push((beside, path));
    }
    for (beside, path) in fresh {
        fs::rename(&beside, &path).map_err(|error| named(&path, error))?;
    }
    gone.iter().try_for_each(|path| fs::remove_file(path).map_err(|error| named(path, error)))
}

/// The text of a file. Bytes that are no UTF-8 become U+FFFD, which is then reported where it stands, so that
/// one broken file hides no other.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = fs::read(path).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// True if a path names a file of the language, by its extension.
pub fn is_source(path: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_kept_as_a_sign() {
        let path = std::env::temp_dir().join(format!("netrep-load-{}.cards", std::process::id()));
        fs::write(&path, b"card A-1 \"L\xffmp\" { }").unwrap();
        let text = read_text(&path);
        fs::remove_file(&path).unwrap();
        assert_eq!(text.unwrap(), "card A-1 \"L\u{fffd}mp\" { }");
    }
}
