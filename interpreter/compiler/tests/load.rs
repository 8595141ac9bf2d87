//! Reading a data folder: what is read of it, what is not and is named, and in which encoding a text is.

use std::fs;

use netrep_compiler::load::{encoding, read_folder, read_text};
use netrep_ir::limits::FILE_BYTES;

/// A folder of its own that goes when the test ends.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("netrep-load-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("cards/deep")).unwrap();
        Folder(path)
    }

    fn with(&self, path: &str, bytes: &[u8]) {
        fs::write(self.0.join(path), bytes).unwrap();
    }

    /// The paths that are read, those that are not, and the messages.
    fn read(&self) -> (Vec<String>, Vec<String>, Vec<String>) {
        let found = read_folder(&self.0).unwrap();
        let files = found.files.into_iter().map(|(path, _)| path).collect();
        (files, found.others, found.wrong.into_iter().map(|diag| diag.message).collect())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn an_empty_folder_is_an_error() {
    let folder = Folder::new("empty");
    assert_eq!(folder.read(), (vec![], vec![], vec!["there is nothing to read".to_owned()]));
}

#[test]
fn what_is_not_read_is_named() {
    let folder = Folder::new("names");
    for path in ["cards/a.cards", "cards/deep/b.words", "cards/README.md", "cards/table.png", "cards/.keep"] {
        folder.with(path, b"");
    }
    let read = ["cards/a.cards", "cards/deep/b.words"].map(str::to_owned).to_vec();
    let others = ["cards/README.md", "cards/table.png"].map(str::to_owned).to_vec();
    assert_eq!(folder.read(), (read.clone(), others, vec![]));
    // Each of these was meant to be read.
    for (path, text) in [
        ("cards/c.card", ""),
        ("cards/c.Cards", ""),
        ("cards/c.ruling", ""),
        ("cards/c.word", ""),
        ("cards/c.edition", ""),
        ("cards/.c.cards", ""),
        ("cards/c.txt", "card A-1 \"Lamp\" { }"),
        ("c.cards", ""),
    ] {
        folder.with(path, text.as_bytes());
        let (files, others, wrong) = folder.read();
        assert_eq!((files, wrong.len()), (read.clone(), 1), "{path}");
        assert!(others.contains(&path.to_owned()) && wrong[0].starts_with(path), "{path}: {wrong:?}");
        fs::remove_file(folder.0.join(path)).unwrap();
    }
    fs::create_dir(folder.0.join("rulse")).unwrap();
    assert_eq!(folder.read().2.len(), 1);
}

#[test]
fn other_encodings_are_named() {
    let folder = Folder::new("encodings");
    let utf_16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for (bytes, name, is_read) in [
        (b"card A-1 \"L\xf3rien\" { }".to_vec(), "Latin-1", true),
        (b"card A-1 \"L\x93rien\" { }".to_vec(), "Windows-1252", true),
        (utf_16("card A-1 \"Lamp\" { }"), "UTF-16", false),
        (utf_16("\u{feff}card A-1 \"Lamp\" { }"), "UTF-16", false),
    ] {
        folder.with("cards/a.cards", &bytes);
        let (files, others, wrong) = folder.read();
        assert!(wrong[0].contains(name), "{wrong:?}");
        assert_eq!((files.len(), others.len()), (usize::from(is_read), usize::from(!is_read)));
        assert!(read_text(&folder.0.join("cards/a.cards")).unwrap_err().to_string().contains(name));
    }
}

#[test]
fn what_is_too_large_is_named_and_not_held() {
    let folder = Folder::new("large");
    folder.with("cards/a.cards", &vec![b' '; FILE_BYTES + 1]);
    folder.with("cards/b.cards", b" ");
    let (files, _, wrong) = folder.read();
    assert_eq!(files, ["cards/b.cards"]);
    assert!(wrong[0].contains("larger than"), "{wrong:?}");
}

#[cfg(unix)]
#[test]
fn links_are_named_and_not_followed() {
    let folder = Folder::new("links");
    folder.with("cards/b.cards", b" ");
    std::os::unix::fs::symlink("/etc/hostname", folder.0.join("cards/a.cards")).unwrap();
    std::os::unix::fs::symlink("..", folder.0.join("cards/up")).unwrap();
    std::os::unix::fs::symlink("cards", folder.0.join("rules")).unwrap();
    let (files, others, wrong) = folder.read();
    assert_eq!((files.len(), others.len(), wrong.len()), (1, 3, 3), "{wrong:?}");
}

#[test]
fn what_is_utf_8_has_no_other_encoding() {
    for text in ["", "a", "é“", "\u{FEFF}card", "\u{0}", "a\u{0}b"] {
        assert_eq!(encoding(text.as_bytes()), None, "{text:?}");
    }
}

#[test]
fn a_text_that_is_cut_within_a_letter_has_its_place() {
    assert_eq!(encoding("ab\u{e9}".as_bytes().get(..3).unwrap()).map(|found| found.at), Some(2));
}
