//! The formatter on a file with an item of every kind.
use netrep_diagnostics::Code;
use netrep_grammar::{FmtError, HEADS, WIDTH, fmt, fmt_work, parse_item, split};

const KINDS: &str = include_str!("fixtures/kinds.txt");
const FORMATTED: &str = include_str!("fixtures/kinds.formatted.txt");

/// Set `UPDATE_FIXTURES` to accept a new layout, then read the difference.
#[test]
fn the_layout_is_as_accepted() {
    let result = fmt(KINDS).unwrap();
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/kinds.formatted.txt"), &result).unwrap();
        return;
    }
    assert_eq!(result, FORMATTED);
    assert_eq!(fmt(FORMATTED).unwrap(), FORMATTED);
}

#[test]
fn every_kind_of_item_is_there_and_parses() {
    let mut seen: Vec<&str> = Vec::new();
    for raw in split(KINDS) {
        let (item, errors) = parse_item(&KINDS[raw.range.clone()]);
        assert_eq!(errors, [], "{}", raw.key);
        assert_eq!(item.unwrap().head, raw.head.unwrap());
        seen.extend(raw.head);
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen, **HEADS);
}

#[test]
fn lines_fit_and_have_no_blanks_at_the_end() {
    for line in FORMATTED.lines() {
        let code = line.split("//").next().unwrap_or_default();
        assert!(code.trim_end().chars().count() <= WIDTH, "{line}");
        assert_eq!(line, line.trim_end());
    }
}

#[test]
fn small_layouts() {
    for (before, after) in [
        ("", ""),
        ("// only\r\n\r\n\r\n// that\r\n", "// only\n\n// that\n"),
        ("\u{FEFF}class a,b .", "class a, b.\n"),
        ("card A{ }\ncard B {\n}\n", "card A { }\ncard B { }\n"),
        ("card A { x. // why\n}", "card A {\n    x. // why\n}\n"),
        ("card A { // why\n\n x.\n\n}", "card A { // why\n    x.\n}\n"),
        (
            "card A {\n x + 1, a+b, -2, ( -3 ), C/D, C / D, c /d, max (2), max(2).\n}",
            "card A {\n    x + 1, a + b, -2, (-3), C/D, C / D, c / d, max (2), max(2).\n}\n",
        ),
        (
            "card A { if x {\n a; b } otherwise { c }. }",
            "card A {\n    if x {\n        a;\n        b\n    } otherwise { c }.\n}\n",
        ),
        // What braces hold stands one level deeper than the line on which their statement begins, here the first one
        (
            "card A { when a thing of some kind or another comes to lie where it has never been before and there is no other there: {\n if b or there is something else that is quite as long as the words that stand before it, or even longer {\n c } otherwise { e } }. }",
            "card A {\n    when a thing of some kind or another comes to lie where it has never been before\n        and there is no other there: {\n        if b or there is something else that is quite as long as the words that stand before it,\n            or even longer {\n            c\n        } otherwise { e }\n    }.\n}\n",
        ),
        // and here the one behind the colon.
        (
            "card A { when a thing of some kind or another comes to lie where it has never been before: for each of these things here {\n b } otherwise {\n c }. }",
            "card A {\n    when a thing of some kind or another comes to lie where it has never been before:\n        for each of these things here {\n            b\n        } otherwise {\n            c\n        }.\n}\n",
        ),
        ("class a, b.\n\n\n\nclass c, d.\nclass e, f.", "class a, b.\n\nclass c, d.\nclass e, f.\n"),
        ("card A { x { }. y { }; z. w { } }", "card A { x { }. y { }; z. w { } }\n"),
        ("list l { a. // one\n b. }", "list l {\n    a. // one\n    b.\n}\n"),
        ("card A {/b x {c/}(/d)e/{f}, g/h./i. }", "card A { / b x { c / } (/ d) e / { f }, g/h. / i. }\n"),
        ("class a, // one\n  // two\n b.", "class a, // one\n    // two\n    b.\n"),
        // A comment behind an empty block is not in it.
        ("card A {\n x{ } // one\n // two\n y.\n}", "card A {\n    x { } // one\n    // two\n    y.\n}\n"),
    ] {
        assert_eq!(fmt(before).as_deref(), Ok(after), "{before:?}");
        assert_eq!(fmt(after).as_deref(), Ok(after));
    }
}

#[test]
fn a_file_that_does_not_parse_is_refused() {
    let Err(FmtError::Syntax(errors)) = fmt("class a, b.\ncard B { x }\n") else { panic!("accepted") };
    assert_eq!((errors.len(), errors[0].code, errors[0].place.start), (1, Code::MissingFullStop, 21));
}

/// A file of `n` items with long sentences, nested statements and blocks.
fn sample(n: usize) -> String {
    let item = "rule a {\n    when one thing of many is there and another, long enough to be wrapped: if b { c; d { e } otherwise { f } }; do what is said in the text of the rule, all of it.\n    x { y { z. } w {\n u; v }. }\n}\n";
    item.repeat(n)
}

#[test]
fn work_grows_with_the_size_only() {
    let work = |text: &str| fmt_work(text).unwrap();
    let (small, large) = (work(&sample(10)), work(&sample(1000)));
    assert_eq!(large, small * 100);
    // One sentence that fills many lines: every piece is looked at no more than three times.
    let words = 20_000;
    let long = work(&format!("rule a {{ {}x. }}", "word, and; ".repeat(words / 2)));
    assert!(long <= 3 * words * 2, "{long}");
}
