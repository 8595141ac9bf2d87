//! Items move between files and into an order, with what belongs to them.

use std::collections::BTreeMap;

use netrep_grammar::{Refiling, Seat, refile, split};

/// Seats by the item's key: `card B-2` belongs into `b` at place 2.
fn sort(files: &[(&str, &str)]) -> Refiling {
    let texts: BTreeMap<&str, &str> = files.iter().copied().collect();
    let seat = |path: &str, nth: usize| {
        let key = split(texts[path])[nth].key.clone();
        let (file, place) = key.strip_prefix("card ")?.split_once('-')?;
        Some(Seat { file: file.to_lowercase(), place: place.parse().ok()? })
    };
    refile(files, &seat).unwrap()
}

fn text(refiling: &Refiling, path: &str) -> Option<String> {
    refiling.changed.iter().find(|one| one.path == path).expect("the file changes").text.clone()
}

#[test]
fn items_move_with_their_comments() {
    let a = "// The head.\n\n// About B.\ncard B-2 {\n    x.\n} // behind B\n\ncard A-2.\n// Set apart.\n\n// Of A.\ncard A-1 { x. }\n\n// The end.\n";
    let done = sort(&[("a", a)]);
    assert_eq!(
        text(&done, "a").as_deref(),
        Some("// The head.\n\n// Set apart.\n\n// Of A.\ncard A-1 { x. }\n\ncard A-2.\n\n// The end.\n")
    );
    assert_eq!(text(&done, "b").as_deref(), Some("// About B.\ncard B-2 {\n    x.\n} // behind B\n"));
    assert!(done.broken.is_empty() && done.changed.iter().all(|one| !one.comments_only));
}

#[test]
fn what_is_in_order_stays_to_the_letter() {
    let a = "\n\n  // odd\ncard   A-1.\n\n\n\ncard A-3. card is text of the same item.\nclass x.\ncard A-7 {}\n  ";
    assert_eq!(sort(&[("a", a)]), Refiling { changed: Vec::new(), broken: vec!["a".to_owned()] });
    let a = "\n\n  // odd\ncard   A-1.\n\n\n\ncard A-3.\nclass x.\ncard A-7 {}\n  ";
    assert_eq!(sort(&[("a", a)]), Refiling::default());
}

#[test]
fn the_first_item_of_a_file_is_set_apart_as_the_next_one_is() {
    let close = sort(&[("a", "card A-2.\ncard A-1.\n")]);
    assert_eq!(text(&close, "a").as_deref(), Some("card A-1.\ncard A-2.\n"));
    let apart = sort(&[("a", "// Two.\ncard A-2.\n\ncard A-1.\n")]);
    assert_eq!(text(&apart, "a").as_deref(), Some("card A-1.\n\n// Two.\ncard A-2.\n"));
}

#[test]
fn what_has_no_seat_stays_in_its_file() {
    let done = sort(&[("a", "class x.\ncard A-2.\nclass y.\ncard A-1.\nclass z.\n")]);
    assert_eq!(text(&done, "a").as_deref(), Some("class x.\ncard A-1.\ncard A-2.\nclass y.\nclass z.\n"));
}

#[test]
fn an_empty_file_goes_and_one_with_comments_stays() {
    let done = sort(&[("x", "card A-1.\n"), ("y", "// Of y.\n\ncard A-2.\n")]);
    assert_eq!(text(&done, "a").as_deref(), Some("card A-1.\n\ncard A-2.\n"));
    assert_eq!(text(&done, "x"), None);
    assert_eq!(text(&done, "y").as_deref(), Some("// Of y.\n"));
    assert_eq!(done.changed.iter().map(|one| one.comments_only).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn nothing_leaves_or_enters_a_broken_file() {
    let done = sort(&[("a", "crad A-9.\n"), ("b", "card A-1.\ncard C-1.\n")]);
    assert_eq!(done.broken, ["a"]);
    assert_eq!(text(&done, "b").as_deref(), Some("card A-1.\n"));
    assert_eq!(text(&done, "c").as_deref(), Some("card C-1.\n"));
}
