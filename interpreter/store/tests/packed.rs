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

/// How many answers of a file of these bytes had to be worked out; they are what they are.
fn missing(folder: &Folder, bytes: &[u8]) -> usize {
    fs::write(folder.file(), bytes).unwrap();
    let known = pack(folder);
    let worked_out = (1..6).filter(|lamp| {
        let (found, worked_out) = asked(&known, *lamp);
        assert_eq!(found, bright("lamp", usize::try_from(*lamp).unwrap()));
        worked_out
    });
    let worked_out = worked_out.count();
    std::mem::forget(known);
    worked_out
}

/// What is sealed is needed for all; behind that a byte is one of one answer.
#[test]
fn an_answer_that_is_spoilt_is_none() {
    let folder = Folder::new();
    let first = pack(&folder);
    (1..6).for_each(|lamp| _ = asked(&first, lamp));
    drop(first);
    let whole = fs::read(folder.file()).unwrap();
    let spoilt = |at: usize, turned: u8| {
        let mut bytes = whole.clone();
        bytes[at] ^= turned;
        missing(&folder, &bytes)
    };
    assert_eq!(missing(&folder, &whole), 0);
    let all: Vec<usize> = (0..whole.len()).map(|at| spoilt(at, 0x55)).collect();
    let sealed = all.iter().take_while(|missing| **missing == 5).count();
    assert!(all[sealed..].iter().all(|missing| *missing == 1), "{all:?}");
    let answers: usize = (1..6).map(|lamp| postcard::to_stdvec(&bright("lamp", lamp)).unwrap().len()).sum();
    assert_eq!(all.len() - sealed, answers);
    for at in 0..whole.len() {
        assert!(spoilt(at, 1) > 0 && spoilt(at, 0xff) > 0, "byte {at}");
        assert!(missing(&folder, &whole[..at]) > 0, "{at} bytes");
    }
}

/// What is spoilt is left out when the file is written again, and the others stay.
#[test]
fn what_is_spoilt_is_written_again() {
    let folder = Folder::new();
    let first = pack(&folder);
    (1..6).for_each(|lamp| _ = asked(&first, lamp));
    drop(first);
    let mut bytes = fs::read(folder.file()).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(folder.file(), &bytes).unwrap();
    let second = pack(&folder);
    assert_eq!(asked(&second, 5), (bright("lamp", 5), true));
    drop(second);
    let whole = fs::read(folder.file()).unwrap();
    assert_eq!(missing(&folder, &whole), 0);
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
