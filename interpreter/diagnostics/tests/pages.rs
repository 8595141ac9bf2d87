//! The parts of a page, and what must be so of all pages before anything compiles.

use netrep_diagnostics::Page;
use netrep_diagnostics::page::{same_names, stands_alone};

const TEXT: &str = "# a-b\n\nIt is wrong.\n\n```netrep\nx.\n```\n\nMend it.\n\n## In a scenario\n\nAgain.\n";

#[test]
fn the_parts_of_a_page_are_found() {
    let page = Page { text: TEXT };
    assert_eq!((page.meaning(), page.mend()), ("It is wrong.", "Mend it."));
    assert_eq!((page.example("netrep"), page.example("scenario")), (Some("x."), None));
}

#[test]
fn a_page_begins_with_its_name_and_one_line() {
    assert!(stands_alone("a-b", TEXT));
    for wrong in ["# a-c\n\nIt.\n\nM", "# a-b\nIt.\n\nM", "# a-b\n\nIt\nis.\n\nM", "# a-b\n\n\n\nM", "# a-b\n\nIt."] {
        assert!(!stands_alone("a-b", wrong), "{wrong:?}");
    }
}

#[test]
fn names_are_compared_one_by_one() {
    assert!(same_names(&["a", "bc"], &["a", "bc"]));
    for other in [&["a"][..], &["a", "bd"], &["a", "b"], &["bc", "a"]] {
        assert!(!same_names(&["a", "bc"], other));
    }
}
