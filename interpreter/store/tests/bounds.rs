//! How much is kept, and what goes.

use std::fs;
use std::time::{Duration, SystemTime};

use super::{Folder, answer, bright, question};

#[test]
fn what_was_not_asked_for_longest_goes_first() {
    let folder = Folder::new();
    let probe = folder.store();
    probe.keep(&question("lamp 0"), &bright("lamp 0", 40));
    let one = fs::metadata(folder.file()).unwrap().len();
    probe.clear().unwrap();
    let store = folder.store().bounded(one * 4 + one / 2);
    let long_ago = |nth: u64| SystemTime::now() - Duration::from_secs(1_000 - nth);
    for nth in 0..4 {
        let before = folder.files();
        let about = format!("lamp {nth}");
        store.keep(&question(&about), &bright(&about, 40));
        let new = folder.files().into_iter().find(|file| !before.contains(file)).unwrap();
        fs::File::options().write(true).open(new).unwrap().set_modified(long_ago(nth)).unwrap();
    }
    assert!(answer(&store, "lamp 0").is_some(), "asked for once more");
    store.keep(&question("lamp 4"), &bright("lamp 4", 40));
    let left: Vec<bool> = (0..5).map(|nth| answer(&store, &format!("lamp {nth}")).is_some()).collect();
    assert_eq!(left, [true, false, false, true, true]);
}

#[test]
fn what_is_too_large_is_not_kept() {
    let folder = Folder::new();
    let store = folder.store().bounded(1_000);
    store.keep(&question("small"), &bright("small", 2));
    store.keep(&question("tall"), &bright("tall", 1_000));
    assert_eq!(answer(&store, "tall"), None);
    assert_eq!(answer(&store, "small"), Some(bright("small", 2)));
}

/// A file that the store did not write stays, whatever is asked; what a process left that died goes after an hour.
#[test]
fn only_its_own_files_are_removed() {
    let folder = Folder::new();
    let store = folder.store().bounded(3_000);
    let foreign = ["notes.txt", "lamp-1.answer", "lamp.answer", "writing", "lamp-zz.1-2.writing"];
    for name in foreign {
        fs::write(folder.0.join(name), vec![b'x'; 2_000]).unwrap();
    }
    store.keep(&question("tall"), &bright("tall", 20));
    let own = folder.files().into_iter().find(|file| !foreign.iter().any(|name| file.ends_with(name))).unwrap();
    let [old, new] = ["7-0", "8-0"].map(|who| own.with_extension(format!("{who}.writing")));
    fs::write(&new, "half").unwrap();
    fs::write(&old, "half").unwrap();
    let yesterday = SystemTime::now() - Duration::from_secs(24 * 60 * 60);
    fs::File::options().write(true).open(&old).unwrap().set_modified(yesterday).unwrap();
    store.keep(&question("small"), &bright("small", 20));
    assert!(!old.exists() && new.exists());
    assert_eq!(store.contents().unwrap().all().entries, 2);
    assert_eq!(store.clear().unwrap(), 2);
    let mut left: Vec<String> =
        folder.files().iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect();
    left.sort();
    let mut expected = foreign.to_vec();
    expected.sort_unstable();
    assert_eq!(left, expected);
}
