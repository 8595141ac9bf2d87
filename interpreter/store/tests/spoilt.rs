//! Files that are not as they were written.

use std::fs;
use std::path::Path;

use netrep_store::Store;
use xxhash_rust::xxh3::xxh3_64;

use super::{Folder, answer, bright, question};

/// A number that follows from a seed and a place in a row.
fn seeded(seed: u64, nth: u64) -> u64 {
    xxh3_64(&[seed.to_le_bytes(), nth.to_le_bytes()].concat())
}

/// What the store gives for a file of these bytes.
fn given(store: &Store, file: &Path, bytes: &[u8]) -> Option<Vec<String>> {
    fs::write(file, bytes).unwrap();
    answer(store, "tall")
}

#[test]
fn a_file_with_another_byte_anywhere_is_no_answer() {
    let folder = Folder::new();
    let store = folder.store();
    store.keep(&question("tall"), &bright("tall", 5));
    let file = folder.file();
    let whole = fs::read(&file).unwrap();
    for at in 0..whole.len() {
        for turned in [1, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= turned;
            assert_eq!(given(&store, &file, &bytes), None, "byte {at}");
        }
    }
    assert_eq!(given(&store, &file, &whole), Some(bright("tall", 5)), "the file itself is one");
}

#[test]
fn a_file_that_is_cut_short_or_goes_on_is_no_answer() {
    let folder = Folder::new();
    let store = folder.store();
    store.keep(&question("tall"), &bright("tall", 5));
    let file = folder.file();
    let whole = fs::read(&file).unwrap();
    for length in 0..whole.len() {
        assert_eq!(given(&store, &file, &whole[..length]), None, "{length} bytes");
    }
    for more in 1..40 {
        assert_eq!(given(&store, &file, &[&whole[..], &vec![0; more]].concat()), None, "{more} bytes more");
    }
    assert_eq!(given(&store, &file, &[&whole[..], &whole[..]].concat()), None);
}

/// A large answer, at bytes and lengths that follow from a seed; `NETREP_SPOILT` says how many (else 500).
#[test]
fn a_large_file_that_is_spoilt_is_no_answer() {
    let many = std::env::var("NETREP_SPOILT").ok().and_then(|many| many.parse().ok()).unwrap_or(500);
    let folder = Folder::new();
    let store = folder.store();
    store.keep(&question("tall"), &bright("tall", 20_000));
    let file = folder.file();
    let whole = fs::read(&file).unwrap();
    assert!(whole.len() > 100_000);
    for nth in 0..many {
        let at = usize::try_from(seeded(1, nth)).unwrap() % whole.len();
        let mut bytes = whole.clone();
        bytes[at] ^= u8::try_from(seeded(2, nth) % 255 + 1).unwrap();
        assert_eq!(given(&store, &file, &bytes), None, "byte {at}");
        let length = usize::try_from(seeded(3, nth)).unwrap() % whole.len();
        assert_eq!(given(&store, &file, &whole[..length]), None, "{length} bytes");
    }
    assert_eq!(given(&store, &file, &whole), Some(bright("tall", 20_000)));
}

/// What is spoilt is worked out again and kept in its place.
#[test]
fn a_spoilt_file_is_written_again() {
    let folder = Folder::new();
    let store = folder.store();
    store.keep(&question("tall"), &bright("tall", 5));
    let file = folder.file();
    assert_eq!(given(&store, &file, b"what is this"), None);
    store.keep(&question("tall"), &bright("tall", 5));
    assert_eq!(answer(&store, "tall"), Some(bright("tall", 5)));
    assert_eq!(folder.file(), file);
}
