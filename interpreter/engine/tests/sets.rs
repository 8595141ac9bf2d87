//! Sets of things, whatever their width.

use netrep_engine::{Set, ThingId};

#[test]
fn algebra() {
    let mut a = Set::empty(2);
    for i in [0u16, 5, 63, 64, 100] {
        a.insert(ThingId(i));
    }
    assert_eq!(a.iter().map(|t| t.0).collect::<Vec<_>>(), [0, 5, 63, 64, 100]);
    assert_eq!(a.len(), 5);
    let low = Set::first_n(64, 2);
    assert_eq!(a.and(low.words()).len(), 3);
    assert_eq!(a.minus(low.words()).first(), Some(ThingId(64)));
    assert!(!a.contains(ThingId(4000)));
    assert_eq!(Set::one(ThingId(7), 2).single(), Some(ThingId(7)));
    a.retain(|t| t.0 > 60 && t.0 != 64);
    assert_eq!(a.iter().map(|t| t.0).collect::<Vec<_>>(), [63, 100]);
}

/// Whether its words lie inline or not, whether the other is as wide or not: members alone decide.
#[test]
fn every_width_is_alike() {
    let members = |set: &Set| set.iter().map(|t| t.0).collect::<Vec<_>>();
    for width in [1, 7, 8, 9, 40] {
        let most = u16::try_from(width * 64).unwrap();
        let every = |n: u16| {
            let mut set = Set::empty(width);
            (0..most).step_by(usize::from(n)).for_each(|t| set.insert(ThingId(t)));
            set
        };
        let (two, three) = (every(2), every(3));
        let both: Vec<u16> = (0..most).filter(|n| n % 6 == 0).collect();
        assert_eq!((members(&two.and(three.words())), two.width()), (both.clone(), width));
        let only: Vec<u16> = (0..most).filter(|n| n % 2 == 0 && n % 3 != 0).collect();
        assert_eq!(members(&two.minus(three.words())), only);
        let mut either = two.clone();
        either.add(three.words());
        assert_eq!(members(&either), (0..most).filter(|n| n % 2 == 0 || n % 3 == 0).collect::<Vec<_>>());
        assert!(two.meets(three.words()) && !only.is_empty());
        assert!(!two.contains(ThingId(most)) && two == Set::from_words(two.words()));
        // What lies beyond the width of the other one is not in it.
        let narrow = Set::first_n(10, 1);
        assert_eq!(members(&two.and(narrow.words())), [0, 2, 4, 6, 8]);
        assert_eq!(two.minus(narrow.words()).len(), two.len() - 5);
        let mut small = Set::empty(1);
        small.add(Set::first_n(usize::from(most), width).words());
        assert_eq!((small.len(), small.clone()), (64, Set::first_n(64, 1)));
        let mut wide = two.clone();
        wide.widen(width + 3);
        assert_eq!((members(&wide), wide.width()), (members(&two), width + 3));
    }
}
