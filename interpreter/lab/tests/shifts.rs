//! The same games under two programs: what shifts, and how sure that is.

use std::collections::BTreeMap;

use netrep_lab::simulate::{End, Played, Seat, shifts};

fn game(seed: u64, points: i32, outcome: &str) -> Played {
    let seat =
        Seat { name: "Ann".to_owned(), outcome: outcome.to_owned(), points: vec![("points".to_owned(), points)] };
    Played {
        seed,
        end: End::Over,
        decisions: 5,
        clock: 0,
        seats: vec![seat],
        cards: BTreeMap::new(),
        hash: String::new(),
    }
}

#[test]
fn differences_are_taken_seed_by_seed_with_their_interval() {
    // The games are far apart, the pairs are not: the difference is seen all the same.
    let before: Vec<Played> = (0..10).map(|n| game(n, i32::try_from(n).unwrap_or(0) * 100, "lost")).collect();
    let after: Vec<Played> = (0..10)
        .rev()
        .map(|n| game(n, i32::try_from(n).unwrap_or(0) * 100 + i32::from(n != 3), if n < 2 { "won" } else { "lost" }))
        .collect();
    let found = shifts(&before, &after);
    assert_eq!((found.games, found.departed), (10, 9));
    let of = |what: &str| found.shifts.iter().find(|one| one.what == what).cloned();
    let points = of("points").unwrap_or_else(|| panic!("{found:?}"));
    // Mean 0.9, standard deviation 0.316, t(9) = 2.262.
    assert!((points.difference - 0.9).abs() < 1e-9 && (points.low - 0.674).abs() < 0.003, "{points:?}");
    assert!(points.is_sure() && (points.high - 1.126).abs() < 0.003);
    let won = of("share of won").unwrap_or_else(|| panic!("{found:?}"));
    assert!((won.after - 0.2).abs() < 1e-9 && !won.is_sure(), "{won:?}");
    assert!(of("decisions").is_none(), "what never shifts is not told");
    assert_eq!(shifts(&before, &before).shifts, []);
}
