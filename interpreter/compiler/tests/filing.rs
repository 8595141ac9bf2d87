//! Filing: what a declaration says about the places of items, when it is refused, and the natural order of ids.

use std::cmp::Ordering;

use netrep_compiler::Compiler;
use netrep_compiler::filing::Filing;
use netrep_compiler::filing::natural::{Letters, begins, compare};

/// The words that the declarations name.
const WORDS: &str = "class boat, boats.
class red boat, red boats: boat with colour Red.
list colour { Red. Dark Red. }
figure colour of boat: colour.
";
const PATH: &str = "rules/filing.words";

/// What the declaration for items with a head says, and what is wrong with it.
fn read(head: &str, says: &str) -> (Filing, Vec<String>) {
    let mut compiler = Compiler::new();
    compiler.set_files([("rules/boats.words", WORDS), (PATH, &format!("filing {head} {{ {says} }}"))]);
    let wrong = compiler.check().into_iter().filter(|diag| diag.place.file == PATH);
    let wrong = wrong.map(|diag| diag.message).collect();
    (Filing::clone(&compiler.filing(head).unwrap()), wrong)
}

#[test]
fn beginnings_and_kinds_are_read() {
    let (filing, wrong) = read(
        "card",
        "id AB in \"cards/a\", 12 in all. id 2.IV in \"cards/b\". id g in \"cards/g\". \
         red boat with colour Red, Dark Red in \"boats.cards\". letters W, R.",
    );
    assert_eq!(wrong, [] as [String; 0]);
    let ids: Vec<(&str, Option<usize>)> = filing.beginnings.iter().map(|one| (&*one.id, one.total)).collect();
    assert_eq!(ids, [("AB", Some(12)), ("2.IV", None), ("g", None)]);
    assert_eq!((&*filing.head, &*filing.kinds[0].class, &*filing.kinds[0].path), ("card", "red boat", "boats.cards"));
    let (figure, terms) = filing.kinds[0].with.clone().unwrap();
    assert_eq!((&*figure, terms.join("|")), ("colour", "Red|Dark Red".to_owned()));
    assert_eq!(filing.letters, ["W", "R"]);
}

#[test]
fn the_longest_beginning_counts() {
    let (filing, _) = read("rule", "id 2 in \"rules/2.rules\". id 2.IV in \"rules/4.rules\".");
    let path = |id: &str| filing.beginning(id).map(|one| &*one.path);
    assert_eq!(path("2.IV.i"), Some("rules/4.rules"));
    assert_eq!((path("2.V"), path("2"), path("20.1")), (Some("rules/2.rules"), Some("rules/2.rules"), None));
}

#[test]
fn what_says_no_place_is_refused() {
    let wrong = |head: &str, says: &str| read(head, says).1.join("; ");
    assert_eq!(wrong("verb", ""), "this header needs `card`, `document`, `edition`, `rule`, `ruling` or `variant`");
    assert_eq!(wrong("rule", "boat in \"rules/x.rules\"."), "no rule is of a class");
    assert_eq!(wrong("card", "boat."), "this sentence needs `with` or `in`");
    assert_eq!(wrong("card", "boat in boats."), "this sentence needs words in quotes");
    assert_eq!(wrong("card", "boat in \"x.cards\", 3 in all."), "this sentence needs its end here");
    assert_eq!(wrong("card", "id A B in \"cards/x.cards\"."), "this sentence needs `in`");
    assert_eq!(wrong("rule", "id 2 in \"rules/x.rules\" 3."), "this sentence needs `,` or its end here");
    assert_eq!(wrong("card", "id A in \"cards/x.cards\". id A in \"cards/y.cards\"."), "`A` has a place already");
    assert_eq!(wrong("card", "letters 3."), "this sentence needs a name");
}

#[test]
fn a_path_outside_of_the_data_is_refused() {
    for path in
        ["../x.cards", "cards/../x.cards", "/cards/x.cards", "cards", "decks/x.cards", "cards/x.md", "cards//x.cards"]
    {
        let (_, wrong) = read("card", &format!("id A in \"{path}\"."));
        assert_eq!(wrong, [format!("\"{path}\" is no file of the data")]);
    }
    let (_, wrong) = read("card", "id A in \"cards/a\". boat in \"boats\".");
    assert_eq!(wrong, ["\"cards/a/boats\" is no file of the data"]);
}

fn sorted(ids: &[&str], letters: &Letters) -> bool {
    ids.windows(2).all(|pair| compare(pair[0], pair[1], letters) == Ordering::Less)
}

#[test]
fn ids_and_numbers_are_in_natural_order() {
    assert!(sorted(&["AB-9", "AB-10", "AB-100", "AC-1"], &[]));
    assert!(sorted(&["2.IV.ii", "2.IV.iii", "2.IV.iv", "2.IV.ix", "2.IV.x", "2.V", "2.IX", "2.X"], &[]));
    assert!(sorted(&["9", "9.1", "9.2", "9.2.1", "9.10", "9.10.3", "10", "g.a.1", "g.b.1"], &[]));
    assert!(sorted(&["3", "3.i", "3.v", "3.1", "3.1.1", "3.2", "3.I.1", "3.V", "3.V.i", "3.V.1", "3.V.W1"], &[]));
    assert!(sorted(&["1.B1", "1.F1", "1.R1", "1.W1", "1.W2", "1.W10"], &[]));
    let letters = ["W", "R", "F", "B"].map(str::to_owned);
    assert!(sorted(&["1.4", "1.W1", "1.W2", "1.R1", "1.F1", "1.B1", "1.A1", "1.Z1"], &letters));
    assert!(sorted(&["A-007", "A-07", "A-7", "A-8"], &[]), "the same number is ordered by its letters");
}

#[test]
fn only_numerals_as_they_are_written_count() {
    let units = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
    let steps: Vec<String> = (1..40).map(|n| format!("3.{}{}", "x".repeat(n / 10), units[n % 10])).collect();
    let parts: Vec<String> = steps.iter().map(|step| step.to_uppercase()).collect();
    // Steps by their value, numbers, parts by theirs.
    let all: Vec<&str> =
        steps.iter().map(String::as_str).chain(["3.1"]).chain(parts.iter().map(String::as_str)).collect();
    assert!(all.contains(&"3.xxxix") && all.contains(&"3.IV"));
    assert!(sorted(&all, &[]), "{all:?}");
    // What is none is letters, which come last.
    for other in ["iiii", "vx", "Iv", "iva", "xxxx", "W"] {
        assert!(sorted(&["3.XXXIX", &format!("3.{other}")], &[]), "{other}");
    }
}

#[test]
fn a_beginning_ends_with_a_segment() {
    assert!(begins("2.IV", "2.IV") && begins("2.IV.i", "2.IV") && begins("AB-12", "AB") && begins("1.3", "1"));
    assert!(begins("AB12", "AB") && begins("1a", "1"));
    assert!(!begins("2.IVa", "2.IV") && !begins("10.1", "1") && !begins("ABC-1", "AB") && !begins("AB-1", ""));
}
