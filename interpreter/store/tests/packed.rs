//! Many answers in one file.

use std::fs;

use netrep_store::{Pack, Question};

use super::{Folder, bright};

fn pack(folder: &Folder) -> Pack {
    Pack::open(folder.store(), Question::of("lamps", &"here").unwrap())
}

/// How bright a lamp is, and whether that had to be worked out.
fn asked(pack: &Pack, lamp: u128) -> (Vec<String>, bool) {
    let mut worked_out = false;
    let found = pack.or_else(lamp, || {
        worked_out = true;
        bright("lamp", usize::try_from(lamp).unwrap())
    });
    (found, worked_out)
}

#[test]
fn what_is_worked_out_is_given_to_the_next_who_opens_it() {
    let folder = Folder::new();
    let first = pack(&folder);
    assert_eq!(asked(&first, 3), (bright("lamp", 3), true));
    assert_eq!(folder.files().len(), 0, "it is written when nobody needs it any more");
    drop(first);
    let second = pack(&folder);
    assert_eq!(asked(&second, 3), (bright("lamp", 3), false));
    assert_eq!(asked(&second, 4), (bright("lamp", 4), true));
    drop(second);
    let written = fs::read(folder.file()).unwrap();
    let third = pack(&folder);
    assert_eq!([3, 4].map(|lamp| asked(&third, lamp)), [3, 4].map(|n| (bright("lamp", n as usize), false)));
    assert_eq!(third.or_else::<Option<u8>>(5, || None), None, "nothing is an answer, too");
    drop(third);
    assert!(folder.files().iter().any(|file| fs::read(file).unwrap() == written), "what is small is written beside it");
    assert_eq!(folder.files().len(), 2);
}

#[test]
fn what_nobody_asks_for_while_others_are_added_goes() {
    let folder = Folder::new();
    drop([1, 2].map(|lamp| asked(&pack(&folder), lamp)));
    let is_there = |lamp| {
        let known = pack(&folder);
        let (_, worked_out) = asked(&known, lamp);
        std::mem::forget(known);
        !worked_out
    };
    assert!(is_there(1) && is_there(2));
    // Who adds asks for the second one, and never for the first.
    let went = (10..30).find(|new| {
        let adding = pack(&folder);
        asked(&adding, 2);
        asked(&adding, *new);
        drop(adding);
        assert!(is_there(2), "{new}");
        !is_there(1)
    });
    assert_eq!(went, Some(12), "with the second one, the fourth time that it was written without a question for it");
}

#[test]
fn a_file_that_is_spoilt_holds_nothing() {
    let folder = Folder::new();
    drop((1..6).map(|lamp| asked(&pack(&folder), lamp)).collect::<Vec<_>>());
    let file = folder.file();
    let whole = fs::read(&file).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        fs::write(&file, &bytes).unwrap();
        let spoilt = pack(&folder);
        assert_eq!(asked(&spoilt, 3), (bright("lamp", 3), true), "byte {at}");
        std::mem::forget(spoilt);
    }
}

/// An answer of another shape than the one that is asked for is none.
#[test]
fn an_answer_that_cannot_be_read_as_what_is_asked_for_is_worked_out() {
    let folder = Folder::new();
    assert_eq!(pack(&folder).or_else(1, || 300_u16), 300);
    let known = pack(&folder);
    assert_eq!(known.or_else(1, || vec!["a".to_owned()]), ["a"]);
}

/// A little that is added to much is written beside it, and the much is not written again until the little has become too much.
#[test]
fn what_is_added_is_written_aside() {
    let folder = Folder::new();
    let much = pack(&folder);
    (0..100).for_each(|lamp| drop(asked(&much, lamp)));
    drop(much);
    let file = folder.file();
    let whole = fs::read(&file).unwrap();
    let mut aside = 0;
    for lamp in 100..200 {
        let adding = pack(&folder);
        let known: Vec<bool> = (0..lamp).map(|lamp| asked(&adding, lamp).1).collect();
        assert!(!known.contains(&true), "before {lamp}: all that was added is known");
        assert_eq!(asked(&adding, lamp), (bright("lamp", usize::try_from(lamp).unwrap()), true));
        drop(adding);
        if fs::read(&file).unwrap() != whole {
            break;
        }
        assert_eq!(folder.files().len(), 2, "{lamp}");
        aside += 1;
    }
    assert!((5..30).contains(&aside), "{aside} were written aside");
    assert_eq!(folder.files().len(), 1, "it is all in one file again");
    let all = pack(&folder);
    assert!((0..=100 + aside).all(|lamp| !asked(&all, lamp).1));
}
